//! What the checks refuse, and how they say it.

use crate::config::{Issues, Validate};
use crate::drive::spec::*;

/// Everything reported for the sample drive after `change`.
fn reported(change: impl FnOnce(&mut DriveSpec)) -> String {
    let mut spec = sample();
    change(&mut spec);
    let mut issues = Issues::new();
    spec.validate(&mut issues);
    if issues.is_empty() { String::new() } else { format!("{issues:?}") }
}

#[track_caller]
fn refuses(change: impl FnOnce(&mut DriveSpec), words: &[&str]) {
    let said = reported(change);
    for word in words {
        assert!(said.contains(word), "{word:?} is not in {said}");
    }
}

#[test]
fn the_sample_is_fine_and_survives_a_round_trip() {
    assert_eq!(reported(|_| {}), "");
    let text = ron::ser::to_string(&sample()).unwrap();
    assert_eq!(parse_for_tests(&text), sample());
}

#[test]
fn every_variant_can_be_written_in_a_file() {
    let text = r#"(
        name: "variants", capacity_sectors: 1000, heads: 2, rpm: 5400, spindle_phase: Turns(0.25),
        layout: Zigzag(restart: true),
        zones: [(cylinders: 40, spt: 32, spares: 4)],
        skew: Sectors([(head: 8, cylinder: 9)]),
        defects: (slips: [7], remaps: [(lba: 3, spare: 2559)]), spare_scheme: EndOfZone,
        seek: Table([(1, 1.5), (39, 9.0)]), write_seek: Own(PerCylinder([2.0, 3.0])),
        overhead: (read_hit_ms: 0.1, read_miss_after_write_ms: 0.3),
        buffer: (segments: Fixed(count: 4, size_kib: 256), read_ahead: Track, read_ahead_restart: AtKib(16)),
        write_cache: (start: HighWater(high_percent: 80.0, low_percent: 40.0), destage: Sptf),
        queue: Ncq(depth: 31, age_weight: 1.0), interface: Sata(generation: 2), lba48: true,
        thermal_recalibration: Every(period_s: 600.0, stall_ms: 300.0, idle_only: true), power_fail: Random,
        sources: { "zones": Assumed("invented") },
    )"#;
    let spec = parse_for_tests(text);
    assert_eq!(spec.overhead.decode_ms(false, false, true), 0.3);
    assert_eq!(spec.overhead.decode_ms(false, false, false), 0.20);
    assert!(spec.uses_lba48());
    let mut issues = Issues::new();
    spec.validate(&mut issues);
    assert!(issues.is_empty(), "{issues:?}");
}

#[test]
fn figures_out_of_range_are_named_by_their_path() {
    refuses(|spec| spec.zones[1].spt = 15, &["zones[1].spt"]);
    refuses(|spec| spec.zones.clear(), &["zones"]);
    refuses(|spec| spec.rpm = 2999, &["rpm"]);
    refuses(|spec| spec.heads = 0, &["heads"]);
    refuses(|spec| spec.seek_jitter_ms = f64::NAN, &["seek_jitter_ms"]);
    refuses(|spec| spec.overhead.completion_ms = 5.1, &["overhead.completion_ms"]);
    refuses(|spec| spec.queue = QueueSpec::Tcq { depth: 33, age_weight: 0.0 }, &["queue.depth"]);
    refuses(|spec| spec.zones[0].cylinders = u32::MAX, &["zones[0].cylinders"]);
}

#[test]
fn a_capacity_beyond_the_zones_is_refused_with_what_they_hold() {
    // 300*2*40 + 200*2*32 + 200*2*25 = 46800 sectors.
    refuses(|spec| spec.capacity_sectors = 46_801, &["capacity_sectors", "46801", "at most 46800"]);
    assert_eq!(reported(|spec| spec.capacity_sectors = 46_800), "");
    let slip = |spec: &mut DriveSpec| {
        spec.capacity_sectors = 46_800;
        spec.defects.slips = vec![5];
    };
    refuses(slip, &["at most 46799"]);
}

#[test]
fn a_switch_longer_than_its_skew_is_refused_by_any_amount() {
    // 36 of 200 wedges are 1.5 ms; the fastest drive has 0.1 % less.
    let single = |ms| {
        move |spec: &mut DriveSpec| {
            spec.seek = SeekCurve::ThreePoint { single_ms: ms, average_ms: 8.5, full_ms: 17.0 };
        }
    };
    assert_eq!(reported(single(1.4984)), "");
    refuses(single(1.4986), &["skew", "zone 0", "cylinder switch", "1.4986 ms", "widen"]);
    refuses(|spec| spec.head_switch_ms = 1.9, &["head switch", "1.9000 ms"]);
    // With the first head first on every cylinder, a head switch longer than the cylinder skew loses turns
    // too; with the zigzag the head stays.
    refuses(|spec| spec.head_switch_ms = 1.6, &["cylinder switch", "1.6000 ms"]);
    let zigzag = |spec: &mut DriveSpec| {
        spec.head_switch_ms = 1.6;
        spec.layout = Layout::Zigzag { restart: false };
    };
    assert_eq!(reported(zigzag), "");
}

#[test]
fn seek_figures_must_rise() {
    let points = |spec: &mut DriveSpec| {
        spec.seek = SeekCurve::ThreePoint { single_ms: 1.2, average_ms: 18.5, full_ms: 17.0 };
    };
    refuses(points, &["seek", "18.5", "17", "do not rise"]);
    let knots = |spec: &mut DriveSpec| spec.seek = SeekCurve::Table(vec![(1, 1.0), (10, 3.0), (20, 1.02)]);
    refuses(knots, &["seek[2]", "20 cylinders, 1.02 ms", "outlier"]);
    let list = |spec: &mut DriveSpec| spec.seek = SeekCurve::PerCylinder(vec![1.0, 2.0, 1.5]);
    refuses(list, &["seek", "at 3 cylinders"]);
    let law = |split_cylinders, e_ms| {
        move |spec: &mut DriveSpec| {
            let (a_ms, b_ms, f_ms) = (1.0, 0.4, 0.008);
            spec.seek = SeekCurve::Hpl {
                a_ms,
                b_ms,
                split_cylinders,
                e_ms,
                f_ms,
                single_ms: None,
                first_ms: Vec::new(),
            };
        }
    };
    assert_eq!(reported(law(383, 6.0)), "");
    refuses(law(383, 2.0), &["seek", "at 383 cylinders"]);
}

#[test]
fn a_mean_that_the_curve_does_not_have_is_refused() {
    let convex = |spec: &mut DriveSpec| {
        spec.seek = SeekCurve::ThreePoint { single_ms: 1.2, average_ms: 3.0, full_ms: 17.0 };
    };
    refuses(convex, &["seek.average_ms", "nearest is 6.4"]);
    refuses(|spec| spec.quoted_average_ms = Some(8.8), &["quoted_average_ms", "8.500", "2 %"]);
    assert_eq!(reported(|spec| spec.quoted_average_ms = Some(8.6)), "");
}

#[test]
fn defects_must_be_sorted_and_spares_free() {
    let with = |slips: Vec<u64>, remaps: Vec<(u64, u64)>| {
        let remaps = remaps.into_iter().map(|(lba, spare)| Remap { lba, spare }).collect();
        move |spec: &mut DriveSpec| spec.defects = Defects { slips, remaps }
    };
    assert_eq!(reported(with(vec![3, 9], vec![(5, 46_000), (6, 46_001)])), "");
    refuses(with(vec![9, 9], vec![]), &["defects.slips[1]", "once"]);
    refuses(with(vec![46_800], vec![]), &["defects.slips[0]", "46800"]);
    refuses(with(vec![], vec![(5, 46_000), (5, 46_001)]), &["defects.remaps[1].lba", "address 5"]);
    refuses(with(vec![], vec![(5, 46_000), (6, 46_000)]), &["defects.remaps[1].spare", "already serves"]);
    refuses(with(vec![], vec![(5, 44_999)]), &["defects.remaps[0].spare", "user range"]);
    refuses(with(vec![46_000], vec![(5, 46_000)]), &["defects.remaps[0].spare", "slipped"]);
    refuses(with(vec![], vec![(45_000, 46_000)]), &["defects.remaps[0].lba", "45000"]);
    refuses(|spec| spec.zones[0].spares = 3, &["zones[0].spares", "EndOfZone"]);
    let zone = |spec: &mut DriveSpec| {
        spec.spare_scheme = SpareScheme::EndOfZone;
        spec.zones[0].spares = 1;
        spec.defects.slips = vec![1, 2];
    };
    refuses(zone, &["zones[0].spares", "2 slips", "at least 2"]);
    let none = |spec: &mut DriveSpec| {
        spec.spare_scheme = SpareScheme::None;
        spec.defects.slips = vec![1];
    };
    refuses(none, &["defects", "without spares"]);
}

#[test]
fn buffer_interface_and_addresses_must_agree() {
    let segments = |spec: &mut DriveSpec| spec.buffer.segments = Segments::Fixed { count: 9, size_kib: 256 };
    refuses(segments, &["buffer.segments", "2304 KiB", "2048 KiB"]);
    refuses(|spec| spec.write_cache.size_kib = 4096, &["write_cache.size_kib", "4096"]);
    refuses(|spec| spec.buffer.read_ahead_restart = ReadAheadRestart::AtKib(600), &["read_ahead_restart"]);
    let slow = |spec: &mut DriveSpec| {
        spec.zones = vec![ZoneSpec { cylinders: 700, spt: 800, ..ZoneSpec::default() }];
        spec.interface =
            InterfaceSpec::Ata { udma_mode_max: Some(3), mwdma_mode_max: Some(2), pio_mode_max: 4 };
    };
    refuses(slow, &["interface", "49.2 MB/s", "44.4 MB/s"]);
    let big = |spec: &mut DriveSpec| {
        spec.zones = vec![ZoneSpec { cylinders: 200_000, spt: 800, ..ZoneSpec::default() }];
        spec.capacity_sectors = LBA28_SECTORS + 1;
        spec.lba48 = Some(false);
    };
    refuses(big, &["lba48", "268435456"]);
}

#[test]
fn a_source_of_a_field_that_is_not_there_is_refused() {
    let stray = |spec: &mut DriveSpec| {
        let source = crate::config::Provenance::Assumed("a guess".to_owned());
        spec.sources = [("seek.a_ms".to_owned(), source)].into();
    };
    refuses(stray, &["sources.seek.a_ms", "no field"]);
}

#[test]
fn a_drive_without_a_buffer_is_told_what_to_leave_out() {
    let without = |spec: &mut DriveSpec| {
        spec.buffer.size_kib = 0;
        spec.buffer.read_ahead = ReadAhead::Adaptive { minimum_kib: 64, maximum_kib: 256 };
        spec.write_cache.enabled = true;
    };
    refuses(without, &["`buffer.read_ahead.maximum_kib` takes 256 KiB, but `buffer.size_kib` is 0"]);
    refuses(without, &["let `write_cache.enabled` be `false`", "let `buffer.read_ahead` be `Off`"]);
    let mended = reported(|spec| {
        without(spec);
        spec.buffer.read_ahead = ReadAhead::Off;
        spec.write_cache.enabled = false;
    });
    assert_eq!(mended, "");
}
