//! Small experiments that really run.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::config::Source;
use crate::results::{Cell, csv};
use crate::scenario::{Library, LoadOptions, Scenario, load_text};

const SMALL: &str = r#"(
    name: "small",
    host: "instant", driver: "hpt-2.3", bus: "pci-32-33", controller: "hpt372a",
    drives: [
        (id: "a", channel: 0, model: "maxtor-6l020j1"),
        (id: "b", channel: 1, model: "maxtor-6l020j1"),
    ],
    arrays: [
        (id: "1d", raid: (level: Single), members: ["a"]),
        (id: "R0x2", raid: (level: Raid0), members: ["a", "b"]),
    ],
    workload: (access: Pattern("database")),
    sweep: (queue_depths: [1, 16]),
    run: (ramp_s: 0.2, measure_s: 0.6, replications: 2, seed: 3),
    plots: [(
        file: "iops", title: "I/O", x: "queue_depth", y: ["iops"], series: "array", error: "iops_half_width",
        only: {"array": ["1d", "R0x2"]}, x_label: "requests in flight", y_label: "I/O a second",
    )],
)"#;

fn small(change: impl Fn(&str) -> String, sets: &[(&str, &str)]) -> Scenario {
    let sets = sets.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    let options = LoadOptions { sets, ..LoadOptions::default() };
    let source = Source::new("small.ron", change(SMALL));
    load_text(&source, &Library::shipped(), &options).unwrap_or_else(|error| panic!("{error}"))
}

fn ran(scenario: &Scenario) -> Results {
    run(scenario, Some(1), &()).unwrap()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let scenario = small(str::to_owned, &[]);
    let bytes: Vec<_> =
        [1, 2, 4].map(|jobs| run(&scenario, Some(jobs), &()).unwrap().json().unwrap()).into_iter().collect();
    assert_eq!(bytes[0], bytes[1]);
    assert_eq!(bytes[0], bytes[2]);
    assert!(bytes[0].len() > 10_000);
}

#[test]
fn a_drive_that_nobody_uses_changes_no_figure() {
    let without = small(str::to_owned, &[]);
    let with = small(
        |text| {
            text.replace(
                "    drives: [",
                "    drives: [(id: \"x\", channel: 1, device: 1, model: \"wd-1200jb\"),",
            )
        },
        &[],
    );
    let figures = |scenario| {
        let mut runs = ran(scenario).runs;
        // The digest counts drives by their place.
        let column = runs.column("fingerprint").unwrap();
        runs.rows.iter_mut().for_each(|row| row[column] = Cell::Empty);
        runs
    };
    assert_eq!(figures(&without), figures(&with));
}

#[test]
fn replications_differ_and_points_share_their_random_numbers() {
    let results = ran(&small(str::to_owned, &[]));
    let column = |name: &str| {
        let column = results.runs.column(name).unwrap();
        results.runs.rows.iter().map(|row| row[column].label()).collect::<Vec<_>>()
    };
    let seeds = column("seed");
    assert_eq!(seeds.len(), 8);
    assert_eq!((&seeds[0], &seeds[1]), (&seeds[6], &seeds[7]));
    assert_ne!(seeds[0], seeds[1]);
    assert_eq!(column("run")[..3], ["1", "2", "1"]);
    let prints = column("fingerprint");
    assert_ne!(prints[0], prints[1]);
    assert!(replication_seed(u64::MAX, 3) < 1 << 53);
}

#[test]
fn a_summary_holds_means_and_half_widths() {
    let results = ran(&small(str::to_owned, &[]));
    let cell = |table: &crate::results::Table, row: usize, name: &str| {
        table.rows[row][table.column(name).unwrap()].number().unwrap()
    };
    let (first, second) = (cell(&results.runs, 0, "iops"), cell(&results.runs, 1, "iops"));
    let mean = cell(&results.summary, 0, "iops");
    assert!((mean - f64::midpoint(first, second)).abs() < 1e-9);
    // Student's t of one degree of freedom: 12.706 times |a - b| / 2.
    let half = 12.706_204_736 * (first - second).abs() / 2.0;
    assert!((cell(&results.summary, 0, "iops_half_width") - half).abs() < 1e-6 * half.max(1.0));
    assert_eq!(results.summary.rows.len(), 4);
    let ratio = cell(&results.runs, 0, "mb_s") / cell(&results.runs, 0, "mib_s");
    assert!((ratio - 1.048_576).abs() < 1e-12);
}

#[derive(Default)]
struct Count(AtomicU64, AtomicU64);

impl Progress for Count {
    fn total(&self, runs: u64) {
        self.0.fetch_add(runs, Ordering::Relaxed);
    }
    fn done(&self, runs: u64) {
        self.1.fetch_add(runs, Ordering::Relaxed);
    }
}

#[test]
fn progress_counts_every_run_once() {
    let count = Count::default();
    let scenarios = [small(str::to_owned, &[]), small(str::to_owned, &[("run.replications", "1")])];
    let all = run_all(&scenarios, Some(2), &count).unwrap();
    assert_eq!((count.0.into_inner(), count.1.into_inner()), (12, 12));
    assert_eq!((all[0].runs.rows.len(), all[1].runs.rows.len()), (8, 4));
}

#[test]
fn results_carry_the_whole_scenario() {
    let results = ran(&small(str::to_owned, &[("driver.window_array_requests", "7")]));
    let json: serde_json::Value = serde_json::from_slice(&results.json().unwrap()).unwrap();
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((json["seed"].as_u64(), json["overrides"][0][1].as_str()), (Some(3), Some("7")));
    let again: Scenario = serde_json::from_value(json["scenario"].clone()).unwrap();
    assert_eq!(again, results.scenario);
    assert_eq!(again.driver.window_array_requests, 7);
}

#[test]
fn figures_are_drawn_from_what_the_sweep_still_has() {
    let results = ran(&small(str::to_owned, &[("sweep.arrays", "[\"R0x2\"]")]));
    let figures = figures(&results);
    let (plot, figure) = &figures[0];
    assert_eq!((plot.file.as_str(), figure.series.len()), ("iops", 1));
    let expected =
        format!("small: 2 runs of 0.6 s, seed 3, 1 field set; ataraid {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(figure.caption, expected);
    assert!(figure.series[0].points[0].error.is_some());
}

#[test]
fn results_compared_with_themselves_do_not_differ() {
    let results = ran(&small(str::to_owned, &[]));
    let table = compare(&results, &results);
    let column = |name: &str| table.column(name).unwrap();
    assert_eq!(table.rows.len(), 4);
    for row in &table.rows {
        assert_eq!(row[column("iops_ratio")], Cell::Real(1.0));
        assert_eq!(row[column("verdict")], Cell::Text("no difference".into()));
    }
}

#[test]
fn a_varied_field_splits_results_into_comparable_parts() {
    let mut options = LoadOptions { runs: Some(4), ..LoadOptions::default() };
    options.vary("drives.*.write_cache.enabled", &["false", "true"]);
    options.sets.push(("workload.write_percent".into(), "100".into()));
    let source = Source::new("small.ron", SMALL);
    let scenario = load_text(&source, &Library::shipped(), &options).unwrap();
    let results = ran(&scenario);
    let parts = split(&results, "drives.*.write_cache.enabled").unwrap();
    assert!(!parts[0].1.scenario.drives[0].model.write_cache.enabled);
    assert_eq!(parts[0].1.runs.rows.len() + parts[1].1.runs.rows.len(), results.runs.rows.len());
    let table = compare(&parts[0].1, &parts[1].1);
    let verdict = table.column("verdict").unwrap();
    assert!(table.rows.iter().all(|row| row[verdict] == Cell::Text("B faster".into())), "{table:?}");
    let (spec, figure) = compare_figure(&table, "off", "on").unwrap();
    assert_eq!((spec.x.as_str(), spec.series.as_deref()), ("queue_depth", Some("array")));
    assert_eq!(figure.ceilings[0].value, 1.0);
    assert_eq!(split(&results, "bus"), Err(SplitError::NotVaried("bus".into())));
}

#[test]
fn a_scenario_made_by_hand_is_refused_not_run() {
    let mut scenario = small(str::to_owned, &[]);
    scenario.sweep.arrays = vec!["nobody".to_owned()];
    let error = run(&scenario, Some(1), &()).unwrap_err().to_string();
    assert!(
        error.starts_with("scenario `small`, array nobody, 1 in flight, pattern database: array `nobody`"),
        "{error}"
    );
}

#[test]
fn a_reproduction_gives_tables_facts_and_verdicts() {
    let short = [("run.ramp_s", "0.0"), ("run.measure_s", "0.05"), ("sweep.arrays", "[\"1d\", \"R0x2\"]")];
    let sets = short.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    let options = LoadOptions { sets, quick: true, ..LoadOptions::default() };
    let reproduction = Reproduction::load("rocketraid133", &Library::shipped(), &options).unwrap();
    let results = reproduction.run(Some(2), &()).unwrap();
    assert_eq!(results.results.iter().map(|r| r.runs.rows.len() as u64).sum::<u64>(), reproduction.runs());
    let (title, table) = &results.tables()[0];
    assert_eq!(title, "Database, I/O a second");
    let header: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(header, ["array", "1", "4", "16", "64", "256"]);
    let tables = results.tables();
    let joined = tables.iter().find(|(title, _)| title.contains("the cables?")).unwrap();
    let header: Vec<&str> = joined.1.columns.iter().map(|column| column.name.as_str()).collect();
    let variants = ["as reviewed", "own_cables", "ideal_driver", "ideal_driver_own_cables"];
    assert_eq!((header[0], &header[1..]), ("array", &variants[..]));
    assert!(joined.1.rows.iter().flatten().skip(1).all(|cell| *cell != Cell::Empty), "{joined:?}");
    let report = results.report().unwrap();
    // Rules of the set-up need no long runs.
    let missed: Vec<&str> = report
        .outcomes
        .iter()
        .filter(|outcome| outcome.kind == claims::ClaimType::Rule && outcome.failed())
        .map(|outcome| outcome.id.as_str())
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
    let seventeenth = report.outcomes.iter().find(|outcome| outcome.id == "C17").unwrap();
    assert_eq!(seventeenth.verdict, claims::Verdict::NotCheckable);
    let lacking = |id: &str| {
        let outcome = report.outcomes.iter().find(|outcome| outcome.id == id).unwrap();
        outcome.lacking.clone()
    };
    assert!(lacking("C35").iter().all(|what| what.contains("R0x4")), "{:?}", lacking("C35"));
}

#[test]
fn facts_come_from_the_machine() {
    let reproduction =
        Reproduction::load("rocketraid133", &Library::shipped(), &LoadOptions::default()).unwrap();
    let facts = &reproduction.facts;
    let shown: Vec<String> =
        ["controller.chip", "driver.version", "host.mainboard", "drive.model", "bios.version"]
            .iter()
            .map(|name| format!("{:?}", facts.get(name).unwrap()))
            .collect();
    assert_eq!(
        shown,
        ["Text(\"HPT372A\")", "Text(\"2.3\")", "Text(\"370DLE\")", "Text(\"6L020J1\")", "Text(\"2.1\")"]
    );
    for volume in ["volumes.fat32", "volumes.ntfs"] {
        assert_eq!(facts.get(volume), Some(&claims::Fact::Truth(true)), "{volume}");
    }
    let number = |name: &str| match facts.get(name) {
        Some(claims::Fact::Number(value)) => *value,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(number("controller.lba_max"), (1_u64 << 48) as f64);
    assert_eq!((number("mirror.commands_per_write"), number("mix.step_percent")), (2.0, 10.0));
    assert!(number("pci.payload_max_mb_s") < number("pci.peak_mb_s"));
    assert_eq!(facts.get("rejects.five_drives"), Some(&claims::Fact::Truth(true)));
    assert_eq!(facts.get("accepts.raid0_of_four"), Some(&claims::Fact::Truth(true)));
    assert_eq!(facts.get("accepts.slower_drive"), Some(&claims::Fact::Truth(true)));
}

#[test]
fn tables_survive_as_csv() {
    let results = ran(&small(str::to_owned, &[]));
    let again = csv::from_bytes(&csv::to_bytes(&results.summary)).unwrap();
    assert_eq!(again.columns, results.summary.columns);
    assert_eq!(again.rows.len(), results.summary.rows.len());
}

#[test]
fn a_list_of_the_sweep_is_set_where_it_can_be_and_somewhere() {
    let load = |path: &str, text: &str| {
        let sets = vec![(path.to_owned(), text.to_owned())];
        Reproduction::load(
            "rocketraid133",
            &Library::shipped(),
            &LoadOptions { sets, ..LoadOptions::default() },
        )
    };
    let (depths, systems) =
        (load("sweep.queue_depths", "[16]").unwrap(), load("sweep.file_systems", "[FAT32]").unwrap());
    let playbacks = |reproduction: &Reproduction, set: bool| {
        let scenarios = reproduction.scenarios.iter().filter(|scenario| scenario.overrides.is_empty() != set);
        scenarios.map(|scenario| scenario.playback().is_some()).collect::<Vec<_>>()
    };
    for (reproduction, of_playbacks) in [(&depths, false), (&systems, true)] {
        assert!(!playbacks(reproduction, true).is_empty());
        assert!(playbacks(reproduction, true).iter().all(|&playback| playback == of_playbacks));
        assert!(playbacks(reproduction, false).iter().all(|&playback| playback != of_playbacks));
    }
    assert!(load("sweep.queue_depths", "[0]").unwrap_err().to_string().contains("allowed is 1 to 1024"));
}
