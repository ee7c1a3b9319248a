//! The card: how many channels and drives it takes, the timing of its cables, its DMA engines and their FIFO.
//!
//! Models: HPT37x timing words and clock (what a register write selects is what the simulation uses), a plain host
//! adapter with the standard's timings; bus-master DMA with descriptor fetches, FIFO-limited bursts on the cable,
//! and the crossing between cable clock and bus clock.
//! Leaves out: registers that carry no timing, the RAID BIOS.

mod dma;
mod hpt37x;
mod spec;

pub use dma::{DataPath, Train};
pub use hpt37x::TimingWord;
pub use spec::{ChipSpec, ControllerSpec, HptTimingTable, Queueing, RaidLevelName};
