//! Results of a scenario: the scenario itself, a row a run, a row a point.

use serde::{Deserialize, Serialize};

use super::summary::summarise;
use crate::machine::Measured;
use crate::results::{Cell, Table, json};
use crate::scenario::{Point, Scenario, tables};
use crate::units::MIB;

/// Everything that a scenario's runs gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// What was run, whole.
    pub scenario: Scenario,
    /// One row a run: parameters, seed, figures, digest of all events.
    pub runs: Table,
    /// One row a point: parameters, means over its runs, half widths of the 95 % interval.
    pub summary: Table,
}

/// A results file.
#[derive(Serialize)]
struct File<'a> {
    program: &'static str,
    version: &'static str,
    seed: u64,
    overrides: &'a [(String, String)],
    scenario: &'a Scenario,
    summary: &'a Table,
    runs: &'a Table,
}

impl Results {
    /// Tables of the runs of `points`; of each point as many as the scenario has replications.
    pub(super) fn new(scenario: Scenario, points: &[Point], measured: &[Measured]) -> Self {
        let replications = scenario.run.replications.max(1);
        let mut runs = tables::runs(&scenario);
        for (point, group) in points.iter().zip(measured.chunks(replications as usize)) {
            for (number, figures) in (0..replications).zip(group) {
                let mut row = tables::parameters(&scenario, point);
                row.push(Cell::Integer(i64::from(number) + 1));
                let seed = super::replication_seed(scenario.run.seed, number);
                row.push(Cell::Integer(seed as i64));
                row.extend(figure_cells(figures));
                row.extend(playback_cells(&scenario, figures));
                runs.push(row);
            }
        }
        let summary = summarise(&scenario, &runs);
        Results { scenario, runs, summary }
    }

    /// The whole as JSON: program, version, seed, overrides, the scenario with all its models, both tables.
    ///
    /// # Errors
    /// None that is known: every key of these records is a text.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        json::pretty(&File {
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            seed: self.scenario.run.seed,
            overrides: &self.scenario.overrides,
            scenario: &self.scenario,
            summary: &self.summary,
            runs: &self.runs,
        })
    }
}

/// The cells of [`tables::playback_columns`].
fn playback_cells(scenario: &Scenario, figures: &Measured) -> Vec<Cell> {
    let figure = |column: &String| {
        let playback = figures.playback.as_ref()?;
        match column.as_str() {
            "winmark" => Some(playback.winmark),
            "cache_hit_share" => Some(playback.cache_hit_share),
            other => {
                let name = other.strip_prefix("winmark_")?;
                playback.applications.iter().find(|(known, _)| known == name).map(|(_, score)| *score)
            }
        }
    };
    let cell = |column: String| figure(&column).map_or(Cell::Empty, Cell::Real);
    tables::playback_columns(scenario).into_iter().map(cell).collect()
}

/// The cells of [`tables::RUN_COLUMNS`] behind run and seed.
fn figure_cells(figures: &Measured) -> Vec<Cell> {
    let cable_max = figures.cable_utilisation.iter().copied().fold(0.0, f64::max);
    // The mean of no requests is no figure.
    let mean = |of_ms: f64, count: f64| if count > 0.0 { Cell::Real(of_ms) } else { Cell::Empty };
    let events = figures.events as f64 / figures.requests_total.max(1) as f64;
    let any = figures.requests as f64;
    vec![
        Cell::Real(figures.iops),
        Cell::Real(figures.read_iops),
        Cell::Real(figures.write_iops),
        Cell::Real(figures.mib_s),
        Cell::Real(figures.mib_s * MIB as f64 / 1e6),
        mean(figures.response_ms, any),
        mean(figures.read_response_ms, figures.read_iops),
        mean(figures.write_response_ms, figures.write_iops),
        mean(figures.response_p50_ms, any),
        mean(figures.response_p95_ms, any),
        mean(figures.response_p99_ms, any),
        mean(figures.response_max_ms, any),
        Cell::Real(figures.cpu_utilisation),
        Cell::Real(figures.bus_utilisation),
        Cell::Real(cable_max),
        Cell::Integer(figures.requests as i64),
        Cell::Real(events),
        Cell::Text(format!("{:016x}", figures.fingerprint)),
    ]
}
