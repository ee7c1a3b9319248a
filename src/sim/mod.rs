//! The event engine: calendar, random streams, observers, stall guard. Knows no hardware.
//!
//! Invariants:
//! - events leave the calendar in the order (time, phase, sequence number), and never earlier than the last one;
//! - a random stream depends on the run's seed and its own name only, so adding a component shifts no other draw;
//! - nothing here reads a clock, a thread or the order of a hash map.

mod calendar;
mod observer;
mod stream;

pub use calendar::{Calendar, Handle, Phase, STALL_LIMIT, STALL_LIMIT_PER_SLOT};
pub use observer::{Fingerprint, Observer};
pub use stream::{Stream, Streams};

use crate::units::Instant;

/// Where a component puts its own events; the machine maps them into its one event type.
pub trait Schedule<E> {
    /// Now.
    fn now(&self) -> Instant;
    /// Puts `event` into the calendar at `at`, which must not be earlier than now.
    fn at(&mut self, at: Instant, phase: Phase, event: E) -> Handle;
    /// Takes an event back; false if it has already happened.
    fn cancel(&mut self, handle: Handle) -> bool;
}
