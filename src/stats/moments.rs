//! Count, mean, variance and extremes in one pass.

use serde::{Deserialize, Serialize};

use crate::units::Span;

/// Count, mean, variance and extremes of a sequence of figures, without keeping them.
///
/// Welford's update (Technometrics 4, 1962), merged after Chan, Golub and LeVeque (1979).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// Sum of squared distances from the mean.
    squares: f64,
    min: f64,
    max: f64,
}

impl Moments {
    /// Of nothing yet.
    pub fn new() -> Self {
        Moments::default()
    }

    /// Takes one figure in.
    pub fn record(&mut self, x: f64) {
        self.min = if self.count == 0 { x } else { self.min.min(x) };
        self.max = if self.count == 0 { x } else { self.max.max(x) };
        self.count += 1;
        let distance = x - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (x - self.mean);
    }

    /// Takes one span in, as picoseconds.
    pub fn record_span(&mut self, span: Span) {
        self.record(span.ps() as f64);
    }

    /// Takes everything in that `other` has seen.
    pub fn merge(&mut self, other: &Moments) {
        if self.count == 0 || other.count == 0 {
            if self.count == 0 {
                *self = *other;
            }
            return;
        }
        let (ours, theirs) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        self.count += other.count;
        self.mean += distance * theirs / (ours + theirs);
        self.squares += other.squares + distance * distance * ours * theirs / (ours + theirs);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// How many figures.
    pub fn count(&self) -> u64 {
        self.count
    }
    /// The mean; none of nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }
    /// The unbiased variance (divided by count - 1); none of fewer than two.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }
    /// The square root of the variance.
    pub fn std_dev(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }
    /// The least figure; none of nothing.
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }
    /// The greatest figure; none of nothing.
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(figures: I) -> Self {
        let mut moments = Moments::new();
        figures.into_iter().for_each(|x| moments.record(x));
        moments
    }
}

/// The median of samples, of an even number the upper one; none of none.
pub fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_figures() {
        let moments: Moments = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert_eq!(moments.mean(), Some(5.0));
        assert!((moments.variance().unwrap() - 32.0 / 7.0).abs() < 1e-12);
        assert_eq!((moments.min(), moments.max(), moments.count()), (Some(2.0), Some(9.0), 8));
    }

    #[test]
    fn nothing_and_one_have_no_variance() {
        let mut moments = Moments::new();
        assert_eq!((moments.mean(), moments.min(), moments.variance()), (None, None, None));
        moments.record_span(Span::from_ns(3));
        assert_eq!((moments.mean(), moments.variance()), (Some(3000.0), None));
    }

    #[test]
    fn a_large_offset_does_not_drown_the_variance() {
        let moments: Moments = [4.0, 7.0, 13.0, 16.0].into_iter().map(|x| x + 1e9).collect();
        assert!((moments.variance().unwrap() - 30.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn merging_is_recording_everything(
            a in prop::collection::vec(-1e3_f64..1e3, 0..20),
            b in prop::collection::vec(-1e3_f64..1e3, 0..20),
        ) {
            let mut merged: Moments = a.iter().copied().collect();
            merged.merge(&b.iter().copied().collect());
            let whole: Moments = a.iter().chain(&b).copied().collect();
            prop_assert_eq!((merged.count(), merged.min(), merged.max()), (whole.count(), whole.min(), whole.max()));
            let near = |x: Option<f64>, y: Option<f64>| (x.unwrap_or(0.0) - y.unwrap_or(0.0)).abs() < 1e-6;
            prop_assert!(near(merged.mean(), whole.mean()) && near(merged.variance(), whole.variance()));
        }
    }
}
