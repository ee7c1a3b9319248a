//! A table of typed cells.

use serde::{Deserialize, Serialize};

/// One value of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Cell {
    /// Nothing measured.
    Empty,
    /// A name.
    Text(String),
    /// A count or a whole parameter.
    Integer(i64),
    /// A measured figure.
    Real(f64),
}

/// A column: its name and the unit of its figures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// Name in snake case; the unit is its last word where the figures have one (`response_ms`).
    pub name: String,
}

/// Named columns and rows of cells.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Table {
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows; each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Cell {
    /// The figure in this cell, if it holds one.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Cell::Integer(n) => Some(n as f64),
            Cell::Real(x) => Some(x),
            Cell::Empty | Cell::Text(_) => None,
        }
    }
    /// The cell as a person would write it.
    pub fn label(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Integer(n) => n.to_string(),
            Cell::Real(x) => x.to_string(),
        }
    }
}

impl Table {
    /// An empty table with these columns.
    pub fn new(names: &[&str]) -> Self {
        let columns = names.iter().map(|&name| Column { name: name.to_owned() }).collect();
        Table { columns, rows: Vec::new() }
    }
    /// The index of the column called `name`.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
    /// Adds a row; panics if its length is not the number of columns.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "a row has one cell a column");
        self.rows.push(row);
    }
}
