//! Where the time goes in a drive, for those who want to know; nothing in the drive depends on it.

use super::{CommandId, Drive, Mechanism, Step};
use crate::units::Instant;

/// How an operation of the mechanism divides: it seeks from `start` to `arrived`, waits for the platter until `begun`,
/// and then reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Operation {
    /// The mechanism was free for it.
    pub start: Instant,
    /// The heads are over the first track.
    pub arrived: Instant,
    /// The first sector begins to pass.
    pub begun: Instant,
}

/// How the time of a command in the drive divides: decoding, then waiting for mechanism or room in the cache, then an
/// operation of the mechanism. What lies before the command was accepted, or after its data could cross, took it no
/// time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Service {
    /// The drive's processor has understood the command.
    pub decoded: Instant,
    /// The operation that serves it; without one, all its instants are when waiting ended.
    pub operation: Operation,
}

/// What a mechanism can be at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Work {
    /// Nothing.
    #[default]
    Idle,
    /// Reading for a command, then ahead.
    Reading,
    /// Writing dirty data from the cache.
    Destaging,
    /// Writing a command's data through.
    WritingThrough,
}

/// What the mechanism is at, as far as it is known now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Activity {
    /// What it does.
    pub work: Work,
    /// How that divides.
    pub operation: Operation,
    /// Until when it will not be broken off: then a read goes on ahead of its command.
    pub busy: Instant,
    /// When it ends if nothing breaks it off; of an idle mechanism, since when it has been free.
    pub end: Instant,
}

impl Operation {
    /// No operation, for what could go on at `at`.
    pub(super) fn none(at: Instant) -> Self {
        Operation { start: at, arrived: at, begun: at }
    }
}

impl Drive {
    /// How the time of a command divides that has not all its data across yet.
    pub fn service(&self, id: CommandId) -> Option<Service> {
        self.commands.iter().find(|active| active.command.id == id).map(|active| active.service)
    }

    /// The command whose data is being written through, how its time divides, and when that ends.
    pub fn written_through(&self) -> Option<(CommandId, Service, Instant)> {
        let Mechanism::WritingThrough { until } = self.mechanism else { return None };
        let active = self.commands.iter().find(|active| active.step == Step::OnMedia)?;
        Some((active.command.id, active.service, until))
    }

    /// What the mechanism is at. Costs a look at every track that is still to be read ahead.
    pub fn activity(&self) -> Activity {
        let operation = self.operation;
        let of = |work, busy, end| Activity { work, operation, busy, end };
        match &self.mechanism {
            Mechanism::Idle => of(Work::Idle, self.free_at, self.free_at),
            Mechanism::Reading { run, busy, .. } => {
                of(Work::Reading, *busy, run.ends(&self.mechanics).max(*busy))
            }
            Mechanism::Destaging { until } => of(Work::Destaging, *until, *until),
            Mechanism::WritingThrough { until } => of(Work::WritingThrough, *until, *until),
        }
    }
}
