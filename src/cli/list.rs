//! `list`: what there is to run and to build machines from.

use clap::ValueEnum;
use serde::de::DeserializeOwned;

use super::drive::import;
use super::failure::{Ended, Failure};
use super::output::say;
use super::table::{self, Format};
use crate::bus::BusSpec;
use crate::config::{self, Diagnostics, Source, Validate};
use crate::controller::ControllerSpec;
use crate::drive::{DriveSpec, InterfaceSpec};
use crate::host::{DriverSpec, HostSpec};
use crate::results::{Cell, Table};
use crate::scenario::{Library, ModelKind, ScenarioEntry};
use crate::workload::iometer::AccessSpec;
use crate::workload::playback::PlaybackSpec;

const EXAMPLES: &str = "\
Examples:
  ataraid list                       everything
  ataraid list drives                one kind
  ataraid --models mine list hosts   with the models of the folder mine/";

/// List scenarios and models by name, with a title each
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// What to list [default: everything]
    #[arg(value_name = "KIND")]
    kind: Option<Kind>,
    /// Form of the list
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    /// For `run` and `compare`
    Scenarios,
    /// For `reproduce`
    Reproductions,
    /// For `fit`
    Fits,
    /// Disk drives
    Drives,
    /// Computers
    Hosts,
    /// Buses
    Buses,
    /// Controller cards
    Controllers,
    /// Policies of drivers
    Drivers,
    /// Access patterns
    Patterns,
    /// Recordings of applications
    Playbacks,
}

impl Kind {
    fn model(self) -> Option<ModelKind> {
        match self {
            Kind::Scenarios | Kind::Reproductions | Kind::Fits => None,
            Kind::Drives => Some(ModelKind::Drive),
            Kind::Hosts => Some(ModelKind::Host),
            Kind::Buses => Some(ModelKind::Bus),
            Kind::Controllers => Some(ModelKind::Controller),
            Kind::Drivers => Some(ModelKind::Driver),
            Kind::Patterns => Some(ModelKind::Pattern),
            Kind::Playbacks => Some(ModelKind::Playback),
        }
    }
    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }
}

/// List the drive models by name, with a title each
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  ataraid drive list")]
pub(super) struct DrivesArgs {
    /// Form of the list
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// `drive list`.
pub(super) fn drives(args: &DrivesArgs, library: &Library) -> Ended {
    run(&Args { kind: Some(Kind::Drives), format: args.format }, library)
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let kinds = args.kind.map_or_else(|| Kind::value_variants().to_vec(), |kind| vec![kind]);
    let mut list = Table::new(&["kind", "name", "title"]);
    for kind in kinds {
        for (name, title) in entries(kind, library) {
            list.push(vec![Cell::Text(kind.name()), Cell::Text(name), Cell::Text(title)]);
        }
    }
    match args.format {
        Format::Text => say(&sections(&list, args.kind.is_none())),
        other => say(&table::show(&list, other)?),
    }
}

/// One line an entry, under a heading a kind if there are several.
fn sections(list: &Table, headings: bool) -> String {
    let width = list.rows.iter().map(|row| row[1].label().chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut last = String::new();
    for row in &list.rows {
        let [kind, name, title] = [row[0].label(), row[1].label(), row[2].label()];
        if headings && kind != last {
            text += &format!("{}{kind}\n", if last.is_empty() { "" } else { "\n" });
        }
        let indent = if headings { "  " } else { "" };
        text += &format!("{indent}{name:width$}  {title}\n");
        last = kind;
    }
    text
}

fn entries(kind: Kind, library: &Library) -> Vec<(String, String)> {
    let pair = |entry: ScenarioEntry| (entry.name, entry.title);
    match (kind, kind.model()) {
        (Kind::Reproductions, _) => library.reproductions().into_iter().map(pair).collect(),
        (Kind::Fits, _) => library.fits().into_iter().map(pair).collect(),
        (_, None) => library.scenarios().into_iter().map(pair).collect(),
        (_, Some(model)) => {
            let names = library.names(model).into_iter();
            names
                .map(|name| (title(model, &name, library), name))
                .map(|(title, name)| (name, title))
                .collect()
        }
    }
}

/// What a model calls itself; a model at fault is listed all the same.
fn title(kind: ModelKind, name: &str, library: &Library) -> String {
    let title = || -> Result<String, Diagnostics> {
        let source = library.source(kind, name)?;
        match kind {
            ModelKind::Drive => title_of(&source, drive_title),
            ModelKind::Host => title_of(&source, |model: HostSpec| model.name),
            ModelKind::Bus => title_of(&source, |model: BusSpec| model.name),
            ModelKind::Controller => title_of(&source, |model: ControllerSpec| model.name),
            ModelKind::Driver => title_of(&source, |model: DriverSpec| model.name),
            ModelKind::Pattern => title_of(&source, |model: AccessSpec| model.title),
            ModelKind::Playback => title_of(&source, |model: PlaybackSpec| model.title),
        }
    };
    title().unwrap_or_else(|_| format!("(has faults: see `ataraid check {name}`)"))
}

/// The name of a drive; the cards of scenarios take none that sits on a SCSI-like bus.
fn drive_title(model: DriveSpec) -> String {
    match model.interface {
        InterfaceSpec::Scsi(_) => format!("{} (SCSI: for replay, not for scenarios)", model.name),
        InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => model.name,
    }
}

fn title_of<T: DeserializeOwned + Validate>(
    source: &Source,
    title: impl FnOnce(T) -> String,
) -> Result<String, Diagnostics> {
    config::load(source).map(title)
}

/// A drive model by name or path.
///
/// # Errors
/// An unknown name, with the one that was probably meant; every fault of the file.
pub(super) fn drive(name_or_path: &str, library: &Library) -> Result<(DriveSpec, Source), Failure> {
    if let Some(fault) = import::as_model(name_or_path) {
        return Err(fault.into());
    }
    let source = library.source(ModelKind::Drive, name_or_path)?;
    Ok((config::load(&source)?, source))
}
