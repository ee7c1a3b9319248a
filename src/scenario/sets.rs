//! Setting single fields of a resolved scenario.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::library::{Home, Library, ModelKind, Trouble, with_remedy};
use super::points;
use super::spec::{Scenario, VarySpec};
use crate::bus::BusSpec;
use crate::config::{self, OverrideError, Validate, overrides};
use crate::controller::ControllerSpec;
use crate::drive::DriveSpec;
use crate::host::{DriverSpec, HostSpec};
use crate::units::SECTOR_BYTES;
use crate::workload::iometer::{AccessSpec, Line};
use crate::workload::playback::PlaybackSpec;

/// The scenario with one field, or all that the path picks, set to a RON text.
///
/// Where the path leads to a whole model, the text may be a model's name or path.
pub(super) fn assign(
    scenario: &Scenario,
    path: &str,
    text: &str,
    library: &Library,
    home: &Home,
) -> Result<Scenario, Trouble> {
    if let Some((message, remedy)) = hidden_by_sweep(scenario, path) {
        return Err(Trouble::here(message, remedy));
    }
    let top = path.trim().split(['.', '[']).next().unwrap_or("");
    if KEPT_BY_LOADING.contains(&top) {
        return Err(Trouble::here(
            format!("`{top}` cannot be set"),
            "set a field of the scenario or of a model",
        ));
    }
    let model = model_text(path, text, library, home)?;
    match overrides::apply(scenario, path, model.as_deref().unwrap_or(text)) {
        Ok((changed, _)) => Ok(changed),
        Err(mut error) => {
            if let OverrideError::NoSuchField { path, names, .. } = &mut error
                && path.is_empty()
            {
                names.retain(|name| !KEPT_BY_LOADING.contains(&name.as_str()));
            }
            let (message, remedy) = with_remedy(&error);
            Err(Trouble::here(message, remedy))
        }
    }
}

/// Fields of a resolved scenario that note how it came about.
const KEPT_BY_LOADING: [&str; 2] = ["overrides", "swept_models"];

/// The model that `text` names, written out as JSON, if `path` leads to a model and `text` is a name.
pub(super) fn model_text(
    path: &str,
    text: &str,
    library: &Library,
    home: &Home,
) -> Result<Option<String>, Trouble> {
    let Some(kind) = kind_at(path) else { return Ok(None) };
    let name = text.trim().trim_matches('"');
    let named = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_./\\: ".contains(c));
    if !named || name.is_empty() {
        return Ok(None);
    }
    match kind {
        ModelKind::Drive => written::<DriveSpec>(library, kind, name, home),
        ModelKind::Host => written::<HostSpec>(library, kind, name, home),
        ModelKind::Bus => written::<BusSpec>(library, kind, name, home),
        ModelKind::Controller => written::<ControllerSpec>(library, kind, name, home),
        ModelKind::Driver => written::<DriverSpec>(library, kind, name, home),
        ModelKind::Pattern => written::<AccessSpec>(library, kind, name, home),
        ModelKind::Playback => written::<PlaybackSpec>(library, kind, name, home),
    }
    .map(Some)
}

/// A model as JSON: its RON text leaves open whether `None` is a variant or nothing.
fn written<T: Serialize + DeserializeOwned + Validate>(
    library: &Library,
    kind: ModelKind,
    name: &str,
    home: &Home,
) -> Result<String, Trouble> {
    let model: T = read_model(library, kind, name, home)?;
    let mut tree = serde_json::to_value(&model).map_err(|error| Trouble::here(error.to_string(), ""))?;
    drop_absent(&mut tree);
    Ok(tree.to_string())
}

/// Leaves absent fields out.
fn drop_absent(tree: &mut Value) {
    match tree {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(drop_absent);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_absent),
        _ => {}
    }
}

/// The kind of the model that a path leads to.
fn kind_at(path: &str) -> Option<ModelKind> {
    match path.trim() {
        "host" => Some(ModelKind::Host),
        "driver" => Some(ModelKind::Driver),
        "bus" => Some(ModelKind::Bus),
        "controller" => Some(ModelKind::Controller),
        path => (path.starts_with("drives") && path.ends_with(".model")).then_some(ModelKind::Drive),
    }
}

/// Reads a model of a kind only to find its faults.
pub(super) fn check_model(kind: ModelKind, source: &config::Source) -> Result<(), config::Diagnostics> {
    match kind {
        ModelKind::Drive => config::load::<DriveSpec>(source).map(drop),
        ModelKind::Host => config::load::<HostSpec>(source).map(drop),
        ModelKind::Bus => config::load::<BusSpec>(source).map(drop),
        ModelKind::Controller => config::load::<ControllerSpec>(source).map(drop),
        ModelKind::Driver => config::load::<DriverSpec>(source).map(drop),
        ModelKind::Pattern => config::load::<AccessSpec>(source).map(drop),
        ModelKind::Playback => config::load::<PlaybackSpec>(source).map(drop),
    }
}

/// How many of the fields at the top of a text a model of this kind has.
pub(super) fn known_fields(kind: ModelKind, source: &config::Source) -> usize {
    match kind {
        ModelKind::Drive => config::known_fields::<DriveSpec>(source),
        ModelKind::Host => config::known_fields::<HostSpec>(source),
        ModelKind::Bus => config::known_fields::<BusSpec>(source),
        ModelKind::Controller => config::known_fields::<ControllerSpec>(source),
        ModelKind::Driver => config::known_fields::<DriverSpec>(source),
        ModelKind::Pattern => config::known_fields::<AccessSpec>(source),
        ModelKind::Playback => config::known_fields::<PlaybackSpec>(source),
    }
}

/// A model by name or path.
pub(super) fn read_model<T: DeserializeOwned + Validate>(
    library: &Library,
    kind: ModelKind,
    reference: &str,
    home: &Home,
) -> Result<T, Trouble> {
    let document = library.model(kind, reference, home)?;
    config::load(&document.source).map_err(Trouble::There)
}

/// Adds the patterns that load and sweep name to the scenario; returns the fields whose pattern cannot be had, and
/// lets another pattern stand in for it.
pub(super) fn gather_patterns(
    scenario: &mut Scenario,
    library: &Library,
    home_of: impl Fn(&str) -> Home,
) -> Vec<(String, Trouble)> {
    let mut wanted: Vec<(String, String)> = Vec::new();
    if scenario.sweep.patterns.is_empty() {
        wanted
            .extend(scenario.workload.pattern_name().map(|name| ("workload.access".into(), name.to_owned())));
    }
    for (index, name) in scenario.sweep.patterns.iter().enumerate() {
        wanted.push((format!("sweep.patterns[{index}]"), name.clone()));
    }
    let mut missing = Vec::new();
    for (path, name) in wanted {
        if scenario.patterns.contains_key(&name) {
            continue;
        }
        match read_model::<AccessSpec>(library, ModelKind::Pattern, &name, &home_of(&path)) {
            Ok(pattern) => {
                scenario.patterns.insert(name, pattern);
            }
            Err(trouble) => {
                missing.push((path, trouble));
                let lines = vec![Line::new(SECTOR_BYTES, 100, 100)];
                let sources = Default::default();
                let stand_in = AccessSpec { name: name.clone(), title: name.clone(), lines, sources };
                scenario.patterns.insert(name, stand_in);
            }
        }
    }
    missing
}

/// Adds the recording that the load names to the scenario; returns the field if it cannot be had.
pub(super) fn gather_playback(
    scenario: &mut Scenario,
    library: &Library,
    home_of: impl Fn(&str) -> Home,
) -> Option<(String, Trouble)> {
    const FIELD: &str = "workload.access";
    let name = scenario.workload.playback_name()?.to_owned();
    if scenario.playbacks.contains_key(&name) {
        return None;
    }
    match read_model::<PlaybackSpec>(library, ModelKind::Playback, &name, &home_of(FIELD)) {
        Ok(recording) => {
            scenario.playbacks.insert(name, recording);
            None
        }
        Err(trouble) => Some((FIELD.to_owned(), trouble)),
    }
}

/// Notes the texts of the models that varied paths name; returns the fields whose model cannot be had.
pub(super) fn gather_swept_models(
    scenario: &mut Scenario,
    library: &Library,
    home: &Home,
) -> Vec<(String, Trouble)> {
    let mut missing = Vec::new();
    let vary = std::mem::take(&mut scenario.sweep.vary);
    for (index, vary) in vary.iter().enumerate() {
        for (place, value) in vary.values.iter().enumerate() {
            let key = format!("{}={value}", vary.path);
            // A text that was noted before an override changed the list stays as it was.
            if scenario.swept_models.contains_key(&key) {
                continue;
            }
            match model_text(&vary.path, value, library, home) {
                Ok(Some(text)) => {
                    scenario.swept_models.insert(key, text);
                }
                Ok(None) => {}
                Err(trouble) => missing.push((format!("sweep.vary[{index}].values[{place}]"), trouble)),
            }
        }
    }
    scenario.sweep.vary = vary;
    missing
}

/// The place in the list of varied fields of one whose values replace what was set, the path that was set, and what to
/// say about it.
pub(super) fn undone_by_vary<'a>(
    after: &[(&'a str, Scenario)],
    scenario: &Scenario,
) -> Option<(usize, &'a str, String, String)> {
    let varied = varied_alone(scenario);
    for (path, set) in after {
        for (place, vary) in varied.iter().enumerate() {
            let Some((_, changed)) = vary else { continue };
            let vary_path = scenario.sweep.vary[place].path.as_str();
            if overrides::first_undone([(*path, set), (vary_path, changed)]).is_some() {
                let message = format!("`{path}` is set, but `{vary_path}` is varied and replaces it");
                let remedy = "leave one of the two out, or put the field into each of the varied values";
                return Some((place, path, message, remedy.to_owned()));
            }
        }
    }
    None
}

/// The place of a varied field that a later one replaces, with what to say about it.
pub(super) fn undone_within_vary(scenario: &Scenario) -> Option<(usize, String, String)> {
    let varied: Vec<(usize, Scenario)> = varied_alone(scenario).into_iter().flatten().collect();
    let path = |index: usize| scenario.sweep.vary[varied[index].0].path.as_str();
    let settings = varied.iter().map(|(place, changed)| (scenario.sweep.vary[*place].path.as_str(), changed));
    let found = overrides::first_undone(settings)?;
    let (earlier, later) = (path(found.earlier), path(found.later));
    let message = format!("`{earlier}` and `{later}` are both varied, and the second replaces the first");
    let remedy = match found.whole {
        true => format!("vary only one of them, or put `{later}` before `{earlier}` in the list"),
        false => "vary only one of them".to_owned(),
    };
    Some((varied[found.earlier].0, message, remedy))
}

/// The scenario with the first value of each varied field, by the field's place; none where it cannot be had.
fn varied_alone(scenario: &Scenario) -> Vec<Option<(usize, Scenario)>> {
    let with = |(place, vary): (usize, &VarySpec)| {
        let first = (vary.path.clone(), vary.values.first()?.clone());
        let changed = points::vary(scenario, &[first]).ok()?;
        Some((place, changed.into_owned()))
    };
    scenario.sweep.vary.iter().enumerate().map(with).collect()
}

/// Whether a path leads into the machine, its arrays, its load or its patterns.
pub(super) fn is_of_machine(path: &str) -> bool {
    let top = path.split(['.', '[']).next().unwrap_or("");
    let parts =
        ["host", "driver", "bus", "controller", "drives", "arrays", "workload", "patterns", "playbacks"];
    parts.contains(&top)
}

/// What to say if setting `path` would change nothing, because the sweep gives this parameter its values.
pub(super) fn hidden_by_sweep(scenario: &Scenario, path: &str) -> Option<(String, String)> {
    let sweep = &scenario.sweep;
    let (list, swept) = match path.trim() {
        "workload.queue_depth" => ("queue_depths", !sweep.queue_depths.is_empty()),
        "workload.write_percent" => ("write_percents", !sweep.write_percents.is_empty()),
        "workload.block_bytes" => ("block_bytes", !sweep.block_bytes.is_empty()),
        "workload.access" => ("patterns", !sweep.patterns.is_empty()),
        "workload.file_system" => ("file_systems", !sweep.file_systems.is_empty()),
        _ => return None,
    };
    swept.then(|| {
        let message = format!("`{path}` has no effect here: the sweep gives its values");
        (message, format!("set `sweep.{list}` instead"))
    })
}
