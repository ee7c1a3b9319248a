//! What a file may say of a host and of a driver.

use serde::{Deserialize, Serialize};

use crate::channel::TransferMode;
use crate::config::{Issues, Sources, Validate};
use crate::workload::playback::FileCacheSpec;

/// A computer: what its processor spends on disk requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostSpec {
    /// Name of the model.
    pub name: String,
    /// Processor time from the program's call until the request is in the port driver's queue, us. 0 to 10000.
    pub issue_us: f64,
    /// Processor time to start one command on the card, the accesses to its registers not included, us. 0 to 10000.
    pub dispatch_us: f64,
    /// Processor time from an interrupt until the driver has recognised it, us. 0 to 10000.
    pub interrupt_us: f64,
    /// Processor time from there until the program sees its request completed, us. 0 to 10000.
    pub complete_us: f64,
    /// The operating system's file cache, which playbacks go through; everything else goes around it. Default
    /// Windows 2000 in 256 MB.
    #[serde(default)]
    pub file_cache: FileCacheSpec,
    /// Where the figures come from.
    #[serde(default)]
    pub sources: Sources,
}

impl Validate for HostSpec {
    fn validate(&self, issues: &mut Issues) {
        for (field, value) in [
            ("issue_us", self.issue_us),
            ("dispatch_us", self.dispatch_us),
            ("interrupt_us", self.interrupt_us),
            ("complete_us", self.complete_us),
        ] {
            issues.range_f64(field, value, 0.0..=10_000.0, "us");
        }
        issues.scoped("file_cache", |issues| self.file_cache.validate(issues));
    }
}

/// How the operating system's port driver and the card's driver treat requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriverSpec {
    /// Name of the preset.
    pub name: String,
    /// How many requests may be under way, and where.
    pub in_flight: InFlight,
    /// Order in which waiting requests are taken.
    pub sort: Sort,
    /// How many of the oldest waiting requests are sorted when the unit is an array, 1 to 65536.
    pub window_array_requests: u64,
    /// The same when the unit is a plain drive.
    pub window_single_requests: u64,
    /// Most requests that are handed to the card's driver at a time, 1 to 65536 (SCSI port: 16).
    pub outstanding_requests_max: u64,
    /// The port driver cuts longer requests into pieces of this size, KiB, 4 to 1024.
    pub transfer_limit_kib: u64,
    /// Whether the parts of a request on several members run side by side.
    pub parts: Parts,
    /// Which copy of a mirror is read.
    pub mirror_read: MirrorRead,
    /// When the second copy of what is written to a mirror is sent.
    #[serde(default)]
    pub mirror_write: MirrorWrite,
    /// What a command waits for before it goes onto a cable with two drives.
    pub cable_rule: CableRule,
    /// Which of two drives on a cable is served next, where each has a queue of its own (`in_flight: Drive`).
    #[serde(default)]
    pub device_choice: DeviceChoice,
    /// Pieces of a request that follow each other on one member.
    #[serde(default)]
    pub member_pieces: MemberPieces,
    /// The fastest transfer mode that it sets up on a parallel cable; drive, card and cable may allow less.
    #[serde(default = "fastest")]
    pub transfer_mode_max: TransferMode,
    /// Sectors of one block of programmed I/O, 1 to 128: the drive interrupts once a block (READ MULTIPLE).
    #[serde(default = "sixteen")]
    pub pio_block_sectors: u64,
    /// Where the choices come from.
    #[serde(default)]
    pub sources: Sources,
}

/// How many requests may be under way, and where the limit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum InFlight {
    /// So many requests in the whole array; the others wait, sorted by array address.
    Array(u64),
    /// One command on each channel; commands wait per channel, sorted by address on their drive.
    Channel,
    /// As many as each drive takes; commands wait per drive, sorted by address.
    Drive,
}

/// What becomes of pieces of one request that follow each other on one member (stripes of 4 KiB make 16 of 64 KiB).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberPieces {
    /// Each stripe unit is a command of its own.
    #[default]
    PerStripe,
    /// They become one command, its memory gathered by the descriptor table.
    Joined,
}

fn fastest() -> TransferMode {
    TransferMode::Udma(6)
}
fn sixteen() -> u64 {
    16
}

/// Order in which waiting requests are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sort {
    /// As they came.
    Fifo,
    /// Up and down over the addresses.
    Scan,
    /// Upwards only, then again from the lowest address.
    OneWay,
    /// The one whose address is nearest to the last; ties upwards. The least seeking, at the price that some wait long.
    Nearest,
}

/// Which of two drives on a cable is served next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceChoice {
    /// They take turns.
    #[default]
    Alternate,
    /// The one whose next command has its address nearer to its last; ties in turns. A cable without queueing drives
    /// carries one command at a time, so two arms never seek side by side, and the shorter of two seeks is the better.
    Nearest,
}

/// Whether the parts of one request run side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parts {
    /// All at once, as far as cables allow; the request ends with its last part.
    Parallel,
    /// One after the other.
    Serial,
}

/// Which copy of a mirror is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MirrorRead {
    /// Always the first.
    Primary,
    /// In turns.
    Alternate,
    /// The one whose last address is nearest; ties in turns.
    Nearest,
    /// The one with fewer commands waiting or under way; ties to the first.
    ShortestQueue,
}

/// When the second copy of what is written to a mirror is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MirrorWrite {
    /// With the first, as far as cables allow.
    #[default]
    Together,
    /// When the first copy is written: a write to a mirror is two commands in a row, whatever cables they go over.
    InTurn,
}

/// What a command waits for before it goes onto a cable with two drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CableRule {
    /// Only for the cable.
    CableFree,
    /// A command that changes the selected device also waits until the other drive has finished the mechanical
    /// operation it is in.
    DeviceChangeWaits,
    /// A read also waits until the other drive has finished the mechanical operation it is in.
    ReadsWaitForMate,
    /// A read does, and so does a write that changes the selected device.
    ReadsAndDeviceChangesWait,
    /// Every command does.
    AllWaitForMate,
}

impl DriverSpec {
    /// How many of the oldest waiting requests are sorted for a unit of so many members.
    pub fn window(&self, members: usize) -> usize {
        let requests = if members > 1 { self.window_array_requests } else { self.window_single_requests };
        requests as usize
    }
}

impl Validate for DriverSpec {
    fn validate(&self, issues: &mut Issues) {
        issues.range_u64("window_array_requests", self.window_array_requests, 1..=65_536, "requests");
        issues.range_u64("window_single_requests", self.window_single_requests, 1..=65_536, "requests");
        issues.range_u64("outstanding_requests_max", self.outstanding_requests_max, 1..=65_536, "requests");
        issues.range_u64("transfer_limit_kib", self.transfer_limit_kib, 4..=1_024, "KiB");
        issues.range_u64("pio_block_sectors", self.pio_block_sectors, 1..=128, "sectors");
        let (mode, highest) = match self.transfer_mode_max {
            TransferMode::Pio(mode) => (mode, 4),
            TransferMode::Mwdma(mode) => (mode, 2),
            TransferMode::Udma(mode) => (mode, 6),
        };
        issues.range_u64("transfer_mode_max", mode.into(), 0..=highest, "");
        if let InFlight::Array(requests) = self.in_flight {
            issues.range_u64("in_flight", requests, 1..=65_536, "requests");
        }
    }
}
