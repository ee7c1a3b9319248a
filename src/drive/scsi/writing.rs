//! Writes: data from the bus into a segment, and from there to the medium.

use super::pass::{Data, WritePass};
use super::*;

impl ScsiDrive {
    pub(super) fn begin_write(&mut self, mut active: Active, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        let now = cx.now();
        let fast = self.spec.fast_write != FastWrite::Off;
        let decode = self.times.decode(true, fast, self.last_was_write);
        active.decoded = after(now, decode).max(now);
        let busy = self.busy_until();
        let joined = self.joined(active.command.extent, now);
        let free_segment = self.spec.write_prebuffering && self.segments.takes_write();
        if let Some(end) = busy {
            active.decoded = active.decoded.max(end);
            // Reading on ends then, and nothing can come between.
            if matches!(self.heads, Heads::Reading { .. }) {
                self.settle(end);
            }
        }
        if busy.is_some() && joined.is_none() && !free_segment && !self.never_disconnects() {
            let disconnect = if fast { self.times.disconnect_write } else { 0 };
            let free = after(now, decode + disconnect).max(now);
            Self::ask(&active, busy.unwrap_or(now).max(free), cx);
            return self.hold(active, free, Then::Release);
        }
        if joined.is_none() && busy.is_none() {
            let extent = active.command.extent;
            let read_into = match self.heads {
                Heads::Reading { segment, .. } => Some(segment),
                _ => None,
            };
            // Where reads may have what was written, the segment that is read into takes the new data too.
            active.chosen = Some((self.segments.choose_for_write(extent), read_into));
            if let (Some(segment), false) = (read_into, self.spec.hits_on_written) {
                self.segments.cut(segment, extent);
            }
            active.decoded += self.stop(now).since(now);
        }
        active.segment = joined;
        let may_disconnect = busy.is_none() && !self.never_disconnects();
        if let Some(extra) = self.spec.extra_write_disconnect.filter(|_| may_disconnect)
            && self.follows_a_write(active.command.extent)
        {
            let ps = |ms: f64| Span::from_ms(ms);
            active.extra = Extra::Disconnected;
            active.decoded =
                now + ps(extra.command_ms) + ps(extra.seek_ms) + active.decoded.since(after(now, decode));
            let free = now + ps(extra.command_ms) + ps(extra.disconnect_ms);
            Self::ask(&active, free + ps(extra.pause_ms), cx);
            return self.hold(active, free, Then::Release);
        }
        let late = self.times.write_data[usize::from(self.last_was_write)];
        let start = after(now, decode + self.times.preparation + late).max(now);
        self.take(active, start, cx)
    }

    /// The segment of a write, not on the medium yet, that one of `extent` continues, if they may be combined.
    fn joined(&mut self, extent: Extent, now: Instant) -> Option<usize> {
        if !self.spec.combine_writes || !matches!(self.heads, Heads::Writing { .. }) {
            return None;
        }
        while self.unwritten.front().is_some_and(|&(end, _)| end <= now) {
            self.unwritten.pop_front();
        }
        let first = self.unwritten.front().map(|&(_, first)| first);
        self.segments.dirty_before(extent, first)
    }

    /// True if a write of `extent` follows another one and does not continue it.
    fn follows_a_write(&mut self, extent: Extent) -> bool {
        let index = self.segments.choose_for_write(extent);
        let segment = *self.segments.at(index);
        self.segments.is_newest(index) && segment.written && segment.end != extent.lba
    }

    pub(super) fn reconnect_write(
        &mut self,
        mut active: Active,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> BusStep {
        let now = cx.now();
        let reselect = match active.extra {
            Extra::None => self.times.reselect_first,
            Extra::Disconnected => self.times.reselect_first,
            Extra::Reconnected => self.times.reselect_other,
        };
        if active.next == active.command.extent.end() {
            let done = after(now, reselect + self.times.completion[1]).max(now);
            return self.hold(active, done, Then::Complete);
        }
        if active.segment.is_none() {
            self.settle(now);
        }
        if active.extra == Extra::Disconnected {
            active.extra = Extra::Reconnected;
        }
        let start = after(now, reselect + self.times.preparation).max(now);
        self.take(active, start, cx)
    }

    /// Blocks cross from `start` on, as many as the segment has room for, and go to the medium.
    pub(super) fn take(
        &mut self,
        mut active: Active,
        start: Instant,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> BusStep {
        let extent = active.command.extent;
        let long = active.segment.is_none() && extent.sectors > self.segments.blocks();
        if long || self.long.is_some() {
            return self.take_long(active, start, cx);
        }
        // Heads that go on with what they write need no seek.
        let continues = matches!(self.heads, Heads::Writing { .. })
            && (active.segment.is_some() || active.next > extent.lba);
        let index = self.segment_of(&mut active);
        let blocks = (extent.end() - active.next).min(self.segments.blocks());
        let part = Extent::new(active.next, blocks);
        let data = Data {
            first: part.lba,
            start,
            block: active.command.block,
            least: self.least_blocks(extent.sectors),
            lead: u64::from(self.spec.write_lead_blocks.max(1)),
            blocks,
        };
        let left = self.mark(self.spec.write_low_water, extent.sectors).min(blocks);
        active.next = part.end();
        self.segments.fill(index, part.end());
        let crossed = start + data.block * blocks;
        let begin = match self.heads {
            Heads::Writing { end } => active.decoded.max(end),
            _ => active.decoded,
        };
        let mut pass = WritePass {
            place: self.place,
            at: begin,
            zero_latency: self.spec.zero_latency_write,
            least_seek: if continues { Span::ZERO } else { self.times.minimum_seek },
        };
        let all = active.next == extent.end();
        if all {
            pass.write(&self.mechanics, part, &data);
        } else {
            pass.write(&self.mechanics, Extent::new(part.lba, blocks - left), &data);
        }
        let low = pass.at;
        if !all {
            pass.write(&self.mechanics, Extent::new(part.end() - left, left), &data);
        }
        self.place = pass.place;
        self.heads = Heads::Writing { end: pass.at };
        self.unwritten.push_back((pass.at, part.lba));
        if all && self.spec.fast_write != FastWrite::Off {
            let done = after(crossed, self.times.completion[1]).max(cx.now());
            return self.hold(active, done, Then::Complete);
        }
        if !all && self.spec.disconnection.holds(true) {
            return self.hold(active, low.max(crossed), Then::Take);
        }
        self.let_go(active, crossed, if all { pass.at } else { low }, cx)
    }

    /// A write has nothing to transfer from `crossed` to `ready`: it disconnects, or waits if it must not.
    pub(super) fn let_go(
        &mut self,
        active: Active,
        crossed: Instant,
        ready: Instant,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> BusStep {
        let disconnect = match (active.extra, self.spec.extra_write_disconnect) {
            (Extra::Reconnected, Some(extra)) => Span::from_ms(extra.second_disconnect_ms).ps() as i64,
            _ => self.times.disconnect_write,
        };
        let free = after(crossed, disconnect).max(cx.now());
        Self::ask(&active, ready.max(free), cx);
        self.hold(active, free, Then::Release)
    }

    /// The segment of a write, chosen when its data comes.
    pub(super) fn segment_of(&mut self, active: &mut Active) -> usize {
        let extent = active.command.extent;
        let index = match active.segment {
            Some(index) => {
                self.segments.touch(index);
                self.segments.invalidate(extent, None);
                index
            }
            None => {
                let (index, kept) =
                    active.chosen.unwrap_or_else(|| (self.segments.choose_for_write(extent), None));
                self.segments.reset_for_write(index, extent, kept);
                index
            }
        };
        active.segment = Some(index);
        index
    }

    /// Blocks that must be in the buffer before a write of `sectors` starts on the medium.
    fn least_blocks(&self, sectors: u64) -> u64 {
        u64::from(self.spec.write_start_blocks(sectors))
    }

    /// All writes are on the medium: what they leave in the buffer may answer reads, if the drive lets it.
    pub(super) fn writes_done(&mut self) {
        let kept = self.spec.caching && self.spec.hits_on_written;
        self.segments.clean(if kept { State::Clean } else { State::Empty });
        self.unwritten.clear();
        self.heads = Heads::Idle;
    }
}
