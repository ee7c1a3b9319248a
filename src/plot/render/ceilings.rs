//! Marked levels and where their names find room.

use super::canvas::{Anchor, Canvas, Pen, Place, Turn};
use super::frame::{GREY, faint, sharp};
use super::layout::Layout;
use super::text::{Font, regular};
use crate::plot::error::PlotError;

const DASH: f64 = 5.0;
const GAP: f64 = 4.0;
const FONT: f64 = 10.5;

/// A box in pixels: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// What is drawn so far, as small boxes, so that names can keep clear of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Ink {
    areas: Vec<Area>,
}

impl Ink {
    /// A marker.
    pub(super) fn mark(&mut self, (x, y): Place, half: f64) {
        self.areas.push((x - half, y - half, x + half, y + half));
    }

    /// A filled rectangle between two corners.
    pub(super) fn rect(&mut self, a: Place, b: Place) {
        self.areas.push((a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1)));
    }

    /// A line, as boxes a few pixels apart.
    pub(super) fn line(&mut self, places: &[Place]) {
        const SPACING: f64 = 4.0;
        for pair in places.windows(2) {
            let (across, down) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let parts = (across.abs().max(down.abs()) / SPACING).ceil().max(1.0);
            for part in 0..=parts as usize {
                let share = part as f64 / parts;
                self.mark((pair[0].0 + share * across, pair[0].1 + share * down), 1.0);
            }
        }
    }

    /// Text between two corners: to cover it is worse than to cover anything else.
    pub(super) fn text(&mut self, a: Place, b: Place) {
        const WEIGHT: usize = 100;
        for _ in 0..WEIGHT {
            self.rect(a, b);
        }
    }

    fn covered(&self, area: Area) -> usize {
        let meets =
            |other: &&Area| area.0 < other.2 && other.0 < area.2 && area.1 < other.3 && other.1 < area.3;
        self.areas.iter().filter(meets).count()
    }
}

/// The lines themselves, under the data.
pub(super) fn draw_lines(canvas: &mut Canvas, layout: &Layout) -> Result<(), PlotError> {
    for ceiling in &layout.ceilings {
        let at = sharp(layout.value(ceiling.value));
        let ends = if layout.lying {
            [(at, layout.top), (at, layout.bottom)]
        } else {
            [(layout.left, at), (layout.right, at)]
        };
        canvas.dashes(&ends, faint(), DASH, GAP)?;
    }
    Ok(())
}

/// Their names: within the plot near its right edge where the data leave room; over lying bars, above it.
pub(super) fn draw_labels(canvas: &mut Canvas, layout: &Layout, mut ink: Ink) -> Result<(), PlotError> {
    let font = regular(FONT);
    if layout.lying {
        return draw_above(canvas, layout, font);
    }
    for ceiling in &layout.ceilings {
        let at = sharp(layout.value(ceiling.value));
        ink.line(&[(layout.left, at), (layout.right, at)]);
    }
    for ceiling in &layout.ceilings {
        let label = font.fit(&ceiling.label, layout.right - layout.left - 12.0);
        let at = sharp(layout.value(ceiling.value));
        let area = best_area(layout, &ink, at, font.width(&label));
        let white = Pen { colour: [255; 3], opacity: 0.75, width: 0.0 };
        canvas.rect((area.0, area.1), (area.2, area.3), white)?;
        let base = area.3 - 1.5;
        canvas.text(&label, (area.2 - 2.0, base), font, GREY, Anchor::End, Turn::None)?;
        ink.text((area.0, area.1), (area.2, area.3));
    }
    Ok(())
}

/// The area above or below the line that covers least, preferring the right edge and above.
fn best_area(layout: &Layout, ink: &Ink, line: f64, width: f64) -> Area {
    const HEIGHT: f64 = FONT + 0.5;
    const CLEARANCE: f64 = 1.5;
    const STEP: f64 = 4.0;
    let right = layout.right - 4.0;
    let mut best: Option<(Area, usize)> = None;
    let steps = ((right - width - 8.0 - layout.left) / STEP).max(0.0) as usize;
    for step in 0..=steps {
        for top in [line - HEIGHT - 3.0, line + 3.0] {
            let end = right - step as f64 * STEP;
            let area = (end - width - 4.0, top, end, top + HEIGHT);
            if top < layout.top - HEIGHT || area.3 > layout.bottom {
                continue;
            }
            let around = (area.0 - CLEARANCE, area.1 - CLEARANCE, area.2 + CLEARANCE, area.3 + CLEARANCE);
            let covered = ink.covered(around);
            if best.is_none_or(|(_, least)| covered < least) {
                best = Some((area, covered));
            }
        }
    }
    best.map_or((right - width - 4.0, line - HEIGHT - 3.0, right, line - 3.0), |(area, _)| area)
}

/// Names above the frame, each over its line; those that would meet are pushed to the right.
fn draw_above(canvas: &mut Canvas, layout: &Layout, font: Font) -> Result<(), PlotError> {
    let mut ceilings: Vec<_> = layout.ceilings.iter().collect();
    ceilings.sort_by(|a, b| a.value.total_cmp(&b.value));
    let mut free_from = layout.left;
    for ceiling in ceilings {
        let half = font.width(&ceiling.label) / 2.0;
        let widest_middle = f64::from(layout.size.width) - 8.0 - half;
        let middle = layout.value(ceiling.value).max(free_from + half).min(widest_middle);
        canvas.text(&ceiling.label, (middle, layout.top - 5.0), font, GREY, Anchor::Middle, Turn::None)?;
        free_from = middle + half + 8.0;
    }
    Ok(())
}
