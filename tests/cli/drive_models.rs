//! Drive models out of data sheets and measurements, compared, and for other programs.

use crate::place::{Place, has};

fn line<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines().find(|line| line.starts_with(start)).unwrap()
}

const SHEET: [&str; 14] = [
    "drive",
    "fit",
    "--name",
    "IBM DTLA-307030",
    "--heads",
    "4",
    "--rpm",
    "7200",
    "--capacity-sectors",
    "60036480",
    "--seek-ms",
    "1.2,8.5,14.7",
    "--rate-mb-s",
    "37.8,18.8",
];

/// The arguments of a data sheet without one option and its value, and with others.
fn sheet<'a>(without: &str, with: &[&'a str]) -> Vec<&'a str> {
    let at = SHEET.iter().position(|argument| *argument == without).unwrap_or(SHEET.len());
    let kept = SHEET.iter().enumerate().filter(|(index, _)| *index != at && *index != at + 1);
    kept.map(|(_, argument)| *argument).chain(with.iter().copied()).collect()
}

#[test]
fn fit_builds_a_model_out_of_a_data_sheet() {
    let place = Place::new();
    let left = place.good(&sheet("", &["-o", "dtla.ron"]));
    has(&left.out, &["outer rate, MB/s", "37.8", "0.05", "mean seek, ms"]);
    let check = place.good(&["drive", "check", "dtla.ron"]).out;
    has(&check, &["30.74 GB", "7200 rpm", "14.7 ms over the whole disk"]);
    has(line(&check, "sustained rate"), &["outer 37.", "inner 18.8"]);
    let show = place.good(&["drive", "show", "dtla.ron"]).out;
    has(&show, &["give or", "(±0.05)", "derived", "assumed", "datasheet"]);
    // Without a file the model goes to the screen.
    assert_eq!(place.good(&sheet("", &[])).out, place.read("dtla.ron"));
    place.good(&sheet(
        "--capacity-sectors",
        &["--capacity-gb", "30.7", "--zones", "15", "--interface", "udma6"],
    ));
}

#[test]
fn fit_says_what_is_missing_or_impossible() {
    let place = Place::new();
    let bad = |arguments: &[&str], parts: &[&str]| has(&place.bad(arguments), parts);
    bad(&sheet("--name", &[]), &["the name of the drive is not given", "help: add --name"]);
    bad(&sheet("--capacity-sectors", &[]), &["the capacity is not given", "--capacity-gb"]);
    bad(&sheet("--rpm", &[]), &["the speed of the spindle is not given", "--rpm"]);
    bad(&sheet("--seek-ms", &["--seek-ms", "8.5"]), &["--seek-ms has 1 values", "SINGLE,AVERAGE,FULL"]);
    bad(&sheet("--seek-ms", &["--seek-ms", "1,nan,9"]), &["`nan` is no decimal number"]);
    bad(&sheet("--rate-mb-s", &["--rate-mb-s", "18,37"]), &["give the outer rate first"]);
    bad(&sheet("", &["--capacity-gb", "30"]), &["cannot be used with"]);
    bad(
        &sheet("--capacity-sectors", &["--capacity-gb", "99999999"]),
        &["--capacity-gb is 99999999; allowed is", "GB of 10^9 bytes"],
    );
    let told = place.bad(&sheet("--capacity-sectors", &["--capacity-gb", "40000"]));
    has(&told, &["40000 GB on 4 heads at these rates take", "a model has at most 1048576", "check capacity"]);
    assert_eq!(told.matches("error:").count(), 1, "{told}");
    bad(&sheet("", &["--rate-unit", "mb/s"]), &["--rate-unit has no effect without --staircase"]);
    bad(&sheet("", &["--time-unit", "ms"]), &["no effect without --access"]);
    bad(&sheet("", &["--position-unit", "gb"]), &["no effect without --staircase"]);
    bad(&sheet("--rate-mb-s", &["--zones", "9"]), &["the rates are not given", "--rate-mb-s"]);
    bad(&sheet("", &["--split", "0.3"]), &["cannot be used with"]);
    bad(&sheet("", &["--interface", "scsi"]), &["udma0 to udma6 or sata1 to sata3"]);
    place.file("file", "");
    bad(&sheet("", &["-o", "file/x.ron"]), &["another file with -o"]);
}

/// A table of rates in three steps.
fn stairs() -> String {
    let rate = |at: u32| [40.0, 33.0, 25.0][at as usize / 14];
    (0..42)
        .fold("Position (%);Rate (MiB/s)\n".to_owned(), |text, at| format!("{text}{};{}\n", at * 2, rate(at)))
}

#[test]
fn fit_takes_measured_rates_and_access_times() {
    let place = Place::new();
    place.file("stairs.csv", &stairs());
    place.good(&["drive", "plot", "wd-740gd", "--reads", "400", "--out", "plots"]);
    let given = ["drive", "fit", "--name", "Mine", "--heads", "2", "--capacity-sectors", "145226112"];
    let rates = ["--staircase", "stairs.csv", "--access", "plots/access.csv", "-o", "mine.ron"];
    let left = place.good(&[&given[..], &rates[..]].concat());
    // What was measured over 84 % of the disk is told to be.
    has(&left.err, &["warning: the rates cover 0 to 82 % of the disk"]);
    let out = left.out;
    has(
        &out,
        &[
            "given or measured",
            "stairs.csv: rates from column 2 `Rate (MiB/s)` in MiB/s of 2^20 bytes; positions from column 1",
            "plots/access.csv: times from column",
        ],
    );
    has(&out, &["zone 2, MB/s", "3 zones through 42 readings, 0 left out", "turns at 10000 rpm"]);
    let show = place.good(&["drive", "show", "mine.ron"]).out;
    has(&show, &["fitted", "41.94 MB/s", "±", "14 readings", "the usual speed within"]);
    place.good(&["drive", "check", "mine.ron"]);
}

#[test]
fn fit_refuses_measurements_that_are_none_with_their_place() {
    let place = Place::new();
    let bad = |file: &str, text: &str, options: &[&'static str], parts: &[&str]| {
        place.file(file, text);
        let with = [&["--staircase", "x.csv"][..], options].concat();
        has(&place.bad(&sheet("--rate-mb-s", &with)), parts);
    };
    bad(
        "x.csv",
        "",
        &[],
        &["x.csv:1:1: error: no line says what the columns are", "help: begin with a header"],
    );
    bad("x.csv", "\u{1}\u{2}garbage\n;;;\n", &[], &["x.csv:1:1:", "help:"]);
    bad(
        "x.csv",
        &stairs().replace("25\n", "NaN\n"),
        &[],
        &["x.csv:30:4: error: `NaN` is no number", "help:"],
    );
    bad("x.csv", "xyz,mb/s\n1,2\n", &[], &["x.csv:2:1: error: column 1 has no unit for the position"]);
    bad("x.csv", "lba,mb/s\n1,2\n", &[], &["x.csv: error: 1 rates; at least 8 are needed"]);
    bad("x.csv", "lba,speed\n1,2\n", &[], &["x.csv:1:1:", "no unit for the rate", "--rate-unit"]);
    bad("x.csv", "lba,speed\n1,2\n", &["--rate-unit", "baud"], &["it must be b/s"]);
    bad("x.csv", &stairs(), &["--zones", "3"], &["cannot be used with"]);
    bad(
        "x.csv",
        &stairs().replace("Position (%)", "Place (%)").replace("(MiB/s)", "(mbps)"),
        &[],
        &["x.csv:"],
    );
    let rising: String = stairs().lines().rev().enumerate().fold(String::new(), |text, (at, line)| {
        let rate = line.split(';').nth(1).unwrap();
        if at < 42 { format!("{text}{};{rate}\n", at * 2) } else { text }
    });
    let rising = format!("Position (%);Rate (MiB/s)\n{rising}");
    bad("x.csv", &rising, &[], &["the rates rise from 26.2 MB/s at the first addresses to 41.9"]);
    let one_place = stairs().lines().skip(1).fold("Position (%);Rate (MiB/s)\n".to_owned(), |text, line| {
        format!("{text}7;{}\n", line.split(';').nth(1).unwrap())
    });
    bad("x.csv", &one_place, &[], &["42 rates at 1 place"]);
    has(&place.bad(&sheet("--rate-mb-s", &["--staircase", "none.csv"])), &["none.csv: error: no such file"]);
}

#[test]
fn export_prints_a_preset_and_the_error_it_makes() {
    let place = Place::new();
    let out = place.good(&["drive", "export", "ibm-dtla-307030", "--86box"]).out;
    has(&out, &[".internal_name   = \"ibm_dtla_307030\"", ".zones           = 15,", ".heads           = 4,"]);
    has(
        &out,
        &[
            ".rpm             = 7200,",
            "mean random read of 8 KiB, ms",
            "sequential read outside, MB/s",
            " %)",
        ],
    );
    has(&out, &["a seek takes .track_seek_ms + .full_stroke_ms", "less .track_seek_ms"]);
    let many = place.good(&["drive", "export", "quantum-atlas-10k", "--86box"]).out;
    has(&many, &[".zones           = 16,", "86Box holds 16 zones: the 24 of the model", "% at most"]);
    assert!(many.lines().all(|line| line.len() <= 125), "{many}");
    let comments = out.split("/*").skip(1).filter(|comment| comment.contains("*/")).count();
    assert_eq!(comments, out.matches("/*").count());
    has(
        &place.bad(&["drive", "export", "ibm-dtla-307030"]),
        &["the form of the export is not given", "--86box"],
    );
    has(&place.bad(&["drive", "export", "ibm-dtla", "--86box"]), &["no drive model `ibm-dtla`"]);
}

#[test]
fn compare_puts_drives_side_by_side() {
    let place = Place::new();
    let left = place.good(&["drive", "compare", "wd-740gd", "maxtor-6l040j2", "--reads", "100"]);
    has(line(&left.out, "figure"), &["wd-740gd", "maxtor-6l040j2"]);
    has(line(&left.out, "rpm"), &["10000", "7200"]);
    has(&left.out, &["seek_average_ms", "random_8_kib_depth_32_iops", "buffer_kib"]);
    let folder = "output/drives-compare-wd-740gd-maxtor-6l040j2";
    has(&left.err, &[folder, "random.png .svg .csv"]);
    assert_eq!(place.names(folder).len(), 9);
    // Under a header six depths a drive, and six more for the one that has no queue for the driver's sorting.
    assert_eq!(place.read(&format!("{folder}/random.csv")).lines().count(), 19);
    has(
        &place.bad(&["drive", "compare", "wd-740gd", "wd-740gd"]),
        &["two of the drives are called `wd-740gd`"],
    );
    has(&place.bad(&["drive", "compare", "wd-740gd"]), &["2 values required"]);
}
