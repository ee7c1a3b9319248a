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

    /// Work done or taken on so far.
    pub fn busy(&self) -> Span {
        self.busy
    }
}
