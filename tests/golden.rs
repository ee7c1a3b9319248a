//! Two short scenarios against their recorded summaries: any change of a figure must be meant.
//!
//! After a change that is meant: `UPDATE_GOLDEN=1 cargo test --test golden`.

#![allow(clippy::unwrap_used, reason = "a test may give up")]

use std::path::Path;

use ataraid::experiment::run;
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
