//! A seek curve out of measured access times.
//!
//! An access is command overhead, a seek, a part of a turn that is uniform between none and one, and a sector.
//! With the distances known the seek is what remains on average: a regression on the shape of the curve, whose
//! scatter is the turn, so that the speed can be told too. Without them the distances are taken to be those of
//! random addresses, and mean and variance give the curve for each joint of root and line; the joint is the one
//! whose distribution comes closest to the measured one (least demerit).

use super::readings::{AccessReading, Place, READINGS_MIN};
use crate::drive::DriveSpec;
use crate::drive::geometry::Geometry;
use crate::drive::spec::SeekCurve;
use crate::stats::demerit;

/// A fitted figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// Its value.
    pub value: f64,
    /// Half the width of its interval at 95 %.
    pub half: f64,
}

/// A seek curve out of access times.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekFit {
    /// `a + b sqrt(d)` that goes over into a line.
    pub curve: SeekCurve,
    /// One cylinder, in ms.
    pub single: Fitted,
    /// Mean over all pairs of cylinders, in ms.
    pub average: Fitted,
    /// First to last cylinder, in ms.
    pub full: Fitted,
    /// One turn, in ms, as the scatter of the times shows it; only where distances are known.
    pub turn: Option<Fitted>,
    /// Accesses used.
    pub used: usize,
    /// Root mean square of what remains, in ms: with distances, what scatters about the curve (of a uniform turn, 0.289
    /// of it); without, the distance of the two distributions.
    pub residual_ms: f64,
    /// Whether distances were known.
    pub placed: bool,
    /// Shortest and longest distance of an access, in cylinders, where distances are known: beyond them the curve is
    /// extrapolated.
    pub reach_cylinders: Option<(f64, f64)>,
}

impl SeekFit {
    /// Whether one cylinder, the mean and the full stroke of a drive of so many cylinders lie beyond the accesses; the mean
    /// lies among them. Without distances nobody can say.
    pub fn extrapolated(&self, cylinders: u32) -> [bool; 3] {
        /// Share of the full stroke from which on it has been seen.
        const SEEN: f64 = 0.95;
        let full = f64::from(cylinders.max(2) - 1);
        self.reach_cylinders
            .map_or([false; 3], |(shortest, longest)| [shortest > 1.0, false, longest < SEEN * full])
    }
}

/// Why access times make no seek curve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoSeeks {
    /// Too few go anywhere.
    #[error("{0} accesses seek; at least 8 are needed")]
    Few(usize),
    /// They do not grow with the distance, or hold less than a turn.
    #[error(
        "the access times hold no turn of {turn_ms:.3} ms and a seek of at least 0.05 ms that grows with distance{}",
        shown(*.shown_ms, *.turn_ms)
    )]
    NoCurve {
        /// The turn.
        turn_ms: f64,
        /// The turn that their scatter shows, where distances are known.
        shown_ms: Option<f64>,
    },
    /// The speed is to be told from times without distances.
    #[error("without distances the speed of the spindle cannot be told from access times")]
    NoSpeed,
}

/// `; they scatter as on a drive that turns in 5.969 ms, 10052 rpm`, unless that is the turn itself.
fn shown(turn_ms: Option<f64>, taken_ms: f64) -> String {
    turn_ms.filter(|turn_ms| *turn_ms > 0.0 && *turn_ms != taken_ms).map_or(String::new(), |turn_ms| {
        format!("; they scatter as on a drive that turns in {turn_ms:.3} ms, {:.0} rpm", 60e3 / turn_ms)
    })
}

/// Joints of root and line that are tried.
const JOINTS: usize = 48;
/// Places, and parts of a turn, that stand for all in a distribution.
const PLACES: u64 = 32;
const TURN_PARTS: usize = 8;
/// Two-sided quantile of the normal distribution at 95 %.
const NORMAL: f64 = 1.96;
/// A distribution fits nearly as well as the best if its demerit is at most this many times that of the best.
const NEAR: f64 = 1.25;
/// The least seek that the format allows, in ms.
const SEEK_LEAST_MS: f64 = 0.05;

/// What an access holds beside seek and turn, and the turn if it is known, in ms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    pub overhead_ms: f64,
    pub turn_ms: Option<f64>,
}

/// The seek curve on a drive of the zones of `spec`.
pub(super) fn seeks(
    readings: &[AccessReading],
    spec: &DriveSpec,
    beside: Beside,
) -> Result<SeekFit, NoSeeks> {
    let cylinders = spec.cylinders();
    let geometry = Geometry::new(spec, spec.nominal_revolution());
    // Quicker ones came out of the buffer.
    let seeks = |ms: f64| ms >= beside.overhead_ms + SEEK_LEAST_MS;
    match distances(readings, &geometry) {
        Some(mut pairs) => {
            pairs.retain(|&(_, ms)| seeks(ms));
            with_distances(&pairs, cylinders, beside)
        }
        None => {
            let turn_ms = beside.turn_ms.ok_or(NoSeeks::NoSpeed)?;
            let times: Vec<f64> = readings.iter().map(|reading| reading.ms).filter(|ms| seeks(*ms)).collect();
            if times.len() < READINGS_MIN {
                return Err(NoSeeks::Few(times.len()));
            }
            let times: Vec<f64> = times.iter().map(|ms| ms - beside.overhead_ms).collect();
            without_distances(&times, &geometry, cylinders, turn_ms)
        }
    }
}

/// Distance in cylinders and time of each access that moved the arm; none if no places are known.
fn distances(readings: &[AccessReading], geometry: &Geometry) -> Option<Vec<(f64, f64)>> {
    let last = geometry.capacity().saturating_sub(1);
    let cylinder = |lba: f64| f64::from(geometry.locate((lba as u64).min(last)).cylinder);
    let mut at = None;
    let mut pairs = Vec::with_capacity(readings.len());
    for reading in readings {
        match reading.place {
            Place::Unknown => return None,
            Place::Cylinders(distance) => pairs.push((distance, reading.ms)),
            Place::Lba(lba) => {
                let here = cylinder(lba);
                if let Some(before) = at.replace(here) {
                    pairs.push((f64::abs(here - before), reading.ms));
                }
            }
        }
    }
    pairs.retain(|(distance, _)| *distance >= 1.0);
    Some(pairs)
}

/// `sqrt(d)` up to the joint, then its tangent.
fn shape(distance: f64, joint: f64) -> f64 {
    let root = joint.sqrt();
    if distance < joint { distance.sqrt() } else { root + (distance - joint) / (2.0 * root) }
}

/// Joints from two cylinders to the full stroke, evenly by their logarithm.
fn joints(cylinders: u32) -> impl Iterator<Item = f64> {
    let longest = f64::from(cylinders.max(4) - 1);
    (0..JOINTS).map(move |at| 2.0 * (longest / 2.0).powf(at as f64 / (JOINTS - 1) as f64)).map(f64::round)
}

/// Mean of the shape over all pairs of cylinders, with distances in `N` steps of their density `2 (1 - x)`.
fn mean_shape(cylinders: u32, joint: f64) -> f64 {
    const STEPS: u32 = 2000;
    let longest = f64::from(cylinders.max(2) - 1);
    let part = |step: u32| {
        let x = (f64::from(step) + 0.5) / f64::from(STEPS);
        2.0 * (1.0 - x) * shape((x * longest).max(1.0), joint)
    };
    (0..STEPS).map(part).sum::<f64>() / f64::from(STEPS)
}

/// A curve `a + b shape(d)`.
#[derive(Clone, Copy, Debug)]
struct Curve {
    a: f64,
    b: f64,
    joint: f64,
}

impl Curve {
    fn spec(self) -> SeekCurve {
        let round = |x: f64, digits: i32| (x * 10_f64.powi(digits)).round() / 10_f64.powi(digits);
        let (a, b, root) = (round(self.a, 5), round(self.b, 8), self.joint.sqrt());
        let f = round(b / (2.0 * root), 11);
        SeekCurve::Hpl {
            a_ms: a,
            b_ms: b,
            split_cylinders: self.joint as u32,
            e_ms: round(a + b * root - f * self.joint, 6),
            f_ms: f,
            single_ms: None,
            first_ms: Vec::new(),
        }
    }
    /// The same, longer by as much as makes the shortest seek possible, if that is no more than `most_ms`.
    fn lifted(self, most_ms: f64) -> Self {
        let short_ms = SEEK_LEAST_MS - (self.a + self.b);
        if short_ms > 0.0 && short_ms <= most_ms { Curve { a: SEEK_LEAST_MS - self.b, ..self } } else { self }
    }
    fn is_possible(self) -> bool {
        self.b >= 0.0 && self.a + self.b >= SEEK_LEAST_MS
    }
}

fn with_distances(pairs: &[(f64, f64)], cylinders: u32, beside: Beside) -> Result<SeekFit, NoSeeks> {
    if pairs.len() < READINGS_MIN {
        return Err(NoSeeks::Few(pairs.len()));
    }
    let count = pairs.len() as f64;
    let apart = || pairs.iter().map(|pair| pair.0);
    let reach = (apart().fold(f64::INFINITY, f64::min), apart().fold(0.0, f64::max));
    let all: Vec<(f64, Regression)> =
        joints(cylinders).map(|joint| (joint, Regression::new(pairs, joint))).collect();
    let best = all.iter().min_by(|(_, one), (_, other)| one.squares.total_cmp(&other.squares));
    let Some((joint, line)) = best else { return Err(NoSeeks::Few(pairs.len())) };
    let deviation = (line.squares / (count - 2.0).max(1.0)).sqrt();
    // A uniform part of a turn has a variance of 1/12 and a kurtosis of 1.8.
    let turn = deviation * 12.0_f64.sqrt();
    let turn = Fitted { value: turn, half: NORMAL * turn * 0.5 * (0.8 / count).sqrt() };
    let turn_ms = beside.turn_ms.unwrap_or(turn.value);
    let curve_of = |joint: f64, line: &Regression| Curve {
        a: line.intercept - turn_ms / 2.0 - beside.overhead_ms,
        b: line.slope,
        joint,
    };
    // With an unknown turn, its half moves the whole curve.
    let turn_half = if beside.turn_ms.is_some() { 0.0 } else { turn.half / 2.0 };
    // The profile of the likelihood at 95 %.
    let near =
        all.iter().filter(|(_, other)| other.squares <= line.squares * (1.0 + NORMAL * NORMAL / count));
    let near = near.map(|(joint, line)| curve_of(*joint, line));
    let off = lack_of_fit(pairs, |distance| line.at(shape(distance, *joint)), deviation);
    let errors = |shape: f64| (NORMAL * deviation * line.error_at(shape)).hypot(turn_half).hypot(off);
    let curve = curve_of(*joint, line);
    let [single, average, full] = figures(curve, near, cylinders, errors);
    // The shortest seeks are few, so that chance may put the curve below what can be.
    let curve = curve.lifted(single.half);
    if !curve.is_possible() {
        return Err(NoSeeks::NoCurve { turn_ms, shown_ms: Some(turn.value) });
    }
    let single = Fitted { value: single.value.max(SEEK_LEAST_MS), ..single };
    Ok(SeekFit {
        curve: curve.spec(),
        single,
        average,
        full,
        turn: Some(turn),
        used: pairs.len(),
        residual_ms: (line.squares / count).sqrt(),
        placed: true,
        reach_cylinders: Some(reach),
    })
}

/// One cylinder, mean and full stroke of a curve; to their errors comes how far they differ on curves that fit nearly
/// as well.
fn figures(
    curve: Curve,
    near: impl Iterator<Item = Curve>,
    cylinders: u32,
    error_at: impl Fn(f64) -> f64,
) -> [Fitted; 3] {
    let shapes =
        |joint: f64| [1.0, mean_shape(cylinders, joint), shape(f64::from(cylinders.max(2)) - 1.0, joint)];
    let values = |curve: Curve| shapes(curve.joint).map(|shape| curve.a + curve.b * shape);
    let ours = values(curve);
    let mut apart = [0.0_f64; 3];
    for other in near {
        for (apart, (other, ours)) in apart.iter_mut().zip(values(other).into_iter().zip(ours)) {
            *apart = apart.max((other - ours).abs());
        }
    }
    let shapes = shapes(curve.joint);
    [0, 1, 2].map(|at: usize| Fitted { value: ours[at], half: error_at(shapes[at]).hypot(apart[at]) })
}

/// Root mean square of how far the means of accesses of about one distance lie off the curve `at`, in ms, beyond what the
/// scatter of single ones, `deviation`, makes of it: 0 where the form of the curve fits.
fn lack_of_fit(pairs: &[(f64, f64)], at: impl Fn(f64) -> f64, deviation: f64) -> f64 {
    /// Groups of distances, and the least accesses of one.
    const GROUPS: usize = 12;
    const GROUP_LEAST: usize = 8;
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let size = sorted.len().div_ceil(GROUPS).max(GROUP_LEAST);
    let groups: Vec<&[(f64, f64)]> = sorted.chunks(size).filter(|group| group.len() >= GROUP_LEAST).collect();
    let beyond = |group: &&[(f64, f64)]| {
        let count = group.len() as f64;
        let off = group.iter().map(|&(distance, ms)| ms - at(distance)).sum::<f64>() / count;
        off * off - deviation * deviation / count
    };
    (groups.iter().map(beyond).sum::<f64>() / groups.len().max(1) as f64).max(0.0).sqrt()
}

/// A straight line of times over the shape of their distances.
struct Regression {
    intercept: f64,
    slope: f64,
    /// Sum of the squares of what remains.
    squares: f64,
    count: f64,
    mean: f64,
    /// Sum of the squares of the shapes less their mean.
    spread: f64,
}

impl Regression {
    fn new(pairs: &[(f64, f64)], joint: f64) -> Self {
        let count = pairs.len() as f64;
        let points: Vec<(f64, f64)> =
            pairs.iter().map(|&(distance, ms)| (shape(distance, joint), ms)).collect();
        let mean = points.iter().map(|point| point.0).sum::<f64>() / count;
        let mean_ms = points.iter().map(|point| point.1).sum::<f64>() / count;
        let spread: f64 = points.iter().map(|point| (point.0 - mean).powi(2)).sum();
        let product: f64 = points.iter().map(|point| (point.0 - mean) * (point.1 - mean_ms)).sum();
        // All at one distance: no slope to see.
        let slope = if spread > 0.0 { product / spread } else { 0.0 };
        let intercept = mean_ms - slope * mean;
        let squares = points.iter().map(|point| (point.1 - intercept - slope * point.0).powi(2)).sum();
        Regression { intercept, slope, squares, count, mean, spread }
    }

    /// The line at a shape, in ms.
    fn at(&self, shape: f64) -> f64 {
        self.intercept + self.slope * shape
    }

    /// Standard error of the line at a shape, in deviations of one time.
    fn error_at(&self, shape: f64) -> f64 {
        let lever = if self.spread > 0.0 { (shape - self.mean).powi(2) / self.spread } else { 0.0 };
        (1.0 / self.count + lever).sqrt()
    }
}

fn without_distances(
    times: &[f64],
    geometry: &Geometry,
    cylinders: u32,
    turn_ms: f64,
) -> Result<SeekFit, NoSeeks> {
    let count = times.len() as f64;
    let mean_ms = times.iter().sum::<f64>() / count;
    let variance = times.iter().map(|ms| (ms - mean_ms).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let seek_variance = variance - turn_ms * turn_ms / 12.0;
    let pairs = random_distances(geometry);
    let of_joint = |joint: f64| {
        let shapes: Vec<f64> = pairs.iter().map(|&distance| shape_or_none(distance, joint)).collect();
        let size = shapes.len() as f64;
        let mean = shapes.iter().sum::<f64>() / size;
        let spread = shapes.iter().map(|shape| (shape - mean).powi(2)).sum::<f64>() / size;
        let b = (seek_variance / spread).sqrt();
        let curve = Curve { a: mean_ms - turn_ms / 2.0 - b * mean, b, joint };
        let score = demerit(times, &distribution(&shapes, curve, turn_ms))?;
        curve.is_possible().then_some((curve, mean, score))
    };
    let possible: Vec<(Curve, f64, f64)> = joints(cylinders).filter_map(of_joint).collect();
    let best = possible.iter().min_by(|one, other| one.2.total_cmp(&other.2));
    let Some(&(curve, mean, residual_ms)) = best else {
        return Err(NoSeeks::NoCurve { turn_ms, shown_ms: None });
    };
    let mean_error = (variance / count).sqrt();
    // The variance of a sample is known to sqrt(2 / n) of it, and b goes with the root of what is the seek's.
    let slope_error = curve.b * 0.5 * variance * (2.0 / count).sqrt() / seek_variance;
    // What the best curve leaves beyond chance is the form's.
    let off = (residual_ms * residual_ms - chance_square(times)).max(0.0).sqrt();
    let errors = |shape: f64| (NORMAL * mean_error.hypot((shape - mean) * slope_error)).hypot(off);
    let near = possible.iter().filter(|other| other.2 <= NEAR * residual_ms).map(|other| other.0);
    let [single, average, full] = figures(curve, near, cylinders, errors);
    Ok(SeekFit {
        curve: curve.spec(),
        single,
        average,
        full,
        turn: None,
        used: times.len(),
        residual_ms,
        placed: false,
        reach_cylinders: None,
    })
}

/// The square of the distance that the distribution of so many times has from the one that they were drawn from, as chance
/// makes it: the variance of a quantile is `p (1 - p) / (n f^2)`.
fn chance_square(times: &[f64]) -> f64 {
    const STEPS: usize = 50;
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let quantile = |share: f64| sorted[((share * count) as usize).min(sorted.len() - 1)];
    let part = |step: usize| {
        let (low, high) = (step as f64 / STEPS as f64, (step + 1) as f64 / STEPS as f64);
        let share = (low + high) / 2.0;
        let slope = (quantile(high) - quantile(low)) * STEPS as f64;
        share * (1.0 - share) * slope * slope / count
    };
    (0..STEPS).map(part).sum::<f64>() / STEPS as f64
}

/// No distance is no seek; its lack of the constant part is of no weight among many cylinders.
fn shape_or_none(distance: f64, joint: f64) -> f64 {
    shape(distance.max(1.0), joint)
}

/// Distances between two random addresses, that stand for all.
fn random_distances(geometry: &Geometry) -> Vec<f64> {
    let capacity = geometry.capacity();
    let place = |at: u64| {
        let lba = (u128::from(capacity) * u128::from(2 * at + 1) / u128::from(2 * PLACES)) as u64;
        f64::from(geometry.locate(lba).cylinder)
    };
    let places: Vec<f64> = (0..PLACES).map(place).collect();
    places.iter().flat_map(|from| places.iter().map(move |to| f64::abs(to - from))).collect()
}

fn distribution(shapes: &[f64], curve: Curve, turn_ms: f64) -> Vec<f64> {
    let part = |at: usize| turn_ms * (at as f64 + 0.5) / TURN_PARTS as f64;
    let of = |shape: &f64| {
        let seek_ms = curve.a + curve.b * shape;
        (0..TURN_PARTS).map(move |at| seek_ms + part(at))
    };
    shapes.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accesses over distances of 1 to 1000 cylinders, whose scatter cancels within each group.
    fn accesses(ms: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        let scatter = |at: u32| if at.is_multiple_of(2) { 1.0 } else { -1.0 };
        (0_u32..960)
            .map(|at| f64::from(at) + 1.0)
            .zip(0_u32..)
            .map(|(d, at)| (d, ms(d) + scatter(at)))
            .collect()
    }

    #[test]
    fn a_curve_of_the_wrong_form_is_told_by_how_far_it_misses() {
        let line = |d: f64| 2.0 + 0.01 * d;
        assert_eq!(lack_of_fit(&accesses(line), line, 1.0), 0.0);
        let bent = accesses(|d| line(d) + if d < 480.5 { 0.5 } else { -0.5 });
        let off = lack_of_fit(&bent, line, 1.0);
        // The single ones scatter by 1 ms, of which 80 make 0.11.
        assert!((off - (0.25_f64 - 1.0 / 80.0).sqrt()).abs() < 0.01, "{off}");
    }

    #[test]
    fn figures_beyond_the_accesses_are_extrapolated() {
        let fitted = Fitted { value: 1.0, half: 0.1 };
        let curve = SeekCurve::Measured(vec![(1, 1.0)]);
        let fit = |reach_cylinders| SeekFit {
            curve: curve.clone(),
            single: fitted,
            average: fitted,
            full: fitted,
            turn: None,
            used: 9,
            residual_ms: 0.0,
            placed: true,
            reach_cylinders,
        };
        assert_eq!(fit(Some((1.0, 990.0))).extrapolated(1000), [false; 3]);
        assert_eq!(fit(Some((7.0, 700.0))).extrapolated(1000), [true, false, true]);
        assert_eq!(fit(None).extrapolated(1000), [false; 3]);
    }
}
