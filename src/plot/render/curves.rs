//! Lines, staircases and points.

use super::canvas::{Canvas, Colour, Pen, Place, pen};
use super::ceilings::Ink;
use super::layout::Layout;
use super::legend::white;
use crate::plot::error::PlotError;
use crate::plot::figure::{Figure, Mark, Point, Series};
use crate::plot::theme::{Marker, PALETTE};

const LINE: f64 = 1.8;
/// Five dashes and four gaps fill a legend's sample, so that one dash carries the marker.
const DASH: f64 = 5.0;
const DASH_GAP: f64 = 2.75;
/// Half the size of a marker.
const MARKER: f64 = 3.7;
const ERROR_PEN: f64 = 1.1;
/// Half the width of an error bar's caps.
pub(super) const ERROR_CAP: f64 = 3.5;
/// Lines of more points have no markers, clouds of more points small translucent dots.
pub(super) const MANY: usize = 60;
/// By how much lines are wider, and markers reach farther, for each series that lies over theirs; lines without markers
/// less, as their course is finer.
const LINE_BELOW: f64 = 2.0;
const FINE_LINE_BELOW: f64 = 1.2;
const MARKER_BELOW: f64 = 1.7;

/// How a series looks, on the plot and in the legend alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    colour: Colour,
    line: bool,
    width: f64,
    dash: bool,
    marker: Option<Marker>,
    half_size: f64,
    opacity: f64,
}

/// The look that a series' style, mark and number of points give, and how many series lie over it.
pub(super) fn look(series: &Series, depth: usize) -> Look {
    let many = series.points.len() > MANY;
    let colour = PALETTE[series.style.colour % PALETTE.len()];
    let below = depth as f64;
    let base = Look {
        colour,
        line: true,
        width: LINE + LINE_BELOW * below,
        dash: series.style.dash,
        marker: None,
        half_size: MARKER + MARKER_BELOW * below,
        opacity: 1.0,
    };
    let fine = Look { width: LINE + FINE_LINE_BELOW * below, ..base };
    match series.mark {
        Mark::Line if many => fine,
        Mark::Line => Look { marker: Some(series.style.marker), ..base },
        Mark::Steps => fine,
        Mark::Points if many => {
            Look { line: false, marker: Some(Marker::Circle), half_size: 1.7, opacity: 0.55, ..base }
        }
        Mark::Points => Look { line: false, marker: Some(series.style.marker), ..base },
    }
}

/// Draws every series; returns where their ink lies.
pub(super) fn draw(canvas: &mut Canvas, figure: &Figure, layout: &Layout) -> Result<Ink, PlotError> {
    let mut ink = Ink::default();
    for (series, &depth) in figure.series.iter().zip(&layout.depths) {
        let look = look(series, depth);
        let mut places: Vec<Place> =
            series.points.iter().map(|point| layout.place(point.x, point.y, series.side)).collect();
        for point in &series.points {
            draw_error(canvas, layout, series, point, (look.colour, &mut ink))?;
        }
        let points = places.clone();
        if series.mark == Mark::Steps {
            places = staircase(&places);
        }
        if look.line {
            draw_line(canvas, layout, &places, look, &mut ink)?;
        }
        if let Some(marker) = look.marker {
            for &place in points.iter().filter(|&&place| layout.holds(place)) {
                draw_marker(canvas, marker, place, look, look.line)?;
                ink.mark(place, look.half_size);
            }
        }
    }
    Ok(ink)
}

/// A legend's sample, `width` long, starting at the left.
pub(super) fn draw_sample(canvas: &mut Canvas, look: Look, left: Place, width: f64) -> Result<(), PlotError> {
    if look.line {
        let places = [left, (left.0 + width, left.1)];
        let pen = pen(look.colour, look.width);
        if look.dash { canvas.dashes(&places, pen, DASH, DASH_GAP)? } else { canvas.line(&places, pen)? }
    }
    match look.marker {
        Some(marker) => draw_marker(canvas, marker, (left.0 + width / 2.0, left.1), look, look.line),
        None => Ok(()),
    }
}

/// The corners of a staircase through `places`.
pub(super) fn staircase(places: &[Place]) -> Vec<Place> {
    let mut out = Vec::with_capacity(places.len() * 2);
    for pair in places.windows(2) {
        out.extend([pair[0], (pair[1].0, pair[0].1)]);
    }
    out.extend(places.last());
    out
}

fn draw_line(
    canvas: &mut Canvas,
    layout: &Layout,
    places: &[Place],
    look: Look,
    ink: &mut Ink,
) -> Result<(), PlotError> {
    let pen = pen(look.colour, look.width);
    for run in clipped_runs(layout, places) {
        if look.dash {
            canvas.dashes(&run, pen, DASH, DASH_GAP)?
        } else {
            canvas.line(&run, pen)?
        }
        ink.line(&run);
    }
    Ok(())
}

/// The parts of a line within the frame; one whole line unless the axis limits cut it.
fn clipped_runs(layout: &Layout, places: &[Place]) -> Vec<Vec<Place>> {
    if places.iter().all(|&place| layout.holds(place)) {
        return vec![places.to_vec()];
    }
    let mut runs: Vec<Vec<Place>> = Vec::new();
    for pair in places.windows(2) {
        let Some((from, to)) = clip(layout, pair[0], pair[1]) else { continue };
        match runs.last_mut() {
            Some(run) if run.last() == Some(&from) => run.push(to),
            _ => runs.push(vec![from, to]),
        }
    }
    runs
}

/// The part of a straight line within the frame (Liang and Barsky's method).
fn clip(layout: &Layout, from: Place, to: Place) -> Option<(Place, Place)> {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    let sides = [
        (-across, from.0 - layout.left),
        (across, layout.right - from.0),
        (-down, from.1 - layout.top),
        (down, layout.bottom - from.1),
    ];
    for (outward, distance) in sides {
        if outward == 0.0 {
            if distance < 0.0 {
                return None;
            }
        } else if outward < 0.0 {
            enter = enter.max(distance / outward);
        } else {
            leave = leave.min(distance / outward);
        }
    }
    let at = |share: f64| (from.0 + share * across, from.1 + share * down);
    let start = if enter == 0.0 { from } else { at(enter) };
    let end = if leave == 1.0 { to } else { at(leave) };
    (enter <= leave).then_some((start, end))
}

fn draw_error(
    canvas: &mut Canvas,
    layout: &Layout,
    series: &Series,
    point: &Point,
    (colour, ink): (Colour, &mut Ink),
) -> Result<(), PlotError> {
    let Some(half_width) = point.error else { return Ok(()) };
    let (x, upper) = layout.place(point.x, point.y + half_width, series.side);
    let (_, lower) = layout.place(point.x, point.y - half_width, series.side);
    ink.rect((x - ERROR_CAP, lower), (x + ERROR_CAP, upper));
    draw_error_bar(canvas, ErrorBar { along: x, from: lower, to: upper, lying: false }, layout, colour)
}

/// An error bar in pixels: from and to along the value axis, at `along` on the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErrorBar {
    pub(super) along: f64,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) lying: bool,
}

/// A line with caps, cut at the frame.
pub(super) fn draw_error_bar(
    canvas: &mut Canvas,
    bar: ErrorBar,
    layout: &Layout,
    colour: Colour,
) -> Result<(), PlotError> {
    let (low, high) = if bar.lying { (layout.left, layout.right) } else { (layout.top, layout.bottom) };
    let pen = pen(colour, ERROR_PEN);
    let turned = |along: f64, value: f64| if bar.lying { (value, along) } else { (along, value) };
    let (from, to) = (bar.from.clamp(low, high), bar.to.clamp(low, high));
    canvas.line(&[turned(bar.along, from), turned(bar.along, to)], pen)?;
    for end in [bar.from, bar.to].into_iter().filter(|end| (low..=high).contains(end)) {
        canvas.line(&[turned(bar.along - ERROR_CAP, end), turned(bar.along + ERROR_CAP, end)], pen)?;
    }
    Ok(())
}

/// A marker around a place; on a line, with a thin white rim that parts it from what it covers.
fn draw_marker(
    canvas: &mut Canvas,
    marker: Marker,
    place: Place,
    look: Look,
    rim: bool,
) -> Result<(), PlotError> {
    const RIM: f64 = 0.9;
    const OUTLINE: f64 = 1.5;
    let half = look.half_size;
    let fill = Pen { colour: look.colour, opacity: look.opacity, width: 0.0 };
    let (shape, open) = match marker {
        Marker::OpenCircle => (Marker::Circle, true),
        Marker::OpenSquare => (Marker::Square, true),
        Marker::OpenTriangle => (Marker::Triangle, true),
        Marker::OpenDiamond => (Marker::Diamond, true),
        Marker::OpenDownTriangle => (Marker::DownTriangle, true),
        filled => (filled, false),
    };
    if matches!(shape, Marker::Cross | Marker::Plus) {
        return draw_strokes(canvas, shape, place, look, rim);
    }
    if rim {
        draw_shape(canvas, shape, place, half + RIM, white(0.0))?;
    }
    if !open {
        return draw_shape(canvas, shape, place, half, fill);
    }
    draw_shape(canvas, shape, place, half, white(0.0))?;
    let stroke = Pen { width: OUTLINE, ..fill };
    match shape {
        Marker::Circle => canvas.circle(place, half - OUTLINE / 2.0, stroke),
        _ => {
            let mut outline = corners(shape, place, half - OUTLINE / 2.0);
            // Closed with a bend after the start, so that the last corner is joined like the others.
            outline.extend_from_within(..2);
            canvas.line(&outline, stroke)
        }
    }
}

fn draw_shape(
    canvas: &mut Canvas,
    shape: Marker,
    place: Place,
    half: f64,
    fill: Pen,
) -> Result<(), PlotError> {
    match shape {
        Marker::Circle => canvas.disc(place, half, fill),
        _ => canvas.polygon(&corners(shape, place, half), fill),
    }
}

/// Corners of a filled shape, sized so that all shapes look equally heavy.
fn corners(shape: Marker, (x, y): Place, half: f64) -> Vec<Place> {
    let around = |offsets: &[(f64, f64)], size: f64| {
        offsets.iter().map(|(across, down)| (x + across * size, y + down * size)).collect()
    };
    match shape {
        Marker::Triangle => around(&[(0.0, -1.1), (1.0, 0.75), (-1.0, 0.75)], half * 1.16),
        Marker::DownTriangle => around(&[(0.0, 1.1), (1.0, -0.75), (-1.0, -0.75)], half * 1.16),
        Marker::Diamond => around(&[(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)], half * 1.28),
        _ => around(&[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)], half * 0.9),
    }
}

fn draw_strokes(
    canvas: &mut Canvas,
    shape: Marker,
    (x, y): Place,
    look: Look,
    rim: bool,
) -> Result<(), PlotError> {
    const STROKE: f64 = 2.0;
    let reach = if shape == Marker::Cross { look.half_size * 0.9 } else { look.half_size * 1.2 };
    let strokes = |reach: f64| match shape {
        Marker::Cross => [
            [(x - reach, y - reach), (x + reach, y + reach)],
            [(x - reach, y + reach), (x + reach, y - reach)],
        ],
        _ => [[(x - reach, y), (x + reach, y)], [(x, y - reach), (x, y + reach)]],
    };
    if rim {
        for stroke in strokes(reach + 0.8) {
            canvas.line(&stroke, white(STROKE + 1.6))?;
        }
    }
    for stroke in strokes(reach) {
        canvas.line(&stroke, Pen { colour: look.colour, opacity: look.opacity, width: STROKE })?;
    }
    Ok(())
}
