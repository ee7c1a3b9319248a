//! The processor as a single server, first come first served.

use crate::units::{Instant, Span};

/// One processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu {
    free_at: Instant,
    busy: Span,
    /// When the program's work is done, if nothing else interrupts it.
    program_until: Instant,
}

impl Cpu {
    /// Runs `work` as soon as what was given before is done; returns when it is finished.
    pub fn run(&mut self, now: Instant, work: Span) -> Instant {
        self.free_at = self.free_at.max(now) + work;
        self.busy += work;
        if self.program_until > now {
            self.program_until += work;
        }
        self.free_at
    }

    /// When what was given so far is done; a program's work, which can be interrupted, does not count.
    pub fn free_at(&self) -> Instant {
        self.free_at
    }

    /// Runs a program's `work`, one piece at a time: it waits for what was given before, and whatever is given until it is
    /// done interrupts it. When that may be is for [`program_until`](Self::program_until) to say, again and again.
    pub fn run_program(&mut self, now: Instant, work: Span) {
        self.busy += work;
        self.program_until = self.free_at.max(now) + work;
    }

    /// When the program's work is done, as far as is known now.
    pub fn program_until(&self) -> Instant {
        self.program_until
    }

    /// Work done by `now`, which must not be earlier than the last work was given: what was taken on is done without
    /// a pause, so that only the rest until it is free, the program's work included, is still to come.
    pub fn busy_until(&self, now: Instant) -> Span {
        self.busy.saturating_sub(self.free_at.max(self.program_until).since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupts_delay_the_program_and_not_the_other_way_round() {
        let at = |us: f64| Instant::ZERO + Span::from_us(us);
        let mut cpu = Cpu::default();
        cpu.run(at(0.0), Span::from_us(10.0));
        cpu.run_program(at(2.0), Span::from_us(100.0));
        assert_eq!(cpu.program_until(), at(110.0), "behind what was given before");
        assert_eq!(cpu.run(at(50.0), Span::from_us(20.0)), at(70.0), "at once");
        assert_eq!(cpu.program_until(), at(130.0));
        assert_eq!(cpu.busy_until(at(60.0)), Span::from_us(60.0), "never a pause");
        cpu.run(at(130.0), Span::from_us(5.0));
        assert_eq!((cpu.program_until(), cpu.busy_until(at(140.0))), (at(130.0), Span::from_us(135.0)));
    }
}
