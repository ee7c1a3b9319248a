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
            let (lba, item) = self.hidden.pop_front()?;
            self.position = lba;
            return Some(item);
        }
        let key = self.next()?;
        let item = self.visible.remove(&key)?;
        if self.sort == Sort::Scan && key.0 != self.position {
            self.upward = key.0 > self.position;
        }
        self.position = key.0;
        if let Some((lba, next)) = self.hidden.pop_front() {
            self.show(lba, next);
        }
        Some(item)
    }

    /// How far the address of the next request is from the one taken last; nothing if none waits.
    pub fn distance(&self) -> Option<u64> {
        let lba = match self.sort {
            Sort::Fifo => self.hidden.front().map(|&(lba, _)| lba),
            _ => self.next().map(|(lba, _)| lba),
        };
        lba.map(|lba| lba.abs_diff(self.position))
    }

    /// The visible request that goes next.
    fn next(&self) -> Option<(u64, u64)> {
        let (above, below) = (self.nearest_above(), || self.nearest_below());
        match self.sort {
            Sort::OneWay | Sort::Fifo => above.or_else(|| self.first_from(0)),
            Sort::Scan if self.upward => above.or_else(below),
            Sort::Scan => below().or(above),
            Sort::Nearest => match (above, below()) {
                (Some(up), Some(down)) if self.position - down.0 < up.0 - self.position => Some(down),
                (up, down) => up.or(down),
            },
        }
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
    fn the_nearest_goes_first_either_way_and_ties_go_up() {
        let mut window = Window::new(Sort::Nearest, usize::MAX);
        for lba in [50, 10, 90] {
            window.push(lba, lba);
        }
        assert_eq!((window.distance(), window.pop()), (Some(10), Some(10)));
        assert_eq!(window.pop(), Some(50));
        window.push(10, 10);
        window.push(51, 51);
        window.push(12, 12);
        let rest: Vec<u64> = std::iter::from_fn(|| window.pop()).collect();
        assert_eq!(rest, [51, 90, 12, 10], "39 up to 90 ties with 39 down to 12");
        assert_eq!(window.distance(), None);
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
