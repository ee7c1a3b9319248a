//! Where the time of a request goes, added up by hand.

use ataraid::experiment::explain::{Breakdown, Stage};
use ataraid::machine::{Event, HostEvent, Machine, MachineSpec};
use ataraid::raid::Level;
use ataraid::units::{Instant, Span};

use crate::common::rig::exact_spec;
use crate::common::{self, array, length, placed, run_logged, single};
use crate::machine::{blocks, exact, hpt, ns, nth};

/// A run of `measure_s` seconds without ramp-up, looked at.
fn looked_at(spec: &MachineSpec, measure_s: f64) -> Breakdown {
    let mut breakdown = Breakdown::default();
    let machine = Machine::probed(spec, 1, &mut breakdown).expect("it can be built");
    machine.run(spec, length(0.0, measure_s)).expect("it runs");
    breakdown
}

#[test]
fn the_stages_of_a_read_are_its_parts_to_the_picosecond() {
    // 4 KiB at cylinder 5, its first sector at 7.5 ms.
    let mut spec = exact(blocks(4096, 0, 0, 1));
    spec.workload.start_sector = 500;
    let breakdown = looked_at(&spec, 0.0095);
    assert_eq!(breakdown.requests(), 1);
    // 25 us down and 26 us up; dispatch of 20 us, six accesses of 400 ns, eight register accesses of 540 ns.
    let command = Span::from_us(20.0) + ns(6 * 400) + ns(8 * 540);
    let accepted = Span::from_us(25.0) + command;
    let arrived = accepted + Span::from_ms(0.20 + 2.0);
    // Sixteen bursts of 256 bytes: 2.56 us out of the drive's buffer and a pause of 500 ns; the last one then crosses
    // the bus in 64 data phases and three clocks. On the bus each fetches a sixteenth of a descriptor (15 clocks) too.
    let transfer = (ns(2_560) + ns(500)) * 16 + ns(30 * 67) + ns(60);
    let on_bus = (ns(30 * 67) + Span::from_ps(15 * 30_000 / 16)) * 16;
    // The last of eight sectors is checked at 8.4 ms, when the other seven have crossed.
    let begun = Span::from_ms(8.4) - Span::from_ps(transfer.ps() / 8 * 7);
    let expected = [
        (Stage::Host, Span::from_us(25.0 + 26.0)),
        (Stage::Command, command),
        (Stage::DriveOverhead, Span::from_ms(0.20) + Span::from_ms(0.03)),
        (Stage::Seek, Span::from_ms(2.0)),
        (Stage::Rotation, Span::from_ms(7.5) - arrived),
        (Stage::Media, begun - Span::from_ms(7.5)),
        (Stage::BusWait, ns(60)),
        (Stage::BusTransfer, on_bus),
        (Stage::Controller, ns(500) * 16),
        (Stage::CableTransfer, transfer - ns(60) - on_bus - ns(500) * 16),
        (Stage::Interrupt, Span::from_us(15.0) + ns(7 * 400) + ns(3 * 540)),
    ];
    for stage in Stage::ALL {
        let span = expected.iter().find(|(of, _)| *of == stage).map_or(Span::ZERO, |(_, span)| *span);
        assert_eq!(breakdown.stages().of(stage), span, "{stage:?}");
    }
    assert_eq!(expected.iter().map(|(_, span)| *span).sum::<Span>(), breakdown.response());
}

/// Two drives on one cable, a request that needs both: the second part waits for the cable and is the one that counts.
#[test]
fn the_path_of_a_request_follows_the_part_that_ends_last() {
    let drives = [placed("a", 0, 0, &exact_spec()), placed("b", 0, 1, &exact_spec())];
    let mut spec = array(Level::Raid0, 4, &drives, blocks(8192, 0, 0, 1));
    (spec.controller, spec.host, spec.bus) = (hpt(), common::slow_host(), common::pci_33());
    const LENGTH_S: f64 = 0.0215;
    let breakdown = looked_at(&spec, LENGTH_S);
    assert_eq!(breakdown.requests(), 1);
    let (_, log) = run_logged(&spec, 1, length(0.0, LENGTH_S));
    let issued = nth(&log, 0, |e| matches!(e, Event::Host(HostEvent::Issued(_))));
    let first = nth(&log, 0, |e| matches!(e, Event::Host(HostEvent::Answered(_))));
    let returned = nth(&log, 0, |e| matches!(e, Event::Host(HostEvent::Returned(_))));
    assert_eq!(breakdown.stages().of(Stage::CableWait), first - issued, "until the first part is answered");
    assert_eq!(breakdown.response(), returned - Instant::ZERO);
    // One command of two is on the path: one decoding, one completion.
    assert_eq!(breakdown.stages().of(Stage::DriveOverhead), Span::from_ms(0.20) + Span::from_ms(0.03));
}

#[test]
fn a_cached_write_waits_for_room_and_one_without_cache_for_arm_and_platter() {
    let mut drive = exact_spec();
    drive.write_cache.entries_max = 1;
    let mut spec = single(&drive, blocks(4096, 100, 409_600, 1));
    spec.host = common::slow_host();
    let breakdown = looked_at(&spec, 0.2);
    let stages = breakdown.stages();
    assert!(stages.of(Stage::CacheWait) > breakdown.response() / 2, "{stages:?}");
    for stage in [Stage::Seek, Stage::Rotation, Stage::Media, Stage::MechanismWait] {
        assert_eq!(stages.of(stage), Span::ZERO, "a cached write needs no mechanism: {stage:?}");
    }
    spec.drives[0].model.write_cache.enabled = false;
    let breakdown = looked_at(&spec, 0.2);
    let stages = breakdown.stages();
    assert_eq!(stages.of(Stage::CacheWait), Span::ZERO);
    assert!(stages.of(Stage::Rotation) + stages.of(Stage::Seek) > breakdown.response() / 2, "{stages:?}");
    // Eight sectors of 0.1 ms each.
    assert_eq!(stages.of(Stage::Media), Span::from_ms(0.8) * breakdown.requests());
}

/// A mirror written over two channels: what the other channel's bursts cost is bus wait, and nothing else is changed.
#[test]
fn a_transfer_that_shares_the_bus_waits_for_it() {
    let drives = [placed("a", 0, 0, &exact_spec()), placed("b", 1, 0, &exact_spec())];
    let mut spec = array(Level::Raid1, 64, &drives, blocks(32_768, 100, 0, 1));
    (spec.bus, spec.driver.transfer_limit_kib) = (common::pci_33(), 64);
    let shared = looked_at(&spec, 0.002);
    spec.array.raid.level = Level::Single;
    spec.array.members.truncate(1);
    let alone = looked_at(&spec, 0.002);
    let each = |breakdown: &Breakdown, stage| breakdown.stages().of(stage) / breakdown.requests();
    assert_eq!(each(&alone, Stage::BusWait), ns(60), "arbitration");
    assert!(each(&shared, Stage::BusWait) > Span::from_us(100.0), "{:?}", shared.stages());
    for stage in [Stage::BusTransfer, Stage::Controller, Stage::CableTransfer] {
        assert_eq!(each(&shared, stage), each(&alone, stage), "{stage:?}");
    }
}
