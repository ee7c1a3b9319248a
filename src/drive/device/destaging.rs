//! The mechanism writing: dirty data from the cache, or a command's data straight through.

use rand_distr::Distribution;

use super::super::mechanics::{Access, Pass};
use super::super::spec::DestageStart;
use super::{CommandKind, Drive, DriveEvent, Mechanism, Operation, Step};
use crate::sim::{Phase, Schedule};
use crate::units::{Instant, Span};

impl Drive {
    /// Starts to write an extent if the rules want that now; says whether it did.
    pub(super) fn destage_if_due(&mut self, cx: &mut impl Schedule<DriveEvent>) -> bool {
        if self.cache.is_clean() {
            self.draining = false;
            return false;
        }
        let forced =
            self.commands.iter().any(|a| a.step == Step::Waiting && a.command.kind != CommandKind::Read)
                || self.cache.overdue(cx.now());
        let due = match self.start {
            DestageStart::Immediate => true,
            DestageStart::IdleMs(_) => self.draining && self.commands.is_empty(),
            DestageStart::HighWater { high_percent, low_percent } => {
                let fill = self.cache.fill_permille();
                let permille = |percent: f64| (percent * 10.0) as u64;
                self.draining &= fill > permille(low_percent);
                self.draining |= fill >= permille(high_percent);
                self.draining
            }
        };
        if due || forced {
            self.destage(cx);
        }
        due || forced
    }

    pub(super) fn destage(&mut self, cx: &mut impl Schedule<DriveEvent>) {
        self.stop_reading(cx.now());
        let begin = cx.now().max(self.free_at);
        let leave = begin + self.jitter();
        let Some((extent, sequential)) = self.cache.take(&self.mechanics, self.place, leave) else { return };
        let zero_latency = self.zero_latency_write;
        let pass = self.mechanics.write(self.place, leave, extent, sequential, zero_latency);
        self.cache.ends_at(pass.place);
        let until = self.occupy(begin, pass, cx);
        self.mechanism = Mechanism::Destaging { until };
    }

    pub(super) fn write_through(&mut self, index: usize, cx: &mut impl Schedule<DriveEvent>) {
        self.commands[index].step = Step::OnMedia;
        let extent = self.commands[index].command.extent;
        self.stop_reading(cx.now());
        let begin = cx.now().max(self.free_at);
        // The arm was sent off when the command had been decoded, while the data crossed the interface.
        let leave = self.decoded(index, false).max(self.free_at) + self.jitter();
        let target = self.mechanics.place_of(extent.lba);
        let travel = self.mechanics.positioning(self.place, target, Access::Write, false);
        let arrival = (leave + travel).max(cx.now());
        let pass = self.mechanics.write(target, arrival, extent, true, self.zero_latency_write);
        let until = self.occupy(begin, pass, cx);
        self.commands[index].service.operation = self.operation;
        self.mechanism = Mechanism::WritingThrough { until };
    }

    /// The mechanism, free at `begin`, makes a pass of writing; returns when it is free again, verified if it verifies.
    fn occupy(&mut self, begin: Instant, pass: Pass, cx: &mut impl Schedule<DriveEvent>) -> Instant {
        let until = pass.end + self.verify_time();
        self.operation = Operation { start: begin, arrived: pass.arrived, begun: pass.begun };
        self.place = pass.place;
        self.free_at = until;
        self.count_busy(begin, until);
        cx.at(until, Phase::Completion, DriveEvent::MediaDone);
        until
    }

    /// A verifying drive reads what it wrote one turn later.
    pub(super) fn verify_time(&self) -> Span {
        if self.write_verify { self.mechanics.spindle.revolution() } else { Span::ZERO }
    }

    pub(super) fn jitter(&mut self) -> Span {
        match &mut self.jitter {
            None => Span::ZERO,
            Some((normal, stream)) => Span::from_ms(normal.sample(stream).abs()),
        }
    }

    /// Keeps one timer in the calendar for the earliest instant at which dirty data must go on its own.
    pub(super) fn arm_timer(&mut self, cx: &mut impl Schedule<DriveEvent>) {
        let idle_start = match self.start {
            // Once it has come, nothing is left to wait for but the mechanism.
            DestageStart::IdleMs(ms) if self.commands.is_empty() && !self.draining => {
                Some(cx.now() + Span::from_ms(ms))
            }
            _ => None,
        };
        let wanted = if self.cache.is_clean() || matches!(self.mechanism, Mechanism::Destaging { .. }) {
            None
        } else {
            [idle_start, self.cache.due().filter(|&due| due > cx.now())].into_iter().flatten().min()
        };
        if self.timer.map(|(at, _)| at) == wanted {
            return;
        }
        if let Some((_, handle)) = self.timer.take() {
            cx.cancel(handle);
        }
        self.timer = wanted.map(|at| (at, cx.at(at, Phase::Arrival, DriveEvent::DestageTimer)));
    }
}
