//! Quantities: simulated time, clocks, transfer rates and block addresses.
//!
//! Models: exact arithmetic on whole picoseconds and whole sectors.
//! Leaves out: floating point, except where a figure written by a person enters
//! (`Span::from_ms` and its kin) or leaves for statistics (`as_ms` and its kin).
//! Invariants: an [`Instant`] and a [`Span`] never mix; a span is never negative.
//!
//! MB is 10^6 bytes and MiB is 2^20 bytes, everywhere.

mod block;
mod clock;
mod time;

pub use block::{Extent, SECTOR_BYTES};
pub use clock::{Clock, Rate};
pub use time::{Instant, Span};

/// Bytes in one MiB (2^20), the "MB" that IOMeter printed until 2006.
pub const MIB: u64 = 1 << 20;
/// Bytes in one KiB (2^10).
pub const KIB: u64 = 1 << 10;
