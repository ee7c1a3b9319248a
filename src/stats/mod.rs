//! Statistics of runs.
//!
//! Models: [`Moments`] and [`LatencyHistogram`] of what a run observes, the [`Utilisation`] of a resource,
//! confidence intervals over repeated runs ([`mean_ci`], [`ratio_ci`]), the distance of two distributions
//! ([`demerit`]) and how much of it is chance ([`sampling_floor`]), the [`Score`] of a model against a measurement, and a
//! [`search`] for the parameters that make a figure least.
//! Leaves out: warm-up detection; callers reset what they measure at the end of the ramp-up.
//! Invariant: the same observations in the same order give the same figures, bit for bit.

mod circular;
mod demerit;
mod floor;
mod histogram;
mod interval;
mod moments;
mod score;
mod search;
mod utilisation;

pub use circular::{Directions, wrapped};
pub use demerit::{demerit, relative_demerit};
pub use floor::{SamplingFloor, sampling_floor};
pub use histogram::LatencyHistogram;
pub use interval::{Estimate, mean_ci, ratio_ci};
pub use moments::{Moments, median};
pub use score::{Score, Scorer};
pub use search::{Axis, Scale, Trial, search};
pub use utilisation::Utilisation;
