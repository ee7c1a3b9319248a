//! Tables for people: Markdown with aligned columns and rounded figures.

use super::{Cell, Table};

/// The table as a Markdown table; reals are rounded to `digits` significant digits, numbers stand right.
pub fn table(table: &Table, digits: usize) -> String {
    let header = table.columns.iter().map(|column| escape(&column.name)).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(|cell| shown(cell, digits)).collect());
    let lines: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0).max(3);
    let columns: Vec<(usize, bool)> =
        (0..table.columns.len()).map(|at| (width(at), is_numeric(table, at))).collect();
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        for (cell, &(width, numeric)) in line.iter().zip(&columns) {
            let padded = if numeric { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
            text.push_str(&format!("| {padded} "));
        }
        text.push_str("|\n");
        if index == 0 {
            for &(width, numeric) in &columns {
                let dashes = "-".repeat(width - usize::from(numeric));
                text.push_str(&format!("| {dashes}{} ", if numeric { ":" } else { "" }));
            }
            text.push_str("|\n");
        }
    }
    text
}

/// `x` rounded to `digits` significant digits, without an exponent and without superfluous zeros; digits
/// before the point are never rounded away (1234.6 with three digits is `1235`).
pub fn figure(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return x.to_string();
    }
    let digits = digits.max(1);
    // The exponent after rounding: 9.996 with three digits is 10.0, not 10.00.
    let scientific = format!("{x:.*e}", digits - 1);
    let exponent: i32 = scientific.rsplit('e').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    let text = format!("{x:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn shown(cell: &Cell, digits: usize) -> String {
    match cell {
        Cell::Real(x) => figure(*x, digits),
        other => escape(&other.label()),
    }
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

fn is_numeric(table: &Table, at: usize) -> bool {
    let mut cells =
        table.rows.iter().map(|row| &row[at]).filter(|cell| !matches!(cell, Cell::Empty)).peekable();
    cells.peek().is_some() && cells.all(|cell| cell.number().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_numbers_stand_right() {
        let mut rates = Table::new(&["level", "mib_per_s"]);
        rates.push(vec![Cell::Text("jbod".into()), Cell::Real(39.1234)]);
        rates.push(vec![Cell::Text("a|b".into()), Cell::Real(1274.0)]);
        rates.push(vec![Cell::Text("none".into()), Cell::Empty]);
        assert_eq!(
            table(&rates, 3),
            "| level | mib_per_s |\n\
             | ----- | --------: |\n\
             | jbod  |      39.1 |\n\
             | a\\|b  |      1274 |\n\
             | none  |           |\n"
        );
    }

    #[test]
    fn figures_keep_their_significant_digits() {
        let shown: Vec<_> =
            [8.5, 0.0123456, 9.996, 123456.7, 0.0, -0.0001234, 5.0].iter().map(|&x| figure(x, 3)).collect();
        assert_eq!(shown, ["8.5", "0.0123", "10", "123457", "0", "-0.000123", "5"]);
        assert_eq!(figure(f64::NAN, 3), "NaN");
        assert_eq!(figure(1.0, 0), "1");
    }
}
