//! Where a sector is.
//!
//! Models: zones, the three orders in which addresses visit heads and cylinders, skew, spares, slipped and reassigned
//! sectors.
//! Leaves out: time, except that a skew is given as a part of this drive's turn.
//! Invariants: [`Geometry::lba_of`] inverts [`Geometry::locate`]; no two addresses share a place; nothing
//! allocates after [`Geometry::new`].

mod runs;
mod skew;
#[cfg(test)]
mod tests;

use super::spec::{DriveSpec, Layout};
use crate::units::Span;
use runs::{Run, address_runs};
use skew::{SlipAdvance, Steps, TrackSkew};

pub(super) use runs::region_of;

pub use skew::{SkewScheme, SkewSpans, next_cylinder_head};

/// A run of addresses on one track.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrackSpan {
    /// Cylinder, 0 at the outer edge.
    pub cylinder: u32,
    /// Head.
    pub head: u32,
    /// Index of the wanted sector in its track.
    pub sector: u32,
    /// Sectors of the track.
    pub sectors_per_track: u32,
    /// Addresses that follow each other on this track without a gap, the wanted one included.
    pub left: u32,
    /// Angle of the track's first sector as a part of a turn; shorter than a turn.
    pub skew: Span,
    /// Zone.
    pub zone: u32,
}

#[derive(Clone, Copy, Debug)]
struct Zone {
    cylinder: u32,
    cylinders: u32,
    spt: u32,
}

/// The map between addresses and places of one drive.
#[derive(Clone, Debug)]
pub struct Geometry {
    capacity: u64,
    cylinders: u32,
    heads: u32,
    layout: Layout,
    /// First physical sector of each zone, apart from `zones` to keep the search in few cache lines.
    zone_starts: Vec<u64>,
    zones: Vec<Zone>,
    skew: TrackSkew,
    /// Only where slips move later tracks on.
    advance: Option<SlipAdvance>,
    runs: Vec<Run>,
    /// (address, physical place), sorted by address.
    remaps: Vec<(u64, u64)>,
}

impl Geometry {
    /// The map of a drive that turns once in `revolution`. The spec must have been validated.
    pub fn new(spec: &DriveSpec, revolution: Span) -> Geometry {
        let mut zones = Vec::with_capacity(spec.zones.len());
        let mut zone_starts = Vec::with_capacity(spec.zones.len());
        let (mut cylinder, mut physical) = (0, 0);
        for zone in &spec.zones {
            zone_starts.push(physical);
            cylinder += zone.skipped_cylinders;
            zones.push(Zone { cylinder, cylinders: zone.cylinders, spt: zone.spt });
            cylinder += zone.cylinders;
            physical += zone.sectors(spec.heads);
        }
        let (runs, _) = address_runs(spec);
        let held = runs.last().map_or(0, |end| end.lba);
        Geometry {
            capacity: spec.capacity_sectors.min(held),
            cylinders: cylinder,
            heads: spec.heads,
            layout: spec.layout,
            zone_starts,
            zones,
            skew: TrackSkew::new(spec, revolution),
            advance: SlipAdvance::new(spec),
            runs,
            remaps: spec.defects.remaps.iter().map(|remap| (remap.lba, remap.spare)).collect(),
        }
    }

    /// User-addressable sectors.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Cylinders of all zones.
    pub fn cylinders(&self) -> u32 {
        self.cylinders
    }

    /// The place of `lba` and the run of addresses that it begins. An address past the end is taken for the
    /// last one.
    pub fn locate(&self, lba: u64) -> TrackSpan {
        debug_assert!(lba < self.capacity, "address {lba} of {}", self.capacity);
        let lba = lba.min(self.capacity - 1);
        // The closing entry of `runs` is never the answer, so a drive without slips has two and needs no search.
        let index =
            if self.runs.len() == 2 { 0 } else { self.runs.partition_point(|run| run.lba <= lba) - 1 };
        let run = &self.runs[index];
        let end = self.runs[index + 1].lba.min(self.capacity);
        let (mut physical, mut reach) = run.place(lba - run.lba);
        reach = reach.min(end - lba);
        if !self.remaps.is_empty() {
            let next = self.remaps.partition_point(|&(address, _)| address < lba);
            match self.remaps.get(next) {
                Some(&(address, spare)) if address == lba => (physical, reach) = (spare, 1),
                Some(&(address, _)) => reach = reach.min(address - lba),
                None => {}
            }
        }
        self.place(physical, reach)
    }

    /// The first address from `lba` on that is not on its track; the capacity if there is none. Bad sectors do not end a
    /// track, and an address that was reassigned counts with its neighbours.
    pub fn track_end(&self, lba: u64) -> u64 {
        let span = self.locate(lba);
        let on_track = |address: u64| {
            let other = self.locate(address);
            ((other.cylinder, other.head) == (span.cylinder, span.head)).then_some(u64::from(other.left))
        };
        let mut end = lba + u64::from(span.left);
        if span.sector + span.left == span.sectors_per_track {
            return end;
        }
        while end < self.capacity {
            if let Some(left) = on_track(end) {
                end += left;
            } else if end + 1 < self.capacity && on_track(end + 1).is_some() {
                end += 1;
            } else {
                break;
            }
        }
        end
    }

    /// The first address from `lba` on that is not on its cylinder; the capacity if there is none.
    pub fn cylinder_end(&self, lba: u64) -> u64 {
        let cylinder = self.locate(lba).cylinder;
        let mut end = lba;
        while end < self.capacity() {
            let span = self.locate(end);
            if span.cylinder != cylinder {
                break;
            }
            end += u64::from(span.left);
        }
        end
    }

    fn place(&self, physical: u64, reach: u64) -> TrackSpan {
        let index = self.zone_starts.partition_point(|&start| start <= physical) - 1;
        let zone = self.zones[index];
        let offset = physical - self.zone_starts[index];
        let spt = u64::from(zone.spt);
        let track = (offset / spt) as u32;
        let sector = (offset % spt) as u32;
        let (cylinder, head, steps) = self.track_place(zone, track);
        let mut skew = self.skew.of(index, steps);
        if let Some(advance) = &self.advance {
            let tracks = u64::from(cylinder) * u64::from(self.heads);
            let start = self.zone_starts[index];
            skew = self.skew.moved_on(skew, advance.slips(start, tracks, u64::from(head), spt), zone.spt);
        }
        TrackSpan {
            cylinder: zone.cylinder + cylinder,
            head,
            sector,
            sectors_per_track: zone.spt,
            left: u64::from(zone.spt - sector).min(reach) as u32,
            skew,
            zone: index as u32,
        }
    }

    /// Cylinder within the zone, head, and switches since the zone began, of the zone's track number `track`.
    fn track_place(&self, zone: Zone, track: u32) -> (u32, u32, Steps) {
        if self.layout == Layout::SurfaceSerpentine {
            let head = track / zone.cylinders;
            let along = track % zone.cylinders;
            let cylinder = if head.is_multiple_of(2) { along } else { zone.cylinders - 1 - along };
            return (cylinder, head, Steps { heads: head, cylinders: track - head });
        }
        let cylinder = track / self.heads;
        let order = track % self.heads;
        let head = if self.runs_backwards(zone, cylinder) { self.heads - 1 - order } else { order };
        (cylinder, head, Steps { heads: track - cylinder, cylinders: cylinder })
    }

    fn runs_backwards(&self, zone: Zone, cylinder: u32) -> bool {
        match self.layout {
            Layout::Zigzag { restart: true } => cylinder % 2 == 1,
            Layout::Zigzag { restart: false } => (zone.cylinder + cylinder) % 2 == 1,
            Layout::CylinderFirst | Layout::SurfaceSerpentine => false,
        }
    }

    /// Angle, shorter than a turn, at which the track begins that lies `order` changes of head behind the first one of
    /// cylinder number `cylinder` of a zone. Both may be beyond the zone's end. Slips that move tracks on are left aside.
    pub fn track_angle(&self, zone: usize, cylinder: u32, order: u32) -> Span {
        let heads = cylinder.saturating_mul(self.heads - 1).saturating_add(order);
        self.skew.of(zone, Steps { heads, cylinders: cylinder })
    }

    /// The address at a place, or `None` where no address is: spares not in use, bad sectors, and what does
    /// not exist.
    pub fn lba_of(&self, cylinder: u32, head: u32, sector: u32) -> Option<u64> {
        let index = self.zones.partition_point(|zone| zone.cylinder <= cylinder).checked_sub(1)?;
        let zone = *self.zones.get(index)?;
        let within = cylinder - zone.cylinder;
        if within >= zone.cylinders || head >= self.heads || sector >= zone.spt {
            return None;
        }
        let track = if self.layout == Layout::SurfaceSerpentine {
            let along = if head.is_multiple_of(2) { within } else { zone.cylinders - 1 - within };
            u64::from(head) * u64::from(zone.cylinders) + u64::from(along)
        } else {
            let order = if self.runs_backwards(zone, within) { self.heads - 1 - head } else { head };
            u64::from(within) * u64::from(self.heads) + u64::from(order)
        };
        self.address_at(self.zone_starts[index] + track * u64::from(zone.spt) + u64::from(sector))
    }

    fn address_at(&self, physical: u64) -> Option<u64> {
        if let Some(&(lba, _)) = self.remaps.iter().find(|&&(_, spare)| spare == physical) {
            return Some(lba);
        }
        let lba = runs::address_at(&self.runs, physical, self.capacity)?;
        let moved = self.remaps.binary_search_by_key(&lba, |&(address, _)| address).is_ok();
        (!moved).then_some(lba)
    }
}

/// What a spec's addresses occupy, for checks before a [`Geometry`] may be built.
pub(crate) struct Occupied {
    runs: Vec<Run>,
    zone_ends: Vec<u64>,
    capacity: u64,
}

impl Occupied {
    /// The places that `spec` gives to addresses.
    pub(crate) fn new(spec: &DriveSpec) -> Self {
        let (runs, zone_ends) = address_runs(spec);
        Occupied { runs, zone_ends, capacity: spec.capacity_sectors }
    }
    /// Addresses for which there is room.
    pub(crate) fn room(&self) -> u64 {
        self.runs.last().map_or(0, |end| end.lba)
    }
    /// The address at physical place `physical` before any remap.
    pub(crate) fn address_at(&self, physical: u64) -> Option<u64> {
        runs::address_at(&self.runs, physical, self.capacity)
    }
    /// True if physical place `physical` holds an address before any remap: what a spare must not be.
    pub(in crate::drive) fn holds_address(&self, physical: u64) -> bool {
        self.address_at(physical).is_some()
    }
    /// How many addresses each zone holds.
    pub(in crate::drive) fn zone_addresses(&self) -> Vec<u64> {
        let mut before = 0;
        let ends = self.zone_ends.iter().map(|&end| end.min(self.capacity));
        ends.map(|end| end - std::mem::replace(&mut before, end)).collect()
    }
}
