//! Confidence intervals over repeated runs.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::Moments;

/// A mean over runs and how far the true mean may be from it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean over the runs; NaN of no runs.
    pub mean: f64,
    /// Half the width of the confidence interval; none of fewer than two runs.
    pub half_width: Option<f64>,
    /// How many runs.
    pub n: usize,
}

impl Estimate {
    /// The least and the greatest value of the interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.half_width.map(|half| (self.mean - half, self.mean + half))
    }
    /// Whether the interval holds `value`; none if there is no interval.
    pub fn holds(&self, value: f64) -> Option<bool> {
        self.interval().map(|(low, high)| (low..=high).contains(&value))
    }
}

/// The mean of independent runs with Student's interval at `confidence` (0.95 is usual; 0 to 1 exclusive,
/// otherwise there is no interval).
pub fn mean_ci(samples: &[f64], confidence: f64) -> Estimate {
    let moments: Moments = samples.iter().copied().collect();
    let half_width = moments.std_dev().and_then(|deviation| {
        let quantile = student_t(confidence, samples.len() - 1)?;
        Some(quantile * deviation / (samples.len() as f64).sqrt())
    });
    Estimate { mean: moments.mean().unwrap_or(f64::NAN), half_width, n: samples.len() }
}

/// The ratio of the first to the second of paired runs (same seed, two configurations), at 95 % confidence.
///
/// The mean is the ratio of the means; the width is that of Student's interval over the ratios of the pairs,
/// in which the variation that both runs of a pair share cancels. There is no interval if a divisor is zero or
/// a figure is not finite.
pub fn ratio_ci(pairs: &[(f64, f64)]) -> Estimate {
    let ratios: Vec<f64> = pairs.iter().map(|(above, below)| above / below).collect();
    let (above, below): (f64, f64) = pairs.iter().fold((0.0, 0.0), |(a, b), pair| (a + pair.0, b + pair.1));
    let half_width = mean_ci(&ratios, 0.95).half_width.filter(|half| half.is_finite());
    Estimate { mean: above / below, half_width, n: pairs.len() }
}

/// The two-sided quantile of Student's t.
fn student_t(confidence: f64, degrees: usize) -> Option<f64> {
    if !(0.0 < confidence && confidence < 1.0) {
        return None;
    }
    let distribution = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
    Some(distribution.inverse_cdf(0.5 + confidence / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_the_printed_table() {
        for (confidence, degrees, expected) in
            [(0.95, 9, 2.262_157), (0.95, 1, 12.706_205), (0.99, 4, 4.604_095), (0.90, 29, 1.699_127)]
        {
            let found = student_t(confidence, degrees).unwrap();
            assert!((found - expected).abs() < 1e-5, "t({confidence}; {degrees}) = {found}");
        }
    }

    #[test]
    fn ten_runs_give_a_known_interval() {
        let samples: Vec<f64> = (1..=10).map(f64::from).collect();
        let estimate = mean_ci(&samples, 0.95);
        // s = sqrt(55/6); half width = 2.262157 * s / sqrt(10).
        assert_eq!((estimate.mean, estimate.n), (5.5, 10));
        assert!(
            (estimate.half_width.unwrap() - 2.262_157 * (55.0_f64 / 6.0).sqrt() / 10_f64.sqrt()).abs() < 1e-6
        );
        assert_eq!((estimate.holds(5.0), estimate.holds(9.0)), (Some(true), Some(false)));
    }

    #[test]
    fn too_few_runs_have_no_interval() {
        assert!(mean_ci(&[], 0.95).mean.is_nan());
        assert_eq!(mean_ci(&[3.0], 0.95), Estimate { mean: 3.0, half_width: None, n: 1 });
        assert_eq!(mean_ci(&[3.0, 4.0], 1.0).half_width, None);
        assert_eq!(mean_ci(&[3.0, 3.0], 0.95).half_width, Some(0.0));
    }

    #[test]
    fn what_paired_runs_share_cancels() {
        let noise = [1.0, 1.5, 0.7, 1.2];
        let pairs: Vec<(f64, f64)> = noise.iter().map(|x| (40.0 * x, 20.0 * x)).collect();
        let estimate = ratio_ci(&pairs);
        assert!((estimate.mean - 2.0).abs() < 1e-12);
        assert!(estimate.half_width.unwrap() < 1e-9);
        assert_eq!(ratio_ci(&[(1.0, 0.0), (1.0, 1.0)]).half_width, None);
    }
}
