//! Tables on stdout, in the form the user asked for.

use clap::ValueEnum;

use super::failure::Failure;
use crate::results::{Cell, Table, csv, markdown};

/// Digits to which a person's table rounds.
const DIGITS: usize = 4;

/// The form of a table on stdout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Format {
    /// Aligned columns, rounded, for people
    #[default]
    Text,
    /// One line a row, full precision
    Csv,
    /// A list of records, full precision
    Json,
    /// A Markdown table, rounded
    Markdown,
}

/// `table` in the form asked for.
pub(super) fn show(table: &Table, format: Format) -> Result<String, Failure> {
    match format {
        Format::Text => Ok(aligned(table)),
        Format::Markdown => Ok(markdown::table(table, DIGITS)),
        Format::Csv => Ok(String::from_utf8_lossy(&csv::to_bytes(table)).into_owned()),
        Format::Json => records(table).map_err(|error| Failure::Internal(error.to_string())),
    }
}

/// Every row as a JSON object, columns in their order.
fn records(table: &Table) -> Result<String, serde_json::Error> {
    let mut rows = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let mut fields = Vec::with_capacity(row.len());
        for (column, cell) in table.columns.iter().zip(row) {
            let value = match cell {
                Cell::Empty => "null".to_owned(),
                Cell::Text(text) => serde_json::to_string(text)?,
                Cell::Integer(number) => number.to_string(),
                // Figures that are not finite become null.
                Cell::Real(number) => serde_json::to_string(number)?,
            };
            fields.push(format!("{}: {value}", serde_json::to_string(&column.name)?));
        }
        rows.push(format!("  {{{}}}", fields.join(", ")));
    }
    Ok(format!("[\n{}\n]\n", rows.join(",\n")))
}

/// Columns that line up: numbers to the right, text to the left, two spaces between.
pub(super) fn aligned(table: &Table) -> String {
    let shown = |cell: &Cell| match cell {
        Cell::Real(x) => markdown::figure(*x, DIGITS),
        other => other.label().replace(['\n', '\r'], " "),
    };
    let numeric = |at: usize| {
        let text = |row: &Vec<Cell>| matches!(&row[at], Cell::Text(text) if !text.contains(" ± "));
        !table.rows.iter().any(text)
    };
    let header = table.columns.iter().map(|column| column.name.clone()).collect();
    let lines: Vec<Vec<String>> =
        std::iter::once(header).chain(table.rows.iter().map(|row| row.iter().map(shown).collect())).collect();
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let columns: Vec<(usize, bool)> = (0..table.columns.len()).map(|at| (width(at), numeric(at))).collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(&columns).map(|(cell, &(width, numeric))| {
            if numeric { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// `text` in lines of at most 100 characters, the first behind `head`, the others indented as far.
pub(super) fn wrapped(text: &str, head: &str) -> String {
    const WIDTH: usize = 100;
    let indent = " ".repeat(head.chars().count());
    let mut lines = vec![head.to_owned()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > indent.len() && last + 1 + word.chars().count() > WIDTH {
            lines.push(indent.clone());
        }
        if let Some(line) = lines.last_mut() {
            if line.chars().count() > indent.len() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(&["array", "nothing", "iops", "iops_half_width"]);
        table.push(vec![Cell::Text("1d".into()), Cell::Empty, Cell::Real(81.234), Cell::Real(0.5678)]);
        table.push(vec![Cell::Text("R0x2".into()), Cell::Empty, Cell::Real(1234.56), Cell::Real(12.0)]);
        table
    }

    #[test]
    fn columns_line_up() {
        let expected = "array  nothing   iops  iops_half_width\n1d              81.23           0.5678\nR0x2             1235               12\n";
        assert_eq!(aligned(&sample()), expected);
    }

    #[test]
    fn long_texts_wrap_under_their_head() {
        let text = wrapped(&"word ".repeat(25), " [1]  ");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].len() <= 100 && lines[1].starts_with("      word"), "{text}");
        assert_eq!(wrapped(&"x".repeat(200), "- ").lines().count(), 1);
    }

    #[test]
    fn programs_get_every_column_in_full() {
        let csv = show(&sample(), Format::Csv).unwrap();
        assert!(csv.starts_with("array,nothing,iops,iops_half_width\n1d,,81.234,0.5678\n"), "{csv}");
        let json = show(&sample(), Format::Json).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value[0]["iops"], 81.234);
        assert!(value[0]["nothing"].is_null());
    }
}
