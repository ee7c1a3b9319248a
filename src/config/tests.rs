//! Whole files with faults, as their authors see them.

use std::collections::BTreeMap;

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

#[test]
fn probe_print() {
    let base =
        |extra: &str| format!("(name: \"a\", rpm: 5400, seek: (average_ms: 9, full_stroke_ms: 20), {extra})");
    for text in [
        base("layout: Strip(size_kib: 4)"),
        base("layout: 5"),
        base("layout: \"Jbod\""),
        base("layout: Jbod(4)"),
        base("layout: Stripe"),
        base("layout: Stripe()"),
        base("layout: Stripe(5)"),
        base("layout: Stripe(\"x\", 4)"),
        base("layout: Weighted(share: 300)"),
        base("layout: Weighted(shar: 3)"),
        base("trim: 200"),
        base("trim: 1.5"),
        base("trim: \"x\""),
        base("trim: 7ms"),
        base("ready: True"),
        base("ready: 1"),
        base("cache: 5"),
        base("cache: (size_kib: -1)"),
        base("cache: Some((size_kib: 1))"),
        base("cache: (5)"),
        base("cache: [5]"),
        base("cache: {\"size_kib\": 5}"),
        base("zones: 5"),
        base("zones: (cylinders: 4, spt: 5)"),
        base("zones: [(cylinders: 4, spt: 5), 7, (cylinders: \"x\", spt: 5), (spt: 9), ()]"),
        base("sources: {\"a\": Guess(\"x\"), 5: Assumed(\"x\"), \"b\": Assumed(5)}"),
        base("name: \"b\""),
        base("seek2: 5, zone: [], trim: 900, cache: (size_kib: \"x\", sise: 4)"),
        "()".into(),
        "".into(),
        "// nothing\n".into(),
        "5".into(),
        "[1]".into(),
        "Foo()".into(),
        "(name: a, rpm: 99999, seek: (average_ms: \"x\", points: [(1, 2, 3), (1), (\"x\", 4)]))".into(),
        "(name: \"a\", rpm: 1, seek: (avrage_ms: 4))".into(),
        "(name: \"a\" rpm: 1)".into(),
        "(nam: \"a\", rpm: 1".into(),
        "(name: \"a\\q\")".into(),
        format!("(name: {})", "[".repeat(100000)),
        base("trim: 5) x ("),
        base("trim: 0x1g"),
        base("zones: [(cylinders: 4, spt: 5) (cylinders: 4, spt: 5)]"),
        base("name = 5"),
        base("é: 5, trim: 700"),
        base("sources: (a: 5)"),
        base("zones: [(cylinders: 99999999999999999999999999999999999999999999, spt: 5)]"),
        base("trim: \"x"),
        base("'x: 4"),
        "#![enable(foo)] ()".into(),
        base("layout: Weighted(4)"),
        base("layout: Stripe(size_kib: 1.5)"),
        base("layout: stripe(size_kib: 1)"),
    ] {
        println!("{:.100}", text);
        for f in faults(&text) {
            println!("      {f}")
        }
    }
    let _ = BTreeMap::<u8, u8>::new();
}
