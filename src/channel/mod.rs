//! The cable between controller and drives: an ATA cable with device 0 and device 1, a SATA link, or a SCSI-like bus.
//!
//! Models: who owns the cable, what writing a command to a drive's registers costs, the change of device, the
//! rate of each transfer mode and the pauses within a transfer; the frames of a SATA link.
//! Leaves out: CRC errors, the electrical signals.
//!
//! Invariants: one command owns the cable from its first register write until its interrupt has been answered (no
//! disconnect, unless the drive has a command queue); the other device may meanwhile finish what it has accepted.

mod cable;
mod link;
mod mode;
mod scsi;
mod spec;

pub use cable::{COMMAND_SECTORS_LBA28, COMMAND_SECTORS_LBA48, Cable, DeviceNumber, Step};
pub use link::{Link, LinkSpec};
pub use mode::{ModeTiming, TransferMode, udma_max, udma_rate_table};
pub use scsi::{ScsiBus, ScsiBusSpec};
pub use spec::CableSpec;
