//! A running worker: a generator of requests and its think time.

use super::iometer::IometerWorker;
use super::sequential::SequentialStream;
use super::think::Thinker;
use crate::units::{Extent, SECTOR_BYTES, Span};

/// Most sectors of a target, so that byte addresses fit 64 bits with room to add a request.
const TARGET_SECTORS_MAX: u64 = 1 << 54;

/// The next request of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// What to transfer.
    pub extent: Extent,
    /// True for a write.
    pub write: bool,
    /// Pause of the whole worker before it issues this request (completions are still taken).
    pub delay: Span,
    /// Pause of this request's slot before it issues the request; other slots of the worker go on.
    pub think: Span,
}

/// The part of a target that a worker uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Area {
    /// First sector.
    pub start_sector: u64,
    /// Number of sectors; 0 means to the end of the target. More than there are means the same.
    pub max_sectors: u64,
}

/// Why a workload cannot run on a target.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WorkloadError {
    /// The access pattern named by the workload was not given.
    #[error(
        "access pattern \"{0}\" is not known; use the name of a shipped pattern or give its lines in place"
    )]
    UnknownPattern(String),
    /// A line of the access specification is not allowed.
    #[error("{field}: {message}; {remedy}")]
    Line {
        /// Path of the field inside the specification.
        field: String,
        /// What is wrong.
        message: String,
        /// What to do.
        remedy: String,
    },
    /// The area starts after the target ends.
    #[error(
        "start_sector {start_sector} is past the end of the target, which has {capacity_sectors} sectors; use a smaller start_sector"
    )]
    StartPastEnd {
        /// First sector of the area.
        start_sector: u64,
        /// Sectors of the target.
        capacity_sectors: u64,
    },
    /// A request does not fit the area.
    #[error(
        "a request of {size_bytes} bytes does not fit the area: after alignment {room_sectors} sectors are left; enlarge max_sectors or use smaller requests"
    )]
    AreaTooSmall {
        /// Size of the request.
        size_bytes: u64,
        /// Sectors of the area that an aligned request can use.
        room_sectors: u64,
    },
    /// A playback was asked for a worker.
    #[error("playback \"{0}\" has no workers; it is played by a `Player`")]
    NoWorker(String),
    /// The recording named by the workload was not given.
    #[error("playback \"{0}\" is not known; use the name of a shipped recording")]
    UnknownPlayback(String),
    /// A recording without a byte.
    #[error("playback \"{0}\" moves no byte, so it has no score; give its applications a total_kib")]
    EmptyPlayback(String),
    /// The files do not fit the volume.
    #[error(
        "a {file_system} volume of {given_mib} MiB is too small: the files of the playback need {needed_mib} MiB; use larger drives, a larger max_sectors or fewer and smaller files"
    )]
    VolumeTooSmall {
        /// The file system.
        file_system: &'static str,
        /// Size of the volume.
        given_mib: u64,
        /// What it would have to have.
        needed_mib: u64,
    },
    /// Fewer clusters than FAT32 may have.
    #[error(
        "a FAT32 volume of {clusters} clusters is not possible, {least} are the least; use a larger volume or NTFS"
    )]
    Fat32TooSmall {
        /// Clusters of the volume.
        clusters: u64,
        /// The least.
        least: u64,
    },
    /// More clusters than Windows of the time mounts.
    #[error(
        "a FAT32 volume of {clusters} clusters is not possible, Windows mounts {most} at most (127.5 GiB); use max_sectors or NTFS"
    )]
    Fat32TooLarge {
        /// Clusters of the volume.
        clusters: u64,
        /// The most.
        most: u64,
    },
    /// The target is larger than this program can address in bytes.
    #[error(
        "a target of {0} sectors is larger than the 2^54 this program can address; use smaller or fewer drives"
    )]
    TargetTooLarge(u64),
}

impl Area {
    /// First byte and the byte after the last, on a target of `capacity_sectors`.
    ///
    /// As Iometer does it: an area that would pass the end of the target is cut there.
    ///
    /// # Errors
    /// The area starts past the end, or the target is too large.
    pub fn bytes(self, capacity_sectors: u64) -> Result<(u64, u64), WorkloadError> {
        if capacity_sectors > TARGET_SECTORS_MAX {
            return Err(WorkloadError::TargetTooLarge(capacity_sectors));
        }
        let start_sector = self.start_sector;
        let left = match capacity_sectors.checked_sub(start_sector) {
            None | Some(0) => return Err(WorkloadError::StartPastEnd { start_sector, capacity_sectors }),
            Some(left) => left,
        };
        let sectors = if self.max_sectors == 0 { left } else { left.min(self.max_sectors) };
        Ok((start_sector * SECTOR_BYTES, (start_sector + sectors) * SECTOR_BYTES))
    }
}

/// A generator of requests, one variant a kind of workload.
#[derive(Clone, Debug)]
pub enum Generator {
    /// An Iometer worker.
    Iometer(IometerWorker),
    /// A sequential stream.
    Sequential(SequentialStream),
}

/// A generator and its think time.
#[derive(Clone, Debug)]
pub struct Worker {
    generator: Generator,
    thinker: Thinker,
}

impl Worker {
    /// A worker that draws requests from `generator` and pauses from `thinker`.
    pub fn new(generator: Generator, thinker: Thinker) -> Self {
        Worker { generator, thinker }
    }
    /// The next request; never ends.
    pub fn draw(&mut self) -> Draw {
        let mut draw = match &mut self.generator {
            Generator::Iometer(worker) => worker.draw(),
            Generator::Sequential(stream) => stream.draw(),
        };
        draw.think = self.thinker.draw();
        draw
    }
}
