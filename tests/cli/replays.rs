//! `replay` and `drive validate`.

use std::fs;

use crate::place::{Place, has};

const DRIVE: &str = "seagate-st380021a";

/// Twenty reads and writes of one at a time, said to have taken 9 ms each.
fn validate_trace() -> String {
    let line = |i: u64| {
        let kind = if i.is_multiple_of(3) { "W" } else { "R" };
        format!("{kind} Hit {} 8 9000.0 {}.5\n", i * 7_919_000 % 150_000_000, 1_000 * i)
    };
    (0..20).map(line).collect()
}

fn json(place: &Place, path: &str) -> serde_json::Value {
    serde_json::from_str(&place.read(path)).unwrap()
}

#[test]
fn a_trace_is_replayed_and_scored() {
    let place = Place::new();
    place.file("t.trace", &format!("# by hand\n\n{}", validate_trace()));
    let left = place.good(&["replay", "t.trace", "--drive", DRIVE]);
    has(
        &left.out,
        &[
            "t on Seagate",
            "validate trace, closed: 20 requests (13 reads, 7 writes)",
            "99 % within ms",
            "demerit ms",
            "95 % floor ms",
            "ms off where chance makes nothing",
            "reads",
            "writes",
        ],
    );
    has(&left.err, &["wrote to output/replays/t-on-seagate-st380021a:", "requests a second"]);
    let names = place.names("output/replays/t-on-seagate-st380021a");
    assert_eq!(names.len(), 2 + 4 * 3, "{names:?}");
    let rows = place.read("output/replays/t-on-seagate-st380021a/outcomes.csv");
    assert_eq!(rows.lines().count(), 21);
    has(&rows, &["request,device,kind,lba,blocks", "\n3,0,write,0,8,0.000000,"]);
    let summary = json(&place, "output/replays/t-on-seagate-st380021a/replay.json");
    assert_eq!((&summary["requests"], &summary["complete"]), (&20.into(), &true.into()));
    assert_eq!(summary["scores"]["all"]["real_mean_ms"], 9.0);
    assert_eq!(summary["system"]["models"][0]["name"], "Seagate ST380021A");
    place.good(&["replay", "t.trace", "--drive", DRIVE, "--out", "again"]);
    for name in names {
        let read = |folder: &str| fs::read(place.path(folder).join(&name)).unwrap();
        assert_eq!(read("output/replays/t-on-seagate-st380021a"), read("again"), "{name}");
    }
}

#[test]
fn a_replay_never_replaces_what_it_reads() {
    let place = Place::new();
    let (trace, at) = (validate_trace(), "here/outcomes.csv");
    fs::create_dir(place.path("here")).unwrap();
    place.file(at, &trace);
    let told = place.bad(&["replay", at, "--drive", DRIVE, "--out", "here"]);
    has(&told, &["outcomes.csv: this file is read, and would be replaced", "--out"]);
    assert_eq!(place.read(at), trace);
    assert_eq!(place.names("here"), ["outcomes.csv"]);
}

#[test]
fn what_a_model_was_fitted_to_is_scored_apart() {
    let place = Place::new();
    place.file("t.trace", &validate_trace());
    let sheet =
        ["drive", "fit", "--name", "D", "--heads", "2", "--rpm", "7200", "--capacity-gb", "80", "--seek-ms"];
    let model = place.good(&[&sheet[..], &["1.2,8.5,15", "--rate-mb-s", "41,22"]].concat()).out;
    let fitted_to = |part: &str| {
        let source = format!("Fitted(\"from turns ({part})\")");
        let (sheet, model) = ("Datasheet(\"7200 rpm, as given\")", &model);
        assert!(model.contains(sheet), "{model}");
        place.file("fitted.ron", &model.replace(sheet, &source));
        place.good(&["replay", "t.trace", "--drive", "fitted.ron", "--no-plots"])
    };
    let left = fitted_to("t.trace, requests 1 to 12");
    has(&left.err, &["warning: the model was fitted to requests 1 to 12"]);
    has(&left.out, &["Requests 13 to 20 alone, which the fit has not seen"]);
    let summary = json(&place, "output/replays/t-on-fitted.ron/replay.json");
    assert_eq!(
        (&summary["fitted_to_requests"], &summary["scores_unseen"]["all"]["requests"]),
        (&12.into(), &8.into())
    );
    let left = fitted_to("t.trace");
    has(&left.err, &["files of an earlier run replaced", "fitted to all"]);
    has(&left.out, &["fitted to all of this trace"]);
    let left = fitted_to("other.trace, requests 1 to 12");
    assert!(!left.err.contains("was fitted to"), "{}", left.err);
    assert_eq!(json(&place, "output/replays/t-on-fitted.ron/replay.json").get("fitted_to_requests"), None);
}

#[test]
fn another_simulator_is_drawn_beside_the_model() {
    let place = Place::new();
    place.file("t.trace", &validate_trace());
    let rows = (0..20_u64).map(|i| format!("{},9.0,8.0\n", if i.is_multiple_of(3) { "W" } else { "R" }));
    place.file("o.csv", &format!("rw,real_ms,disksim_ms\n{}", rows.collect::<String>()));
    place.good(&["replay", "t.trace", "--drive", DRIVE, "--other-simulator", "o.csv", "--out", "o"]);
    for class in ["all", "reads", "writes"] {
        has(&place.read(&format!("o/cdf-{class}.csv")), &["measured,", "simulated,", "other simulator,8.0,"]);
    }
    has(&place.read("o/cdf-all.svg"), &["seed 1, closed"]);
}

#[test]
fn without_output_there_is_none() {
    let place = Place::new();
    place.file("t.trace", &validate_trace());
    let with = place.good(&["replay", "t.trace", "--drive", DRIVE, "--no-plots", "--out", "x"]).out;
    let without = place.good(&["replay", "t.trace", "--drive", DRIVE, "--no-output"]).out;
    assert!(!place.path("output").exists());
    assert_eq!(with.lines().take(4).collect::<Vec<_>>(), without.lines().take(4).collect::<Vec<_>>());
    assert_eq!(place.names("x"), ["outcomes.csv", "replay.json"]);
}

#[test]
fn another_simulator_is_set_beside_the_model() {
    let place = Place::new();
    place.file("t.trace", &validate_trace());
    let rows: String = (0..20).map(|i| format!("{},9.0,9.5\n", if i % 3 == 0 { "W" } else { "R" })).collect();
    place.file("o.csv", &format!("rw,real_ms,disksim_ms\n{rows}"));
    let run = ["replay", "t.trace", "--drive", DRIVE, "--no-plots", "--other-simulator"];
    let out = place.good(&[&run[..], &["o.csv"]].concat()).out;
    has(&out, &["The other simulator against the drive: all 0.5 ms off", "times its 0.5 ms"]);
    has(&place.bad(&[&run[..], &["none.csv"]].concat()), &["none.csv: error: no such file"]);
    place.file("o.csv", "rw,real_ms,disksim_ms\nR,9.0,9.5\n");
    has(
        &place.bad(&[&run[..], &["o.csv"]].concat()),
        &["o.csv:2: error: R, but request 1 of the trace is W"],
    );
}

#[test]
fn no_file_of_an_earlier_replay_passes_for_one_of_this() {
    let place = Place::new();
    place.file("t.trace", &validate_trace());
    place.file("x/mine.csv", "");
    place.good(&["replay", "t.trace", "--drive", DRIVE, "--out", "x"]);
    assert_eq!(place.names("x").len(), 2 + 4 * 3 + 1);
    // Reads alone: of writes there is nothing to draw.
    place.file("t.trace", "R Hit 1 8 9000.0 5\nR Hit 90000 8 9000.0 5\n");
    let left = place.good(&["replay", "t.trace", "--drive", DRIVE, "--out", "x"]);
    has(&left.err, &["removed x/cdf-writes.png: it was of an earlier run"]);
    let names = place.names("x");
    assert!(!names.iter().any(|name| name.starts_with("cdf-writes")), "{names:?}");
    place.good(&["replay", "t.trace", "--drive", DRIVE, "--out", "x", "--no-plots"]);
    assert_eq!(place.names("x"), ["mine.csv", "outcomes.csv", "replay.json"]);
}

#[test]
fn options_without_effect_are_refused() {
    let place = Place::new();
    place.file("t.trace", &validate_trace());
    let refused = |arguments: &[&str], parts: &[&str]| {
        has(&place.bad(&[&["replay", "--drive", DRIVE], arguments].concat()), parts);
    };
    for option in [["--device", "1"], ["--format", "srt"], ["--sort-window", "9"]] {
        refused(&[&["--synthetic"], &option[..]].concat(), &["cannot be used with", option[0]]);
    }
    refused(&["t.trace", "--requests", "5"], &["cannot be used with"]);
    refused(&["t.trace", "--interarrival-ms", "5"], &["cannot be used with"]);
    refused(&["t.trace", "--outstanding", "5"], &["--mode"]);
    refused(&["t.trace", "--mode", "closed", "--outstanding", "5"], &["no effect", "--mode asap"]);
    refused(&["--synthetic", "--mode", "asap", "--interarrival-ms", "5"], &["no effect", "leave --mode out"]);
    refused(&["t.trace", "--sort-window", "5"], &["--sort-window has no effect", "no times of arrival"]);
    refused(&["t.trace", "--drives-per-bus", "2"], &["--drives"]);
    for option in [["--order", "look"], ["--overload-limit", "9"], ["--outstanding", "2"]] {
        refused(&[&["t.trace", "--at-measured-times"], &option[..]].concat(), &["cannot be used with"]);
    }
}

#[test]
fn pauses_arrivals_and_haste_are_kept_as_stated() {
    let place = Place::new();
    place.file("t.trace", "5000 0 4096 8 1\n5000 0 90000000 8 0\n6000 0 4104 8 1\n");
    let seconds = |mode: &[&str]| -> f64 {
        let arguments = [&["replay", "t.trace", "--drive", DRIVE, "--no-plots", "--out", "x"], mode].concat();
        place.good(&arguments);
        json(&place, "x/replay.json")["simulated_s"].as_f64().unwrap()
    };
    let open = seconds(&[]);
    assert!((6.0..6.1).contains(&open), "{open}");
    assert!(seconds(&["--mode", "closed"]) < 0.1);
    assert!(seconds(&["--mode", "asap", "--outstanding", "3"]) < 0.1);
}

#[test]
fn what_is_at_fault_in_a_trace_is_told_with_its_line_and_leaves_no_file() {
    let place = Place::new();
    let drive = ["--drive", DRIVE];
    let refused = |text: &str, more: &[&str], parts: &[&str]| {
        place.file("t.trace", text);
        has(&place.bad(&[&["replay", "t.trace"], &drive[..], more].concat()), parts);
        assert!(!place.path("output/replays/t-on-seagate-st380021a/outcomes.csv").exists());
        assert!(!place.path("output/replays/t-on-seagate-st380021a/replay.json").exists());
    };
    refused(
        "R Hit 1 1 1 1\nR Hit 1\n",
        &[],
        &["t.trace:2:8: error: the line ends where the number of blocks", "help: "],
    );
    refused(
        "R Hit 1 8 1 1\nR Hit 156301485 8 1 1\n",
        &[],
        &["t.trace:2: error: blocks 156301485 to 156301492", "beyond the last block 156301487"],
    );
    refused("1 0 1 1 1\n2 3 1 1 1\n", &[], &["t.trace:2: error: device 3 of 1", "--device"]);
    refused("2 0 1 1 1\n1 0 1 1 1\n", &[], &["t.trace:2: error: this request arrives", "sort window"]);
    refused(
        "R Hit 1 1 1 1\n",
        &["--mode", "open"],
        &["t.trace:1: error: no time of arrival", "--mode closed"],
    );
    refused("R Hit 1 1 1 1\n", &["--format", "srt"], &["$$TR_IOREC"]);
    refused("", &[], &["t.trace: error: the trace holds no requests"]);
    refused("1 0 1 1 1\n", &["--device", "4"], &["no request is for device 4"]);
    has(&place.bad(&["replay", "no.trace", "--drive", DRIVE]), &["no.trace: error: no such file"]);
    has(&place.bad(&["replay", "t.trace", "--drive", "wd-1200jp"]), &["did you mean `wd-1200jb`"]);
    has(&place.bad(&["replay", "--drive", DRIVE]), &["TRACE"]);
}

#[test]
fn devices_are_drives_and_one_can_be_chosen() {
    let place = Place::new();
    place.file("t.trace", "1 0 1 1 1\n2 1 1 1 1\n1.5 2 1 1 0\n");
    let run = |more: &[&str]| {
        place.good(&[&["replay", "t.trace", "--drive", DRIVE, "--no-output"], more].concat()).out
    };
    has(&run(&["--drives", "3", "--sort-window", "1"]), &["3 requests", "3 x Seagate"]);
    has(&run(&["--device", "1"]), &["1 requests (1 reads"]);
}

#[test]
fn every_synthetic_request_is_served() {
    let place = Place::new();
    let load = [
        "replay",
        "--synthetic",
        "--requests",
        "500",
        "--drives",
        "4",
        "--drives-per-bus",
        "2",
        "--order",
        "c-look",
    ];
    let arguments = [&load[..], &["--drive", DRIVE, "--no-plots"]].concat();
    has(&place.good(&arguments).out, &["synthetic load, open: 500 requests"]);
    let rows = place.read("output/replays/synthetic-on-seagate-st380021a-4-drives-c-look/outcomes.csv");
    let mut requests: Vec<u64> =
        rows.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect();
    requests.sort_unstable();
    assert_eq!(requests, (1..=500).collect::<Vec<_>>());
}

#[test]
fn an_overload_ends_with_what_has_been_served() {
    let place = Place::new();
    let left = place.run(&[
        "replay",
        "--synthetic",
        "--requests",
        "100000",
        "--interarrival-ms",
        "0.5",
        "--overload-limit",
        "40",
        "--drive",
        DRIVE,
        "--no-plots",
        "--out",
        "x",
    ]);
    assert_eq!(left.code, 1, "{}", left.err);
    has(&left.err, &["error: overload: 40 requests were outstanding"]);
    has(
        &left.err,
        &["beyond saturation: a request arrives at each drive every 0.5 ms", "a longer --interarrival-ms"],
    );
    has(&left.out, &["mean ms"]);
    let summary = json(&place, "x/replay.json");
    assert_eq!(summary["complete"], false);
    let rows = place.read("x/outcomes.csv").lines().count() as u64;
    assert_eq!(summary["requests"].as_u64().unwrap(), rows - 1);
    assert!(rows > 40);
}

/// The drive of the corpus, as `NAME.parv` with the files that it names.
fn described(place: &Place, name: &str, lines: &str) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/disksim");
    for file in ["front.diskspecs", "small.model", "small.seek"] {
        place.file(&format!("set/{file}"), &fs::read_to_string(folder.join(file)).unwrap());
    }
    place.file(&format!("set/{name}.parv"), &fs::read_to_string(folder.join("system.parv")).unwrap());
    place.file(&format!("set/{name}.trace"), lines);
}

#[test]
fn a_folder_of_descriptions_is_scored_drive_by_drive() {
    let place = Place::new();
    let lines: String =
        (0..30).map(|i| format!("{} Hit {} 2 9000 5000\n", ["R", "W"][i % 2], i * 37 % 900)).collect();
    described(&place, "one", &lines);
    described(&place, "two", &lines);
    // Without the last one, as DiskSim leaves it.
    let rows: String = (0..29).map(|i| format!("{i},{}\n", ["R,9.0,8.0", "W,9.0,10.5"][i % 2])).collect();
    place.file("set/two.measured.csv", &format!("n,rw,real_ms,disksim_ms\n{rows}"));
    place.file("set/three.parv", "");
    let left = place.good(&["drive", "validate", "set", "--no-plots"]);
    has(&left.out, &["drive", "DiskSim  R", "floor  R", "one", "two", "Against the drive, by the demerit"]);
    has(&left.err, &["three.parv: no trace of this name"]);
    let table = place.read("output/validation/validation.csv");
    assert_eq!(table.lines().count(), 1 + 3 + 3 + 3, "{table}");
    has(&table, &["\none,", "two,", ",reads,DiskSim,15,9.0,8.0,1.0,", ",all,imported,30,9.0,"]);
    let left = place.run(&["drive", "validate", "set", "--no-plots", "--fit"]);
    assert_eq!(left.code, 2);
    has(&left.err, &["set/one.trace: 15 requests are too few to fit", "2 of 2 drives could not be scored"]);
    place.file("set/three.trace", &lines);
    let left = place.run(&["drive", "validate", "set", "--out", "again"]);
    assert_eq!(left.code, 2);
    has(&left.err, &["set/three.parv", "1 of 3 drives could not be scored"]);
    has(&left.out, &["one", "two"]);
    assert_eq!(place.read("again/validation.csv"), table);
    assert!(place.path("again/two-cdf-reads.png").exists() && place.path("again/one-residuals.svg").exists());
    // Pictures of a drive that is no longer there go, other files stay.
    place.file("again/mine-residuals.svg", "");
    fs::remove_file(place.path("set/one.trace")).unwrap();
    fs::remove_file(place.path("set/three.trace")).unwrap();
    place.good(&["drive", "validate", "set", "--out", "again"]);
    let names = place.names("again");
    assert!(!names.iter().any(|name| name.starts_with("one-")), "{names:?}");
    assert!(
        place.path("again/two-cdf-reads.png").exists() && place.path("again/mine-residuals.svg").exists()
    );
    place.file("set/two.measured.csv", "rw,real_ms,disksim_ms\nR,9.0,8.0\n");
    let told = place.bad(&["drive", "validate", "set", "--out", "again"]);
    has(&told, &["set/two.measured.csv: error: 1 rows for the 30 requests of the trace"]);
}

#[test]
fn warnings_are_counted_once_and_printed_on_request() {
    let place = Place::new();
    described(&place, "one", &"R Hit 1 2 9000 5000\n".repeat(9));
    let model = place.read("set/small.model");
    place.file("set/small.model", &model.replace("Block count = ", "Block count = 1"));
    let plain = place.good(&["replay", "set/one.trace", "--drive", "set/one.parv", "--no-output"]).err;
    has(&plain, &["note: set/one.parv: ", " warning", "--warnings prints "]);
    let all =
        place.good(&["replay", "set/one.trace", "--drive", "set/one.parv", "--no-output", "--warnings"]).err;
    has(&all, &["set/small.model:", "warning: "]);
    assert!(!all.contains("note: "), "{all}");
    // Read for the system and for the drive, each warning counts once.
    let counted = |arguments: &[&str]| {
        let err = place.run(arguments).err;
        err.lines().find(|line| line.starts_with("note: ")).unwrap_or_default().to_owned()
    };
    let without = counted(&["drive", "validate", "set", "--no-plots"]);
    assert!(!without.is_empty());
    assert_eq!(without, counted(&["drive", "validate", "set", "--no-plots", "--fit"]));
}

#[test]
fn folders_without_descriptions_are_refused() {
    let place = Place::new();
    place.file("set/x.trace", "");
    has(&place.bad(&["drive", "validate", "set"]), &["set: no NAME.parv with a NAME.trace"]);
    has(&place.bad(&["drive", "validate", "nowhere"]), &["nowhere: error: no such file or folder"]);
}
