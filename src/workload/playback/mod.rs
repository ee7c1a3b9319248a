//! Playback of recorded applications through a file system and the operating system's file cache.
//!
//! Models: applications as series of sessions (open, a run of reads or writes, close) drawn once from a recording's
//! own seed; FAT32 and NTFS as address maps with the traffic of their own structures (two allocation tables,
//! directories; master file table, bitmap, log, checkpoints); Windows 2000's cache manager (pages of 4 KiB, read-ahead
//! from the third regular request on, a lazy writer once a second). Out comes a stream of disk requests of which some
//! hold the application up and others run beside it.
//! Leaves out: deleting and fragmented files, several processors, paging of programs, compression.
//! Invariants: every page that was written reaches the disk before the playback ends; a read returns when all its
//! pages are in the cache; log records reach the disk before what they describe; the same recording gives the same
//! file operations on every array and in every run.
//!
//! What WinBench's playback really did is not published: the recordings are synthetic, and say so figure by figure.

mod cache;
mod disk;
mod player;
mod script;
mod spec;
mod volume;
mod writeback;

pub use player::{Player, Playing};
pub use spec::{
    ApplicationSpec, FileCacheSpec, NtfsSpec, Order, PlaybackSpec, SizeShare, VolumeSpec, played_bytes,
};
pub use volume::{FileSystem, Volume, cluster_bytes};

#[cfg(test)]
mod player_tests;
#[cfg(test)]
mod tests;
