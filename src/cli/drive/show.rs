//! `drive show`: every figure of a drive model with its source.

use super::Choice;
use crate::cli::failure::Ended;
use crate::cli::output::say;
use crate::cli::table::{self, Format, wrapped};
use crate::drive::spec::SegmentSpec;
use crate::drive::summary::annotated;
use crate::drive::{DriveSpec, InterfaceSpec};
use crate::results::{Cell, Table};
use crate::scenario::Library;
use crate::units::SECTOR_BYTES;

const EXAMPLES: &str = "\
Examples:
  ataraid drive show maxtor-6l080j4
  ataraid drive show my-drive.ron --format csv

Kinds of sources:
  datasheet   printed by the maker
  measured    on the hardware, by somebody
  described   stated by somebody's description for another program, such as
              DiskSim's parameter files
  derived     computed from other sourced figures
  fitted      adjusted until a published result came out
  assumed     likely, without a source";

/// Print every figure of a drive model with its unit, its value and where it comes from
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Form of the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let (spec, file) = args.choice.spec(library)?;
    let changed: Vec<&str> = args.choice.settings.iter().map(|setting| setting.path.as_str()).collect();
    let is_scsi = matches!(spec.interface, InterfaceSpec::Scsi(_));
    let mut fields = Vec::new();
    for (path, value, source) in annotated(&spec) {
        let set = changed.iter().any(|&field| covers(field, &path));
        let unused = is_scsi && UNUSED.iter().any(|&field| covers(field, &path));
        let (kind, text) = match (unused, set) {
            (true, _) => ("not used", UNUSED_BECAUSE),
            (false, true) => ("set", "--set on the command line"),
            (false, false) => (source.kind(), source.text()),
        };
        fields.push([path, value, kind.to_owned(), text.to_owned()]);
    }
    if args.format == Format::Text {
        // What a front end of its own makes of them stands below the name.
        fields.retain(|[_, _, kind, _]| kind != "not used");
        return say(&format!("{}  ({file})\n{}\n{}", spec.name, front_end(&spec), page(&fields)));
    }
    let mut table = Table::new(&["field", "value", "kind", "source"]);
    for field in fields {
        table.push(field.map(Cell::Text).to_vec());
    }
    say(&table::show(&table, args.format)?)
}

/// Fields that a drive on a SCSI-like bus has in its interface instead.
const UNUSED: [&str; 5] = ["buffer", "write_cache", "queue", "buffer_rate_mb_s", "overhead.completion_ms"];
const UNUSED_BECAUSE: &str = "a drive on a SCSI-like bus has these figures in `interface`";

/// All segments of a buffer, in KiB.
pub(super) fn segments_kib(segments: &SegmentSpec) -> f64 {
    f64::from(segments.count) * f64::from(segments.blocks) * SECTOR_BYTES as f64 / 1024.0
}

/// What a drive on a SCSI-like bus is, and the size of its buffer; nothing of others.
fn front_end(spec: &DriveSpec) -> String {
    let InterfaceSpec::Scsi(scsi) = spec.interface else { return String::new() };
    let SegmentSpec { count, blocks, .. } = scsi.segments;
    let (each, all) = (f64::from(blocks) * SECTOR_BYTES as f64 / 1024.0, segments_kib(&scsi.segments));
    let segments = if count == 1 { "segment" } else { "segments" };
    format!(
        "SCSI: `ataraid replay` runs it; no card of a scenario takes it. Buffer: {count} {segments} of {each} KiB, {all} KiB \
         in all\n(interface.segments); {} are not used.\n",
        UNUSED.join(", ")
    )
}

/// True if `field` is `path` or encloses it; a `*` stands for anything.
fn covers(field: &str, path: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let parts = path.split(['.', '[', ']']).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let (field, path) = (parts(field), parts(path));
    field.iter().zip(&path).all(|(a, b)| a == b || a == "*")
}

/// The figures, each with the number of its source, and the sources below them.
fn page(fields: &[[String; 4]]) -> String {
    let mut sources: Vec<&str> = Vec::new();
    let mut table = Table::new(&["field", "value", "source", ""]);
    for [path, value, kind, source] in fields {
        let place = sources.iter().position(|known| known == source).unwrap_or_else(|| {
            sources.push(source);
            sources.len() - 1
        });
        let cells = [path.clone(), value.clone(), kind.clone(), format!("[{}]", place + 1)];
        table.push(cells.map(Cell::Text).to_vec());
    }
    let mut text = table::aligned(&table);
    text += "\nsources\n";
    for (index, source) in sources.iter().enumerate() {
        text += &wrapped(source, &format!("{:>4}  ", format!("[{}]", index + 1)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_printed_once() {
        let field = |path: &str, source: &str| [path, "1", "assumed", source].map(str::to_owned);
        let text = page(&[field("a", "guess"), field("bb", "book"), field("c", "guess")]);
        let expected = "\
field  value  source
a      1      assumed  [1]
bb     1      assumed  [2]
c      1      assumed  [1]

sources
 [1]  guess
 [2]  book
";
        assert_eq!(text, expected);
    }

    #[test]
    fn settings_cover_what_lies_below_them() {
        assert!(covers("seek", "seek.average_ms") && covers("zones.*.spt", "zones[3]"));
        assert!(!covers("seek.average_ms", "seek.full_ms"));
    }
}
