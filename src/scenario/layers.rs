//! A scenario file and the chain of files it includes.

use super::file::{RunFile, ScenarioFile, SweepFile};
use super::library::{Document, Library, Trouble, is_path};
use crate::config::{self, Diagnostic, Diagnostics, Issues, covers};

/// Longest chain of files.
const DEPTH_MAX: usize = 8;

/// One file of the chain.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub document: Document,
    pub file: ScenarioFile,
    /// Paths of the parts that could not be read; `include` if what the file includes could not.
    lost: Vec<String>,
}

/// The file itself, then what it includes, then what that includes; earlier ones win. Never empty.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    files: Vec<Layer>,
    /// What was wrong with them when they were read.
    faults: Diagnostics,
}

impl Layer {
    /// Whether a fault at `path` may only be there because of what could not be read: it lies in it, holds it, or stands
    /// in a list that has lost an element.
    fn hides(&self, path: &str) -> bool {
        let list = |lost: &String| match lost.strip_suffix(']').and_then(|lost| lost.rsplit_once('[')) {
            Some((list, _)) => list.to_owned(),
            None => lost.clone(),
        };
        !path.is_empty() && self.lost.iter().any(|lost| covers(&list(lost), path) || covers(path, lost))
    }
}

impl Layers {
    /// Reads a file with everything it includes, as far as it can be read.
    ///
    /// # Errors
    /// The faults, if the file itself cannot be read at all.
    pub fn read(document: Document, library: &Library) -> Result<Layers, Diagnostics> {
        let mut layers = Layers { files: Vec::new(), faults: Diagnostics::new() };
        let mut next = Some(document);
        while let Some(document) = next.take() {
            let (file, lost) = match config::parse_partly::<ScenarioFile>(&document.source) {
                Ok(file) => (Some(file), Vec::new()),
                Err(partly) => {
                    layers.faults.extend(partly.faults);
                    (partly.readings.into_iter().next(), partly.lost)
                }
            };
            match file {
                Some(file) => layers.files.push(Layer { document, file, lost }),
                None => {
                    let Some(last) = layers.files.last_mut() else { return Err(layers.faults) };
                    last.lost.push("include".to_owned());
                    break;
                }
            }
            let reference = layers.files.last().and_then(|last| last.file.include.clone());
            let found = reference.map(|reference| included(&layers.files, &reference, library)).transpose();
            next = found.unwrap_or_else(|faults| {
                layers.faults.extend(faults);
                if let Some(last) = layers.files.last_mut() {
                    last.lost.push("include".to_owned());
                }
                None
            });
        }
        Ok(layers)
    }

    /// Whether all of all files could be read.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// Whether a part of the field `top` could not be read, or may stand in a file that could not.
    pub fn is_lost(&self, top: &str) -> bool {
        let lost = self.files.iter().flat_map(|layer| &layer.lost);
        let missing =
            |path: &String| covers(top, path) || (path == "include" && self.origin_of(top).is_none());
        lost.into_iter().any(missing)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Layer> {
        self.files.iter()
    }
    pub fn len(&self) -> usize {
        self.files.len()
    }
    pub fn layer(&self, index: usize) -> &Layer {
        &self.files[index]
    }

    /// The value of a field in the first file that has one, with the number of that file.
    pub fn first<T: ?Sized>(&self, pick: impl Fn(&ScenarioFile) -> Option<&T>) -> Option<(usize, &T)> {
        self.files.iter().enumerate().find_map(|(index, layer)| Some((index, pick(&layer.file)?)))
    }

    /// The sweep of all files together.
    pub fn sweep(&self) -> SweepFile {
        let parts = self.files.iter().filter_map(|layer| layer.file.sweep.clone());
        parts.reduce(SweepFile::over).unwrap_or_default()
    }
    /// The run lengths of all files together.
    pub fn run(&self) -> RunFile {
        let parts = self.files.iter().filter_map(|layer| layer.file.run.clone());
        parts.reduce(RunFile::over).unwrap_or_default()
    }

    /// The file that the field at `path` comes from; the outermost if none has it.
    pub fn origin(&self, path: &str) -> usize {
        self.origin_of(path).unwrap_or(0)
    }

    fn origin_of(&self, path: &str) -> Option<usize> {
        let mut parts = path.split(['.', '[']);
        let (top, second) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let has = |file: &ScenarioFile| match top {
            "name" => file.name.is_some(),
            "title" => file.title.is_some(),
            "variant" => file.variant.is_some(),
            "experiment" => file.experiment.is_some(),
            "host" => file.host.is_some(),
            "driver" => file.driver.is_some(),
            "bus" => file.bus.is_some(),
            "controller" => file.controller.is_some(),
            "drives" => file.drives.is_some(),
            "arrays" => file.arrays.is_some(),
            "workload" => file.workload.is_some(),
            "plots" => file.plots.is_some(),
            "sweep" => file.sweep.as_ref().is_some_and(|sweep| sweep_has(sweep, second)),
            "run" => file.run.as_ref().is_some_and(|run| run_has(run, second)),
            _ => false,
        };
        self.files.iter().position(|layer| has(&layer.file))
    }
}

fn sweep_has(sweep: &SweepFile, field: &str) -> bool {
    match field {
        "arrays" => sweep.arrays.is_some(),
        "patterns" => sweep.patterns.is_some(),
        "queue_depths" => sweep.queue_depths.is_some(),
        "write_percents" => sweep.write_percents.is_some(),
        "block_bytes" => sweep.block_bytes.is_some(),
        "file_systems" => sweep.file_systems.is_some(),
        "vary" => sweep.vary.is_some(),
        _ => true,
    }
}

fn run_has(run: &RunFile, field: &str) -> bool {
    match field {
        "ramp_s" => run.ramp_s.is_some(),
        "measure_s" => run.measure_s.is_some(),
        "replications" => run.replications.is_some(),
        "seed" => run.seed.is_some(),
        "quick" => run.quick.is_some(),
        _ => true,
    }
}

/// The file that the last of `layers` includes.
fn included(layers: &[Layer], reference: &str, library: &Library) -> Result<Document, Diagnostics> {
    let last = &layers[layers.len() - 1].document;
    let at_include = |message: String, remedy: &str| {
        let mut issues = Issues::new();
        issues.report("include", message, remedy);
        Err(issues.into_diagnostics(&last.source))
    };
    let found = if is_path(reference) {
        library.open(reference, &last.home)
    } else {
        library.named_scenario(reference, &last.home)
    };
    let document = match found {
        Ok(document) => document,
        Err(Trouble::Here { message, remedy }) => return at_include(message, &remedy),
        Err(Trouble::There(diagnostics)) => return Err(diagnostics),
    };
    let chain = || {
        let mut names: Vec<&str> = layers.iter().map(|layer| layer.document.source.name.as_str()).collect();
        names.push(&document.source.name);
        names.join(" -> ")
    };
    // The same text from the same place is the same file, however its path is written.
    if layers.iter().any(|layer| {
        layer.document.source.name == document.source.name
            || (layer.document.home == document.home && layer.document.source.text == document.source.text)
    }) {
        return at_include(format!("the includes go round in a circle: {}", chain()), "take one of them out");
    }
    if layers.len() >= DEPTH_MAX {
        let message = format!("more than {DEPTH_MAX} files include each other: {}", chain());
        return at_include(message, "include the innermost file directly");
    }
    Ok(document)
}

/// Collects the faults of all files of a chain.
#[derive(Debug)]
pub(super) struct Faults<'a> {
    layers: &'a Layers,
    issues: Vec<Issues>,
    others: Diagnostics,
}

impl<'a> Faults<'a> {
    pub fn new(layers: &'a Layers) -> Self {
        let issues = layers.iter().map(|_| Issues::new()).collect();
        Faults { layers, issues, others: layers.faults.clone() }
    }

    /// A fault of the field at `path` in file number `layer`.
    pub fn at(&mut self, layer: usize, path: &str, message: impl Into<String>, remedy: impl Into<String>) {
        let top = path.split(['.', '[']).next().unwrap_or("");
        let elsewhere = !top.is_empty() && self.layers.origin_of(path).is_none() && self.layers.is_lost(top);
        if !elsewhere && !self.layers.layer(layer).hides(path) {
            self.issues[layer].report(path, message, remedy);
        }
    }

    /// Trouble with what the field at `path` in file number `layer` names.
    pub fn trouble(&mut self, layer: usize, path: &str, trouble: Trouble) {
        match trouble {
            Trouble::Here { message, remedy } => self.at(layer, path, message, remedy),
            Trouble::There(diagnostics) => self.others.extend(diagnostics),
        }
    }

    /// A fault of the entry `key` of the map of settings at `map` in file number `layer`.
    pub fn at_key(
        &mut self,
        layer: usize,
        (map, key): (&str, &str),
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let (message, source) = (message.into(), &self.layers.layer(layer).document.source);
        match Diagnostic::at_key(source, map, key, message.as_str()) {
            Some(fault) => self.others.push(fault.with_remedy(remedy)),
            None => self.at(layer, map, message, remedy),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.others.is_empty() && self.issues.iter().all(Issues::is_empty)
    }

    pub fn into_diagnostics(self) -> Diagnostics {
        let mut all = self.others;
        for (layer, issues) in self.layers.iter().zip(self.issues) {
            all.extend(issues.into_diagnostics(&layer.document.source));
        }
        all
    }
}
