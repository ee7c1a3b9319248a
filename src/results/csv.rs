//! Tables as CSV: a header of column names, one line a row, `\n` line ends, UTF-8.

use super::{Cell, Table};

/// Why a text is not a table.
#[derive(Debug, thiserror::Error)]
#[error("not a table: {0}")]
pub struct CsvError(#[from] csv::Error);

/// The table as CSV.
///
/// Reals carry as many digits as reading them back needs, and a point or an exponent, so that they stay reals
/// (`5.0`); an empty cell is an empty field.
pub fn to_bytes(table: &Table) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let header: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    // A Vec takes every write; the writer's other fault, rows of unequal length, is switched off above.
    let mut written = writer.write_record(&header);
    for row in &table.rows {
        written = written.and_then(|()| writer.write_record(row.iter().map(field)));
    }
    debug_assert!(written.is_ok());
    writer.into_inner().unwrap_or_default()
}

/// The table in a CSV text.
///
/// A field that reads as a whole number is an integer, one that reads as a number is a real, an empty one is
/// empty; a name that looks like a number therefore comes back as one.
///
/// # Errors
/// If a row has another number of fields than the header, or the bytes are not UTF-8; with the line number.
pub fn from_bytes(bytes: &[u8]) -> Result<Table, CsvError> {
    let mut reader = csv::Reader::from_reader(bytes);
    let mut table = Table::new(&reader.headers()?.iter().collect::<Vec<_>>());
    for record in reader.records() {
        table.push(record?.iter().map(cell).collect());
    }
    Ok(table)
}

fn field(cell: &Cell) -> String {
    match cell {
        Cell::Real(x) => format!("{x:?}"),
        other => other.label(),
    }
}

fn cell(field: &str) -> Cell {
    if field.is_empty() {
        Cell::Empty
    } else if let Ok(whole) = field.parse() {
        Cell::Integer(whole)
    } else if let Ok(real) = field.parse() {
        Cell::Real(real)
    } else {
        Cell::Text(field.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_table_is_a_header_and_lines() {
        let mut table = Table::new(&["level", "drives", "rate_mib_per_s"]);
        table.push(vec![Cell::Text("stripe, 64".into()), Cell::Integer(2), Cell::Real(5.0)]);
        table.push(vec![Cell::Text("a \"b\"".into()), Cell::Empty, Cell::Real(0.1 + 0.2)]);
        let text = String::from_utf8(to_bytes(&table)).unwrap();
        assert_eq!(
            text,
            "level,drives,rate_mib_per_s\n\"stripe, 64\",2,5.0\n\"a \"\"b\"\"\",,0.30000000000000004\n"
        );
        assert_eq!(from_bytes(text.as_bytes()).unwrap(), table);
    }

    #[test]
    fn a_row_of_the_wrong_length_is_refused_with_its_line() {
        let error = from_bytes(b"a,b\n1,2\n3\n").unwrap_err().to_string();
        assert!(error.contains("line: 3"), "{error}");
    }

    fn cells() -> impl Strategy<Value = Cell> {
        prop_oneof![
            Just(Cell::Empty),
            any::<i64>().prop_map(Cell::Integer),
            any::<f64>().prop_filter("a number", |x| !x.is_nan()).prop_map(Cell::Real),
            "[a-z ,\"\n;é]{1,9}".prop_map(|text| Cell::Text(format!("_{text}"))),
        ]
    }

    proptest! {
        #[test]
        fn every_table_survives_the_round_trip(rows in prop::collection::vec(prop::collection::vec(cells(), 3), 0..6)) {
            let table = Table { rows, ..Table::new(&["a", "b", "c"]) };
            prop_assert_eq!(from_bytes(&to_bytes(&table)).unwrap(), table);
        }
    }
}
