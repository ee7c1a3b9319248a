//! Grid, axes and the words around the plot.

use super::canvas::{Anchor, Canvas, Colour, Pen, Turn, pen};
use super::layout::{AXIS_FONT, Layout, Positions, StepLabels, TICK, TICK_FONT, TICK_GAP, Words};
use super::scale::{Ticks, factor_text};
use super::text::{Font, regular};
use crate::plot::error::PlotError;
use crate::plot::figure::Figure;

pub(super) const INK: Colour = [0x26, 0x26, 0x26];
pub(super) const GREY: Colour = [0x66, 0x66, 0x66];
const SPINE: Colour = [0x55, 0x55, 0x55];
const GRID: Pen = Pen { colour: [0xE3, 0xE3, 0xE3], opacity: 1.0, width: 1.0 };
const SPINE_PEN: Pen = Pen { colour: SPINE, opacity: 1.0, width: 1.0 };
/// Base line of figures below their middle, as a share of the em: half the height of DejaVu's digits.
pub(super) const HALF_HEIGHT: f64 = 0.365;

/// The middle of the pixel, where a line one pixel wide is sharp at any whole scale.
pub(super) fn sharp(pixel: f64) -> f64 {
    pixel.floor() + 0.5
}

/// Light lines at the ticks of the left axis and, under curves, of the x axis.
pub(super) fn draw_grid(canvas: &mut Canvas, layout: &Layout) -> Result<(), PlotError> {
    for &value in &layout.values.values {
        let at = sharp(layout.value(value));
        if layout.lying {
            canvas.line(&[(at, layout.top), (at, layout.bottom)], GRID)?;
        } else {
            canvas.line(&[(layout.left, at), (layout.right, at)], GRID)?;
        }
    }
    if layout.bars {
        return Ok(());
    }
    for x in grid_positions(layout) {
        let at = sharp(layout.position(x));
        canvas.line(&[(at, layout.top), (at, layout.bottom)], GRID)?;
    }
    Ok(())
}

fn grid_positions(layout: &Layout) -> Vec<f64> {
    match &layout.positions {
        Positions::Numbers(ticks) => ticks.values.clone(),
        Positions::Steps(labels) => (0..layout.step_count).step_by(labels.every).map(|n| n as f64).collect(),
    }
}

/// The frame's lines, ticks, labels and axis titles.
pub(super) fn draw_axes(canvas: &mut Canvas, figure: &Figure, layout: &Layout) -> Result<(), PlotError> {
    let (left, right) = (sharp(layout.left), sharp(layout.right));
    let (top, bottom) = (sharp(layout.top), sharp(layout.bottom));
    canvas.line(&[(left, top), (left, bottom), (right, bottom)], SPINE_PEN)?;
    if layout.right_values.is_some() {
        canvas.line(&[(right, top), (right, bottom)], SPINE_PEN)?;
    }
    if layout.lying {
        draw_below(canvas, layout, &layout.values, |value| layout.value(value))?;
        if let Positions::Steps(labels) = &layout.positions {
            draw_steps_left(canvas, layout, labels)?;
        }
    } else {
        draw_left(canvas, layout)?;
        match &layout.positions {
            Positions::Steps(labels) => draw_steps_below(canvas, layout, labels)?,
            Positions::Numbers(ticks) => draw_below(canvas, layout, ticks, |value| layout.position(value))?,
        }
    }
    draw_zero_line(canvas, layout)?;
    draw_right(canvas, figure, layout)?;
    draw_titles(canvas, figure, layout)
}

/// A base line where values go below zero.
fn draw_zero_line(canvas: &mut Canvas, layout: &Layout) -> Result<(), PlotError> {
    if layout.values.low >= 0.0 || layout.values.high <= 0.0 {
        return Ok(());
    }
    let at = sharp(layout.value(0.0));
    if layout.lying {
        return canvas.line(&[(at, layout.top), (at, layout.bottom)], SPINE_PEN);
    }
    canvas.line(&[(layout.left, at), (layout.right, at)], SPINE_PEN)
}

fn tick_text(
    canvas: &mut Canvas,
    text: &str,
    place: (f64, f64),
    anchor: Anchor,
    turn: Turn,
) -> Result<(), PlotError> {
    canvas.text(text, place, regular(TICK_FONT), INK, anchor, turn)
}

fn draw_left(canvas: &mut Canvas, layout: &Layout) -> Result<(), PlotError> {
    let left = sharp(layout.left);
    for (&value, label) in layout.values.values.iter().zip(&layout.values.labels) {
        let at = sharp(layout.value(value));
        canvas.line(&[(left - TICK, at), (left, at)], SPINE_PEN)?;
        let place = (left - TICK - TICK_GAP, at + TICK_FONT * HALF_HEIGHT);
        tick_text(canvas, label, place, Anchor::End, Turn::None)?;
    }
    Ok(())
}

fn draw_right(canvas: &mut Canvas, figure: &Figure, layout: &Layout) -> Result<(), PlotError> {
    let (Some(ticks), Some(axis)) = (&layout.right_values, &figure.right) else { return Ok(()) };
    let right = sharp(layout.right);
    for (&value, label) in ticks.values.iter().zip(&ticks.labels) {
        let share = (value - ticks.low) / (ticks.high - ticks.low);
        let at = sharp(layout.bottom + share * (layout.top - layout.bottom));
        canvas.line(&[(right, at), (right + TICK, at)], SPINE_PEN)?;
        let place = (right + TICK + TICK_GAP, at + TICK_FONT * HALF_HEIGHT);
        tick_text(canvas, label, place, Anchor::Start, Turn::None)?;
    }
    let labels = super::layout::widest(&ticks.labels, regular(TICK_FONT));
    let text = format!("{}{}", axis.label, factor_text(ticks.exponent));
    let middle = (layout.top + layout.bottom) / 2.0;
    let (font, text) = shrunk(&text, layout.bottom - layout.top);
    let place = (right + TICK + TICK_GAP + labels + 8.0 + AXIS_FONT * 0.76, middle);
    canvas.text(&text, place, font, INK, Anchor::Middle, Turn::Left)
}

fn draw_below(
    canvas: &mut Canvas,
    layout: &Layout,
    ticks: &Ticks,
    position: impl Fn(f64) -> f64,
) -> Result<(), PlotError> {
    let bottom = sharp(layout.bottom);
    for (&value, label) in ticks.values.iter().zip(&ticks.labels) {
        let at = sharp(position(value));
        canvas.line(&[(at, bottom), (at, bottom + TICK)], SPINE_PEN)?;
        let place = (at, bottom + TICK + TICK_GAP + TICK_FONT * 0.76);
        tick_text(canvas, label, place, Anchor::Middle, Turn::None)?;
    }
    Ok(())
}

fn draw_steps_below(canvas: &mut Canvas, layout: &Layout, steps: &StepLabels) -> Result<(), PlotError> {
    let bottom = sharp(layout.bottom);
    let line_height = regular(TICK_FONT).line_height();
    for (index, lines) in steps.labels.iter().enumerate().step_by(steps.every) {
        let at = layout.position(index as f64);
        if !layout.bars {
            canvas.line(&[(sharp(at), bottom), (sharp(at), bottom + TICK)], SPINE_PEN)?;
        }
        let first = bottom + TICK + TICK_GAP;
        for (row, line) in lines.iter().enumerate() {
            if steps.turned {
                let place = (at + TICK_FONT * HALF_HEIGHT, first);
                tick_text(canvas, line, place, Anchor::End, Turn::Left)?;
            } else {
                let place = (at, first + TICK_FONT * 0.76 + row as f64 * line_height);
                tick_text(canvas, line, place, Anchor::Middle, Turn::None)?;
            }
        }
    }
    Ok(())
}

fn draw_steps_left(canvas: &mut Canvas, layout: &Layout, steps: &StepLabels) -> Result<(), PlotError> {
    let line_height = regular(TICK_FONT).line_height();
    for (index, lines) in steps.labels.iter().enumerate().step_by(steps.every) {
        let middle = layout.position(index as f64) - (lines.len() as f64 - 1.0) / 2.0 * line_height;
        for (row, line) in lines.iter().enumerate() {
            let base = middle + row as f64 * line_height + TICK_FONT * HALF_HEIGHT;
            let place = (layout.left - TICK - TICK_GAP, base);
            tick_text(canvas, line, place, Anchor::End, Turn::None)?;
        }
    }
    Ok(())
}

fn draw_titles(canvas: &mut Canvas, figure: &Figure, layout: &Layout) -> Result<(), PlotError> {
    let values = format!("{}{}", figure.y.label, factor_text(layout.values.exponent));
    let exponent = match &layout.positions {
        Positions::Numbers(ticks) => ticks.exponent,
        Positions::Steps(_) => 0,
    };
    let positions = format!("{}{}", figure.x.label, factor_text(exponent));
    let (left, below) = if layout.lying { (positions, values) } else { (values, positions) };
    let (font, text) = shrunk(&left, layout.bottom - layout.top);
    let middle = (layout.top + layout.bottom) / 2.0;
    canvas.text(&text, (12.0 + AXIS_FONT * 0.76, middle), font, INK, Anchor::Middle, Turn::Left)?;
    let (font, text) = shrunk(&below, layout.right - layout.left);
    let depth = match &layout.positions {
        Positions::Steps(labels) if !layout.lying => labels.depth,
        _ => regular(TICK_FONT).line_height(),
    };
    let base = layout.bottom + TICK + TICK_GAP + depth + 4.0 + AXIS_FONT * 0.76;
    canvas.text(&text, ((layout.left + layout.right) / 2.0, base), font, INK, Anchor::Middle, Turn::None)
}

/// The axis font, smaller if the text is too long for `length`; cut if even that is not enough.
fn shrunk(text: &str, length: f64) -> (Font, String) {
    let fits = length / regular(1.0).width(text).max(1e-9);
    let font = regular(fits.clamp(9.0, AXIS_FONT));
    (font, font.fit(text, length + 1.0))
}

/// Heading, caption and the names of levels beyond the axis.
pub(super) fn draw_words(canvas: &mut Canvas, layout: &Layout) -> Result<(), PlotError> {
    let left = 16.0;
    draw_lines(canvas, &layout.title, (left, INK, Anchor::Start))?;
    draw_lines(canvas, &layout.subtitle, (left, GREY, Anchor::Start))?;
    draw_lines(canvas, &layout.caption, (left, [0x80; 3], Anchor::Start))?;
    draw_lines(canvas, &layout.beyond, (layout.right, GREY, Anchor::End))
}

fn draw_lines(canvas: &mut Canvas, words: &Words, how: (f64, Colour, Anchor)) -> Result<(), PlotError> {
    for (row, line) in words.lines.iter().enumerate() {
        let place = (how.0, words.base + row as f64 * words.font.line_height());
        canvas.text(line, place, words.font, how.1, how.2, Turn::None)?;
    }
    Ok(())
}

/// A thin pen for marks that must stay behind the data.
pub(super) fn faint() -> Pen {
    pen([0x80; 3], 1.0)
}
