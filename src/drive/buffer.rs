//! The drive's buffer as a read cache: segments, each a run of consecutive sectors.
//!
//! Adaptive segmentation: a new place on the disk gets a small segment; a segment whose reader turned out to be
//! sequential may grow, at the cost of those used longest ago. Fixed segmentation: all have one size.

use super::spec::{BufferSpec, Segments};
use crate::units::{Extent, SECTOR_BYTES};

/// One segment: the sectors `[start, end)` are in the buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segment {
    /// Address of the first sector held.
    pub start: u64,
    /// Address after the last sector held.
    pub end: u64,
    /// Address the reader is expected to ask for next.
    pub next: u64,
    /// The reader has asked for exactly that at least once.
    pub stream: bool,
    used: u64,
}

/// The segments of one drive.
#[derive(Clone, Debug)]
pub struct Buffer {
    segments: Vec<Segment>,
    /// Sectors held, all segments together.
    held: u64,
    count_max: usize,
    sectors_total: u64,
    sectors_small: u64,
    sectors_large: u64,
    clock: u64,
}

/// Names a segment until the next allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentId(usize);

impl Buffer {
    /// An empty buffer.
    pub fn new(spec: &BufferSpec) -> Self {
        let sectors = |kib: u32| u64::from(kib) * 1024 / SECTOR_BYTES;
        let total = sectors(spec.size_kib);
        let (count_max, small, large) = match spec.segments {
            Segments::Fixed { count, size_kib } => (count, sectors(size_kib), sectors(size_kib)),
            Segments::Adaptive { minimum_kib, maximum_count } => (maximum_count, sectors(minimum_kib), total),
        };
        Buffer {
            segments: Vec::with_capacity(count_max as usize),
            held: 0,
            count_max: count_max as usize,
            sectors_total: total,
            sectors_small: small,
            sectors_large: large,
            clock: 0,
        }
    }

    /// Sectors a segment may hold, for a sequential reader or for any other.
    pub fn segment_sectors(&self, stream: bool) -> u64 {
        if stream { self.sectors_large } else { self.sectors_small }
    }

    /// The segment that holds the sector `lba`, or ends just before it; of several the one that holds most from
    /// there on.
    pub fn find(&self, lba: u64) -> Option<SegmentId> {
        let mut best: Option<usize> = None;
        for (index, s) in self.segments.iter().enumerate() {
            let holds = s.start <= lba && lba <= s.end && s.start < s.end;
            if holds && best.is_none_or(|best| self.segments[best].end < s.end) {
                best = Some(index);
            }
        }
        best.map(SegmentId)
    }

    /// Sectors held, all segments together.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Sectors that the buffer has beside the `dirty` ones of the write cache.
    pub fn room(&self, dirty: u64) -> u64 {
        self.sectors_total.saturating_sub(dirty)
    }

    /// The segment's state.
    pub fn segment(&self, id: SegmentId) -> &Segment {
        &self.segments[id.0]
    }

    /// A read of `extent` was served from this segment.
    pub fn touch(&mut self, id: SegmentId, extent: Extent) {
        self.clock += 1;
        let segment = &mut self.segments[id.0];
        segment.used = self.clock;
        segment.stream |= segment.next == extent.lba;
        segment.next = extent.end();
    }

    /// The segment has been filled up to `end`; what is oldest in it makes room, and then the segments used longest
    /// ago, beside the `dirty` sectors of the write cache. Returns where the segment is now.
    pub fn fill(&mut self, id: SegmentId, end: u64, dirty: u64) -> SegmentId {
        let segment = &mut self.segments[id.0];
        if end <= segment.end {
            return id;
        }
        let held = segment.end - segment.start;
        segment.end = end;
        let room = if segment.stream { self.sectors_large } else { self.sectors_small };
        // What the reader has not fetched yet stays, whatever the segment's size.
        let oldest = segment.end.saturating_sub(room).min(segment.next);
        segment.start = segment.start.max(oldest);
        self.held = self.held - held + (segment.end - segment.start);
        let id = self.evict(self.count_max, self.room(dirty), Some(id)).unwrap_or(id);
        // A reader that went back leaves more unread than was planned for.
        let over = self.trim(id, dirty);
        self.drop_front(id, over);
        id
    }

    /// A new segment keeps up to `sectors` sectors before its first too, as far as there is room beside `dirty` ones:
    /// they passed under the head while it waited, and cost nothing.
    pub fn keep_before(&mut self, id: SegmentId, sectors: u64, dirty: u64) {
        let room = self.sectors_small.min(self.room(dirty).saturating_sub(self.held()));
        let segment = &mut self.segments[id.0];
        let before = sectors.min(segment.start).min(room);
        segment.start -= before;
        self.held += before;
    }

    /// A new, empty segment for a reader of `extent`; the segments used longest ago make room beside the
    /// `dirty` sectors of the write cache.
    pub fn allocate(&mut self, extent: Extent, dirty: u64) -> SegmentId {
        self.clock += 1;
        let wanted = self.sectors_small.max(extent.sectors);
        self.evict(self.count_max.saturating_sub(1), self.room(dirty + wanted), None);
        let (start, used) = (extent.lba, self.clock);
        self.segments.push(Segment { start, end: start, next: extent.end(), stream: false, used });
        SegmentId(self.segments.len() - 1)
    }

    /// Makes room for `dirty` sectors of the write cache. `keep` is being filled and goes last: first the others,
    /// then what its reader has fetched of it. Returns where it is now.
    pub fn make_room(&mut self, dirty: u64, keep: Option<SegmentId>) -> Option<SegmentId> {
        let kept = self.evict(self.count_max, self.room(dirty), keep)?;
        let over = self.trim(kept, dirty);
        if over > 0 {
            self.segments.clear();
            self.held = 0;
        }
        (over == 0).then_some(kept)
    }

    /// Drops what the reader of `id`, the only segment, has fetched as far as there is no room for it; returns what is
    /// still too much.
    fn trim(&mut self, id: SegmentId, dirty: u64) -> u64 {
        let over = self.held.saturating_sub(self.room(dirty));
        if over == 0 {
            return 0;
        }
        let segment = &self.segments[id.0];
        let fetched = segment.next.min(segment.end).saturating_sub(segment.start);
        self.drop_front(id, over.min(fetched));
        over.saturating_sub(fetched)
    }

    fn drop_front(&mut self, id: SegmentId, sectors: u64) {
        self.segments[id.0].start += sectors;
        self.held -= sectors;
    }

    fn remove(&mut self, index: usize) {
        let removed = self.segments.swap_remove(index);
        self.held -= removed.end - removed.start;
    }

    fn evict(&mut self, count: usize, sectors: u64, keep: Option<SegmentId>) -> Option<SegmentId> {
        let mut keep = keep.map(|id| id.0);
        while self.segments.len() > count || self.held > sectors {
            let candidates = (0..self.segments.len()).filter(|&i| Some(i) != keep);
            let Some(oldest) = candidates.min_by_key(|&i| self.segments[i].used) else { break };
            self.remove(oldest);
            if keep == Some(self.segments.len()) {
                keep = Some(oldest);
            }
        }
        keep.map(SegmentId)
    }

    /// The sectors of `extent` are being overwritten: what the buffer holds of them is stale.
    /// `filling` is dropped too if it is hit, and then None is returned for it.
    pub fn invalidate(&mut self, extent: Extent, filling: Option<SegmentId>) -> Option<SegmentId> {
        let mut filling = filling.map(|id| id.0);
        let mut index = 0;
        while index < self.segments.len() {
            let held = self.segments[index];
            if Extent::new(held.start, held.end - held.start).overlaps(extent) {
                self.remove(index);
                filling = match filling {
                    Some(f) if f == index => None,
                    Some(f) if f == self.segments.len() => Some(index),
                    other => other,
                };
            } else {
                index += 1;
            }
        }
        filling.map(SegmentId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(segments: Segments) -> Buffer {
        Buffer::new(&BufferSpec { size_kib: 512, segments, ..BufferSpec::default() })
    }

    #[test]
    fn the_segment_used_longest_ago_makes_room() {
        let mut buffer = buffer(Segments::Fixed { count: 2, size_kib: 64 });
        for lba in [0, 1000] {
            let id = buffer.allocate(Extent::new(lba, 16), 0);
            buffer.fill(id, lba + 16, 0);
        }
        let first = buffer.find(0).expect("held");
        buffer.touch(first, Extent::new(0, 16));
        let third = buffer.allocate(Extent::new(2000, 16), 0);
        buffer.fill(third, 2016, 0);
        assert!(buffer.find(1000).is_none());
        assert!(buffer.find(0).is_some() && buffer.find(2000).is_some());
    }

    #[test]
    fn a_random_reader_keeps_a_small_segment_and_a_sequential_one_a_large() {
        let mut buffer = buffer(Segments::Adaptive { minimum_kib: 64, maximum_count: 16 });
        let id = buffer.allocate(Extent::new(0, 16), 0);
        buffer.fill(id, 400, 0);
        assert_eq!((buffer.segment(id).start, buffer.segment(id).end), (16, 400), "unread sectors stay");
        buffer.touch(id, Extent::new(16, 384));
        buffer.fill(id, 900, 0);
        assert_eq!(buffer.segment(id).start, 16, "a stream may use the whole buffer");
    }

    #[test]
    fn overwritten_sectors_are_no_longer_found() {
        let mut buffer = buffer(Segments::Adaptive { minimum_kib: 64, maximum_count: 16 });
        let id = buffer.allocate(Extent::new(0, 16), 0);
        buffer.fill(id, 64, 0);
        assert!(buffer.invalidate(Extent::new(63, 4), Some(id)).is_none());
        assert!(buffer.find(0).is_none());
    }
}
