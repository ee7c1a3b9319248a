//! Facts about a set-up, for the claims on its rules: from the resolved scenarios, and from attempts really made.

use super::claims::Facts;
use crate::bus::{BusTiming, Direction};
use crate::drive::InterfaceSpec;
use crate::machine::{ArraySpec, DrivePlacement, Machine, MachineSpec};
use crate::raid::{ArrayMap, Health, Level, RaidSpec, Restore};
use crate::scenario::{Experiment, Library, ModelKind, Scenario, machine_spec, points};
use crate::units::Extent;
use crate::workload::Area;
use crate::workload::playback::FileSystem;

/// Highest power of two of sectors that is tried as the size of a drive.
const ADDRESS_BITS_MAX: u32 = 56;
/// Names of the numbers of drives that are tried.
const COUNTS: [&str; 5] = ["one", "two", "three", "four", "five"];

/// First words of the names of facts that the program finds: nobody may tell it others.
pub(super) const FOUND: [&str; 15] = [
    "accepts",
    "array",
    "controller",
    "drive",
    "driver",
    "failed_drive",
    "host",
    "hot_spare",
    "mirror",
    "mix",
    "pci",
    "rejects",
    "runs",
    "sequential",
    "volumes",
];

/// Whether a fact of this name is for the program to find, in this or another set-up.
pub(super) fn is_found(name: &str) -> bool {
    FOUND.contains(&name.split('.').next().unwrap_or(name))
}

/// The facts of scenarios on one machine, that of the first. Whether the card takes an array or a number of drives is
/// found by building such a machine.
pub fn facts(scenarios: &[Scenario], library: &Library) -> Facts {
    let mut facts = Facts::new();
    if let Some(first) = scenarios.first() {
        hardware(first, &mut facts);
        models(first, library, &mut facts);
        arrays(first, &mut facts);
        attempts(first, &mut facts);
    }
    tests(scenarios, &mut facts);
    volumes(scenarios, &mut facts);
    facts
}

fn hardware(scenario: &Scenario, facts: &mut Facts) {
    const MANY_BYTES: u64 = 1 << 20;
    let bus = BusTiming::new(&scenario.bus);
    let long = bus.transaction(MANY_BYTES, Direction::MemoryWrite);
    facts.number("pci.width_bits", scenario.bus.width_bits as f64);
    facts.number("pci.clock_mhz", 1e6 / scenario.bus.clock_period_ps as f64);
    facts.number("pci.peak_mb_s", bus.peak_mb_s());
    facts.number("pci.payload_max_mb_s", MANY_BYTES as f64 / long.as_us());
    let card = &scenario.controller;
    facts.number("controller.channels", card.channels as f64);
    if let Some(mode) = card.udma_mode_max {
        facts.number("controller.udma_mode_max", mode.into());
    }
    // The chip's name stands in parentheses behind the card's.
    let chip = card.name.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    facts.text("controller.chip", chip.map_or(&card.name, |(chip, _)| chip));
    let single = RaidSpec { reserved: crate::raid::Reserved::None, ..RaidSpec::new(Level::Single) };
    let addressable = |bits: &u32| ArrayMap::new(&single, &[1 << bits]).is_ok();
    if let Some(bits) = (1..=ADDRESS_BITS_MAX).rev().find(addressable) {
        facts.number("controller.lba_max", (1_u64 << bits) as f64);
    }
    // No model of a card has a cache.
    facts.number("controller.cache_bytes", 0.0);
}

fn models(scenario: &Scenario, library: &Library, facts: &mut Facts) {
    let driver = &scenario.driver;
    facts.text("driver.version", last_word(&driver.name));
    facts.number("driver.presets", library.names(ModelKind::Driver).len() as f64);
    facts.text("driver.mirror_read", &format!("{:?}", driver.mirror_read).to_lowercase());
    let host = &scenario.host;
    // Maker and board come first in a host's name.
    let board = host.name.split(',').next().unwrap_or("");
    facts.text("host.mainboard", last_word(board));
    let cpu_us = host.issue_us + host.dispatch_us + host.interrupt_us + host.complete_us;
    facts.number("host.cpu_us_per_request", cpu_us);
    facts.number("drive.count", scenario.drives.len() as f64);
    if let Some(first) = scenario.drives.first()
        && scenario.drives.iter().all(|drive| drive.model.name == first.model.name)
    {
        facts.text("drive.model", last_word(&first.model.name));
    }
}

fn last_word(text: &str) -> &str {
    text.split_whitespace().next_back().unwrap_or("")
}

fn arrays(scenario: &Scenario, facts: &mut Facts) {
    let striped: Vec<u32> = scenario
        .arrays
        .iter()
        .filter(|array| array.raid.level.stripes())
        .map(|array| array.raid.stripe_kib)
        .collect();
    if let Some(&first) = striped.first()
        && striped.iter().all(|&stripe_kib| stripe_kib == first)
    {
        facts.number("array.stripe_kib", first.into());
    }
    // One sector of a mirror is written as so many commands.
    let mirror = scenario.arrays.iter().find(|array| array.raid.level == Level::Raid1);
    if let Some(map) = mirror.and_then(|array| map_of(scenario, array)) {
        let mut pieces = Vec::new();
        map.pieces(Extent::new(0, 1), &mut pieces);
        let commands: usize = pieces.iter().map(|piece| piece.copies().count()).sum();
        facts.number("mirror.commands_per_write", commands as f64);
    }
    for level in [Level::Raid1, Level::Raid01, Level::Raid10] {
        let array = scenario.arrays.iter().find(|array| array.raid.level == level);
        if let Some(map) = array.and_then(|array| map_of(scenario, array)) {
            let name = level.title().to_lowercase().replace([' ', '+'], "");
            let lives = members_of(&map).all(|member| map.health(&[member]) == Health::Degraded);
            facts.truth(&format!("failed_drive.{name}_continues"), lives);
        }
    }
    if let Some(map) = mirror.and_then(|array| map_of(scenario, array)) {
        hot_spare(scenario.controller.hot_spare, &map, facts);
    }
}

fn members_of(map: &ArrayMap) -> impl Iterator<Item = u8> {
    0..map.members() as u8
}

/// Whether a card that takes a spare on its own starts a rebuild when any one member of a mirror fails, and whether the
/// array is whole when all of its steps are done.
fn hot_spare(card_takes_spare: bool, map: &ArrayMap, facts: &mut Facts) {
    let mut plans = members_of(map).map(|member| (member, map.rebuild(member, &[member])));
    let whole = |(member, plan): (u8, Option<Vec<Restore>>)| {
        let restored: u64 = plan.iter().flatten().map(|step| step.sectors).sum();
        restored > 0 && restored == map.sectors_on(member)
    };
    let optimal = plans.all(whole);
    let started = members_of(map).all(|member| map.rebuild(member, &[member]).is_some());
    facts.truth("hot_spare.rebuild_started", card_takes_spare && started);
    facts.truth("hot_spare.array_optimal_at_end", card_takes_spare && optimal);
}

fn map_of(scenario: &Scenario, array: &ArraySpec) -> Option<ArrayMap> {
    let capacity = |id: &String| {
        let drive = scenario.drives.iter().find(|drive| &drive.id == id)?;
        Some(drive.model.capacity_sectors)
    };
    let capacities: Vec<u64> = array.members.iter().map(capacity).collect::<Option<_>>()?;
    ArrayMap::new(&array.raid, &capacities).ok()
}

/// Which file systems playbacks meet on volumes of full size.
fn volumes(scenarios: &[Scenario], facts: &mut Facts) {
    let whole = |scenario: &&Scenario| {
        scenario.workload.area() == Area::default() && scenario.workload.playback_name().is_some()
    };
    let met: Vec<FileSystem> =
        scenarios.iter().filter(whole).flat_map(points).filter_map(|point| point.file_system).collect();
    if !met.is_empty() {
        facts.truth("volumes.fat32", met.contains(&FileSystem::Fat32));
        facts.truth("volumes.ntfs", met.contains(&FileSystem::Ntfs));
    }
}

fn tests(scenarios: &[Scenario], facts: &mut Facts) {
    let of = |experiment| scenarios.iter().find(|scenario| scenario.experiment == Some(experiment));
    if let Some(mix) = of(Experiment::Mix) {
        let percents = &mix.sweep.write_percents;
        facts.number("mix.points", percents.len() as f64);
        facts.number("mix.queue_depths", mix.sweep.queue_depths.len() as f64);
        let steps: Vec<i32> =
            percents.windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0])).collect();
        if let Some(&first) = steps.first()
            && steps.iter().all(|&step| step == first)
        {
            facts.number("mix.step_percent", first.into());
        }
    }
    if let Some(sequential) = of(Experiment::SequentialRead) {
        facts.number("sequential.queue_depth", sequential.workload.queue_depth.into());
    }
}

/// Builds machines and notes which the card takes.
fn attempts(scenario: &Scenario, facts: &mut Facts) {
    let Some(spec) = points(scenario).first().map(|point| machine_spec(scenario, point)) else { return };
    let Some(drive) = spec.drives.first().cloned() else { return };
    let mut note = |what: String, taken: bool| {
        facts.truth(&format!("accepts.{what}"), taken);
        facts.truth(&format!("rejects.{what}"), !taken);
    };
    let levels =
        [("raid0", Level::Raid0), ("raid1", Level::Raid1), ("raid01", Level::Raid01), ("jbod", Level::Jbod)];
    for (count, word) in (1..).zip(COUNTS) {
        note(format!("{word}_drives"), builds(&spec, &drive, count, Level::Single));
        for (name, level) in levels {
            note(format!("{name}_of_{word}"), builds(&spec, &drive, count, level));
        }
    }
    let mut slower = drive;
    if let InterfaceSpec::Ata { udma_mode_max: Some(mode), .. } = &mut slower.model.interface {
        *mode = mode.saturating_sub(1);
        note("slower_drive".to_owned(), builds(&spec, &slower, 1, Level::Single));
    }
}

/// Whether a machine with so many drives, all of them in one array (a single drive apart), can be built.
fn builds(spec: &MachineSpec, drive: &DrivePlacement, count: usize, level: Level) -> bool {
    let devices = spec.controller.devices_per_channel.max(1) as usize;
    let place = |index: usize| DrivePlacement {
        id: index.to_string(),
        channel: (index / devices) as u16,
        device: (index % devices) as u8,
        model: drive.model.clone(),
    };
    let drives: Vec<DrivePlacement> = (0..count).map(place).collect();
    let members = if level == Level::Single { 1 } else { count };
    let array = ArraySpec {
        id: "attempt".to_owned(),
        raid: RaidSpec::new(level),
        members: (0..members).map(|index| index.to_string()).collect(),
    };
    Machine::new(&MachineSpec { drives, array, ..spec.clone() }, 0).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Reproduction;
    use crate::scenario::LoadOptions;

    #[test]
    fn every_fact_is_found_or_told_and_none_is_both() {
        let library = Library::shipped();
        for entry in library.reproductions() {
            let reproduction = Reproduction::load(&entry.name, &library, &LoadOptions::default()).unwrap();
            let told = &reproduction.spec.facts;
            let found: Vec<&str> =
                reproduction.facts.names().filter(|name| !told.contains_key(*name)).collect();
            assert!(found.len() > 50, "{found:?}");
            assert!(found.iter().all(|name| is_found(name)), "{found:?}");
            assert!(!told.keys().any(|name| is_found(name)), "{told:?}");
        }
    }
}
