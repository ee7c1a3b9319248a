//! `drive show`: every figure of a drive model with its source.

use super::Choice;
use crate::cli::failure::Ended;
use crate::cli::output::say;
use crate::cli::table::{self, Format, wrapped};
use crate::drive::summary::annotated;
use crate::results::{Cell, Table};
use crate::scenario::Library;

const EXAMPLES: &str = "\
Examples:
  ataraid drive show maxtor-6l080j4
  ataraid drive show my-drive.ron --format csv

Kinds of sources:
  datasheet   printed by the maker
  measured    on the hardware, by somebody
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
    let mut fields = Vec::new();
    for (path, value, source) in annotated(&spec) {
        let set = changed.iter().any(|&field| covers(field, &path));
        let (kind, text) =
            if set { ("set", "--set on the command line") } else { (source.kind(), source.text()) };
        fields.push([path, value, kind.to_owned(), text.to_owned()]);
    }
    if args.format == Format::Text {
        return say(&format!("{}  ({file})\n\n{}", spec.name, page(&fields)));
    }
    let mut table = Table::new(&["field", "value", "kind", "source"]);
    for field in fields {
        table.push(field.map(Cell::Text).to_vec());
    }
    say(&table::show(&table, args.format)?)
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
