//! What files may say of a recording and of the file cache it is played through.

use serde::{Deserialize, Serialize};

use super::script::Script;
use crate::config::{Issues, Sources, Validate};
use crate::units::{KIB, SECTOR_BYTES};

/// Most bytes that an application moves, 1 GiB, in KiB: a recording is held in memory.
const TOTAL_KIB_MAX: u64 = 1 << 20;
/// Most files of an application.
const FILES_MAX: u64 = 100_000;

/// A recording: what a benchmark plays back.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaybackSpec {
    /// Name that scenarios use; small letters, digits and hyphens.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// How the applications follow each other.
    pub order: Order,
    /// Seed of the recording: it decides every file operation, whatever the seed of the run.
    pub recording_seed: u64,
    /// How the volume is made and filled.
    pub volume: VolumeSpec,
    /// The applications, 1 to 64.
    pub applications: Vec<ApplicationSpec>,
    /// Where the figures come from.
    #[serde(default)]
    pub sources: Sources,
}

/// How applications follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// One after the other; each has all that it wrote flushed to the disk before the next starts, and a score of
    /// its own.
    OneAfterAnother,
    /// All are open, and the user changes to the next after so many sessions, 1 to 10000.
    Switching(u32),
}

/// One application: sessions, each of which opens a file, reads or writes a run of it, and closes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplicationSpec {
    /// Name, as in columns of results; letters, digits and hyphens.
    pub name: String,
    /// What its reads and writes move in all, KiB, 1 to 1048576. This is its weight in the score.
    pub total_kib: u64,
    /// Files that are there before it starts, 1 to 100000.
    pub files: u64,
    /// Their mean size, KiB, 4 to 1048576; sizes are exponentially distributed, at most eight times the mean.
    pub file_kib: u64,
    /// Share of sessions that read, 0 to 100; the others write.
    pub read_percent: u8,
    /// Share of writing sessions that make a new file, 0 to 100; the others write over a part of one that is there.
    pub create_percent: u8,
    /// Share of sessions on files that are there which start at their beginning, 0 to 100; the others start anywhere.
    pub from_start_percent: u8,
    /// Sizes of requests, drawn for each session.
    pub sizes: Vec<SizeShare>,
    /// Mean number of requests of a session, 1 to 10000, exponentially distributed; the end of the file ends it.
    pub run_requests: u32,
    /// Pause before each request, ms, 0 to 10000; default 0, as fast as it goes.
    #[serde(default)]
    pub think_ms: f64,
}

/// A size of request and how often it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeShare {
    /// Bytes of a request, a multiple of 512 up to 1 MiB.
    pub bytes: u64,
    /// Share of sessions, 1 to 100; shares sum to 100.
    pub share_percent: u8,
}

/// How a volume is made and filled.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeSpec {
    /// Sectors before the volume, for the partition table; 0 to 1048576. 63, one track of the BIOS, was the custom.
    pub partition_start_sectors: u64,
    /// Files in a directory, 1 to 10000.
    pub directory_files: u64,
    /// Bytes of a file's entry in a directory of FAT32, 32 to 512: 32 and as many again for each 13 letters of a
    /// long name.
    pub fat_entry_bytes: u64,
    /// Figures of NTFS.
    pub ntfs: NtfsSpec,
}

/// Places and habits of NTFS.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NtfsSpec {
    /// First cluster of the master file table, 0 to 1048576.
    pub mft_cluster: u64,
    /// Share of the volume behind it that is kept for its growth, so that files start behind that, %, 0 to 50.
    pub mft_zone_percent: f64,
    /// Where the log starts, % of the volume, 0 to 100.
    pub log_start_percent: f64,
    /// Size of the log, KiB, 64 to 65536; at most a hundredth of the volume is taken.
    pub log_kib: u64,
    /// Log written for each change of the file system's structures, bytes, 48 to 4096.
    pub log_record_bytes: u64,
    /// Time between checkpoints, s, 0.1 to 3600.
    pub checkpoint_s: f64,
    /// Bytes of a file's entry in a directory, 64 to 1024.
    pub index_entry_bytes: u64,
}

/// The operating system's file cache.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileCacheSpec {
    /// Memory that it may take, MiB, 4 to 65536.
    pub size_mib: u64,
    /// Most of it that may wait to be written, MiB, 1 to `size_mib`; who writes more has to wait.
    pub dirty_max_mib: u64,
    /// Unit of read-ahead, KiB, 64 or more in steps of 64 up to 1024.
    pub read_ahead_kib: u64,
    /// Time between two looks of the lazy writer, s, 0.01 to 60.
    pub lazy_period_s: f64,
    /// The lazy writer writes one in so many dirty pages at each look, 1 to 1000.
    pub lazy_share: u64,
    /// Writes of the cache that are under way at a time, 1 to 256.
    pub writes_in_flight: u64,
    /// Processor time of a call of the file system, us, 0 to 10000.
    pub call_us: f64,
    /// Speed of copying between program and cache, MB/s, 1 to 1000000.
    pub copy_mb_s: f64,
}

impl Default for FileCacheSpec {
    /// Windows 2000 in 256 MB on a Pentium III 600. The rules of the lazy writer and of read-ahead are those that
    /// Windows Internals describes; sizes and speeds are assumed.
    fn default() -> Self {
        FileCacheSpec {
            size_mib: 128,
            dirty_max_mib: 64,
            read_ahead_kib: 64,
            lazy_period_s: 1.0,
            lazy_share: 8,
            writes_in_flight: 4,
            call_us: 15.0,
            copy_mb_s: 200.0,
        }
    }
}

impl Validate for FileCacheSpec {
    fn validate(&self, issues: &mut Issues) {
        if issues.range_u64("size_mib", self.size_mib, 4..=65_536, "MiB") {
            issues.range_u64("dirty_max_mib", self.dirty_max_mib, 1..=self.size_mib, "MiB");
        }
        if issues.range_u64("read_ahead_kib", self.read_ahead_kib, 64..=1024, "KiB")
            && !self.read_ahead_kib.is_multiple_of(64)
        {
            let message = format!("{} KiB is not a multiple of 64 KiB", self.read_ahead_kib);
            issues.report("read_ahead_kib", message, "use 64, 128, ..");
        }
        issues.range_f64("lazy_period_s", self.lazy_period_s, 0.01..=60.0, "s");
        issues.range_u64("lazy_share", self.lazy_share, 1..=1000, "");
        issues.range_u64("writes_in_flight", self.writes_in_flight, 1..=256, "writes");
        issues.range_f64("call_us", self.call_us, 0.0..=10_000.0, "us");
        issues.range_f64("copy_mb_s", self.copy_mb_s, 1.0..=1e6, "MB/s");
    }
}

impl Validate for VolumeSpec {
    fn validate(&self, issues: &mut Issues) {
        issues.range_u64("partition_start_sectors", self.partition_start_sectors, 0..=1 << 20, "sectors");
        issues.range_u64("directory_files", self.directory_files, 1..=10_000, "files");
        issues.range_u64("fat_entry_bytes", self.fat_entry_bytes, 32..=512, "bytes");
        let ntfs = &self.ntfs;
        issues.scoped("ntfs", |issues| {
            issues.range_u64("mft_cluster", ntfs.mft_cluster, 0..=1 << 20, "clusters");
            issues.range_f64("mft_zone_percent", ntfs.mft_zone_percent, 0.0..=50.0, "%");
            issues.range_f64("log_start_percent", ntfs.log_start_percent, 0.0..=100.0, "%");
            issues.range_u64("log_kib", ntfs.log_kib, 64..=65_536, "KiB");
            issues.range_u64("log_record_bytes", ntfs.log_record_bytes, 48..=4096, "bytes");
            issues.range_f64("checkpoint_s", ntfs.checkpoint_s, 0.1..=3600.0, "s");
            issues.range_u64("index_entry_bytes", ntfs.index_entry_bytes, 64..=1024, "bytes");
        });
    }
}

impl Validate for ApplicationSpec {
    fn validate(&self, issues: &mut Issues) {
        check_name(&self.name, issues);
        issues.range_u64("total_kib", self.total_kib, 1..=TOTAL_KIB_MAX, "KiB");
        issues.range_u64("files", self.files, 1..=FILES_MAX, "files");
        issues.range_u64("file_kib", self.file_kib, 4..=1 << 20, "KiB");
        let percents = [
            ("read_percent", self.read_percent),
            ("create_percent", self.create_percent),
            ("from_start_percent", self.from_start_percent),
        ];
        for (field, percent) in percents {
            issues.range_u64(field, percent.into(), 0..=100, "%");
        }
        issues.range_u64("run_requests", self.run_requests.into(), 1..=10_000, "requests");
        issues.range_f64("think_ms", self.think_ms, 0.0..=10_000.0, "ms");
        for (index, size) in self.sizes.iter().enumerate() {
            let field = format!("sizes[{index}].bytes");
            if issues.range_u64(&field, size.bytes, SECTOR_BYTES..=1024 * KIB, "bytes")
                && !size.bytes.is_multiple_of(SECTOR_BYTES)
            {
                let message = format!("{} bytes are not whole sectors of 512 bytes", size.bytes);
                issues.report(&field, message, "use a multiple of 512");
            }
        }
        let sum: u32 = self.sizes.iter().map(|size| u32::from(size.share_percent)).sum();
        if sum != 100 {
            let message = format!("the shares sum to {sum} %");
            issues.report("sizes", message, "make the share_percent of all sizes sum to 100");
        }
    }
}

fn check_name(name: &str, issues: &mut Issues) {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        let message = format!("\"{name}\" cannot be a name here: it goes into columns and lists");
        issues.report("name", message, "use small letters, digits and hyphens");
    }
}

impl Validate for PlaybackSpec {
    fn validate(&self, issues: &mut Issues) {
        check_name(&self.name, issues);
        if self.title.trim().is_empty() {
            issues.report("title", "the title is empty", "say what the recording stands for");
        }
        if let Order::Switching(sessions) = self.order {
            issues.range_u64("order", sessions.into(), 1..=10_000, "sessions");
        }
        issues.scoped("volume", |issues| self.volume.validate(issues));
        if self.applications.is_empty() || self.applications.len() > 64 {
            let message = format!("there are {} applications", self.applications.len());
            issues.report("applications", message, "give 1 to 64 applications");
        }
        for (index, application) in self.applications.iter().enumerate() {
            issues.scoped(&format!("applications[{index}]"), |issues| {
                if self.applications[..index].iter().any(|other| other.name == application.name) {
                    let message = format!("two applications are called `{}`", application.name);
                    issues.report("name", message, "give each its own name");
                }
                application.validate(issues);
            });
        }
    }
}

/// Bytes that the operations of a recording move, by application: more than `total_kib` by what its last session
/// had left.
pub fn played_bytes(spec: &PlaybackSpec) -> Vec<u64> {
    Script::record(spec).bytes
}
