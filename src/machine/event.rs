//! Everything that can happen in a machine, on one page.

use std::hash::{Hash, Hasher};

use crate::drive::{CommandId, DriveEvent};

/// Names a request of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RequestId(pub u32);

/// Names a piece of a request in the port driver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SrbId(pub u32);

/// An event of the machine; ids only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// On the host.
    Host(HostEvent),
    /// On a cable, by channel.
    Cable(u16, CableEvent),
    /// In a drive, by its index.
    Drive(u16, DriveEvent),
}

/// What happens on the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl Event {
    /// The event in one word, no two in the same: what it is (8 bits), where (16) and what it is about (32).
    fn code(self) -> u64 {
        let (kind, place, subject) = match self {
            Event::Host(HostEvent::Called(request)) => (0, 0, request.0),
            Event::Host(HostEvent::Issued(request)) => (1, 0, request.0),
            Event::Host(HostEvent::Answered(command)) => (2, 0, command.0),
            Event::Host(HostEvent::Returned(request)) => (3, 0, request.0),
            Event::Host(HostEvent::Resumed(who)) => (4, 0, who),
            Event::Host(HostEvent::Worked(who)) => (5, 0, who),
            Event::Cable(channel, CableEvent::MateDone(command)) => (6, channel, command.0),
            Event::Cable(channel, CableEvent::Accepted(command)) => (7, channel, command.0),
            Event::Cable(channel, CableEvent::Serviced(command)) => (8, channel, command.0),
            Event::Cable(channel, CableEvent::Transferred) => (9, channel, 0),
            Event::Drive(drive, DriveEvent::Ready(command)) => (10, drive, command.0),
            Event::Drive(drive, DriveEvent::Complete(command)) => (11, drive, command.0),
            Event::Drive(drive, DriveEvent::MediaDone) => (12, drive, 0),
            Event::Drive(drive, DriveEvent::DestageTimer) => (13, drive, 0),
        };
        kind << 48 | u64::from(place) << 32 | u64::from(subject)
    }
}

/// One word, because every event of a run goes into its fingerprint.
impl Hash for Event {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.code());
    }
}
