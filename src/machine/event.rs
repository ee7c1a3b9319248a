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

/// An event in one word, no two in the same: what it is (8 bits), where (16) and what it is about (32). The calendar
/// keeps it in this form and the fingerprint takes it in; the loop reads it back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Code(u64);

impl Event {
    /// The event in one word.
    #[inline(always)]
    pub fn code(self) -> Code {
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
        Code(kind << 48 | u64::from(place) << 32 | u64::from(subject))
    }
}

impl Code {
    /// The event that has this code.
    #[inline(always)]
    pub fn event(self) -> Event {
        let (place, subject) = ((self.0 >> 32) as u16, self.0 as u32);
        let (request, command) = (RequestId(subject), CommandId(subject));
        match self.0 >> 48 {
            0 => Event::Host(HostEvent::Called(request)),
            1 => Event::Host(HostEvent::Issued(request)),
            2 => Event::Host(HostEvent::Answered(command)),
            3 => Event::Host(HostEvent::Returned(request)),
            4 => Event::Host(HostEvent::Resumed(subject)),
            5 => Event::Host(HostEvent::Worked(subject)),
            6 => Event::Cable(place, CableEvent::MateDone(command)),
            7 => Event::Cable(place, CableEvent::Accepted(command)),
            8 => Event::Cable(place, CableEvent::Serviced(command)),
            9 => Event::Cable(place, CableEvent::Transferred),
            10 => Event::Drive(place, DriveEvent::Ready(command)),
            11 => Event::Drive(place, DriveEvent::Complete(command)),
            12 => Event::Drive(place, DriveEvent::MediaDone),
            _ => Event::Drive(place, DriveEvent::DestageTimer),
        }
    }
}

/// As its code, so that every event of a run goes into its fingerprint as one word.
impl Hash for Event {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_tells_its_event() {
        for kind in 0..14 {
            for (place, subject) in [(0, 0), (1, 2), (u16::MAX, u32::MAX)] {
                let event = Code(kind << 48 | u64::from(place) << 32 | u64::from(subject)).event();
                assert_eq!(event.code().0 >> 48, kind, "{event:?}");
                assert_eq!(event.code().event(), event);
            }
        }
    }
}
