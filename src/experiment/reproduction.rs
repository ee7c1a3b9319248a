//! Replaying a review: all its scenarios in one go, its tables, and the verdicts on what it claims.

use super::claims::{Facts, Ledger, MeasurementError, Measurements, Report, Vocabulary, check_all};
use super::facts::{FOUND, facts, is_found};
use super::fit::Fit;
use super::pivot;
use super::pool::{Progress, RunError, run_all};
use super::questions::{Question, questions, there_are};
use super::results::Results;
use crate::config::{Diagnostic, Diagnostics, Issues};
use crate::results::{Cell, Table};
use crate::scenario::{
    self, CheckedKind, Experiment, Library, LoadOptions, ReproductionSpec, Scenario, TableSpec, load_ledger,
    load_listed, load_reproduction,
};

/// A reproduction with everything it names.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// What its file says.
    pub spec: ReproductionSpec,
    /// Its scenarios, in the order of the file.
    pub scenarios: Vec<Scenario>,
    /// The claims.
    pub ledger: Ledger,
    /// What is known of the set-up before anything has run.
    pub facts: Facts,
    /// What is to be explained beside.
    pub questions: Vec<Question>,
}

/// Judges any file as [`scenario::check`](crate::scenario::check) does, and with all that it names a reproduction (its
/// scenarios and claims, and whether tables, findings and questions ask for what there is) or a fit (whether the runs
/// decide its claims).
///
/// # Errors
/// Everything that is wrong with the file and with the files it names.
pub fn check(name_or_path: &str, library: &Library) -> Result<CheckedKind, Diagnostics> {
    let kind = scenario::check(name_or_path, library)?;
    match kind {
        CheckedKind::Reproduction => {
            drop(Reproduction::load(name_or_path, library, &LoadOptions::default())?)
        }
        CheckedKind::Fit => drop(Fit::load(name_or_path, library)?),
        _ => {}
    }
    Ok(kind)
}

/// What a reproduction gave.
#[derive(Clone, Debug)]
pub struct ReproductionResults {
    /// What its file says.
    pub spec: ReproductionSpec,
    /// Results of its scenarios, in the order of the file.
    pub results: Vec<Results>,
    /// The claims.
    pub ledger: Ledger,
    facts: Facts,
}

impl Reproduction {
    /// Loads a reproduction by name or path with all its scenarios; the options apply to each of them.
    ///
    /// # Errors
    /// Everything that is wrong with the file, its scenarios, its tables and its claims, or with a field that was set.
    pub fn load(name_or_path: &str, library: &Library, options: &LoadOptions) -> Result<Self, Diagnostics> {
        let (spec, document) = load_reproduction(name_or_path, library)?;
        let mut faults = Diagnostics::new();
        let mut scenarios = Vec::new();
        for (index, reference) in spec.scenarios.iter().enumerate() {
            match load_listed(&document, index, reference, library, options) {
                Ok(scenario) => scenarios.push(scenario),
                Err(diagnostics) => faults.extend(diagnostics),
            }
        }
        if faults.is_empty() {
            faults.extend(set_in_none(&scenarios, options));
        }
        let ledger = match load_ledger(&document, &spec.ledger, library) {
            Ok(ledger) if spec.retest_of.is_some() => Some(ledger.without_expectations()),
            Ok(ledger) => Some(ledger),
            Err(diagnostics) => {
                faults.extend(diagnostics);
                None
            }
        };
        let mut issues = Issues::new();
        if faults.is_empty() {
            check_names(&spec, &scenarios, &mut issues);
            pivot::check(&spec.tables, &scenarios, options.settings().next().is_none(), &mut issues);
        }
        if let Some(ledger) = ledger.as_ref().filter(|_| faults.is_empty()) {
            check_findings(&spec, &scenarios, ledger, &mut issues);
        }
        let mut unasked = Issues::new();
        let asked = if faults.is_empty() { questions(&spec, &scenarios, &mut unasked) } else { Vec::new() };
        // What is set may change a sweep: then a question that finds its points no more is not the file's fault.
        if options.sets.is_empty() {
            faults.extend(unasked.into_diagnostics(&document.source));
        }
        faults.extend(issues.into_diagnostics(&document.source));
        let Some(ledger) = ledger else { return Err(faults) };
        faults.unless_any(())?;
        if options.sets.is_empty() {
            verify(&spec, &scenarios, &ledger)?;
        }
        let facts = all_facts(&spec, &scenarios, library, options);
        Ok(Reproduction { spec, scenarios, ledger, facts, questions: asked })
    }

    /// How many runs it takes.
    pub fn runs(&self) -> u64 {
        let runs =
            |scenario: &Scenario| super::points(scenario).len() as u64 * u64::from(scenario.run.replications);
        self.scenarios.iter().map(runs).sum()
    }

    /// Makes all runs of all scenarios in one go.
    ///
    /// # Errors
    /// The first run, in the order of scenarios and tables, that could not be finished.
    pub fn run(
        &self,
        jobs: Option<usize>,
        progress: &impl Progress,
    ) -> Result<ReproductionResults, RunError> {
        Ok(ReproductionResults {
            spec: self.spec.clone(),
            results: run_all(&self.scenarios, jobs, progress)?,
            ledger: self.ledger.clone(),
            facts: self.facts.clone(),
        })
    }
}

/// What is known of the set-up: of the scenarios, which were loaded with `options`, and from the reproduction's file.
pub(super) fn all_facts(
    spec: &ReproductionSpec,
    scenarios: &[Scenario],
    library: &Library,
    options: &LoadOptions,
) -> Facts {
    let mut facts = facts(scenarios, library);
    // A quick look says nothing about how often and how long the review's tests are made.
    if options.quick || options.runs.is_some() {
        facts.withhold("runs.count", "not with --quick or --runs");
    }
    if options.quick {
        facts.withhold("sequential.seconds_per_block", "not with --quick");
    } else {
        let sequential =
            scenarios.iter().find(|scenario| scenario.experiment == Some(Experiment::SequentialRead));
        if let Some(sequential) = sequential {
            facts.number("sequential.seconds_per_block", sequential.run.measure_s);
        }
        let replications = scenarios.iter().map(|scenario| scenario.run.replications).min();
        if let (Some(replications), None) = (replications, options.runs) {
            facts.number("runs.count", replications.into());
        }
    }
    for (name, text) in &spec.facts {
        facts.text(name, text);
    }
    facts
}

/// The settings that none of the scenarios could take.
fn set_in_none(scenarios: &[Scenario], options: &LoadOptions) -> Diagnostics {
    let lost =
        options.sets.iter().filter(|set| !scenarios.iter().any(|scenario| scenario.overrides.contains(set)));
    let fault = |(path, text): &(String, String)| {
        let message = format!("no scenario of this reproduction can be swept over `{path}`");
        Diagnostic::of_file(format!("--set {path}={text}"), message).with_remedy("leave it out")
    };
    lost.map(fault).collect()
}

/// Whether there are scenarios, with names of their own, and facts that nothing but the file can tell.
fn check_names(spec: &ReproductionSpec, scenarios: &[Scenario], issues: &mut Issues) {
    for (index, scenario) in scenarios.iter().enumerate() {
        if scenarios[..index].iter().any(|other| other.name == scenario.name) {
            let message = format!("two scenarios are called `{}`", scenario.name);
            issues.report(&format!("scenarios[{index}]"), message, "give each its own `name`");
        }
    }
    if spec.scenarios.is_empty() {
        let remedy = "list at least one, such as \"rocketraid133/mix\"";
        issues.report("scenarios", "the reproduction has no scenario to run", remedy);
    }
    for name in spec.facts.keys().filter(|name| is_found(name)) {
        let message = format!("fact `{name}` is for the program to find: it may not be told");
        let remedy = format!("leave it out; what starts with one of these is found: {}", FOUND.join(", "));
        issues.report("facts", message, remedy);
    }
}

/// Whether findings name claims and figures that there are.
fn check_findings(spec: &ReproductionSpec, scenarios: &[Scenario], ledger: &Ledger, issues: &mut Issues) {
    let claims: Vec<&str> = ledger.claims().map(|claim| claim.id.as_str()).collect();
    let plots = scenarios.iter().flat_map(|scenario| &scenario.plots);
    let figures: Vec<&str> = plots.map(|plot| plot.file.as_str()).collect();
    for (index, finding) in spec.findings.iter().enumerate() {
        if finding.claims.is_empty() {
            let remedy = "name the claims that it consists of, or leave the finding out";
            issues.report(
                &format!("findings[{index}].claims"),
                "no claim says whether this comes out",
                remedy,
            );
        }
        for (what, field, named, known) in
            [("claim", "claims", &finding.claims, &claims), ("figure", "figures", &finding.figures, &figures)]
        {
            for (place, name) in named.iter().enumerate().filter(|(_, name)| !known.contains(&name.as_str()))
            {
                let path = format!("findings[{index}].{field}[{place}]");
                issues.report(&path, format!("there is no {what} `{name}`"), there_are(name, known));
            }
        }
    }
}

/// Whether the scenarios measure what the ledger asks for.
pub(super) fn verify(
    spec: &ReproductionSpec,
    scenarios: &[Scenario],
    ledger: &Ledger,
) -> Result<(), Diagnostics> {
    let mut offered = Vocabulary {
        // A file system that nothing runs leaves its claims unchecked, and they are reported so.
        file_systems: ledger.vocabulary().file_systems.clone(),
        // A variant that nothing runs leaves its claims unchecked too.
        variants: ledger.vocabulary().variants.clone(),
        arrays: Vec::new(),
        patterns: Vec::new(),
    };
    for point in scenarios.iter().flat_map(super::points) {
        if !offered.arrays.contains(&point.array) {
            offered.arrays.push(point.array);
        }
        let pattern = point.pattern.map(|name| claims_name(&name));
        offered.patterns.extend(pattern.filter(|name| !offered.patterns.contains(name)));
    }
    ledger.verify(spec.retest_of.as_ref().unwrap_or(&spec.name), &offered)
}

impl ReproductionResults {
    /// What was measured, as claims ask for it.
    ///
    /// # Errors
    /// None that is known: the tables have the columns that the experiments need.
    pub fn measurements(&self) -> Result<Measurements, MeasurementError> {
        measured(self.results.iter().map(|results| (&results.scenario, &results.runs)))
    }

    /// What is known of the set-up.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The verdicts on all claims.
    ///
    /// # Errors
    /// As [`measurements`](Self::measurements).
    pub fn report(&self) -> Result<Report, MeasurementError> {
        Ok(check_all(&self.ledger, &self.measurements()?, &self.facts))
    }

    /// The tables that the file asks for, each with its heading.
    pub fn tables(&self) -> Vec<(String, Table)> {
        let made = |spec: &TableSpec| {
            let of = |name: &String| self.results.iter().find(|results| results.scenario.name == *name);
            let mut summary = of(&spec.scenario)?.summary.clone();
            for name in &spec.beside {
                summary.rows.extend_from_slice(&of(name)?.summary.rows);
            }
            Some((spec.title.clone(), pivot::pivot(spec, &summary)?))
        };
        self.spec.tables.iter().filter_map(made).collect()
    }
}

/// What tables of runs measured, as claims ask for it.
pub(super) fn measured<'a>(
    runs: impl IntoIterator<Item = (&'a Scenario, &'a Table)>,
) -> Result<Measurements, MeasurementError> {
    let of_experiments = runs
        .into_iter()
        .filter_map(|(scenario, runs)| Some((scenario.experiment?.claimed(), with_claims_names(runs))));
    let tables: Vec<_> = of_experiments.collect();
    Measurements::from_tables(tables.iter().map(|(experiment, table)| (*experiment, table)))
}

/// The claims' name of a pattern: `file-server` is `FileServer` there, where `-` means a difference.
fn claims_name(pattern: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    pattern.split('-').map(word).collect()
}

fn with_claims_names(runs: &Table) -> Table {
    let mut table = runs.clone();
    let Some(column) = table.column("pattern") else { return table };
    for row in &mut table.rows {
        if let Cell::Text(name) = &mut row[column] {
            *name = claims_name(name);
        }
    }
    table
}
