//! The questions of a reproduction: which points of which scenario are to be explained.

use crate::config::{Issues, suggest};
use crate::scenario::{ExplanationSpec, LengthSpec, ReproductionSpec, Scenario, points};

/// A question with the scenario that answers it, cut down to the points that it asks for.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question in words.
    pub title: String,
    /// What is to be explained.
    pub scenario: Scenario,
}

/// Most points of a question: more make neither a figure nor a table that anyone reads.
pub const POINTS_MAX: usize = 24;

/// The questions of `spec`; what is wrong with one is reported and leaves it out.
pub(super) fn questions(
    spec: &ReproductionSpec,
    scenarios: &[Scenario],
    issues: &mut Issues,
) -> Vec<Question> {
    let mut asked = Vec::new();
    for (index, question) in spec.explanations.iter().enumerate() {
        issues.scoped(&format!("explanations[{index}]"), |issues| {
            asked.extend(resolved(question, scenarios, issues));
        });
    }
    asked
}

fn resolved(question: &ExplanationSpec, scenarios: &[Scenario], issues: &mut Issues) -> Option<Question> {
    let Some(scenario) = scenarios.iter().find(|scenario| scenario.name == question.scenario) else {
        let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
        let message = format!("there is no scenario `{}` in this reproduction", question.scenario);
        issues.report("scenario", message, there_are(&question.scenario, &names));
        return None;
    };
    let (mut scenario, wanted) = (scenario.clone(), &question.sweep);
    let known: Vec<String> = match scenario.sweep.arrays.as_slice() {
        [] => scenario.arrays.iter().map(|array| array.id.clone()).collect(),
        arrays => arrays.to_vec(),
    };
    let sweep = &mut scenario.sweep;
    if !wanted.vary.is_empty() {
        issues.report("sweep.vary", "a question keeps points of a sweep and varies nothing", "leave it out");
    }
    let found = [
        keep(&mut sweep.arrays, &wanted.arrays, &known, "arrays", issues),
        keep_of(&mut sweep.patterns, &wanted.patterns, "patterns", issues),
        keep_of(&mut sweep.queue_depths, &wanted.queue_depths, "queue_depths", issues),
        keep_of(&mut sweep.write_percents, &wanted.write_percents, "write_percents", issues),
        keep_of(&mut sweep.block_bytes, &wanted.block_bytes, "block_bytes", issues),
    ];
    if let Some(LengthSpec { ramp_s, measure_s }) = question.at_most {
        issues.scoped("at_most", |issues| {
            issues.range_f64("ramp_s", ramp_s, 0.0..=3_600.0, "s");
            issues.range_f64("measure_s", measure_s, 0.001..=86_400.0, "s");
        });
        let run = &mut scenario.run;
        (run.ramp_s, run.measure_s) = (run.ramp_s.min(ramp_s), run.measure_s.min(measure_s));
    }
    let count = points(&scenario).len();
    if count > POINTS_MAX {
        let message = format!("{count} points are too many to explain at once; at most {POINTS_MAX} are");
        issues.report("sweep", message, "list fewer arrays, depths, shares of writes or sizes");
        return None;
    }
    found.iter().all(|&found| found).then(|| Question { title: question.title.clone(), scenario })
}

fn keep_of<T: PartialEq + Clone + ToString>(
    sweep: &mut Vec<T>,
    wanted: &[T],
    field: &str,
    issues: &mut Issues,
) -> bool {
    let known = sweep.clone();
    keep(sweep, wanted, &known, field, issues)
}

/// Keeps the wanted values of `sweep`, which offers `known`; says whether all of them are there.
fn keep<T: PartialEq + Clone + ToString>(
    sweep: &mut Vec<T>,
    wanted: &[T],
    known: &[T],
    field: &str,
    issues: &mut Issues,
) -> bool {
    let mut all = true;
    for (place, value) in wanted.iter().enumerate().filter(|(_, value)| !known.contains(value)) {
        let names: Vec<String> = known.iter().map(T::to_string).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let message = format!("the scenario's sweep has no `{}`", value.to_string());
        issues.report(&format!("sweep.{field}[{place}]"), message, there_are(&value.to_string(), &names));
        all = false;
    }
    if !wanted.is_empty() {
        *sweep = wanted.to_vec();
    }
    all
}

/// A remedy for a name that is not known.
pub(super) fn there_are(wrong: &str, names: &[&str]) -> String {
    match suggest(wrong, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "leave it out: the scenario does not vary this".to_owned(),
        None => format!("there are: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Library, LoadOptions, SweepSpec, load};

    /// The scenario that the questions are about, and the faults of one that asks for `sweep` of `scenario`.
    fn asked(scenario: &str, sweep: SweepSpec) -> (Vec<Question>, String) {
        let loaded = load("rocketraid133/sequential-read", &Library::shipped(), &LoadOptions::default());
        let loaded = loaded.unwrap_or_else(|faults| panic!("{faults}"));
        let question =
            ExplanationSpec { title: "Why?".into(), scenario: scenario.into(), sweep, at_most: None };
        let mut issues = Issues::new();
        let question = resolved(&question, &[loaded], &mut issues);
        (question.into_iter().collect(), format!("{issues:?}"))
    }

    #[test]
    fn a_question_keeps_the_points_it_asks_for() {
        let sweep =
            SweepSpec { arrays: vec!["R0x2".into()], block_bytes: vec![65_536], ..SweepSpec::default() };
        let (questions, _) = asked("sequential-read", sweep);
        let points = points(&questions[0].scenario);
        assert_eq!(points.iter().map(|point| point.array.as_str()).collect::<Vec<_>>(), ["R0x2"]);
    }

    #[test]
    fn points_that_are_not_there_are_told_with_those_that_are() {
        let arrays = |name: &str| SweepSpec { arrays: vec![name.into()], ..SweepSpec::default() };
        let (none, faults) = asked("sequential-raed", SweepSpec::default());
        assert!(none.is_empty() && faults.contains("did you mean `sequential-read`?"), "{faults}");
        let (none, faults) = asked("sequential-read", arrays("R0x22"));
        assert!(none.is_empty() && faults.contains("sweep.arrays[0]") && faults.contains("R0x2"), "{faults}");
        let depths = SweepSpec { queue_depths: vec![7], ..arrays("R0x2") };
        let (none, faults) = asked("sequential-read", depths);
        assert!(none.is_empty() && faults.contains("has no `7`"), "{faults}");
        let (none, faults) = asked("sequential-read", SweepSpec::default());
        assert!(none.is_empty() && faults.contains("too many to explain"), "{faults}");
    }
}
