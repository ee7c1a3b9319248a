//! Address maps of arrays.
//!
//! Models: where each sector of an array lies on its members, and back: single drive, concatenation,
//! stripe, mirror, mirror of stripes, stripe of mirrors; the sectors that HighPoint's metadata takes; which failed
//! members an array survives, and what a rebuild has to copy.
//! Leaves out: time, which copy is read, a member that dies during a run.
//! Invariants: the map is a bijection between array sectors and the data sectors of the members (of one
//! copy of the members, for mirrors), and a piece never crosses a stripe edge.

mod map;
mod spec;
mod survival;

pub use map::{ArrayMap, Location, Piece};
pub use spec::{Level, RaidError, RaidSpec, Reserved, Unequal};
pub use survival::{Health, Restore};

#[cfg(test)]
mod tests;
