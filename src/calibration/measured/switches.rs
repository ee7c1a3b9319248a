//! Choices of mechanism that a trace decides.

use crate::drive::spec::{Prefetch, PrefetchRoom, ScsiSpec};
use crate::drive::{DriveSpec, InterfaceSpec};

/// One choice: its fields, what they are set to, and how.
pub(super) struct Switch {
    /// Fields of the model.
    pub fields: &'static [&'static str],
    /// What is tried.
    pub name: &'static str,
    set: fn(&mut ScsiSpec),
}

/// The choices, each alone. Numbers of segments are those of drives of the nineties.
pub(super) const SWITCHES: [Switch; 37] = [
    Switch { fields: &["interface.whole_track"], name: "true", set: |s| s.whole_track = true },
    Switch { fields: &["interface.whole_track"], name: "false", set: |s| s.whole_track = false },
    Switch { fields: &["interface.free_blocks"], name: "true", set: |s| s.free_blocks = true },
    Switch { fields: &["interface.free_blocks"], name: "false", set: |s| s.free_blocks = false },
    Switch { fields: &["interface.prefetch"], name: "Track", set: |s| s.prefetch = Prefetch::Track },
    Switch { fields: &["interface.prefetch"], name: "Cylinder", set: |s| s.prefetch = Prefetch::Cylinder },
    Switch { fields: &["interface.prefetch"], name: "Segment", set: |s| s.prefetch = Prefetch::Segment },
    Switch { fields: &["interface.prefetch"], name: "NextTrack", set: |s| s.prefetch = Prefetch::NextTrack },
    Switch {
        fields: &["interface.prefetch_room"],
        name: "Overwrites",
        set: |s| s.prefetch_room = PrefetchRoom::Overwrites,
    },
    Switch {
        fields: &["interface.prefetch_room"],
        name: "Beside",
        set: |s| s.prefetch_room = PrefetchRoom::Beside,
    },
    Switch {
        fields: &["interface.prefetch_room"],
        name: "Drops",
        set: |s| s.prefetch_room = PrefetchRoom::Drops,
    },
    Switch { fields: &["interface.hits_on_written"], name: "true", set: |s| s.hits_on_written = true },
    Switch { fields: &["interface.hits_on_written"], name: "false", set: |s| s.hits_on_written = false },
    Switch { fields: &["interface.writes_renew"], name: "true", set: |s| s.writes_renew = true },
    Switch { fields: &["interface.writes_renew"], name: "false", set: |s| s.writes_renew = false },
    Switch { fields: &["interface.zero_latency_read"], name: "true", set: |s| s.zero_latency_read = true },
    Switch { fields: &["interface.zero_latency_read"], name: "false", set: |s| s.zero_latency_read = false },
    Switch { fields: &["interface.zero_latency_write"], name: "true", set: |s| s.zero_latency_write = true },
    Switch {
        fields: &["interface.zero_latency_write"],
        name: "false",
        set: |s| s.zero_latency_write = false,
    },
    Switch { fields: &["interface.segments"], name: "1", set: |s| s.segments.count = least(s, 1) },
    Switch { fields: &["interface.segments"], name: "2", set: |s| s.segments.count = least(s, 2) },
    Switch { fields: &["interface.segments"], name: "4", set: |s| s.segments.count = 4 },
    Switch { fields: &["interface.segments"], name: "8", set: |s| s.segments.count = 8 },
    Switch { fields: &["interface.segments"], name: "16", set: |s| s.segments.count = 16 },
    Switch { fields: &["interface.prefetch_on_hit"], name: "true", set: |s| s.prefetch_on_hit = true },
    Switch { fields: &["interface.read_abort_ms"], name: "0.2", set: |s| s.read_abort_ms = 0.2 },
    Switch { fields: &["interface.read_abort_ms"], name: "0.4", set: |s| s.read_abort_ms = 0.4 },
    Switch { fields: &["interface.read_abort_ms"], name: "0.8", set: |s| s.read_abort_ms = 0.8 },
    Switch { fields: &["interface.read_abort_ms"], name: "1.2", set: |s| s.read_abort_ms = 1.2 },
    Switch { fields: ABORT, name: "0.2 ms, 64 blocks", set: |s| aborts(s, 0.2, 64) },
    Switch { fields: ABORT, name: "0.4 ms, 64 blocks", set: |s| aborts(s, 0.4, 64) },
    Switch { fields: ABORT, name: "0.8 ms, 64 blocks", set: |s| aborts(s, 0.8, 64) },
    Switch { fields: ABORT, name: "1.2 ms, 64 blocks", set: |s| aborts(s, 1.2, 64) },
    Switch { fields: ABORT, name: "0.2 ms, 128 blocks", set: |s| aborts(s, 0.2, 128) },
    Switch { fields: ABORT, name: "0.4 ms, 128 blocks", set: |s| aborts(s, 0.4, 128) },
    Switch { fields: ABORT, name: "0.8 ms, 128 blocks", set: |s| aborts(s, 0.8, 128) },
    Switch { fields: ABORT, name: "1.2 ms, 128 blocks", set: |s| aborts(s, 1.2, 128) },
];

/// How long breaking off takes shows only together with how long there is something to break off.
const ABORT: &[&str] = &["interface.read_abort_ms", "interface.prefetch_maximum_blocks"];

fn aborts(scsi: &mut ScsiSpec, ms: f64, blocks: u32) {
    (scsi.read_abort_ms, scsi.prefetch_maximum_blocks) = (ms, blocks);
}

/// A number of segments that leaves room for those of writes.
fn least(scsi: &ScsiSpec, wanted: u32) -> u32 {
    let writes = scsi.segments.write_count + u32::from(scsi.segments.dedicated_write);
    wanted.max(writes)
}

impl Switch {
    /// The model with this choice; none if it has it already, or no front end of this kind.
    pub(super) fn of(&self, spec: &DriveSpec) -> Option<DriveSpec> {
        let mut changed = spec.clone();
        let InterfaceSpec::Scsi(scsi) = &mut changed.interface else { return None };
        (self.set)(scsi);
        (changed != *spec).then_some(changed)
    }
}
