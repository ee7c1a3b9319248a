//! Laws that hold for every drive and every machine, tried on random ones.

mod common;

#[path = "properties/drive.rs"]
mod drive;
#[path = "properties/explain.rs"]
mod explain;
#[path = "properties/machine.rs"]
mod machine;
