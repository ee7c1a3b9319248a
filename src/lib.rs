//! A simulator of PC ATA/SATA RAID controllers.

pub mod bus;
pub mod channel;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod controller;
pub mod drive;
pub mod experiment;
pub mod host;
pub mod machine;
pub mod plot;
pub mod raid;
pub mod results;
pub mod scenario;
pub mod sim;
pub mod stats;
pub mod units;
pub mod workload;
