//! The whole page: nothing from outside becomes markup, names are unique, links lead somewhere.

use super::*;
use crate::experiment::Reproduction;
use crate::plot::{Axis, Figure, Kind, Point, Series, theme};
use crate::results::Cell;
use crate::scenario::{Library, LoadOptions};

const NASTY: &str = "</title><script>alert(1)</script>&\"'";

fn reproduction() -> Reproduction {
    let sets = [
        ("run.ramp_s", "0.1"),
        ("run.measure_s", "0.2"),
        ("sweep.arrays", "[\"1d\", \"R0x2\"]"),
        ("host.issue_us", "20"),
    ];
    let sets = sets.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    let options = LoadOptions { sets, runs: Some(1), ..LoadOptions::default() };
    let mut reproduction = Reproduction::load("rocketraid133", &Library::shipped(), &options)
        .unwrap_or_else(|error| panic!("{error}"));
    let keep = ["mix", "sequential-read", "sequential-read-ideal-driver"];
    reproduction.scenarios.retain(|scenario| keep.contains(&scenario.name.as_str()));
    for scenario in &mut reproduction.scenarios {
        scenario.sweep.queue_depths.truncate(2);
        scenario.sweep.write_percents.truncate(2);
        scenario.sweep.block_bytes.truncate(2);
    }
    reproduction
}

fn figure() -> Figure {
    let style = theme::styles(&["a"])[0];
    Figure {
        title: NASTY.to_owned(),
        subtitle: NASTY.to_owned(),
        caption: NASTY.to_owned(),
        kind: Kind::Curves,
        x: Axis::categories("x", NASTY, [NASTY, "two"]),
        y: Axis::linear("y", NASTY, true),
        right: None,
        series: vec![Series::line(NASTY, style, vec![Point::new(0.0, 1.0), Point::new(1.0, 2.0)])],
        ceilings: Vec::new(),
    }
}

/// A page whose every text is hostile, and one that is as it comes.
fn pages() -> (String, String) {
    let results = reproduction().run(Some(2), &()).unwrap();
    let claims = results.report().unwrap();
    let page = Page {
        results: &results,
        claims: &claims,
        command: "ataraid reproduce x",
        notes: &[],
        extra: &[],
        figures: true,
    };
    let plain = page.html().unwrap();
    assert_eq!(plain, page.html().unwrap(), "equal results give equal bytes");
    let (mut results, mut claims) = (results.clone(), claims.clone());
    let nasty = || NASTY.to_owned();
    results.spec.title = nasty();
    results.spec.findings[0].title = nasty();
    results.spec.findings[0].mechanism = nasty();
    results.spec.tables[0].title = nasty();
    for part in &mut results.results {
        part.scenario.title = nasty();
        part.scenario.bus.name = nasty();
        part.scenario.overrides.push((nasty(), nasty()));
        part.scenario.bus.sources.insert("width_bits".to_owned(), crate::config::Provenance::Fitted(nasty()));
    }
    for outcome in &mut claims.outcomes {
        (outcome.text, outcome.part, outcome.check) = (nasty(), nasty(), nasty());
        (outcome.measured, outcome.mechanism) = (nasty(), nasty());
        outcome.fitted_to = vec![nasty()];
    }
    let mut table = Table::new(&[NASTY]);
    table.push(vec![Cell::Text(nasty())]);
    let extra = [Section {
        title: nasty(),
        paragraphs: vec![nasty()],
        figures: vec![("extra".to_owned(), figure())],
        tables: vec![(nasty(), table)],
    }];
    let notes = [nasty()];
    let (results, claims, notes, extra) = (&results, &claims, &notes, &extra);
    let page = Page { results, claims, command: NASTY, notes, extra, figures: true };
    (plain, page.html().unwrap())
}

/// The values of an attribute.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let mark = format!(" {name}=\"");
    page.split(mark.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn a_page_is_whole_safe_and_alone() {
    let (plain, nasty) = pages();
    for page in [&plain, &nasty] {
        assert_eq!(page.matches("<script").count(), 1, "only the program's own script");
        assert_eq!(page.matches("</script>").count(), 1);
        let mut ids = attributes(page, "id");
        ids.sort_unstable();
        let all = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), all, "a name is used once");
        for target in attributes(page, "href").iter().filter_map(|target| target.strip_prefix('#')) {
            assert!(ids.contains(&target), "a link to nowhere: {target}");
        }
        let outside =
            attributes(page, "src").len() + page.matches("url(").count() + page.matches("@import").count();
        assert_eq!(outside, 0, "nothing is loaded");
        for tag in ["section", "table", "tr", "td", "figure", "svg", "details", "div", "a"] {
            let opened =
                page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
    assert!(nasty.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;"));
}

#[test]
fn a_page_says_what_was_run_and_fitted_and_set() {
    let (page, _) = pages();
    let row = page.split("<tr id=\"C49\"").nth(1).and_then(|rest| rest.split("</tr>").next()).unwrap();
    for part in
        ["MX(1d, 16, 0) &gt; MX(R0x2, 16, 0)", "each drive sees only its share", "ordering", "nothing"]
    {
        assert!(row.contains(part), "{part} is not in {row}");
    }
    let fitted =
        page.split("<section id=\"fitted\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
    for part in ["driver.cable_rule", "ReadsWaitForMate", "fitted: C58, C62, C63", "href=\"#C63\""] {
        assert!(fitted.contains(part), "{part} is not in {fitted}");
    }
    let models =
        page.split("<section id=\"models\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
    for part in ["<td data-label=\"Kind\" class=\"set\">set</td>", "datasheet", "Instant host", "Maxtor"] {
        assert!(models.contains(part), "{part} is not in the models");
    }
    let runs = page.split("<section id=\"runs\"").nth(1).unwrap();
    for part in ["ataraid reproduce x", "host.issue_us = 20", "sequential-read-ideal-driver", "ideal_driver"]
    {
        assert!(runs.contains(part), "{part} is not in the runs");
    }
    assert!(page.contains("5 claims held here") || page.contains("of its 5 claims held here"));
}

#[test]
fn without_figures_a_page_links_to_none() {
    let results = reproduction().run(Some(2), &()).unwrap();
    let claims = results.report().unwrap();
    let page =
        Page { results: &results, claims: &claims, command: "", notes: &[], extra: &[], figures: false };
    let page = page.html().unwrap();
    assert!(!page.contains("<svg") && !page.contains("#figure-"));
}
