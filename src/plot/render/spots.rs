//! Where the points of a drawn figure are, for readers that point at them.

use super::Size;
use super::canvas::Place;
use super::layout::Layout;
use crate::plot::error::PlotError;
use crate::plot::figure::{Figure, Kind, Series};

/// Half the side of the box around a marker, in pixels: more than the marker, so that it can be hit.
const REACH: f64 = 9.0;

/// The place of a point on a picture of [`render_svg`](super::render_svg), in pixels at scale 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Index of its series.
    pub series: usize,
    /// Index of the point in its series.
    pub point: usize,
    /// Upper left corner of the box that stands for it: around a marker, or a whole bar.
    pub from: (f64, f64),
    /// Lower right corner.
    pub to: (f64, f64),
}

/// The places of all points of a figure that lie inside its frame, in drawing order.
///
/// # Errors
/// As [`render_svg`](super::render_svg).
pub fn spots(figure: &Figure, size: Size) -> Result<Vec<Spot>, PlotError> {
    figure.check()?;
    size.check()?;
    let layout = Layout::of(figure, size)?;
    let mut found = Vec::new();
    for (index, series) in figure.series.iter().enumerate() {
        for point in 0..series.points.len() {
            let corners = match figure.kind {
                Kind::Curves => marker(&layout, series, point),
                Kind::Bars { .. } | Kind::Stacks(_) => Some(bar(&layout, figure, index, point)),
            };
            found.extend(corners.map(|(from, to)| Spot { series: index, point, from, to }));
        }
    }
    Ok(found)
}

fn marker(layout: &Layout, series: &Series, point: usize) -> Option<(Place, Place)> {
    let point = series.points[point];
    let (x, y) = layout.place(point.x, point.y, series.side);
    let inside = layout.holds((x, y));
    inside.then_some(((x - REACH, y - REACH), (x + REACH, y + REACH)))
}

fn bar(layout: &Layout, figure: &Figure, series: usize, point: usize) -> (Place, Place) {
    let point = figure.series[series].points[point];
    let half = layout.bar_thickness(figure) / 2.0;
    let middle = layout.bar_middle(figure, series, point.x);
    let (low, high) = if layout.lying { (layout.left, layout.right) } else { (layout.top, layout.bottom) };
    let foot = figure.bar_base(series, point.x);
    let [base, end] = [foot, foot + point.y].map(|value| layout.value(value).clamp(low, high));
    let (near, far) = (base.min(end), base.max(end));
    if layout.lying {
        return ((near, middle - half), (far, middle + half));
    }
    ((middle - half, near), (middle + half, far))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::figure::{Axis, BarColours, Orientation, Point};
    use crate::plot::theme;

    fn figure(kind: Kind) -> Figure {
        let style = theme::styles(&["a"])[0];
        Figure {
            title: "t".to_owned(),
            subtitle: String::new(),
            caption: String::new(),
            kind,
            x: Axis::categories("x", "x", ["one", "two"]),
            y: Axis::linear("y", "y", true),
            right: None,
            series: vec![Series::line("a", style, vec![Point::new(0.0, 10.0), Point::new(1.0, 5.0)])],
            ceilings: Vec::new(),
        }
    }

    #[test]
    fn a_spot_lies_on_the_marker_that_is_drawn() {
        let figure = figure(Kind::Curves);
        let size = Size::default();
        let svg = super::super::render_svg(&figure, size).unwrap();
        let spots = spots(&figure, size).unwrap();
        assert_eq!(spots.len(), 2);
        // Markers of this style are discs; the sheet has ten units a pixel.
        for spot in spots {
            let tenths = |from: f64, to: f64| ((from + to) * 5.0).round();
            let (x, y) = (tenths(spot.from.0, spot.to.0), tenths(spot.from.1, spot.to.1));
            assert!(svg.contains(&format!("cx=\"{x}\" cy=\"{y}\"")), "{x} {y}");
        }
    }

    #[test]
    fn the_spot_of_a_bar_covers_it_standing_and_lying() {
        for orientation in [Orientation::Vertical, Orientation::Horizontal] {
            let spots =
                spots(&figure(Kind::Bars { orientation, colours: BarColours::Series }), Size::default())
                    .unwrap();
            let length = |spot: &Spot| match orientation {
                Orientation::Vertical => spot.to.1 - spot.from.1,
                Orientation::Horizontal => spot.to.0 - spot.from.0,
            };
            assert!((length(&spots[0]) / length(&spots[1]) - 2.0).abs() < 1e-9, "{orientation:?}");
        }
    }

    #[test]
    fn the_pieces_of_a_stack_have_spots_that_follow_each_other() {
        let mut figure = figure(Kind::Stacks(Orientation::Horizontal));
        figure.series.push(figure.series[0].clone());
        let spots = spots(&figure, Size::default()).unwrap();
        assert_eq!(
            (spots[0].to.0, spots[0].from.1, spots[0].to.1),
            (spots[2].from.0, spots[2].from.1, spots[2].to.1)
        );
        assert!((spots[2].to.0 - spots[2].from.0 - (spots[0].to.0 - spots[0].from.0)).abs() < 1e-9);
    }

    #[test]
    fn points_outside_the_frame_have_no_spot() {
        let mut figure = figure(Kind::Curves);
        figure.y.scale = crate::plot::figure::Scale::Linear { from_zero: true, limits: Some((0.0, 6.0)) };
        let spots = spots(&figure, Size::default()).unwrap();
        assert_eq!(spots.iter().map(|spot| spot.point).collect::<Vec<_>>(), [1]);
    }
}
