//! A machine as a scenario describes it, every model resolved.

use serde::{Deserialize, Serialize};

use crate::bus::BusSpec;
use crate::controller::ControllerSpec;
use crate::drive::DriveSpec;
use crate::host::{DriverSpec, HostSpec};
use crate::raid::RaidSpec;
use crate::workload::WorkloadSpec;
use crate::workload::iometer::AccessSpec;
use crate::workload::playback::PlaybackSpec;

/// A drive and where it is plugged in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrivePlacement {
    /// Name by which arrays refer to it; also names its random streams.
    pub id: String,
    /// Channel, from 0.
    pub channel: u16,
    /// Device number on the cable: 0 (master) or 1 (slave).
    #[serde(default)]
    pub device: u8,
    /// The drive itself.
    pub model: DriveSpec,
}

/// An array: its level and its members in order, by drive id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArraySpec {
    /// Name, as in results and figures.
    pub id: String,
    /// Level, stripe, reserved sectors.
    pub raid: RaidSpec,
    /// Drive ids, in the array's order.
    pub members: Vec<String>,
}

/// One machine with one array under one load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineSpec {
    /// The computer.
    pub host: HostSpec,
    /// The driver's policy.
    pub driver: DriverSpec,
    /// The bus the card sits on.
    pub bus: BusSpec,
    /// The card.
    pub controller: ControllerSpec,
    /// The drives plugged in.
    pub drives: Vec<DrivePlacement>,
    /// The array under test.
    pub array: ArraySpec,
    /// The load.
    pub workload: WorkloadSpec,
    /// The access pattern that the load names, if it names one.
    pub pattern: Option<AccessSpec>,
    /// The recording that the load names, if it names one.
    #[serde(default)]
    pub playback: Option<PlaybackSpec>,
}
