//! Short scenarios against their recorded summaries: any change of a figure must be meant.
//!
//! After a change that is meant: `UPDATE_GOLDEN=1 cargo test --test golden`.

#![allow(clippy::unwrap_used, reason = "a test may give up")]

use std::path::Path;

use ataraid::experiment::claims::Verdict;
use ataraid::experiment::{Reproduction, run};
use ataraid::results::csv;
use ataraid::scenario::{Library, LoadOptions, load};

fn check(scenario: &str, file: &str, sets: &[(&str, &str)]) {
    let sets = sets.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    let options = LoadOptions { sets, quick: true, ..LoadOptions::default() };
    let scenario = load(scenario, &Library::shipped(), &options).unwrap_or_else(|error| panic!("{error}"));
    let results = run(&scenario, None, &()).unwrap_or_else(|error| panic!("{error}"));
    let found = String::from_utf8(csv::to_bytes(&results.runs)).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &found).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = expected.lines().zip(found.lines()).find(|(old, new)| old != new);
    assert!(
        expected == found,
        "{file} has changed; if that is meant, run UPDATE_GOLDEN=1 cargo test --test golden\n\
         first line that differs, recorded and now:\n{differing:#?}"
    );
}

#[test]
fn the_mix_on_three_arrays() {
    let sets = [
        ("run.ramp_s", "0.5"),
        ("run.measure_s", "2.0"),
        ("sweep.arrays", "[\"1d\", \"R0x2c1\", \"R01\"]"),
        ("sweep.queue_depths", "[1, 16]"),
        ("sweep.write_percents", "[0, 50, 100]"),
    ];
    check("rocketraid133/mix", "mix.csv", &sets);
}

#[test]
fn sequential_reads_on_three_arrays() {
    let sets = [
        ("run.ramp_s", "0.2"),
        ("run.measure_s", "1.0"),
        ("sweep.arrays", "[\"1d\", \"R0x4\", \"R1c2\"]"),
        ("sweep.block_bytes", "[4096, 65536, 262144]"),
    ];
    check("rocketraid133/sequential-read", "sequential-read.csv", &sets);
}

#[test]
fn sequential_reads_over_serial_links() {
    let sets = [
        ("run.ramp_s", "0.2"),
        ("run.measure_s", "0.5"),
        ("sweep.arrays", "[\"1d\", \"R0x4\", \"R10\"]"),
        ("sweep.block_bytes", "[4096, 65536, 262144]"),
    ];
    check("sii3124/sequential-read", "serial.csv", &sets);
}

/// All that the second review says of speeds holds in a short run, and the 66 MHz slot is the limit it says it is.
#[test]
fn the_claims_about_the_sii3124_hold() {
    let options = LoadOptions { quick: true, ..LoadOptions::default() };
    let reproduction = Reproduction::load("sii3124", &Library::shipped(), &options);
    let mut reproduction = reproduction.unwrap_or_else(|error| panic!("{error}"));
    reproduction.scenarios.retain(|scenario| scenario.name.starts_with("sequential"));
    // The ramp covers the filling of the write caches, which would be counted as speed.
    for scenario in &mut reproduction.scenarios {
        (scenario.run.ramp_s, scenario.run.measure_s) = (3.0, 1.0);
        scenario.sweep.block_bytes = vec![2048, 32_768, 65_536, 131_072, 1_048_576];
    }
    let results = reproduction.run(None, &()).unwrap_or_else(|error| panic!("{error}"));
    for outcome in results.report().unwrap().outcomes {
        // How long a block was measured is not said of a quick look.
        let expected = if outcome.id == "C100" { Verdict::NotCheckable } else { Verdict::Held };
        assert_eq!(outcome.verdict, expected, "{}: {}", outcome.id, outcome.evidence());
    }
}
