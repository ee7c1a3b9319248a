//! One drive with the driver's queue in front of it.

use super::queue::DriverQueue;
use crate::channel::ScsiBus;
use crate::drive::{Command, CommandId, CommandKind, Drive, DriveEvent};
use crate::sim::Schedule;
use crate::units::{Extent, Instant};

/// A connection over a bus: whom it serves, and what for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Connection {
    pub drive: u32,
    pub command: CommandId,
    pub phase: BusPhase,
}

/// What the bus is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BusPhase {
    /// To hand the drive a command.
    Command,
    /// To move its data.
    Data,
}

/// What a drive needs to know of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub extent: Extent,
    pub write: bool,
}

pub(super) struct Station {
    pub drive: Drive,
    pub bus: usize,
    pub queue: DriverQueue,
    /// Commands the drive has or is about to be given.
    pub in_drive: usize,
}

impl Station {
    pub fn capacity(&self) -> u64 {
        self.drive.capacity()
    }

    /// True if the drive takes one more command.
    pub fn has_room(&self) -> bool {
        self.in_drive < self.drive.queue_depth()
    }

    /// The drive has been connected; returns until when it holds the bus.
    pub fn connected(
        &mut self,
        connection: Connection,
        job: Job,
        bus: &ScsiBus<Connection>,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> Instant {
        let transfer = bus.block_time(job.write) * job.extent.sectors;
        match connection.phase {
            BusPhase::Command => {
                let kind = if job.write { CommandKind::Write } else { CommandKind::Read };
                let command = Command { id: connection.command, kind, extent: job.extent, transfer };
                self.drive.accept(command, cx);
                cx.now()
            }
            BusPhase::Data => cx.now() + transfer,
        }
    }

    /// The connection is over.
    pub fn disconnected(&mut self, connection: Connection, cx: &mut impl Schedule<DriveEvent>) {
        if connection.phase == BusPhase::Data {
            self.drive.data_transferred(connection.command, cx);
        }
    }
}
