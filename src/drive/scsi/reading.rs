//! Reads: hits, misses, reading on, and what crosses when.

use super::segments::Hit;
use super::*;
use crate::drive::mechanics::Access;

impl ScsiDrive {
    pub(super) fn begin_read(&mut self, mut active: Active, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        let (now, extent) = (cx.now(), active.command.extent);
        let times = self.times;
        let rules = HitRules { on_written: self.spec.hits_on_written, almost: self.spec.almost_hits };
        let hit = if self.spec.caching { self.segments.hit(extent, rules) } else { Hit::Miss };
        active.decoded = after(now, times.decode(false, false, self.last_was_write));
        active.segment = match hit {
            Hit::Whole(index) | Hit::Partial(index) => Some(index),
            Hit::Miss => None,
        };
        let joins = matches!(self.heads, Heads::Reading { segment, .. } if Some(segment) == active.segment);
        let busy = if joins { None } else { self.busy_until() };
        let at_once = self.answers_at_once(hit, extent, busy.is_some());
        if joins {
            self.go_on(&active);
        } else {
            let start = match busy {
                Some(end) => {
                    // Nothing can come between, so that is as good as done.
                    if matches!(self.heads, Heads::Reading { .. }) {
                        self.settle(end);
                    }
                    active.decoded.max(end)
                }
                // The heads first come to rest, then the command is decoded for them.
                None => {
                    let breaks_off = hit == Hit::Miss && matches!(self.heads, Heads::Reading { .. });
                    let abort = if breaks_off { times.read_abort } else { Span::ZERO };
                    active.decoded + self.stop(now).since(now) + abort
                }
            };
            self.fetch(&mut active, hit, start);
        }
        if let Some(index) = active.segment {
            self.segments.touch(index);
            // What a read has had counts as read from then on.
            self.segments.at(index).written = false;
        }
        let whole = matches!(hit, Hit::Whole(_));
        let known = hit != Hit::Miss;
        if at_once || self.never_disconnects() {
            let decode = times.decode(false, known, self.last_was_write);
            let start = after(now, decode + times.preparation).max(now);
            return self.send(active, start, cx);
        }
        let disconnect = times.disconnect_read[usize::from(self.last_was_write)];
        let free = after(active.decoded, disconnect).max(now);
        let heads = busy.unwrap_or(now);
        let ready = if whole { heads } else { self.marked(&active, now).max(heads) };
        Self::ask(&active, ready.max(free), cx);
        self.hold(active, free, Then::Release)
    }

    /// True if a read is answered without a disconnection.
    fn answers_at_once(&mut self, hit: Hit, extent: Extent, busy: bool) -> bool {
        match hit {
            Hit::Miss => false,
            Hit::Whole(_) => !busy || self.spec.hits_while_busy,
            Hit::Partial(index) => {
                let mark = self.mark(self.spec.read_high_water, extent.sectors).min(extent.sectors);
                let held = self.segments.at(index).end.saturating_sub(extent.lba);
                (self.spec.partial_hits_at_once || held >= mark)
                    && (!busy || self.spec.partial_hits_while_busy)
            }
        }
    }

    /// The heads are reading into the segment that answers the read: they go on, farther than planned.
    fn go_on(&mut self, active: &Active) {
        let Some(index) = active.segment else { return };
        let (least, limit) = self.plan(index, active.command.extent);
        if let Heads::Reading { sweep, .. } = &mut self.heads {
            sweep.extend(active.command.extent.end(), limit);
        }
        let segment = self.segments.at(index);
        (segment.least, segment.limit) = (least, limit);
    }

    /// The heads, free at `start`, read what the buffer has not got, and on.
    fn fetch(&mut self, active: &mut Active, hit: Hit, start: Instant) {
        let extent = active.command.extent;
        let index = active.segment.unwrap_or_else(|| self.segments.take_for_read(extent.lba));
        active.segment = Some(index);
        let (least, limit) = self.plan(index, extent);
        let segment = self.segments.at(index);
        (segment.least, segment.limit) = (least, limit);
        let from = segment.end;
        let wanted = from < extent.end();
        let on = self.spec.prefetch_on_hit && from < limit && !matches!(self.heads, Heads::Writing { .. });
        if !wanted && !on {
            return;
        }
        if let Heads::Writing { .. } = self.heads {
            self.writes_done();
        }
        let start = if hit == Hit::Miss { start + self.short_of_least_seek(from) } else { start };
        let room = self.segments.blocks();
        if wanted && extent.sectors > room {
            let kind = (Access::Read, self.spec.zero_latency_read);
            let rest = Extent::new(from, extent.end() - from);
            let mut long = Long::new((self.place, start, Span::ZERO), kind, rest, room);
            long.crosses_from(extent.lba);
            self.segments.at(index).state = State::Reading;
            self.segments.at(index).written = false;
            self.heads = Heads::Idle;
            self.long = Some(Box::new(long));
            return;
        }
        let free_blocks = self.spec.free_blocks && hit == Hit::Miss;
        let landing = Landing { zero_latency: self.spec.zero_latency_read, free_blocks };
        let passed = if self.spec.whole_track { self.blocks_before(from) } else { 0 };
        let sweep = Sweep::new(&self.mechanics, (self.place, start), from, (extent.end(), limit), landing);
        let segment = self.segments.at(index);
        segment.state = State::Reading;
        segment.written = false;
        let before = if hit == Hit::Miss { passed.max(sweep.free_blocks()) } else { sweep.free_blocks() };
        segment.start -= before.min(segment.start);
        self.heads = Heads::Reading { sweep, segment: index };
    }

    /// Blocks that lie before `lba` on its track without a gap.
    fn blocks_before(&self, lba: u64) -> u64 {
        let span = self.mechanics.geometry.locate(lba);
        let track = (span.cylinder, span.head);
        let mut before = u64::from(span.sector).min(lba);
        // Slipped blocks make the track begin with a later one than its sectors say.
        while before > 0 {
            let first = self.mechanics.geometry.locate(lba - before);
            if (first.cylinder, first.head) == track && u64::from(first.left) > before {
                break;
            }
            before -= 1;
        }
        before
    }

    /// By how much the seek to `lba` is shorter than the least of a read.
    fn short_of_least_seek(&self, lba: u64) -> Span {
        let target = self.mechanics.place_of(lba);
        let seek = self.mechanics.positioning(self.place, target, Access::Read, false);
        self.times.minimum_read_seek.saturating_sub(seek)
    }

    /// Blocks to which reading goes in any case, and at most, for a read of `extent` in a segment.
    fn plan(&mut self, index: usize, extent: Extent) -> (u64, u64) {
        let capacity = self.capacity();
        let blocks = self.segments.blocks();
        let segment = *self.segments.at(index);
        let end = extent.end();
        let (least, most) =
            (u64::from(self.spec.prefetch_minimum_blocks), u64::from(self.spec.prefetch_maximum_blocks));
        let farthest = match (most, self.spec.prefetch_room) {
            (0, PrefetchRoom::Beside) => end.max(extent.lba + blocks).max(end + least),
            (0, PrefetchRoom::Overwrites | PrefetchRoom::Drops) => end + blocks.max(least),
            (most, _) => end + most.max(least),
        };
        let limit = match self.spec.prefetch {
            Prefetch::Off => return (segment.least.max(end), segment.limit.max(end)),
            Prefetch::Segment => farthest,
            Prefetch::Track => farthest.min(self.mechanics.geometry.track_end(end - 1)),
            Prefetch::Cylinder => farthest.min(self.mechanics.geometry.cylinder_end(end - 1)),
            Prefetch::NextTrack => self.next_track_end(segment.start, extent),
        };
        let (least, limit) = ((end + least).min(capacity), limit.clamp(end, capacity));
        (segment.least.max(least.min(limit)), segment.limit.max(limit))
    }

    /// The end of the track of the block after a request, and of one more if the segment began on an earlier one. That
    /// one counts as long as the track on which the request begins.
    fn next_track_end(&self, start: u64, extent: Extent) -> u64 {
        let geometry = &self.mechanics.geometry;
        let block = extent.end().min(self.capacity() - 1);
        let end = geometry.track_end(block);
        if start < block - self.blocks_before(block) {
            end + u64::from(geometry.locate(extent.lba).sectors_per_track)
        } else {
            end
        }
    }

    pub(super) fn reconnect_read(&mut self, active: Active, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        let start = after(cx.now(), self.times.reselect_first + self.times.preparation);
        self.send(active, start.max(cx.now()), cx)
    }

    /// When the water mark of what has not crossed yet is reached, from `now` on.
    pub(super) fn marked(&mut self, active: &Active, now: Instant) -> Instant {
        let extent = active.command.extent;
        let mark = self.mark(self.spec.read_high_water, extent.sectors);
        let needed = (active.next + mark.max(1)).min(extent.end());
        if let Some(long) = &self.long {
            return long.as_ref().clone().reaches(&self.mechanics, needed).max(now);
        }
        match self.heads {
            Heads::Reading { mut sweep, segment } if Some(segment) == active.segment => {
                sweep.reaches(&self.mechanics, needed).max(now)
            }
            _ => now,
        }
    }

    /// Blocks cross from `start` on, as far as they have been read, until all have or the drive disconnects.
    fn send(&mut self, mut active: Active, start: Instant, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        if let Some(long) = self.long.take() {
            return self.send_long(active, long, start, cx);
        }
        let extent = active.command.extent;
        let held = active.segment.map_or(0, |index| self.segments.at(index).end);
        let mut source = match self.heads {
            Heads::Reading { sweep, segment } if Some(segment) == active.segment => Some(sweep),
            _ => None,
        };
        let holds = self.spec.disconnection.holds(false);
        let mut now = start;
        while active.next < extent.end() {
            let read = match &mut source {
                Some(sweep) => sweep.sync(&self.mechanics, now).max(held).min(extent.end()),
                None => extent.end(),
            };
            if read > active.next {
                now += active.command.block * (read - active.next);
                active.next = read;
            } else if holds {
                now = source.as_mut().map_or(now, |sweep| sweep.reaches(&self.mechanics, active.next + 1));
            } else {
                let free = after(now, self.times.disconnect_read[usize::from(self.last_was_write)]).max(now);
                let ready = self.marked(&active, now).max(free);
                Self::ask(&active, ready, cx);
                return self.hold(active, free, Then::Release);
            }
        }
        let done = after(now, self.times.completion[0]).max(cx.now());
        self.hold(active, done, Then::Complete)
    }

    /// The host has all of a read.
    pub(super) fn read_completed(&mut self, index: usize, end: u64) {
        let segment = self.segments.at(index);
        if self.spec.prefetch_room == PrefetchRoom::Drops {
            segment.start = end.min(segment.end);
        }
        if !self.spec.caching {
            segment.state = State::Empty;
            if let Heads::Reading { sweep, .. } = self.heads {
                self.place = sweep.place();
                self.heads = Heads::Idle;
            }
        }
    }
}
