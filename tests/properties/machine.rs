//! Whole machines, put together at random.

use std::collections::{BTreeMap, BTreeSet};

use ataraid::bus::{BusSpec, CompetingMaster, Protocol};
use ataraid::channel::{CableSpec, TransferMode};
use ataraid::controller::{ControllerSpec, Queueing};
use ataraid::drive::{DriveEvent, DriveSpec, InterfaceSpec};
use ataraid::host::{
    CableRule, DeviceChoice, DriverSpec, HostSpec, InFlight, MemberPieces, MirrorRead, MirrorWrite, Parts,
    Sort,
};
use ataraid::machine::{CableEvent, DrivePlacement, Event, HostEvent, Machine, MachineSpec, Measured};
use ataraid::raid::{Level, Reserved};
use ataraid::units::{Instant, Span};
use ataraid::workload::iometer::Line;
use ataraid::workload::{Access, ThinkTime, WorkloadSpec};
use proptest::prelude::*;

use crate::common::{self, array, length, placed, run, run_logged};
use crate::drive::drive_of;

fn level() -> impl Strategy<Value = (Level, usize)> {
    prop_oneof![
        2 => Just((Level::Single, 1)),
        3 => (2_usize..=4).prop_map(|members| (Level::Raid0, members)),
        1 => Just((Level::Raid1, 2)),
        1 => Just((Level::Raid01, 4)),
        1 => Just((Level::Raid10, 4)),
        1 => (2_usize..=4).prop_map(|members| (Level::Jbod, members)),
    ]
}

prop_compose! {
    fn driver()(
        in_flight in prop_oneof![
            (1_u64..40).prop_map(InFlight::Array), Just(InFlight::Channel), Just(InFlight::Drive),
        ],
        sort in prop_oneof![Just(Sort::Fifo), Just(Sort::Scan), Just(Sort::OneWay), Just(Sort::Nearest)],
        window in prop_oneof![1_u64..8, Just(65_536)],
        outstanding_requests_max in prop_oneof![1_u64..32, Just(65_536)],
        limit in 0_u32..6,
        parallel: bool,
        mirror_read in prop_oneof![
            Just(MirrorRead::Primary), Just(MirrorRead::Alternate), Just(MirrorRead::Nearest),
            Just(MirrorRead::ShortestQueue),
        ],
        cable_rule in prop_oneof![
            Just(CableRule::CableFree), Just(CableRule::ReadsWaitForMate), Just(CableRule::AllWaitForMate),
            Just(CableRule::DeviceChangeWaits), Just(CableRule::ReadsAndDeviceChangesWait),
        ],
        device_choice in prop_oneof![Just(DeviceChoice::Alternate), Just(DeviceChoice::Nearest)],
        mirror_write in prop_oneof![Just(MirrorWrite::Together), Just(MirrorWrite::InTurn)],
        member_pieces in prop_oneof![Just(MemberPieces::PerStripe), Just(MemberPieces::Joined)],
        transfer_mode_max in prop_oneof![
            6 => Just(TransferMode::Udma(6)), 1 => (0_u8..=2).prop_map(TransferMode::Mwdma),
            1 => (0_u8..=4).prop_map(TransferMode::Pio),
        ],
    ) -> DriverSpec {
        DriverSpec {
            in_flight, sort, window_array_requests: window, window_single_requests: window,
            outstanding_requests_max, transfer_limit_kib: 4 << limit,
            parts: if parallel { Parts::Parallel } else { Parts::Serial },
            mirror_read, mirror_write, cable_rule, device_choice, member_pieces, transfer_mode_max, ..common::plain_driver()
        }
    }
}

prop_compose! {
    fn workload()(
        sizes in prop::collection::vec(1_u64..200, 1..3), read_percent in 0_u8..=100, random_percent in 0_u8..=100,
        delay_ms in prop_oneof![5 => Just(0_u32), 1 => 1_u32..20], burst in 1_u32..4,
        queue_depth in prop_oneof![1_u32..4, 1_u32..33], workers in 1_u32..4,
        think in prop_oneof![
            5 => Just(ThinkTime::None), 1 => (0.0_f64..20.0).prop_map(ThinkTime::FixedMs),
            1 => (0.0_f64..20.0).prop_map(ThinkTime::ExponentialMs),
        ],
    ) -> WorkloadSpec {
        let count = sizes.len() as u8;
        let lines = sizes.iter().enumerate().map(|(n, &sectors)| Line {
            share_percent: if n == 0 { 100 - (count - 1) * 30 } else { 30 },
            delay_ms, burst, ..Line::new(512 * sectors, read_percent, random_percent)
        });
        WorkloadSpec { queue_depth, workers, think, ..WorkloadSpec::new(Access::Lines(lines.collect())) }
    }
}

prop_compose! {
    fn bus()(
        split: bool, wide: bool, fast: bool, latency in 0_u64..600, timer in 8_u64..255, limit in 1_u64..200,
        masters in prop::collection::vec((4_u64..4096, 0.0_f64..300.0), 0..3),
    ) -> BusSpec {
        BusSpec {
            protocol: if split { Protocol::PciX } else { Protocol::Pci },
            width_bits: if wide { 64 } else { 32 },
            clock_period_ps: if fast { 15_000 } else { 30_000 },
            memory_read_latency_ns: latency, latency_timer_clocks: timer, burst_limit_phases: limit,
            competing_masters: masters.into_iter().map(|(burst_bytes, rate_mb_s)| CompetingMaster {
                name: "other".into(), burst_bytes, rate_mb_s,
            }).collect(),
            ..common::pci_33()
        }
    }
}

prop_compose! {
    fn card()(
        serial in prop::bool::weighted(0.2), conductors in prop_oneof![Just(40_u64), Just(80)],
        udma in prop_oneof![4 => (0_u8..=6).prop_map(Some), 1 => Just(None)],
        fifo_bytes in 16_u64..2000, burst_overhead_ns in 0_u64..2000, crossing in 0_u64..1000, access in 0_u64..1000,
        queueing in prop_oneof![3 => Just(Queueing::Tcq), 1 => Just(Queueing::Off), 1 => Just(Queueing::Ncq)],
    ) -> ControllerSpec {
        let base = if serial { common::serial_card(4) } else { common::card() };
        ControllerSpec {
            cables: if serial { Vec::new() } else { vec![CableSpec { conductors }, CableSpec::default()] },
            udma_mode_max: udma, fifo_bytes, burst_overhead_ns, clock_crossing_read_ns: crossing,
            register_access_ns: access, queueing, ..base
        }
    }
}

fn host() -> impl Strategy<Value = HostSpec> {
    prop_oneof![Just(common::instant_host()), Just(common::slow_host())]
}

prop_compose! {
    pub fn machine()(
        (level, members) in level(), stripe in 2_u32..8, drives in prop::collection::vec(drive_of(), 4),
        order in Just((0..4_usize).collect::<Vec<_>>()).prop_shuffle(), driver in driver(), bus in bus(),
        card in card(), host in host(), workload in workload(), highpoint: bool,
    ) -> MachineSpec {
        let place = |n: usize| -> DrivePlacement {
            let mut model: DriveSpec = drives[n].clone();
            if card.serial() {
                model.interface = InterfaceSpec::Sata { generation: 1 };
            }
            let position = order[n];
            let (channel, device) =
                if card.serial() { (position as u16, 0) } else { (position as u16 / 2, position as u8 % 2) };
            placed(&format!("d{n}"), channel, device, &model)
        };
        let drives: Vec<DrivePlacement> = (0..members).map(place).collect();
        let mut spec = array(level, 1 << stripe, &drives, workload);
        if highpoint {
            spec.array.raid.reserved = Reserved::HighPointV2;
        }
        (spec.driver, spec.bus, spec.controller, spec.host) = (driver, bus, card, host);
        spec
    }
}

/// Follows the events and checks that every request and command goes its way once.
fn check_log(spec: &MachineSpec, log: &[(Instant, Event)]) {
    let mut issued = 0_u64;
    let mut returned = 0_u64;
    let slots = u64::from(spec.workload.queue_depth * spec.workload.workers);
    // By command: the drive that has it, by channel: whose data is crossing.
    let mut given: BTreeMap<u32, &str> = BTreeMap::new();
    let mut crossed: BTreeSet<u32> = BTreeSet::new();
    let mut last = Instant::ZERO;
    for &(now, event) in log {
        assert!(now >= last, "time runs forward");
        last = now;
        match event {
            Event::Host(HostEvent::Issued(_)) => issued += 1,
            Event::Host(HostEvent::Returned(_)) => {
                returned += 1;
                assert!(returned <= issued);
            }
            Event::Cable(_, CableEvent::Accepted(id)) => {
                assert_eq!(given.insert(id.0, "given"), None, "{id:?} was given twice");
            }
            Event::Drive(_, DriveEvent::Ready(id)) => {
                assert_eq!(given.insert(id.0, "ready"), Some("given"), "{id:?}");
            }
            Event::Drive(_, DriveEvent::Complete(id)) => {
                assert_eq!(given.insert(id.0, "complete"), Some("ready"), "{id:?}");
                assert!(crossed.insert(id.0));
            }
            Event::Host(HostEvent::Answered(id)) => {
                assert_eq!(given.remove(&id.0), Some("complete"), "{id:?}");
                crossed.remove(&id.0);
            }
            _ => {}
        }
        assert!(issued - returned <= slots, "{issued} issued, {returned} returned, {slots} slots");
    }
}

fn check_measured(spec: &MachineSpec, measured: &Measured, end: Instant) {
    let cables = measured.cable_utilisation.iter().map(|&share| ("cable", share));
    for (what, share) in
        [("cpu", measured.cpu_utilisation), ("bus", measured.bus_utilisation)].into_iter().chain(cables)
    {
        assert!((0.0..=1.0).contains(&share), "{what}: {share}");
    }
    assert!(measured.iops.is_finite() && measured.mib_s.is_finite());
    assert!(measured.requests <= measured.requests_total);
    assert!(measured.response_ms <= measured.response_max_ms * (1.0 + 1e-9));
    assert!(measured.response_p50_ms <= measured.response_p99_ms);
    for drive in &measured.drives {
        // The end of an operation is counted when it begins.
        assert!(drive.counters.mechanism_busy <= end.since(Instant::ZERO) + Span::from_ms(250.0));
        assert!((0.0..=1.0).contains(&drive.mechanism_utilisation), "{}", drive.mechanism_utilisation);
    }
    if spec.array.raid.level == Level::Single {
        let bytes = measured.mib_s * measured.measured_s * f64::from(1 << 20);
        assert!((bytes / 512.0).round() >= measured.requests as f64 * 0.999);
    }
}

proptest! {
    #![proptest_config(common::cases(80))]

    #[test]
    fn a_machine_serves_any_load(spec in machine(), seed: u64, ramp_ms in 0_u32..40) {
        let length = length(f64::from(ramp_ms) / 1e3, 0.15);
        match Machine::new(&spec, seed) {
            // A request larger than a tiny array is refused, not run.
            Err(error) => prop_assert!(error.to_string().contains("does not fit"), "{error}"),
            Ok(_) => {
                let (measured, log) = run_logged(&spec, seed, length);
                check_log(&spec, &log);
                check_measured(&spec, &measured, log.last().expect("events").0);
                prop_assert_eq!(measured, run(&spec, seed, length));
            }
        }
    }
}

/// RAID 0 of two small drives under requests of `kib` KiB one at a time, the second drive on cable `channel`.
fn on_cables(kib: u64, write_percent: u8, random_percent: u8, second: u16) -> Measured {
    let drive = common::with_read_ahead(common::small_drive());
    let drives = [placed("a", 0, 0, &drive), placed("b", second, 1 - second as u8, &drive)];
    let mut spec =
        array(Level::Raid0, 16, &drives, common::line(1024 * kib, write_percent, random_percent, 1));
    spec.host = common::slow_host();
    spec.driver.cable_rule = CableRule::ReadsWaitForMate;
    run(&spec, 5, length(1.0, if random_percent == 0 { 4.0 } else { 60.0 }))
}

#[test]
fn two_cables_are_never_slower_than_one() {
    for kib in [1, 8, 64] {
        for write_percent in [0, 50, 100] {
            for random_percent in [0, 100] {
                let [one, two] = [0, 1].map(|second| on_cables(kib, write_percent, random_percent, second));
                let ratio = two.iops / one.iops;
                assert!(ratio >= 0.99, "{kib} KiB, {write_percent}/{random_percent}: {ratio}");
            }
        }
    }
}
