//! The catalogue of models and scenarios: those that are shipped, and a user's own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::file::ReproductionSpec;
use super::files;
use super::fit::FitSpec;
use super::layers::Layers;
use crate::config::{self, Diagnostic, Diagnostics, Source, suggest};

mod shipped {
    include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
}

/// Kinds of models, each with a folder of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ModelKind {
    /// A disk drive.
    Drive,
    /// A computer.
    Host,
    /// A PCI bus.
    Bus,
    /// A controller card.
    Controller,
    /// A driver's policy.
    Driver,
    /// An access pattern.
    Pattern,
    /// A recording of applications, to be played back.
    Playback,
}

impl ModelKind {
    /// Every kind.
    pub const ALL: [ModelKind; 7] = [
        ModelKind::Drive,
        ModelKind::Host,
        ModelKind::Bus,
        ModelKind::Controller,
        ModelKind::Driver,
        ModelKind::Pattern,
        ModelKind::Playback,
    ];
    /// The kind in one word.
    pub const fn name(self) -> &'static str {
        match self {
            ModelKind::Drive => "drive",
            ModelKind::Host => "host",
            ModelKind::Bus => "bus",
            ModelKind::Controller => "controller",
            ModelKind::Driver => "driver",
            ModelKind::Pattern => "pattern",
            ModelKind::Playback => "playback",
        }
    }
    /// Its folder under `models/` and under a user's folder.
    pub const fn folder(self) -> &'static str {
        match self {
            ModelKind::Drive => "drives",
            ModelKind::Host => "hosts",
            ModelKind::Bus => "buses",
            ModelKind::Controller => "controllers",
            ModelKind::Driver => "drivers",
            ModelKind::Pattern => "patterns",
            ModelKind::Playback => "playbacks",
        }
    }
}

/// A scenario or reproduction of the catalogue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioEntry {
    /// Name to run it by.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Its file.
    pub path: String,
}

/// The models and scenarios that can be called by name.
///
/// A name is a file's path below its folder without `.ron`. A later folder shadows an earlier one, and
/// all of them shadow what is shipped.
#[derive(Clone, Debug)]
pub struct Library {
    folders: Vec<PathBuf>,
    /// Texts by path (`models/drives/x.ron`), without a file behind them.
    texts: BTreeMap<String, String>,
}

/// A text, and where files that it names by path are looked for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Document {
    pub source: Source,
    pub home: Home,
}

/// Where the files are that a text names by path.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Home {
    /// Among the shipped texts, in this folder.
    Shipped(String),
    /// On the disk, in this folder.
    Folder(PathBuf),
    /// Nowhere: the text did not come from a file.
    Nowhere,
}

/// Why a file that a text names cannot be had.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Trouble {
    /// To be reported where the name stands.
    Here {
        /// What is wrong.
        message: String,
        /// What to do.
        remedy: String,
    },
    /// To be reported in the named file.
    There(Diagnostics),
}

impl Trouble {
    pub fn here(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Trouble::Here { message: message.into(), remedy: remedy.into() }
    }
    /// As diagnostics of a `file` that has no text to point into.
    pub fn into_diagnostics(self, file: &str) -> Diagnostics {
        match self {
            Trouble::Here { message, remedy } => {
                let message = message.strip_prefix(&format!("`{file}`: ")).unwrap_or(&message);
                Diagnostic::of_file(file, message).with_remedy(remedy).into()
            }
            Trouble::There(diagnostics) => diagnostics,
        }
    }
}

/// An error's message and its remedy, which stands behind a semicolon.
pub(super) fn with_remedy(error: &dyn std::error::Error) -> (String, String) {
    let text = error.to_string();
    let (message, remedy) = text.split_once("; ").unwrap_or((&text, ""));
    (message.to_owned(), remedy.to_owned())
}

/// Whether a reference is a path to a file rather than a name of the catalogue.
pub(super) fn is_path(reference: &str) -> bool {
    Path::new(reference).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ron"))
}

const SCENARIOS: &str = "scenarios";

impl Default for Library {
    fn default() -> Self {
        Library::shipped()
    }
}

impl Library {
    /// What is shipped inside the program.
    pub fn shipped() -> Self {
        let texts = shipped::FILES.iter().map(|&(path, text)| (path.to_owned(), text.to_owned()));
        Library { folders: Vec::new(), texts: texts.collect() }
    }

    /// The same with a user's folder, whose `drives/`, `hosts/`, .. and `scenarios/` shadow what is there.
    /// A folder that cannot be read is reported when something is loaded.
    pub fn with_folder(mut self, path: PathBuf) -> Self {
        self.folders.push(path);
        self
    }

    /// The same with a model that has no file.
    pub fn with_model(mut self, kind: ModelKind, name: &str, text: &str) -> Self {
        self.texts.insert(format!("models/{}/{name}.ron", kind.folder()), text.to_owned());
        self
    }

    /// Reports the first user folder that cannot be read.
    ///
    /// # Errors
    /// One diagnostic with a remedy.
    pub fn check_folders(&self) -> Result<(), Diagnostics> {
        self.folders.iter().try_for_each(|folder| files::check_folder(folder))
    }

    /// The names of all models of a kind, sorted.
    pub fn names(&self, kind: ModelKind) -> Vec<String> {
        self.files(&format!("models/{}", kind.folder()), kind.folder()).into_keys().collect()
    }

    /// The text of a model.
    ///
    /// # Errors
    /// An unknown name, with the one that was probably meant; a file that cannot be read.
    pub fn source(&self, kind: ModelKind, name: &str) -> Result<Source, Diagnostics> {
        let found = self.model(kind, name, &Home::Folder(PathBuf::new()));
        found.map(|document| document.source).map_err(|trouble| trouble.into_diagnostics(name))
    }

    /// The scenarios that can be run by name, sorted; files that are only included by others are left out,
    /// and so are files at fault.
    pub fn scenarios(&self) -> Vec<ScenarioEntry> {
        let entry = |(name, place): (String, Place)| {
            let layers = Layers::read(self.document(&place).ok()?, self).ok().filter(Layers::is_sound)?;
            layers.first(|file| file.workload.as_ref())?;
            let title = layers.first(|file| file.title.as_ref()).map_or(&name, |(_, title)| title).clone();
            Some(ScenarioEntry { title, name, path: place.name() })
        };
        self.files(SCENARIOS, SCENARIOS).into_iter().filter_map(entry).collect()
    }

    /// The reproductions that can be run by name, sorted.
    pub fn reproductions(&self) -> Vec<ScenarioEntry> {
        let entry = |(name, place): (String, Place)| {
            let spec: ReproductionSpec = config::parse(&self.document(&place).ok()?.source).ok()?;
            let name = name.strip_suffix("/reproduction").map_or(name.clone(), str::to_owned);
            Some(ScenarioEntry { title: spec.title, name, path: place.name() })
        };
        self.files(SCENARIOS, SCENARIOS).into_iter().filter_map(entry).collect()
    }

    /// The fits that can be run by name, sorted.
    pub fn fits(&self) -> Vec<ScenarioEntry> {
        let entry = |(name, place): (String, Place)| {
            let spec: FitSpec = config::parse(&self.document(&place).ok()?.source).ok()?;
            let title = if spec.title.is_empty() { spec.claims.join(", ") } else { spec.title };
            Some(ScenarioEntry { title, name, path: place.name() })
        };
        self.files(SCENARIOS, SCENARIOS).into_iter().filter_map(entry).collect()
    }

    /// The text of a scenario, by name or path.
    ///
    /// # Errors
    /// An unknown name, with the one that was probably meant; a file that cannot be read.
    pub fn scenario_source(&self, name_or_path: &str) -> Result<Source, Diagnostics> {
        self.scenario(name_or_path).map(|document| document.source)
    }

    /// A scenario, or another file of the same folders, by name or path.
    pub(super) fn scenario(&self, name_or_path: &str) -> Result<Document, Diagnostics> {
        self.check_folders()?;
        let home = Home::Folder(PathBuf::new());
        let found = self.named_scenario(name_or_path, &home);
        found.map_err(|trouble| trouble.into_diagnostics(name_or_path))
    }

    /// The scenario file that a text names: by path, by name, or by the last part of a name if it is the only one
    /// that ends so.
    pub(super) fn named_scenario(&self, reference: &str, home: &Home) -> Result<Document, Trouble> {
        if is_path(reference) {
            return self.open(reference, home);
        }
        let mut known = self.files(SCENARIOS, SCENARIOS);
        let grouped = format!("{reference}/reproduction");
        if let Some(place) = known.remove(reference).or_else(|| known.remove(&grouped)) {
            return self.document(&place);
        }
        let ending = format!("/{reference}");
        let alike: Vec<(&String, &Place)> =
            known.iter().filter(|(name, _)| name.ends_with(&ending)).collect();
        if let [(_, only)] = alike[..] {
            return self.document(only);
        }
        if !alike.is_empty() {
            let names: Vec<&str> = alike.iter().map(|(name, _)| name.as_str()).collect();
            let remedy = format!("write one of {}", names.join(", "));
            return Err(Trouble::here(format!("there are several scenarios `{reference}`"), remedy));
        }
        if matches!(home, Home::Folder(_)) && files::exists(Path::new(reference)) {
            return self.open(reference, home);
        }
        let entries = self.scenarios();
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let list = "to name a file, give its path with `.ron`";
        Err(Trouble::here(format!("there is no scenario `{reference}`"), remedy(reference, &names, list)))
    }

    /// The model that a text names by name or by path.
    pub(super) fn model(&self, kind: ModelKind, reference: &str, home: &Home) -> Result<Document, Trouble> {
        if is_path(reference) {
            return self.open(reference, home);
        }
        let known = self.files(&format!("models/{}", kind.folder()), kind.folder());
        match known.get(reference) {
            Some(place) => self.document(place),
            // A file by any other name, which then says where it is no model.
            None if matches!(home, Home::Folder(_)) && files::exists(Path::new(reference)) => {
                self.open(reference, home)
            }
            None => {
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                let list = "to name a file, give its path with `.ron`";
                let message = format!("there is no {} model `{reference}`", kind.name());
                Err(Trouble::here(message, remedy(reference, &names, list)))
            }
        }
    }

    /// A file by its path from `home`.
    pub(super) fn open(&self, path: &str, home: &Home) -> Result<Document, Trouble> {
        match home {
            Home::Nowhere => Err(Trouble::here(
                format!("a text without a file cannot name the file `{path}`"),
                "name a model or scenario of the catalogue, or load the text from a file",
            )),
            Home::Shipped(folder) => {
                let place = Place::Text(normal(&format!("{folder}/{path}")));
                self.document(&place)
            }
            Home::Folder(folder) => {
                let file = tidy(&folder.join(path));
                // Shipped files answer to their path in this project, wherever the program runs.
                let shipped = normal(&file.to_string_lossy().replace('\\', "/"));
                if !files::exists(&file) && self.texts.contains_key(&shipped) {
                    return self.document(&Place::Text(shipped));
                }
                self.document(&Place::File(file))
            }
        }
    }

    fn document(&self, place: &Place) -> Result<Document, Trouble> {
        match place {
            Place::Text(path) => match self.texts.get(path) {
                Some(text) => Ok(text_document(Source::new(path, text))),
                None => Err(Trouble::here(
                    format!("`{path}` is not among the shipped files"),
                    "check the spelling of the path; it starts at the folder of this file",
                )),
            },
            Place::File(path) => {
                let home = Home::Folder(path.parent().map(Path::to_owned).unwrap_or_default());
                let source = files::read(path).map_err(|diagnostics| place_here(&diagnostics))?;
                Ok(Document { source, home })
            }
        }
    }

    /// True if this text is inside the program, whatever file of the same path there may be.
    pub fn is_shipped(&self, source: &Source) -> bool {
        self.texts.get(&source.name).is_some_and(|text| *text == source.text)
    }

    /// A text that somebody brings along: shipped if it is called so, from nowhere otherwise.
    pub(super) fn adopt(&self, source: &Source) -> Document {
        if self.is_shipped(source) {
            return text_document(source.clone());
        }
        Document { source: source.clone(), home: Home::Nowhere }
    }

    /// The files of one folder by name, user's folders last so that they win.
    fn files(&self, shipped_folder: &str, user_folder: &str) -> BTreeMap<String, Place> {
        let name = |path: &str| path.strip_suffix(".ron").map(str::to_owned);
        let prefix = format!("{shipped_folder}/");
        let shipped = self.texts.keys().filter_map(|path| {
            let name = name(path.strip_prefix(&prefix)?)?;
            Some((name, Place::Text(path.clone())))
        });
        let mut found: BTreeMap<String, Place> = shipped.collect();
        for folder in self.folders.iter().map(|folder| folder.join(user_folder)) {
            let listed = files::list(&folder);
            found
                .extend(listed.iter().filter_map(|path| Some((name(path)?, Place::File(folder.join(path))))));
        }
        found
    }
}

/// Where a text of the catalogue is.
#[derive(Clone, PartialEq, Debug)]
enum Place {
    /// In the program, at this path.
    Text(String),
    /// On the disk.
    File(PathBuf),
}

impl Place {
    fn name(&self) -> String {
        match self {
            Place::Text(path) => path.clone(),
            Place::File(path) => path.display().to_string(),
        }
    }
}

fn text_document(source: Source) -> Document {
    let folder = source.name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    Document { source, home: Home::Shipped(folder) }
}

/// Faults of a file as a whole are reported where it is named; those in its text stay there.
fn place_here(diagnostics: &Diagnostics) -> Trouble {
    match diagnostics.iter().next() {
        Some(fault) if fault.place.is_none() => Trouble::here(
            format!("`{}`: {}", fault.file, fault.message),
            fault.remedy.clone().unwrap_or_default(),
        ),
        _ => Trouble::There(diagnostics.clone()),
    }
}

/// "Did you mean", or what there is; a long list is left to the command that prints it.
pub(super) fn remedy(wrong: &str, known: &[&str], otherwise: &str) -> String {
    const LISTED_MAX: usize = 12;
    let last_part = |name: &str| name.rsplit('/').next().map(str::to_owned).unwrap_or_default();
    let parts: Vec<String> = known.iter().map(|name| last_part(name)).collect();
    // Names of one group differ in their last part, which is all that people type.
    let by_part = || {
        let part = suggest(wrong, parts.iter().map(String::as_str))?;
        let alike: Vec<&str> = known.iter().copied().filter(|name| last_part(name) == part).collect();
        Some(alike.join("` or `"))
    };
    let near = suggest(wrong, known.iter().copied()).map(str::to_owned).or_else(by_part);
    let list = match (&near, known.len()) {
        (_, 0) => String::new(),
        (Some(_), LISTED_MAX..) => "`ataraid list` shows all; ".to_owned(),
        _ => format!("there are: {}; ", known.join(", ")),
    };
    let near = near.map(|name| format!("did you mean `{name}`? "));
    let text = format!("{}{list}{otherwise}", near.unwrap_or_default());
    text.trim_end_matches([' ', ';']).to_owned()
}

/// A path without `.` and with `..` taken back, `/` between its parts.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A path on the disk without `.` parts; `..` stays, as links may be behind it.
fn tidy(path: &Path) -> PathBuf {
    path.components().filter(|part| !matches!(part, std::path::Component::CurDir)).collect()
}
