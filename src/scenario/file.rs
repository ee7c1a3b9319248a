//! What scenario and reproduction files say. Every field of a scenario file may be left to an included file.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::spec::{Experiment, QuickSpec, RunSpec, SweepSpec, VarySpec};
use crate::machine::ArraySpec;
use crate::plot::PlotSpec;
use crate::workload::WorkloadSpec;
use crate::workload::playback::FileSystem;

/// One scenario file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ScenarioFile {
    /// Name; by default that of the file.
    pub name: Option<String>,
    pub title: Option<String>,
    /// A file whose fields hold where this one has none: a path from this file, or a scenario's name.
    pub include: Option<String>,
    pub variant: Option<String>,
    pub experiment: Option<Experiment>,
    /// Model names, or paths from this file.
    pub host: Option<String>,
    pub driver: Option<String>,
    pub bus: Option<String>,
    pub controller: Option<String>,
    pub drives: Option<Vec<DriveFile>>,
    pub arrays: Option<Vec<ArraySpec>>,
    pub workload: Option<WorkloadSpec>,
    pub sweep: Option<SweepFile>,
    /// Fields of the resolved scenario, set after those that included files set.
    pub set: Assignments,
    pub run: Option<RunFile>,
    pub plots: Option<Vec<PlotSpec>>,
}

/// A drive plugged in.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DriveFile {
    pub id: String,
    pub channel: u16,
    #[serde(default)]
    pub device: u8,
    /// Model name, or a path from this file.
    pub model: String,
    /// Fields of the model, changed for this drive.
    #[serde(default)]
    pub set: Assignments,
}

/// A sweep; each list may be left to an included file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SweepFile {
    pub arrays: Option<Vec<String>>,
    pub patterns: Option<Vec<String>>,
    pub queue_depths: Option<Vec<u32>>,
    pub write_percents: Option<Vec<u8>>,
    pub block_bytes: Option<Vec<u64>>,
    pub file_systems: Option<Vec<FileSystem>>,
    pub vary: Option<Vec<VarySpec>>,
}

/// Lengths of runs; each may be left to an included file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RunFile {
    pub ramp_s: Option<f64>,
    pub measure_s: Option<f64>,
    pub replications: Option<u32>,
    pub seed: Option<u64>,
    pub quick: Option<QuickSpec>,
}

impl SweepFile {
    /// Fields here win over those of `below`.
    pub fn over(self, below: SweepFile) -> SweepFile {
        SweepFile {
            arrays: self.arrays.or(below.arrays),
            patterns: self.patterns.or(below.patterns),
            queue_depths: self.queue_depths.or(below.queue_depths),
            write_percents: self.write_percents.or(below.write_percents),
            block_bytes: self.block_bytes.or(below.block_bytes),
            file_systems: self.file_systems.or(below.file_systems),
            vary: self.vary.or(below.vary),
        }
    }
    pub fn resolved(self) -> SweepSpec {
        SweepSpec {
            arrays: self.arrays.unwrap_or_default(),
            patterns: self.patterns.unwrap_or_default(),
            queue_depths: self.queue_depths.unwrap_or_default(),
            write_percents: self.write_percents.unwrap_or_default(),
            block_bytes: self.block_bytes.unwrap_or_default(),
            file_systems: self.file_systems.unwrap_or_default(),
            vary: self.vary.unwrap_or_default(),
        }
    }
}

impl RunFile {
    /// Fields here win over those of `below`.
    pub fn over(self, below: RunFile) -> RunFile {
        RunFile {
            ramp_s: self.ramp_s.or(below.ramp_s),
            measure_s: self.measure_s.or(below.measure_s),
            replications: self.replications.or(below.replications),
            seed: self.seed.or(below.seed),
            quick: self.quick.or(below.quick),
        }
    }
    pub fn resolved(self) -> RunSpec {
        let usual = RunSpec::default();
        RunSpec {
            ramp_s: self.ramp_s.unwrap_or(usual.ramp_s),
            measure_s: self.measure_s.unwrap_or(usual.measure_s),
            replications: self.replications.unwrap_or(usual.replications),
            seed: self.seed.unwrap_or(usual.seed),
            quick: self.quick.unwrap_or(usual.quick),
        }
    }
}

/// Field paths and RON texts, in the order of the file: a later one may refine an earlier one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Assignments(pub Vec<(String, String)>);

impl<'de> Deserialize<'de> for Assignments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Assignments;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map from field paths to values, both as texts")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Assignments, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Assignments(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// Several scenarios that together replay a review, and the claims on their results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReproductionSpec {
    /// Name, as in file names of results; also the scenario that the ledger names.
    pub name: String,
    /// What is reproduced.
    pub title: String,
    /// The scenarios, as paths from this file or names of the catalogue.
    pub scenarios: Vec<String>,
    /// The claims, as a path from this file.
    pub ledger: String,
    /// The reproduction that the claims are about, if this one tries another set-up: they are judged all the same, but
    /// none is expected to hold.
    #[serde(default)]
    pub retest_of: Option<String>,
    /// Tables to print, as the review does.
    #[serde(default)]
    pub tables: Vec<TableSpec>,
    /// Facts about the review's set-up that no model carries (`bios.version`). What the program finds itself, such as
    /// all of `pci.` and `controller.`, cannot be told.
    #[serde(default)]
    pub facts: BTreeMap<String, String>,
    /// What the review found out, in the order of its importance, for the report's summary.
    #[serde(default)]
    pub findings: Vec<FindingSpec>,
    /// What is explained in the report: where the time goes, and what each part of the machine costs.
    #[serde(default)]
    pub explanations: Vec<ExplanationSpec>,
}

/// A question that the report answers as `ataraid explain` does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplanationSpec {
    /// The question.
    pub title: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Which of its points: each list that is not empty keeps only these values of the scenario's own sweep.
    pub sweep: SweepSpec,
    /// The longest that its runs take, where the answer needs less than the scenario's own lengths.
    #[serde(default)]
    pub at_most: Option<LengthSpec>,
}

/// Lengths of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthSpec {
    /// Time before recording may start, s, 0 to 3600.
    pub ramp_s: f64,
    /// Length of the recording, s, 0.001 to 86400.
    pub measure_s: f64,
}

/// A result of a review in plain words, and the claims that say whether it comes out here too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingSpec {
    /// What was found, in a short sentence.
    pub title: String,
    /// The mechanism that the models explain it by.
    pub mechanism: String,
    /// The claims that it consists of, by their numbers in the ledger.
    pub claims: Vec<String>,
    /// The figures that show it, by the file names of the scenarios' plots.
    #[serde(default)]
    pub figures: Vec<String>,
}

/// A table of a report: one figure of a scenario's summary over two of its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// Heading.
    pub title: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Further scenarios whose rows join its own, told apart by their `variant`; their summaries have the same columns.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Keeps only rows of the summary whose cell, as text, is listed.
    #[serde(default)]
    pub only: BTreeMap<String, Vec<String>>,
    /// Column of the summary whose values are the rows.
    pub rows: String,
    /// Column of the summary whose values are the columns.
    pub columns: String,
    /// Column of the summary whose values fill the table.
    pub value: String,
}
