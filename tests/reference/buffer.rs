//! The segmented buffer against a list of sets of sectors.

use std::collections::BTreeSet;

use ataraid::drive::Buffer;
use ataraid::drive::spec::{BufferSpec, Segments};
use ataraid::units::Extent;
use proptest::prelude::*;

use crate::common;

const ADDRESSES: u64 = 600;

#[derive(Clone, Debug)]
enum Op {
    /// A read that missed: a new segment, filled this much beyond the request.
    Miss { lba: u64, sectors: u64, ahead: u64 },
    /// A read of what a segment holds, and this much more read ahead.
    Hit { lba: u64, sectors: u64, ahead: u64 },
    /// A write: the sectors become stale, the cache holds so many dirty ones.
    Write { lba: u64, sectors: u64, dirty: u64 },
}

fn op() -> impl Strategy<Value = Op> {
    let parts = || (0..ADDRESSES - 130, 1_u64..40, 0_u64..90);
    prop_oneof![
        3 => parts().prop_map(|(lba, sectors, ahead)| Op::Miss { lba, sectors, ahead }),
        4 => parts().prop_map(|(lba, sectors, ahead)| Op::Hit { lba, sectors, ahead }),
        1 => parts().prop_map(|(lba, sectors, dirty)| Op::Write { lba, sectors, dirty }),
    ]
}

#[derive(Clone, Debug)]
struct Held {
    sectors: BTreeSet<u64>,
    /// Address after the last.
    end: u64,
    next: u64,
    stream: bool,
    used: usize,
}

struct Twin {
    segments: Vec<Held>,
    count_max: usize,
    total: u64,
    small: u64,
    large: u64,
    clock: usize,
}

impl Twin {
    fn held(&self) -> u64 {
        self.segments.iter().map(|s| s.sectors.len() as u64).sum()
    }
    /// The segment used longest ago goes, again and again; `keep` (by its time of use) stays.
    fn evict(&mut self, count: usize, room: u64, keep: Option<usize>) {
        while self.segments.len() > count || self.held() > room {
            let oldest = self.segments.iter().map(|s| s.used).filter(|&u| Some(u) != keep).min();
            let Some(oldest) = oldest else { return };
            self.segments.retain(|s| s.used != oldest);
        }
    }
    /// Of those that hold `lba` or end just before it, the one that holds most from there on.
    fn find(&mut self, lba: u64) -> Option<&mut Held> {
        let mut found: Vec<&mut Held> = self
            .segments
            .iter_mut()
            .filter(|s| !s.sectors.is_empty() && (s.sectors.contains(&lba) || s.end == lba))
            .collect();
        let most = found.iter().map(|s| s.end).max()?;
        let index = found.iter().position(|s| s.end == most)?;
        Some(found.swap_remove(index))
    }
    fn fill(&mut self, used: usize, end: u64, dirty: u64) {
        let (small, large) = (self.small, self.large);
        let s = self.segments.iter_mut().find(|s| s.used == used).expect("it is there");
        if end <= s.end {
            return;
        }
        s.sectors.extend(s.end..end);
        s.end = end;
        let size = if s.stream { large } else { small };
        // Too old, and fetched.
        let (end, next) = (s.end, s.next);
        s.sectors.retain(|&lba| lba + size >= end || lba >= next);
        let room = self.total.saturating_sub(dirty);
        self.evict(self.count_max, room, Some(used));
        let over = self.held().saturating_sub(room);
        let s = self.segments.iter_mut().find(|s| s.used == used).expect("it is there");
        for _ in 0..over {
            s.sectors.pop_first();
        }
    }
}

fn check(spec: &BufferSpec, ops: &[Op]) -> Result<(), TestCaseError> {
    let mut buffer = Buffer::new(spec);
    let (count, small, large) = match spec.segments {
        Segments::Fixed { count, size_kib } => (count, size_kib, size_kib),
        Segments::Adaptive { minimum_kib, maximum_count } => (maximum_count, minimum_kib, spec.size_kib),
    };
    let sectors = |kib: u32| 2 * u64::from(kib);
    let mut twin = Twin {
        segments: Vec::new(),
        count_max: count as usize,
        total: sectors(spec.size_kib),
        small: sectors(small),
        large: sectors(large),
        clock: 0,
    };
    let mut dirty = 0;
    for op in ops {
        twin.clock += 1;
        let clock = twin.clock;
        match *op {
            Op::Miss { lba, sectors, ahead } => {
                let extent = Extent::new(lba, sectors);
                let id = buffer.allocate(extent, dirty);
                let wanted = twin.small.max(sectors);
                twin.evict(twin.count_max - 1, twin.total.saturating_sub(dirty + wanted), None);
                let (next, sectors) = (extent.end(), BTreeSet::new());
                twin.segments.push(Held { sectors, end: lba, next, stream: false, used: clock });
                buffer.fill(id, extent.end() + ahead, dirty);
                twin.fill(clock, extent.end() + ahead, dirty);
            }
            Op::Hit { lba, sectors, ahead } => {
                let found = buffer.find(lba);
                prop_assert_eq!(found.is_some(), twin.find(lba).is_some(), "{}", lba);
                let Some(id) = found else { continue };
                let twins = twin.find(lba).expect("as just found");
                prop_assert_eq!(buffer.segment(id).end, twins.end);
                twins.stream |= twins.next == lba;
                twins.next = lba + sectors;
                twins.used = clock;
                let end = twins.end.max(lba + sectors) + ahead;
                buffer.touch(id, Extent::new(lba, sectors));
                buffer.fill(id, end, dirty);
                twin.fill(clock, end, dirty);
            }
            Op::Write { lba, sectors, dirty: now } => {
                let extent = Extent::new(lba, sectors);
                dirty = now.min(twin.total);
                buffer.invalidate(extent, None);
                buffer.make_room(dirty, None);
                twin.segments.retain(|s| !s.sectors.range(lba..lba + sectors).any(|_| true));
                twin.evict(twin.count_max, twin.total - dirty, None);
            }
        }
        prop_assert_eq!(buffer.held(), twin.held());
        prop_assert!(buffer.held() + dirty <= twin.total, "{} and {} dirty", buffer.held(), dirty);
        for lba in 0..ADDRESSES {
            let (ours, theirs) =
                (buffer.find(lba).map(|id| buffer.segment(id).end), twin.find(lba).map(|s| s.end));
            prop_assert_eq!(ours, theirs, "at {}", lba);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(common::cases(200))]

    #[test]
    fn the_buffer_agrees_with_sets_of_sectors(
        ops in prop::collection::vec(op(), 1..60), fixed: bool, count in 1_u32..6, kib in 2_u32..24,
        size_kib in 120_u32..200,
    ) {
        let segments = if fixed {
            Segments::Fixed { count, size_kib: kib }
        } else {
            Segments::Adaptive { minimum_kib: kib, maximum_count: count }
        };
        check(&BufferSpec { size_kib, segments, ..BufferSpec::default() }, &ops)?;
    }
}
