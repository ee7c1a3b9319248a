//! The points of a sweep, and the machine of each.

use std::borrow::Cow;

use super::spec::Scenario;
use crate::config::OverrideError;
use crate::config::overrides;
use crate::machine::{ArraySpec, MachineSpec};
use crate::raid::{Level, RaidSpec};
use crate::workload::Access;
use crate::workload::playback::FileSystem;

/// One point of a sweep: all that differs from the other points.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The array under test.
    pub array: String,
    /// The access pattern, if the load is one that has a name.
    pub pattern: Option<String>,
    /// Requests that each worker keeps in flight.
    pub queue_depth: u32,
    /// Share of writes, if it is set apart from the pattern's own.
    pub write_percent: Option<u8>,
    /// Request size, if it is set apart from the pattern's own.
    pub block_bytes: Option<u64>,
    /// File system of the volume, if the load is a playback.
    pub file_system: Option<FileSystem>,
    /// Other fields, as path and value.
    pub varied: Vec<(String, String)>,
}

/// Every point of a scenario's sweep.
///
/// Order: the varied fields change slowest, in the order of the file, then file system, pattern, request size,
/// share of writes and queue depth; the array changes fastest.
pub fn points(scenario: &Scenario) -> Vec<Point> {
    let mut points = Vec::new();
    for varied in combinations(scenario) {
        // A combination that cannot be applied has been refused at load time.
        let changed = vary(scenario, &varied).unwrap_or(Cow::Borrowed(scenario));
        let workload = &changed.workload;
        let own_pattern = workload.pattern_name().map(str::to_owned);
        let sweep = &scenario.sweep;
        for file_system in alternatives(&sweep.file_systems, workload.volume()) {
            for pattern in alternatives(&sweep.patterns, own_pattern.clone()) {
                for block_bytes in alternatives(&sweep.block_bytes, workload.block_bytes) {
                    for write_percent in alternatives(&sweep.write_percents, workload.write_percent) {
                        for queue_depth in alternatives(&sweep.queue_depths, Some(workload.queue_depth)) {
                            points.extend(swept_arrays(&changed).into_iter().map(|array| Point {
                                array: array.to_owned(),
                                pattern: pattern.clone(),
                                queue_depth: queue_depth.unwrap_or(1),
                                write_percent,
                                block_bytes,
                                file_system,
                                varied: varied.clone(),
                            }));
                        }
                    }
                }
            }
        }
    }
    points
}

/// The values of a swept parameter, or the one that it has without a sweep.
fn alternatives<T: Clone>(swept: &[T], own: Option<T>) -> Vec<Option<T>> {
    if swept.is_empty() { vec![own] } else { swept.iter().cloned().map(Some).collect() }
}

/// The ids of the arrays under test.
pub(super) fn swept_arrays(scenario: &Scenario) -> Vec<&str> {
    if scenario.sweep.arrays.is_empty() {
        scenario.arrays.iter().map(|array| array.id.as_str()).collect()
    } else {
        scenario.sweep.arrays.iter().map(String::as_str).collect()
    }
}

/// Every combination of the varied fields' values; one empty one if nothing is varied.
pub(super) fn combinations(scenario: &Scenario) -> Vec<Vec<(String, String)>> {
    let mut all = vec![Vec::new()];
    for vary in &scenario.sweep.vary {
        let longer = |combination: &Vec<(String, String)>| {
            let with = |value: &String| {
                let mut longer = combination.clone();
                longer.push((vary.path.clone(), value.clone()));
                longer
            };
            vary.values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The scenario with varied fields put in.
pub(super) fn vary<'a>(
    scenario: &'a Scenario,
    varied: &[(String, String)],
) -> Result<Cow<'a, Scenario>, OverrideError> {
    let mut changed = Cow::Borrowed(scenario);
    for (path, value) in varied {
        let model = scenario.swept_models.get(&format!("{path}={value}"));
        let (next, _) = overrides::apply(changed.as_ref(), path, model.unwrap_or(value))?;
        changed = Cow::Owned(next);
    }
    Ok(changed)
}

/// The machine of one point.
///
/// A point that is not of this scenario gives a machine that [`Machine::new`](crate::machine::Machine::new) refuses,
/// or one in which the field that cannot be varied is left as it is.
pub fn machine_spec(scenario: &Scenario, point: &Point) -> MachineSpec {
    let scenario = vary(scenario, &point.varied).unwrap_or(Cow::Borrowed(scenario));
    let known = scenario.arrays.iter().find(|array| array.id == point.array).cloned();
    let array = known.unwrap_or_else(|| ArraySpec {
        id: point.array.clone(),
        raid: RaidSpec::new(Level::Single),
        members: Vec::new(),
    });
    let mut workload = scenario.workload.clone();
    if let Some(name) = &point.pattern {
        workload.access = Access::Pattern(name.clone());
    }
    workload.queue_depth = point.queue_depth;
    workload.write_percent = point.write_percent;
    workload.block_bytes = point.block_bytes;
    workload.file_system = point.file_system;
    let pattern = workload.pattern_name().and_then(|name| scenario.patterns.get(name)).cloned();
    let playback = workload.playback_name().and_then(|name| scenario.playbacks.get(name)).cloned();
    MachineSpec {
        host: scenario.host.clone(),
        driver: scenario.driver.clone(),
        bus: scenario.bus.clone(),
        controller: scenario.controller.clone(),
        drives: scenario.drives.clone(),
        array,
        workload,
        pattern,
        playback,
    }
}
