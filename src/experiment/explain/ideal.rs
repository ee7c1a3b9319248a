//! Parts of a machine made ideal, one at a time: who is to blame is whose absence helps.
//!
//! Ideal models of driver, processor and bus are files of the catalogue. What is ideal of a card, a cable or a drive
//! depends on what the rest needs of it (its levels, its capacity), so these are functions from spec to spec.

use crate::bus::BusSpec;
use crate::channel::LinkSpec;
use crate::config;
use crate::controller::{ChipSpec, ControllerSpec};
use crate::drive::spec::{
    BufferSpec, Defects, Destage, DestageStart, OverheadSpec, ReadAhead, ReadAheadRefill, ReadAheadRestart,
    SectorSkew, SeekCurve, Segments, SkewSpec, WriteCacheSpec, WriteSeek,
};
use crate::drive::{DriveSpec, InterfaceSpec};
use crate::host::{DriverSpec, HostSpec};
use crate::machine::MachineSpec;
use crate::scenario::{Library, ModelKind};

/// A part that can be made ideal, or several that belong together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// The host's processor.
    Processor,
    /// The operating system's driver: its policy.
    Driver,
    /// The host bus.
    Bus,
    /// The card's DMA engine and registers.
    Controller,
    /// The cables.
    Cable,
    /// The drives' own processors.
    DriveOverhead,
    /// The drives' buffers and write caches.
    DriveCache,
    /// The drives' arms and platters.
    DriveMechanics,
    /// Driver and processor.
    Software,
    /// Bus, controller and cables.
    Card,
    /// All of the drives.
    Drives,
}

impl Part {
    /// Single parts, from the program down to the platters.
    pub const SINGLE: [Part; 8] = [
        Part::Processor,
        Part::Driver,
        Part::Bus,
        Part::Controller,
        Part::Cable,
        Part::DriveOverhead,
        Part::DriveCache,
        Part::DriveMechanics,
    ];
    /// The sides among which the blame is shared.
    pub const SIDES: [Part; 3] = [Part::Software, Part::Card, Part::Drives];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Part> {
        Part::SINGLE.into_iter().chain(Part::SIDES)
    }

    /// Its name for a reader.
    pub fn name(self) -> &'static str {
        match self {
            Part::Processor => "processor",
            Part::Driver => "driver",
            Part::Bus => "bus",
            Part::Controller => "controller",
            Part::Cable => "cable",
            Part::DriveOverhead => "drive overhead",
            Part::DriveCache => "drive cache",
            Part::DriveMechanics => "drive mechanics",
            Part::Software => "all software",
            Part::Card => "all of the card",
            Part::Drives => "all of the drives",
        }
    }

    /// What ideal means of it, for a reader.
    pub fn ideal(self) -> &'static str {
        match self {
            Part::Processor => "takes no time (host model `instant`)",
            Part::Driver => {
                "every drive works for itself, the shortest seek of a cable first (driver model `ideal`)"
            }
            Part::Bus => "64 bits at 133 MHz, no waits, nobody else on it (bus model `ideal`)",
            Part::Controller => {
                "no pause between bursts, no crossing of clocks, no registers, FIFO of at least 4 KiB"
            }
            Part::Cable => "a link of 600 MB/s for each drive alone",
            Part::DriveOverhead => "takes no time; 600 MB/s out of the buffer",
            Part::DriveCache => "256 MiB, reads far ahead; 512 dirty extents of 128 MiB, nearest first",
            Part::DriveMechanics => "a turn takes 1 us, a seek none",
            Part::Software => "driver and processor at once",
            Part::Card => "bus, controller and cable at once",
            Part::Drives => "drive overhead, cache and mechanics at once",
        }
    }
}

/// The catalogue's ideal models.
#[derive(Clone, Debug)]
pub struct Ideals {
    host: HostSpec,
    driver: DriverSpec,
    bus: BusSpec,
}

impl Ideals {
    /// Those of the program itself; a user's models of the same names do not shadow them.
    pub fn shipped() -> Ideals {
        fn model<T: serde::de::DeserializeOwned>(kind: ModelKind, name: &str) -> T {
            let source = Library::shipped().source(kind, name);
            let model = source.and_then(|source| config::parse(&source));
            model.expect("the program was built with its models, and a test reads them all")
        }
        Ideals {
            host: model(ModelKind::Host, "instant"),
            driver: model(ModelKind::Driver, "ideal"),
            bus: model(ModelKind::Bus, "ideal"),
        }
    }

    /// `spec` with `part` made ideal and all else as it was.
    pub fn make(&self, part: Part, spec: &MachineSpec) -> MachineSpec {
        let mut spec = spec.clone();
        let parts: &[Part] = match part {
            Part::Software => &[Part::Driver, Part::Processor],
            Part::Card => &[Part::Bus, Part::Controller, Part::Cable],
            Part::Drives => &[Part::DriveOverhead, Part::DriveCache, Part::DriveMechanics],
            _ => &[part],
        };
        for part in parts {
            self.make_one(*part, &mut spec);
        }
        spec
    }

    fn make_one(&self, part: Part, spec: &mut MachineSpec) {
        let drives = |spec: &mut MachineSpec, change: fn(&mut DriveSpec)| {
            spec.drives.iter_mut().for_each(|drive| change(&mut drive.model));
        };
        match part {
            Part::Processor => spec.host = self.host.clone(),
            Part::Driver => spec.driver = self.driver.clone(),
            Part::Bus => spec.bus = self.bus.clone(),
            Part::Controller => controller(&mut spec.controller),
            Part::Cable => cables(spec),
            Part::DriveOverhead => drives(spec, overhead),
            Part::DriveCache => drives(spec, cache),
            Part::DriveMechanics => drives(spec, mechanics),
            Part::Software | Part::Card | Part::Drives => {}
        }
    }
}

/// The chip's cable timing stays: it is the cable's.
fn controller(card: &mut ControllerSpec) {
    const FIFO_BYTES: u64 = 4096;
    card.fifo_bytes = card.fifo_bytes.max(FIFO_BYTES);
    card.burst_overhead_ns = 0;
    card.clock_crossing_read_ns = 0;
    card.clock_crossing_write_ns = 0;
    card.descriptor_bytes = 65_536;
    card.descriptor_fetch_bytes = 4;
    card.command_slots = 32;
    card.register_access_ns = 0;
    card.accesses_before = 0;
    card.accesses_after = 0;
}

fn cables(spec: &mut MachineSpec) {
    let card = &mut spec.controller;
    card.chip =
        ChipSpec::SataLinks(LinkSpec { generation: 3, frame_payload_bytes: 8192, handshake_dwords: 0 });
    card.cables = Vec::new();
    card.devices_per_channel = 1;
    card.channels = spec.drives.len() as u64;
    for (channel, drive) in (0..).zip(&mut spec.drives) {
        (drive.channel, drive.device) = (channel, 0);
        drive.model.interface = InterfaceSpec::Sata { generation: 3 };
    }
}

fn overhead(drive: &mut DriveSpec) {
    drive.overhead = OverheadSpec {
        read_hit_ms: 0.0,
        read_miss_ms: 0.0,
        write_hit_ms: 0.0,
        write_miss_ms: 0.0,
        completion_ms: 0.0,
        read_hit_after_write_ms: None,
        read_miss_after_write_ms: None,
        write_hit_after_write_ms: None,
        write_miss_after_write_ms: None,
    };
    drive.buffer_rate_mb_s = 600.0;
}

fn cache(drive: &mut DriveSpec) {
    drive.buffer = BufferSpec {
        size_kib: 262_144,
        segments: Segments::Adaptive { minimum_kib: 1024, maximum_count: 128 },
        read_ahead: ReadAhead::Adaptive { minimum_kib: 0, maximum_kib: 4096 },
        read_ahead_restart: ReadAheadRestart::AtKib(2048),
        read_ahead_refill: ReadAheadRefill::Continuous,
        free_block_read: true,
        zero_latency_read: true,
        zero_latency_write: true,
    };
    drive.write_cache = WriteCacheSpec {
        enabled: true,
        // More would still help, but nobody's patience.
        entries_max: 512,
        size_kib: 131_072,
        coalesce: true,
        extent_kib: 1024,
        destage: Destage::Sptf,
        start: DestageStart::Immediate,
        age_limit_ms: 100_000.0,
        read_priority: true,
    };
}

/// A turn of a microsecond is outside of what a file may say, where it would be a slip of the pen.
fn mechanics(drive: &mut DriveSpec) {
    drive.rpm = 60_000_000;
    drive.rpm_tolerance = 0.0;
    drive.skew = SkewSpec::Sectors(vec![SectorSkew { head: 0, cylinder: 0 }]);
    drive.defects = Defects::default();
    drive.seek = SeekCurve::PerCylinder(vec![0.0]);
    drive.quoted_average_ms = None;
    drive.write_seek = WriteSeek::Settle(0.0);
    drive.write_settle_sequential_ms = 0.0;
    drive.inward_seek_extra_ms = 0.0;
    drive.seek_jitter_ms = 0.0;
    drive.head_switch_ms = 0.0;
    drive.quiet_seek_factor = 1.0;
    drive.write_verify = false;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::scenario::{LoadOptions, load, machine_spec, points};

    #[test]
    fn every_ideal_machine_of_the_shipped_scenarios_can_be_built_and_only_its_part_differs() {
        let (library, ideals) = (Library::shipped(), Ideals::shipped());
        for name in ["rocketraid133/sequential-read", "rocketraid133/mix"] {
            let scenario = load(name, &library, &LoadOptions::default()).unwrap();
            let point = &points(&scenario)[0];
            let spec = machine_spec(&scenario, point);
            for part in Part::all() {
                let ideal = ideals.make(part, &spec);
                Machine::new(&ideal, 1).unwrap_or_else(|error| panic!("{name}, {part:?}: {error}"));
                assert!(ideal != spec, "{name}, {part:?}");
                assert!(ideals.make(part, &ideal) == ideal, "{part:?} cannot get better");
                assert_eq!(ideal.host != spec.host, matches!(part, Part::Processor | Part::Software));
                assert_eq!(ideal.driver != spec.driver, matches!(part, Part::Driver | Part::Software));
                assert_eq!(ideal.bus != spec.bus, matches!(part, Part::Bus | Part::Card));
                assert_eq!((&ideal.array, &ideal.workload), (&spec.array, &spec.workload));
            }
        }
    }
}
