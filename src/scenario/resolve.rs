//! From files to a scenario: models found, fields of files applied.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::build_check;
use super::file::{Assignments, DriveFile, ScenarioFile};
use super::layers::{Faults, Layers};
use super::library::{Home, Library, ModelKind, Trouble, remedy, with_remedy};
use super::sets;
use super::spec::Scenario;
use super::structure;
use crate::config::{Diagnostics, Issues, Validate, overrides};
use crate::drive::DriveSpec;
use crate::machine::DrivePlacement;
use crate::workload::{Access, WorkloadSpec};

/// A scenario as its files describe it, with the paths that they set.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub scenario: Scenario,
    /// Number of the file and path of each field that a file set.
    pub sets: Vec<(usize, String)>,
    /// No file gives a load: the files are only a part of a scenario.
    pub fragment: bool,
}

/// Models that stand in for those at fault, so that the search for faults can go on.
struct Resolver<'a, 'l> {
    layers: &'l Layers,
    library: &'a Library,
    faults: Faults<'l>,
    stand_ins: bool,
}

/// Finds every model and applies what the files set.
pub(super) fn resolve(layers: &Layers, library: &Library) -> Result<Resolved, Diagnostics> {
    let mut resolver = Resolver { layers, library, faults: Faults::new(layers), stand_ins: false };
    let Some((mut scenario, fragment)) = resolver.scenario() else {
        return Err(resolver.faults.into_diagnostics());
    };
    let home_of = |path: &str| layers.layer(layers.origin(path)).document.home.clone();
    for (path, trouble) in sets::gather_patterns(&mut scenario, library, home_of) {
        resolver.faults.trouble(layers.origin(&path), &path, trouble);
        resolver.stand_ins = true;
    }
    let sets = if resolver.stand_ins { Vec::new() } else { resolver.apply_sets(&mut scenario) };
    let vary_home = home_of("sweep.vary");
    for (path, trouble) in sets::gather_swept_models(&mut scenario, library, &vary_home) {
        resolver.faults.trouble(layers.origin(&path), &path, trouble);
        // Without the model this field cannot be varied, and what is built without it says nothing new.
        scenario.sweep.vary.clear();
    }
    if !resolver.faults.is_empty() {
        // What else is wrong is told in the same breath, as far as stand-ins allow.
        resolver.judge(&scenario, fragment);
        return Err(resolver.faults.into_diagnostics());
    }
    Ok(Resolved { scenario, sets, fragment })
}

impl Resolver<'_, '_> {
    /// The scenario before its own sets, and whether it is only a part; none if too little is there to go on.
    fn scenario(&mut self) -> Option<(Scenario, bool)> {
        let layers = self.layers;
        let host = self.part(ModelKind::Host, |file| file.host.as_ref());
        let driver = self.part(ModelKind::Driver, |file| file.driver.as_ref());
        let bus = self.part(ModelKind::Bus, |file| file.bus.as_ref());
        let controller = self.part(ModelKind::Controller, |file| file.controller.as_ref());
        let drives = self.drives();
        let arrays = layers.first(|file| file.arrays.as_ref()).map(|(_, arrays)| arrays.clone());
        let workload = layers.first(|file| file.workload.as_ref()).map(|(_, workload)| workload.clone());
        let stem = || {
            let name = &layers.layer(0).document.source.name;
            let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
            last.strip_suffix(".ron").unwrap_or(last).to_owned()
        };
        let text =
            |pick: fn(&ScenarioFile) -> Option<&String>| layers.first(pick).map(|(_, text)| text.clone());
        let name = text(|file| file.name.as_ref()).unwrap_or_else(stem);
        let fragment = workload.is_none();
        Some((
            Scenario {
                title: text(|file| file.title.as_ref()).unwrap_or_else(|| name.clone()),
                name,
                variant: text(|file| file.variant.as_ref()),
                experiment: layers.first(|file| file.experiment.as_ref()).map(|(_, &experiment)| experiment),
                host: host?,
                driver: driver?,
                bus: bus?,
                controller: controller?,
                drives: drives?,
                arrays: arrays.unwrap_or_default(),
                workload: workload.unwrap_or_else(|| WorkloadSpec::new(Access::Lines(Vec::new()))),
                patterns: Default::default(),
                sweep: layers.sweep().resolved(),
                run: layers.run().resolved(),
                plots: layers
                    .first(|file| file.plots.as_ref())
                    .map_or(Vec::new(), |(_, plots)| plots.clone()),
                overrides: Vec::new(),
                swept_models: Default::default(),
            },
            fragment,
        ))
    }

    /// A model that a field names; another model of the kind if it cannot be had.
    fn part<T: DeserializeOwned + Validate>(
        &mut self,
        kind: ModelKind,
        pick: impl Fn(&ScenarioFile) -> Option<&String>,
    ) -> Option<T> {
        let field = kind.name();
        let found = match self.layers.first(pick) {
            Some((layer, reference)) => {
                let home = &self.layers.layer(layer).document.home;
                sets::read_model(self.library, kind, reference, home).map_err(|trouble| {
                    self.faults.trouble(layer, field, trouble);
                })
            }
            None => {
                let names = self.library.names(kind);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let help = format!(
                    "add `{field}: \"..\"`; {}",
                    remedy("", &names, "a path with `.ron` is possible too")
                );
                self.faults.at(0, "", format!("the scenario has no `{field}`"), help);
                Err(())
            }
        };
        found.ok().or_else(|| {
            self.stand_ins = true;
            // Another card would have other limits, so nothing can be said about a machine without it.
            let name =
                self.library.names(kind).into_iter().next().filter(|_| kind != ModelKind::Controller)?;
            sets::read_model(self.library, kind, &name, &Home::Nowhere).ok()
        })
    }

    /// The drives; a model at fault is stood in for by another drive's.
    fn drives(&mut self) -> Option<Vec<DrivePlacement>> {
        let Some((layer, files)) = self.layers.first(|file| file.drives.as_ref()) else {
            let remedy = "add `drives: [(id: \"d0\", channel: 0, device: 0, model: \"maxtor-6l020j1\")]`";
            self.faults.at(0, "", "the scenario has no `drives`", remedy);
            return None;
        };
        if files.is_empty() {
            let remedy = "add `(id: \"d0\", channel: 0, device: 0, model: \"maxtor-6l020j1\")`";
            self.faults.at(layer, "drives", "there is no drive", remedy);
        }
        let home = self.layers.layer(layer).document.home.clone();
        // Drives of one model share one reading of it, and its faults are told once a drive that names it.
        let mut read: Vec<(&str, Result<DriveSpec, Trouble>)> = Vec::new();
        let mut models: Vec<Option<DriveSpec>> = Vec::new();
        for (index, drive) in files.iter().enumerate() {
            if !read.iter().any(|(name, _)| *name == drive.model) {
                let model = sets::read_model(self.library, ModelKind::Drive, &drive.model, &home);
                read.push((&drive.model, model));
            }
            let found = read.iter().find(|(name, _)| *name == drive.model).map(|(_, found)| found.clone());
            models.push(match found {
                Some(Ok(model)) => Some(self.changed(layer, index, model, &drive.set)),
                Some(Err(trouble)) => {
                    self.faults.trouble(layer, &format!("drives[{index}].model"), trouble);
                    None
                }
                None => None,
            });
        }
        self.stand_ins |= models.iter().any(Option::is_none);
        let stand_in = models.iter().flatten().next().cloned();
        let place = |(file, model): (&DriveFile, Option<DriveSpec>)| {
            let model = model.or_else(|| stand_in.clone())?;
            Some(DrivePlacement { id: file.id.clone(), channel: file.channel, device: file.device, model })
        };
        files.iter().zip(models).map(place).collect()
    }

    /// A drive's model with the fields that its placement changes.
    fn changed(&mut self, layer: usize, index: usize, model: DriveSpec, set: &Assignments) -> DriveSpec {
        let field = format!("drives[{index}].set");
        let mut changed = model;
        for (path, text) in &set.0 {
            match apply(&changed, path, text) {
                Ok(next) => changed = next,
                Err((message, remedy)) => self.faults.at(layer, &field, message, remedy),
            }
        }
        if !set.0.is_empty() {
            let mut issues = Issues::new();
            changed.validate(&mut issues);
            for (_, message, remedy) in issues.iter() {
                self.faults.at(layer, &field, message, remedy);
            }
        }
        changed
    }

    /// Applies the `set` maps, included files first.
    fn apply_sets(&mut self, scenario: &mut Scenario) -> Vec<(usize, String)> {
        let mut applied = Vec::new();
        for index in (0..self.layers.len()).rev() {
            let layer = self.layers.layer(index);
            for (path, text) in &layer.file.set.0 {
                match sets::assign(scenario, path, text, self.library, &layer.document.home) {
                    Ok(changed) => {
                        *scenario = changed;
                        applied.push((index, path.clone()));
                    }
                    Err(Trouble::Here { message, remedy }) => {
                        self.faults.at_key(index, path, message, remedy);
                    }
                    Err(trouble) => self.faults.trouble(index, "set", trouble),
                }
            }
        }
        applied
    }

    /// Reports what else is wrong with a scenario of which something is missing.
    fn judge(&mut self, scenario: &Scenario, fragment: bool) {
        let mut issues = Issues::new();
        judge_structure(scenario, fragment, &mut issues);
        // Fields that a file sets could mend what looks wrong without them.
        let sets = self.layers.iter().any(|layer| !layer.file.set.0.is_empty());
        if !sets && issues.is_empty() && !fragment {
            build_check::machines(scenario, &mut issues);
        }
        for (path, message, remedy) in issues.iter() {
            self.faults.at(self.layers.origin(path), path, message, remedy);
        }
    }
}

/// Everything about a scenario that needs no machine to be built.
pub(super) fn judge_structure(scenario: &Scenario, fragment: bool, issues: &mut Issues) {
    if fragment {
        return;
    }
    structure::scenario(scenario, issues);
}

/// `overrides::apply` with its message cut from its remedy.
fn apply<T: Serialize + DeserializeOwned>(value: &T, path: &str, text: &str) -> Result<T, (String, String)> {
    overrides::apply(value, path, text).map(|(changed, _)| changed).map_err(|error| with_remedy(&error))
}
