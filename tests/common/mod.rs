//! Parts of machines for tests, every figure that a test relies on stated here.
//!
//! Zones come from the shipped 6L020J1; whatever may be calibrated (seeks, cache, read-ahead, overheads,
//! host, driver) is pinned, so that a new fit does not move a test.
#![allow(dead_code)]

pub mod rig;

use ataraid::bus::{BusSpec, Protocol};
use ataraid::channel::{CableSpec, LinkSpec, TransferMode};
use ataraid::config::{self, Issues, Source, Validate};
use ataraid::controller::{ChipSpec, ControllerSpec, Queueing, RaidLevelName};
use ataraid::drive::spec::{
    BufferSpec, Destage, DestageStart, OverheadSpec, QueueSpec, ReadAhead, ReadAheadRefill, ReadAheadRestart,
    SeekCurve, Segments, SkewSpec, WriteCacheSpec, WriteSeek,
};
use ataraid::drive::{DriveSpec, Geometry, SeekTable};
use ataraid::host::{
    CableRule, DeviceChoice, DriverSpec, HostSpec, InFlight, MemberPieces, MirrorRead, MirrorWrite, Parts,
    Sort,
};
use ataraid::machine::{ArraySpec, DrivePlacement, Event, Machine, MachineSpec, Measured, RunLength};
use ataraid::raid::{Level, RaidSpec, Reserved};
use ataraid::sim::Observer;
use ataraid::units::{Instant, Span};
use ataraid::workload::iometer::Line;
use ataraid::workload::{Access, SequentialSpec, WorkloadSpec};
use proptest::prelude::ProptestConfig;

/// So many cases of a property; `PROPTEST_CASES` multiplies, as it does everywhere.
pub fn cases(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig {
        cases: cases * usual.cases / 256,
        max_shrink_iters: 20_000,
        failure_persistence: None,
        ..usual
    }
}

/// Reads a model file of the repository.
pub fn model<T: serde::de::DeserializeOwned>(path: &str) -> T {
    let whole = format!("{}/models/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&whole).expect("a shipped model");
    config::parse(&Source::new(path, text)).unwrap_or_else(|faults| panic!("{path}: {faults:?}"))
}

/// The 6L020J1's platters and arm with plain electronics: no jitter, exact speed, no read-ahead, write cache on.
pub fn maxtor() -> DriveSpec {
    let mut drive: DriveSpec = model("drives/maxtor-6l020j1.ron");
    drive.skew = SkewSpec::Wedges { per_track: 200, head: 45, cylinder: 36 };
    drive.seek = SeekCurve::Hpl {
        a_ms: 1.1468,
        b_ms: 0.053227,
        split_cylinders: 18_000,
        e_ms: 4.7174,
        f_ms: 1.98366e-4,
        single_ms: Some(1.2),
        first_ms: Vec::new(),
    };
    plain_electronics(&mut drive);
    drive
}

/// Pins all that is not geometry.
pub fn plain_electronics(drive: &mut DriveSpec) {
    drive.rpm_tolerance = 0.0;
    drive.seek_jitter_ms = 0.0;
    drive.quiet_seek_factor = 1.0;
    drive.head_switch_ms = 1.2;
    drive.write_seek = WriteSeek::Settle(1.0);
    drive.write_settle_sequential_ms = 0.25;
    drive.write_verify = false;
    drive.overhead = OverheadSpec {
        read_hit_ms: 0.06,
        read_miss_ms: 0.20,
        write_hit_ms: 0.06,
        write_miss_ms: 0.20,
        completion_ms: 0.03,
        read_hit_after_write_ms: None,
        read_miss_after_write_ms: None,
        write_hit_after_write_ms: None,
        write_miss_after_write_ms: None,
    };
    drive.buffer = BufferSpec {
        size_kib: 1819,
        segments: Segments::Adaptive { minimum_kib: 64, maximum_count: 16 },
        read_ahead: ReadAhead::Off,
        read_ahead_restart: ReadAheadRestart::WhenEmpty,
        read_ahead_refill: ReadAheadRefill::Continuous,
        free_block_read: false,
        zero_latency_read: false,
        zero_latency_write: false,
    };
    drive.write_cache = WriteCacheSpec {
        enabled: true,
        entries_max: 32,
        size_kib: 1819,
        coalesce: true,
        extent_kib: 1024,
        destage: Destage::CLook,
        start: DestageStart::Immediate,
        age_limit_ms: 2000.0,
        read_priority: true,
    };
    drive.queue = QueueSpec::None;
    drive.buffer_rate_mb_s = 100.0;
}

/// Read-ahead of 512 KiB that follows the host.
pub fn with_read_ahead(mut drive: DriveSpec) -> DriveSpec {
    drive.buffer.read_ahead = ReadAhead::Adaptive { minimum_kib: 0, maximum_kib: 512 };
    drive
}

/// A small drive: two heads, three zones, 7200 rpm, 88 000 sectors.
pub fn small_drive() -> DriveSpec {
    let text = r#"(
        name: "small", capacity_sectors: 88000, heads: 2, rpm: 7200, rpm_tolerance: 0.0,
        zones: [(cylinders: 40, spt: 512), (cylinders: 40, spt: 400), (cylinders: 40, spt: 200)],
        skew: Wedges(per_track: 200, head: 45, cylinder: 36),
        seek: ThreePoint(single_ms: 1.2, average_ms: 4.5, full_ms: 9.0),
        interface: Ata(udma_mode_max: 6, mwdma_mode_max: 2, pio_mode_max: 4),
    )"#;
    let mut drive: DriveSpec =
        config::parse(&Source::new("small", text)).unwrap_or_else(|faults| panic!("{faults:?}"));
    plain_electronics(&mut drive);
    drive.buffer.size_kib = 256;
    drive.write_cache.size_kib = 256;
    drive.buffer.segments = Segments::Adaptive { minimum_kib: 8, maximum_count: 4 };
    drive
}

/// A host that costs nothing.
pub fn instant_host() -> HostSpec {
    HostSpec {
        name: "instant".into(),
        issue_us: 0.0,
        dispatch_us: 0.0,
        interrupt_us: 0.0,
        complete_us: 0.0,
        file_cache: Default::default(),
        sources: Default::default(),
    }
}

/// A host whose four costs all differ.
pub fn slow_host() -> HostSpec {
    HostSpec { issue_us: 25.0, dispatch_us: 20.0, interrupt_us: 15.0, complete_us: 26.0, ..instant_host() }
}

/// Every drive for itself, in order of arrival.
pub fn plain_driver() -> DriverSpec {
    DriverSpec {
        name: "plain".into(),
        in_flight: InFlight::Drive,
        sort: Sort::Fifo,
        window_array_requests: 65_536,
        window_single_requests: 65_536,
        outstanding_requests_max: 65_536,
        transfer_limit_kib: 128,
        parts: Parts::Parallel,
        mirror_read: MirrorRead::ShortestQueue,
        cable_rule: CableRule::CableFree,
        device_choice: DeviceChoice::Alternate,
        mirror_write: MirrorWrite::Together,
        member_pieces: MemberPieces::PerStripe,
        transfer_mode_max: TransferMode::Udma(6),
        pio_block_sectors: 16,
        sources: Default::default(),
    }
}

/// PCI, 32 bits at 33 MHz.
pub fn pci_33() -> BusSpec {
    BusSpec {
        name: "PCI 33".into(),
        protocol: Protocol::Pci,
        width_bits: 32,
        clock_period_ps: 30_000,
        arbitration_clocks: 2,
        memory_write_wait_clocks: 1,
        memory_read_latency_ns: 300,
        latency_timer_clocks: 120,
        burst_limit_phases: 1024,
        competing_masters: Vec::new(),
        sources: Default::default(),
    }
}

/// PCI, 64 bits at 66 MHz: never in the way.
pub fn pci_66() -> BusSpec {
    BusSpec { width_bits: 64, clock_period_ps: 15_000, ..pci_33() }
}

/// A card of two cables by the standard's timing, all levels.
pub fn card() -> ControllerSpec {
    ControllerSpec {
        queueing: Queueing::Tcq,
        name: "card".into(),
        channels: 2,
        devices_per_channel: 2,
        raid_levels: vec![
            RaidLevelName::Raid0,
            RaidLevelName::Raid1,
            RaidLevelName::Raid01,
            RaidLevelName::Raid10,
            RaidLevelName::Jbod,
        ],
        stripe_members_max: 4,
        chip: ChipSpec::Standard,
        cables: vec![CableSpec::default(), CableSpec::default()],
        udma_mode_max: Some(6),
        mwdma_mode_max: Some(2),
        pio_mode_max: 4,
        fifo_bytes: 512,
        burst_overhead_ns: 500,
        clock_crossing_read_ns: 0,
        clock_crossing_write_ns: 0,
        descriptor_bytes: 4096,
        descriptor_fetch_bytes: 8,
        hot_spare: false,
        command_slots: 32,
        register_access_ns: 400,
        accesses_before: 6,
        accesses_after: 7,
        sources: Default::default(),
    }
}

/// The card without programmed accesses: only the cable's own registers cost anything.
pub fn quick_card() -> ControllerSpec {
    ControllerSpec { register_access_ns: 0, ..card() }
}

/// A card of serial links, one drive each.
pub fn serial_card(channels: u64) -> ControllerSpec {
    ControllerSpec {
        channels,
        devices_per_channel: 1,
        chip: ChipSpec::SataLinks(LinkSpec {
            generation: 1,
            frame_payload_bytes: 8192,
            handshake_dwords: 20,
        }),
        cables: Vec::new(),
        ..card()
    }
}

/// A drive in its place.
pub fn placed(id: &str, channel: u16, device: u8, model: &DriveSpec) -> DrivePlacement {
    DrivePlacement { id: id.into(), channel, device, model: model.clone() }
}

/// A load of one line.
pub fn line(block_bytes: u64, write_percent: u8, random_percent: u8, queue_depth: u32) -> WorkloadSpec {
    let line = Line::new(block_bytes, 100 - write_percent, random_percent);
    WorkloadSpec { queue_depth, ..WorkloadSpec::new(Access::Lines(vec![line])) }
}

/// A plain sequential stream.
pub fn stream(block_bytes: u64, write_percent: u8, queue_depth: u32) -> WorkloadSpec {
    let access = Access::Sequential(SequentialSpec { block_bytes, write_percent, step_bytes: 0 });
    WorkloadSpec { queue_depth, ..WorkloadSpec::new(access) }
}

/// One drive, plugged in alone, under a load.
pub fn single(drive: &DriveSpec, workload: WorkloadSpec) -> MachineSpec {
    array(Level::Single, 64, &[placed("a", 0, 0, drive)], workload)
}

/// An array over all the drives given.
pub fn array(
    level: Level,
    stripe_kib: u32,
    drives: &[DrivePlacement],
    workload: WorkloadSpec,
) -> MachineSpec {
    MachineSpec {
        host: instant_host(),
        driver: plain_driver(),
        bus: pci_66(),
        controller: quick_card(),
        drives: drives.to_vec(),
        array: ArraySpec {
            id: "array".into(),
            raid: RaidSpec { stripe_kib, reserved: Reserved::None, ..RaidSpec::new(level) },
            members: drives.iter().map(|drive| drive.id.clone()).collect(),
        },
        workload,
        pattern: None,
        playback: None,
    }
}

/// Ramp-up and recording in seconds.
pub fn length(ramp_s: f64, measure_s: f64) -> RunLength {
    RunLength { ramp: Span::from_s(ramp_s), measure: Span::from_s(measure_s) }
}

/// Builds and runs.
pub fn run(spec: &MachineSpec, seed: u64, length: RunLength) -> Measured {
    let machine = Machine::new(spec, seed).unwrap_or_else(|error| panic!("{error}"));
    machine.run(spec, length).unwrap_or_else(|fault| panic!("{fault}"))
}

/// All events of a run.
#[derive(Default)]
pub struct Log(pub Vec<(Instant, Event)>);

impl Observer<Event> for Log {
    fn on_event(&mut self, now: Instant, event: &Event) {
        self.0.push((now, *event));
    }
}

/// Builds, runs, and returns the events too.
pub fn run_logged(spec: &MachineSpec, seed: u64, length: RunLength) -> (Measured, Vec<(Instant, Event)>) {
    let mut log = Log::default();
    let machine = Machine::new(spec, seed).unwrap_or_else(|error| panic!("{error}"));
    let measured = machine.run_observed(spec, length, &mut log).unwrap_or_else(|fault| panic!("{fault}"));
    (measured, log.0)
}

/// The faults of a spec, as one text.
pub fn faults(spec: &impl Validate) -> String {
    let mut issues = Issues::new();
    spec.validate(&mut issues);
    if issues.is_empty() { String::new() } else { format!("{issues:?}") }
}

/// Mean over pairs of sectors drawn from all addresses alike of `of(distance in cylinders)`.
///
/// Cylinders are weighted by the addresses they hold; exact, in O(cylinders x zones).
pub fn lba_weighted_mean(drive: &DriveSpec, of: impl Fn(u32) -> f64) -> f64 {
    let geometry = Geometry::new(drive, drive.nominal_revolution());
    let mut held = vec![0.0; geometry.cylinders() as usize];
    let mut lba = 0;
    while lba < geometry.capacity() {
        let span = geometry.locate(lba);
        held[span.cylinder as usize] += f64::from(span.left);
        lba += u64::from(span.left);
    }
    // Runs of cylinders that hold the same: within and between runs, pairs by distance are trapezoids.
    let mut runs: Vec<(usize, usize, f64)> = Vec::new();
    for (cylinder, &sectors) in held.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.2 == sectors => run.1 = cylinder + 1,
            _ => runs.push((cylinder, cylinder + 1, sectors)),
        }
    }
    let mut pairs = vec![0.0; held.len()];
    for a in &runs {
        for b in &runs {
            if b.0 < a.0 {
                continue;
            }
            let weight = a.2 * b.2 * if a.0 == b.0 { 1.0 } else { 2.0 };
            let (la, lb) = ((a.1 - a.0) as i64, (b.1 - b.0) as i64);
            let offset = (b.0 - a.0) as i64;
            // Offsets within the runs differ by k with min(...) pairs.
            for k in -(la - 1)..lb {
                let count = (la.min(lb)).min(la + k).min(lb - k) as f64;
                pairs[(offset + k).unsigned_abs() as usize] += weight * count;
            }
        }
    }
    let total: f64 = pairs.iter().sum();
    pairs.iter().enumerate().map(|(d, weight)| weight * of(d as u32)).sum::<f64>() / total
}

/// Mean read or write seek between two addresses drawn alike, in ms.
pub fn mean_seek_ms(drive: &DriveSpec, write: bool) -> f64 {
    let table = SeekTable::new(drive, drive.cylinders());
    lba_weighted_mean(drive, |d| if write { table.write(d) } else { table.read(d) }.as_ms())
}
