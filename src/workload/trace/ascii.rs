//! DiskSim's ASCII form: arrivals at one or several devices.
//!
//! Five fields: the arrival in ms; the device; the first block; the number of blocks of 512 bytes; flags in
//! hexadecimal, of which bit 0 set is a read. The other flags say how urgent a request is to its process; no process is
//! modelled.

use super::TraceRequest;
use super::fields::{Fault, Fields};
use crate::units::Instant;

const SHAPE: &str = "a line of DiskSim's ASCII form is: time-ms device first-block blocks flags-hex";
/// A millisecond is 10^9 ps.
const MS: u32 = 9;
const READ: u32 = 1;

pub(super) fn parse(line: &[u8], number: u64) -> Result<TraceRequest, Box<Fault>> {
    let mut fields = Fields::new(line, SHAPE);
    let at = Some(Instant::ZERO + fields.time("the arrival in ms", MS)?);
    let device = fields.whole("the device", u64::from(u32::MAX))? as u32;
    let extent = fields.extent()?;
    let flags = fields.word("the flags")?;
    let Some(flags) = hexadecimal(flags) else {
        return Err(fields.wrong("the flags, up to 8 hexadecimal digits"));
    };
    fields.end()?;
    let write = flags & READ == 0;
    Ok(TraceRequest { at, device, write, extent, measured: None, think: None, line: number })
}

fn hexadecimal(word: &[u8]) -> Option<u32> {
    let word = word.strip_prefix(b"0x").unwrap_or(word);
    // The standard library would take a sign.
    if !word.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok()
}
