//! Statistics of runs.
//!
//! Models: [`Moments`] and [`LatencyHistogram`] of what a run observes, the [`Utilisation`] of a resource,
//! confidence intervals over repeated runs ([`mean_ci`], [`ratio_ci`]), the distance of two distributions
//! ([`demerit`]), and a [`search`] for the parameters that make a figure least.
//! Leaves out: warm-up detection; callers reset what they measure at the end of the ramp-up.
//! Invariant: the same observations in the same order give the same figures, bit for bit.

mod demerit;
mod histogram;
mod interval;
mod moments;
mod search;
mod utilisation;

pub use demerit::{demerit, relative_demerit};
pub use histogram::LatencyHistogram;
pub use interval::{Estimate, mean_ci, ratio_ci};
pub use moments::Moments;
pub use search::{Axis, Scale, Trial, search};
pub use utilisation::Utilisation;
