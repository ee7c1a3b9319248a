//! Series that lie on each other.
//!
//! One rule for all: a series that later ones cover is drawn wider than they are, once for each that lies over the other,
//! so that it shows at both sides of them.

use super::canvas::Place;
use super::curves::{MANY, staircase};
use super::layout::Layout;
use crate::plot::figure::{Figure, Mark};

/// Lines closer than this look like one, in pixels.
const NEAR: f64 = 2.0;
/// A series is covered if more of its points than this share lie on another.
const SHARE: f64 = 0.5;
/// The most series that one may lie below and still be drawn wider for it: wider ones would hide what is near them.
pub(super) const DEEPEST: usize = 3;

/// How many series lie over each series, counted along the longest pile.
pub(super) fn depths(figure: &Figure, layout: &Layout) -> Vec<usize> {
    let drawn: Vec<(Vec<Place>, Vec<Place>)> = figure
        .series
        .iter()
        .map(|series| {
            let points: Vec<Place> =
                series.points.iter().map(|point| layout.place(point.x, point.y, series.side)).collect();
            let line = match series.mark {
                Mark::Steps => staircase(&points),
                Mark::Line => points.clone(),
                // A cloud hides nothing that it was not meant to.
                Mark::Points if points.len() > MANY => Vec::new(),
                Mark::Points => points.iter().flat_map(|&place| [place, place]).collect(),
            };
            (points, line)
        })
        .collect();
    let mut depths = vec![0; drawn.len()];
    for below in (0..drawn.len()).rev() {
        let covers = |above: &usize| is_covered(&drawn[below].0, &drawn[*above].1, layout);
        let over = (below + 1..drawn.len()).filter(covers).map(|above| depths[above] + 1).max();
        depths[below] = over.unwrap_or(0).min(DEEPEST);
    }
    depths
}

/// Whether most of `points` lie on the line through `places`.
fn is_covered(points: &[Place], places: &[Place], layout: &Layout) -> bool {
    let seen: Vec<Place> = points.iter().copied().filter(|&place| layout.holds(place)).collect();
    let on =
        seen.iter().filter(|&&place| places.windows(2).any(|pair| distance(place, pair[0], pair[1]) < NEAR));
    !seen.is_empty() && on.count() as f64 > SHARE * seen.len() as f64
}

/// Distance of a place from a straight line between two others.
fn distance(place: Place, from: Place, to: Place) -> f64 {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let square = across * across + down * down;
    let along = ((place.0 - from.0) * across + (place.1 - from.1) * down) / square;
    // Of a line without length every part is its start.
    let share = if square > 0.0 { along.clamp(0.0, 1.0) } else { 0.0 };
    let (x, y) = (from.0 + share * across - place.0, from.1 + share * down - place.1);
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::{Size, samples};
    use super::*;
    use crate::plot::figure::Axis;

    fn depths_of(rows: &[(&str, Vec<f64>)]) -> Vec<usize> {
        let x = Axis::categories("x", "x", ["1", "2", "3", "4"]);
        let figure = samples::lines("t", x, Axis::linear("y", "y", true), rows);
        depths(&figure, &Layout::of(&figure, Size::default()).unwrap())
    }

    #[test]
    fn a_series_is_as_deep_as_the_pile_over_it() {
        let flat = vec![10.0, 20.0, 30.0, 40.0];
        let apart = vec![1.0, 2.0, 3.0, 4.0];
        assert_eq!(depths_of(&[("a", flat.clone()), ("b", apart.clone()), ("c", flat.clone())]), [1, 0, 0]);
        let pile: Vec<(&str, Vec<f64>)> = ["a", "b", "c", "d", "e"].map(|name| (name, flat.clone())).into();
        assert_eq!(depths_of(&pile), [3, 3, 2, 1, 0]);
        // One that covers the first half and one that covers the second half do not lie on each other.
        let (mut first, mut last) = (flat.clone(), flat.clone());
        (first[3], last[0]) = (1.0, 39.0);
        (last[1]) = 39.0;
        assert_eq!(depths_of(&[("a", flat), ("b", first), ("c", last)]), [1, 0, 0]);
    }

    #[test]
    fn lines_that_only_cross_are_drawn_alike() {
        let rows = [("a", vec![0.0, 10.0, 20.0, 30.0]), ("b", vec![30.0, 20.0, 10.0, 0.0])];
        assert_eq!(depths_of(&rows), [0, 0]);
    }
}
