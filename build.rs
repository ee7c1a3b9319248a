//! Embeds every file under `models/` and `scenarios/`, so that a new one needs no Rust.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let mut files = Vec::new();
    for folder in ["models", "scenarios"] {
        println!("cargo:rerun-if-changed={folder}");
        collect(&root.join(folder), &mut files)?;
    }
    files.sort();
    let mut code =
        String::from("/// Path from the package's root and text of every shipped file, by path.\n");
    code += "pub(super) const FILES: &[(&str, &str)] = &[\n";
    for file in files {
        let relative = file.strip_prefix(&root).map_err(io::Error::other)?;
        let name = relative.to_string_lossy().replace('\\', "/");
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", file.to_string_lossy());
    }
    code += "];\n";
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("shipped.rs"), code)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "ron") {
            files.push(path);
        }
    }
    Ok(())
}
