//! Means over the runs of each point.

use crate::results::{Cell, Table};
use crate::scenario::{Scenario, tables};
use crate::stats::mean_ci;

/// Confidence of all intervals.
const CONFIDENCE: f64 = 0.95;

/// The summary of a runs table: rows with the same parameters become one, in order of first appearance.
pub(super) fn summarise(scenario: &Scenario, runs: &Table) -> Table {
    let mut summary = tables::summary(scenario);
    let parameters = tables::parameter_columns(scenario).len();
    for rows in groups(runs, parameters) {
        let mut row = runs.rows[rows[0]][..parameters].to_vec();
        row.push(Cell::Integer(rows.len() as i64));
        for (name, with_half_width) in tables::mean_columns(scenario) {
            let column = runs.column(&name);
            let cell = |row: &usize| column.and_then(|column| runs.rows[*row][column].number());
            let figures: Vec<f64> = rows.iter().filter_map(cell).collect();
            let estimate = mean_ci(&figures, CONFIDENCE);
            row.push(if figures.is_empty() { Cell::Empty } else { Cell::Real(estimate.mean) });
            if with_half_width {
                row.push(estimate.half_width.map_or(Cell::Empty, Cell::Real));
            }
        }
        summary.push(row);
    }
    summary
}

/// The numbers of the rows that agree in their first `parameters` cells, by group.
pub(super) fn groups(table: &Table, parameters: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut places: std::collections::BTreeMap<Vec<String>, usize> = std::collections::BTreeMap::new();
    for (index, row) in table.rows.iter().enumerate() {
        let key = row[..parameters].iter().map(Cell::label).collect();
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(index);
    }
    groups
}
