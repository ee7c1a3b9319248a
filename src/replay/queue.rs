//! The driver's queue of one drive.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::units::Extent;

/// Order in which waiting requests go to their drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// First come, first served.
    #[default]
    Fcfs,
    /// Upwards by address, then back to the lowest.
    CLook,
    /// Upwards by address, then downwards.
    Look,
    /// The nearest address to the one served last.
    Sstf,
}

/// Waiting requests of one drive.
#[derive(Clone, Debug)]
pub(super) struct DriverQueue {
    order: Order,
    fifo: VecDeque<(u32, Extent)>,
    /// By address, then by arrival.
    sorted: BTreeMap<(u64, u64), (u32, Extent)>,
    arrivals: u64,
    /// Address after the request served last.
    swept_to: u64,
    upwards: bool,
}

impl DriverQueue {
    pub fn new(order: Order) -> Self {
        let (fifo, sorted) = (VecDeque::new(), BTreeMap::new());
        DriverQueue { order, fifo, sorted, arrivals: 0, swept_to: 0, upwards: true }
    }

    pub fn is_empty(&self) -> bool {
        self.fifo.is_empty() && self.sorted.is_empty()
    }

    pub fn push(&mut self, id: u32, extent: Extent) {
        if self.order == Order::Fcfs {
            return self.fifo.push_back((id, extent));
        }
        self.arrivals += 1;
        self.sorted.insert((extent.lba, self.arrivals), (id, extent));
    }

    /// A request that found the queue empty and its drive free goes past it.
    pub fn pass(&mut self, extent: Extent) {
        self.swept_to = extent.end();
    }

    /// The request that goes to the drive next.
    pub fn pop(&mut self) -> Option<u32> {
        let (id, extent) = match self.order {
            Order::Fcfs => self.fifo.pop_front()?,
            _ => {
                let key = self.choose()?;
                self.sorted.remove(&key)?
            }
        };
        self.swept_to = extent.end();
        Some(id)
    }

    fn choose(&mut self) -> Option<(u64, u64)> {
        let here = (self.swept_to, 0);
        let above = self.sorted.range(here..).next().map(|(&key, _)| key);
        if self.order == Order::CLook {
            return above.or_else(|| self.sorted.first_key_value().map(|(&key, _)| key));
        }
        let below = self.sorted.range(..here).next_back().map(|(&key, _)| key);
        let (Some(up), Some(down)) = (above, below) else {
            self.upwards = above.is_some();
            return above.or(below);
        };
        let goes_up = match self.order {
            Order::Look => self.upwards,
            _ => up.0 - self.swept_to <= self.swept_to - down.0,
        };
        Some(if goes_up { up } else { down })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn served(order: Order, addresses: &[u64]) -> Vec<u64> {
        let mut queue = DriverQueue::new(order);
        queue.pass(Extent::new(50, 0));
        for (id, &lba) in addresses.iter().enumerate() {
            queue.push(id as u32, Extent::new(lba, 1));
        }
        std::iter::from_fn(|| queue.pop()).map(|id| addresses[id as usize]).collect()
    }

    #[test]
    fn each_order_is_the_one_it_is_named_for() {
        let waiting = [70, 10, 55, 40];
        assert_eq!(served(Order::Fcfs, &waiting), waiting);
        assert_eq!(served(Order::CLook, &waiting), [55, 70, 10, 40]);
        assert_eq!(served(Order::Look, &waiting), [55, 70, 40, 10]);
        assert_eq!(served(Order::Sstf, &waiting), [55, 70, 40, 10]);
        assert_eq!(served(Order::Sstf, &[80, 45, 60]), [45, 60, 80]);
    }

    proptest! {
        #[test]
        fn whatever_waits_is_served_once(addresses in prop::collection::vec(0_u64..100, 0..40)) {
            for order in [Order::Fcfs, Order::CLook, Order::Look, Order::Sstf] {
                let mut out = served(order, &addresses);
                let mut waiting = addresses.clone();
                out.sort_unstable();
                waiting.sort_unstable();
                prop_assert_eq!(&out, &waiting);
            }
        }
    }
}
