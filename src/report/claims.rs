//! The claims with their verdicts: counts by part, and the table of all.

use super::html::Html;
use crate::experiment::claims::{ClaimOutcome, Counts, Report, Verdict};

/// The word that style sheet and script know a verdict by.
pub(super) fn state(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Held => "held",
        Verdict::Missed => "missed",
        Verdict::NotCheckable => "unchecked",
    }
}

/// A verdict as a coloured word with a sign, for those who see no colours.
fn badge(verdict: Verdict, html: &mut Html) {
    let sign = match verdict {
        Verdict::Held => "✓",
        Verdict::Missed => "✗",
        Verdict::NotCheckable => "–",
    };
    let class = format!("badge {}", state(verdict));
    html.nest("span", &[("class", &class)], |html| html.text(&format!("{sign} {}", verdict.name())));
}

/// A link to a claim with its verdict.
pub(super) fn link(outcome: &ClaimOutcome, html: &mut Html) {
    let target = format!("#{}", outcome.id);
    html.nest("span", &[("class", "verdict")], |html| {
        html.element("a", &[("href", &target), ("title", &outcome.text)], &outcome.id);
        html.text(" ");
        badge(outcome.verdict, html);
    });
    html.text(" ");
}

/// The parts of the review in the order of the ledger.
fn parts(report: &Report) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for outcome in &report.outcomes {
        if !parts.contains(&outcome.part.as_str()) {
            parts.push(&outcome.part);
        }
    }
    parts
}

/// How many claims of each part came out how, as a bar and in figures.
pub(super) fn by_part(report: &Report, html: &mut Html) {
    let row = |name: &str, counts: Counts, html: &mut Html| {
        html.nest("tr", &[], |html| {
            html.element("th", &[("scope", "row")], name);
            html.nest("td", &[("class", "bar")], |html| bar(counts, html));
            for count in [counts.held, counts.missed, counts.not_checkable] {
                html.element("td", &[("class", "number")], &count.to_string());
            }
        });
    };
    html.nest("div", &[("class", "scroll"), ("tabindex", "0")], |html| {
        html.nest("table", &[("class", "parts")], |html| {
            html.nest("thead", &[], |html| {
                html.nest("tr", &[], |html| {
                    html.element("th", &[("scope", "col")], "part of the review");
                    html.element("th", &[("scope", "col"), ("class", "bar")], "share");
                    for name in ["held", "missed", "not checkable yet"] {
                        html.element("th", &[("scope", "col"), ("class", "number")], name);
                    }
                });
            });
            html.nest("tbody", &[], |html| {
                for part in parts(report) {
                    row(part, report.counts_of(|outcome| outcome.part == part), html);
                }
                row("of all: with a number", report.number_counts(), html);
                row("of all: physically odd", report.odd_counts(), html);
                row("of all: weak, never tuned for", report.weak_counts(), html);
                row("of all: nothing fitted to them, rules aside", report.unfitted_counts(), html);
                row("all", report.counts(), html);
            });
        });
    });
}

/// The counts as one bar of three colours; the figures beside it say the same.
fn bar(counts: Counts, html: &mut Html) {
    let total = counts.total().max(1) as f64;
    html.nest("div", &[("class", "stack"), ("aria-hidden", "true")], |html| {
        for (verdict, count) in [
            (Verdict::Held, counts.held),
            (Verdict::Missed, counts.missed),
            (Verdict::NotCheckable, counts.not_checkable),
        ] {
            let width = format!("width:{:.1}%", 100.0 * count as f64 / total);
            html.element("i", &[("class", state(verdict)), ("style", &width)], "");
        }
    });
}

/// Controls that the script brings to life, and the table of all claims.
pub(super) fn table(report: &Report, html: &mut Html) {
    filters(report, html);
    html.nest("div", &[("class", "scroll"), ("tabindex", "0")], |html| {
        html.nest("table", &[("id", "claims-table"), ("class", "claims sortable")], |html| {
            html.nest("thead", &[], |html| {
                html.nest("tr", &[], |html| {
                    for (name, sorts) in [
                        ("Claim", true),
                        ("Verdict", true),
                        ("Part", true),
                        ("Kind", true),
                        ("What the review says", false),
                        ("Measured", false),
                        ("Check and mechanism", false),
                        ("Fitted to it", true),
                    ] {
                        let attributes = [("scope", "col"), ("data-sort", "")];
                        html.element("th", &attributes[..1 + usize::from(sorts)], name);
                    }
                });
            });
            html.nest("tbody", &[], |html| {
                for outcome in &report.outcomes {
                    row(outcome, html);
                }
            });
        });
    });
}

fn row(outcome: &ClaimOutcome, html: &mut Html) {
    let yes = |flag: bool| if flag { "yes" } else { "no" };
    let attributes = [
        ("id", outcome.id.as_str()),
        ("data-state", state(outcome.verdict)),
        ("data-part", &outcome.part),
        ("data-odd", yes(outcome.odd)),
        ("data-weak", yes(outcome.weak)),
        ("data-fitted", yes(!outcome.fitted_to.is_empty())),
    ];
    html.nest("tr", &attributes, |html| {
        html.element("th", &[("scope", "row")], &outcome.id);
        let rank = match outcome.verdict {
            Verdict::Missed => "1",
            Verdict::NotCheckable => "2",
            Verdict::Held => "3",
        };
        html.nest("td", &[("data-key", rank), ("data-label", "Verdict")], |html| {
            badge(outcome.verdict, html);
            marks(outcome, html);
        });
        html.element("td", &[("data-label", "Part")], &outcome.part);
        html.element("td", &[("data-label", "Kind")], outcome.kind.name());
        html.element("td", &[("data-label", "The review says")], &outcome.text);
        html.element("td", &[("data-label", "Measured"), ("class", "measured")], &outcome.evidence());
        html.nest("td", &[("data-label", "Check and mechanism"), ("class", "why")], |html| {
            let check = outcome.check.split_whitespace().collect::<Vec<_>>().join(" ");
            html.element("code", &[], &check);
            html.element("p", &[], &outcome.mechanism);
        });
        let count = outcome.fitted_to.len().to_string();
        let fitted =
            if outcome.fitted_to.is_empty() { "nothing".to_owned() } else { outcome.fitted_to.join(", ") };
        html.element(
            "td",
            &[("data-key", &count), ("data-label", "Fitted to it"), ("class", "measured")],
            &fitted,
        );
    });
}

/// What qualifies a verdict.
fn marks(outcome: &ClaimOutcome, html: &mut Html) {
    for (set, word, meaning) in [
        (outcome.failed(), "expected to hold", "a miss of this claim is a failure"),
        (
            outcome.within_noise,
            "within noise",
            "a difference smaller than its 95 % interval could have decided it",
        ),
        (outcome.odd, "odd", "it contradicts what simple physics suggests"),
        (outcome.weak, "weak", "it may be noise or rests on unknown traces: nothing is tuned for it"),
    ] {
        if set {
            html.text(" ");
            html.element("abbr", &[("class", "mark"), ("title", meaning)], word);
        }
    }
}

fn filters(report: &Report, html: &mut Html) {
    let counts = report.counts();
    html.nest("form", &[("id", "filters"), ("hidden", ""), ("aria-label", "Filter the claims")], |html| {
        html.nest("fieldset", &[], |html| {
            html.element("legend", &[], "Verdict");
            for (verdict, count) in [
                (Verdict::Held, counts.held),
                (Verdict::Missed, counts.missed),
                (Verdict::NotCheckable, counts.not_checkable),
            ] {
                html.nest("label", &[], |html| {
                    let attributes =
                        [("type", "checkbox"), ("name", "state"), ("value", state(verdict)), ("checked", "")];
                    html.void("input", &attributes);
                    html.text(&format!(" {} ({count})", verdict.name()));
                });
            }
        });
        choice("Part", "part", parts(report).iter().map(|part| (*part, *part)), html);
        choice("Odd", "odd", [("yes", "only odd"), ("no", "not odd")], html);
        choice("Weak", "weak", [("yes", "only weak"), ("no", "not weak")], html);
        choice("Fitted", "fitted", [("yes", "fitted to"), ("no", "nothing fitted")], html);
        html.nest("label", &[], |html| {
            html.text("Text ");
            html.void("input", &[("type", "search"), ("name", "text"), ("placeholder", "any words")]);
        });
        html.element("button", &[("type", "reset")], "Show all");
        html.element("output", &[("id", "shown"), ("role", "status")], "");
    });
}

fn choice<'a>(
    label: &str,
    name: &'static str,
    options: impl IntoIterator<Item = (&'a str, &'a str)>,
    html: &mut Html,
) {
    html.nest("label", &[], |html| {
        html.text(&format!("{label} "));
        html.nest("select", &[("name", name)], |html| {
            html.element("option", &[("value", "")], "all");
            for (value, text) in options {
                html.element("option", &[("value", value)], text);
            }
        });
    });
}
