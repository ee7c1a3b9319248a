//! The legend, outside at the right, with each series' own line and marker.

use super::canvas::{Anchor, Canvas, Place, Turn, pen};
use super::curves::{self, Look};
use super::frame::{HALF_HEIGHT, INK};
use super::text::{Font, regular};
use crate::plot::error::PlotError;
use crate::plot::figure::{BarColours, Figure, Kind, Side};
use crate::plot::theme::Style;

const SAMPLE: f64 = 36.0;
const SWATCH: f64 = 14.0;
const GAP: f64 = 8.0;
/// Space between the plot and the legend.
const OFFSET: f64 = 18.0;
const FONT: f64 = 12.0;
const SMALLEST_FONT: f64 = 8.0;

#[derive(Clone, Debug)]
struct Entry {
    lines: Vec<String>,
    sample: Sample,
}

#[derive(Clone, Copy, Debug)]
enum Sample {
    Curve(Look),
    Bar(Style),
}

/// A legend laid out; empty if the figure explains itself.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    entries: Vec<Entry>,
    font: Font,
    /// Space between entries beyond the line height.
    spacing: f64,
    /// Width with the gap to the plot; 0 if empty.
    pub(super) width: f64,
    corner: Place,
    sample_width: f64,
}

impl Legend {
    /// A legend at most `most_width` by `height` pixels.
    pub(super) fn of(figure: &Figure, most_width: f64, height: f64) -> Result<Self, PlotError> {
        let samples = samples(figure);
        let sample_width = if matches!(figure.kind, Kind::Curves) { SAMPLE } else { SWATCH };
        let mut size = FONT;
        while size >= SMALLEST_FONT {
            let font = regular(size);
            let width = most_width - OFFSET - sample_width - GAP;
            let entries: Vec<Entry> = samples
                .iter()
                .map(|(label, sample)| Entry { lines: font.wrap(label, width, 3), sample: *sample })
                .collect();
            let spacing = size * 0.5;
            let rows = |entry: &Entry| entry.lines.len().max(1) as f64 * font.line_height();
            let total: f64 = entries.iter().map(|entry| rows(entry) + spacing).sum();
            if total <= height {
                let widest = |entry: &Entry| super::layout::widest(&entry.lines, font);
                let text = entries.iter().map(widest).fold(0.0, f64::max);
                let full = OFFSET + sample_width + GAP + text.ceil();
                let width = if entries.is_empty() { 0.0 } else { full };
                return Ok(Legend { entries, font, spacing, width, corner: (0.0, 0.0), sample_width });
            }
            size -= 0.5;
        }
        let count = samples.len();
        Err(PlotError::BadSize(format!("a legend of {count} entries needs a taller picture or fewer series")))
    }

    /// Gives the samples the looks of their series, over which `depths` others lie.
    pub(super) fn look_like(&mut self, figure: &Figure, depths: &[usize]) {
        let looks = figure.series.iter().zip(depths).filter(|(series, _)| !series.label.is_empty());
        for (entry, (series, &depth)) in self.entries.iter_mut().zip(looks) {
            entry.sample = Sample::Curve(curves::look(series, depth));
        }
    }

    /// Puts its upper left corner, gap included, at a place.
    pub(super) fn place(&mut self, corner: Place) {
        self.corner = (corner.0 + OFFSET, corner.1);
    }
}

fn samples(figure: &Figure) -> Vec<(String, Sample)> {
    let shown = figure.series.iter().filter(|series| !series.label.is_empty());
    match &figure.kind {
        Kind::Bars { colours: BarColours::Category(_), .. } => Vec::new(),
        Kind::Bars { .. } if figure.series.len() == 1 => Vec::new(),
        Kind::Bars { .. } | Kind::Stacks(_) => {
            shown.map(|s| (s.label.clone(), Sample::Bar(s.style))).collect()
        }
        Kind::Curves => shown
            .map(|series| {
                let axis = if series.side == Side::Right { " (right axis)" } else { "" };
                (format!("{}{axis}", series.label), Sample::Curve(curves::look(series, 0)))
            })
            .collect(),
    }
}

/// Draws the legend where it was placed.
pub(super) fn draw(canvas: &mut Canvas, legend: &Legend) -> Result<(), PlotError> {
    let (left, mut top) = legend.corner;
    let font = legend.font;
    for entry in &legend.entries {
        // The sample stands beside the first line of a broken label.
        let middle = top + font.line_height() / 2.0;
        match entry.sample {
            Sample::Curve(look) => curves::draw_sample(canvas, look, (left, middle), SAMPLE)?,
            Sample::Bar(style) => {
                let half = font.size * 0.42;
                let corners = ((left, middle - half), (left + SWATCH, middle + half));
                super::bars::draw_bar(canvas, corners.0, corners.1, style)?;
            }
        }
        for line in &entry.lines {
            let base = top + font.line_height() / 2.0 + font.size * HALF_HEIGHT;
            let place = (left + legend.sample_width + GAP, base);
            canvas.text(line, place, font, INK, Anchor::Start, Turn::None)?;
            top += font.line_height();
        }
        top += legend.spacing;
    }
    Ok(())
}

/// The white pen under open markers.
pub(super) fn white(width: f64) -> super::canvas::Pen {
    pen([255, 255, 255], width)
}
