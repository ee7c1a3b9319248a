//! Results for a reader: what is the same everywhere said once, a table of what differs, rounded, with units.

use super::table::aligned;
use crate::experiment::{Results, caption};
use crate::results::{Cell, Table, markdown as md};
use crate::scenario::tables::parameter_columns;

/// Figures of a summary that a reader sees; the files hold all.
const FIGURES: [&str; 7] =
    ["winmark", "cache_hit_share", "iops", "mib_s", "response_ms", "response_p95_ms", "cpu_utilisation"];
/// Significant digits of figures; intervals get two.
const DIGITS: usize = 4;

/// The summary of a scenario as a page of text.
pub(super) fn page(results: &Results) -> String {
    let (same, table) = summary(results);
    let mut text = format!("{}\n{}\n", results.scenario.title, caption(results));
    if !same.is_empty() {
        text += &format!("{same}\n");
    }
    text += &format!("\n{}", aligned(&table));
    text += &format!("\n{}\n", intervals(results.scenario.run.replications));
    text
}

/// What ± stands for, or why there is none.
fn intervals(runs: u32) -> String {
    match runs {
        1 => "one run a point: no intervals; more with --runs N".to_owned(),
        runs => format!("± is half of a 95 % interval of the mean of {runs} runs"),
    }
}

/// The same in Markdown.
pub(super) fn markdown(results: &Results) -> String {
    let (same, table) = summary(results);
    let same = if same.is_empty() { same } else { format!("{same}\n\n") };
    let table = md::table(&table, DIGITS);
    let intervals = intervals(results.scenario.run.replications);
    format!("## {}\n\n{}\n\n{same}{table}\n{intervals}\n", results.scenario.title, caption(results))
}

fn summary(results: &Results) -> (String, Table) {
    let parameters = parameter_columns(&results.scenario);
    let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
    narrowed(&results.summary, &parameters, &FIGURES)
}

/// What all rows have in common, in words, and a table of the parameters that differ and of these figures; a
/// figure's interval (`.._half_width`) stands beside it.
pub(super) fn narrowed(table: &Table, parameters: &[&str], figures: &[&str]) -> (String, Table) {
    let column = |name: &&str| table.column(name);
    let mut same = Vec::new();
    let mut shown: Vec<usize> = Vec::new();
    for at in parameters.iter().filter_map(column) {
        match table.rows.first().map(|row| &row[at]) {
            Some(first) if table.rows.iter().all(|row| row[at] == *first) => {
                if *first != Cell::Empty {
                    same.push(format!("{}: {}", heading(&table.columns[at].name), first.label()));
                }
            }
            _ => shown.push(at),
        }
    }
    shown.extend(figures.iter().filter_map(column));
    let headings: Vec<String> = shown.iter().map(|&at| heading(&table.columns[at].name)).collect();
    let mut narrow = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    for row in &table.rows {
        narrow.push(shown.iter().map(|&at| cell(table, row, at)).collect());
    }
    (same.join(", "), narrow)
}

fn cell(table: &Table, row: &[Cell], at: usize) -> Cell {
    let name = table.columns[at].name.as_str();
    let half = table.column(&format!("{name}_half_width")).map(|half| &row[half]);
    match (&row[at], half) {
        (Cell::Real(mean), Some(Cell::Real(half))) => {
            Cell::Text(format!("{} ± {}", md::figure(*mean, DIGITS), md::figure(*half, 2)))
        }
        (Cell::Real(share), _) if name.ends_with("_utilisation") || name == "cache_hit_share" => {
            Cell::Real(share * 100.0)
        }
        (cell, _) => cell.clone(),
    }
}

/// What a reader calls a column, with its unit.
fn heading(column: &str) -> String {
    let known = match column {
        "queue_depth" => "in flight",
        "write_percent" => "writes %",
        "block_bytes" => "bytes",
        "file_system" => "volume",
        "winmark" => "WinMark, 1000 bytes/s",
        "cache_hit_share" => "cache hits %",
        "iops" => "I/O a second",
        "mib_s" => "MiB/s",
        "response_ms" => "response ms",
        "response_p95_ms" => "95 % within ms",
        "cpu_utilisation" => "CPU %",
        "a_iops" => "A, I/O a second",
        "b_iops" => "B, I/O a second",
        "a_mib_s" => "A, MiB/s",
        "b_mib_s" => "B, MiB/s",
        "a_winmark" => "A, WinMark",
        "b_winmark" => "B, WinMark",
        "iops_ratio" | "mib_s_ratio" | "winmark_ratio" => "B/A",
        "a" => "A",
        "b" => "B",
        other => other,
    };
    known.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_is_said_once_and_intervals_stand_beside_their_figures() {
        let mut table =
            Table::new(&["pattern", "array", "block_bytes", "iops", "iops_half_width", "cpu_utilisation"]);
        for (array, iops, half) in [("1d", 81.234, Cell::Real(0.567)), ("R0x2", 160.0, Cell::Empty)] {
            let array = Cell::Text(array.into());
            table.push(vec![
                Cell::Text("mix".into()),
                array,
                Cell::Empty,
                Cell::Real(iops),
                half,
                Cell::Real(0.015),
            ]);
        }
        let (same, narrow) =
            narrowed(&table, &["pattern", "array", "block_bytes"], &["iops", "cpu_utilisation"]);
        assert_eq!(same, "pattern: mix");
        let expected = "array  I/O a second  CPU %\n1d     81.23 ± 0.57    1.5\nR0x2            160    1.5\n";
        assert_eq!(aligned(&narrow), expected);
    }
}
