//! Loading a scenario with a user's overrides, and judging the result.

use super::build_check;
use super::detect::Fragment;
use super::file::ReproductionSpec;
use super::layers::Layers;
use super::library::{Document, Home, Library, Trouble};
use super::resolve::{Resolved, resolve};
use super::sets;
use super::spec::Scenario;
use super::structure;
use crate::config::{self, Diagnostic, Diagnostics, Issues, Source, covers, overrides};
use crate::experiment::claims::Ledger;

/// What a user changes of a scenario without touching its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Fields to set, as path and RON text, in order: what `--set path=value` says.
    pub sets: Vec<(String, String)>,
    /// Fields of the sweep to set after these, in the same form: which points to run, not what a machine is.
    pub sweep: Vec<(String, String)>,
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
        self.sweep.push(("sweep.vary".to_owned(), text));
    }

    /// All fields to set, in the order in which they are: the lengths of a quick look before its choice, as they would
    /// change nothing after it.
    pub(crate) fn settings(&self) -> impl Iterator<Item = &(String, String)> {
        let (first, others): (Vec<_>, Vec<_>) =
            self.sets.iter().partition(|(path, _)| self.quick && holds_quick_lengths(path));
        first.into_iter().chain(others).chain(&self.sweep)
    }
}

/// Whether setting `path` sets lengths of a quick look.
fn holds_quick_lengths(path: &str) -> bool {
    path.trim() == "run" || covers("run.quick", path.trim())
}

/// Loads a scenario by name or path, applies the options and builds each of its machines once.
///
/// # Errors
/// Everything that is wrong with the file, the files it includes, the models it names, the machines it describes
/// and the fields that were set, each with its place and a remedy.
pub fn load(name_or_path: &str, library: &Library, options: &LoadOptions) -> Result<Scenario, Diagnostics> {
    assemble(library.scenario(name_or_path)?, library, options, false)
}

/// The same from a text, without any access to files unless `library` has folders.
///
/// # Errors
/// As [`load`]; also if the text names a file by a path that is not a shipped one.
pub fn load_text(source: &Source, library: &Library, options: &LoadOptions) -> Result<Scenario, Diagnostics> {
    library.check_folders()?;
    assemble(library.adopt(source), library, options, false)
}

/// `listed` if the options are for several scenarios: then lists of the sweep that this one cannot have are left out.
fn assemble(
    document: Document,
    library: &Library,
    options: &LoadOptions,
    listed: bool,
) -> Result<Scenario, Diagnostics> {
    let layers = Layers::read(document, library)?;
    let mut resolved = resolve(&layers, library)?;
    if resolved.fragment && resolved.faults.is_empty() {
        let remedy =
            "add `workload: (access: Pattern(\"database\"))`, or run a scenario that includes this file";
        let message = "the scenario has no `workload`: it is a part for others to include";
        resolved.faults.at(0, "", message, remedy);
    }
    if !resolved.faults.is_empty() {
        return judge_files(&layers, resolved, true);
    }
    // Plots belong to the sweep of the file; a user may sweep less. What is simulated is judged as the user wants it.
    let base = judge_files(&layers, resolved, options.settings().next().is_none())?;
    let own = LoadOptions {
        sets: options.sets.iter().filter(|(path, _)| !listed || sweeps(&base, path)).cloned().collect(),
        ..options.clone()
    };
    let options = &own;
    let steps = apply_options(&base, library, options)?;
    let scenario = steps.last().cloned().unwrap_or_else(|| base.clone());
    if scenario != base {
        judge_changed(&layers, library, &steps, options)?;
    }
    Ok(scenario)
}

/// Whether setting `path` is no matter of lists that this kind of scenario cannot have: a playback is swept over file
/// systems, all others over what the load asks for.
fn sweeps(scenario: &Scenario, path: &str) -> bool {
    let is_playback = scenario.workload.playback_name().is_some();
    match path.trim().strip_prefix("sweep.").map(|field| field.split(['.', '[']).next().unwrap_or(field)) {
        Some("patterns" | "queue_depths" | "write_percents" | "block_bytes") => !is_playback,
        Some("file_systems") => is_playback,
        _ => true,
    }
}

/// Every file of a chain without options, down to its machines.
pub(super) fn check_document(document: Document, library: &Library) -> Result<Fragment, Diagnostics> {
    let layers = Layers::read(document, library)?;
    let resolved = resolve(&layers, library)?;
    let fragment = resolved.fragment;
    judge_files(&layers, resolved, true).map(|_| Fragment(fragment))
}

/// The scenario of a chain of files, if nothing is wrong with them. What needs models and machines is left out unless
/// `whole`, or unless something else is wrong.
fn judge_files(layers: &Layers, resolved: Resolved<'_>, whole: bool) -> Result<Scenario, Diagnostics> {
    let Resolved { scenario, sets, fragment, mut faults, doubts } = resolved;
    let mut issues = Issues::new();
    if !fragment {
        structure::scenario(&scenario, &mut issues);
        let told = ["arrays", "workload", "sweep", "patterns", "set", "drives"];
        if !told.iter().any(|part| doubts.contains(part)) && !touches(&issues, &told[..3]) {
            structure::plots(&scenario, &mut issues);
        }
        // Fields that could not be set might mend what looks wrong without them.
        let has_sets = layers.iter().any(|layer| !layer.file.set.0.is_empty());
        let certain = doubts.is_empty() || !has_sets;
        let in_doubt = ["drives", "controller", "arrays", "workload", "sweep"];
        let buildable = certain && !in_doubt.iter().any(|part| doubts.contains(part));
        match whole || !issues.is_empty() {
            true if buildable => judge_rest(&scenario, &mut issues),
            true => structure::models(&scenario, &mut issues),
            false => {}
        }
    }
    let mut steps: Vec<Scenario> = sets.iter().map(|set| set.before.clone()).collect();
    steps.push(scenario);
    let blame = Blame::new(&steps, &issues);
    for (path, message, remedy) in issues.iter() {
        match blame.step(path, &message).map(|step| &sets[step]) {
            Some(set) => faults.at_key(set.layer, ("set", &set.path), message, remedy),
            None => faults.at(layers.origin(path), path, message, remedy),
        }
    }
    faults.into_diagnostics().unless_any(())?;
    Ok(steps.swap_remove(steps.len() - 1))
}

/// The models' rules and the machines. `issues` may hold faults of the structure already.
fn judge_rest(scenario: &Scenario, issues: &mut Issues) {
    let mut models = Issues::new();
    structure::models(scenario, &mut models);
    let sound = models.is_empty() && !scenario.drives.is_empty();
    issues.absorb("", models);
    if sound && !touches(issues, &["arrays", "workload", "sweep"]) {
        structure::experiment(scenario, issues);
        build_check::machines(scenario, issues);
    } else if sound {
        build_check::without_load(scenario, issues);
    }
}

/// Whether there are faults in one of these fields.
fn touches(issues: &Issues, tops: &[&str]) -> bool {
    issues.iter().any(|(path, ..)| tops.iter().any(|top| covers(top, path)))
}

/// Finds the setting that brought a fault about, by judging the scenario after each of them.
struct Blame(Vec<Issues>);

impl Blame {
    /// `steps` are the scenario before any setting and after each; nothing is judged unless there are `issues`.
    fn new(steps: &[Scenario], issues: &Issues) -> Self {
        let judged = |scenario: &Scenario| {
            let mut issues = Issues::new();
            structure::scenario(scenario, &mut issues);
            judge_rest(scenario, &mut issues);
            issues
        };
        let several = steps.len() > 1 && !issues.is_empty();
        Blame(if several { steps.iter().map(judged).collect() } else { Vec::new() })
    }

    /// The number of the setting from which on there is this fault, from 0; none if it is there without any.
    fn step(&self, path: &str, message: &str) -> Option<usize> {
        self.0.iter().position(|issues| issues.holds(path, message))?.checked_sub(1)
    }
}

/// The scenario after a quick look was chosen, then after each setting; the last one with all options in it.
fn apply_options(
    base: &Scenario,
    library: &Library,
    options: &LoadOptions,
) -> Result<Vec<Scenario>, Diagnostics> {
    let mut scenario = base.clone();
    let mut faults = double_settings(options);
    if options.quick {
        scenario.run = scenario.run.quickly();
        scenario.is_quick_look = true;
    }
    scenario.run.seed = options.seed.unwrap_or(scenario.run.seed);
    scenario.run.replications = options.runs.unwrap_or(scenario.run.replications);
    let here = Home::Folder(std::path::PathBuf::new());
    let mut steps = vec![scenario.clone()];
    for (path, text) in options.settings() {
        match sets::assign(&scenario, path, text, library, &here) {
            Ok(mut changed) => {
                let mut missing = sets::gather_patterns(&mut changed, library, |_| here.clone());
                missing.extend(sets::gather_playback(&mut changed, library, |_| here.clone()));
                missing.extend(sets::gather_swept_models(&mut changed, library, &here));
                for (_, trouble) in missing {
                    faults.extend(trouble.into_diagnostics(&set_name(path, text)));
                }
                scenario = changed;
                if options.quick && holds_quick_lengths(path) {
                    scenario.run = scenario.run.quickly();
                }
            }
            Err(trouble) => faults.extend(trouble.into_diagnostics(&set_name(path, text))),
        }
        steps.push(scenario.clone());
    }
    faults.unless_any(())?;
    undone(&steps, options).unless_any(())?;
    if let Some(last) = steps.last_mut() {
        last.run.seed = options.seed.unwrap_or(last.run.seed);
        last.run.replications = options.runs.unwrap_or(last.run.replications);
        last.overrides.extend(options.sets.iter().cloned());
    }
    Ok(steps)
}

/// A scenario with more fields set, judged as after loading, without reading its files again.
///
/// # Errors
/// Everything that the fields make wrong, named by the settings.
pub(crate) fn with_sets(
    base: &Scenario,
    library: &Library,
    sets: &[(String, String)],
) -> Result<Scenario, Diagnostics> {
    if sets.is_empty() {
        return Ok(base.clone());
    }
    let options = LoadOptions { sets: sets.to_vec(), ..LoadOptions::default() };
    let mut steps = apply_options(base, library, &options)?;
    let scenario = steps.swap_remove(steps.len() - 1);
    let mut issues = Issues::new();
    structure::scenario(&scenario, &mut issues);
    judge_rest(&scenario, &mut issues);
    let names: Vec<String> = sets.iter().map(|(path, text)| set_name(path, text)).collect();
    issues.into_file_diagnostics(&names.join(" ")).unless_any(scenario)
}

/// Settings that an option of its own overrides, or that need one.
fn double_settings(options: &LoadOptions) -> Diagnostics {
    let mut faults = Diagnostics::new();
    for (path, text) in &options.sets {
        let mut refuse = |message: String, remedy: &str| {
            faults.push(Diagnostic::of_file(set_name(path, text), message).with_remedy(remedy));
        };
        let path = path.trim();
        let of_runs = path == "run.replications" || (options.quick && path == "run.quick.replications");
        match (options.seed, options.runs) {
            (Some(seed), _) if path == "run.seed" => {
                refuse(format!("`{path}` has no effect beside `--seed {seed}`"), "leave one of the two out");
            }
            (_, Some(runs)) if of_runs => {
                refuse(format!("`{path}` has no effect beside `--runs {runs}`"), "leave one of the two out");
            }
            _ => {}
        }
        if !covers("run.quick", path) {
            continue;
        }
        let taken_for = path.replacen(".quick", "", 1);
        if !options.quick {
            let remedy = format!("add `--quick`, or set `{taken_for}`");
            refuse(format!("`{path}` has no effect without `--quick`"), &remedy);
        } else if options.sets.iter().any(|(other, _)| other.trim() == taken_for && taken_for != "run") {
            refuse(format!("`{path}` has no effect beside `{taken_for}`"), "leave one of the two out");
        }
    }
    faults
}

/// The settings that later ones, or the sweep, replace; `steps` are the scenario before any setting and after each.
fn undone(steps: &[Scenario], options: &LoadOptions) -> Diagnostics {
    let mut faults = Diagnostics::new();
    let Some(last) = steps.last() else { return faults };
    // What chooses points has the last word on the sweep, on purpose.
    let texts: Vec<_> = options.settings().take(options.sets.len()).collect();
    let after: Vec<(&str, Scenario)> =
        texts.iter().zip(&steps[1..]).map(|((path, _), after)| (path.as_str(), after.clone())).collect();
    let mut refuse = |path: &str, message: String, remedy: String| {
        let text = texts.iter().find(|(known, _)| known == path).map_or("", |(_, text)| text);
        faults.push(Diagnostic::of_file(set_name(path, text), message).with_remedy(remedy));
    };
    if let Some((path, message, remedy)) = overrides::undone(&after) {
        refuse(path, message, remedy);
    }
    if let Some((_, path, message, remedy)) = sets::undone_by_vary(&after, last) {
        refuse(path, message, remedy);
    }
    for (path, _) in &after {
        if let Some((message, remedy)) = sets::hidden_by_sweep(last, path) {
            refuse(path, message, remedy);
        }
    }
    faults
}

fn set_name(path: &str, text: &str) -> String {
    format!("--set {path}={text}")
}

/// Judges a scenario that options have changed; if it was at fault before, its files are told, else the options.
fn judge_changed(
    layers: &Layers,
    library: &Library,
    steps: &[Scenario],
    options: &LoadOptions,
) -> Result<(), Diagnostics> {
    let Some(scenario) = steps.last() else { return Ok(()) };
    let mut issues = Issues::new();
    structure::scenario(scenario, &mut issues);
    if options.settings().next().is_some() {
        judge_rest(scenario, &mut issues);
    }
    if issues.is_empty() {
        return Ok(());
    }
    judge_files(layers, resolve(layers, library)?, true)?;
    let blame = Blame::new(steps, &issues);
    let fault = |(path, message, remedy): (&str, String, &str)| {
        let set = blame.step(path, &message).and_then(|step| options.settings().nth(step));
        let set = set.or_else(|| options.settings().last());
        let name = match (options.runs, set) {
            (Some(runs), _) if path == "run.replications" => format!("--runs {runs}"),
            (_, Some((path, text))) => set_name(path, text),
            (_, None) => "--set".to_owned(),
        };
        Diagnostic::of_file(name, message).with_remedy(remedy)
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
/// As [`load`]; a file that cannot be had is reported in the reproduction. A list of the sweep that this kind of scenario
/// cannot have is not set, and stands not among its `overrides`.
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
    assemble(document, library, options, true)
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

pub(super) fn located(source: &Source, path: &str, trouble: Trouble) -> Diagnostics {
    match trouble {
        Trouble::Here { message, remedy } => {
            let mut issues = Issues::new();
            issues.report(path, message, remedy);
            issues.into_diagnostics(source)
        }
        Trouble::There(diagnostics) => diagnostics,
    }
}
