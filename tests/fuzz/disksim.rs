//! Descriptions for DiskSim.

use std::path::Path;

use ataraid::config::{Diagnostic, Diagnostics, Source};
use ataraid::disksim::{import_drive, parse};

use super::engine::{Target, kind_of, run};

const SYSTEM: &str = include_str!("../corpus/disksim/system.parv");
const SEEK: &str = "small.seek";

/// The files that the corpus names; `seek` stands in for the seek curve.
fn file(path: &Path, seek: &str) -> Result<Source, Diagnostics> {
    let name = path.display().to_string();
    let text = match path.file_name().and_then(|name| name.to_str()) {
        Some("front.diskspecs") => include_str!("../corpus/disksim/front.diskspecs"),
        Some("small.model") => include_str!("../corpus/disksim/small.model"),
        Some(SEEK) => seek,
        _ => return Err(Diagnostic::of_file(name, "no such file or folder").into()),
    };
    Ok(Source::new(name, text))
}

fn import(text: &str, seek: &str) -> String {
    match import_drive(Source::new("system.parv", text), None, &mut |path: &Path| file(path, seek)) {
        // The model has been read back from its own text.
        Ok(imported) => format!("a drive, {} warnings", imported.warnings.len().min(5)),
        Err(faults) => {
            assert!(!faults.is_empty(), "refused without a reason");
            format!("{} {}", kind_of(&faults.to_string()), faults.len().min(3))
        }
    }
}

fn check(bytes: &[u8]) -> String {
    let parsed = match parse(bytes) {
        Ok(document) => format!("{} statements", document.statements.len().min(5)),
        Err(faults) => kind_of(&faults.to_string()),
    };
    let Ok(text) = std::str::from_utf8(bytes) else { return parsed };
    let curve = include_str!("../corpus/disksim/small.seek");
    // A text without a block is a seek curve.
    let imported = if text.contains('{') { import(text, curve) } else { import(SYSTEM, text) };
    format!("{parsed}; {imported}")
}

#[test]
fn descriptions() {
    let words = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        " = ",
        "#",
        "\n",
        "source ",
        "instantiate ",
        " as ",
        "topology ",
        "disksim_disk ",
        "dm_disk ",
        "dm_layout_g1 ",
        "dm_mech_g1 ",
        "Zones = [",
        "slips = [",
        "defects = [",
        "Full seek time = ",
        "Seek type = ",
        "Number of cylinders = ",
        "Sparing scheme used = ",
    ];
    run(Target { name: "disksim", words, check });
}
