//! Where claims find what a fit runs.

use super::*;
use crate::config::Source;
use crate::experiment::run;
use crate::scenario::{LoadOptions, load_text};

const MIX: &str = r#"(
    name: "mix", experiment: Mix, variant: "other",
    host: "instant", driver: "ideal", bus: "pci-32-33", controller: "hpt372a",
    drives: [(id: "a", channel: 0, model: "maxtor-6l020j1")],
    arrays: [(id: "1d", raid: (level: Single), members: ["a"])],
    workload: (access: Pattern("mix-8k")),
    sweep: (queue_depths: [1, 16], write_percents: [0, 50]),
    run: (ramp_s: 0.0, measure_s: 0.2, replications: 1),
)"#;

#[test]
fn a_point_is_looked_for_where_its_runs_are_found() {
    let source = Source::new("mix.ron", MIX);
    let scenario = load_text(&source, &Library::shipped(), &LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let runs = run(&scenario, Some(1), &()).unwrap().runs;
    let found = measured([(&scenario, &runs)]).unwrap();
    let mut places: Vec<_> = points(&scenario).iter().filter_map(|point| place(&scenario, point)).collect();
    places.sort();
    assert_eq!(places.len(), 4);
    assert!(places.iter().eq(found.all_places()), "{places:?}");
    assert_eq!(places[0].1[0], Argument::Name("1d@other".to_owned()));
}

#[test]
fn only_points_that_decide_a_claim_are_run() {
    let source = Source::new("mix.ron", MIX);
    let scenario = load_text(&source, &Library::shipped(), &LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let scenarios = [scenario];
    let places = Places::of(&scenarios);
    let arguments = vec![Argument::Name("1d@other".to_owned()), Argument::Whole(16), Argument::Whole(50)];
    let needed = places.needed(&[(Metric::Mix, arguments)]);
    assert_eq!(needed[0].len(), 1);
    assert_eq!((needed[0][0].queue_depth, needed[0][0].write_percent), (16, Some(50)));
}
