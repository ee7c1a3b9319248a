//! The mechanism reading: for commands, and ahead of them.

use super::super::buffer::SegmentId;
use super::super::mechanics::Access;
use super::super::read_ahead::Run;
use super::super::spec::{ReadAhead, ReadAheadRefill, ReadAheadRestart};
use super::{CommandKind, Drive, DriveEvent, Mechanism, Operation, Step};
use crate::sim::Schedule;
use crate::units::{Extent, Instant, SECTOR_BYTES};

impl Drive {
    /// Which waiting read the mechanism takes next: the one with the shortest positioning time, less what it
    /// has waited for, weighted (a drive without a queue has at most one).
    pub(super) fn next_read(&self, now: Instant) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        // Where the heads are now, not where they were sent from.
        let place = match self.mechanism {
            Mechanism::Reading { mut run, .. } if self.queue_depth > 1 => {
                run.sync(&self.mechanics, now);
                run.place()
            }
            _ => self.place,
        };
        for (index, active) in self.commands.iter().enumerate() {
            if active.step != Step::Waiting || active.command.kind != CommandKind::Read {
                continue;
            }
            if self.queue_depth == 1 {
                return Some(index);
            }
            let leave = now.max(self.decoded(index, false));
            let piece = self.mechanics.piece(place, leave, active.command.extent.lba, Access::Read, false);
            let cost = piece.begin.since(now).as_ms() - self.age_weight * now.since(active.accepted).as_ms();
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((index, cost));
            }
        }
        best.map(|(index, _)| index)
    }

    pub(super) fn read_from_medium(&mut self, index: usize, cx: &mut impl Schedule<DriveEvent>) {
        let extent = self.commands[index].command.extent;
        let begin = self.decode(index, false).max(cx.now());
        // Reading ahead may have come to it while the command was decoded.
        if self.serve_read_from_buffer(index, begin, cx) {
            return;
        }
        self.leave_run(begin);
        let joined = self.buffer.find(extent.lba);
        let (segment, from) = match joined {
            // What is held need not be read again; reading goes on where it had stopped.
            Some(segment) => {
                self.counters.read_partial_hits += 1;
                self.counters.read_ahead_restarts += 1;
                (segment, self.buffer.segment(segment).end)
            }
            None => {
                self.counters.read_misses += 1;
                (self.buffer.allocate(extent, self.cache.sectors()), extent.lba)
            }
        };
        if joined.is_some() {
            self.buffer.touch(segment, extent);
        }
        let limit = self.limit(segment, extent);
        let free = begin.max(self.free_at);
        let leave = free + self.jitter();
        let piece = if self.zero_latency_read {
            let wanted = Extent::new(from, extent.end() - from);
            self.mechanics.piece_zero_latency(self.place, leave, wanted, Access::Read, false)
        } else {
            self.mechanics.piece(self.place, leave, from, Access::Read, joined.is_some())
        };
        if self.free_block_read && joined.is_none() {
            let passed = u64::from(self.mechanics.passed_before(&piece));
            self.buffer.keep_before(segment, passed, self.cache.sectors());
        }
        let run = Run::new(piece, limit);
        self.operation = Operation { start: free, arrived: piece.arrival, begun: piece.begin };
        self.mechanism = Mechanism::Reading { run, segment, busy: begin };
        self.await_run(index, begin, cx);
    }

    /// Where reading stops that serves `extent` and then reads ahead.
    pub(super) fn limit(&self, segment: SegmentId, extent: Extent) -> u64 {
        let stream = self.buffer.segment(segment).stream;
        let whole_segment = extent.lba + self.buffer.segment_sectors(stream).max(extent.sectors);
        let limit = match self.read_ahead {
            ReadAhead::Off => extent.end(),
            ReadAhead::Track => {
                let span = self.mechanics.geometry.locate(extent.end() - 1);
                extent.end() - 1 + u64::from(span.left)
            }
            ReadAhead::Cylinder => self.mechanics.geometry.cylinder_end(extent.end() - 1),
            ReadAhead::Segment => whole_segment,
            ReadAhead::Adaptive { minimum_kib, maximum_kib } => {
                let ahead = if stream { maximum_kib } else { minimum_kib };
                let ahead = extent.end() + u64::from(ahead) * 1024 / SECTOR_BYTES;
                if stream { ahead.min(whole_segment) } else { ahead.max(whole_segment) }
            }
        };
        let room = extent.lba + self.buffer.room(self.cache.sectors());
        limit.min(room).clamp(extent.end(), self.capacity())
    }

    /// Tops up the reading ahead of a reader that has come to `reader`, at `now`.
    pub(super) fn refill(&mut self, segment: SegmentId, reader: u64, wanted: bool, now: Instant) {
        // Who asked for something else than what follows is not reading on: more would only push out what it may ask
        // for again.
        if !wanted && !self.buffer.segment(segment).stream {
            return;
        }
        let limit = self.limit(segment, Extent::new(reader - 1, 1));
        let held = self.buffer.segment(segment).end;
        match &mut self.mechanism {
            Mechanism::Reading { run, segment: s, .. } if *s == segment => {
                let low = match (self.refill, self.restart) {
                    (ReadAheadRefill::Continuous, _) => true,
                    (ReadAheadRefill::Batch, ReadAheadRestart::WhenEmpty) => run.limit() <= reader,
                    (ReadAheadRefill::Batch, ReadAheadRestart::AtKib(kib)) => {
                        run.limit() <= reader + u64::from(kib) * 1024 / SECTOR_BYTES
                    }
                };
                if !low && !wanted {
                    return;
                }
                let target = if low { limit } else { reader };
                if held < run.limit() {
                    run.extend(target);
                } else if target > held {
                    self.restart_run(segment, held, target, now);
                }
            }
            _ => {}
        }
    }

    /// Reading had stopped at `held`; the head is still there and waits for the next sector to come round.
    pub(super) fn restart_run(&mut self, segment: SegmentId, held: u64, limit: u64, now: Instant) {
        let Mechanism::Reading { run, busy, .. } = self.mechanism else { return };
        self.counters.read_ahead_restarts += 1;
        let piece = self.mechanics.piece(run.place(), now, held, Access::Read, true);
        self.operation = Operation { start: now, arrived: piece.arrival, begun: piece.begin };
        self.mechanism = Mechanism::Reading { run: Run::new(piece, limit), segment, busy };
    }

    /// Brings the buffer up to date with what the mechanism has read by `now`.
    pub(super) fn sync_run(&mut self, now: Instant) {
        if let Mechanism::Reading { run, segment, .. } = &mut self.mechanism {
            let reached = run.sync(&self.mechanics, now);
            *segment = self.buffer.fill(*segment, reached, self.cache.sectors());
        }
    }

    /// Breaks reading off at the next sector boundary.
    pub(super) fn stop_reading(&mut self, now: Instant) {
        self.sync_run(now);
        self.leave_run(now);
    }

    /// The heads may leave the run at the next sector boundary from `now` on.
    pub(super) fn leave_run(&mut self, now: Instant) {
        if let Mechanism::Reading { mut run, .. } = self.mechanism {
            run.sync(&self.mechanics, now);
            self.place = run.place();
            self.free_at = run.leaves(&self.mechanics, now);
            self.mechanism = Mechanism::Idle;
        }
    }

    pub(super) fn drop_stale(&mut self, extent: Extent, now: Instant) {
        self.sync_run(now);
        let filling = match self.mechanism {
            Mechanism::Reading { segment, .. } => Some(segment),
            _ => None,
        };
        let kept = self.buffer.invalidate(extent, filling);
        let kept = self.buffer.make_room(self.cache.sectors(), kept);
        match (&mut self.mechanism, kept) {
            (Mechanism::Reading { run, segment, .. }, Some(kept)) => {
                *segment = kept;
                run.shorten(self.buffer.segment(kept).next + self.buffer.room(self.cache.sectors()));
            }
            // A command that still waits for the run gets its sectors; nothing is read ahead.
            (Mechanism::Reading { busy, .. }, None) => {
                let end = now.max(*busy);
                self.leave_run(end);
            }
            _ => {}
        }
    }
}
