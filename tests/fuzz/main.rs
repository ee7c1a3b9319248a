//! Readers under mutated input: whatever the bytes, they end with a value or a fault, and say the same twice.
//!
//! Each target starts from its corpus in `tests/corpus` and mutates what gave an answer of a new kind. It runs for
//! `ATARAID_FUZZ_SECONDS` (half a second if unset) from `ATARAID_FUZZ_SEED`; an input that fails is left in the folder
//! for temporary files of the build, and its path is printed.

#![allow(clippy::unwrap_used, reason = "a test may give up")]

mod disksim;
mod engine;
mod models;
mod mutation;
mod traces;
