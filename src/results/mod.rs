//! Results as typed tables.
//!
//! Models: columns with names and units, rows of cells; what CSV, JSON, figures and claims are made from.
//! Invariant: every row has as many cells as there are columns.

mod table;

pub use table::{Cell, Column, Table};
