//! Heads that write blocks while these still come over the bus.

use super::super::geometry::TrackSpan;
use super::super::mechanics::{Access, Mechanics, Place};
use crate::units::{Extent, Instant, Span};

/// Blocks that come over the bus one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Data {
    /// The first of them.
    pub first: u64,
    /// When it starts to cross.
    pub start: Instant,
    /// Time of each.
    pub block: Span,
    /// Nothing is written before so many are in the buffer.
    pub least: u64,
    /// So many from a block on must be there for it to be written, at least one; fewer if there are no more.
    pub lead: u64,
    /// How many there are.
    pub blocks: u64,
}

impl Data {
    /// When `block` can be written.
    fn ready(&self, block: u64) -> Instant {
        let count = (block.saturating_sub(self.first) + self.lead).max(self.least);
        self.start + self.block * count.min(self.blocks)
    }
}

/// Writing from track to track.
#[derive(Clone, Copy, Debug)]
pub(super) struct WritePass {
    /// Where the heads are when it has got so far.
    pub place: Place,
    /// When it has got so far.
    pub at: Instant,
    /// A write may start in the middle of its blocks.
    pub zero_latency: bool,
    /// What the first seek takes at least.
    pub least_seek: Span,
}

impl WritePass {
    /// Writes `extent` as its `data` comes.
    pub fn write(&mut self, mechanics: &Mechanics, extent: Extent, data: &Data) {
        let mut lba = extent.lba;
        while lba < extent.end() {
            let span = mechanics.geometry.locate(lba);
            let blocks = u64::from(span.left).min(extent.end() - lba);
            let target = Place { cylinder: span.cylinder, head: span.head };
            let travel = mechanics.positioning(self.place, target, Access::Write, false);
            let arrival = self.at + travel.max(self.least_seek);
            self.least_seek = Span::ZERO;
            self.place = target;
            let track = Track { mechanics, span, extent: Extent::new(lba, blocks), arrival };
            self.at = track.written(data, self.zero_latency);
            lba += blocks;
        }
    }
}

/// The part of a write that lies on one track.
struct Track<'a> {
    mechanics: &'a Mechanics,
    span: TrackSpan,
    extent: Extent,
    arrival: Instant,
}

impl Track<'_> {
    /// Time from the beginning of the first block to that of `block`.
    fn offset(&self, block: u64) -> Span {
        let sectors = (block - self.extent.lba) as u32;
        self.mechanics.spindle.sectors(self.span.sector, sectors, self.span.sectors_per_track)
    }

    /// When all blocks have been written.
    fn written(&self, data: &Data, zero_latency: bool) -> Instant {
        let spindle = &self.mechanics.spindle;
        let wait = spindle.wait(self.arrival, self.mechanics.angle_of(&self.span));
        let first = self.arrival + wait;
        let late = data.ready(self.extent.end() - 1);
        let misses = zero_latency && !wait.is_zero();
        if !misses {
            return if late <= first {
                first + self.offset(self.extent.end())
            } else {
                self.in_order(first, data)
            };
        }
        let missed = spindle.revolution() - wait;
        if late > self.arrival {
            return self.in_any_order(first, data);
        }
        let passing = self.offset(self.extent.end() - 1);
        if missed >= passing {
            return first + self.offset(self.extent.end());
        }
        // What passes first is written first, and what was missed one turn later.
        let passed = spindle.sectors_within(self.span.sector, missed, self.span.sectors_per_track);
        let border = self.extent.lba + u64::from(passed);
        let landed = if self.offset(border) == missed { border } else { border + 1 };
        first + self.offset(landed)
    }

    /// Block after block; each has to wait for its data, and if that comes too late for a turn.
    fn in_order(&self, first: Instant, data: &Data) -> Instant {
        let turn = self.mechanics.spindle.revolution();
        let mut base = first;
        for block in self.extent.lba..self.extent.end() {
            let (begins, ready) = (base + self.offset(block), data.ready(block));
            if ready > begins {
                base += turn * (ready - begins).ps().div_ceil(turn.ps());
            }
        }
        base + self.offset(self.extent.end())
    }

    /// Zero-latency writing of blocks that still come: besides the run from the first block on, one run further on is
    /// remembered.
    fn in_any_order(&self, first: Instant, data: &Data) -> Instant {
        let turn = self.mechanics.spindle.revolution();
        let (mut next, end) = (self.extent.lba, self.extent.end());
        let mut ahead: Option<(u64, u64)> = None;
        // The first turn is that in which the heads arrive: part of the blocks has passed.
        let mut base = first;
        loop {
            for block in self.extent.lba..end {
                let passes = (base + self.offset(block)).ps();
                let Some(begins) = passes.checked_sub(turn.ps()).map(Instant::from_ps) else { continue };
                if begins < self.arrival || data.ready(block) > begins {
                    continue;
                }
                if block == next {
                    next += 1;
                    if let Some((start, reach)) = ahead
                        && start == next
                    {
                        (next, ahead) = (reach, None);
                    }
                } else if block > next {
                    ahead = match ahead {
                        Some((start, reach)) if block == reach => Some((start, reach + 1)),
                        Some((_, reach)) if block < reach => ahead,
                        _ => Some((block, block + 1)),
                    };
                }
                if next == end {
                    return Instant::from_ps((base + self.offset(block + 1)).ps() - turn.ps());
                }
            }
            base += turn;
        }
    }
}
