//! What a measured trace tells about the drive that made it.
//!
//! Models: the clock of the spindle as its completions show it ([`sight()`], [`Tracker`]), the angles at which tracks begin
//! ([`skews()`]), the seek times that single requests allow ([`Bound`]), the overheads; a replay at the measured times that
//! keeps the platters where the real ones were ([`follow()`]); the model that comes out of all of it ([`fit()`]).
//! Leaves out: files; callers hand over the requests.
//! Invariants: whatever predicts a request has seen only requests that completed before it was issued; the same
//! requests, seed and model give the same figures on any number of threads.

mod anchor;
mod angles;
mod apply;
mod arms;
mod curve;
mod direction;
mod fit;
mod follow;
mod least;
mod observed;
mod part;
mod refine;
mod revolution;
mod seeks;
mod sight;
mod skews;
mod slips;
mod spans;
mod stairs;
mod starts;
mod sureness;
mod switches;
mod tracker;
mod tune;

#[cfg(test)]
mod tests;

pub use anchor::{Anchor, Landmark, Surface};
pub use apply::{range_cylinders, with_skews, with_turn};
pub use fit::{Fit, FitError, Options, Stage, fit};
pub use follow::{Followed, follow};
pub use observed::{Observed, Pause, Untimed, timed};
pub use part::{fitted_part, part_name};
pub use revolution::{APART_LAST_MS, Clock, revolution};
pub use seeks::Bound;
pub use sight::{NoClock, Sight, sight};
pub use skews::{ZoneSkewFit, skews};
pub use slips::{Slipped, slipped};
pub use sureness::SkewFigure;
pub use tracker::Tracker;
pub use tune::{Figure, Tuning};
