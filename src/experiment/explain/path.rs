//! The critical path of each request, put together from the marks of a machine.
//!
//! A request is done when its last piece is, and a piece when its last part is; what the others did meanwhile took the
//! request no time. So the path follows the part that finished last, through its command, back to where the piece was
//! let into the array, and from there to the call. Parts that run one after the other all belong to it.
//!
//! Invariant: the stages of a path follow each other without gap or overlap from call to return.

use super::stage::{Ledger, Stage};
use crate::drive::{CommandId, Service};
use crate::machine::{Job, Mark, RequestId, SrbId, TransferPlan};
use crate::units::{Extent, Instant};

/// A request, a piece or a command under way: how far its path has come, and what it is made of.
#[derive(Clone, Debug, Default)]
struct Trail<L> {
    at: Instant,
    ledger: L,
}

impl<L: Ledger> Trail<L> {
    fn restart(&mut self, at: Instant) {
        self.at = at;
        self.ledger.clear();
    }
    /// `stage` lasts until `until`; what lies behind already is left behind.
    fn go(&mut self, stage: Stage, until: Instant) {
        let until = until.max(self.at);
        self.ledger.add(stage, self.at, until);
        self.at = until;
    }
    fn follow(&mut self, other: &Self) {
        self.ledger.append(&other.ledger);
        self.at = other.at;
    }
}

/// What is known of a request from its call on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Call {
    pub called: Instant,
    pub extent: Extent,
    pub write: bool,
}

/// The paths of all requests under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths<L> {
    calls: Vec<Call>,
    requests: Vec<Trail<L>>,
    srbs: Vec<(RequestId, Trail<L>)>,
    commands: Vec<(SrbId, bool, Trail<L>)>,
    /// The transfer of each command, while its data crosses.
    plans: Vec<Option<TransferPlan>>,
}

impl<L: Ledger> Paths<L> {
    /// Goes on by one mark.
    pub fn mark(&mut self, now: Instant, mark: &Mark) {
        match *mark {
            Mark::Called { request, extent, write, .. } => {
                *slot(&mut self.calls, request.0) = Call { called: now, extent, write };
                slot(&mut self.requests, request.0).restart(now);
            }
            Mark::Processor { job, from, until } => self.process(job, now, from, until),
            Mark::Queued { srb, request } => {
                let (of, trail) = slot(&mut self.srbs, srb.0);
                *of = request;
                trail.restart(now);
            }
            Mark::Taken { srb } => slot(&mut self.srbs, srb.0).1.go(Stage::DriverQueue, now),
            Mark::Sent { command, srb, write, .. } => {
                let (of, writes, trail) = slot(&mut self.commands, command.0);
                (*of, *writes) = (srb, write);
                trail.restart(now);
            }
            Mark::Granted { command, .. } => self.command(command).go(Stage::CableWait, now),
            // What the processor's work was followed by: frames on a serial link.
            Mark::Accepted { command } => self.command(command).go(Stage::Command, now),
            Mark::Ready { command, service } => self.ready(command, service, now),
            Mark::Begun { command, plan, .. } => {
                // Frames on a serial link that select the drive for its data.
                self.command(command).go(Stage::Command, now);
                *slot(&mut self.plans, command.0) = Some(plan);
            }
            Mark::Transferred { command, .. } => self.transferred(command, now),
            Mark::Written { command, service } => {
                operation(self.command(command), Stage::MechanismWait, service, now);
            }
            Mark::Done { command } => self.command(command).go(Stage::DriveOverhead, now),
            Mark::Answered { command, awaited } if awaited => {
                let (srb, _, trail) = slot(&mut self.commands, command.0);
                trail.go(Stage::Interrupt, now);
                slot(&mut self.srbs, srb.0).1.follow(trail);
            }
            Mark::Finished { srb, last } if last => {
                let (request, trail) = slot(&mut self.srbs, srb.0);
                slot(&mut self.requests, request.0).follow(trail);
            }
            _ => {}
        }
    }

    fn command(&mut self, command: CommandId) -> &mut Trail<L> {
        &mut slot(&mut self.commands, command.0).2
    }

    fn process(&mut self, job: Job, now: Instant, from: Instant, until: Instant) {
        let (trail, stage) = match job {
            Job::Issue(request) | Job::Complete(request) => {
                (slot(&mut self.requests, request.0), Stage::Host)
            }
            Job::Dispatch(command) => {
                let trail = self.command(command);
                // It has had its cable since it was granted.
                trail.go(Stage::MateWait, now);
                (trail, Stage::Command)
            }
            Job::Select(command) => (self.command(command), Stage::Command),
            Job::Interrupt(command) => (self.command(command), Stage::Interrupt),
            // The processor's work is the transfer, which tells of itself.
            Job::Move(command) => return self.command(command).go(Stage::HostWait, from),
        };
        trail.go(Stage::HostWait, from);
        trail.go(stage, until);
    }

    fn ready(&mut self, command: CommandId, service: Service, now: Instant) {
        let (_, write, trail) = slot(&mut self.commands, command.0);
        trail.go(Stage::DriveOverhead, service.decoded.min(now));
        // A write that needs the mechanism before its data is taken needs it to make room.
        let wait = if *write { Stage::CacheWait } else { Stage::MechanismWait };
        operation(trail, wait, service, now);
    }

    fn transferred(&mut self, command: CommandId, now: Instant) {
        let Some(plan) = slot(&mut self.plans, command.0).take() else { return };
        let trail = self.command(command);
        let begun = trail.at;
        let delay = now.since(begun).saturating_sub(plan.alone);
        trail.go(Stage::BusWait, (begun + plan.arbitration + delay).min(now));
        trail.go(Stage::BusTransfer, (trail.at + plan.on_bus).min(now));
        trail.go(Stage::Controller, (trail.at + plan.paused).min(now));
        trail.go(Stage::CableTransfer, now);
    }

    /// What is known of a request.
    pub fn call(&self, request: RequestId) -> Call {
        self.calls.get(request.0 as usize).copied().unwrap_or_default()
    }

    /// The path of a request as far as it has come: until when, and of what.
    pub fn path(&self, request: RequestId) -> (Instant, L) {
        let trail = self.requests.get(request.0 as usize);
        trail.map_or_else(Default::default, |trail| (trail.at, trail.ledger.clone()))
    }
}

/// An operation of the mechanism until `now`, after waiting for it.
fn operation<L: Ledger>(trail: &mut Trail<L>, wait: Stage, service: Service, now: Instant) {
    let operation = service.operation;
    trail.go(wait, operation.start.min(now));
    trail.go(Stage::Seek, operation.arrived.min(now));
    trail.go(Stage::Rotation, operation.begun.min(now));
    trail.go(Stage::Media, now);
}

/// The place of number `index`, which is made if there is none yet.
fn slot<T: Clone + Default>(places: &mut Vec<T>, index: u32) -> &mut T {
    let index = index as usize;
    if places.len() <= index {
        places.resize(index + 1, T::default());
    }
    &mut places[index]
}
