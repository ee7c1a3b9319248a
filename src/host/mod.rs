//! The host: processor, operating system's port driver, and the RAID card's driver.
//!
//! Models: processor time per request, command and interrupt; the port driver's cut of long requests and its sorted
//! queue; how many requests the driver lets into the array, the order it picks them in, and which copy of a mirror
//! it reads.
//! Leaves out: other programs. The operating system's file cache is described here and runs with the playbacks that go
//! through it; IOMeter goes around it.
//!
//! The review's oddest curves follow from this room, so all of it is policy with named presets.

mod cpu;
mod driver;
mod spec;
mod window;

pub use cpu::Cpu;
pub use driver::{Driver, MirrorState};
pub use spec::{
    CableRule, DeviceChoice, DriverSpec, HostSpec, InFlight, MemberPieces, MirrorRead, MirrorWrite, Parts,
    Sort,
};
pub use window::Window;
