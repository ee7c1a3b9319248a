//! Standard output that goes away, and folders that cannot be written.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::place::{Place, has};

fn program() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("ataraid"))
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = program().arg("list").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_full_disk_behind_stdout_is_reported() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output = program().arg("list").stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    has(&String::from_utf8_lossy(&output.stderr), &["standard output: error: no space left"]);
}

#[test]
fn output_folders_that_cannot_be_made_are_refused_at_once() {
    let place = Place::new();
    place.file("taken", "a file");
    for out in ["taken", "taken/below"] {
        let text = place.bad(&["drive", "plot", "wd-740gd", "--out", out]);
        has(&text, &[out, "a file and not a folder", "--out"]);
    }
    if Path::new("/proc/self").exists() {
        let text = place.bad(&["drive", "plot", "wd-740gd", "--out", "/proc/ataraid"]);
        has(&text, &["/proc/ataraid", "--out"]);
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_output_folder_is_refused_at_once() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let folder = place.path("shut");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser writes everywhere; then there is nothing to see.
    if fs::write(folder.join("probe"), "").is_err() {
        let text = place.bad(&["drive", "plot", "wd-740gd", "--out", "shut"]);
        has(&text, &["shut", "cannot be written", "--out"]);
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
}
