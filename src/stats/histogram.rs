//! The distribution of response times.

use std::fmt;

use hdrhistogram::Histogram;

use crate::units::Span;

/// How response times are distributed: counts in bins of 0.1 % width, exact count, sum and extremes.
///
/// Models: every span from 0 to 200 days; below 1 ns the bins are no finer than 0.5 ns.
/// Invariant: counts are integers, so merging in any order gives the same histogram.
#[derive(Clone)]
pub struct LatencyHistogram {
    bins: Histogram<u64>,
    total_ps: u128,
    min: Span,
    max: Span,
}

/// Bins are told apart by this many decimal digits.
const DIGITS: u8 = 3;
/// Shorter spans than this need not be told apart.
const FINEST_PS: u64 = 1_000;
/// Room for 100 ms from the start; the histogram grows beyond that by itself.
const FIRST_ROOM_PS: u64 = 100_000_000_000;

impl LatencyHistogram {
    /// An empty histogram.
    pub fn new() -> Self {
        let mut bins = Histogram::new_with_bounds(FINEST_PS, FIRST_ROOM_PS, DIGITS)
            .expect("bounds at least a factor of two apart and at most five digits are valid");
        bins.auto(true);
        LatencyHistogram { bins, total_ps: 0, min: Span::from_ps(u64::MAX), max: Span::ZERO }
    }

    /// Takes one response time in.
    pub fn record(&mut self, span: Span) {
        // Growing on demand, the histogram takes every value; were it not, the last bin would.
        if self.bins.record(span.ps()).is_err() {
            self.bins.saturating_record(span.ps());
        }
        self.total_ps += u128::from(span.ps());
        self.min = self.min.min(span);
        self.max = self.max.max(span);
    }

    /// Takes everything in that `other` has seen.
    pub fn merge(&mut self, other: &LatencyHistogram) {
        let added = self.bins.add(&other.bins);
        debug_assert!(added.is_ok(), "both histograms grow on demand");
        self.total_ps += other.total_ps;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = LatencyHistogram::new();
    }

    /// How many response times.
    pub fn count(&self) -> u64 {
        self.bins.len()
    }
    /// The exact sum in picoseconds.
    pub fn total_ps(&self) -> u128 {
        self.total_ps
    }
    /// The exact mean, rounded down to a picosecond; none of nothing.
    pub fn mean(&self) -> Option<Span> {
        let count = u128::from(self.count());
        // A mean is no greater than the greatest span, so it fits.
        (count > 0).then(|| Span::from_ps((self.total_ps / count) as u64))
    }
    /// The shortest, exactly; none of nothing.
    pub fn min(&self) -> Option<Span> {
        (self.count() > 0).then_some(self.min)
    }
    /// The longest, exactly; none of nothing.
    pub fn max(&self) -> Option<Span> {
        (self.count() > 0).then_some(self.max)
    }
    /// The standard deviation from the middles of the bins; none of nothing.
    pub fn std_dev(&self) -> Option<Span> {
        (self.count() > 0).then(|| Span::from_ps(self.bins.stdev().round() as u64))
    }
    /// The span that `percent` of the response times (0 to 100, clipped) do not exceed, to 0.1 %; none of
    /// nothing. Never outside the exact extremes.
    pub fn percentile(&self, percent: f64) -> Option<Span> {
        let value = Span::from_ps(self.bins.value_at_percentile(percent.clamp(0.0, 100.0)));
        (self.count() > 0).then(|| value.clamp(self.min, self.max))
    }
    /// The non-empty bins: the longest span of each and its count, shortest first.
    pub fn bins(&self) -> impl Iterator<Item = (Span, u64)> + '_ {
        self.bins.iter_recorded().map(|bin| (Span::from_ps(bin.value_iterated_to()), bin.count_at_value()))
    }
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        LatencyHistogram::new()
    }
}

/// A summary; the bins are thousands.
impl fmt::Debug for LatencyHistogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = (self.min(), self.percentile(50.0), self.percentile(99.0), self.max());
        f.debug_struct("LatencyHistogram")
            .field("count", &self.count())
            .field("mean", &self.mean())
            .field("min_p50_p99_max", &summary)
            .finish()
    }
}

impl PartialEq for LatencyHistogram {
    fn eq(&self, other: &Self) -> bool {
        self.bins == other.bins
            && self.total_ps == other.total_ps
            && (self.min, self.max) == (other.min, other.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn percentiles_are_right_to_a_thousandth() {
        let mut histogram = LatencyHistogram::new();
        for us in 1..=10_000 {
            histogram.record(Span::from_us(f64::from(us)));
        }
        for (percent, us) in [(50.0, 5_000.0), (99.0, 9_900.0), (99.9, 9_990.0)] {
            let found = histogram.percentile(percent).unwrap().as_us();
            assert!((found / us - 1.0).abs() < 1e-3, "{percent}: {found}");
        }
        assert_eq!(histogram.mean(), Some(Span::from_us(5000.5)));
        assert_eq!(histogram.percentile(0.0), Some(Span::from_us(1.0)));
        assert_eq!(histogram.percentile(100.0), Some(Span::from_us(10_000.0)));
        assert_eq!(
            (histogram.min(), histogram.max()),
            (Some(Span::from_us(1.0)), Some(Span::from_us(10_000.0)))
        );
    }

    #[test]
    fn extremes_of_time_fit_and_nothing_has_no_figures() {
        let mut histogram = LatencyHistogram::new();
        assert_eq!((histogram.mean(), histogram.percentile(50.0), histogram.std_dev()), (None, None, None));
        histogram.record(Span::ZERO);
        histogram.record(Span::from_ps(u64::MAX));
        assert_eq!(histogram.count(), 2);
        assert_eq!(histogram.max(), Some(Span::from_ps(u64::MAX)));
        histogram.reset();
        assert_eq!(histogram, LatencyHistogram::new());
    }

    proptest! {
        #[test]
        fn merging_in_any_order_gives_the_same(
            a in prop::collection::vec(0_u64..1 << 40, 0..30),
            b in prop::collection::vec(0_u64..1 << 60, 0..30),
        ) {
            let of = |spans: &[u64]| {
                let mut histogram = LatencyHistogram::new();
                spans.iter().for_each(|&ps| histogram.record(Span::from_ps(ps)));
                histogram
            };
            let (mut ab, mut ba) = (of(&a), of(&b));
            ab.merge(&of(&b));
            ba.merge(&of(&a));
            let whole = of(&[a, b].concat());
            prop_assert!(ab == whole && ba == whole);
            let counted: u64 = whole.bins().map(|(_, count)| count).sum();
            prop_assert_eq!(counted, whole.count());
        }
    }
}
