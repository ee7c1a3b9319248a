//! Times to the picosecond.
//!
//! The drive of these tests turns in exactly 10 ms, has 100 sectors on every track (0.1 ms each) and a skew of 15
//! sectors, so every time can be worked out by hand.

mod common;

#[path = "timing/drive.rs"]
mod drive;
#[path = "timing/machine.rs"]
mod machine;
#[path = "timing/stages.rs"]
mod stages;
