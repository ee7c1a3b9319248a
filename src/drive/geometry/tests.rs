//! The map against a disk that is walked track by track.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::drive::spec::{Defects, Remap, SkewSpec, SpareScheme, ZoneSkew, ZoneSpec, sample};

const TURN: Span = Span::from_ps(8_333_333_333);

/// Every track in address order: cylinder, head, zone, and whether a change of cylinder leads to it.
fn walk(spec: &DriveSpec) -> Vec<(u32, u32, usize, bool)> {
    let mut tracks = Vec::new();
    let mut first = 0;
    for (zone, figures) in spec.zones.iter().enumerate() {
        first += figures.skipped_cylinders;
        let cylinders: Vec<u32> = (first..first + figures.cylinders).collect();
        let heads: Vec<u32> = (0..spec.heads).collect();
        if spec.layout == Layout::SurfaceSerpentine {
            for &head in &heads {
                let mut along = cylinders.clone();
                if head % 2 == 1 {
                    along.reverse();
                }
                tracks.extend(along.iter().enumerate().map(|(i, &c)| (c, head, zone, i > 0 || head == 0)));
            }
        } else {
            for &cylinder in &cylinders {
                let mut down = heads.clone();
                let counted = match spec.layout {
                    Layout::Zigzag { restart: true } => cylinder - first,
                    Layout::Zigzag { restart: false } => cylinder,
                    _ => 0,
                };
                if counted % 2 == 1 {
                    down.reverse();
                }
                tracks.extend(down.iter().enumerate().map(|(i, &h)| (cylinder, h, zone, i == 0)));
            }
        }
        first += figures.cylinders;
    }
    tracks
}

/// The place of every address, by walking from region to region of the spare scheme.
fn places(spec: &DriveSpec) -> Vec<(u32, u32, u32)> {
    let mut zones: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); spec.zones.len()];
    for (cylinder, head, zone, _) in walk(spec) {
        zones[zone].extend((0..spec.zones[zone].spt).map(|sector| (cylinder, head, sector)));
    }
    let mut addressed = Vec::new();
    let mut start = 0;
    for (zone, places) in spec.zones.iter().zip(&zones) {
        addressed.extend(zone_places(spec, zone, start, places));
        start += places.len() as u64;
    }
    let all: Vec<_> = zones.concat();
    addressed.truncate(spec.capacity_sectors.try_into().unwrap_or(usize::MAX));
    for remap in &spec.defects.remaps {
        addressed[remap.lba as usize] = all[remap.spare as usize];
    }
    addressed
}

fn zone_places(
    spec: &DriveSpec,
    zone: &ZoneSpec,
    start: u64,
    all: &[(u32, u32, u32)],
) -> Vec<(u32, u32, u32)> {
    use SpareScheme as S;
    let (track, cylinder) = (zone.spt as usize, (zone.spt * spec.heads) as usize);
    let spares = zone.spares as usize;
    let (region, spares) = match spec.spare_scheme {
        S::None | S::EndOfDisk => (all.len(), 0),
        S::EndOfZone | S::EndOfZoneForRemaps => (all.len(), spares),
        S::TracksOfZone => (all.len(), spares * track),
        S::EndOfCylinder | S::FrontOfCylinder => (cylinder, spares),
        S::EndOfCylinderForRemaps | S::FrontOfCylinderForRemaps => (cylinder, spares),
        S::EndOfTrack => (track, spares),
        S::EndOfRange { cylinders } => (cylinder * cylinders as usize, spares),
    };
    let bad = |index: usize| {
        let place = start + index as u64;
        let track_of = |place: u64| (place - start) / u64::from(zone.spt);
        let hit = |&slip: &u64| {
            slip == place
                || (spec.spare_scheme == S::TracksOfZone
                    && slip >= start
                    && slip < start + all.len() as u64
                    && track_of(slip) == track_of(place))
        };
        spec.defects.slips.iter().any(hit)
    };
    let (mut found, mut regions_room) = (Vec::<usize>::new(), 0);
    let indexes: Vec<usize> = (0..all.len()).collect();
    for part in indexes.chunks(region) {
        let room = region.saturating_sub(spares).min(part.len());
        if part.len() == region {
            regions_room += room;
        }
        let user = match spec.spare_scheme {
            S::EndOfZoneForRemaps | S::EndOfCylinderForRemaps => &part[..room],
            S::FrontOfCylinderForRemaps => &part[part.len() - room..],
            _ => part,
        };
        let good: Vec<usize> = user.iter().copied().filter(|&index| !bad(index)).collect();
        match spec.spare_scheme {
            S::FrontOfCylinder => found.extend(&good[good.len().saturating_sub(room)..]),
            _ => found.extend(&good[..good.len().min(room)]),
        }
    }
    let reserved = zone.reserved as usize;
    if matches!(
        spec.spare_scheme,
        S::EndOfZoneForRemaps | S::EndOfCylinderForRemaps | S::FrontOfCylinderForRemaps
    ) {
        let end = start + all.len() as u64;
        let slips = spec.defects.slips.iter().filter(|&&slip| (start..end).contains(&slip)).count();
        found.truncate(regions_room.saturating_sub(slips));
    }
    found.into_iter().skip(reserved).map(|index: usize| all[index]).collect()
}

fn any_scheme() -> impl Strategy<Value = SpareScheme> {
    prop_oneof![
        Just(SpareScheme::EndOfDisk),
        Just(SpareScheme::EndOfZone),
        Just(SpareScheme::EndOfZoneForRemaps),
        Just(SpareScheme::TracksOfZone),
        Just(SpareScheme::EndOfCylinder),
        Just(SpareScheme::EndOfCylinderForRemaps),
        Just(SpareScheme::FrontOfCylinder),
        Just(SpareScheme::FrontOfCylinderForRemaps),
        Just(SpareScheme::EndOfTrack),
        (1_u32..4).prop_map(|cylinders| SpareScheme::EndOfRange { cylinders }),
    ]
}

fn small_disk() -> impl Strategy<Value = DriveSpec> {
    let zone = (1_u32..6, 16_u32..22, 0_u64..6, 0_u32..3, prop_oneof![2 => Just(0), 1 => 0_u64..60]);
    let zones = prop::collection::vec(zone, 1..4);
    let layout = prop_oneof![
        Just(Layout::CylinderFirst),
        Just(Layout::Zigzag { restart: true }),
        Just(Layout::Zigzag { restart: false }),
        Just(Layout::SurfaceSerpentine),
    ];
    let skew = prop_oneof![
        Just(SkewSpec::Wedges { per_track: 200, head: 45, cylinder: 36 }),
        Just(SkewSpec::Sectors(vec![crate::drive::spec::SectorSkew { head: 3, cylinder: 5 }])),
        Just(SkewSpec::Time { head_ms: 1.7, cylinder_ms: 1.5 }),
        Just(SkewSpec::Auto),
    ];
    let bad = prop::collection::vec(any::<prop::sample::Index>(), 0..9);
    let disk = (zones, 1_u32..5, layout, skew, any_scheme(), bad.clone(), bad).prop_map(
        |(zones, heads, layout, skew, scheme, slips, remaps)| {
            let mut spec = sample();
            (spec.heads, spec.layout, spec.skew, spec.spare_scheme) = (heads, layout, skew, scheme);
            let zones = zones.into_iter().map(|(cylinders, spt, spares, skipped_cylinders, reserved)| {
                ZoneSpec { cylinders, spt, spares, skipped_cylinders, reserved }
            });
            spec.zones = zones.collect();
            add_defects(&mut spec, &slips, &remaps);
            spec
        },
    );
    disk.prop_filter("a disk without addresses", |spec| spec.capacity_sectors > 0)
}

/// Slips anywhere, a capacity that leaves a few places, and remaps into what is left.
fn add_defects(spec: &mut DriveSpec, slips: &[prop::sample::Index], remaps: &[prop::sample::Index]) {
    let physical = spec.physical_sectors();
    let mut chosen: Vec<u64> = slips.iter().map(|index| index.index(physical as usize) as u64).collect();
    chosen.sort_unstable();
    chosen.dedup();
    spec.defects = Defects { slips: chosen, remaps: Vec::new() };
    spec.capacity_sectors = u64::MAX;
    spec.capacity_sectors = (places(spec).len() as u64).saturating_sub(8);
    if spec.capacity_sectors == 0 {
        return;
    }
    let occupied = Occupied::new(spec);
    let usable = |&spare: &u64| !occupied.holds_address(spare) && !spec.defects.slips.contains(&spare);
    let spares = (0..physical).filter(usable);
    let mut addresses: Vec<u64> =
        remaps.iter().map(|index| index.index(spec.capacity_sectors as usize) as u64).collect();
    addresses.sort_unstable();
    addresses.dedup();
    spec.defects.remaps =
        addresses.into_iter().zip(spares).map(|(lba, spare)| Remap { lba, spare }).collect();
}

proptest! {
    #[test]
    fn every_address_has_the_place_that_walking_the_disk_finds(spec in small_disk()) {
        let geometry = Geometry::new(&spec, TURN);
        let expected = places(&spec);
        prop_assert_eq!(geometry.capacity(), expected.len() as u64);
        let mut owners = BTreeMap::new();
        for (lba, &at) in (0_u64..).zip(&expected) {
            let found = geometry.locate(lba);
            prop_assert_eq!((found.cylinder, found.head, found.sector), at);
            prop_assert_eq!(owners.insert(at, lba), None, "two addresses share a place");
        }
        for (cylinder, head, zone, _) in walk(&spec) {
            for sector in 0..spec.zones[zone].spt {
                let expected = owners.get(&(cylinder, head, sector)).copied();
                prop_assert_eq!(geometry.lba_of(cylinder, head, sector), expected);
            }
            prop_assert_eq!(geometry.lba_of(cylinder, head, spec.zones[zone].spt), None);
            prop_assert_eq!(geometry.lba_of(cylinder, spec.heads, 0), None);
        }
        prop_assert_eq!(geometry.lba_of(geometry.cylinders(), 0, 0), None);
    }

    #[test]
    fn a_run_is_as_long_as_addresses_follow_each_other_on_the_track(spec in small_disk()) {
        let geometry = Geometry::new(&spec, TURN);
        let expected = places(&spec);
        let moved = |lba: u64| spec.defects.remaps.iter().any(|remap| remap.lba == lba);
        for lba in 0..geometry.capacity() {
            let run = geometry.locate(lba);
            let mut follow = 1;
            while let Some(&next) = expected.get((lba + follow) as usize) {
                let joins = next == (run.cylinder, run.head, run.sector + follow as u32);
                if !joins || moved(lba) || moved(lba + follow) {
                    break;
                }
                follow += 1;
            }
            prop_assert_eq!(u64::from(run.left), follow, "at {}", lba);
        }
    }

    #[test]
    fn a_track_ends_behind_its_last_address(mut spec in small_disk()) {
        spec.defects.remaps.clear();
        let geometry = Geometry::new(&spec, TURN);
        let track = |lba: u64| {
            let span = geometry.locate(lba);
            (span.cylinder, span.head)
        };
        let capacity = geometry.capacity();
        for lba in (0..capacity).step_by(7) {
            let end = (lba..capacity).find(|&other| track(other) != track(lba)).unwrap_or(capacity);
            prop_assert_eq!(geometry.track_end(lba), end);
        }
    }

    #[test]
    fn as_many_addresses_as_the_zones_hold_are_counted(spec in small_disk()) {
        let counted = Occupied::new(&spec).zone_addresses();
        prop_assert_eq!(counted.iter().sum::<u64>(), spec.capacity_sectors);
        let mut unmoved = spec.clone();
        unmoved.defects.remaps.clear();
        let geometry = Geometry::new(&unmoved, TURN);
        let mut found = vec![0; spec.zones.len()];
        (0..geometry.capacity()).for_each(|lba| found[geometry.locate(lba).zone as usize] += 1);
        prop_assert_eq!(counted, found);
    }

    /// The angle by DiskSim's rule: the zone's own zero, then every switch and every slip before the track or cylinder.
    #[test]
    fn zones_with_skews_of_their_own_follow_the_rule(
        mut spec in small_disk(), offsets in prop::collection::vec((0_u32..30, 0_u32..9, 0_u32..9, any::<bool>()), 3),
        slips_advance: bool,
    ) {
        prop_assume!(spec.layout != Layout::SurfaceSerpentine);
        spec.defects.remaps.clear();
        let zones = spec.zones.iter().zip(&offsets);
        let each = zones.map(|(zone, &(offset, head, cylinder, in_turns))| {
            if in_turns {
                let part = |sectors: u32| f64::from(sectors % zone.spt) / f64::from(zone.spt);
                ZoneSkew::Turns { offset: part(offset), head: part(head), cylinder: part(cylinder), range: 0.0 }
            } else {
                ZoneSkew::Sectors { offset: offset % zone.spt, head, cylinder }
            }
        });
        spec.skew = SkewSpec::Zones { each: each.collect(), slips_advance };
        let geometry = Geometry::new(&spec, TURN);
        for lba in 0..geometry.capacity() {
            let at = geometry.locate(lba);
            let index = at.zone as usize;
            let (zone, (offset, head, cylinder, _)) = (spec.zones[index], offsets[index]);
            let before = &spec.zones[..index];
            let first = before.iter().map(|z| z.cylinders + z.skipped_cylinders).sum::<u32>() + zone.skipped_cylinders;
            let within = at.cylinder - first;
            let odd = match spec.layout {
                Layout::Zigzag { restart: true } => within % 2 == 1,
                Layout::Zigzag { restart: false } => at.cylinder % 2 == 1,
                _ => false,
            };
            let order = if odd { spec.heads - 1 - at.head } else { at.head };
            let start: u64 = before.iter().map(|z| z.sectors(spec.heads)).sum();
            let by_track = spec.spare_scheme == SpareScheme::EndOfTrack;
            let tracks = within * spec.heads + if by_track { at.head } else { 0 };
            let limit = start + u64::from(tracks * zone.spt);
            let pushed = spec.defects.slips.iter().filter(|&&slip| slip >= start && slip < limit).count() as u32;
            let sectors = offset + (order + (spec.heads - 1) * within) * head + within * cylinder
                + if slips_advance { pushed } else { 0 };
            let expected = TURN.ps() * u64::from(sectors % zone.spt) / u64::from(zone.spt);
            let apart = at.skew.ps().abs_diff(expected);
            // Turns are rounded once a figure.
            let apart = apart.min(TURN.ps() - apart);
            prop_assert!(apart <= 100, "{} for {} at {}", at.skew.ps(), expected, lba);
        }
    }

    #[test]
    fn each_track_starts_a_skew_after_the_one_before(mut spec in small_disk()) {
        spec.defects = Defects::default();
        let geometry = Geometry::new(&spec, TURN);
        let scheme = SkewScheme::new(&spec);
        let first_sector = |track: &(u32, u32, usize, bool)| {
            // Any sector of a track tells its skew; only those with addresses can be asked.
            (0..spec.zones[track.2].spt).find_map(|sector| geometry.lba_of(track.0, track.1, sector))
        };
        let tracks = walk(&spec);
        for pair in tracks.windows(2) {
            let (Some(before), Some(after)) = (first_sector(&pair[0]), first_sector(&pair[1])) else { continue };
            let (before, after) = (geometry.locate(before).skew.ps(), geometry.locate(after).skew.ps());
            prop_assert!(before < TURN.ps() && after < TURN.ps());
            let spans = scheme.spans(pair[0].2, TURN);
            let skew = if pair[1].3 { spans.cylinder } else { spans.head };
            let difference = (after + TURN.ps() - before) % TURN.ps();
            let late = (difference + TURN.ps() - skew.ps() % TURN.ps()) % TURN.ps();
            prop_assert!(late <= 1, "{} ps for {} ps", difference, skew.ps());
        }
    }
}

#[test]
fn wedges_follow_the_manuals_formula() {
    let mut spec = sample();
    spec.heads = 4;
    spec.capacity_sectors = 80_000;
    let geometry = Geometry::new(&spec, TURN);
    for lba in (0..80_000).step_by(37) {
        let at = geometry.locate(lba);
        let wedge = (u64::from(at.cylinder) * (3 * 45 + 36) + u64::from(at.head) * 45) % 200;
        assert_eq!(at.skew.ps(), TURN.ps() * wedge / 200);
    }
}

#[test]
fn auto_skew_covers_the_slower_switch_and_a_margin() {
    let mut spec = sample();
    spec.skew = SkewSpec::Auto;
    let scheme = SkewScheme::new(&spec);
    for (zone, figures) in spec.zones.iter().enumerate() {
        let sector_ms = TURN.as_ms() / f64::from(figures.spt);
        let skew = scheme.spans(zone, spec.nominal_revolution());
        // Single-cylinder seek and head switch take 1.2 ms, a sequential write 0.25 ms more.
        for span in [skew.head, skew.cylinder] {
            assert!((1.65..1.65 + sector_ms).contains(&(span.as_ms() + 1e-9)), "{span}");
        }
    }
}
