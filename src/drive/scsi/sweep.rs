//! Heads that read on and on along the addresses: how far they have come, and when they will have come somewhere.

use super::super::mechanics::{Access, Mechanics, Place};
use crate::units::{Instant, Span};

/// How reading begins on a track.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Landing {
    /// It begins with whatever passes first.
    pub zero_latency: bool,
    /// What passes before the first wanted block is kept.
    pub free_blocks: bool,
}

/// Reading from track to track. Lazy: it is asked how far it has come, and costs no event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    place: Place,
    /// Block that begins the present track's part, and the one after its last.
    from: u64,
    next: u64,
    /// Sector of `from`, and sectors of the track.
    sector: u32,
    sectors_per_track: u32,
    /// The heads are over the track.
    arrival: Instant,
    /// The first sector begins that is read.
    begin: Instant,
    /// `from` begins.
    restart: Instant,
    /// Block that passes at `begin`.
    landed: u64,
    /// What is read from `landed` on before `from` comes round ends before this block; `landed` if nothing is.
    reach: u64,
    /// First block whose reading may be broken off.
    wanted: u64,
    limit: u64,
    landing: Landing,
}

impl Sweep {
    /// Reading from block `lba` on, by heads that may leave `place` at `start`: to `wanted`, and on to `limit`.
    pub fn new(
        mechanics: &Mechanics,
        (place, start): (Place, Instant),
        lba: u64,
        (wanted, limit): (u64, u64),
        landing: Landing,
    ) -> Self {
        let mut sweep = Sweep {
            place,
            from: lba,
            next: lba,
            sector: 0,
            sectors_per_track: 1,
            arrival: start,
            begin: start,
            restart: start,
            landed: lba,
            reach: lba,
            wanted,
            limit,
            landing,
        };
        sweep.land(mechanics, start);
        sweep
    }

    /// Goes over to the track of block `next`, at `at`.
    fn land(&mut self, mechanics: &Mechanics, at: Instant) {
        let lba = self.next;
        let span = mechanics.geometry.locate(lba);
        let target = Place { cylinder: span.cylinder, head: span.head };
        let spindle = &mechanics.spindle;
        self.arrival = at + mechanics.positioning(self.place, target, Access::Read, false);
        let wait = spindle.wait(self.arrival, mechanics.angle_of(&span));
        (self.place, self.from, self.next) = (target, lba, lba + u64::from(span.left));
        (self.sector, self.sectors_per_track) = (span.sector, span.sectors_per_track);
        self.restart = self.arrival + wait;
        (self.begin, self.landed, self.reach) = (self.restart, lba, lba);
        let Landing { zero_latency, free_blocks } = self.landing;
        if (zero_latency || (free_blocks && span.sector > 0)) && !wait.is_zero() {
            self.land_within(mechanics, spindle.revolution() - wait);
        }
    }

    /// The heads have arrived `missed` after block `from` began: they begin with the block that comes next, if this
    /// track has any.
    fn land_within(&mut self, mechanics: &Mechanics, missed: Span) {
        let spindle = &mechanics.spindle;
        let (sector, spt) = (self.sector, self.sectors_per_track);
        let left = (self.next - self.from) as u32;
        if missed >= spindle.sectors(sector, left - 1, spt) {
            return;
        }
        let passed = spindle.sectors_within(sector, missed, spt);
        let at_border = spindle.sectors(sector, passed, spt) == missed;
        let first = if at_border { passed } else { passed + 1 };
        self.landed = self.from + u64::from(first);
        self.begin = self.restart + spindle.sectors(sector, first, spt) - spindle.revolution();
        let useful = if self.from < self.wanted { self.wanted } else { self.limit };
        let last = useful.min(self.next);
        self.reach = if self.landing.zero_latency { last.max(self.landed) } else { self.landed };
    }

    /// Where the heads are going, or are.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Block before which it stops.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Lets it go on: to `wanted` for a command, and to `limit`.
    pub fn extend(&mut self, wanted: u64, limit: u64) {
        self.wanted = self.wanted.max(wanted);
        self.limit = self.limit.max(limit);
    }

    /// Lets it stop before `limit`, which it has not come to yet.
    pub fn shorten(&mut self, limit: u64) {
        self.limit = self.limit.min(limit);
    }

    /// Blocks before the first wanted one that pass and are kept, if it reads free blocks and has to wait for the track
    /// to come round.
    pub fn free_blocks(&self) -> u64 {
        if self.landing.free_blocks && self.landed > self.from { u64::from(self.sector) } else { 0 }
    }

    /// When block `block`, from `from` to `next`, begins in the turn that reads `from`.
    fn begins(&self, mechanics: &Mechanics, block: u64) -> Instant {
        let sectors = (block - self.from) as u32;
        self.restart + mechanics.spindle.sectors(self.sector, sectors, self.sectors_per_track)
    }

    /// When all blocks before `end`, which is on the present track, have been read.
    fn reached_here(&self, mechanics: &Mechanics, end: u64) -> Instant {
        let last = if end > self.landed && end <= self.reach { self.landed } else { end };
        self.begins(mechanics, last)
    }

    /// Goes on to the next track once this one is done at `now`; false if it is not, or nothing is left.
    fn moves_on(&mut self, mechanics: &Mechanics, now: Instant) -> bool {
        if self.next >= self.limit {
            return false;
        }
        let done = self.reached_here(mechanics, self.next);
        if done > now {
            return false;
        }
        self.land(mechanics, done);
        true
    }

    /// Brings it to `now`: the block before which everything has been read.
    pub fn sync(&mut self, mechanics: &Mechanics, now: Instant) -> u64 {
        while self.moves_on(mechanics, now) {}
        if now < self.restart {
            return self.from;
        }
        let (spindle, elapsed) = (&mechanics.spindle, now - self.restart);
        let left = (self.next - self.from) as u32;
        let passed = match elapsed < spindle.revolution() {
            true => spindle.sectors_within(self.sector, elapsed, self.sectors_per_track).min(left),
            false => left,
        };
        let mut end = self.from + u64::from(passed);
        if end >= self.landed {
            end = end.max(self.reach);
        }
        end.min(self.limit)
    }

    /// When all blocks before `end`, which is not beyond the limit, will have been read; goes on to there.
    pub fn reaches(&mut self, mechanics: &Mechanics, end: u64) -> Instant {
        while end > self.next {
            let done = self.reached_here(mechanics, self.next);
            self.land(mechanics, done);
        }
        self.reached_here(mechanics, end.max(self.from))
    }

    /// When the heads may leave if they are called off at `now`, after `sync`: a seek is finished, and unless they stop
    /// `at_once` also the rotational delay or the sector.
    pub fn leaves(&self, mechanics: &Mechanics, now: Instant, at_once: bool) -> Instant {
        if now < self.arrival {
            return self.arrival;
        }
        if at_once {
            return now;
        }
        if now < self.begin {
            return self.begin;
        }
        let turn = mechanics.spindle.revolution();
        let (spindle, spt) = (&mechanics.spindle, self.sectors_per_track);
        let landed = (self.sector + (self.landed - self.from) as u32) % spt;
        let elapsed = (now - self.begin) % turn;
        let whole = now - elapsed;
        let passed = spindle.sectors_within(landed, elapsed, spt);
        whole + spindle.sectors(landed, passed + 1, spt)
    }
}
