//! Everything that can happen in a machine, on one page.

use crate::drive::{CommandId, DriveEvent};

/// Names a request of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RequestId(pub u32);

/// Names a piece of a request in the port driver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SrbId(pub u32);

/// An event of the machine; ids only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// On the host.
    Host(HostEvent),
    /// On a cable, by channel.
    Cable(u16, CableEvent),
    /// In a drive, by its index.
    Drive(u16, DriveEvent),
}

/// What happens on the host.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HostEvent {
    /// The program calls with a request, after its think time.
    Called(RequestId),
    /// A request has reached the port driver.
    Issued(RequestId),
    /// The driver has answered the interrupt of a command.
    Answered(CommandId),
    /// The program has its request back.
    Returned(RequestId),
    /// A pause of a part of the load is over.
    Resumed(u32),
    /// The processor may be done with a program's work.
    Worked(u32),
}

/// What happens on a cable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CableEvent {
    /// What the command had to wait for is over.
    MateDone(CommandId),
    /// The command stands in the drive's registers.
    Accepted(CommandId),
    /// A drive with a queue has been selected for its data.
    Serviced(CommandId),
    /// The last byte is across.
    Transferred,
}
