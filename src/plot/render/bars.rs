//! Groups of bars with their values.

use super::canvas::{Anchor, Canvas, Pen, Place, Turn, pen};
use super::ceilings::Ink;
use super::curves::{self, ErrorBar, draw_error_bar};
use super::frame::{HALF_HEIGHT, INK};
use super::layout::{Layout, VALUE_FONT, widest};
use super::scale;
use super::text::regular;
use crate::plot::error::PlotError;
use crate::plot::figure::{BarColours, Figure, Orientation, Point};
use crate::plot::theme::{PALETTE, Style};

/// Gap between a bar's end and its value.
const VALUE_GAP: f64 = 4.0;
/// Values in smaller letters are left to the table of the points.
const SMALLEST_VALUE: f64 = 6.5;

/// What all bars of a figure share.
struct Bars<'a> {
    layout: &'a Layout,
    lying: bool,
    thickness: f64,
    font_size: f64,
    /// Values are written along their bars because they are wider than those.
    turned: bool,
    /// Values are written at all: they would lie on each other along bars too thin.
    valued: bool,
}

/// Draws every bar, its error bar and its value; returns where their ink lies.
pub(super) fn draw(
    canvas: &mut Canvas,
    figure: &Figure,
    layout: &Layout,
    orientation: Orientation,
    colours: &BarColours,
) -> Result<Ink, PlotError> {
    let (bars, labels) = Bars::of(figure, layout, orientation);
    let mut ink = Ink::default();
    let mut labels = labels.iter();
    for (place, series) in figure.series.iter().enumerate() {
        for point in &series.points {
            let style = match colours {
                BarColours::Series => series.style,
                BarColours::Category(styles) => styles.get(point.x as usize).copied().unwrap_or(series.style),
            };
            let middle = layout.bar_middle(figure, place, point.x);
            let label = labels.next().map_or("", String::as_str);
            bars.draw(canvas, point, middle, style, label, &mut ink)?;
        }
    }
    Ok(ink)
}

/// Draws every bar piece by piece, and the sum at its end; returns where their ink lies.
pub(super) fn draw_stacks(
    canvas: &mut Canvas,
    figure: &Figure,
    layout: &Layout,
    orientation: Orientation,
) -> Result<Ink, PlotError> {
    let (bars, labels) = Bars::of(figure, layout, orientation);
    let mut ink = Ink::default();
    for (place, series) in figure.series.iter().enumerate() {
        for point in &series.points {
            let base = figure.bar_base(place, point.x);
            let middle = layout.bar_middle(figure, place, point.x);
            bars.piece(canvas, middle, (base, base + point.y), series.style, &mut ink)?;
        }
    }
    let (low, high) = if bars.lying { (layout.left, layout.right) } else { (layout.top, layout.bottom) };
    for (category, (label, sum)) in labels.iter().zip(figure.bar_values()).enumerate() {
        let middle = layout.bar_middle(figure, 0, category as f64);
        bars.draw_value(canvas, label, middle, layout.value(sum).clamp(low, high), false, &mut ink)?;
    }
    Ok(ink)
}

/// A filled bar; that of a dashed style is pale with an outline.
pub(super) fn draw_bar(canvas: &mut Canvas, from: Place, to: Place, style: Style) -> Result<(), PlotError> {
    const OUTLINE: f64 = 1.2;
    let colour = PALETTE[style.colour % PALETTE.len()];
    if !style.dash {
        return canvas.rect(from, to, pen(colour, 0.0));
    }
    // White first: the grid must not shine through.
    canvas.rect(from, to, pen([255; 3], 0.0))?;
    canvas.rect(from, to, Pen { colour, opacity: 0.3, width: 0.0 })?;
    let inset = OUTLINE / 2.0;
    let (left, right) = (from.0.min(to.0) + inset, from.0.max(to.0) - inset);
    let (top, bottom) = (from.1.min(to.1) + inset, from.1.max(to.1) - inset);
    if left >= right || top >= bottom {
        return Ok(());
    }
    let outline = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top), (right, top)];
    canvas.line(&outline, pen(colour, OUTLINE))
}

impl<'a> Bars<'a> {
    /// What the bars of a figure share, and the labels of their lengths.
    fn of(figure: &Figure, layout: &'a Layout, orientation: Orientation) -> (Self, Vec<String>) {
        let (labels, _) = scale::value_labels(&figure.bar_values());
        let lying = orientation == Orientation::Horizontal;
        let thickness = layout.bar_thickness(figure);
        let turned = !lying && widest(&labels, regular(VALUE_FONT)) + 2.0 > thickness;
        let along = lying || turned;
        let font_size = if along { (thickness * 1.1).min(VALUE_FONT) } else { VALUE_FONT };
        let valued = font_size >= SMALLEST_VALUE;
        (Bars { layout, lying, thickness, font_size, turned, valued }, labels)
    }
}

impl Bars<'_> {
    /// Draws a bar from one value to another.
    fn piece(
        &self,
        canvas: &mut Canvas,
        middle: f64,
        (from, to): (f64, f64),
        style: Style,
        ink: &mut Ink,
    ) -> Result<(), PlotError> {
        let layout = self.layout;
        let (low, high) = if self.lying { (layout.left, layout.right) } else { (layout.top, layout.bottom) };
        let end_of = |value: f64| layout.value(value).clamp(low, high);
        // A hair of air between neighbours keeps them apart in print.
        let half = (self.thickness / 2.0 - 0.5).max(self.thickness * 0.4);
        // On half pixels edges are sharp at scale 2.
        let edge = |pixel: f64| (pixel * 2.0).round() / 2.0;
        let from = self.at(edge(middle - half), edge(end_of(from)));
        let to = self.at(edge(middle + half), edge(end_of(to)));
        if from.0 == to.0 || from.1 == to.1 {
            return Ok(());
        }
        ink.rect(from, to);
        draw_bar(canvas, from, to, style)
    }

    /// Turns (across the bars, along the value axis) into a place.
    fn at(&self, across: f64, along: f64) -> Place {
        if self.lying { (along, across) } else { (across, along) }
    }

    fn draw(
        &self,
        canvas: &mut Canvas,
        point: &Point,
        middle: f64,
        style: Style,
        label: &str,
        ink: &mut Ink,
    ) -> Result<(), PlotError> {
        let layout = self.layout;
        let (low, high) = if self.lying { (layout.left, layout.right) } else { (layout.top, layout.bottom) };
        let end_of = |value: f64| layout.value(value).clamp(low, high);
        self.piece(canvas, middle, (0.0, point.y), style, ink)?;
        let mut tip = end_of(point.y);
        if let Some(error) = point.error {
            let (low, high) = (layout.value(point.y - error), layout.value(point.y + error));
            draw_error_bar(
                canvas,
                ErrorBar { along: middle, from: low, to: high, lying: self.lying },
                layout,
                INK,
            )?;
            let cap = curves::ERROR_CAP;
            ink.rect(self.at(middle - cap, low), self.at(middle + cap, high));
            tip = end_of(if point.y < 0.0 { point.y - error } else { point.y + error });
        }
        self.draw_value(canvas, label, middle, tip, point.y < 0.0, ink)
    }

    fn draw_value(
        &self,
        canvas: &mut Canvas,
        label: &str,
        middle: f64,
        tip: f64,
        negative: bool,
        ink: &mut Ink,
    ) -> Result<(), PlotError> {
        if !self.valued {
            return Ok(());
        }
        let font = regular(self.font_size);
        let width = font.width(label);
        let height = font.size * 0.73;
        let outward = if self.lying != negative { 1.0 } else { -1.0 };
        let start = tip + outward * VALUE_GAP;
        let anchor = if negative { Anchor::End } else { Anchor::Start };
        // The text's place, and its box: across the bar, then along it.
        let along_bar = self.lying || self.turned;
        let half_across = if along_bar { height / 2.0 } else { width / 2.0 };
        let far = start + outward * if along_bar { width } else { height };
        let (from, to) = (self.at(middle - half_across, start), self.at(middle + half_across, far));
        ink.text(from, to);
        // A level or a grid line behind the figures would make them hard to read.
        canvas.rect(from, to, Pen { colour: [255; 3], opacity: 0.85, width: 0.0 })?;
        if along_bar {
            let turn = if self.lying { Turn::None } else { Turn::Left };
            let base = middle + font.size * HALF_HEIGHT;
            return canvas.text(label, self.at(base, start), font, INK, anchor, turn);
        }
        let base = if negative { start + height } else { start };
        canvas.text(label, (middle, base), font, INK, Anchor::Middle, Turn::None)
    }
}
