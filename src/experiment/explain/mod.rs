//! Why a scenario is as fast as it is.
//!
//! Models: where the time of a request goes, stage by stage along its critical path ([`Stage`]); how busy every
//! resource is; what each part of the machine costs, by the same runs with that part made ideal ([`Part`]).
//! Leaves out: files; callers write what they get.
//! Invariants: the stages of a request sum up to its response time to the picosecond; a run that is looked at is the
//! same run, event by event, as one that is not.

mod breakdown;
mod figures;
mod ideal;
mod path;
mod stage;
mod tables;
pub mod timeline;
mod verdict;

pub use breakdown::{Breakdown, Totals};
pub use ideal::{Ideals, Part};
pub use stage::{Ledger, Stage, Stretch, Stretches, Sums};

use serde::Serialize;

use super::pool::{Jobs, Progress, RunError, in_parallel, replication_seed, run_probed};
use crate::machine::{MachineSpec, Measured, SeekTables};
use crate::results::Table;
use crate::scenario::{Point, Scenario, machine_spec, points};

/// What an explanation is to contain, beside stages and resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Runs with each part made ideal: eleven times as many runs as without.
    pub blame: bool,
}

/// Why a scenario is as fast as it is.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What was run, whole.
    pub scenario: Scenario,
    /// A row a point: its parameters, runs, requests, mean response time and each stage's part of it in whole
    /// picoseconds, which sum up to it exactly.
    pub stages: Table,
    /// A row a point and resource: share of the time that it is busy, with the half width of its 95 % interval.
    pub resources: Table,
    /// A row a point and part: what ideal means, throughput as it is and with the part made ideal, their ratio with the
    /// half width of its 95 % interval over pairs of runs. Empty if no blame was wanted.
    pub blame: Table,
    points: Vec<Explained>,
}

/// One point explained.
#[derive(Clone, Debug)]
struct Explained {
    point: Point,
    /// What tells it from the other points.
    label: String,
    totals: Totals,
    /// The runs as they are.
    runs: Vec<Measured>,
    /// The same runs with a part made ideal.
    ideal: Vec<(Part, Vec<Measured>)>,
}

/// One run to be made: of a point as it is, or with a part made ideal.
struct Task<'a> {
    scenario: &'a Scenario,
    point: &'a Point,
    spec: MachineSpec,
    seed: u64,
    as_it_is: bool,
}

impl Task<'_> {
    fn run(&self, tables: &SeekTables) -> Result<(Measured, Option<Breakdown>), RunError> {
        let Task { scenario, point, spec, seed, as_it_is } = self;
        if !as_it_is {
            return Ok((run_probed(scenario, point, spec, *seed, (), tables)?, None));
        }
        let mut breakdown = Breakdown::default();
        let measured = run_probed(scenario, point, spec, *seed, &mut breakdown, tables)?;
        Ok((measured, Some(breakdown)))
    }
}

/// Makes all runs of a scenario, looked at from inside, and those with ideal parts if blame is wanted.
///
/// # Errors
/// The first run, in the order of points, parts and replications, that could not be finished.
pub fn explain(
    scenario: &Scenario,
    wanted: Wanted,
    jobs: Option<usize>,
    progress: &impl Progress,
) -> Result<Explanation, RunError> {
    let all_points = points(scenario);
    let parts: Vec<Part> = if wanted.blame { Part::all().collect() } else { Vec::new() };
    let ideals = Ideals::shipped();
    let variants = |point: &Point| -> Vec<MachineSpec> {
        let spec = machine_spec(scenario, point);
        let ideal: Vec<MachineSpec> = parts.iter().map(|&part| ideals.make(part, &spec)).collect();
        std::iter::once(spec).chain(ideal).collect()
    };
    let (mut tasks, tables) = (Vec::new(), SeekTables::default());
    for point in &all_points {
        for (number, spec) in variants(point).into_iter().enumerate() {
            tasks.extend((0..scenario.run.replications).map(|replication| Task {
                scenario,
                point,
                spec: spec.clone(),
                seed: replication_seed(scenario.run.seed, replication),
                as_it_is: number == 0,
            }));
        }
    }
    progress.total(tasks.len() as u64);
    let one = |task: &Task| {
        let outcome = task.run(&tables);
        progress.done(1);
        outcome
    };
    let outcomes = in_parallel(Jobs(jobs), &tasks, one)?;
    let outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>()?;
    let runs_each = scenario.run.replications.max(1) as usize;
    let labels = tables::labels(scenario, &all_points);
    let of_point = outcomes.chunks(runs_each * (1 + parts.len()));
    let explained = all_points.iter().zip(labels).zip(of_point).map(|((point, label), outcomes)| {
        let mut variants = outcomes.chunks(runs_each);
        let as_it_is = variants.next().unwrap_or_default();
        let mut totals = Totals::default();
        as_it_is.iter().filter_map(|(_, breakdown)| breakdown.as_ref()).for_each(|run| totals.add(run));
        let measured = |runs: &[(Measured, _)]| runs.iter().map(|(measured, _)| measured.clone()).collect();
        Explained {
            point: point.clone(),
            label,
            totals,
            runs: measured(as_it_is),
            ideal: parts.iter().copied().zip(variants.map(measured)).collect(),
        }
    });
    Ok(Explanation::new(scenario, explained.collect()))
}

/// An explanation as a file.
#[derive(Serialize)]
pub struct ExplanationFile<'a> {
    program: &'static str,
    version: &'static str,
    seed: u64,
    scenario: &'a Scenario,
    stages: &'a Table,
    resources: &'a Table,
    blame: &'a Table,
    paragraphs: Vec<String>,
}

impl Explanation {
    /// Whether any request was measured at all.
    pub fn has_requests(&self) -> bool {
        self.points.iter().any(|explained| explained.totals.requests > 0)
    }

    /// The whole as a record: program, version, seed, the scenario with all its models, tables and paragraphs.
    pub fn file(&self) -> ExplanationFile<'_> {
        ExplanationFile {
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            seed: self.scenario.run.seed,
            scenario: &self.scenario,
            stages: &self.stages,
            resources: &self.resources,
            blame: &self.blame,
            paragraphs: self.paragraphs(),
        }
    }

    fn new(scenario: &Scenario, points: Vec<Explained>) -> Self {
        Explanation {
            scenario: scenario.clone(),
            stages: tables::stages(scenario, &points),
            resources: tables::resources(scenario, &points),
            blame: tables::blame(scenario, &points),
            points,
        }
    }
}
