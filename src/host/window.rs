//! A queue of block requests of which the driver sees only the first few, and from these takes one by address.

use std::collections::{BTreeMap, VecDeque};

use super::spec::Sort;

/// Requests that wait, each with its address. Taking one costs little however many wait.
#[derive(Clone, Debug)]
pub struct Window<T> {
    /// The oldest ones, as many as the driver sees, by address and then order of arrival; unused in order of arrival.
    visible: BTreeMap<(u64, u64), T>,
    /// Those behind them, in order of arrival.
    hidden: VecDeque<(u64, T)>,
    visible_max: usize,
    arrivals: u64,
    sort: Sort,
    /// Where the sweep stands: the address taken last.
    position: u64,
    upward: bool,
}

impl<T: Copy> Window<T> {
    /// An empty queue whose `visible` oldest entries are sorted.
    pub fn new(sort: Sort, visible: usize) -> Self {
        Window {
            visible: BTreeMap::new(),
            hidden: VecDeque::new(),
            visible_max: if sort == Sort::Fifo { 0 } else { visible.max(1) },
            arrivals: 0,
            sort,
            position: 0,
            upward: true,
        }
    }

    /// Number waiting.
    pub fn len(&self) -> usize {
        self.visible.len() + self.hidden.len()
    }

    /// True if nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a request at the end.
    pub fn push(&mut self, lba: u64, item: T) {
        if self.visible.len() < self.visible_max {
            self.show(lba, item);
        } else {
            self.hidden.push_back((lba, item));
        }
    }

    /// Takes the next request by the sorting rule.
    pub fn pop(&mut self) -> Option<T> {
        if self.sort == Sort::Fifo {
            return self.hidden.pop_front().map(|(_, item)| item);
        }
        let key = match self.sort {
            Sort::Scan => self.next_of_scan(),
            Sort::OneWay | Sort::Fifo => self.nearest_above().or_else(|| self.first_from(0)),
        }?;
        let item = self.visible.remove(&key)?;
        self.position = key.0;
        if let Some((lba, next)) = self.hidden.pop_front() {
            self.show(lba, next);
        }
        Some(item)
    }

    fn show(&mut self, lba: u64, item: T) {
        self.arrivals += 1;
        self.visible.insert((lba, self.arrivals), item);
    }

    fn first_from(&self, lba: u64) -> Option<(u64, u64)> {
        self.visible.range((lba, 0)..).next().map(|(&key, _)| key)
    }

    fn nearest_above(&self) -> Option<(u64, u64)> {
        self.first_from(self.position)
    }

    fn nearest_below(&self) -> Option<(u64, u64)> {
        let (&(lba, _), _) = self.visible.range(..=(self.position, u64::MAX)).next_back()?;
        self.first_from(lba)
    }

    fn next_of_scan(&mut self) -> Option<(u64, u64)> {
        let ahead = if self.upward { self.nearest_above() } else { self.nearest_below() };
        if ahead.is_some() || self.visible.is_empty() {
            return ahead;
        }
        self.upward = !self.upward;
        if self.upward { self.nearest_above() } else { self.nearest_below() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(sort: Sort, visible: usize, addresses: &[u64]) -> Vec<u64> {
        let mut window = Window::new(sort, visible);
        for &lba in addresses {
            window.push(lba, lba);
        }
        std::iter::from_fn(|| window.pop()).collect()
    }

    #[test]
    fn a_one_way_sweep_goes_up_and_starts_again_at_the_lowest() {
        let mut window = Window::new(Sort::OneWay, usize::MAX);
        for lba in [50, 10, 90] {
            window.push(lba, lba);
        }
        assert_eq!(window.pop(), Some(10));
        assert_eq!(window.pop(), Some(50));
        window.push(20, 20);
        window.push(60, 60);
        let rest: Vec<u64> = std::iter::from_fn(|| window.pop()).collect();
        assert_eq!(rest, [60, 90, 20]);
    }

    #[test]
    fn a_scan_turns_round_at_the_end() {
        let mut window = Window::new(Sort::Scan, usize::MAX);
        for lba in [50, 10, 90] {
            window.push(lba, lba);
        }
        assert_eq!((window.pop(), window.pop()), (Some(10), Some(50)));
        window.push(20, 20);
        let rest: Vec<u64> = std::iter::from_fn(|| window.pop()).collect();
        assert_eq!(rest, [90, 20]);
    }

    #[test]
    fn only_the_oldest_entries_are_sorted() {
        assert_eq!(drain(Sort::OneWay, 2, &[9, 8, 1, 2]), [8, 9, 1, 2]);
        assert_eq!(drain(Sort::Fifo, 99, &[9, 8, 1, 2]), [9, 8, 1, 2]);
    }

    #[test]
    fn equal_addresses_leave_in_order_of_arrival() {
        let mut window = Window::new(Sort::OneWay, 8);
        for item in 0..3 {
            window.push(5, item);
        }
        assert_eq!((window.pop(), window.pop(), window.pop()), (Some(0), Some(1), Some(2)));
    }
}
