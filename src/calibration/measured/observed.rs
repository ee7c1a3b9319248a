//! The requests of a trace on one time axis.

use crate::units::Extent;
use crate::workload::trace::TraceRequest;

/// A measured request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The line or record of the trace.
    pub line: u64,
    /// True for a write.
    pub write: bool,
    /// The sectors that it was for.
    pub extent: Extent,
    /// When it was issued, in ms since the first one.
    pub issued_ms: f64,
    /// When it completed, in ms since the first one was issued.
    pub completed_ms: f64,
}

impl Observed {
    /// The response time, in ms.
    pub fn response_ms(&self) -> f64 {
        self.completed_ms - self.issued_ms
    }
}

/// Between which requests the pause of a line lies. Both are found in published traces of the same form; replay does
/// not notice, as every pause is as long as it says, but real times do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// After the completion of the request of that line.
    After,
    /// Before its issue.
    Before,
}

/// A trace without real times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untimed {
    /// A request without a measured response time.
    #[error("line {line}: no measured response time")]
    Unmeasured {
        /// The line or record.
        line: u64,
    },
    /// A request with neither arrival nor pause.
    #[error("line {line}: neither a time of arrival nor a pause: when it was issued is not known")]
    Unplaced {
        /// The line or record.
        line: u64,
    },
}

impl Untimed {
    /// The line or record of the request.
    pub fn line(self) -> u64 {
        match self {
            Untimed::Unmeasured { line } | Untimed::Unplaced { line } => line,
        }
    }

    /// What it lacks.
    pub fn lack(self) -> &'static str {
        match self {
            Untimed::Unmeasured { .. } => "no measured response time",
            Untimed::Unplaced { .. } => {
                "neither a time of arrival nor a pause: when it was issued is not known"
            }
        }
    }
}

/// The requests at the times when they were really issued and completed: their arrivals where all have one, otherwise
/// the sum of response times and pauses.
///
/// # Errors
/// A request was not measured, or its time is not known.
pub fn timed(requests: &[TraceRequest], pause: Pause) -> Result<Vec<Observed>, Untimed> {
    let open = requests.iter().all(|request| request.at.is_some());
    let start_ms = requests.first().and_then(|first| first.at).map_or(0.0, |at| at.as_s() * 1e3);
    let mut now_ms = 0.0;
    let mut observed = Vec::with_capacity(requests.len());
    for (index, request) in requests.iter().enumerate() {
        let line = request.line;
        let measured_ms = request.measured.ok_or(Untimed::Unmeasured { line })?.as_ms();
        let pause_ms = request.think.map(|think| think.as_ms());
        let is_last = index + 1 == requests.len();
        if let Some(at) = request.at.filter(|_| open) {
            now_ms = at.as_s() * 1e3 - start_ms;
        } else if pause == Pause::Before && index > 0 {
            now_ms += pause_ms.ok_or(Untimed::Unplaced { line })?;
        }
        let completed_ms = now_ms + measured_ms;
        observed.push(Observed {
            line,
            write: request.write,
            extent: request.extent,
            issued_ms: now_ms,
            completed_ms,
        });
        now_ms = completed_ms;
        if !open && pause == Pause::After && !is_last {
            now_ms += pause_ms.ok_or(Untimed::Unplaced { line })?;
        }
    }
    Ok(observed)
}
