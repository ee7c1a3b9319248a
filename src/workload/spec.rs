//! What a scenario may say about its workload.

use serde::{Deserialize, Serialize};

use super::iometer::{AccessSpec, IometerWorker, Line};
use super::playback::{FileCacheSpec, FileSystem, PlaybackSpec, Player};
use super::sequential::{SequentialSpec, SequentialStream};
use super::think::Thinker;
use super::worker::{Area, Generator, Worker, WorkloadError};
use crate::config::{Issues, Validate};

/// Longest think time, one hour, in milliseconds.
const THINK_MS_MAX: f64 = 3_600_000.0;

/// The requests themselves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Access {
    /// An Iometer pattern by the name of its model; the scenario finds it.
    Pattern(String),
    /// An Iometer pattern in place.
    Lines(Vec<Line>),
    /// A plain sequential stream.
    Sequential(SequentialSpec),
    /// A recording of applications by the name of its model, played once from beginning to end through a file system;
    /// the scenario finds it.
    Playback(String),
}

/// A pause between the completion of a request and the issue of the next one in its slot.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub enum ThinkTime {
    /// No pause, as Iometer.
    #[default]
    None,
    /// The same pause each time, in ms, 0 to 3 600 000.
    FixedMs(f64),
    /// Exponentially distributed with this mean in ms, 0 to 3 600 000.
    ExponentialMs(f64),
}

/// Where a worker's draws start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Seed {
    /// From the seed of the run, another one for each worker.
    #[default]
    Run,
    /// This seed for every worker and run, as Iometer 1.1 offers: all workers draw alike.
    Fixed(u64),
}

/// A closed load: `workers` threads that keep `queue_depth` requests each in flight.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadSpec {
    /// The requests.
    pub access: Access,
    /// Requests that each worker keeps in flight, 1 to 1024; default 1.
    #[serde(default = "one")]
    pub queue_depth: u32,
    /// Workers on the target, each with its own pointer, 1 to 64; default 1.
    #[serde(default = "one")]
    pub workers: u32,
    /// First sector of the area used; default 0.
    #[serde(default)]
    pub start_sector: u64,
    /// Sectors of the area used; 0, the default, means up to the end of the target.
    #[serde(default)]
    pub max_sectors: u64,
    /// Share of writes, 0 to 100, in place of the read shares of all lines.
    #[serde(default)]
    pub write_percent: Option<u8>,
    /// Size of every request in bytes, in place of the sizes of all lines.
    #[serde(default)]
    pub block_bytes: Option<u64>,
    /// Share of random addresses, 0 to 100, in place of those of all lines.
    #[serde(default)]
    pub random_percent: Option<u8>,
    /// Pause before a slot issues its next request; default none.
    #[serde(default)]
    pub think: ThinkTime,
    /// Where the draws start; default the seed of the run.
    #[serde(default)]
    pub seed: Seed,
    /// File system of a playback's volume, which fills the area; default NTFS. No other load has one.
    #[serde(default)]
    pub file_system: Option<FileSystem>,
}

fn one() -> u32 {
    1
}

impl WorkloadSpec {
    /// `access` with every other field at its default.
    pub fn new(access: Access) -> Self {
        WorkloadSpec {
            access,
            queue_depth: 1,
            workers: 1,
            start_sector: 0,
            max_sectors: 0,
            write_percent: None,
            block_bytes: None,
            random_percent: None,
            think: ThinkTime::None,
            seed: Seed::Run,
            file_system: None,
        }
    }
    /// The name of the pattern that the scenario must find, if the workload names one.
    pub fn pattern_name(&self) -> Option<&str> {
        match &self.access {
            Access::Pattern(name) => Some(name),
            Access::Lines(_) | Access::Sequential(_) | Access::Playback(_) => None,
        }
    }
    /// The name of the recording that the scenario must find, if the workload names one.
    pub fn playback_name(&self) -> Option<&str> {
        match &self.access {
            Access::Playback(name) => Some(name),
            Access::Pattern(_) | Access::Lines(_) | Access::Sequential(_) => None,
        }
    }
    /// The file system of the volume, if the workload plays a recording.
    pub fn volume(&self) -> Option<FileSystem> {
        self.playback_name().map(|_| self.file_system.unwrap_or(FileSystem::Ntfs))
    }
    /// The area that the workers use.
    pub const fn area(&self) -> Area {
        Area { start_sector: self.start_sector, max_sectors: self.max_sectors }
    }

    /// The lines that run: those of `pattern` (for [`Access::Pattern`]), those in place, or the one that
    /// a sequential stream amounts to, with the overrides put in.
    ///
    /// # Errors
    /// [`WorkloadError::UnknownPattern`] if a pattern is named and not given; a playback has no lines.
    pub fn lines(&self, pattern: Option<&AccessSpec>) -> Result<Vec<Line>, WorkloadError> {
        let mut lines = match (&self.access, pattern) {
            (Access::Pattern(_), Some(found)) => found.lines.clone(),
            (Access::Pattern(name), None) => return Err(WorkloadError::UnknownPattern(name.clone())),
            (Access::Lines(lines), _) => lines.clone(),
            (Access::Playback(name), _) => return Err(WorkloadError::NoWorker(name.clone())),
            (Access::Sequential(stream), _) => {
                vec![Line::new(stream.block_bytes, 100u8.saturating_sub(stream.write_percent), 0)]
            }
        };
        for line in &mut lines {
            line.size_bytes = self.block_bytes.unwrap_or(line.size_bytes);
            line.random_percent = self.random_percent.unwrap_or(line.random_percent);
            if let Some(write_percent) = self.write_percent {
                line.read_percent = 100u8.saturating_sub(write_percent);
            }
        }
        Ok(lines)
    }

    /// A worker of this load on a target of `capacity_sectors`. `pattern` is the model that
    /// [`Self::pattern_name`] names, if it names one. `run_seed` is the worker's own seed, drawn from the
    /// seed of the run; [`Seed::Fixed`] overrides it.
    ///
    /// # Errors
    /// A pattern that was not given, lines that break a rule, an area too small for a request.
    pub fn worker(
        &self,
        pattern: Option<&AccessSpec>,
        capacity_sectors: u64,
        run_seed: u64,
    ) -> Result<Worker, WorkloadError> {
        let seed = match self.seed {
            Seed::Run => run_seed,
            Seed::Fixed(seed) => seed,
        };
        let area = self.area();
        let generator = match &self.access {
            Access::Pattern(_) | Access::Lines(_) => {
                let lines = self.lines(pattern)?;
                Generator::Iometer(IometerWorker::new(&lines, area, capacity_sectors, seed)?)
            }
            Access::Sequential(stream) => {
                let mut stream = stream.clone();
                stream.block_bytes = self.block_bytes.unwrap_or(stream.block_bytes);
                stream.write_percent = self.write_percent.unwrap_or(stream.write_percent);
                Generator::Sequential(SequentialStream::new(&stream, area, capacity_sectors, seed)?)
            }
            Access::Playback(name) => return Err(WorkloadError::NoWorker(name.clone())),
        };
        // Pauses keep to the worker's own seed: a fixed address sequence must not put them in step.
        Ok(Worker::new(generator, Thinker::new(self.think, run_seed)))
    }

    /// The playback of this load on a target of `capacity_sectors` through a file cache. `recording` is the model that
    /// [`Self::playback_name`] names.
    ///
    /// # Errors
    /// A recording that was not given or is empty, an area that does not exist, a volume that is not possible.
    pub fn player(
        &self,
        recording: Option<&PlaybackSpec>,
        cache: &FileCacheSpec,
        capacity_sectors: u64,
    ) -> Result<Player, WorkloadError> {
        let name = || WorkloadError::UnknownPlayback(self.playback_name().unwrap_or("").to_owned());
        let recording = recording.ok_or_else(name)?;
        let file_system = self.file_system.unwrap_or(FileSystem::Ntfs);
        Player::new(recording, file_system, cache, self.area(), capacity_sectors)
    }

    /// What differs from the defaults although a playback has no use for it.
    fn unused_by_playback(&self) -> Vec<&'static str> {
        let fields = [
            ("queue_depth", self.queue_depth != 1),
            ("workers", self.workers != 1),
            ("write_percent", self.write_percent.is_some()),
            ("block_bytes", self.block_bytes.is_some()),
            ("random_percent", self.random_percent.is_some()),
            ("think", self.think != ThinkTime::None),
            ("seed", self.seed != Seed::Run),
        ];
        fields.into_iter().filter(|(_, set)| *set).map(|(field, _)| field).collect()
    }
}

/// Reports `field` unless it is whole sectors within Iometer's limits.
pub(super) fn check_size(issues: &mut Issues, field: &str, bytes: u64) {
    if let Some((message, remedy)) = super::iometer::size_problem(bytes) {
        issues.report(field, message, remedy);
    }
}

/// Reports `field` unless it is 0 to 100.
pub(super) fn check_percent(issues: &mut Issues, field: &str, percent: u8) {
    issues.range_u64(field, percent.into(), 0..=100, "%");
}

impl Validate for WorkloadSpec {
    fn validate(&self, issues: &mut Issues) {
        match &self.access {
            Access::Pattern(name) if name.trim().is_empty() => {
                issues.report(
                    "access",
                    "the name of the pattern is empty",
                    "name a pattern, for example \"database\"",
                );
            }
            Access::Playback(name) if name.trim().is_empty() => {
                let remedy = "name a recording, for example \"business\"";
                issues.report("access", "the name of the playback is empty", remedy);
            }
            Access::Playback(_) => {
                for field in self.unused_by_playback() {
                    let message = format!("a playback does not know `{field}`");
                    issues.report(field, message, "leave it out; the recording says what is done");
                }
            }
            Access::Pattern(_) => {}
            Access::Lines(lines) => super::iometer::check_lines(lines, &mut |field, message, remedy| {
                issues.report(&field.replacen("lines", "access", 1), message, remedy);
            }),
            Access::Sequential(stream) => {
                issues.scoped("access", |issues| stream.validate(issues));
                if self.random_percent.is_some() {
                    let message = "a sequential stream has no random addresses";
                    issues.report("random_percent", message, "leave it out, or use a pattern");
                }
            }
        }
        if self.file_system.is_some() && self.playback_name().is_none() {
            let message = "only a playback goes through a file system";
            issues.report("file_system", message, "leave it out, or use access: Playback(\"business\")");
        }
        issues.range_u64("queue_depth", self.queue_depth.into(), 1..=1024, "requests");
        issues.range_u64("workers", self.workers.into(), 1..=64, "workers");
        for (field, percent) in
            [("write_percent", self.write_percent), ("random_percent", self.random_percent)]
        {
            if let Some(percent) = percent {
                check_percent(issues, field, percent);
            }
        }
        if let Some(bytes) = self.block_bytes {
            check_size(issues, "block_bytes", bytes);
        }
        if let ThinkTime::FixedMs(ms) | ThinkTime::ExponentialMs(ms) = self.think {
            issues.range_f64("think", ms, 0.0..=THINK_MS_MAX, "ms");
        }
    }
}
