//! The map from array sectors to member sectors.

use super::spec::{Level, RaidError, RaidSpec, Reserved, Unequal};
use crate::units::Extent;

/// First data sector of every member but the first under HighPoint's version 2 metadata, and the number
/// of sectors it keeps of every member.
const HIGHPOINT_V2_SECTORS: u64 = 10;
/// Shift that makes a "stripe unit" longer than any member, for zones that do not stripe.
const WHOLE_SHIFT: u32 = 63;
/// Most sectors of a member: what 48-bit addresses reach.
const MEMBER_SECTORS_MAX: u64 = 1 << 48;

/// A sector of a member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// Index of the member in the array.
    pub member: u8,
    /// Address on that member.
    pub lba: u64,
}

/// A part of an array extent that is contiguous on one member (and on its mirror).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Address in the array of the first sector.
    pub array_lba: u64,
    /// Number of sectors, at least 1 and at most a stripe unit where the level stripes.
    pub sectors: u64,
    /// The first copy.
    pub primary: Location,
    /// The second copy, where the level mirrors. Its address may differ from the first copy's.
    pub mirror: Option<Location>,
}

impl Piece {
    /// The extent of the first copy on its member.
    pub const fn primary_extent(&self) -> Extent {
        Extent::new(self.primary.lba, self.sectors)
    }
    /// Every copy: one location, or two where the level mirrors.
    pub fn copies(&self) -> impl Iterator<Item = Location> {
        std::iter::once(self.primary).chain(self.mirror)
    }
}

/// A member and, where the level mirrors, the member that holds the same data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub primary: u8,
    pub mirror: Option<u8>,
}

/// A stretch of the array that is laid over one set of columns.
#[derive(Clone, Debug)]
pub(super) struct Zone {
    /// First array sector, and the one after the last.
    start: u64,
    end: u64,
    /// Data sector of the members where the zone starts.
    pub base: u64,
    /// Data sector of the members where it ends.
    pub limit: u64,
    pub columns: Vec<Column>,
}

/// Where each sector of an array lies.
#[derive(Clone, Debug)]
pub struct ArrayMap {
    pub(super) zones: Vec<Zone>,
    /// First data sector of each member.
    offsets: Vec<u64>,
    /// The stripe unit is `2^unit_shift` sectors.
    unit_shift: u32,
}

impl ArrayMap {
    /// The map of an array of members with these capacities in sectors.
    ///
    /// # Errors
    /// Any [`RaidError`]: a member count the level cannot have (the limit of the controller is checked by
    /// [`RaidSpec::check_members`]), a stripe unit that is not allowed, a member too small or too large.
    pub fn new(spec: &RaidSpec, member_capacities: &[u64]) -> Result<ArrayMap, RaidError> {
        spec.check_members(member_capacities.len(), usize::from(u8::MAX))?;
        let level = spec.level;
        if level.stripes() && !spec.stripe_is_allowed() {
            return Err(RaidError::Stripe { given_kib: spec.stripe_kib });
        }
        if spec.unequal == Unequal::CutOff && level != Level::Raid0 {
            return Err(RaidError::CutOff { level: level.title() });
        }
        let uses = data_sectors(spec, member_capacities)?;
        let smallest = uses.iter().copied().min().unwrap_or(0);
        let column = |primary: u8, mirror: Option<u8>| Column { primary, mirror };
        let zones = match level {
            Level::Jbod => concatenation(&uses),
            Level::Raid0 if spec.unequal == Unequal::CutOff => cut_off_zones(&uses),
            Level::Single | Level::Raid0 => {
                one_zone((0..uses.len()).map(|member| column(member as u8, None)).collect(), smallest)
            }
            Level::Raid1 => one_zone(vec![column(0, Some(1))], smallest),
            Level::Raid01 => one_zone(vec![column(0, Some(2)), column(1, Some(3))], smallest),
            Level::Raid10 => one_zone(vec![column(0, Some(1)), column(2, Some(3))], smallest),
        };
        let offset = reserved_sectors(spec);
        let offsets = (0..uses.len()).map(|member| if member == 0 { 0 } else { offset }).collect();
        let unit_shift = if level.stripes() { spec.stripe_sectors().trailing_zeros() } else { WHOLE_SHIFT };
        Ok(ArrayMap { zones, offsets, unit_shift })
    }

    /// Sectors of the array.
    pub fn capacity(&self) -> u64 {
        self.zones.last().map_or(0, |zone| zone.end)
    }
    /// Number of members.
    pub fn members(&self) -> usize {
        self.offsets.len()
    }
    /// The stripe unit in sectors, where the level stripes.
    pub fn stripe_sectors(&self) -> Option<u64> {
        (self.unit_shift != WHOLE_SHIFT).then(|| 1 << self.unit_shift)
    }

    /// Appends the pieces of `extent` to `out`, in the order of their array addresses: split at every
    /// stripe edge and at every join of members, nothing merged.
    ///
    /// The extent must lie in the array (checked in debug builds); what lies outside gives no piece.
    pub fn pieces(&self, extent: Extent, out: &mut Vec<Piece>) {
        self.each_piece(extent, |piece| out.push(piece));
    }

    /// The same, handed over one by one.
    #[inline]
    pub fn each_piece(&self, extent: Extent, mut give: impl FnMut(Piece)) {
        debug_assert!(extent.lba.checked_add(extent.sectors).is_some_and(|end| end <= self.capacity()));
        let mut lba = extent.lba;
        let mut left = extent.sectors;
        for zone in &self.zones {
            if left == 0 {
                return;
            }
            if lba >= zone.end {
                continue;
            }
            let in_zone = left.min(zone.end - lba);
            self.pieces_in(zone, lba, in_zone, &mut give);
            lba += in_zone;
            left -= in_zone;
        }
    }

    #[inline]
    fn pieces_in(&self, zone: &Zone, lba: u64, sectors: u64, give: &mut impl FnMut(Piece)) {
        let unit = 1u64 << self.unit_shift;
        let width = zone.columns.len() as u64;
        let unit_number = (lba - zone.start) >> self.unit_shift;
        // One division for the whole extent, and none where it is plain: the following pieces only step to the next column.
        let row = match width.is_power_of_two() {
            true => unit_number >> width.trailing_zeros(),
            false => unit_number / width,
        };
        let mut column_index = (unit_number - row * width) as usize;
        let mut row_lba = zone.base + (row << self.unit_shift);
        let mut within = (lba - zone.start) & (unit - 1);
        let mut array_lba = lba;
        let end = lba + sectors;
        while array_lba < end {
            let length = (unit - within).min(end - array_lba);
            let column = zone.columns[column_index];
            let data_lba = row_lba + within;
            give(Piece {
                array_lba,
                sectors: length,
                primary: self.locate(column.primary, data_lba),
                mirror: column.mirror.map(|member| self.locate(member, data_lba)),
            });
            array_lba += length;
            within = 0;
            column_index += 1;
            if column_index == zone.columns.len() {
                column_index = 0;
                row_lba += unit;
            }
        }
    }

    pub(super) fn locate(&self, member: u8, data_lba: u64) -> Location {
        Location { member, lba: self.offsets[usize::from(member)] + data_lba }
    }

    /// The array address of sector `lba` of `member`; `None` if the sector holds no data of the array
    /// (kept for metadata, or past the last used stripe) or there is no such member.
    pub fn inverse(&self, member: u8, lba: u64) -> Option<u64> {
        let data_lba = lba.checked_sub(*self.offsets.get(usize::from(member))?)?;
        self.zones.iter().find_map(|zone| {
            let holds = |column: &Column| column.primary == member || column.mirror == Some(member);
            let column_index = zone.columns.iter().position(holds)? as u64;
            if !(zone.base..zone.limit).contains(&data_lba) {
                return None;
            }
            let row = (data_lba - zone.base) >> self.unit_shift;
            let within = (data_lba - zone.base) & ((1 << self.unit_shift) - 1);
            let unit_number = row * zone.columns.len() as u64 + column_index;
            Some(zone.start + (unit_number << self.unit_shift) + within)
        })
    }
}

const fn reserved_sectors(spec: &RaidSpec) -> u64 {
    match (spec.level, spec.reserved) {
        (Level::Single, _) | (_, Reserved::None) => 0,
        (_, Reserved::HighPointV2) => HIGHPOINT_V2_SECTORS,
    }
}

/// The sectors of data that each member gives.
fn data_sectors(spec: &RaidSpec, capacities: &[u64]) -> Result<Vec<u64>, RaidError> {
    let reserved = reserved_sectors(spec);
    let unit = if spec.level.stripes() { spec.stripe_sectors() } else { 1 };
    let use_of = |(member, &capacity): (usize, &u64)| {
        if capacity > MEMBER_SECTORS_MAX {
            return Err(RaidError::MemberTooLarge { member, given: capacity });
        }
        match capacity.saturating_sub(reserved) / unit * unit {
            0 => Err(RaidError::MemberTooSmall { member, given: capacity, needed: reserved + unit }),
            sectors => Ok(sectors),
        }
    };
    capacities.iter().enumerate().map(use_of).collect()
}

fn one_zone(columns: Vec<Column>, member_sectors: u64) -> Vec<Zone> {
    let end = member_sectors * columns.len() as u64;
    vec![Zone { start: 0, end, base: 0, limit: member_sectors, columns }]
}

fn concatenation(uses: &[u64]) -> Vec<Zone> {
    let mut start = 0;
    let zone = |(member, &sectors): (usize, &u64)| {
        let columns = vec![Column { primary: member as u8, mirror: None }];
        let zone = Zone { start, end: start + sectors, base: 0, limit: sectors, columns };
        start = zone.end;
        zone
    };
    uses.iter().enumerate().map(zone).collect()
}

/// One zone for each distinct member size: the members that reach past the previous cut-off point.
fn cut_off_zones(uses: &[u64]) -> Vec<Zone> {
    let mut cut_offs = uses.to_vec();
    cut_offs.sort_unstable();
    cut_offs.dedup();
    let (mut start, mut base) = (0, 0);
    let zone = |limit: u64| {
        let reach = uses.iter().enumerate().filter(|&(_, &sectors)| sectors > base);
        let columns: Vec<Column> =
            reach.map(|(member, _)| Column { primary: member as u8, mirror: None }).collect();
        let end = start + (limit - base) * columns.len() as u64;
        let zone = Zone { start, end, base, limit, columns };
        (start, base) = (end, limit);
        zone
    };
    cut_offs.into_iter().map(zone).collect()
}
