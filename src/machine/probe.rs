//! What a machine tells of itself while it runs, for those who ask where the time goes.
//!
//! A probe costs nothing when absent: the machine of `()` contains none of this.

use super::event::{RequestId, SrbId};
use crate::drive::{Activity, CommandId, Service};
use crate::units::{Extent, Instant, Span};

/// Told of every step of every request, in order of time. `()` is the probe that wants to know nothing.
pub trait Probe {
    /// Whether it wants to be told anything.
    const ACTIVE: bool = true;
    /// `mark` happens at `now`.
    fn mark(&mut self, now: Instant, mark: &Mark);
}

impl Probe for () {
    const ACTIVE: bool = false;
    #[inline]
    fn mark(&mut self, _: Instant, _: &Mark) {}
}

impl<P: Probe> Probe for &mut P {
    const ACTIVE: bool = P::ACTIVE;
    fn mark(&mut self, now: Instant, mark: &Mark) {
        (**self).mark(now, mark);
    }
}

/// What the processor does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Job {
    /// Takes a call of the program down to the port driver.
    Issue(RequestId),
    /// Sets a command up and writes it into a drive's registers.
    Dispatch(CommandId),
    /// Selects a drive that asked for service.
    Select(CommandId),
    /// Moves data by programmed I/O.
    Move(CommandId),
    /// Answers an interrupt.
    Interrupt(CommandId),
    /// Brings a request back to the program.
    Complete(RequestId),
}

/// A transfer as it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransferPlan {
    /// From memory to the drive.
    pub write: bool,
    /// From request to grant of the first burst.
    pub arbitration: Span,
    /// Bus time of all its bursts, descriptor fetches included.
    pub on_bus: Span,
    /// Time in which the card's engine lets neither cable nor bus move data.
    pub paused: Span,
    /// Duration if nobody holds it up.
    pub alone: Span,
    /// Bus time of one burst.
    pub burst: Span,
    /// Number of bursts.
    pub bursts: u64,
}

/// One step of a request, or a change of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The program calls.
    Called {
        /// The request.
        request: RequestId,
        /// Who calls.
        worker: u16,
        /// Sectors of the array.
        extent: Extent,
        /// Whether it writes.
        write: bool,
    },
    /// The processor is given work, which it does from `from` to `until`, after what it was given before.
    Processor {
        /// The work.
        job: Job,
        /// When it begins.
        from: Instant,
        /// When it ends.
        until: Instant,
    },
    /// A piece of a request enters the driver's queue.
    Queued {
        /// The piece.
        srb: SrbId,
        /// Of this request.
        request: RequestId,
    },
    /// The driver lets a piece into the array.
    Taken {
        /// The piece.
        srb: SrbId,
    },
    /// A command enters the queue of its cable.
    Sent {
        /// The command.
        command: CommandId,
        /// A part of this piece.
        srb: SrbId,
        /// Its drive.
        drive: u16,
        /// That drive's channel.
        channel: u16,
        /// Sectors of the drive.
        extent: Extent,
        /// Whether it writes.
        write: bool,
    },
    /// A command gets its cable: first for its registers, again for its data if its drive has let the cable go.
    Granted {
        /// The command.
        command: CommandId,
        /// The cable's channel.
        channel: u16,
    },
    /// A command gives its cable back.
    Released {
        /// The command.
        command: CommandId,
        /// The cable's channel.
        channel: u16,
    },
    /// A command stands in its drive's registers.
    Accepted {
        /// The command.
        command: CommandId,
    },
    /// A drive is ready for the data of a command.
    Ready {
        /// The command.
        command: CommandId,
        /// How the time since it was accepted divides.
        service: Service,
    },
    /// Data begins to cross cable and bus.
    Begun {
        /// The command.
        command: CommandId,
        /// Its channel.
        channel: u16,
        /// The train of bursts.
        plan: TransferPlan,
    },
    /// The bursts of a channel come at another pace.
    Paced {
        /// The channel.
        channel: u16,
        /// Time from burst to burst.
        period: Span,
        /// When the transfer ends at this pace.
        end: Instant,
    },
    /// The last byte is across.
    Transferred {
        /// The command.
        command: CommandId,
        /// Its channel.
        channel: u16,
    },
    /// The data of a command has been written through to the medium.
    Written {
        /// The command.
        command: CommandId,
        /// How the time since its data was across divides.
        service: Service,
    },
    /// A drive asserts its interrupt line.
    Done {
        /// For this command.
        command: CommandId,
    },
    /// The driver has answered the interrupt of a command.
    Answered {
        /// The command.
        command: CommandId,
        /// What goes on with its piece has waited for it: the piece's end, or its next part.
        awaited: bool,
    },
    /// All parts of a piece are done.
    Finished {
        /// The piece.
        srb: SrbId,
        /// It was the last of its request.
        last: bool,
    },
    /// The program has its request back.
    Returned {
        /// The request.
        request: RequestId,
        /// It is one of those that are measured.
        counted: bool,
    },
    /// A drive has been given something to do, or has ended something.
    Drive {
        /// The drive.
        drive: u16,
        /// What its mechanism is at.
        activity: Activity,
    },
    /// The driver's queue has changed.
    Queue {
        /// Pieces that wait.
        waiting: usize,
        /// Pieces in the array.
        under_way: u64,
    },
}
