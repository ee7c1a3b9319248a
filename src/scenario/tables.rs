//! The columns of results tables, so that plots can be checked before anything has run.

use super::points::Point;
use super::spec::Scenario;
use crate::results::{Cell, Table};
use crate::workload::playback::Order;

/// Columns of a run's figures, behind its parameters.
pub const RUN_COLUMNS: [&str; 20] = [
    "run",
    "seed",
    "iops",
    "read_iops",
    "write_iops",
    "mib_s",
    "mb_s",
    "response_ms",
    "read_response_ms",
    "write_response_ms",
    "response_p50_ms",
    "response_p95_ms",
    "response_p99_ms",
    "response_max_ms",
    "cpu_utilisation",
    "bus_utilisation",
    "cable_utilisation_max",
    "requests",
    "events_per_request",
    "fingerprint",
];

/// Columns of the runs table whose means a summary holds, in its order.
pub const MEAN_COLUMNS: [&str; 16] = [
    "iops",
    "mib_s",
    "response_ms",
    "read_iops",
    "write_iops",
    "mb_s",
    "read_response_ms",
    "write_response_ms",
    "response_p50_ms",
    "response_p95_ms",
    "response_p99_ms",
    "response_max_ms",
    "cpu_utilisation",
    "bus_utilisation",
    "cable_utilisation_max",
    "requests",
];

/// How many of [`MEAN_COLUMNS`], from the first, are followed by the half width of their 95 % interval.
pub const WITH_HALF_WIDTH: usize = 3;

/// Figures of a playback, behind those of its run: its score, the share of hits in the file cache, and the score of each
/// application that has one of its own. Other loads have none of them.
pub fn playback_columns(scenario: &Scenario) -> Vec<String> {
    let Some(recording) = scenario.playback() else { return Vec::new() };
    let applications = match recording.order {
        Order::OneAfterAnother => &recording.applications[..],
        Order::Switching(_) => &[],
    };
    let of_each = applications.iter().map(|application| format!("winmark_{}", application.name));
    ["winmark", "cache_hit_share"].map(str::to_owned).into_iter().chain(of_each).collect()
}

/// Columns of the runs table whose means a summary holds, in its order, each with whether the half width of its 95 %
/// interval follows.
pub fn mean_columns(scenario: &Scenario) -> Vec<(String, bool)> {
    let playback = playback_columns(scenario).into_iter().map(|name| {
        let with_half_width = name != "cache_hit_share";
        (name, with_half_width)
    });
    let usual = MEAN_COLUMNS.iter().enumerate();
    playback.chain(usual.map(|(index, name)| ((*name).to_owned(), index < WITH_HALF_WIDTH))).collect()
}

/// The columns of a point's parameters: variant, array, then pattern, queue depth, share of writes and request size, or
/// the file system of a playback, which knows nothing of those; then a column for each varied field, called by its path.
pub fn parameter_columns(scenario: &Scenario) -> Vec<String> {
    let of_load = match scenario.playback() {
        Some(_) => &["file_system"][..],
        None => &["pattern", "queue_depth", "write_percent", "block_bytes"],
    };
    let fixed = ["variant", "array"].iter().chain(of_load).map(|name| (*name).to_owned());
    fixed.chain(scenario.sweep.vary.iter().map(|vary| vary.path.clone())).collect()
}

/// The cells of these columns.
pub fn parameters(scenario: &Scenario, point: &Point) -> Vec<Cell> {
    let name = |name: &Option<String>| name.clone().map_or(Cell::Empty, Cell::Text);
    let mut cells = vec![name(&scenario.variant), Cell::Text(point.array.clone())];
    if scenario.playback().is_some() {
        let volume = point.file_system.map(|file_system| Cell::Text(file_system.name().to_owned()));
        cells.push(volume.unwrap_or(Cell::Empty));
    } else {
        cells.extend([
            name(&point.pattern),
            Cell::Integer(point.queue_depth.into()),
            point.write_percent.map_or(Cell::Empty, |percent| Cell::Integer(percent.into())),
            point.block_bytes.map_or(Cell::Empty, |bytes| Cell::Integer(bytes as i64)),
        ]);
    }
    cells.extend(point.varied.iter().map(|(_, value)| varied_cell(value)));
    cells
}

/// A varied value as a number where it is one, so that it can be an axis.
pub(crate) fn varied_cell(value: &str) -> Cell {
    let text = value.trim();
    let whole = text.parse().ok().map(Cell::Integer);
    let real = || text.parse().ok().filter(|x: &f64| x.is_finite()).map(Cell::Real);
    whole.or_else(real).unwrap_or_else(|| Cell::Text(text.to_owned()))
}

/// An empty table of runs.
pub fn runs(scenario: &Scenario) -> Table {
    let usual = RUN_COLUMNS.map(str::to_owned).into_iter();
    table(scenario, usual.chain(playback_columns(scenario)).collect())
}

/// An empty summary: one row a point, `runs` and the means, each of the first with its half width.
pub fn summary(scenario: &Scenario) -> Table {
    let mut columns = vec!["runs".to_owned()];
    for (name, with_half_width) in mean_columns(scenario) {
        columns.push(name.clone());
        if with_half_width {
            columns.push(format!("{name}_half_width"));
        }
    }
    table(scenario, columns)
}

fn table(scenario: &Scenario, figures: Vec<String>) -> Table {
    let names: Vec<String> = parameter_columns(scenario).into_iter().chain(figures).collect();
    Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>())
}
