//! Traces: requests that were recorded on a real system, read one by one.

use crate::units::{Extent, Instant, Span};

/// One request of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceRequest {
    /// When it arrived, since the start of the trace; none where the format keeps no arrivals.
    pub at: Option<Instant>,
    /// The device it is for.
    pub device: u32,
    /// True for a write, false for a read.
    pub write: bool,
    /// The sectors of 512 bytes it is for. Requests in other units are widened to whole sectors.
    pub extent: Extent,
    /// The response time that was measured, from the arrival to the completion; none where there is none.
    pub measured: Option<Span>,
    /// The pause from the completion of this request to the issue of the next; none where the format keeps none.
    pub think: Option<Span>,
    /// Where it stands: the 1-based line of a text, the 1-based record of a binary trace.
    pub line: u64,
}
