//! From files to a scenario: models found, fields of files applied.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::file::{Assignments, DriveFile, ScenarioFile};
use super::layers::{Faults, Layers};
use super::library::{Home, Library, ModelKind, Trouble, remedy, with_remedy};
use super::sets;
use super::spec::Scenario;
use crate::config::{Diagnostics, Issues, Validate, overrides};
use crate::drive::DriveSpec;
use crate::machine::DrivePlacement;
use crate::workload::{Access, WorkloadSpec};

/// A scenario as its files describe it, with the paths that they set.
#[derive(Debug)]
pub(super) struct Resolved<'l> {
    pub scenario: Scenario,
    /// The fields that files set, in order.
    pub sets: Vec<SetField>,
    /// No file gives a load: the files are only a part of a scenario.
    pub fragment: bool,
    /// What is wrong so far: with the texts, and with what they name.
    pub faults: Faults<'l>,
    /// Fields at the top of which something that the user did not write stands in for what could not be had.
    pub doubts: Vec<&'static str>,
}

/// A field that a file set, and the scenario before.
#[derive(Debug)]
pub(super) struct SetField {
    pub layer: usize,
    pub path: String,
    pub before: Scenario,
}

/// Models that stand in for those at fault, so that the search for faults can go on.
struct Resolver<'a, 'l> {
    layers: &'l Layers,
    library: &'a Library,
    faults: Faults<'l>,
    doubts: Vec<&'static str>,
}

/// The fields of a scenario file that say what is simulated.
const PARTS: [&str; 9] =
    ["host", "driver", "bus", "controller", "drives", "arrays", "workload", "sweep", "set"];

/// Finds every model and applies what the files set.
///
/// # Errors
/// The faults, if too little is there to go on.
pub(super) fn resolve<'l>(layers: &'l Layers, library: &Library) -> Result<Resolved<'l>, Diagnostics> {
    let doubts = PARTS.into_iter().filter(|part| layers.is_lost(part)).collect();
    let mut resolver = Resolver { layers, library, faults: Faults::new(layers), doubts };
    let Some((mut scenario, fragment)) = resolver.scenario() else {
        return Err(resolver.faults.into_diagnostics());
    };
    let home_of = |path: &str| layers.layer(layers.origin(path)).document.home.clone();
    for (path, trouble) in sets::gather_patterns(&mut scenario, library, home_of) {
        resolver.faults.trouble(layers.origin(&path), &path, trouble);
        resolver.doubts.push("patterns");
    }
    if let Some((path, trouble)) = sets::gather_playback(&mut scenario, library, home_of) {
        resolver.faults.trouble(layers.origin(&path), &path, trouble);
        resolver.doubts.push("workload");
    }
    let sets = resolver.apply_sets(&mut scenario);
    let vary_home = home_of("sweep.vary");
    for (path, trouble) in sets::gather_swept_models(&mut scenario, library, &vary_home) {
        resolver.faults.trouble(layers.origin(&path), &path, trouble);
        // Without the model this field cannot be varied, and what is built without it says nothing new.
        scenario.sweep.vary.clear();
    }
    // What an included file sets may be replaced; what the file that varies sets itself may not be lost.
    let layer = layers.origin("sweep.vary");
    let own = (0..sets.len()).filter(|&index| sets[index].layer == layer);
    let after = |index: usize| sets.get(index + 1).map_or(&scenario, |next| &next.before).clone();
    let own: Vec<(&str, Scenario)> = own.map(|index| (sets[index].path.as_str(), after(index))).collect();
    if let Some((place, _, message, remedy)) = sets::undone_by_vary(&own, &scenario) {
        resolver.faults.at(layer, &format!("sweep.vary[{place}].path"), message, remedy);
    }
    let Resolver { faults, doubts, .. } = resolver;
    Ok(Resolved { scenario, sets, fragment, faults, doubts })
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
        let fragment = workload.is_none() && !layers.is_lost("workload");
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
                drives,
                arrays: arrays.unwrap_or_default(),
                workload: workload.unwrap_or_else(|| WorkloadSpec::new(Access::Lines(Vec::new()))),
                patterns: Default::default(),
                playbacks: Default::default(),
                sweep: layers.sweep().resolved(),
                run: layers.run().resolved(),
                is_quick_look: false,
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
            None if self.layers.is_lost(field) => Err(()),
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
            self.doubts.push(field);
            self.stand_in(kind)
        })
    }

    /// Some model of a kind.
    fn stand_in<T: DeserializeOwned + Validate>(&self, kind: ModelKind) -> Option<T> {
        let name = self.library.names(kind).into_iter().next()?;
        sets::read_model(self.library, kind, &name, &Home::Nowhere).ok()
    }

    /// The drives; a model at fault is stood in for by another drive's.
    fn drives(&mut self) -> Vec<DrivePlacement> {
        let Some((layer, files)) = self.layers.first(|file| file.drives.as_ref()) else {
            if !self.layers.is_lost("drives") {
                let remedy = "add `drives: [(id: \"d0\", channel: 0, device: 0, model: \"maxtor-6l020j1\")]`";
                self.faults.at(0, "", "the scenario has no `drives`", remedy);
                self.doubts.push("drives");
            }
            return Vec::new();
        };
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
        if models.iter().any(Option::is_none) {
            self.doubts.push("models of drives");
        }
        let stand_in = models.iter().flatten().next().cloned().or_else(|| self.stand_in(ModelKind::Drive));
        let place = |(file, model): (&DriveFile, Option<DriveSpec>)| {
            let model = model.or_else(|| stand_in.clone())?;
            Some(DrivePlacement { id: file.id.clone(), channel: file.channel, device: file.device, model })
        };
        files.iter().zip(models).filter_map(place).collect()
    }

    /// A drive's model with the fields that its placement changes.
    fn changed(&mut self, layer: usize, index: usize, model: DriveSpec, set: &Assignments) -> DriveSpec {
        let field = format!("drives[{index}].set");
        let mut steps: Vec<(&String, Issues)> = Vec::new();
        let mut after: Vec<(&str, DriveSpec)> = Vec::new();
        let mut changed = model.clone();
        for (path, text) in &set.0 {
            match apply(&changed, path, text) {
                Ok(next) => {
                    changed = next;
                    after.push((path, changed.clone()));
                    let mut issues = Issues::new();
                    changed.validate(&mut issues);
                    steps.push((path, issues));
                }
                Err((message, remedy)) => self.faults.at_key(layer, (&field, path), message, remedy),
            }
        }
        if let Some((path, message, remedy)) = overrides::undone(&after) {
            self.faults.at_key(layer, (&field, path), message, remedy);
        }
        if let Some((last, issues)) = steps.last().filter(|(_, issues)| !issues.is_empty()) {
            self.doubts.push("models of drives");
            changed = model;
            for (place, message, remedy) in issues.iter() {
                let blamed = steps.iter().find(|(_, issues)| issues.holds(place, &message));
                let path = blamed.map_or(*last, |(path, _)| path);
                self.faults.at_key(layer, (&field, path), message, remedy);
            }
        }
        changed
    }

    /// Applies the `set` maps, included files first; what stands in for a part is left alone.
    fn apply_sets(&mut self, scenario: &mut Scenario) -> Vec<SetField> {
        let mut applied = Vec::new();
        for index in (0..self.layers.len()).rev() {
            let layer = self.layers.layer(index);
            let mut after: Vec<(&str, Scenario)> = Vec::new();
            for (path, text) in &layer.file.set.0 {
                let top = path.split(['.', '[']).next().unwrap_or("");
                let of_drives = top == "drives" && self.doubts.contains(&"models of drives");
                if of_drives || self.doubts.contains(&top) {
                    continue;
                }
                match sets::assign(scenario, path, text, self.library, &layer.document.home) {
                    Ok(changed) => {
                        after.push((path, changed.clone()));
                        let before = std::mem::replace(scenario, changed);
                        applied.push(SetField { layer: index, path: path.clone(), before });
                    }
                    Err(Trouble::Here { message, remedy }) => {
                        self.faults.at_key(index, ("set", path), message, remedy);
                        self.doubts.push("set");
                    }
                    Err(trouble) => {
                        self.faults.trouble(index, "set", trouble);
                        self.doubts.push("set");
                    }
                }
            }
            if let Some((path, message, remedy)) = overrides::undone(&after) {
                self.faults.at_key(index, ("set", path), message, remedy);
            }
        }
        applied
    }
}

/// `overrides::apply` with its message cut from its remedy.
fn apply<T: Serialize + DeserializeOwned>(value: &T, path: &str, text: &str) -> Result<T, (String, String)> {
    overrides::apply(value, path, text).map(|(changed, _)| changed).map_err(|error| with_remedy(&error))
}
