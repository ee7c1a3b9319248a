//! `run`, `compare` and `reproduce`.

use std::fs;

use crate::place::{Place, has};

/// One drive, three points, half a second each.
const SMALL: &str = r#"(
    name: "small",
    title: "A small scenario",
    host: "instant",
    driver: "ideal",
    bus: "pci-32-33",
    controller: "plain-ata",
    drives: [
        (id: "d0", channel: 0, model: "seagate-st380021a"),
        (id: "d1", channel: 1, model: "seagate-st380021a"),
    ],
    arrays: [
        (id: "1d", raid: (level: Single), members: ["d0"]),
        (id: "other", raid: (level: Single), members: ["d1"]),
    ],
    workload: (access: Lines([(size_bytes: 4096, read_percent: 100, random_percent: 100)])),
    sweep: (arrays: ["1d"], queue_depths: [1, 2, 4]),
    run: (ramp_s: 0.1, measure_s: 2.0, replications: 3, quick: (ramp_s: 0.1, measure_s: 1.0, replications: 1)),
    plots: [(
        file: "rates", title: "Rates", x: "queue_depth", y: ["iops"], series: "array", error: "iops_half_width",
        x_label: "requests in flight", y_label: "I/O a second",
    )],
)"#;

const SLOW_SEEKS: [&str; 6] = [
    "--set",
    "drives.*.seek.full_ms=24",
    "--set",
    "drives.*.seek.average_ms=12",
    "--set",
    "drives.*.quoted_average_ms=12",
];

fn place() -> Place {
    let place = Place::new();
    place.file("small.ron", SMALL);
    place
}

/// Mean I/O rate of the first point of a summary.
fn first_iops(place: &Place, file: &str) -> f64 {
    let text = place.read(file);
    let mut lines = text.lines();
    let column = lines.next().unwrap().split(',').position(|name| name == "iops").unwrap();
    lines.next().unwrap().split(',').nth(column).unwrap().parse().unwrap()
}

#[test]
fn run_prints_a_summary_and_fills_the_folder() {
    let place = place();
    let left = place.good(&["run", "small.ron"]);
    has(
        &left.out,
        &["A small scenario", "3 runs of 2 s, seed 1", "array: 1d", "in flight", "I/O a second", " ± "],
    );
    has(&left.err, &["wrote to output/small:", "summary.csv", "rates.png .svg .csv"]);
    let names = place.names("output/small");
    assert_eq!(
        names,
        ["rates.csv", "rates.png", "rates.svg", "results.json", "runs.csv", "summary.csv"],
        "and no temporary file"
    );
    assert_eq!(place.read("output/small/runs.csv").lines().count(), 10);
    assert_eq!(place.read("output/small/summary.csv").lines().count(), 4);
}

#[test]
fn the_forms_of_the_summary_agree() {
    let place = place();
    let run = |form: &str| place.good(&["run", "small.ron", "--quick", "--format", form]).out;
    let csv = run("csv");
    assert_eq!(csv, place.read("output/small/summary.csv"));
    let json: serde_json::Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 3);
    assert_eq!(json[0]["iops"].as_f64().unwrap(), first_iops(&place, "output/small/summary.csv"));
    has(&run("markdown"), &["## A small scenario", "| in flight |"]);
    has(&run("text"), &["one run a point"]);
}

#[test]
fn equal_bytes_come_out_whatever_the_number_of_jobs() {
    let place = place();
    place.good(&["run", "small.ron", "--jobs", "1", "--out", "one"]);
    place.good(&["run", "small.ron", "--jobs", "2", "--out", "two"]);
    for name in place.names("one") {
        let read = |folder: &str| fs::read(place.path(folder).join(&name)).unwrap();
        assert_eq!(read("one"), read("two"), "{name}");
    }
    place.good(&["run", "small.ron", "--seed", "2", "--out", "other"]);
    assert_ne!(place.read("one/runs.csv"), place.read("other/runs.csv"));
}

#[test]
fn a_setting_is_recorded_and_has_its_effect() {
    let place = place();
    place.good(&["run", "small.ron", "--quick", "--no-plots", "--out", "a"]);
    place.good(&[&["run", "small.ron", "--quick", "--no-plots", "--out", "b"], &SLOW_SEEKS[..]].concat());
    let (quick, slow) = (first_iops(&place, "a/summary.csv"), first_iops(&place, "b/summary.csv"));
    assert!(slow < 0.9 * quick, "{slow} against {quick}");
    let json: serde_json::Value = serde_json::from_str(&place.read("b/results.json")).unwrap();
    assert_eq!(json["overrides"][1][0], "drives.*.seek.average_ms");
    assert_eq!(json["overrides"][1][1], "12");
    assert!(!place.path("b/rates.png").exists(), "--no-plots draws nothing");
}

#[test]
fn run_refuses_wrong_names_options_and_settings_before_it_starts() {
    let place = place();
    let bad = |arguments: &[&str], parts: &[&str]| has(&place.bad(arguments), parts);
    bad(&["run", "mxi"], &["no scenario `mxi`", "did you mean `rocketraid133-dtla/mix`"]);
    bad(&["run", "rocketraid133"], &["is a reproduction", "ataraid reproduce rocketraid133"]);
    bad(&["run", "nowhere.ron"], &["nowhere.ron", "no such file"]);
    bad(&["run", "small.ron", "--jobs", "0"], &["--jobs", "from 1 to 1024"]);
    bad(&["run", "small.ron", "--runs", "0"], &["--runs", "from 1 to 1000"]);
    let set = |value: &str, parts: &[&str]| bad(&["run", "small.ron", "--set", value], parts);
    set("bus", &["no `=`", "PATH=VALUE"]);
    set("buss=pci-64-66", &["no `buss`", "did you mean `bus`"]);
    set("bus=pci-64-65", &["no bus model `pci-64-65`", "did you mean `pci-64-66`"]);
    set("drives.*.rpm=fast", &["drives[0].model.rpm", "not `fast`"]);
    set("drives.*.rpm=1", &["--set drives.*.rpm=1", "3000 to 20000"]);
    assert_eq!(place.names("."), ["small.ron"], "nothing was written");
}

#[test]
fn an_output_folder_that_cannot_be_written_stops_run_before_it_starts() {
    let place = place();
    place.file("taken", "");
    let bad = |arguments: &[&str]| has(&place.bad(arguments), &["a file and not a folder", "--out"]);
    // A full run of this length would be noticed.
    bad(&["run", "small.ron", "--set", "run.measure_s=80000", "--out", "taken"]);
    bad(&["compare", "small.ron", "--arrays", "1d,other", "--out", "taken"]);
    bad(&["reproduce", "rocketraid133", "--out", "taken"]);
}

#[test]
fn compare_gives_ratios_with_verdicts_and_never_fails_on_a_difference() {
    let place = place();
    let slower =
        ["compare", "small.ron", "--vary", "drives.*.overhead.read_miss_ms=0.2,5", "--depths", "1,4"];
    let left = place.good(&slower);
    has(&left.out, &["B slower", "2 points: B slower at 2", "B/A", " ± "]);
    has(&left.err, &["wrote to output/compare-small:", "ratio.png .svg .csv"]);
    let csv = place.read("output/compare-small/compare.csv");
    assert!(csv.starts_with("a,b,array,"), "{csv}");
    assert_eq!(csv.lines().count(), 3);
    has(&csv, &["drives.*.overhead.read_miss_ms=5"]);
}

#[test]
fn compare_takes_arrays_or_another_scenario() {
    let place = place();
    let arrays = place.good(&["compare", "small.ron", "--arrays", "1d,other", "--quick"]).out;
    has(&arrays, &["A: 1d, B: other", "3 points:"]);
    place.file(
        "second.ron",
        &SMALL.replace("\"small\"", "\"second\"").replace("\"pci-32-33\"", "\"pci-64-66\""),
    );
    let left = place.good(&["compare", "small.ron", "second.ron", "--quick", "--no-plots"]);
    has(&left.out, &["A: small, B: second"]);
    let names = place.names("output/compare-small-second");
    for name in ["a-results.json", "b-results.json", "a-runs.csv", "compare.csv"] {
        assert!(names.iter().any(|known| known == name), "{name} is not in {names:?}");
    }
}

#[test]
fn playbacks_are_compared_by_their_score() {
    let place = Place::new();
    let compared = ["compare", "business-winmark", "--arrays", "1d,R0x2", "--quick", "--no-plots"];
    let left = place.good(&compared);
    has(&left.out, &["A, WinMark", "B, WinMark", "B/A", "FAT32", "NTFS"]);
    assert!(!left.out.contains("I/O a second"), "{}", left.out);
    let csv = place.read("output/compare-business-winmark/compare.csv");
    has(&csv, &["a_winmark,b_winmark,winmark_ratio,winmark_ratio_half_width,verdict\n", "a_iops,b_iops"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let column =
        |name: &str, headers: &csv::StringRecord| headers.iter().position(|head| head == name).unwrap();
    let headers = reader.headers().unwrap().clone();
    for row in reader.records() {
        let row = row.unwrap();
        let ratio: f64 = row[column("winmark_ratio", &headers)].parse().unwrap();
        let expected = if ratio > 1.0 { "B faster (one run)" } else { "B slower (one run)" };
        assert_eq!(&row[column("verdict", &headers)], expected);
    }
}

#[test]
fn compare_refuses_what_cannot_be_compared() {
    let place = place();
    let bad = |arguments: &[&str], parts: &[&str]| has(&place.bad(arguments), parts);
    bad(&["compare", "small.ron"], &["nothing to compare with", "--vary", "--arrays"]);
    bad(&["compare", "small.ron", "--vary", "bus=pci-32-33"], &["one value compares with nothing"]);
    bad(&["compare", "small.ron", "--vary", "name=a,b"], &["--vary name=a,b", "cannot be varied"]);
    bad(&["compare", "small.ron", "--arrays", "1d,2d"], &["--arrays 1d,2d", "no array `2d`"]);
    bad(&["compare", "small.ron", "small.ron", "--vary", "bus=a,b"], &["cannot be used with"]);
    place.file("other.ron", &SMALL.replace("queue_depths: [1, 2, 4]", "queue_depths: [8]"));
    bad(&["compare", "small.ron", "other.ron", "--quick"], &["no point in common"]);
}

const REVIEW: &str = r#"(
    name: "review", title: "A review", scenarios: ["small.ron"], ledger: "claims.ron",
    tables: [(title: "Rates, I/O a second", scenario: "small", rows: "array", columns: "queue_depth", value: "iops")],
)"#;

/// A ledger with this check in its second, expected claim.
fn ledger(check: &str) -> String {
    format!(
        r#"(
            scenario: "review", arrays: [],
            claims: [
                (id: "C1", source: "S0", part: "set-up", type: Rule, text: "Two channels.", check: "controller.channels == 2"),
                (id: "C2", source: "S0", part: "set-up", type: Rule, expected: true, text: "The bus.", check: "{check}"),
            ],
        )"#
    )
}

#[test]
fn reproduce_fills_the_folder_and_prints_every_verdict() {
    let place = place();
    place.file("review.ron", REVIEW);
    place.file("claims.ron", &ledger("pci.width_bits == 32"));
    let left = place.good(&["reproduce", "review.ron"]);
    has(&left.out, &["A review", "C1    held", "2 claims: 2 held, 0 missed", "no parameter was fitted"]);
    let names = place.names("output/review");
    for name in [
        "claims.txt",
        "claims.md",
        "claims.csv",
        "claims.json",
        "report.html",
        "tables.md",
        "table-rates.csv",
        "rates.png",
        "small-results.json",
        "small-summary.csv",
    ] {
        assert!(names.iter().any(|known| known == name), "{name} is not in {names:?}");
    }
    assert!(!names.iter().any(|name| name.ends_with(".tmp")), "{names:?}");
}

#[test]
fn an_expected_claim_that_is_missed_is_exit_code_one() {
    let place = place();
    place.file("review.ron", REVIEW);
    place.file("claims.ron", &ledger("pci.width_bits == 64"));
    let left = place.run(&["reproduce", "review.ron", "--no-plots"]);
    assert_eq!(left.code, 1, "{}", left.err);
    has(&left.out, &["C2!   missed", "missed although expected to hold: C2", "1 missed"]);
    let quick = place.good(&["reproduce", "review.ron", "--no-plots", "--quick"]);
    has(&quick.out, &["QUICK LOOK", "C2!", "the exit code is 0 all the same"]);
    assert_eq!(place.run(&["reproduce", "review.ron", "--no-plots", "--quick", "--strict"]).code, 1);
}

#[test]
fn findings_name_claims_and_figures_that_there_are() {
    let place = place();
    place.file("claims.ron", &ledger("pci.width_bits == 32"));
    let bad = |claims: &str, figures: &str, parts: &[&str]| {
        let finding = format!(
            "findings: [(title: \"t\", mechanism: \"m\", claims: {claims}, figures: {figures})],\n    ledger"
        );
        place.file("review.ron", &REVIEW.replace("ledger", &finding));
        has(&place.bad(&["reproduce", "review.ron"]), parts);
    };
    bad("[\"C3\"]", "[]", &["review.ron:", "there is no claim `C3`", "C1"]);
    bad("[\"C1\"]", "[\"rats\"]", &["review.ron:", "there is no figure `rats`", "did you mean `rates`?"]);
    bad("[]", "[]", &["review.ron:", "no claim says whether this comes out"]);
}

#[test]
fn runs_without_a_completed_request_are_remarked_on() {
    let place = place();
    let short = ["run", "small.ron", "--no-plots", "--set", "run.ramp_s=0", "--set", "run.measure_s=0.001"];
    let left = place.good(&short);
    has(&left.err, &["note: no request was completed within the 0.001 s of ", "of the 9 runs of `small`"]);
    let left = place.good(&["run", "small.ron", "--no-plots", "--quick"]);
    assert!(!left.err.contains("no request was completed"), "{}", left.err);
}

#[test]
fn a_list_that_no_scenario_of_a_reproduction_has_is_refused() {
    let place = place();
    place.file("review.ron", REVIEW);
    place.file("claims.ron", &ledger("pci.width_bits == 32"));
    let told = place.bad(&["reproduce", "review.ron", "--set", "sweep.file_systems=[FAT32]"]);
    has(
        &told,
        &["--set sweep.file_systems=[FAT32]: error: no scenario of this reproduction can be swept over"],
    );
}

#[test]
fn numbers_of_options_are_told_their_range() {
    for (option, wrong, range) in
        [("--jobs", "abc", "1 to 1024"), ("--seed", "99999999999999999999", "0 to 18446744073709551615")]
    {
        let told = place().bad(&["run", "small.ron", option, wrong]);
        has(&told, &[wrong, option, &format!("it must be a whole number from {range}")]);
    }
}
