//! `fit`.

use crate::place::{Place, has};

/// One drive that reads at random, a point at each of two depths.
const MIX: &str = r#"(
    name: "tiny-mix", title: "A tiny mix", experiment: Mix,
    host: "instant", driver: "ideal", bus: "pci-32-33", controller: "hpt372a",
    drives: [(id: "d0", channel: 0, model: "maxtor-6l020j1")],
    arrays: [(id: "1d", raid: (level: Single), members: ["d0"])],
    workload: (access: Pattern("mix-8k")),
    sweep: (queue_depths: [1, 16], write_percents: [0]),
    run: (ramp_s: 0.1, measure_s: 3.0, replications: 2, quick: (ramp_s: 0.1, measure_s: 1.0, replications: 1)),
)"#;

const REVIEW: &str =
    r#"(name: "tiny", title: "A tiny review", scenarios: ["mix.ron"], ledger: "claims.ron")"#;

/// A drive reads some 75 times a second; C1 needs an overhead of some 3 ms, which C2 forbids.
const CLAIMS: &str = r#"(
    scenario: "tiny", arrays: ["1d"], file_systems: ["NTFS"],
    claims: [
        (id: "C1", source: "S0", part: "p", type: Number, text: "Slow.", check: "MX(1d, 1, 0) within [61, 65]"),
        (id: "C2", source: "S0", part: "p", type: Number, text: "Fast.", check: "MX(1d, 1, 0) > 68"),
        (id: "C3", source: "S0", part: "p", type: Number, weak: true, text: "Noise.", check: "MX(1d, 1, 0) > 1"),
        (id: "C4", source: "S0", part: "p", type: Number, text: "Unknown.", check: "WBb(1d, NTFS) > 1"),
        (id: "C5", source: "S0", part: "p", type: Rule, text: "Two channels.", check: "controller.channels == 2"),
    ],
)"#;

const FIT: &str = r#"(
    reproduction: "review.ron",
    claims: ["C1"],
    parameters: [
        (path: "drives.*.overhead.read_miss_ms", from: 0.2, to: 5.0),
        (path: "driver.pio_block_sectors", from: 8, to: 16, kind: Whole),
    ],
    seed: 5,
    budget_evaluations: 18,
    sensitivity_evaluations: 4,
)"#;

fn place() -> Place {
    let place = Place::new();
    for (name, text) in [("mix.ron", MIX), ("review.ron", REVIEW), ("claims.ron", CLAIMS), ("try.ron", FIT)] {
        place.file(name, text);
    }
    place
}

#[test]
fn a_fit_finds_what_makes_its_claim_hold_and_says_what_else_it_costs() {
    let place = place();
    let left = place.good(&["fit", "try.ron", "--jobs", "1"]);
    has(
        &left.out,
        &[
            "Fit of C1 of tiny",
            "18 evaluations of 1 run each, seed 5",
            "held of the 1 chosen claims: 0 before, 1 found",
            "QUICK LOOK",
            "no chosen claim flips at the ends of the range of `driver.pio_block_sectors`",
            "LOST C2: Fast.",
            "To paste into the model `Maxtor 6L020J1`, which has not been changed",
            "\"overhead.read_miss_ms\": Fitted(\"C1: ",
            "C1 missed",
        ],
    );
    assert!(!left.out.contains("model `Ideal`"), "{}", left.out);
    has(&left.err, &["wrote to output/try:", "fit.md .json .csv"]);
    has(
        &place.read("output/try/fit.md"),
        &["# Fit of C1 of tiny", "## Values", "```ron", "## All other claims"],
    );

    let json: serde_json::Value = serde_json::from_str(&place.read("output/try/fit.json")).unwrap();
    let evaluations = json["evaluations"].as_array().unwrap();
    let searched = evaluations.iter().filter(|one| one["phase"] == "Search").count();
    assert_eq!(searched, 18, "the budget is kept exactly");
    assert_eq!(evaluations[0]["values"], serde_json::json!([0.2, 16.0]), "the models as they are come first");
    assert_eq!(evaluations[0]["score"]["missed"], 1);
    let best = &evaluations[json["best_evaluation"].as_u64().unwrap() as usize - 1];
    assert_eq!(best["claims"][0]["verdict"], "Held");
    let overhead_ms = best["values"][0].as_f64().unwrap();
    assert!((1.5..4.5).contains(&overhead_ms), "{overhead_ms}");
    assert_eq!(best["values"][1], 16.0, "what decides nothing stays as it is");
    assert_eq!(json["whole_ledger"]["lost"], serde_json::json!(["C2"]));
    let table = place.read("output/try/fit.csv");
    assert_eq!(table.lines().count(), evaluations.len() + 1);
    has(&table, &["evaluation,phase,drives.*.overhead.read_miss_ms,driver.pio_block_sectors,missed"]);

    // The overhead flips C1 both ways, between a value that holds and one that does not.
    for (reach, up) in json["sensitivity"].as_array().unwrap()[..2].iter().zip([false, true]) {
        let [holds, flips] = ["holds_to", "flips_at"].map(|end| reach[end].as_f64().unwrap());
        assert_eq!(reach["up"], up);
        assert_eq!(flips > holds, up, "{reach}");
        assert_eq!(reach["flips"], serde_json::json!([["C1", "Missed"]]));
    }

    place.good(&["fit", "try.ron", "--jobs", "2", "--out", "two"]);
    for name in place.names("two") {
        let [one, two] = ["output/try", "two"].map(|folder| place.read(&format!("{folder}/{name}")));
        assert!(one == two, "{name} depends on the number of jobs");
    }
}

#[test]
fn a_fit_is_checked_and_listed_as_what_it_is() {
    let place = place();
    has(&place.good(&["check", "try.ron"]).out, &["ok: try.ron (fit)"]);
    // What only the runs of a reproduction tell is told too.
    place.file("lacking.ron", &FIT.replace("[\"C1\"]", "[\"C4\"]"));
    has(
        &place.bad(&["check", "lacking.ron"]),
        &["lacking.ron:3:14: error: the runs of this reproduction do not"],
    );
    has(&place.good(&["list", "fits"]).out, &["rocketraid133/fit-window"]);
    has(&place.good(&["check", "fit-window"]).out, &["ok: fit-window (fit)"]);
    has(
        &place.bad(&["fit", "fit-windw"]),
        &["there is no fit `fit-windw`", "did you mean `rocketraid133/fit-window`?"],
    );
    has(
        &place.bad(&["fit", "rocketraid133"]),
        &["is a reproduction and no fit", "ataraid reproduce rocketraid133"],
    );
    has(&place.bad(&["run", "fit-window"]), &["is a fit and no scenario", "ataraid fit fit-window"]);
}

/// What `fit` says of a file in which `from` is replaced by `to`.
fn refused(from: &str, to: &str) -> String {
    let place = place();
    assert!(FIT.contains(from), "{from}");
    place.file("try.ron", &FIT.replace(from, to));
    let told = place.bad(&["fit", "try.ron"]);
    assert!(!place.path("output").exists(), "nothing is written");
    told
}

#[test]
fn a_wrong_fit_is_refused_at_its_place_with_a_remedy() {
    let parameter = "(path: \"drives.*.overhead.read_miss_ms\", from: 0.2, to: 5.0)";
    let path = "driver.pio_block_sectors\", from: 8, to: 16";
    for (from, to, told) in [
        (
            "[\"C1\"]",
            "[\"C1\", \"C11\", \"C3\", \"C1\", \"C4\"]",
            &[
                "try.ron:3:20: error: the ledger has no claim `C11`",
                "try.ron:3:27: error: claim `C3` is weak: nothing may be tuned for it",
                "help: take it out; weak claims are judged and never fitted to",
                "try.ron:3:33: error: claim `C1` is named twice",
            ][..],
        ),
        (
            "[\"C1\"]",
            "[\"C1\", \"C4\"]",
            &["try.ron:3:20: error: the runs of this reproduction do not decide claim `C4`", "WBb(1d, NTFS)"],
        ),
        ("[\"C1\"]", "[]", &["try.ron:3:13: error: a fit needs claims", "name at least one"]),
        (
            "budget_evaluations: 18",
            "budget_evaluations: 0",
            &["try.ron:9:25: error: a budget of 0 evaluations finds nothing", "help: allow at least 3"],
        ),
        (
            "budget_evaluations: 18",
            "budget_evaluations: 2",
            &["try.ron:9:25: error: 2 evaluations are too few for 2 parameters", "help: allow at least 3"],
        ),
        (
            parameter,
            "(path: \"drives.*.overhead.read_miss_ms\", from: 5.0, to: 5.0)",
            &[
                "try.ron:5:",
                "the range is empty: it goes from 5 to 5",
                "help: give `to` a value above `from`",
            ],
        ),
        (
            parameter,
            "(path: \"drives.*.overhead.read_miss_ms\", from: 5.0, to: 0.5)",
            &[
                "try.ron:5:",
                "the range is reversed: it goes from 5 to 0.5",
                "help: write the smaller end as `from`",
            ],
        ),
        (
            parameter,
            "(path: \"drives.*.overhead.read_miss_ms\", from: 0.0, to: 0.5, scale: Log)",
            &["try.ron:5:", "a logarithmic scale cannot begin at 0"],
        ),
        (
            parameter,
            "(path: \"drives.*.overhead.read_mis_ms\", from: 0.0, to: 0.5)",
            &["try.ron:5:16: error:", "has no `read_mis_ms`", "did you mean `read_miss_ms`?"],
        ),
        (
            parameter,
            "(path: \"drives.*.overhead\", from: 0.0, to: 0.5)",
            &["try.ron:5:16: error: `drives.*.overhead` is a record and no number"],
        ),
        (
            parameter,
            "(path: \"run.measure_s\", from: 1.0, to: 2.0)",
            &["try.ron:5:16: error: `run.measure_s` is no figure of a model", "driver.window_array_requests"],
        ),
        (
            path,
            "driver.pio_block_sectors\", from: 0, to: 16",
            &[
                "try.ron:6:",
                "`driver.pio_block_sectors` is 0 sectors; allowed is 1 to 128 sectors",
                "narrow the range",
            ],
        ),
        (
            path,
            "driver.pio_block_sectors\", from: 8.5, to: 16",
            &["try.ron:6:", "is 8.5", "give a whole number"],
        ),
        (
            "reproduction: \"review.ron\"",
            "reproduction: \"rocketraid\"",
            &["try.ron:2:19: error: there is no reproduction `rocketraid`", "rocketraid133"],
        ),
        ("seed: 5", "sead: 5", &["try.ron:8:5: error:", "sead", "did you mean `seed`?"]),
    ] {
        has(&refused(from, to), told);
    }
}

#[test]
fn a_fit_without_parameters_is_refused() {
    let start = FIT.find("parameters: [").unwrap() + "parameters: [".len();
    let end = FIT.find("    ],").unwrap();
    let told = refused(&FIT[start..end], "");
    has(&told, &["try.ron:4:17: error: a fit needs parameters to move", "help: add one, such as (path:"]);
}
