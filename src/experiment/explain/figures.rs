//! An explanation as figures.

use super::{Explanation, Part, Stage};
use crate::plot::theme::{Marker, Style};
use crate::plot::{Axis, BarColours, Ceiling, Figure, Kind, Mark, Orientation, Point, Series, Side};
use crate::scenario::tables;
use crate::units::Span;

/// The look of a stage, the same in every figure: a colour a resource, pale where the request only waits for it.
fn style(stage: Stage) -> Style {
    let (colour, waits) = match stage {
        Stage::Host => (7, false),
        Stage::HostWait => (7, true),
        Stage::DriverQueue => (12, true),
        Stage::CableWait => (1, true),
        Stage::MateWait => (6, true),
        Stage::Command => (8, false),
        Stage::DriveOverhead => (9, false),
        Stage::MechanismWait => (10, true),
        Stage::CacheWait => (5, true),
        Stage::Seek => (4, false),
        Stage::Rotation => (3, false),
        Stage::Media => (2, false),
        Stage::BusWait => (11, true),
        Stage::BusTransfer => (11, false),
        Stage::Controller => (0, false),
        Stage::CableTransfer => (1, false),
        Stage::Interrupt => (13, false),
    };
    Style { colour, dash: waits, marker: Marker::Square }
}

fn series(label: &str, style: Style, points: Vec<Point>) -> Series {
    Series { label: label.to_owned(), mark: Mark::Points, side: Side::Left, style, points }
}

impl Explanation {
    /// Where the time goes: a bar a point, a piece of it a stage. Stages that take less than a thousandth everywhere
    /// are drawn, but not named.
    pub fn stages_figure(&self) -> Figure {
        let labels: Vec<String> = self.points.iter().map(|point| point.label.clone()).collect();
        let means: Vec<_> = self.points.iter().map(|point| point.totals.means(Span::from_ps(1))).collect();
        let of_stage = |stage: Stage| {
            let of_point = |(place, (_, stages)): (usize, &(u64, [u64; Stage::ALL.len()]))| {
                Point::new(place as f64, Span::from_ps(stages[stage as usize]).as_ms())
            };
            let points: Vec<Point> = means.iter().enumerate().map(of_point).collect();
            let named = means.iter().any(|(response, stages)| stages[stage as usize] * 1000 > *response);
            let taken = points.iter().any(|point| point.y > 0.0);
            taken.then(|| series(if named { stage.name() } else { "" }, style(stage), points))
        };
        self.signed(Figure {
            title: format!("Where the time goes: {}", self.scenario.title),
            subtitle: self.subtitle(),
            caption: String::new(),
            kind: Kind::Stacks(Orientation::Horizontal),
            x: Axis::categories("point", "", labels),
            y: Axis::linear("response_ms", "mean response time, ms", true),
            right: None,
            series: Stage::ALL.into_iter().filter_map(of_stage).collect(),
            ceilings: Vec::new(),
        })
    }

    /// What each part costs: a group of bars a part, a bar a point. None if no blame was wanted.
    pub fn blame_figure(&self) -> Option<Figure> {
        if self.blame.rows.is_empty() {
            return None;
        }
        let labels: Vec<&str> = self.points.iter().map(|point| point.label.as_str()).collect();
        let of_point = |(explained, style): (&super::Explained, Style)| {
            let of_part = |(place, part): (usize, Part)| {
                let gain = explained.gain(part);
                let point = Point { x: place as f64, y: gain.mean, error: gain.half_width };
                gain.mean.is_finite().then_some(point)
            };
            series(&explained.label, style, Part::all().enumerate().filter_map(of_part).collect())
        };
        let styles = crate::plot::theme::styles(&labels);
        Some(self.signed(Figure {
            title: format!("What each part costs: {}", self.scenario.title),
            subtitle: "throughput with the part made ideal, in ratio to that as it is".to_owned(),
            caption: String::new(),
            kind: Kind::Bars { orientation: Orientation::Horizontal, colours: BarColours::Series },
            x: Axis::categories("part", "", Part::all().map(Part::name)),
            y: Axis::linear("ratio", "ratio", true),
            right: None,
            series: self.points.iter().zip(styles).map(of_point).collect(),
            ceilings: vec![Ceiling { label: "as it is".to_owned(), value: 1.0 }],
        }))
    }

    /// What all points have in common, in words.
    pub fn subtitle(&self) -> String {
        let columns = tables::parameter_columns(&self.scenario);
        let rows: Vec<_> =
            self.points.iter().map(|point| tables::parameters(&self.scenario, &point.point)).collect();
        let Some(first) = rows.first() else { return String::new() };
        let same = |at: &usize| {
            rows.iter().all(|row| row[*at] == first[*at]) && first[*at] != crate::results::Cell::Empty
        };
        let words =
            (0..columns.len()).filter(same).map(|at| super::tables::value_in_words(&columns[at], &first[at]));
        words.collect::<Vec<_>>().join(", ")
    }

    fn signed(&self, mut figure: Figure) -> Figure {
        super::super::sign(&mut figure, &[&self.scenario]);
        figure
    }
}
