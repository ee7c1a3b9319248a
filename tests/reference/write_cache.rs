//! The write cache against a map with one byte a sector.

use ataraid::drive::spec::{Destage, WriteCacheSpec};
use ataraid::drive::{Access, Mechanics, Place, Spindle, WriteCache};
use ataraid::units::{Extent, Instant, Span};
use proptest::prelude::*;

use crate::common;

const SECTORS: u64 = 400;
/// Addresses of the test lie this far apart on the disk, so that they spread over cylinders.
const AREA: u64 = 20_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Clean,
    Dirty,
    Writing,
    /// Being written, and overwritten since.
    Both,
}

#[derive(Clone, Debug)]
enum Op {
    Insert { area: u64, lba: u64, sectors: u64 },
    Take { cylinder: u32, wait_us: u64 },
    Written,
    Ask { area: u64, lba: u64, sectors: u64 },
}

fn op() -> impl Strategy<Value = Op> {
    let extent = || (0_u64..4, 0_u64..SECTORS - 64, 1_u64..64);
    prop_oneof![
        4 => extent().prop_map(|(area, lba, sectors)| Op::Insert { area, lba, sectors }),
        2 => (0_u32..120, 0_u64..20_000).prop_map(|(cylinder, wait_us)| Op::Take { cylinder, wait_us }),
        2 => Just(Op::Written),
        2 => extent().prop_map(|(area, lba, sectors)| Op::Ask { area, lba, sectors }),
    ]
}

struct Twin {
    bytes: Vec<State>,
    swept_to: u64,
    swept_place: Place,
}

impl Twin {
    fn of(&mut self, extent: Extent) -> &mut [State] {
        let first = (extent.lba / AREA * SECTORS + extent.lba % AREA) as usize;
        &mut self.bytes[first..first + extent.sectors as usize]
    }
    fn count(&self, wanted: &[State]) -> u64 {
        self.bytes.iter().filter(|state| wanted.contains(state)).count() as u64
    }
}

/// The rule of each order, spelt out over the list of dirty extents in address order.
fn cost(order: Destage, twin: &Twin, mechanics: &Mechanics, from: Place, at: Instant, dirty: Extent) -> u64 {
    let to = mechanics.place_of(dirty.lba);
    match order {
        // A sweep: how far up from where it stands, and those behind only after the end of the disk.
        Destage::CLook if dirty.lba >= twin.swept_to => dirty.lba - twin.swept_to,
        Destage::CLook => (1 << 40) + dirty.lba,
        Destage::Sstf => u64::from(to.cylinder.abs_diff(from.cylinder)),
        Destage::Sptf => {
            let sequential = dirty.lba == twin.swept_to && from == twin.swept_place;
            let piece = mechanics.piece(from, at, dirty.lba, Access::Write, sequential);
            piece.begin.since(at).ps()
        }
        Destage::Fcfs => 0,
    }
}

fn check(spec: &WriteCacheSpec, ops: &[Op]) -> Result<(), TestCaseError> {
    let drive = common::small_drive();
    let spindle = Spindle::exact(drive.nominal_revolution(), Span::ZERO);
    let mechanics = Mechanics::with_spindle(&drive, spindle);
    let mut cache = WriteCache::new(spec);
    let bytes = vec![State::Clean; 4 * SECTORS as usize];
    let mut twin = Twin { bytes, swept_to: 0, swept_place: Place::default() };
    let mut now = Instant::ZERO;
    for op in ops {
        now += Span::from_us(10.0);
        match *op {
            Op::Insert { area, lba, sectors } => {
                let extent = Extent::new(area * AREA + lba, sectors);
                if !cache.has_room(extent, (0, 0)) {
                    continue;
                }
                cache.insert(extent, now, &mechanics);
                for state in twin.of(extent) {
                    *state = match *state {
                        State::Clean | State::Dirty => State::Dirty,
                        State::Writing | State::Both => State::Both,
                    };
                }
            }
            Op::Take { cylinder, wait_us } => {
                if cache.writing().is_some() {
                    continue;
                }
                now += Span::from_us(wait_us as f64);
                let from = Place { cylinder, head: 0 };
                let dirty: Vec<Extent> = cache.extents().collect();
                let Some((taken, _)) = cache.take(&mechanics, from, now) else {
                    prop_assert!(dirty.is_empty());
                    continue;
                };
                if spec.destage != Destage::Fcfs {
                    let costs = |e: &Extent| cost(spec.destage, &twin, &mechanics, from, now, *e);
                    let best = dirty.iter().map(costs).min();
                    prop_assert_eq!(Some(costs(&taken)), best, "{:?} of {:?}", taken, dirty);
                }
                prop_assert!(dirty.contains(&taken));
                prop_assert!(twin.of(taken).iter().all(|&state| state == State::Dirty));
                twin.of(taken).fill(State::Writing);
                twin.swept_to = taken.end();
                twin.swept_place = mechanics.place_of(taken.end() - 1);
                cache.ends_at(twin.swept_place);
            }
            Op::Written => {
                let before = cache.writing();
                prop_assert_eq!(cache.written(), before);
                for state in &mut twin.bytes {
                    *state = match *state {
                        State::Writing => State::Clean,
                        State::Both => State::Dirty,
                        other => other,
                    };
                }
            }
            Op::Ask { area, lba, sectors } => {
                let extent = Extent::new(area * AREA + lba, sectors);
                let held = twin.of(extent).iter().filter(|&&state| state != State::Clean).count() as u64;
                prop_assert_eq!(cache.covers(extent), held == sectors, "{:?}", extent);
                prop_assert_eq!(cache.touches(extent), held > 0, "{:?}", extent);
            }
        }
        let dirty = twin.count(&[State::Dirty, State::Both]);
        let writing = twin.count(&[State::Writing, State::Both]);
        prop_assert_eq!(cache.sectors(), dirty + writing);
        prop_assert_eq!(cache.is_clean(), dirty == 0);
        prop_assert!(cache.entries() <= spec.entries_max as usize);
        let largest = cache.extents().map(|e| e.sectors).max().unwrap_or(0);
        prop_assert!(largest <= u64::from(spec.extent_kib * 2).max(64));
    }
    Ok(())
}

proptest! {
    #![proptest_config(common::cases(60))]

    #[test]
    fn the_write_cache_agrees_with_a_map_of_sectors(
        ops in prop::collection::vec(op(), 1..120), coalesce: bool, entries_max in 1_u32..12,
        size_kib in 16_u32..200, extent_kib in 1_u32..100,
        destage in prop_oneof![
            Just(Destage::Fcfs), Just(Destage::Sstf), Just(Destage::CLook), Just(Destage::Sptf),
        ],
    ) {
        let drive = common::small_drive();
        let spec = WriteCacheSpec {
            coalesce, entries_max, size_kib, extent_kib, destage, age_limit_ms: 100_000.0, ..drive.write_cache
        };
        check(&spec, &ops)?;
    }

    #[test]
    fn the_first_come_is_written_first(extents in prop::collection::vec(0_u64..1000, 1..20)) {
        let drive = common::small_drive();
        let spec = WriteCacheSpec { destage: Destage::Fcfs, entries_max: 64, ..drive.write_cache };
        let mechanics =
            Mechanics::with_spindle(&drive, Spindle::exact(drive.nominal_revolution(), Span::ZERO));
        let mut cache = WriteCache::new(&spec);
        let mut expected: Vec<u64> = Vec::new();
        for (n, &lba) in extents.iter().enumerate() {
            // Apart, so that none join.
            cache.insert(Extent::new(lba * 64, 8), Instant::from_ps(n as u64), &mechanics);
            if !expected.contains(&(lba * 64)) {
                expected.push(lba * 64);
            }
        }
        let mut order = Vec::new();
        while let Some((extent, _)) = cache.take(&mechanics, Place::default(), Instant::from_ps(99)) {
            order.push(extent.lba);
            cache.written();
        }
        prop_assert_eq!(order, expected);
    }
}
