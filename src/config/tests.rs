//! Whole files with faults, as their authors see them.

use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drive {
    pub name: String,
    pub rpm: u16,
    pub seek: Seek,
    #[serde(default)]
    pub layout: Layout,
    #[serde(default)]
    pub zones: Vec<Zone>,
    #[serde(default)]
    pub cache: Option<Cache>,
    #[serde(default)]
    pub trim: i8,
    #[serde(default)]
    pub ready: bool,
    #[serde(default)]
    pub sources: Sources,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seek {
    pub average_ms: f64,
    pub full_stroke_ms: f64,
    #[serde(default)]
    pub points: Vec<(u32, f64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Zone {
    pub cylinders: u32,
    pub spt: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cache {
    pub size_kib: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Layout {
    #[default]
    Jbod,
    Stripe(Stripe),
    Weighted {
        share: u8,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stripe {
    pub size_kib: u32,
}

impl Validate for Drive {
    fn validate(&self, issues: &mut Issues) {
        issues.scoped("seek", |issues| {
            issues.range_f64("average_ms", self.seek.average_ms, 0.05..=60.0, "ms");
            issues.range_f64("full_stroke_ms", self.seek.full_stroke_ms, 0.05..=120.0, "ms");
        });
        for (index, zone) in self.zones.iter().enumerate() {
            issues.scoped(&format!("zones[{index}]"), |issues| {
                issues.range_u64("spt", zone.spt.into(), 1..=5000, "sectors");
            });
        }
        if let Layout::Stripe(stripe) = &self.layout {
            issues.scoped("layout", |issues| {
                issues.range_u64("size_kib", stripe.size_kib.into(), 1..=4096, "KiB");
            });
        }
        if self.zones.is_empty() {
            issues.report(
                "zones",
                "a drive needs at least one zone",
                "add `zones: [(cylinders: .., spt: ..)]`",
            );
        }
    }
}

fn faults(text: &str) -> Vec<String> {
    let errors = parse::<Drive>(&Source::new("d.ron", text)).unwrap_err();
    errors.iter().map(summary).collect()
}

fn summary(fault: &Diagnostic) -> String {
    let place =
        fault.place.as_ref().map_or(String::new(), |place| format!("{}:{}", place.line, place.column));
    let remedy = fault.remedy.as_ref().map_or(String::new(), |remedy| format!(" | {remedy}"));
    format!("{place} {}{remedy}", fault.message)
}

/// The faults of an otherwise good drive with one more line.
fn faults_with(extra: &str) -> Vec<String> {
    faults(&format!("(name: \"a\", rpm: 5400, seek: (average_ms: 9, full_stroke_ms: 20),\n{extra})"))
}

#[test]
fn good_text_reads_without_some_and_double_parentheses() {
    let text = "(name: \"a\", rpm: 5400, seek: (average_ms: 9, full_stroke_ms: 20), cache: (size_kib: 2048),
        layout: Stripe(size_kib: 64), zones: [(cylinders: 10, spt: 5)])";
    let drive: Drive = load(&Source::new("d.ron", text)).unwrap();
    assert_eq!(drive.layout, Layout::Stripe(Stripe { size_kib: 64 }));
    assert_eq!(drive.cache, Some(Cache { size_kib: 2048 }));
    let with_mark = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(parse::<Drive>(&Source::new("d.ron", with_mark)).unwrap(), drive);
}

#[test]
fn unknown_names_come_with_a_suggestion_and_the_allowed_names() {
    assert_eq!(
        faults_with("cache: (size_kb: 5)"),
        ["2:9 unknown field `size_kb` | did you mean `size_kib`?"]
    );
    assert_eq!(faults_with("cache: (size_kib: 5, x: 1)"), ["2:22 unknown field `x` | allowed: `size_kib`"]);
    assert_eq!(
        faults_with("layout: Strip(size_kib: 4)"),
        ["2:9 `layout` cannot be `Strip` | did you mean `Stripe`? Allowed: `Jbod`, `Stripe`, `Weighted`"]
    );
    assert_eq!(
        faults_with("layout: \"Jbod\""),
        ["2:9 `layout` must be a name, not the text \"Jbod\" | names stand without quotes: Jbod"]
    );
    assert_eq!(
        faults_with("layout: 5"),
        ["2:9 `layout` must be a name, not `5` | allowed: `Jbod`, `Stripe`, `Weighted`"]
    );
}

#[test]
fn every_missing_field_is_named_at_the_start_of_its_record() {
    assert_eq!(
        faults("()"),
        [
            "1:1 the field `name` is missing | add `name: ..` to this record",
            "1:1 the field `rpm` is missing | add `rpm: ..` to this record",
            "1:1 the field `seek` is missing | add `seek: ..` to this record"
        ]
    );
    assert_eq!(
        faults_with("layout: Stripe()"),
        ["2:9 the field `size_kib` is missing in `layout` | add `size_kib: ..` to this record"]
    );
}

#[test]
fn a_misspelt_field_is_not_also_reported_as_missing() {
    assert_eq!(
        faults("(name: \"a\", rpm: 1, seek: (avrage_ms: 4))"),
        [
            "1:27 the field `full_stroke_ms` is missing in `seek` | add `full_stroke_ms: ..` to this record",
            "1:28 unknown field `avrage_ms` | did you mean `average_ms`? Allowed: `average_ms`, `full_stroke_ms`, \
             `points`"
        ]
    );
}

#[test]
fn integers_out_of_range_show_the_range_of_their_type() {
    assert_eq!(
        faults_with("trim: 200"),
        ["2:7 `trim` is 200, out of range; no value outside -128 to 127 is possible"]
    );
    assert_eq!(
        faults_with("cache: (size_kib: -1)"),
        ["2:19 `cache.size_kib` is -1, out of range; no value outside 0 to 4294967295 is possible"]
    );
    assert_eq!(
        faults_with("layout: Weighted(share: 256)"),
        ["2:25 `layout.share` is 256, out of range; no value outside 0 to 255 is possible"]
    );
}

#[test]
fn wrong_types_say_what_is_wanted_and_what_stands_there() {
    let cases = [
        ("trim: 1.5", "2:7 `trim` must be a whole number, not `1.5`"),
        (
            "trim: \"x\"",
            "2:7 `trim` must be a whole number, not the text \"x\" | numbers stand without quotes",
        ),
        (
            "trim: 7ms",
            "2:7 `trim` must be a number, not `7ms` | write the bare number; its unit is the last word of the \
             field's name",
        ),
        ("ready: True", "2:8 `ready` must be `true` or `false`, not `True` | write `true`"),
        ("cache: [5]", "2:8 `cache` must be a record `(..)`, not a list `[..]`"),
        ("cache: (5)", "2:8 `cache` must be a record `(name: value, ..)`, not a tuple `(..)`"),
        (
            "cache: Some((size_kib: 1))",
            "2:8 `cache` must be a record `(name: value, ..)`, not `Some(..)` | leave `Some(..)` out",
        ),
        ("zones: (spt: 5)", "2:8 `zones` must be a list `[..]`, not a record `(..)`"),
        ("layout: Jbod(4)", "2:9 `layout` must be a name without values behind it, not `Jbod(..)`"),
        (
            "layout: Stripe",
            "2:9 `layout` must be a record `(..)`, not `Stripe` | write `Stripe(..)` with its values",
        ),
        ("sources: {5: Assumed(\"x\")}", "2:11 a key of `sources` must be a text, not `5`"),
    ];
    for (text, expected) in cases {
        assert_eq!(faults_with(text), [expected], "{text}");
    }
}

#[test]
fn all_faults_of_a_file_come_at_once_without_follow_on_nonsense() {
    let text = "(name: a, rpm: 99999, seek: (average_ms: \"x\", points: [(1, 2, 3), (1), (\"x\", 4)]),
zones: [(cylinders: 4, spt: 5), 7, (cylinders: \"x\", spt: 5), (spt: 9)],
rpm: 5, trim: 7)";
    assert_eq!(
        faults(text),
        [
            "1:8 `name` must be a text, not `a` | put it in double quotes: \"a\"",
            "1:16 `rpm` is 99999, out of range; no value outside 0 to 65535 is possible",
            "1:29 the field `full_stroke_ms` is missing in `seek` | add `full_stroke_ms: ..` to this record",
            "1:42 `seek.average_ms` must be a number, not the text \"x\" | numbers stand without quotes",
            "1:56 `seek.points[0]` has too many values",
            "1:67 `seek.points[1]` must be a tuple of size 2, but has 1",
            "1:73 `seek.points[2][0]` must be a whole number, not the text \"x\" | numbers stand without quotes",
            "2:33 `zones[1]` must be a record `(..)`, not `7`",
            "2:48 `zones[2].cylinders` must be a whole number, not the text \"x\" | numbers stand without quotes",
            "2:62 the field `cylinders` is missing in `zones[3]` | add `cylinders: ..` to this record",
        ]
    );
}

#[test]
fn faults_of_structure_are_shown_with_what_came_before_them() {
    assert_eq!(
        faults_with("name: \"b\", trim = 5"),
        [
            "2:1 the field `name` stands here a second time | keep one of the two",
            "2:17 a colon is missing here | write `name: value`"
        ]
    );
    assert_eq!(
        faults("(name: \"a\", rpm: 70000"),
        [
            "1:1 this `(` is never closed | close it with `)`",
            "1:18 `rpm` is 70000, out of range; no value outside 0 to 65535 is possible"
        ]
    );
    assert_eq!(faults("// nothing\n"), ["1:1 the file holds no value | write a record: `(name: value, ..)`"]);
    assert_eq!(
        faults("Foo()"),
        ["1:1 the file's value is a `Drive`, not a `Foo` | write `Drive(..)` or leave the name out"]
    );
    assert_eq!(faults("#![enable(foo)] ()"), ["1:11 no RON extension named `foo`"]);
    assert!(faults(&"[".repeat(100_000)).len() < 5);
    assert!(faults(&format!("(name: {})", "(".repeat(100_000))).len() < 5);
}

#[test]
fn faults_of_meaning_point_at_their_values() {
    let text = "(\n  name: \"a\",\n  rpm: 5400,\n  seek: (average_ms: 120, full_stroke_ms: inf),
  zones: [(cylinders: 1, spt: 9), (cylinders: 1, spt: 0)],\n  layout: Stripe(size_kib: 0),\n)";
    let errors = load::<Drive>(&Source::new("models/a.ron", text)).unwrap_err();
    let all: Vec<_> = errors.iter().map(summary).collect();
    assert_eq!(
        all,
        [
            "4:22 `seek.average_ms` is 120 ms; allowed is 0.05 to 60 ms",
            "4:43 `seek.full_stroke_ms` is inf ms; allowed is 0.05 to 120 ms",
            "5:55 `zones[1].spt` is 0 sectors; allowed is 1 to 5000 sectors",
            "6:28 `layout.size_kib` is 0 KiB; allowed is 1 to 4096 KiB",
        ]
    );
    let first = errors.to_string().lines().take(4).collect::<Vec<_>>().join("\n");
    assert_eq!(
        first,
        "models/a.ron:4:22: error: `seek.average_ms` is 120 ms; allowed is 0.05 to 60 ms
  |
4 |   seek: (average_ms: 120, full_stroke_ms: inf),
  |                      ^^^"
    );
}

#[test]
fn a_fault_of_a_defaulted_field_points_at_the_record_around() {
    let text = "Drive(name: \"a\", rpm: 5400, seek: (average_ms: 9, full_stroke_ms: 20))";
    let errors = load::<Drive>(&Source::new("a.ron", text)).unwrap_err();
    assert_eq!(
        errors.iter().map(summary).collect::<Vec<_>>(),
        ["1:1 a drive needs at least one zone | add `zones: [(cylinders: .., spt: ..)]`"]
    );
}

proptest! {
    /// Whatever stands in a file, every message has a place inside it and reading does not panic.
    #[test]
    fn broken_files_give_diagnostics_inside_the_text(cut in 0_usize..200, paste in r#"[\[\](){}"'a1,:=/*. é-]{0,6}"#) {
        let mut text = "(name: \"a\", rpm: 5400, seek: (average_ms: 9.5, full_stroke_ms: 20, points: [(1, 0.5)]), \
            zones: [(cylinders: 10, spt: 5)], layout: Stripe(size_kib: 4), sources: {\"rpm\": Assumed(\"x\")})"
            .to_owned();
        let cut = cut.min(text.len());
        text.replace_range(cut..(cut + 1).min(text.len()), &paste);
        if let Err(errors) = load::<Drive>(&Source::new("a.ron", text.clone())) {
            prop_assert!(!errors.is_empty());
            for error in &errors {
                let span = error.place.as_ref().map_or(0..0, |place| place.span.clone());
                prop_assert!(span.end <= text.len(), "{error}");
            }
            let _ = errors.to_string();
        }
    }
}

#[test]
fn a_fault_of_type_hides_no_figure_out_of_range_elsewhere() {
    let text = "(name: \"x\", rpm: \"fast\", seek: (average_ms: 99.0, full_stroke_ms: 17), zones: [(cylinders: 9, spt: 9000)])";
    let faults = load::<Drive>(&Source::new("d.ron", text)).unwrap_err();
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`rpm` must be a whole number, not the text \"fast\"",
            "`seek.average_ms` is 99 ms; allowed is 0.05 to 60 ms",
            "`zones[0].spt` is 9000 sectors; allowed is 1 to 5000 sectors"
        ]
    );
}

#[test]
fn what_only_a_stand_in_could_have_brought_about_is_not_told() {
    // Neither the seek that is not known nor the missing zones may be judged.
    let text = "(name: \"x\", rpm: 7200, seek: (average_ms: x, full_stroke_ms: 17), zones: [(cylinders: 9, spt: y)])";
    let faults = load::<Drive>(&Source::new("d.ron", text)).unwrap_err();
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(
        messages,
        ["`seek.average_ms` must be a number, not `x`", "`zones[0].spt` must be a whole number, not `y`"]
    );
}

#[test]
fn keys_that_stand_in_a_map_twice_are_told() {
    assert_eq!(
        faults_with("sources: {\"rpm\": Assumed(\"a\"), \"seek\": Assumed(\"b\"), \"rpm\": Assumed(\"c\")}"),
        ["2:54 the key \"rpm\" stands here a second time | keep one of the two"]
    );
}

#[test]
fn parentheses_that_stand_twice_are_told_as_such() {
    assert_eq!(
        faults_with("layout: Stripe((size_kib: 64))"),
        ["2:9 `layout` stands in parentheses twice | write `Stripe(size_kib: 64)`"]
    );
}
