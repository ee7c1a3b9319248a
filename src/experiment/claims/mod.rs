//! Checking what a review claimed against what the simulator measured.
//!
//! Models: a *ledger* of claims, each with a check written in a small expression language; the *measurements* and
//! *facts* of a program run; and the *report* that says claim by claim whether it held, was missed, or cannot be
//! checked yet because a metric or a fact is lacking.
//!
//! Does not model: how the measurements come about. Nothing here feeds back into a simulation, so a claim can never
//! steer the result it judges.
//!
//! The language is described at [`Check`]. Sources of the claims: the two reviews `rocketraid133` (S0) and
//! `sii3124` (S3), whose graphs are lost; only what their text says can be checked.

mod expr;
mod facts;
mod ledger;
mod measurements;
mod report;

#[cfg(test)]
mod ledger_tests;
#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod tests;

pub use expr::{Check, CheckError, Needs, Outcome, Verdict, Vocabulary};
pub use facts::{Fact, Facts};
pub use ledger::{Claim, ClaimType, Ledger};
pub use measurements::{Argument, Estimate, Experiment, MeasurementError, Measurements, Metric};
pub use report::{ClaimOutcome, Counts, Report, check_all};
