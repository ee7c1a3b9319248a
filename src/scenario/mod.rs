//! Scenario files: what they say, the catalogue of models they name, and the machines they amount to.
//!
//! Models: a [`Scenario`] is read from a RON file that names models by name or path, may include another file
//! and may change single fields; [`load`] resolves all of it and builds every machine once, so that nothing fails
//! later. [`points`] and [`machine_spec`] turn it into the machines of its sweep. [`Library`] finds shipped and
//! user's models; [`check`] judges any file.
//! Leaves out: running anything.
//! Invariants: the same files and options give the same scenario; all faults of a file are reported at once;
//! only `files.rs` touches the file system, and [`load_text`] does not need it.

mod build_check;
mod detect;
mod file;
mod files;
mod layers;
mod library;
mod load;
mod points;
mod resolve;
mod sets;
mod spec;
mod structure;
pub mod tables;

#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod tests;

pub use detect::{CheckedKind, check};
pub use file::{ReproductionSpec, TableSpec};
pub use library::{Library, ModelKind, ScenarioEntry};
pub use load::{LoadOptions, load, load_text};
pub(crate) use load::{load_ledger, load_listed, load_reproduction};
pub use points::{Point, machine_spec, points};
pub use spec::{Experiment, QuickSpec, RunSpec, Scenario, SweepSpec, VarySpec};
