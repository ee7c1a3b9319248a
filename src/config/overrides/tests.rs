//! Overrides of a small machine.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    machine: Machine,
    runs: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Machine {
    drives: Vec<Slot>,
    layout: Layout,
    hosts: BTreeMap<String, Host>,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slot {
    id: String,
    model: Model,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Model {
    Named(String),
    Mechanical(Drive),
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drive {
    rpm: u16,
    seek: Seek,
    cache: Option<Cache>,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seek {
    average_ms: f64,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cache {
    size_kib: u32,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Layout {
    Jbod,
    Stripe { size_kib: u32 },
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Host {
    clock_mhz: f64,
}

fn scenario() -> Scenario {
    let drive = |rpm| Model::Mechanical(Drive { rpm, seek: Seek { average_ms: 8.5 }, cache: None });
    Scenario {
        machine: Machine {
            drives: vec![
                Slot { id: "a".into(), model: drive(5400) },
                Slot { id: "b".into(), model: drive(7200) },
                Slot { id: "c".into(), model: Model::Named("maxtor".into()) },
            ],
            layout: Layout::Stripe { size_kib: 64 },
            hosts: BTreeMap::from([("p3".into(), Host { clock_mhz: 866.0 })]),
        },
        runs: 3,
        note: None,
    }
}

fn set(path: &str, text: &str) -> (Scenario, usize) {
    apply(&scenario(), path, text).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(path: &str, text: &str) -> String {
    apply(&scenario(), path, text).unwrap_err().to_string()
}

fn numbers(scenario: &Scenario, path: &str) -> Vec<Value> {
    get(scenario, path).into_iter().map(|(_, value)| value).collect()
}

#[test]
fn a_path_looks_through_machine_model_and_variant() {
    let (changed, places) = set("drives[0].seek.average_ms", "12");
    assert_eq!(places, 1);
    assert_eq!(get(&changed, "machine.drives[0].model.Mechanical.seek.average_ms")[0].1, json!(12.0));
    assert_eq!(set("layout.size_kib", "128").0.machine.layout, Layout::Stripe { size_kib: 128 });
    assert_eq!(
        get(&changed, "drives.a.rpm"),
        [("machine.drives[0].model.Mechanical.rpm".to_owned(), json!(5400))]
    );
}

#[test]
fn indices_ids_and_stars_pick_elements() {
    assert_eq!(numbers(&set("drives.b.rpm", "10000").0, "drives.1.rpm"), [json!(10000)]);
    let (changed, places) = set("drives.*.rpm", "4200");
    assert_eq!(places, 2, "the drive without a rpm is left alone");
    assert_eq!(numbers(&changed, "drives[*].rpm"), [json!(4200), json!(4200)]);
    assert_eq!(numbers(&set("hosts.*.clock_mhz", "1000").0, "hosts.p3.clock_mhz"), [json!(1000.0)]);
}

#[test]
fn absent_options_can_be_set() {
    assert_eq!(set("note", "a new note").0.note.as_deref(), Some("a new note"));
    assert_eq!(
        numbers(&set("drives.*.cache.size_kib", "2048").0, "drives.*.cache.size_kib"),
        [json!(2048), json!(2048)]
    );
    assert_eq!(numbers(&set("drives.a.cache", "(size_kib: 8)").0, "drives.a.cache.size_kib"), [json!(8)]);
}

#[test]
fn whole_values_and_variants_can_be_set() {
    assert_eq!(set("layout", "Jbod").0.machine.layout, Layout::Jbod);
    assert_eq!(set("layout", "Stripe(size_kib: 16)").0.machine.layout, Layout::Stripe { size_kib: 16 });
    let (changed, _) = set("drives.c.model", "Mechanical((rpm: 5400, seek: (average_ms: 9)))");
    assert_eq!(numbers(&changed, "drives.c.rpm"), [json!(5400)]);
    let (changed, _) = set("drives.c.id", "80");
    assert_eq!(changed.machine.drives[2].id, "80");
}

#[test]
fn refusals_name_the_place_and_the_choices() {
    assert_eq!(
        refused("rusn", "1"),
        "the top level has no `rusn`; did you mean `runs`? Allowed: `machine`, `runs`, `drives`, `hosts`, `layout`"
    );
    assert_eq!(
        refused("drives.a.seek.avrage_ms", "1"),
        "`machine.drives[0].model.Mechanical.seek` has no `avrage_ms`; did you mean `average_ms`?"
    );
    assert_eq!(refused("drives.x.rpm", "1"), "`machine.drives` has no `x`; allowed: `a`, `b`, `c`");
    assert_eq!(
        refused("drives.*.colour", "1"),
        "`machine.drives[0]` has no `colour`; allowed: `id`, `model`, `cache`, `rpm`, `seek`"
    );
    assert_eq!(
        refused("hosts.p3.colour", "1"),
        "`machine.hosts.p3` has no `colour`; did you mean `clock_mhz`?"
            .replace("did you mean `clock_mhz`?", "allowed: `clock_mhz`")
    );
    assert_eq!(refused("runs.x", "1"), "`runs` is 3, which has no `x`");
    assert_eq!(refused("runs.*", "1"), "`runs` has no elements for `*` to stand for");
    assert_eq!(refused("drives..rpm", "1"), "`drives..rpm` is not a field path: a name is missing");
    assert_eq!(refused("drives[0", "1"), "`drives[0` is not a field path: a `[` is never closed");
}

#[test]
fn a_refused_override_of_an_empty_list_says_so() {
    let mut empty = scenario();
    empty.machine.drives.clear();
    let error = apply(&empty, "drives.*.rpm", "1").unwrap_err();
    assert_eq!(error, OverrideError::NothingMatched { path: "machine.drives".into() });
    assert!(get(&empty, "drives.*.rpm").is_empty());
}

#[test]
fn a_wrong_value_is_told_in_the_users_words_with_an_example() {
    let cases = [
        ("drives.a.rpm", "fast", "must be a whole number, 0 or more, not `fast`; for example `5400`"),
        (
            "drives.a.rpm",
            "70000",
            "must be a whole number, and none outside 0 to 65535 is possible, not `70000`; for example `5400`",
        ),
        ("drives.a.rpm", "1.5", "must be a whole number, 0 or more, not `1.5`; for example `5400`"),
        ("drives.a.seek.average_ms", "NaN", "must be a number, not `NaN`; for example `8.5`"),
        (
            "drives.a.seek",
            "(average: 3)",
            "has no field `average` in `(average: 3)`; did you mean `average_ms`?",
        ),
        ("drives.a.seek", "()", "lacks the field `average_ms` in `()`; for example `(average_ms: 8.5)`"),
        ("layout", "Jobd", "cannot be `Jobd`; did you mean `Jbod`? Allowed: `Jbod`, `Stripe`"),
        (
            "layout",
            "Stripe",
            "must be a name with its values behind it, `Name(..)`, not `Stripe`; for example `Stripe(size_kib: 64)`",
        ),
        ("layout", "Stripe(size_kib: x)", "must be a whole number, 0 or more, inside `Stripe(size_kib: x)`"),
        (
            "layout",
            "Stripe(size: 3)",
            "lacks the field `size_kib` in `Stripe(size: 3)`; for example `Stripe(size_kib: 64)`",
        ),
        ("layout", "Jbod(1)", "must be a name without values behind it, not `Jbod(1)`; write `Jbod`"),
        ("layout", "Jbod()", "must be a name without values behind it, not `Jbod()`; write `Jbod`"),
        (
            "layout",
            "Stripe(size_kib: [1, 2])",
            "takes a single value, a whole number, 0 or more, not a list as in `Stripe(size_kib: [1, 2])`",
        ),
        ("layout", "Stripe(size_kib: NaN)", "cannot be `NaN`; write a finite number"),
        ("drives.a.seek", "(average_ms: 1, average_ms: 2)", "is given twice; keep one of the two"),
        ("drives", "3", "must be a list, `[.., ..]`, not `3`"),
    ];
    for (path, value, expected) in cases {
        let found = refused(path, value);
        let (_, said) = found.split_at(found.find("` ").map_or(0, |at| at + 2));
        assert!(said.starts_with(expected), "{path}={value}\n found {found}\n  want {expected}");
    }
    let named = refused("layout", "Stripe(size_kib: NaN)");
    assert!(named.starts_with("`machine.layout.size_kib` cannot be"), "{named}");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sourced {
    depths: Vec<u32>,
    zones: Vec<Host>,
    layout: Layout,
    sources: Sources,
}

use super::super::{Provenance, Sources};

fn sourced() -> Sourced {
    let from = |text: &str| Provenance::Datasheet(text.to_owned());
    let paths = ["depths", "zones", "zones[1]", "layout.size_kib"];
    Sourced {
        depths: vec![1, 4],
        zones: vec![Host { clock_mhz: 1.0 }, Host { clock_mhz: 2.0 }],
        layout: Layout::Stripe { size_kib: 64 },
        sources: paths.map(|path| (path.to_owned(), from(path))).into(),
    }
}

#[test]
fn a_field_that_is_set_loses_its_source_and_those_of_what_stood_in_it() {
    let sources = |path: &str, text: &str| {
        let (changed, _) = apply(&sourced(), path, text).unwrap();
        changed.sources.iter().map(|(path, source)| format!("{path} {source}")).collect::<Vec<_>>()
    };
    assert_eq!(
        sources("layout", "Jbod"),
        [
            "depths datasheet: depths",
            "layout assumed: set to Jbod by an override",
            "zones datasheet: zones",
            "zones[1] datasheet: zones[1]"
        ]
    );
    assert_eq!(sources("layout.size_kib", "32")[1], "layout.size_kib assumed: set to 32 by an override");
    assert_eq!(sources("zones[1].clock_mhz", "3")[3], "zones[1] assumed: set to 3 by an override");
    assert_eq!(sources("depths[0]", "9")[0], "depths assumed: set to 9 by an override");
}

#[test]
fn one_value_for_a_list_is_offered_as_a_list() {
    let error = apply(&sourced(), "depths", "4").unwrap_err().to_string();
    assert_eq!(error, "`depths` must be a list, `[.., ..]`, not `4`; for example `[4]`");
}

#[test]
fn a_field_that_is_left_out_at_its_default_can_be_set_to_it() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Lead {
        blocks: u32,
        #[serde(skip_serializing_if = "is_none")]
        late_ms: f64,
    }
    impl Default for Lead {
        fn default() -> Self {
            Lead { blocks: 3, late_ms: 0.0 }
        }
    }
    fn is_none(ms: &f64) -> bool {
        *ms == 0.0
    }
    let lead = Lead::default();
    assert_eq!(apply(&lead, "late_ms", "0").unwrap(), (lead.clone(), 1));
    assert_eq!(apply(&lead, "late_ms", "1.5").unwrap().0.late_ms, 1.5);
    assert!(apply(&lead, "later_ms", "0").is_err(), "a field that is not there at all");
}
