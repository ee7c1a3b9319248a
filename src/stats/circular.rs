//! Directions: figures that come round again after one turn.
//!
//! Mardia and Jupp, "Directional Statistics", 2000, chapter 2. All angles are in turns.

use std::f64::consts::TAU;

/// A sum of unit vectors, and so their mean direction and how well they agree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Directions {
    cos: f64,
    sin: f64,
    weight: f64,
}

impl Directions {
    /// Adds a direction, in turns.
    pub fn add(&mut self, turns: f64) {
        self.add_weighted(turns, 1.0);
    }

    /// Adds a direction that counts `weight` times.
    pub fn add_weighted(&mut self, turns: f64, weight: f64) {
        let (sin, cos) = (turns * TAU).sin_cos();
        self.cos += weight * cos;
        self.sin += weight * sin;
        self.weight += weight;
    }

    /// The sum of weights.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The mean direction, -0.5 to 0.5 turns; none of nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sin.atan2(self.cos) / TAU)
    }

    /// The mean resultant length: 1 if all directions are the same, near 0 if they know nothing of each other; 0 of
    /// nothing.
    pub fn resultant(&self) -> f64 {
        if self.weight > 0.0 { self.cos.hypot(self.sin) / self.weight } else { 0.0 }
    }

    /// The part of the resultant that lies along `turns`: the mean cosine of the differences from it.
    pub fn along(&self, turns: f64) -> f64 {
        let (sin, cos) = (turns * TAU).sin_cos();
        if self.weight > 0.0 { (self.cos * cos + self.sin * sin) / self.weight } else { 0.0 }
    }
}

impl FromIterator<f64> for Directions {
    fn from_iter<I: IntoIterator<Item = f64>>(turns: I) -> Self {
        turns.into_iter().fold(Directions::default(), |mut sum, turns| {
            sum.add(turns);
            sum
        })
    }
}

/// The same direction as `turns`, at least -0.5 and below 0.5.
pub fn wrapped(turns: f64) -> f64 {
    turns - (turns + 0.5).floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_directions_on_both_sides_of_the_cut_lies_at_the_cut() {
        let around: Directions = [0.49, -0.49, 1.5, 0.5].into_iter().collect();
        assert!((around.mean().unwrap().abs() - 0.5).abs() < 1e-12);
        assert!(around.resultant() > 0.99);
        assert!((around.along(0.5) - around.resultant()).abs() < 1e-12);
    }

    #[test]
    fn opposite_directions_cancel() {
        let both: Directions = [0.0, 0.5].into_iter().collect();
        assert!(both.resultant() < 1e-12);
        assert_eq!(Directions::default().mean(), None);
    }

    #[test]
    fn wrapping_keeps_the_direction() {
        for (turns, wanted) in [(0.75, -0.25), (-0.5, -0.5), (0.5, -0.5), (3.25, 0.25), (-1.75, 0.25)] {
            assert!((wrapped(turns) - wanted).abs() < 1e-12, "{turns}");
        }
    }
}
