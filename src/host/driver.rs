//! The queue in front of one array (or plain drive) and the choice of a mirror's copy.

use super::spec::{DriverSpec, InFlight, MirrorRead, Sort};
use super::window::Window;
use crate::raid::{Location, Piece};

/// Requests of one logical unit on their way into the card's driver. `T` names a request.
#[derive(Clone, Debug)]
pub struct Driver<T> {
    queue: Window<T>,
    under_way: u64,
    limit: u64,
    mirrors: MirrorState,
    mirror_read: MirrorRead,
}

/// What the choice of a mirror's copy depends on.
#[derive(Clone, Debug, Default)]
pub struct MirrorState {
    /// Address after the last one sent to each member.
    last: Vec<u64>,
    /// Commands waiting or under way, by member.
    queued: Vec<u32>,
    turn: bool,
}

impl<T: Copy> Driver<T> {
    /// The queue of a unit with `members` members.
    pub fn new(spec: &DriverSpec, members: usize) -> Self {
        let (limit, sort) = match spec.in_flight {
            InFlight::Array(requests) => (requests.min(spec.outstanding_requests_max), spec.sort),
            // Sorted later, where the address on the drive is known.
            InFlight::Channel | InFlight::Drive => (spec.outstanding_requests_max, Sort::Fifo),
        };
        Driver {
            queue: Window::new(sort, spec.window(members)),
            under_way: 0,
            limit,
            mirrors: MirrorState { last: vec![0; members], queued: vec![0; members], turn: false },
            mirror_read: spec.mirror_read,
        }
    }

    /// A request for the unit's sector `lba` on arrives.
    pub fn submit(&mut self, lba: u64, request: T) {
        self.queue.push(lba, request);
    }

    /// The next request that may go to the card, if any.
    pub fn take(&mut self) -> Option<T> {
        if self.under_way >= self.limit {
            return None;
        }
        let request = self.queue.pop()?;
        self.under_way += 1;
        Some(request)
    }

    /// A request that [`take`](Self::take) gave is done.
    pub fn finished(&mut self) {
        self.under_way -= 1;
    }

    /// Requests waiting.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Requests under way.
    pub fn under_way(&self) -> u64 {
        self.under_way
    }

    /// The copy of `piece` to read.
    pub fn copy_to_read(&mut self, piece: &Piece) -> Location {
        let (first, Some(second)) = (piece.primary, piece.mirror) else { return piece.primary };
        match self.mirror_read {
            MirrorRead::Primary => first,
            MirrorRead::Alternate => self.mirrors.take_turn(first, second),
            MirrorRead::Nearest => {
                let distance =
                    |copy: Location| copy.lba.abs_diff(self.mirrors.last[usize::from(copy.member)]);
                match distance(first).cmp(&distance(second)) {
                    std::cmp::Ordering::Less => first,
                    std::cmp::Ordering::Greater => second,
                    std::cmp::Ordering::Equal => self.mirrors.take_turn(first, second),
                }
            }
            MirrorRead::ShortestQueue => {
                let queued = |copy: Location| self.mirrors.queued[usize::from(copy.member)];
                if queued(second) < queued(first) { second } else { first }
            }
        }
    }

    /// The sectors up to `end` of `member` will be asked for next.
    pub fn moves_to(&mut self, member: u8, end: u64) {
        self.mirrors.last[usize::from(member)] = end;
    }

    /// A command to `member` is on its way.
    pub fn sent(&mut self, member: u8) {
        self.mirrors.queued[usize::from(member)] += 1;
    }

    /// A command to `member` is done.
    pub fn done(&mut self, member: u8) {
        self.mirrors.queued[usize::from(member)] -= 1;
    }
}

impl MirrorState {
    fn take_turn(&mut self, first: Location, second: Location) -> Location {
        self.turn = !self.turn;
        if self.turn { first } else { second }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::{CableRule, Parts};
    use super::*;

    fn spec(in_flight: InFlight, mirror_read: MirrorRead) -> DriverSpec {
        DriverSpec {
            name: "test".into(),
            in_flight,
            sort: Sort::OneWay,
            window_array_requests: 32,
            window_single_requests: 256,
            outstanding_requests_max: 16,
            transfer_limit_kib: 64,
            parts: Parts::Parallel,
            mirror_read,
            cable_rule: CableRule::CableFree,
            device_choice: Default::default(),
            mirror_write: Default::default(),
            member_pieces: Default::default(),
            transfer_mode_max: crate::channel::TransferMode::Udma(6),
            pio_block_sectors: 16,
            sources: Default::default(),
        }
    }

    fn copies(lba: u64) -> Piece {
        let at = |member| Location { member, lba };
        Piece { array_lba: lba, sectors: 8, primary: at(0), mirror: Some(at(1)) }
    }

    #[test]
    fn one_request_in_the_array_holds_the_others_back() {
        let mut driver = Driver::new(&spec(InFlight::Array(1), MirrorRead::Primary), 2);
        driver.submit(9, 'b');
        driver.submit(3, 'a');
        assert_eq!((driver.take(), driver.take()), (Some('a'), None));
        driver.finished();
        assert_eq!(driver.take(), Some('b'));
    }

    #[test]
    fn without_that_limit_the_port_drivers_own_holds() {
        let mut driver = Driver::new(&spec(InFlight::Drive, MirrorRead::Primary), 2);
        for request in 0..20 {
            driver.submit(100 - request, request);
        }
        let taken: Vec<u64> = std::iter::from_fn(|| driver.take()).collect();
        assert_eq!(taken, (0..16).collect::<Vec<u64>>(), "in order of arrival, sixteen of them");
    }

    #[test]
    fn the_nearest_copy_is_read_and_ties_go_in_turns() {
        let mut driver = Driver::<u32>::new(&spec(InFlight::Drive, MirrorRead::Nearest), 2);
        let member = |driver: &mut Driver<u32>, lba| driver.copy_to_read(&copies(lba)).member;
        assert_eq!((member(&mut driver, 50), member(&mut driver, 50)), (0, 1));
        driver.moves_to(1, 1008);
        assert_eq!((member(&mut driver, 900), member(&mut driver, 10)), (1, 0));
    }

    #[test]
    fn the_copy_with_the_shorter_queue_is_read() {
        let mut driver = Driver::<u32>::new(&spec(InFlight::Drive, MirrorRead::ShortestQueue), 2);
        driver.sent(0);
        assert_eq!(driver.copy_to_read(&copies(0)).member, 1);
        driver.done(0);
        assert_eq!(driver.copy_to_read(&copies(0)).member, 0);
    }
}
