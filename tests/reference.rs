//! Parts of the drive against slow, obvious twins, and drives against DiskSim's results.

mod common;

#[path = "reference/buffer.rs"]
mod buffer;
#[path = "reference/disksim.rs"]
mod disksim;
#[path = "reference/window.rs"]
mod window;
#[path = "reference/write_cache.rs"]
mod write_cache;
