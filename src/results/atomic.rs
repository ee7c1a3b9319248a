//! Files that appear whole or not at all.
//!
//! Models: write beside the target under a temporary name, flush to the disk, rename over the target.
//! The only file of this room that touches the file system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes `bytes` to `path`, creating its folder; an old file stays as it was until the new one is complete.
///
/// A symbolic link keeps pointing where it does; what is not a regular file (`/dev/stdout`, a pipe) is written
/// to directly.
///
/// # Errors
/// The error of the system with the path in its message and its kind kept; no temporary file is left then,
/// and an old file is unharmed.
pub fn write(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    write_with(path.as_ref(), |file| file.write_all(bytes))
}

/// The same for what is made while it is written: `fill` writes into the file.
///
/// # Errors
/// As [`write()`]; an error of `fill` too.
pub fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let with_path = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    // The temporary file must be on the file system of the file that a link points to.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&target) {
        Ok(old) if old.is_dir() => {
            Err(with_path(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder, not a file")))
        }
        Ok(old) if !old.is_file() => direct(&target, fill).map_err(with_path),
        Ok(old) => replace(&target, Some(old.permissions()), fill).map_err(with_path),
        Err(_) => replace(&target, None, fill).map_err(with_path),
    }
}

fn direct(target: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(target)?;
    fill(&mut file)?;
    file.flush()
}

fn replace(
    target: &Path,
    permissions: Option<fs::Permissions>,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    if target.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this names no file"));
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let (mut file, temporary) = temporary(folder)?;
    let outcome = fill(&mut file)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions)))
        // A full disk or quota may show only when the data really go out.
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, target));
    if outcome.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    outcome
}

/// A new file in `folder`, under a name that no other thread or process uses.
fn temporary(folder: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".ataraid-{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            // Left behind by a killed process that had the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_and_its_folder_come_into_being() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.csv");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(path.parent().unwrap()), ["c.csv"]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.csv");
        write(&path, b"old").unwrap();
        let error = write_with(&path, |file| {
            file.write_all(b"half of the ne")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        })
        .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("c.csv"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["c.csv"]);
    }

    #[test]
    fn folders_and_files_in_the_way_are_reported_with_their_path() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path(), b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        write(folder.path().join("file"), b"x").unwrap();
        let error = write(folder.path().join("file/below"), b"x").unwrap_err();
        assert!(error.to_string().contains("below"), "{error}");
        assert_eq!(names(folder.path()), ["file"]);
        assert!(write("", b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_keep_their_nature() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        write(&real, b"old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write("/dev/null", b"x").unwrap();
        if Path::new("/dev/full").exists() {
            assert_eq!(write("/dev/full", b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
