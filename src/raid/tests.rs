use proptest::prelude::*;

use super::*;
use crate::config::{Issues, Validate};
use crate::units::Extent;

const DISK: u64 = 312_581_808;

fn pieces(map: &ArrayMap, lba: u64, sectors: u64) -> Vec<Piece> {
    let mut out = Vec::new();
    map.pieces(Extent::new(lba, sectors), &mut out);
    out
}

fn first(map: &ArrayMap, lba: u64) -> (u8, u64) {
    let Location { member, lba } = pieces(map, lba, 1)[0].primary;
    (member, lba)
}

/// The copies of every array sector, in array order, by walking the members' sectors one by one.
fn slow_twin(spec: &RaidSpec, capacities: &[u64]) -> Vec<Vec<(u8, u64)>> {
    let kept = if spec.level == Level::Single || spec.reserved == Reserved::None { 0 } else { 10 };
    let place = |member: usize, sector: u64| (member as u8, sector + if member == 0 { 0 } else { kept });
    let room: Vec<u64> = capacities.iter().map(|capacity| capacity - kept).collect();
    let least = room.iter().copied().min().unwrap();
    let unit = spec.stripe_sectors();
    let mut out = Vec::new();
    match spec.level {
        Level::Single => out.extend((0..room[0]).map(|s| vec![place(0, s)])),
        Level::Raid1 => out.extend((0..least).map(|s| vec![place(0, s), place(1, s)])),
        Level::Jbod => {
            for (member, &sectors) in room.iter().enumerate() {
                out.extend((0..sectors).map(|s| vec![place(member, s)]));
            }
        }
        Level::Raid0 | Level::Raid01 | Level::Raid10 => {
            let columns: Vec<Vec<usize>> = match spec.level {
                Level::Raid01 => vec![vec![0, 2], vec![1, 3]],
                Level::Raid10 => vec![vec![0, 1], vec![2, 3]],
                _ => (0..room.len()).map(|member| vec![member]).collect(),
            };
            for row in 0.. {
                let before = out.len();
                for column in &columns {
                    let reach = if spec.unequal == Unequal::CutOff { room[column[0]] } else { least };
                    if (row + 1) * unit <= reach {
                        for s in row * unit..(row + 1) * unit {
                            out.push(column.iter().map(|&member| place(member, s)).collect());
                        }
                    }
                }
                if out.len() == before {
                    break;
                }
            }
        }
    }
    out
}

fn arrays() -> impl Strategy<Value = (RaidSpec, Vec<u64>)> {
    let shape = prop_oneof![
        Just((Level::Single, 1..=1usize)),
        Just((Level::Raid0, 2..=8)),
        Just((Level::Raid1, 2..=2)),
        Just((Level::Raid01, 4..=4)),
        Just((Level::Raid10, 4..=4)),
        Just((Level::Jbod, 2..=8)),
    ];
    let sizes = shape.prop_flat_map(|(level, count)| {
        (Just(level), prop::collection::vec(26u64..200, count), prop_oneof![Just(4u32), Just(8)])
    });
    (sizes, any::<bool>(), any::<bool>()).prop_map(|((level, capacities, stripe_kib), keeps, cuts)| {
        let reserved = if keeps { Reserved::HighPointV2 } else { Reserved::None };
        let unequal = if cuts && level == Level::Raid0 { Unequal::CutOff } else { Unequal::Smallest };
        (RaidSpec { level, stripe_kib, reserved, unequal }, capacities)
    })
}

proptest! {
    #[test]
    fn every_sector_lies_where_the_slow_twin_puts_it((spec, capacities) in arrays()) {
        let map = ArrayMap::new(&spec, &capacities).unwrap();
        let twin = slow_twin(&spec, &capacities);
        prop_assert_eq!(map.capacity(), twin.len() as u64);
        for (array_lba, copies) in twin.iter().enumerate() {
            let piece = pieces(&map, array_lba as u64, 1)[0];
            let found: Vec<(u8, u64)> = piece.copies().map(|copy| (copy.member, copy.lba)).collect();
            prop_assert_eq!(&found, copies);
        }
    }

    #[test]
    fn the_inverse_takes_every_member_sector_back_and_nothing_else((spec, capacities) in arrays()) {
        let map = ArrayMap::new(&spec, &capacities).unwrap();
        let twin = slow_twin(&spec, &capacities);
        for (member, &capacity) in capacities.iter().enumerate() {
            for lba in 0..capacity + 5 {
                let here = (member as u8, lba);
                let expected = twin.iter().position(|copies| copies.contains(&here)).map(|at| at as u64);
                prop_assert_eq!(map.inverse(member as u8, lba), expected);
            }
        }
        prop_assert_eq!(map.inverse(capacities.len() as u8, 20), None);
    }

    #[test]
    fn an_array_lives_as_long_as_every_sector_has_a_copy((spec, capacities) in arrays(), set in any::<u8>()) {
        let map = ArrayMap::new(&spec, &capacities).unwrap();
        let failed: Vec<u8> = (0..8).filter(|member| set >> member & 1 == 1).collect();
        let left = slow_twin(&spec, &capacities).into_iter().map(|copies| {
            let gone = copies.iter().filter(|(member, _)| failed.contains(member)).count();
            (copies.len() - gone, gone)
        });
        let (left, gone): (Vec<usize>, Vec<usize>) = left.unzip();
        let expected = match (left.contains(&0), gone.iter().any(|&gone| gone > 0)) {
            (true, _) => Health::Failed,
            (false, true) => Health::Degraded,
            (false, false) => Health::Optimal,
        };
        prop_assert_eq!(map.health(&failed), expected);
    }

    #[test]
    fn a_rebuild_makes_a_blank_drive_hold_what_its_member_held((spec, capacities) in arrays(), set in any::<u8>()) {
        let map = ArrayMap::new(&spec, &capacities).unwrap();
        let twin = slow_twin(&spec, &capacities);
        let failed: Vec<u8> = (0..8).filter(|member| set >> member & 1 == 1).collect();
        // Every member as the array's sectors that it holds, and the failed ones blank.
        let mut disks: Vec<Vec<Option<usize>>> = capacities.iter().map(|&c| vec![None; c as usize]).collect();
        for (array_lba, copies) in twin.iter().enumerate() {
            for &(member, lba) in copies {
                disks[usize::from(member)][lba as usize] = Some(array_lba);
            }
        }
        let before = disks.clone();
        for member in failed.iter().copied().filter(|&member| usize::from(member) < capacities.len()) {
            disks[usize::from(member)].fill(None);
        }
        for member in failed.iter().copied().filter(|&member| usize::from(member) < capacities.len()) {
            let held = twin.iter().filter(|copies| copies.iter().any(|copy| copy.0 == member));
            let lost = held.into_iter().any(|copies| copies.iter().all(|copy| failed.contains(&copy.0)));
            let plan = map.rebuild(member, &failed);
            prop_assert_eq!(plan.is_none(), lost);
            let mut fresh = vec![None; capacities[usize::from(member)] as usize];
            for Restore { from, to, sectors } in plan.into_iter().flatten() {
                prop_assert_eq!(to.member, member);
                for offset in 0..sectors {
                    fresh[(to.lba + offset) as usize] =
                        disks[usize::from(from.member)][(from.lba + offset) as usize];
                }
            }
            if !lost {
                prop_assert_eq!(&fresh, &before[usize::from(member)]);
            }
        }
    }

    #[test]
    fn pieces_cover_the_extent_in_order_and_stay_inside_a_stripe(
        (spec, capacities) in arrays(), from in 0.0..1.0f64, part in 0.0..=1.0f64,
    ) {
        let map = ArrayMap::new(&spec, &capacities).unwrap();
        let lba = (map.capacity() as f64 * from) as u64;
        let sectors = ((map.capacity() - lba) as f64 * part) as u64;
        let mut next = lba;
        for piece in pieces(&map, lba, sectors) {
            prop_assert_eq!(piece.array_lba, next);
            prop_assert!(piece.sectors > 0);
            prop_assert_eq!(piece.mirror.is_some(), spec.level.mirrors());
            next += piece.sectors;
            for copy in piece.copies() {
                prop_assert!(copy.lba + piece.sectors <= capacities[usize::from(copy.member)]);
                // Both ends of the run come back to the array, so the whole run does.
                prop_assert_eq!(map.inverse(copy.member, copy.lba), Some(piece.array_lba));
                let last = piece.sectors - 1;
                prop_assert_eq!(map.inverse(copy.member, copy.lba + last), Some(piece.array_lba + last));
            }
            if let Some(unit) = map.stripe_sectors() {
                prop_assert_eq!(piece.array_lba / unit, (next - 1) / unit);
            }
        }
        prop_assert_eq!(next, lba + sectors);
    }
}

#[test]
fn two_drive_stripe_agrees_with_the_real_sample() {
    let map = ArrayMap::new(&RaidSpec::new(Level::Raid0), &[DISK, DISK]).unwrap();
    assert_eq!(map.capacity(), 625_163_520);
    assert_eq!(first(&map, 0), (0, 0));
    assert_eq!(first(&map, 9), (0, 9));
    assert_eq!(first(&map, 128), (1, 10));
    assert_eq!(first(&map, 256), (0, 128));
    assert_eq!(first(&map, 1000), (1, 498));
}

#[test]
fn mirror_copies_have_their_own_addresses() {
    let map = ArrayMap::new(&RaidSpec::new(Level::Raid1), &[DISK, DISK + 5]).unwrap();
    assert_eq!(map.capacity(), DISK - 10);
    let whole = pieces(&map, 1000, 5000);
    let mirror = Some(Location { member: 1, lba: 1010 });
    assert_eq!(
        whole,
        [Piece { array_lba: 1000, sectors: 5000, primary: Location { member: 0, lba: 1000 }, mirror }]
    );
}

#[test]
fn mirror_of_stripes_and_stripe_of_mirrors_pair_other_members() {
    let pairs = |level| {
        let map = ArrayMap::new(&RaidSpec::new(level), &[10_000; 4]).unwrap();
        pieces(&map, 0, 256)
            .iter()
            .map(|piece| piece.copies().map(|copy| copy.member).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(pairs(Level::Raid01), [[0, 2], [1, 3]]);
    assert_eq!(pairs(Level::Raid10), [[0, 1], [2, 3]]);
}

#[test]
fn a_concatenation_splits_only_at_its_joins() {
    let map = ArrayMap::new(&RaidSpec::new(Level::Jbod), &[1010, 2010, 510]).unwrap();
    assert_eq!(map.capacity(), 3500);
    let cut: Vec<(u8, u64, u64)> = pieces(&map, 900, 2500)
        .iter()
        .map(|piece| (piece.primary.member, piece.primary.lba, piece.sectors))
        .collect();
    assert_eq!(cut, [(0, 900, 100), (1, 10, 2000), (2, 10, 400)]);
}

#[test]
fn cut_off_zones_use_the_rest_of_the_larger_drives() {
    let spec = RaidSpec { unequal: Unequal::CutOff, ..RaidSpec::new(Level::Raid0) };
    let map = ArrayMap::new(&spec, &[2570, 1290, 2570]).unwrap();
    assert_eq!(map.capacity(), 3 * 1280 + 2 * 1280);
    assert_eq!(first(&map, 3 * 1280), (0, 1280));
    assert_eq!(first(&map, 3 * 1280 + 128), (2, 1290));
    assert_eq!(first(&map, 3 * 1280 + 256), (0, 1408));
}

#[test]
fn a_wrong_member_count_names_what_is_allowed_and_a_way_out() {
    let complaint = |level, members| {
        RaidSpec::new(level).check_members(members, 4).map_err(|error| error.to_string()).unwrap_err()
    };
    assert_eq!(
        complaint(Level::Raid0, 5),
        "RAID 0 cannot be made of 5 drives: it takes 2 to 4; take 1 drive away"
    );
    assert_eq!(
        complaint(Level::Raid01, 3),
        "RAID 0+1 cannot be made of 3 drives: it takes exactly 4; add 1 drive, or use level Raid0 or Jbod"
    );
    assert_eq!(
        complaint(Level::Raid1, 1),
        "RAID 1 cannot be made of 1 drive: it takes exactly 2; add 1 drive, or use level Single"
    );
    let no_room = RaidSpec::new(Level::Raid10).check_members(4, 2).unwrap_err().to_string();
    assert!(no_room.contains("this controller's arrays hold at most 2"), "{no_room}");
    assert_eq!(RaidSpec::new(Level::Raid0).check_members(8, 8), Ok(()));
}

#[test]
fn members_without_room_for_a_stripe_are_refused() {
    let error = ArrayMap::new(&RaidSpec::new(Level::Raid0), &[10_000, 137]).unwrap_err();
    assert_eq!(error, RaidError::MemberTooSmall { member: 1, given: 137, needed: 138 });
    let error = ArrayMap::new(&RaidSpec::new(Level::Single), &[u64::MAX]).unwrap_err();
    assert_eq!(error, RaidError::MemberTooLarge { member: 0, given: u64::MAX });
}

#[test]
fn odd_stripes_and_stray_cut_offs_are_reported() {
    for (stripe_kib, allowed) in [(4, true), (64, true), (2048, true), (2, false), (48, false), (0, false)] {
        let spec = RaidSpec { stripe_kib, ..RaidSpec::new(Level::Raid0) };
        let mut issues = Issues::new();
        spec.validate(&mut issues);
        assert_eq!(issues.is_empty(), allowed, "{stripe_kib} KiB");
        assert_eq!(ArrayMap::new(&spec, &[DISK, DISK]).is_ok(), allowed, "{stripe_kib} KiB");
    }
    let spec = RaidSpec { unequal: Unequal::CutOff, ..RaidSpec::new(Level::Raid1) };
    let mut issues = Issues::new();
    spec.validate(&mut issues);
    assert!(!issues.is_empty());
    assert!(ArrayMap::new(&spec, &[DISK, DISK]).is_err());
}

#[test]
fn a_file_may_name_only_the_level() {
    let spec: RaidSpec = ron::from_str("(level: Raid0)").unwrap();
    assert_eq!(spec, RaidSpec::new(Level::Raid0));
    assert!(ron::from_str::<RaidSpec>("(level: Raid0, strip_kib: 64)").is_err());
}

#[test]
fn which_two_drives_of_four_may_fail_depends_on_the_order_of_mirror_and_stripe() {
    let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    let lives = |level: Level| {
        let map = ArrayMap::new(&RaidSpec::new(level), &[DISK; 4]).unwrap();
        pairs.map(|pair| map.health(&pair) != Health::Failed)
    };
    // Mirrored are 0 with 2 and 1 with 3 here, 0 with 1 and 2 with 3 there. That the cards give up a whole stripe of
    // a RAID 0+1 with its first drive, so that only [0, 1] and [2, 3] may fail, is not in the map.
    assert_eq!(lives(Level::Raid01), [true, false, true, true, false, true]);
    assert_eq!(lives(Level::Raid10), [false, true, true, true, true, false]);
}
