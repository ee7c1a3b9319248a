//! Random access: sums of means, and Little's law.

use ataraid::controller::ControllerSpec;
use ataraid::drive::spec::OverheadSpec;
use ataraid::drive::{Access, DriveSpec, Mechanics, Place, Spindle};
use ataraid::machine::MachineSpec;
use ataraid::raid::Level;
use ataraid::units::{Extent, Instant, Span};

use crate::common::{self, array, length, line, maxtor, mean_seek_ms, placed, run, single};

/// Mean over all addresses of `of(sectors per track)`, sectors drawn alike.
fn mean_over_sectors(drive: &DriveSpec, of: impl Fn(f64) -> f64) -> f64 {
    let mut left = drive.capacity_sectors;
    let mut sum = 0.0;
    for zone in &drive.zones {
        let sectors = zone.sectors(drive.heads).min(left);
        left -= sectors;
        sum += sectors as f64 * of(f64::from(zone.spt));
    }
    sum / drive.capacity_sectors as f64
}

fn near(ours: f64, expected: f64, tolerance: f64, what: &str) {
    let off = ours / expected - 1.0;
    assert!(off.abs() <= tolerance, "{what}: {ours:.4} for {expected:.4}, {:+.2} %", 100.0 * off);
}

/// The mechanical part of a random access of `sectors` sectors, in ms, from the arm's start to the end of the last.
fn mechanical_ms(drive: &DriveSpec, sectors: f64, write: bool) -> f64 {
    let turn_ms = drive.nominal_revolution().as_ms();
    // 36 of 200 wedges of skew at every end of a track.
    let skew_ms = turn_ms * 36.0 / 200.0;
    let media = mean_over_sectors(drive, |spt| turn_ms / spt * sectors + (sectors - 1.0) / spt * skew_ms);
    mean_seek_ms(drive, write) + turn_ms / 2.0 + media
}

#[test]
fn a_random_read_at_depth_1_takes_the_sum_of_its_parts() {
    let drive = maxtor();
    let mut spec = MachineSpec {
        host: common::slow_host(),
        controller: ControllerSpec { ..common::card() },
        bus: common::pci_33(),
        ..single(&drive, line(8192, 0, 100, 1))
    };
    spec.controller.register_access_ns = 400;
    let measured = run(&spec, 3, length(1.0, 250.0));
    let host = 0.025 + 0.020 + 6.0 * 0.0004 + 0.015 + 7.0 * 0.0004 + 0.026;
    // Standard timing: registers take 120 ns; eight before, three after.
    let registers = (8.0 + 3.0) * 0.000_120;
    let decode_and_complete = 0.20 + 0.03;
    // The check of the last sector, and its way over cable and bus: an eighth... a sixteenth of the transfer.
    let turn_ms = drive.nominal_revolution().as_ms();
    let check = mean_over_sectors(&drive, |spt| turn_ms / spt);
    let last = (32.0 * (2.56 + 0.5) + 0.06 + 2.01) / 16.0 / 1000.0;
    let expected = host + registers + decode_and_complete + mechanical_ms(&drive, 16.0, false) + check + last;
    near(measured.response_ms, expected, 0.005, "mean response");
    near(measured.iops, 1000.0 / expected, 0.005, "requests a second");
    // Random placement of 1500 to 4000 requests gave 76.7 a second for this drive.
    near(measured.iops, 76.7, 0.01, "76.7 a second");
}

#[test]
fn a_random_write_without_cache_takes_the_sum_of_its_parts() {
    let mut drive = maxtor();
    drive.write_cache.enabled = false;
    let spec = single(&drive, line(8192, 100, 100, 1));
    let measured = run(&spec, 3, length(1.0, 250.0));
    // The arm leaves when the command is decoded; data crosses meanwhile.
    let expected = 0.20 + 0.03 + 11.0 * 0.000_120 + mechanical_ms(&drive, 16.0, true);
    near(measured.response_ms, expected, 0.005, "mean response");
}

#[test]
fn the_data_sheet_figures_of_the_75gxp_come_out() {
    // IBM 75GXP manual p. 28, "typical" over 1.05: 12.79 ms for 4096 random reads of one sector, which the formula
    // A + B + C + 512/D + 512/E makes of 0.10 ms overhead and 8.5 ms seek.
    let mut drive: DriveSpec = common::model("drives/ibm-dtla-307030.ron");
    common::plain_electronics(&mut drive);
    drive.overhead = OverheadSpec { read_miss_ms: 0.07, ..drive.overhead };
    let measured = run(&single(&drive, line(512, 0, 100, 1)), 3, length(1.0, 300.0));
    // Over addresses seeks are shorter than over cylinders: the outer tracks hold more.
    let shorter = 8.5 - mean_seek_ms(&drive, false);
    assert!((0.05..0.4).contains(&shorter), "{shorter}");
    near(measured.response_ms, 12.79 - shorter, 0.005, "12.79 ms");
}

#[test]
fn zero_latency_access_has_its_mean() {
    let drive = maxtor();
    let turn = drive.nominal_revolution();
    let mechanics = Mechanics::with_spindle(&drive, Spindle::exact(turn, Span::ZERO));
    let spt = 800;
    for p in [0.25, 0.5, 1.0] {
        let sectors = (p * f64::from(spt)) as u32;
        let steps = 40_009;
        let (mut whole, mut plain) = (0.0, 0.0);
        for step in 0..steps {
            let at = Instant::from_ps(turn.ps() * step / steps + 12_345);
            let wanted = Extent::new(0, u64::from(sectors));
            let piece = mechanics.piece_zero_latency(Place::default(), at, wanted, Access::Read, false);
            whole += mechanics.reached_at(&piece, u64::from(sectors)).since(at).as_ms();
            let piece = mechanics.piece(Place::default(), at, 0, Access::Read, false);
            plain += mechanics.reached_at(&piece, u64::from(sectors)).since(at).as_ms();
        }
        let turns = |sum: f64| sum / steps as f64 / turn.as_ms();
        // It begins at a sector boundary: half a sector later on average if it arrives among the wanted ones.
        let expected = (1.0 - p) * (1.0 - p) / 2.0 + p * (1.0 - p) + p + p * 0.5 / f64::from(spt);
        near(turns(whole), expected, 2e-4, &format!("zero latency, {p}"));
        near(turns(plain), 0.5 + p, 2e-4, &format!("plain, {p}"));
    }
}

#[test]
fn response_times_rate_equals_the_queue_depth() {
    let drive = common::with_read_ahead(maxtor());
    let four: Vec<_> = (0..4).map(|n: u16| placed(&format!("d{n}"), n % 2, (n / 2) as u8, &drive)).collect();
    let mut machines = Vec::new();
    for depth in [1, 4, 16] {
        machines.push((single(&drive, line(8192, 0, 100, depth)), depth, 60.0));
        machines.push((single(&drive, line(8192, 50, 100, depth)), depth, 60.0));
        machines.push((array(Level::Raid0, 64, &four, line(65_536, 33, 80, depth)), depth, 40.0));
        machines.push((array(Level::Raid01, 64, &four, line(8192, 67, 100, depth)), depth, 60.0));
    }
    for (mut spec, depth, seconds) in machines {
        spec.host = common::slow_host();
        let measured = run(&spec, 9, length(1.0, seconds));
        let name = format!("{:?} at depth {depth}", spec.array.raid.level);
        near(measured.response_ms / 1000.0 * measured.iops, f64::from(depth), 0.005, &name);
    }
}
