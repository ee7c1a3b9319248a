//! `drive import`: a drive model out of a DiskSim description.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::failure::{Ended, Failure};
use crate::cli::output::{remark, say};
use crate::config::{Diagnostic, Diagnostics, Source};
use crate::disksim::{self, Override};
use crate::drive::DriveSpec;
use crate::drive::spec::ron;
use crate::replay::System;
use crate::results::atomic;
use crate::scenario::read_file;

const EXAMPLES: &str = "\
Examples:
  ataraid drive import atlas10k.parv -o atlas10k.ron
  ataraid drive import atlas10k.diskspecs                  the drive alone, to the screen
  ataraid drive import three.parv --disk disk2 -o disk2.ron
  ataraid drive import atlas10k.parv --override disk0 'Fast write level' 0

Files that the description names are looked for beside the file that names them. What has no
counterpart here is told on the error output with its file and line.";

/// Turn the description of a drive for DiskSim 4.0 (.parv, .diskspecs, .model) into a drive model
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Parameter file of DiskSim
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the model to this file instead of the screen
    #[arg(short, long = "output", value_name = "FILE.ron")]
    output: Option<PathBuf>,
    /// Which drive, by the name of its block or of a component, if the file describes several
    #[arg(long, value_name = "NAME")]
    disk: Option<String>,
    #[command(flatten)]
    overrides: Overrides,
}

/// Entries of a description given anew.
#[derive(clap::Args, Clone, Default, Debug)]
pub(in crate::cli) struct Overrides {
    /// Give an entry of a DiskSim description anew, as on DiskSim's command line: a component (also `disk0 .. disk3`,
    /// `disk*`) or a block, the key (of a block inside: `Scheduler:Scheduling policy`), the value; repeatable
    #[arg(long = "override", num_args = 3, value_names = ["COMPONENT", "KEY", "VALUE"], allow_hyphen_values = true)]
    entries: Vec<String>,
}

impl Overrides {
    /// True if nothing is given anew.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Each as `COMPONENT KEY VALUE`.
    pub(in crate::cli) fn texts(&self) -> impl Iterator<Item = String> {
        self.entries.chunks_exact(3).map(|entry| entry.join(" "))
    }

    fn list(&self) -> Vec<Override> {
        let entry = |entry: &[String]| Override {
            component: entry[0].clone(),
            key: entry[1].clone(),
            value: entry[2].clone(),
        };
        self.entries.chunks_exact(3).map(entry).collect()
    }
}

pub(super) fn run(args: &Args) -> Ended {
    if let Some(output) = &args.output {
        super::check_output(output, &[&args.file])?;
    }
    let mut description = Description::new(&args.file);
    description.give_anew(&args.overrides);
    let spec = description.drive(args.disk.as_deref())?;
    description.tell(true, "");
    let name = args.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let text = ron(&spec, &format!("Imported from the DiskSim description {name}."));
    let Some(output) = &args.output else { return say(&text) };
    let was_there = output.is_file();
    atomic::write(output, text.as_bytes()).map_err(|error| Failure::io(output, &error))?;
    remark(&super::wrote(output, was_there));
    Ok(())
}

/// A description of DiskSim's with the files that it names, each of which is read once.
pub(in crate::cli) struct Description {
    path: PathBuf,
    texts: BTreeMap<PathBuf, Source>,
    overrides: Vec<Override>,
    /// What was told of it, each once.
    warnings: Vec<String>,
}

impl Description {
    pub(in crate::cli) fn new(path: &Path) -> Self {
        Description {
            path: path.to_owned(),
            texts: BTreeMap::new(),
            overrides: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// From now on these entries count.
    pub(in crate::cli) fn give_anew(&mut self, overrides: &Overrides) {
        self.overrides = overrides.list();
    }

    /// The drive that it describes, or the one called `wanted` of several.
    ///
    /// # Errors
    /// Every fault of the description.
    pub(in crate::cli) fn drive(&mut self, wanted: Option<&str>) -> Result<DriveSpec, Failure> {
        let (texts, overrides) = (&mut self.texts, &self.overrides);
        let source = remembered(texts, &self.path)?;
        let read = &mut |path: &Path| remembered(texts, path);
        let imported = disksim::import_drive_with(source, overrides, wanted, read)?;
        self.keep(imported.warnings);
        Ok(DriveSpec { name: self.called(&imported.spec.name), ..imported.spec })
    }

    /// Its drives on its buses, with its driver.
    ///
    /// # Errors
    /// Every fault of the description.
    pub(in crate::cli) fn system(&mut self) -> Result<System, Failure> {
        let (texts, overrides) = (&mut self.texts, &self.overrides);
        let source = remembered(texts, &self.path)?;
        let read = &mut |path: &Path| remembered(texts, path);
        let imported = disksim::import_system_with(source, overrides, read)?;
        self.keep(imported.warnings);
        let mut system = imported.system;
        system.models.iter_mut().for_each(|model| model.name = self.called(&model.name));
        Ok(system)
    }

    /// A model's name, told from that of the model as it is described.
    fn called(&self, name: &str) -> String {
        match self.overrides.len() {
            0 => name.to_owned(),
            1 => format!("{name} (1 entry overridden)"),
            count => format!("{name} ({count} entries overridden)"),
        }
    }

    fn keep(&mut self, warnings: Vec<String>) {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// Tells what has no counterpart: all of it, or how much and the option `remedy` that shows it. What is said on the
    /// command line itself is told in any case.
    pub(in crate::cli) fn tell(&self, all: bool, remedy: &str) {
        let (said, rest): (Vec<&String>, Vec<&String>) =
            self.warnings.iter().partition(|warning| all || warning.starts_with(disksim::OVERRIDE));
        said.iter().for_each(|warning| remark(warning));
        if let Some(note) = note(&self.path, rest.len(), remedy) {
            remark(&note);
        }
    }
}

/// The text of a file, read when it is first asked for.
fn remembered(texts: &mut BTreeMap<PathBuf, Source>, path: &Path) -> Result<Source, Diagnostics> {
    if let Some(text) = texts.get(path) {
        return Ok(text.clone());
    }
    let text = read_file(path)?;
    texts.insert(path.to_owned(), text.clone());
    Ok(text)
}

/// `note: a.parv: 3 warnings; --warnings prints them`.
fn note(path: &Path, count: usize, remedy: &str) -> Option<String> {
    let (path, what) = (path.display(), if count == 1 { "1 warning" } else { &format!("{count} warnings") });
    let them = if count == 1 { "it" } else { "them" };
    (count > 0).then(|| format!("note: {path}: {what}; {remedy} prints {them}"))
}

/// The drive that a description describes; only the number of warnings is told.
///
/// # Errors
/// Every fault of the description.
pub(in crate::cli) fn drive(path: &Path) -> Result<DriveSpec, Failure> {
    let mut description = Description::new(path);
    let spec = description.drive(None)?;
    description.tell(false, &format!("`ataraid drive import {}`", path.display()));
    Ok(spec)
}

/// What to say where a model of this program is wanted and a file of DiskSim's is named; none of other names.
pub(in crate::cli) fn as_model(name: &str) -> Option<Diagnostic> {
    const ENDINGS: [&str; 3] = ["parv", "diskspecs", "model"];
    let path = Path::new(name);
    let is_one =
        path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    if !is_one {
        return None;
    }
    if !path.exists() {
        return Some(Diagnostic::for_io(name, &io::ErrorKind::NotFound.into()));
    }
    if path.is_dir() {
        return Some(Diagnostic::for_io(name, &io::ErrorKind::IsADirectory.into()));
    }
    let model = path.with_extension("ron");
    let model = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let remedy = format!("`ataraid drive import {name} -o {model}` makes a model of it");
    Some(
        Diagnostic::of_file(
            name,
            "this describes a drive for DiskSim; here a model of this program is wanted",
        )
        .with_remedy(remedy),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_warning_is_one() {
        let note = |count| note(Path::new("a.parv"), count, "--warnings");
        assert_eq!(note(0), None);
        assert_eq!(note(1).unwrap(), "note: a.parv: 1 warning; --warnings prints it");
        assert_eq!(note(2).unwrap(), "note: a.parv: 2 warnings; --warnings prints them");
    }

    #[test]
    fn a_warning_that_comes_twice_is_told_once() {
        let mut description = Description::new(Path::new("a.parv"));
        description.keep(vec!["one".to_owned(), "two".to_owned()]);
        description.keep(vec!["two".to_owned(), "three".to_owned()]);
        assert_eq!(description.warnings, ["one", "two", "three"]);
    }
}
