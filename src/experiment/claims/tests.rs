//! The language of checks, measurements, and reports, on made-up figures.

use proptest::prelude::*;

use super::*;
use crate::config::{Diagnostics, Source};
use crate::results::{Cell, Table};

pub(super) fn vocabulary() -> Vocabulary {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Vocabulary {
        arrays: owned(&["1d", "R0x2", "R0x3", "R0x4", "R1c1"]),
        patterns: owned(&["Database", "WebServer"]),
        file_systems: owned(&["FAT32", "NTFS"]),
        variants: owned(&["write_cache_off"]),
    }
}

fn named(name: &str) -> Argument {
    Argument::Name(name.to_owned())
}

/// Sequential reads of 2, 4 and 64 KB, a mix at depth 16 in which R0x2 overtakes at 25 % and R0x3 never does, and
/// two patterns.
pub(super) fn measurements() -> Measurements {
    let mut all = Measurements::new();
    let sequential = [("1d", [20.0, 30.0, 39.0]), ("R0x2", [20.0, 31.0, 55.0]), ("R0x3", [20.5, 30.0, 56.0])];
    for (array, rates) in sequential {
        for (block, rate) in [2048, 4096, 65536].into_iter().zip(rates) {
            for run in [rate - 0.1, rate + 0.1] {
                all.add(Metric::SequentialRead, vec![named(array), Argument::Whole(block)], run);
            }
        }
    }
    for percent in 0..=10_u64 {
        let share = percent as f64 * 10.0;
        for (array, rate) in [("1d", 100.0), ("R0x2", 95.0 + share * 0.2), ("R0x3", 90.0)] {
            let place = vec![named(array), Argument::Whole(16), Argument::Whole(percent * 10)];
            all.add(Metric::Mix, place, rate);
        }
    }
    for (depth, rate) in [(1, 80.0), (4, 100.0), (16, 120.0)] {
        all.add(Metric::Pattern, vec![named("Database"), named("1d"), Argument::Whole(depth)], rate);
    }
    all
}

fn facts() -> Facts {
    let mut facts = Facts::new();
    facts
        .number("pci.width_bits", 32.0)
        .truth("rejects.five_drives", true)
        .text("controller.chip", "HPT372A");
    facts
}

pub(super) fn judge(check: &str) -> Outcome {
    let check = Check::parse(check, &vocabulary()).unwrap_or_else(|error| panic!("{check}: {error:?}"));
    check.evaluate(&measurements(), &facts())
}

#[track_caller]
pub(super) fn assert_verdict(check: &str, verdict: Verdict) {
    let outcome = judge(check);
    assert_eq!(outcome.verdict, verdict, "{check}: {outcome:?}");
}

#[test]
fn conditions_that_the_figures_satisfy_hold() {
    for check in [
        "SR(R0x2, 64KB) > SR(1d, 64KB)",
        "SR(R0x3,64KB) > SR(R0x2,64KB) > SR(1d,64KB)",
        "SRmax(1d) within [37.5, 40.5]",
        "max_B SR(R0x2,B) == SRmax(R0x2)",
        "argmax over B of SR(R0x2, B) == 64KB",
        "argmax over A in {1d, R0x2} of SRmax(A) == R0x2",
        "lowest B where (SR(R0x2, B) > 1.02 * SR(1d, B)) == 4KB",
        "SRmax(R0x3) ~ SRmax(R0x2)",
        "SR(R0x2, 4KB) ~~ SR(1d, 4KB) and not SR(R0x2, 4KB) ~ SR(1d, 4KB)",
        "X(16, R0x2) within [24.99, 25.01]",
        "X(16, R0x3) > 100",
        "all w in 80..100 step 10: MX(R0x2, 16, w) > MX(1d, 16, w)",
        "all w in 0..100 step 10, all N in {3}: MX(R0xN,16,w) < MX(1d,16,w)",
        "some w: MX(R0x2, 16, w) < MX(1d, 16, w)",
        "at least 8 of w: MX(R0x2, 16, w) > MX(1d, 16, w)",
        "exactly 3 of w: MX(R0x2, 16, w) < MX(1d, 16, w)",
        "at most 3 of w: MX(R0x2, 16, w) < MX(1d, 16, w)",
        "count over w of (MX(R0x2, 16, w) > MX(1d, 16, w)) == 8",
        "mean over q of IO(Database, 1d, q) == 100",
        "all q in 1..4: IO(Database, 1d, q) <= 100",
        "spread over N in 2..3 of SRmax(R0xN) < 0.02",
        "min over B in 4KB..64KB of SR(1d, B) within [29.99, 30.01]",
        "sum over w of MX(R0x3, 16, w) == 990",
        "all w in 0..90 step 10: MX(R0x2, 16, w + 10) > MX(R0x2, 16, w)",
        "(SR(R0x2, 64KB) - SR(1d, 64KB)) / 2 * -1 within [-8.01, -7.99]",
        "pci.width_bits == 32 and pci.width_bits in {16, 32} and rejects.five_drives",
        "controller.chip == 'HPT372A' and controller.chip != 'SiI3124'",
        "1 < 2 <= 2 or SR(R1c1, 64KB) > 0",
        "true and not false",
    ] {
        assert_verdict(check, Verdict::Held);
    }
}

#[test]
fn conditions_that_the_figures_contradict_are_missed() {
    for check in [
        "SR(R0x2, 64KB) < SR(1d, 64KB)",
        "SR(R0x3,64KB) > SR(1d,64KB) > SR(R0x2,64KB)",
        "SRmax(1d) within [39.5, 40.5]",
        "argmax over A in {1d, R0x2} of SRmax(A) == 1d",
        "SRmax(R0x2) ~~ SRmax(1d)",
        "X(16, R0x2) < 25",
        "X(16, R0x3) - X(16, R0x3) within [0, 100]",
        "all w: MX(R0x2, 16, w) > MX(1d, 16, w)",
        "some w: MX(R0x3, 16, w) > MX(1d, 16, w)",
        "at least 9 of w: MX(R0x2, 16, w) > MX(1d, 16, w)",
        "exactly 2 of w: MX(R0x2, 16, w) < MX(1d, 16, w)",
        "at most 2 of w: MX(R0x2, 16, w) < MX(1d, 16, w)",
        "pci.width_bits in {16, 64}",
        "not rejects.five_drives",
        "controller.chip == 'SiI3124'",
    ] {
        assert_verdict(check, Verdict::Missed);
    }
}

#[test]
fn what_was_not_measured_makes_a_check_not_checkable_and_is_named() {
    let outcome = judge("SR(R1c1, 64KB) > SR(1d, 8KB)");
    assert_eq!(outcome.verdict, Verdict::NotCheckable);
    assert_eq!(outcome.lacking, ["SR(1d, 8192)", "SR(R1c1, 65536)"]);
    assert_eq!(judge("WBb(1d, FAT32) > 0").lacking, ["WBb(1d, FAT32)"]);
    assert_eq!(judge("SRmax(R0x2@write_cache_off) > 0").lacking.len(), 3);
    assert_eq!(judge("pci.widht_bits == 32").lacking, ["fact pci.widht_bits (did you mean pci.width_bits?)"]);
    assert_eq!(judge("X(256, R0x2) > 10").lacking, ["MX(R0x2, 256, 0)"]);
    assert_verdict("controller.chip > 3", Verdict::NotCheckable);
}

#[test]
fn a_range_that_holds_no_measured_value_is_never_vacuously_true() {
    assert_verdict("all B in 128KB..1MiB: SR(1d, B) > 1000", Verdict::NotCheckable);
    assert_verdict("all q: IO(WebServer, 1d, q) > 0", Verdict::NotCheckable);
}

#[test]
fn the_known_part_decides_when_it_suffices() {
    assert_verdict("SR(1d, 64KB) > 50 and SR(R1c1, 64KB) > 50", Verdict::Missed);
    assert_verdict("SR(1d, 64KB) > 30 or SR(R1c1, 64KB) > 50", Verdict::Held);
    assert_verdict("SR(1d, 64KB) > 30 and SR(R1c1, 64KB) > 50", Verdict::NotCheckable);
    assert_verdict("at least 1 of A in {1d, R1c1}: SR(A, 64KB) > 30", Verdict::Held);
    assert_verdict("exactly 1 of A in {1d, R1c1}: SR(A, 64KB) > 30", Verdict::NotCheckable);
}

#[test]
fn the_measured_values_are_told_with_their_intervals() {
    assert_eq!(
        judge("SR(R0x2, 64KB) > SR(1d, 64KB)").measured,
        "R0x2 55 MB/s [53.7, 56.3] > 1d 39 MB/s [37.7, 40.3]"
    );
    assert_eq!(judge("SRmax(1d) within [50, 60]").measured, "1d (B=64 KB) 39 MB/s [37.7, 40.3]");
    assert_eq!(
        judge("SRmax(R0x2) / SRmax(1d) < 2").measured,
        "1.41 [1.35, 1.47] (R0x2 (B=64 KB) 55 MB/s, 1d (B=64 KB) 39 MB/s) < 2"
    );
    assert_eq!(
        judge("all w: MX(R0x2, 16, w) > MX(1d, 16, w)").measured,
        "8 of 11, worst at w=0: R0x2 95 I/O/s not > 1d 100 I/O/s"
    );
    assert_eq!(
        judge("at least 8 of w: MX(R0x2, 16, w) > MX(1d, 16, w)").measured,
        "8 of 11, not at w=0; w=10; w=20"
    );
    assert_eq!(judge("rejects.five_drives").measured, "rejects.five_drives is true");
}

#[test]
fn margins_say_how_far_a_check_is_from_turning_over() {
    for (check, margin) in [
        ("SR(R0x2, 64KB) > SR(1d, 64KB)", 16.0 / 55.0),
        ("SR(R0x2, 64KB) < SR(1d, 64KB)", -16.0 / 55.0),
        ("not SR(R0x2, 64KB) < SR(1d, 64KB)", 16.0 / 55.0),
        ("SRmax(1d) within [37, 41]", 2.0 / 41.0),
        ("SRmax(1d) within [40, 41]", -1.0 / 41.0),
        ("SR(1d, 64KB) > 30 and SR(1d, 64KB) > 36", 3.0 / 39.0),
        ("SR(1d, 64KB) > 30 or SR(1d, 64KB) > 36", 9.0 / 39.0),
        ("all w in 0..20 step 10: MX(R0x2, 16, w) < MX(1d, 16, w)", 0.01),
        ("some w: MX(R0x3, 16, w) > MX(1d, 16, w)", -0.1),
        // 3 of 11 places are below 100: 95, 97 and 99; the next one up is 101.
        ("at least 3 of w: MX(R0x2, 16, w) < MX(1d, 16, w)", 0.01),
        ("at least 4 of w: MX(R0x2, 16, w) < MX(1d, 16, w)", -1.0 / 101.0),
        ("at most 3 of w: MX(R0x2, 16, w) < MX(1d, 16, w)", 1.0 / 101.0),
        ("at most 2 of w: MX(R0x2, 16, w) < MX(1d, 16, w)", -0.01),
        ("exactly 3 of w: MX(R0x2, 16, w) < MX(1d, 16, w)", 1.0 / 101.0),
        ("at least 12 of w: MX(R0x2, 16, w) < MX(1d, 16, w)", -1.0),
        ("controller.chip == 'SiI3124'", -1.0),
        ("SR(R1c1, 64KB) > 1", 0.0),
    ] {
        let found = judge(check).margin;
        assert!((found - margin).abs() < 1e-9, "{check}: {found}, expected {margin}");
    }
}

#[test]
fn a_check_names_the_places_that_any_measured_value_could_lead_it_to() {
    let needs =
        |check: &str| Check::parse(check, &vocabulary()).expect(check).needs(&measurements(), &facts());
    let count = |check: &str| needs(check).places.len();
    assert_eq!(count("SR(R0x2, 64KB) > SR(1d, 64KB)"), 2);
    assert_eq!(count("SRmax(R0x2) > 1 and SRmax(R0x2) < 100"), 3);
    assert_eq!(count("X(16, R0x2) < 30"), 22, "all shares of writes of both, not only up to the crossing");
    assert_eq!(count("lowest w where (MX(R0x2, 16, w) > 1) < 30"), 11);
    assert_eq!(count("IO(Database, 1d, lowest q where (IO(Database, 1d, q) > 90)) > 1"), 3);
    assert!(needs("pci.width_bits == 32").facts && !needs("SRmax(1d) > 1").facts);
    assert_eq!(needs("SR(R1c1, 64KB) > 1").lacking, ["SR(R1c1, 65536)"]);
}

#[test]
fn a_difference_smaller_than_its_interval_is_called_noise() {
    // Two runs 0.2 apart have an interval of plus and minus 1.27.
    assert!(judge("SR(R0x3, 2KB) > SR(R0x2, 2KB)").within_noise);
    assert!(judge("SR(R0x3, 2KB) < SR(R0x2, 2KB)").within_noise);
    assert!(!judge("SR(R0x2, 64KB) > SR(1d, 64KB)").within_noise);
    assert!(!judge("SR(R0x2, 64KB) > SR(1d, 64KB) or SR(R0x3, 2KB) > SR(R0x2, 2KB)").within_noise);
    assert!(judge("SR(R0x2, 64KB) > SR(1d, 64KB) and SR(R0x3, 2KB) > SR(R0x2, 2KB)").within_noise);
    assert!(judge("exactly 2 of B: SR(R0x3, B) > SR(R0x2, B)").within_noise);
    assert!(!judge("at most 3 of B: SR(R0x3, B) > SR(R0x2, B)").within_noise);
    assert!(!judge("MX(1d, 16, 0) > MX(R0x2, 16, 0)").within_noise, "one run has no interval");
}

#[test]
fn the_interval_of_four_runs_is_that_of_student() {
    let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0]).expect("four runs");
    // t(3; 0.975) = 3.1824, s = 1.2910: from tables.
    assert!((estimate.half_width - 3.1824 * 1.2910 / 2.0).abs() < 1e-3);
    assert_eq!(estimate.mean, 2.5);
    assert_eq!(Estimate::of(&[5.0]).expect("one run").half_width, 0.0);
    assert_eq!(Estimate::of(&[]), None);
}

#[track_caller]
fn assert_error(check: &str, at: usize, message: &str, remedy: &str) {
    let error = Check::parse(check, &vocabulary()).expect_err(check);
    assert_eq!(
        (error.place.start, error.message.as_str(), error.remedy.as_str()),
        (at, message, remedy),
        "{check}"
    );
}

#[test]
fn errors_of_names_suggest_the_nearest() {
    assert_error(
        "SR(R0x5, 4KB) > 1",
        3,
        "there is no array, pattern, file system or variable `R0x5`",
        "did you mean `R0x2`?",
    );
    assert_error("SRmex(1d) > 1", 0, "there is no metric `SRmex`", "did you mean `SRmax`?");
    assert_error(
        "IO(Databse, 1d, 4) > 1",
        3,
        "there is no array, pattern, file system or variable `Databse`",
        "did you mean `Database`?",
    );
    assert_error(
        "SR(1d@write_cache_of, 4KB) > 1",
        6,
        "there is no variant `write_cache_of`",
        "did you mean `write_cache_off`?",
    );
    assert_error(
        "all N: SRmax(R1cN) > 1",
        13,
        "there is no array, pattern, file system or variable `R1cN`",
        "did you mean `R1c1`?",
    );
    assert_error("all N in 2..5: SRmax(R0xN) > 1", 21, "there is no array `R0x5`", "did you mean `R0x2`?");
}

#[test]
fn errors_of_form_name_place_expectation_and_remedy() {
    assert_error(
        "SRmax(1d) >",
        11,
        "found the end of the check, expected a metric, a number, a fact or `(`",
        "put a metric, a number, a fact or `(` here",
    );
    assert_error(
        "SRmax(1d)",
        0,
        "this is a number, expected a condition",
        "the operator or function beside it works on that only",
    );
    assert_error(
        "SR(4, 4) > 1",
        3,
        "this is a number, expected an array",
        "the operator or function beside it works on that only",
    );
    assert_error(
        "SR(1d) > 1",
        5,
        "found `)`, expected `,` and a block size as parameter 2 of SR",
        "put `,` and a block size as parameter 2 of SR here",
    );
    assert_error(
        "all z: SRmax(1d) > 1",
        4,
        "`z` has no usual range",
        "give it one, such as `z in {1, 2}`; w, N, q and B have one",
    );
    assert_error(
        "all B: SRmax(1d) > 1",
        20,
        "no metric before this place is taken over `B`",
        "use `B` as a parameter of a metric, or give it values: `B in {1, 16}`",
    );
    assert_error(
        "SRmax(1d) > 1 &",
        14,
        "`&` means nothing in a check",
        "remove it; text is written in single quotes",
    );
    assert_error(
        "SRmax(1d) > 1 2",
        14,
        "found `2`, expected an operator such as `and`, `>` or `+`, or the end",
        "put an operator such as `and`, `>` or `+`, or the end here",
    );
    assert_error(
        "controller.chip == 'HPT",
        19,
        "the text that starts here has no closing `'`",
        "close it with `'`",
    );
    assert!(Check::parse(&"(".repeat(100_000), &vocabulary()).is_err(), "deep nesting is refused");
    assert!(Check::parse(&"not ".repeat(100_000), &vocabulary()).is_err());
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_or_the_evaluator_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "all ", "some ", "at least 2 of ", "w", "N", "B", "q", " in ", "0..100", " step 10", ":", "{", "}", "(", ")",
            "[", "]", ",", "MX(", "SR(", "IO(", "X(", "SRmax(", "1d", "R0xN", "R0x2", "R0x2@write_cache_off", "Database",
            "64KB", "16", "0", " > ", " < ", "~", "~~", "==", " within ", "+", "-", "*", "/", " and ", " or ", "not ",
            "max over ", "mean over ", "argmax over ", "count over ", "lowest ", " of ", " where ", "pci.width_bits",
            "'x'", "max_B ", "true", "é",
        ]), 0..24),
    ) {
        if let Ok(check) = Check::parse(&pieces.concat(), &vocabulary()) {
            check.evaluate(&measurements(), &facts());
        }
    }
}

fn ledger(claims: &str) -> Result<Ledger, Diagnostics> {
    let head = "(\n  scenario: \"s\",\n  arrays: [\"1d\", \"R0x2\"],\n  claims: [\n";
    Ledger::load(&Source::new("bad.ron", format!("{head}{claims}\n  ],\n)\n")))
}

#[test]
fn a_bad_claims_file_is_reported_with_every_problem_at_its_place() {
    let text = r#"    // a comment with check: "not this"
    (id: "C1", source: "S0", part: "p", text: "say \"check: \"", type: Number, check: "SRmax(R0x2)
        > SRmax(R0x7)"),
    (id: "C1", source: "S0", part: "p", text: "t", type: Rule, check: r"SRmx(1d) > 1"),"#;
    let error = ledger(text).expect_err("two problems").to_string();
    assert_eq!(
        error,
        r#"bad.ron:7:17: error: check of C1: there is no array, pattern, file system or variable `R0x7`
  |
7 |         > SRmax(R0x7)"),
  |                 ^^^^
help: did you mean `R0x2`?

bad.ron:8:10: error: there are two claims `C1`
  |
8 |     (id: "C1", source: "S0", part: "p", text: "t", type: Rule, check: r"SRmx(1d) > 1"),
  |          ^^^^
help: give each claim its own id

bad.ron:8:73: error: check of C1: there is no metric `SRmx`
  |
8 |     (id: "C1", source: "S0", part: "p", text: "t", type: Rule, check: r"SRmx(1d) > 1"),
  |                                                                         ^^^^
help: did you mean `SRmax`?"#
    );
}

/// Line and column of the only fault.
#[track_caller]
fn only_place(faults: &Diagnostics) -> (usize, usize) {
    assert_eq!(faults.len(), 1, "{faults}");
    let place = faults.iter().next().and_then(|fault| fault.place.clone()).expect("a place");
    (place.line, place.column)
}

#[test]
fn text_that_is_no_ledger_is_refused_at_its_place() {
    let text = r#"(id: "C1", sauce: "S0", source: "S0", part: "p", text: "t", type: Rule, check: "true")"#;
    let faults = ledger(text).expect_err("an unknown field");
    assert_eq!(only_place(&faults), (5, 12));
    assert!(Ledger::load(&Source::new("empty.ron", "")).is_err());
}

#[test]
fn a_ledger_that_names_what_the_scenario_does_not_offer_is_refused() {
    let ledger = ledger("").expect("no claims is fine");
    let offered = Vocabulary { arrays: vec!["1d".to_owned(), "R0x3".to_owned()], ..Vocabulary::default() };
    let faults = ledger.verify("s", &offered).expect_err("R0x2 is not offered");
    assert_eq!(only_place(&faults), (3, 18));
    assert!(faults.to_string().contains("the scenario has no array `R0x2`"), "{faults}");
    assert_eq!(ledger.verify("other", &offered).expect_err("another scenario").len(), 2);
}

#[test]
fn measurements_are_read_from_result_tables() {
    let mut mix =
        Table::new(&["array", "variant", "queue_depth", "write_percent", "run", "iops", "response_ms"]);
    for (variant, run, iops) in [("", 1, 100.0), ("", 2, 102.0), ("write_cache_off", 1, 50.0)] {
        mix.push(vec![
            Cell::Text("1d".to_owned()),
            Cell::Text(variant.to_owned()),
            Cell::Integer(16),
            Cell::Integer(30),
            Cell::Integer(run),
            Cell::Real(iops),
            Cell::Real(1.0),
        ]);
    }
    let read = Measurements::from_tables([(Experiment::Mix, &mix)]).expect("a good table");
    let place = |array| [named(array), Argument::Whole(16), Argument::Whole(30)];
    let estimate = read.estimate(Metric::Mix, &place("1d")).expect("measured");
    assert_eq!((estimate.mean, estimate.runs), (101.0, 2));
    assert_eq!(read.estimate(Metric::Mix, &place("1d@write_cache_off")).map(|e| e.mean), Some(50.0));

    let error = Measurements::from_tables([(Experiment::SequentialRead, &mix)]).expect_err("no such columns");
    assert_eq!(
        error,
        MeasurementError::MissingColumn {
            experiment: Experiment::SequentialRead,
            column: "mib_s".to_owned()
        }
    );
    mix.rows[1][5] = Cell::Text("fast".to_owned());
    let error = Measurements::from_tables([(Experiment::Mix, &mix)]).expect_err("no number").to_string();
    assert_eq!(error, "row 2 of the Mix table: `iops` holds `fast`, expected a finite number");
}

#[test]
fn the_report_counts_and_fails_only_on_expected_claims() {
    let claims = r#"
    (id: "C1", source: "S0", part: "p", text: "a|b", type: Number, expected: true, check: "SRmax(1d) within [37, 41]"),
    (id: "C2", source: "S0", part: "p", text: "t", type: Ordering, weak: true, check: "SRmax(1d) > SRmax(R0x2)"),
    (id: "C3", source: "S0", part: "p", text: "t", type: Rule, expected: true, check: "x.y"),"#;
    let read = ledger(claims).expect("good claims");
    let report = check_all(&read, &measurements(), &facts());
    assert_eq!(report.counts(), Counts { held: 1, missed: 1, not_checkable: 1 });
    assert_eq!(report.number_counts().held, 1);
    assert_eq!(report.weak_counts().missed, 1);
    assert!(!report.failed_expected(), "C2 is not expected and C3 is not checkable");
    let expected = "\
id  verdict            measured                                                      check
C1  held               1d (B=64 KB) 39 MB/s [37.7, 40.3]                             SRmax(1d) within [37, 41]
C2  missed             1d (B=64 KB) 39 MB/s [37.7, 40.3] not > R0x2 (B=64 KB) 55 MB/s [53.7, 56.3]  SRmax(1d) > SRmax(R0x2)
C3  not checkable yet  lacks fact x.y                                                x.y
";
    assert_eq!(report.to_string().split_once("\n\n").expect("a summary").0, expected.trim_end());
    assert!(
        report.to_markdown().contains(
            "| C1 | held | 1d (B=64 KB) 39 MB/s [37.7, 40.3] | `SRmax(1d) within [37, 41]` | a\\|b |"
        )
    );
    assert_eq!(report.to_table().rows.len(), 3);

    let mut facts_of_quick = facts();
    facts_of_quick.withhold("x.y", "not with --quick");
    let quick = check_all(&read, &measurements(), &facts_of_quick);
    assert_eq!(quick.outcomes[2].evidence(), "lacks fact x.y (not with --quick)");

    let strict = ledger(&claims.replace("weak: true", "expected: true")).expect("good claims");
    assert!(check_all(&strict, &measurements(), &facts()).failed_expected());
}
