//! The verbs of `drive`.

use std::fs;

use crate::place::{Place, has};

fn line<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines().find(|line| line.starts_with(start)).unwrap()
}

#[test]
fn show_prints_each_figure_with_its_source() {
    let place = Place::new();
    let out = place.good(&["drive", "show", "maxtor-6l080j4"]).out;
    has(&out, &["Maxtor 6L080J4", "capacity_sectors", "156355584", "measured   [1]", "IDENTIFY"]);
    let set = place.good(&["drive", "show", "maxtor-6l080j4", "--set", "rpm_tolerance=0.0"]).out;
    has(&set, &["set", "--set on the command line"]);
    let json = place.good(&["drive", "show", "wd-740gd", "--format", "json"]).out;
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0]["field"], "capacity_sectors");
}

#[test]
fn check_sums_a_model_up() {
    let place = Place::new();
    let out = place.good(&["drive", "check", "maxtor-6l080j4"]).out;
    has(&out, &["80.05 GB", "7200 rpm", "outer 49.15 MB/s = 46.88 MiB/s", "slack of reads 0.3 ms"]);
    let zones = place.good(&["drive", "check", "maxtor-6l080j4", "--zones", "--format", "csv"]).out;
    assert_eq!(zones.lines().count(), 17);
    let slower = place.good(&["drive", "check", "maxtor-6l080j4", "--set", "overhead.read_miss_ms=2"]).out;
    assert_ne!(line(&out, "random 8 KiB"), line(&slower, "random 8 KiB"));
}

#[test]
fn what_is_no_drive_is_refused() {
    let place = Place::new();
    let bad = |arguments: &[&str], parts: &[&str]| has(&place.bad(arguments), parts);
    bad(&["drive", "show", "wd-1200jp"], &["no drive model `wd-1200jp`", "did you mean `wd-1200jb`"]);
    let set = |value: &str, parts: &[&str]| bad(&["drive", "check", "wd-1200jb", "--set", value], parts);
    set("rpm", &["no `=`", "PATH=VALUE"]);
    set("rmp=1", &["no `rmp`", "did you mean `rpm`"]);
    set("rpm=fast", &["--set rpm=fast", "must be a whole number"]);
    set("rpm=1", &["--set rpm=1", "allowed is 3000 to 20000"]);
}

#[test]
fn a_description_of_disksim_is_sent_to_import() {
    let place = Place::new();
    describe(&place);
    let model = "disksim/small.model";
    for arguments in [
        &["check", model][..],
        &["drive", "show", model],
        &["drive", "check", "disksim/front.diskspecs"],
        &["drive", "plot", model],
        &["drive", "export", "disksim/system.parv", "--86box"],
        &["drive", "compare", "wd-740gd", model],
        &["replay", "--synthetic", "--drive", model],
    ] {
        has(&place.bad(arguments), &["this describes a drive for DiskSim", "`ataraid drive import disksim/"]);
    }
    has(&place.bad(&["drive", "show", "none.parv"]), &["none.parv: error: no such file"]);
}

#[test]
fn drives_on_a_scsi_like_bus_say_so_and_what_their_buffer_is() {
    let place = Place::new();
    let list = place.good(&["list", "drives"]).out;
    let is_marked = |name: &str| line(&list, name).contains("SCSI: for replay");
    assert!(is_marked("quantum-atlas-10k") && !is_marked("wd-740gd"), "{list}");
    let show = place.good(&["drive", "show", "quantum-atlas-10k"]).out;
    has(&show, &["SCSI: `ataraid replay` runs it", "Buffer: 10 segments of 187 KiB, 1870 KiB", "described"]);
    assert!(!show.contains("\nbuffer.size_kib") && !show.contains("measured"), "{show}");
    let csv = place.good(&["drive", "show", "quantum-atlas-10k", "--format", "csv"]).out;
    has(line(&csv, "buffer.size_kib,"), &[",not used,"]);
    assert!(!csv.contains(",measured,"), "{csv}");
    let check = place.good(&["drive", "check", "quantum-atlas-10k"]).out;
    has(line(&check, "interface"), &["SCSI-like bus", "MB/s are the limit; platters alone 23.54"]);
    has(line(&check, "64 KiB in turn"), &["simulated on the drive alone"]);
    let compare = ["drive", "compare", "quantum-atlas-10k", "wd-740gd", "--reads", "20", "--out", "x"];
    has(line(&place.good(&compare).out, "buffer_kib"), &["1870"]);
}

#[test]
fn plot_writes_pictures_with_their_points() {
    let place = Place::new();
    let left = place.good(&["drive", "plot", "wd-740gd", "--reads", "50"]);
    assert_eq!(left.out, "");
    has(&left.err, &["wrote to output/drives/wd-740gd:", "overview.png .svg .csv"]);
    let names = place.names("output/drives/wd-740gd");
    assert_eq!(names.len(), 12, "{names:?}");
    assert_eq!(place.read("output/drives/wd-740gd/access.csv").lines().count(), 51);
    let png = fs::read(place.path("output/drives/wd-740gd/overview.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    place.good(&["drive", "plot", "wd-740gd", "--reads", "50", "--out", "again"]);
    for name in names {
        let read = |folder: &str| fs::read(place.path(folder).join(&name)).unwrap();
        assert_eq!(read("output/drives/wd-740gd"), read("again"), "{name}");
    }
}

/// A DiskSim description in files that name each other.
fn describe(place: &Place) {
    place.file("disksim/system.parv", include_str!("../corpus/disksim/system.parv"));
    place.file("disksim/front.diskspecs", include_str!("../corpus/disksim/front.diskspecs"));
    place.file("disksim/small.model", include_str!("../corpus/disksim/small.model"));
    place.file("disksim/small.seek", include_str!("../corpus/disksim/small.seek"));
}

#[test]
fn import_makes_a_model_that_can_be_used() {
    let place = Place::new();
    describe(&place);
    let screen = place.good(&["drive", "import", "disksim/system.parv"]).out;
    let left = place.good(&["drive", "import", "disksim/system.parv", "-o", "mine/small.ron"]);
    assert_eq!(left.out, "");
    has(&left.err, &["wrote mine/small.ron"]);
    assert_eq!(place.read("mine/small.ron"), screen);
    let shown = place.good(&["drive", "show", "mine/small.ron"]).out;
    has(&shown, &["capacity_sectors", "2054", "DiskSim parameter file small.model"]);
    place.good(&["drive", "check", "mine/small.ron"]);
}

#[test]
fn import_refuses_what_is_wrong_and_writes_nothing() {
    let place = Place::new();
    describe(&place);
    has(&place.bad(&["drive", "import", "none.parv"]), &["none.parv", "no such file"]);
    let over = place.read("disksim/system.parv");
    let told = place.bad(&["drive", "import", "disksim/system.parv", "-o", "disksim/system.parv"]);
    has(&told, &["a drive model's file ends in `.ron`"]);
    assert_eq!(place.read("disksim/system.parv"), over, "a description is not written over");
    let model = place.read("disksim/small.model");
    place.file("disksim/small.model", &model.replace("Head switch time", "Head swich time"));
    let told = place.bad(&["drive", "import", "disksim/system.parv", "-o", "mine.ron"]);
    has(&told, &["disksim/small.model:42:7: error: ", "did you mean `Head switch time`?"]);
    place.file("disksim/small.model", &model.replace("Seek type = extracted,", "Seek type = extracted"));
    let told = place.bad(&["drive", "import", "disksim/system.parv", "-o", "mine.ron"]);
    has(&told, &["disksim/small.model:40:7: error: a comma is missing"]);
    assert!(!place.path("mine.ron").exists());
}

#[test]
fn a_description_is_replayed_with_all_its_drives() {
    let place = Place::new();
    describe(&place);
    let system = place.read("disksim/system.parv");
    let more = system
        .replace("[ disk0 ] as DISK", "[ disk0 .. disk1 ] as DISK")
        .replace("disksim_disk disk0 []", "disksim_disk disk0 [], disksim_disk disk1 []");
    place.file("disksim/two.parv", &more);
    let replay = |file: &str, more: &[&str]| {
        let mut arguments = vec!["replay", "two.trace", "--no-output", "--drive", file];
        arguments.extend(more);
        place.run(&arguments)
    };
    place.file("two.trace", "0.0 0 0 4 1\n5.0 1 100 4 0\n");
    assert_eq!(replay("disksim/two.parv", &[]).code, 0);
    let left = replay("disksim/system.parv", &[]);
    assert_eq!(left.code, 2, "there is no drive 1: {}", left.err);
    assert_eq!(replay("disksim/system.parv", &["--drives", "2"]).code, 0);
}
