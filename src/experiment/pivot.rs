//! The tables of a reproduction: one figure of a scenario's summary over two of its parameters.

use super::questions::there_are;
use crate::config::Issues;
use crate::results::{Cell, Table};
use crate::scenario::{Scenario, TableSpec, points, tables};

/// Whether tables name what there is, and nothing stands twice in a cell. `whole` says that the sweeps are those of
/// the files: a user may sweep less than a table asks for.
pub(super) fn check(specs: &[TableSpec], scenarios: &[Scenario], whole: bool, issues: &mut Issues) {
    for (index, spec) in specs.iter().enumerate() {
        issues.scoped(&format!("tables[{index}]"), |issues| {
            let Some(scenario) = named(&spec.scenario, "scenario", scenarios, issues) else { return };
            let mut summary = expected(scenario);
            for (place, name) in spec.beside.iter().enumerate() {
                let field = format!("beside[{place}]");
                let Some(other) = named(name, &field, scenarios, issues) else { return };
                let other = expected(other);
                if other.columns != summary.columns {
                    let message =
                        format!("the summaries of `{name}` and `{}` differ in columns", spec.scenario);
                    issues.report(
                        &field,
                        message,
                        "join scenarios of one experiment that vary the same fields",
                    );
                    return;
                }
                summary.rows.extend(other.rows);
            }
            if columns(spec, &summary, issues) {
                cells(spec, scenario, &summary, whole, issues);
            }
        });
    }
}

/// The scenario of this name.
fn named<'a>(
    name: &str,
    field: &str,
    scenarios: &'a [Scenario],
    issues: &mut Issues,
) -> Option<&'a Scenario> {
    let found = scenarios.iter().find(|scenario| scenario.name == name);
    if found.is_none() {
        let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
        let message = format!("there is no scenario `{name}` in this reproduction");
        issues.report(field, message, there_are(name, &names));
    }
    found
}

/// The summary that a scenario will have, with ones for its figures.
fn expected(scenario: &Scenario) -> Table {
    let mut summary = tables::summary(scenario);
    for point in points(scenario) {
        let mut row = tables::parameters(scenario, &point);
        row.resize(summary.columns.len(), Cell::Real(1.0));
        summary.push(row);
    }
    summary
}

/// Whether the summary has all columns that are named.
fn columns(spec: &TableSpec, summary: &Table, issues: &mut Issues) -> bool {
    let known: Vec<&str> = summary.columns.iter().map(|column| column.name.as_str()).collect();
    let fields = [("rows", &spec.rows), ("columns", &spec.columns), ("value", &spec.value)];
    let chosen = spec.only.keys().map(|name| ("only", name));
    let mut all = true;
    for (field, name) in fields.into_iter().chain(chosen) {
        if !known.contains(&name.as_str()) {
            issues.report(field, format!("a summary has no column `{name}`"), there_are(name, &known));
            all = false;
        }
    }
    all
}

/// Whether the chosen rows are there and each cell has one figure. The columns are there.
fn cells(spec: &TableSpec, scenario: &Scenario, summary: &Table, whole: bool, issues: &mut Issues) {
    let parameters = tables::parameter_columns(scenario);
    if parameters.contains(&spec.value) {
        let message = format!("`{}` is a parameter of a run, not a figure", spec.value);
        issues.report("value", message, "name a figure of the summary, such as `iops` or `mib_s`");
    }
    for (name, wanted) in spec.only.iter().filter(|_| whole) {
        let labels =
            summary.column(name).map(|column| summary.rows.iter().map(move |row| row[column].label()));
        let labels: Vec<String> = labels.into_iter().flatten().collect();
        let mut known: Vec<&str> = Vec::new();
        labels.iter().for_each(|label| {
            if !known.contains(&label.as_str()) {
                known.push(label);
            }
        });
        for label in wanted.iter().filter(|label| !known.contains(&label.as_str())) {
            issues.report("only", format!("no row has `{label}` in `{name}`"), there_are(label, &known));
        }
    }
    let (Some(down), Some(across)) = (summary.column(&spec.rows), summary.column(&spec.columns)) else {
        return;
    };
    let rows = chosen(spec, summary);
    let twin = rows.iter().enumerate().find_map(|(at, row)| {
        let before = rows[..at].iter().find(|other| other[down] == row[down] && other[across] == row[across]);
        before.map(|other| (*other, *row))
    });
    let Some((one, other)) = twin else { return };
    let differs = (0..parameters.len()).find(|&column| one[column] != other[column]);
    let remedy = differs.map_or("choose one row in `only`".to_owned(), |column| {
        let (one, other) = (one[column].label(), other[column].label());
        format!("they differ in `{}` (`{one}`, `{other}`): choose one in `only`", parameters[column])
    });
    let message = format!(
        "two figures would stand in one cell, at `{}` {} and `{}` {}",
        spec.rows,
        one[down].label(),
        spec.columns,
        one[across].label()
    );
    issues.report("", message, remedy);
}

/// The rows of a summary that a table is about.
fn chosen<'a>(spec: &TableSpec, summary: &'a Table) -> Vec<&'a Vec<Cell>> {
    let is_chosen = |row: &&Vec<Cell>| {
        spec.only.iter().all(|(name, wanted)| {
            summary.column(name).is_some_and(|column| wanted.contains(&row[column].label()))
        })
    };
    summary.rows.iter().filter(is_chosen).collect()
}

/// One figure of a summary over two of its columns, in order of first appearance. Each cell has one figure at most.
pub(super) fn pivot(spec: &TableSpec, summary: &Table) -> Option<Table> {
    let (down, across) = (summary.column(&spec.rows)?, summary.column(&spec.columns)?);
    let value = summary.column(&spec.value)?;
    let rows = chosen(spec, summary);
    let mut heads: Vec<String> = Vec::new();
    let mut sides: Vec<&Cell> = Vec::new();
    for row in &rows {
        if !heads.contains(&row[across].label()) {
            heads.push(row[across].label());
        }
        if !sides.contains(&&row[down]) {
            sides.push(&row[down]);
        }
    }
    // Of the variants one has no name: what the review measured.
    let shown = |head: &'_ String| match head.as_str() {
        "" if spec.columns == "variant" => "as reviewed".to_owned(),
        label => label.to_owned(),
    };
    let shown: Vec<String> = heads.iter().map(shown).collect();
    let names: Vec<&str> =
        std::iter::once(spec.rows.as_str()).chain(shown.iter().map(String::as_str)).collect();
    let mut table = Table::new(&names);
    for side in sides {
        let cell = |head: &String| {
            let found = rows.iter().find(|row| row[down] == *side && row[across].label() == *head);
            found.map_or(Cell::Empty, |row| row[value].clone())
        };
        table.push(std::iter::once(side.clone()).chain(heads.iter().map(cell)).collect());
    }
    Some(table)
}
