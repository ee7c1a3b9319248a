//! How far modelled response times are from measured ones.

use serde::{Deserialize, Serialize};

use super::floor::{SamplingFloor, sampling_floor};
use super::{LatencyHistogram, demerit};
use crate::sim::Stream;
use crate::units::Span;

/// Pairs that are kept one by one; more are counted in bins, so that memory does not grow.
const KEPT_MAX: usize = 32_768;

/// The figures by which a model is judged against a measurement of the same requests. Times are in ms.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Score {
    /// Requests.
    pub requests: u64,
    /// Mean of the measured response times.
    pub real_mean_ms: f64,
    /// Mean of the modelled response times.
    pub model_mean_ms: f64,
    /// The [`demerit`] figure: the distance of the two distributions.
    pub demerit_ms: f64,
    /// Root mean square of the differences, request by request.
    pub rms_error_ms: f64,
    /// Mean of the differences, model less measurement.
    pub mean_error_ms: f64,
    /// Pearson's correlation, request by request; none if either does not vary.
    pub correlation: Option<f64>,
    /// The demerit figure that chance alone makes; none if it has not been asked for or not every pair is kept.
    pub floor: Option<SamplingFloor>,
}

impl Score {
    /// The demerit figure in percent of the measured mean.
    pub fn demerit_percent(&self) -> f64 {
        100.0 * self.demerit_ms / self.real_mean_ms
    }
}

/// Measured and modelled response times of the same requests, taken in one after the other in bounded memory.
///
/// Up to 32,768 pairs are kept, and their demerit figure is exact; the distributions of more are counted in bins of 0.1 %
/// width.
#[derive(Clone, Debug, Default)]
pub struct Scorer {
    kept: Vec<(f64, f64)>,
    binned: Option<Box<[LatencyHistogram; 2]>>,
    moments: PairMoments,
}

impl Scorer {
    /// Of nothing yet.
    pub fn new() -> Self {
        Scorer::default()
    }

    /// Takes the times of one request in.
    pub fn record(&mut self, real: Span, model: Span) {
        let pair = (real.as_ms(), model.as_ms());
        self.moments.record(pair.0, pair.1);
        if self.kept.len() < KEPT_MAX {
            self.kept.push(pair);
            return;
        }
        let kept = &self.kept;
        let bins = self.binned.get_or_insert_with(|| Box::new(binned(kept)));
        bins[0].record(real);
        bins[1].record(model);
    }

    /// The pairs that are kept, measured and modelled in ms, in the order in which they came: all of up to 32,768, the
    /// first ones of more.
    pub fn kept(&self) -> &[(f64, f64)] {
        &self.kept
    }

    /// How many pairs came.
    pub fn requests(&self) -> u64 {
        self.moments.count
    }

    /// The figures; none of nothing.
    pub fn score(&self) -> Option<Score> {
        let moments = &self.moments;
        let demerit_ms = match self.binned.as_deref() {
            Some([real, model]) => binned_demerit(real, model),
            None => demerit(&self.reals(), &self.models())?,
        };
        Some(Score {
            requests: moments.count,
            real_mean_ms: moments.real_mean,
            model_mean_ms: moments.model_mean,
            demerit_ms,
            rms_error_ms: (moments.squared_errors / moments.count as f64).sqrt(),
            mean_error_ms: moments.model_mean - moments.real_mean,
            correlation: moments.correlation(),
            floor: None,
        })
    }

    /// The figures with the sampling floor of `pairs` pairs of resamples.
    pub fn score_with_floor(&self, pairs: usize, random: &mut Stream) -> Option<Score> {
        let floor = if self.binned.is_none() { sampling_floor(&self.reals(), pairs, random) } else { None };
        self.score().map(|score| Score { floor, ..score })
    }

    fn reals(&self) -> Vec<f64> {
        self.kept.iter().map(|pair| pair.0).collect()
    }

    fn models(&self) -> Vec<f64> {
        self.kept.iter().map(|pair| pair.1).collect()
    }
}

fn binned(kept: &[(f64, f64)]) -> [LatencyHistogram; 2] {
    let mut bins = [LatencyHistogram::new(), LatencyHistogram::new()];
    for (real, model) in kept {
        bins[0].record(Span::from_ms(*real));
        bins[1].record(Span::from_ms(*model));
    }
    bins
}

/// The demerit figure of two distributions of equally many times, each time taken as the upper end of its bin.
fn binned_demerit(real: &LatencyHistogram, model: &LatencyHistogram) -> f64 {
    let mut models = model.bins();
    let (mut at, mut left) = (Span::ZERO, 0);
    let mut squares = 0.0;
    for (real, mut count) in real.bins() {
        while count > 0 {
            if left == 0 {
                let Some(next) = models.next() else { break };
                (at, left) = next;
            }
            let run = left.min(count);
            squares += run as f64 * (real.as_ms() - at.as_ms()).powi(2);
            left -= run;
            count -= run;
        }
    }
    (squares / real.count() as f64).sqrt()
}

/// Means, variances and covariance of pairs in one pass, after Welford (Technometrics 4, 1962).
#[derive(Clone, Copy, Debug, Default)]
struct PairMoments {
    count: u64,
    real_mean: f64,
    model_mean: f64,
    real_squares: f64,
    model_squares: f64,
    products: f64,
    squared_errors: f64,
}

impl PairMoments {
    fn record(&mut self, real: f64, model: f64) {
        self.count += 1;
        let (from_real, from_model) = (real - self.real_mean, model - self.model_mean);
        self.real_mean += from_real / self.count as f64;
        self.model_mean += from_model / self.count as f64;
        self.real_squares += from_real * (real - self.real_mean);
        self.model_squares += from_model * (model - self.model_mean);
        self.products += from_real * (model - self.model_mean);
        self.squared_errors += (model - real).powi(2);
    }

    fn correlation(&self) -> Option<f64> {
        let scale = (self.real_squares * self.model_squares).sqrt();
        (scale > 0.0).then(|| (self.products / scale).clamp(-1.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;
    use proptest::prelude::*;

    fn scorer(pairs: &[(f64, f64)]) -> Scorer {
        let mut scorer = Scorer::new();
        pairs.iter().for_each(|(real, model)| scorer.record(Span::from_ms(*real), Span::from_ms(*model)));
        scorer
    }

    #[test]
    fn figures_of_a_few_pairs_are_those_on_paper() {
        let score = scorer(&[(1.0, 2.0), (2.0, 1.0), (3.0, 6.0)]).score().unwrap();
        assert_eq!((score.requests, score.real_mean_ms, score.model_mean_ms), (3, 2.0, 3.0));
        // By rank: 1-1, 2-2, 3-6; by request: +1, -1, +3.
        assert!((score.demerit_ms - 3.0_f64.sqrt()).abs() < 1e-12);
        assert!((score.rms_error_ms - (11.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(score.mean_error_ms, 1.0);
        // 4 / sqrt(2 * 14).
        assert!((score.correlation.unwrap() - 4.0 / 28.0_f64.sqrt()).abs() < 1e-12);
        assert!((score.demerit_percent() - 50.0 * 3.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(scorer(&[]).score(), None);
        assert_eq!(scorer(&[(1.0, 1.0), (1.0, 2.0)]).score().unwrap().correlation, None);
    }

    #[test]
    fn more_pairs_than_are_kept_are_counted_in_bins() {
        let pairs: Vec<(f64, f64)> = (0..KEPT_MAX as u64 + 5_000)
            .map(|i| ((i * 7_919 % 20_011) as f64 * 1e-3, (i * 104_729 % 20_011) as f64 * 1.03e-3 + 0.1))
            .collect();
        let scorer = scorer(&pairs);
        assert_eq!((scorer.kept().len(), scorer.requests()), (KEPT_MAX, pairs.len() as u64));
        let (real, model): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let exact = demerit(&real, &model).unwrap();
        let found = scorer.score_with_floor(10, &mut Streams::new(1).stream("score", "bootstrap")).unwrap();
        assert!((found.demerit_ms / exact - 1.0).abs() < 5e-3, "{} for {exact}", found.demerit_ms);
        assert_eq!(found.floor, None);
    }

    proptest! {
        #[test]
        fn the_demerit_never_exceeds_the_error_by_request(
            pairs in prop::collection::vec((0.0_f64..100.0, 0.0_f64..100.0), 1..60),
        ) {
            // Of all pairings of two samples, that by rank has the least squares.
            let score = scorer(&pairs).score().unwrap();
            prop_assert!(score.demerit_ms <= score.rms_error_ms * (1.0 + 1e-9) + 1e-9);
            prop_assert!(score.mean_error_ms.abs() <= score.demerit_ms * (1.0 + 1e-9) + 1e-9);
        }
    }
}
