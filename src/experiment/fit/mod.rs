//! Fitting by the rules: figures of models are moved within their ranges until chosen claims of a reproduction hold.
//!
//! Models: a [`Fit`] makes the runs that decide its claims for one set of values after another ([`search`]), puts back
//! what is not needed, then moves each parameter alone from the best of them until a claim flips, and judges all other
//! claims before and after. What it found is a proposal with its provenance: no model is changed.
//! Leaves out: weak claims, which nothing may be tuned for; how clearly the other claims hold.
//! Invariants: the same file and models give the same evaluations on any number of threads; an evaluation is counted
//! whether its machines can be built or not; every evaluation meets the same random numbers.

mod objective;
mod report;
mod sensitivity;

#[cfg(test)]
mod tests;

pub use objective::{Evaluation, Judged, Phase, Score};
pub use sensitivity::Reach;

use super::claims::{Argument, Facts, Ledger, Measurements, Metric, Report};
use super::pool::{Progress, RunError};
use super::reproduction::{all_facts, measured, verify};
use crate::config::{Diagnostics, Issues};
use crate::results::Cell;
use crate::scenario::{
    FitParameter, FitPlan, FitSpec, Lengths, Library, LoadOptions, Point, ReproductionSpec, Scenario,
    WholeLedger, load_fit, points, tables,
};
use crate::sim::Streams;
use crate::stats::{Axis, search};
use objective::Objective;

/// A fit with everything it names.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The file's name without folder and ending.
    pub name: String,
    /// What its file says.
    pub spec: FitSpec,
    /// The parameters as they stand in the models.
    pub parameters: Vec<FitParameter>,
    /// The reproduction whose claims it is about.
    pub reproduction: ReproductionSpec,
    /// All claims.
    pub ledger: Ledger,
    scenarios: Vec<Scenario>,
    /// Of each scenario, the points that decide the chosen claims.
    needed: Vec<Vec<Point>>,
    /// Whether one of them asks for a fact.
    needs_facts: bool,
    facts: Facts,
    library: Library,
}

/// What a fit gave.
#[derive(Clone, Debug)]
pub struct FitResults {
    /// The fit.
    pub fit: Fit,
    /// Every evaluation in order; the first is of the models as they are.
    pub evaluations: Vec<Evaluation>,
    /// The number of the best, from 0: the earliest of equals of the search, with the parameters that it does not need
    /// as the models have them.
    pub best: usize,
    /// How far each parameter can move, downwards and upwards; none where there is no room.
    pub reaches: Vec<Reach>,
    /// The verdicts on all claims before and after, if they were judged.
    pub whole: Option<(Report, Report)>,
}

impl Fit {
    /// Loads a fit by name or path with its reproduction.
    ///
    /// # Errors
    /// Everything that is wrong with the file and with what it names; a claim that the reproduction's runs cannot decide.
    pub fn load(name_or_path: &str, library: &Library) -> Result<Self, Diagnostics> {
        let plan = load_fit(name_or_path, library)?;
        verify(&plan.reproduction, &plan.scenarios, &plan.ledger)?;
        let facts = all_facts(&plan.reproduction, &plan.scenarios, library, &options(&plan.spec));
        let places = Places::of(&plan.scenarios);
        let mut issues = Issues::new();
        let mut wanted = Vec::new();
        let mut needs_facts = false;
        for (index, id) in plan.spec.claims.iter().enumerate() {
            let Some((_, check)) = plan.ledger.find(id) else { continue };
            let needs = check.needs(&places.measurable, &facts);
            if !needs.lacking.is_empty() {
                let shown: Vec<&str> = needs.lacking.iter().take(3).map(String::as_str).collect();
                let message = format!("the runs of this reproduction do not decide claim `{id}`");
                let remedy = format!("take it out; they lack {}", shown.join(", "));
                issues.report(&format!("claims[{index}]"), message, remedy);
            }
            needs_facts |= needs.facts;
            wanted.extend(needs.places);
        }
        issues.into_diagnostics(&plan.source).unless_any(())?;
        let needed = places.needed(&wanted);
        let FitPlan { name, spec, reproduction, scenarios, ledger, parameters, .. } = plan;
        let library = library.clone();
        Ok(Fit {
            name,
            spec,
            parameters,
            reproduction,
            ledger,
            scenarios,
            needed,
            needs_facts,
            facts,
            library,
        })
    }

    /// How many runs one evaluation takes.
    pub fn runs_per_evaluation(&self) -> u64 {
        let runs = |(scenario, points): (&Scenario, &Vec<Point>)| {
            points.len() as u64 * u64::from(scenario.run.replications)
        };
        self.scenarios.iter().zip(&self.needed).map(runs).sum()
    }

    /// How many runs it takes to judge all claims once.
    fn runs_of_all(&self) -> u64 {
        let runs = |scenario: &Scenario| points(scenario).len() as u64 * u64::from(scenario.run.replications);
        self.scenarios.iter().map(runs).sum()
    }

    /// Whether all claims are judged before and after.
    fn judges_all(&self) -> bool {
        let search = u64::from(self.spec.budget_evaluations) * self.runs_per_evaluation();
        match self.spec.whole_ledger {
            WholeLedger::Always => true,
            WholeLedger::Never => false,
            WholeLedger::IfCheap => 2 * self.runs_of_all() <= search,
        }
    }

    /// The most runs that it takes.
    pub fn runs_max(&self) -> u64 {
        let parameters = self.parameters.len() as u64;
        let moved_alone = 2 * parameters * u64::from(self.spec.sensitivity_evaluations);
        let evaluations = u64::from(self.spec.budget_evaluations) + parameters + moved_alone;
        let all = if self.judges_all() { 2 * self.runs_of_all() } else { 0 };
        evaluations * self.runs_per_evaluation() + all
    }

    /// Searches, then moves each parameter alone, then judges all claims before and after.
    ///
    /// # Errors
    /// The first run that could not be finished.
    pub fn run(&self, jobs: Option<usize>, progress: &impl Progress) -> Result<FitResults, RunError> {
        progress.total(self.runs_max());
        let mut objective = Objective::new(self, jobs, progress);
        let present: Vec<f64> = self.parameters.iter().map(|parameter| parameter.present).collect();
        objective.at(&present, Phase::Search)?;
        let axes: Vec<Axis> = self.parameters.iter().map(|parameter| parameter.axis).collect();
        let inside = axes.iter().zip(&present).all(|(axis, &at)| axis.value(axis.share(at)) == at);
        // The models as they are count, even where they stand outside of the ranges.
        let budget = self.spec.budget_evaluations as usize - usize::from(!inside);
        let mut random = Streams::new(self.spec.seed).stream("fit", "search");
        search(&axes, &present, budget, &mut random, |values| objective.score(values))?;
        let best = objective.without_needless(objective.best())?;
        let reaches = sensitivity::reaches(&mut objective, best)?;
        let values = objective.evaluations[best].values.clone();
        let whole = match self.judges_all() {
            true => objective.whole(&present)?.zip(objective.whole(&values)?),
            false => None,
        };
        Ok(FitResults { fit: self.clone(), evaluations: objective.evaluations, best, reaches, whole })
    }
}

/// As if its scenarios had been loaded for a reproduction: lengths of the fit's own are a quick look too.
fn options(spec: &FitSpec) -> LoadOptions {
    LoadOptions { quick: spec.lengths != Lengths::Full, ..LoadOptions::default() }
}

/// A metric and where it is measured.
type PlaceName = (Metric, Vec<Argument>);

/// Where every point of every scenario is measured, as claims call it.
struct Places {
    /// Of each scenario, its points and their places; none of a point that no metric is of.
    points: Vec<Vec<(Point, Option<PlaceName>)>>,
    /// All of them, measured as if.
    measurable: Measurements,
}

impl Places {
    fn of(scenarios: &[Scenario]) -> Self {
        let named = |scenario: &Scenario| {
            let of_point = |point: Point| {
                let name = place(scenario, &point);
                (point, name)
            };
            points(scenario).into_iter().map(of_point).collect::<Vec<_>>()
        };
        let points: Vec<Vec<_>> = scenarios.iter().map(named).collect();
        let mut measurable = Measurements::new();
        for (metric, arguments) in points.iter().flatten().filter_map(|(_, name)| name.as_ref()) {
            measurable.add(*metric, arguments.clone(), 1.0);
        }
        Places { points, measurable }
    }

    /// The points that are measured at one of these places, by scenario.
    fn needed(self, wanted: &[PlaceName]) -> Vec<Vec<Point>> {
        let is_wanted = |name: &Option<PlaceName>| name.as_ref().is_some_and(|name| wanted.contains(name));
        let chosen = |points: Vec<(Point, Option<PlaceName>)>| {
            points.into_iter().filter(|(_, name)| is_wanted(name)).map(|(point, _)| point).collect()
        };
        self.points.into_iter().map(chosen).collect()
    }
}

/// Where the runs of a point are found among measurements: as they would be, had they been made.
fn place(scenario: &Scenario, point: &Point) -> Option<PlaceName> {
    let mut table = tables::runs(scenario);
    let mut row = tables::parameters(scenario, point);
    row.resize(table.columns.len(), Cell::Real(1.0));
    table.push(row);
    let measured = measured([(scenario, &table)]).ok()?;
    measured.all_places().next().cloned()
}
