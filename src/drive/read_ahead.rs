//! The mechanism reading on and on: a command's sectors, then what the host may want next.

use super::mechanics::{Access, Mechanics, Piece, Place};
use crate::units::{Extent, Instant, Span};

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

    /// When the last sector of `extent` will have been read, which must not be beyond the limit, and from when on
    /// its data can cross in `transfer` without pause. Sectors before `held` are in the buffer already.
    ///
    /// No sector crosses before it has been read and, one sector time later, checked. Between two changes of
    /// track that is a matter of the first and the last one only.
    pub fn feeds(
        &self,
        mechanics: &Mechanics,
        extent: Extent,
        held: u64,
        transfer: Span,
    ) -> (Instant, Instant) {
        let mut piece = self.piece;
        let mut start = Instant::ZERO;
        loop {
            let end = extent.end().min(piece.lba + u64::from(piece.sectors));
            let first = extent.lba.max(held).max(piece.lba);
            let read = mechanics.reached_at(&piece, end);
            if first < end {
                // The sectors before one cross while it is still to come.
                let lead = |lba: u64| Span::from_ps(transfer.ps() / extent.sectors * (lba - extent.lba));
                let check = mechanics.check_time(&piece);
                let last = read + check;
                let head = mechanics.reached_at(&piece, first + 1) + check;
                for (checked, lba) in [(head, first), (last, end - 1)] {
                    start = start.max(Instant::ZERO + checked.since(Instant::ZERO).saturating_sub(lead(lba)));
                }
            }
            if end == extent.end() {
                return (read, start);
            }
            piece = mechanics.following(&piece, Access::Read);
        }
    }

    /// When the sectors before `end`, which must not be beyond the limit, will all have been read.
    pub fn reads_to(&self, mechanics: &Mechanics, end: u64) -> Instant {
        let mut piece = self.piece;
        while end > piece.lba + u64::from(piece.sectors) {
            piece = mechanics.following(&piece, Access::Read);
        }
        mechanics.reached_at(&piece, end)
    }

    /// Brings the run to `now`: the address of the first sector that has not been read.
    pub fn sync(&mut self, mechanics: &Mechanics, now: Instant) -> u64 {
        while now >= self.piece.end && self.piece.lba + u64::from(self.piece.sectors) < self.limit {
            self.piece = mechanics.following(&self.piece, Access::Read);
        }
        let reached = self.piece.lba + u64::from(mechanics.passed(&self.piece, now));
        reached.min(self.limit)
    }

    /// When the run will have come to its limit, if nothing breaks it off.
    pub fn ends(&self, mechanics: &Mechanics) -> Instant {
        let mut piece = self.piece;
        while piece.lba + u64::from(piece.sectors) < self.limit {
            piece = mechanics.following(&piece, Access::Read);
        }
        mechanics.reached_at(&piece, self.limit.max(piece.lba))
    }

    /// Where the heads are, after `sync`.
    pub fn place(&self) -> Place {
        self.piece.place
    }

    /// Stops the run before `limit`, if it would have gone farther, or at once. Only after `sync`.
    pub fn shorten(&mut self, limit: u64) {
        self.limit = self.limit.min(limit.max(self.piece.lba));
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
