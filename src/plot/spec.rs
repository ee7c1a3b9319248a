//! What a file says about a plot, and picking its figure from a table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::PlotError;
use super::figure::{Axis, BarColours, Ceiling, Figure, Kind, Mark, Orientation, Point, Scale, Series, Side};
use super::theme;
use crate::config::suggest;
use crate::results::{Cell, Table};

/// A plot of a results table: which columns go where, and the words around them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlotSpec {
    /// File name without folder and extension; letters, digits, `-`, `_` and `.`.
    pub file: String,
    /// Heading.
    pub title: String,
    /// Line under the heading.
    #[serde(default)]
    pub subtitle: Option<String>,
    /// Form of the figure.
    #[serde(default)]
    pub kind: PlotKind,
    /// Column of the x axis (of bars: the categories).
    pub x: String,
    /// Columns of the values. Several columns make a series each.
    pub y: Vec<String>,
    /// Column that tells the series apart.
    #[serde(default)]
    pub series: Option<String>,
    /// Column of the error bars' half widths, in the unit of the one `y` column.
    #[serde(default)]
    pub error: Option<String>,
    /// Keeps only rows whose cell in the column, written as text, is listed.
    #[serde(default)]
    pub only: BTreeMap<String, Vec<String>>,
    /// Longer names for series and categories; the colours still follow the short ones.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// Text of the x axis, with the unit.
    pub x_label: String,
    /// Text of the value axis, with the unit.
    pub y_label: String,
    /// How the x column is written.
    #[serde(default)]
    pub x_labels: XLabels,
    /// Whether the value axis starts at zero.
    #[serde(default = "yes")]
    pub from_zero: bool,
    /// Fixed ends of the value axis, for a set of plots to share.
    #[serde(default)]
    pub y_limits: Option<(f64, f64)>,
    /// Levels to mark, in the unit of the value axis.
    #[serde(default)]
    pub ceilings: Vec<Ceiling>,
}

/// The forms a plot can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum PlotKind {
    /// Lines with markers over evenly spaced steps.
    #[default]
    Lines,
    /// Groups of standing bars.
    Bars,
    /// Groups of lying bars.
    HorizontalBars,
    /// Points over a numeric axis.
    Scatter,
    /// A staircase over a numeric axis.
    Steps,
}

/// How the values of the x column are written along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum XLabels {
    /// By kind: numbers for scatter and steps, steps labelled with the cell's text for the others, and as
    /// sizes (512, 1K, .. 1M; K = 1024) if the column's name ends in `_bytes`.
    #[default]
    Auto,
    /// A share of writes in percent as reads/writes: 100/0 .. 0/100.
    WriteShare,
    /// A numeric axis.
    Numeric,
}

fn yes() -> bool {
    true
}

/// The rows and columns a specification has chosen from a table.
struct Selection<'a> {
    spec: &'a PlotSpec,
    table: &'a Table,
    x: usize,
    y: Vec<usize>,
    series: Option<usize>,
    error: Option<usize>,
    rows: Vec<usize>,
    /// Distinct cells of the x column in table order; empty for a numeric axis.
    categories: Vec<&'a Cell>,
}

impl PlotSpec {
    /// Picks the figure from `table`: categories in table order, series in order of first appearance.
    /// Rows whose x or value cell is empty give no point. The caption is left empty for the caller.
    ///
    /// # Errors
    /// An unknown column or filter value, a cell that is no number, two rows for one point, no rows left,
    /// or a field that cannot mean anything; see [`PlotError`].
    pub fn figure(&self, table: &Table) -> Result<Figure, PlotError> {
        self.check()?;
        let selection = Selection::new(self, table)?;
        let (keys, points) = selection.points()?;
        if points.iter().all(Vec::is_empty) {
            let hint = format!(
                ": {} of {} rows pass `only`, none with both x and value",
                selection.rows.len(),
                table.rows.len()
            );
            return Err(PlotError::NoData { title: self.title.clone(), hint });
        }
        let styles = theme::styles(&keys.iter().map(String::as_str).collect::<Vec<_>>());
        let mark = match self.kind {
            PlotKind::Scatter => Mark::Points,
            PlotKind::Steps => Mark::Steps,
            PlotKind::Lines | PlotKind::Bars | PlotKind::HorizontalBars => Mark::Line,
        };
        let series = keys
            .iter()
            .zip(points)
            .zip(styles)
            .map(|((key, points), style)| {
                let label = self.named(key);
                Series { label, mark, side: Side::Left, style, points }
            })
            .collect();
        let figure = Figure {
            title: self.title.clone(),
            subtitle: self.subtitle.clone().unwrap_or_default(),
            caption: String::new(),
            kind: selection.kind(keys.len()),
            x: selection.x_axis(),
            y: Axis {
                name: if let [only] = self.y.as_slice() { only.clone() } else { "value".to_owned() },
                label: self.y_label.clone(),
                scale: Scale::Linear { from_zero: self.from_zero, limits: self.y_limits },
            },
            right: None,
            series,
            ceilings: self.ceilings.clone(),
        };
        figure.check()?;
        Ok(figure)
    }

    /// What can be said without a table.
    fn check(&self) -> Result<(), PlotError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.file.is_empty() || self.file.starts_with('.') || !self.file.chars().all(plain) {
            let message = "a name of letters, digits, `-`, `_` and `.` is needed, without a folder";
            return Err(self.bad_field("file", message));
        }
        if self.y.is_empty() {
            return Err(self.bad_field("y", "name at least one column of values"));
        }
        if self.error.is_some() && self.y.len() > 1 {
            return Err(self.bad_field("error", "error bars belong to one column; name only one in `y`"));
        }
        let bars = matches!(self.kind, PlotKind::Bars | PlotKind::HorizontalBars);
        if bars && self.x_labels == XLabels::Numeric {
            return Err(self.bad_field("x_labels", "bars stand over categories; use Auto or WriteShare"));
        }
        Ok(())
    }

    fn bad_field(&self, field: &'static str, message: &str) -> PlotError {
        PlotError::BadField { plot: self.file.clone(), field, message: message.to_owned() }
    }

    fn numeric_x(&self) -> bool {
        match self.x_labels {
            XLabels::Numeric => true,
            XLabels::WriteShare => false,
            XLabels::Auto => matches!(self.kind, PlotKind::Scatter | PlotKind::Steps),
        }
    }

    /// The reader's name of a series or category.
    fn named(&self, key: &str) -> String {
        self.names.get(key).map_or_else(|| key.to_owned(), Clone::clone)
    }

    fn x_label_of(&self, cell: &Cell) -> String {
        match (self.x_labels, cell.number()) {
            (XLabels::WriteShare, Some(writes)) => format!("{}/{}", 100.0 - writes, writes),
            (_, Some(bytes)) if self.x.ends_with("_bytes") => size_label(bytes),
            _ => self.named(&cell.label()),
        }
    }
}

impl<'a> Selection<'a> {
    fn new(spec: &'a PlotSpec, table: &'a Table) -> Result<Self, PlotError> {
        let find = |field: &'static str, name: &str| find_column(spec, table, field, name);
        let x = find("x", &spec.x)?;
        let y = spec.y.iter().map(|name| find("y", name)).collect::<Result<Vec<_>, _>>()?;
        let series = spec.series.as_deref().map(|name| find("series", name)).transpose()?;
        let error = spec.error.as_deref().map(|name| find("error", name)).transpose()?;
        let rows = kept_rows(spec, table)?;
        let mut categories: Vec<&Cell> = Vec::new();
        if !spec.numeric_x() {
            for &row in &rows {
                let cell = &table.rows[row][x];
                if *cell != Cell::Empty && !categories.contains(&cell) {
                    categories.push(cell);
                }
            }
        }
        Ok(Selection { spec, table, x, y, series, error, rows, categories })
    }

    /// The x axis; where sizes are written short, it says what the letters mean.
    fn x_axis(&self) -> Axis {
        let scale = self.x_scale();
        let mut label = self.spec.x_label.clone();
        if let Scale::Categories(steps) = &scale
            && self.spec.x.ends_with("_bytes")
        {
            let used = SIZE_UNITS[1..].iter().filter(|unit| steps.iter().any(|step| step.ends_with(**unit)));
            let told: Vec<String> = used.map(|unit| format!("{unit}: {unit}iB")).collect();
            if !told.is_empty() {
                label += &format!(" ({})", told.join(", "));
            }
        }
        Axis { name: self.spec.x.clone(), label, scale }
    }

    fn x_scale(&self) -> Scale {
        if self.spec.numeric_x() {
            return Scale::Linear { from_zero: true, limits: None };
        }
        Scale::Categories(self.categories.iter().map(|cell| self.spec.x_label_of(cell)).collect())
    }

    fn kind(&self, series: usize) -> Kind {
        let orientation = match self.spec.kind {
            PlotKind::Bars => Orientation::Vertical,
            PlotKind::HorizontalBars => Orientation::Horizontal,
            PlotKind::Lines | PlotKind::Scatter | PlotKind::Steps => return Kind::Curves,
        };
        let labels: Vec<String> = self.categories.iter().map(|cell| cell.label()).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let arrays = series == 1 && labels.iter().all(|label| theme::fixed(label).is_some());
        let colours = if arrays { BarColours::Category(theme::styles(&labels)) } else { BarColours::Series };
        Kind::Bars { orientation, colours }
    }

    /// The series' keys in order of first appearance, and the points of each.
    fn points(&self) -> Result<(Vec<String>, Vec<Vec<Point>>), PlotError> {
        let mut keys: Vec<String> = Vec::new();
        let mut points: Vec<Vec<Point>> = Vec::new();
        let mut origins: Vec<Vec<usize>> = Vec::new();
        for &row in &self.rows {
            for &column in &self.y {
                let key = self.key(row, column);
                let place = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                    keys.push(key);
                    points.push(Vec::new());
                    origins.push(Vec::new());
                    keys.len() - 1
                });
                let Some(point) = self.point(row, column)? else { continue };
                if !self.spec.numeric_x()
                    && let Some(twin) = points[place].iter().position(|known| known.x == point.x)
                {
                    return Err(self.ambiguous(&keys[place], origins[place][twin], row));
                }
                points[place].push(point);
                origins[place].push(row);
            }
        }
        if !self.spec.numeric_x() {
            points.iter_mut().for_each(|run| run.sort_by(|a, b| a.x.total_cmp(&b.x)));
        }
        Ok((keys, points))
    }

    fn key(&self, row: usize, y: usize) -> String {
        let column = &self.table.columns[y].name;
        match self.series {
            Some(series) if self.y.len() == 1 => self.table.rows[row][series].label(),
            Some(series) => format!("{}, {column}", self.table.rows[row][series].label()),
            None => column.clone(),
        }
    }

    fn point(&self, row: usize, column: usize) -> Result<Option<Point>, PlotError> {
        let Some(y) = self.number(row, column)? else { return Ok(None) };
        let cell = &self.table.rows[row][self.x];
        let x = if self.spec.numeric_x() {
            self.number(row, self.x)?
        } else {
            self.categories.iter().position(|&known| known == cell).map(|index| index as f64)
        };
        let error = self.error.map(|column| self.number(row, column)).transpose()?.flatten();
        Ok(x.map(|x| Point { x, y, error }))
    }

    fn number(&self, row: usize, column: usize) -> Result<Option<f64>, PlotError> {
        match &self.table.rows[row][column] {
            Cell::Empty => Ok(None),
            Cell::Text(text) => Err(PlotError::NotANumber {
                plot: self.spec.file.clone(),
                column: self.table.columns[column].name.clone(),
                row: row + 1,
                found: text.clone(),
            }),
            cell => Ok(cell.number()),
        }
    }

    /// Two rows for one point: names a column that tells them apart.
    fn ambiguous(&self, series: &str, first: usize, second: usize) -> PlotError {
        let (a, b) = (&self.table.rows[first], &self.table.rows[second]);
        let used = |column: usize| {
            column == self.x
                || self.y.contains(&column)
                || self.series == Some(column)
                || self.error == Some(column)
        };
        let hint = (0..a.len()).find(|&column| !used(column) && a[column] != b[column]).map_or_else(
            || format!(" (rows {} and {}, alike in every other column)", first + 1, second + 1),
            |column| {
                let name = &self.table.columns[column].name;
                let (one, other) = (a[column].label(), b[column].label());
                format!("; they differ in `{name}` (`{one}`, `{other}`): choose one in `only`")
            },
        );
        let x = self.spec.x_label_of(&a[self.x]);
        PlotError::AmbiguousPoint { plot: self.spec.file.clone(), series: series.to_owned(), x, hint }
    }
}

fn find_column(spec: &PlotSpec, table: &Table, field: &'static str, name: &str) -> Result<usize, PlotError> {
    table.column(name).ok_or_else(|| PlotError::UnknownColumn {
        plot: spec.file.clone(),
        field,
        column: name.to_owned(),
        hint: hint(name, table.columns.iter().map(|column| column.name.clone()).collect()),
    })
}

/// The rows that pass every filter.
fn kept_rows(spec: &PlotSpec, table: &Table) -> Result<Vec<usize>, PlotError> {
    let mut rows: Vec<usize> = (0..table.rows.len()).collect();
    for (column_name, wanted) in &spec.only {
        let column = find_column(spec, table, "only", column_name)?;
        let mut present: Vec<String> = Vec::new();
        for row in &table.rows {
            let label = row[column].label();
            if !present.contains(&label) {
                present.push(label);
            }
        }
        if let Some(missing) = wanted.iter().find(|&label| !present.contains(label)) {
            return Err(PlotError::UnknownLabel {
                plot: spec.file.clone(),
                column: column_name.clone(),
                label: missing.clone(),
                hint: hint(missing, present),
            });
        }
        rows.retain(|&row| wanted.contains(&table.rows[row][column].label()));
    }
    Ok(rows)
}

/// A did-you-mean if a name is near, and the first of the names there are.
fn hint(wrong: &str, names: Vec<String>) -> String {
    const SHOWN: usize = 12;
    let mut listed = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        listed.push_str(", ..");
    }
    match suggest(wrong, names.iter().map(String::as_str)) {
        Some(name) => format!("; did you mean `{name}`? There are: {listed}"),
        None if names.is_empty() => "; it is empty".to_owned(),
        None => format!("; there are: {listed}"),
    }
}

/// Units of sizes as reviews print them, each 1024 times the one before.
const SIZE_UNITS: [&str; 5] = ["", "K", "M", "G", "T"];

/// A size in bytes as reviews print it: 512, 1K, 1M; K = 1024.
fn size_label(bytes: f64) -> String {
    const STEP: f64 = 1024.0;
    let (mut value, mut at) = (bytes, 0);
    while value.abs() >= STEP && at + 1 < SIZE_UNITS.len() {
        (value, at) = (value / STEP, at + 1);
    }
    format!("{value}{}", SIZE_UNITS[at])
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
