//! A simulator of PC ATA/SATA RAID controllers.

pub mod config;
pub mod drive;
pub mod experiment;
pub mod plot;
pub mod raid;
pub mod results;
pub mod sim;
pub mod stats;
pub mod units;
pub mod workload;
