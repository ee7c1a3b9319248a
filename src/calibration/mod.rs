//! Calibration: drive models out of what is known or was measured of a drive.
//!
//! Models: a drive out of the figures of its data sheet ([`Known`]); its zones out of measured rates ([`staircase()`]),
//! its seeks out of measured access times, both as benchmarks leave them ([`readings`]).
//! A drive out of a trace that was measured on it ([`measured`]).
//! The other way, a drive in the few figures of an emulator's speed preset ([`Preset`]).
//! Leaves out: files; callers hand over figures and texts.
//! Invariants: the same input gives the same model; every figure of a model says where it comes from and how far
//! it may be off.

mod accesses;
mod datasheet;
mod known;
pub mod measured;
mod preset;
pub mod readings;
mod staircase;
#[cfg(test)]
mod tests;

pub use accesses::{Fitted, NoSeeks, SeekFit};
pub use datasheet::{Printed, Rates};
pub use known::{Known, Seeks, Sourced};
pub use preset::{Compared, MergedZone, Preset, PresetZone, SEGMENTS_MAX, ZONES_MAX};
pub use staircase::{Level, Staircase, staircase};
