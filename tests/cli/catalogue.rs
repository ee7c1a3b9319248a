//! Help, manual pages, `list` and `check`.

use std::fs;

use crate::place::{Place, has};

#[test]
fn help_names_the_verbs_the_streams_and_the_exit_codes() {
    let help = Place::new().good(&["--help"]).out;
    has(
        &help,
        &[
            "run",
            "compare",
            "reproduce",
            "fit",
            "check",
            "list",
            "drive",
            "man",
            "completions",
            "Exit codes",
            "--models <DIR>",
        ],
    );
}

#[test]
fn every_verb_has_help_of_lines_that_fit_a_screen() {
    let place = Place::new();
    for verb in [
        &["run"][..],
        &["compare"],
        &["reproduce"],
        &["fit"],
        &["check"],
        &["list"],
        &["drive"],
        &["drive", "list"],
        &["drive", "show"],
        &["drive", "check"],
        &["drive", "plot"],
    ] {
        let help = place.good(&[verb, &["--help"]].concat()).out;
        has(&help, &["Usage: ataraid", "Example"]);
        let longest = help.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= 100, "{verb:?}: {longest}");
    }
}

#[test]
fn wrong_arguments_are_bad_input() {
    let place = Place::new();
    has(&place.bad(&["lst"]), &["unrecognized subcommand 'lst'", "list"]);
    has(&place.bad(&["list", "drive"]), &["drives"]);
    has(&place.bad(&["check"]), &["<FILE>"]);
    assert_eq!(place.run(&[]).code, 2);
}

#[test]
fn the_version_is_printed() {
    has(&Place::new().good(&["--version"]).out, &[concat!("ataraid ", env!("CARGO_PKG_VERSION"))]);
}

#[test]
fn manual_pages_and_completions_cover_all_verbs() {
    let place = Place::new();
    place.good(&["man", "pages"]);
    let names = place.names("pages");
    for page in
        ["ataraid.1", "ataraid-run.1", "ataraid-drive-plot.1", "ataraid-check.1", "ataraid-completions.1"]
    {
        assert!(names.iter().any(|name| name == page), "{page} is not in {names:?}");
    }
    has(&place.good(&["man"]).out, &[".TH ataraid 1"]);
    for shell in ["bash", "zsh", "fish", "powershell"] {
        has(&place.good(&["completions", shell]).out, &["reproduce", "models"]);
    }
}

#[test]
fn list_prints_names_with_titles() {
    let place = Place::new();
    let all = place.good(&["list"]).out;
    has(&all, &["scenarios\n", "  rocketraid133/mix ", "drives\n", "Maxtor 6L080J4", "patterns\n"]);
    let drives = place.good(&["list", "drives"]).out;
    assert!(
        drives.lines().any(|line| line.split_whitespace().eq(["wd-740gd", "Western", "Digital", "WD740GD"])),
        "{drives}"
    );
    assert_eq!(drives, place.good(&["drive", "list"]).out);
    let csv = place.good(&["list", "buses", "--format", "csv"]).out;
    assert!(
        csv.starts_with("kind,name,title\nbuses,ideal,Ideal\nbuses,pci-32-33,\"PCI 32 bit, 33 MHz\"\n"),
        "{csv}"
    );
}

#[test]
fn models_of_ones_own_join_the_list_and_shadow_shipped_ones() {
    let place = Place::new();
    let host = |name: &str| {
        format!("(name: \"{name}\", issue_us: 1, dispatch_us: 1, interrupt_us: 1, complete_us: 1)")
    };
    place.file("mine/hosts/my-pc.ron", &host("My PC"));
    place.file("mine/hosts/instant.ron", &host("Not so instant"));
    place.file("mine/hosts/broken.ron", "(name: 3)");
    let list = place.good(&["--models", "mine", "list", "hosts"]).out;
    has(&list, &["My PC", "Not so instant", "has faults: see `ataraid check"]);
    assert!(!list.contains("Instant host"), "{list}");
    has(&place.bad(&["--models", "nowhere", "list"]), &["nowhere", "no such file or folder"]);
}

#[test]
fn check_says_what_each_good_file_is() {
    let place = Place::new();
    let out = place.good(&["check", "wd-1200jb", "rocketraid133", "rocketraid133/mix", "database"]).out;
    assert_eq!(
        out,
        "ok: wd-1200jb (drive model)\n\
         ok: rocketraid133 (reproduction)\n\
         ok: rocketraid133/mix (scenario)\n\
         ok: database (pattern model)\n"
    );
}

#[test]
fn check_prints_all_faults_of_all_files_with_their_places() {
    let place = Place::new();
    let host = "(\n  name: \"a\",\n  issue_us: -1.0,\n  dispatch_us: 20000.0,\n  interrupt_us: 0.0,\n  complete_us: 0.0,\n)\n";
    place.file("hosts/a.ron", host);
    place.file("buses/b.ron", "(\n  name: \"b\",\n  width_bitz: 32,\n)\n");
    let left = place.run(&["check", "hosts/a.ron", "wd-740gd", "buses/b.ron"]);
    assert_eq!(left.code, 2);
    assert_eq!(left.out, "ok: wd-740gd (drive model)\n");
    has(
        &left.err,
        &[
            "hosts/a.ron:3:13: error: `issue_us` is -1 us; allowed is 0 to 10000 us",
            "hosts/a.ron:4:16: error: `dispatch_us` is 20000 us",
            "buses/b.ron:3:3: error:",
            "width_bits",
            "errors in 2 of 3 files",
        ],
    );
}

#[test]
fn check_survives_files_that_are_no_ron() {
    let place = Place::new();
    fs::write(place.path("x.ron"), [0xff, 0xfe, 0, 1, 2]).unwrap();
    place.file("empty.ron", "");
    fs::create_dir(place.path("folder.ron")).unwrap();
    for file in ["x.ron", "empty.ron", "folder.ron", "nowhere.ron"] {
        has(&place.bad(&["check", file]), &[file, "error"]);
    }
}
