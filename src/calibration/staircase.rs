//! Zones out of measured rates: a staircase fitted to readings over the addresses.
//!
//! The steps are change points of a piecewise constant rate: the least squares plus a penalty a step, found exactly by
//! dynamic programming (Jackson et al., "An algorithm for optimal partitioning of data on an interval", IEEE Signal
//! Processing Letters 12, 2005). A lone reading between two levels crossed a border and belongs to neither; one that
//! lies outside of both is an outlier. Rates never rise towards the inner edge: levels that would are pooled.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::readings::RateReading;
use crate::stats::median;

/// A run of addresses with one rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// First sector.
    pub first_lba: f64,
    /// How far the first sector may be off, in sectors: half the way between the readings on both sides.
    pub first_half: f64,
    /// Mean rate, in MB/s of 10^6 bytes.
    pub mb_s: f64,
    /// Half the width of its interval at 95 %.
    pub half_mb_s: f64,
    /// Readings that agree on it.
    pub readings: usize,
}

/// A staircase of rates from the outer edge inwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Staircase {
    /// The steps; at least one.
    pub levels: Vec<Level>,
    /// Root mean square of the readings' distance from their level, in MB/s.
    pub residual_mb_s: f64,
    /// Readings used.
    pub used: usize,
    /// Readings left out: on a border, or far off.
    pub left_out: usize,
    /// Those of them that are far off.
    pub outliers: Vec<RateReading>,
    /// Standard deviation of one reading, by its neighbours, in MB/s.
    pub deviation_mb_s: f64,
    /// Steps at which the rate rose towards the inner edge; the readings on both sides were taken together.
    pub rises: usize,
    /// Mean rates of the first and of the last tenth of the readings, in MB/s.
    pub ends_mb_s: [f64; 2],
    /// First and last address that was measured.
    pub covered: [f64; 2],
}

/// Most readings that are searched one by one; more are first averaged in groups of neighbours.
const POINTS_MAX: usize = 1500;
/// Most zones of a drive.
const LEVELS_MAX: usize = 64;
/// Weight of a step: so many times the variance of a reading times the logarithm of their number. A border and a rate
/// are two parameters, whose criterion by Schwarz is 2; 3 also pays for the choice of the border.
const PENALTY: f64 = 3.0;
/// Least deviation of a reading, as a share of the rate: benchmarks print no finer.
const RESOLUTION: f64 = 5e-4;
/// Least fall of a step, as a share of the rate: even 64 zones fall by more, and where a reading begins in its track
/// shifts it by some tenths of a percent.
const STEP_LEAST: f64 = 5e-3;
/// Deviations from the neighbours' median beyond which a reading counts as an outlier.
const OUTLIER: f64 = 6.0;
/// Neighbours on each side that are asked.
const NEIGHBOURS: usize = 3;

/// The staircase through `readings`, which are sorted by address and at least two.
pub fn staircase(readings: &[RateReading]) -> Staircase {
    let points = grouped(readings);
    let (kept, outliers, deviation) = without_outliers(&points, deviation(&points));
    let (cuts, penalty) = segments(&kept, deviation);
    let runs = without_crossings(&kept, &cuts);
    let (pooled, rises) = pooled(&kept, &runs, penalty);
    let used: usize = pooled.iter().map(Vec::len).sum();
    let squares: f64 = pooled.iter().map(|run| squares(run)).sum();
    let degrees = used.saturating_sub(pooled.len()).max(1) as f64;
    let spread = (squares / degrees).sqrt().max(RESOLUTION * mean(&kept));
    // Of few degrees of freedom the quantile is wide; it exists for any number above none.
    let quantile = StudentsT::new(0.0, 1.0, degrees).map_or(2.0, |t| t.inverse_cdf(0.975));
    let mut levels: Vec<Level> = Vec::with_capacity(pooled.len());
    for (index, run) in pooled.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| pooled[before].last()).map(|reading| reading.lba);
        let first = run.first().map_or(0.0, |reading| reading.lba);
        levels.push(Level {
            first_lba: before.map_or(0.0, |before| 0.5 * (before + first)),
            first_half: before.map_or(0.0, |before| 0.5 * (first - before)),
            mb_s: mean(run),
            half_mb_s: quantile * spread / (run.len() as f64).sqrt(),
            readings: run.len(),
        });
    }
    let residual_mb_s = (squares / used.max(1) as f64).sqrt();
    let tenth = kept.len().div_ceil(10);
    Staircase {
        levels,
        residual_mb_s,
        used,
        left_out: points.len() - used,
        outliers,
        deviation_mb_s: deviation,
        rises,
        ends_mb_s: [mean(&kept[..tenth]), mean(&kept[kept.len() - tenth..])],
        covered: [points.first(), points.last()].map(|point| point.map_or(0.0, |point| point.lba)),
    }
}

/// Neighbours averaged, so that there are few enough of them.
fn grouped(readings: &[RateReading]) -> Vec<RateReading> {
    let size = readings.len().div_ceil(POINTS_MAX).max(1);
    let average = |group: &[RateReading]| RateReading {
        lba: group.iter().map(|reading| reading.lba).sum::<f64>() / group.len() as f64,
        mb_s: mean(group),
    };
    readings.chunks(size).map(average).collect()
}

fn mean(run: &[RateReading]) -> f64 {
    run.iter().map(|reading| reading.mb_s).sum::<f64>() / run.len().max(1) as f64
}

fn squares(run: &[RateReading]) -> f64 {
    let mean = mean(run);
    run.iter().map(|reading| (reading.mb_s - mean).powi(2)).sum()
}

/// Standard deviation of one reading, from differences of neighbours: steps are few, so the median does not see them.
fn deviation(points: &[RateReading]) -> f64 {
    // Of normal deviations the median magnitude is 0.6745; a difference has two of them.
    const MEDIAN: f64 = 0.6745;
    let steps: Vec<f64> = points.windows(2).map(|pair| (pair[1].mb_s - pair[0].mb_s).abs()).collect();
    (median(&steps).unwrap_or(0.0) / MEDIAN / 2.0_f64.sqrt()).max(RESOLUTION * mean(points))
}

/// The readings that lie near one of the medians before and behind them, or between the two, the others, and the
/// deviation.
///
/// Outliers are few by definition: if more than one in ten would be, the deviation is greater than the median showed,
/// as of readings that nearly all agree exactly.
fn without_outliers(points: &[RateReading], mut deviation: f64) -> (Vec<RateReading>, Vec<RateReading>, f64) {
    const DOUBLINGS: u32 = 12;
    let level = |from: usize, to: usize| {
        let rates: Vec<f64> = points[from..to].iter().map(|point| point.mb_s).collect();
        median(&rates).unwrap_or(0.0)
    };
    let near = |index: usize, deviation: f64| {
        let (low, high) = (index.saturating_sub(NEIGHBOURS), (index + NEIGHBOURS + 1).min(points.len()));
        let (before, behind) = (level(low, index.max(1)), level((index + 1).min(points.len() - 1), high));
        let (least, most) = (before.min(behind), before.max(behind));
        let rate = points[index].mb_s;
        rate > least - OUTLIER * deviation && rate < most + OUTLIER * deviation
    };
    for _ in 0..DOUBLINGS {
        let (near, far): (Vec<usize>, Vec<usize>) =
            (0..points.len()).partition(|index| near(*index, deviation));
        if near.len() * 10 >= points.len() * 9 {
            let of = |places: Vec<usize>| places.into_iter().map(|index| points[index]).collect();
            return (of(near), of(far), deviation);
        }
        deviation *= 2.0;
    }
    (points.to_vec(), Vec::new(), deviation)
}

/// Where segments begin, the first at 0: least squares plus a penalty a segment, with the penalty doubled until there
/// are at most [`LEVELS_MAX`]; and that penalty.
fn segments(points: &[RateReading], deviation: f64) -> (Vec<usize>, f64) {
    let mut penalty = PENALTY * deviation.powi(2) * (points.len().max(2) as f64).ln();
    loop {
        let cuts = partition(points, penalty);
        if cuts.len() <= LEVELS_MAX {
            return (cuts, penalty);
        }
        penalty *= 2.0;
    }
}

fn partition(points: &[RateReading], penalty: f64) -> Vec<usize> {
    // Rates are summed less their mean, which keeps the differences of the sums exact enough.
    let centre = mean(points);
    let mut sums = vec![(0.0, 0.0)];
    for point in points {
        let (sum, square) = sums[sums.len() - 1];
        let rate = point.mb_s - centre;
        sums.push((sum + rate, square + rate * rate));
    }
    let cost = |from: usize, to: usize| {
        let (sum, square) = (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1);
        (square - sum * sum / (to - from) as f64).max(0.0)
    };
    // The least cost of the first readings, and where its last segment begins.
    let mut best = vec![(-penalty, 0)];
    for to in 1..=points.len() {
        let mut least = (f64::INFINITY, 0);
        for (from, before) in best.iter().enumerate() {
            let whole = before.0 + penalty + cost(from, to);
            if whole < least.0 {
                least = (whole, from);
            }
        }
        best.push(least);
    }
    let mut cuts = Vec::new();
    let mut to = points.len();
    while to > 0 {
        to = best[to].1;
        cuts.push(to);
    }
    cuts.reverse();
    cuts
}

/// Segments as ranges of readings, without lone readings between others.
fn without_crossings(points: &[RateReading], cuts: &[usize]) -> Vec<(usize, usize)> {
    let ends = cuts.iter().skip(1).copied().chain([points.len()]);
    let all: Vec<(usize, usize)> = cuts.iter().copied().zip(ends).collect();
    let lasting: Vec<(usize, usize)> = all.iter().copied().filter(|(from, to)| to - from > 1).collect();
    if lasting.is_empty() { all } else { lasting }
}

/// Runs of readings whose means fall; neighbours that would rise, or that differ by less than pays for a step now that
/// lone readings between them have gone, are taken together. And how many rose by as much as pays for a step.
fn pooled(points: &[RateReading], runs: &[(usize, usize)], penalty: f64) -> (Vec<Vec<RateReading>>, usize) {
    let is_fall = |before: &[RateReading], run: &[RateReading]| {
        let (fall, ours, theirs) = (mean(before) - mean(run), run.len() as f64, before.len() as f64);
        fall > STEP_LEAST * mean(run) && fall * fall * ours * theirs / (ours + theirs) > penalty
    };
    let of = |&(from, to): &(usize, usize)| &points[from..to];
    let rises = runs.windows(2).filter(|pair| is_fall(of(&pair[1]), of(&pair[0]))).count();
    let mut pooled: Vec<Vec<RateReading>> = Vec::with_capacity(runs.len());
    for run in runs {
        let mut run = of(run).to_vec();
        while let Some(before) = pooled.pop_if(|before| !is_fall(before, &run)) {
            run = [before, run].concat();
        }
        pooled.push(run);
    }
    (pooled, rises)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    /// Readings at equal distances, by their rates.
    fn readings(rates: &[f64]) -> Vec<RateReading> {
        let of = |(index, &mb_s): (usize, &f64)| RateReading { lba: index as f64 * 1000.0, mb_s };
        rates.iter().enumerate().map(of).collect()
    }

    #[test]
    fn exact_steps_come_out_exactly() {
        let found = staircase(&readings(&[40.0, 40.0, 40.0, 40.0, 36.0, 36.0, 36.0, 20.0, 20.0, 20.0]));
        let levels: Vec<(f64, f64, usize)> =
            found.levels.iter().map(|level| (level.first_lba, level.mb_s, level.readings)).collect();
        assert_eq!(levels, [(0.0, 40.0, 4), (3500.0, 36.0, 3), (6500.0, 20.0, 3)]);
        assert_eq!((found.residual_mb_s, found.left_out), (0.0, 0));
        assert_eq!(found.levels[1].first_half, 500.0);
    }

    #[test]
    fn crossings_and_outliers_belong_to_no_level() {
        let mut rates = vec![40.0; 9];
        rates.extend([38.0, 36.0, 36.0, 36.0, 36.0, 12.0, 36.0, 36.0, 36.0]);
        let found = staircase(&readings(&rates));
        let levels: Vec<f64> = found.levels.iter().map(|level| level.mb_s).collect();
        assert_eq!(levels, [40.0, 36.0]);
        assert_eq!(found.left_out, 2);
        assert_eq!(found.outliers.iter().map(|reading| reading.mb_s).collect::<Vec<_>>(), [12.0]);
        assert_eq!((found.levels[1].first_lba, found.levels[1].first_half), (9000.0, 1000.0));
    }

    #[test]
    fn a_flat_or_rising_rate_is_one_level() {
        let flat = staircase(&readings(&[30.0; 12]));
        assert_eq!((flat.levels.len(), flat.rises), (1, 0));
        let rising: Vec<f64> = (0..12).map(|at| 30.0 + f64::from(at / 4) * 5.0).collect();
        let found = staircase(&readings(&rising));
        assert_eq!((found.levels.len(), found.rises, found.ends_mb_s), (1, 2, [30.0, 40.0]));
        assert_eq!(found.covered, [0.0, 11_000.0]);
    }

    proptest! {
        // The same cases each time: 95 % is no certainty.
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), cases: 64, ..ProptestConfig::default() })]
        #[test]
        fn noisy_steps_are_found_within_their_intervals(
            steps in prop::collection::vec((20_usize..40, 2.0_f64..6.0), 1..8),
            noise in prop::collection::vec(-1.0_f64..1.0, 300),
        ) {
            let mut rates = Vec::new();
            let mut truth = Vec::new();
            let mut rate = 60.0;
            for &(count, step) in &steps {
                rate -= step;
                truth.push((rates.len(), rate));
                // Uniform of this width: a deviation of 0.12 MB/s.
                let begun = rates.len();
                rates.extend((begun..begun + count).map(|at| rate + 0.2 * noise[at % noise.len()]));
            }
            let found = staircase(&readings(&rates));
            prop_assert_eq!(found.levels.len(), truth.len());
            for (level, (first, rate)) in found.levels.iter().zip(truth) {
                // 95 %: three times the width is out of reach.
                prop_assert!((level.mb_s - rate).abs() <= 1.5 * level.half_mb_s + 0.05, "{:?} {}", level, rate);
                prop_assert!((level.first_lba - (first as f64 * 1000.0 - 500.0).max(0.0)).abs() < 1.0);
            }
        }
    }
}
