//! The way of the data: cable, FIFO, bus.
//!
//! A transfer is a train of half-FIFO bursts: while one half is filled from one side, the other is emptied to the
//! other side. The train's period is the slower of the two sides, plus what crossing between their clocks costs.
//! Total time of `n` bytes: `n / half` periods, plus one burst on the far side (the last of a read, the first of a
//! write), plus the arbitration for the first.

use super::spec::ControllerSpec;
use crate::bus::{BusTiming, Direction};
use crate::channel::{Link, ModeTiming};
use crate::units::{Rate, SECTOR_BYTES, Span};

/// Burst arithmetic of one device on one card on one bus, for both directions.
#[derive(Clone, Copy, Debug)]
pub struct DataPath {
    burst_bytes: u64,
    read: Lane,
    write: Lane,
    /// Bytes after which the processor is interrupted for the next ones, and what that costs; programmed I/O only.
    block: Option<(u64, Span)>,
    /// The frames of a serial link, which depend on the length of the whole transfer.
    link: Option<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Lane {
    /// Bus time of one burst, its share of descriptor fetches included.
    bus: Span,
    /// Time between bursts if nobody holds them up.
    period: Span,
    /// Time between bursts that all but a link's frames would need; less than `period` only where those are slowest.
    pace: Span,
    /// The part of a period in which neither side moves data: pauses between bursts on the cable as far as they are not
    /// hidden behind the bus, and what crossing between clocks costs.
    pause: Span,
    /// Once a transfer: arbitration and the burst on the far side.
    lead: Span,
    /// A burst whose bytes are fewer than `burst_bytes` spends less on the far side; this is that part by byte.
    far_burst: Span,
}

/// A transfer as the bus sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Train {
    /// Bus time of one burst.
    pub burst: Span,
    /// Time between bursts if nobody holds them up.
    pub period: Span,
    /// Duration if nobody holds it up.
    pub duration: Span,
    /// Bus time of all its bursts.
    pub on_bus: Span,
}

impl DataPath {
    /// `timing` is the device's on its cable; `drive_rate` what the drive's buffer can sustain.
    pub fn new(card: &ControllerSpec, timing: ModeTiming, drive_rate: Rate, bus: &BusTiming) -> Self {
        let burst_bytes = burst_bytes(card);
        let on_cable = timing.rate().time_for(burst_bytes).max(drive_rate.time_for(burst_bytes))
            + Span::from_ns(card.burst_overhead_ns);
        let lane = |direction: Direction, crossing_ns: u64| {
            let (on_bus, far_burst) = (on_bus(card, bus, direction), bus.transaction(burst_bytes, direction));
            let (latency, crossing) = (bus.latency(direction), Span::from_ns(crossing_ns));
            let period = on_cable.max(on_bus + latency) + crossing;
            let overhead = Span::from_ns(card.burst_overhead_ns);
            let pause = overhead.min(on_cable.saturating_sub(on_bus + latency)) + crossing;
            let lead = bus.arbitration() + latency;
            Lane { bus: on_bus, period, pace: period, pause, lead, far_burst }
        };
        DataPath {
            burst_bytes,
            read: lane(Direction::MemoryWrite, card.clock_crossing_read_ns),
            write: lane(Direction::MemoryRead, card.clock_crossing_write_ns),
            block: None,
            link: None,
        }
    }

    /// The same over a serial link, whose frames a full FIFO holds but does not end.
    pub fn serial(card: &ControllerSpec, link: Link, drive_rate: Rate, bus: &BusTiming) -> Self {
        let burst_bytes = burst_bytes(card);
        let lane = |direction: Direction, crossing_ns: u64| {
            let (on_bus, far_burst) = (on_bus(card, bus, direction), bus.transaction(burst_bytes, direction));
            let latency = bus.latency(direction);
            let crossing = Span::from_ns(crossing_ns);
            let pace = drive_rate.time_for(burst_bytes).max(on_bus + latency + crossing);
            let period = link.burst_time(burst_bytes, direction == Direction::MemoryRead).max(pace);
            let pause = crossing.min(period - on_bus);
            Lane { bus: on_bus, period, pace, pause, lead: bus.arbitration() + latency, far_burst }
        };
        DataPath {
            burst_bytes,
            read: lane(Direction::MemoryWrite, card.clock_crossing_read_ns),
            write: lane(Direction::MemoryRead, card.clock_crossing_write_ns),
            link: Some(link),
            block: None,
        }
    }

    /// Programmed I/O: for every four bytes the processor makes one access over the bus, which ends when two words
    /// have crossed the cable; it is interrupted, at the cost of `interrupt`, for every block of sectors but one
    /// (whose interrupt is that of the command). FIFO and DMA engine have no part in it.
    pub fn programmed(
        card: &ControllerSpec,
        timing: ModeTiming,
        block_sectors: u64,
        interrupt: Span,
    ) -> Self {
        let bus = Span::from_ns(card.register_access_ns);
        let (period, none) = (bus + timing.word * 2, Span::ZERO);
        let lane = Lane { bus, period, pace: period, pause: none, lead: none, far_burst: none };
        let block = Some((block_sectors * SECTOR_BYTES, interrupt));
        DataPath { burst_bytes: 4, read: lane, write: lane, block, link: None }
    }

    /// Whether the processor moves the data.
    pub fn is_programmed(&self) -> bool {
        self.block.is_some()
    }

    /// Bytes of one burst.
    pub fn burst_bytes(&self) -> u64 {
        self.burst_bytes
    }

    /// From the first request of the bus to its first word, once a transfer.
    pub fn lead(&self, write: bool) -> Span {
        if write { self.write.lead } else { self.read.lead }
    }

    /// Time in a transfer of `bytes` bytes in which the card's engine lets neither side move data.
    pub fn paused(&self, bytes: u64, write: bool) -> Span {
        let lane = if write { self.write } else { self.read };
        lane.pause.scale_up(bytes, self.burst_bytes)
    }

    /// The train that moves `bytes` bytes.
    pub fn train(&self, bytes: u64, write: bool) -> Train {
        let lane = if write { self.write } else { self.read };
        let far = lane.far_burst.scale_up(bytes.min(self.burst_bytes), self.burst_bytes);
        let interrupts = self.block.map_or(Span::ZERO, |(size, cost)| cost * (bytes.div_ceil(size) - 1));
        let frames = self.link.map_or(Span::ZERO, |link| link.data_time(bytes, write));
        let body = lane.pace.scale_up(bytes, self.burst_bytes).max(frames);
        let duration = body + lane.lead + far + interrupts;
        let on_bus = lane.bus.scale_up(bytes, self.burst_bytes);
        Train { burst: lane.bus, period: lane.period, duration, on_bus }
    }
}

/// Half the FIFO.
fn burst_bytes(card: &ControllerSpec) -> u64 {
    (card.fifo_bytes / 2).max(8)
}

/// Bus time of one burst with its share of the fetches from the DMA table.
fn on_bus(card: &ControllerSpec, bus: &BusTiming, direction: Direction) -> Span {
    let bytes = burst_bytes(card);
    let fetch = bus.transaction(card.descriptor_fetch_bytes, Direction::MemoryRead);
    bus.transaction(bytes, direction) + fetch.scale_up(bytes, card.descriptor_bytes)
}
