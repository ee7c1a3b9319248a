//! The host bus: PCI with 32 or 64 bits at 33 or 66 MHz, PCI-X up to 133 MHz.
//!
//! Models: what one bus transaction costs in clocks (arbitration, address, turnaround, the target's first-word
//! latency, data phases cut by the latency timer and the target's burst limit) and how initiators that want more
//! than the bus has take turns; on PCI-X the attribute phase, the address boundaries at which a burst may end, and
//! split memory reads, which leave the bus to others while the bridge fetches the data.
//! Leaves out: retries and disconnects one by one (their mean is in the target's latency), parity and errors.
//!
//! A transfer is a train of equal bursts. A train that nobody contends with is computed in closed form; when
//! another initiator joins or leaves, the trains that go on get a new period and the rest of each is stretched
//! or shortened in proportion. So a transfer costs a constant number of events, whatever its length.
//!
//! Invariant: the shares of all trains sum to at most one; one initiator owns the bus at a time.

mod share;
mod spec;
mod timing;

pub use share::{Share, UserId};
pub use spec::{BusSpec, CompetingMaster, Protocol};
pub use timing::{BusTiming, Direction};
