//! Which places hold addresses: runs of them between slips, spares and reserved sectors.

use super::super::spec::{DriveSpec, SpareScheme, ZoneSpec};

/// Addresses that lie one behind the other, also across tracks; the next run's `lba` ends it.
///
/// Where spares stand at regular distances (every cylinder, every track) the run goes over them: it consists of pieces
/// of `room` addresses that begin every `region` places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub lba: u64,
    pub physical: u64,
    /// Addresses of a piece; `u64::MAX` for a run of one piece.
    pub room: u64,
    /// Places from the start of a piece to that of the next one.
    pub region: u64,
}

impl Run {
    /// The place of the address `offset` behind the run's first one, and how many follow it without a gap.
    #[inline]
    pub(super) fn place(&self, offset: u64) -> (u64, u64) {
        if self.room == u64::MAX {
            return (self.physical + offset, u64::MAX);
        }
        let (piece, inside) = (offset / self.room, offset % self.room);
        (self.physical + piece * self.region + inside, self.room - inside)
    }

    /// The address at a place at or behind the run's first one, if the run goes that far and the place is no gap of it.
    fn address(&self, physical: u64) -> Option<u64> {
        let offset = physical - self.physical;
        if self.room == u64::MAX {
            return Some(self.lba + offset);
        }
        let (piece, inside) = (offset / self.region, offset % self.region);
        (inside < self.room).then(|| self.lba + piece * self.room + inside)
    }
}

/// The address below `capacity` that `runs` give to a place.
pub(super) fn address_at(runs: &[Run], physical: u64, capacity: u64) -> Option<u64> {
    let after = runs.partition_point(|run| run.physical <= physical);
    let run = runs.get(after.checked_sub(1)?)?;
    let end = runs.get(after)?.lba.min(capacity);
    run.address(physical).filter(|&lba| lba < end)
}

/// The runs of a spec's addresses in order, with a closing entry behind all of them, and the address behind each zone.
pub(super) fn address_runs(spec: &DriveSpec) -> (Vec<Run>, Vec<u64>) {
    let mut builder = Builder { runs: Vec::new(), lba: 0, skip: 0, left: 0 };
    let mut ends = Vec::with_capacity(spec.zones.len());
    let mut start = 0;
    for zone in &spec.zones {
        zone_runs(spec, zone, start, &mut builder);
        ends.push(builder.lba);
        start += zone.sectors(spec.heads);
    }
    let lba = builder.lba;
    builder.runs.push(Run { lba, physical: u64::MAX, room: u64::MAX, region: 0 });
    (builder.runs, ends)
}

/// What a slip does to the addresses of its region.
#[derive(Clone, Copy, PartialEq)]
enum Push {
    /// They move towards the spares behind them.
    Behind,
    /// They move towards the spares before them.
    Before,
    /// They keep off the spares, which are the last of each region, and move into the next region.
    On,
    /// The same with spares that are the first of each region.
    OnBehindFront,
}

/// How a zone is cut.
struct Cut {
    /// Places of a region.
    region: u64,
    /// Spares of a full region.
    spares: u64,
    push: Push,
    /// A slip takes the whole track.
    tracks: bool,
}

/// Places of a region of `scheme` in `zone`, spares of a region in sectors.
pub(in crate::drive) fn region_of(spec: &DriveSpec, zone: &ZoneSpec) -> (u64, u64) {
    let cut = cut(spec, zone);
    (cut.region, cut.spares)
}

fn cut(spec: &DriveSpec, zone: &ZoneSpec) -> Cut {
    let size = zone.sectors(spec.heads);
    let track = u64::from(zone.spt);
    let cylinder = track * u64::from(spec.heads);
    let cut = |region, spares, push| Cut { region, spares, push, tracks: false };
    match spec.spare_scheme {
        SpareScheme::None | SpareScheme::EndOfDisk => cut(size, 0, Push::Behind),
        SpareScheme::EndOfZone => cut(size, zone.spares, Push::Behind),
        SpareScheme::EndOfZoneForRemaps => cut(size, zone.spares, Push::On),
        SpareScheme::TracksOfZone => {
            Cut { region: size, spares: zone.spares.saturating_mul(track), push: Push::Behind, tracks: true }
        }
        SpareScheme::EndOfCylinder => cut(cylinder, zone.spares, Push::Behind),
        SpareScheme::EndOfCylinderForRemaps => cut(cylinder, zone.spares, Push::On),
        SpareScheme::FrontOfCylinder => cut(cylinder, zone.spares, Push::Before),
        SpareScheme::FrontOfCylinderForRemaps => cut(cylinder, zone.spares, Push::OnBehindFront),
        SpareScheme::EndOfTrack => cut(track, zone.spares, Push::Behind),
        SpareScheme::EndOfRange { cylinders } => {
            cut(cylinder * u64::from(cylinders), zone.spares, Push::Behind)
        }
    }
}

fn zone_runs(spec: &DriveSpec, zone: &ZoneSpec, start: u64, builder: &mut Builder) {
    let cut = cut(spec, zone);
    let size = zone.sectors(spec.heads);
    let end = start + size;
    let slips = &spec.defects.slips;
    let slips =
        &slips[slips.partition_point(|&slip| slip < start)..slips.partition_point(|&slip| slip < end)];
    let region = cut.region.max(1);
    let room = region.saturating_sub(cut.spares);
    (builder.skip, builder.left) = (zone.reserved, u64::MAX);
    if matches!(cut.push, Push::On | Push::OnBehindFront) {
        let regular = size / region * room;
        builder.left = regular.saturating_sub(zone.reserved + slips.len() as u64);
    }
    let front = if matches!(cut.push, Push::Before | Push::OnBehindFront) { region - room } else { 0 };
    let (mut at, mut next) = (start, 0);
    while at < end {
        let clean = slips.get(next).map_or(end - at, |slip| (slip - at) / region * region);
        let whole = clean / region;
        builder.emit(at + front, room, region, whole);
        at += whole * region;
        if at >= end {
            break;
        }
        let stop = (at + region).min(end);
        let count = slips[next..].partition_point(|&slip| slip < stop);
        let bad = &slips[next..next + count];
        // A range that the zone's end cuts short has no spares of its own.
        let room = if stop - at < region { room.min(stop - at) } else { room };
        region_with_slips(
            &cut,
            Region { start: at, end: stop, room, front },
            bad,
            u64::from(zone.spt),
            builder,
        );
        next += count;
        at = stop;
    }
}

struct Region {
    start: u64,
    end: u64,
    room: u64,
    front: u64,
}

/// The addresses of one region around its bad places.
fn region_with_slips(cut: &Cut, region: Region, bad: &[u64], track: u64, builder: &mut Builder) {
    let Region { start, end, room, front } = region;
    let mut good = Vec::with_capacity(bad.len() + 1);
    let mut at = start;
    for &slip in bad {
        let (from, to) = match cut.tracks {
            true => {
                let from = start + (slip - start) / track * track;
                (from, from + track)
            }
            false => (slip, slip + 1),
        };
        good.push((at, from.max(at)));
        at = to;
    }
    good.push((at, end.max(at)));
    let total: u64 = good.iter().map(|&(from, to)| to - from).sum();
    // Places to pass over before the first address, and addresses to give.
    let (mut pass, mut give) = match cut.push {
        Push::Before => (total.saturating_sub(room), room),
        Push::Behind => (0, room),
        Push::On | Push::OnBehindFront => (0, u64::MAX),
    };
    for (from, to) in good {
        let (from, to) = match cut.push {
            Push::On => (from, to.min(start + room)),
            Push::OnBehindFront => (from.max(start + front), to),
            Push::Behind | Push::Before => (from, to),
        };
        let length = to.saturating_sub(from);
        let passed = pass.min(length);
        pass -= passed;
        let given = (length - passed).min(give);
        give -= given;
        builder.emit(from + passed, given, given, 1);
    }
}

/// Gathers runs; passes over the reserved front of a zone and stops at its last address.
struct Builder {
    runs: Vec<Run>,
    lba: u64,
    skip: u64,
    left: u64,
}

impl Builder {
    /// Adds `count` pieces of `room` addresses, one every `region` places from `physical` on.
    fn emit(&mut self, mut physical: u64, room: u64, region: u64, mut count: u64) {
        if room == 0 || count == 0 {
            return;
        }
        if self.skip > 0 {
            let whole = (self.skip / room).min(count);
            self.skip -= whole * room;
            physical += whole * region;
            count -= whole;
            if count > 0 && self.skip > 0 {
                let part = std::mem::take(&mut self.skip);
                self.push(physical + part, (room - part).min(self.left), 1, 0);
                physical += region;
                count -= 1;
            }
        }
        let whole = (self.left / room).min(count);
        self.push(physical, room, whole, region);
        if whole < count {
            let rest = self.left.min(room);
            self.push(physical + whole * region, rest, 1, 0);
        }
    }

    fn push(&mut self, physical: u64, room: u64, count: u64, region: u64) {
        if room == 0 || count == 0 {
            return;
        }
        let one_piece = count == 1 || room == region;
        let joins = |last: &Run| {
            one_piece && last.room == u64::MAX && last.physical + (self.lba - last.lba) == physical
        };
        // Runs that continue each other stay one, so that a faultless disk needs no search.
        if !self.runs.last().is_some_and(joins) {
            let room = if one_piece { u64::MAX } else { room };
            self.runs.push(Run { lba: self.lba, physical, room, region });
        }
        self.lba += room * count;
        self.left = self.left.saturating_sub(room * count);
    }
}
