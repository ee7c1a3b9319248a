//! Iometer: access specifications and what its worker threads do with them.
//!
//! Models: the rules of Iometer 2001.07.19 to 1.1.0 (files IOGrunt, IOTargetDisk and IOAccess of
//! iometer-org/iometer): generator, order of draws, pointer, alignment, wrap, bursts and delays.
//! Leaves out: several targets a worker (a worker here has one), replies, the fullness of a file target.
//! Invariant: given Iometer's seed, addresses and directions are Iometer's, bit for bit.

mod access;
mod random;
mod worker;

pub use access::{AccessSpec, Line, SIZE_BYTES_MAX};
pub(crate) use access::{check_lines, size_problem};
pub use random::IometerRandom;
pub use worker::IometerWorker;

#[cfg(test)]
mod tests;
