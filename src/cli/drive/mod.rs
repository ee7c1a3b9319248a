//! `drive`: what a drive model says and what it amounts to, and where models come from and go to.

mod access;
mod alone;
mod check;
mod compare;
mod export;
mod fit;
mod fit_trace;
pub(super) mod import;
mod plot;
mod random;
mod show;
pub(super) mod validate;

use std::path::Path;

use clap::Subcommand;

use super::failure::{Ended, Failure};
use super::list;
use super::options::{Setting, setting, with_settings};
use crate::drive::DriveSpec;
use crate::scenario::Library;

const EXAMPLES: &str = "\
Examples:
  ataraid drive list
  ataraid drive show maxtor-6l080j4          every figure, and where it comes from
  ataraid drive check my-drive.ron --zones   capacity, rates, seeks, skew slack
  ataraid drive plot wd-740gd                pictures in output/drives/wd-740gd/
  ataraid drive compare wd-740gd wd-1200jb   a table and pictures side by side
  ataraid drive import atlas10k.parv -o atlas10k.ron    a model out of a DiskSim description
  ataraid drive validate disksim/valid       imported drives against measurements
  ataraid drive fit --help                   a model out of a data sheet, measurements or a trace
  ataraid drive export wd-740gd --86box      a speed preset of the emulator 86Box";

/// Look at drive models: figures with their sources, what they amount to, pictures; build, import, compare, export
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    List(list::DrivesArgs),
    Show(show::Args),
    Check(check::Args),
    Plot(plot::Args),
    Compare(compare::Args),
    Fit(Box<fit::Args>),
    Import(import::Args),
    Validate(validate::Args),
    Export(export::Args),
}

/// Which drive, and what is different about it.
#[derive(clap::Args, Debug)]
pub(super) struct Choice {
    /// Name of a drive model, or path of a file
    #[arg(value_name = "DRIVE")]
    drive: String,
    /// Set a field first, such as overhead.read_miss_ms=0.5; repeatable
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = setting)]
    settings: Vec<Setting>,
}

impl Choice {
    fn spec(&self, library: &Library) -> Result<(DriveSpec, String), super::Failure> {
        let (spec, source) = list::drive(&self.drive, library)?;
        let spec = if self.settings.is_empty() { spec } else { with_settings(spec, &self.settings)? };
        let place = if library.is_shipped(&source) { "shipped " } else { "" };
        Ok((spec, format!("{place}{}", source.name)))
    }

    /// What was set, for captions; empty if nothing was.
    fn changes(&self) -> String {
        let change = |setting: &Setting| format!("{} = {}", setting.path, setting.value);
        self.settings.iter().map(change).collect::<Vec<_>>().join(", ")
    }
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    match &args.verb {
        Verb::List(args) => list::drives(args, library),
        Verb::Show(args) => show::run(args, library),
        Verb::Check(args) => check::run(args, library),
        Verb::Plot(args) => plot::run(args, library),
        Verb::Compare(args) => compare::run(args, library),
        Verb::Fit(args) => fit::run(args, library),
        Verb::Import(args) => import::run(args),
        Verb::Validate(args) => validate::run(args),
        Verb::Export(args) => export::run(args, library),
    }
}

/// What to say of a model's file that was written; `was_there` if one of its name was replaced.
fn wrote(output: &Path, was_there: bool) -> String {
    let replaced = if was_there { ", in place of an earlier file of this name" } else { "" };
    format!("wrote {}{replaced}", output.display())
}

/// Refuses to write a model over what it was made of: a model's file ends in `.ron`, and is not one of `inputs`.
fn check_output(output: &Path, inputs: &[&Path]) -> Ended {
    let is_model = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ron"));
    if output.is_dir() {
        let message = format!("{}: this is a folder", output.display());
        return Err(Failure::input(message, "give -o the name of a file, such as `my-drive.ron`"));
    }
    // Pipes and devices have no name to go by.
    if !is_model && (output.is_file() || !output.exists()) {
        let message = format!("{}: a drive model's file ends in `.ron`", output.display());
        return Err(Failure::input(message, "give -o a name such as `my-drive.ron`"));
    }
    let same = |input: &&Path| match (output.canonicalize(), input.canonicalize()) {
        (Ok(output), Ok(input)) => output == input,
        _ => false,
    };
    if output.is_file() && inputs.iter().any(same) {
        let message = format!("{}: this file is read, and would be overwritten", output.display());
        return Err(Failure::input(message, "give -o another name"));
    }
    Ok(())
}
