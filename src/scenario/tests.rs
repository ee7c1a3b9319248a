//! Scenario files as their authors get them wrong, and what comes out of those that are right.

use super::*;
use crate::config::{Diagnostics, Source};

/// A scenario with one fault: `from` in a sound one becomes `to`.
fn faulty(from: &str, to: &str) -> String {
    assert_eq!(SOUND.matches(from).count(), 1, "`{from}` must stand once in the sound scenario");
    errors(&SOUND.replace(from, to))
}

pub(super) fn errors(text: &str) -> String {
    read(text, &LoadOptions::default()).unwrap_err().to_string()
}

pub(super) fn read(text: &str, options: &LoadOptions) -> Result<Scenario, Diagnostics> {
    load_text(&Source::new("s.ron", text), &Library::shipped(), options)
}

pub(super) const SOUND: &str = r#"(
    name: "s",
    host: "instant",
    driver: "ideal",
    bus: "pci-32-33",
    controller: "hpt372a",
    drives: [
        (id: "a", channel: 0, device: 0, model: "maxtor-6l020j1"),
        (id: "b", channel: 1, device: 0, model: "maxtor-6l020j1"),
        (id: "c", channel: 0, device: 1, model: "seagate-st380021a"),
    ],
    arrays: [
        (id: "one", raid: (level: Single), members: ["a"]),
        (id: "two", raid: (level: Raid1), members: ["a", "b"]),
    ],
    workload: (access: Pattern("database")),
    sweep: (arrays: ["one", "two"], queue_depths: [1, 4]),
    run: (ramp_s: 0.5, measure_s: 1.0, replications: 2, seed: 7),
)
"#;

/// The place, message and remedy of each fault, without the excerpt of the file.
pub(super) fn short(text: &str) -> String {
    let excerpt = |line: &&str| line.trim_start().starts_with(|c: char| c == '|' || c.is_ascii_digit());
    text.lines().filter(|line| !line.is_empty() && !excerpt(line)).collect::<Vec<_>>().join("\n")
}

const THIRD: &str = r#"(id: "c", channel: 0, device: 1, model: "seagate-st380021a"),"#;

#[test]
fn a_sound_scenario_gives_its_points_in_order() {
    let scenario = read(SOUND, &LoadOptions::default()).unwrap();
    let points: Vec<_> =
        points(&scenario).into_iter().map(|point| (point.queue_depth, point.array)).collect();
    let expected = [(1, "one"), (1, "two"), (4, "one"), (4, "two")];
    assert_eq!(points, expected.map(|(depth, array)| (depth, array.to_owned())));
    assert_eq!((scenario.title.as_str(), scenario.run.seed), ("s", 7));
    assert!(scenario.patterns.contains_key("database"));
}

#[test]
fn an_unknown_field_is_shown_with_the_one_that_was_meant() {
    assert_eq!(
        faulty("driver: \"ideal\"", "drivr: \"ideal\""),
        "s.ron:4:5: error: unknown field `drivr`\n  |\n4 |     drivr: \"ideal\",\n  |     ^^^^^\nhelp: did you mean \
         `driver`? Allowed: `name`, `title`, `include`, `variant`, `experiment`, `host`, `driver`, `bus`, `controller`, \
         `drives`, `arrays`, `workload`, `sweep`, `set`, `run`, `plots`"
    );
}

#[test]
fn a_wrong_type_is_shown_where_it_stands() {
    assert_eq!(
        faulty("device: 1", "device: \"x\""),
        "s.ron:10:39: error: `drives[2].device` must be a whole number, not the text \"x\"\n   |\n10 |         (id: \"c\", \
         channel: 0, device: \"x\", model: \"seagate-st380021a\"),\n   |                                       ^^^\nhelp: \
         numbers stand without quotes"
    );
}

#[test]
fn figures_out_of_range_are_all_reported_with_the_range() {
    assert_eq!(
        short(&faulty("queue_depths: [1, 4]", "queue_depths: [0, 4000], block_bytes: [100]")),
        "s.ron:17:52: error: `queue_depth` is 0 requests; allowed is 1 to 1024 requests\n\
         s.ron:17:55: error: `queue_depth` is 4000 requests; allowed is 1 to 1024 requests\n\
         s.ron:17:76: error: 100 bytes are not whole sectors of 512 bytes\n\
         help: use a multiple of 512, as raw disks demand"
    );
    assert_eq!(
        short(&faulty("measure_s: 1.0", "measure_s: NaN")),
        "s.ron:18:35: error: `run.measure_s` is NaN s; allowed is 0.001 to 86400 s"
    );
}

#[test]
fn unknown_models_are_shown_with_the_one_that_was_meant() {
    let text = SOUND.replace("instant", "instent").replace("ideal", "idael").replace("database", "databsae");
    let text = text.replace("seagate-st380021a", "seagate-st380012a");
    let found = short(&errors(&text));
    let heads: Vec<&str> = found
        .lines()
        .filter_map(|line| line.split(" there are").next()?.split(" `ataraid list`").next())
        .collect();
    assert_eq!(
        heads,
        [
            "s.ron:3:11: error: there is no host model `instent`",
            "help: did you mean `instant`?",
            "s.ron:4:13: error: there is no driver model `idael`",
            "help: did you mean `ideal`?",
            "s.ron:10:49: error: there is no drive model `seagate-st380012a`",
            "help: did you mean `seagate-st380021a`?",
            "s.ron:16:24: error: there is no pattern model `databsae`",
            "help: did you mean `database`?",
        ]
    );
    assert!(found.contains("there are: hpt-2.3, ideal, sil-3124; to name a file, give its path with `.ron`"));
}

#[test]
fn a_fifth_drive_is_refused() {
    let more = format!(
        "{THIRD}\n(id: \"d\", channel: 1, device: 1, model: \"wd-1200jb\"),\n(id: \"e\", channel: 0, model: \"wd-1200jb\"),"
    );
    assert_eq!(
        faulty(THIRD, &more),
        "s.ron:12:1: error: 5 drives are plugged in, but HighPoint RocketRAID133 (HPT372A) takes 4\n   |\n12 | (id: \
         \"e\", channel: 0, model: \"wd-1200jb\"),\n   | ^\nhelp: remove 1 or choose a card with more channels"
    );
}

#[test]
fn a_mirror_of_three_is_refused() {
    assert_eq!(
        faulty("members: [\"a\", \"b\"]", "members: [\"a\", \"b\", \"c\"]"),
        "s.ron:14:52: error: array `two`: RAID 1 cannot be made of 3 drives: it takes exactly 2\n   |\n14 |         (id: \
         \"two\", raid: (level: Raid1), members: [\"a\", \"b\", \"c\"]),\n   |                                                    \
         ^\nhelp: take 1 drive away, or use level Raid0 or Jbod"
    );
}

#[test]
fn two_drives_at_one_position_are_refused() {
    assert_eq!(
        faulty("device: 1", "device: 0"),
        "s.ron:10:28: error: drives `a` and `c` are both on channel 0, device 0\n   |\n10 |         (id: \"c\", channel: 0, \
         device: 0, model: \"seagate-st380021a\"),\n   |                            ^\nhelp: give each its own position"
    );
    assert_eq!(
        short(&faulty("id: \"b\", channel: 1", "id: \"b\", channel: 2")),
        "s.ron:9:28: error: drive `b` is on channel 2, device 0\n\
         help: HighPoint RocketRAID133 (HPT372A) has channels 0 to 1 with devices 0 to 1"
    );
}

#[test]
fn faults_of_drives_and_of_every_array_are_told_together() {
    let text = SOUND.replace("device: 1", "device: 0").replace("(level: Single)", "(level: Raid01)");
    let text = text.replace("[\"a\", \"b\"]", "[\"a\", \"bb\"]");
    assert_eq!(
        short(&errors(&text)),
        "s.ron:10:28: error: drives `a` and `c` are both on channel 0, device 0\n\
         help: give each its own position\n\
         s.ron:13:53: error: array `one`: RAID 0+1 cannot be made of 1 drive: it takes exactly 4\n\
         help: add 3 drives, or use level Single\n\
         s.ron:14:58: error: array `two` has the member `bb`, but the drives are a, b\n\
         help: did you mean `b`? there are: a, b, c"
    );
}

#[test]
fn arrays_that_the_card_or_the_level_does_not_know_are_refused() {
    assert_eq!(
        short(&faulty("(level: Raid1)", "(level: Raid10)")),
        "s.ron:14:35: error: HighPoint RocketRAID133 (HPT372A) does not offer RAID 10\n\
         help: it offers Raid0, Raid1, Raid01, Jbod"
    );
    assert_eq!(
        short(&faulty("(level: Raid1)", "(level: Raid0, stripe_kib: 48)")),
        "s.ron:14:54: error: 48 KiB is not a power of two from 4 to 2048\nhelp: use 64"
    );
    assert_eq!(
        short(&faulty("arrays: [\"one\", \"two\"]", "arrays: [\"one\", \"tow\", \"one\"]")),
        "s.ron:17:29: error: there is no array `tow`\n\
         help: did you mean `two`? there are: one, two\n\
         s.ron:17:36: error: `one` is listed twice\n\
         help: list each value once"
    );
}

#[test]
fn what_is_missing_is_asked_for() {
    let found = short(&errors("(name: \"x\", host: \"instant\", bus: \"pci-32-33\", driver: \"ideal\")"));
    assert_eq!(
        found,
        "s.ron:1:1: error: the scenario has no `controller`\n\
         help: add `controller: \"..\"`; there are: hpt372a, hpt374, plain-ata, sii3124; a path with `.ron` is possible too\n\
         s.ron:1:1: error: the scenario has no `drives`\n\
         help: add `drives: [(id: \"d0\", channel: 0, device: 0, model: \"maxtor-6l020j1\")]`"
    );
    let found = short(&faulty("    workload: (access: Pattern(\"database\")),\n", ""));
    assert!(found.starts_with("s.ron:1:1: error: the scenario has no `workload`"), "{found}");
}

#[test]
fn fields_that_a_file_sets_are_told_at_their_path() {
    assert_eq!(
        short(&faulty("run: (", "set: {\"drives.c.rpm\": \"90\", \"driver.parts\": \"Serial\"}, run: (")),
        "s.ron:18:11: error: `drives[2].model.rpm` is 90 turns a minute; allowed is 3000 to 20000 turns a minute"
    );
    let found = short(&faulty("run: (", "set: {\"driver.part\": \"Serial\"}, run: ("));
    assert!(
        found.starts_with("s.ron:18:11: error: `driver` has no `part`\nhelp: did you mean `parts`?"),
        "{found}"
    );
    let with = format!("{} set: {{\"rpm\": \"1\"}}),", THIRD.trim_end_matches("),"));
    let found = short(&faulty(THIRD, &with.replace("\" set", "\", set")));
    assert!(found.starts_with("s.ron:10:76: error: `rpm` is 1 turns a minute"), "{found}");
}

#[test]
fn varied_fields_are_built_with_every_value() {
    let vary = |text: &str| short(&faulty("queue_depths: [1, 4]", &format!("vary: [{text}]")));
    assert_eq!(
        vary("(path: \"arrays.two.raid.level\", values: [\"Raid1\", \"Raid0\", \"Raid01\"])"),
        "s.ron:17:103: error: with arrays.two.raid.level=Raid01: array `two`: RAID 0+1 cannot be made of 2 drives: it \
         takes exactly 4\nhelp: add 2 drives, or use level Raid0 or Raid1 or Jbod"
    );
    assert_eq!(
        vary("(path: \"run.seed\", values: [\"1\"])"),
        "s.ron:17:51: error: `run.seed` cannot be varied\nhelp: vary a field of host, driver, bus, controller, drives, \
         arrays, workload, patterns or playbacks"
    );
    let found = vary("(path: \"driver\", values: [\"hpt-2.3\", \"idael\"])");
    assert!(
        found
            .starts_with("s.ron:17:81: error: there is no driver model `idael`\nhelp: did you mean `ideal`?")
    );
    assert_eq!(found.lines().count(), 2, "{found}");
}

#[test]
fn models_can_be_varied_by_name() {
    let text = SOUND.replace(
        "queue_depths: [1, 4]",
        "vary: [(path: \"driver\", values: [\"hpt-2.3\", \"ideal\"]), (path: \"drives.*.model\", values: [\"wd-1200jb\"])]",
    );
    let scenario = read(&text, &LoadOptions::default()).unwrap();
    let made: Vec<_> = points(&scenario).iter().map(|point| machine_spec(&scenario, point)).collect();
    let names: Vec<_> = made.iter().map(|spec| (spec.driver.name.as_str(), spec.array.id.as_str())).collect();
    assert_eq!(
        names,
        [("HighPoint 2.3", "one"), ("HighPoint 2.3", "two"), ("Ideal", "one"), ("Ideal", "two")]
    );
    assert!(made.iter().flat_map(|spec| &spec.drives).all(|drive| drive.model.name.contains("1200JB")));
}

#[test]
fn plots_are_checked_before_anything_runs() {
    let plot = "plots: [(file: \"p\", title: \"P\", x: \"queue_dept\", y: [\"iops\"], x_label: \"\", y_label: \"\")], run: (";
    let found = short(&faulty("run: (", plot));
    assert!(
        found.starts_with(
            "s.ron:18:40: error: plot `p`: x names the column `queue_dept`, which the table does not have; did you \
             mean `queue_depth`?"
        ),
        "{found}"
    );
}

pub(super) fn options(sets: &[(&str, &str)]) -> LoadOptions {
    let sets = sets.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    LoadOptions { sets, ..LoadOptions::default() }
}

#[test]
fn options_change_the_resolved_scenario() {
    let sets =
        [("drives.*.seek.average_ms", "9.25"), ("drives.c.quoted_average_ms", "9.25"), ("bus", "pci-64-66")];
    let scenario = read(SOUND, &LoadOptions { runs: Some(3), seed: Some(9), ..options(&sets) }).unwrap();
    assert_eq!((scenario.run.replications, scenario.run.seed, scenario.bus.width_bits), (3, 9, 64));
    let mean_ms =
        |index: usize| crate::config::overrides::get(&scenario.drives[index].model, "seek.average_ms");
    assert_eq!(mean_ms(2)[0].1, 9.25);
    assert_eq!(mean_ms(0)[0].1, 9.25);
    assert_eq!(scenario.overrides.len(), 3);
    let quick = read(SOUND, &LoadOptions { quick: true, ..options(&[("run.measure_s", "2.5")]) }).unwrap();
    assert_eq!((quick.run.ramp_s, quick.run.measure_s, quick.run.replications), (3.0, 2.5, 1));
}

#[test]
fn options_at_fault_are_told_as_the_user_wrote_them() {
    let refused = |sets: &[(&str, &str)]| read(SOUND, &options(sets)).unwrap_err().to_string();
    assert_eq!(
        refused(&[("driver.window_array_requests", "0")]),
        "--set driver.window_array_requests=0: error: `driver.window_array_requests` is 0 requests; allowed is 1 to 65536 \
         requests"
    );
    assert!(
        refused(&[("drives.a.rmp", "1")])
            .starts_with("--set drives.a.rmp=1: error: `drives[0]` has no `rmp`\nhelp: did you mean `rpm`?")
    );
    assert_eq!(
        refused(&[("controller", "plain-ata"), ("run.ramp_s", "1")]).lines().next().unwrap(),
        "--set controller=plain-ata: error: Plain ATA/133 adapter does not offer RAID 1"
    );
    assert_eq!(
        refused(&[("workload.queue_depth", "2")]),
        "--set workload.queue_depth=2: error: `workload.queue_depth` has no effect here: the sweep gives its values\n\
         help: set `sweep.queue_depths` instead"
    );
    assert_eq!(
        read(SOUND, &LoadOptions { runs: Some(0), ..LoadOptions::default() }).unwrap_err().to_string(),
        "--runs 0: error: `run.replications` is 0 runs; allowed is 1 to 1000 runs"
    );
    assert!(refused(&[("sweep.patterns", "[\"web-sever\"]")]).contains("did you mean `web-server`?"));
}

#[test]
fn a_field_can_be_varied_from_outside() {
    let mut options = LoadOptions::default();
    options.vary("driver", &["ideal", "hpt-2.3"]);
    let scenario = read(SOUND, &options).unwrap();
    assert_eq!(points(&scenario).len(), 8);
    assert_eq!(tables::parameter_columns(&scenario).last().map(String::as_str), Some("driver"));
}

#[test]
fn names_that_would_overwrite_or_could_not_be_listed_are_refused() {
    let refused = |path: &str, text: &str| read(SOUND, &options(&[(path, text)])).unwrap_err().to_string();
    assert!(refused("arrays[0].id", "\"a,b\"").contains("cannot be the id of an array"));
    assert!(refused("arrays[0].id", "\"\"").contains("cannot be the id of an array"));
    let plot = "(file: \"Summary\", title: \"t\", kind: Lines, x: \"queue_depth\", y: [\"iops\"], series: \"array\", \
                x_label: \"x\", y_label: \"y\")";
    let sound = SOUND.trim_end().strip_suffix(')').unwrap();
    let text = format!("{sound}, plots: [{plot}])").replace(",,", ",").replace(",\n,", ",\n");
    let told = read(&text, &LoadOptions::default()).unwrap_err().to_string();
    assert!(told.contains("would overwrite the table"), "{told}");
}

#[test]
fn faults_of_type_names_figures_and_machines_come_together() {
    let text = SOUND
        .replace("ramp_s: 0.5", "ramp_s: \"x\"")
        .replace("seed: 7", "seed: 7, quick: (ramp_s: -1.0, measure_s: 1.0, replications: 1)")
        .replace("driver: \"ideal\"", "driver: \"idel\"")
        .replace("level: Raid1", "level: Raid1, stripe_kib: 3")
        .replace("id: \"c\", channel: 0, device: 1", "id: \"c\", channel: 0, device: 0")
        .replace("queue_depths: [1, 4]", "queue_depths: [1, 0]");
    let found = short(&errors(&text));
    for expected in [
        "`run.ramp_s` must be a number, not the text \"x\"",
        "there is no driver model `idel`",
        "`run.quick.ramp_s` is -1 s; allowed is 0 to 3600 s",
        "queue_depth",
        "are both on channel 0, device 0",
    ] {
        assert!(found.contains(expected), "{expected} is not in\n{found}");
    }
}

#[test]
fn a_wrong_type_in_a_drive_leaves_the_names_of_others_to_be_judged() {
    let text = SOUND
        .replace("channel: 0, device: 1, model: \"seagate-st380021a\"", "channel: \"x\", model: \"nope\"")
        .replace("bus: \"pci-32-33\"", "bus: \"pci-3233\"");
    let found = short(&errors(&text));
    assert!(found.contains("`drives[2].channel` must be a whole number"), "{found}");
    assert!(found.contains("there is no drive model `nope`"), "{found}");
    assert!(found.contains("there is no bus model `pci-3233`"), "{found}");
    assert_eq!(found.matches(": error: ").count(), 3, "{found}");
}

#[test]
fn a_set_that_brings_a_fault_about_is_blamed_for_it_and_no_other() {
    let set = |lines: &str| faulty("    run: (", &format!("    set: {{{lines}}},\n    run: ("));
    let found =
        short(&set("\"host.issue_us\": \"-1\", \"driver.transfer_limit_kib\": \"32\", \"title\": \"x\""));
    assert_eq!(found, "s.ron:18:11: error: `host.issue_us` is -1 us; allowed is 0 to 10000 us");
    let found = short(&set("\"drives.c.channel\": \"1\", \"drives.c.device\": \"0\", \"title\": \"x\""));
    assert!(found.starts_with("s.ron:18:36: error: "), "{found}");
}

#[test]
fn a_variant_can_be_set_although_its_model_has_sources() {
    for path in ["drives.*.skew=Auto", "drives.*.skew=Time(head_ms: 1.4, cylinder_ms: 2.5)"] {
        let (path, value) = path.split_once('=').unwrap();
        let scenario = read(SOUND, &options(&[(path, value)])).unwrap_or_else(|error| panic!("{error}"));
        let sources = &scenario.drives[0].model.sources;
        assert_eq!(sources["skew"].to_string(), format!("assumed: set to {value} by an override"));
        assert!(!sources.keys().any(|key| key.starts_with("skew.")), "{sources:?}");
    }
}

#[test]
fn sets_that_leave_no_drive_or_an_odd_id_are_told() {
    let refused = |path: &str, value: &str| read(SOUND, &options(&[(path, value)])).unwrap_err().to_string();
    assert_eq!(
        refused("drives", "[]"),
        "--set drives=[]: error: there is no drive\nhelp: list at least one in the \
         `drives` of a scenario file, such as `(id: \"d0\", channel: 0, device: 0, model: \"maxtor-6l020j1\")`; a setting can \
         only change those that are listed"
    );
    assert!(
        faulty("id: \"c\"", "id: \"../c\"")
            .starts_with("s.ron:10:14: error: \"../c\" cannot be the id of a drive: it goes into tables"),
    );
    assert_eq!(
        refused("bus.width_bits", "48").lines().next(),
        Some("--set bus.width_bits=48: error: `bus.width_bits` is 48; allowed is 32 or 64")
    );
    assert!(!refused("nope", "1").contains("swept_models"));
    assert_eq!(
        refused("overrides", "[]").lines().next(),
        Some("--set overrides=[]: error: `overrides` cannot be set")
    );
}

/// The sound scenario with a playback as its load.
pub(super) fn playing(workload: &str, sweep: &str) -> String {
    let old = "workload: (access: Pattern(\"database\")),\n    sweep: (arrays: [\"one\", \"two\"], queue_depths: [1, 4]),";
    assert!(SOUND.contains(old));
    SOUND.replace(old, &format!("workload: ({workload}),\n    sweep: ({sweep}),"))
}

#[test]
fn a_playback_is_swept_over_file_systems_and_has_columns_of_its_own() {
    let text =
        playing(r#"access: Playback("high-end")"#, r#"arrays: ["one", "two"], file_systems: [FAT32, NTFS]"#);
    let scenario = read(&text, &LoadOptions::default()).unwrap();
    let points = points(&scenario);
    let names: Vec<String> = points
        .iter()
        .map(|point| format!("{} {}", point.array, point.file_system.map_or("none", |volume| volume.name())))
        .collect();
    assert_eq!(names, ["one FAT32", "two FAT32", "one NTFS", "two NTFS"]);
    let spec = machine_spec(&scenario, &points[0]);
    assert_eq!(spec.playback.map(|recording| recording.name), Some("high-end".to_owned()));
    let summary = tables::summary(&scenario);
    for column in ["file_system", "winmark", "winmark_half_width", "winmark_photoshop", "cache_hit_share"] {
        assert!(summary.column(column).is_some(), "{column}");
    }
    let other = tables::summary(&read(SOUND, &LoadOptions::default()).unwrap());
    assert!(other.column("file_system").is_none() && other.column("winmark").is_none());
    // Without a word about it the volume is NTFS.
    let silent = read(&playing(r#"access: Playback("business")"#, ""), &LoadOptions::default()).unwrap();
    assert!(
        super::points(&silent)
            .iter()
            .all(|point| point.file_system.map(|volume| volume.name()) == Some("NTFS"))
    );
}

#[test]
fn a_playback_at_fault_is_told_with_a_remedy() {
    let unknown = short(&errors(&playing(r#"access: Playback("bussiness")"#, "")));
    assert!(unknown.contains("did you mean `business`?"), "{unknown}");
    let depth = short(&errors(&playing(r#"access: Playback("business"), queue_depth: 4"#, "")));
    assert!(
        depth.contains("a playback does not know `queue_depth`") && depth.contains("leave it out"),
        "{depth}"
    );
    let swept = short(&errors(&playing(r#"access: Playback("business")"#, "block_bytes: [512]")));
    assert!(swept.contains("sweep arrays and file_systems"), "{swept}");
    let none = short(&faulty("queue_depths: [1, 4]", "file_systems: [NTFS]"));
    assert!(none.contains("only a playback goes through a file system"), "{none}");
    let small = r#"access: Playback("business"), max_sectors: 400000"#;
    let small = short(&errors(&playing(small, r#"arrays: ["one"], file_systems: [NTFS]"#)));
    assert!(
        small.contains("volume of 196 MiB is too small") && small.contains("use larger drives"),
        "{small}"
    );
    let few = r#"access: Playback("business"), max_sectors: 60000"#;
    let few = short(&errors(&playing(few, r#"arrays: ["one"], file_systems: [FAT32]"#)));
    assert!(few.contains("65525 are the least") && few.contains("use a larger volume or NTFS"), "{few}");
}
