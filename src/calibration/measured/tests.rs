//! A drive whose parameters are known makes a trace; what is read out of it must be what it was made with.

use super::*;
use crate::config::Provenance;
use crate::drive::spec::{SectorSkew, SeekCurve, SkewSpec};
use crate::drive::{Access, DriveSpec, Mechanics, Place, SeekTable, Spindle, spec};
use crate::replay::{Mode, System, run};
use crate::sim::Streams;
use crate::stats::wrapped;
use crate::units::{Extent, Instant, Span};
use crate::workload::trace::TraceRequest;
use rand::RngExt;

mod unlisted;

/// A drive of two zones on three heads.
fn known() -> DriveSpec {
    let zone = |spt| spec::ZoneSpec { cylinders: 400, spt, ..Default::default() };
    let sectors = |head, cylinder| SectorSkew { head, cylinder };
    DriveSpec {
        capacity_sectors: 800 * 3 * 100,
        heads: 3,
        zones: vec![zone(120), zone(100)],
        skew: SkewSpec::Sectors(vec![sectors(17, 31), sectors(14, 26)]),
        rpm: 7200,
        ..spec::sample()
    }
}

/// Reads at random places, some near the one before, as a drive like `model` serves them that turns once in `turn`.
fn reads(model: &DriveSpec, turn: Span, count: usize, seed: u64) -> Vec<Observed> {
    let mechanics = Mechanics::with_spindle(model, Spindle::exact(turn, Span::from_ms(1.0)));
    let mut random = Streams::new(seed).stream("trace", "reads");
    let mut place = Place::default();
    let (mut now, mut lba) = (Instant::ZERO, 0);
    let mut observed = Vec::new();
    for _ in 0..count {
        let sectors = random.random_range(1..16);
        lba = match random.random_range(0..3) {
            0 => (lba + random.random_range(16..400)).min(model.capacity_sectors - 16),
            _ => random.random_range(0..model.capacity_sectors - 16),
        };
        now += Span::from_ms(random.random_range(5.0..40.0));
        let issued = now;
        let extent = Extent { lba, sectors };
        let mut piece = mechanics.piece(place, now + Span::from_ms(0.3), lba, Access::Read, false);
        while piece.lba + u64::from(piece.sectors) < extent.end() {
            piece = mechanics.following(&piece, Access::Read);
        }
        place = piece.place;
        now = mechanics.reached_at(&piece, extent.end()) + Span::from_ms(random.random_range(0.1..0.2));
        let ms = |at: Instant| at.since(Instant::ZERO).as_ms();
        observed.push(Observed {
            line: 1,
            write: false,
            extent,
            issued_ms: ms(issued),
            completed_ms: ms(now),
        });
    }
    observed
}

#[test]
fn the_time_of_a_turn_is_found_to_a_few_millionths() {
    let model = known();
    let nominal_ms = model.nominal_revolution().as_ms();
    for (seed, off) in [(1, -0.0041), (2, 0.0), (3, 0.0026)] {
        let turn = Span::from_ms(nominal_ms * (1.0 + off));
        let surface = Surface::new(&model);
        let observed = reads(&model, turn, 1500, seed);
        let anchors: Vec<Anchor> =
            observed.iter().map(|o| surface.anchor(o, Landmark::End { sector_ms: 0.0 })).collect();
        let clock = revolution(&anchors, nominal_ms, APART_LAST_MS).unwrap();
        assert!((clock.turn_ms / turn.as_ms() - 1.0).abs() < 2e-5, "seed {seed}: {clock:?}");
        assert!(clock.resultant > 0.95, "seed {seed}: {clock:?}");
    }
}

#[test]
fn skews_of_a_wrong_model_are_put_right() {
    let truth = known();
    let sectors = |head, cylinder| SectorSkew { head, cylinder };
    let wrong = DriveSpec { skew: SkewSpec::Sectors(vec![sectors(16, 36), sectors(14, 23)]), ..known() };
    let turn = truth.nominal_revolution();
    let surface = Surface::new(&wrong);
    let observed = reads(&truth, turn, 2500, 5);
    let anchors: Vec<Anchor> =
        observed.iter().map(|o| surface.anchor(o, Landmark::End { sector_ms: 0.0 })).collect();
    let fits = skews(&[anchors], 2, turn.as_ms(), 1);
    // From the first track of a cylinder to that of the next: two changes of head and one of the cylinder.
    for (fit, (head, cylinder, spt)) in fits.iter().zip([(1.0, 2.0 - 5.0, 120.0), (0.0, 3.0, 100.0)]) {
        assert!((fit.head * spt - head).abs() < 0.1, "{fit:?}");
        assert!((fit.cylinder * spt - cylinder).abs() < 0.05, "{fit:?}");
        assert!(fit.resultant > 0.98 && fit.resultant_before < 0.5, "{fit:?}");
    }
}

/// A drive with a front end whose figures the fit is to find.
fn served() -> DriveSpec {
    let scsi = spec::ScsiSpec { block_ms: 0.09, write_block_ms: Some(0.11), ..Default::default() };
    let fast = spec::ScsiSpec { fast_write: spec::FastWrite::Appending, ..scsi };
    DriveSpec {
        interface: spec::InterfaceSpec::Scsi(fast),
        overhead: spec::OverheadSpec {
            read_hit_ms: 0.3,
            read_hit_after_write_ms: Some(0.35),
            read_miss_ms: 0.7,
            read_miss_after_write_ms: Some(0.8),
            write_hit_ms: 0.5,
            write_hit_after_write_ms: Some(0.4),
            write_miss_ms: 0.5,
            write_miss_after_write_ms: Some(0.4),
            completion_ms: 0.0,
        },
        turn_ms: Some(8.31),
        rpm_tolerance: 0.0,
        head_switch_ms: 0.8,
        ..known()
    }
}

/// A fit that takes no longer than a test may.
fn quick() -> Options {
    Options { rounds: 2, evaluations: 12, ..Options::default() }
}

/// What `model` makes of a mix like that of the published traces, as a measured trace.
fn trace(model: &DriveSpec, count: usize, seed: u64) -> Vec<TraceRequest> {
    let mut random = Streams::new(seed).stream("trace", "mix");
    let mut lba = 0;
    let mut requests = Vec::new();
    for line in 1..=count as u64 {
        let sectors = [4, 8, 8, 12, 16][random.random_range(0..5)];
        lba = match random.random_range(0..10) {
            0..3 => lba,
            3..5 => (lba + random.random_range(0..300)).min(model.capacity_sectors - 64),
            _ => random.random_range(0..model.capacity_sectors - 64),
        };
        let extent = Extent::new(lba, sectors);
        lba = (lba + sectors).min(model.capacity_sectors - 64);
        let think = Some(Span::from_ms(random.random_range(15.0..50.0)));
        let write = random.random_range(0..3) == 0;
        requests.push(TraceRequest { at: None, device: 0, write, extent, measured: None, think, line });
    }
    let mut measured = Vec::new();
    let source = requests.iter().copied().map(Ok::<_, std::convert::Infallible>);
    run(&System::single(model.clone()), 3, source, Mode::Closed, |outcome| {
        measured.push(TraceRequest { measured: Some(outcome.response()), ..outcome.request });
    })
    .expect("the drive serves its trace");
    measured
}

#[test]
fn a_drive_is_found_again_from_its_trace() {
    let truth = served();
    let start = DriveSpec {
        turn_ms: None,
        overhead: spec::OverheadSpec {
            read_hit_ms: 0.5,
            write_hit_ms: 0.9,
            read_miss_ms: 0.2,
            ..truth.overhead
        },
        interface: spec::InterfaceSpec::Scsi(spec::ScsiSpec {
            block_ms: 0.12,
            write_block_ms: None,
            fast_write: spec::FastWrite::Appending,
            ..Default::default()
        }),
        ..truth.clone()
    };
    let requests = trace(&truth, 2400, 11);
    let (first, second) = requests.split_at(1600);
    let mut stages = Vec::new();
    let fitted = fit(&start, first, &quick(), |stage| stages.push(stage)).unwrap();
    assert!(stages.windows(2).all(|pair| pair[1].done == pair[0].done + 1), "{stages:?}");
    assert!(stages.last().is_some_and(|last| last.done == last.of), "{stages:?}");
    assert_eq!(fitted.pause, Pause::After);
    assert!(
        (fitted.spec.nominal_revolution().as_ms() / 8.31 - 1.0).abs() < 2e-5,
        "{:?}",
        fitted.spec.turn_ms
    );
    for (field, value) in
        [("overhead.read_hit_ms", 0.3), ("overhead.write_hit_ms", 0.5), ("interface.write_block_ms", 0.11)]
    {
        let found = fitted.figures.iter().find(|figure| figure.field == field).expect(field);
        let (low, high) = found.interval;
        assert!(low - 0.005 <= value && value <= high + 0.005, "{found:?}");
    }
    // What single requests bound only is known less closely.
    let table = SeekTable::new(&truth, truth.cylinders());
    let mut told = 0;
    for figure in &fitted.figures {
        let value = match (figure.field, figure.cylinders) {
            ("overhead.read_miss_ms", None) => 0.7,
            ("overhead.read_miss_after_write_ms", None) => 0.8,
            ("seek", Some(cylinders)) => table.read(cylinders).as_ms(),
            _ => continue,
        };
        let (low, high) = figure.interval;
        assert!(low - 0.03 <= value && value <= high + 0.03, "{value} is not in {figure:?}");
        assert!(high - low < 1.0, "{figure:?} says nothing");
        assert!((low..=high).contains(&figure.value), "{figure:?}");
        told += 1;
    }
    assert!(told >= 6, "{:?}", fitted.figures);
    let rms = |model: &DriveSpec| {
        let observed = timed(second, fitted.pause).unwrap();
        let followed = follow(&System::single(model.clone()), &observed).unwrap();
        let errors = followed.iter().skip(50).map(|one| one.error_ms().powi(2));
        (errors.sum::<f64>() / (followed.len() - 50) as f64).sqrt()
    };
    assert!(rms(&fitted.spec) < 0.5 * rms(&start), "{} of {}", rms(&fitted.spec), rms(&start));
}

#[test]
fn a_fit_depends_on_its_seed_only() {
    let requests = trace(&served(), 1000, 12);
    let with = |seed| {
        let options = Options { rounds: 1, evaluations: 6, seed, ..Options::default() };
        fit(&served(), &requests, &options, |_| {}).unwrap()
    };
    let (once, again) = (with(1), with(1));
    assert_eq!(once.spec, again.spec);
    assert_eq!(once.figures, again.figures);
    assert_ne!(once.figures, with(2).figures, "intervals come from resamples");
}

#[test]
fn a_drive_on_an_ata_cable_is_found_again_too() {
    let truth = DriveSpec {
        interface: known().interface,
        seek: SeekCurve::Table(vec![(1, 1.0), (100, 3.0), (400, 6.5), (799, 9.5)]),
        quoted_average_ms: None,
        ..served()
    };
    let start = DriveSpec {
        turn_ms: None,
        seek: SeekCurve::Table(vec![(1, 1.3), (100, 3.8), (400, 6.9), (799, 9.4)]),
        skew: SkewSpec::Sectors(vec![
            SectorSkew { head: 17, cylinder: 36 },
            SectorSkew { head: 14, cylinder: 23 },
        ]),
        ..truth.clone()
    };
    // What its sources say of seeks and skews of another kind is no fault of the model that is made of it.
    let mut start = start;
    for inner in ["seek.average_ms", "skew.cylinder_ms"] {
        start.sources.insert(inner.to_owned(), Provenance::Assumed("a data sheet".to_owned()));
    }
    let requests = trace(&truth, 1600, 14);
    let fitted = fit(&start, &requests, &quick(), |_| {}).unwrap();
    let turn_ms = fitted.spec.nominal_revolution().as_ms();
    assert!((turn_ms / 8.31 - 1.0).abs() < 5e-5, "{turn_ms}");
    let (low_ms, high_ms) = fitted.turn_interval.unwrap();
    assert!(low_ms * (1.0 - 1e-5) <= 8.31 && 8.31 <= high_ms * (1.0 + 1e-5), "{low_ms} {high_ms}");
    let surface = Surface::new(&truth);
    let heads = f64::from(truth.heads) - 1.0;
    for skew in &fitted.skews {
        let angles = surface.zone_angles(skew.zone, 1);
        for (told, turns) in
            [(skew.head_ms, angles.head), (skew.cylinder_ms, angles.cylinder - heads * angles.head)]
        {
            let Some((found_ms, half_ms)) = told else { continue };
            let off_ms = wrapped(found_ms / 8.31 - turns) * 8.31;
            assert!(off_ms.abs() <= 1.5 * half_ms + 0.02, "{off_ms} of {skew:?}");
            assert!(half_ms < 0.5, "{skew:?} says nothing");
        }
    }
    assert!(fitted.skews.iter().any(|skew| skew.head_ms.is_some()), "{:?}", fitted.skews);
    let (before, after) = fitted.rms_error_ms;
    assert!(after < 0.6 * before, "{before} {after}");
}

#[test]
fn a_trace_that_shows_no_platter_is_refused() {
    let model = served();
    let requests = trace(&model, 600, 13);
    let options = quick();
    let refused =
        |requests: &[TraceRequest]| fit(&model, requests, &options, |_| {}).unwrap_err().to_string();
    assert!(refused(&requests[..3]).contains("3 requests are too few"));
    let one_place: Vec<_> =
        requests.iter().map(|one| TraceRequest { extent: Extent::new(840, 8), ..*one }).collect();
    assert!(refused(&one_place).contains("all requests begin at block 840"), "{}", refused(&one_place));
    let constant: Vec<_> =
        requests.iter().map(|one| TraceRequest { measured: Some(Span::from_ms(0.6)), ..*one }).collect();
    assert!(
        refused(&constant).contains("0 of 600 requests waited for the platters"),
        "{}",
        refused(&constant)
    );
    let unmeasured: Vec<_> = requests.iter().map(|one| TraceRequest { measured: None, ..*one }).collect();
    assert!(refused(&unmeasured).contains("line 1: no measured response time"));
    let shuffled: Vec<_> = requests
        .iter()
        .enumerate()
        .map(|(index, one)| {
            let ms = 4.0 + (index * 7919 % 1000) as f64 / 100.0;
            TraceRequest { measured: Some(Span::from_ms(ms)), ..*one }
        })
        .collect();
    assert!(refused(&shuffled).contains("agree with no time of a turn"), "{}", refused(&shuffled));
}
