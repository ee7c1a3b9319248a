//! What can be wrong with a figure or with its specification.

/// Why a figure could not be made or drawn. Every text names the remedy where there is one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// A specification names a column that the table does not have.
    #[error("plot `{plot}`: {field} names the column `{column}`, which the table does not have{hint}")]
    UnknownColumn {
        /// File stem of the plot.
        plot: String,
        /// The specification's field.
        field: &'static str,
        /// The name that was not found.
        column: String,
        /// A did-you-mean, and the columns that exist.
        hint: String,
    },
    /// A filter asks for a value that its column does not hold.
    #[error("plot `{plot}`: only.{column} asks for `{label}`, which no row has{hint}")]
    UnknownLabel {
        /// File stem of the plot.
        plot: String,
        /// The filtered column.
        column: String,
        /// The value that was not found.
        label: String,
        /// A did-you-mean, and the values that exist.
        hint: String,
    },
    /// A cell that must hold a figure holds something else.
    #[error("plot `{plot}`: column `{column}` holds `{found}` in row {row}, where a number is needed")]
    NotANumber {
        /// File stem of the plot.
        plot: String,
        /// The column.
        column: String,
        /// Row of the table, from 1.
        row: usize,
        /// The cell's text.
        found: String,
    },
    /// Two rows give the same point of a line or the same bar.
    #[error("plot `{plot}`: two rows give series `{series}` at `{x}`{hint}")]
    AmbiguousPoint {
        /// File stem of the plot.
        plot: String,
        /// The series.
        series: String,
        /// The place on the x axis.
        x: String,
        /// Which column tells the rows apart, and so which filter is missing.
        hint: String,
    },
    /// A field of a specification cannot mean anything.
    #[error("plot `{plot}`: {field}: {message}")]
    BadField {
        /// File stem of the plot.
        plot: String,
        /// The specification's field.
        field: &'static str,
        /// What is wrong and what to write instead.
        message: String,
    },
    /// There is no point to draw.
    #[error("figure `{title}` has no points{hint}")]
    NoData {
        /// Title of the figure.
        title: String,
        /// Where the points may have gone.
        hint: String,
    },
    /// A figure contradicts itself or holds a value that cannot be drawn.
    #[error("figure `{title}`: {message}")]
    BadFigure {
        /// Title of the figure.
        title: String,
        /// What is wrong.
        message: String,
    },
    /// The picture's size or scale is out of range.
    #[error("picture size: {0}")]
    BadSize(String),
    /// The drawing library failed.
    #[error("drawing failed: {0}")]
    Drawing(String),
}
