//! What of measurements does not look like those of one drive.

use super::{Known, Rates, Seeks};
use crate::calibration::accesses::SeekFit;
use crate::calibration::staircase::Staircase;
use crate::config::Issues;
use crate::results::markdown::figure;
use crate::units::SECTOR_BYTES;

/// How much more the last rates may be than the first ones: more is no disk that is read from its outer edge.
const RISE_MOST: f64 = 1.02;
/// Part of the disk at either end that need not be measured.
const EDGE: f64 = 0.1;
/// Part of the disk that must be measured, in percent: of less, units or capacity are wrong as a rule.
const COVERED_LEAST_PERCENT: f64 = 10.0;
/// Readings may lie so many times their own scatter from the staircase, and such a part of the rate.
const RESIDUAL_MOST: (f64, f64) = (3.0, 0.01);
/// How far single rates may scatter, as a part of the rate.
const SCATTER_OF_RATES: f64 = 0.05;
/// Root mean square of a uniform part of a turn about its mean.
const TURN_SCATTER: f64 = 0.289;
/// By how much more accesses may scatter about the seek curve.
const SCATTER_MOST: f64 = 1.2;
/// Distance of the distributions of access times, as a part of the mean seek.
const DEMERIT_MOST: f64 = 0.1;
/// How far a measured turn may be from the stated one beside its interval, as a part.
const TURN_OFF: f64 = 0.02;

/// Refuses rates that rise from the first address to the last, and those of a corner of the disk.
pub(super) fn check_stairs(stairs: &Staircase, capacity_sectors: u64, issues: &mut Issues) {
    let [from, to] = stairs.covered.map(|lba| 100.0 * lba / capacity_sectors as f64);
    if to - from < COVERED_LEAST_PERCENT {
        let message = format!(
            "the rates cover {} to {} % of the disk; at least {COVERED_LEAST_PERCENT} % are needed",
            figure(from, 3),
            figure(to, 3)
        );
        issues.report("staircase", message, "check the unit of the positions and the capacity");
    }
    let [first, last] = stairs.ends_mb_s;
    if stairs.rises > 0 && last > RISE_MOST * first {
        let message = format!(
            "the rates rise from {} MB/s at the first addresses to {} at the last; on a disk they fall",
            figure(first, 3),
            figure(last, 3)
        );
        issues.report("staircase", message, "check which columns are positions and rates, and their order");
    }
}

impl Known {
    /// What the measurements make doubtful, a sentence each; empty where nothing does.
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        if let Rates::Staircase(stairs) = &self.rates {
            self.doubts_of_rates(stairs, &mut doubts);
        }
        if let Seeks::Fitted(fit) = &self.seeks {
            self.doubts_of_seeks(fit, &mut doubts);
        }
        doubts
    }

    fn doubts_of_rates(&self, stairs: &Staircase, doubts: &mut Vec<String>) {
        let f = |x: f64| figure(x, 3);
        let capacity = self.capacity_sectors.value as f64;
        let [from, to] = stairs.covered.map(|lba| lba / capacity);
        if from > EDGE || to < 1.0 - EDGE {
            doubts.push(format!(
                "the rates cover {} to {} % of the disk; elsewhere the model has those of the nearest zone",
                f(100.0 * from),
                f(100.0 * to)
            ));
        }
        if stairs.rises > 0 {
            let places = if stairs.rises == 1 { "one place" } else { &format!("{} places", stairs.rises) };
            doubts.push(format!(
                "the rates rise towards the inner edge at {places}, as no zones do; the readings on both sides were averaged"
            ));
        }
        let (times, part) = RESIDUAL_MOST;
        let mean =
            stairs.levels.iter().map(|level| level.mb_s).sum::<f64>() / stairs.levels.len().max(1) as f64;
        if stairs.residual_mb_s > times * stairs.deviation_mb_s && stairs.residual_mb_s > part * mean {
            doubts.push(format!(
                "the rates lie {} MB/s (root mean square) from the staircase, but only {} from their neighbours: they do not \
                 fall in steps",
                f(stairs.residual_mb_s),
                f(stairs.deviation_mb_s)
            ));
        }
        if stairs.deviation_mb_s > SCATTER_OF_RATES * mean {
            doubts.push(format!(
                "single rates scatter by {} MB/s, {} % of the rate: measure longer at each place, or take means of several \
                 passes",
                f(stairs.deviation_mb_s),
                figure(100.0 * stairs.deviation_mb_s / mean, 2)
            ));
        }
        if !stairs.outliers.is_empty() {
            const TOLD: usize = 3;
            let at = |lba: f64| f(lba * SECTOR_BYTES as f64 / 1e9);
            let some = stairs.outliers.iter().take(TOLD);
            let mut places: Vec<String> =
                some.map(|reading| format!("{} MB/s at {} GB", f(reading.mb_s), at(reading.lba))).collect();
            if stairs.outliers.len() > TOLD {
                places.push(format!("{} more", stairs.outliers.len() - TOLD));
            }
            doubts.push(format!("far from their neighbours and left out: {}", places.join(", ")));
        }
    }

    fn doubts_of_seeks(&self, fit: &SeekFit, doubts: &mut Vec<String>) {
        let f = |x: f64| figure(x, 3);
        let turn_ms = 60e3 / f64::from(self.rpm.value);
        if let Some(turn) = fit.turn {
            let off = (turn.value - turn_ms).abs();
            if off > turn.half + TURN_OFF * turn_ms {
                doubts.push(format!(
                    "the access times scatter as on a drive that turns in {} ms (±{}), {:.0} rpm; at {} rpm a turn takes {} \
                     ms: leave --rpm out, or correct it",
                    f(turn.value),
                    figure(turn.half, 2),
                    60e3 / turn.value,
                    self.rpm.value,
                    f(turn_ms)
                ));
            } else if fit.placed && fit.residual_ms > SCATTER_MOST * TURN_SCATTER * turn_ms {
                doubts.push(format!(
                    "the access times scatter by {} ms about the seek curve, of which a turn explains {}",
                    f(fit.residual_ms),
                    f(TURN_SCATTER * turn_ms)
                ));
            }
        }
        if !fit.placed && fit.residual_ms > DEMERIT_MOST * fit.average.value {
            doubts.push(format!(
                "the distribution of the access times is {} ms (demerit) from that of the model: were they reads at random \
                 places of the whole disk?",
                f(fit.residual_ms)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sheet;
    use super::*;
    use crate::calibration::readings::RateReading;
    use crate::calibration::staircase;

    /// Readings over a part of the disk.
    fn with_rates(rates: &[f64], part: f64) -> Known {
        let capacity = sheet().capacity_sectors.value as f64;
        let step = part * capacity / (rates.len() - 1) as f64;
        let of = |(index, &mb_s): (usize, &f64)| RateReading { lba: index as f64 * step, mb_s };
        let readings: Vec<RateReading> = rates.iter().enumerate().map(of).collect();
        Known { rates: Rates::Staircase(staircase(&readings)), ..sheet() }
    }

    fn steps(rates: &[f64]) -> Vec<f64> {
        rates.iter().flat_map(|rate| [*rate; 10]).collect()
    }

    #[test]
    fn a_sound_staircase_leaves_no_doubt() {
        let known = with_rates(&steps(&[38.0, 30.0, 22.0]), 1.0);
        assert_eq!(known.doubts(), Vec::<String>::new());
        known.model().unwrap();
        assert_eq!(sheet().doubts(), Vec::<String>::new());
    }

    #[test]
    fn half_a_disk_a_rise_and_an_outlier_are_told() {
        let told = with_rates(&steps(&[38.0, 30.0]), 0.4).doubts();
        assert!(told.len() == 1 && told[0].contains("cover 0 to 40 % of the disk"), "{told:?}");
        let told = with_rates(&steps(&[38.0, 25.0, 30.0, 22.0]), 1.0).doubts();
        assert!(
            told.iter().any(|doubt| doubt.contains("rise towards the inner edge at one place")),
            "{told:?}"
        );
        assert!(told.iter().any(|doubt| doubt.contains("do not fall in steps")), "{told:?}");
        let mut rates = steps(&[38.0, 30.0]);
        rates[4] = 9.0;
        let told = with_rates(&rates, 1.0).doubts();
        assert!(told.len() == 1 && told[0].contains("left out: 9 MB/s at"), "{told:?}");
    }

    #[test]
    fn a_corner_of_the_disk_is_refused() {
        let told = with_rates(&steps(&[38.0, 30.0]), 0.01).model().unwrap_err().to_string();
        assert!(
            told.contains("cover 0 to 1 % of the disk") && told.contains("unit of the positions"),
            "{told}"
        );
    }

    #[test]
    fn a_disk_that_is_read_backwards_is_refused() {
        let told = with_rates(&steps(&[22.0, 30.0, 38.0]), 1.0).model().unwrap_err().to_string();
        assert!(told.contains("the rates rise from 22 MB/s at the first addresses to 38"), "{told}");
    }
}
