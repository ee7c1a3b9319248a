//! Workloads: what a host asks of an array.
//!
//! Models: Iometer's access specifications with its exact generator and pointer rules, plain sequential
//! streams, think times; the areas they run in; recorded applications played back through a file system and cache;
//! traces of requests.
//! Leaves out: when a request is issued (the host's closed loop), network targets and replies.
//! Invariants: a draw never leaves its area; the same seed gives the same draws; no draw allocates.
//!
//! A further kind of workload is one file with a spec and a generator, one variant of [`Access`] and one
//! of [`Generator`]; one that reacts to what has been done, as a playback does, is a state machine beside them.

pub mod iometer;
pub mod metrics;
pub mod playback;
mod sequential;
mod spec;
mod think;
pub mod trace;
mod worker;

pub use sequential::{SequentialSpec, SequentialStream};
pub use spec::{Access, Seed, ThinkTime, WorkloadSpec};
pub use think::Thinker;
pub use worker::{Area, Draw, Generator, Worker, WorkloadError};

#[cfg(test)]
mod tests;
