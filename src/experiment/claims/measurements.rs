//! What was measured, by metric and parameters, with its replications.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::results::{Cell, Table};
use crate::stats::mean_ci;

/// A measured figure that checks can name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Metric {
    /// `MX(array, queue depth, write percent)`: I/O a second in the random 8 KB mix.
    Mix,
    /// `IO(pattern, array, queue depth)`: I/O a second in an IOMeter pattern.
    Pattern,
    /// `SR(array, block bytes)`: sequential read, MB/s of 2^20 bytes.
    SequentialRead,
    /// `SW(array, block bytes)`: sequential write, MB/s of 2^20 bytes.
    SequentialWrite,
    /// `WBb(array, file system)`: Business Disk WinMark.
    BusinessWinMark,
    /// `WBh(array, file system)`: High-End Disk WinMark.
    HighEndWinMark,
}

/// What a parameter of a metric may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parameter {
    Array,
    Pattern,
    FileSystem,
    QueueDepth,
    WritePercent,
    BlockBytes,
}

impl Parameter {
    /// The column of a results table that holds it.
    fn column(self) -> &'static str {
        match self {
            Parameter::Array => "array",
            Parameter::Pattern => "pattern",
            Parameter::FileSystem => "file_system",
            Parameter::QueueDepth => "queue_depth",
            Parameter::WritePercent => "write_percent",
            Parameter::BlockBytes => "block_bytes",
        }
    }
    /// Its name in messages.
    pub fn describe(self) -> &'static str {
        match self {
            Parameter::Array => "an array",
            Parameter::Pattern => "a pattern",
            Parameter::FileSystem => "a file system",
            Parameter::QueueDepth => "a queue depth",
            Parameter::WritePercent => "a write percentage",
            Parameter::BlockBytes => "a block size",
        }
    }
}

impl Metric {
    /// All metrics, in the order messages list them.
    pub const ALL: [Metric; 6] = [
        Metric::Mix,
        Metric::Pattern,
        Metric::SequentialRead,
        Metric::SequentialWrite,
        Metric::BusinessWinMark,
        Metric::HighEndWinMark,
    ];
    /// The name a check calls it by.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Mix => "MX",
            Metric::Pattern => "IO",
            Metric::SequentialRead => "SR",
            Metric::SequentialWrite => "SW",
            Metric::BusinessWinMark => "WBb",
            Metric::HighEndWinMark => "WBh",
        }
    }
    /// The unit as reports print it.
    pub fn unit(self) -> &'static str {
        match self {
            Metric::Mix | Metric::Pattern => "I/O/s",
            Metric::SequentialRead | Metric::SequentialWrite => "MB/s",
            Metric::BusinessWinMark | Metric::HighEndWinMark => "",
        }
    }
    pub(super) fn parameters(self) -> &'static [Parameter] {
        match self {
            Metric::Mix => &[Parameter::Array, Parameter::QueueDepth, Parameter::WritePercent],
            Metric::Pattern => &[Parameter::Pattern, Parameter::Array, Parameter::QueueDepth],
            Metric::SequentialRead | Metric::SequentialWrite => &[Parameter::Array, Parameter::BlockBytes],
            Metric::BusinessWinMark | Metric::HighEndWinMark => &[Parameter::Array, Parameter::FileSystem],
        }
    }
    /// The column of a results table that holds its value.
    fn value_column(self) -> &'static str {
        match self {
            Metric::Mix | Metric::Pattern => "iops",
            Metric::SequentialRead | Metric::SequentialWrite => "mib_s",
            Metric::BusinessWinMark | Metric::HighEndWinMark => "winmark",
        }
    }
}

/// The experiment a results table came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Experiment {
    /// Random 8 KB requests over the share of writes.
    Mix,
    /// IOMeter server patterns over the queue depth.
    Pattern,
    /// Sequential reads over the block size.
    SequentialRead,
    /// Sequential writes over the block size.
    SequentialWrite,
    /// The WinBench Business trace.
    BusinessWinMark,
    /// The WinBench High-End trace.
    HighEndWinMark,
}

impl Experiment {
    /// The metric its table yields.
    pub fn metric(self) -> Metric {
        match self {
            Experiment::Mix => Metric::Mix,
            Experiment::Pattern => Metric::Pattern,
            Experiment::SequentialRead => Metric::SequentialRead,
            Experiment::SequentialWrite => Metric::SequentialWrite,
            Experiment::BusinessWinMark => Metric::BusinessWinMark,
            Experiment::HighEndWinMark => Metric::HighEndWinMark,
        }
    }
    /// The columns that its table must fill in every row, so that claims find their figures: the metric's parameters.
    pub fn parameter_columns(self) -> impl Iterator<Item = &'static str> {
        self.metric().parameters().iter().map(|parameter| parameter.column())
    }
    /// The column of the metric itself.
    pub fn value_column(self) -> &'static str {
        self.metric().value_column()
    }
}

/// A parameter's value: one place of a sweep.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Argument {
    /// An array (`R0x2`, or `R0x2@variant` under a changed set-up), a pattern or a file system.
    Name(String),
    /// A queue depth, a write percentage or a block size in bytes.
    Whole(u64),
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Name(name) => f.write_str(name),
            Argument::Whole(number) => write!(f, "{number}"),
        }
    }
}

/// A mean of replications and how far it can be trusted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Mean over the runs, in the metric's unit.
    pub mean: f64,
    /// Half of the 95 % interval; 0 for a single run, of which nothing can be said.
    pub half_width: f64,
    /// Number of runs.
    pub runs: usize,
}

impl Estimate {
    /// Mean and 95 % interval by Student's t of independent runs; nothing for no runs.
    pub fn of(runs: &[f64]) -> Option<Self> {
        let estimate = mean_ci(runs, 0.95);
        let half_width = estimate.half_width.unwrap_or(0.0);
        (!runs.is_empty()).then_some(Estimate { mean: estimate.mean, half_width, runs: runs.len() })
    }
}

/// A results table that cannot be read as measurements.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MeasurementError {
    /// The table lacks a column that its experiment needs.
    #[error(
        "the {experiment:?} table has no column `{column}`; give it one, as the claims are checked on it"
    )]
    MissingColumn {
        /// Where the table came from.
        experiment: Experiment,
        /// The column.
        column: String,
    },
    /// A cell does not hold what its column promises.
    #[error("row {row} of the {experiment:?} table: `{column}` holds `{found}`, expected {expected}")]
    BadCell {
        /// Where the table came from.
        experiment: Experiment,
        /// The row, from 1.
        row: usize,
        /// The column.
        column: String,
        /// What the cell holds.
        found: String,
        /// What it should hold.
        expected: &'static str,
    },
}

/// All measured values by metric and parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurements {
    runs: BTreeMap<(Metric, Vec<Argument>), Vec<f64>>,
}

impl Measurements {
    /// No measurements.
    pub fn new() -> Self {
        Measurements::default()
    }

    /// Collects the runs of result tables, one row a run.
    ///
    /// Each table needs the column `array`, the columns of its sweep (`pattern` and `queue_depth`; `queue_depth` and
    /// `write_percent`; `block_bytes`; `file_system`) and its value (`iops`; `mib_s`; `winmark`). An optional column
    /// `variant` names the changed set-up the row was run under; empty means the review's own. Rows whose value is
    /// empty were not measured and are skipped; other columns are ignored.
    pub fn from_tables<'a>(
        tables: impl IntoIterator<Item = (Experiment, &'a Table)>,
    ) -> Result<Self, MeasurementError> {
        let mut measurements = Measurements::new();
        for (experiment, table) in tables {
            measurements.add_table(experiment, table)?;
        }
        Ok(measurements)
    }

    fn add_table(&mut self, experiment: Experiment, table: &Table) -> Result<(), MeasurementError> {
        let metric = experiment.metric();
        let find = |column: &str| {
            table
                .column(column)
                .ok_or_else(|| MeasurementError::MissingColumn { experiment, column: column.to_owned() })
        };
        let value_at = find(metric.value_column())?;
        let variant_at = table.column("variant");
        let mut parameters = Vec::new();
        for &parameter in metric.parameters() {
            parameters.push((parameter, find(parameter.column())?));
        }
        for (index, row) in table.rows.iter().enumerate() {
            let bad = |column: usize, expected| MeasurementError::BadCell {
                experiment,
                row: index + 1,
                column: table.columns[column].name.clone(),
                found: row[column].label(),
                expected,
            };
            if row[value_at] == Cell::Empty {
                continue;
            }
            let value = row[value_at].number().filter(|value| value.is_finite());
            let value = value.ok_or_else(|| bad(value_at, "a finite number"))?;
            let mut arguments = Vec::new();
            for &(parameter, column) in &parameters {
                let mut argument =
                    argument(parameter, &row[column]).map_err(|expected| bad(column, expected))?;
                if let (Argument::Name(name), Parameter::Array, Some(variant_at)) =
                    (&mut argument, parameter, variant_at)
                    && let Cell::Text(variant) = &row[variant_at]
                    && !variant.is_empty()
                {
                    *name = format!("{name}@{variant}");
                }
                arguments.push(argument);
            }
            self.add(metric, arguments, value);
        }
        Ok(())
    }

    /// Adds one run's value.
    pub fn add(&mut self, metric: Metric, arguments: Vec<Argument>, value: f64) {
        self.runs.entry((metric, arguments)).or_default().push(value);
    }

    /// Mean and interval of one metric at one place, if it was measured.
    pub fn estimate(&self, metric: Metric, arguments: &[Argument]) -> Option<Estimate> {
        // The map's key owns its arguments, so a look-up must as well; checks are few.
        self.runs.get(&(metric, arguments.to_vec())).and_then(|runs| Estimate::of(runs))
    }

    /// The values that parameter number `index` of `metric` was measured at, in order.
    pub fn measured_at(&self, metric: Metric, index: usize) -> Vec<u64> {
        let of_metric = self.runs.keys().filter(|(measured, _)| *measured == metric);
        let values: BTreeSet<u64> = of_metric
            .filter_map(|(_, arguments)| match arguments.get(index) {
                Some(&Argument::Whole(value)) => Some(value),
                _ => None,
            })
            .collect();
        values.into_iter().collect()
    }

    /// Where a metric was measured, in order.
    pub fn places(&self, metric: Metric) -> impl Iterator<Item = &Vec<Argument>> {
        let of_metric = self.runs.keys().filter(move |(measured, _)| *measured == metric);
        of_metric.map(|(_, arguments)| arguments)
    }

    /// Everything that was measured, as metric and parameters, in order.
    pub fn all_places(&self) -> impl Iterator<Item = &(Metric, Vec<Argument>)> {
        self.runs.keys()
    }

    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

/// A cell as a parameter's value, or what it should have been.
fn argument(parameter: Parameter, cell: &Cell) -> Result<Argument, &'static str> {
    match (parameter, cell) {
        (Parameter::Array | Parameter::Pattern | Parameter::FileSystem, Cell::Text(name))
            if !name.is_empty() =>
        {
            Ok(Argument::Name(name.clone()))
        }
        (Parameter::Array | Parameter::Pattern | Parameter::FileSystem, _) => Err("a name"),
        (_, cell) => {
            let whole = cell.number().filter(|value| *value >= 0.0 && value.fract() == 0.0);
            whole.map(|value| Argument::Whole(value as u64)).ok_or("a whole number")
        }
    }
}
