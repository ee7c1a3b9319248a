//! An explanation as tables: for programs in full, for a reader by point.

use super::{Explained, Explanation, Part, Stage};
use crate::machine::Measured;
use crate::results::{Cell, Table, markdown};
use crate::scenario::{Point, Scenario, tables};
use crate::stats::{Estimate, mean_ci, ratio_ci};
use crate::units::{MIB, Span};

/// Most points side by side in a table for a reader.
const POINTS_ABREAST: usize = 6;
const CONFIDENCE: f64 = 0.95;

fn table(scenario: &Scenario, figures: &[&str]) -> Table {
    let parameters = tables::parameter_columns(scenario);
    let names: Vec<&str> = parameters.iter().map(String::as_str).chain(figures.iter().copied()).collect();
    Table::new(&names)
}

fn whole(n: u64) -> Cell {
    Cell::Integer(n as i64)
}

fn real(x: f64) -> Cell {
    if x.is_finite() { Cell::Real(x) } else { Cell::Empty }
}

pub(super) fn stages(scenario: &Scenario, points: &[Explained]) -> Table {
    let columns: Vec<String> = Stage::ALL.into_iter().map(Stage::column).collect();
    let names = ["runs", "requests", "response_ps"].into_iter().chain(columns.iter().map(String::as_str));
    let mut table = table(scenario, &names.collect::<Vec<_>>());
    for explained in points {
        let mut row = tables::parameters(scenario, &explained.point);
        let (response, stages) = explained.totals.means(Span::from_ps(1));
        row.extend([whole(explained.runs.len() as u64), whole(explained.totals.requests), whole(response)]);
        row.extend(stages.map(whole));
        table.push(row);
    }
    table
}

/// Every resource of a point with its busy share in each run.
fn busy(explained: &Explained) -> Vec<(String, Vec<f64>)> {
    let shares = |of: &dyn Fn(&Measured) -> Option<f64>| explained.runs.iter().filter_map(of).collect();
    let mut all: Vec<(String, Vec<f64>)> = vec![
        ("processor".to_owned(), shares(&|run| Some(run.cpu_utilisation))),
        ("bus".to_owned(), shares(&|run| Some(run.bus_utilisation))),
    ];
    let Some(first) = explained.runs.first() else { return all };
    for channel in 0..first.cable_utilisation.len() {
        let share = |run: &Measured| run.cable_utilisation.get(channel).copied();
        all.push((format!("cable {channel}"), shares(&share)));
    }
    for (index, drive) in first.drives.iter().enumerate() {
        let share = |run: &Measured| run.drives.get(index).map(|drive| drive.mechanism_utilisation);
        all.push((format!("mechanism of {}, read-ahead apart", drive.id), shares(&share)));
    }
    all
}

pub(super) fn resources(scenario: &Scenario, points: &[Explained]) -> Table {
    let mut table = table(scenario, &["resource", "utilisation", "utilisation_half_width"]);
    for explained in points {
        for (resource, shares) in busy(explained) {
            let share = mean_ci(&shares, CONFIDENCE);
            let mut row = tables::parameters(scenario, &explained.point);
            row.extend([
                Cell::Text(resource),
                real(share.mean),
                share.half_width.map_or(Cell::Empty, Cell::Real),
            ]);
            table.push(row);
        }
    }
    table
}

impl Explained {
    /// Mean throughput in MiB/s, as it is or with a part made ideal.
    pub(super) fn mib_s(&self, part: Option<Part>) -> f64 {
        let runs = part.map_or(&self.runs, |part| self.with_ideal(part));
        runs.iter().map(|run| run.mib_s).sum::<f64>() / runs.len() as f64
    }

    fn with_ideal(&self, part: Part) -> &Vec<Measured> {
        const NONE: &Vec<Measured> = &Vec::new();
        self.ideal.iter().find(|(known, _)| *known == part).map_or(NONE, |(_, runs)| runs)
    }

    /// Throughput with a part made ideal, in ratio to that as it is.
    pub(super) fn gain(&self, part: Part) -> Estimate {
        let pairs = self.with_ideal(part).iter().zip(&self.runs);
        let pairs: Vec<(f64, f64)> = pairs.map(|(ideal, real)| (ideal.iops, real.iops)).collect();
        ratio_ci(&pairs)
    }

    /// Mean requests a second with a part made ideal.
    fn iops(&self, part: Option<Part>) -> f64 {
        let runs = part.map_or(&self.runs, |part| self.with_ideal(part));
        runs.iter().map(|run| run.iops).sum::<f64>() / runs.len() as f64
    }
}

pub(super) fn blame(scenario: &Scenario, points: &[Explained]) -> Table {
    let figures =
        ["part", "ideal", "iops", "ideal_iops", "mib_s", "ideal_mib_s", "ratio", "ratio_half_width"];
    let mut table = table(scenario, &figures);
    for explained in points {
        for &(part, _) in &explained.ideal {
            let ratio = explained.gain(part);
            let mut row = tables::parameters(scenario, &explained.point);
            row.extend([Cell::Text(part.name().to_owned()), Cell::Text(part.ideal().to_owned())]);
            row.extend([explained.iops(None), explained.iops(Some(part))].map(real));
            row.extend([explained.mib_s(None), explained.mib_s(Some(part)), ratio.mean].map(real));
            row.push(ratio.half_width.map_or(Cell::Empty, Cell::Real));
            table.push(row);
        }
    }
    table
}

/// What tells each point from the others; the array's name if it is the only one.
pub(super) fn labels(scenario: &Scenario, points: &[Point]) -> Vec<String> {
    let columns = tables::parameter_columns(scenario);
    let rows: Vec<Vec<Cell>> = points.iter().map(|point| tables::parameters(scenario, point)).collect();
    let differs = |column: &usize| rows.iter().any(|row| row[*column] != rows[0][*column]);
    let differing: Vec<usize> = (0..columns.len()).filter(differs).collect();
    let label = |row: &Vec<Cell>| {
        let words: Vec<String> = differing.iter().map(|&at| value_in_words(&columns[at], &row[at])).collect();
        words.join(", ")
    };
    let all = rows.iter().map(label);
    all.zip(points).map(|(label, point)| if label.is_empty() { point.array.clone() } else { label }).collect()
}

/// The value of a parameter as a person would write it: `4 in flight`.
pub(super) fn value_in_words(column: &str, cell: &Cell) -> String {
    match (column, cell) {
        ("queue_depth", depth) => format!("{} in flight", depth.label()),
        ("write_percent", percent) => format!("{} % writes", percent.label()),
        ("block_bytes", &Cell::Integer(bytes)) => size_in_words(bytes as u64),
        ("array" | "pattern" | "variant", name) => name.label(),
        (path, value) => format!("{path}={}", value.label()),
    }
}

fn size_in_words(bytes: u64) -> String {
    match bytes {
        bytes if bytes > 0 && bytes.is_multiple_of(MIB) => format!("{} MiB", bytes / MIB),
        bytes if bytes > 0 && bytes.is_multiple_of(1024) => format!("{} KiB", bytes / 1024),
        bytes => format!("{bytes} bytes"),
    }
}

impl Explanation {
    /// The mean response time in whole microseconds by stage, a column a point, at most six points a table; stages
    /// that take no time anywhere are left out. Each column sums up to its last row exactly.
    pub fn stages_for_reader(&self) -> Vec<Table> {
        let us = |explained: &Explained| explained.totals.means(Span::from_ns(1000));
        let taken = |stage: &Stage| self.points.iter().any(|point| us(point).1[*stage as usize] > 0);
        let rows: Vec<Stage> = Stage::ALL.into_iter().filter(taken).collect();
        self.abreast("stage, us", |points, table| {
            let means: Vec<_> = points.iter().map(us).collect();
            for stage in &rows {
                let cells = means.iter().map(|(_, stages)| whole(stages[*stage as usize]));
                table.push(std::iter::once(Cell::Text(stage.name().to_owned())).chain(cells).collect());
            }
            let sums = means.iter().map(|(response, _)| whole(*response));
            table.push(std::iter::once(Cell::Text("response time".to_owned())).chain(sums).collect());
        })
    }

    /// How busy every resource is in percent, a column a point.
    pub fn resources_for_reader(&self) -> Vec<Table> {
        self.abreast("busy, %", |points, table| {
            let busy: Vec<_> = points.iter().map(busy).collect();
            let Some(first) = busy.first() else { return };
            for (resource, _) in first {
                let share = |of: &Vec<(String, Vec<f64>)>| {
                    let shares = of.iter().find(|(name, _)| name == resource);
                    let estimate = shares.map(|(_, shares)| mean_ci(shares, CONFIDENCE));
                    estimate.map_or(Cell::Empty, |estimate| with_interval(&estimate, 100.0))
                };
                let cells = busy.iter().map(share);
                table.push(std::iter::once(Cell::Text(resource.clone())).chain(cells).collect());
            }
        })
    }

    /// The ratio of throughput with each part made ideal to that as it is, a column a point.
    pub fn blame_for_reader(&self) -> Vec<Table> {
        if self.blame.rows.is_empty() {
            return Vec::new();
        }
        self.abreast("made ideal", |points, table| {
            for part in Part::all() {
                let cells = points.iter().map(|point| with_interval(&point.gain(part), 1.0));
                table.push(std::iter::once(Cell::Text(part.name().to_owned())).chain(cells).collect());
            }
        })
    }

    /// Tables with a column a point, a few points a table.
    fn abreast(&self, corner: &str, fill: impl Fn(&[Explained], &mut Table)) -> Vec<Table> {
        let one = |points: &[Explained]| {
            let labels = points.iter().map(|point| point.label.as_str());
            let mut table = Table::new(&std::iter::once(corner).chain(labels).collect::<Vec<_>>());
            fill(points, &mut table);
            table
        };
        self.points.chunks(POINTS_ABREAST).map(one).collect()
    }
}

/// A figure times `scale`, with its interval if there is one.
fn with_interval(estimate: &Estimate, scale: f64) -> Cell {
    let Some(half) = estimate.half_width else { return real(estimate.mean * scale) };
    Cell::Text(interval_in_words(estimate.mean * scale, half * scale))
}

/// `1.301 ± 0.02`.
pub(super) fn interval_in_words(mean: f64, half: f64) -> String {
    format!("{} ± {}", markdown::figure(mean, 4), markdown::figure(half, 2))
}
