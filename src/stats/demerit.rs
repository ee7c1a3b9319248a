//! The distance between a measured and a modelled distribution.

/// The demerit figure of Ruemmler and Wilkes ("An introduction to disk drive modeling", IEEE Computer 27(3),
/// 1994): the root mean square of the horizontal distance between the two distribution curves, in the unit of
/// the samples.
///
/// Samples of equal rank are compared. Of unequal numbers, the curve of the smaller set is read at the ranks
/// of the larger one (steps, no interpolation). None if a set is empty or holds a NaN.
pub fn demerit(real: &[f64], model: &[f64]) -> Option<f64> {
    if real.is_empty() || model.is_empty() || real.iter().chain(model).any(|x| x.is_nan()) {
        return None;
    }
    let (real, model) = (sorted(real), sorted(model));
    let ranks = real.len().max(model.len());
    let at = |samples: &[f64], rank: usize| samples[rank * samples.len() / ranks];
    let squares: f64 = (0..ranks).map(|rank| (at(&real, rank) - at(&model, rank)).powi(2)).sum();
    Some((squares / ranks as f64).sqrt())
}

/// The demerit figure as a share of the mean of the real samples, the form in which it is usually printed;
/// none if there is no demerit figure or that mean is zero.
pub fn relative_demerit(real: &[f64], model: &[f64]) -> Option<f64> {
    let mean = real.iter().sum::<f64>() / real.len() as f64;
    demerit(real, model).map(|distance| distance / mean).filter(|share| share.is_finite())
}

pub(super) fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut samples = samples.to_vec();
    samples.sort_unstable_by(f64::total_cmp);
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_its_own_demerit() {
        let real = [3.0, 1.0, 2.0, 8.0];
        let model: Vec<f64> = real.iter().rev().map(|x| x + 0.5).collect();
        assert_eq!(demerit(&real, &model), Some(0.5));
        assert_eq!(relative_demerit(&real, &model), Some(0.5 / 3.5));
        assert_eq!(demerit(&real, &real), Some(0.0));
    }

    #[test]
    fn large_distances_weigh_more() {
        assert_eq!(demerit(&[0.0, 0.0], &[3.0, 4.0]), Some((25.0_f64 / 2.0).sqrt()));
    }

    #[test]
    fn sets_of_unequal_size_are_compared_by_rank() {
        assert_eq!(demerit(&[1.0, 2.0], &[1.0, 1.0, 2.0, 2.0]), Some(0.0));
        assert_eq!(demerit(&[], &[1.0]), None);
        assert_eq!(demerit(&[f64::NAN], &[1.0]), None);
    }
}
