//! The program as its users meet it: arguments, exit codes, screens and files.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod catalogue;
mod drive_models;
mod drives;
mod explanations;
mod fits;
mod place;
mod replays;
mod reproductions;
mod runs;
mod streams;
