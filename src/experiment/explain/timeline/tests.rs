//! Timelines read back.

use std::collections::BTreeMap;

use super::*;
use crate::scenario::{Library, LoadOptions, load, points};

fn scenario(sets: &[(&str, &str)]) -> Scenario {
    let sweep = sets.iter().map(|&(path, value)| (path.to_owned(), value.to_owned())).collect();
    let options = LoadOptions { quick: true, sweep, ..LoadOptions::default() };
    load("rocketraid133/mix", &Library::shipped(), &options).unwrap_or_else(|faults| panic!("{faults}"))
}

fn mix() -> Scenario {
    scenario(&[
        ("sweep.arrays", "[\"R0x4\"]"),
        ("sweep.queue_depths", "[16]"),
        ("sweep.write_percents", "[50]"),
        ("run.ramp_s", "0.2"),
        ("run.measure_s", "2.8"),
    ])
}

fn written(scenario: &Scenario, from_s: f64, to_s: f64, format: Format) -> Vec<u8> {
    let window = Window::new(from_s, to_s, &scenario.run).unwrap();
    let mut bytes = Vec::new();
    timeline(scenario, &points(scenario)[0], window, format, &mut bytes).unwrap();
    bytes
}

/// Start, end and name of a slice.
type Slice = (u64, u64, String);

/// Start and end of a slice in picoseconds.
fn ends(event: &serde_json::Value) -> (u64, u64) {
    let ps = |field: &str| (event[field].as_f64().unwrap() * 1e6).round() as u64;
    (ps("ts"), ps("ts") + ps("dur"))
}

#[test]
fn slices_of_a_track_nest_or_follow_each_other_within_the_window() {
    let bytes = written(&mix(), 2.3, 2.5, Format::Chrome);
    let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let mut tracks: BTreeMap<(u64, u64), Vec<Slice>> = BTreeMap::new();
    for event in value["traceEvents"].as_array().unwrap() {
        if event["ph"] != "X" {
            continue;
        }
        let (from, until) = ends(event);
        assert!(from >= 2_300_000_000_000 && until <= 2_500_000_000_000 && from < until, "{event}");
        let track = (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
        let name = event["name"].as_str().unwrap().to_owned();
        tracks.entry(track).or_default().push((from, until, name));
    }
    for (track, slices) in &mut tracks {
        slices.sort_by_key(|&(from, until, _)| (from, std::cmp::Reverse(until)));
        let mut inside: Vec<u64> = Vec::new();
        for (from, until, name) in slices.iter() {
            inside.retain(|end| end > from);
            assert!(inside.iter().all(|end| end >= until), "{track:?}: {name} at {from}");
            // Only requests have anything inside.
            assert!(inside.is_empty() || track.0 == 1, "{track:?}: {name} at {from}");
            inside.push(*until);
        }
    }
    let names = |group: u64| -> Vec<&str> {
        let of_group = tracks.iter().filter(|((pid, _), _)| *pid == group);
        of_group.flat_map(|(_, slices)| slices.iter().map(|(.., name)| name.as_str())).collect()
    };
    for (group, wanted) in
        [(1, "driver queue"), (1, "seek"), (2, "interrupt"), (4, "destage"), (4, "rotation")]
    {
        assert!(names(group).contains(&wanted), "{group}: no {wanted}");
    }
    assert_eq!(tracks.keys().filter(|(pid, _)| *pid == 1).count(), 16, "a track a request in flight");
    assert_eq!(tracks.keys().filter(|(pid, _)| *pid == 4).count(), 4, "a track a drive");
}

#[test]
fn stages_fill_the_requests_that_lie_in_the_window() {
    let bytes = written(&mix(), 0.3, 0.9, Format::Chrome);
    let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let events = value["traceEvents"].as_array().unwrap();
    let slices = |event: &&serde_json::Value| event["ph"] == "X" && event["pid"] == 1;
    let (requests, stages): (Vec<_>, Vec<_>) =
        events.iter().filter(slices).partition(|event| event["args"]["response_us"].is_number());
    let mut whole = 0;
    for request in requests {
        let (from, until) = ends(request);
        let inside = stages.iter().filter(|stage| stage["tid"] == request["tid"]).map(|stage| ends(stage));
        let sum: u64 = inside.filter(|&(a, b)| a >= from && b <= until).map(|(a, b)| b - a).sum();
        if from > 300_000_000_000 && until < 900_000_000_000 {
            // The figures have gone through a float.
            assert!(sum.abs_diff(until - from) < 1000, "{request}: {sum}");
            whole += 1;
        }
    }
    assert!(whole > 20, "{whole}");
}

#[test]
fn a_waveform_reads_back_and_one_engine_at_a_time_has_frame() {
    // Both engines at once: large sequential reads.
    let options = LoadOptions {
        quick: true,
        sweep: vec![
            ("sweep.arrays".into(), "[\"R0x4\"]".into()),
            ("sweep.block_bytes".into(), "[262144]".into()),
            ("driver".into(), "ideal".into()),
        ],
        ..LoadOptions::default()
    };
    let scenario = load("rocketraid133/sequential-read", &Library::shipped(), &options).unwrap();
    let bytes = written(&scenario, 3.0, 3.01, Format::Wave);
    let mut parser = vcd::Parser::new(bytes.as_slice());
    let header = parser.parse_header().unwrap();
    assert_eq!(header.timescale, Some((1, vcd::TimescaleUnit::PS)));
    let code = |path: [&str; 2]| header.find_var(&path).unwrap_or_else(|| panic!("no {path:?}")).code;
    let frames = [code(["channel0", "frame_n"]), code(["channel1", "frame_n"])];
    let (mut at, mut low, mut bursts) = (0, [false; 2], [0; 2]);
    for command in parser {
        match command.unwrap() {
            vcd::Command::Timestamp(time) => {
                assert!(low != [true; 2], "both engines have FRAME at {at}");
                assert!(time > at && (3_000_000_000_000..=3_010_000_000_000).contains(&time), "{time}");
                at = time;
            }
            vcd::Command::ChangeScalar(id, value) => {
                if let Some(engine) = frames.iter().position(|frame| *frame == id) {
                    low[engine] = value == vcd::Value::V0;
                    bursts[engine] += u32::from(low[engine]);
                }
            }
            _ => {}
        }
    }
    assert_eq!(at, 3_010_000_000_000, "the end of the window");
    // 10 ms at some 40 MB/s a channel are 400 KB, in bursts of 256 bytes.
    assert!(bursts.iter().all(|bursts| (500..4000).contains(bursts)), "{bursts:?}");
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    for format in [Format::Chrome, Format::Wave] {
        assert_eq!(written(&mix(), 0.3, 0.4, format), written(&mix(), 0.3, 0.4, format));
    }
}

#[test]
fn windows_that_show_nothing_are_refused_with_a_remedy() {
    let run = RunSpec { ramp_s: 10.0, measure_s: 60.0, ..RunSpec::default() };
    let text = |from_s, to_s| Window::new(from_s, to_s, &run).unwrap_err().to_string();
    assert!(text(f64::NAN, 3.0).contains("seconds since power-on"));
    assert!(text(-1.0, 3.0).contains("seconds since power-on"));
    assert!(text(1.0, f64::INFINITY).contains("seconds since power-on"));
    assert!(text(5.0, 5.0).contains("is empty"));
    assert!(text(5.0, 4.0).contains("is empty"));
    let beyond = text(5.0, 80.5);
    assert!(beyond.contains("ends at 70 s") && beyond.contains("run.measure_s=71"), "{beyond}");
    assert!(Window::new(0.0, 70.0, &run).is_ok());
}

#[test]
fn an_error_of_the_file_ends_the_timeline() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let scenario = mix();
    let window = Window::new(0.3, 0.4, &scenario.run).unwrap();
    for format in [Format::Chrome, Format::Wave] {
        let outcome = timeline(&scenario, &points(&scenario)[0], window, format, &mut Full(3000));
        assert!(
            matches!(outcome, Err(TimelineError::Write(error)) if error.kind() == io::ErrorKind::StorageFull)
        );
    }
}
