//! How small a demerit figure can be before it says nothing.

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::demerit::sorted;
use crate::sim::Stream;

/// The demerit figure that chance alone makes between two samples of one distribution: a difference between two models
/// that is smaller proves nothing.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SamplingFloor {
    /// Mean over the pairs of resamples, in the unit of the sample.
    pub mean: f64,
    /// What 95 % of the pairs do not exceed.
    pub p95: f64,
    /// Pairs of resamples drawn.
    pub pairs: usize,
}

/// The sampling floor by the bootstrap of Efron (Annals of Statistics 7(1), 1979): `pairs` times, two resamples as large
/// as `real` are drawn from it with replacement and their [`demerit`](super::demerit) is taken.
///
/// None if `real` has fewer than two figures or holds a NaN, or if there are no pairs.
pub fn sampling_floor(real: &[f64], pairs: usize, random: &mut Stream) -> Option<SamplingFloor> {
    if real.len() < 2 || real.len() > u32::MAX as usize || pairs == 0 || real.iter().any(|x| x.is_nan()) {
        return None;
    }
    let real = sorted(real);
    let mut counts = [vec![0_u32; real.len()], vec![0_u32; real.len()]];
    let mut found: Vec<f64> = Vec::with_capacity(pairs);
    for _ in 0..pairs {
        counts.iter_mut().for_each(|counts| counts.fill(0));
        for _ in 0..real.len() {
            // Two draws of 32 bits from one of 64.
            let bits = random.next_u64();
            for (counts, bits) in counts.iter_mut().zip([bits >> 32, bits & u64::from(u32::MAX)]) {
                counts[((bits * real.len() as u64) >> 32) as usize] += 1;
            }
        }
        found.push(distance(&real, &counts[0], &counts[1]));
    }
    let mean = found.iter().sum::<f64>() / pairs as f64;
    let rank = (pairs * 95).div_ceil(100) - 1;
    Some(SamplingFloor { mean, p95: sorted(&found)[rank], pairs })
}

/// The root mean squared difference of equal ranks of two resamples, each given by how often it holds each figure of the
/// sorted sample.
fn distance(real: &[f64], one: &[u32], other: &[u32]) -> f64 {
    let mut squares = 0.0;
    let (mut i, mut j) = (0, 0);
    let (mut left_i, mut left_j) = (one[0], other[0]);
    let mut ranks = real.len();
    while ranks > 0 {
        while left_i == 0 {
            i += 1;
            left_i = one[i];
        }
        while left_j == 0 {
            j += 1;
            left_j = other[j];
        }
        let run = left_i.min(left_j);
        squares += f64::from(run) * (real[i] - real[j]).powi(2);
        left_i -= run;
        left_j -= run;
        ranks -= run as usize;
    }
    (squares / real.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;
    use crate::stats::demerit;
    use proptest::prelude::*;

    fn stream(seed: u64) -> Stream {
        Streams::new(seed).stream("score", "bootstrap")
    }

    #[test]
    fn the_same_seed_gives_the_same_floor() {
        let real: Vec<f64> = (0..500).map(|x| f64::from(x * x % 97)).collect();
        let floor = |seed| sampling_floor(&real, 50, &mut stream(seed)).unwrap();
        assert_eq!(floor(1), floor(1));
        assert_ne!(floor(1), floor(2));
        assert!(floor(1).mean < floor(1).p95);
    }

    #[test]
    fn what_does_not_vary_has_no_floor_and_too_little_none_at_all() {
        let flat = sampling_floor(&[3.0; 20], 10, &mut stream(1)).unwrap();
        assert_eq!((flat.mean, flat.p95), (0.0, 0.0));
        for real in [&[][..], &[1.0], &[1.0, f64::NAN]] {
            assert_eq!(sampling_floor(real, 10, &mut stream(1)), None);
        }
        assert_eq!(sampling_floor(&[1.0, 2.0], 0, &mut stream(1)), None);
    }

    /// Of a uniform distribution on 0 to 1, the squared distance of two samples of n is that of two Brownian bridges:
    /// 2 * the integral of u(1-u) / n = 1 / (3n) in the mean.
    #[test]
    fn the_floor_of_a_uniform_sample_is_the_theoretical_one() {
        let n = 2_000;
        let real: Vec<f64> = (0..n).map(|i| (f64::from(i) + 0.5) / f64::from(n)).collect();
        let floor = sampling_floor(&real, 400, &mut stream(3)).unwrap();
        let root_mean_square = (1.0 / (3.0 * f64::from(n))).sqrt();
        // The mean of a root lies below the root of the mean.
        assert!((0.85..1.0).contains(&(floor.mean / root_mean_square)), "{floor:?}");
    }

    proptest! {
        #[test]
        fn resamples_as_counts_have_the_demerit_of_resamples_as_lists(
            real in prop::collection::vec(0.0_f64..100.0, 1..40),
            picks in prop::collection::vec((0_usize..40, 0_usize..40), 40),
        ) {
            let real = sorted(&real);
            let picks: Vec<(usize, usize)> =
                picks[..real.len()].iter().map(|(a, b)| (a % real.len(), b % real.len())).collect();
            let list = |index: fn(&(usize, usize)) -> usize| -> Vec<usize> { picks.iter().map(index).collect() };
            let (one, other) = (list(|pick| pick.0), list(|pick| pick.1));
            let counts = |list: &[usize]| -> Vec<u32> {
                (0..real.len()).map(|i| list.iter().filter(|pick| **pick == i).count() as u32).collect()
            };
            let values = |list: &[usize]| -> Vec<f64> { list.iter().map(|i| real[*i]).collect() };
            let found = distance(&real, &counts(&one), &counts(&other));
            let expected = demerit(&values(&one), &values(&other)).unwrap();
            prop_assert!((found - expected).abs() <= 1e-9 * (1.0 + expected));
        }
    }
}
