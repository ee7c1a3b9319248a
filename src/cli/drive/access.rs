//! Access times of a drive, measured on the simulated drive itself.
//!
//! Models: one-sector reads at random addresses, one after another, as WinBench's access-time test and HD Tune do;
//! the drive's own overheads, arm, rotation and the sector's way over the interface.
//! Leaves out: host, driver and card, which add about 0.1 ms.

use rand::RngExt;

use crate::drive::{Command, CommandId, CommandKind, Drive, DriveEvent, DriveSpec};
use crate::sim::{Calendar, Handle, Phase, Schedule, Streams};
use crate::units::{Extent, Instant, SECTOR_BYTES, Span};

/// One read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Access {
    /// Its address.
    pub lba: u64,
    /// From the command until the drive's interrupt, in ms.
    pub ms: f64,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Drive(DriveEvent),
    /// The sector has crossed the interface.
    Crossed(CommandId),
}

struct Port<'a>(&'a mut Calendar<Event>);

impl Schedule<DriveEvent> for Port<'_> {
    fn now(&self) -> Instant {
        self.0.now()
    }
    fn at(&mut self, at: Instant, phase: Phase, event: DriveEvent) -> Handle {
        self.0.schedule(at, phase, Event::Drive(event))
    }
    fn cancel(&mut self, handle: Handle) -> bool {
        self.0.cancel(handle)
    }
}

/// `reads` one-sector reads; the same seed gives the same reads.
pub(super) fn measure(spec: &DriveSpec, reads: u32, seed: u64) -> Vec<Access> {
    let streams = Streams::new(seed);
    let mut addresses = streams.stream("access test", "addresses");
    let mut drive = Drive::new(spec, "drive/0", streams);
    let mut calendar = Calendar::new();
    let rate_mb_s = spec.interface.nominal_mb_s().min(spec.buffer_rate_mb_s);
    let transfer = Span::from_us(SECTOR_BYTES as f64 / rate_mb_s);
    let mut found = Vec::with_capacity(reads as usize);
    for number in 0..reads {
        let lba = addresses.random_range(0..drive.capacity());
        let (id, begun) = (CommandId(number), calendar.now());
        let command = Command { id, kind: CommandKind::Read, extent: Extent::new(lba, 1), transfer };
        drive.accept(command, &mut Port(&mut calendar));
        // A drive always answers; should it not, the list is shorter.
        while let Some((now, event)) = calendar.pop() {
            match event {
                Event::Drive(DriveEvent::Ready(id)) => {
                    calendar.schedule(now + transfer, Phase::Completion, Event::Crossed(id));
                }
                Event::Crossed(id) => drive.data_transferred(id, &mut Port(&mut calendar)),
                Event::Drive(DriveEvent::Complete(_)) => {
                    found.push(Access { lba, ms: now.since(begun).as_ms() });
                    break;
                }
                Event::Drive(event) => drive.handle(event, &mut Port(&mut calendar)),
            }
        }
    }
    found
}

/// Mean of the access times, in ms; nothing for no reads.
pub(super) fn mean_ms(found: &[Access]) -> Option<f64> {
    (!found.is_empty()).then(|| found.iter().map(|access| access.ms).sum::<f64>() / found.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::drive::summary::{DriveSummary, HOST_MS};
    use crate::scenario::{Library, ModelKind};

    fn spec(name: &str) -> DriveSpec {
        config::load(&Library::shipped().source(ModelKind::Drive, name).unwrap()).unwrap()
    }

    #[test]
    fn the_mean_access_is_what_the_figures_of_the_drive_amount_to() {
        for name in ["maxtor-6l080j4", "wd-740gd"] {
            let spec = spec(name);
            let expected = DriveSummary::new(&spec).random_512_b.service_ms - HOST_MS;
            let found = measure(&spec, 4000, 1);
            let mean = mean_ms(&found).unwrap();
            assert_eq!(found.len(), 4000);
            assert!((mean - expected).abs() < 0.02 * expected, "{name}: {mean} against {expected}");
        }
    }

    #[test]
    fn a_seed_names_the_reads() {
        let spec = spec("wd-1200jb");
        assert_eq!(measure(&spec, 20, 7), measure(&spec, 20, 7));
        assert_ne!(measure(&spec, 20, 7), measure(&spec, 20, 8));
    }
}
