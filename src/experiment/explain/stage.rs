//! The stages that the time of a request divides into.

use crate::units::{Instant, Span};

/// Where the time of a request goes. Each instant between call and return belongs to one stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The processor takes the call down to the driver, or the answer up to the program.
    Host,
    /// The processor is busy with other work.
    HostWait,
    /// In the driver's queue: the policy does not let it into the array yet.
    DriverQueue,
    /// For the cable, which another command owns.
    CableWait,
    /// With the cable, for the other drive on it: the driver's cable rule.
    MateWait,
    /// The processor sets a command up and writes it into the drive's registers.
    Command,
    /// The drive's own processor: decoding the command, ending it.
    DriveOverhead,
    /// For the drive's mechanism, which is at something else: destaging, or another command.
    MechanismWait,
    /// For room in the drive's write cache.
    CacheWait,
    /// The arm moves; a change of heads and the settling too.
    Seek,
    /// The platter turns until the first sector comes by.
    Rotation,
    /// Sectors pass under the head: those of the command, or of the reading ahead that it waits for.
    Media,
    /// For the bus: arbitration, and what other trains of bursts make its own wait.
    BusWait,
    /// Its bursts are on the bus.
    BusTransfer,
    /// The card's engine lets neither side move data: pauses between bursts on the cable, crossing between clocks.
    Controller,
    /// Its data crosses the cable while no burst of it is on the bus: the cable, the drive's buffer or (PCI-X) memory that
    /// answers late is the slower side.
    CableTransfer,
    /// The processor answers the drive's interrupt.
    Interrupt,
}

impl Stage {
    /// All stages, in the order in which a request passes them.
    pub const ALL: [Stage; 17] = [
        Stage::Host,
        Stage::HostWait,
        Stage::DriverQueue,
        Stage::CableWait,
        Stage::MateWait,
        Stage::Command,
        Stage::DriveOverhead,
        Stage::MechanismWait,
        Stage::CacheWait,
        Stage::Seek,
        Stage::Rotation,
        Stage::Media,
        Stage::BusWait,
        Stage::BusTransfer,
        Stage::Controller,
        Stage::CableTransfer,
        Stage::Interrupt,
    ];

    /// Its name for a reader.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Host => "host",
            Stage::HostWait => "host wait",
            Stage::DriverQueue => "driver queue",
            Stage::CableWait => "cable wait",
            Stage::MateWait => "mate wait",
            Stage::Command => "command",
            Stage::DriveOverhead => "drive overhead",
            Stage::MechanismWait => "mechanism wait",
            Stage::CacheWait => "cache wait",
            Stage::Seek => "seek",
            Stage::Rotation => "rotation",
            Stage::Media => "media",
            Stage::BusWait => "bus wait",
            Stage::BusTransfer => "bus transfer",
            Stage::Controller => "controller",
            Stage::CableTransfer => "cable transfer",
            Stage::Interrupt => "interrupt",
        }
    }

    /// Its column in a table of picoseconds.
    pub fn column(self) -> String {
        format!("{}_ps", self.name().replace(' ', "_"))
    }
}

/// Keeps what a path is made of.
pub trait Ledger: Clone + Default {
    /// Forgets everything.
    fn clear(&mut self);
    /// `stage` lasts from `from` until `until`, which is not earlier.
    fn add(&mut self, stage: Stage, from: Instant, until: Instant);
    /// What `other` keeps comes next.
    fn append(&mut self, other: &Self);
}

/// Time by stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums([Span; Stage::ALL.len()]);

impl Sums {
    /// The time of one stage.
    pub fn of(&self, stage: Stage) -> Span {
        self.0[stage as usize]
    }
    /// The time of all stages.
    pub fn total(&self) -> Span {
        self.0.iter().copied().sum()
    }
}

impl Ledger for Sums {
    fn clear(&mut self) {
        *self = Sums::default();
    }
    fn add(&mut self, stage: Stage, from: Instant, until: Instant) {
        self.0[stage as usize] += until - from;
    }
    fn append(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// A stage with its place in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// The stage.
    pub stage: Stage,
    /// When it began.
    pub from: Instant,
    /// When it ended.
    pub until: Instant,
}

/// Stages in order of time; those of no length are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stretches(pub Vec<Stretch>);

impl Ledger for Stretches {
    fn clear(&mut self) {
        self.0.clear();
    }
    fn add(&mut self, stage: Stage, from: Instant, until: Instant) {
        match self.0.last_mut() {
            Some(last) if last.stage == stage && last.until == from => last.until = until,
            _ if from < until => self.0.push(Stretch { stage, from, until }),
            _ => {}
        }
    }
    fn append(&mut self, other: &Self) {
        for stretch in &other.0 {
            self.add(stretch.stage, stretch.from, stretch.until);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_stand_at_their_own_place_and_have_names_of_their_own() {
        for (index, stage) in Stage::ALL.into_iter().enumerate() {
            assert_eq!(stage as usize, index);
            assert!(Stage::ALL[..index].iter().all(|other| other.name() != stage.name()));
        }
    }

    #[test]
    fn neighbours_of_one_stage_are_one_stretch() {
        let at = Instant::from_ps;
        let mut kept = Stretches::default();
        kept.add(Stage::Seek, at(1), at(3));
        kept.add(Stage::Seek, at(3), at(4));
        kept.add(Stage::Media, at(4), at(4));
        assert_eq!(kept.0, [Stretch { stage: Stage::Seek, from: at(1), until: at(4) }]);
    }
}
