//! Parts of the drive against slow, obvious twins.

mod common;

#[path = "reference/buffer.rs"]
mod buffer;
#[path = "reference/window.rs"]
mod window;
#[path = "reference/write_cache.rs"]
mod write_cache;
