//! RON files: drive models, replay systems, scenarios.

use std::sync::OnceLock;

use ataraid::config::{Diagnostics, Source, load};
use ataraid::drive::DriveSpec;
use ataraid::replay::System;
use ataraid::scenario::{Library, LoadOptions, load_text};

use super::engine::{Target, kind_of, run};

const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "\"",
    "r#\"",
    "/*",
    "*/",
    "//",
    "Some(",
    "None",
    "true",
    "name: ",
    "rpm: ",
    "zones: ",
    "seek: ",
    "drives: ",
    "sweep: ",
    "(file: \"",
    "\n",
];

fn kind_of_faults(faults: &Diagnostics) -> String {
    assert!(!faults.is_empty(), "refused without a reason");
    let text = faults.to_string();
    assert!(text.contains("error: "), "{text}");
    format!("{} {}", kind_of(&text), faults.len().min(3))
}

fn check_model(bytes: &[u8]) -> String {
    let source = match Source::from_bytes("r.ron", bytes.to_vec()) {
        Ok(source) => source,
        Err(faults) => return kind_of_faults(&faults),
    };
    let drive = match load::<DriveSpec>(&source) {
        Ok(drive) => {
            // What is written is read as the same.
            let text = ron::ser::to_string(&drive).unwrap();
            let again: DriveSpec =
                load(&Source::new("again.ron", text)).unwrap_or_else(|faults| panic!("{faults}"));
            assert_eq!(again, drive);
            "a drive".to_owned()
        }
        Err(faults) => kind_of_faults(&faults),
    };
    let system =
        load::<System>(&source).map_or_else(|faults| kind_of_faults(&faults), |_| "a system".to_owned());
    format!("{drive}; {system}")
}

fn check_scenario(bytes: &[u8]) -> String {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    let source = match Source::from_bytes("s.ron", bytes.to_vec()) {
        Ok(source) => source,
        Err(faults) => return kind_of_faults(&faults),
    };
    let loaded = load_text(&source, LIBRARY.get_or_init(Library::shipped), &LoadOptions::default());
    loaded.map_or_else(|faults| kind_of_faults(&faults), |_| "a scenario".to_owned())
}

#[test]
fn models() {
    run(Target { name: "ron", words: WORDS, check: check_model });
}

#[test]
fn scenarios() {
    run(Target { name: "scenarios", words: WORDS, check: check_scenario });
}
