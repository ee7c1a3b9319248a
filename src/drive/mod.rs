//! A disk drive: geometry, positioning, rotation, buffer with read-ahead, write cache, command queue.
//!
//! Models: where every sector is and when it passes under the head; what the drive does with a command and what it
//! does on its own (reading ahead, writing dirty data).
//! Leaves out: the cable (the machine brings commands and says when data has crossed), errors, power states.
//!
//! Invariants:
//! - time and angle are whole picoseconds, and the end of a sector is exactly the start of the next, so that a
//!   sequential stream never loses a turn to rounding;
//! - what the host wrote is dirty, being written or on the medium, and a read sees the newest of it;
//! - a drive without a command queue has at most one command.

pub mod geometry;
pub mod seek;
pub mod spec;
pub mod spindle;
pub mod summary;

mod buffer;
mod device;
mod mechanics;
mod read_ahead;
mod scsi;
mod write_cache;

pub use buffer::Buffer;
pub use device::{
    Activity, Command, CommandId, CommandKind, Drive, DriveCounters, DriveEvent, Operation, Service, Work,
};
pub use geometry::Geometry;
pub use mechanics::{Access, Mechanics, Pass, Piece, Place};
pub use read_ahead::Run;
pub use scsi::{BusStep, ScsiCommand, ScsiDrive};
pub use seek::SeekTable;
pub use spec::{DriveSpec, InterfaceSpec};
pub use spindle::Spindle;
pub use write_cache::WriteCache;
