//! Scenario files: what they say, the catalogue of models they name, and the machines they amount to.
//!
//! Models: a [`Scenario`] is read from a RON file that names models by name or path, may include another file
//! and may change single fields; [`load`] resolves all of it and builds every machine once, so that nothing fails
//! later. [`points`] and [`machine_spec`] turn it into the machines of its sweep. [`Library`] finds shipped and
//! user's models; [`check`] judges any file.
//!
//! # What a scenario file says
//!
//! A RON record; every field may be left to the file that `include` names, and fields here win over those there.
//!
//! | field | meaning |
//! |---|---|
//! | `name`, `title` | what results are called; `name` is the file's name if nobody gives one |
//! | `include` | another scenario file: a path from this file, or a name of the catalogue |
//! | `variant`, `experiment` | how claims call this set-up, and which part of a review it is |
//! | `host`, `driver`, `bus`, `controller` | models: a name of the catalogue, or a path (`x.ron`) from this file |
//! | `drives` | `[(id, channel, device, model, set: {path: value})]` |
//! | `arrays` | `[(id, raid: (level, stripe_kib, ..), members: [ids])]` |
//! | `workload` | `(access: Pattern("database"), queue_depth, ..)`, or `(access: Playback("business"))` |
//! | `sweep` | lists to go through: `arrays`, `patterns`, `queue_depths`, `write_percents`, `block_bytes`, `file_systems` (of a playback), and `vary: [(path, values)]` for any other field |
//! | `set` | `{path: value}`: fields of the resolved scenario, values as RON texts; of models also names |
//! | `run` | `(ramp_s, measure_s, replications, seed, quick: (ramp_s, measure_s, replications))` |
//! | `plots` | figures of the summary |
//!
//! # What a fit file says
//!
//! | field | meaning |
//! |---|---|
//! | `reproduction` | whose claims: a name of the catalogue, or a path from this file |
//! | `claims` | ids of the claims that are to hold |
//! | `parameters` | `[(path, from, to, scale: Linear or Log, kind: Whole or Real)]`: the figures that may move, as in `--set` |
//! | `budget_evaluations`, `sensitivity_evaluations` | how often the runs are made for the search, and for each way a parameter is moved alone |
//! | `seed` | of the search |
//! | `lengths` | `Quick`, `Full` or `Of(ramp_s, measure_s, replications)` |
//! | `whole_ledger` | `IfCheap`, `Always` or `Never`: whether all other claims are judged at start and end |
//! | `title` | what it is about |
//!
//! Order of application: included files' `set`, this file's `set`, the lengths of a quick look, the user's sets, the
//! user's seed and number of runs. Within one file, or one command line, nothing that is set may be lost to what is set
//! or varied after it: the whole first, then its parts.
//!
//! Leaves out: running anything.
//! Invariants: the same files and options give the same scenario; all faults of a file are reported at once;
//! only `files.rs` touches the file system, and [`load_text`] does not need it.

mod build_check;
mod detect;
mod file;
mod files;
mod fit;
mod fit_check;
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
mod experiment_tests;
#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod set_tests;
#[cfg(test)]
mod tests;

pub use detect::{CheckedKind, check};
pub use file::{ExplanationSpec, FindingSpec, LengthSpec, ReproductionSpec, TableSpec};
#[cfg(feature = "cli")]
pub(crate) use files::read as read_file;
pub use fit::{FitParameter, FitSpec, Lengths, NumberKind, ParameterSpec, WholeLedger};
pub(crate) use fit::{FitPlan, load_fit};
pub use library::{Library, ModelKind, ScenarioEntry};
pub use load::{LoadOptions, load, load_text};
pub(crate) use load::{load_ledger, load_listed, load_reproduction, with_sets};
pub use points::{Point, machine_spec, points};
use spec::check_lengths;
pub use spec::{Experiment, QuickSpec, RunSpec, Scenario, SweepSpec, VarySpec};
