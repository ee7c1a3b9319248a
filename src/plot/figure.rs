//! A chart as plain data.

use serde::{Deserialize, Serialize};

use super::error::PlotError;
use super::theme::Style;

/// Values beyond this magnitude are refused: no quantity of a storage test comes near, and sums stay finite.
const LARGEST_VALUE: f64 = 1e60;

/// A chart: everything that is drawn, nothing about where on the paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Heading.
    pub title: String,
    /// Smaller line under the heading (scenario, queue depth, runs); empty for none.
    pub subtitle: String,
    /// Small grey text at the foot (source, seed, version); empty for none.
    pub caption: String,
    /// Lines and points, or bars.
    pub kind: Kind,
    /// The x axis; of bars, the axis of categories whichever way they lie.
    pub x: Axis,
    /// The axis of the values, at the left (under horizontal bars).
    pub y: Axis,
    /// A second axis of values at the right, for series of [`Side::Right`].
    pub right: Option<Axis>,
    /// The series, in drawing and legend order.
    pub series: Vec<Series>,
    /// Levels of the left axis to mark by a thin dashed line.
    pub ceilings: Vec<Ceiling>,
}

/// The form of a figure.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Kind {
    /// Lines, staircases and points, each series by its own [`Mark`].
    #[default]
    Curves,
    /// Groups of bars: a group a category, a bar a series, each with its value.
    Bars {
        /// Standing or lying.
        orientation: Orientation,
        /// What a colour stands for.
        colours: BarColours,
    },
    /// Parts of a whole: a bar a category, a piece of it a series, in their order, with the sum at its end. No value
    /// is negative.
    Stacks(Orientation),
}

/// How bars lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// Standing, categories from left to right.
    Vertical,
    /// Lying, categories from top to bottom.
    Horizontal,
}

/// What the colour of a bar stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarColours {
    /// The series, which the legend explains.
    Series,
    /// The category, by one style each; meant for one series, has no legend.
    Category(Vec<Style>),
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Column name for the table of the points, in snake case with the unit last.
    pub name: String,
    /// Text beside the axis, with the unit.
    pub label: String,
    /// What its positions mean.
    pub scale: Scale,
}

/// What the positions along an axis mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Evenly spaced labelled steps; a position is an index into the labels.
    Categories(Vec<String>),
    /// Plain numbers.
    Linear {
        /// Whether the axis reaches down to zero even where the data do not.
        from_zero: bool,
        /// Fixed ends, for a set of figures to share; from the data if absent.
        limits: Option<(f64, f64)>,
    },
}

/// A named run of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// How the points are drawn (curves only).
    pub mark: Mark,
    /// The axis its values belong to (curves only).
    pub side: Side,
    /// Colour, dash and marker.
    pub style: Style,
    /// The points, in drawing order.
    pub points: Vec<Point>,
}

/// How a series of a [`Kind::Curves`] figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mark {
    /// A marker a point, joined by straight lines.
    #[default]
    Line,
    /// A staircase: each value holds until the next point; the last point only ends it.
    Steps,
    /// Markers alone.
    Points,
}

/// The axis a series belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Side {
    /// The left axis.
    #[default]
    Left,
    /// The right axis.
    Right,
}

/// One point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Position on the x axis: a number, or a category's index.
    pub x: f64,
    /// Value.
    pub y: f64,
    /// Half the width of its error bar, in the unit of `y`.
    pub error: Option<f64>,
}

/// A level marked across the figure, such as a bus limit or a ratio of 1.
///
/// On an axis from zero a level above 1.6 times the data is not let flatten them: its name and value are
/// written at the edge instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ceiling {
    /// What the level is.
    pub label: String,
    /// Value on the left axis.
    pub value: f64,
}

impl Kind {
    /// How its bars lie, if it has any.
    pub fn orientation(&self) -> Option<Orientation> {
        match self {
            Kind::Curves => None,
            Kind::Bars { orientation, .. } | Kind::Stacks(orientation) => Some(*orientation),
        }
    }
}

impl Axis {
    /// An axis of plain numbers; `name` is the column name, `label` the text with its unit.
    pub fn linear(name: &str, label: &str, from_zero: bool) -> Self {
        let scale = Scale::Linear { from_zero, limits: None };
        Axis { name: name.to_owned(), label: label.to_owned(), scale }
    }
    /// An axis of evenly spaced labelled steps.
    pub fn categories<S: Into<String>>(name: &str, label: &str, steps: impl IntoIterator<Item = S>) -> Self {
        let scale = Scale::Categories(steps.into_iter().map(Into::into).collect());
        Axis { name: name.to_owned(), label: label.to_owned(), scale }
    }
    /// The labels of its steps, if it has steps.
    pub fn steps(&self) -> Option<&[String]> {
        match &self.scale {
            Scale::Categories(labels) => Some(labels),
            Scale::Linear { .. } => None,
        }
    }
}

impl Point {
    /// A point without an error bar.
    pub fn new(x: f64, y: f64) -> Self {
        Point { x, y, error: None }
    }
}

impl Series {
    /// A line of these points on the left axis.
    pub fn line(label: &str, style: Style, points: Vec<Point>) -> Self {
        Series { label: label.to_owned(), mark: Mark::Line, side: Side::Left, style, points }
    }
}

impl Figure {
    /// Whether the figure can be drawn: has points, all finite, all on its axes.
    ///
    /// # Errors
    /// [`PlotError::NoData`] without points; [`PlotError::BadFigure`] for a value, position, level or axis
    /// that cannot be drawn.
    pub fn check(&self) -> Result<(), PlotError> {
        if self.series.iter().all(|series| series.points.is_empty()) {
            return Err(PlotError::NoData { title: self.title.clone(), hint: String::new() });
        }
        for series in &self.series {
            self.check_series(series)?;
        }
        for ceiling in &self.ceilings {
            self.check_value(&format!("ceiling `{}`", ceiling.label), ceiling.value)?;
        }
        if self.kind.orientation().is_some() && self.x.steps().is_none() {
            return Err(self.bad("bars need an x axis of categories".to_owned()));
        }
        for axis in [Some(&self.x), Some(&self.y), self.right.as_ref()].into_iter().flatten() {
            self.check_limits(axis)?;
        }
        for axis in [Some(&self.y), self.right.as_ref()].into_iter().flatten() {
            if axis.steps().is_some() {
                return Err(self.bad(format!("the value axis `{}` has categories", axis.label)));
            }
        }
        Ok(())
    }

    fn check_series(&self, series: &Series) -> Result<(), PlotError> {
        let name = format!("series `{}`", series.label);
        let bars = self.kind.orientation().is_some();
        let stacked = matches!(self.kind, Kind::Stacks(_));
        if series.side == Side::Right && (bars || self.right.is_none()) {
            return Err(self.bad(format!("{name} belongs to a right axis, which the figure does not have")));
        }
        for point in &series.points {
            self.check_value(&name, point.x)?;
            self.check_value(&name, point.y)?;
            self.check_value(&name, point.error.unwrap_or(0.0))?;
            if stacked && point.y < 0.0 {
                return Err(self.bad(format!("{name} holds {}; parts of a whole are not negative", point.y)));
            }
            if point.error.is_some_and(|half_width| half_width < 0.0) {
                return Err(self.bad(format!("{name} has an error bar of negative width")));
            }
            if let Some(steps) = self.x.steps() {
                let known = point.x >= 0.0 && point.x.fract() == 0.0 && point.x < steps.len() as f64;
                if !known {
                    return Err(self.bad(format!(
                        "{name} has a point at step {} of {}",
                        point.x,
                        steps.len()
                    )));
                }
            }
        }
        Ok(())
    }

    /// The lengths of its bars: each value, or of stacks the sum of each category.
    pub fn bar_values(&self) -> Vec<f64> {
        let points = || self.series.iter().flat_map(|series| &series.points);
        if !matches!(self.kind, Kind::Stacks(_)) {
            return points().map(|point| point.y).collect();
        }
        let mut sums = vec![0.0; self.x.steps().map_or(0, <[String]>::len)];
        for point in points() {
            if let Some(sum) = sums.get_mut(point.x as usize) {
                *sum += point.y;
            }
        }
        sums
    }

    /// Where the bar of a series starts at position `x`: at zero, or in a stack at the end of the pieces before it.
    pub fn bar_base(&self, series: usize, x: f64) -> f64 {
        if !matches!(self.kind, Kind::Stacks(_)) {
            return 0.0;
        }
        let before = self.series[..series].iter().flat_map(|series| &series.points);
        before.filter(|point| point.x == x).map(|point| point.y).sum()
    }

    fn check_value(&self, what: &str, value: f64) -> Result<(), PlotError> {
        if value.is_finite() && value.abs() <= LARGEST_VALUE {
            return Ok(());
        }
        Err(self.bad(format!("{what} holds {value}, which cannot be drawn")))
    }

    fn check_limits(&self, axis: &Axis) -> Result<(), PlotError> {
        let Scale::Linear { limits: Some((low, high)), .. } = axis.scale else { return Ok(()) };
        self.check_value(&axis.label, low)?;
        self.check_value(&axis.label, high)?;
        if low < high {
            return Ok(());
        }
        Err(self.bad(format!("axis `{}` runs from {low} to {high}; the first must be less", axis.label)))
    }

    fn bad(&self, message: String) -> PlotError {
        PlotError::BadFigure { title: self.title.clone(), message }
    }
}
