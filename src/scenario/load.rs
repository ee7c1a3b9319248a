//! Loading a scenario with a user's overrides, and judging the result.

use super::build_check;
use super::detect::Fragment;
use super::file::ReproductionSpec;
use super::layers::{Faults, Layers};
use super::library::{Document, Home, Library, Trouble};
use super::resolve::{Resolved, judge_structure, resolve};
use super::sets;
use super::spec::Scenario;
use super::structure;
use crate::config::{self, Diagnostic, Diagnostics, Issues, Source};
use crate::experiment::claims::Ledger;

/// What a user changes of a scenario without touching its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Fields to set, as path and RON text, in order: what `--set path=value` says.
    pub sets: Vec<(String, String)>,
    /// The seed in place of the scenario's.
    pub seed: Option<u64>,
    /// The number of replications in place of the scenario's.
    pub runs: Option<u32>,
    /// Takes the lengths of a quick look.
    pub quick: bool,
}

impl LoadOptions {
    /// Varies one more field over `values`: what `--vary path=a,b` says. It takes the place of the scenario's own
    /// varied fields.
    pub fn vary(&mut self, path: &str, values: &[&str]) {
        let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
        let text = format!("[(path: {path:?}, values: [{}])]", values.join(", "));
        self.sets.push(("sweep.vary".to_owned(), text));
    }
}

/// Loads a scenario by name or path, applies the options and builds each of its machines once.
///
/// # Errors
/// Everything that is wrong with the file, the files it includes, the models it names, the machines it describes
/// and the fields that were set, each with its place and a remedy.
pub fn load(name_or_path: &str, library: &Library, options: &LoadOptions) -> Result<Scenario, Diagnostics> {
    assemble(library.scenario(name_or_path)?, library, options)
}

/// The same from a text, without any access to files unless `library` has folders.
///
/// # Errors
/// As [`load`]; also if the text names a file by a path that is not a shipped one.
pub fn load_text(source: &Source, library: &Library, options: &LoadOptions) -> Result<Scenario, Diagnostics> {
    library.check_folders()?;
    assemble(library.adopt(source), library, options)
}

fn assemble(document: Document, library: &Library, options: &LoadOptions) -> Result<Scenario, Diagnostics> {
    let layers = Layers::read(document, library)?;
    let resolved = resolve(&layers, library)?;
    if resolved.fragment {
        let mut faults = Faults::new(&layers);
        let remedy =
            "add `workload: (access: Pattern(\"database\"))`, or run a scenario that includes this file";
        faults.at(0, "", "the scenario has no `workload`: it is a part for others to include", remedy);
        return Err(faults.into_diagnostics());
    }
    let base = &resolved.scenario;
    // Plots belong to the sweep of the file; a user may sweep less.
    let mut issues = Issues::new();
    judge_structure(base, false, &mut issues);
    if issues.is_empty() {
        structure::plots(base, &mut issues);
    }
    if options.sets.is_empty() || !issues.is_empty() {
        judge_rest(base, &mut issues);
        into_place(&layers, &resolved, &issues).unless_any(())?;
    }
    let scenario = apply_options(base, library, options)?;
    if scenario != *base {
        judge_changed(&layers, &resolved, &scenario, options)?;
    }
    Ok(scenario)
}

/// Every file of a chain without options, down to its machines.
pub(super) fn check_document(document: Document, library: &Library) -> Result<Fragment, Diagnostics> {
    let layers = Layers::read(document, library)?;
    let resolved = resolve(&layers, library)?;
    let mut issues = Issues::new();
    judge_structure(&resolved.scenario, resolved.fragment, &mut issues);
    if !resolved.fragment {
        if issues.is_empty() {
            structure::plots(&resolved.scenario, &mut issues);
        }
        judge_rest(&resolved.scenario, &mut issues);
    }
    into_place(&layers, &resolved, &issues).unless_any(Fragment(resolved.fragment))
}

/// The models' rules and the machines. `issues` may hold faults of the structure already.
fn judge_rest(scenario: &Scenario, issues: &mut Issues) {
    let mut models = Issues::new();
    structure::models(scenario, &mut models);
    let sound = models.is_empty() && issues.is_empty();
    issues.absorb("", models);
    if sound || !touches_sweep(issues) {
        build_check::machines(scenario, issues);
    }
}

/// Whether faults are in the way of telling which machines there are.
fn touches_sweep(issues: &Issues) -> bool {
    issues.iter().any(|(path, ..)| !path.starts_with("plots") && !path.starts_with("run"))
}

/// Faults of a scenario as places in its files.
fn into_place(layers: &Layers, resolved: &Resolved, issues: &Issues) -> Diagnostics {
    let mut faults = Faults::new(layers);
    for (path, message, remedy) in issues.iter() {
        // Models were sound when they were read, so a field that was set is to blame.
        let blamed = in_model(path).then(|| blame(resolved.sets.iter().map(|(_, set)| set.as_str()), path));
        match blamed.flatten().and_then(|index| resolved.sets.get(index)) {
            Some((layer, set)) => faults.at_key(*layer, set, message, remedy),
            None => faults.at(layers.origin(path), path, message, remedy),
        }
    }
    faults.into_diagnostics()
}

fn in_model(path: &str) -> bool {
    let top = path.split(['.', '[']).next().unwrap_or("");
    matches!(top, "host" | "driver" | "bus" | "controller" | "patterns")
        || (top == "drives" && path.contains(".model."))
}

/// The set path that leads nearest to a fault at `path`; the last of equals.
fn blame<'a>(sets: impl Iterator<Item = &'a str>, path: &str) -> Option<usize> {
    fn parts(path: &str) -> Vec<&str> {
        path.split(['.', '[', ']']).filter(|part| !part.is_empty() && *part != "model").collect()
    }
    let fault = parts(path);
    let nearness = |set: &str| {
        // An element may be called by its index or its name, so only names of fields can be compared.
        let alike =
            |(set, fault): &(&str, &str)| set == fault || *set == "*" || fault.parse::<usize>().is_ok();
        parts(set).into_iter().zip(fault.iter().copied()).take_while(alike).count()
    };
    sets.enumerate().map(|(index, set)| (nearness(set), index)).max().map(|(_, index)| index)
}

fn apply_options(base: &Scenario, library: &Library, options: &LoadOptions) -> Result<Scenario, Diagnostics> {
    let mut scenario = base.clone();
    if options.quick {
        scenario.run = scenario.run.quickly();
    }
    let here = Home::Folder(std::path::PathBuf::new());
    let mut faults = Diagnostics::new();
    for (path, text) in &options.sets {
        match sets::assign(&scenario, path, text, library, &here) {
            Ok(changed) => scenario = changed,
            Err(trouble) => faults.extend(trouble.into_diagnostics(&set_name(path, text))),
        }
    }
    faults.unless_any(())?;
    scenario.run.seed = options.seed.unwrap_or(scenario.run.seed);
    scenario.run.replications = options.runs.unwrap_or(scenario.run.replications);
    scenario.overrides.extend(options.sets.iter().cloned());
    let mut missing = sets::gather_patterns(&mut scenario, library, |_| here.clone());
    missing.extend(sets::gather_swept_models(&mut scenario, library, &here));
    let mut faults = Diagnostics::new();
    for (path, trouble) in missing {
        faults.extend(trouble.into_diagnostics(&culprit(options, &path)));
    }
    faults.unless_any(scenario)
}

fn set_name(path: &str, text: &str) -> String {
    format!("--set {path}={text}")
}

/// The option to blame for a fault at `path`.
fn culprit(options: &LoadOptions, path: &str) -> String {
    if path == "run.replications"
        && let Some(runs) = options.runs
    {
        return format!("--runs {runs}");
    }
    let found = blame(options.sets.iter().map(|(path, _)| path.as_str()), path);
    let set = found.and_then(|index| options.sets.get(index));
    set.map_or_else(|| "--set".to_owned(), |(path, text)| set_name(path, text))
}

/// Judges a scenario that options have changed; if it was at fault before, its files are told, else the options.
fn judge_changed(
    layers: &Layers,
    resolved: &Resolved,
    scenario: &Scenario,
    options: &LoadOptions,
) -> Result<(), Diagnostics> {
    let mut issues = Issues::new();
    judge_structure(scenario, false, &mut issues);
    if !options.sets.is_empty() {
        judge_rest(scenario, &mut issues);
    }
    if issues.is_empty() {
        return Ok(());
    }
    let mut before = Issues::new();
    judge_structure(&resolved.scenario, false, &mut before);
    judge_rest(&resolved.scenario, &mut before);
    into_place(layers, resolved, &before).unless_any(())?;
    let fault = |(path, message, remedy): (&str, String, &str)| {
        Diagnostic::of_file(culprit(options, path), message).with_remedy(remedy)
    };
    Err(issues.iter().map(fault).collect())
}

/// Loads a reproduction by name or path, without its scenarios.
///
/// # Errors
/// Everything that is wrong with the file.
pub(crate) fn load_reproduction(
    name_or_path: &str,
    library: &Library,
) -> Result<(ReproductionSpec, Document), Diagnostics> {
    let document = library.scenario(name_or_path)?;
    config::parse(&document.source).map(|spec| (spec, document))
}

/// Loads a scenario that a reproduction lists.
///
/// # Errors
/// As [`load`]; a file that cannot be had is reported in the reproduction.
pub(crate) fn load_listed(
    parent: &Document,
    index: usize,
    reference: &str,
    library: &Library,
    options: &LoadOptions,
) -> Result<Scenario, Diagnostics> {
    let found = library.named_scenario(reference, &parent.home);
    let document =
        found.map_err(|trouble| located(&parent.source, &format!("scenarios[{index}]"), trouble))?;
    assemble(document, library, options)
}

/// Loads the claims that a reproduction names.
///
/// # Errors
/// Everything that is wrong with the ledger; a file that cannot be had is reported in the reproduction.
pub(crate) fn load_ledger(
    parent: &Document,
    reference: &str,
    library: &Library,
) -> Result<Ledger, Diagnostics> {
    let found = library.open(reference, &parent.home);
    let document = found.map_err(|trouble| located(&parent.source, "ledger", trouble))?;
    Ledger::load(&document.source)
}

fn located(source: &Source, path: &str, trouble: Trouble) -> Diagnostics {
    match trouble {
        Trouble::Here { message, remedy } => {
            let mut issues = Issues::new();
            issues.report(path, message, remedy);
            issues.into_diagnostics(source)
        }
        Trouble::There(diagnostics) => diagnostics,
    }
}
