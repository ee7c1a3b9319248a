//! Fields that the format holds already and the simulation does not use yet: a file may state them, they are
//! checked, and a run behaves as if errors never happened and the power never failed.

use serde::{Deserialize, Serialize};

/// Read errors; per sector read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ErrorSpec {
    /// Probability that a sector needs a retry, 0 to 1.
    pub retry_probability: f64,
    /// Probability that a sector cannot be read at all, 0 to 1.
    pub hard_probability: f64,
    /// Most retries of a turn each.
    pub retries: u32,
    /// Time of the firmware's correction after the last retry, 0 to 100 ms.
    pub ecc_ms: f64,
    /// A corrected sector moves to a spare.
    pub reallocate: bool,
}

impl Default for ErrorSpec {
    fn default() -> Self {
        ErrorSpec { retry_probability: 0.0, hard_probability: 0.0, retries: 8, ecc_ms: 2.0, reallocate: true }
    }
}

/// Thermal recalibration; off in embedded-servo drives of 2001.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ThermalRecalibration {
    /// Never.
    #[default]
    Off,
    /// A stall every period.
    Every {
        /// Time between stalls, 1 to 86400 s.
        period_s: f64,
        /// Length of a stall, 1 to 2000 ms.
        stall_ms: f64,
        /// Waits until the drive is idle.
        idle_only: bool,
    },
}

/// What a power cut leaves of the sector under the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PowerFail {
    /// The old data.
    Old,
    /// The new data.
    New,
    /// A sector that cannot be read.
    #[default]
    Unreadable,
    /// One of the three, drawn.
    Random,
}
