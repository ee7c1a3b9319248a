//! What was run: command line, version, seeds, lengths, overrides.

use super::Page;
use super::html::{Html, figure};
use crate::experiment::{Results, points};
use crate::results::{Cell, Table};

/// How to get this report again, and a row a scenario.
pub(super) fn write(page: &Page, html: &mut Html) {
    html.nest("section", &[("id", "runs")], |html| {
        html.element("h2", &[], "What was run");
        html.nest("p", &[], |html| {
            html.text("Command line: ");
            html.element("code", &[], page.command);
        });
        let version = env!("CARGO_PKG_VERSION");
        let text = format!(
            "Program: ataraid {version}. The same command with the same version gives this page to the byte, on any \
             machine and with any number of threads; so it holds no time of day and no run time, which the program \
             prints when it ends. The seed of each run is in the files whose names end in -runs.csv."
        );
        html.element("p", &[], &text);
        html.table(&scenarios(&page.results.results));
        let overrides = page.results.results.iter().flat_map(|results| {
            let name = &results.scenario.name;
            results.scenario.overrides.iter().map(move |(path, value)| (name, path, value))
        });
        let overrides: Vec<_> = overrides.collect();
        if overrides.is_empty() {
            html.element("p", &[], "No field was set with --set or by a scenario.");
            return;
        }
        html.element("p", &[], "Fields set by a scenario or with --set:");
        html.nest("ul", &[], |html| {
            for (name, path, value) in overrides {
                html.nest("li", &[], |html| {
                    html.element("code", &[], &format!("{path} = {value}"));
                    html.text(&format!(" in {name}"));
                });
            }
        });
    });
}

fn scenarios(results: &[Results]) -> Table {
    let names = [
        "scenario",
        "set-up",
        "what",
        "points",
        "runs a point",
        "ramp-up, s",
        "recorded, s",
        "seed",
        "simulated, h",
        "requests recorded",
        "events, about",
    ];
    let mut table = Table::new(&names);
    for part in results {
        let (scenario, run) = (&part.scenario, part.scenario.run);
        let points = points(scenario).len();
        let hours = points as f64 * f64::from(run.replications) * (run.ramp_s + run.measure_s) / 3600.0;
        let (requests, events) = totals(&part.runs);
        table.push(vec![
            Cell::Text(scenario.name.clone()),
            Cell::Text(scenario.variant.clone().unwrap_or_else(|| "the review's".to_owned())),
            Cell::Text(scenario.title.clone()),
            Cell::Integer(points as i64),
            Cell::Integer(run.replications.into()),
            Cell::Real(run.ramp_s),
            Cell::Real(run.measure_s),
            Cell::Text(run.seed.to_string()),
            Cell::Real(hours),
            Cell::Text(millions(requests)),
            Cell::Text(millions(events)),
        ]);
    }
    table
}

/// Requests recorded, and about how many events their recording took: runs state events a request.
fn totals(runs: &Table) -> (f64, f64) {
    let columns = (runs.column("requests"), runs.column("events_per_request"));
    let (Some(requests), Some(events)) = columns else { return (0.0, 0.0) };
    let pairs = runs.rows.iter().filter_map(|row| Some((row[requests].number()?, row[events].number()?)));
    pairs.fold((0.0, 0.0), |(all, happened), (count, each)| (all + count, happened + count * each))
}

fn millions(count: f64) -> String {
    format!("{} million", figure(count / 1e6))
}
