//! The processor as a single server, first come first served.

use crate::units::{Instant, Span};

/// One processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu {
    free_at: Instant,
    busy: Span,
}

impl Cpu {
    /// Runs `work` as soon as what was given before is done; returns when it is finished.
    pub fn run(&mut self, now: Instant, work: Span) -> Instant {
        self.free_at = self.free_at.max(now) + work;
        self.busy += work;
        self.free_at
    }

    /// Work done by `now`, which must not be earlier than the last work was given: what was taken on is done without
    /// a pause, so that only the rest until it is free is still to come.
    pub fn busy_until(&self, now: Instant) -> Span {
        self.busy.saturating_sub(self.free_at.max(now).since(now))
    }
}
