//! Zones of a model taken together, as many as a preset holds.

use crate::drive::spec::ZoneSpec;

/// Neighbouring zones as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MergedZone {
    /// Zones of the model that it stands for.
    pub zones: u32,
    /// Their cylinders.
    pub cylinders: u64,
    /// Mean sectors a track, by cylinders.
    pub spt: f64,
}

/// At most `most` runs of neighbouring zones, those that leave the least squares of the sectors a track (cylinder by
/// cylinder) about the mean of each run; found exactly by dynamic programming.
pub(super) fn merged(zones: &[ZoneSpec], most: usize) -> Vec<MergedZone> {
    let count = most.clamp(1, zones.len().max(1));
    // Sums over the first zones: cylinders, sectors a track, and their squares.
    let mut sums = vec![(0.0, 0.0, 0.0)];
    for zone in zones {
        let (cylinders, spt) = (f64::from(zone.cylinders), f64::from(zone.spt));
        let (c, s, q) = sums[sums.len() - 1];
        sums.push((c + cylinders, s + cylinders * spt, q + cylinders * spt * spt));
    }
    let cost = |from: usize, to: usize| {
        let (c, s, q) = (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1, sums[to].2 - sums[from].2);
        if c > 0.0 { (q - s * s / c).max(0.0) } else { 0.0 }
    };
    // Of each number of runs, for each number of zones: the least cost, and where the last run begins.
    let mut layers: Vec<Vec<(f64, usize)>> = vec![vec![(f64::INFINITY, 0); zones.len() + 1]];
    layers[0][0].0 = 0.0;
    for runs in 1..=count {
        let before = &layers[runs - 1];
        let best = |to: usize| {
            let whole = |from: usize| (before[from].0 + cost(from, to), from);
            (0..to).map(whole).min_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or((f64::INFINITY, 0))
        };
        layers.push((0..=zones.len()).map(best).collect());
    }
    let mut found = Vec::with_capacity(count);
    let mut to = zones.len();
    for runs in (1..=count).rev() {
        let from = layers[runs][to].1;
        let cylinders = sums[to].0 - sums[from].0;
        found.push(MergedZone {
            zones: (to - from) as u32,
            cylinders: cylinders as u64,
            spt: if cylinders > 0.0 { (sums[to].1 - sums[from].1) / cylinders } else { 0.0 },
        });
        to = from;
    }
    found.reverse();
    found
}

/// How far the rates of `zones` are from those of the runs that they were merged into, in percent: root mean square by
/// cylinders, and at most.
pub(super) fn errors_percent(zones: &[ZoneSpec], merged: &[MergedZone]) -> (f64, f64) {
    let of_each = merged.iter().flat_map(|run| std::iter::repeat_n(run.spt, run.zones as usize));
    let (mut squares, mut cylinders, mut most) = (0.0, 0.0, 0.0_f64);
    for (zone, spt) in zones.iter().zip(of_each) {
        let off = 100.0 * (spt / f64::from(zone.spt) - 1.0);
        squares += f64::from(zone.cylinders) * off * off;
        cylinders += f64::from(zone.cylinders);
        most = most.max(off.abs());
    }
    (f64::sqrt(squares / f64::max(cylinders, 1.0)), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zones(spts: &[u32]) -> Vec<ZoneSpec> {
        spts.iter().map(|&spt| ZoneSpec { cylinders: 100, spt, ..ZoneSpec::default() }).collect()
    }

    #[test]
    fn the_closest_neighbours_are_merged() {
        let model = zones(&[334, 334, 324, 324, 306, 250]);
        let spans = |most: usize| merged(&model, most).iter().map(|run| run.zones).collect::<Vec<_>>();
        assert_eq!(spans(16), [1; 6]);
        assert_eq!(spans(4), [2, 2, 1, 1]);
        assert_eq!(spans(3), [4, 1, 1]);
        let whole = merged(&model, 1);
        assert_eq!((whole[0].cylinders, whole[0].spt), (600, 312.0));
    }

    #[test]
    fn the_error_is_that_of_the_rates() {
        let model = zones(&[330, 300, 200]);
        let merged = merged(&model, 2);
        assert_eq!(merged[0].spt, 315.0);
        let (root_mean_square, most) = errors_percent(&model, &merged);
        assert!((most - 5.0).abs() < 1e-9, "{most}");
        let expected = ((4.545454_f64.powi(2) + 25.0) / 3.0).sqrt();
        assert!((root_mean_square - expected).abs() < 1e-4, "{root_mean_square}");
        assert_eq!(errors_percent(&model, &super::merged(&model, 3)), (0.0, 0.0));
    }
}
