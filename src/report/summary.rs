//! The headline, and what the review found out.

use super::Page;
use super::claims::{by_part, link};
use super::drawing::anchor;
use super::html::Html;
use crate::experiment::FindingSpec;
use crate::experiment::claims::{Report, Verdict};

/// Counts in large letters, findings, counts by part; `shown` names the figures that the page has.
pub(super) fn write(page: &Page, shown: &[&str], html: &mut Html) {
    let report = page.claims;
    let counts = report.counts();
    html.nest("section", &[("id", "summary")], |html| {
        html.element("h2", &[], "Summary");
        html.nest("ul", &[("class", "headline")], |html| {
            for (class, count, what) in [
                ("held", counts.held, format!("of {} claims held", counts.total())),
                ("missed", counts.missed, "missed".to_owned()),
                ("unchecked", counts.not_checkable, "not checkable yet".to_owned()),
            ] {
                html.nest("li", &[("class", class)], |html| {
                    html.element("b", &[], &count.to_string());
                    html.text(&format!(" {what}"));
                });
            }
        });
        html.element("p", &[], &evidence(report));
        if !page.results.spec.findings.is_empty() {
            html.element("h3", &[], "What the review found, and what explains it");
            for finding in &page.results.spec.findings {
                write_finding(finding, page, shown, html);
            }
        }
        html.element("h3", &[], "Claims by part");
        by_part(report, html);
    });
}

/// What the counts prove, and what they do not.
fn evidence(report: &Report) -> String {
    let (unfitted, fitted) = (report.unfitted_counts(), report.fitted_parameters().len());
    let failed: Vec<&str> = report
        .outcomes
        .iter()
        .filter(|outcome| outcome.failed())
        .map(|outcome| outcome.id.as_str())
        .collect();
    let mut text = format!(
        "The evidence is the {} claims that are no rules of the set-up and that nothing was fitted to: {unfitted}. \
         {fitted} parameters were fitted to the others. Of all claims {} are within noise, so that other seeds may turn \
         them: {}.",
        unfitted.total(),
        report.noise_counts().total(),
        report.noise_counts()
    );
    if !failed.is_empty() {
        text += &format!(" Missed although expected to hold: {}.", failed.join(", "));
    }
    text
}

fn write_finding(finding: &FindingSpec, page: &Page, shown: &[&str], html: &mut Html) {
    let outcomes = || {
        let of = |id: &String| page.claims.outcomes.iter().find(|outcome| outcome.id == *id);
        finding.claims.iter().filter_map(of)
    };
    let held = outcomes().filter(|outcome| outcome.verdict == Verdict::Held).count();
    html.nest("article", &[("class", "finding")], |html| {
        html.element("h4", &[], &finding.title);
        html.nest("p", &[], |html| {
            html.element("b", &[], "Mechanism in the models: ");
            html.text(&finding.mechanism);
        });
        html.nest("p", &[], |html| {
            html.text(&format!("{held} of its {} claims held here: ", finding.claims.len()));
            for outcome in outcomes() {
                link(outcome, html);
            }
        });
        let drawn = |stem: &&String| shown.contains(&stem.as_str());
        if let Some(first) = finding.figures.iter().find(drawn) {
            html.nest("p", &[], |html| {
                html.text("Figure: ");
                html.element("a", &[("href", &format!("#{}", anchor(first)))], first);
                for other in finding.figures.iter().filter(drawn).skip(1) {
                    html.text(", ");
                    html.element("a", &[("href", &format!("#{}", anchor(other)))], other);
                }
            });
        }
    });
}
