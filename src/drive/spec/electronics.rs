//! Controller, buffer, cache and connector: what a file says about the electronics.

use serde::{Deserialize, Serialize};

use super::scsi::ScsiSpec;
use crate::units::SECTOR_BYTES;

/// Time the drive's controller spends on a command, 0 to 5 ms each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverheadSpec {
    /// A read that the buffer answers.
    #[serde(default = "default_hit_ms")]
    pub read_hit_ms: f64,
    /// A read that needs the platters.
    #[serde(default = "default_miss_ms")]
    pub read_miss_ms: f64,
    /// A write that the cache takes.
    #[serde(default = "default_hit_ms")]
    pub write_hit_ms: f64,
    /// A write that goes to the platters.
    #[serde(default = "default_miss_ms")]
    pub write_miss_ms: f64,
    /// From the last byte to the completion, any command.
    #[serde(default = "default_completion_ms")]
    pub completion_ms: f64,
    /// `read_hit_ms` when the command before was a write; unset: the same.
    #[serde(default)]
    pub read_hit_after_write_ms: Option<f64>,
    /// `read_miss_ms` when the command before was a write; unset: the same.
    #[serde(default)]
    pub read_miss_after_write_ms: Option<f64>,
    /// `write_hit_ms` when the command before was a write; unset: the same.
    #[serde(default)]
    pub write_hit_after_write_ms: Option<f64>,
    /// `write_miss_ms` when the command before was a write; unset: the same.
    #[serde(default)]
    pub write_miss_after_write_ms: Option<f64>,
}

impl OverheadSpec {
    /// Time in ms to decode a command: of a write or a read, that needs no platter (`hit`) or does, whose
    /// predecessor was a write or not.
    pub fn decode_ms(&self, write: bool, hit: bool, after_write: bool) -> f64 {
        let (plain, variant) = match (write, hit) {
            (false, true) => (self.read_hit_ms, self.read_hit_after_write_ms),
            (false, false) => (self.read_miss_ms, self.read_miss_after_write_ms),
            (true, true) => (self.write_hit_ms, self.write_hit_after_write_ms),
            (true, false) => (self.write_miss_ms, self.write_miss_after_write_ms),
        };
        if after_write { variant.unwrap_or(plain) } else { plain }
    }
}

impl Default for OverheadSpec {
    fn default() -> Self {
        OverheadSpec {
            read_hit_ms: default_hit_ms(),
            read_miss_ms: default_miss_ms(),
            write_hit_ms: default_hit_ms(),
            write_miss_ms: default_miss_ms(),
            completion_ms: default_completion_ms(),
            read_hit_after_write_ms: None,
            read_miss_after_write_ms: None,
            write_hit_after_write_ms: None,
            write_miss_after_write_ms: None,
        }
    }
}

/// The buffer and its read-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BufferSpec {
    /// What the host can use of it, 0 to 262144 KiB.
    pub size_kib: u32,
    /// How it is cut.
    pub segments: Segments,
    /// How far to read on after a read.
    pub read_ahead: ReadAhead,
    /// When read-ahead that stopped starts again.
    pub read_ahead_restart: ReadAheadRestart,
    /// Whether the limit of read-ahead follows the host.
    pub read_ahead_refill: ReadAheadRefill,
    /// Sectors that pass before the first wanted one are kept.
    pub free_block_read: bool,
    /// A read may start in the middle of its extent.
    pub zero_latency_read: bool,
    /// A write may start in the middle of its extent.
    pub zero_latency_write: bool,
}

impl Default for BufferSpec {
    fn default() -> Self {
        BufferSpec {
            size_kib: 2048,
            segments: Segments::Adaptive { minimum_kib: 64, maximum_count: 16 },
            read_ahead: ReadAhead::Adaptive { minimum_kib: 0, maximum_kib: 512 },
            read_ahead_restart: ReadAheadRestart::WhenEmpty,
            read_ahead_refill: ReadAheadRefill::Continuous,
            free_block_read: true,
            zero_latency_read: false,
            zero_latency_write: false,
        }
    }
}

/// How the buffer is cut into segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Segments {
    /// Always the same.
    Fixed {
        /// Segments, 1 to 2048.
        count: u32,
        /// Size of each.
        size_kib: u32,
    },
    /// Sizes follow the requests.
    Adaptive {
        /// Smallest segment.
        minimum_kib: u32,
        /// Most segments, 1 to 2048.
        maximum_count: u32,
    },
}

/// How far the drive reads on after a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ReadAhead {
    /// Not at all.
    Off,
    /// To the end of the track.
    Track,
    /// To the end of the cylinder.
    Cylinder,
    /// Until the segment is full.
    Segment,
    /// As far as the firmware finds useful.
    Adaptive {
        /// Read even when a command waits for the heads.
        minimum_kib: u32,
        /// At most this far.
        maximum_kib: u32,
    },
}

/// When read-ahead that reached its limit starts again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ReadAheadRestart {
    /// When the host has taken all of it.
    WhenEmpty,
    /// When this much is left.
    AtKib(u32),
}

/// Whether the limit of read-ahead follows the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ReadAheadRefill {
    /// A start of read-ahead reads up to the limit and is topped up only at the restart level.
    Batch,
    /// What the host takes makes room at once.
    Continuous,
}

/// The write-back cache.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WriteCacheSpec {
    /// Writes complete before they are on the platters.
    pub enabled: bool,
    /// Extents that may be dirty at once, 1 to 4096.
    pub entries_max: u32,
    /// Bytes that may be dirty at once; at most the buffer.
    pub size_kib: u32,
    /// Adjacent and overlapping extents become one.
    pub coalesce: bool,
    /// Largest extent that coalescing makes.
    pub extent_kib: u32,
    /// Order in which extents go to the platters.
    pub destage: Destage,
    /// When they begin to.
    pub start: DestageStart,
    /// Extents older than this go first, 0 to 100000 ms.
    pub age_limit_ms: f64,
    /// Reads go before destaging.
    pub read_priority: bool,
}

impl Default for WriteCacheSpec {
    fn default() -> Self {
        WriteCacheSpec {
            enabled: true,
            entries_max: 32,
            size_kib: 1819,
            coalesce: true,
            extent_kib: 1024,
            destage: Destage::CLook,
            start: DestageStart::Immediate,
            age_limit_ms: 2000.0,
            read_priority: true,
        }
    }
}

/// Order of destaging.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Destage {
    /// First come, first served.
    Fcfs,
    /// Shortest seek first.
    Sstf,
    /// Upwards by address, then back to the lowest.
    CLook,
    /// Shortest positioning time (seek and rotation) first.
    Sptf,
}

/// When destaging begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum DestageStart {
    /// As soon as the heads are free.
    Immediate,
    /// After this idle time, 0 to 100000 ms.
    IdleMs(f64),
    /// When the cache is `high_percent` full, until it is `low_percent` full.
    HighWater {
        /// Fill that starts it, in percent.
        high_percent: f64,
        /// Fill that ends it, in percent.
        low_percent: f64,
    },
}

/// Command queue inside the drive; it orders by shortest positioning time less `age_weight` times the wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum QueueSpec {
    /// One command at a time.
    #[default]
    None,
    /// ATA tagged queueing (READ/WRITE DMA QUEUED).
    Tcq {
        /// Tags, 1 to 32.
        depth: u32,
        /// Weight of the time a command has waited, 0 to 100.
        age_weight: f64,
    },
    /// SATA native queueing.
    Ncq {
        /// Tags, 1 to 32.
        depth: u32,
        /// Weight of the time a command has waited, 0 to 100.
        age_weight: f64,
    },
}

/// The connector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::large_enum_variant, reason = "there is one a drive model")]
pub enum InterfaceSpec {
    /// Parallel ATA and the fastest modes the drive offers.
    Ata {
        /// Ultra DMA mode, 0 to 6; None for a drive from before Ultra DMA.
        #[serde(default)]
        udma_mode_max: Option<u8>,
        /// Multiword DMA mode, 0 to 2; None for a drive that knows programmed I/O only.
        #[serde(default)]
        mwdma_mode_max: Option<u8>,
        /// PIO mode, 0 to 4.
        pio_mode_max: u8,
    },
    /// Serial ATA.
    Sata {
        /// 1 (1.5 Gbit/s) to 3 (6 Gbit/s).
        generation: u8,
    },
    /// A SCSI-like bus, with the front end that goes with it.
    Scsi(ScsiSpec),
}

impl InterfaceSpec {
    /// Nominal rate of the fastest mode, in MB/s (ATA/ATAPI-7, tables of cycle times; SATA after 8b/10b); 0 for a mode
    /// that does not exist. On a SCSI-like bus it is the drive's own part of it, infinite where the file leaves it to
    /// the bus.
    pub fn nominal_mb_s(&self) -> f64 {
        const PIO_MB_S: [f64; 5] = [3.3, 5.2, 8.3, 11.1, 16.7];
        const MWDMA_MB_S: [f64; 3] = [4.2, 13.3, 16.7];
        const UDMA_MB_S: [f64; 7] = [16.7, 25.0, 33.3, 44.4, 66.7, 100.0, 133.3];
        const SATA_MB_S: [f64; 4] = [0.0, 150.0, 300.0, 600.0];
        let (rates, index): (&[f64], u8) = match *self {
            InterfaceSpec::Ata { udma_mode_max: Some(mode), .. } => (&UDMA_MB_S, mode),
            InterfaceSpec::Ata { mwdma_mode_max: Some(mode), .. } => (&MWDMA_MB_S, mode),
            InterfaceSpec::Ata { pio_mode_max, .. } => (&PIO_MB_S, pio_mode_max),
            InterfaceSpec::Sata { generation } => (&SATA_MB_S, generation),
            InterfaceSpec::Scsi(scsi) => return SECTOR_BYTES as f64 / (scsi.block_ms * 1e3),
        };
        rates.get(usize::from(index)).copied().unwrap_or(0.0)
    }
}

fn default_hit_ms() -> f64 {
    0.06
}
fn default_miss_ms() -> f64 {
    0.20
}
fn default_completion_ms() -> f64 {
    0.03
}
