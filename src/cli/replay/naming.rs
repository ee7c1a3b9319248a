//! What a replay is called: its folder, and the line under the headings of its figures.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::{Args, Replayed};
use crate::cli::output::safe_name;
use crate::replay::{Mode, System};

/// The longest name of a folder, in bytes; what is left out of a longer one is told apart by a number.
const FOLDER_MAX: usize = 120;

/// The folder of a replay: trace, drive and whatever makes it another replay of the two, so that no two write to one.
pub(super) fn folder(args: &Args) -> PathBuf {
    let drive =
        Path::new(&args.drive).file_name().map_or(args.drive.as_str().into(), |name| name.to_string_lossy());
    let mut name = format!("{}-on-{drive}", args.title());
    let differences = args.settings.iter().map(|setting| format!("{}={}", setting.path, setting.value));
    let differences = differences.chain(args.system.differences());
    let device = args.device.map(|device| format!("device-{device}"));
    let mode = args.mode.and_then(|mode| Some(mode.to_possible_value()?.get_name().to_owned()));
    let timed = args.at_measured_times.then(|| "at-measured-times".to_owned());
    for difference in differences.chain(device).chain(mode).chain(timed) {
        name += &format!("-{difference}");
    }
    Path::new("output/replays").join(shortened(&safe_name(&name)))
}

/// A name of at most [`FOLDER_MAX`] bytes; a cut one ends in a number that the whole one decides.
fn shortened(name: &str) -> String {
    if name.len() <= FOLDER_MAX {
        return name.to_owned();
    }
    // Fowler, Noll and Vo's hash, 1a.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mut kept = String::new();
    for c in name.chars() {
        if kept.len() + c.len_utf8() > FOLDER_MAX - 17 {
            break;
        }
        kept.push(c);
    }
    format!("{kept}-{hash:016x}")
}

/// What is replayed on what.
pub(super) fn subtitle(args: &Args, system: &System) -> String {
    let drive = system.models.first().map_or("", |model| model.name.as_str());
    let count = match system.drives.len() {
        1 => String::new(),
        count => format!("{count} x "),
    };
    let settings = args.settings.iter().map(|setting| format!(", {} = {}", setting.path, setting.value));
    format!("{} on {count}{drive}{}, seed {}", args.title(), settings.collect::<String>(), args.seed)
}

/// How the requests were issued, in a word or two.
pub(super) fn mode(replayed: &Replayed) -> String {
    match replayed.mode {
        _ if replayed.measured.is_some() => "at the measured times".to_owned(),
        Mode::Closed => "closed".to_owned(),
        Mode::Open => "open".to_owned(),
        Mode::AsFastAsPossible { outstanding } => format!("as fast as possible, {outstanding} outstanding"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_and_told_apart() {
        let [one, other] = ["a", "b"].map(|end| shortened(&format!("{}{end}", "é".repeat(100))));
        assert!(one.len() <= FOLDER_MAX && one != other, "{one} {other}");
        assert_eq!(shortened("atlas10k-on-fitted.ron"), "atlas10k-on-fitted.ron");
    }
}
