//! Results as typed tables, and the files they go into.
//!
//! Models: columns with names and units, rows of cells ([`Table`]); what CSV, JSON, figures and claims are
//! made from. [`csv`], [`json`] and [`markdown`] turn results into bytes, [`plain`] keeps out of
//! texts what no output may hold, [`atomic`] puts bytes on the disk.
//! Leaves out: which files a run writes and what they are called.
//! Invariants: every row has as many cells as there are columns; the same table gives the same bytes on any
//! machine; a file is written whole or not at all.

pub mod atomic;
pub mod csv;
pub mod json;
pub mod markdown;
pub mod plain;
mod table;

pub use table::{Cell, Column, Table};
