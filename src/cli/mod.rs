//! The command line: one file a verb, progress, files, exit codes.
//!
//! Models: nothing; it reads arguments, asks the library, and puts what comes back on the screen and into files.
//! Invariants: results go to stdout and everything else to stderr; a file is written whole or not at all; bad
//! input never panics. Exit codes: 0 fine, 1 a claim failed or a replay was overloaded, 2 bad input, 3 a fault of the
//! program.

mod check;
mod compare;
mod cpu;
mod drive;
mod explain;
mod failure;
mod fit;
mod list;
mod options;
mod output;
mod pages;
mod progress;
mod reading;
mod replay;
mod reproduce;
mod run;
mod selection;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::scenario::Library;
use failure::{Ended, Failure};

const EXAMPLES: &str = "\
Examples:
  ataraid list
  ataraid run rocketraid133/mix --quick
  ataraid compare rocketraid133/mix --arrays R0x2,R0x2c1 --quick
  ataraid explain rocketraid133/sequential-read --arrays 1d,R0x4 --blocks 65536
  ataraid reproduce rocketraid133
  ataraid drive plot maxtor-6l080j4
  ataraid replay atlas10k.trace --drive atlas10k.parv

Results go to standard output, everything else to standard error.
Exit codes: 0 fine, 1 an expected claim was missed or a replay was overloaded,
2 bad input, 3 a fault of this program.";

/// Simulates PC ATA/SATA RAID controllers, event by event: PCI bus, cables, drives, RAID logic and driver
#[derive(Parser, Debug)]
#[command(name = "ataraid", version, about, after_help = EXAMPLES, max_term_width = 100, propagate_version = false)]
struct Cli {
    /// Folder of your own models and scenarios (drives/, hosts/, .., scenarios/); they shadow shipped ones of the
    /// same name
    #[arg(long, value_name = "DIR", global = true, help_heading = "Global options")]
    models: Option<PathBuf>,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Run(run::Args),
    Compare(compare::Args),
    Explain(explain::Args),
    Reproduce(reproduce::Args),
    Replay(replay::Args),
    Fit(fit::Args),
    Check(check::Args),
    List(list::Args),
    Drive(drive::Args),
    Man(pages::ManArgs),
    Completions(pages::CompletionsArgs),
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version go to stdout with exit code 0, faults to stderr with 2.
        Err(error) => error.exit(),
    };
    install_panic_text();
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| dispatch(&cli))) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        // The hook has said what happened.
        Err(_) => ExitCode::from(3),
    }
}

fn dispatch(cli: &Cli) -> Ended {
    let library = library(cli)?;
    match &cli.verb {
        Verb::Run(args) => run::run(args, &library),
        Verb::Compare(args) => compare::run(args, &library),
        Verb::Explain(args) => explain::run(args, &library),
        Verb::Reproduce(args) => reproduce::run(args, &library),
        Verb::Replay(args) => replay::run(args, &library),
        Verb::Fit(args) => fit::run(args, &library),
        Verb::Check(args) => check::run(args, &library),
        Verb::List(args) => list::run(args, &library),
        Verb::Drive(args) => drive::run(args, &library),
        Verb::Man(args) => pages::man(args),
        Verb::Completions(args) => pages::completions(args),
    }
}

fn library(cli: &Cli) -> Result<Library, Failure> {
    let library = match &cli.models {
        Some(folder) => Library::shipped().with_folder(folder.clone()),
        None => Library::shipped(),
    };
    library.check_folders()?;
    Ok(library)
}

/// A panic is a fault of the program, and is reported as one.
fn install_panic_text() {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied().map(str::to_owned);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        let place = info.location().map_or(String::new(), |place| format!(" ({place})"));
        Failure::Internal(format!("{text}{place}")).report();
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_argument_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_visible_verb_says_what_it_is_for_and_shows_examples() {
        fn walk(command: &clap::Command) {
            for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
                let name = verb.get_name();
                assert!(verb.get_about().is_some(), "{name} has no purpose");
                assert!(verb.get_after_help().is_some(), "{name} has no examples");
                for option in verb.get_arguments() {
                    assert!(option.get_help().is_some(), "{name}: {} has no help", option.get_id());
                }
                // Longer lines would be broken once more, at a width that their own breaks do not know.
                let text = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
                let long = text.lines().find(|line| line.chars().count() > 100);
                assert!(long.is_none(), "{name}: {long:?}");
                walk(verb);
            }
        }
        walk(&Cli::command());
    }
}
