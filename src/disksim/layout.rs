//! `dm_layout_g1`: zones, order of addresses, skews, spares, bad sectors.

use std::collections::BTreeSet;

use super::context::Context;
use super::tree::{Block, Spot};
use crate::drive::DriveSpec;
use crate::drive::geometry::Occupied;
use crate::drive::spec::{Layout, Remap, SkewSpec, SpareScheme, ZoneSkew, ZoneSpec};

/// Cylinders that a drive may have; far above any.
const CYLINDERS_MAX: i64 = 1 << 20;
/// Remapped sectors that a model may list.
const REMAPS_MAX: usize = 100_000;

/// Reads the layout into `spec`, whose heads are known.
pub(super) fn read<'d>(context: &mut Context<'d, '_, '_>, layout: &'d Block, spec: &mut DriveSpec) {
    spec.layout = match context.integer(layout, "LBN-to-PBN mapping scheme", 0..=2) {
        0 => Layout::CylinderFirst,
        mapping => Layout::Zigzag { restart: mapping == 1 },
    };
    for (field, key) in [
        ("layout", "LBN-to-PBN mapping scheme"),
        ("spare_scheme", "Sparing scheme used"),
        ("zones", "Zones"),
        ("skew", "Zones"),
        ("defects", "Zones"),
    ] {
        let spot = context.spot(layout, key);
        context.place(field, spot);
    }
    let range = context.integer(layout, "Rangesize for sparing", 1..=CYLINDERS_MAX) as u32;
    spec.spare_scheme = scheme(context.integer(layout, "Sparing scheme used", 0..=10), range);
    let units = Units::of(context, layout, Units::Sectors);
    let mut each = Vec::new();
    let mut defects: Vec<Defect> = Vec::new();
    let (mut start, mut next_cylinder) = (0, 0);
    for item in context.list(layout, "Zones") {
        let block = match context.blocks.block_of(item) {
            Some(block)
                if context.blocks.kind(block).is_some_and(|kind| kind.name == "dm_layout_g1_zone") =>
            {
                block
            }
            _ => {
                let message = format!("{} in the list of zones", item.value.noun());
                context.fault(item.spot, message, "write `dm_layout_g1_zone { ... }`");
                continue;
            }
        };
        let Some(zone) = zone(context, block, spec, &mut next_cylinder) else { continue };
        places(context, block, spec.zones.len());
        each.push(skew(context, block, zone.spt, units));
        bad_places(context, block, spec, (start, zone), &mut defects);
        start += zone.sectors(spec.heads);
        spec.zones.push(zone);
    }
    if spec.zones.is_empty() {
        let spot = context.spot(layout, "Zones");
        context.fault(spot, "the layout has no zones", "write at least one");
        return;
    }
    let by_cylinder_or_track = matches!(
        spec.spare_scheme,
        SpareScheme::EndOfCylinder
            | SpareScheme::EndOfCylinderForRemaps
            | SpareScheme::FrontOfCylinder
            | SpareScheme::FrontOfCylinderForRemaps
            | SpareScheme::EndOfTrack
    );
    let slips_advance = by_cylinder_or_track && !spec.defects.slips.is_empty();
    spec.skew = SkewSpec::Zones { each, slips_advance };
    finish(context, spec, &defects);
}

fn scheme(number: i64, range: u32) -> SpareScheme {
    match number {
        0 => SpareScheme::None,
        1 => SpareScheme::TracksOfZone,
        2 => SpareScheme::EndOfCylinder,
        3 => SpareScheme::EndOfTrack,
        4 => SpareScheme::EndOfCylinderForRemaps,
        5 => SpareScheme::FrontOfCylinder,
        6 => SpareScheme::FrontOfCylinderForRemaps,
        7 => SpareScheme::EndOfDisk,
        8 => SpareScheme::EndOfRange { cylinders: range },
        9 => SpareScheme::EndOfZone,
        _ => SpareScheme::EndOfZoneForRemaps,
    }
}

/// What a skew is measured in.
#[derive(Clone, Copy, PartialEq)]
enum Units {
    Sectors,
    Turns,
}

impl Units {
    fn of<'d>(context: &mut Context<'d, '_, '_>, block: &'d Block, otherwise: Units) -> Units {
        match context.word(block, "Skew units") {
            None => otherwise,
            Some(("sectors", _)) => Units::Sectors,
            Some(("revolutions", _)) => Units::Turns,
            Some((word, spot)) => {
                context.fault(
                    spot,
                    format!("`{word}` is no unit of skew"),
                    "write `sectors` or `revolutions`",
                );
                otherwise
            }
        }
    }
}

impl Units {
    /// What of a skew counts.
    fn whole(self, value: f64) -> f64 {
        if self == Units::Sectors { value.trunc() } else { value }
    }
}

fn zone<'d>(
    context: &mut Context<'d, '_, '_>,
    block: &'d Block,
    spec: &DriveSpec,
    next_cylinder: &mut i64,
) -> Option<ZoneSpec> {
    let first = context.integer(block, "First cylinder number", 0..=CYLINDERS_MAX - 1);
    let last = context.integer(block, "Last cylinder number", 0..=CYLINDERS_MAX - 1);
    let spt = context.integer(block, "Blocks per track", 1..=4096) as u32;
    if first < *next_cylinder || last < first {
        let message = format!("cylinders {first} to {last} do not follow cylinder {}", *next_cylinder - 1);
        let spot = context.spot(block, "First cylinder number");
        context.fault(spot, message, "list zones from the first cylinder on, without overlap");
        return None;
    }
    let cylinders = (last - first + 1) as u32;
    let skipped_cylinders = (first - *next_cylinder) as u32;
    *next_cylinder = last + 1;
    let size = i64::from(cylinders) * i64::from(spec.heads) * i64::from(spt);
    let reserved = context.integer(block, "Empty space at zone front", 0..=size) as u64;
    let mut spares = context.integer(block, "Number of spares", 0..=size) as u64;
    if spares > 0 && matches!(spec.spare_scheme, SpareScheme::None | SpareScheme::EndOfDisk) {
        let spot = context.spot(block, "Number of spares");
        context.warn(
            spot,
            format!("{spares} spares of a zone mean nothing with this sparing scheme and are left out"),
        );
        spares = 0;
    }
    Some(ZoneSpec { cylinders, spt, spares, skipped_cylinders, reserved })
}

/// Notes where the fields of zone number `index` come from.
fn places<'d>(context: &mut Context<'d, '_, '_>, block: &'d Block, index: usize) {
    context.place(format!("zones[{index}]"), block.kind.spot);
    context.place(format!("skew.each[{index}]"), block.kind.spot);
    for (field, key) in [
        ("spares", "Number of spares"),
        ("spt", "Blocks per track"),
        ("reserved", "Empty space at zone front"),
        ("cylinders", "Last cylinder number"),
        ("skipped_cylinders", "First cylinder number"),
    ] {
        let spot = context.spot(block, key);
        context.place(format!("zones[{index}].{field}"), spot);
    }
}

fn skew<'d>(context: &mut Context<'d, '_, '_>, block: &'d Block, spt: u32, units: Units) -> ZoneSkew {
    const KEYS: [&str; 3] = ["Offset of first block", "Skew for track switch", "Skew for cylinder switch"];
    let units = Units::of(context, block, units);
    let [offset, head, cylinder] = KEYS.map(|key| {
        let value = context.real(block, key, -1e9..=1e9);
        if units == Units::Sectors && value.fract() != 0.0 {
            let spot = context.spot(block, key);
            context.warn(
                spot,
                format!("`{key} = {value}` counts as {} whole sectors, as in DiskSim", value.trunc()),
            );
        }
        let (turn, unit) = if units == Units::Sectors { (f64::from(spt), "sectors") } else { (1.0, "turns") };
        if value.abs() >= turn {
            let (found, rest) = (context.shown(block, key), units.whole(value).rem_euclid(turn));
            let message = format!(
                "`{key} = {found}` is a turn or more, which is {turn} {unit}: it counts as {rest} {unit}"
            );
            context.warn(context.spot(block, key), message);
        }
        value
    });
    match units {
        Units::Sectors => {
            let whole = |value: f64| (value.trunc() as i64).rem_euclid(i64::from(spt)) as u32;
            ZoneSkew::Sectors { offset: whole(offset), head: whole(head), cylinder: whole(cylinder) }
        }
        Units::Turns => {
            let part = |value: f64| value.rem_euclid(1.0);
            ZoneSkew::Turns { offset: part(offset), head: part(head), cylinder: part(cylinder), range: 0.0 }
        }
    }
}

/// A place that another one stands in for.
struct Defect {
    place: u64,
    spare: u64,
    spot: Spot,
}

/// Adds the slips of a zone that begins at place `start` to `spec`, and its remapped places to `defects`.
fn bad_places<'d>(
    context: &mut Context<'d, '_, '_>,
    block: &'d Block,
    spec: &mut DriveSpec,
    (start, zone): (u64, ZoneSpec),
    defects: &mut Vec<Defect>,
) {
    // Where spares are whole tracks, bad places are tracks too.
    let unit = if spec.spare_scheme == SpareScheme::TracksOfZone { u64::from(zone.spt) } else { 1 };
    let limit = zone.sectors(spec.heads) / unit;
    let listed = context.places(block, "slips", limit);
    let mut slips: Vec<u64> = listed.iter().map(|&(place, _)| start + place * unit).collect();
    slips.sort_unstable();
    slips.dedup();
    if slips.len() < listed.len() {
        let spot = context.spot(block, "slips");
        context.warn(spot, "a slip that is listed twice counts once");
    }
    if !slips.is_empty() && spec.spare_scheme == SpareScheme::None {
        let spot = context.spot(block, "slips");
        context.warn(spot, "slips mean nothing without spares and are left out");
        slips.clear();
    }
    if spec.spare_scheme == SpareScheme::EndOfZone && slips.len() as u64 > zone.spares {
        // DiskSim would let the zone's last addresses run into the next zone.
        let spot = context.spot(block, "slips");
        let message = format!(
            "{} slips are more than the zone's {} spares; the last ones are left out",
            slips.len(),
            zone.spares
        );
        context.warn(spot, message);
        slips.truncate(zone.spares as usize);
    }
    spec.defects.slips.extend(slips);
    if context.list(block, "defects").len() % 2 == 1 {
        let spot = context.spot(block, "defects");
        context.fault(
            spot,
            "an odd number of places",
            "write pairs: the bad place and the one that stands in for it",
        );
    }
    let places = context.places(block, "defects", u64::MAX);
    for pair in places.chunks_exact(2) {
        let [(place, spot), (spare, _)] = [pair[0], pair[1]];
        if place.max(spare) >= limit {
            context.warn(spot, "a remapped place, or its spare, lies outside of the zone and is left out");
            continue;
        }
        for sector in 0..unit {
            if place != spare && defects.len() < REMAPS_MAX {
                defects.push(Defect {
                    place: start + place * unit + sector,
                    spare: start + spare * unit + sector,
                    spot,
                });
            }
        }
    }
}

/// Capacity and remaps, which follow from all that has been read.
fn finish(context: &mut Context, spec: &mut DriveSpec, defects: &[Defect]) {
    spec.capacity_sectors = u64::MAX;
    let occupied = Occupied::new(spec);
    spec.capacity_sectors = occupied.room();
    let mut used = BTreeSet::new();
    for defect in defects {
        let lba = occupied.address_at(defect.place);
        let spare = defect.spare;
        let free = occupied.address_at(spare).is_none() && spec.defects.slips.binary_search(&spare).is_err();
        match lba.filter(|_| free && used.insert(spare)) {
            Some(lba) => spec.defects.remaps.push(Remap { lba, spare }),
            None => {
                let message = "a remapped place without an address, or whose spare is in use, is left out";
                context.warn(defect.spot, message);
            }
        }
    }
    spec.defects.remaps.sort_by_key(|remap| remap.lba);
    spec.defects.remaps.dedup_by_key(|remap| remap.lba);
}

/// Warns if the file counts other sectors than its zones hold, as DiskSim does: the zones decide.
pub(super) fn compare_count<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, spec: &DriveSpec) {
    let Some(count) = context.number(disk, "Block count") else { return };
    if count != spec.capacity_sectors as f64 {
        let spot = context.spot(disk, "Block count");
        let (held, count) = (spec.capacity_sectors, context.shown(disk, "Block count"));
        let message = format!("the zones hold {held} sectors; that is taken, not {count}");
        context.warn(spot, message);
    }
    let cylinders = context.number(disk, "Number of cylinders").unwrap_or(0.0);
    if f64::from(spec.cylinders()) > cylinders {
        let spot = context.spot(disk, "Number of cylinders");
        let (held, cylinders) = (spec.cylinders(), context.shown(disk, "Number of cylinders"));
        let message = format!("the zones have {held} cylinders; that is taken, not {cylinders}");
        context.warn(spot, message);
    }
}
