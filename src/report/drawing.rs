//! A figure on a page: drawn for wide and for narrow screens, with its values to point at and to take away.

#[cfg(feature = "plot")]
use super::html::escaped;
use super::html::{Html, data_uri, figure as rounded};
use crate::plot::{Figure, PlotError, Point, Series, points_table};
use crate::results::{Cell, Table, csv};

/// A figure with its pictures.
pub(super) struct Drawing<'a> {
    stem: &'a str,
    figure: &'a Figure,
    pictures: Vec<String>,
}

impl<'a> Drawing<'a> {
    /// Draws `figure`; without the feature `plot` it has no picture, only its values.
    ///
    /// # Errors
    /// A figure that cannot be drawn.
    pub(super) fn new(stem: &'a str, figure: &'a Figure) -> Result<Self, PlotError> {
        Ok(Drawing { stem, figure, pictures: pictures(figure)? })
    }

    pub(super) fn write(&self, html: &mut Html) {
        let id = anchor(self.stem);
        html.nest("figure", &[("id", &id)], |html| {
            let label = format!("Chart: {}. {}", self.figure.title, self.figure.subtitle);
            html.nest("div", &[("class", "plot"), ("data-label", label.trim_end())], |html| {
                self.pictures.iter().for_each(|picture| html.markup(picture));
            });
            html.nest("figcaption", &[], |html| {
                html.nest("details", &[], |html| {
                    html.element("summary", &[], "Values");
                    html.table(&values(self.figure));
                });
                let file = format!("{}.csv", self.stem);
                let points = csv::to_bytes(&points_table(self.figure));
                let address = data_uri("text/csv;charset=utf-8", &points);
                html.element("a", &[("href", &address), ("download", &file)], &file);
            });
        });
    }
}

/// The name of a figure's place on the page.
pub(super) fn anchor(stem: &str) -> String {
    format!("figure-{stem}")
}

/// The values for reading: over steps a row a step and a column a series, else as the points come.
fn values(figure: &Figure) -> Table {
    let Some(steps) = figure.x.steps() else { return points_table(figure) };
    let mut names = vec![figure.x.label.as_str()];
    names.extend(figure.series.iter().map(|series| series.label.as_str()));
    let mut table = Table::new(&names);
    for (index, step) in steps.iter().enumerate() {
        let cell = |series: &Series| {
            let found = series.points.iter().find(|point| point.x == index as f64);
            found.map_or(Cell::Empty, |point| match point.error {
                Some(_) => Cell::Text(value(point)),
                None => Cell::Real(point.y),
            })
        };
        table.push(std::iter::once(Cell::Text(step.clone())).chain(figure.series.iter().map(cell)).collect());
    }
    table
}

/// `123.4 ± 1.2`.
fn value(point: &Point) -> String {
    let error = point
        .error
        .map_or(String::new(), |error| format!(" ± {}", crate::results::markdown::figure(error, 2)));
    format!("{}{error}", rounded(point.y))
}

/// What is said of a point: its series, its place, its value, a line each.
#[cfg(any(feature = "plot", test))]
fn said(figure: &Figure, series: &Series, point: &Point) -> String {
    let axis = match series.side {
        crate::plot::Side::Right => figure.right.as_ref().unwrap_or(&figure.y),
        crate::plot::Side::Left => &figure.y,
    };
    let step = figure.x.steps().and_then(|steps| steps.get(point.x as usize));
    let x = step.map_or_else(|| rounded(point.x), Clone::clone);
    format!("{}\n{}: {x}\n{}: {}", series.label, figure.x.label, axis.label, value(point))
}

#[cfg(not(feature = "plot"))]
fn pictures(_: &Figure) -> Result<Vec<String>, PlotError> {
    Ok(Vec::new())
}

#[cfg(feature = "plot")]
fn pictures(figure: &Figure) -> Result<Vec<String>, PlotError> {
    use crate::plot::Size;
    /// A phone held upright: letters stay as large as the text around.
    const NARROW: Size = Size { width: 520, height: 440 };
    Ok(vec![picture(figure, Size::default(), "wide")?, picture(figure, NARROW, "narrow")?])
}

/// An inline picture: the drawing with a transparent sheet over it that holds a box a point.
#[cfg(feature = "plot")]
fn picture(figure: &Figure, size: crate::plot::Size, class: &str) -> Result<String, PlotError> {
    use std::fmt::Write as _;
    let size = size.high_enough(figure)?;
    let svg = slim(&crate::plot::render_svg(figure, size)?);
    let (Some(body), Some(end)) = (svg.strip_prefix("<svg "), svg.rfind("</svg>")) else {
        return Err(PlotError::Drawing("the drawing is no single SVG element".to_owned()));
    };
    let body = &body[..end - "<svg ".len()];
    let label = escaped(&format!("{} {}", figure.title, figure.subtitle));
    let mut out = format!("<svg class=\"{class}\" role=\"img\" aria-label=\"{}\" {body}", label.trim_end());
    // Writing into a text cannot fail.
    let _ = write!(out, "<svg class=\"spots\" viewBox=\"0 0 {} {}\" fill=\"none\">", size.width, size.height);
    for spot in crate::plot::spots(figure, size)? {
        let series = &figure.series[spot.series];
        let said = escaped(&said(figure, series, &series.points[spot.point]));
        let (width, height) = (spot.to.0 - spot.from.0, spot.to.1 - spot.from.1);
        let _ = write!(
            out,
            "<rect data-series=\"{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
             <title>{said}</title></rect>",
            spot.series, spot.from.0, spot.from.1
        );
    }
    out += "</svg></svg>\n";
    Ok(out)
}

/// The drawing without attributes that say what holds anyway, and without the font, which the page's style names.
#[cfg(feature = "plot")]
fn slim(svg: &str) -> String {
    const DROPPED: [&str; 3] = [
        " opacity=\"1\"",
        " stroke=\"none\"",
        " font-family=\"DejaVu Sans, Bitstream Vera Sans, Verdana, sans-serif\"",
    ];
    let mut out = String::with_capacity(svg.len());
    for piece in svg.split_inclusive('>') {
        // What stands before the tag is text, which stays as it is.
        let (text, tag) = piece.find('<').map_or((piece, ""), |at| piece.split_at(at));
        out.push_str(text.trim_matches('\n'));
        let mut tag = DROPPED.iter().fold(tag.to_owned(), |tag, dropped| tag.replace(dropped, ""));
        tag = tag.replace(" \"/>", "\"/>");
        out.push_str(&tag);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Kind, theme};

    pub(super) fn figure() -> Figure {
        let style = theme::styles(&["a"])[0];
        let points = vec![Point { x: 0.0, y: 10.0, error: Some(0.5) }, Point::new(1.0, 5.0)];
        Figure {
            title: "</svg><script>&\"'".to_owned(),
            subtitle: String::new(),
            caption: String::new(),
            kind: Kind::Curves,
            x: Axis::categories("queue_depth", "in flight", ["1", "<2>"]),
            y: Axis::linear("iops", "I/O a second", true),
            right: None,
            series: vec![Series::line("a & b", style, points)],
            ceilings: Vec::new(),
        }
    }

    #[test]
    fn a_drawing_has_a_box_a_point_and_nothing_that_a_title_could_start() {
        let figure = figure();
        let mut html = Html::default();
        Drawing::new("mix", &figure).unwrap().write(&mut html);
        let text = html.into_text();
        assert!(!text.contains("<script"), "{text}");
        assert_eq!(text.matches("<svg").count(), text.matches("</svg>").count());
        assert!(text.contains("<td class=\"\">&lt;2&gt;</td>"), "{text}");
        if cfg!(feature = "plot") {
            // Two pictures of two points.
            assert_eq!(text.matches("<rect data-series").count(), 4);
            assert!(
                text.contains("<title>a &amp; b\nin flight: 1\nI/O a second: 10 ± 0.5</title>"),
                "{text}"
            );
            assert!(text.contains("download=\"mix.csv\""));
        }
    }

    #[cfg(feature = "plot")]
    #[test]
    fn slimming_changes_tags_and_no_words() {
        let svg = "<svg a=\"1\" opacity=\"1\">\n<text opacity=\"1\">\nx opacity=\"1\"\n</text></svg>\n";
        assert_eq!(slim(svg), "<svg a=\"1\"><text>x opacity=\"1\"</text></svg>");
    }
}
