use proptest::prelude::*;

use super::*;
use crate::config::{Issues, Validate};
use crate::units::Span;
use crate::workload::{Area, Draw, WorkloadError};

const WHOLE: Area = Area { start_sector: 0, max_sectors: 0 };
const DISK: u64 = 40_000_000;

fn worker(lines: &[Line], area: Area, seed: u64) -> IometerWorker {
    IometerWorker::new(lines, area, DISK, seed).unwrap()
}

fn draws(worker: &mut IometerWorker, count: usize) -> Vec<Draw> {
    (0..count).map(|_| worker.draw()).collect()
}

/// Share of reads in `count` requests, in percent.
fn read_percent(lines: &[Line], seed: u64, count: usize) -> f64 {
    let reads = draws(&mut worker(lines, WHOLE, seed), count).iter().filter(|draw| !draw.write).count();
    100.0 * reads as f64 / count as f64
}

#[test]
fn the_generator_draws_the_reference_numbers() {
    let mut random = IometerRandom::new(12_345);
    let drawn: Vec<u64> = (0..4).map(|_| random.draw()).collect();
    assert_eq!(
        drawn,
        [
            1_709_939_933_034,
            11_539_847_768_804_397_183,
            5_423_286_375_737_410_440,
            18_119_327_952_761_907_925
        ]
    );
    let mut random = IometerRandom::new(12_345);
    assert_eq!([0; 4].map(|_| random.below(100)), [34, 83, 40, 25]);
}

#[test]
fn the_first_requests_follow_the_order_of_draws() {
    // Target draws of seed 12345: 34 (a read), 83 (random), then the address.
    let mut worker = worker(&[Line::new(8192, 67, 100)], WHOLE, 12_345);
    let offset = 5_423_286_375_737_410_440u64 % (DISK * 512);
    let first = worker.draw();
    assert_eq!((first.extent.lba, first.extent.sectors), (offset.div_ceil(512), 16));
    assert!(!first.write);
    // The next target draw is 25: a read again.
    assert!(!worker.draw().write);
}

#[test]
fn a_sequential_share_of_67_percent_comes_out_as_68_or_66() {
    let sequential = [Line::new(8192, 67, 0)];
    let even = read_percent(&sequential, 12_345, 200_000);
    assert_eq!(format!("{even:.4}"), "67.9415");
    let odd = read_percent(&sequential, 12_346, 200_000);
    assert!((odd - 66.0).abs() < 0.2, "{odd}");
    let random = read_percent(&[Line::new(8192, 67, 100)], 12_345, 200_000);
    assert!((random - 67.0).abs() < 0.2, "{random}");
}

#[test]
fn random_addresses_are_rounded_up_to_the_sector_or_the_alignment() {
    for align_bytes in [0, 4096, 1536, 65_536] {
        let line = Line { align_bytes, ..Line::new(4096, 100, 100) };
        let unit = line.alignment_bytes();
        let mut worker = worker(std::slice::from_ref(&line), WHOLE, 7);
        let mut twin = IometerRandom::new(7);
        for _ in 0..1000 {
            twin.draw();
            twin.draw();
            let address = twin.below(DISK * 512).next_multiple_of(unit);
            let expected = if address + 4096 > DISK * 512 { 0 } else { address };
            assert_eq!(worker.draw().extent.lba * 512, expected);
        }
    }
}

#[test]
fn a_sequential_request_goes_on_after_the_last_one_whatever_that_was() {
    let mut worker = worker(&[Line::new(8192, 80, 80)], WHOLE, 99);
    let drawn = draws(&mut worker, 10_000);
    let follows = drawn.windows(2).filter(|pair| pair[0].extent.end() == pair[1].extent.lba).count();
    assert!((follows as f64 / 9_999.0 - 0.2).abs() < 0.02, "{follows}");
    let mixed = drawn
        .windows(2)
        .any(|pair| pair[0].extent.end() == pair[1].extent.lba && pair[0].write && !pair[1].write);
    assert!(mixed, "a read goes on after a write");
}

#[test]
fn a_stream_wraps_to_the_start_of_its_area() {
    let area = Area { start_sector: 1000, max_sectors: 40 };
    let mut worker = worker(&[Line::new(8192, 100, 0)], area, 1);
    let starts: Vec<u64> = draws(&mut worker, 5).iter().map(|draw| draw.extent.lba).collect();
    // 40 sectors hold two requests of 16; the last 8 sectors are never reached.
    assert_eq!(starts, [1000, 1016, 1000, 1016, 1000]);
}

#[test]
fn alignment_wider_than_the_request_leaves_holes() {
    let line = Line { align_bytes: 2048, ..Line::new(3072, 100, 0) };
    let mut worker = worker(&[line], WHOLE, 1);
    let starts: Vec<u64> = draws(&mut worker, 4).iter().map(|draw| draw.extent.lba).collect();
    assert_eq!(starts, [0, 8, 16, 24]);
}

#[test]
fn a_wrap_to_an_unaligned_start_moves_by_one_alignment_and_stays_unaligned() {
    let area = Area { start_sector: 1, max_sectors: 64 };
    let line = Line { align_bytes: 8192, ..Line::new(8192, 100, 0) };
    let mut worker = worker(&[line], area, 1);
    let starts: Vec<u64> = draws(&mut worker, 4).iter().map(|draw| draw.extent.lba).collect();
    assert_eq!(starts, [16, 32, 48, 17]);
}

#[test]
fn workers_on_one_target_run_over_the_same_addresses() {
    let stream = [Line::new(65_536, 100, 0)];
    assert_eq!(draws(&mut worker(&stream, WHOLE, 1), 100), draws(&mut worker(&stream, WHOLE, 2), 100));
    let random = [Line::new(65_536, 50, 100)];
    assert_eq!(draws(&mut worker(&random, WHOLE, 5), 100), draws(&mut worker(&random, WHOLE, 5), 100));
    assert_ne!(draws(&mut worker(&random, WHOLE, 5), 100), draws(&mut worker(&random, WHOLE, 6), 100));
}

#[test]
fn lines_are_drawn_by_their_shares() {
    let shares = [(512u64, 10u8), (1024, 5), (4096, 60), (65_536, 25), (8192, 0)];
    let lines: Vec<Line> = shares
        .iter()
        .map(|&(size, share_percent)| Line { share_percent, ..Line::new(size, 80, 100) })
        .collect();
    let drawn = draws(&mut worker(&lines, WHOLE, 3), 100_000);
    for (size, share) in shares {
        let count = drawn.iter().filter(|draw| draw.extent.bytes() == size).count();
        let percent = count as f64 / 1000.0;
        assert!((percent - f64::from(share)).abs() < 0.5, "{size} bytes: {percent} % instead of {share} %");
    }
}

#[test]
fn a_burst_keeps_its_line_and_waits_once() {
    let lines = [
        Line { share_percent: 50, delay_ms: 3, burst: 4, ..Line::new(512, 100, 0) },
        Line { share_percent: 50, burst: 2, ..Line::new(1024, 100, 0) },
    ];
    let drawn = draws(&mut worker(&lines, WHOLE, 8), 1000);
    let mut at = 0;
    while at + 4 <= drawn.len() {
        let small = drawn[at].extent.sectors == 1;
        let (length, delay) = if small { (4, Span::from_ms(3.0)) } else { (2, Span::ZERO) };
        let burst = &drawn[at..at + length];
        assert!(burst.iter().all(|draw| (draw.extent.sectors == 1) == small));
        assert_eq!(burst[0].delay, delay);
        assert!(burst[1..].iter().all(|draw| draw.delay.is_zero()));
        at += length;
    }
    assert!(drawn.iter().any(|draw| draw.extent.sectors == 1));
    assert!(drawn.iter().any(|draw| draw.extent.sectors == 2));
}

fn line() -> impl Strategy<Value = Line> {
    let align = prop_oneof![Just(0u64), Just(512), Just(1536), Just(4096), Just(5120)];
    (1u64..64, 0u8..=100, 0u8..=100, 1u32..5, align).prop_map(
        |(sectors, read, random, burst, align_bytes)| Line {
            burst,
            align_bytes,
            ..Line::new(sectors * 512, read, random)
        },
    )
}

proptest! {
    #[test]
    fn draws_never_leave_the_area(
        mut lines in prop::collection::vec(line(), 1..6),
        start_sector in 0u64..300, max_sectors in 0u64..300, capacity in 300u64..600, seed: u64,
    ) {
        let (count, others) = (lines.len() as u8, 100 / lines.len() as u8);
        lines.iter_mut().for_each(|line| line.share_percent = others);
        lines[0].share_percent = 100 - (count - 1) * others;
        let area = Area { start_sector, max_sectors };
        let end = if max_sectors == 0 { capacity } else { capacity.min(start_sector + max_sectors) };
        match IometerWorker::new(&lines, area, capacity, seed) {
            Ok(mut worker) => for draw in draws(&mut worker, 500) {
                prop_assert!(draw.extent.lba >= start_sector && draw.extent.end() <= end, "{draw:?}");
            },
            // Refused only where the largest request with the widest alignment could not fit.
            Err(WorkloadError::AreaTooSmall { .. }) => prop_assert!(end - start_sector < 63 + 10),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

/// The problems of `lines`, one a text line.
fn complaints(lines: &[Line]) -> String {
    let mut text = String::new();
    check_lines(lines, &mut |field, message, remedy| text += &format!("{field}: {message}; {remedy}\n"));
    text
}

#[test]
fn every_broken_rule_is_reported_with_a_remedy() {
    let bad = Line { share_percent: 95, burst: 0, reply_bytes: 64, ..Line::new(1000, 101, 100) };
    assert_eq!(
        complaints(&[bad]),
        "\
lines[0].size_bytes: 1000 bytes are not whole sectors of 512 bytes; use a multiple of 512, as raw disks demand
lines[0].reply_bytes: replies of 64 bytes are not modelled; use 0, as every disk pattern does
lines[0].read_percent: 101 % is out of range; use 0 to 100
lines[0].burst: a burst of 0 requests; use 1 or more
lines: the shares sum to 95 %, Iometer accepts 100 only; add 5 to the share_percent of a line
"
    );
    assert_eq!(complaints(&[]), "lines: there are 0 lines; give 1 to 100 lines\n");
    let zero = Line { align_bytes: 1000, ..Line::new(0, 100, 100) };
    assert_eq!(
        complaints(&[zero]),
        "\
lines[0].size_bytes: 0 bytes is out of range; use 512 to 2147483136 bytes
lines[0].align_bytes: 1000 bytes are not whole sectors of 512 bytes; use a multiple of 512, as raw disks demand
"
    );
    let many = vec![Line { share_percent: 1, ..Line::new(512, 100, 100) }; 101];
    assert!(complaints(&many).contains("take 1 off"));
    assert!(IometerWorker::new(&many, WHOLE, DISK, 1).is_err());
}

#[test]
fn impossible_areas_are_refused_with_figures() {
    let lines = [Line::new(8192, 100, 100)];
    let text = |area, capacity| IometerWorker::new(&lines, area, capacity, 1).unwrap_err().to_string();
    assert_eq!(
        text(Area { start_sector: 500, max_sectors: 0 }, 500),
        "start_sector 500 is past the end of the target, which has 500 sectors; use a smaller start_sector"
    );
    assert_eq!(
        text(Area { start_sector: 490, max_sectors: 100 }, 500),
        "a request of 8192 bytes does not fit the area: after alignment 10 sectors are left; enlarge max_sectors or use smaller requests"
    );
    assert!(text(WHOLE, u64::MAX).contains("larger than"));
}

#[test]
fn every_shipped_pattern_loads_and_keeps_the_rules() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models/patterns");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let spec: AccessSpec =
            ron::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(path.file_stem().unwrap().to_str(), Some(spec.name.as_str()));
        let mut issues = Issues::new();
        spec.validate(&mut issues);
        assert!(issues.is_empty(), "{}: {issues:?}", path.display());
        assert!(!spec.sources.is_empty(), "{}: no sources", path.display());
        assert!(IometerWorker::new(&spec.lines, WHOLE, DISK, 1).is_ok());
        seen += 1;
    }
    assert_eq!(seen, 19);
}
