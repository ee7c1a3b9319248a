//! What a fit file says: which figures of the models may move, how far, and which claims they are moved for.

use serde::{Deserialize, Serialize};

use super::file::ReproductionSpec;
use super::fit_check;
use super::library::{Document, Library, is_path, remedy};
use super::load::{load_ledger, load_listed, located};
use super::spec::{QuickSpec, Scenario};
use super::{LoadOptions, check_lengths};
use crate::config::{self, Diagnostics, Issues, Validate};
use crate::experiment::claims::Ledger;
use crate::stats::{Axis, Scale};

/// Most evaluations of a fit.
const EVALUATIONS_MAX: u64 = 100_000;

/// A search of figures of models for claims of a reproduction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitSpec {
    /// What it is about.
    #[serde(default)]
    pub title: String,
    /// The reproduction: a name of the catalogue, or a path from this file.
    pub reproduction: String,
    /// Ids of the claims that are to hold, at least one, none of them weak.
    pub claims: Vec<String>,
    /// The figures that may move, at least one.
    pub parameters: Vec<ParameterSpec>,
    /// Seed of the search; the runs have the seeds of their scenarios.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// Evaluations of the search, the models as they are among them: one more than there are parameters, to 100000.
    pub budget_evaluations: u32,
    /// Most evaluations that are spent on how far one parameter can move one way, 0 to 100; 0 leaves that out.
    #[serde(default = "usual_sensitivity")]
    pub sensitivity_evaluations: u32,
    /// Length and number of runs.
    #[serde(default)]
    pub lengths: Lengths,
    /// Whether all other claims of the ledger are judged at the start and at the end.
    #[serde(default)]
    pub whole_ledger: WholeLedger,
}

/// A figure that may move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterSpec {
    /// Its path as in `--set`: of `host`, `driver`, `bus`, `controller` or `drives`.
    pub path: String,
    /// Least value, in the field's unit.
    pub from: f64,
    /// Greatest value, in the field's unit.
    pub to: f64,
    /// Whether equal differences or equal ratios are equal steps.
    #[serde(default)]
    pub scale: Scale,
    /// Which numbers are tried; those that the field holds, if it is not said.
    #[serde(default)]
    pub kind: Option<NumberKind>,
}

/// Which numbers a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NumberKind {
    /// Whole numbers.
    Whole,
    /// Any numbers, rounded to a thousandth of the range.
    Real,
}

/// Length and number of the runs of a fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Lengths {
    /// Those of a quick look at each scenario.
    #[default]
    Quick,
    /// Those of each scenario.
    Full,
    /// The same for all.
    Of(QuickSpec),
}

/// Whether all claims of the ledger are judged before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WholeLedger {
    /// If that takes no more runs than the search.
    #[default]
    IfCheap,
    /// Whatever it takes.
    Always,
    /// Never.
    Never,
}

fn first_seed() -> u64 {
    1
}
fn usual_sensitivity() -> u32 {
    6
}

/// A figure that may move, as it stands in the models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitParameter {
    /// Its path as in `--set`.
    pub path: String,
    /// The name of the model it belongs to.
    pub model: String,
    /// Its path inside of the model, as the model's `sources` name it.
    pub field: String,
    /// Its value in the models as they are.
    pub present: f64,
    /// The values it may take.
    pub axis: Axis,
    /// Whether each scenario of the reproduction takes part; one that has another model or another value there does not.
    pub moves: Vec<bool>,
}

impl FitParameter {
    /// A value as RON text.
    pub fn text(&self, value: f64) -> String {
        if self.axis.whole { format!("{value:.0}") } else { format!("{value:?}") }
    }
}

/// A fit file with everything it names, without fault.
#[derive(Clone, Debug)]
pub(crate) struct FitPlan {
    /// The file's name without folder and ending.
    pub name: String,
    pub spec: FitSpec,
    pub source: config::Source,
    pub reproduction: ReproductionSpec,
    /// Its scenarios, with the lengths of the fit.
    pub scenarios: Vec<Scenario>,
    pub ledger: Ledger,
    pub parameters: Vec<FitParameter>,
}

/// Loads a fit by name or path with its reproduction.
///
/// # Errors
/// Everything that is wrong with the file, the reproduction and the scenarios and claims that it names.
pub(crate) fn load_fit(name_or_path: &str, library: &Library) -> Result<FitPlan, Diagnostics> {
    plan(library.scenario(name_or_path)?, library)
}

/// Judges a fit file and all that it names.
pub(super) fn plan(document: Document, library: &Library) -> Result<FitPlan, Diagnostics> {
    let spec: FitSpec = config::parse(&document.source)?;
    let mut issues = Issues::new();
    spec.validate(&mut issues);
    let mut faults = Diagnostics::new();
    let opened = open(&spec, &document, library).map_err(|found| faults.extend(found)).ok();
    let mut parameters = Vec::new();
    if let Some(opened) = &opened {
        fit_check::claims(&spec, &opened.ledger, &mut issues);
        for (index, parameter) in spec.parameters.iter().enumerate() {
            let judged = issues.scoped(&format!("parameters[{index}]"), |issues| {
                fit_check::parameter(parameter, &opened.scenarios, library, issues)
            });
            parameters.extend(judged);
        }
    }
    faults.extend(issues.into_diagnostics(&document.source));
    let Some(Opened { reproduction, mut scenarios, ledger }) = opened else { return Err(faults) };
    faults.unless_any(())?;
    if let Lengths::Of(QuickSpec { ramp_s, measure_s, replications }) = spec.lengths {
        for scenario in &mut scenarios {
            scenario.run = super::RunSpec { ramp_s, measure_s, replications, ..scenario.run };
        }
    }
    let name = stem(&document.source.name).to_owned();
    Ok(FitPlan { name, spec, source: document.source, reproduction, scenarios, ledger, parameters })
}

/// The name of a file without folder and ending.
fn stem(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.strip_suffix(".ron").unwrap_or(file)
}

struct Opened {
    reproduction: ReproductionSpec,
    scenarios: Vec<Scenario>,
    ledger: Ledger,
}

fn open(spec: &FitSpec, document: &Document, library: &Library) -> Result<Opened, Diagnostics> {
    let reference = spec.reproduction.as_str();
    let entries = library.reproductions();
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    if !is_path(reference) && !names.contains(&reference) {
        let mut issues = Issues::new();
        let remedy = remedy(reference, &names, "to name a file, give its path with `.ron`");
        issues.report("reproduction", format!("there is no reproduction `{reference}`"), remedy);
        return Err(issues.into_diagnostics(&document.source));
    }
    let found = library.named_scenario(reference, &document.home);
    let parent = found.map_err(|trouble| located(&document.source, "reproduction", trouble))?;
    let reproduction: ReproductionSpec = config::parse(&parent.source)?;
    let options = LoadOptions { quick: spec.lengths == Lengths::Quick, ..LoadOptions::default() };
    let mut faults = Diagnostics::new();
    let mut scenarios = Vec::new();
    for (index, reference) in reproduction.scenarios.iter().enumerate() {
        match load_listed(&parent, index, reference, library, &options) {
            Ok(scenario) => scenarios.push(scenario),
            Err(found) => faults.extend(found),
        }
    }
    match load_ledger(&parent, &reproduction.ledger, library) {
        Ok(ledger) => faults.unless_any(Opened { reproduction, scenarios, ledger }),
        Err(found) => {
            faults.extend(found);
            Err(faults)
        }
    }
}

impl Validate for FitSpec {
    fn validate(&self, issues: &mut Issues) {
        if self.claims.is_empty() {
            issues.report(
                "claims",
                "a fit needs claims to be judged by",
                "name at least one, such as \"C49\"",
            );
        }
        if self.parameters.is_empty() {
            let remedy = "add one, such as (path: \"driver.window_array_requests\", from: 16, to: 64)";
            issues.report("parameters", "a fit needs parameters to move", remedy);
        }
        let least = self.parameters.len() as u64 + 1;
        let budget = u64::from(self.budget_evaluations);
        if budget == 0 {
            let message = "a budget of 0 evaluations finds nothing";
            issues.report("budget_evaluations", message, format!("allow at least {least}; tens are usual"));
        } else if budget < least {
            let message =
                format!("{budget} evaluations are too few for {} parameters", self.parameters.len());
            let remedy = format!("allow at least {least}: the start, and one move of each parameter");
            issues.report("budget_evaluations", message, remedy);
        } else {
            issues.range_u64("budget_evaluations", budget, least..=EVALUATIONS_MAX, "evaluations");
        }
        let sensitivity = self.sensitivity_evaluations.into();
        issues.range_u64("sensitivity_evaluations", sensitivity, 0..=100, "evaluations");
        for (index, parameter) in self.parameters.iter().enumerate() {
            issues.scoped(&format!("parameters[{index}]"), |issues| parameter.validate(issues));
            if self.parameters[..index].iter().any(|other| other.path.trim() == parameter.path.trim()) {
                let message = format!("`{}` is named twice", parameter.path);
                issues.report(&format!("parameters[{index}].path"), message, "give each parameter one range");
            }
        }
        if let Lengths::Of(QuickSpec { ramp_s, measure_s, replications }) = self.lengths {
            issues.scoped("lengths", |issues| check_lengths(issues, ramp_s, measure_s, replications));
        }
    }
}

impl Validate for ParameterSpec {
    fn validate(&self, issues: &mut Issues) {
        let (from, to) = (self.from, self.to);
        if !(from.is_finite() && to.is_finite()) {
            issues.report("", "a range needs two finite ends", "give numbers for `from` and `to`");
        } else if from == to {
            let message = format!("the range is empty: it goes from {from} to {to}");
            issues.report("to", message, "give `to` a value above `from`, or take the parameter out");
        } else if from > to {
            let message = format!("the range is reversed: it goes from {from} to {to}");
            issues.report("to", message, "write the smaller end as `from`");
        } else if self.scale == Scale::Log && from <= 0.0 {
            let message = format!("a logarithmic scale cannot begin at {from}");
            issues.report("from", message, "begin above 0, or use `scale: Linear`");
        }
        if self.kind == Some(NumberKind::Whole) {
            for (field, end) in [("from", from), ("to", to)] {
                if end.is_finite() && end.fract() != 0.0 {
                    let message = format!("`kind` is Whole, but `{field}` is {end}");
                    issues.report(field, message, "give a whole number, or use `kind: Real`");
                }
            }
        }
    }
}
