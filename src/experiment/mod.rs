//! Experiments: what is run, and what is concluded from it.

pub mod claims;
