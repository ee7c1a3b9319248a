//! The only file of this room that touches the file system.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::config::{Diagnostic, Diagnostics, Source};

/// Longest file that is read: far above any model, and a stop for `/dev/zero`.
const BYTES_MAX: u64 = 16 << 20;
/// Folders below a user's folder that are looked into.
const DEPTH_MAX: usize = 4;

/// The text of a file, called by its path.
pub(crate) fn read(path: &Path) -> Result<Source, Diagnostics> {
    let name = path.display().to_string();
    // Opening a pipe that nobody writes to would wait for ever.
    if fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir()) {
        let fault = Diagnostic::of_file(name, "this is a pipe or a device, not a regular file");
        return Err(fault.with_remedy("write what it gives to a file, and name that").into());
    }
    let bytes = bytes(path).map_err(|error| Diagnostic::for_io(&name, &error))?;
    if bytes.len() as u64 > BYTES_MAX {
        let message = format!("the file is longer than {} MiB", BYTES_MAX >> 20);
        return Err(Diagnostic::of_file(name, message).with_remedy("name a scenario or model file").into());
    }
    Source::from_bytes(name, bytes)
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    // Some systems open folders and fail later with a less helpful error.
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether there is anything at `path`.
pub(super) fn exists(path: &Path) -> bool {
    fs::metadata(path).is_ok()
}

/// A diagnostic if `path` is not a folder that can be listed.
pub(super) fn check_folder(path: &Path) -> Result<(), Diagnostics> {
    match fs::read_dir(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(Diagnostic::for_io(path.display().to_string(), &error).into()),
    }
}

/// The RON files under `folder`, as paths from it, sorted; none if it cannot be listed.
pub(super) fn list(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    collect(folder, Path::new(""), DEPTH_MAX, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, below: &Path, depth: usize, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder.join(below)) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| below.join(entry.file_name())).collect();
    paths.sort();
    for path in paths {
        if folder.join(&path).is_dir() {
            if depth > 0 {
                collect(folder, &path, depth - 1, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "ron") {
            found.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
}
