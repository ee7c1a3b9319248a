//! A part of a report: a heading, paragraphs, figures, tables.

use super::drawing::Drawing;
use super::html::Html;
use crate::plot::{Figure, PlotError};
use crate::results::Table;

/// A part of a report, as the rest of the program hands it in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// Paragraphs of plain text under it.
    pub paragraphs: Vec<String>,
    /// Figures, each with the name of its files without ending; names are unique in a report.
    pub figures: Vec<(String, Figure)>,
    /// Tables, each with its heading.
    pub tables: Vec<(String, Table)>,
}

/// A section whose figures are drawn.
pub(super) struct Drawn<'a> {
    section: &'a Section,
    drawings: Vec<Drawing<'a>>,
}

impl Section {
    /// Draws the figures.
    ///
    /// # Errors
    /// A figure that cannot be drawn.
    pub(super) fn drawn(&self) -> Result<Drawn<'_>, PlotError> {
        let drawings = self.figures.iter().map(|(stem, figure)| Drawing::new(stem, figure));
        Ok(Drawn { section: self, drawings: drawings.collect::<Result<_, _>>()? })
    }
}

impl Drawn<'_> {
    pub(super) fn title(&self) -> &str {
        &self.section.title
    }

    /// Writes the section under the name `id`.
    pub(super) fn write(&self, id: &str, html: &mut Html) {
        html.nest("section", &[("id", id)], |html| {
            html.element("h2", &[], &self.section.title);
            for paragraph in &self.section.paragraphs {
                html.element("p", &[], paragraph);
            }
            html.nest("div", &[("class", "figures")], |html| {
                for drawing in &self.drawings {
                    drawing.write(html);
                }
            });
            for (title, table) in &self.section.tables {
                html.element("h3", &[], title);
                html.table(table);
            }
        });
    }
}
