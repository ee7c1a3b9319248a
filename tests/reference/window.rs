//! The sorted window of waiting requests against a list that is searched.

use ataraid::host::{Sort, Window};
use proptest::prelude::*;

/// All that wait, in order of arrival.
struct Twin {
    waiting: Vec<(u64, u32)>,
    position: u64,
    upward: bool,
}

impl Twin {
    fn pop(&mut self, sort: Sort, visible: usize) -> Option<u32> {
        let seen: Vec<(usize, u64)> =
            self.waiting.iter().take(visible).enumerate().map(|(index, &(lba, _))| (index, lba)).collect();
        let above = seen.iter().filter(|(_, lba)| *lba >= self.position).min_by_key(|(_, lba)| *lba);
        let below =
            seen.iter().filter(|(_, lba)| *lba <= self.position).min_by_key(|(_, lba)| self.position - lba);
        let chosen = match sort {
            Sort::Fifo => seen.first(),
            Sort::OneWay => above.or_else(|| seen.iter().min_by_key(|(_, lba)| *lba)),
            Sort::Nearest => {
                let away = |entry: Option<&(usize, u64)>| entry.map(|(_, lba)| lba.abs_diff(self.position));
                match (away(above), away(below)) {
                    (Some(up), Some(down)) if down < up => below,
                    (None, _) => below,
                    _ => above,
                }
            }
            Sort::Scan => {
                let (ahead, behind) = if self.upward { (above, below) } else { (below, above) };
                self.upward ^= ahead.is_none() && behind.is_some();
                ahead.or(behind)
            }
        };
        let (lba, item) = self.waiting.remove(chosen?.0);
        self.position = lba;
        Some(item)
    }
}

proptest! {
    #[test]
    fn takes_what_a_search_finds(
        steps in prop::collection::vec(prop::option::weighted(0.6, 0_u64..30), 1..300),
        sort in prop_oneof![Just(Sort::Fifo), Just(Sort::OneWay), Just(Sort::Scan), Just(Sort::Nearest)],
        visible in prop_oneof![1_usize..6, Just(usize::MAX)],
    ) {
        let mut window = Window::new(sort, visible);
        let mut twin = Twin { waiting: Vec::new(), position: 0, upward: true };
        for (item, step) in (0_u32..).zip(steps) {
            match step {
                Some(lba) => {
                    window.push(lba, item);
                    twin.waiting.push((lba, item));
                }
                None => {
                    let (away, before) = (window.distance(), twin.position);
                    let taken = twin.pop(sort, visible);
                    prop_assert_eq!(away, taken.map(|_| before.abs_diff(twin.position)));
                    prop_assert_eq!(window.pop(), taken);
                }
            }
            prop_assert_eq!(window.len(), twin.waiting.len());
        }
    }
}
