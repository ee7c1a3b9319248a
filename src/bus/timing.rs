//! What one transaction costs.

use super::spec::{BusSpec, Protocol};
use crate::units::{Clock, Span};

/// Which way data crosses the bus, seen from memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Device to memory: a disk read, a posted memory write on the bus.
    MemoryWrite,
    /// Memory to device: a disk write, a memory read on the bus, which waits for the bridge's first word.
    MemoryRead,
}

/// Clock arithmetic of one bus.
#[derive(Clone, Debug)]
pub struct BusTiming {
    clock: Clock,
    bytes_per_phase: u64,
    arbitration_clocks: u64,
    /// Clocks of a burst beside its data phases.
    write_clocks: u64,
    read_clocks: u64,
    phases_max: u64,
    split: Option<Split>,
}

/// What a split memory read costs beside the bursts that bring its data.
#[derive(Clone, Copy, Debug)]
struct Split {
    request_clocks: u64,
    latency: Span,
}

/// Address phase of every transaction.
const ADDRESS_CLOCKS: u64 = 1;
/// Turnaround of the address lines before a target drives them (memory reads only).
const READ_TURNAROUND_CLOCKS: u64 = 1;
/// Turnaround after the last data phase.
const END_CLOCKS: u64 = 1;
/// PCI-X: requester, tag and byte count behind the address (PCI-X addendum 1.0a, attribute phase).
const ATTRIBUTE_CLOCKS: u64 = 1;
/// PCI-X: the target answers, at the soonest, in the clock behind the attributes (decode A).
const RESPONSE_CLOCKS: u64 = 1;
/// PCI-X: an initiator ends a burst at a multiple of this only.
const ADDRESS_BOUNDARY_BYTES: u64 = 128;
/// PCI-X: most bytes that one request asks for.
const REQUEST_BYTES_MAX: u64 = 4096;

impl BusTiming {
    /// The timing of a bus; `spec` has been validated.
    pub fn new(spec: &BusSpec) -> Self {
        let clock = Clock::from_period(spec.clock_period_ps, 1);
        let bytes_per_phase = spec.width_bits / 8;
        let latency = Span::from_ns(spec.memory_read_latency_ns);
        let frame = ADDRESS_CLOCKS + END_CLOCKS;
        // The timer counts from FRAME#, so the phases before the data are inside it.
        let (write_clocks, read_clocks, timer_phases, split) = match spec.protocol {
            Protocol::Pci => {
                let read = frame + READ_TURNAROUND_CLOCKS + clock.cycles_to_cover(latency);
                (frame + spec.memory_write_wait_clocks, read, spec.latency_timer_clocks - 2, None)
            }
            Protocol::PciX => {
                let bare = frame + ATTRIBUTE_CLOCKS + RESPONSE_CLOCKS;
                let boundary = ADDRESS_BOUNDARY_BYTES / bytes_per_phase;
                let phases = (spec.latency_timer_clocks - 3).next_multiple_of(boundary);
                let write = frame + ATTRIBUTE_CLOCKS + spec.memory_write_wait_clocks;
                (write, bare, phases, Some(Split { request_clocks: bare, latency }))
            }
        };
        let phases_max = spec.burst_limit_phases.min(timer_phases);
        let arbitration_clocks = spec.arbitration_clocks;
        BusTiming { clock, bytes_per_phase, arbitration_clocks, write_clocks, read_clocks, phases_max, split }
    }

    /// Bus clocks of moving `bytes` bytes: as many bursts as latency timer and bridge make of it.
    pub fn clocks(&self, bytes: u64, direction: Direction) -> u64 {
        let phases = bytes.div_ceil(self.bytes_per_phase);
        let bursts = phases.div_ceil(self.phases_max);
        match (direction, self.split) {
            (Direction::MemoryWrite, _) => phases + bursts * self.write_clocks,
            (Direction::MemoryRead, None) => phases + bursts * self.read_clocks,
            (Direction::MemoryRead, Some(split)) => {
                let requests = bytes.div_ceil(REQUEST_BYTES_MAX);
                phases + bursts * self.read_clocks + requests * split.request_clocks
            }
        }
    }

    /// Time that an initiator waits for its data while the bus is free for others: of split reads only.
    pub fn latency(&self, direction: Direction) -> Span {
        let split = self.split.filter(|_| direction == Direction::MemoryRead);
        split.map_or(Span::ZERO, |split| split.latency)
    }

    /// Time on the bus of moving `bytes` bytes, arbitration hidden behind the owner before.
    pub fn transaction(&self, bytes: u64, direction: Direction) -> Span {
        self.clock.cycles(self.clocks(bytes, direction))
    }

    /// Time from request to grant on an idle bus that is parked elsewhere.
    pub fn arbitration(&self) -> Span {
        self.clock.cycles(self.arbitration_clocks)
    }

    /// Peak rate without any overhead, MB/s, for output only.
    pub fn peak_mb_s(&self) -> f64 {
        self.clock.as_mhz() * self.bytes_per_phase as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bus(period_ps: u64, read_latency_ns: u64) -> BusTiming {
        BusTiming::new(&BusSpec {
            name: "test".into(),
            protocol: Protocol::Pci,
            width_bits: 32,
            clock_period_ps: period_ps,
            arbitration_clocks: 2,
            memory_write_wait_clocks: 1,
            memory_read_latency_ns: read_latency_ns,
            latency_timer_clocks: 255,
            burst_limit_phases: 1024,
            competing_masters: Vec::new(),
            sources: Default::default(),
        })
    }

    /// MB/s, rounded, of a train of bursts.
    fn efficiency(period_ps: u64, latency_ns: u64, burst: u64, direction: Direction) -> u64 {
        let span = bus(period_ps, latency_ns).transaction(burst, direction);
        (burst as f64 / span.as_us()).round() as u64
    }

    #[test]
    fn efficiency_over_burst_length_is_that_of_the_protocol() {
        let table = |period: u64| -> Vec<[u64; 4]> {
            [32, 64, 128, 256, 512]
                .map(|burst| {
                    [
                        efficiency(period, 180, burst, Direction::MemoryWrite),
                        efficiency(period, 180, burst, Direction::MemoryRead),
                        efficiency(period, 300, burst, Direction::MemoryRead),
                        efficiency(period, 480, burst, Direction::MemoryRead),
                    ]
                })
                .to_vec()
        };
        assert_eq!(
            table(30_000),
            [
                [97, 63, 51, 40],
                [112, 85, 74, 61],
                [122, 104, 95, 84],
                [127, 117, 111, 103],
                [130, 125, 121, 116]
            ]
        );
        assert_eq!(
            table(15_000),
            [
                [194, 93, 69, 50],
                [225, 138, 109, 84],
                [244, 182, 155, 127],
                [255, 216, 196, 172],
                [261, 239, 226, 209]
            ]
        );
    }

    #[test]
    fn the_latency_timer_cuts_a_burst() {
        let mut spec_bus = bus(30_000, 0);
        spec_bus.phases_max = 118;
        assert_eq!(spec_bus.clocks(472, Direction::MemoryWrite), 118 + 3);
        assert_eq!(spec_bus.clocks(476, Direction::MemoryWrite), 119 + 6);
    }

    #[test]
    fn a_burst_is_ready_to_the_picosecond() {
        // 16 data phases, address, one wait, one turnaround: 19 clocks of 30 ns.
        assert_eq!(bus(30_000, 0).transaction(64, Direction::MemoryWrite).ps(), 19 * 30_000);
    }

    fn pci_x(latency_timer_clocks: u64) -> BusTiming {
        BusTiming::new(&BusSpec {
            name: "test".into(),
            protocol: Protocol::PciX,
            width_bits: 64,
            clock_period_ps: 7_500,
            arbitration_clocks: 2,
            memory_write_wait_clocks: 1,
            memory_read_latency_ns: 300,
            latency_timer_clocks,
            burst_limit_phases: 512,
            competing_masters: Vec::new(),
            sources: Default::default(),
        })
    }

    #[test]
    fn a_pci_x_burst_of_six_words_takes_ten_clocks() {
        // Address, attributes, response, six data phases, turnaround: one clock more than on conventional PCI.
        let bus = pci_x(64);
        assert_eq!(bus.clocks(48, Direction::MemoryWrite), 10);
        assert_eq!(bus.transaction(48, Direction::MemoryWrite).ps(), 75_000);
        assert_eq!(bus.latency(Direction::MemoryWrite), Span::ZERO);
    }

    #[test]
    fn a_split_read_costs_a_request_and_a_completion_but_not_the_wait() {
        let split = pci_x(64);
        assert_eq!(split.clocks(48, Direction::MemoryRead), 4 + 10);
        assert_eq!(split.latency(Direction::MemoryRead), Span::from_ns(300));
        let conventional = bus(30_000, 300);
        assert_eq!(conventional.latency(Direction::MemoryRead), Span::ZERO, "the wait is on the bus");
    }

    #[test]
    fn a_pci_x_burst_goes_on_to_the_address_boundary_behind_the_timer() {
        // 61 phases until the timer is out, 64 until the next multiple of 128 bytes: 512 bytes a burst.
        assert_eq!(pci_x(64).clocks(1024, Direction::MemoryWrite), 128 + 2 * 4);
        // Three clocks less in the timer change nothing, down to the boundary before.
        assert_eq!(pci_x(52).clocks(1024, Direction::MemoryWrite), 128 + 2 * 4);
        assert_eq!(pci_x(51).clocks(1024, Direction::MemoryWrite), 128 + 3 * 4);
        // One request asks for 4096 bytes at most.
        assert_eq!(pci_x(255).clocks(8192, Direction::MemoryRead), 1024 + 4 * 4 + 2 * 4);
    }

    #[test]
    fn pci_x_moves_most_of_its_peak_in_bursts_of_512_bytes() {
        let rate = |direction| 512.0 / pci_x(64).transaction(512, direction).as_us();
        // 64 of 68 and of 72 clocks at 1066.7 MB/s.
        assert_eq!(rate(Direction::MemoryWrite).round(), 1004.0);
        assert_eq!(rate(Direction::MemoryRead).round(), 948.0);
    }
}
