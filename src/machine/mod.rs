//! The whole machine: turns specs into components, owns all state, and is the one place that dispatches events.
//!
//! The way of a request: the program calls (processor), the port driver cuts and queues it, the driver lets it into
//! the array and splits it by the address map, each part becomes a command that waits for its cable, is written to
//! the drive, and when the drive is ready its data crosses cable, FIFO and bus; the drive interrupts, the processor
//! answers, and when all parts are done the program gets its request back and issues the next.
//!
//! Invariants: nothing fails for reasons of configuration once [`Machine::new`] has returned; every request that is
//! issued completes once; components never call each other, they meet here.

mod build;
mod cable_path;
mod event;
mod host_path;
mod load;
mod metrics;
mod probe;
mod run;
mod slab;
mod spec;
mod tables;

pub use build::BuildError;
pub use event::{CableEvent, Code, Event, HostEvent, RequestId, SrbId};
pub use metrics::{DriveFigures, Measured, PlaybackFigures};
pub use probe::{Job, Mark, Probe, TransferPlan};
pub use run::{Fault, Outcome, RunLength};
pub use spec::{ArraySpec, DrivePlacement, MachineSpec};
pub use tables::SeekTables;

use crate::bus::Share;
use crate::channel::{Cable, DeviceNumber};
use crate::controller::{DataPath, Train};
use crate::drive::{CommandId, CommandKind, Drive};
use crate::host::{CableRule, Cpu, DeviceChoice, Driver, MirrorWrite, Parts, Window};
use crate::raid::ArrayMap;
use crate::sim::{Calendar, Handle, Phase, Schedule};
use crate::units::{Extent, Instant, Span};

use load::Load;
use slab::Slab;

/// A request of the program.
#[derive(Clone, Copy, Debug)]
struct Request {
    extent: Extent,
    write: bool,
    called: Instant,
    /// Issued after the ramp-up: counts.
    recorded: bool,
    /// What the load calls it.
    tag: u32,
    srbs_left: u32,
}

/// A piece of a request as the port driver hands it on (a SCSI request block in Windows).
#[derive(Clone, Debug, Default)]
struct Srb {
    request: RequestId,
    extent: Extent,
    write: bool,
    /// Commands it becomes; those from `sent` on have not been handed to their cable yet.
    parts: Vec<Part>,
    sent: usize,
    done: usize,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    member: u8,
    extent: Extent,
}

/// A command on its way through a cable.
#[derive(Clone, Copy, Debug)]
struct Command {
    srb: SrbId,
    member: u8,
    drive: u16,
    extent: Extent,
    write: bool,
    train: Train,
}

/// Data under way on a cable.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    command: CommandId,
    period: Span,
    end: Instant,
    handle: Handle,
    /// Bus time that it still needs from `since` on, spread evenly until `end`.
    bus_left: Span,
    since: Instant,
}

/// One channel of the card with its cable and the commands that wait for it.
#[derive(Clone, Debug)]
struct Channel {
    cable: Cable<CommandId>,
    /// One queue a device, or a single one for both.
    waiting: Vec<Window<CommandId>>,
    /// The queue that was served last, so that two devices take turns.
    last: usize,
    /// Most commands that its drives may have between them.
    outstanding_max: usize,
    /// Commands of queueing drives whose data is ready and waits for the cable.
    service: std::collections::VecDeque<CommandId>,
    /// The drive at each device number, by index.
    devices: [Option<u16>; 2],
    transfer: Option<Transfer>,
    busy: Span,
    busy_since: Instant,
}

/// A drive in its place.
#[derive(Clone, Debug)]
struct Slot {
    drive: Drive,
    channel: u16,
    device: DeviceNumber,
    path: DataPath,
    /// The size and the train of the last transfer in each direction: the next one's is often the same.
    trains: [(u64, Train); 2],
    /// Commands given to the drive that are not done.
    outstanding: usize,
}

impl Slot {
    /// The train that moves `bytes` bytes.
    fn train(&mut self, bytes: u64, write: bool) -> Train {
        let (size, train) = &mut self.trains[usize::from(write)];
        if *size != bytes {
            (*size, *train) = (bytes, self.path.train(bytes, write));
        }
        *train
    }
}

/// Costs of the host side, as spans.
#[derive(Clone, Copy, Debug)]
struct Costs {
    issue: Span,
    dispatch: Span,
    interrupt: Span,
    complete: Span,
}

/// A simulated computer with one array under load, and who is told of what happens in it.
pub struct Machine<P = ()> {
    calendar: Calendar<Code>,
    cpu: Cpu,
    costs: Costs,
    driver: Driver<SrbId>,
    parts: Parts,
    mirror_write: MirrorWrite,
    cable_rule: CableRule,
    device_choice: DeviceChoice,
    per_device_queues: bool,
    /// Most sectors of a piece that the port driver hands on.
    transfer_limit: u64,
    /// Most sectors of a command.
    command_limit: u64,
    join_pieces: bool,
    map: ArrayMap,
    /// Which drive each member is.
    members: Vec<u16>,
    channels: Vec<Channel>,
    slots: Vec<Slot>,
    share: Share,
    /// No transfer can ever hold up another, so that the bus need not be shared out.
    bus_is_ample: bool,
    requests: Slab<Request>,
    srbs: Slab<Srb>,
    commands: Slab<Command>,
    load: Load,
    metrics: metrics::Metrics,
    probe: P,
}

impl<P: Probe> Machine<P> {
    /// Tells the probe, if there is one; `mark` is made only then.
    #[inline]
    fn mark(&mut self, mark: impl FnOnce(&Self) -> Mark) {
        if P::ACTIVE {
            let mark = mark(self);
            self.probe.mark(self.calendar.now(), &mark);
        }
    }

    /// Puts an event into the calendar.
    #[inline(always)]
    fn schedule(&mut self, at: Instant, phase: Phase, event: Event) -> Handle {
        self.calendar.schedule(at, phase, event.code())
    }

    /// Gives the processor work; returns when it is done.
    fn process(&mut self, job: Job, work: Span) -> Instant {
        let until = self.cpu.run(self.calendar.now(), work);
        self.mark(|_| Mark::Processor { job, from: until - work, until });
        until
    }
}

/// Puts a drive's events into the machine's calendar.
struct DrivePort<'a> {
    calendar: &'a mut Calendar<Code>,
    drive: u16,
}

impl Schedule<crate::drive::DriveEvent> for DrivePort<'_> {
    #[inline]
    fn now(&self) -> Instant {
        self.calendar.now()
    }
    #[inline]
    fn at(&mut self, at: Instant, phase: Phase, event: crate::drive::DriveEvent) -> Handle {
        self.calendar.schedule(at, phase, Event::Drive(self.drive, event).code())
    }
    fn cancel(&mut self, handle: Handle) -> bool {
        self.calendar.cancel(handle)
    }
}

fn kind(write: bool) -> CommandKind {
    if write { CommandKind::Write } else { CommandKind::Read }
}
