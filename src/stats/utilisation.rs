//! How much of the time a resource is busy.

use crate::units::{Instant, Span};

/// The busy time of a resource since the last reset.
///
/// Models: uses that may overlap (two requests of one channel); the resource is busy while there is any.
/// Invariants: busy time never exceeds the time since the reset; instants never go back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Utilisation {
    since: Instant,
    users: u32,
    busy_since: Instant,
    busy: Span,
}

impl Utilisation {
    /// Idle since `now`.
    pub fn new(now: Instant) -> Self {
        Utilisation { since: now, busy_since: now, ..Utilisation::default() }
    }

    /// A use begins.
    pub fn begin(&mut self, now: Instant) {
        if self.users == 0 {
            self.busy_since = now;
        }
        self.users += 1;
    }

    /// A use ends; an end without a beginning is ignored.
    pub fn end(&mut self, now: Instant) {
        debug_assert!(self.users > 0, "a use ends that has not begun");
        if self.users == 1 {
            self.busy += now.since(self.busy_since);
        }
        self.users = self.users.saturating_sub(1);
    }

    /// A use that lasted from `begin` to `end`; not to overlap with any other. What lies before the last reset
    /// does not count.
    pub fn record(&mut self, begin: Instant, end: Instant) {
        self.busy += end.since(begin.max(self.since));
    }

    /// Starts measuring afresh at `now`; uses that go on stay begun.
    pub fn reset(&mut self, now: Instant) {
        (self.since, self.busy_since, self.busy) = (now, now, Span::ZERO);
    }

    /// Whether a use goes on.
    pub fn is_busy(&self) -> bool {
        self.users > 0
    }

    /// The busy time from the last reset to `now`.
    pub fn busy(&self, now: Instant) -> Span {
        if self.users > 0 { self.busy + now.since(self.busy_since) } else { self.busy }
    }

    /// The busy share of the time from the last reset to `now`, 0 to 1; 0 of no time.
    pub fn fraction(&self, now: Instant) -> f64 {
        let window = now.since(self.since);
        if window.is_zero() { 0.0 } else { self.busy(now).ps() as f64 / window.ps() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ps: u64) -> Instant {
        Instant::from_ps(ps)
    }

    #[test]
    fn overlapping_uses_count_once() {
        let mut use_of = Utilisation::new(at(0));
        use_of.begin(at(10));
        use_of.begin(at(20));
        use_of.end(at(30));
        assert!(use_of.is_busy());
        use_of.end(at(50));
        assert_eq!(use_of.busy(at(100)).ps(), 40);
        assert_eq!(use_of.fraction(at(80)), 0.5);
    }

    #[test]
    fn a_reset_keeps_what_goes_on() {
        let mut use_of = Utilisation::new(at(0));
        use_of.begin(at(10));
        use_of.reset(at(50));
        assert_eq!(use_of.fraction(at(50)), 0.0);
        assert_eq!(use_of.fraction(at(60)), 1.0);
        use_of.end(at(75));
        assert_eq!(use_of.fraction(at(100)), 0.5);
    }

    #[test]
    fn finished_uses_are_clipped_to_the_window() {
        let mut use_of = Utilisation::new(at(0));
        use_of.reset(at(100));
        use_of.record(at(90), at(110));
        use_of.record(at(10), at(20));
        assert_eq!(use_of.busy(at(200)).ps(), 10);
    }
}
