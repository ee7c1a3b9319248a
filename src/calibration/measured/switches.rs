//! Choices of mechanism that a trace decides.

use crate::drive::spec::{Prefetch, PrefetchRoom, ScsiSpec};
use crate::drive::{DriveSpec, InterfaceSpec};

/// One choice: its field, what it is set to, and how.
pub(super) struct Switch {
    /// Field of the model.
    pub field: &'static str,
    /// What is tried.
    pub name: &'static str,
    set: fn(&mut ScsiSpec),
}

/// The choices, each alone. Numbers of segments are those of drives of the nineties.
pub(super) const SWITCHES: [Switch; 25] = [
    Switch { field: "interface.whole_track", name: "true", set: |s| s.whole_track = true },
    Switch { field: "interface.whole_track", name: "false", set: |s| s.whole_track = false },
    Switch { field: "interface.free_blocks", name: "true", set: |s| s.free_blocks = true },
    Switch { field: "interface.free_blocks", name: "false", set: |s| s.free_blocks = false },
    Switch { field: "interface.prefetch", name: "Track", set: |s| s.prefetch = Prefetch::Track },
    Switch { field: "interface.prefetch", name: "Cylinder", set: |s| s.prefetch = Prefetch::Cylinder },
    Switch { field: "interface.prefetch", name: "Segment", set: |s| s.prefetch = Prefetch::Segment },
    Switch { field: "interface.prefetch", name: "NextTrack", set: |s| s.prefetch = Prefetch::NextTrack },
    Switch {
        field: "interface.prefetch_room",
        name: "Overwrites",
        set: |s| s.prefetch_room = PrefetchRoom::Overwrites,
    },
    Switch {
        field: "interface.prefetch_room",
        name: "Beside",
        set: |s| s.prefetch_room = PrefetchRoom::Beside,
    },
    Switch {
        field: "interface.prefetch_room",
        name: "Drops",
        set: |s| s.prefetch_room = PrefetchRoom::Drops,
    },
    Switch { field: "interface.hits_on_written", name: "true", set: |s| s.hits_on_written = true },
    Switch { field: "interface.hits_on_written", name: "false", set: |s| s.hits_on_written = false },
    Switch { field: "interface.writes_renew", name: "true", set: |s| s.writes_renew = true },
    Switch { field: "interface.writes_renew", name: "false", set: |s| s.writes_renew = false },
    Switch { field: "interface.zero_latency_read", name: "true", set: |s| s.zero_latency_read = true },
    Switch { field: "interface.zero_latency_read", name: "false", set: |s| s.zero_latency_read = false },
    Switch { field: "interface.zero_latency_write", name: "true", set: |s| s.zero_latency_write = true },
    Switch { field: "interface.zero_latency_write", name: "false", set: |s| s.zero_latency_write = false },
    Switch { field: "interface.segments", name: "1", set: |s| s.segments.count = least(s, 1) },
    Switch { field: "interface.segments", name: "2", set: |s| s.segments.count = least(s, 2) },
    Switch { field: "interface.segments", name: "4", set: |s| s.segments.count = 4 },
    Switch { field: "interface.segments", name: "8", set: |s| s.segments.count = 8 },
    Switch { field: "interface.segments", name: "16", set: |s| s.segments.count = 16 },
    Switch { field: "interface.prefetch_on_hit", name: "true", set: |s| s.prefetch_on_hit = true },
];

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
