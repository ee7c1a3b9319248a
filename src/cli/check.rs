//! `check`: judges files without running anything.

use super::drive::import;
use super::failure::{Ended, Failure};
use super::options::{Wanted, full_name};
use super::output::{remark, say};
use crate::config::Diagnostics;
use crate::experiment::check;
use crate::scenario::{CheckedKind, Library};

const EXAMPLES: &str = "\
Examples:
  ataraid check my-drive.ron my-scenario.ron   files of your own, of any kind
  ataraid check rocketraid133 wd-1200jb        shipped ones, by name

Prints `ok: FILE (what it is)` for each good file, and every fault of the others
as file:line:column with a remedy. Exit code 2 if there is any fault.";

/// Judge scenario, model, claims, reproduction and fit files; report all faults of all of them at once
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Paths, or names of the catalogue
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let mut faults = Diagnostics::new();
    let mut good = String::new();
    let mut bad = 0;
    for file in &args.files {
        if let Some(fault) = import::as_model(file) {
            bad += 1;
            faults.push(fault);
            continue;
        }
        match check(&full_name(file, Wanted::Any, library)?, library) {
            Ok(kind) => good += &format!("ok: {file} ({})\n", described(kind)),
            Err(found) => {
                bad += 1;
                faults.extend(found);
            }
        }
    }
    if !good.is_empty() {
        say(&good)?;
    }
    if faults.is_empty() {
        return Ok(());
    }
    remark(&format!("{faults}\n"));
    let plural = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    let files = plural(args.files.len(), "file");
    Err(Failure::Input(format!("{} in {bad} of {files}", plural(faults.len(), "error"))))
}

fn described(kind: CheckedKind) -> String {
    match kind {
        CheckedKind::Model(kind) => format!("{} model", kind.name()),
        other => other.name().to_owned(),
    }
}
