//! One drive with the driver's queue in front of it.

use super::queue::DriverQueue;
use crate::channel::ScsiBus;
use crate::drive::{
    BusStep, Command, CommandId, CommandKind, Drive, DriveEvent, DriveSpec, InterfaceSpec, Mechanics,
    ScsiCommand, ScsiDrive, Spindle,
};
use crate::sim::{Schedule, Streams};
use crate::units::Extent;

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

/// A drive of either kind.
enum Device {
    /// Made for an ATA cable. On a bus it takes a command, asks for the bus when its data can cross without pause, and
    /// says by itself when it is done.
    Ata(Box<Drive>),
    /// Made for the bus.
    Scsi(Box<ScsiDrive>),
}

pub(super) struct Station {
    device: Device,
    pub bus: usize,
    pub queue: DriverQueue,
    /// Commands the drive has or is about to be given.
    pub in_drive: usize,
}

impl Station {
    pub fn new(
        spec: &DriveSpec,
        mechanics: Mechanics,
        name: &str,
        streams: Streams,
        bus: usize,
        queue: DriverQueue,
    ) -> Self {
        let device = match &spec.interface {
            InterfaceSpec::Scsi(scsi) => Device::Scsi(Box::new(ScsiDrive::new(spec, scsi, mechanics))),
            InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => {
                Device::Ata(Box::new(Drive::with_mechanics(spec, mechanics, name, streams)))
            }
        };
        Station { device, bus, queue, in_drive: 0 }
    }

    pub fn capacity(&self) -> u64 {
        match &self.device {
            Device::Ata(drive) => drive.capacity(),
            Device::Scsi(drive) => drive.capacity(),
        }
    }

    /// From now on the platters turn as `spindle` says.
    pub fn align(&mut self, spindle: Spindle) {
        match &mut self.device {
            Device::Ata(drive) => drive.align(spindle),
            Device::Scsi(drive) => drive.align(spindle),
        }
    }

    /// True if the drive takes one more command.
    pub fn has_room(&self) -> bool {
        let depth = match &self.device {
            Device::Ata(drive) => drive.queue_depth(),
            Device::Scsi(_) => 1,
        };
        self.in_drive < depth
    }

    /// The drive has been connected.
    pub fn connected(
        &mut self,
        connection: Connection,
        job: Job,
        bus: &ScsiBus<Connection>,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> BusStep {
        let (id, block) = (connection.command, bus.block_time(job.write));
        let Job { extent, write } = job;
        match (&mut self.device, connection.phase) {
            (Device::Scsi(drive), BusPhase::Command) => {
                drive.accept(ScsiCommand { id, write, extent, block }, cx)
            }
            (Device::Scsi(drive), BusPhase::Data) => drive.reconnected(cx),
            (Device::Ata(drive), BusPhase::Command) => {
                let kind = if write { CommandKind::Write } else { CommandKind::Read };
                drive.accept(Command { id, kind, extent, transfer: block * extent.sectors }, cx);
                BusStep::Release
            }
            (Device::Ata(_), BusPhase::Data) => BusStep::Hold(cx.now() + block * extent.sectors),
        }
    }

    /// It has held the bus for as long as it said.
    pub fn held(&mut self, connection: Connection, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        match &mut self.device {
            Device::Scsi(drive) => drive.held(cx),
            Device::Ata(drive) => {
                drive.data_transferred(connection.command, cx);
                BusStep::Release
            }
        }
    }

    /// One of the drive's own events.
    pub fn handle(&mut self, event: DriveEvent, cx: &mut impl Schedule<DriveEvent>) {
        match &mut self.device {
            Device::Ata(drive) => drive.handle(event, cx),
            // All that happens in it follows from what happens on the bus.
            Device::Scsi(_) => {}
        }
    }
}
