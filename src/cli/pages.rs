//! `man` and `completions`: what a package ships beside the program, made from the argument definitions.

use std::path::PathBuf;

use clap::CommandFactory;

use super::Cli;
use super::failure::{Ended, Failure};
use super::output::{Folder, remark, say};

/// Write the manual pages: one page a verb into DIR, or the main page to standard output
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  ataraid man | man -l -\n  ataraid man ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// Folder to write them into
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Print the completion script of a shell
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  ataraid completions bash > ~/.local/share/bash-completion/completions/ataraid"
)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn man(args: &ManArgs) -> Ended {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.folder else {
        let (_, page) = rendered(command)?;
        return say(&String::from_utf8_lossy(&page));
    };
    let mut folder = Folder::prepare(folder)?;
    for (name, page) in pages(&command)? {
        folder.write(&name, &page)?;
    }
    remark(&folder.listing());
    Ok(())
}

/// The pages of a command and of all verbs below it.
fn pages(command: &clap::Command) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut all = vec![rendered(command.clone())?];
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        all.extend(pages(verb)?);
    }
    Ok(all)
}

fn rendered(command: clap::Command) -> Result<(String, Vec<u8>), Failure> {
    let man = clap_mangen::Man::new(command);
    let mut page = Vec::new();
    man.render(&mut page).map_err(|error| Failure::Internal(error.to_string()))?;
    Ok((man.get_filename(), page))
}

pub(super) fn completions(args: &CompletionsArgs) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ataraid", &mut script);
    say(&String::from_utf8_lossy(&script))
}
