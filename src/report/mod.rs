//! The report of a reproduction as one page that needs no other file: HTML with its style, script and drawings inside.
//!
//! Models: a [`Page`] of results, verdicts and further [`Section`]s, turned into text by [`Page::html`], a pure
//! function. Without a script every word and figure can be read; the script adds sorting, filters, and values at the
//! points of a figure by mouse, touch and keyboard.
//! Leaves out: files; callers write the text.
//! Invariants: no text of a scenario, claim or model can become markup; nothing is loaded from anywhere; equal results
//! give equal bytes, so there is no time of day and no run time in it.

mod claims;
mod drawing;
mod html;
mod models;
mod runs;
mod section;
mod summary;

#[cfg(test)]
mod tests;

use crate::experiment::claims::Report;
use crate::experiment::{ReproductionResults, Results, try_figures};
use crate::plot::PlotError;
use crate::results::Table;
use html::Html;
pub use section::Section;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
/// Nothing from elsewhere, whatever a page may hold.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// Everything that a report is made from.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// What was run.
    pub results: &'a ReproductionResults,
    /// The verdicts on its claims.
    pub claims: &'a Report,
    /// The command line that gives this page again.
    pub command: &'a str,
    /// What to keep in mind when reading, such as that runs were short.
    pub notes: &'a [String],
    /// Further parts, shown behind the summary in this order.
    pub extra: &'a [Section],
    /// Whether the figures of the scenarios are shown.
    pub figures: bool,
}

impl Page<'_> {
    /// The page as text.
    ///
    /// # Errors
    /// A figure of a section that cannot be drawn. Figures of the scenarios that cannot are left out, as elsewhere.
    pub fn html(&self) -> Result<String, PlotError> {
        let figures: Vec<Section> = if self.figures {
            self.results.results.iter().filter_map(of_scenario).collect()
        } else {
            Vec::new()
        };
        let shown = self.extra.iter().chain(&figures).flat_map(|section| &section.figures);
        let shown: Vec<&str> = shown.map(|(stem, _)| stem.as_str()).collect();
        let extra = self.extra.iter().map(Section::drawn).collect::<Result<Vec<_>, _>>()?;
        let figures = figures.iter().map(Section::drawn).collect::<Result<Vec<_>, _>>()?;
        let tables = tables(self.results.tables());
        let tables = tables.drawn()?;
        let id = |kind: &str, index: usize| format!("{kind}-{}", index + 1);
        let mut links: Vec<(String, &str)> = vec![("summary".to_owned(), "Summary")];
        links.extend(extra.iter().enumerate().map(|(index, part)| (id("extra", index), part.title())));
        links.extend(figures.iter().enumerate().map(|(index, part)| (id("part", index), part.title())));
        let fixed = [
            ("tables", "Tables"),
            ("claims", "All claims"),
            ("fitted", "Fitted parameters"),
            ("models", "Models"),
            ("runs", "What was run"),
        ];
        links.extend(fixed.map(|(name, title)| (name.to_owned(), title)));
        let mut html = Html::default();
        html.markup("<!DOCTYPE html>\n");
        html.nest("html", &[("lang", "en")], |html| {
            self.head(html);
            html.nest("body", &[], |html| {
                self.header(&links, html);
                html.nest("main", &[], |html| {
                    summary::write(self, &shown, html);
                    extra.iter().enumerate().for_each(|(index, part)| part.write(&id("extra", index), html));
                    figures.iter().enumerate().for_each(|(index, part)| part.write(&id("part", index), html));
                    tables.write("tables", html);
                    self.claims(html);
                    models::write_fitted(&self.results.results, self.claims, html);
                    models::write(&self.results.results, html);
                    runs::write(self, html);
                });
                html.nest("script", &[], |html| html.markup(SCRIPT));
            });
        });
        Ok(html.into_text())
    }

    fn head(&self, html: &mut Html) {
        html.nest("head", &[], |html| {
            html.void("meta", &[("charset", "utf-8")]);
            html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
            html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            let version = concat!("ataraid ", env!("CARGO_PKG_VERSION"));
            html.void("meta", &[("name", "generator"), ("content", version)]);
            html.element("title", &[], &format!("{}: report", self.results.spec.title));
            html.nest("style", &[], |html| html.markup(STYLE));
        });
    }

    fn header(&self, links: &[(String, &str)], html: &mut Html) {
        html.nest("header", &[], |html| {
            html.element("h1", &[], &self.results.spec.title);
            html.element(
                "p",
                &[],
                "What a simulation of the reviewed hardware gives, claim by claim of the review.",
            );
            if !self.notes.is_empty() {
                html.nest("ul", &[("class", "notes")], |html| {
                    self.notes.iter().for_each(|note| html.element("li", &[], note));
                });
            }
            html.nest("nav", &[("aria-label", "Parts of this report")], |html| {
                for (name, title) in links {
                    html.element("a", &[("href", &format!("#{name}"))], title);
                    html.text(" ");
                }
            });
        });
    }

    fn claims(&self, html: &mut Html) {
        html.nest("section", &[("id", "claims")], |html| {
            html.element("h2", &[], "All claims");
            let text = "Each statement of the review in our words, the condition it stands for, what was measured (in \
                        brackets: 95 % intervals over the runs of a point, where there are several), and the mechanism \
                        of the models that produces it.";
            html.element("p", &[], text);
            claims::table(self.claims, html);
        });
    }
}

/// The figures of a scenario; nothing if it has none.
fn of_scenario(results: &Results) -> Option<Section> {
    let figures: Vec<_> = try_figures(results)
        .into_iter()
        .filter_map(|(plot, figure)| Some((plot.file, figure.ok()?)))
        .collect();
    let title = results.scenario.title.clone();
    (!figures.is_empty()).then_some(Section { title, figures, ..Section::default() })
}

fn tables(tables: Vec<(String, Table)>) -> Section {
    Section { title: "Tables".to_owned(), tables, ..Section::default() }
}
