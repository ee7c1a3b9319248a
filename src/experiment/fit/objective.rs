//! What a set of values is worth: how many of the chosen claims are missed, and by how much.

use serde::Serialize;

use super::super::claims::{Facts, Measurements, Report, Verdict, check_all};
use super::super::pool::{Progress, RunError, run_points};
use super::super::reproduction::{all_facts, measured};
use super::super::results::Results;
use super::{Fit, options};
use crate::config::Diagnostics;
use crate::scenario::{Point, Scenario, points, with_sets};

/// What an evaluation was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Phase {
    /// To find the best values.
    Search,
    /// To see whether a parameter may keep the value of the models as they are.
    Reset,
    /// To see how far a parameter can move.
    Sensitivity,
}

impl Phase {
    /// The phase as tables print it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Search => "search",
            Phase::Reset => "reset",
            Phase::Sensitivity => "sensitivity",
        }
    }
}

/// How a chosen claim came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The claim.
    pub id: String,
    /// How it came out.
    pub verdict: Verdict,
    /// How clearly it holds (above 0) or is missed (below), as a share of the values compared, -1 to 1.
    pub margin: f64,
    /// Whether a difference smaller than its 95 % interval could have decided it.
    pub within_noise: bool,
    /// The measured values, as short text.
    pub measured: String,
}

/// What values are worth; less is better. All claims weigh the same.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
pub struct Score {
    /// Claims that do not hold; one more than there are, if no machine can be built so.
    pub missed: usize,
    /// Mean over the claims of the margin by which they are missed, 0 to 1; one that holds counts 0.
    pub distance: f64,
    /// The least margin of the claims that hold, negated: of values that miss as much, those are better whose held
    /// claims are further from turning over.
    pub tightness: f64,
}

/// One set of values and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// What it was made for.
    pub phase: Phase,
    /// The value of each parameter, in their order.
    pub values: Vec<f64>,
    /// Why no machine can be built with them, if that is so.
    pub refused: Option<String>,
    /// The chosen claims, in their order; none if refused.
    pub claims: Vec<Judged>,
    /// What they are worth.
    pub score: Score,
}

impl Score {
    fn of(claims: &[Judged]) -> Self {
        let held = || claims.iter().filter(|claim| claim.verdict == Verdict::Held);
        let missed_by = claims.iter().filter(|claim| claim.verdict != Verdict::Held).map(|claim| {
            // What cannot be checked is as far away as can be.
            if claim.verdict == Verdict::Missed { (-claim.margin).clamp(0.0, 1.0) } else { 1.0 }
        });
        let distance = missed_by.fold(0.0, |sum, by| sum + by) / claims.len().max(1) as f64;
        let tightness = held().map(|claim| -claim.margin).fold(-1.0, f64::max);
        Score { missed: claims.len() - held().count(), distance, tightness }
    }
    fn refused(claims: usize) -> Self {
        Score { missed: claims + 1, distance: 1.0, tightness: 1.0 }
    }
}

/// Progress of parts of a whole whose size has been told.
struct Part<'a, P>(&'a P);

impl<P: Progress> Progress for Part<'_, P> {
    fn total(&self, _: u64) {}
    fn done(&self, runs: u64) {
        self.0.done(runs);
    }
}

/// Evaluates values and keeps what came of each; none is evaluated twice.
pub(super) struct Objective<'a, P> {
    pub fit: &'a Fit,
    jobs: Option<usize>,
    progress: Part<'a, P>,
    pub evaluations: Vec<Evaluation>,
}

impl<'a, P: Progress> Objective<'a, P> {
    pub fn new(fit: &'a Fit, jobs: Option<usize>, progress: &'a P) -> Self {
        Objective { fit, jobs, progress: Part(progress), evaluations: Vec::new() }
    }

    /// The number of the evaluation of these values, which is made if it is new.
    pub fn at(&mut self, values: &[f64], phase: Phase) -> Result<usize, RunError> {
        if let Some(known) = self.evaluations.iter().position(|known| known.values == values) {
            return Ok(known);
        }
        let values = values.to_vec();
        let evaluation = match self.judge(&values)? {
            Ok(claims) => Evaluation { phase, values, refused: None, score: Score::of(&claims), claims },
            Err(refused) => {
                let score = Score::refused(self.fit.spec.claims.len());
                Evaluation { phase, values, refused: Some(refused), claims: Vec::new(), score }
            }
        };
        self.evaluations.push(evaluation);
        Ok(self.evaluations.len() - 1)
    }

    /// What values are worth to the search.
    pub fn score(&mut self, values: &[f64]) -> Result<Score, RunError> {
        let number = self.at(values, Phase::Search)?;
        Ok(self.evaluations[number].score)
    }

    /// The number of the best evaluation; the earliest of equals.
    pub fn best(&self) -> usize {
        let better = |best: usize, next: usize| {
            if self.evaluations[next].score < self.evaluations[best].score { next } else { best }
        };
        (0..self.evaluations.len()).reduce(better).unwrap_or(0)
    }

    /// Evaluation number `best` with every parameter that is not needed for its score back where the models have it:
    /// what need not be fitted is better not fitted.
    pub fn without_needless(&mut self, mut best: usize) -> Result<usize, RunError> {
        for (index, parameter) in self.fit.parameters.iter().enumerate() {
            let mut values = self.evaluations[best].values.clone();
            values[index] = parameter.present;
            let number = self.at(&values, Phase::Reset)?;
            if self.evaluations[number].score <= self.evaluations[best].score {
                best = number;
            }
        }
        Ok(best)
    }

    /// The chosen claims with these values, or why no machine can be built with them.
    fn judge(&self, values: &[f64]) -> Result<Result<Vec<Judged>, String>, RunError> {
        let fit = self.fit;
        let scenarios = match changed(fit, values, |index| fit.needs_facts || !fit.needed[index].is_empty()) {
            Ok(scenarios) => scenarios,
            Err(faults) => return Ok(Err(first(&faults))),
        };
        let of_points = |(index, points): (usize, &Vec<Point>)| {
            let scenario = scenarios[index].as_ref().filter(|_| !points.is_empty())?;
            Some((scenario, points.clone()))
        };
        let parts: Vec<_> = fit.needed.iter().enumerate().filter_map(of_points).collect();
        let results = run_points(&parts, self.jobs, &self.progress)?;
        let measurements = match measurements(&results) {
            Ok(measurements) => measurements,
            Err(error) => return Ok(Err(error)),
        };
        let facts = if fit.needs_facts { facts(fit, scenarios) } else { fit.facts.clone() };
        let judged = |id: &String| {
            let (_, check) = fit.ledger.find(id)?;
            let outcome = check.evaluate(&measurements, &facts);
            Some(Judged {
                id: id.clone(),
                verdict: outcome.verdict,
                margin: outcome.margin.clamp(-1.0, 1.0),
                within_noise: outcome.within_noise,
                measured: outcome.measured,
            })
        };
        Ok(Ok(fit.spec.claims.iter().filter_map(judged).collect()))
    }

    /// The verdicts on all claims of the ledger with these values; none if no machine can be built with them.
    pub fn whole(&self, values: &[f64]) -> Result<Option<Report>, RunError> {
        let Ok(scenarios) = changed(self.fit, values, |_| true) else { return Ok(None) };
        let parts: Vec<_> = scenarios.iter().flatten().map(|scenario| (scenario, points(scenario))).collect();
        let results = run_points(&parts, self.jobs, &self.progress)?;
        let Ok(measurements) = measurements(&results) else { return Ok(None) };
        Ok(Some(check_all(&self.fit.ledger, &measurements, &facts(self.fit, scenarios))))
    }
}

/// The scenarios with these values, where `wanted`: a value that the models have already is not set.
fn changed(
    fit: &Fit,
    values: &[f64],
    wanted: impl Fn(usize) -> bool,
) -> Result<Vec<Option<Scenario>>, Diagnostics> {
    let with_values = |(index, scenario): (usize, &Scenario)| {
        if !wanted(index) {
            return Ok(None);
        }
        let moved = fit.parameters.iter().zip(values);
        let moved = moved.filter(|(parameter, value)| parameter.moves[index] && **value != parameter.present);
        let sets: Vec<(String, String)> =
            moved.map(|(parameter, value)| (parameter.path.clone(), parameter.text(*value))).collect();
        with_sets(scenario, &fit.library, &sets).map(Some)
    };
    fit.scenarios.iter().enumerate().map(with_values).collect()
}

fn facts(fit: &Fit, scenarios: Vec<Option<Scenario>>) -> Facts {
    let scenarios: Vec<Scenario> = scenarios.into_iter().flatten().collect();
    all_facts(&fit.reproduction, &scenarios, &fit.library, &options(&fit.spec))
}

fn measurements(results: &[Results]) -> Result<Measurements, String> {
    let tables = results.iter().map(|results| (&results.scenario, &results.runs));
    measured(tables).map_err(|error| error.to_string())
}

fn first(faults: &Diagnostics) -> String {
    faults.iter().next().map_or_else(String::new, |fault| fault.message.clone())
}
