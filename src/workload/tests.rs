use super::iometer::{AccessSpec, Line};
use super::*;
use crate::config::{Issues, Validate};
use crate::units::{KIB, Span};

const DISK: u64 = 40_000_000;

fn pattern(name: &str) -> AccessSpec {
    let path = format!("{}/models/patterns/{name}.ron", env!("CARGO_MANIFEST_DIR"));
    ron::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn read(text: &str) -> WorkloadSpec {
    let extensions =
        ron::extensions::Extensions::IMPLICIT_SOME | ron::extensions::Extensions::UNWRAP_VARIANT_NEWTYPES;
    ron::Options::default().with_default_extension(extensions).from_str(text).unwrap()
}

fn is_fine(spec: &WorkloadSpec) -> bool {
    let mut issues = Issues::new();
    spec.validate(&mut issues);
    issues.is_empty()
}

#[test]
fn patterns_have_the_published_averages() {
    let row = |lines: &[Line]| {
        format!(
            "{:.1} B, {:.1} %, {:.3}, {:.1} %",
            metrics::mean_size_bytes(lines),
            100.0 * metrics::byte_share_from(lines, 64 * KIB),
            metrics::mean_pieces(lines, 64 * KIB),
            100.0 * metrics::crossing_probability(lines, 64 * KIB),
        )
    };
    assert_eq!(row(&pattern("file-server").lines), "11345.9 B, 57.8 %, 1.165, 16.5 %");
    assert_eq!(row(&pattern("web-server").lines), "16035.8 B, 69.5 %, 1.237, 15.7 %");
    assert_eq!(row(&pattern("database").lines), "8192.0 B, 0.0 %, 1.117, 11.7 %");
    assert_eq!(row(&pattern("iometer-default").lines), "2048.0 B, 0.0 %, 1.023, 2.3 %");
    assert_eq!(row(&[Line::new(64 * KIB, 100, 100)]), "65536.0 B, 100.0 %, 1.992, 99.2 %");
}

#[test]
fn alignment_to_the_request_keeps_it_inside_a_stripe() {
    let aligned = Line { align_bytes: 8192, ..Line::new(8192, 100, 100) };
    assert_eq!(metrics::crossing_probability(&[aligned], 64 * KIB), 0.0);
    let large = Line { align_bytes: 65_536, ..Line::new(131_072, 100, 100) };
    assert_eq!(metrics::mean_pieces(&[large], 64 * KIB), 2.0);
}

#[test]
fn crossings_counted_over_real_draws_agree_with_the_arithmetic() {
    let spec = WorkloadSpec::new(Access::Pattern("file-server".to_owned()));
    let found = pattern("file-server");
    let mut worker = spec.worker(Some(&found), DISK, 17).unwrap();
    let count = 50_000;
    let crossed = (0..count)
        .filter(|_| {
            let extent = worker.draw().extent;
            extent.lba / 128 != (extent.end() - 1) / 128
        })
        .count();
    let expected = metrics::crossing_probability(&found.lines, 64 * KIB);
    assert!((crossed as f64 / f64::from(count) - expected).abs() < 0.01);
}

#[test]
fn overrides_take_the_place_of_every_line() {
    let spec = WorkloadSpec {
        write_percent: Some(30),
        block_bytes: Some(2048),
        random_percent: Some(50),
        ..WorkloadSpec::new(Access::Pattern("file-server".to_owned()))
    };
    let lines = spec.lines(Some(&pattern("file-server"))).unwrap();
    assert_eq!(lines.len(), 8);
    for line in lines {
        assert_eq!((line.size_bytes, line.read_percent, line.random_percent), (2048, 70, 50));
    }
}

#[test]
fn a_pattern_nobody_found_is_an_error() {
    let spec = WorkloadSpec::new(Access::Pattern("databse".to_owned()));
    assert_eq!(spec.pattern_name(), Some("databse"));
    let error = spec.worker(None, DISK, 1).unwrap_err();
    assert_eq!(error, WorkloadError::UnknownPattern("databse".to_owned()));
}

#[test]
fn files_need_only_say_what_differs() {
    let spec = read("(access: Pattern(\"database\"), queue_depth: 16, write_percent: 40)");
    assert_eq!((spec.queue_depth, spec.workers, spec.write_percent), (16, 1, Some(40)));
    assert_eq!((spec.think, spec.seed), (ThinkTime::None, Seed::Run));
    let spec = read("(access: Lines([(size_bytes: 512, read_percent: 100, random_percent: 0)]))");
    assert_eq!(spec.access, Access::Lines(vec![Line::new(512, 100, 0)]));
    let spec = read("(access: Sequential(block_bytes: 65536), think: ExponentialMs(2.5), seed: Fixed(7))");
    assert_eq!((spec.think, spec.seed), (ThinkTime::ExponentialMs(2.5), Seed::Fixed(7)));
}

#[test]
fn values_out_of_range_are_reported() {
    let good = WorkloadSpec::new(Access::Lines(vec![Line::new(512, 100, 0)]));
    assert!(is_fine(&good));
    let bad = [
        WorkloadSpec { queue_depth: 0, ..good.clone() },
        WorkloadSpec { queue_depth: 1025, ..good.clone() },
        WorkloadSpec { workers: 65, ..good.clone() },
        WorkloadSpec { write_percent: Some(101), ..good.clone() },
        WorkloadSpec { block_bytes: Some(700), ..good.clone() },
        WorkloadSpec { random_percent: Some(200), ..good.clone() },
        WorkloadSpec { think: ThinkTime::ExponentialMs(f64::NAN), ..good.clone() },
        WorkloadSpec { access: Access::Lines(vec![]), ..good.clone() },
        WorkloadSpec { access: Access::Pattern(" ".to_owned()), ..good.clone() },
        read("(access: Sequential(block_bytes: 100))"),
        read("(access: Sequential(block_bytes: 512), random_percent: 5)"),
    ];
    for spec in bad {
        assert!(!is_fine(&spec), "{spec:?}");
    }
}

#[test]
fn a_stream_with_a_step_leaves_gaps_and_wraps() {
    let spec = WorkloadSpec {
        start_sector: 10,
        max_sectors: 10,
        ..read("(access: Sequential(block_bytes: 1024, step_bytes: 2048))")
    };
    let mut worker = spec.worker(None, DISK, 1).unwrap();
    let starts: Vec<u64> = (0..5).map(|_| worker.draw().extent.lba).collect();
    assert_eq!(starts, [10, 14, 18, 10, 14]);
    let too_large = WorkloadSpec { block_bytes: Some(512 * 11), ..spec };
    assert!(matches!(too_large.worker(None, DISK, 1), Err(WorkloadError::AreaTooSmall { .. })));
}

#[test]
fn a_stream_agrees_with_the_pattern_it_amounts_to() {
    let stream = read("(access: Sequential(block_bytes: 8192), max_sectors: 1000)");
    let lines = WorkloadSpec { access: Access::Lines(stream.lines(None).unwrap()), ..stream.clone() };
    let mut one = stream.worker(None, DISK, 1).unwrap();
    let mut other = lines.worker(None, DISK, 2).unwrap();
    assert!((0..500).all(|_| one.draw() == other.draw()));
}

#[test]
fn think_times_have_their_mean_and_do_not_touch_the_requests() {
    let plain = WorkloadSpec::new(Access::Lines(vec![Line::new(512, 50, 100)]));
    let thinking = WorkloadSpec { think: ThinkTime::ExponentialMs(4.0), ..plain.clone() };
    let mut one = plain.worker(None, DISK, 9).unwrap();
    let mut other = thinking.worker(None, DISK, 9).unwrap();
    let count = 20_000u64;
    let mut total = Span::ZERO;
    for _ in 0..count {
        let draw = other.draw();
        total += draw.think;
        assert_eq!(one.draw(), Draw { think: Span::ZERO, ..draw });
    }
    let mean_ms = (total / count).as_ms();
    assert!((mean_ms - 4.0).abs() < 0.1, "{mean_ms}");
    let fixed = WorkloadSpec { think: ThinkTime::FixedMs(1.5), ..plain };
    assert_eq!(fixed.worker(None, DISK, 9).unwrap().draw().think, Span::from_ms(1.5));
}

#[test]
fn a_fixed_seed_ignores_the_run() {
    let spec = WorkloadSpec {
        seed: Seed::Fixed(3),
        ..WorkloadSpec::new(Access::Lines(vec![Line::new(512, 50, 100)]))
    };
    let mut one = spec.worker(None, DISK, 1).unwrap();
    let mut other = spec.worker(None, DISK, 2).unwrap();
    assert!((0..100).all(|_| one.draw() == other.draw()));
}
