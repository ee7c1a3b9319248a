//! Replay: drives on SCSI-like buses serve a stream of requests, one after the other as a trace or a generator has them.
//!
//! Models: closed replay (one request outstanding, the pause after each is kept), open replay (arrival times are kept)
//! and replay as fast as possible; a driver with one queue a drive and its order; the bus, which a drive releases while
//! it has nothing to transfer.
//! Leaves out: processor time, controllers between driver and drive, arrays.
//!
//! Invariants: memory does not grow with the number of requests; every request that is issued completes once and goes to
//! the sink, also when the source ends with an error; the same system, seed and source give the same completions.

mod engine;
mod mode;
mod queue;
mod score;
mod spec;
mod station;
pub mod synthetic;
#[cfg(test)]
mod tests;

pub use engine::{run, run_watched};
pub use mode::{Cause, Mode, Outcome, Stopped, Totals, Witness};
pub use queue::Order;
pub use score::{CLASSES, Class, Scoreboard, Scores};
pub use spec::{Attachment, DriverSpec, System};
