//! The figures of a scenario.

use super::results::Results;
use crate::plot::{Figure, PlotError, PlotSpec};
use crate::results::Table;
use crate::scenario::Scenario;

/// The small print of a figure: what was run, how long and how often, with which seed, by which version.
pub fn caption(results: &Results) -> String {
    small_print(&results.scenario)
}

/// The small print of anything that was made of a scenario's runs.
pub fn small_print(scenario: &Scenario) -> String {
    let run = scenario.run;
    let variant = scenario.variant.as_ref().map_or(String::new(), |variant| format!(" ({variant})"));
    let runs = if run.replications == 1 { "1 run".to_owned() } else { format!("{} runs", run.replications) };
    let changed = match scenario.overrides.len() {
        0 => String::new(),
        1 => ", 1 field set".to_owned(),
        n => format!(", {n} fields set"),
    };
    let version = env!("CARGO_PKG_VERSION");
    let length = match scenario.playback() {
        Some(_) => String::new(),
        None => format!(" of {} s", run.measure_s),
    };
    let (name, seed) = (&scenario.name, run.seed);
    let quick = if scenario.is_quick_look { "QUICK LOOK: " } else { "" };
    format!("{quick}{name}{variant}: {runs}{length}, seed {seed}{changed}; ataraid {version}")
}

/// Signs a figure with the small print of its `scenarios`, and says above the drawing if one of them was a quick look.
pub fn sign(figure: &mut Figure, scenarios: &[&Scenario]) {
    const QUICK: &str = "QUICK LOOK, coarse";
    figure.caption = scenarios.iter().map(|scenario| small_print(scenario)).collect::<Vec<_>>().join("; ");
    if scenarios.iter().any(|scenario| scenario.is_quick_look) {
        let parts = [QUICK, figure.subtitle.as_str()];
        figure.subtitle = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    }
}

/// Every plot of the scenario that can be drawn from its summary, with its figure.
pub fn figures(results: &Results) -> Vec<(PlotSpec, Figure)> {
    let drawn = |(plot, figure): (PlotSpec, Result<Figure, PlotError>)| Some((plot, figure.ok()?));
    try_figures(results).into_iter().filter_map(drawn).collect()
}

/// Every plot of the scenario with its figure, or why it cannot be drawn.
///
/// A plot may choose rows that a user has taken out of the sweep; it is drawn from what is left of them, and left
/// out if nothing is.
pub fn try_figures(results: &Results) -> Vec<(PlotSpec, Result<Figure, PlotError>)> {
    let mut all = Vec::new();
    for plot in &results.scenario.plots {
        let Some(plot) = trimmed(plot, &results.summary) else { continue };
        let figure = plot.figure(&results.summary).map(|mut figure| {
            sign(&mut figure, &[&results.scenario]);
            figure
        });
        all.push((plot, figure));
    }
    all
}

/// The plot without choices that the table does not have; none if a choice has nothing left.
fn trimmed(plot: &PlotSpec, table: &Table) -> Option<PlotSpec> {
    let mut plot = plot.clone();
    for (name, wanted) in &mut plot.only {
        let Some(column) = table.column(name) else { continue };
        wanted.retain(|label| table.rows.iter().any(|row| row[column].label() == *label));
        if wanted.is_empty() {
            return None;
        }
    }
    Some(plot)
}
