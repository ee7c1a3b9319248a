//! Experiments: what is run, and what is concluded from it.
//!
//! Models: all runs of a scenario ([`run`]) or of several ([`run_all`]) as tables ([`Results`]), comparisons of two
//! ([`compare`]), figures, the [`Reproduction`] of a review with the verdicts on its [`claims`], and the [`fit`] of
//! models to some of them.
//! Leaves out: files; callers write what they get.
//! Invariants: the same scenario gives the same bytes with any number of threads; a replication has the same random
//! numbers at every point, so that arrays are compared under the same load; only this room uses threads.

pub mod claims;
mod compare;
pub mod explain;
mod facts;
mod figures;
pub mod fit;
mod pivot;
mod pool;
mod questions;
mod reproduction;
mod results;
mod summary;

#[cfg(test)]
mod tests;

pub use crate::scenario::{
    ExplanationSpec, FindingSpec, Point, ReproductionSpec, TableSpec, machine_spec, points,
};
pub use compare::{SplitError, compare, compare_figure, measure, split};
pub use facts::facts;
pub use figures::{caption, figures, sign, small_print, try_figures};
pub use pool::{Jobs, Progress, RunError, replication_seed, run, run_all};
pub use questions::{POINTS_MAX, Question};
pub use reproduction::{Reproduction, ReproductionResults, check};
pub use results::Results;
