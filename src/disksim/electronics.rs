//! `disksim_disk`: overheads, buffer, reading on, fast writes, the connection to the bus.

use super::blocks::heading;
use super::context::Context;
use super::topology::PathTimes;
use super::tree::Block;
use crate::drive::DriveSpec;
use crate::drive::spec::{
    BufferSpec, Disconnection, ExtraWriteDisconnect, FastWrite, InterfaceSpec, OverheadSpec, Prefetch,
    PrefetchRoom, PrefetchStop, ReadAhead, ScsiSpec, SegmentSpec, WaterMark, WriteCacheSpec,
};

/// Times of a front end; fitted ones may be negative.
const TIMES_MS: std::ops::RangeInclusive<f64> = -10.0..=100.0;
/// Blocks of a segment.
const SEGMENT_BLOCKS_MAX: i64 = 1 << 20;

/// Reads the electronics into `spec`; `path` is what lies between drive and driver, if that is to count as the drive's.
pub(super) fn read<'d>(
    context: &mut Context<'d, '_, '_>,
    disk: &'d Block,
    path: Option<PathTimes>,
    spec: &mut DriveSpec,
) {
    let scale = context.real(disk, "Time scale for overheads", 0.0..=1000.0);
    spec.overhead = overheads(context, disk, scale);
    let mut scsi = times(context, disk, scale);
    // Old files hold negative block times where the bus alone decides.
    let own_ms = context.span_ms(disk, "Bulk sector transfer time", -10.0..=10.0);
    places(context, disk);
    let path = path.unwrap_or_default();
    scsi.block_ms = own_ms.max(path.read_block_ms);
    let write_ms = own_ms.max(path.write_block_ms);
    scsi.write_block_ms = (write_ms != scsi.block_ms).then_some(write_ms);
    buffer(context, disk, &mut scsi);
    caching(context, disk, &mut scsi);
    spec.interface = InterfaceSpec::Scsi(scsi);
    // The front end has a buffer of its own.
    spec.buffer = BufferSpec { size_kib: 0, read_ahead: ReadAhead::Off, ..BufferSpec::default() };
    spec.write_cache = WriteCacheSpec { enabled: false, ..WriteCacheSpec::default() };
    for (key, neutral, meaning) in UNMATCHED {
        context.without_counterpart(disk, key, neutral, meaning);
    }
    let queue = context.number(disk, "Max queue length").unwrap_or(0.0);
    if queue > 1.0 {
        let spot = context.spot(disk, "Max queue length");
        context.warn(spot, "the drive takes one command at a time; what waits, waits in the driver");
    }
}

/// Entries without a counterpart, the value that makes them mean nothing, and what is done instead.
const UNMATCHED: [(&str, f64, &str); 5] = [
    ("Allow sneaky intermediate read hits", 0.0, "the drive takes one command at a time"),
    ("Preseeking level", 0.0, "the arm starts for a command when the one before is complete"),
    ("Disconnect write if seek", 0.0, "a write whose data is in the buffer disconnects in any case"),
    ("Write hit stop prefetch", 1.0, "a write stops reading on"),
    ("Read directly to buffer", 1.0, "a sector is in the buffer when it has been read"),
];

/// Notes where the fields of the front end come from, for what is found wrong with the model as a whole.
fn places<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block) {
    context.place("overhead", heading(disk));
    context.place("interface", heading(disk));
    for (field, key) in [
        ("overhead.read_hit_ms", "Read hit over. after read"),
        ("overhead.read_miss_ms", "Read miss over. after read"),
        ("overhead.write_hit_ms", "Write hit over. after read"),
        ("overhead.write_miss_ms", "Write miss over. after read"),
        ("overhead.read_hit_after_write_ms", "Read hit over. after write"),
        ("overhead.read_miss_after_write_ms", "Read miss over. after write"),
        ("overhead.write_hit_after_write_ms", "Write hit over. after write"),
        ("overhead.write_miss_after_write_ms", "Write miss over. after write"),
        ("interface.block_ms", "Bulk sector transfer time"),
        ("interface.write_block_ms", "Bulk sector transfer time"),
        ("interface.command_ms", "Per-request overhead time"),
        ("interface.minimum_seek_ms", "Minimum seek delay"),
        ("interface.segments.count", "Number of buffer segments"),
        ("interface.segments.blocks", "Segment size (in blks)"),
        ("interface.segments.write_count", "Maximum number of write segments"),
        ("interface.segments.dedicated_write", "Use separate write segment"),
        ("interface.read_completion_ms", "Read completion overhead"),
        ("interface.write_completion_ms", "Write completion overhead"),
        ("interface.data_preparation_ms", "Data preparation overhead"),
        ("interface.reselect_first_ms", "First reselect overhead"),
        ("interface.reselect_other_ms", "Other reselect overhead"),
        ("interface.disconnect_read_ms", "Read disconnect afterread"),
        ("interface.disconnect_read_after_write_ms", "Read disconnect afterwrite"),
        ("interface.disconnect_write_ms", "Write disconnect overhead"),
    ] {
        let spot = context.spot(disk, key);
        context.place(field, spot);
    }
}

fn overheads<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, scale: f64) -> OverheadSpec {
    let mut decode = |key: &str| context.real(disk, key, TIMES_MS) * scale;
    OverheadSpec {
        read_hit_ms: decode("Read hit over. after read"),
        read_hit_after_write_ms: Some(decode("Read hit over. after write")),
        read_miss_ms: decode("Read miss over. after read"),
        read_miss_after_write_ms: Some(decode("Read miss over. after write")),
        write_hit_ms: decode("Write hit over. after read"),
        write_hit_after_write_ms: Some(decode("Write hit over. after write")),
        write_miss_ms: decode("Write miss over. after read"),
        write_miss_after_write_ms: Some(decode("Write miss over. after write")),
        completion_ms: 0.0,
    }
}

fn times<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, scale: f64) -> ScsiSpec {
    let extra = context.flag(disk, "Extra write disconnect");
    let command_ms = context.span_ms(disk, "Per-request overhead time", TIMES_MS) * scale;
    let mut ms = |key: &str| context.real(disk, key, TIMES_MS) * scale;
    let extra_write_disconnect = extra.then(|| ExtraWriteDisconnect {
        command_ms: ms("Extradisc command overhead"),
        disconnect_ms: ms("Extradisc disconnect overhead"),
        pause_ms: ms("Extradisc inter-disconnect delay"),
        second_disconnect_ms: ms("Extradisc 2nd disconnect overhead"),
        seek_ms: ms("Extradisc seek delta"),
        ..ExtraWriteDisconnect::default()
    });
    ScsiSpec {
        command_ms,
        read_completion_ms: ms("Read completion overhead"),
        write_completion_ms: ms("Write completion overhead"),
        data_preparation_ms: ms("Data preparation overhead"),
        reselect_first_ms: ms("First reselect overhead"),
        reselect_other_ms: ms("Other reselect overhead"),
        disconnect_read_ms: ms("Read disconnect afterread"),
        disconnect_read_after_write_ms: Some(ms("Read disconnect afterwrite")),
        disconnect_write_ms: ms("Write disconnect overhead"),
        extra_write_disconnect,
        minimum_seek_ms: context.real(disk, "Minimum seek delay", 0.0..=100.0),
        ..ScsiSpec::default()
    }
}

fn buffer<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, scsi: &mut ScsiSpec) {
    let holds =
        ["Hold bus entire read xfer", "Hold bus entire write xfer"].map(|key| context.flag(disk, key));
    scsi.disconnection = match (context.flag(disk, "Never disconnect"), holds) {
        (true, _) => Disconnection::Never,
        (_, [true, true]) => Disconnection::NotWithinTransfers,
        (_, [true, false]) => Disconnection::NotWithinReads,
        (_, [false, true]) => Disconnection::NotWithinWrites,
        (_, [false, false]) => Disconnection::WhenIdle,
    };
    let blocks = context.integer(disk, "Segment size (in blks)", 1..=SEGMENT_BLOCKS_MAX);
    let mut count = context.integer(disk, "Number of buffer segments", 0..=2048);
    if !(1..=255).contains(&count) {
        let spot = context.spot(disk, "Number of buffer segments");
        let taken = count.clamp(1, 255);
        context.warn(spot, format!("{count} segments count as {taken}"));
        count = taken;
    }
    let write_count = context.integer(disk, "Maximum number of write segments", 1..=2048).min(count);
    let mut dedicated_write = context.flag(disk, "Use separate write segment");
    if dedicated_write && count < 2 {
        let spot = context.spot(disk, "Use separate write segment");
        context.warn(spot, "the only segment cannot be kept for writes and serves all");
        dedicated_write = false;
    }
    scsi.segments = SegmentSpec {
        count: count as u32,
        blocks: blocks as u32,
        write_count: write_count as u32,
        dedicated_write,
    };
    scsi.read_high_water = context.real(disk, "High (read) water mark", 0.0..=1.0);
    scsi.write_low_water = context.real(disk, "Low (write) water mark", 0.0..=1.0);
    let by_request = context.flag(disk, "Set watermark by reqsize");
    scsi.water_mark = if by_request { WaterMark::Request } else { WaterMark::Segment };
    scsi.prefetch_minimum_blocks = context.integer(disk, "Minimum read-ahead (blks)", 0..=blocks) as u32;
    // DiskSim lifts a lower maximum to the minimum, also one of 0, which else means none.
    let most = context.integer(disk, "Maximum read-ahead (blks)", 0..=blocks) as u32;
    scsi.prefetch_maximum_blocks = most.max(scsi.prefetch_minimum_blocks);
}

fn caching<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, scsi: &mut ScsiSpec) {
    scsi.caching = context.integer(disk, "Enable caching in buffer", 0..=2) > 0;
    scsi.prefetch = match context.integer(disk, "Buffer continuous read", 0..=4) {
        0 => Prefetch::Off,
        1 => Prefetch::Track,
        2 => Prefetch::Cylinder,
        3 => Prefetch::Segment,
        _ => Prefetch::NextTrack,
    };
    scsi.prefetch_room = match context.integer(disk, "Read-ahead over requested", -1..=1) {
        -1 => PrefetchRoom::Drops,
        0 => PrefetchRoom::Beside,
        _ => PrefetchRoom::Overwrites,
    };
    scsi.prefetch_on_hit = context.flag(disk, "Read-ahead on idle hit");
    let at_once = context.flag(disk, "Stop prefetch in sector");
    scsi.prefetch_stop = if at_once { PrefetchStop::AtOnce } else { PrefetchStop::SectorEnd };
    scsi.free_blocks = context.flag(disk, "Read any free blocks");
    scsi.zero_latency_read = context.integer(disk, "Immediate buffer read", 0..=2) > 0;
    scsi.zero_latency_write = context.integer(disk, "Immediate buffer write", 0..=2) > 0;
    scsi.almost_hits = context.flag(disk, "Allow almost read hits");
    scsi.hits_on_written = context.flag(disk, "Allow read hits on write data");
    scsi.partial_hits_at_once = context.flag(disk, "Immed transfer partial hit");
    scsi.hits_while_busy = context.flag(disk, "Allow sneaky full read hits");
    scsi.partial_hits_while_busy = context.flag(disk, "Allow sneaky partial read hits");
    scsi.fast_write = match context.integer(disk, "Fast write level", 0..=2) {
        0 => FastWrite::Off,
        1 => FastWrite::Appending,
        _ => FastWrite::Sequential,
    };
    scsi.combine_writes = context.flag(disk, "Combine seq writes");
    scsi.write_prebuffering = context.flag(disk, "Allow write prebuffering");
}
