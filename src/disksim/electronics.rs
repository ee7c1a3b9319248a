//! `disksim_disk`: overheads, buffer, read-ahead, write cache, the connection to the bus.

use super::context::Context;
use super::tree::Block;
use crate::drive::DriveSpec;
use crate::drive::spec::{BufferSpec, OverheadSpec, ReadAhead, Segments, WriteCacheSpec};

/// Longest overhead that a model may state.
const OVERHEAD_MS_MAX: f64 = 5.0;
/// Sectors of a segment; a buffer of 256 MiB.
const SEGMENT_SECTORS_MAX: i64 = 1 << 19;

/// Reads the electronics into `spec`.
pub(super) fn read<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, spec: &mut DriveSpec) {
    overheads(context, disk, spec);
    buffer(context, disk, spec);
    let block_ms = context.real(disk, "Bulk sector transfer time", 0.0..=10.0);
    if block_ms > 0.0 {
        spec.buffer_rate_mb_s = (crate::units::SECTOR_BYTES as f64 / (block_ms * 1e3)).clamp(1.0, 600.0);
    }
    for (key, neutral, meaning) in UNMATCHED {
        context.without_counterpart(disk, key, neutral, meaning);
    }
}

/// Entries without a counterpart, the value that makes them mean nothing, and what is done instead.
const UNMATCHED: [(&str, f64, &str); 9] = [
    ("Allow almost read hits", 0.0, "a read whose first sector is being read ahead waits for it"),
    ("Allow sneaky full read hits", 0.0, "commands are served one at a time"),
    ("Allow sneaky partial read hits", 0.0, "commands are served one at a time"),
    ("Allow sneaky intermediate read hits", 0.0, "commands are served one at a time"),
    ("Allow write prebuffering", 0.0, "a command's data comes when it is served"),
    ("Preseeking level", 0.0, "the arm starts when the command before is complete"),
    ("Stop prefetch in sector", 0.0, "read-ahead stops at the end of a sector"),
    ("Use separate write segment", 0.0, "writes take any segment"),
    ("Minimum seek delay", 0.0, "DiskSim does not use it either"),
];

fn overheads<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, spec: &mut DriveSpec) {
    let scale = context.real(disk, "Time scale for overheads", 0.0..=1000.0);
    let every_ms = context.real(disk, "Per-request overhead time", 0.0..=OVERHEAD_MS_MAX);
    let mut decode = |key: &str| (context.real(disk, key, 0.0..=OVERHEAD_MS_MAX) + every_ms) * scale;
    spec.overhead = OverheadSpec {
        read_hit_ms: decode("Read hit over. after read"),
        read_hit_after_write_ms: Some(decode("Read hit over. after write")),
        read_miss_ms: decode("Read miss over. after read"),
        read_miss_after_write_ms: Some(decode("Read miss over. after write")),
        write_hit_ms: decode("Write hit over. after read"),
        write_hit_after_write_ms: Some(decode("Write hit over. after write")),
        write_miss_ms: decode("Write miss over. after read"),
        write_miss_after_write_ms: Some(decode("Write miss over. after write")),
        completion_ms: context.real(disk, "Read completion overhead", 0.0..=OVERHEAD_MS_MAX) * scale,
    };
}

fn buffer<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, spec: &mut DriveSpec) {
    let count = context.integer(disk, "Number of buffer segments", 1..=2048) as u32;
    let sectors = context.integer(disk, "Segment size (in blks)", 1..=SEGMENT_SECTORS_MAX);
    let kib = |sectors: i64| (sectors / 2).max(1) as u32;
    let size_kib = count.saturating_mul(kib(sectors)).min(262_144);
    let minimum = context.integer(disk, "Minimum read-ahead (blks)", 0..=sectors);
    let maximum = context.integer(disk, "Maximum read-ahead (blks)", 0..=sectors);
    let read_ahead = match context.integer(disk, "Buffer continuous read", 0..=4) {
        0 => ReadAhead::Off,
        1 => ReadAhead::Track,
        2 => ReadAhead::Cylinder,
        3 => ReadAhead::Segment,
        _ => ReadAhead::Adaptive { minimum_kib: (minimum / 2) as u32, maximum_kib: (maximum / 2) as u32 },
    };
    spec.buffer = BufferSpec {
        size_kib,
        segments: Segments::Fixed { count, size_kib: kib(sectors) },
        read_ahead,
        free_block_read: context.flag(disk, "Read any free blocks"),
        zero_latency_read: context.integer(disk, "Immediate buffer read", 0..=2) > 0,
        zero_latency_write: context.integer(disk, "Immediate buffer write", 0..=2) > 0,
        ..BufferSpec::default()
    };
    let writing = context.integer(disk, "Maximum number of write segments", 1..=i64::from(count)) as u32;
    spec.write_cache = WriteCacheSpec {
        enabled: context.integer(disk, "Fast write level", 0..=2) > 0,
        size_kib: writing * kib(sectors),
        ..WriteCacheSpec::default()
    };
}
