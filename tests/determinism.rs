//! The same input gives the same run, and the rules of what a run counts.

mod common;

use std::collections::BTreeMap;

use ataraid::host::CableRule;
use ataraid::machine::{Event, HostEvent, MachineSpec, Measured};
use ataraid::raid::Level;
use ataraid::units::{Instant, Span};
use ataraid::workload::iometer::Line;
use ataraid::workload::playback::{FileSystem, PlaybackSpec, played_bytes};
use ataraid::workload::{Access, ThinkTime, WorkloadSpec};
use common::{array, length, line, placed, run, run_logged, single, small_drive};
use proptest::prelude::*;

fn striped() -> MachineSpec {
    let mut drive = small_drive();
    drive.rpm_tolerance = 0.001;
    drive.seek_jitter_ms = 0.1;
    let drives = [placed("a", 0, 0, &drive), placed("b", 1, 0, &drive)];
    let mut spec = array(Level::Raid0, 16, &drives, line(8192, 33, 80, 4));
    spec.host = common::slow_host();
    spec
}

#[test]
fn a_seed_decides_everything() {
    let spec = striped();
    let one = run(&spec, 7, length(0.2, 2.0));
    assert_eq!(run(&spec, 7, length(0.2, 2.0)), one);
    let other = run(&spec, 8, length(0.2, 2.0));
    assert_ne!(other.fingerprint, one.fingerprint);
    assert_ne!(other.response_ms, one.response_ms);
    // Chance moves the figures, not the machine.
    assert!((other.iops / one.iops - 1.0).abs() < 0.2, "{} and {}", other.iops, one.iops);
}

#[test]
fn nothing_of_a_run_is_left_for_the_next() {
    let spec = striped();
    let alone = run(&spec, 7, length(0.0, 1.0));
    run(&single(&small_drive(), line(4096, 0, 100, 8)), 1, length(0.0, 1.0));
    assert_eq!(run(&spec, 7, length(0.0, 1.0)), alone);
}

/// Everything but the numbering of drives.
fn figures(measured: &Measured) -> String {
    let mut measured = measured.clone();
    measured.drives.retain(|drive| drive.id != "unused");
    measured.fingerprint = 0;
    // A cable without commands may be listed or not.
    measured.cable_utilisation.retain(|&share| share > 0.0);
    format!("{measured:?}")
}

#[test]
fn a_drive_that_nobody_uses_changes_nothing() {
    // The array is on (0, 0) and (1, 0). A third drive on either cable never works, so no rule makes anyone wait for
    // it; the cable stays set to device 0; and its random streams are its own.
    for rule in [CableRule::CableFree, CableRule::ReadsWaitForMate, CableRule::AllWaitForMate] {
        let mut spec = striped();
        spec.driver.cable_rule = rule;
        let without = run(&spec, 7, length(0.2, 2.0));
        for channel in [0, 1] {
            let mut with = spec.clone();
            with.drives.push(placed("unused", channel, 1, &small_drive()));
            let last = run(&with, 7, length(0.2, 2.0));
            assert_eq!(last.fingerprint, without.fingerprint, "{rule:?}, channel {channel}");
            with.drives.rotate_right(1);
            let first = run(&with, 7, length(0.2, 2.0));
            assert_eq!(figures(&first), figures(&without), "{rule:?}, channel {channel}");
        }
    }
}

#[test]
fn the_order_in_which_drives_are_listed_changes_nothing() {
    let spec = striped();
    let mut turned = spec.clone();
    turned.drives.reverse();
    let mut there = run(&spec, 7, length(0.2, 2.0));
    let mut back = run(&turned, 7, length(0.2, 2.0));
    there.drives.sort_by(|a, b| a.id.cmp(&b.id));
    back.drives.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(figures(&there), figures(&back));
}

/// What Iometer would count: recording starts when all requests issued before the end of the ramp-up are back, and
/// counts those issued after it that come back while it lasts.
fn counted(log: &[(Instant, Event)], ramp: Span, measure: Span) -> (Option<Instant>, Vec<Span>) {
    let ramp_end = Instant::ZERO + ramp;
    let mut called: BTreeMap<u32, Instant> = BTreeMap::new();
    let mut left = 0_i64;
    let mut start = ramp.is_zero().then_some(Instant::ZERO);
    let mut responses = Vec::new();
    // The program calls when it has a request back or a pause is over; the processor may be busy for a moment then.
    let mut calls = Instant::ZERO;
    for &(now, event) in log {
        match event {
            Event::Host(HostEvent::Issued(id)) => {
                called.insert(id.0, calls);
                left += i64::from(calls < ramp_end);
                if calls >= ramp_end && left == 0 {
                    start.get_or_insert(calls);
                }
            }
            Event::Host(HostEvent::Resumed(_)) => calls = now,
            Event::Host(HostEvent::Returned(id)) => {
                calls = now;
                let since = called.remove(&id.0).expect("it was issued");
                if since < ramp_end {
                    left -= 1;
                    if left == 0 && now >= ramp_end {
                        start.get_or_insert(now);
                    }
                } else if start.is_some_and(|start| now <= start + measure) {
                    responses.push(now.since(since));
                }
            }
            _ => {}
        }
    }
    (start, responses)
}

proptest! {
    #![proptest_config(common::cases(100))]

    #[test]
    fn recording_follows_iometer(
        depth in 1_u32..20, workers in 1_u32..3, ramp_ms in 0_u64..100, measure_ms in 1_u64..300, seed: u64,
        delay_ms in prop_oneof![3 => Just(0_u32), 1 => 1_u32..30], burst in 1_u32..4, write_percent in 0_u8..100,
    ) {
        let line = Line { delay_ms, burst, ..Line::new(8192, 100 - write_percent, 100) };
        let workload = WorkloadSpec {
            queue_depth: depth, workers, ..WorkloadSpec::new(Access::Lines(vec![line]))
        };
        let spec = single(&small_drive(), workload);
        let (ramp, measure) = (Span::from_ns(1_000_000 * ramp_ms), Span::from_ns(1_000_000 * measure_ms));
        let length = ataraid::machine::RunLength { ramp, measure };
        let (measured, log) = run_logged(&spec, seed, length);
        let (start, responses) = counted(&log, ramp, measure);
        prop_assert!(start.is_some(), "recording starts");
        prop_assert_eq!(measured.requests, responses.len() as u64);
        let mean = responses.iter().map(|r| r.as_ms()).sum::<f64>() / responses.len().max(1) as f64;
        prop_assert!((measured.response_ms - mean).abs() <= 0.002, "{} for {}", measured.response_ms, mean);
        let longest = responses.iter().max().map_or(0.0, |r| r.as_ms());
        prop_assert!((measured.response_max_ms - longest).abs() < 0.02);
        let rate = responses.len() as f64 / measure.as_s();
        prop_assert!((measured.iops - rate).abs() < 1e-9 * rate.max(1.0));
        prop_assert!((measured.mib_s - rate * 8192.0 / 1_048_576.0).abs() < 1e-9 * rate.max(1.0));
    }
}

#[test]
fn a_pause_at_the_end_of_the_ramp_up_does_not_hold_recording_back() {
    // One request in 20 ms, so the ramp-up almost surely ends in a pause.
    let line = Line { delay_ms: 20, ..Line::new(512, 100, 100) };
    let spec = single(&small_drive(), WorkloadSpec::new(Access::Lines(vec![line])));
    let measured = run(&spec, 1, length(0.1, 1.0));
    assert!((30..=50).contains(&measured.requests), "{}", measured.requests);
}

#[test]
fn think_time_counts_for_the_rate_and_not_for_the_response() {
    let mut spec = single(&small_drive(), line(8192, 0, 100, 1));
    let busy = run(&spec, 1, length(0.5, 20.0));
    spec.workload.think = ThinkTime::FixedMs(10.0);
    let idle = run(&spec, 1, length(0.5, 20.0));
    assert!((idle.response_ms / busy.response_ms - 1.0).abs() < 0.03);
    let expected = 1000.0 / (idle.response_ms + 10.0);
    assert!((idle.iops / expected - 1.0).abs() < 0.003, "{} for {expected}", idle.iops);
}

/// A small recording on two drives.
fn played(file_system: FileSystem) -> MachineSpec {
    let mut recording: PlaybackSpec = common::model("playbacks/high-end.ron");
    for application in &mut recording.applications {
        application.total_kib /= 40;
    }
    let mut workload = WorkloadSpec::new(Access::Playback("high-end".to_owned()));
    workload.file_system = Some(file_system);
    let drives = [placed("a", 0, 0, &common::maxtor()), placed("b", 1, 0, &common::maxtor())];
    let spec = array(Level::Raid0, 64, &drives, workload);
    MachineSpec { playback: Some(recording), host: common::slow_host(), ..spec }
}

#[test]
fn a_playback_ends_with_all_it_issued_and_is_the_same_each_time() {
    for file_system in [FileSystem::Fat32, FileSystem::Ntfs] {
        let spec = played(file_system);
        let played = |seed| run(&spec, seed, length(0.0, 0.1));
        let (first, again, other) = (played(1), played(1), played(2));
        assert_eq!(first, again);
        assert_ne!(first.fingerprint, other.fingerprint, "the seed of the run turns the platters");
        assert_eq!(first.requests, first.requests_total, "every request is complete and counts");
        let playback = first.playback.unwrap();
        // The whole score follows from those of the applications by their bytes: a weighted harmonic mean.
        let bytes = played_bytes(spec.playback.as_ref().unwrap());
        let times = playback.applications.iter().zip(&bytes).map(|((_, score), &bytes)| bytes as f64 / score);
        let mean = bytes.iter().sum::<u64>() as f64 / times.sum::<f64>();
        assert!((playback.winmark / mean - 1.0).abs() < 1e-9, "{} against {mean}", playback.winmark);
        assert!(first.cpu_utilisation > 0.0 && first.cpu_utilisation < 1.0);
    }
}
