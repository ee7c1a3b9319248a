//! The true angles of a drive's tracks, with slipped tracks and without.

use super::anchor::Surface;
use super::apply::{range_cylinders, with_skews, with_turn};
use super::sight::Sight;
use super::skews::{resultant, skews};
use super::slips::slipped;
use super::sureness::{Sure, skew_figures};
use crate::drive::DriveSpec;

/// A model with the angles of its tracks.
pub(super) struct Angles {
    /// The model.
    pub spec: DriveSpec,
    /// How well pairs of completions agree with them, and how sure they are.
    pub sure: Sure,
    /// Slipped tracks that were found, and how closely their places are known, in tracks.
    pub slips: Option<(usize, f64)>,
}

/// The model with the true time of a turn and the true angles of its tracks, without slips that are not listed and,
/// where such show, with them.
pub(super) fn angles(start: &DriveSpec, surface: &Surface, seen: &Sight) -> (Angles, Option<Angles>) {
    let range = range_cylinders(start);
    let (sightings, turn_ms) = (seen.sightings(surface), seen.clock.turn_ms);
    let fits = skews(&sightings, start.zones.len(), turn_ms, range);
    let turned = with_skews(start, surface, &fits);
    let angles = |spec: &DriveSpec, mut seen: Sight, slips| {
        let surface = Surface::new(spec);
        let phase = seen.refine(&surface);
        let turn_ms = seen.clock.turn_ms;
        let sightings = seen.sightings(&surface);
        let resultant = resultant(&sightings, spec.zones.len(), turn_ms, range);
        let skews = skew_figures(spec, &surface, &sightings, turn_ms);
        let spec = with_turn(spec, turn_ms, phase);
        Angles { spec, sure: Sure { resultant, turn_interval: seen.turn_interval, skews }, slips }
    };
    let found = slipped(start, surface, &sightings, turn_ms)
        .map(|found| angles(&found.spec, seen.clone(), Some((found.between.len(), found.within_tracks))));
    (angles(&turned, seen.clone(), None), found)
}
