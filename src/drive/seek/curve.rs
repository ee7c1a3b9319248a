//! Seek curves: from published figures to one time a distance.

use crate::drive::spec::SeekCurve;

/// The time in ms of every distance from 0 to `cylinders - 1`; the first is 0.
pub fn curve_ms(curve: &SeekCurve, cylinders: u32) -> Vec<f64> {
    let law: Box<dyn Fn(u32) -> f64> = match *curve {
        SeekCurve::ThreePoint { single_ms, average_ms, full_ms } => {
            let share = (average_ms - single_ms) / (full_ms - single_ms);
            if share > root_share(cylinders) && share < 1.0 {
                let law = Power::through(single_ms, share, full_ms, cylinders);
                Box::new(move |distance| law.ms(f64::from(distance)))
            } else {
                let law = RootThenLine::through(single_ms, average_ms, full_ms, cylinders);
                Box::new(move |distance| law.ms(f64::from(distance)))
            }
        }
        SeekCurve::Hpl { a_ms, b_ms, split_cylinders, e_ms, f_ms, single_ms, ref first_ms } => {
            Box::new(move |distance| {
                let d = f64::from(distance);
                match (first_ms.get(distance as usize - 1), single_ms) {
                    (Some(&ms), _) => ms,
                    (None, Some(single_ms)) if distance == 1 => single_ms,
                    _ if distance < split_cylinders => a_ms + b_ms * d.sqrt(),
                    _ => e_ms + f_ms * d,
                }
            })
        }
        SeekCurve::Lee { single_ms, average_ms, full_ms } => {
            let n = f64::from(cylinders.max(1));
            let a = (15.0 * average_ms - 10.0 * single_ms - 5.0 * full_ms) / (3.0 * n.sqrt());
            let b = (7.0 * single_ms - 15.0 * average_ms + 8.0 * full_ms) / (3.0 * n);
            Box::new(move |distance| {
                let d = f64::from(distance - 1);
                a * d.sqrt() + b * d + single_ms
            })
        }
        SeekCurve::Table(ref knots) => Box::new(|distance| interpolated(knots, distance)),
        SeekCurve::Measured(ref knots) => Box::new(|distance| match knots[..] {
            [.., (d0, t0), (d1, t1)] if distance > d1 => {
                // A last line that falls must not reach below nothing.
                (t1 + (t1 - t0) * f64::from(distance - d1) / f64::from(d1 - d0)).max(0.0)
            }
            _ => interpolated(knots, distance),
        }),
        SeekCurve::PerCylinder(ref times) => Box::new(|distance| {
            let known = times.get(distance as usize - 1).or(times.last());
            known.copied().unwrap_or(0.0)
        }),
    };
    std::iter::once(0.0).chain((1..cylinders).map(law)).collect()
}

/// The time of a curve of knots at a distance: straight lines between them, flat outside.
pub(crate) fn interpolated(knots: &[(u32, f64)], distance: u32) -> f64 {
    let after = knots.partition_point(|&(knot, _)| knot <= distance);
    let before = after.checked_sub(1).and_then(|index| knots.get(index));
    match (before, knots.get(after)) {
        (Some(&(d0, t0)), Some(&(d1, t1))) => t0 + (t1 - t0) * f64::from(distance - d0) / f64::from(d1 - d0),
        (Some(&(_, ms)), None) | (None, Some(&(_, ms))) => ms,
        (None, None) => 0.0,
    }
}

/// How far from the single-cylinder seek to the full stroke the mean of a pure root law lies; a root that goes over
/// into a line is below that. The mean of `sqrt(x)` over the triangular density `2 (1 - x)` of distances is 8/15; the
/// law starts at one cylinder, not at none.
fn root_share(cylinders: u32) -> f64 {
    let full = f64::from(cylinders.max(3) - 1).sqrt();
    (8.0 / 15.0 * full - 1.0) / (full - 1.0)
}

/// `single + (full - single) x^p` with `x` the distance's share of the full stroke, for drives whose published mean
/// is too long for a root: over the density `2 (1 - x)` the mean of `x^p` is `2 / ((p + 1)(p + 2))`.
#[derive(Clone, Copy, Debug)]
struct Power {
    single: f64,
    range: f64,
    exponent: f64,
    longest: f64,
}

impl Power {
    /// The curve whose mean lies `share` of the way from `single` to `full`; `share` is between 0 and 1.
    fn through(single: f64, share: f64, full: f64, cylinders: u32) -> Self {
        let exponent = ((1.0 + 8.0 / share).sqrt() - 3.0) / 2.0;
        let longest = f64::from(cylinders.saturating_sub(2)).max(1.0);
        Power { single, range: full - single, exponent, longest }
    }

    fn ms(&self, distance: f64) -> f64 {
        self.single + self.range * ((distance - 1.0) / self.longest).powf(self.exponent)
    }
}

/// `a + b sqrt(d)` up to `joint`, then the tangent there: short seeks accelerate half way and brake, long ones
/// coast.
#[derive(Clone, Copy, Debug)]
struct RootThenLine {
    a: f64,
    b: f64,
    joint: f64,
}

impl RootThenLine {
    /// The curve whose seeks over one cylinder and over all of them take `single` and `full`, with the joint
    /// that makes the mean over all pairs of cylinders `average` - or comes closest: a mean below about 1/3
    /// (a line) of the way from `single` to `full` cannot be met, one above 8/15 (a root) takes a [`Power`].
    fn through(single: f64, average: f64, full: f64, cylinders: u32) -> Self {
        let longest = f64::from(cylinders.saturating_sub(1)).max(1.0);
        let with_joint = |joint: f64| {
            let root = joint.sqrt();
            let reach = (root - 1.0) + (longest - joint) / (2.0 * root);
            let b = if reach > 0.0 { (full - single) / reach } else { 0.0 };
            RootThenLine { a: single - b, b, joint }
        };
        let means = PairMeans::new(cylinders);
        // The mean grows with the joint, so halving finds it; 60 halvings exhaust the precision.
        let (mut low, mut high) = (1.0, longest);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if means.mean(&with_joint(middle)) < average { low = middle } else { high = middle }
        }
        with_joint(0.5 * (low + high))
    }

    fn ms(&self, distance: f64) -> f64 {
        if distance < self.joint {
            self.a + self.b * distance.sqrt()
        } else {
            let root = self.joint.sqrt();
            self.a + self.b * (root + (distance - self.joint) / (2.0 * root))
        }
    }
}

/// Means over all pairs of cylinders, from sums that are prepared once.
struct PairMeans {
    cylinders: f64,
    /// Sum of (N - d) sqrt(d) over distances up to the index.
    roots: Vec<f64>,
}

impl PairMeans {
    fn new(cylinders: u32) -> Self {
        let mut sum = 0.0;
        let roots = (0..cylinders.max(1)).map(|d| {
            sum += f64::from(cylinders - d.min(cylinders)) * f64::from(d).sqrt();
            sum
        });
        PairMeans { cylinders: f64::from(cylinders), roots: roots.collect() }
    }

    fn mean(&self, law: &RootThenLine) -> f64 {
        let n = self.cylinders;
        let last = n - 1.0;
        // Distances up to `below` follow the root, the rest the line.
        let below = (law.joint.ceil() - 1.0).clamp(0.0, last.max(0.0));
        let pairs = |k: f64| k * n - k * (k + 1.0) / 2.0;
        let moment = |k: f64| n * k * (k + 1.0) / 2.0 - k * (k + 1.0) * (2.0 * k + 1.0) / 6.0;
        let root = law.joint.sqrt();
        let slope = law.b / (2.0 * root);
        let foot = law.b * root - slope * law.joint;
        let rooted = law.b * self.roots.get(below as usize).copied().unwrap_or(0.0);
        let lined = foot * (pairs(last) - pairs(below)) + slope * (moment(last) - moment(below));
        law.a + (rooted + lined) / pairs(last).max(1.0)
    }
}
