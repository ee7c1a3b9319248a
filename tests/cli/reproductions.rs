//! Reproductions as their authors get them wrong: `check` tells it, and `reproduce` before anything runs.

use crate::place::{Place, has};

const SCENARIO: &str = r#"(
    name: "mix", experiment: Mix, host: "instant", driver: "ideal", bus: "pci-32-33", controller: "plain-ata",
    drives: [(id: "d0", channel: 0, model: "seagate-st380021a")],
    arrays: [(id: "1d", raid: (level: Single), members: ["d0"])],
    workload: (access: Pattern("database")),
    sweep: (queue_depths: [1, 2], write_percents: [0, 50]),
    run: (ramp_s: 0.1, measure_s: 0.5, replications: 1),
    plots: [(
        file: "rates", title: "Rates", x: "queue_depth", y: ["iops"], series: "write_percent",
        x_label: "requests in flight", y_label: "I/O a second",
    )],
)"#;

const REVIEW: &str = r#"(
    name: "review", title: "A review", scenarios: ["mix.ron"], ledger: "claims.ron",
    tables: [(title: "Rates", scenario: "mix", only: {"array": ["1d"]}, rows: "write_percent", columns: "queue_depth", value: "iops")],
    facts: {"bios.version": "1.0"},
    findings: [(title: "t", mechanism: "m", claims: ["C1"], figures: ["rates"])],
    explanations: [(title: "Why?", scenario: "mix", sweep: (queue_depths: [2], write_percents: [0]))],
)"#;

const CLAIMS: &str = r#"(
    scenario: "review", arrays: ["1d"],
    claims: [(id: "C1", source: "S0", part: "mix", type: Ordering, text: "It reads.", check: "MX(1d, 1, 0) > 0")],
)"#;

/// A folder with the three files, in one of which `from` became `to`.
fn changed(file: &str, from: &str, to: &str) -> Place {
    let place = Place::new();
    for (name, text) in [("mix.ron", SCENARIO), ("review.ron", REVIEW), ("claims.ron", CLAIMS)] {
        assert!(name != file || text.contains(from), "{from}");
        place.file(name, &if name == file { text.replace(from, to) } else { text.to_owned() });
    }
    place
}

/// What both verbs say to it, which is the same and leaves no file.
fn refused(file: &str, from: &str, to: &str) -> String {
    let place = changed(file, from, to);
    let told = place.bad(&["check", "review.ron"]);
    assert_eq!(place.bad(&["reproduce", "review.ron"]).lines().next(), told.lines().next());
    assert!(!place.path("output").exists());
    told
}

#[test]
fn a_sound_one_is_good() {
    let place = changed("", "", "");
    has(&place.good(&["check", "review.ron"]).out, &["ok: review.ron (reproduction)"]);
    has(&place.good(&["reproduce", "review.ron", "--no-plots"]).out, &["C1    held"]);
}

#[test]
fn an_experiment_without_its_sweep_is_refused_before_the_runs() {
    has(
        &refused("mix.ron", ", write_percents: [0, 50]", ""),
        &["mix.ron:2:30: error: experiment Mix needs `sweep.write_percents`", "help: list it"],
    );
    has(
        &refused("mix.ron", "Mix,", "SequentialRead,"),
        &["experiment SequentialRead needs `sweep.block_bytes`"],
    );
    has(&refused("mix.ron", "Mix,", "BusinessWinMark,"), &["needs `winmark`", "Playback(\"business\")"]);
    let set = ["reproduce", "review.ron", "--set", "sweep.write_percents=[]"];
    has(
        &changed("", "", "").bad(&set),
        &["--set sweep.write_percents=[]: error: experiment Mix needs `sweep.write_percents`"],
    );
}

#[test]
fn names_that_are_not_there_are_refused() {
    let cases = [
        ("review.ron", "claims: [\"C1\"]", "claims: [\"C2\"]", "there is no claim `C2`"),
        ("review.ron", "[\"rates\"]", "[\"rats\"]", "did you mean `rates`?"),
        (
            "review.ron",
            "Rates\", scenario: \"mix\"",
            "Rates\", scenario: \"max\"",
            "there is no scenario `max`",
        ),
        ("review.ron", "value: \"iops\"", "value: \"ipos\"", "a summary has no column `ipos`"),
        ("review.ron", "queue_depths: [2]", "queue_depths: [3]", "the scenario's sweep has no `3`"),
        ("review.ron", "[\"mix.ron\"]", "[\"mix.ron\", \"mix.ron\"]", "two scenarios are called `mix`"),
        ("review.ron", "[\"mix.ron\"]", "[]", "the reproduction has no scenario to run"),
        ("claims.ron", "[\"1d\"]", "[\"1d\", \"R0x2\"]", "the scenario has no array `R0x2`"),
        ("claims.ron", "\"review\"", "\"preview\"", "did you mean `review`?"),
    ];
    for (file, from, to, message) in cases {
        let told = refused(file, from, to);
        has(&told, &[&format!("{file}:"), message]);
    }
}

#[test]
fn a_table_has_one_figure_in_each_cell() {
    let table = |from: &str, to: &str, parts: &[&str]| has(&refused("review.ron", from, to), parts);
    table(
        "rows: \"write_percent\"",
        "rows: \"array\"",
        &[
            "two figures would stand in one cell, at `array` 1d and `queue_depth` 1",
            "`write_percent` (`0`, `50`)",
            "`only`",
        ],
    );
    table("value: \"iops\"", "value: \"array\"", &["`array` is a parameter of a run, not a figure", "iops"]);
    table("{\"array\": [\"1d\"]}", "{\"array\": [\"2d\"]}", &["no row has `2d` in `array`"]);
}

#[test]
fn what_the_program_finds_cannot_be_told() {
    for name in ["pci.width_bits", "rejects.five_drives", "runs.count"] {
        has(
            &refused("review.ron", "bios.version", name),
            &["review.ron:4:", &format!("fact `{name}` is for the program to find"), "leave it out"],
        );
    }
}

#[test]
fn what_a_terminal_would_obey_is_printed_as_blanks() {
    let nasty = "A\\u{1b}[2J\\u{fffe}\\u{7} review";
    let place = changed("review.ron", "\"A review\"", &format!("\"{nasty}\""));
    place.file("claims.ron", &CLAIMS.replace("It reads.", "It\\u{1b}c\\u{ffff} reads."));
    place.file("mix.ron", &SCENARIO.replace("\"Rates\"", &format!("\"{nasty}\"")));
    let left = place.good(&["reproduce", "review.ron"]);
    has(&left.out, &["A [2J   review", "It c  reads."]);
    let odd = |text: &str| text.chars().any(|c| c != '\n' && (c.is_control() || c >= '\u{fffe}'));
    assert!(!odd(&left.out) && !odd(&left.err));
    for name in ["claims.txt", "claims.md", "tables.md", "rates.svg", "report.html"] {
        assert!(!odd(&place.read(&format!("output/review/{name}"))), "{name}");
    }
    // A fault is told without them as well, with the excerpt of the file.
    place.file("review.ron", &REVIEW.replace("\"A review\"", "\"A\u{1b}[2J\", titel: 1"));
    assert!(!odd(&place.bad(&["check", "review.ron"])));
}
