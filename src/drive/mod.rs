//! The drive.
//!
//! Models: where a sector is ([`geometry`]), how long the arm takes ([`seek`]), when the sector passes
//! the head ([`spindle`]), all built once from what a file says ([`spec`]); [`summary`] tells a person
//! what those figures amount to.

pub mod geometry;
pub mod seek;
pub mod spec;
pub mod spindle;
pub mod summary;
