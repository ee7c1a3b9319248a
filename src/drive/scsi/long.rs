//! Requests that are longer than a segment: heads and bus wait for each other, block by block.
//!
//! Models: a block is read when the segment has room for it and written when its data is there, else a turn later (or,
//! with zero-latency access, after whatever else of its track can be taken first); the bus goes on as soon as a sector
//! is done. As in DiskSim 4.0, `disk_buffer_block_available` and `disk_buffer_transfer_size` of `disksim_diskctlr.c` and
//! `disksim_diskcache.c`.

use super::*;
use crate::drive::mechanics::Access;

/// Blocks that cross the bus in one go.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    first: u64,
    end: u64,
    start: Instant,
    block: Span,
}

/// The part of a request that lies on one track, and how far the heads are with it.
#[derive(Clone, Copy, Debug)]
struct Part {
    place: Place,
    first: u64,
    end: u64,
    sector: u32,
    sectors_per_track: u32,
    arrival: Instant,
    /// When block `first` comes by in the present turn, and a turn later.
    base: Instant,
    /// The block that passes next.
    cursor: u64,
    /// Blocks behind a gap that have been taken already.
    ahead: Option<(u64, u64)>,
}

/// A request on its way between heads and bus.
#[derive(Clone, Debug)]
pub(super) struct Long {
    place: Place,
    at: Instant,
    least_seek: Span,
    access: Access,
    zero_latency: bool,
    end: u64,
    /// Blocks of the segment.
    room: u64,
    /// All blocks before it have been read or written.
    done: u64,
    part: Option<Part>,
    /// What has crossed or is crossing, in order.
    chunks: Vec<Chunk>,
    /// Block before which all have crossed once the last chunk has.
    crossed: u64,
}

impl Long {
    /// Blocks `extent` of a segment of `room` blocks, by heads that may leave `place` at `at`.
    pub fn new(
        (place, at, least_seek): (Place, Instant, Span),
        (access, zero_latency): (Access, bool),
        extent: Extent,
        room: u64,
    ) -> Self {
        Long {
            place,
            at,
            least_seek,
            access,
            zero_latency,
            end: extent.end(),
            room,
            done: extent.lba,
            part: None,
            chunks: Vec::new(),
            crossed: extent.lba,
        }
    }

    /// What lies before the blocks to read, from `block` on, is in the segment and crosses first.
    pub fn crosses_from(&mut self, block: u64) {
        self.crossed = block;
    }

    /// Where the heads are at the end, and when they have come to it.
    pub fn ends(&self) -> (Place, Instant) {
        (self.place, self.at)
    }

    /// Block before which all has crossed.
    pub fn crossed(&self) -> u64 {
        self.crossed
    }

    /// Blocks cross from `start` on; returns when they have.
    pub fn cross(&mut self, start: Instant, blocks: u64, block: Span) -> Instant {
        let first = self.crossed;
        self.crossed += blocks;
        self.chunks.push(Chunk { first, end: self.crossed, start, block });
        start + block * blocks
    }

    /// Block before which all have crossed at `at`, while the last chunk crosses.
    fn crossed_at(&self, at: Instant) -> u64 {
        let Some(chunk) = self.chunks.last() else { return self.crossed };
        if at < chunk.start || chunk.block.is_zero() {
            return if at < chunk.start { chunk.first } else { chunk.end };
        }
        (chunk.first + (at - chunk.start).ps() / chunk.block.ps()).min(chunk.end)
    }

    /// Whether `block`, which begins to pass at `at`, can be taken.
    fn takes(&self, block: u64, at: Instant) -> bool {
        match self.access {
            Access::Read => block < self.crossed_at(at) + self.room,
            Access::Write => {
                let chunk = self.chunks.iter().rev().find(|chunk| chunk.first <= block);
                chunk.is_some_and(|chunk| {
                    block < chunk.end && chunk.start + chunk.block * (block - chunk.first + 1) <= at
                })
            }
        }
    }

    /// The part of the track that the heads are over or go to next.
    fn part(&mut self, mechanics: &Mechanics) -> Part {
        if let Some(part) = self.part {
            return part;
        }
        let span = mechanics.geometry.locate(self.done);
        let target = Place { cylinder: span.cylinder, head: span.head };
        let travel = mechanics.positioning(self.place, target, self.access, false);
        let arrival = self.at + travel.max(self.least_seek);
        self.least_seek = Span::ZERO;
        let part = Part {
            place: target,
            first: self.done,
            end: self.end.min(self.done + u64::from(span.left)),
            sector: span.sector,
            sectors_per_track: span.sectors_per_track,
            arrival,
            base: arrival + mechanics.spindle.wait(arrival, mechanics.angle_of(&span)),
            cursor: self.done,
            ahead: None,
        };
        self.part = Some(self.landed(mechanics, part));
        self.part.unwrap_or(part)
    }

    /// With zero-latency access the heads begin within the part, if that is passing.
    fn landed(&self, mechanics: &Mechanics, mut part: Part) -> Part {
        let turn = mechanics.spindle.revolution();
        let Some(base) = part.base.ps().checked_sub(turn.ps()).map(Instant::from_ps) else { return part };
        if !self.zero_latency {
            return part;
        }
        let offset = |block: u64| {
            mechanics.spindle.sectors(part.sector, (block - part.first) as u32, part.sectors_per_track)
        };
        if let Some(cursor) = (part.first..part.end).find(|&block| base + offset(block) >= part.arrival) {
            (part.base, part.cursor) = (base, cursor);
        }
        part
    }

    /// When the next block will have passed.
    fn next_passes(&mut self, mechanics: &Mechanics) -> (Part, Instant, Instant) {
        let part = self.part(mechanics);
        let edge = |block: u64| {
            let sectors = (block - part.first) as u32;
            part.base + mechanics.spindle.sectors(part.sector, sectors, part.sectors_per_track)
        };
        (part, edge(part.cursor), edge(part.cursor + 1))
    }

    /// Lets the next block pass, which begins and ends then.
    fn pass(&mut self, mechanics: &Mechanics, (mut part, begins, ends): (Part, Instant, Instant)) {
        let block = part.cursor;
        if block >= self.done && self.takes(block, begins) {
            if block == self.done {
                self.done += 1;
                if let Some((_, reach)) = part.ahead.take_if(|&mut (start, _)| start == block + 1) {
                    self.done = reach;
                }
            } else if self.zero_latency {
                part.ahead = match part.ahead {
                    Some((start, reach)) if block == reach => Some((start, reach + 1)),
                    Some((start, reach)) if (start..reach).contains(&block) => Some((start, reach)),
                    _ => Some((block, block + 1)),
                };
            }
        }
        part.cursor += 1;
        if part.cursor == part.end {
            part.cursor = part.first;
            part.base += mechanics.spindle.revolution();
        }
        self.part = (self.done < part.end).then_some(part);
        if self.part.is_none() {
            (self.place, self.at) = (part.place, ends);
        }
    }

    /// Block before which all has been read or written at `until`.
    pub fn done_at(&mut self, mechanics: &Mechanics, until: Instant) -> u64 {
        while self.done < self.end {
            let next = self.next_passes(mechanics);
            if next.2 > until {
                break;
            }
            self.pass(mechanics, next);
        }
        self.done
    }

    /// When all blocks before `block` will have been read or written; they must have room or data by then.
    pub fn reaches(&mut self, mechanics: &Mechanics, block: u64) -> Instant {
        let mut at = self.at;
        while self.done < block.min(self.end) {
            let next = self.next_passes(mechanics);
            at = next.2;
            self.pass(mechanics, next);
        }
        at
    }
}

impl ScsiDrive {
    /// Blocks of a read cross from `start` on as they are read, until all have or the drive disconnects.
    pub(super) fn send_long(
        &mut self,
        mut active: Active,
        mut long: Box<Long>,
        start: Instant,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> BusStep {
        let end = active.command.extent.end();
        let mut now = start;
        while long.crossed() < end {
            let read = long.done_at(&self.mechanics, now);
            if read > long.crossed() {
                let blocks = read - long.crossed();
                now = long.cross(now, blocks, active.command.block);
            } else if self.spec.disconnection.holds(false) {
                let next = long.crossed() + 1;
                now = long.clone().reaches(&self.mechanics, next);
            } else {
                let disconnect = self.times.disconnect_read[usize::from(self.last_was_write)];
                let free = after(now, disconnect).max(now);
                active.next = long.crossed();
                self.long = Some(long);
                let ready = self.marked(&active, now).max(free);
                Self::ask(&active, ready, cx);
                return self.hold(active, free, Then::Release);
            }
        }
        active.next = end;
        self.read_on(&active, &mut long);
        let done = after(now, self.times.completion[0]).max(cx.now());
        self.hold(active, done, Then::Complete)
    }

    /// What was asked for has been read: the heads go on as far as planned.
    fn read_on(&mut self, active: &Active, long: &mut Long) {
        let Some(index) = active.segment else { return };
        let end = active.command.extent.end();
        long.reaches(&self.mechanics, end);
        let (place, at) = long.ends();
        self.segments.fill(index, end);
        self.place = place;
        let segment = self.segments.at(index);
        if segment.limit <= end {
            segment.state = State::Clean;
            self.heads = Heads::Idle;
            return;
        }
        let landing = Landing { zero_latency: self.spec.zero_latency_read, free_blocks: false };
        let sweep = Sweep::new(&self.mechanics, (place, at), end, (end, segment.limit), landing);
        self.heads = Heads::Reading { sweep, segment: index };
    }

    /// Blocks of a write cross from `start` on as the segment has room, until all have or the drive disconnects.
    pub(super) fn take_long(
        &mut self,
        mut active: Active,
        start: Instant,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> BusStep {
        let extent = active.command.extent;
        let room = self.segments.blocks();
        let index = self.segment_of(&mut active);
        let begin = (self.place, active.decoded, self.times.minimum_seek);
        let kind = (Access::Write, self.spec.zero_latency_write);
        let mut long = self.long.take().unwrap_or_else(|| Box::new(Long::new(begin, kind, extent, room)));
        let mut now = start;
        while long.crossed() < extent.end() {
            let held = long.crossed() - long.done_at(&self.mechanics, now);
            let blocks = (room - held).min(extent.end() - long.crossed());
            if blocks > 0 {
                now = long.cross(now, blocks, active.command.block);
                continue;
            }
            let written = |long: &Long, block: u64| long.clone().reaches(&self.mechanics, block);
            if self.spec.disconnection.holds(true) {
                now = written(&long, long.crossed() - room + 1);
                continue;
            }
            let left = self.mark(self.spec.write_low_water, extent.sectors).min(room - 1);
            let low = written(&long, long.crossed() - left);
            active.next = long.crossed();
            self.segments.fill(index, active.next);
            self.heads = Heads::Writing { end: Instant::from_ps(u64::MAX / 2) };
            self.long = Some(long);
            return self.let_go(active, now, low, cx);
        }
        active.next = extent.end();
        self.segments.fill(index, extent.end());
        let written = long.reaches(&self.mechanics, extent.end());
        self.place = long.ends().0;
        self.heads = Heads::Writing { end: written };
        self.unwritten.push_back((written, extent.lba));
        if self.spec.fast_write != FastWrite::Off {
            let done = after(now, self.times.completion[1]).max(cx.now());
            return self.hold(active, done, Then::Complete);
        }
        self.let_go(active, now, written, cx)
    }
}
