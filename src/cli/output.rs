//! Where results go: text to stdout, files into a folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::{Ended, Failure};
use crate::config::Diagnostic;
use crate::plot::{Figure, points_table};
use crate::results::{Table, atomic, csv, plain};

/// Lines of a listing before it is cut short.
const LISTED: usize = 12;

/// Writes `text` to stdout, with a line end; what a terminal would obey becomes blanks.
///
/// # Errors
/// [`Failure::ReaderGone`] when the reader has closed the pipe, as `head` does; anything else, such as a full
/// disk, as bad input.
pub(super) fn say(text: &str) -> Ended {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = write!(out, "{}{end}", plain::lines(text)).and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Diagnostic::for_io("standard output", &error).into(),
    })
}

/// Writes a remark to stderr, as [`say`] does; that it may be lost is no failure.
pub(super) fn remark(text: &str) {
    drop(writeln!(io::stderr().lock(), "{}", plain::lines(text)));
}

/// The folder that one command fills.
pub(super) struct Folder {
    path: PathBuf,
    written: Vec<String>,
    /// How many of them were there before.
    replaced: usize,
}

impl Folder {
    /// Makes the folder and tries to write into it, so that no long run ends in an error.
    ///
    /// # Errors
    /// Bad input, with the path, if it cannot be made or written.
    pub fn prepare(path: &Path) -> Result<Self, Failure> {
        let fault = |error: &io::Error| match error.kind() {
            // Said of the last part of the path, which is a file.
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => Failure::input(
                format!("{}: this, or a part of it, is a file and not a folder", path.display()),
                "name another folder with --out",
            ),
            io::ErrorKind::NotFound => Failure::input(
                format!("{}: the folder cannot be made here", path.display()),
                "name another folder with --out",
            ),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Failure::input(
                format!("{}: the output folder cannot be written: {error}", path.display()),
                "make it writable or name another folder with --out",
            ),
            _ => Failure::io(path, error),
        };
        fs::create_dir_all(path).map_err(|error| fault(&error))?;
        let probe = path.join(format!(".ataraid-{}-probe.tmp", std::process::id()));
        let tried = fs::write(&probe, b"probe");
        // Even a failed write may have made the file.
        let removed = fs::remove_file(&probe);
        tried.and(removed).map_err(|error| fault(&error))?;
        Ok(Folder { path: path.to_owned(), written: Vec::new(), replaced: 0 })
    }

    /// Writes one file, whole or not at all.
    ///
    /// # Errors
    /// Bad input, with the path, if the system refuses; a full disk for example.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Ended {
        let path = self.path.join(name);
        let is_there = path.exists();
        atomic::write(&path, bytes).map_err(|error| match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Failure::io(&path, &error),
            _ => Failure::input(error, "free the path or name another folder with --out"),
        })?;
        self.wrote(name, is_there);
        Ok(())
    }

    fn wrote(&mut self, name: &str, is_there: bool) {
        // A file that one run writes twice replaces nothing of an earlier one.
        self.replaced += usize::from(is_there && !self.written.iter().any(|known| known == name));
        self.written.push(name.to_owned());
    }

    /// Writes one file while `fill` makes what is in it; whole or, if `fill` fails, not at all.
    ///
    /// # Errors
    /// What `fill` fails with; otherwise as [`write`](Self::write).
    pub fn stream<T>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut File) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let path = self.path.join(name);
        let is_there = path.exists();
        let mut filled = None;
        let written = atomic::write_with(&path, |file| match filled.insert(fill(file)) {
            Ok(_) => Ok(()),
            // Only tells that the file is not to be kept.
            Err(_) => Err(io::Error::other("not finished")),
        });
        match (filled, written) {
            (Some(Ok(value)), Ok(())) => {
                self.wrote(name, is_there);
                Ok(value)
            }
            (Some(Err(failure)), _) => Err(failure),
            (_, Err(error)) => Err(Failure::input(error, "free the path or name another folder with --out")),
            (None, Ok(())) => Err(Failure::Internal(format!("{name} was written without content"))),
        }
    }

    /// Writes a text for readers, as [`say`] prints it.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn text(&mut self, name: &str, text: &str) -> Ended {
        self.write(name, plain::lines(text).as_bytes())
    }

    /// Writes a table as CSV.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn table(&mut self, stem: &str, table: &Table) -> Ended {
        self.write(&format!("{stem}.csv"), &csv::to_bytes(table))
    }

    /// Writes a figure as PNG (2 pixels a point), SVG and the CSV of its points.
    ///
    /// # Errors
    /// As [`write`](Self::write); an internal fault if the figure cannot be drawn.
    pub fn figure(&mut self, stem: &str, figure: &Figure) -> Ended {
        self.pictures(stem, figure)?;
        self.table(stem, &points_table(figure))
    }

    #[cfg(feature = "plot")]
    fn pictures(&mut self, stem: &str, figure: &Figure) -> Ended {
        use crate::plot::{PlotError, Size, render_png_tagged, render_svg};
        let fault = |error: PlotError| Failure::Internal(format!("{stem}: {error}"));
        let size = Size::default().high_enough(figure).map_err(fault)?;
        let svg = render_svg(figure, size).map_err(fault)?;
        let mut texts = vec![("Title", figure.title.as_str())];
        if !figure.caption.is_empty() {
            texts.push(("Description", figure.caption.as_str()));
        }
        let png = render_png_tagged(&svg, 2.0, &texts).map_err(fault)?;
        self.write(&format!("{stem}.png"), &png)?;
        self.write(&format!("{stem}.svg"), svg.as_bytes())
    }

    /// Without the feature `plot` only the points are written.
    #[cfg(not(feature = "plot"))]
    fn pictures(&mut self, _: &str, _: &Figure) -> Ended {
        Ok(())
    }

    /// Removes those of `names` that are in the folder and were not written now: files of an earlier run, which would pass
    /// for this one's.
    ///
    /// # Errors
    /// Bad input, with the path, if one cannot be removed.
    pub fn remove_others(&self, names: impl IntoIterator<Item = String>) -> Ended {
        for name in names.into_iter().filter(|name| !self.written.contains(name)) {
            let path = self.path.join(&name);
            match fs::remove_file(&path) {
                Ok(()) => remark(&format!("removed {}: it was of an earlier run", path.display())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let message =
                        format!("{}: a file of an earlier run cannot be removed: {error}", path.display());
                    return Err(Failure::input(message, "remove it, or name another folder with --out"));
                }
            }
        }
        Ok(())
    }

    /// The names of the files that [`figure`](Self::figure) writes.
    pub fn figure_files(stem: &str) -> [String; 3] {
        ["png", "svg", "csv"].map(|ending| format!("{stem}.{ending}"))
    }

    /// Refuses to go on if writing one of `names` would replace an `input`.
    ///
    /// # Errors
    /// Bad input, with the path of the file.
    pub fn spares(&self, names: &[String], inputs: &[&Path]) -> Result<(), Failure> {
        for input in inputs.iter().filter_map(|input| input.canonicalize().ok()) {
            let same = |name: &&String| self.path.join(name).canonicalize().is_ok_and(|path| path == input);
            if let Some(name) = names.iter().find(same) {
                return Err(Failure::input(
                    format!("{}: this file is read, and would be replaced", self.path.join(name).display()),
                    "name another folder with --out, or give the file another name",
                ));
            }
        }
        Ok(())
    }

    /// What was written, in a few lines for a person.
    pub fn listing(&self) -> String {
        let replaced = match self.replaced {
            0 => String::new(),
            1 => " (1 file of an earlier run replaced)".to_owned(),
            count => format!(" ({count} files of an earlier run replaced)"),
        };
        let mut text = format!("wrote to {}{replaced}:", self.path.display());
        let stem = |name: &str| name.rsplit_once('.').map_or(name.to_owned(), |(stem, _)| stem.to_owned());
        let mut stems: Vec<(String, Vec<&str>)> = Vec::new();
        for name in &self.written {
            let extension = &name[stem(name).len()..];
            match stems.iter_mut().find(|(known, _)| *known == stem(name)) {
                Some((_, extensions)) => extensions.push(extension),
                None => stems.push((stem(name), vec![extension])),
            }
        }
        for (stem, extensions) in stems.iter().take(LISTED) {
            text += &format!("\n  {stem}{}", extensions.join(" "));
        }
        let more: usize = stems.iter().skip(LISTED).map(|(_, extensions)| extensions.len()).sum();
        if more > 0 {
            text += &format!("\n  and {more} more files");
        }
        text
    }
}

/// `name` as a single component of a path: odd characters become hyphens.
pub(super) fn safe_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_single_path_components() {
        assert_eq!(safe_name("../a b/c"), "a-b-c");
        assert_eq!(safe_name("IBM DTLA-307030"), "IBM-DTLA-307030");
        assert_eq!(safe_name("/"), "unnamed");
    }

    #[test]
    fn a_prepared_folder_is_empty_and_lists_what_it_gets() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("a/b");
        let mut folder = Folder::prepare(&path).unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        folder.write("x.csv", b"1").unwrap();
        folder.write("x.png", b"1").unwrap();
        folder.write("y.txt", b"1").unwrap();
        let expected = format!("wrote to {}:\n  x.csv .png\n  y.txt", path.display());
        assert_eq!(folder.listing(), expected);
        let mut again = Folder::prepare(&path).unwrap();
        again.write("x.csv", b"2").unwrap();
        again.write("z.csv", b"2").unwrap();
        assert!(again.listing().contains(" (1 file of an earlier run replaced):"), "{}", again.listing());
    }

    #[test]
    fn files_of_an_earlier_run_go_and_others_stay() {
        let outer = tempfile::tempdir().unwrap();
        for name in ["old.csv", "new.csv", "mine.csv"] {
            fs::write(outer.path().join(name), "").unwrap();
        }
        let mut folder = Folder::prepare(outer.path()).unwrap();
        folder.write("new.csv", b"1").unwrap();
        folder.remove_others(["old.csv", "new.csv", "never.csv"].map(str::to_owned)).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(outer.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["mine.csv", "new.csv"]);
        fs::create_dir(outer.path().join("folder")).unwrap();
        assert!(folder.remove_others(["folder".to_owned()]).is_err());
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let outer = tempfile::tempdir().unwrap();
        let file = outer.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            let Err(Failure::Input(text)) = Folder::prepare(&path) else { panic!("a file is no folder") };
            assert!(text.contains("is a file and not a folder") && text.contains("--out"), "{text}");
        }
    }
}
