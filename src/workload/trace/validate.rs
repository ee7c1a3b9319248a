//! DiskSim's `validate` form: requests of one at a time, each with the response time that a real drive took.
//!
//! Six fields: `R` or `W`; a tag without meaning here (in some traces, how the drive served the request); the first
//! block; the number of blocks of 512 bytes; the measured response time in us; the pause in us from this completion to
//! the issue of the next request. There are no arrivals and no devices: all requests are for device 0.

use super::TraceRequest;
use super::fields::{Fault, Fields};

const SHAPE: &str = "a line of the validate form is: R|W tag first-block blocks response-us pause-us";
/// A microsecond is 10^6 ps.
const US: u32 = 6;

pub(super) fn parse(line: &[u8], number: u64) -> Result<TraceRequest, Box<Fault>> {
    let mut fields = Fields::new(line, SHAPE);
    let write = match fields.word("R or W")? {
        b"R" => false,
        b"W" => true,
        _ => return Err(fields.wrong("R for a read or W for a write")),
    };
    fields.word("the tag")?;
    let extent = fields.extent()?;
    let measured = Some(fields.time("the response time in us", US)?);
    let think = Some(fields.time("the pause in us", US)?);
    fields.end()?;
    Ok(TraceRequest { at: None, device: 0, write, extent, measured, think, line: number })
}
