//! Rates of streams: the medium's, the bus's.

use ataraid::bus::{BusTiming, Direction};
use ataraid::channel::TransferMode;
use ataraid::controller::DataPath;
use ataraid::drive::spec::SeekCurve;
use ataraid::drive::{DriveSpec, InterfaceSpec};
use ataraid::raid::Level;
use ataraid::units::{MIB, Rate, Span};

use crate::common::{self, array, length, maxtor, placed, run, serial_card, single, stream, with_read_ahead};

fn near(ours: f64, expected: f64, tolerance: f64, what: &str) {
    let off = ours / expected - 1.0;
    assert!(off.abs() <= tolerance, "{what}: {ours:.4} for {expected:.4}, {:+.3} %", 100.0 * off);
}

fn zone_start(drive: &DriveSpec, zone: usize) -> u64 {
    drive.zones[..zone].iter().map(|z| z.sectors(drive.heads)).sum()
}

/// MB/s of a stream of 64 KiB in a zone.
fn rate(drive: &DriveSpec, zone: usize, write_percent: u8) -> f64 {
    let mut spec = single(drive, stream(65_536, write_percent, 1));
    spec.workload.start_sector = zone_start(drive, zone);
    spec.workload.max_sectors =
        drive.zones[zone].sectors(drive.heads).min(drive.capacity_sectors - zone_start(drive, zone));
    run(&spec, 1, length(1.0, 15.0)).mib_s * MIB as f64 / 1e6
}

/// IBM's sustained rate: 512 S H / (H T + (H - 1) t_h + t_c), with the skews as switch times.
fn sustained(drive: &DriveSpec, zone: usize, head_wedges: f64, cylinder_wedges: f64) -> f64 {
    let turn_us = drive.nominal_revolution().as_us();
    let heads = f64::from(drive.heads);
    let switches = ((heads - 1.0) * head_wedges + cylinder_wedges) / 200.0 * turn_us;
    512.0 * f64::from(drive.zones[zone].spt) * heads / (heads * turn_us + switches)
}

#[test]
fn a_stream_runs_at_the_sustained_rate_of_its_zone() {
    let drive = with_read_ahead(maxtor());
    for zone in [0, 7, 15] {
        let expected = sustained(&drive, zone, 45.0, 36.0);
        near(rate(&drive, zone, 0), expected, 0.001, &format!("reads in zone {zone}"));
        near(rate(&drive, zone, 100), expected, 0.001, &format!("writes in zone {zone}"));
    }
    // As published for this drive.
    near(sustained(&drive, 0, 45.0, 36.0), 41.65, 0.001, "outer");
    near(sustained(&drive, 15, 45.0, 36.0), 22.49, 0.001, "inner");
}

#[test]
fn head_and_cylinder_switches_both_count() {
    let mut drive: DriveSpec = common::model("drives/maxtor-6l080j4.ron");
    common::plain_electronics(&mut drive);
    let drive = with_read_ahead(drive);
    let expected = sustained(&drive, 0, 45.0, 36.0);
    near(rate(&drive, 0, 0), expected, 0.001, "reads");
    near(rate(&drive, 0, 100), expected, 0.001, "writes");
    near(expected, 38.62 * MIB as f64 / 1e6, 0.001, "as predicted for four heads");
}

#[test]
fn the_75gxp_passes_its_own_throughput_test() {
    // Manual p. 28: 16.78 MB in 0.48 s (zone 0) and 0.95 s (zone 14), typical, which is 1.05 of the sum of overhead,
    // seek, half a turn and volume over rate.
    let mut drive: DriveSpec = common::model("drives/ibm-dtla-307030.ron");
    common::plain_electronics(&mut drive);
    let drive = with_read_ahead(drive);
    for (zone, typical_s) in [(0, 0.48), (drive.zones.len() - 1, 0.95)] {
        let seconds = 16_777_216.0 / 1e6 / rate(&drive, zone, 0) + 0.0128;
        near(seconds, typical_s / 1.05, 0.015, &format!("zone {zone}"));
    }
}

#[test]
fn a_switch_longer_than_the_skew_costs_a_whole_turn() {
    let turn_ms = maxtor().nominal_revolution().as_ms();
    let skew_ms = turn_ms * 36.0 / 200.0;
    let with_switch = |ms: f64| {
        let mut drive = with_read_ahead(maxtor());
        // The 6L020J1's curve written out, so that the time over one cylinder can be moved by itself.
        drive.seek = SeekCurve::Hpl {
            a_ms: 1.1468,
            b_ms: 0.053227,
            split_cylinders: 18_000,
            e_ms: 4.7174,
            f_ms: 1.98366e-4,
            single_ms: Some(ms),
            first_ms: Vec::new(),
        };
        drive.write_settle_sequential_ms = 0.25;
        drive
    };
    let bytes = 512.0 * 800.0 / 1000.0;
    for (switch_ms, read_turns, write_turns) in [
        (0.9, 0.0, 0.0),
        (1.2, 0.0, 0.0),
        (1.249, 0.0, 0.0),
        (1.251, 0.0, 1.0),
        (1.499, 0.0, 1.0),
        (1.501, 1.0, 1.0),
        (1.7, 1.0, 1.0),
    ] {
        let drive = with_switch(switch_ms);
        let expected = |turns: f64| bytes / (turn_ms + skew_ms + turns * turn_ms);
        near(rate(&drive, 0, 0), expected(read_turns), 0.002, &format!("reads, switch of {switch_ms} ms"));
        near(
            rate(&drive, 0, 100),
            expected(write_turns),
            0.002,
            &format!("writes, switch of {switch_ms} ms"),
        );
    }
}

#[test]
fn hits_run_at_the_rate_of_the_slowest_part_of_the_way() {
    // The same 64 KiB over and over come from the buffer.
    for (fast_cable, bus) in [(true, common::pci_33()), (false, common::pci_66())] {
        let mut drive = maxtor();
        drive.buffer_rate_mb_s = 600.0;
        let mut spec = single(&drive, stream(65_536, 0, 1));
        spec.workload.max_sectors = 128;
        spec.bus = bus;
        spec.controller.burst_overhead_ns = if fast_cable { 0 } else { 500 };
        spec.controller.fifo_bytes = 128;
        let measured = run(&spec, 1, length(0.5, 4.0));
        let bus = BusTiming::new(&spec.bus);
        let timing = spec.controller.timing(TransferMode::Udma(6));
        let path = DataPath::new(&spec.controller, timing, Rate::new(600, Span::from_us(1.0)), &bus);
        let train = path.train(65_536, false);
        if fast_cable {
            // 64 bytes: sixteen phases, address, wait, turnaround, and a 64th of a descriptor fetch of 15 clocks.
            assert_eq!(train.period.ps(), 19 * 30_000 + 15 * 30_000 * 64 / 4096 + 1);
        }
        let each = train.duration.as_ms() + 0.06 + 0.03 + 11.0 * 0.000_120;
        near(measured.iops, 1000.0 / each, 1e-3, "hits a second");
    }
}

#[test]
fn four_links_share_one_bus_and_fill_it() {
    let mut drive = maxtor();
    drive.interface = InterfaceSpec::Sata { generation: 1 };
    drive.buffer_rate_mb_s = 600.0;
    let drives: Vec<_> = (0..4).map(|n| placed(&format!("d{n}"), n, 0, &drive)).collect();
    let mut spec = array(Level::Raid0, 64, &drives, stream(262_144, 0, 8));
    spec.workload.max_sectors = 4 * 128;
    spec.controller = common::quick_card();
    spec.controller = ataraid::controller::ControllerSpec { register_access_ns: 0, ..serial_card(4) };
    spec.bus = common::pci_33();
    let measured = run(&spec, 1, length(0.5, 4.0));
    let bus = BusTiming::new(&spec.bus);
    let fetch = bus.transaction(8, Direction::MemoryRead).scale_up(256, 4096);
    let capacity = 256.0 / (bus.transaction(256, Direction::MemoryWrite) + fetch).as_us();
    let ours = measured.mib_s * MIB as f64 / 1e6;
    assert!(ours <= capacity * 1.0001, "{ours} of {capacity} MB/s");
    near(ours, capacity, 0.03, "the bus is full");
    assert!(measured.bus_utilisation > 0.97, "{}", measured.bus_utilisation);
}
