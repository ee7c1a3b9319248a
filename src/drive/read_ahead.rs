//! The mechanism reading on and on: a command's sectors, then what the host may want next.

use super::mechanics::{Access, Mechanics, Piece, Place};
use crate::units::{Instant, Span};

/// A run of reading. Lazy: nothing happens at the sectors; the run is asked how far it has come, or when it will
/// have come to a sector. It costs no event.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    piece: Piece,
    limit: u64,
}

impl Run {
    /// A run whose first piece is `piece` and that stops before `limit`.
    pub fn new(piece: Piece, limit: u64) -> Self {
        Run { piece, limit }
    }

    /// Address before which the run stops.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Lets the run go on to `limit`, if that is farther. Only while it has not stopped yet.
    pub fn extend(&mut self, limit: u64) {
        self.limit = self.limit.max(limit);
    }

    /// When the sector before `lba_end` will have been read; `lba_end` must not be beyond the limit.
    pub fn reaches(&self, mechanics: &Mechanics, lba_end: u64) -> Instant {
        let mut piece = self.piece;
        while piece.lba + u64::from(piece.sectors) < lba_end {
            piece = mechanics.following(&piece, Access::Read);
        }
        mechanics.reached_at(&piece, lba_end)
    }

    /// Brings the run to `now`: the address of the first sector that has not been read.
    pub fn sync(&mut self, mechanics: &Mechanics, now: Instant) -> u64 {
        while now >= self.piece.end && self.piece.lba + u64::from(self.piece.sectors) < self.limit {
            self.piece = mechanics.following(&self.piece, Access::Read);
        }
        let reached = self.piece.lba + u64::from(mechanics.passed(&self.piece, now));
        reached.min(self.limit)
    }

    /// Where the heads are, after `sync`.
    pub fn place(&self) -> Place {
        self.piece.place
    }

    /// The earliest instant from `now` on at which the heads may leave: the end of the sector under them.
    pub fn leaves(&self, mechanics: &Mechanics, now: Instant) -> Instant {
        let done = mechanics.passed(&self.piece, now);
        let next = self.piece.lba + u64::from(done) + 1;
        if now <= self.piece.begin || next > self.limit.min(self.piece.lba + u64::from(self.piece.sectors)) {
            return now;
        }
        let boundary = mechanics.reached_at(&self.piece, next);
        // A piece taken from its middle has no boundaries of its own to wait for.
        if boundary.since(now) > Span::from_ms(1.0) { now } else { boundary }
    }
}
