//! A drive on a SCSI-like bus: what a file says of its front end, the part between bus and heads.
//!
//! The mechanisms are those that DiskSim's disk module describes (Bucy, Schindler, Schlosser and Ganger, The DiskSim
//! Simulation Environment 4.0, CMU-PDL-08-101, 3.4.5); times and sizes are those of each drive.

use serde::{Deserialize, Serialize};

use crate::config::Issues;

/// Front end of a drive on a SCSI-like bus, which it leaves while it has nothing to transfer.
///
/// The times of decoding a command are those of [`OverheadSpec`](super::OverheadSpec); its `completion_ms` is not
/// used, nor are `buffer`, `write_cache` and `queue` of the drive: it takes one command at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScsiSpec {
    /// Time in which the drive moves a block between buffer and bus, 0 to 10 ms; the slower of drive and bus decides.
    pub block_ms: f64,
    /// The same from bus to buffer; unset: the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_block_ms: Option<f64>,
    /// Time that every command takes before it is looked at, 0 to 100 ms.
    pub command_ms: f64,
    /// Between the last byte of a read and its completion, -10 to 100 ms as all times of this front end.
    pub read_completion_ms: f64,
    /// Between the last byte of a write, or its last block on the medium, and its completion.
    pub write_completion_ms: f64,
    /// Before the data of each connection.
    pub data_preparation_ms: f64,
    /// Getting the bus back.
    pub reselect_first_ms: f64,
    /// The same for a write that has disconnected once more ([`extra_write_disconnect`](Self::extra_write_disconnect)).
    pub reselect_other_ms: f64,
    /// Letting go of the bus in a read.
    pub disconnect_read_ms: f64,
    /// The same when the command before was a write; unset: the same.
    pub disconnect_read_after_write_ms: Option<f64>,
    /// Letting go of the bus in a write.
    pub disconnect_write_ms: f64,
    /// A write that follows another one and does not continue it disconnects before its data.
    pub extra_write_disconnect: Option<ExtraWriteDisconnect>,
    /// Least time of the seek of a write that does not continue another one, 0 to 100 ms.
    pub minimum_seek_ms: f64,
    /// Least time of the seek of a read that the buffer does not answer, even to the track that the heads are on, 0 to
    /// 100 ms: some drives settle anew for every command.
    pub minimum_read_seek_ms: f64,
    /// What a read that the buffer does not answer waits longer if it breaks off reading on, 0 to 100 ms. DiskSim knows no
    /// such time; traces show it.
    #[serde(skip_serializing_if = "is_zero")]
    pub read_abort_ms: f64,
    /// Whether it disconnects at all.
    pub disconnection: Disconnection,
    /// A read asks for the bus when so much has been read, as a part, 0 to 1; one block at least.
    pub read_high_water: f64,
    /// A write asks for the bus when no more is left to be written, as a part, 0 to 1; one block at least.
    pub write_low_water: f64,
    /// What the water marks are parts of.
    pub water_mark: WaterMark,
    /// The buffer's segments.
    pub segments: SegmentSpec,
    /// What has been read or written may answer a later read.
    pub caching: bool,
    /// How far it reads on after a read.
    pub prefetch: Prefetch,
    /// So much is read on even if a command waits for the heads, in blocks.
    pub prefetch_minimum_blocks: u32,
    /// Most that is read on, in blocks; 0: as `prefetch_room` says. Not used by `Prefetch::NextTrack`.
    pub prefetch_maximum_blocks: u32,
    /// What reading on does to the blocks that were asked for.
    pub prefetch_room: PrefetchRoom,
    /// Reading on that had stopped starts again when a read is answered from its segment.
    pub prefetch_on_hit: bool,
    /// Where reading on stops for another command.
    pub prefetch_stop: PrefetchStop,
    /// Blocks of the track that pass before the first wanted one are kept.
    pub free_blocks: bool,
    /// All blocks of the track before the first wanted one are kept: the heads stay for a whole turn. They count as read
    /// when the wanted ones are.
    pub whole_track: bool,
    /// A read may start in the middle of its blocks.
    pub zero_latency_read: bool,
    /// A write may start in the middle of its blocks.
    pub zero_latency_write: bool,
    /// A read of the very block that is being read on is a hit.
    pub almost_hits: bool,
    /// What was written may answer a read.
    pub hits_on_written: bool,
    /// A write renews its blocks in the segments that hold them, whose other blocks may still answer a read; unset: it
    /// takes such a segment for itself, and all that was read into it is gone.
    pub writes_renew: bool,
    /// A read that the buffer holds in part sends that part at once.
    pub partial_hits_at_once: bool,
    /// A read that the buffer holds does not wait for the heads to finish another command.
    pub hits_while_busy: bool,
    /// The same for a read that it holds in part.
    pub partial_hits_while_busy: bool,
    /// When a write completes.
    pub fast_write: FastWrite,
    /// A write that continues one that is not on the medium yet joins its segment.
    pub combine_writes: bool,
    /// The data of a write is taken while the heads finish another command.
    pub write_prebuffering: bool,
    /// A block is written when so many from it on, or all that are left of its command, are in the buffer, 0 to 1048576:
    /// the heads never catch up with a bus that is slower than the medium. 0: one, and at the beginning what
    /// [`extra_write_disconnect`](Self::extra_write_disconnect) says. Not of commands that are longer than a segment.
    /// DiskSim knows no such rule; traces show it.
    #[serde(skip_serializing_if = "is_none")]
    pub write_lead_blocks: u32,
    /// How much later the data of a write that follows a read crosses than its overhead says, -10 to 100 ms, while the arm
    /// goes on: the drive has to end reading on first. DiskSim knows no such time; traces show it.
    #[serde(skip_serializing_if = "is_zero")]
    pub write_after_read_data_ms: f64,
}

fn is_zero(ms: &f64) -> bool {
    *ms == 0.0
}

fn is_none(blocks: &u32) -> bool {
    *blocks == 0
}

impl Default for ScsiSpec {
    fn default() -> Self {
        ScsiSpec {
            block_ms: 0.0,
            write_block_ms: None,
            command_ms: 0.0,
            read_completion_ms: 0.0,
            write_completion_ms: 0.0,
            data_preparation_ms: 0.0,
            reselect_first_ms: 0.0,
            reselect_other_ms: 0.0,
            disconnect_read_ms: 0.0,
            disconnect_read_after_write_ms: None,
            disconnect_write_ms: 0.0,
            extra_write_disconnect: None,
            minimum_seek_ms: 0.0,
            minimum_read_seek_ms: 0.0,
            read_abort_ms: 0.0,
            disconnection: Disconnection::WhenIdle,
            read_high_water: 0.0,
            write_low_water: 0.0,
            water_mark: WaterMark::Request,
            segments: SegmentSpec::default(),
            caching: true,
            prefetch: Prefetch::Segment,
            prefetch_minimum_blocks: 0,
            prefetch_maximum_blocks: 0,
            prefetch_room: PrefetchRoom::Overwrites,
            prefetch_on_hit: false,
            prefetch_stop: PrefetchStop::SectorEnd,
            free_blocks: false,
            whole_track: false,
            zero_latency_read: false,
            zero_latency_write: false,
            almost_hits: false,
            hits_on_written: true,
            writes_renew: false,
            partial_hits_at_once: true,
            hits_while_busy: false,
            partial_hits_while_busy: false,
            fast_write: FastWrite::Off,
            combine_writes: true,
            write_prebuffering: false,
            write_lead_blocks: 0,
            write_after_read_data_ms: 0.0,
        }
    }
}

/// The disconnection that some drives make between the command of a write and its data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtraWriteDisconnect {
    /// Decoding the command, in place of the write's usual time.
    pub command_ms: f64,
    /// From there until the bus is free.
    pub disconnect_ms: f64,
    /// From there until it asks for the bus again.
    pub pause_ms: f64,
    /// Letting go of the bus after the data, in place of the write's usual time.
    pub second_disconnect_ms: f64,
    /// From the decoding of the command until the arm may start.
    pub seek_ms: f64,
    /// Writing starts when so many blocks, or all of a smaller write, are in the buffer.
    #[serde(default = "ten_blocks")]
    pub start_blocks: u32,
    /// The same for writes of at least `large_blocks`.
    #[serde(default = "fifteen_blocks")]
    pub start_blocks_large: u32,
    /// What a large write is.
    #[serde(default = "large_blocks")]
    pub large_blocks: u32,
}

impl Default for ExtraWriteDisconnect {
    fn default() -> Self {
        ExtraWriteDisconnect {
            command_ms: 0.0,
            disconnect_ms: 0.0,
            pause_ms: 0.0,
            second_disconnect_ms: 0.0,
            seek_ms: 0.0,
            start_blocks: ten_blocks(),
            start_blocks_large: fifteen_blocks(),
            large_blocks: large_blocks(),
        }
    }
}

fn ten_blocks() -> u32 {
    10
}
fn fifteen_blocks() -> u32 {
    15
}
fn large_blocks() -> u32 {
    45
}

/// When a drive lets go of the bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Disconnection {
    /// Whenever it has nothing to transfer.
    #[default]
    WhenIdle,
    /// As `WhenIdle`, but not between the first and the last block of a read.
    NotWithinReads,
    /// As `WhenIdle`, but not between the first and the last block of a write.
    NotWithinWrites,
    /// As `WhenIdle`, but not between the first and the last block.
    NotWithinTransfers,
    /// Only when a command is done, or a write waits for the medium.
    Never,
}

impl Disconnection {
    /// True if a transfer of this kind keeps the bus while it waits for blocks.
    pub fn holds(self, write: bool) -> bool {
        match self {
            Disconnection::WhenIdle => false,
            Disconnection::NotWithinReads => !write,
            Disconnection::NotWithinWrites => write,
            Disconnection::NotWithinTransfers | Disconnection::Never => true,
        }
    }
}

/// What a water mark is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum WaterMark {
    /// The blocks of the request, those of a segment at most.
    #[default]
    Request,
    /// The blocks of a segment.
    Segment,
}

/// Segments of one size, each with one run of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentSpec {
    /// How many, 1 to 255.
    pub count: u32,
    /// Blocks of each, 1 to 1048576.
    pub blocks: u32,
    /// How many may hold writes that are not on the medium yet, 1 to `count`.
    #[serde(default = "one")]
    pub write_count: u32,
    /// One segment holds writes and nothing else.
    #[serde(default)]
    pub dedicated_write: bool,
}

fn one() -> u32 {
    1
}

impl Default for SegmentSpec {
    fn default() -> Self {
        SegmentSpec { count: 2, blocks: 256, write_count: 1, dedicated_write: false }
    }
}

/// How far a drive reads on after a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Prefetch {
    /// Not at all.
    Off,
    /// To the end of the track.
    Track,
    /// To the end of the cylinder.
    Cylinder,
    /// As far as segment and maximum allow.
    #[default]
    Segment,
    /// To the end of the track, and of the next one when the segment began on an earlier one.
    NextTrack,
}

/// What reading on does to the blocks that the last read asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum PrefetchRoom {
    /// It may overwrite them.
    #[default]
    Overwrites,
    /// They stay; what is read on has the rest of the segment.
    Beside,
    /// They are dropped as soon as the host has them.
    Drops,
}

/// Where reading on stops for another command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum PrefetchStop {
    /// At the end of the sector under the head, or of the rotational delay.
    #[default]
    SectorEnd,
    /// At once.
    AtOnce,
}

/// When a write completes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum FastWrite {
    /// When its last block is on the medium.
    #[default]
    Off,
    /// When its data is in the buffer; another write may then continue it at once if nothing else waits.
    Appending,
    /// The same, also if something else came between.
    Sequential,
}

impl ScsiSpec {
    /// Checks every figure by itself.
    pub(super) fn validate(&self, issues: &mut Issues) -> bool {
        let mut ok = true;
        let mut real = |field: &str, value: f64, low: f64, high: f64, unit: &str| {
            ok &= issues.range_f64(&format!("interface.{field}"), value, low..=high, unit);
        };
        real("block_ms", self.block_ms, 0.0, 10.0, "ms");
        real("write_block_ms", self.write_block_ms.unwrap_or(0.0), 0.0, 10.0, "ms");
        real("command_ms", self.command_ms, 0.0, 100.0, "ms");
        real("minimum_read_seek_ms", self.minimum_read_seek_ms, 0.0, 100.0, "ms");
        real("read_abort_ms", self.read_abort_ms, 0.0, 100.0, "ms");
        real("minimum_seek_ms", self.minimum_seek_ms, 0.0, 100.0, "ms");
        real("read_high_water", self.read_high_water, 0.0, 1.0, "");
        real("write_low_water", self.write_low_water, 0.0, 1.0, "");
        for (field, ms) in self.times() {
            real(field, ms, -10.0, 100.0, "ms");
        }
        let SegmentSpec { count, blocks, write_count, .. } = self.segments;
        let mut whole = |field: &str, value: u32, low: u32, high: u32, unit: &str| {
            let field = format!("interface.{field}");
            ok &= issues.range_u64(&field, value.into(), low.into()..=high.into(), unit);
        };
        whole("segments.count", count, 1, 255, "segments");
        whole("segments.blocks", blocks, 1, 1 << 20, "blocks");
        whole("segments.write_count", write_count, 1, count.max(1), "segments");
        whole("prefetch_minimum_blocks", self.prefetch_minimum_blocks, 0, 1 << 20, "blocks");
        whole("prefetch_maximum_blocks", self.prefetch_maximum_blocks, 0, 1 << 20, "blocks");
        whole("write_lead_blocks", self.write_lead_blocks, 0, 1 << 20, "blocks");
        if self.segments.dedicated_write && count < 2 {
            issues.report(
                "interface.segments.dedicated_write",
                "the only segment cannot be kept for writes",
                "use at least two segments",
            );
            ok = false;
        }
        ok
    }

    /// Blocks that must be in the buffer, as far as it has so many, before a write of `sectors` starts on the medium,
    /// beside [`write_lead_blocks`](Self::write_lead_blocks), which takes the place of other rules.
    pub(crate) fn write_start_blocks(&self, sectors: u64) -> u32 {
        match self.extra_write_disconnect.filter(|_| self.write_lead_blocks == 0) {
            None => 0,
            Some(extra) if sectors < u64::from(extra.large_blocks) => extra.start_blocks,
            Some(extra) => extra.start_blocks_large,
        }
    }

    /// The times that may be negative: fitted figures of one step may take back what those of another give.
    fn times(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let own = [
            ("read_completion_ms", self.read_completion_ms),
            ("write_completion_ms", self.write_completion_ms),
            ("data_preparation_ms", self.data_preparation_ms),
            ("reselect_first_ms", self.reselect_first_ms),
            ("reselect_other_ms", self.reselect_other_ms),
            ("disconnect_read_ms", self.disconnect_read_ms),
            (
                "disconnect_read_after_write_ms",
                self.disconnect_read_after_write_ms.unwrap_or(self.disconnect_read_ms),
            ),
            ("disconnect_write_ms", self.disconnect_write_ms),
            ("write_after_read_data_ms", self.write_after_read_data_ms),
        ];
        let extra = self.extra_write_disconnect.into_iter().flat_map(|extra| {
            [
                ("extra_write_disconnect.command_ms", extra.command_ms),
                ("extra_write_disconnect.disconnect_ms", extra.disconnect_ms),
                ("extra_write_disconnect.pause_ms", extra.pause_ms),
                ("extra_write_disconnect.second_disconnect_ms", extra.second_disconnect_ms),
                ("extra_write_disconnect.seek_ms", extra.seek_ms),
            ]
        });
        own.into_iter().chain(extra)
    }
}
