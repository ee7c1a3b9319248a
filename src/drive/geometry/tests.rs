//! The map against a disk that is walked track by track.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::drive::spec::{Defects, Remap, SkewSpec, ZoneSpec, sample};

const TURN: Span = Span::from_ps(8_333_333_333);

/// Every track in address order: cylinder, head, zone, and whether a change of cylinder leads to it.
fn walk(spec: &DriveSpec) -> Vec<(u32, u32, usize, bool)> {
    let mut tracks = Vec::new();
    let mut first = 0;
    for (zone, figures) in spec.zones.iter().enumerate() {
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

/// The place of every address, by walking.
fn places(spec: &DriveSpec) -> Vec<(u32, u32, u32)> {
    let mut all = Vec::new();
    let mut in_zone = Vec::new();
    for (cylinder, head, zone, _) in walk(spec) {
        in_zone.resize(spec.zones.len(), 0_u64);
        let size = spec.zones[zone].sectors(spec.heads);
        for sector in 0..spec.zones[zone].spt {
            // A slip uses up one of the zone's spares.
            let spare = in_zone[zone] >= size - spec.zones[zone].spares;
            in_zone[zone] += 1;
            all.push(((cylinder, head, sector), zone, spare));
        }
    }
    let slips = &spec.defects.slips;
    let mut room: Vec<u64> = spec.zones.iter().map(|zone| zone.sectors(spec.heads) - zone.spares).collect();
    let mut addressed = Vec::new();
    for (place, &(at, zone, _)) in (0_u64..).zip(&all) {
        if !slips.contains(&place) && room[zone] > 0 {
            room[zone] -= 1;
            addressed.push(at);
        }
    }
    addressed.truncate(spec.capacity_sectors as usize);
    for remap in &spec.defects.remaps {
        addressed[remap.lba as usize] = all[remap.spare as usize].0;
    }
    addressed
}

fn small_disk() -> impl Strategy<Value = DriveSpec> {
    let zones = prop::collection::vec((1_u32..5, 16_u32..22, 0_u64..6), 1..4);
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
    let bad = prop::collection::vec(any::<prop::sample::Index>(), 0..6);
    (zones, 1_u32..5, layout, skew, any::<bool>(), bad.clone(), bad).prop_map(
        |(zones, heads, layout, skew, end_of_zone, slips, remaps)| {
            let mut spec = sample();
            (spec.heads, spec.layout, spec.skew) = (heads, layout, skew);
            spec.spare_scheme = if end_of_zone { SpareScheme::EndOfZone } else { SpareScheme::EndOfDisk };
            let keep = |spares| if end_of_zone { spares } else { 0 };
            let zones = zones.into_iter();
            spec.zones = zones
                .map(|(cylinders, spt, spares)| ZoneSpec { cylinders, spt, spares: keep(spares) })
                .collect();
            add_defects(&mut spec, &slips, &remaps);
            spec
        },
    )
}

/// Slips as the spares allow, a capacity that leaves a few spares, and remaps into what is left.
fn add_defects(spec: &mut DriveSpec, slips: &[prop::sample::Index], remaps: &[prop::sample::Index]) {
    let physical = spec.physical_sectors();
    let mut left: Vec<u64> = spec.zones.iter().map(|zone| zone.spares).collect();
    let mut chosen: Vec<u64> = slips.iter().map(|index| index.index(physical as usize) as u64).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.retain(|&slip| {
        let mut start = 0;
        let zone = spec.zones.iter().position(|zone| {
            start += zone.sectors(spec.heads);
            slip < start
        });
        let zone = zone.unwrap();
        let fits = spec.spare_scheme == SpareScheme::EndOfDisk || left[zone] > 0;
        left[zone] = left[zone].saturating_sub(1);
        fits
    });
    spec.defects = Defects { slips: chosen, remaps: Vec::new() };
    spec.capacity_sectors = u64::MAX;
    let room = places(spec).len() as u64;
    spec.capacity_sectors = room - 8;
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
