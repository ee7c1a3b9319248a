//! A simulator of PC ATA/SATA RAID controllers: an event queue drives models of the host's processor and drivers, the
//! PCI bus, the card's DMA engines, its cables and the drives on them with mechanics, buffer and write cache.
//!
//! # Ten lines
//! ```
//! use ataraid::experiment;
//! use ataraid::scenario::{Library, LoadOptions, load};
//!
//! let options = LoadOptions { quick: true, runs: Some(1), ..LoadOptions::default() };
//! let scenario = load("single-drive", &Library::shipped(), &options).map_err(|e| e.to_string())?;
//! let results = experiment::run(&scenario, None, &()).map_err(|e| e.to_string())?;
//! let iops = results.summary.column("iops").ok_or("no such column")?;
//! for row in &results.summary.rows {
//!     println!("{} I/O/s", row[iops].label());
//! }
//! # Ok::<(), String>(())
//! ```
//!
//! # How it works
//! A [`scenario::Scenario`] is read from RON files, which name models of hosts, drivers, buses, cards, drives and access
//! patterns; each model is a file of its own, with a source for every figure. [`experiment::points`] spreads its sweep
//! out; [`experiment::run`] makes a [`machine::Machine`] for each point and each replication, runs it and gathers tables.
//! One machine is one thread and one loop: take the next event from the calendar, hand it to the one `match` that knows
//! all components, repeat.
//!
//! The way of a request, with the room that models each step:
//!
//! | step | room | what it costs |
//! |---|---|---|
//! | the program calls, the port driver cuts and queues | [`host`] | processor time, waiting |
//! | the driver lets it into the array, splits it | [`host`], [`raid`] | waiting under the policy |
//! | each part waits for its cable and is written to the drive | [`channel`] | registers, device change, the cable's owner |
//! | the drive seeks, turns, reads or takes into its cache | [`drive`] | overhead, seek, rotation, media, room in the cache |
//! | data crosses cable, FIFO and bus | [`controller`], [`bus`] | the slower of both sides, shared with other trains |
//! | interrupt, answer, next request | [`host`] | processor time |
//!
//! Beside machines there is [`replay`]: drives on SCSI-like buses, fed with a trace or synthetic load request by request,
//! whose response times are compared with those of real drives.
//!
//! # Rooms and invariants
//! A room uses only rooms that stand before it in this list, and drive, channel and bus never use each other; a test
//! reads the tree and enforces it.
//!
//! [`units`], [`sim`], [`stats`], [`config`], [`results`], [`raid`], [`drive`], [`channel`], [`bus`], [`controller`],
//! [`workload`], [`host`], [`machine`], [`replay`], [`disksim`], [`calibration`], [`plot`], [`scenario`], [`experiment`],
//! [`report`], `cli`.
//!
//! - Time is whole picoseconds. Floating point enters when tables are built from a model and when results are summed
//!   up; none decides the order of events, except in the weighing of a drive's own command queue.
//! - Events leave the calendar by (time, phase, order of scheduling): what ends comes before what is granted, and that
//!   before what arrives.
//! - A random stream belongs to (seed, component, purpose). Adding a drive that is not used changes no draw of another.
//! - The same scenario, models, seed and version give the same bytes, on any number of threads.
//! - Every request that is issued completes once. A cable has one owner. The shares of the bus sum to at most one.
//! - What was written is dirty in the drive, on its way, or on the medium; a read sees the newest.
//! - Nothing fails because of configuration once a machine has been built; bad input is a diagnostic with its place.
//! - No branch knows which graph it draws. What was fitted to a review is marked `Fitted` in its model and counted.
//!
//! # Where the time goes
//! A machine tells a [`machine::Probe`] of every step of every request; the machine of `()` contains none of that code.
//! [`experiment::explain`] puts the marks together to the critical path of each request, whose stages sum up to its
//! response time exactly, and to timelines.
//!
//! # Where to change what
//! A drive, bus, card, host, driver or pattern is one RON file under `models/` and no Rust. An experiment is one RON file
//! under `scenarios/`. A policy (sorting, destage order, mirror choice, cable rule) is one variant and one arm in the
//! file that owns it. A RAID level is a variant of [`raid::Level`] and its columns in the map. A kind of event is a
//! variant in its room; the compiler then names what must handle it.
//!
//! # Features
//! `cli` (default) is the command line with threads over runs; `plot` (default) draws figures. Without both, the crate
//! reads RON text, simulates and returns tables, and needs neither files, threads, clocks nor fonts.

pub mod bus;
pub mod calibration;
pub mod channel;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod controller;
pub mod disksim;
pub mod drive;
pub mod experiment;
pub mod host;
pub mod machine;
pub mod plot;
pub mod raid;
pub mod replay;
pub mod report;
pub mod results;
pub mod scenario;
pub mod sim;
pub mod stats;
pub mod units;
pub mod workload;
