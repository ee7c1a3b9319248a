//! `explain`: stages, resources, blame and timelines.

use std::fs;

use crate::place::{Place, has};

const SMALL: &str = r#"(
    name: "small",
    title: "A small scenario",
    host: "supermicro-370dle",
    driver: "hpt-2.3",
    bus: "pci-32-33",
    controller: "hpt372a",
    drives: [
        (id: "d0", channel: 0, model: "maxtor-6l020j1"),
        (id: "d1", channel: 1, model: "maxtor-6l020j1"),
    ],
    arrays: [
        (id: "1d", raid: (level: Single), members: ["d0"]),
        (id: "R0x2", raid: (level: Raid0), members: ["d0", "d1"]),
    ],
    workload: (access: Pattern("sequential-read"), queue_depth: 4, block_bytes: Some(65536)),
    run: (ramp_s: 0.2, measure_s: 0.8, replications: 2),
)"#;

fn place() -> Place {
    let place = Place::new();
    place.file("small.ron", SMALL);
    place
}

#[test]
fn explain_shows_stages_resources_and_blame_and_answers_in_words() {
    let place = place();
    let left = place.good(&["explain", "small.ron"]);
    has(
        &left.out,
        &[
            "stage, us",
            "media",
            "response time",
            "mechanism of d1",
            "drive mechanics",
            "all software",
            "R0x2 moves",
        ],
    );
    let stages = place.read("output/explain-small/stages.csv");
    let mut lines = stages.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut rows = 0;
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let whole = |name: &str| -> u64 {
            cells[names.iter().position(|known| *known == name).unwrap()].parse().unwrap()
        };
        let sum: u64 = names
            .iter()
            .filter(|name| name.ends_with("_ps") && **name != "response_ps")
            .map(|name| whole(name))
            .sum();
        assert_eq!(sum, whole("response_ps"), "{line}");
        assert!(whole("requests") > 500 && whole("media_ps") > 0);
        rows += 1;
    }
    assert_eq!(rows, 2);
    for file in ["resources.csv", "blame.csv", "explanation.md", "stages-figure.png", "blame-figure.svg"] {
        assert!(place.path(&format!("output/explain-small/{file}")).is_file(), "{file}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&place.read("output/explain-small/explanation.json")).unwrap();
    assert_eq!(json["scenario"]["name"], "small");
    assert!(json["paragraphs"][0].as_str().unwrap().contains("gain when ideal"));
    assert!(json["paragraphs"][1].as_str().unwrap().contains("ideal drives"));
    assert_eq!(json["blame"]["rows"].as_array().unwrap().len(), 22);
}

#[test]
fn explain_without_blame_is_short_and_does_not_depend_on_jobs() {
    let place = place();
    let shown = |jobs: &str, format: &str| {
        let arguments =
            ["explain", "small.ron", "--no-blame", "--no-plots", "--arrays", "R0x2", "--jobs", jobs];
        place.good(&[&arguments[..], &["--format", format, "--out", "x"]].concat()).out
    };
    let text = shown("1", "text");
    assert!(!text.contains("ideal"), "{text}");
    assert!(!place.path("x/blame.csv").exists() && !place.path("x/stages-figure.svg").exists());
    assert_eq!(text, shown("2", "text"));
    for format in ["csv", "json", "markdown"] {
        assert_eq!(shown("1", format), shown("2", format));
    }
}

#[test]
fn timelines_are_written_whole_or_not_at_all() {
    let place = place();
    let timeline = |file: &str, more: &[&str]| -> Vec<String> {
        let arguments = [&["explain", "small.ron", "--arrays", "R0x2", "--timeline", file], more].concat();
        arguments.into_iter().map(str::to_owned).collect()
    };
    let good = |file: &str, more: &[&str]| {
        let arguments = timeline(file, more);
        place.good(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    has(&good("t.json", &[]).err, &["wrote t.json", "0.2 s to 0.25 s", "R0x2"]);
    let json: serde_json::Value = serde_json::from_str(&place.read("t.json")).unwrap();
    assert!(json["traceEvents"].as_array().unwrap().len() > 100);
    good("t.vcd", &["--from", "0.5", "--to", "0.51"]);
    has(&place.read("t.vcd"), &["$timescale 1 ps $end", "frame_n", "#500000000000", "#510000000000"]);
    let before = fs::read_dir(place.path("")).unwrap().count();
    let bad = |file: &str, more: &[&str], wanted: &[&str]| {
        let arguments = timeline(file, more);
        has(&place.bad(&arguments.iter().map(String::as_str).collect::<Vec<_>>()), wanted);
    };
    bad("u.json", &["--to", "2"], &["run ends at 1 s", "--set run.measure_s="]);
    bad("u.json", &["--from", "nan"], &["seconds since power-on"]);
    bad("u.json", &["--from", "0.3", "--to", "0.3"], &["is empty"]);
    bad("u.txt", &[], &[".json", ".vcd"]);
    bad("t.json/u.json", &[], &["t.json"]);
    has(&place.bad(&["explain", "small.ron", "--timeline", "u.json"]), &["2 are chosen", "--arrays"]);
    has(&place.bad(&["explain", "rocketraid133/mix"]), &["points are too many", "--depths"]);
    has(&place.bad(&["explain", "small.ron", "--from", "1"]), &["--timeline"]);
    has(&place.bad(&["explain", "small.ron", "--arrays", "R0x3"]), &["--arrays R0x3", "R0x2"]);
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), before, "nothing is left behind");
}

#[test]
fn a_run_too_short_for_any_request_is_refused_before_anything_is_written() {
    let place = place();
    let short = ["explain", "small.ron", "--set", "run.ramp_s=0.0", "--set", "run.measure_s=0.001"];
    let told = place.bad(&[&short[..], &["--arrays", "1d", "--blocks", "1048576"]].concat());
    has(&told, &["no request was issued and completed in the 0.001 s", "measure for longer"]);
    assert_eq!(place.names("output/explain-small"), Vec::<String>::new());
}
