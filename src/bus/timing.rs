//! What one transaction costs.

use super::spec::BusSpec;
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
    write_wait_clocks: u64,
    read_wait_clocks: u64,
    phases_max: u64,
}

/// Address phase of every transaction.
const ADDRESS_CLOCKS: u64 = 1;
/// Turnaround of the address lines before a target drives them (memory reads only).
const READ_TURNAROUND_CLOCKS: u64 = 1;
/// Turnaround after the last data phase.
const END_CLOCKS: u64 = 1;

impl BusTiming {
    /// The timing of a bus; `spec` has been validated.
    pub fn new(spec: &BusSpec) -> Self {
        let clock = Clock::from_period(spec.clock_period_ps, 1);
        // The timer counts from FRAME#, so the address phase and one clock of turnaround are inside it.
        let timer_phases = spec.latency_timer_clocks - 2;
        BusTiming {
            clock,
            bytes_per_phase: spec.width_bits / 8,
            arbitration_clocks: spec.arbitration_clocks,
            write_wait_clocks: spec.memory_write_wait_clocks,
            read_wait_clocks: clock.cycles_to_cover(Span::from_ns(spec.memory_read_latency_ns)),
            phases_max: spec.burst_limit_phases.min(timer_phases),
        }
    }

    /// Bus clocks of moving `bytes` bytes: as many bursts as latency timer and bridge make of it.
    pub fn clocks(&self, bytes: u64, direction: Direction) -> u64 {
        let phases = bytes.div_ceil(self.bytes_per_phase);
        let bursts = phases.div_ceil(self.phases_max);
        let wait = match direction {
            Direction::MemoryWrite => self.write_wait_clocks,
            Direction::MemoryRead => READ_TURNAROUND_CLOCKS + self.read_wait_clocks,
        };
        phases + bursts * (ADDRESS_CLOCKS + wait + END_CLOCKS)
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
}
