//! The program: workers that keep their requests in flight, or a recording that is played back.

use super::spec::MachineSpec;
use crate::sim::Streams;
use crate::units::{Extent, Instant, Span};
use crate::workload::playback::{Player, Playing};
use crate::workload::{Draw, Worker, WorkloadError};

/// The load of one run. What it is told and asked about is named by a number: a worker of a closed load, one of the two
/// below of a playback.
#[derive(Clone, Debug)]
pub(super) enum Load {
    /// Workers that issue a request as soon as they have one back.
    Closed(Vec<WorkerState>),
    /// A recording.
    Playback(Box<Player>),
}

/// A playback's program.
const PROGRAM: u32 = 0;
/// A playback's cache manager.
const CACHE_MANAGER: u32 = 1;

/// One worker: its generator and its free slots.
#[derive(Clone, Debug)]
pub(super) struct WorkerState {
    worker: Worker,
    /// Slots that may issue a request.
    free: u32,
    /// A request that was drawn and waits for the worker's pause to end.
    held: Option<Draw>,
    paused_until: Instant,
}

/// What the load does next.
pub(super) enum Next {
    /// Issue this request after `think`; the load is to be told `tag` when it is done.
    Issue { extent: Extent, write: bool, think: Span, tag: u32 },
    /// Resume this part of the load then.
    Resume { who: u32, at: Instant },
    /// Resume this part of the load when the processor has worked for so long.
    Work { who: u32, span: Span },
    /// Nothing: all slots are in use, or a pause is running.
    Nothing,
}

impl Load {
    /// The load of the spec on an array of `capacity` sectors.
    pub fn new(spec: &MachineSpec, capacity: u64, streams: Streams) -> Result<Self, WorkloadError> {
        if spec.workload.playback_name().is_some() {
            let player = spec.workload.player(spec.playback.as_ref(), &spec.host.file_cache, capacity)?;
            return Ok(Load::Playback(Box::new(player)));
        }
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
        Ok(Load::Closed(workers))
    }

    /// How many parts of it are to be asked first.
    pub fn parts(&self) -> u32 {
        match self {
            Load::Closed(workers) => workers.len() as u32,
            Load::Playback(_) => 1,
        }
    }

    /// What worker number `who`, or the playback, does at `now`; to be asked until there is nothing.
    pub fn next(&mut self, who: u32, now: Instant) -> Next {
        match self {
            Load::Closed(workers) => workers[who as usize].next(who, now),
            Load::Playback(player) => match player.next(now) {
                Playing::Issue { extent, write, tag } => {
                    Next::Issue { extent, write, think: Span::ZERO, tag }
                }
                Playing::Work(span) => Next::Work { who: PROGRAM, span },
                Playing::Think(span) => Next::Resume { who: PROGRAM, at: now + span },
                Playing::Wake(at) => Next::Resume { who: CACHE_MANAGER, at },
                Playing::Nothing => Next::Nothing,
            },
        }
    }

    /// Number of the worker whose request this is; a playback is one program.
    pub fn worker(&self, tag: u32) -> u16 {
        match self {
            Load::Closed(_) => tag as u16,
            Load::Playback(_) => 0,
        }
    }

    /// A request is done.
    pub fn done(&mut self, tag: u32) {
        match self {
            Load::Closed(workers) => workers[tag as usize].free += 1,
            Load::Playback(player) => player.done(tag),
        }
    }

    /// A pause or a piece of work is over.
    pub fn resumed(&mut self, who: u32) {
        match self {
            Load::Playback(player) if who == CACHE_MANAGER => player.woken(),
            Load::Playback(player) => player.resumed(),
            // Workers look at the time.
            Load::Closed(_) => {}
        }
    }

    /// The recording, if it is one that is played.
    pub fn playback(&self) -> Option<&Player> {
        match self {
            Load::Closed(_) => None,
            Load::Playback(player) => Some(player),
        }
    }
}

impl WorkerState {
    /// What this worker does at `now`; takes a slot when it issues.
    fn next(&mut self, who: u32, now: Instant) -> Next {
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
                    return Next::Resume { who, at: self.paused_until };
                }
                draw
            }
        };
        self.free -= 1;
        Next::Issue { extent: draw.extent, write: draw.write, think: draw.think, tag: who }
    }
}
