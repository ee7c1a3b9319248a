//! Shipped models against published figures and closed forms.

use super::*;
use crate::config::{Issues, Validate};
use crate::drive::spec::{parse_for_tests, sample, unsourced_figures};

fn shipped() -> Vec<(String, DriveSpec)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models/drives");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let load = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, parse_for_tests(&std::fs::read_to_string(&path).unwrap()))
    };
    files.into_iter().map(load).collect()
}

fn summary(name: &str) -> DriveSummary {
    let (_, spec) = shipped().into_iter().find(|(file, _)| file == name).unwrap();
    DriveSummary::new(&spec)
}

fn assert_near(what: &str, ours: f64, published: f64, tolerance: f64) {
    assert!((ours - published).abs() <= tolerance, "{what}: {ours} for {published} +-{tolerance}");
}

#[test]
fn every_shipped_model_is_valid_and_sources_all_its_figures() {
    let models = shipped();
    assert_eq!(models.len(), 24);
    for (name, spec) in models {
        let mut issues = Issues::new();
        spec.validate(&mut issues);
        assert!(issues.is_empty(), "{name}: {issues:?}");
        assert_eq!(unsourced_figures(&spec), Vec::<String>::new(), "{name}");
        let geometry = crate::drive::geometry::Geometry::new(&spec, spec.nominal_revolution());
        assert_eq!(geometry.capacity(), spec.capacity_sectors, "{name}");
        for lba in (0..geometry.capacity()).step_by(999_983).chain([geometry.capacity() - 1]) {
            let at = geometry.locate(lba);
            assert_eq!(geometry.lba_of(at.cylinder, at.head, at.sector), Some(lba), "{name}");
        }
    }
}

#[test]
fn no_shipped_model_loses_a_turn_at_a_track_border() {
    // Of reference drives the skews are measured, and may be short.
    let measured = |spec: &DriveSpec| matches!(spec.skew, crate::drive::spec::SkewSpec::Zones { .. });
    for (name, spec) in shipped().into_iter().filter(|(_, spec)| !measured(spec)) {
        let summary = DriveSummary::new(&spec);
        for slack in [Some(summary.cylinder_slack), summary.head_slack].into_iter().flatten() {
            assert!(slack.read_ms > 0.0 && slack.write_ms > 0.0, "{name}: {slack:?}");
        }
    }
}

#[test]
fn the_reference_drives_hold_what_disksim_counts() {
    let figures = [
        ("hp-c2247a", 13, 2051, 2_054_864, 5400),
        ("hp-c3323a", 7, 2982, 2_056_008, 5396),
        ("seagate-cheetah-4lp", 8, 6581, 8_887_940, 10_033),
        ("seagate-barracuda-st32171w", 5, 5172, 4_217_670, 7200),
        ("quantum-atlas-10k", 6, 10_042, 17_966_953, 10_025),
    ];
    for (name, heads, cylinders, sectors, rpm) in figures {
        let (_, spec) = shipped().into_iter().find(|(file, _)| file == name).unwrap();
        assert_eq!((spec.heads, spec.cylinders(), spec.rpm), (heads, cylinders, rpm), "{name}");
        assert_eq!(spec.capacity_sectors, sectors, "{name}");
        assert!(matches!(spec.interface, crate::drive::spec::InterfaceSpec::Scsi(_)), "{name}");
    }
}

#[test]
fn the_6l020j1_meets_its_acceptance_figures() {
    let drive = summary("maxtor-6l020j1");
    assert_near("outer MiB/s", drive.outer_mib_s(), 39.72, 0.005);
    assert_near("inner MiB/s", drive.inner_mib_s(), 21.45, 0.005);
    assert_near("cylinder-weighted seek", drive.seek_average_cylinder_weighted_ms, 8.5, 0.002);
    assert_near("address-weighted seek", drive.seek_average_lba_weighted_ms, 8.35, 0.02);
    assert_near("8 KiB random reads", drive.random_8_kib.per_s, 77.0, 1.0);
    assert_near("512 byte access", drive.random_512_b.service_ms, 12.8, 0.1);
    assert_near("capacity in GB", drive.capacity_gb, 20.548, 0.0005);
    assert_near("slack", drive.cylinder_slack.read_ms, 0.30, 0.001);
    assert_eq!(drive.spare_sectors, 84_537);
    assert_eq!(drive.head_slack, None);
}

#[test]
fn more_heads_cost_the_outer_rate_what_was_predicted_and_measured_drives_lie_below() {
    let two = summary("maxtor-6l040j2");
    assert_near("two heads", two.outer_mib_s(), 38.98, 0.005);
    assert!(two.outer_mib_s() > 36.99);
    assert_near("four heads", summary("maxtor-6l080j4").outer_mib_s(), 38.62, 0.006);
    let (_, mut spec) = shipped().into_iter().find(|(file, _)| file == "maxtor-6l080j4").unwrap();
    spec.heads = 3;
    spec.capacity_sectors = 117_266_688;
    let three = DriveSummary::new(&spec);
    assert_near("three heads", three.outer_mib_s(), 38.74, 0.005);
    assert!(three.outer_mib_s() > 38.10);
}

#[test]
fn the_75gxp_reproduces_its_manuals_throughput_test() {
    let drive = summary("ibm-dtla-307030");
    assert_near("outer MB/s", drive.outer_mb_s(), 37.76, 0.04);
    assert_near("inner MB/s", drive.inner_mb_s(), 18.81, 0.02);
    assert_near("16.78 MB outside, s", drive.throughput_test_outer_s, 0.457, 0.0005);
    assert_near("16.78 MB inside, s", drive.throughput_test_inner_s, 0.905, 0.0005);
    assert_near("random sector, ms", drive.data_sheet_random_ms, 12.79, 0.01);
    assert_near("full seek", drive.seek_full_ms, 14.7, 0.01);
    assert_eq!(drive.zones.len(), 15);
}

#[test]
fn the_other_models_meet_the_rates_their_sources_state() {
    let figures = [
        ("maxtor-4g160j8", 35.9, 18.0, 12.0, 320_173_056),
        ("wd-1200jb", 46.0, 28.0, 8.9, 234_441_648),
        ("seagate-st380021a", 41.0, 24.0, 10.8, 156_301_488),
        ("wd-740gd", 71.8, 54.0, 4.5, 145_226_112),
    ];
    for (name, outer, inner, seek, capacity) in figures {
        let drive = summary(name);
        assert_near(name, drive.outer_mb_s(), outer, 0.05);
        assert_near(name, drive.inner_mb_s(), inner, 0.05);
        assert_near(name, drive.seek_average_cylinder_weighted_ms, seek, 0.01);
        assert_eq!(drive.capacity_sectors, capacity);
    }
}

#[test]
fn the_address_weighted_seek_is_the_mean_over_all_pairs_of_addresses() {
    let spec = sample();
    let geometry = crate::drive::geometry::Geometry::new(&spec, spec.nominal_revolution());
    let seek = SeekTable::new(&spec, spec.cylinders());
    let mut hits = vec![0_u64; spec.cylinders() as usize];
    for lba in 0..spec.capacity_sectors {
        hits[geometry.locate(lba).cylinder as usize] += 1;
    }
    let mut sum = 0.0;
    for (from, &a) in (0_u32..).zip(&hits) {
        for (to, &b) in (0_u32..).zip(&hits) {
            sum += (a * b) as f64 * seek.read(from.abs_diff(to)).as_ms();
        }
    }
    let mean = sum / (spec.capacity_sectors as f64).powi(2);
    assert_near("mean", DriveSummary::new(&spec).seek_average_lba_weighted_ms, mean, 1e-3);
}

#[test]
fn the_staircase_ends_at_the_capacity_and_the_seek_curve_at_the_last_cylinder() {
    let spec = sample();
    let stairs = DriveSummary::new(&spec).zone_staircase();
    let last = stairs.rows.last().unwrap();
    assert_near("end in GB", last[2].number().unwrap(), 45_000.0 * 512.0 / 1e9, 1e-12);
    let curve = seek_curve(&spec);
    assert_eq!(curve.rows[0][0], Cell::Integer(0));
    assert_eq!(curve.rows.last().unwrap()[0], Cell::Integer(699));
    let times: Vec<f64> = curve.rows.iter().map(|row| row[1].number().unwrap()).collect();
    assert!(times.is_sorted());
}
