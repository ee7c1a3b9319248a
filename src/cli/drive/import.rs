//! `drive import`: a drive model out of a DiskSim description.

use std::path::{Path, PathBuf};

use crate::cli::failure::{Ended, Failure};
use crate::cli::output::{remark, say};
use crate::disksim;
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

Files that the description names are looked for beside the file that names them. What has no counterpart here is
told on the error output with its file and line.";

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
}

pub(super) fn run(args: &Args) -> Ended {
    if let Some(output) = &args.output {
        super::check_output(output, &[&args.file])?;
    }
    let source = read_file(&args.file)?;
    let imported = disksim::import_drive(source, args.disk.as_deref(), &mut |path: &Path| read_file(path))?;
    for warning in &imported.warnings {
        remark(warning);
    }
    let name = args.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let text = ron(&imported.spec, &format!("Imported from the DiskSim description {name}."));
    let Some(output) = &args.output else { return say(&text) };
    atomic::write(output, text.as_bytes()).map_err(|error| Failure::io(output, &error))?;
    remark(&format!("wrote {}", output.display()));
    Ok(())
}

/// The drive that a description describes; only the number of warnings is told.
///
/// # Errors
/// Every fault of the description.
pub(in crate::cli) fn drive(path: &Path) -> Result<DriveSpec, Failure> {
    let imported = disksim::import_drive(read_file(path)?, None, &mut |path: &Path| read_file(path))?;
    count_warnings(path, imported.warnings.len());
    Ok(imported.spec)
}

/// The drives of a description on its buses, with its driver; only the number of warnings is told.
///
/// # Errors
/// Every fault of the description.
pub(in crate::cli) fn system(path: &Path) -> Result<System, Failure> {
    let imported = disksim::import_system(read_file(path)?, &mut |path: &Path| read_file(path))?;
    count_warnings(path, imported.warnings.len());
    Ok(imported.system)
}

fn count_warnings(path: &Path, count: usize) {
    if count > 0 {
        let path = path.display();
        remark(&format!(
            "note: {path}: {count} warnings; `ataraid drive import {path}` prints those of its drive"
        ));
    }
}
