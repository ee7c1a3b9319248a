//! Arrivals put in order within a window.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::TraceRequest;
use crate::units::Instant;

/// Holds back up to a window of requests and hands them out by arrival; requests of equal arrival, and those without
/// one, in the order of the file.
pub(super) struct Order {
    window: usize,
    held: BinaryHeap<Reverse<Held>>,
    last: Instant,
    /// Nothing more comes in.
    is_draining: bool,
}

/// A request that arrives before one that has been handed out.
pub(super) struct Late {
    pub line: u64,
    pub at: Instant,
    pub before: Instant,
}

struct Held(TraceRequest);

impl Held {
    fn key(&self) -> (Option<Instant>, u64) {
        (self.0.at, self.0.line)
    }
}
impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl Eq for Held {}
impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Held {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Order {
    pub(super) fn new(window: usize) -> Self {
        Order { window, held: BinaryHeap::new(), last: Instant::ZERO, is_draining: false }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(super) fn push(&mut self, request: TraceRequest) {
        self.held.push(Reverse(Held(request)));
    }

    /// Everything that is held may be handed out.
    pub(super) fn drain(&mut self) {
        self.is_draining = true;
    }

    /// The next request, if none that is still to come may go before it.
    pub(super) fn ready(&mut self) -> Option<TraceRequest> {
        if self.held.len() > self.window || self.is_draining {
            self.held.pop().map(|Reverse(Held(request))| request)
        } else {
            None
        }
    }

    /// Whether requests go straight through.
    pub(super) fn is_direct(&self) -> bool {
        self.window == 0
    }

    /// Hands a request out.
    pub(super) fn take(&mut self, request: TraceRequest) -> Result<TraceRequest, Late> {
        let Some(at) = request.at else { return Ok(request) };
        if at < self.last {
            return Err(Late { line: request.line, at, before: self.last });
        }
        self.last = at;
        Ok(request)
    }
}
