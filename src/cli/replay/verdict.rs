//! How far a model is from the drive, against what chance alone makes, in words.

use crate::replay::{CLASSES, Scores};
use crate::results::markdown::figure;
use crate::stats::Score;

/// `within sampling noise`, or how many times the floor the demerit is; nothing without a floor.
///
/// Two resamples of the measured times themselves are no farther apart than the 95 % floor in 19 of 20 cases, so up to
/// there a difference may be chance.
pub(in crate::cli) fn verdict(score: &Score) -> Option<String> {
    let floor = score.floor?;
    Some(if score.demerit_ms <= floor.p95 {
        "within sampling noise".to_owned()
    } else if floor.mean > 0.0 {
        format!("{} times the floor", figure(score.demerit_ms / floor.mean, 2))
    } else {
        format!("{} ms off where chance makes nothing", figure(score.demerit_ms, 3))
    })
}

/// `all 1.6 times the floor, reads 2 times the floor, writes within sampling noise`.
pub(in crate::cli) fn of_classes(scores: &[Option<Score>; 3]) -> Option<String> {
    let told = CLASSES.into_iter().zip(scores);
    let told: Vec<String> =
        told.filter_map(|(name, score)| Some(format!("{name} {}", verdict(score.as_ref()?)?))).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// A demerit of so much of the measured mean, in percent, is that of another drive: descriptions of the right one come to
/// a few.
const FAR_PERCENT: f64 = 30.0;

/// The sentence below a table of scores, whose floors come from `pairs` pairs of resamples.
pub(in crate::cli) fn sentence(scores: &Scores, pairs: usize) -> String {
    let percent = scores.all.map_or(f64::NAN, |score| score.demerit_percent());
    let doubt = if percent > FAR_PERCENT { " Is this the drive that the trace was recorded on?" } else { "" };
    if let Some(told) = of_classes(&scores.classes()) {
        return format!(
            "The model against the drive (demerit; the floor is what chance alone makes of it): {told}.{doubt}\n"
        );
    }
    let why = match pairs {
        0 => "--no-output draws no resamples; leave it out to have both",
        _ => "resamples are drawn of up to 32768 measured requests; cut the trace to that many to have both",
    };
    let percent = figure(percent, 3);
    format!("No floor, and so no verdict: {why}. The demerit is {percent} % of the measured mean.{doubt}\n")
}

/// The sentence about another simulator, whose scores on the same requests these are.
pub(in crate::cli) fn beside(ours: &Scores, other: [Option<Score>; 3]) -> String {
    let ours = ours.classes();
    // The floor is that of the measured times, which are the same.
    let other = [0, 1, 2].map(|class: usize| {
        let floor = ours[class].and_then(|ours| ours.floor);
        other[class].map(|other| Score { floor, ..other })
    });
    let told = of_classes(&other).map_or(String::new(), |told| format!(": {told}"));
    let times = ours[0].zip(other[0]).filter(|(_, other)| other.demerit_ms > 0.0).map(|(ours, other)| {
        let times = figure(ours.demerit_ms / other.demerit_ms, 2);
        format!("; the model's demerit of all is {times} times its {} ms", figure(other.demerit_ms, 4))
    });
    format!("The other simulator against the drive{told}{}.\n", times.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::SamplingFloor;

    fn score(demerit_ms: f64, mean: f64, p95: f64) -> Score {
        let floor = Some(SamplingFloor { mean, p95, pairs: 200 });
        Score { demerit_ms, real_mean_ms: 10.0, floor, ..Score::default() }
    }

    #[test]
    fn up_to_the_floors_95_percent_it_may_be_chance() {
        assert_eq!(verdict(&score(0.2, 0.1, 0.2)).unwrap(), "within sampling noise");
        assert_eq!(verdict(&score(0.25, 0.1, 0.2)).unwrap(), "2.5 times the floor");
        assert_eq!(verdict(&score(0.25, 0.0, 0.0)).unwrap(), "0.25 ms off where chance makes nothing");
        assert_eq!(verdict(&Score::default()), None);
    }

    #[test]
    fn classes_without_requests_are_not_told_of() {
        let scores =
            Scores { all: Some(score(1.0, 0.1, 0.2)), reads: Some(score(0.1, 0.1, 0.2)), writes: None };
        let told = sentence(&scores, 200);
        assert!(told.ends_with(": all 10 times the floor, reads within sampling noise.\n"), "{told}");
        let bare =
            Scores { all: Some(Score { real_mean_ms: 4.0, demerit_ms: 1.0, ..Score::default() }), ..scores };
        let bare = Scores { reads: None, ..bare };
        let told = sentence(&bare, 0);
        assert!(told.contains("--no-output") && told.contains("25 % of the measured mean"), "{told}");
        assert!(sentence(&bare, 200).contains("32768"));
        let other = Some(Score { floor: None, ..score(0.5, 0.0, 0.0) });
        let told = beside(&scores, [other, other, None]);
        let expected = ": all 5 times the floor, reads 5 times the floor; the model's demerit of all is 2 times its 0.5 ms.\n";
        assert!(told.ends_with(expected), "{told}");
    }
}
