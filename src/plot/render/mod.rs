//! Drawing a figure: layout in pixels, then ink.
//!
//! The layout is made with a table of character widths, so an SVG needs no font to be written and is equal
//! to the byte on every machine. A PNG is that SVG rasterised with an embedded font.

mod bars;
mod canvas;
mod ceilings;
mod coincide;
mod curves;
mod frame;
mod layout;
mod legend;
mod raster;
mod scale;
mod spots;
mod text;

use super::error::PlotError;
use super::figure::{Figure, Kind};
pub use raster::{PIXELS_PER_INCH, render_png, render_png_tagged};
pub use spots::{Spot, spots};

/// The most that a picture grows to, in pixels: beyond, bars have no values.
const HIGHEST: u32 = 2400;

/// Size of a picture in pixels at scale 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Width, 240..=8000.
    pub width: u32,
    /// Height, 180..=8000.
    pub height: u32,
}

impl Default for Size {
    /// 960 by 560, a chart of a page's width.
    fn default() -> Self {
        Size { width: 960, height: 560 }
    }
}

impl Size {
    /// The same, higher where a figure of lying bars needs it for its labels and values not to touch.
    ///
    /// # Errors
    /// As [`render_svg`].
    pub fn high_enough(self, figure: &Figure) -> Result<Self, PlotError> {
        figure.check()?;
        self.check()?;
        let lacks = layout::Layout::of(figure, self)?.lacks(figure).ceil() as u32;
        Ok(Size { height: (self.height + lacks).min(self.height.max(HIGHEST)), ..self })
    }

    fn check(self) -> Result<(), PlotError> {
        if (240..=8000).contains(&self.width) && (180..=8000).contains(&self.height) {
            return Ok(());
        }
        let Size { width, height } = self;
        Err(PlotError::BadSize(format!("{width}x{height} is outside 240x180 to 8000x8000 pixels")))
    }
}

/// Draws a figure as SVG text. Equal figures and sizes give equal bytes.
///
/// # Errors
/// What [`Figure::check`] refuses, a size out of range, or a size that its labels leave no room in.
pub fn render_svg(figure: &Figure, size: Size) -> Result<String, PlotError> {
    figure.check()?;
    size.check()?;
    let layout = layout::Layout::of(figure, size)?;
    canvas::on_canvas(size.width, size.height, |canvas| {
        frame::draw_grid(canvas, &layout)?;
        ceilings::draw_lines(canvas, &layout)?;
        // Axes lie under markers but over the feet of bars.
        let ink = match &figure.kind {
            Kind::Curves => {
                frame::draw_axes(canvas, figure, &layout)?;
                curves::draw(canvas, figure, &layout)?
            }
            Kind::Bars { orientation, colours } => {
                let ink = bars::draw(canvas, figure, &layout, *orientation, colours)?;
                frame::draw_axes(canvas, figure, &layout)?;
                ink
            }
            Kind::Stacks(orientation) => {
                let ink = bars::draw_stacks(canvas, figure, &layout, *orientation)?;
                frame::draw_axes(canvas, figure, &layout)?;
                ink
            }
        };
        ceilings::draw_labels(canvas, &layout, ink)?;
        legend::draw(canvas, &layout.legend)?;
        frame::draw_words(canvas, &layout)
    })
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
