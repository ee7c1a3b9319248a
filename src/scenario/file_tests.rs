//! Files on the disk: includes, paths, folders, and what can be wrong with them.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::experiment::check;

/// A folder with these files, and the path of the first.
fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let first = folder.path().join(files[0].0).display().to_string();
    (folder, first)
}

/// The diagnostics of a file, with its folder left out.
fn refused(files: &[(&str, &str)]) -> String {
    let (folder, first) = folder(files);
    let error = load(&first, &Library::shipped(), &LoadOptions::default()).unwrap_err().to_string();
    without(&error, folder.path())
}

fn without(text: &str, folder: &Path) -> String {
    text.replace(&format!("{}/", folder.display()), "").replace(&folder.display().to_string(), ".")
}

fn checked(name: &str, text: &str) -> Result<CheckedKind, String> {
    let (folder, first) = folder(&[(name, text)]);
    check(&first, &Library::shipped()).map_err(|error| without(&error.to_string(), folder.path()))
}

const MACHINE: &str = r#"(
    host: "instant", driver: "ideal", bus: "pci-32-33", controller: "plain-ata",
    drives: [(id: "a", channel: 0, model: "drives/mine.ron")],
    arrays: [(id: "1d", raid: (level: Single), members: ["a"])],
    run: (ramp_s: 2.0, measure_s: 3.0, replications: 4),
    set: {"driver.transfer_limit_kib": "32", "host.issue_us": "7.0"},
)"#;
const LOAD: &str = r#"(
    include: "parts/machine.ron", workload: (access: Pattern("database")), run: (seed: 5, measure_s: 1.0),
    set: {"driver.transfer_limit_kib": "16"},
)"#;
const DRIVE: &str = r#"(
    name: "Mine", capacity_sectors: 45000, heads: 2, rpm: 7200,
    zones: [(cylinders: 300, spt: 40), (cylinders: 200, spt: 32), (cylinders: 200, spt: 25)],
    skew: Wedges(per_track: 200, head: 45, cylinder: 36),
    seek: ThreePoint(single_ms: 1.2, average_ms: 8.5, full_ms: 17.0),
    interface: Ata(udma_mode_max: 5, mwdma_mode_max: 2, pio_mode_max: 4),
)"#;

#[test]
fn fields_of_the_outer_file_win_and_paths_start_at_their_own_file() {
    let (_folder, first) =
        folder(&[("load.ron", LOAD), ("parts/machine.ron", MACHINE), ("parts/drives/mine.ron", DRIVE)]);
    let scenario = load(&first, &Library::shipped(), &LoadOptions::default()).unwrap();
    let run = scenario.run;
    assert_eq!((run.ramp_s, run.measure_s, run.replications, run.seed), (2.0, 1.0, 4, 5));
    assert_eq!((scenario.driver.transfer_limit_kib, scenario.host.issue_us), (16, 7.0));
    assert_eq!((scenario.name.as_str(), scenario.drives[0].model.name.as_str()), ("load", "Mine"));
}

#[test]
fn an_include_that_goes_round_is_shown_as_a_chain() {
    let found = refused(&[
        ("a.ron", "(include: \"b.ron\")"),
        ("b.ron", "(include: \"./c.ron\")"),
        ("c.ron", "(include: \"a.ron\")"),
    ]);
    assert_eq!(
        found,
        "c.ron:1:11: error: the includes go round in a circle: a.ron -> b.ron -> c.ron -> a.ron\n  |\n1 | (include: \
         \"a.ron\")\n  |           ^^^^^^^\nhelp: take one of them out"
    );
}

#[test]
fn a_long_chain_of_includes_is_cut() {
    let names: Vec<String> = (0..9).map(|n| format!("{n}.ron")).collect();
    let texts: Vec<String> = (1..10).map(|n| format!("(include: \"{n}.ron\", title: \"{n}\")")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    let found = refused(&files);
    assert!(
        found.starts_with("7.ron:1:11: error: more than 8 files include each other: 0.ron -> 1.ron"),
        "{found}"
    );
}

#[test]
fn files_that_cannot_be_read_are_told_where_they_are_named() {
    let (folder, _) = folder(&[("sub/x.ron", "()"), ("bad.ron", "")]);
    let at = |path: &str| {
        let path = folder.path().join(path).display().to_string();
        let error = load(&path, &Library::shipped(), &LoadOptions::default()).unwrap_err().to_string();
        without(&error, folder.path())
    };
    assert_eq!(
        at("none.ron"),
        "none.ron: error: no such file or folder\nhelp: check the spelling of the path"
    );
    assert_eq!(at("sub"), "sub: error: this is a folder, not a file\nhelp: name a file inside the folder");
    assert_eq!(
        at("sub/x.ron/y.ron"),
        "sub/x.ron/y.ron: error: a part of the path is a file, not a folder\nhelp: check the spelling of the path"
    );
    fs::write(folder.path().join("bad.ron"), b"(\n  name: \"\xff\")").unwrap();
    assert!(
        at("bad.ron").starts_with("bad.ron:2:10: error: the file is not UTF-8 text"),
        "{}",
        at("bad.ron")
    );
    fs::create_dir(folder.path().join("dir.ron")).unwrap();
    fs::write(folder.path().join("i.ron"), "(include: \"dir.ron\")").unwrap();
    assert_eq!(
        at("i.ron"),
        "i.ron:1:11: error: `dir.ron`: this is a folder, not a file\n  |\n1 | (include: \"dir.ron\")\n  |           \
         ^^^^^^^^^\nhelp: name a file inside the folder"
    );
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_told_so() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, first) = folder(&[("secret.ron", "()")]);
    fs::set_permissions(&first, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&first).is_ok() {
        return; // The superuser may read everything.
    }
    let error = load(&first, &Library::shipped(), &LoadOptions::default()).unwrap_err().to_string();
    assert!(without(&error, folder.path()).starts_with("secret.ron: error: no permission"), "{error}");
}

#[test]
fn a_text_without_a_file_cannot_name_files() {
    let source = crate::config::Source::new("page", MACHINE);
    let error = load_text(&source, &Library::shipped(), &LoadOptions::default()).unwrap_err().to_string();
    assert!(
        error.starts_with("page:3:43: error: a text without a file cannot name the file `drives/mine.ron`")
    );
    let library = Library::shipped().with_model(ModelKind::Drive, "mine", DRIVE);
    let text = MACHINE
        .replace("drives/mine.ron", "mine")
        .replace("(\n", "(workload: (access: Pattern(\"database\")),\n");
    let source = crate::config::Source::new("page", text);
    let scenario = load_text(&source, &library, &LoadOptions::default()).unwrap();
    assert_eq!(scenario.drives[0].model.name, "Mine");
}

#[test]
fn models_at_fault_are_told_in_their_own_file() {
    let bad = DRIVE.replace("rpm: 7200", "rpm: NaN");
    assert_eq!(
        checked("drives/mine.ron", &bad).unwrap_err().lines().next().unwrap(),
        "drives/mine.ron:2:59: error: `rpm` must be a whole number, not `NaN`"
    );
    let bad = DRIVE.replace("average_ms: 8.5", "average_ms: NaN").replace("mode_max: 4", "mode_max: 9");
    let found = checked("drives/mine.ron", &bad).unwrap_err();
    let heads: Vec<&str> = found.lines().filter(|line| line.contains("error:")).collect();
    assert_eq!(
        heads,
        [
            "drives/mine.ron:5:50: error: `seek.average_ms` is NaN ms; allowed is 0.05 to 60 ms",
            "drives/mine.ron:6:71: error: `interface.pio_mode_max` is 9; allowed is 0 to 4",
        ]
    );
    let found = checked("drives/mine.ron", &DRIVE.replace("45000", "46801")).unwrap_err();
    assert!(found.starts_with("drives/mine.ron:2:37: error: "), "{found}");
    assert!(found.contains("46801") && found.contains("at most 46800"), "{found}");
    let overlapping = DRIVE
        .replace("heads: 2", "heads: 2, defects: (remaps: [(lba: 5, spare: 46000), (lba: 6, spare: 46000)])");
    let found = checked("drives/mine.ron", &overlapping).unwrap_err();
    assert!(found.starts_with("drives/mine.ron:2:"), "{found}");
    assert!(found.contains("already serves"), "{found}");
}

#[test]
fn a_model_is_read_once_and_told_once_however_many_drives_name_it() {
    let two = MACHINE.replace(
        "drives: [",
        "workload: (access: Pattern(\"database\")), drives: [(id: \"b\", channel: 1, model: \"drives/mine.ron\"), ",
    );
    let bad = DRIVE.replace("rpm: 7200", "rpm: 1");
    let found = refused(&[("s.ron", &two), ("drives/mine.ron", &bad)]);
    assert_eq!(found.matches("error:").count(), 1, "{found}");
    assert!(found.starts_with("drives/mine.ron:2:59: error:"), "{found}");
}

#[test]
fn the_kind_of_a_file_follows_from_its_folder_or_its_fields() {
    assert_eq!(checked("drives/x.ron", DRIVE), Ok(CheckedKind::Model(ModelKind::Drive)));
    assert_eq!(checked("x.ron", DRIVE), Ok(CheckedKind::Model(ModelKind::Drive)));
    let host = "(name: \"h\", issue_us: 1.0, dispatch_us: 1.0, interrupt_us: 1.0, complete_us: 1.0)";
    assert_eq!(checked("h.ron", host), Ok(CheckedKind::Model(ModelKind::Host)));
    let found = checked("x.ron", &DRIVE.replace("heads: 2", "haeds: 2")).unwrap_err();
    assert!(found.contains("did you mean `heads`?"), "{found}");
    // More faults than fields, and a text that breaks off: still a drive.
    let zone = "(cylinders: -1, spt: -1), ";
    let faulty = DRIVE.replace("zones: [", &format!("zones: [{}", zone.repeat(30)));
    let found = checked("x.ron", &faulty).unwrap_err();
    assert!(found.matches("error:").count() > 20 && !found.contains("unknown field"), "{found}");
    let found = checked("x.ron", &DRIVE.replace("heads: 2", "heads: 2 2")).unwrap_err();
    assert!(!found.contains("unknown field"), "{found}");
    let found =
        checked("x.ron", "(name: \"c\", channels: 2, devices_per_channel: 2, chip: Nothing)").unwrap_err();
    assert!(found.contains("fifo_bytes"), "{found}");
    assert_eq!(check("hpt-2.3", &Library::shipped()), Ok(CheckedKind::Model(ModelKind::Driver)));
    assert_eq!(check("rocketraid133", &Library::shipped()), Ok(CheckedKind::Reproduction));
    assert_eq!(check("rocketraid133/base", &Library::shipped()), Ok(CheckedKind::Fragment));
}

#[test]
fn a_folder_shadows_what_is_shipped() {
    let (folder, _) = folder(&[
        ("drives/wd-1200jb.ron", DRIVE),
        ("drives/new.ron", DRIVE),
        ("scenarios/own/mix.ron", "(include: \"rocketraid133/mix\", title: \"Mine\", plots: [])"),
    ]);
    let library = Library::shipped().with_folder(folder.path().to_owned());
    assert!(library.names(ModelKind::Drive).iter().any(|name| name == "new"));
    assert!(library.source(ModelKind::Drive, "wd-1200jb").unwrap().text.contains("Mine"));
    assert_eq!(load("own/mix", &library, &LoadOptions::default()).unwrap().title, "Mine");
    assert!(library.scenarios().iter().any(|entry| entry.name == "own/mix"));
    let library = Library::shipped().with_folder(PathBuf::from("/no/such/folder"));
    let error = load("mix", &library, &LoadOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "/no/such/folder: error: no such file or folder\nhelp: check the spelling of the path");
}

#[test]
fn everything_that_is_shipped_is_sound() {
    let library = Library::shipped();
    for kind in ModelKind::ALL {
        for name in library.names(kind) {
            let source = library.source(kind, &name).unwrap();
            sets::check_model(kind, &source).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    let entries = library.scenarios();
    assert!(entries.len() >= 7, "{entries:?}");
    for entry in entries {
        load(&entry.name, &library, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    }
    for entry in library.reproductions() {
        let kind = check(&entry.name, &library).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(kind, CheckedKind::Reproduction);
    }
}

#[test]
fn names_that_are_unknown_are_shown_with_the_one_that_was_meant() {
    let error = load("mixx", &Library::shipped(), &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.starts_with("mixx: error: there is no scenario `mixx`\nhelp: "), "{error}");
    assert!(error.contains("rocketraid133/mix"), "{error}");
    let error =
        load("rocketraid133/mxi", &Library::shipped(), &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("did you mean `rocketraid133/mix`?"), "{error}");
}
