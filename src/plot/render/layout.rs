//! Where everything goes.

use super::Size;
use super::canvas::Place;
use super::coincide;
use super::legend::Legend;
use super::scale::{self, Ticks};
use super::text::{Font, bold, regular};
use crate::plot::error::PlotError;
use crate::plot::figure::{Axis, Ceiling, Figure, Kind, Orientation, Scale, Side};

pub(super) const TICK_FONT: f64 = 12.0;
pub(super) const AXIS_FONT: f64 = 13.0;
pub(super) const VALUE_FONT: f64 = 10.5;
/// Thickness of a lying bar at which the values of neighbours do not touch.
const VALUE_ROW: f64 = 11.5;
const MARGIN: f64 = 16.0;
/// Length of a tick and the gap to its label.
pub(super) const TICK: f64 = 4.0;
pub(super) const TICK_GAP: f64 = 4.0;
/// Free space at both ends of an axis of steps under curves.
const STEP_PAD: f64 = 24.0;
/// Share of the axis left free above the data.
const HEADROOM: f64 = 0.05;
/// A level above the data by more than this factor is named at the edge, not drawn.
const CEILING_REACH: f64 = 1.6;

/// Lines of one font, from the first base line down.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) lines: Vec<String>,
    pub(super) font: Font,
    pub(super) base: f64,
}

/// The labels along an axis of steps.
#[derive(Clone, Debug)]
pub(super) struct StepLabels {
    /// The lines of each label.
    pub(super) labels: Vec<Vec<String>>,
    /// Only every n-th label is written.
    pub(super) every: usize,
    /// Written from bottom to top.
    pub(super) turned: bool,
    /// Space they take across the axis.
    pub(super) depth: f64,
}

/// The axis of positions.
#[derive(Clone, Debug)]
pub(super) enum Positions {
    Steps(StepLabels),
    Numbers(Ticks),
}

/// A figure laid out.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) title: Words,
    pub(super) subtitle: Words,
    pub(super) caption: Words,
    /// Names of levels beyond the axis, right-aligned over the frame.
    pub(super) beyond: Words,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) size: Size,
    /// Bars lie: values run to the right, steps downwards.
    pub(super) lying: bool,
    pub(super) bars: bool,
    pub(super) values: Ticks,
    pub(super) right_values: Option<Ticks>,
    pub(super) positions: Positions,
    pub(super) step_count: usize,
    pub(super) ceilings: Vec<Ceiling>,
    /// How many series lie over each series of curves.
    pub(super) depths: Vec<usize>,
    pub(super) legend: Legend,
}

impl Layout {
    /// Lays a checked figure out.
    pub(super) fn of(figure: &Figure, size: Size) -> Result<Self, PlotError> {
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let (ceilings, beyond) = reachable(figure);
        let mut top = 6.0;
        let heading = |top: &mut f64, text: &str, font: Font, lines: usize| {
            let lines = font.wrap(text, width - 2.0 * MARGIN, lines);
            let base = *top + font.line_height();
            *top += lines.len() as f64 * font.line_height();
            Words { lines, font, base }
        };
        let title = heading(&mut top, &figure.title, bold(17.0), 2);
        top += 2.0;
        let subtitle = heading(&mut top, &figure.subtitle, regular(12.5), 2);
        let beyond = heading(&mut top, &beyond, regular(10.5), 1);
        let lying = figure.kind.orientation() == Some(Orientation::Horizontal);
        if lying && !ceilings.is_empty() {
            top += regular(10.5).line_height();
        }
        let caption_font = regular(10.0);
        let lines = caption_font.wrap(&figure.caption, width - 2.0 * MARGIN, 3);
        let caption_height = lines.len() as f64 * caption_font.line_height();
        let caption_top = height - 8.0 - caption_height;
        let caption = Words { lines, font: caption_font, base: caption_top + caption_font.size };
        top += 14.0;
        let legend = Legend::of(figure, width * 0.36, caption_top - top - 8.0)?;
        let mut layout = Layout {
            title,
            subtitle,
            caption,
            beyond,
            left: 60.0,
            right: width - MARGIN - legend.width,
            top,
            bottom: caption_top - 60.0,
            size,
            lying,
            bars: figure.kind.orientation().is_some(),
            values: scale::ticks(0.0, 1.0, 5),
            right_values: None,
            positions: Positions::Numbers(scale::ticks(0.0, 1.0, 5)),
            step_count: figure.x.steps().map_or(0, <[String]>::len),
            ceilings,
            depths: vec![0; figure.series.len()],
            legend,
        };
        // The ticks depend on the room and the room on the ticks' labels: the second turn settles it.
        for _ in 0..3 {
            layout.settle(figure, caption_top)?;
        }
        layout.legend.place((width - MARGIN - layout.legend.width, layout.top));
        if matches!(figure.kind, Kind::Curves) {
            layout.depths = coincide::depths(figure, &layout);
            layout.legend.look_like(figure, &layout.depths);
        }
        Ok(layout)
    }

    /// By how many pixels the frame is too low for the labels along lying bars, and for their values; 0 where it is not.
    pub(super) fn lacks(&self, figure: &Figure) -> f64 {
        if !self.lying {
            return 0.0;
        }
        let thickness = self.bar_thickness(figure).max(1.0);
        let length = self.bottom - self.top;
        let slot = length / self.step_count.max(1) as f64;
        // Bars are thicker only where there are few: then nothing is lacking.
        let for_values = slot * VALUE_ROW / thickness;
        let wanted = for_values.max(regular(TICK_FONT).line_height());
        ((wanted - slot) * self.step_count as f64).max(0.0)
    }

    fn settle(&mut self, figure: &Figure, foot: f64) -> Result<(), PlotError> {
        let (across, down) = (self.right - self.left, self.bottom - self.top);
        if across < 60.0 || down < 50.0 {
            let Size { width, height } = self.size;
            let message = format!("{width}x{height} pixels leave no room beside title, labels and legend");
            return Err(PlotError::BadSize(message));
        }
        self.values = self.value_ticks(figure, &figure.y, Side::Left);
        self.right_values = figure.right.as_ref().map(|axis| self.value_ticks(figure, axis, Side::Right));
        self.positions = self.position_axis(figure);
        let row = regular(TICK_FONT).line_height();
        let title_row =
            |text: &str| if text.is_empty() { 0.0 } else { regular(AXIS_FONT).line_height() + 4.0 };
        let (y_title, x_title) = (title_row(&figure.y.label), title_row(&figure.x.label));
        let widest = |ticks: &Ticks| widest(&ticks.labels, regular(TICK_FONT));
        let positions_depth = match &self.positions {
            Positions::Steps(labels) => labels.depth,
            Positions::Numbers(_) => row,
        };
        let (depth_left, depth_below) =
            if self.lying { (positions_depth, row) } else { (widest(&self.values), positions_depth) };
        let (title_left, title_below) = if self.lying { (x_title, y_title) } else { (y_title, x_title) };
        self.left = (MARGIN + title_left + depth_left + TICK + TICK_GAP).ceil();
        self.bottom = (foot - 8.0 - title_below - depth_below - TICK - TICK_GAP).floor();
        let right_axis = self.right_values.as_ref().map_or(0.0, |ticks| {
            let title = figure.right.as_ref().map_or(0.0, |axis| title_row(&axis.label));
            widest(ticks) + TICK + TICK_GAP + title
        });
        let overhang = if self.legend.width > 0.0 { 12.0 } else { self.overhang() };
        let beside = self.legend.width + right_axis.max(overhang);
        self.right = (f64::from(self.size.width) - MARGIN - beside).floor();
        Ok(())
    }

    /// How far the last label below the frame reaches beyond its right end.
    fn overhang(&self) -> f64 {
        let font = regular(TICK_FONT);
        let last = match (&self.positions, self.lying) {
            (_, true) => self.values.labels.last().map_or(0.0, |label| font.width(label)),
            (Positions::Numbers(ticks), _) => ticks.labels.last().map_or(0.0, |label| font.width(label)),
            (Positions::Steps(_), _) => 0.0,
        };
        last / 2.0
    }

    fn value_ticks(&self, figure: &Figure, axis: &Axis, side: Side) -> Ticks {
        let ceilings: &[Ceiling] = if side == Side::Left { &self.ceilings } else { &[] };
        let length = if self.lying { self.right - self.left } else { self.bottom - self.top };
        let room = if self.bars { self.bar_label_room(figure) / length } else { HEADROOM };
        let (low, high) = value_ends(figure, axis, side, ceilings, self.bars, room.clamp(HEADROOM, 0.5));
        if self.lying { fitting_ticks(low, high, length) } else { upright_ticks(low, high, length) }
    }

    /// Pixels that the values written at the ends of bars need.
    fn bar_label_room(&self, figure: &Figure) -> f64 {
        let widest = widest(&scale::value_labels(&figure.bar_values()).0, regular(VALUE_FONT));
        let turned = !self.lying && self.bar_thickness(figure) < widest + 2.0;
        if self.lying || turned { widest + 12.0 } else { 20.0 }
    }

    /// Thickness of one bar in pixels.
    pub(super) fn bar_thickness(&self, figure: &Figure) -> f64 {
        const GROUP_SHARE: f64 = 0.78;
        const THICKEST: f64 = 56.0;
        let length = if self.lying { self.bottom - self.top } else { self.right - self.left };
        let slot = length / self.step_count.max(1) as f64;
        let abreast = if matches!(figure.kind, Kind::Stacks(_)) { 1 } else { figure.series.len().max(1) };
        (slot * GROUP_SHARE / abreast as f64).min(THICKEST)
    }

    /// Pixel across the bars where the middle of one is.
    pub(super) fn bar_middle(&self, figure: &Figure, series: usize, x: f64) -> f64 {
        if matches!(figure.kind, Kind::Stacks(_)) {
            return self.position(x);
        }
        let from_middle = series as f64 - (figure.series.len() as f64 - 1.0) / 2.0;
        self.position(x) + from_middle * self.bar_thickness(figure)
    }

    /// Whether a place is inside the frame, or so near that it may be drawn there.
    pub(super) fn holds(&self, (x, y): Place) -> bool {
        const SLACK: f64 = 0.5;
        (self.left - SLACK..=self.right + SLACK).contains(&x)
            && (self.top - SLACK..=self.bottom + SLACK).contains(&y)
    }

    fn position_axis(&self, figure: &Figure) -> Positions {
        match &figure.x.scale {
            Scale::Categories(labels) if self.lying => Positions::Steps(self.lying_labels(labels)),
            Scale::Categories(labels) => {
                let slot = if self.bars {
                    (self.right - self.left) / labels.len().max(1) as f64
                } else {
                    (self.right - self.left - 2.0 * STEP_PAD) / labels.len().saturating_sub(1).max(1) as f64
                };
                Positions::Steps(standing_labels(labels, slot, f64::from(self.size.height) * 0.3, self.bars))
            }
            Scale::Linear { from_zero, limits } => {
                let xs = || figure.series.iter().flat_map(|series| &series.points).map(|point| point.x);
                let (low, high) = match *limits {
                    Some(ends) => ends,
                    None => {
                        let low = xs().fold(f64::INFINITY, f64::min);
                        let high = xs().fold(f64::NEG_INFINITY, f64::max);
                        let floor = *from_zero && low >= 0.0;
                        let pad = (high - if floor { 0.0 } else { low }) * 0.02;
                        (if floor { 0.0 } else { low - pad }, high + pad)
                    }
                };
                Positions::Numbers(fitting_ticks(low, high, self.right - self.left))
            }
        }
    }

    fn lying_labels(&self, labels: &[String]) -> StepLabels {
        let font = regular(TICK_FONT);
        let slot = (self.bottom - self.top) / labels.len().max(1) as f64;
        let lines = ((slot / font.line_height()).floor() as usize).clamp(1, 3);
        let width = f64::from(self.size.width) * 0.3;
        let labels: Vec<Vec<String>> = labels.iter().map(|label| font.wrap(label, width, lines)).collect();
        let depth = labels.iter().map(|lines| widest(lines, font)).fold(0.0, f64::max);
        let every = (font.line_height() / slot).ceil().max(1.0) as usize;
        StepLabels { labels, every, turned: false, depth }
    }

    /// Pixel of a position on the x axis.
    pub(super) fn position(&self, x: f64) -> f64 {
        match &self.positions {
            Positions::Numbers(ticks) => along(ticks, x, self.left, self.right),
            Positions::Steps(_) if self.lying => self.top + self.slot_middle(x) * (self.bottom - self.top),
            Positions::Steps(_) if self.bars || self.step_count < 2 => {
                self.left + self.slot_middle(x) * (self.right - self.left)
            }
            Positions::Steps(_) => {
                let share = x / (self.step_count - 1) as f64;
                self.left + STEP_PAD + share * (self.right - self.left - 2.0 * STEP_PAD)
            }
        }
    }

    fn slot_middle(&self, x: f64) -> f64 {
        (x + 0.5) / self.step_count.max(1) as f64
    }

    /// Pixel of a value of the left axis (of lying bars: along the bottom).
    pub(super) fn value(&self, y: f64) -> f64 {
        if self.lying {
            return along(&self.values, y, self.left, self.right);
        }
        along(&self.values, y, self.bottom, self.top)
    }

    /// Place of a point of a series on this side.
    pub(super) fn place(&self, x: f64, y: f64, side: Side) -> Place {
        let ticks = match (side, &self.right_values) {
            (Side::Right, Some(ticks)) => ticks,
            _ => &self.values,
        };
        (self.position(x), along(ticks, y, self.bottom, self.top))
    }
}

fn along(ticks: &Ticks, value: f64, from: f64, to: f64) -> f64 {
    from + (value - ticks.low) / (ticks.high - ticks.low) * (to - from)
}

pub(super) fn widest(labels: &[String], font: Font) -> f64 {
    labels.iter().map(|label| font.width(label)).fold(0.0, f64::max)
}

fn upright_ticks(low: f64, high: f64, length: f64) -> Ticks {
    const SPACING: f64 = 46.0;
    scale::ticks(low, high, ((length / SPACING) as usize).clamp(2, 10))
}

/// Ticks whose labels fit side by side on `length` pixels.
fn fitting_ticks(low: f64, high: f64, length: f64) -> Ticks {
    let most = ((length / 60.0) as usize).clamp(2, 12);
    for intervals in (2..=most).rev() {
        let ticks = scale::ticks(low, high, intervals);
        let step = length / (ticks.values.len().max(2) - 1) as f64;
        if widest(&ticks.labels, regular(TICK_FONT)) + 16.0 <= step {
            return ticks;
        }
    }
    scale::ticks(low, high, 2)
}

/// Labels under an axis: in one line, else broken, else turned and cut to `room` (bars) or thinned out
/// (curves).
fn standing_labels(labels: &[String], slot: f64, room: f64, bars: bool) -> StepLabels {
    const GAP: f64 = 8.0;
    let font = regular(TICK_FONT);
    let single: Vec<Vec<String>> = labels.iter().map(|label| vec![label.clone()]).collect();
    if widest(labels, font) + GAP <= slot {
        return StepLabels { labels: single, every: 1, turned: false, depth: font.line_height() };
    }
    let whole = |lines: &[String], label: &str| {
        lines.join(" ") == label.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let broken: Vec<Vec<String>> = labels.iter().map(|label| font.wrap(label, slot - GAP, 3)).collect();
    if broken.iter().zip(labels).all(|(lines, label)| whole(lines, label)) {
        let lines = broken.iter().map(Vec::len).max().unwrap_or(1);
        let depth = lines as f64 * font.line_height();
        return StepLabels { labels: broken, every: 1, turned: false, depth };
    }
    if bars {
        let labels: Vec<Vec<String>> = labels.iter().map(|label| vec![font.fit(label, room)]).collect();
        let depth = labels.iter().map(|lines| widest(lines, font)).fold(0.0, f64::max) + 4.0;
        let every = (font.line_height() / slot).ceil().max(1.0) as usize;
        return StepLabels { labels, every, turned: true, depth };
    }
    let every = ((widest(labels, font) + GAP) / slot).ceil().max(1.0) as usize;
    StepLabels { labels: single, every, turned: false, depth: font.line_height() }
}

/// Lowest and highest value of a side, error bars included.
fn value_span(figure: &Figure, side: Side) -> (f64, f64) {
    if matches!(figure.kind, Kind::Stacks(_)) {
        return (0.0, figure.bar_values().into_iter().fold(0.0, f64::max));
    }
    let points = figure.series.iter().filter(|series| series.side == side).flat_map(|s| &s.points);
    points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
        let error = point.error.unwrap_or(0.0);
        (low.min(point.y - error), high.max(point.y + error))
    })
}

/// The ends of a value axis: the data, zero and levels if wanted, and `room` as a share of the axis.
fn value_ends(
    figure: &Figure,
    axis: &Axis,
    side: Side,
    ceilings: &[Ceiling],
    bars: bool,
    room: f64,
) -> (f64, f64) {
    let Scale::Linear { from_zero, limits } = axis.scale else { return (0.0, 1.0) };
    if let Some(ends) = limits {
        return ends;
    }
    let (mut low, mut high) = value_span(figure, side);
    if low > high {
        return (0.0, 1.0);
    }
    for ceiling in ceilings {
        low = low.min(ceiling.value);
        high = high.max(ceiling.value);
    }
    let zero = from_zero || bars;
    if zero {
        low = low.min(0.0);
        high = high.max(0.0);
    }
    let pad = (high - low) * room / (1.0 - room);
    let padded_low = if zero && low == 0.0 { 0.0 } else { low - pad };
    let padded_high = if zero && high == 0.0 { 0.0 } else { high + pad };
    (padded_low, padded_high)
}

/// The levels to draw, and a text naming those that lie beyond the axis.
fn reachable(figure: &Figure) -> (Vec<Ceiling>, String) {
    let (from_zero, limits) = match figure.y.scale {
        Scale::Linear { from_zero, limits } => (from_zero, limits),
        Scale::Categories(_) => (true, None),
    };
    let zero = from_zero || figure.kind.orientation().is_some();
    let (_, high) = value_span(figure, Side::Left);
    let within = |ceiling: &&Ceiling| match limits {
        Some((low, high)) => (low..=high).contains(&ceiling.value),
        None => !zero || high <= 0.0 || ceiling.value <= high * CEILING_REACH,
    };
    let drawn: Vec<Ceiling> = figure.ceilings.iter().filter(within).cloned().collect();
    let named: Vec<String> = figure
        .ceilings
        .iter()
        .filter(|ceiling| !within(ceiling))
        .map(|ceiling| {
            let below = limits.is_some_and(|(low, _)| ceiling.value < low);
            let arrow = if below { '↓' } else { '↑' };
            let decimals = if ceiling.value.fract() == 0.0 { 0 } else { 1 };
            format!("{arrow} {}: {}", ceiling.label, scale::thousands(ceiling.value, decimals))
        })
        .collect();
    (drawn, named.join("    "))
}
