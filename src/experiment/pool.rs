//! Running all runs of scenarios, side by side where threads are to be had.

use super::results::Results;
use crate::machine::{BuildError, Fault, Machine, MachineSpec, Measured, Probe, RunLength, SeekTables};
use crate::scenario::{Point, Scenario, machine_spec, points};
use crate::sim::Streams;
use crate::units::Span;

/// Told how far the runs are. Called from several threads.
pub trait Progress: Sync {
    /// So many runs there are, once, before the first.
    fn total(&self, runs: u64);
    /// So many more are done.
    fn done(&self, runs: u64);
}

/// No progress is shown.
impl Progress for () {
    fn total(&self, _: u64) {}
    fn done(&self, _: u64) {}
}

/// How many threads run side by side; none means as many as the machine has processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Jobs(pub Option<usize>);

/// Why runs could not be finished.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// A machine that cannot be built: the scenario did not come from the loader, which would have refused it.
    #[error("scenario `{scenario}`, {}: {error}", shown(point))]
    Build {
        /// The scenario.
        scenario: String,
        /// The point.
        point: Box<Point>,
        /// What is wrong.
        error: Box<BuildError>,
    },
    /// A fault of the program while a machine ran.
    #[error("scenario `{scenario}`, {}, seed {seed}: {fault}", shown(point))]
    Fault {
        /// The scenario.
        scenario: String,
        /// The point.
        point: Box<Point>,
        /// The seed of the run.
        seed: u64,
        /// What happened.
        fault: Box<Fault>,
    },
    /// The threads could not be started.
    #[error("the threads cannot be started: {0}; try fewer with `--jobs`")]
    Threads(String),
}

/// A point in words.
fn shown(point: &Point) -> String {
    let mut text = format!("array {}, {} in flight", point.array, point.queue_depth);
    let pattern = point.pattern.iter().map(|name| format!(", pattern {name}"));
    let writes = point.write_percent.iter().map(|percent| format!(", {percent} % writes"));
    let block = point.block_bytes.iter().map(|bytes| format!(", {bytes} bytes"));
    let varied = point.varied.iter().map(|(path, value)| format!(", {path}={value}"));
    let volume = point.file_system.iter().map(|file_system| format!(", {}", file_system.name()));
    text.extend(pattern.chain(volume).chain(writes).chain(block).chain(varied));
    text
}

/// The seed of replication number `replication`: of the scenario's seed and this number only, so that every point
/// meets the same random numbers. At most 53 bits, so that any program can read it from a table.
pub fn replication_seed(seed: u64, replication: u32) -> u64 {
    Streams::new(seed).number(&format!("replication/{replication}"), "seed") >> 11
}

/// One run to be made.
#[derive(Clone, Copy)]
struct Task<'a> {
    scenario: &'a Scenario,
    point: &'a Point,
    seed: u64,
}

/// Makes all runs of a scenario; `jobs` threads, all processors if none is given.
///
/// # Errors
/// The first run, in the order of the table, that could not be finished.
pub fn run(scenario: &Scenario, jobs: Option<usize>, progress: &impl Progress) -> Result<Results, RunError> {
    let mut results = run_all(std::slice::from_ref(scenario), jobs, progress)?;
    Ok(results.swap_remove(0))
}

/// Makes all runs of several scenarios in one go; one result a scenario, in their order.
///
/// # Errors
/// The first run, in the order of scenarios and tables, that could not be finished.
pub fn run_all(
    scenarios: &[Scenario],
    jobs: Option<usize>,
    progress: &impl Progress,
) -> Result<Vec<Results>, RunError> {
    let parts: Vec<_> = scenarios.iter().map(|scenario| (scenario, points(scenario))).collect();
    run_points(&parts, jobs, progress)
}

/// Makes the runs of some points of several scenarios in one go; one result a scenario, in their order.
pub(super) fn run_points(
    parts: &[(&Scenario, Vec<Point>)],
    jobs: Option<usize>,
    progress: &impl Progress,
) -> Result<Vec<Results>, RunError> {
    let (mut tasks, tables) = (Vec::new(), SeekTables::default());
    for (scenario, points) in parts {
        for point in points {
            let seeds = 0..scenario.run.replications;
            tasks.extend(seeds.map(|number| Task {
                scenario,
                point,
                seed: replication_seed(scenario.run.seed, number),
            }));
        }
    }
    progress.total(tasks.len() as u64);
    let one = |task: &Task| {
        let outcome = task.run(&tables);
        progress.done(1);
        outcome
    };
    let mut outcomes = in_parallel(Jobs(jobs), &tasks, one)?.into_iter();
    let mut all = Vec::with_capacity(parts.len());
    for (scenario, points) in parts {
        let runs = points.len() * scenario.run.replications as usize;
        let measured = outcomes.by_ref().take(runs).collect::<Result<Vec<_>, _>>()?;
        all.push(Results::new((*scenario).clone(), points, &measured));
    }
    Ok(all)
}

impl Task<'_> {
    fn run(&self, tables: &SeekTables) -> Result<Measured, RunError> {
        let spec = machine_spec(self.scenario, self.point);
        run_probed(self.scenario, self.point, &spec, self.seed, (), tables)
    }
}

/// Makes one run of a point on a machine, which tells `probe`.
pub(super) fn run_probed(
    scenario: &Scenario,
    point: &Point,
    spec: &MachineSpec,
    seed: u64,
    probe: impl Probe,
    tables: &SeekTables,
) -> Result<Measured, RunError> {
    let machine = Machine::sharing(spec, seed, probe, tables).map_err(|error| RunError::Build {
        scenario: scenario.name.clone(),
        point: Box::new(point.clone()),
        error: Box::new(error),
    })?;
    let length =
        RunLength { ramp: Span::from_s(scenario.run.ramp_s), measure: Span::from_s(scenario.run.measure_s) };
    machine.run(spec, length).map_err(|fault| RunError::Fault {
        scenario: scenario.name.clone(),
        point: Box::new(point.clone()),
        seed,
        fault: Box::new(fault),
    })
}

/// `f` of every task, in the order of the tasks.
#[cfg(feature = "cli")]
pub(super) fn in_parallel<T: Sync, R: Send>(
    jobs: Jobs,
    tasks: &[T],
    f: impl Fn(&T) -> R + Sync + Send,
) -> Result<Vec<R>, RunError> {
    use rayon::prelude::*;
    if jobs.0 == Some(1) {
        return Ok(tasks.iter().map(f).collect());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.0.unwrap_or(0)).build();
    let pool = pool.map_err(|error| RunError::Threads(error.to_string()))?;
    // One run at a time: a run is long, and its neighbours are as long as it is.
    Ok(pool.install(|| tasks.par_iter().with_max_len(1).map(f).collect()))
}

/// `f` of every task, one after the other: this build has no threads.
#[cfg(not(feature = "cli"))]
pub(super) fn in_parallel<T, R>(_: Jobs, tasks: &[T], f: impl Fn(&T) -> R) -> Result<Vec<R>, RunError> {
    Ok(tasks.iter().map(f).collect())
}
