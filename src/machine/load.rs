//! The program: workers that keep their requests in flight, and the rules of ramp-up and recording.

use super::spec::MachineSpec;
use crate::sim::Streams;
use crate::units::{Instant, Span};
use crate::workload::{Draw, Worker, WorkloadError};

/// The workers of one run.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub workers: Vec<WorkerState>,
}

/// One worker: its generator and its free slots.
#[derive(Clone, Debug)]
pub(super) struct WorkerState {
    worker: Worker,
    /// Slots that may issue a request.
    pub free: u32,
    /// A request that was drawn and waits for the worker's pause to end.
    held: Option<Draw>,
    paused_until: Instant,
}

/// What a worker does next.
pub(super) enum Next {
    /// Issue this request.
    Issue(Draw),
    /// Wait until then.
    Pause(Instant),
    /// Nothing: all slots are in use, or a pause is running.
    Nothing,
}

impl Load {
    /// The workers of the spec's load on an array of `capacity` sectors.
    pub fn new(spec: &MachineSpec, capacity: u64, streams: Streams) -> Result<Self, WorkloadError> {
        let mut workers = Vec::with_capacity(spec.workload.workers as usize);
        for index in 0..spec.workload.workers {
            let seed = streams.number(&format!("worker/{index}"), "requests");
            workers.push(WorkerState {
                worker: spec.workload.worker(spec.pattern.as_ref(), capacity, seed)?,
                free: spec.workload.queue_depth,
                held: None,
                paused_until: Instant::ZERO,
            });
        }
        Ok(Load { workers })
    }
}

impl WorkerState {
    /// What this worker does at `now`; takes a slot when it issues.
    pub fn next(&mut self, now: Instant) -> Next {
        if self.free == 0 || now < self.paused_until {
            return Next::Nothing;
        }
        let draw = match self.held.take() {
            Some(draw) => draw,
            None => {
                let draw = self.worker.draw();
                if draw.delay > Span::ZERO {
                    self.held = Some(draw);
                    self.paused_until = now + draw.delay;
                    return Next::Pause(self.paused_until);
                }
                draw
            }
        };
        self.free -= 1;
        Next::Issue(draw)
    }
}
