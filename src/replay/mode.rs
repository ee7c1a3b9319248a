//! When requests are issued, and how a replay ends.

use crate::drive::Spindle;
use crate::units::{Extent, Instant};
use crate::workload::trace::TraceRequest;

/// When requests are issued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One is outstanding; the next is issued when it has completed and its pause (`think`, none if unset) is over.
    Closed,
    /// Each is issued when it arrived (`at`).
    Open,
    /// So many are kept outstanding; pauses and arrivals do not count.
    AsFastAsPossible {
        /// Requests outstanding, at least 1.
        outstanding: usize,
    },
}

/// A request that has been served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The request.
    pub request: TraceRequest,
    /// When the driver got it.
    pub issued: Instant,
    /// When its completion reached the driver.
    pub completed: Instant,
}

/// Sees what a replay does, and may know better than its model how the platters turn.
pub trait Witness {
    /// A request has been served.
    fn served(&mut self, outcome: Outcome);

    /// How the platters of the drive that `request` is for turn from `now` on, in the time of a turn that the drive has
    /// had so far; none if as before. Asked when `request` is issued.
    fn spindle(&mut self, request: &TraceRequest, now: Instant) -> Option<Spindle>;
}

/// A witness that only takes the outcomes.
pub(super) struct Only<F>(pub F);

impl<F: FnMut(Outcome)> Witness for Only<F> {
    fn served(&mut self, outcome: Outcome) {
        (self.0)(outcome);
    }
    fn spindle(&mut self, _: &TraceRequest, _: Instant) -> Option<Spindle> {
        None
    }
}

/// What a replay did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Requests issued, all of which have completed.
    pub requests: u64,
    /// Those that were reads.
    pub reads: u64,
    /// Events that happened.
    pub events: u64,
    /// When the last one completed.
    pub end: Instant,
}

/// A replay that did not come to the end of its source. What had been issued has completed and gone to the sink.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stopped<E> {
    /// What was done before.
    pub totals: Totals,
    /// Why it stopped.
    pub cause: Cause<E>,
}

/// Why a replay stopped. `E` is what its source may fail with.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Cause<E> {
    /// The system is impossible: its validation finds why.
    #[error("the system cannot be built: {0}")]
    System(String),
    /// The source failed.
    #[error("{0}")]
    Source(E),
    /// A request for a drive that does not exist.
    #[error("line {line}: device {device} of {drives}; devices count from 0")]
    NoSuchDevice {
        /// Line or record of the request.
        line: u64,
        /// Its device.
        device: u32,
        /// Drives there are.
        drives: usize,
    },
    /// A request beyond the last block of its drive.
    #[error(
        "line {line}: blocks {} to {} are beyond the last block {} of device {device}",
        extent.lba, extent.end().saturating_sub(1), capacity.saturating_sub(1)
    )]
    BeyondEnd {
        /// Line or record of the request.
        line: u64,
        /// Its device.
        device: u32,
        /// What it asks for.
        extent: Extent,
        /// Blocks of the device.
        capacity: u64,
    },
    /// A request for no block.
    #[error("line {line}: a request for 0 blocks")]
    Empty {
        /// Line or record of the request.
        line: u64,
    },
    /// Open replay of a request without a time of arrival.
    #[error("line {line}: no time of arrival, which an open replay needs; replay it closed")]
    NoArrival {
        /// Line or record of the request.
        line: u64,
    },
    /// A request that arrives before the one before it.
    #[error("line {line}: arrives at {:.6} s, before the request ahead of it ({:.6} s)", at.as_s(), before.as_s())]
    Unordered {
        /// Line or record of the request.
        line: u64,
        /// Its arrival.
        at: Instant,
        /// The arrival before it.
        before: Instant,
    },
    /// More requests outstanding than the driver allows: they arrive faster than they can be served.
    #[error("overload: {limit} requests outstanding at {:.6} s; they arrive faster than they are served", at.as_s())]
    Overload {
        /// The limit.
        limit: usize,
        /// When it was reached.
        at: Instant,
    },
    /// A fault of the program: requests are outstanding and nothing is left to happen, or time stands still.
    #[error("internal fault at {at:?}: {outstanding} requests outstanding and no progress")]
    Fault {
        /// When.
        at: Instant,
        /// Requests outstanding.
        outstanding: usize,
    },
}
