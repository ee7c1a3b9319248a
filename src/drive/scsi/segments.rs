//! The buffer: segments of one size, each with one run of blocks, which reads and writes share.

use super::super::spec::SegmentSpec;
use crate::units::Extent;

/// What a segment is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum State {
    /// It holds nothing that may be used.
    #[default]
    Empty,
    /// It holds what is on the medium.
    Clean,
    /// The heads read into it.
    Reading,
    /// It holds blocks that are not on the medium yet.
    Dirty,
}

/// One segment: blocks `[start, end)`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Segment {
    pub start: u64,
    pub end: u64,
    pub state: State,
    /// A write filled it last.
    pub written: bool,
    /// Block to which reading on goes even if a command waits.
    pub least: u64,
    /// Block before which reading on stops.
    pub limit: u64,
    used: u64,
}

impl Segment {
    fn overlaps(&self, extent: Extent) -> bool {
        self.state != State::Empty && self.start < extent.end() && extent.lba < self.end
    }
    fn holds(&self, lba: u64) -> bool {
        self.start <= lba && lba < self.end
    }
}

/// What the buffer has of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hit {
    /// Its first block is in this segment, or is just being read.
    Partial(usize),
    /// All of it is.
    Whole(usize),
    /// Nothing that can be used.
    Miss,
}

/// Which segments may answer reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitRules {
    /// What was written may.
    pub on_written: bool,
    /// So may a segment into which the wanted block is just being read.
    pub almost: bool,
}

/// The segments of one drive.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    segments: Vec<Segment>,
    blocks: u64,
    dedicated_write: bool,
    write_count: usize,
    /// A write renews its blocks wherever they are held.
    renews: bool,
    clock: u64,
}

/// The segment that a drive keeps for writes, if it does.
const DEDICATED: usize = 0;

impl Segments {
    pub fn new(spec: &SegmentSpec, renews: bool) -> Self {
        Segments {
            segments: vec![Segment::default(); spec.count as usize],
            blocks: u64::from(spec.blocks),
            dedicated_write: spec.dedicated_write,
            write_count: spec.write_count as usize,
            renews,
            clock: 0,
        }
    }

    /// Blocks of a segment.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    pub fn at(&mut self, index: usize) -> &mut Segment {
        &mut self.segments[index]
    }

    /// The dirty segment that a write of `extent` continues, with room beside what is not on the medium yet: of the
    /// segment's blocks those from `written_to` on.
    pub fn dirty_before(&self, extent: Extent, written_to: Option<u64>) -> Option<usize> {
        let continues = |segment: &Segment| {
            let first = written_to.map_or(segment.start, |block| block.clamp(segment.start, segment.end));
            segment.state == State::Dirty && segment.end == extent.lba && extent.end() - first <= self.blocks
        };
        self.segments.iter().position(continues)
    }

    /// What was dirty is on the medium, and the segments are in `state`.
    pub fn clean(&mut self, state: State) {
        for segment in self.segments.iter_mut().filter(|segment| segment.state == State::Dirty) {
            segment.state = state;
        }
    }

    /// The segment now ends before `end`; what is oldest in it makes room.
    pub fn fill(&mut self, index: usize, end: u64) {
        let segment = &mut self.segments[index];
        segment.end = end.max(segment.end);
        segment.start = segment.start.max(segment.end.saturating_sub(self.blocks));
    }

    /// True if the segment was used last of all.
    pub fn is_newest(&self, index: usize) -> bool {
        self.segments[index].used == self.clock
    }

    /// True if one more segment may become dirty.
    pub fn takes_write(&self) -> bool {
        self.segments.iter().filter(|s| s.state == State::Dirty).count() < self.write_count
    }

    /// What the buffer has of a read of `extent`: dirty blocks are the freshest, then those being read.
    pub fn hit(&self, extent: Extent, rules: HitRules) -> Hit {
        let mut best = (0, Hit::Miss, 0);
        // What is kept for writes answers no read.
        let first = usize::from(self.dedicated_write);
        for (index, segment) in self.segments.iter().enumerate().skip(first) {
            let rank = match segment.state {
                State::Empty => 0,
                State::Dirty => 7,
                State::Reading => 5,
                State::Clean => 4,
            };
            let usable = rules.on_written || !segment.written;
            let almost = rules.almost && segment.state == State::Reading && segment.end == extent.lba;
            let (rank, hit) = match () {
                () if rank == 0 || !usable || !(segment.holds(extent.lba) || almost) => continue,
                () if segment.end >= extent.end() => (rank + 4, Hit::Whole(index)),
                () => (rank, Hit::Partial(index)),
            };
            // Of equals the one used longest ago.
            if rank > best.0 || (rank == best.0 && segment.used < best.2) {
                best = (rank, hit, segment.used);
            }
        }
        best.1
    }

    /// The segment for a read that the buffer cannot answer, emptied: an empty one before a clean one before that which
    /// is read into, and of equals the one used longest ago.
    pub fn take_for_read(&mut self, lba: u64) -> usize {
        let first = usize::from(self.dedicated_write);
        let rank = |segment: &Segment| match segment.state {
            State::Empty => 0,
            State::Clean => 1,
            State::Reading => 2,
            State::Dirty => 3,
        };
        let best = (first..self.segments.len())
            .min_by_key(|&index| (rank(&self.segments[index]), self.segments[index].used))
            .unwrap_or(first);
        self.reset(best, lba, false);
        best
    }

    /// The segment for a write of `extent`: a clean one that it overlaps unless that is renewed, an empty one, a clean
    /// one, that which is read into; of equals the one used longest ago.
    pub fn choose_for_write(&self, extent: Extent) -> usize {
        if self.dedicated_write {
            return DEDICATED;
        }
        let rank = |segment: &Segment| match segment.state {
            State::Clean if segment.overlaps(extent) && !self.renews => 0,
            State::Empty => 1,
            State::Clean => 2,
            State::Reading => 3,
            State::Dirty => 4,
        };
        (0..self.segments.len())
            .min_by_key(|&index| (rank(&self.segments[index]), self.segments[index].used))
            .unwrap_or_default()
    }

    /// The segment is for a new write of `extent`: it is emptied, and so is whatever holds older blocks, except segment
    /// `kept`.
    pub fn reset_for_write(&mut self, index: usize, extent: Extent, kept: Option<usize>) {
        self.invalidate(extent, kept);
        self.reset(index, extent.lba, true);
        self.segments[index].state = State::Dirty;
    }

    /// What is read into the segment ends before blocks that are written now, unless these are renewed.
    pub fn cut(&mut self, index: usize, extent: Extent) {
        let segment = &mut self.segments[index];
        if segment.start < extent.lba && !self.renews {
            segment.end = segment.end.min(extent.lba);
        }
    }

    /// What is clean and overlaps `extent` is stale, except segment `kept`, and unless it is renewed.
    pub fn invalidate(&mut self, extent: Extent, kept: Option<usize>) {
        if self.renews {
            return;
        }
        for (index, segment) in self.segments.iter_mut().enumerate() {
            if kept != Some(index) && segment.state == State::Clean && segment.overlaps(extent) {
                segment.state = State::Empty;
            }
        }
    }

    fn reset(&mut self, index: usize, lba: u64, written: bool) {
        self.touch(index);
        let used = self.clock;
        self.segments[index] =
            Segment { start: lba, end: lba, state: State::Clean, written, least: 0, limit: 0, used };
    }

    /// The segment is used for a command.
    pub fn touch(&mut self, index: usize) {
        self.clock += 1;
        self.segments[index].used = self.clock;
    }
}
