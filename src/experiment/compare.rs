//! Comparing two results point by point.

use std::collections::BTreeMap;

use super::results::Results;
use super::summary::{groups, summarise};
use crate::config::overrides;
use crate::plot::{Ceiling, Figure, PlotError, PlotKind, PlotSpec, XLabels};
use crate::results::{Cell, Table};
use crate::scenario::tables;
use crate::stats::{Estimate, ratio_ci};

/// Ratios closer to 1 than this are called no difference, however narrow their interval: runs of a regular load may not
/// scatter at all, and then any interval excludes 1.
pub const LEAST_DIFFERENCE: f64 = 0.001;

/// Why results cannot be split by a varied field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// The scenario does not vary this field.
    #[error("the results do not vary `{0}`; give it to `--vary`")]
    NotVaried(String),
}

/// Compares two results at every point that both have: B against A.
///
/// Columns: the parameters that both have, `runs`, both means of `iops`, and for `iops` and `mib_s` the ratio B/A with the
/// half width of its 95 % interval over pairs of runs; runs of the same number have the same random numbers if both
/// scenarios have the same seed. Of two playbacks the same of their score, `winmark`. `verdict` is about the
/// [`measure`]: `B faster` or `B slower` if the interval excludes 1 and the
/// ratio is at least `LEAST_DIFFERENCE` away from it, otherwise `no difference`; of a single run there is no interval,
/// and it says so.
pub fn compare(a: &Results, b: &Results) -> Table {
    let (names_a, names_b) = (tables::parameter_columns(&a.scenario), tables::parameter_columns(&b.scenario));
    let shared: Vec<&str> = names_a
        .iter()
        .filter(|name| *name != "variant" && names_b.contains(name))
        .map(String::as_str)
        .collect();
    let scored = [a, b].iter().all(|results| results.runs.column(PLAYBACK).is_some());
    let measures = ["iops", "mib_s"].into_iter().chain(scored.then_some(PLAYBACK));
    let of_measure = |name: &str| {
        [
            format!("a_{name}"),
            format!("b_{name}"),
            format!("{name}_ratio"),
            format!("{name}_ratio_half_width"),
        ]
    };
    let figures: Vec<String> = measures.clone().flat_map(of_measure).collect();
    let figures = ["runs"].into_iter().chain(figures.iter().map(String::as_str)).chain(["verdict"]);
    let columns: Vec<&str> = shared.iter().copied().chain(figures).collect();
    let mut table = Table::new(&columns);
    let of_b: BTreeMap<Vec<String>, Vec<usize>> =
        by_parameters(b, &shared).into_iter().map(|(cells, rows)| (labels(&cells), rows)).collect();
    for (cells, rows_a) in by_parameters(a, &shared) {
        let Some(rows_b) = of_b.get(&labels(&cells)) else { continue };
        let mut row = cells;
        row.push(Cell::Integer(pairs(a, &rows_a, b, rows_b, "iops").len() as i64));
        let mut judged = None;
        for name in measures.clone() {
            let ratio = ratio_cells(&pairs(a, &rows_a, b, rows_b, name), &mut row);
            if name != "mib_s" {
                judged = Some(ratio);
            }
        }
        row.extend(judged.map(|ratio| Cell::Text(verdict(&ratio).to_owned())));
        table.push(row);
    }
    table
}

/// The score of a playback.
const PLAYBACK: &str = "winmark";

/// The figure by which a table of [`compare`] judges: the score of playbacks, requests a second of all other loads.
pub fn measure(table: &Table) -> &'static str {
    if table.column("winmark_ratio").is_some() { PLAYBACK } else { "iops" }
}

fn labels(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::label).collect()
}

/// The runs of each point, by the cells of `shared`.
fn by_parameters(results: &Results, shared: &[&str]) -> Vec<(Vec<Cell>, Vec<usize>)> {
    let columns: Vec<usize> = shared.iter().filter_map(|name| results.runs.column(name)).collect();
    let narrow = Table {
        columns: columns.iter().map(|&column| results.runs.columns[column].clone()).collect(),
        rows: results
            .runs
            .rows
            .iter()
            .map(|row| columns.iter().map(|&column| row[column].clone()).collect())
            .collect(),
    };
    groups(&narrow, columns.len()).into_iter().map(|rows| (narrow.rows[rows[0]].clone(), rows)).collect()
}

/// A figure of the runs of one point, (B, A) by run.
fn pairs(a: &Results, rows_a: &[usize], b: &Results, rows_b: &[usize], name: &str) -> Vec<(f64, f64)> {
    let figure = |results: &Results, row: usize| {
        let column = results.runs.column(name)?;
        results.runs.rows[row][column].number()
    };
    let pair = |(&row_a, &row_b): (&usize, &usize)| Some((figure(b, row_b)?, figure(a, row_a)?));
    rows_a.iter().zip(rows_b).filter_map(pair).collect()
}

/// Appends both means, the ratio and its half width.
fn ratio_cells(pairs: &[(f64, f64)], row: &mut Vec<Cell>) -> Estimate {
    let count = pairs.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / count;
    let ratio = ratio_ci(pairs);
    let real = |x: f64| if x.is_finite() { Cell::Real(x) } else { Cell::Empty };
    row.push(real(mean(|pair| pair.1)));
    row.push(real(mean(|pair| pair.0)));
    row.push(real(ratio.mean));
    row.push(ratio.half_width.map_or(Cell::Empty, Cell::Real));
    ratio
}

fn verdict(ratio: &Estimate) -> &'static str {
    match (ratio.holds(1.0), ratio.mean > 1.0) {
        _ if !ratio.mean.is_finite() => "not comparable",
        (Some(true), _) => "no difference",
        (Some(false), _) if (ratio.mean - 1.0).abs() < LEAST_DIFFERENCE => "no difference",
        (None, _) if (ratio.mean - 1.0).abs() < LEAST_DIFFERENCE => "no difference (one run)",
        (Some(false), true) => "B faster",
        (Some(false), false) => "B slower",
        (None, true) => "B faster (one run)",
        (None, false) => "B slower (one run)",
    }
}

/// Splits results by the values of a varied field: each part as if the scenario had this value and did not vary it.
///
/// # Errors
/// If the scenario does not vary the field.
pub fn split(results: &Results, path: &str) -> Result<Vec<(String, Results)>, SplitError> {
    let vary = results.scenario.sweep.vary.iter().position(|vary| vary.path == path);
    let column = results.runs.column(path);
    let (Some(vary), Some(column)) = (vary, column) else {
        return Err(SplitError::NotVaried(path.to_owned()));
    };
    let mut parts = Vec::new();
    for value in &results.scenario.sweep.vary[vary].values {
        let mut scenario = results.scenario.clone();
        scenario.sweep.vary.remove(vary);
        let model = scenario.swept_models.get(&format!("{path}={value}"));
        if let Ok((changed, _)) = overrides::apply(&scenario, path, model.unwrap_or(value)) {
            scenario = changed;
        }
        scenario.overrides.push((path.to_owned(), value.clone()));
        let without = |cells: &[Cell]| -> Vec<Cell> {
            let kept = cells.iter().enumerate().filter(|(index, _)| *index != column);
            kept.map(|(_, cell)| cell.clone()).collect()
        };
        let mut runs = tables::runs(&scenario);
        let label = tables::varied_cell(value).label();
        for row in results.runs.rows.iter().filter(|row| row[column].label() == label) {
            runs.push(without(row));
        }
        let summary = summarise(&scenario, &runs);
        parts.push((value.clone(), Results { scenario, runs, summary }));
    }
    Ok(parts)
}

/// A figure of the ratios in a table of [`compare`]: a line or a group of bars, with the level of no difference.
///
/// The x axis is the first of share of writes, request size, queue depth, pattern, array that takes several values;
/// the other parameters that do tell the series apart. `a` and `b` say what was compared.
///
/// # Errors
/// If the table holds nothing that can be drawn.
pub fn compare_figure(table: &Table, a: &str, b: &str) -> Result<(PlotSpec, Figure), PlotError> {
    let runs = table.column("runs").unwrap_or(0);
    let differing: Vec<usize> = (0..runs).filter(|&column| distinct(table, column) > 1).collect();
    let name = |column: usize| table.columns[column].name.as_str();
    let preferred = ["write_percent", "block_bytes", "queue_depth", "pattern", "file_system", "array"];
    let named = preferred.iter().find_map(|wanted| differing.iter().find(|&&column| name(column) == *wanted));
    let x = named.or(differing.first()).copied().or(table.column("array")).unwrap_or(0);
    let others: Vec<usize> = differing.into_iter().filter(|&column| column != x).collect();
    let mut drawn = table.clone();
    let series = series_column(&mut drawn, &others);
    let bars = matches!(name(x), "array" | "pattern" | "file_system") || distinct(table, x) < 2;
    let measure = measure(table);
    let half = table.column(&format!("{measure}_ratio_half_width"));
    let has_intervals = half.is_some_and(|half| table.rows.iter().any(|row| row[half] != Cell::Empty));
    let intervals = if has_intervals { ", with 95 % intervals" } else { "" };
    let what = if measure == PLAYBACK { "the score WinMark" } else { "I/O a second" };
    let spec = PlotSpec {
        file: "compare".to_owned(),
        title: format!("{b} against {a}"),
        subtitle: Some(format!("ratio of {what}{intervals}; above 1: {b} is faster")),
        kind: if bars { PlotKind::Bars } else { PlotKind::Lines },
        x: name(x).to_owned(),
        y: vec![format!("{measure}_ratio")],
        series,
        error: Some(format!("{measure}_ratio_half_width")),
        only: BTreeMap::new(),
        names: BTreeMap::new(),
        x_label: axis_label(name(x)),
        y_label: "ratio".to_owned(),
        x_labels: if name(x) == "write_percent" { XLabels::WriteShare } else { XLabels::Auto },
        from_zero: bars,
        y_limits: None,
        ceilings: vec![Ceiling { label: "no difference".to_owned(), value: 1.0 }],
    };
    let figure = spec.figure(&drawn)?;
    Ok((spec, figure))
}

fn distinct(table: &Table, column: usize) -> usize {
    let labels: std::collections::BTreeSet<String> =
        table.rows.iter().map(|row| row[column].label()).collect();
    labels.len()
}

/// Adds a column that names the series by these parameters; none is needed without any.
fn series_column(table: &mut Table, parameters: &[usize]) -> Option<String> {
    match parameters {
        [] => None,
        [one] => Some(table.columns[*one].name.clone()),
        several => {
            let names: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
            for row in &mut table.rows {
                let part = |&column: &usize| match (names[column].as_str(), row[column].label()) {
                    ("queue_depth", depth) => format!("{depth} in flight"),
                    ("write_percent", percent) => format!("{percent} % writes"),
                    ("block_bytes", bytes) => format!("{bytes} bytes"),
                    ("array" | "pattern", label) => label,
                    (path, value) => format!("{path}={value}"),
                };
                let label = several.iter().map(part).collect::<Vec<_>>().join(", ");
                row.push(Cell::Text(label));
            }
            table.columns.push(crate::results::Column { name: "case".to_owned() });
            Some("case".to_owned())
        }
    }
}

fn axis_label(column: &str) -> String {
    match column {
        "write_percent" => "reads/writes, %".to_owned(),
        "block_bytes" => "request size, bytes".to_owned(),
        "queue_depth" => "requests in flight".to_owned(),
        "file_system" => "volume".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_that_nobody_would_notice_is_none() {
        let of = |mean, half_width| verdict(&Estimate { mean, half_width, n: 4 });
        assert_eq!(of(1.0005, Some(0.0)), "no difference");
        assert_eq!(of(0.9995, None), "no difference (one run)");
        assert_eq!(of(1.002, Some(0.0005)), "B faster");
        assert_eq!(of(0.95, Some(0.02)), "B slower");
        assert_eq!(of(0.95, None), "B slower (one run)");
        assert_eq!(of(f64::NAN, None), "not comparable");
    }
}
