//! The stages of all requests of a run, added up.

use super::path::Paths;
use super::stage::{Ledger, Stage, Sums};
use crate::machine::{Mark, Probe};
use crate::units::{Instant, Span};

/// Adds up where the time of the requests goes that are measured.
#[derive(Clone, Debug, Default)]
pub struct Breakdown {
    paths: Paths<Sums>,
    requests: u64,
    stages: Sums,
    response: Span,
}

impl Breakdown {
    /// How many requests were measured.
    pub fn requests(&self) -> u64 {
        self.requests
    }
    /// Their time by stage.
    pub fn stages(&self) -> &Sums {
        &self.stages
    }
    /// Their time from call to return, taken by itself: what the stages sum up to.
    pub fn response(&self) -> Span {
        self.response
    }
}

impl Probe for Breakdown {
    fn mark(&mut self, now: Instant, mark: &Mark) {
        self.paths.mark(now, mark);
        let Mark::Returned { request, counted } = *mark else { return };
        let (end, stages) = self.paths.path(request);
        let response = now.since(self.paths.call(request).called);
        debug_assert!(end == now && stages.total() == response, "{request:?}: {stages:?} of {response:?}");
        if counted {
            self.requests += 1;
            self.response += response;
            self.stages.append(&stages);
        }
    }
}

/// The stages of the requests of several runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// How many requests.
    pub requests: u64,
    /// Their time by stage, ps.
    pub stages_ps: [u128; Stage::ALL.len()],
}

impl Totals {
    /// Adds a run.
    pub fn add(&mut self, run: &Breakdown) {
        self.requests += run.requests();
        for (sum, stage) in self.stages_ps.iter_mut().zip(Stage::ALL) {
            *sum += u128::from(run.stages().of(stage).ps());
        }
    }

    /// The mean response time in whole units of `unit`, and the stages, which sum up to it exactly: each is rounded up
    /// or down, those that lose most by it up. All zero of no requests.
    pub fn means(&self, unit: Span) -> (u64, [u64; Stage::ALL.len()]) {
        let divisor = u128::from(self.requests.max(1)) * u128::from(unit.ps().max(1));
        let whole: u128 = self.stages_ps.iter().sum();
        let mean = (whole + divisor / 2) / divisor;
        let mut means = self.stages_ps.map(|stage| stage / divisor);
        let mut missing = mean - means.iter().sum::<u128>();
        let mut order: Vec<usize> = (0..means.len()).collect();
        order.sort_by_key(|&stage| std::cmp::Reverse(self.stages_ps[stage] % divisor));
        for stage in order {
            let up = missing.min(1);
            means[stage] += up;
            missing -= up;
        }
        (mean as u64, means.map(|stage| stage as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rounded_stages_sum_up_to_the_rounded_mean(
            requests in 1_u64..1_000_000, unit in 1_u64..1_000_000_000,
            stages in prop::collection::vec(0_u64..u64::MAX / 16, Stage::ALL.len()),
        ) {
            let mut totals = Totals { requests, ..Totals::default() };
            for (sum, stage) in totals.stages_ps.iter_mut().zip(stages) {
                *sum = stage.into();
            }
            let (mean, means) = totals.means(Span::from_ps(unit));
            prop_assert_eq!(means.iter().sum::<u64>(), mean);
            let divisor = u128::from(requests) * u128::from(unit);
            for (rounded, exact) in means.into_iter().zip(totals.stages_ps) {
                prop_assert!(u128::from(rounded) * divisor < exact + divisor);
                prop_assert!((u128::from(rounded) + 1) * divisor > exact);
            }
        }
    }

    #[test]
    fn no_requests_have_no_mean() {
        assert_eq!(Totals::default().means(Span::from_ps(1)), (0, [0; Stage::ALL.len()]));
    }
}
