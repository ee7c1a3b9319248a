//! A drive that is simulated, measured as benchmarks do, and built again from the measurements.

use super::readings::{AccessReading, Place, RateReading};
use super::*;
use crate::config::{Provenance, Source, parse};
use crate::drive::DriveSpec;
use crate::drive::summary::DriveSummary;
use crate::replay::{Mode, Outcome, System, run};
use crate::sim::Streams;
use crate::units::Extent;
use crate::workload::trace::TraceRequest;
use rand::RngExt;
use std::convert::Infallible;

/// Two heads, four zones, 1.5 GB.
fn truth() -> DriveSpec {
    let text = r#"(
        name: "measured", capacity_sectors: 3141000, heads: 2, rpm: 7200, rpm_tolerance: 0.0,
        zones: [(cylinders: 800, spt: 600), (cylinders: 1000, spt: 520), (cylinders: 700, spt: 440),
            (cylinders: 700, spt: 380)],
        skew: Time(head_ms: 1.65, cylinder_ms: 1.65),
        seek: Hpl(a_ms: 0.9, b_ms: 0.15, split_cylinders: 900, e_ms: 3.15, f_ms: 0.0025),
        interface: Ata(udma_mode_max: 5, mwdma_mode_max: 2, pio_mode_max: 4),
        buffer: (read_ahead: Adaptive(minimum_kib: 0, maximum_kib: 512)),
    )"#;
    parse(&Source::new("truth", text)).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// The outcomes of reads one after another.
fn read(spec: &DriveSpec, extents: impl Iterator<Item = Extent>) -> Vec<Outcome> {
    let request = |(number, extent)| TraceRequest {
        at: None,
        device: 0,
        write: false,
        extent,
        measured: None,
        think: None,
        line: number,
    };
    let source = (1..).zip(extents).map(request).map(Ok::<_, Infallible>);
    let mut outcomes = Vec::new();
    let system = System::single(spec.clone());
    run(&system, 1, source, Mode::Closed, |outcome| outcomes.push(outcome)).unwrap();
    outcomes
}

/// The rate of 16 MiB read in blocks of 64 KiB from each of `places` places on, once the read-ahead is under way.
fn measured_rates(spec: &DriveSpec, places: u64) -> Vec<RateReading> {
    const BLOCK: u64 = 128;
    const BLOCKS: u64 = 256;
    const SKIPPED: usize = 16;
    let of_place = |place: u64| {
        let first = (spec.capacity_sectors - BLOCK * BLOCKS) * place / (places - 1);
        let outcomes = read(spec, (0..BLOCKS).map(|block| Extent::new(first + block * BLOCK, BLOCK)));
        let time = outcomes[outcomes.len() - 1].completed.since(outcomes[SKIPPED].completed);
        let blocks = BLOCKS - 1 - SKIPPED as u64;
        RateReading { lba: first as f64, mb_s: (blocks * BLOCK * 512) as f64 / time.as_us() }
    };
    (0..places).map(of_place).collect()
}

/// One-sector reads at random places.
fn measured_accesses(spec: &DriveSpec, count: u64) -> Vec<AccessReading> {
    let mut random = Streams::new(1).stream("test", "places");
    let places: Vec<u64> = (0..count).map(|_| random.random_range(0..spec.capacity_sectors)).collect();
    let outcomes = read(spec, places.iter().map(|&lba| Extent::new(lba, 1)));
    let reading = |outcome: &Outcome| AccessReading {
        ms: outcome.response().as_ms(),
        place: Place::Lba(outcome.request.extent.lba as f64),
    };
    outcomes.iter().map(reading).collect()
}

fn known(rates: Rates) -> Known {
    let printed = |text: &str| text.parse::<Printed>().unwrap();
    let given = || Provenance::Datasheet("given".to_owned());
    Known {
        name: "measured".to_owned(),
        capacity_sectors: Sourced { value: 3_141_000, source: given() },
        heads: 2,
        rpm: Sourced { value: 7200, source: given() },
        rates,
        seeks: Seeks::Printed([printed("1.0"), printed("5.0"), printed("10")]),
        write_average_ms: None,
        head_switch_ms: Some(printed("1.2")),
        overhead_ms: Some(printed("0.23")),
        buffer_kib: None,
        interface: None,
    }
}

#[test]
fn zones_and_rates_of_a_simulated_drive_are_recovered_within_their_intervals() {
    let truth = truth();
    let stairs = staircase(&measured_rates(&truth, 80));
    let summary = DriveSummary::new(&truth);
    assert_eq!(stairs.levels.len(), summary.zones.len(), "{stairs:?}");
    for (level, zone) in stairs.levels.iter().zip(&summary.zones) {
        // A reading of 16 MiB holds one switch more or less than its share: 1 in 300 of its time.
        let alignment = 0.005 * zone.sustained_mb_s;
        let off = (level.mb_s - zone.sustained_mb_s).abs();
        assert!(off <= level.half_mb_s + alignment, "zone {}: {level:?} {zone:?}", zone.zone);
        // A reading that begins before a border may end behind it.
        let apart = (level.first_lba - zone.first_lba as f64).abs();
        assert!(apart <= level.first_half + 32_768.0, "zone {}: {level:?} {zone:?}", zone.zone);
    }
    let spec = known(Rates::Staircase(stairs)).model().unwrap();
    assert_eq!(crate::drive::spec::unsourced_figures(&spec), Vec::<String>::new());
    for (ours, theirs) in spec.zones.iter().zip(&truth.zones) {
        assert!((f64::from(ours.spt) / f64::from(theirs.spt) - 1.0).abs() < 0.01, "{ours:?} {theirs:?}");
        assert!(ours.cylinders.abs_diff(theirs.cylinders) < 60, "{ours:?} {theirs:?}");
    }
}

/// Whether the three figures of a fit hold those of the true drive, with so much more room in ms.
fn holds(fit: &SeekFit, summary: &DriveSummary, room_ms: f64) {
    for (found, wanted) in [
        (fit.single, summary.seek_single_ms),
        (fit.average, summary.seek_average_cylinder_weighted_ms),
        (fit.full, summary.seek_full_ms),
    ] {
        assert!((found.value - wanted).abs() <= found.half + room_ms, "{found:?} for {wanted}: {fit:?}");
    }
}

#[test]
fn seeks_and_speed_of_a_simulated_drive_are_recovered_from_its_access_times() {
    let truth = truth();
    let summary = DriveSummary::new(&truth);
    let readings = measured_accesses(&truth, 3000);
    let rates = Rates::Staircase(staircase(&measured_rates(&truth, 80)));
    let mut placed = known(rates.clone());
    placed.rpm.value = 5400;
    placed.fit_accesses(&readings, true).unwrap();
    assert_eq!(placed.rpm.value, 7200, "{:?}", placed.rpm);
    let Seeks::Fitted(fit) = &placed.seeks else { panic!("no fit") };
    holds(fit, &summary, 0.1);
    let spec = placed.model().unwrap();
    assert_eq!(crate::drive::spec::unsourced_figures(&spec), Vec::<String>::new());
    // Without places the distribution alone must do.
    let bare: Vec<AccessReading> =
        readings.iter().map(|reading| AccessReading { place: Place::Unknown, ..*reading }).collect();
    let mut unplaced = known(rates);
    unplaced.fit_accesses(&bare, false).unwrap();
    let Seeks::Fitted(fit) = &unplaced.seeks else { panic!("no fit") };
    holds(fit, &summary, 0.3);
    unplaced.model().unwrap();
    // A speed that is stated wrongly is told: as a doubt, or where no seek is left, with the turn that they show.
    for (rpm, part) in [(10_000, "at 10000 rpm a turn takes 6 ms"), (3600, "turns in 8.")] {
        let mut wrong = known(Rates::Edges {
            outer_mb_s: "20".parse().unwrap(),
            inner_mb_s: "15".parse().unwrap(),
            zones: None,
        });
        wrong.rpm.value = rpm;
        let told = match wrong.fit_accesses(&readings, false) {
            Ok(()) => wrong.doubts().join(" "),
            Err(faults) => faults.to_string(),
        };
        assert!(told.contains(part) && told.contains("scatter as on a drive"), "{told}");
    }
    // The speed that is to be found cannot be checked.
    let short = vec![AccessReading { ms: 0.3, place: Place::Cylinders(7.0) }; 50];
    let told = unplaced.clone().fit_accesses(&short, true).unwrap_err().to_string();
    assert!(!told.contains("check --rpm"), "{told}");
    let told = unplaced.fit_accesses(&bare, true).unwrap_err().to_string();
    assert!(told.contains("the speed of the spindle cannot be told") && told.contains("--rpm"), "{told}");
}

#[test]
fn access_times_that_hold_no_seek_are_refused() {
    let mut known = known(Rates::Staircase(staircase(&measured_rates(&truth(), 20))));
    let all = |ms: f64, place: fn(usize) -> Place| -> Vec<AccessReading> {
        (0..50).map(|at| AccessReading { ms, place: place(at) }).collect()
    };
    for readings in [all(0.3, |_| Place::Unknown), all(0.3, |at| Place::Cylinders(at as f64 + 1.0))] {
        let told = known.fit_accesses(&readings, false).unwrap_err().to_string();
        assert!(told.contains("hold no turn of 8.333 ms") && told.contains("help: check"), "{told}");
    }
    let told = known.fit_accesses(&all(9.0, |_| Place::Cylinders(0.0)), false).unwrap_err().to_string();
    assert!(told.contains("0 accesses seek"), "{told}");
}
