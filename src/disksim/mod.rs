//! Descriptions written for the simulator DiskSim 4.0, read as models of this one.
//!
//! Models: its grammar (blocks, lists, `source`, `instantiate`, `topology`), its drives' layout, mechanics and
//! electronics as a [`DriveSpec`](crate::drive::DriveSpec), its systems as a [`System`](crate::replay::System).
//! Leaves out: files and folders; callers give the text of the files that a description names.
//! Invariants: no text makes this room panic, recurse without end or grow without bound; what has no counterpart here
//! is told with its place, never dropped in silence.

mod blocks;
mod context;
mod curve;
mod electronics;
mod import;
mod keys;
mod layout;
mod lexer;
mod mechanics;
mod overrides;
mod parser;
mod schema;
mod system;
mod topology;
mod tree;

#[cfg(test)]
mod override_tests;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::config::{Diagnostics, Source};

pub use crate::drive::spec::ron;
pub use import::{ImportedDrive, import_drive, import_drive_with};
pub use lexer::Reader;
pub use overrides::{OVERRIDE, Override};
pub use system::{ImportedSystem, import_system, import_system_with};
pub use tree::{Block, Document, Files, Item, Node, Param, Spot, Statement, Value, Word};

/// Reads the description whose first file is `source`; `read` gives the files that it names, by their path: that of the
/// naming file, with the name in place of its last part.
///
/// # Errors
/// Every fault of syntax in all files, each with its place.
pub fn parse_source(source: Source, read: &mut Reader) -> Result<Document, Diagnostics> {
    let path = source.name.clone();
    parser::parse(source, Path::new(&path), read)
}

/// Reads a description that names no other file.
///
/// # Errors
/// Every fault of syntax, each with its place.
pub fn parse(bytes: &[u8]) -> Result<Document, Diagnostics> {
    let source = Source::from_bytes("text", bytes.to_vec())?;
    parse_source(source, &mut |path| {
        let fault =
            crate::config::Diagnostic::of_file(path.display().to_string(), "no other file can be named here");
        Err(fault.into())
    })
}
