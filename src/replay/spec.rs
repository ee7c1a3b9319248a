//! What a replay runs on.

use serde::{Deserialize, Serialize};

use super::queue::Order;
use crate::channel::ScsiBusSpec;
use crate::config::{Issues, Validate};
use crate::drive::DriveSpec;

/// Drives on buses, and the driver that feeds them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// The models of which there are drives; drives of one model share its tables.
    pub models: Vec<DriveSpec>,
    /// The drives; a request names one by its number in this list.
    pub drives: Vec<Attachment>,
    /// The buses, at least one.
    pub buses: Vec<ScsiBusSpec>,
    /// What feeds them.
    #[serde(default)]
    pub driver: DriverSpec,
}

/// One drive: what it is and where it hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// Index of its model.
    pub model: usize,
    /// Index of its bus.
    pub bus: usize,
}

/// The driver: a queue a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DriverSpec {
    /// Order in which waiting requests go to their drive.
    pub order: Order,
    /// Requests outstanding, in queues and drives together, beyond which the replay gives up, 1 to 1000000.
    pub overload_limit: usize,
}

/// Outstanding requests at which a replay gives up unless its driver says otherwise: no real queue is that long.
const OVERLOAD_LIMIT: usize = 100_000;

impl Default for DriverSpec {
    fn default() -> Self {
        DriverSpec { order: Order::Fcfs, overload_limit: OVERLOAD_LIMIT }
    }
}

impl System {
    /// One drive on a bus of its own that is never slower than the drive.
    pub fn single(model: DriveSpec) -> Self {
        System {
            models: vec![model],
            drives: vec![Attachment { model: 0, bus: 0 }],
            buses: vec![ScsiBusSpec::default()],
            driver: DriverSpec::default(),
        }
    }

    /// `count` drives of one model, `per_bus` on each bus.
    pub fn uniform(model: DriveSpec, count: usize, per_bus: usize, bus: ScsiBusSpec) -> Self {
        let per_bus = per_bus.max(1);
        System {
            models: vec![model],
            drives: (0..count).map(|index| Attachment { model: 0, bus: index / per_bus }).collect(),
            buses: vec![bus; count.div_ceil(per_bus)],
            driver: DriverSpec::default(),
        }
    }
}

impl Validate for System {
    fn validate(&self, issues: &mut Issues) {
        for (index, model) in self.models.iter().enumerate() {
            issues.scoped(&format!("models[{index}]"), |issues| model.validate(issues));
        }
        for (index, bus) in self.buses.iter().enumerate() {
            issues.scoped(&format!("buses[{index}]"), |issues| bus.validate(issues));
        }
        if self.drives.is_empty() {
            issues.report("drives", "there is no drive", "attach at least one");
        }
        for (index, drive) in self.drives.iter().enumerate() {
            for (what, number, count) in
                [("model", drive.model, self.models.len()), ("bus", drive.bus, self.buses.len())]
            {
                if number >= count {
                    let message = format!("{what} {number} does not exist: there are {count}");
                    issues.report(&format!("drives[{index}].{what}"), message, "count from 0");
                }
            }
        }
        issues.range_u64(
            "driver.overload_limit",
            self.driver.overload_limit as u64,
            1..=1_000_000,
            "requests",
        );
    }
}
