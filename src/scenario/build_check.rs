//! Building every machine of a scenario once, so that nothing fails when it runs.

use super::library::{remedy, with_remedy};
use super::points::{Point, combinations, machine_spec, points, swept_arrays, vary};
use super::spec::{Scenario, SweepSpec};
use super::structure;
use crate::config::{Issues, covers};
use crate::machine::{ArraySpec, BuildError, DrivePlacement, Machine, MachineSpec};
use crate::raid::{ArrayMap, Level, RaidError, RaidSpec};
use crate::units::SECTOR_BYTES;
use crate::workload::iometer::Line;
use crate::workload::{Access, WorkloadSpec};

/// Reports whatever a machine of the sweep cannot be built for, at the field that is to blame.
pub(super) fn machines(scenario: &Scenario, issues: &mut Issues) {
    let nothing_varied = scenario.sweep.vary.is_empty();
    for combination in combinations(scenario) {
        let changed = match vary(scenario, &combination) {
            Ok(changed) => changed,
            Err(error) => {
                let (message, remedy) = with_remedy(&error);
                report_varied(scenario, &combination, &message, &remedy, issues);
                continue;
            }
        };
        let mut found = Issues::new();
        if nothing_varied {
            combination_machines(&changed, &mut found);
            issues.absorb("", found);
            continue;
        }
        structure::models(&changed, &mut found);
        structure::scenario(&changed, &mut found);
        if found.is_empty() {
            combination_machines(&changed, &mut found);
        }
        for (_, message, remedy) in found.iter() {
            report_varied(scenario, &combination, &message, remedy, issues);
        }
    }
}

/// Reports what is wrong with the places of drives and with arrays that are sound by themselves, under a load that
/// always fits: `issues` hold faults of arrays, load or sweep already. Drives and models are sound.
pub(super) fn without_load(scenario: &Scenario, issues: &mut Issues) {
    let mut plain = scenario.clone();
    let block = Line::new(SECTOR_BYTES, 100, 100);
    plain.workload = WorkloadSpec::new(Access::Lines(vec![block]));
    plain.sweep = SweepSpec::default();
    let at_fault = |index: usize| {
        let array = format!("arrays[{index}]");
        issues.iter().any(|(path, ..)| covers(&array, path))
    };
    let sound = scenario.arrays.iter().enumerate().filter(|(index, _)| !at_fault(*index));
    plain.sweep.arrays = sound.map(|(_, array)| array.id.clone()).collect();
    if !plain.sweep.arrays.is_empty() {
        combination_machines(&plain, issues);
    }
}

/// Reports a fault of a varied machine at the first value that, alone, cannot be meant as it is.
fn report_varied(
    scenario: &Scenario,
    combination: &[(String, String)],
    message: &str,
    remedy: &str,
    issues: &mut Issues,
) {
    let alone = combination.iter().position(|pair| vary(scenario, std::slice::from_ref(pair)).is_err());
    let blamed = alone.unwrap_or(combination.len().saturating_sub(1));
    let Some((path, value)) = combination.get(blamed) else { return };
    let index = scenario.sweep.vary[blamed].values.iter().position(|other| other == value).unwrap_or(0);
    let with: Vec<String> = combination.iter().map(|(path, value)| format!("{path}={value}")).collect();
    let with = if alone.is_some() { format!("{path}={value}") } else { with.join(", ") };
    issues.report(
        &format!("sweep.vary[{blamed}].values[{index}]"),
        format!("with {with}: {message}"),
        remedy,
    );
}

/// The machines of one combination of varied fields, which `scenario` has already.
fn combination_machines(scenario: &Scenario, issues: &mut Issues) {
    let mut unswept = scenario.clone();
    unswept.sweep.vary.clear();
    let all = points(&unswept);
    let mut refused = false;
    for id in swept_arrays(scenario) {
        let of_array: Vec<&Point> = all.iter().filter(|point| point.array == id).collect();
        let Some(first) = of_array.first().filter(|_| scenario.arrays.iter().any(|array| array.id == id))
        else {
            continue;
        };
        let spec = machine_spec(&unswept, first);
        match Machine::new(&spec, 0) {
            Ok(_) => workloads(&unswept, &spec, &of_array, issues),
            Err(_) => refused = true,
        }
    }
    if refused {
        let mut found = Issues::new();
        every_fault(&unswept, &all, &mut found);
        issues.absorb("", found);
    }
}

/// The loads of all points on an array that is sound.
fn workloads(scenario: &Scenario, spec: &MachineSpec, points: &[&Point], issues: &mut Issues) {
    let capacity = |id: &String| {
        let drive = spec.drives.iter().find(|drive| &drive.id == id);
        drive.map_or(0, |drive| drive.model.capacity_sectors)
    };
    let capacities: Vec<u64> = spec.array.members.iter().map(capacity).collect();
    let Ok(map) = ArrayMap::new(&spec.array.raid, &capacities) else { return };
    for point in points {
        let mut workload = scenario.workload.clone();
        if let Some(name) = &point.pattern {
            workload.access = Access::Pattern(name.clone());
        }
        workload.write_percent = point.write_percent;
        workload.block_bytes = point.block_bytes;
        workload.file_system = point.file_system;
        let pattern = workload.pattern_name().and_then(|name| scenario.patterns.get(name));
        let tried = match scenario.playback() {
            Some(recording) => {
                workload.player(Some(recording), &spec.host.file_cache, map.capacity()).map(drop)
            }
            None => workload.worker(pattern, map.capacity(), 0).map(drop),
        };
        if let Err(error) = tried {
            let (path, message, remedy) = blame(&BuildError::Workload(error), scenario, &spec.array);
            issues.report(&path, format!("array `{}`: {message}", spec.array.id), remedy);
        }
    }
}

/// Adds drives one by one and leaves out those that do not fit; then tries every array on those that do.
fn every_fault(scenario: &Scenario, points: &[Point], issues: &mut Issues) {
    let Some(any) = points.first().map(|point| machine_spec(scenario, point)) else { return };
    let mut fitting: Vec<DrivePlacement> = Vec::new();
    for drive in &scenario.drives {
        let array = ArraySpec {
            id: drive.id.clone(),
            raid: RaidSpec::new(Level::Single),
            members: vec![drive.id.clone()],
        };
        let mut trial = MachineSpec { drives: fitting.clone(), array, ..any.clone() };
        trial.drives.push(drive.clone());
        match Machine::new(&trial, 0) {
            Err(BuildError::TooManyDrives { .. }) => {
                // All drives together, so that the message has the right count.
                trial.drives.clone_from(&scenario.drives);
                if let Err(error) = Machine::new(&trial, 0) {
                    report(&error, scenario, &trial.array, issues);
                }
                break;
            }
            Err(error) if is_of_drives(&error) => report(&error, scenario, &trial.array, issues),
            Ok(_) | Err(_) => fitting.push(drive.clone()),
        }
    }
    for array in &scenario.arrays {
        let Some(point) = points.iter().find(|point| point.array == array.id) else { continue };
        let plugged = |id: &String| scenario.drives.iter().any(|drive| &drive.id == id);
        let fits = |id: &String| fitting.iter().any(|drive| &drive.id == id);
        // An array of a drive that does not fit is the fault of the drive.
        let complete = array.members.iter().all(|id| fits(id) || !plugged(id));
        let spec = MachineSpec { drives: fitting.clone(), ..machine_spec(scenario, point) };
        match Machine::new(&spec, 0) {
            Err(error) if complete || matches!(error, BuildError::Raid { .. }) => {
                report(&error, scenario, array, issues);
            }
            _ => {}
        }
    }
}

fn is_of_drives(error: &BuildError) -> bool {
    !matches!(error, BuildError::Workload(_) | BuildError::Raid { .. })
}

fn report(error: &BuildError, scenario: &Scenario, array: &ArraySpec, issues: &mut Issues) {
    let (path, message, remedy) = blame(error, scenario, array);
    issues.report(&path, message, remedy);
}

/// The field to blame for an error, what is wrong and what to do.
fn blame(error: &BuildError, scenario: &Scenario, array: &ArraySpec) -> (String, String, String) {
    let (message, mut help) = with_remedy(error);
    let drive = |id: &str, field: &str| {
        let last = scenario.drives.iter().rposition(|drive| drive.id == id);
        format!("drives[{}].{field}", last.unwrap_or(0))
    };
    let index = scenario.arrays.iter().position(|other| other.id == array.id).unwrap_or(0);
    let in_array = |field: &str| format!("arrays[{index}].{field}");
    let member = |name: &str| {
        let last = array.members.iter().rposition(|member| member == name);
        in_array(&format!("members[{}]", last.unwrap_or(0)))
    };
    let path = match error {
        BuildError::TooManyDrives { max, .. } => format!("drives[{max}]"),
        BuildError::NoSuchPosition { id, channel, .. } => {
            let no_channel = u64::from(*channel) >= scenario.controller.channels;
            drive(id, if no_channel { "channel" } else { "device" })
        }
        BuildError::SamePosition { second, .. } => drive(second, "channel"),
        BuildError::SameId { id } => drive(id, "id"),
        BuildError::UnknownMember { member: name, .. } => {
            let ids: Vec<&str> = scenario.drives.iter().map(|drive| drive.id.as_str()).collect();
            help = remedy(name, &ids, "");
            member(name)
        }
        BuildError::MemberTwice { member: name, .. } => member(name),
        BuildError::LevelNotOffered { .. } => in_array("raid.level"),
        BuildError::WrongConnector { id, .. } => drive(id, "model"),
        BuildError::Raid { error, .. } => in_array(&match error {
            RaidError::MemberCount { .. } => "members".to_owned(),
            RaidError::Stripe { .. } => "raid.stripe_kib".to_owned(),
            RaidError::MemberTooSmall { member, .. } | RaidError::MemberTooLarge { member, .. } => {
                format!("members[{member}]")
            }
            RaidError::CutOff { .. } => "raid.unequal".to_owned(),
        }),
        BuildError::Workload(_) => "workload".to_owned(),
    };
    (path, message, help)
}
