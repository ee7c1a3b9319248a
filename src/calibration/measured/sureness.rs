//! How sure the angles between tracks are.
//!
//! The skews of a zone are where pairs of sightings agree best. At such a peak the spread of the estimate follows from the
//! curvature and from how much the slope scatters, where all pairs that share a sighting share its error (Aronow, Samii
//! and Assenova, "Cluster-Robust Variance Estimation for Dyadic Data", 2015).

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::anchor::{Anchor, Surface};
use super::apply::range_cylinders;
use super::skews::{Pair, agreement, beyond_chance, zone_pairs};
use crate::drive::DriveSpec;
use crate::stats::{median, wrapped};

/// The skews of a zone, in ms, each with half of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkewFigure {
    /// The zone, from 0.
    pub zone: usize,
    /// From a track to the next one of its cylinder; none where no pair tells it.
    pub head_ms: Option<(f64, f64)>,
    /// From the last track of a cylinder to the first one of the next.
    pub cylinder_ms: Option<(f64, f64)>,
    /// Pairs of sightings behind them.
    pub pairs: usize,
}

/// How well completions agree with the angles of a model, and how sure these are.
#[derive(Clone, Debug)]
pub(super) struct Sure {
    /// Mean resultant length of pairs of completions.
    pub resultant: f64,
    /// The 95 % interval of a turn, in ms.
    pub turn_interval: Option<(f64, f64)>,
    /// The skews of each zone that the completions tell.
    pub skews: Vec<SkewFigure>,
}

impl Sure {
    /// What the sources say of the time of a turn.
    pub fn turn_in_words(&self) -> String {
        let interval = self
            .turn_interval
            .map_or(String::new(), |(low, high)| format!("{low:.7} to {high:.7} ms at 95 %, "));
        format!("{interval}from the completions of requests on one cylinder")
    }

    /// What the sources say of the skews.
    pub fn skews_in_words(&self) -> String {
        let middle = |of: fn(&SkewFigure) -> Option<(f64, f64)>| {
            median(&self.skews.iter().filter_map(of).map(|(_, half_ms)| half_ms).collect::<Vec<_>>())
        };
        let told = [("head", middle(|skew| skew.head_ms)), ("cylinder", middle(|skew| skew.cylinder_ms))];
        let told = told.into_iter().filter_map(|(name, half_ms)| Some(format!("{name} ±{:.3} ms", half_ms?)));
        let told = told.collect::<Vec<_>>().join(", ");
        let told =
            if told.is_empty() { told } else { format!("; at 95 %, in the middle of all zones: {told}") };
        format!("from the angles between completions, published skews need not be true angles{told}")
    }
}

/// Two-sided quantile of the normal distribution at 95 %.
const NORMAL: f64 = 1.96;

type Vector = [f64; 3];
type Matrix = [Vector; 3];

/// The skews that `spec`, whose tracks lie on `surface`, has in each zone of which the sightings tell them.
pub(super) fn skew_figures(
    spec: &DriveSpec,
    surface: &Surface,
    sightings: &[Vec<Anchor>],
    turn_ms: f64,
) -> Vec<SkewFigure> {
    let range = range_cylinders(spec);
    let heads = f64::from(spec.heads) - 1.0;
    let of_zone = |zone: usize| {
        let pairs = zone_pairs(sightings, zone, turn_ms, range, f64::MAX);
        if !beyond_chance(agreement(&pairs, [0.0; 3]), pairs.len()) {
            return None;
        }
        let spread = covariance(&pairs)?;
        let angles = surface.zone_angles(zone, range);
        // In the order of the corrections: range, cylinder, head.
        let figure = |turns: f64, of: Vector| {
            let half = NORMAL * quadratic(&spread, of).max(0.0).sqrt();
            // Half a turn off is not to be told from no skew at all.
            (half > 0.0 && half < 0.5).then_some((turns.rem_euclid(1.0) * turn_ms, half * turn_ms))
        };
        Some(SkewFigure {
            zone,
            head_ms: figure(angles.head, [0.0, 0.0, 1.0]),
            cylinder_ms: figure(angles.cylinder - heads * angles.head, [0.0, 1.0, -heads]),
            pairs: pairs.len(),
        })
    };
    (0..spec.zones.len()).filter_map(of_zone).collect()
}

fn parts(pair: &Pair) -> Vector {
    [pair.ranges, pair.cylinders, pair.heads]
}

/// The covariance of the three corrections about none, in turns; none where the pairs have no peak there.
fn covariance(pairs: &[Pair]) -> Option<Matrix> {
    let mut curvature = [[0.0; 3]; 3];
    let mut each = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let (sin, cos) = (wrapped(pair.left) * TAU).sin_cos();
        let of = parts(pair);
        add(&mut curvature, of, of, TAU * cos);
        each.push(of.map(|part| part * sin));
    }
    let mut sums: BTreeMap<(usize, usize), Vector> = BTreeMap::new();
    for (pair, slope) in pairs.iter().zip(&each) {
        for sighting in [pair.first, pair.second] {
            let sum = sums.entry((pair.kind, sighting)).or_default();
            sum.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
        }
    }
    // Each pair by itself is in the sums of both of its sightings.
    let (shared, once) = (outer(sums.values()), outer(each.iter()));
    let mut scatter = shared;
    for row in 0..3 {
        for column in 0..3 {
            scatter[row][column] -= once[row][column];
        }
        // By chance the difference may be less than pairs that know nothing of each other would make it.
        scatter[row][row] = scatter[row][row].max(once[row][row]);
        // What no pair tells takes no part.
        if curvature[row][row] == 0.0 {
            curvature[row][row] = 1.0;
        }
    }
    let inverse = inverse(&curvature)?;
    Some(product(&product(&inverse, &scatter), &inverse))
}

fn outer<'a>(vectors: impl Iterator<Item = &'a Vector>) -> Matrix {
    let mut sum = [[0.0; 3]; 3];
    vectors.for_each(|vector| add(&mut sum, *vector, *vector, 1.0));
    sum
}

fn add(sum: &mut Matrix, a: Vector, b: Vector, weight: f64) {
    for (row, a) in sum.iter_mut().zip(a) {
        row.iter_mut().zip(b).for_each(|(cell, b)| *cell += weight * a * b);
    }
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let cell = |row: usize, column: usize| (0..3).map(|at| a[row][at] * b[at][column]).sum();
    [0, 1, 2].map(|row| [0, 1, 2].map(|column| cell(row, column)))
}

fn quadratic(matrix: &Matrix, of: Vector) -> f64 {
    (0..3).flat_map(|row| (0..3).map(move |column| of[row] * matrix[row][column] * of[column])).sum()
}

/// The inverse of a symmetric matrix; none unless it is that of a peak, all of whose principal minors are positive.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let minor = |row: usize, column: usize| {
        let rows = [0, 1, 2].map(|at| (row + 1 + at) % 3);
        let columns = [0, 1, 2].map(|at| (column + 1 + at) % 3);
        m[rows[0]][columns[0]] * m[rows[1]][columns[1]] - m[rows[0]][columns[1]] * m[rows[1]][columns[0]]
    };
    let whole: f64 = (0..3).map(|column| m[0][column] * minor(0, column)).sum();
    let two = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    (m[0][0] > 0.0 && two > 0.0 && whole > 0.0)
        .then(|| [0, 1, 2].map(|row| [0, 1, 2].map(|column| minor(column, row) / whole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]];
        let one = product(&matrix, &inverse(&matrix).unwrap());
        for (row, cells) in one.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                assert!((cell - f64::from(u8::from(row == column))).abs() < 1e-12, "{one:?}");
            }
        }
        assert_eq!(inverse(&[[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), None);
    }

    /// Pairs of neighbours in a row of sightings, each of which is off by some noise of its own.
    fn pairs_of(noise: &[f64]) -> Vec<Pair> {
        let all = (0..noise.len())
            .flat_map(|first| (first + 1..noise.len().min(first + 6)).map(move |next| (first, next)));
        all.map(|(first, second)| Pair {
            apart_ms: 1.0,
            left: noise[second] - noise[first],
            heads: 0.0,
            cylinders: (second as f64 * 7.0) % 40.0 - (first as f64 * 7.0) % 40.0,
            ranges: 0.0,
            kind: 0,
            first,
            second,
        })
        .collect()
    }

    #[test]
    fn an_interval_is_as_wide_as_estimates_scatter() {
        // The slope of small angles is the least squares line, whose scatter over many drawings is known.
        let mut state = 1_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
        };
        let (mut squares, mut told) = (0.0, 0.0);
        const DRAWN: usize = 200;
        for _ in 0..DRAWN {
            let noise: Vec<f64> = (0..150).map(|_| 0.02 * uniform()).collect();
            let pairs = pairs_of(&noise);
            let sums = pairs.iter().fold((0.0, 0.0), |sums, pair| {
                (sums.0 + pair.left * pair.cylinders, sums.1 + pair.cylinders * pair.cylinders)
            });
            squares += (sums.0 / sums.1).powi(2);
            told += covariance(&pairs).unwrap()[1][1];
        }
        let ratio = (told / squares).sqrt();
        assert!((0.8..1.3).contains(&ratio), "{ratio}");
    }
}
