//! What a file may say of a host and of a driver.

use serde::{Deserialize, Serialize};

use crate::config::{Issues, Sources, Validate};

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
    /// What a command waits for before it goes onto a cable with two drives.
    pub cable_rule: CableRule,
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

/// Order in which waiting requests are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sort {
    /// As they came.
    Fifo,
    /// Up and down over the addresses.
    Scan,
    /// Upwards only, then again from the lowest address.
    OneWay,
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

impl Validate for DriverSpec {
    fn validate(&self, issues: &mut Issues) {
        issues.range_u64("window_array_requests", self.window_array_requests, 1..=65_536, "requests");
        issues.range_u64("window_single_requests", self.window_single_requests, 1..=65_536, "requests");
        issues.range_u64("outstanding_requests_max", self.outstanding_requests_max, 1..=65_536, "requests");
        issues.range_u64("transfer_limit_kib", self.transfer_limit_kib, 4..=1_024, "KiB");
        if let InFlight::Array(requests) = self.in_flight {
            issues.range_u64("in_flight", requests, 1..=65_536, "requests");
        }
    }
}
