//! What a file may say of a card.

use serde::{Deserialize, Serialize};

use crate::channel::{CableSpec, LinkSpec, ModeTiming, TransferMode};
use crate::config::{Issues, Sources, Validate};
use crate::units::Clock;

use super::hpt37x::TimingWord;

/// A RAID or plain ATA/SATA controller card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControllerSpec {
    /// Name of the model.
    pub name: String,
    /// Independent channels (cables or links), 1 to 8.
    pub channels: u64,
    /// Devices on a channel: 2 for a parallel cable, 1 for a SATA link.
    pub devices_per_channel: u64,
    /// RAID levels its BIOS and driver offer; empty for a plain adapter.
    #[serde(default)]
    pub raid_levels: Vec<RaidLevelName>,
    /// Most members of a RAID 0 or JBOD set, 2 to 8.
    #[serde(default = "four")]
    pub stripe_members_max: u64,
    /// The chip: where its cable timing comes from.
    pub chip: ChipSpec,
    /// Each cable, in order; missing ones are 80-conductor cables. None for serial links.
    #[serde(default)]
    pub cables: Vec<CableSpec>,
    /// Highest UDMA mode, 0 to 6; None for a chip from before Ultra DMA.
    #[serde(default)]
    pub udma_mode_max: Option<u8>,
    /// Highest multiword DMA mode, 0 to 2; None for a chip without bus-master DMA.
    #[serde(default = "multiword")]
    pub mwdma_mode_max: Option<u8>,
    /// Highest PIO mode, 0 to 4.
    #[serde(default = "four_u8")]
    pub pio_mode_max: u8,
    /// Which command queues of drives it and its driver use; without, a drive gets one command at a time.
    #[serde(default)]
    pub queueing: Queueing,
    /// Commands that the card holds for one drive, 1 to 32: a drive's native queue is used no deeper.
    #[serde(default = "all_tags")]
    pub command_slots: u64,
    /// FIFO between cable and bus in bytes, per channel, 16 to 65536; a burst on the cable pauses when half is full.
    pub fifo_bytes: u64,
    /// Time that a pause or end of a burst on the cable costs, ns, 0 to 5000.
    pub burst_overhead_ns: u64,
    /// Time added to each half FIFO on its way from a cable clock to another bus clock, reads only, ns, 0 to 5000.
    #[serde(default)]
    pub clock_crossing_read_ns: u64,
    /// The same for writes, ns, 0 to 5000.
    #[serde(default)]
    pub clock_crossing_write_ns: u64,
    /// Bytes of data that one fetch from the DMA table covers, 512 to 65536 (a page).
    #[serde(default = "page")]
    pub descriptor_bytes: u64,
    /// Bytes that one such fetch reads, 4 to 256 (one descriptor of 8).
    #[serde(default = "eight")]
    pub descriptor_fetch_bytes: u64,
    /// Whether a spare drive takes the place of a failed one of a mirror, and is rebuilt, without help.
    #[serde(default)]
    pub hot_spare: bool,
    /// Time of one programmed access to the chip's registers over the bus, ns, 0 to 5000.
    pub register_access_ns: u64,
    /// Such accesses to set a command up, 0 to 64.
    pub accesses_before: u64,
    /// Such accesses to answer its interrupt, 0 to 64.
    pub accesses_after: u64,
    /// Where the figures come from.
    #[serde(default)]
    pub sources: Sources,
}

/// Which command queues a card and its driver use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Queueing {
    /// None: one command a drive.
    #[default]
    Off,
    /// ATA tagged command queueing (READ/WRITE DMA QUEUED).
    Tcq,
    /// SATA native command queueing.
    Ncq,
}

/// RAID levels a card can offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RaidLevelName {
    /// Striping.
    Raid0,
    /// Mirroring.
    Raid1,
    /// A mirror of stripes.
    Raid01,
    /// A stripe of mirrors.
    Raid10,
    /// Members one after the other.
    Jbod,
}

/// Where a card's cable timing comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ChipSpec {
    /// A chip that meets the standard's minimum times in every mode.
    Standard,
    /// A HighPoint HPT37x: its timing words, decoded with its clock.
    Hpt37x(HptTimingTable),
    /// A chip with serial links.
    SataLinks(LinkSpec),
}

/// The timing words that a driver writes for each mode, and the clock they count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HptTimingTable {
    /// Period of the clock of the cable side, ps: 15000 for the 66 MHz DPLL.
    pub clock_period_ps: u64,
    /// Words for UDMA 0 to 6.
    pub udma: [u32; 7],
    /// Words for multiword DMA 0 to 2.
    pub mwdma: [u32; 3],
    /// Words for PIO 0 to 4.
    pub pio: [u32; 5],
}

impl HptTimingTable {
    /// The timing of a device in `mode`.
    pub fn timing(&self, mode: TransferMode) -> ModeTiming {
        let clock = Clock::from_period(self.clock_period_ps, 1);
        let pick = |words: &[u32], mode: u8| TimingWord(words[usize::from(mode).min(words.len() - 1)]);
        let word = match mode {
            TransferMode::Udma(mode) => pick(&self.udma, mode),
            TransferMode::Mwdma(mode) => pick(&self.mwdma, mode),
            TransferMode::Pio(mode) => pick(&self.pio, mode),
        };
        word.decode(mode, clock)
    }
}

impl ControllerSpec {
    /// The timing of a device in `mode` on this card's cables.
    pub fn timing(&self, mode: TransferMode) -> ModeTiming {
        match &self.chip {
            ChipSpec::Standard => mode.standard(),
            ChipSpec::Hpt37x(table) => table.timing(mode),
            // What crosses a link is counted in frames; the modes are there for the drive's sake only.
            ChipSpec::SataLinks(_) => mode.standard(),
        }
    }

    /// Drives it takes.
    pub fn drives_max(&self) -> u64 {
        self.channels * self.devices_per_channel
    }

    /// Its serial links, if it has any.
    pub fn links(&self) -> Option<&LinkSpec> {
        match &self.chip {
            ChipSpec::SataLinks(links) => Some(links),
            ChipSpec::Standard | ChipSpec::Hpt37x(_) => None,
        }
    }

    /// True for serial links.
    pub fn serial(&self) -> bool {
        self.links().is_some()
    }
}

fn four() -> u64 {
    4
}
fn multiword() -> Option<u8> {
    Some(2)
}
fn four_u8() -> u8 {
    4
}
fn page() -> u64 {
    4096
}
fn eight() -> u64 {
    8
}
fn all_tags() -> u64 {
    32
}

impl ControllerSpec {
    /// What a card of serial links cannot have.
    fn validate_serial(&self, issues: &mut Issues) {
        if self.devices_per_channel == 2 {
            let message = "a serial link takes one device, not 2";
            issues.report(
                "devices_per_channel",
                message,
                "write `devices_per_channel: 1`; add channels for more drives",
            );
        }
        if !self.cables.is_empty() {
            let message = "cables of 40 or 80 conductors have no effect on serial links";
            issues.report("cables", message, "leave `cables` out");
        }
    }
}

impl Validate for ControllerSpec {
    fn validate(&self, issues: &mut Issues) {
        issues.range_u64("channels", self.channels, 1..=8, "channels");
        issues.range_u64("devices_per_channel", self.devices_per_channel, 1..=2, "devices");
        issues.range_u64("stripe_members_max", self.stripe_members_max, 2..=8, "members");
        issues.range_u64("udma_mode_max", u64::from(self.udma_mode_max.unwrap_or(0)), 0..=6, "");
        issues.range_u64("mwdma_mode_max", u64::from(self.mwdma_mode_max.unwrap_or(0)), 0..=2, "");
        issues.range_u64("pio_mode_max", u64::from(self.pio_mode_max), 0..=4, "");
        issues.range_u64("command_slots", self.command_slots, 1..=32, "commands");
        issues.range_u64("fifo_bytes", self.fifo_bytes, 16..=65_536, "bytes");
        issues.range_u64("burst_overhead_ns", self.burst_overhead_ns, 0..=5_000, "ns");
        issues.range_u64("clock_crossing_read_ns", self.clock_crossing_read_ns, 0..=5_000, "ns");
        issues.range_u64("clock_crossing_write_ns", self.clock_crossing_write_ns, 0..=5_000, "ns");
        issues.range_u64("descriptor_bytes", self.descriptor_bytes, 512..=65_536, "bytes");
        issues.range_u64("descriptor_fetch_bytes", self.descriptor_fetch_bytes, 4..=256, "bytes");
        issues.range_u64("register_access_ns", self.register_access_ns, 0..=5_000, "ns");
        issues.range_u64("accesses_before", self.accesses_before, 0..=64, "accesses");
        issues.range_u64("accesses_after", self.accesses_after, 0..=64, "accesses");
        match &self.chip {
            ChipSpec::Standard => {}
            ChipSpec::Hpt37x(table) => {
                issues.range_u64("chip.clock_period_ps", table.clock_period_ps, 7_500..=60_000, "ps");
            }
            ChipSpec::SataLinks(links) => {
                issues.scoped("chip", |issues| links.validate(issues));
                self.validate_serial(issues);
            }
        }
        if let (Some(mode), None) = (self.udma_mode_max, self.mwdma_mode_max) {
            let message = format!("UDMA {mode} without bus-master DMA, as `mwdma_mode_max` is None");
            issues.report("mwdma_mode_max", message, "write `mwdma_mode_max: 2`, or `udma_mode_max: None`");
        }
        if self.cables.len() as u64 > self.channels {
            issues.report(
                "cables",
                format!("{} cables are listed for {} channels", self.cables.len(), self.channels),
                "list at most one cable a channel",
            );
        }
        for (index, cable) in self.cables.iter().enumerate() {
            issues.scoped(&format!("cables[{index}]"), |issues| cable.validate(issues));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::CableSpec;
    use crate::config::{Source, parse};

    const SERIAL: &str = include_str!("../../models/controllers/sii3124.ron");
    const PARALLEL: &str = include_str!("../../models/controllers/hpt372a.ron");

    fn told(text: &str, change: impl Fn(&mut ControllerSpec)) -> String {
        let mut card: ControllerSpec = parse(&Source::new("card.ron", text)).unwrap();
        change(&mut card);
        let mut issues = Issues::new();
        card.validate(&mut issues);
        issues.iter().map(|(path, message, _)| format!("{path}: {message}")).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn serial_links_take_one_device_each_and_no_cables() {
        let serial = |change: fn(&mut ControllerSpec)| told(SERIAL, change);
        assert_eq!(serial(|_| {}), "");
        let two = serial(|card| card.devices_per_channel = 2);
        assert_eq!(two, "devices_per_channel: a serial link takes one device, not 2");
        let cables = serial(|card| card.cables = vec![CableSpec { conductors: 40 }]);
        assert_eq!(cables, "cables: cables of 40 or 80 conductors have no effect on serial links");
        assert_eq!(told(PARALLEL, |card| card.devices_per_channel = 2), "");
    }

    #[test]
    fn ultra_dma_needs_bus_mastering() {
        let none =
            |udma| move |card: &mut ControllerSpec| (card.mwdma_mode_max, card.udma_mode_max) = (None, udma);
        assert!(told(PARALLEL, none(Some(6))).starts_with("mwdma_mode_max: UDMA 6 without bus-master DMA"));
        assert_eq!(told(PARALLEL, none(None)), "");
    }
}
