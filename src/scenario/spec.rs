//! A scenario with every name resolved.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bus::BusSpec;
use crate::config::{Issues, Validate};
use crate::controller::ControllerSpec;
use crate::experiment::claims;
use crate::host::{DriverSpec, HostSpec};
use crate::machine::{ArraySpec, DrivePlacement};
use crate::plot::PlotSpec;
use crate::workload::WorkloadSpec;
use crate::workload::iometer::AccessSpec;
use crate::workload::playback::{FileSystem, PlaybackSpec};

/// A scenario as it runs: every model in place, every override applied.
///
/// It goes whole into the results, so that any figure can be traced to what produced it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Name, as in file names of results.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// The changed set-up that it stands for, as claims call it (`R0x2@ideal_driver`).
    pub variant: Option<String>,
    /// The experiment of a review that its results belong to.
    pub experiment: Option<Experiment>,
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
    /// The arrays that can be put under test, one at a time.
    pub arrays: Vec<ArraySpec>,
    /// The load.
    pub workload: WorkloadSpec,
    /// The access patterns that load and sweep name, by that name.
    pub patterns: BTreeMap<String, AccessSpec>,
    /// The recording that the load names, by that name.
    #[serde(default)]
    pub playbacks: BTreeMap<String, PlaybackSpec>,
    /// What is varied from point to point.
    pub sweep: SweepSpec,
    /// Length and number of runs.
    pub run: RunSpec,
    /// Whether these are the lengths of a quick look.
    #[serde(default)]
    pub is_quick_look: bool,
    /// Figures to draw from the summary.
    pub plots: Vec<PlotSpec>,
    /// Fields that were set after loading, in order, as path and RON text.
    pub overrides: Vec<(String, String)>,
    /// Each model that a varied path names, as JSON, by `path=name`.
    pub swept_models: BTreeMap<String, String>,
}

/// The experiments of the reviews, for the claims on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Experiment {
    /// Random 8 KB requests over the share of writes.
    Mix,
    /// Iometer's server patterns over the queue depth.
    Pattern,
    /// Sequential reads over the block size.
    SequentialRead,
    /// Sequential writes over the block size.
    SequentialWrite,
    /// WinBench's Business Disk WinMark by file system.
    BusinessWinMark,
    /// WinBench's High-End Disk WinMark by file system.
    HighEndWinMark,
}

impl Experiment {
    /// The experiment as claims know it.
    pub const fn claimed(self) -> claims::Experiment {
        match self {
            Experiment::Mix => claims::Experiment::Mix,
            Experiment::Pattern => claims::Experiment::Pattern,
            Experiment::SequentialRead => claims::Experiment::SequentialRead,
            Experiment::SequentialWrite => claims::Experiment::SequentialWrite,
            Experiment::BusinessWinMark => claims::Experiment::BusinessWinMark,
            Experiment::HighEndWinMark => claims::Experiment::HighEndWinMark,
        }
    }
}

/// What is varied. An empty list leaves the parameter as the scenario has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SweepSpec {
    /// Arrays under test, by id; empty means all.
    pub arrays: Vec<String>,
    /// Access patterns, by name or path.
    pub patterns: Vec<String>,
    /// Requests that each worker keeps in flight, 1 to 1024.
    pub queue_depths: Vec<u32>,
    /// Shares of writes, 0 to 100.
    pub write_percents: Vec<u8>,
    /// Request sizes in bytes, multiples of 512.
    pub block_bytes: Vec<u64>,
    /// File systems of a playback's volume.
    pub file_systems: Vec<FileSystem>,
    /// Any other field of machine, arrays or workload.
    pub vary: Vec<VarySpec>,
}

/// One field and the values it takes in turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VarySpec {
    /// Path of the field, as in `--set`.
    pub path: String,
    /// Its values as RON texts; for a model, names of the catalogue.
    pub values: Vec<String>,
}

/// Length and number of runs. A playback lasts as long as it takes: of the lengths none applies to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// Time before recording may start, s, 0 to 3600.
    pub ramp_s: f64,
    /// Length of the recording, s, 0.001 to 86400.
    pub measure_s: f64,
    /// Runs of each point with different random numbers, 1 to 1000.
    pub replications: u32,
    /// The seed that all random numbers come from.
    pub seed: u64,
    /// What a quick look takes instead.
    pub quick: QuickSpec,
}

/// Length and number of runs of a quick look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickSpec {
    /// Time before recording may start, s, 0 to 3600.
    pub ramp_s: f64,
    /// Length of the recording, s, 0.001 to 86400.
    pub measure_s: f64,
    /// Runs of each point, 1 to 1000.
    pub replications: u32,
}

impl Scenario {
    /// The recording that the load plays, if it plays one that is known.
    pub fn playback(&self) -> Option<&PlaybackSpec> {
        self.workload.playback_name().and_then(|name| self.playbacks.get(name))
    }
}

impl Default for RunSpec {
    /// What the reviews did: four runs of a minute, after ten seconds.
    fn default() -> Self {
        RunSpec { ramp_s: 10.0, measure_s: 60.0, replications: 4, seed: 1, quick: QuickSpec::default() }
    }
}

impl Default for QuickSpec {
    /// One run of eight seconds after three.
    fn default() -> Self {
        QuickSpec { ramp_s: 3.0, measure_s: 8.0, replications: 1 }
    }
}

impl RunSpec {
    /// The same with the lengths of a quick look.
    pub fn quickly(self) -> Self {
        let QuickSpec { ramp_s, measure_s, replications } = self.quick;
        RunSpec { ramp_s, measure_s, replications, ..self }
    }
}

/// Checks length and number of runs.
pub(super) fn check_lengths(issues: &mut Issues, ramp_s: f64, measure_s: f64, replications: u32) {
    issues.range_f64("ramp_s", ramp_s, 0.0..=3_600.0, "s");
    issues.range_f64("measure_s", measure_s, 0.001..=86_400.0, "s");
    issues.range_u64("replications", replications.into(), 1..=1_000, "runs");
}

impl Validate for RunSpec {
    fn validate(&self, issues: &mut Issues) {
        check_lengths(issues, self.ramp_s, self.measure_s, self.replications);
        let quick = self.quick;
        issues.scoped("quick", |issues| {
            check_lengths(issues, quick.ramp_s, quick.measure_s, quick.replications);
        });
    }
}
