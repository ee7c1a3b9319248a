//! A queue of block requests of which the driver sees only the first few, and from these takes one by address.

use super::spec::Sort;

/// Requests that wait, in order of arrival, each with its address.
#[derive(Clone, Debug)]
pub struct Window<T> {
    waiting: Vec<(u64, T)>,
    visible: usize,
    sort: Sort,
    /// Where the sweep stands: the address taken last.
    position: u64,
    upward: bool,
}

impl<T: Copy> Window<T> {
    /// An empty queue whose `visible` oldest entries are sorted.
    pub fn new(sort: Sort, visible: usize) -> Self {
        Window { waiting: Vec::new(), visible: visible.max(1), sort, position: 0, upward: true }
    }

    /// Number waiting.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// True if nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Adds a request at the end.
    pub fn push(&mut self, lba: u64, item: T) {
        self.waiting.push((lba, item));
    }

    /// Takes the next request by the sorting rule.
    pub fn pop(&mut self) -> Option<T> {
        if self.waiting.is_empty() {
            return None;
        }
        let index = match self.sort {
            Sort::Fifo => 0,
            Sort::OneWay => self.nearest_above().unwrap_or_else(|| self.lowest()),
            Sort::Scan => self.next_of_scan(),
        };
        let (lba, item) = self.waiting.remove(index);
        self.position = lba;
        Some(item)
    }

    fn visible(&self) -> &[(u64, T)] {
        &self.waiting[..self.waiting.len().min(self.visible)]
    }

    /// The visible entry with the lowest address at or above the sweep's position.
    fn nearest_above(&self) -> Option<usize> {
        let mut best = (u64::MAX, usize::MAX);
        for (index, &(lba, _)) in self.visible().iter().enumerate() {
            // Wraps for addresses below the position, which then lose against any above it.
            let distance = lba.wrapping_sub(self.position);
            if lba >= self.position && distance < best.0 {
                best = (distance, index);
            }
        }
        (best.1 != usize::MAX).then_some(best.1)
    }

    fn nearest_below(&self) -> Option<usize> {
        let below = self.visible().iter().enumerate().filter(|(_, (lba, _))| *lba <= self.position);
        below.min_by_key(|(_, (lba, _))| self.position - lba).map(|(index, _)| index)
    }

    fn lowest(&self) -> usize {
        self.visible().iter().enumerate().min_by_key(|(_, (lba, _))| *lba).map_or(0, |(index, _)| index)
    }

    fn next_of_scan(&mut self) -> usize {
        for _ in 0..2 {
            let next = if self.upward { self.nearest_above() } else { self.nearest_below() };
            if let Some(index) = next {
                return index;
            }
            self.upward = !self.upward;
        }
        0
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
