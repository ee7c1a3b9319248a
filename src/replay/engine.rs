//! The loop: requests from the source to the queues, commands and data over the buses, completions to the sink.

use std::sync::Arc;

use super::mode::{Cause, Mode, Only, Outcome, Stopped, Totals, Witness};
use super::queue::DriverQueue;
use super::spec::System;
use super::station::{BusPhase, Connection, Job, Station};
use crate::channel::ScsiBus;
use crate::config::{Issues, Validate};
use crate::drive::{BusStep, CommandId, DriveEvent, Mechanics, SeekTable};
use crate::sim::{Calendar, Handle, Phase, Schedule, Streams};
use crate::units::{Instant, Span};
use crate::workload::trace::TraceRequest;

/// What happens in a replay.
#[derive(Clone, Copy, Debug, Default)]
enum Event {
    /// The next request of the source is issued.
    #[default]
    Arrival,
    /// A drive has won its bus.
    Connected(u32),
    /// The owner of a bus has held it for as long as it said.
    Held(u32),
    /// Something happens in a drive.
    Drive(u32, DriveEvent),
}

/// Runs `source` on `system`; spindles and jitter are drawn from `seed`. Each request goes to `sink` when it has
/// completed, in the order of completions.
///
/// # Errors
/// [`Stopped`] with its cause when the system is impossible, the source fails, a request cannot be served by its drive,
/// or the driver's queues grow beyond its limit. What had been issued is completed first.
pub fn run<E>(
    system: &System,
    seed: u64,
    source: impl IntoIterator<Item = Result<TraceRequest, E>>,
    mode: Mode,
    sink: impl FnMut(Outcome),
) -> Result<Totals, Stopped<E>> {
    run_watched(system, seed, source, mode, Only(sink))
}

/// Like [`run`], for a `witness` that also knows how the platters really turn.
///
/// # Errors
/// Those of [`run`].
pub fn run_watched<E>(
    system: &System,
    seed: u64,
    source: impl IntoIterator<Item = Result<TraceRequest, E>>,
    mode: Mode,
    witness: impl Witness,
) -> Result<Totals, Stopped<E>> {
    let stopped = |totals, cause| Err(Stopped { totals, cause });
    let mut issues = Issues::new();
    system.validate(&mut issues);
    if let Some((path, message, _)) = issues.iter().next() {
        return stopped(Totals::default(), Cause::System(format!("{path}: {message}")));
    }
    let mut engine = Engine::new(system, seed, source.into_iter(), mode, witness);
    engine.start();
    while engine.outstanding > 0 || engine.held.is_some() {
        let Some((_, event)) = engine.calendar.pop().filter(|_| !engine.calendar.stalled()) else {
            let (at, outstanding) = (engine.calendar.now(), engine.outstanding);
            return stopped(engine.totals(), Cause::Fault { at, outstanding });
        };
        engine.happens(event);
    }
    match engine.cause.take() {
        Some(cause) => stopped(engine.totals(), cause),
        None => Ok(engine.totals()),
    }
}

#[derive(Clone, Copy)]
struct Active {
    request: TraceRequest,
    issued: Instant,
}

struct Engine<E, S, K> {
    calendar: Calendar<Event>,
    buses: Vec<ScsiBus<Connection>>,
    stations: Vec<Station>,
    active: Vec<Active>,
    free: Vec<u32>,
    outstanding: usize,
    limit: usize,
    mode: Mode,
    source: S,
    witness: K,
    /// The next request, whose arrival is in the calendar.
    held: Option<TraceRequest>,
    /// Why no more is taken from the source.
    cause: Option<Cause<E>>,
    source_ended: bool,
    last_arrival: Instant,
    totals: Totals,
}

/// Puts a drive's events into the calendar.
struct Of<'a> {
    calendar: &'a mut Calendar<Event>,
    drive: u32,
}

impl Schedule<DriveEvent> for Of<'_> {
    fn now(&self) -> Instant {
        self.calendar.now()
    }
    fn at(&mut self, at: Instant, phase: Phase, event: DriveEvent) -> Handle {
        self.calendar.schedule(at, phase, Event::Drive(self.drive, event))
    }
    fn cancel(&mut self, handle: Handle) -> bool {
        self.calendar.cancel(handle)
    }
}

fn stations(system: &System, seed: u64) -> Vec<Station> {
    let streams = Streams::new(seed);
    let tables: Vec<Arc<SeekTable>> =
        system.models.iter().map(|model| Arc::new(SeekTable::new(model, model.cylinders()))).collect();
    let of = |(number, place): (usize, &super::spec::Attachment)| {
        let (model, name) = (&system.models[place.model], format!("drive/{number}"));
        let mechanics = Mechanics::new(model, &name, streams, Arc::clone(&tables[place.model]));
        let queue = DriverQueue::new(system.driver.order);
        Station::new(model, mechanics, &name, streams, place.bus, queue)
    };
    system.drives.iter().enumerate().map(of).collect()
}

impl<E, S: Iterator<Item = Result<TraceRequest, E>>, K: Witness> Engine<E, S, K> {
    fn new(system: &System, seed: u64, source: S, mode: Mode, witness: K) -> Self {
        Engine {
            calendar: Calendar::new(),
            buses: system.buses.iter().map(ScsiBus::new).collect(),
            stations: stations(system, seed),
            active: Vec::new(),
            free: Vec::new(),
            outstanding: 0,
            limit: system.driver.overload_limit,
            mode,
            source,
            witness,
            held: None,
            cause: None,
            source_ended: false,
            last_arrival: Instant::ZERO,
            totals: Totals::default(),
        }
    }

    fn totals(&self) -> Totals {
        Totals { events: self.calendar.happened(), ..self.totals }
    }

    fn start(&mut self) {
        self.hold_next(Span::ZERO);
    }

    /// As fast as possible: issues one more if fewer than so many are outstanding.
    fn keep_up(&mut self) {
        if let Mode::AsFastAsPossible { outstanding } = self.mode
            && self.outstanding < outstanding.max(1)
            && self.held.is_none()
        {
            self.hold_next(Span::ZERO);
        }
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::Arrival => {
                self.arrive();
                match self.mode {
                    Mode::Closed => {}
                    Mode::Open => self.hold_next(Span::ZERO),
                    Mode::AsFastAsPossible { .. } => self.keep_up(),
                }
            }
            Event::Connected(bus) => {
                if self.connect(bus as usize) {
                    self.serve(bus as usize);
                }
            }
            Event::Held(bus) => {
                if self.held(bus as usize) {
                    self.serve(bus as usize);
                }
            }
            Event::Drive(drive, DriveEvent::Ready(command)) => {
                self.want(Connection { drive, command, phase: BusPhase::Data });
            }
            Event::Drive(drive, DriveEvent::Complete(command)) => self.complete(drive, command),
            Event::Drive(drive, event) => {
                let mut cx = Of { calendar: &mut self.calendar, drive };
                self.stations[drive as usize].handle(event, &mut cx);
            }
        }
    }

    /// Takes the next request from the source and puts its arrival into the calendar, after `pause` if closed.
    fn hold_next(&mut self, pause: Span) {
        if !self.take() {
            return;
        }
        let now = self.calendar.now();
        let at = match (self.mode, self.held) {
            (Mode::Open, Some(request)) => request.at.unwrap_or(now).max(now),
            _ => now + pause,
        };
        self.calendar.schedule(at, Phase::Arrival, Event::Arrival);
    }

    /// Takes the next request from the source; false if there is none that can be served.
    fn take(&mut self) -> bool {
        if self.cause.is_some() || self.source_ended {
            return false;
        }
        match self.source.next() {
            None => self.source_ended = true,
            Some(Err(error)) => self.cause = Some(Cause::Source(error)),
            Some(Ok(request)) => match self.fault_of(&request) {
                Some(cause) => self.cause = Some(cause),
                None => self.held = Some(request),
            },
        }
        self.held.is_some()
    }

    /// Why `request` cannot be served.
    fn fault_of(&mut self, request: &TraceRequest) -> Option<Cause<E>> {
        let TraceRequest { line, device, extent, at, .. } = *request;
        let Some(station) = self.stations.get(device as usize) else {
            return Some(Cause::NoSuchDevice { line, device, drives: self.stations.len() });
        };
        let capacity = station.capacity();
        if extent.sectors == 0 {
            return Some(Cause::Empty { line });
        }
        if extent.lba.checked_add(extent.sectors).is_none_or(|end| end > capacity) {
            return Some(Cause::BeyondEnd { line, device, extent, capacity });
        }
        if self.mode == Mode::Open {
            let before = self.last_arrival;
            match at {
                None => return Some(Cause::NoArrival { line }),
                Some(at) if at < before => return Some(Cause::Unordered { line, at, before }),
                Some(at) => self.last_arrival = at,
            }
        }
        None
    }

    /// Issues the request that is held.
    fn arrive(&mut self) {
        let Some(request) = self.held.take() else { return };
        let active = Active { request, issued: self.calendar.now() };
        let id = match self.free.pop() {
            Some(id) => {
                self.active[id as usize] = active;
                id
            }
            None => {
                self.active.push(active);
                (self.active.len() - 1) as u32
            }
        };
        self.outstanding += 1;
        self.totals.requests += 1;
        self.totals.reads += u64::from(!request.write);
        if self.outstanding > self.limit && self.cause.is_none() {
            self.cause = Some(Cause::Overload { limit: self.limit, at: self.calendar.now() });
        }
        let station = &mut self.stations[request.device as usize];
        if let Some(spindle) = self.witness.spindle(&request, self.calendar.now()) {
            station.align(spindle);
        }
        if station.has_room() && station.queue.is_empty() {
            station.queue.pass(request.extent);
            station.in_drive += 1;
            self.want(Connection { drive: request.device, command: CommandId(id), phase: BusPhase::Command });
        } else {
            station.queue.push(id, request.extent);
        }
    }

    /// Gives a drive what waits for it, as far as it takes it.
    fn feed(&mut self, drive: u32) {
        let station = &mut self.stations[drive as usize];
        if station.has_room()
            && let Some(id) = station.queue.pop()
        {
            station.in_drive += 1;
            self.want(Connection { drive, command: CommandId(id), phase: BusPhase::Command });
        }
    }

    fn want(&mut self, connection: Connection) {
        let bus = self.stations[connection.drive as usize].bus;
        if self.buses[bus].request(connection) {
            self.serve(bus);
        }
    }

    /// Connects the new owner of a bus, and those who come after it as long as each takes no time.
    fn serve(&mut self, bus: usize) {
        while self.buses[bus].owner().is_some() {
            let arbitration = self.buses[bus].arbitration();
            if !arbitration.is_zero() {
                let at = self.calendar.now() + arbitration;
                self.calendar.schedule(at, Phase::Grant, Event::Connected(bus as u32));
                return;
            }
            if !self.connect(bus) {
                return;
            }
        }
    }

    /// The owner of a bus is connected; true if it has let go of it already.
    fn connect(&mut self, bus: usize) -> bool {
        let Some(connection) = self.buses[bus].owner() else { return false };
        let TraceRequest { extent, write, .. } = self.active[connection.command.0 as usize].request;
        let mut cx = Of { calendar: &mut self.calendar, drive: connection.drive };
        let station = &mut self.stations[connection.drive as usize];
        let step = station.connected(connection, Job { extent, write }, &self.buses[bus], &mut cx);
        self.step(bus, connection, step)
    }

    /// The owner of a bus has held it for as long as it said; true if it lets go of it.
    fn held(&mut self, bus: usize) -> bool {
        let Some(connection) = self.buses[bus].owner() else { return false };
        let mut cx = Of { calendar: &mut self.calendar, drive: connection.drive };
        let step = self.stations[connection.drive as usize].held(connection, &mut cx);
        self.step(bus, connection, step)
    }

    /// What the drive that owns a bus does with it; true if it lets go of it.
    fn step(&mut self, bus: usize, connection: Connection, mut step: BusStep) -> bool {
        while let BusStep::Hold(until) = step {
            if until > self.calendar.now() {
                self.calendar.schedule(until, Phase::Completion, Event::Held(bus as u32));
                return false;
            }
            let mut cx = Of { calendar: &mut self.calendar, drive: connection.drive };
            step = self.stations[connection.drive as usize].held(connection, &mut cx);
        }
        if step == BusStep::Complete {
            self.complete(connection.drive, connection.command);
        }
        self.buses[bus].release();
        true
    }

    fn complete(&mut self, drive: u32, command: CommandId) {
        let now = self.calendar.now();
        let Active { request, issued } = self.active[command.0 as usize];
        self.free.push(command.0);
        self.outstanding -= 1;
        self.totals.end = now;
        self.stations[drive as usize].in_drive -= 1;
        self.witness.served(Outcome { request, issued, completed: now });
        self.feed(drive);
        match self.mode {
            Mode::Closed => self.hold_next(request.think.unwrap_or(Span::ZERO)),
            Mode::Open => {}
            Mode::AsFastAsPossible { .. } => self.keep_up(),
        }
    }
}
