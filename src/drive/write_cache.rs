//! The write-back cache: which sectors are dirty, and which of them go to the medium next.
//!
//! Invariants: dirty extents are sorted, do not overlap, and are never more than `entries_max` or `sectors_max`
//! (one extent that is being written counts); what was accepted is either dirty, being written, or written.

use super::mechanics::{Access, Mechanics, Place};
use super::spec::{Destage, WriteCacheSpec};
use crate::units::{Extent, Instant, SECTOR_BYTES, Span};

#[derive(Clone, Copy, Debug)]
struct Dirty {
    extent: Extent,
    arrived: Instant,
    place: Place,
    /// Angle at which it begins, as a span after the index mark.
    angle: Span,
}

/// Dirty extents of one drive.
#[derive(Clone, Debug)]
pub struct WriteCache {
    dirty: Vec<Dirty>,
    writing: Option<Extent>,
    sectors: u64,
    entries_max: usize,
    sectors_max: u64,
    extent_max: u64,
    coalesce: bool,
    order: Destage,
    age_limit: Span,
    /// Address after the extent written last: where a sweep goes on.
    swept_to: u64,
    /// Where the heads were when it had been written.
    swept_place: Place,
}

impl WriteCache {
    /// An empty cache.
    pub fn new(spec: &WriteCacheSpec) -> Self {
        WriteCache {
            dirty: Vec::with_capacity(spec.entries_max as usize + 2),
            writing: None,
            sectors: 0,
            entries_max: spec.entries_max as usize,
            sectors_max: u64::from(spec.size_kib) * 1024 / SECTOR_BYTES,
            extent_max: u64::from(spec.extent_kib) * 1024 / SECTOR_BYTES,
            coalesce: spec.coalesce,
            order: spec.destage,
            age_limit: Span::from_ms(spec.age_limit_ms),
            swept_to: 0,
            swept_place: Place::default(),
        }
    }

    /// Sectors that are dirty or being written.
    pub fn sectors(&self) -> u64 {
        self.sectors
    }

    /// Entries in use, the one being written included.
    pub fn entries(&self) -> usize {
        self.dirty.len() + usize::from(self.writing.is_some())
    }

    /// True if nothing waits to be written (something may be on its way).
    pub fn is_clean(&self) -> bool {
        self.dirty.is_empty()
    }

    /// How full the cache is, in 1/1000 of its tighter limit.
    pub fn fill_permille(&self) -> u64 {
        let entries = self.entries() as u64 * 1000 / self.entries_max.max(1) as u64;
        entries.max(self.sectors * 1000 / self.sectors_max.max(1))
    }

    /// True if `extent` can be taken in beside what has been `promised` room: the entries and sectors of writes whose
    /// data is on its way.
    pub fn has_room(&self, extent: Extent, promised: (usize, u64)) -> bool {
        let (entries, sectors) = (self.entries() + promised.0, self.sectors + promised.1);
        let large_alone = sectors == 0;
        // What it would join may be taken before its data is here; but then what is being written has left.
        let joins = || promised.0 == 0 && self.writing.is_some() && self.joins(extent);
        (sectors + extent.sectors <= self.sectors_max || large_alone)
            && (entries < self.entries_max || joins())
    }

    /// True if `extent` would be merged with what is there, and so need no entry of its own.
    fn joins(&self, extent: Extent) -> bool {
        let at = self.dirty.partition_point(|d| d.extent.lba < extent.lba);
        let before = at.checked_sub(1).map(|i| self.dirty[i].extent);
        let fits = |d: Extent| self.coalesce && d.sectors + extent.sectors <= self.extent_max;
        before.is_some_and(|d| d.end() == extent.lba && fits(d))
            || self.dirty.get(at).is_some_and(|d| extent.end() == d.extent.lba && fits(d.extent))
    }

    /// Takes in `extent`; what was dirty of it before is superseded, in place if all of it was one extent.
    pub fn insert(&mut self, extent: Extent, now: Instant, mechanics: &Mechanics) {
        let within = self.dirty.partition_point(|d| d.extent.lba <= extent.lba).checked_sub(1);
        if within.is_some_and(|index| self.dirty[index].extent.contains(extent)) {
            return;
        }
        self.supersede(extent, mechanics);
        let mut at = self.dirty.partition_point(|d| d.extent.lba < extent.lba);
        self.sectors += extent.sectors;
        if self.coalesce && at > 0 {
            let before = &mut self.dirty[at - 1];
            if before.extent.end() == extent.lba && before.extent.sectors + extent.sectors <= self.extent_max
            {
                before.extent.sectors += extent.sectors;
                self.join_following(at - 1);
                return;
            }
        }
        if self.coalesce && at < self.dirty.len() {
            let after = self.dirty[at];
            let joined = Extent::new(extent.lba, extent.sectors + after.extent.sectors);
            if extent.end() == after.extent.lba && joined.sectors <= self.extent_max {
                self.dirty[at] = Self::entry(joined, after.arrived, mechanics);
                return;
            }
        }
        at = at.min(self.dirty.len());
        self.dirty.insert(at, Self::entry(extent, now, mechanics));
    }

    fn join_following(&mut self, index: usize) {
        let Some(&after) = self.dirty.get(index + 1) else { return };
        let grown = &mut self.dirty[index];
        if grown.extent.end() == after.extent.lba
            && grown.extent.sectors + after.extent.sectors <= self.extent_max
        {
            grown.extent.sectors += after.extent.sectors;
            grown.arrived = grown.arrived.min(after.arrived);
            self.dirty.remove(index + 1);
        }
    }

    /// Removes the sectors of `extent` from the dirty extents: newer data replaces them.
    fn supersede(&mut self, extent: Extent, mechanics: &Mechanics) {
        let mut index = self.dirty.partition_point(|d| d.extent.end() <= extent.lba);
        while index < self.dirty.len() && self.dirty[index].extent.lba < extent.end() {
            let old = self.dirty.remove(index);
            self.sectors -= old.extent.sectors;
            let head = extent.lba.saturating_sub(old.extent.lba);
            let tail = old.extent.end().saturating_sub(extent.end());
            for kept in [Extent::new(old.extent.lba, head), Extent::new(extent.end(), tail)] {
                if kept.sectors > 0 {
                    self.sectors += kept.sectors;
                    self.dirty.insert(index, Self::entry(kept, old.arrived, mechanics));
                    index += 1;
                }
            }
        }
    }

    fn entry(extent: Extent, arrived: Instant, mechanics: &Mechanics) -> Dirty {
        let span = mechanics.geometry.locate(extent.lba);
        let place = Place { cylinder: span.cylinder, head: span.head };
        Dirty { extent, arrived, place, angle: mechanics.angle_of(&span) }
    }

    /// True if every sector of `extent` is in the cache.
    pub fn covers(&self, extent: Extent) -> bool {
        if self.dirty.is_empty() && self.writing.is_none() {
            return false;
        }
        let mut lba = extent.lba;
        let mut index = self.dirty.partition_point(|d| d.extent.end() <= lba);
        while lba < extent.end() {
            let dirty = self.dirty.get(index).map(|d| d.extent).filter(|d| d.lba <= lba);
            if let Some(d) = dirty {
                lba = d.end();
                index += 1;
            } else if let Some(w) = self.writing.filter(|w| w.lba <= lba && lba < w.end()) {
                lba = w.end();
                index = self.dirty.partition_point(|d| d.extent.end() <= lba);
            } else {
                return false;
            }
        }
        true
    }

    /// True if some sector of `extent` waits to be written.
    pub fn touches(&self, extent: Extent) -> bool {
        let index = self.dirty.partition_point(|d| d.extent.end() <= extent.lba);
        self.dirty.get(index).is_some_and(|d| d.extent.overlaps(extent))
            || self.writing.is_some_and(|w| w.overlaps(extent))
    }

    /// True if something has waited longer than the age limit.
    pub fn overdue(&self, now: Instant) -> bool {
        self.oldest().is_some_and(|arrived| now.since(arrived) >= self.age_limit)
    }

    /// When the extent that has waited longest will be overdue.
    pub fn due(&self) -> Option<Instant> {
        self.oldest().map(|arrived| arrived + self.age_limit)
    }

    fn oldest(&self) -> Option<Instant> {
        self.dirty.iter().map(|d| d.arrived).min()
    }

    /// Takes the extent to write next, for a mechanism that may leave `from` at `at`, and says whether it goes on
    /// where the last one ended. The extent counts as cached until [`written`](Self::written).
    pub fn take(&mut self, mechanics: &Mechanics, from: Place, at: Instant) -> Option<(Extent, bool)> {
        if self.dirty.is_empty() {
            return None;
        }
        let index = self.choose(mechanics, from, at);
        let extent = self.dirty.remove(index).extent;
        let sequential = self.goes_on(extent, from);
        self.writing = Some(extent);
        self.swept_to = extent.end();
        Some((extent, sequential))
    }

    /// The extent taken last ends with the heads at `place`.
    pub fn ends_at(&mut self, place: Place) {
        self.swept_place = place;
    }

    /// True if writing `extent` goes on where the last write ended, for heads at `from`: still there.
    fn goes_on(&self, extent: Extent, from: Place) -> bool {
        extent.lba == self.swept_to && from == self.swept_place
    }

    fn choose(&self, mechanics: &Mechanics, from: Place, at: Instant) -> usize {
        let smallest = |key: &dyn Fn(&Dirty) -> u64| {
            (0..self.dirty.len()).min_by_key(|&i| key(&self.dirty[i])).unwrap_or_default()
        };
        if self.overdue(at) {
            return smallest(&|d| d.arrived.ps());
        }
        match self.order {
            Destage::Fcfs => smallest(&|d| d.arrived.ps()),
            Destage::Sstf => smallest(&|d| u64::from(d.place.cylinder.abs_diff(from.cylinder))),
            Destage::CLook => {
                let next = self.dirty.partition_point(|d| d.extent.lba < self.swept_to);
                if next < self.dirty.len() { next } else { 0 }
            }
            Destage::Sptf => smallest(&|d| {
                let sequential = self.goes_on(d.extent, from);
                let travel = mechanics.positioning(from, d.place, Access::Write, sequential);
                (travel + mechanics.spindle.wait(at + travel, d.angle)).ps()
            }),
        }
    }

    /// The extent taken last is on the medium.
    pub fn written(&mut self) -> Option<Extent> {
        let extent = self.writing.take();
        self.sectors -= extent.map_or(0, |extent| extent.sectors);
        extent
    }

    /// The extent being written, which may meanwhile have been superseded; for tests and fault models.
    pub fn writing(&self) -> Option<Extent> {
        self.writing
    }

    /// The dirty extents in address order, the one being written last; for tests and fault models.
    pub fn extents(&self) -> impl Iterator<Item = Extent> + '_ {
        self.dirty.iter().map(|d| d.extent).chain(self.writing)
    }
}
