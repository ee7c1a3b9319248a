//! Address maps of arrays.
//!
//! Models: where each sector of an array lies on its members, and back: single drive, concatenation,
//! stripe, mirror, mirror of stripes, stripe of mirrors; the sectors that HighPoint's metadata takes.
//! Leaves out: time, which copy is read, what happens when a member dies.
//! Invariants: the map is a bijection between array sectors and the data sectors of the members (of one
//! copy of the members, for mirrors), and a piece never crosses a stripe edge.

mod map;
mod spec;

pub use map::{ArrayMap, Location, Piece};
pub use spec::{Level, RaidError, RaidSpec, Reserved, Unequal};

#[cfg(test)]
mod tests;
