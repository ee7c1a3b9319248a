//! Drawing primitives in pixels over plotters' SVG backend.
//!
//! The backend takes whole coordinates and knows neither dashes nor the exact place of a base line. So it
//! draws on a sheet of [`GRAIN`] times the size, which the SVG's `viewBox` scales back; dashes are cut here;
//! and text is placed by its base line.

use plotters::backend::SVGBackend;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle,
};

use super::text::Font;
use crate::plot::error::PlotError;
use crate::results::plain;

/// Units of the backend's sheet per pixel.
const GRAIN: f64 = 10.0;
/// Fonts a viewer may use: the one the layout is made for, then those of the nearest widths.
const FAMILIES: &str = "DejaVu Sans, Bitstream Vera Sans, Verdana, sans-serif";
/// The backend divides font sizes by this number.
const BACKEND_FONT_DIVISOR: f64 = 1.24;
/// The backend puts the base line of top-anchored text this many em under the anchor.
const BACKEND_TOP_EM: f64 = 0.76;

/// A place in pixels from the upper left corner.
pub(super) type Place = (f64, f64);
/// Red, green, blue.
pub(super) type Colour = [u8; 3];

/// Where a text's place is along its base line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Direction of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// From left to right.
    None,
    /// From bottom to top.
    Left,
}

/// A pen: colour and opacity, width in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) colour: Colour,
    pub(super) opacity: f64,
    pub(super) width: f64,
}

/// An opaque pen.
pub(super) fn pen(colour: Colour, width: f64) -> Pen {
    Pen { colour, opacity: 1.0, width }
}

/// A sheet to draw on.
pub(super) struct Canvas<'a> {
    backend: SVGBackend<'a>,
}

fn units(pixels: f64) -> i32 {
    (pixels * GRAIN).round() as i32
}

fn at(place: Place) -> (i32, i32) {
    (units(place.0), units(place.1))
}

fn failed<E: std::fmt::Display>(error: E) -> PlotError {
    PlotError::Drawing(error.to_string())
}

impl Pen {
    fn stroke(self) -> ShapeStyle {
        let [red, green, blue] = self.colour;
        let color = RGBColor(red, green, blue).mix(self.opacity);
        ShapeStyle { color, filled: false, stroke_width: units(self.width).max(1) as u32 }
    }
    fn fill(self) -> ShapeStyle {
        ShapeStyle { filled: true, ..self.stroke() }
    }
}

/// The SVG text that `draw` puts on a sheet of `width` by `height` pixels.
pub(super) fn on_canvas(
    width: u32,
    height: u32,
    draw: impl FnOnce(&mut Canvas) -> Result<(), PlotError>,
) -> Result<String, PlotError> {
    let mut svg = String::new();
    let sheet = (units(f64::from(width)) as u32, units(f64::from(height)) as u32);
    let mut canvas = Canvas { backend: SVGBackend::with_string(&mut svg, sheet) };
    canvas.rect((0.0, 0.0), (f64::from(width), f64::from(height)), pen([255, 255, 255], 0.0))?;
    draw(&mut canvas)?;
    canvas.backend.present().map_err(failed)?;
    drop(canvas);
    let (_, body) = svg.split_once('>').ok_or_else(|| failed("the backend wrote no root element"))?;
    // Round joins keep sharp bends of a line from growing spikes.
    Ok(format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" \
         xmlns=\"http://www.w3.org/2000/svg\" stroke-linejoin=\"round\">{body}",
        sheet.0, sheet.1
    ))
}

impl Canvas<'_> {
    /// A line through `places`.
    pub(super) fn line(&mut self, places: &[Place], pen: Pen) -> Result<(), PlotError> {
        if places.len() < 2 {
            return Ok(());
        }
        self.backend.draw_path(places.iter().map(|&place| at(place)), &pen.stroke()).map_err(failed)
    }

    /// A line through `places` in dashes of `dash` pixels with gaps of `gap`, running on round corners.
    pub(super) fn dashes(
        &mut self,
        places: &[Place],
        pen: Pen,
        dash: f64,
        gap: f64,
    ) -> Result<(), PlotError> {
        for run in cut_dashes(places, dash, gap) {
            self.line(&run, pen)?;
        }
        Ok(())
    }

    /// A filled rectangle between two corners.
    pub(super) fn rect(&mut self, from: Place, to: Place, pen: Pen) -> Result<(), PlotError> {
        let corners = ((from.0.min(to.0), from.1.min(to.1)), (from.0.max(to.0), from.1.max(to.1)));
        self.backend.draw_rect(at(corners.0), at(corners.1), &pen.fill(), true).map_err(failed)
    }

    /// A filled polygon.
    pub(super) fn polygon(&mut self, places: &[Place], pen: Pen) -> Result<(), PlotError> {
        self.backend.fill_polygon(places.iter().map(|&place| at(place)), &pen.fill()).map_err(failed)
    }

    /// A filled disc.
    pub(super) fn disc(&mut self, centre: Place, radius: f64, pen: Pen) -> Result<(), PlotError> {
        self.backend.draw_circle(at(centre), units(radius).max(1) as u32, &pen.fill(), true).map_err(failed)
    }

    /// A circle's outline.
    pub(super) fn circle(&mut self, centre: Place, radius: f64, pen: Pen) -> Result<(), PlotError> {
        self.backend
            .draw_circle(at(centre), units(radius).max(1) as u32, &pen.stroke(), false)
            .map_err(failed)
    }

    /// A text whose base line starts, has its middle or ends at `place`.
    pub(super) fn text(
        &mut self,
        text: &str,
        place: Place,
        font: Font,
        colour: Colour,
        anchor: Anchor,
        turn: Turn,
    ) -> Result<(), PlotError> {
        let text = plain::line(text);
        let style = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        let rise = font.size * BACKEND_TOP_EM;
        let (place, transform) = match turn {
            Turn::None => ((place.0, place.1 - rise), FontTransform::None),
            Turn::Left => ((place.0 - rise, place.1), FontTransform::Rotate270),
        };
        let h_pos = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let size = font.size * GRAIN * BACKEND_FONT_DIVISOR;
        let desc = FontDesc::new(FontFamily::Name(FAMILIES), size, style).transform(transform);
        let [red, green, blue] = colour;
        let style = TextStyle {
            font: desc,
            color: RGBColor(red, green, blue).to_backend_color(),
            pos: Pos::new(h_pos, VPos::Top),
        };
        self.backend.draw_text(&text, &style, at(place)).map_err(failed)
    }
}

/// The dashes of a line, each a short line of its own.
fn cut_dashes(places: &[Place], dash: f64, gap: f64) -> Vec<Vec<Place>> {
    let mut runs = Vec::new();
    let mut drawing = true;
    let mut left = dash;
    let mut run: Vec<Place> = places.first().copied().into_iter().collect();
    for pair in places.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        // Not `hypot`: only the square root is rounded alike on every machine.
        let length = (across * across + down * down).sqrt();
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let share = done / length;
            let turn = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            if drawing {
                run.push(turn);
                runs.push(std::mem::take(&mut run));
            } else {
                run = vec![turn];
            }
            drawing = !drawing;
            left = if drawing { dash } else { gap };
        }
        left -= length - done;
        if drawing {
            run.push(to);
        }
    }
    if drawing && run.len() > 1 {
        runs.push(run);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_run_on_round_a_corner() {
        let runs = cut_dashes(&[(0.0, 0.0), (7.0, 0.0), (7.0, 10.0)], 5.0, 3.0);
        let expected =
            vec![vec![(0.0, 0.0), (5.0, 0.0)], vec![(7.0, 1.0), (7.0, 6.0)], vec![(7.0, 9.0), (7.0, 10.0)]];
        assert_eq!(runs, expected);
    }
}
