//! How initiators share the bus.
//!
//! Round-robin arbitration: in a round every initiator that waits moves one burst. An initiator whose source or
//! sink is slower than a round waits for nobody; the others have the round to themselves. With `T_i` the bus time
//! of a burst and `p_i` the time the initiator itself needs for one, the round `R` of those who are held up
//! satisfies `R = sum of their T + R * sum over the others of T/p`.

use super::spec::CompetingMaster;
use super::timing::{BusTiming, Direction};
use crate::units::Span;

/// The whole bus, as loads are counted.
const ONE: u64 = 1 << 40;

/// Names one train of bursts that is under way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UserId(pub u32);

#[derive(Clone, Copy, Debug)]
struct Train {
    user: Option<UserId>,
    /// Bus time of one burst.
    burst: Span,
    /// Time between bursts that the initiator itself needs; at least `burst`.
    natural: Span,
    /// Time between bursts as things stand.
    period: Span,
}

/// The trains that are on the bus and the period each of them gets.
#[derive(Clone, Debug)]
pub struct Share {
    trains: Vec<Train>,
}

/// Part of [`ONE`] that bursts of `burst` bus time take, one every `period`.
fn load(burst: Span, period: Span) -> u64 {
    burst.scale_down(ONE, period.ps()).ps()
}

impl Share {
    /// A bus with its steady competitors.
    pub fn new(timing: &BusTiming, competitors: &[CompetingMaster]) -> Self {
        let trains = competitors
            .iter()
            .filter(|master| master.rate_mb_s > 0.0)
            .map(|master| {
                let burst = timing.transaction(master.burst_bytes, Direction::MemoryWrite);
                let natural = Span::from_us(master.burst_bytes as f64 / master.rate_mb_s).max(burst);
                Train { user: None, burst, natural, period: natural }
            })
            .collect();
        let mut share = Share { trains };
        share.settle();
        share
    }

    /// Bus time that its steady competitors take of `span` as things stand, rounded down.
    pub fn competing_time(&self, span: Span) -> Span {
        let competitors = self.trains.iter().filter(|train| train.user.is_none());
        let load: u64 = competitors.map(|train| load(train.burst, train.period)).sum();
        Span::from_ps((u128::from(span.ps()) * u128::from(load) / u128::from(ONE)) as u64)
    }

    /// A train joins: bursts of `burst` bus time, one every `natural` if nobody holds it up. Returns the time between
    /// bursts that it gets.
    pub fn join(&mut self, user: UserId, burst: Span, natural: Span) -> Span {
        let natural = natural.max(burst);
        self.trains.push(Train { user: Some(user), burst, natural, period: natural });
        self.settle();
        self.trains.last().map_or(natural, |train| train.period)
    }

    /// A train has ended.
    pub fn leave(&mut self, user: UserId) {
        self.trains.retain(|train| train.user != Some(user));
        self.settle();
    }

    /// Time between bursts that `user` gets now, with what it would get alone.
    pub fn period(&self, user: UserId) -> Option<Span> {
        self.trains.iter().find(|train| train.user == Some(user)).map(|train| train.period)
    }

    /// The trains of this machine with their present periods.
    pub fn periods(&self) -> impl Iterator<Item = (UserId, Span)> + '_ {
        self.trains.iter().filter_map(|train| train.user.map(|user| (user, train.period)))
    }

    fn settle(&mut self) {
        for train in &mut self.trains {
            train.period = train.natural;
        }
        if self.trains.len() < 2 {
            return;
        }
        // Suppose at first that everyone is held up. Whoever is slower than that round is not, which shortens the
        // round, so that more may be free of it: at most one pass a train.
        let mut round: Span = self.trains.iter().map(|train| train.burst).sum();
        for _ in 0..self.trains.len() {
            let next = self.round(round);
            if next == round {
                break;
            }
            round = next;
        }
        for train in &mut self.trains {
            train.period = train.natural.max(round);
        }
    }

    /// The round of those whose own period is at most `assumed`; the others take their part of the bus beside them.
    fn round(&self, assumed: Span) -> Span {
        let held = self.trains.iter().filter(|train| train.natural <= assumed).map(|train| train.burst);
        let held: Span = held.sum();
        let others = self.trains.iter().filter(|train| train.natural > assumed);
        let load: u64 = others.map(|train| load(train.burst, train.natural)).sum();
        let left = ONE.saturating_sub(load).max(1);
        held.scale_up(ONE, left).min(assumed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ns(n: u64) -> Span {
        Span::from_ns(n)
    }

    #[test]
    fn trains_that_fit_do_not_hold_each_other_up() {
        let mut share = Share { trains: Vec::new() };
        share.join(UserId(0), ns(100), ns(300));
        share.join(UserId(1), ns(100), ns(200));
        assert_eq!(share.period(UserId(0)), Some(ns(300)));
        assert_eq!(share.period(UserId(1)), Some(ns(200)));
    }

    #[test]
    fn two_greedy_trains_take_turns() {
        let mut share = Share { trains: Vec::new() };
        share.join(UserId(0), ns(100), ns(100));
        share.join(UserId(1), ns(150), ns(160));
        assert_eq!(share.period(UserId(0)), Some(ns(250)));
        assert_eq!(share.period(UserId(1)), Some(ns(250)));
        share.leave(UserId(1));
        assert_eq!(share.period(UserId(0)), Some(ns(100)));
    }

    #[test]
    fn a_slow_train_keeps_its_own_pace_beside_a_greedy_one() {
        let mut share = Share { trains: Vec::new() };
        share.join(UserId(0), ns(100), ns(100));
        share.join(UserId(1), ns(100), ns(400));
        assert_eq!(share.period(UserId(1)), Some(ns(400)));
        // A quarter of the bus is taken: 100 ns of bursts need 133.3 ns.
        assert_eq!(share.period(UserId(0)).map(Span::ps), Some(133_334));
    }

    proptest! {
        #[test]
        fn the_bus_is_never_over_committed(trains in prop::collection::vec((1u64..500, 1u64..5_000), 1..9)) {
            let mut share = Share { trains: Vec::new() };
            for (index, &(burst, natural)) in trains.iter().enumerate() {
                share.join(UserId(index as u32), ns(burst), ns(natural));
            }
            let used: f64 = share.trains.iter().map(|t| t.burst.ps() as f64 / t.period.ps() as f64).sum();
            prop_assert!(used <= 1.0 + 1e-9, "{used}");
            for train in &share.trains {
                prop_assert!(train.period >= train.natural);
            }
            // Nobody waits while the bus idles: if anyone is held up, the bus is full.
            if share.trains.iter().any(|t| t.period > t.natural) {
                prop_assert!(used > 0.999, "{used}");
            }
        }
    }
}
