//! A drive without a cable: commands go straight in, and their data crosses one at a time.

use ataraid::drive::{Command, CommandId, CommandKind, Drive, DriveEvent};
use ataraid::sim::{Calendar, Handle, Phase, Schedule};
use ataraid::units::{Extent, Instant, Span};

/// What happens around the drive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RigEvent {
    /// In the drive.
    Drive(DriveEvent),
    /// The data of a command is across.
    Transferred(CommandId),
    /// The next command of the list may be given.
    #[default]
    Submit,
}

struct Port<'a>(&'a mut Calendar<RigEvent>);

impl Schedule<DriveEvent> for Port<'_> {
    fn now(&self) -> Instant {
        self.0.now()
    }
    fn at(&mut self, at: Instant, phase: Phase, event: DriveEvent) -> Handle {
        self.0.schedule(at, phase, RigEvent::Drive(event))
    }
    fn cancel(&mut self, handle: Handle) -> bool {
        self.0.cancel(handle)
    }
}

/// When the steps of one command happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub accepted: Option<Instant>,
    pub ready: Option<Instant>,
    pub transferred: Option<Instant>,
    pub complete: Option<Instant>,
}

/// The drive, its calendar, and what became of each command.
pub struct Rig {
    pub calendar: Calendar<RigEvent>,
    pub drive: Drive,
    pub commands: Vec<Command>,
    pub times: Vec<Times>,
    /// Commands whose data is ready while other data is crossing.
    waiting: std::collections::VecDeque<CommandId>,
    crossing: bool,
}

impl Rig {
    pub fn new(drive: Drive) -> Self {
        Rig {
            calendar: Calendar::new(),
            drive,
            commands: Vec::new(),
            times: Vec::new(),
            waiting: Default::default(),
            crossing: false,
        }
    }

    /// Gives a command to the drive, now.
    pub fn submit(&mut self, kind: CommandKind, extent: Extent, transfer: Span) -> CommandId {
        let id = CommandId(self.commands.len() as u32);
        let command = Command { id, kind, extent, transfer };
        self.commands.push(command);
        self.times.push(Times { accepted: Some(self.calendar.now()), ..Times::default() });
        self.drive.accept(command, &mut Port(&mut self.calendar));
        id
    }

    /// Commands given that are not done.
    pub fn outstanding(&self) -> usize {
        self.times.iter().filter(|times| times.complete.is_none()).count()
    }

    /// Carries out the next event and says which it was.
    pub fn step(&mut self) -> Option<(Instant, RigEvent)> {
        let (now, event) = self.calendar.pop()?;
        match event {
            RigEvent::Drive(event) => self.drive_event(now, event),
            RigEvent::Transferred(id) => {
                let times = &mut self.times[id.0 as usize];
                assert!(times.transferred.replace(now).is_none(), "{id:?} crossed twice");
                self.crossing = false;
                self.drive.data_transferred(id, &mut Port(&mut self.calendar));
                if let Some(next) = self.waiting.pop_front() {
                    self.cross(next);
                }
            }
            RigEvent::Submit => {}
        }
        Some((now, event))
    }

    fn drive_event(&mut self, now: Instant, event: DriveEvent) {
        match event {
            DriveEvent::Ready(id) => {
                let times = &mut self.times[id.0 as usize];
                assert!(times.ready.replace(now).is_none(), "{id:?} was ready twice");
                if self.crossing { self.waiting.push_back(id) } else { self.cross(id) }
            }
            DriveEvent::Complete(id) => {
                let times = &mut self.times[id.0 as usize];
                assert!(times.complete.replace(now).is_none(), "{id:?} completed twice");
            }
            DriveEvent::MediaDone | DriveEvent::DestageTimer => {
                self.drive.handle(event, &mut Port(&mut self.calendar));
            }
        }
    }

    fn cross(&mut self, id: CommandId) {
        self.crossing = true;
        let end = self.calendar.now() + self.commands[id.0 as usize].transfer;
        self.calendar.schedule(end, Phase::Completion, RigEvent::Transferred(id));
    }

    /// Lets time pass until `until`, whatever happens.
    pub fn wait_until(&mut self, until: Instant) {
        self.calendar.schedule(until, Phase::Arrival, RigEvent::Submit);
        while let Some((now, event)) = self.step() {
            if event == RigEvent::Submit && now >= until {
                return;
            }
        }
    }

    /// Gives a command and lets time pass until it is complete.
    pub fn perform(&mut self, kind: CommandKind, extent: Extent, transfer: Span) -> Times {
        let id = self.submit(kind, extent, transfer);
        while self.times[id.0 as usize].complete.is_none() {
            self.step().expect("the command completes");
        }
        self.times[id.0 as usize]
    }
}

/// A drive that turns in exactly 10 ms from angle 0 at power-on: one head, 1000 cylinders of 100 sectors, skew of 15
/// sectors (1.5 ms); a seek takes 1 ms over one cylinder and 2 ms over more, a write 1 ms longer, within a sequential
/// write 0.25 ms longer.
pub fn exact_spec() -> ataraid::drive::DriveSpec {
    use ataraid::config::{Source, parse};
    let text = r#"(
        name: "exact", capacity_sectors: 100000, heads: 1, rpm: 6000, rpm_tolerance: 0.0,
        spindle_phase: Turns(0.0),
        zones: [(cylinders: 1000, spt: 100)],
        skew: Sectors([(head: 15, cylinder: 15)]),
        seek: PerCylinder([1.0, 2.0]), write_seek: Settle(1.0), write_settle_sequential_ms: 0.25,
        interface: Ata(udma_mode_max: 6, mwdma_mode_max: 2, pio_mode_max: 4),
    )"#;
    let mut spec = parse(&Source::new("exact", text)).unwrap_or_else(|faults| panic!("{faults:?}"));
    super::plain_electronics(&mut spec);
    spec
}

/// A rig around that drive, its electronics as `spec` says.
pub fn exact_rig(spec: &ataraid::drive::DriveSpec) -> Rig {
    use ataraid::drive::{Mechanics, Spindle};
    let spindle = Spindle::exact(Span::from_ms(10.0), Span::ZERO);
    let mechanics = Mechanics::with_spindle(spec, spindle);
    Rig::new(Drive::with_mechanics(spec, mechanics, "drive/a", ataraid::sim::Streams::new(1)))
}

/// The instant `ms` milliseconds after power-on.
pub fn at(ms: f64) -> Instant {
    Instant::ZERO + Span::from_ms(ms)
}
