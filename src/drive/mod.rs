//! The drive.
//!
//! Models: where a sector is ([`geometry`]), how long the arm takes ([`seek`]), when the sector passes
//! the head ([`spindle`]), all built once from what a file says ([`spec`]).

pub mod geometry;
pub mod seek;
pub mod spec;
pub mod spindle;
