//! Writing HTML so that no text from outside can become markup.
//!
//! Tags and attribute names are texts of the program; everything else goes through [`escaped`]. Elements close
//! themselves, so a page is always balanced.

use std::fmt::Write as _;

use crate::results::{Cell, Table, markdown, plain};

/// Significant digits of figures in tables and tooltips.
const DIGITS: usize = 4;

/// A page that is being written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Html(String);

/// Attributes of an element: name and unescaped value.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Html {
    pub(super) fn into_text(self) -> String {
        self.0
    }

    /// Text that the program itself wrote as markup: a style sheet, a script, a drawing.
    pub(super) fn markup(&mut self, trusted: &str) {
        self.0.push_str(trusted);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.0.push_str(&escaped(text));
    }

    /// An element with what `inside` writes into it.
    pub(super) fn nest(&mut self, tag: &'static str, attributes: Attributes, inside: impl FnOnce(&mut Html)) {
        self.open(tag, attributes);
        inside(self);
        // Writing into a text cannot fail.
        let _ = write!(self.0, "</{tag}>");
        if !["a", "b", "code", "span", "abbr", "button", "summary"].contains(&tag) {
            self.0.push('\n');
        }
    }

    /// An element with a text.
    pub(super) fn element(&mut self, tag: &'static str, attributes: Attributes, text: &str) {
        self.nest(tag, attributes, |html| html.text(text));
    }

    /// An element that has no end.
    pub(super) fn void(&mut self, tag: &'static str, attributes: Attributes) {
        self.open(tag, attributes);
    }

    fn open(&mut self, tag: &str, attributes: Attributes) {
        let _ = write!(self.0, "<{tag}");
        for (name, value) in attributes {
            let _ = write!(self.0, " {name}=\"{}\"", escaped(value));
        }
        self.0.push('>');
    }

    /// A table that scrolls by itself where the page is too narrow for it.
    pub(super) fn table(&mut self, table: &Table) {
        let numeric = |column: usize| {
            let mut cells = table.rows.iter().map(|row| &row[column]).filter(|cell| **cell != Cell::Empty);
            cells.all(|cell| cell.number().is_some())
        };
        let classes: Vec<&str> =
            (0..table.columns.len()).map(|column| if numeric(column) { "number" } else { "" }).collect();
        self.nest("div", &[("class", "scroll"), ("tabindex", "0")], |html| {
            html.nest("table", &[], |html| {
                html.nest("thead", &[], |html| {
                    html.nest("tr", &[], |html| {
                        for (column, class) in table.columns.iter().zip(&classes) {
                            html.element("th", &[("scope", "col"), ("class", class)], &column.name);
                        }
                    });
                });
                html.nest("tbody", &[], |html| {
                    for row in &table.rows {
                        html.nest("tr", &[], |html| {
                            for (cell, class) in row.iter().zip(&classes) {
                                html.element("td", &[("class", class)], &shown(cell));
                            }
                        });
                    }
                });
            });
        });
    }
}

/// A cell as tables show it.
pub(super) fn shown(cell: &Cell) -> String {
    cell.number().map_or_else(|| cell.label(), figure)
}

/// A figure as tables show it.
pub(super) fn figure(value: f64) -> String {
    markdown::figure(value, DIGITS)
}

/// `text` as it may stand between tags and in a quoted attribute. Letters that HTML does not allow become blanks.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(letter),
            letter => out.push(plain::letter(letter)),
        }
    }
    out
}

/// `bytes` as an address that holds them; everything but letters, digits and a few signs is written as `%xx`.
pub(super) fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    let mut out = format!("data:{media_type},");
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-_.~,".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let nasty = "<script>&\"'\u{1}\u{ffff}";
        let mut html = Html::default();
        html.nest("p", &[("title", nasty)], |html| html.text(nasty));
        let safe = "&lt;script&gt;&amp;&quot;&#39;  ";
        assert_eq!(html.into_text(), format!("<p title=\"{safe}\">{safe}</p>\n"));
    }

    #[test]
    fn tables_round_figures_and_mark_their_columns() {
        let mut table = Table::new(&["array", "mib_s"]);
        table.push(vec![Cell::Text("<1d>".to_owned()), Cell::Real(39.123_456)]);
        table.push(vec![Cell::Text("none".to_owned()), Cell::Empty]);
        let mut html = Html::default();
        html.table(&table);
        let text = html.into_text();
        assert!(text.contains("<td class=\"\">&lt;1d&gt;</td>"), "{text}");
        assert!(text.contains("<td class=\"number\">39.12</td>"), "{text}");
        assert!(text.contains("<td class=\"number\"></td>"), "{text}");
    }

    #[test]
    fn a_data_address_gives_its_bytes_back() {
        assert_eq!(data_uri("text/csv", b"a,b\n\"#%\xff"), "data:text/csv,a,b%0A%22%23%25%FF");
    }
}
