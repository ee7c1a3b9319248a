//! What can be wrong with a scenario before any machine is built.

use super::library::remedy;
use super::points::points;
use super::sets;
use super::spec::Scenario;
use super::tables;
use crate::config::{Issues, Validate};
use crate::machine::ArraySpec;
use crate::plot::PlotError;
use crate::results::Cell;
use crate::workload::{Access, WorkloadSpec};

/// Most points of a sweep.
const POINTS_MAX: usize = 100_000;

/// Every model's own rules.
pub(super) fn models(scenario: &Scenario, issues: &mut Issues) {
    issues.scoped("host", |issues| scenario.host.validate(issues));
    issues.scoped("driver", |issues| scenario.driver.validate(issues));
    issues.scoped("bus", |issues| scenario.bus.validate(issues));
    issues.scoped("controller", |issues| scenario.controller.validate(issues));
    for (index, drive) in scenario.drives.iter().enumerate() {
        issues.scoped(&format!("drives[{index}].model"), |issues| drive.model.validate(issues));
    }
    for (name, pattern) in &scenario.patterns {
        issues.scoped(&format!("patterns.{name}"), |issues| pattern.validate(issues));
    }
    for (name, recording) in &scenario.playbacks {
        issues.scoped(&format!("playbacks.{name}"), |issues| recording.validate(issues));
    }
}

/// The scenario's own rules.
pub(super) fn scenario(scenario: &Scenario, issues: &mut Issues) {
    name(scenario, issues);
    issues.scoped("run", |issues| scenario.run.validate(issues));
    issues.scoped("workload", |issues| scenario.workload.validate(issues));
    drives(scenario, issues);
    arrays(&scenario.arrays, issues);
    sweep(scenario, issues);
}

/// Whether a text can stand in the name of a file or column, and in a list after `--arrays`.
fn plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('.')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

const PLAIN: &str = "use letters, digits, `-`, `_` and `.`";

/// Files that every run writes beside its plots.
const RESERVED_FILES: [&str; 4] = ["runs", "summary", "results", "compare"];

fn name(scenario: &Scenario, issues: &mut Issues) {
    for (field, text) in [("name", Some(&scenario.name)), ("variant", scenario.variant.as_ref())] {
        if let Some(text) = text.filter(|text| !plain(text)) {
            let message =
                format!("`{text}` cannot be a {field}: it goes into the names of files and columns");
            issues.report(field, message, PLAIN);
        }
    }
}

fn drives(scenario: &Scenario, issues: &mut Issues) {
    if scenario.drives.is_empty() {
        let remedy = "list at least one in the `drives` of a scenario file, such as `(id: \"d0\", channel: 0, device: 0, \
                      model: \"maxtor-6l020j1\")`; a setting can only change those that are listed";
        issues.report("drives", "there is no drive", remedy);
    }
    for (index, drive) in scenario.drives.iter().enumerate().filter(|(_, drive)| !plain(&drive.id)) {
        let message = format!(
            "{:?} cannot be the id of a drive: it goes into tables and names its random numbers",
            drive.id
        );
        issues.report(&format!("drives[{index}].id"), message, PLAIN);
    }
}

fn arrays(arrays: &[ArraySpec], issues: &mut Issues) {
    if arrays.is_empty() {
        let remedy = "add `arrays: [(id: \"1d\", raid: (level: Single), members: [\"d0\"])]`";
        issues.report("arrays", "the scenario has no array to test", remedy);
    }
    for (index, array) in arrays.iter().enumerate() {
        issues.scoped(&format!("arrays[{index}]"), |issues| {
            if arrays[..index].iter().any(|other| other.id == array.id) {
                issues.report("id", format!("two arrays are called `{}`", array.id), "give each its own id");
            }
            if !plain(&array.id) {
                let message =
                    format!("{:?} cannot be the id of an array: it goes into tables and lists", array.id);
                issues.report("id", message, PLAIN);
            }
            issues.scoped("raid", |issues| array.raid.validate(issues));
        });
    }
}

fn sweep(scenario: &Scenario, issues: &mut Issues) {
    let sweep = &scenario.sweep;
    let ids: Vec<&str> = scenario.arrays.iter().map(|array| array.id.as_str()).collect();
    for (index, id) in sweep.arrays.iter().enumerate() {
        if !ids.contains(&id.as_str()) {
            let message = format!("there is no array `{id}`");
            issues.report(&format!("sweep.arrays[{index}]"), message, remedy(id, &ids, ""));
        }
    }
    twice("sweep.arrays", &sweep.arrays, issues);
    twice("sweep.patterns", &sweep.patterns, issues);
    twice("sweep.queue_depths", &sweep.queue_depths, issues);
    twice("sweep.write_percents", &sweep.write_percents, issues);
    twice("sweep.block_bytes", &sweep.block_bytes, issues);
    for (index, &queue_depth) in sweep.queue_depths.iter().enumerate() {
        trial(issues, "queue_depths", index, |workload| workload.queue_depth = queue_depth);
    }
    for (index, &percent) in sweep.write_percents.iter().enumerate() {
        trial(issues, "write_percents", index, |workload| workload.write_percent = Some(percent));
    }
    for (index, &bytes) in sweep.block_bytes.iter().enumerate() {
        trial(issues, "block_bytes", index, |workload| workload.block_bytes = Some(bytes));
    }
    playback(scenario, issues);
    vary(scenario, issues);
}

/// A playback is swept over file systems and arrays only, and nothing else is swept over file systems.
fn playback(scenario: &Scenario, issues: &mut Issues) {
    let sweep = &scenario.sweep;
    twice("sweep.file_systems", &sweep.file_systems, issues);
    let is_playback = scenario.workload.playback_name().is_some();
    if !is_playback && !sweep.file_systems.is_empty() {
        let remedy = "leave it out, or use workload: (access: Playback(\"business\"))";
        issues.report("sweep.file_systems", "only a playback goes through a file system", remedy);
    }
    let lists = [
        ("patterns", sweep.patterns.is_empty()),
        ("queue_depths", sweep.queue_depths.is_empty()),
        ("write_percents", sweep.write_percents.is_empty()),
        ("block_bytes", sweep.block_bytes.is_empty()),
    ];
    for (list, _) in lists.into_iter().filter(|(_, empty)| is_playback && !empty) {
        let message = "a playback does not know this: the recording says what is done";
        issues.report(&format!("sweep.{list}"), message, "leave it out; sweep arrays and file_systems");
    }
}

fn twice<T: PartialEq + std::fmt::Display>(field: &str, values: &[T], issues: &mut Issues) {
    for (index, value) in values.iter().enumerate() {
        if values[..index].contains(value) {
            let place = format!("{field}[{index}]");
            issues.report(&place, format!("`{value}` is listed twice"), "list each value once");
        }
    }
}

/// Checks one swept value by the workload's own rules.
fn trial(issues: &mut Issues, field: &str, index: usize, change: impl FnOnce(&mut WorkloadSpec)) {
    let mut workload = WorkloadSpec::new(Access::Pattern("any".to_owned()));
    change(&mut workload);
    let mut found = Issues::new();
    workload.validate(&mut found);
    for (_, message, remedy) in found.iter() {
        issues.report(&format!("sweep.{field}[{index}]"), message, remedy);
    }
}

fn vary(scenario: &Scenario, issues: &mut Issues) {
    let sweep = &scenario.sweep;
    for (index, vary) in sweep.vary.iter().enumerate() {
        let place = |part: &str| format!("sweep.vary[{index}].{part}");
        if vary.values.is_empty() {
            issues.report(&place("values"), "there is no value to take", "list at least one value");
        }
        twice(&place("values"), &vary.values, issues);
        if sweep.vary[..index].iter().any(|other| other.path == vary.path) {
            issues.report(&place("path"), format!("`{}` is varied twice", vary.path), "merge the two lists");
        }
        if !sets::is_of_machine(&vary.path) {
            let message = format!("`{}` cannot be varied", vary.path);
            let remedy = "vary a field of host, driver, bus, controller, drives, arrays, workload, patterns or playbacks";
            issues.report(&place("path"), message, remedy);
        }
        if let Some((message, remedy)) = sets::hidden_by_sweep(scenario, &vary.path) {
            issues.report(&place("path"), message, remedy);
        }
    }
    if let Some((index, message, remedy)) = sets::undone_within_vary(scenario) {
        issues.report(&format!("sweep.vary[{index}].path"), message, remedy);
    }
    let lengths = [
        sweep.patterns.len(),
        sweep.block_bytes.len(),
        sweep.write_percents.len(),
        sweep.queue_depths.len(),
        sweep.file_systems.len(),
        scenario.arrays.len(),
    ];
    let all = lengths.into_iter().chain(sweep.vary.iter().map(|vary| vary.values.len()));
    let product = all.fold(1_usize, |product, n| product.saturating_mul(n.max(1)));
    if product > POINTS_MAX {
        let message = format!("the sweep has {product} points; the most is {POINTS_MAX}");
        issues.report("sweep", message, "sweep fewer values, or split the scenario");
    }
}

/// Whether every point gives the experiment's claims what they look for. The sweep is sound.
pub(super) fn experiment(scenario: &Scenario, issues: &mut Issues) {
    let Some(experiment) = scenario.experiment else { return };
    let columns = tables::runs(scenario);
    let points = points(scenario);
    let lacks = |name: &str| match columns.column(name) {
        None => true,
        Some(column) => {
            points.iter().any(|point| tables::parameters(scenario, point).get(column) == Some(&Cell::Empty))
        }
    };
    let claimed = experiment.claimed();
    let value = claimed.value_column();
    if columns.column(value).is_none() {
        let message = format!("experiment {experiment:?} needs `{value}`, which this load does not measure");
        let remedy = "play a recording, such as workload: (access: Playback(\"business\")), or leave `experiment` out (None)";
        issues.report("experiment", message, remedy);
        return;
    }
    let load =
        if scenario.playback().is_some() { "take a load that is no playback and list it" } else { "list it" };
    for name in claimed.parameter_columns().filter(|name| lacks(name)) {
        let list =
            format!("sweep.{}", if name.ends_with('s') { name.to_owned() } else { format!("{name}s") });
        let message =
            format!("experiment {experiment:?} needs `{list}`: claims ask for the `{name}` of every point");
        issues.report("experiment", message, format!("{load}, or leave `experiment` out (None)"));
    }
}

/// Whether every plot can be drawn from a summary of this scenario.
pub(super) fn plots(scenario: &Scenario, issues: &mut Issues) {
    if scenario.plots.is_empty() {
        return;
    }
    let mut summary = tables::summary(scenario);
    for point in points(scenario) {
        let mut row = tables::parameters(scenario, &point);
        row.resize(summary.columns.len(), Cell::Real(1.0));
        summary.push(row);
    }
    for (index, plot) in scenario.plots.iter().enumerate() {
        if scenario.plots[..index].iter().any(|other| other.file == plot.file) {
            let message = format!("two plots go into the file `{}`", plot.file);
            issues.report(&format!("plots[{index}].file"), message, "give each its own file");
        }
        if RESERVED_FILES.iter().any(|reserved| plot.file.eq_ignore_ascii_case(reserved)) {
            let message = format!("the plot `{}` would overwrite the table of that name", plot.file);
            issues.report(&format!("plots[{index}].file"), message, "choose another name");
        }
        if let Err(error) = plot.figure(&summary) {
            let field = match &error {
                PlotError::UnknownColumn { field, .. } | PlotError::BadField { field, .. } => field,
                PlotError::UnknownLabel { .. } => "only",
                PlotError::NotANumber { .. } => "y",
                _ => "file",
            };
            issues.report(&format!("plots[{index}].{field}"), error.to_string(), "");
        }
    }
}
