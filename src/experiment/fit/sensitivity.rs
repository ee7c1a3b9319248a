//! How far each parameter can be moved, alone, from the found values before a chosen claim flips.

use serde::Serialize;

use super::super::claims::Verdict;
use super::super::pool::{Progress, RunError};
use super::objective::{Evaluation, Objective, Phase};

/// How far one parameter can be moved one way.
///
/// Found by halving the interval between the found value and the end of the range, so one flip is found, not
/// necessarily the nearest if there are several.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reach {
    /// The parameter's number, from 0.
    pub parameter: usize,
    /// Whether it is moved upwards.
    pub up: bool,
    /// The furthest value tried at which every chosen claim comes out as at the found values.
    pub holds_to: f64,
    /// The nearest value tried, beyond it, at which one does not; none if the whole range is free.
    pub flips_at: Option<f64>,
    /// The claims that come out otherwise there, and how.
    pub flips: Vec<(String, Verdict)>,
    /// Why no machine can be built there, if that is so.
    pub refused: Option<String>,
}

/// Moves each parameter downwards and upwards from evaluation number `best`.
pub(super) fn reaches<P: Progress>(
    objective: &mut Objective<'_, P>,
    best: usize,
) -> Result<Vec<Reach>, RunError> {
    let mut found = Vec::new();
    let count = objective.fit.parameters.len();
    if objective.fit.spec.sensitivity_evaluations == 0 || objective.evaluations[best].refused.is_some() {
        return Ok(found);
    }
    for (parameter, up) in (0..count).flat_map(|parameter| [(parameter, false), (parameter, true)]) {
        found.extend(reach(objective, best, parameter, up)?);
    }
    Ok(found)
}

fn reach<P: Progress>(
    objective: &mut Objective<'_, P>,
    best: usize,
    parameter: usize,
    up: bool,
) -> Result<Option<Reach>, RunError> {
    let axis = objective.fit.parameters[parameter].axis;
    let values = objective.evaluations[best].values.clone();
    let (mut holds_to, mut beyond) = (values[parameter], if up { axis.to } else { axis.from });
    if (up && beyond <= holds_to) || (!up && beyond >= holds_to) {
        return Ok(None);
    }
    let moved = |objective: &mut Objective<'_, P>, value: f64| {
        let mut values = values.clone();
        values[parameter] = value;
        objective.at(&values, Phase::Sensitivity)
    };
    let mut last = moved(objective, beyond)?;
    if flips(&objective.evaluations[best], &objective.evaluations[last]).is_none() {
        let whole =
            Reach { parameter, up, holds_to: beyond, flips_at: None, flips: Vec::new(), refused: None };
        return Ok(Some(whole));
    }
    for _ in 1..objective.fit.spec.sensitivity_evaluations {
        let Some(middle) = axis.between(holds_to, beyond) else { break };
        let number = moved(objective, middle)?;
        match flips(&objective.evaluations[best], &objective.evaluations[number]) {
            None => holds_to = middle,
            Some(_) => (beyond, last) = (middle, number),
        }
    }
    let there = &objective.evaluations[last];
    let flips = flips(&objective.evaluations[best], there).unwrap_or_default();
    let refused = there.refused.clone();
    Ok(Some(Reach { parameter, up, holds_to, flips_at: Some(beyond), flips, refused }))
}

/// The claims that come out otherwise; none at all if there is no difference. Where no machine can be built there is
/// one, and no claim came out.
fn flips(here: &Evaluation, there: &Evaluation) -> Option<Vec<(String, Verdict)>> {
    let pairs = here.claims.iter().zip(&there.claims);
    let flipped: Vec<_> = pairs
        .filter(|(here, there)| here.verdict != there.verdict)
        .map(|(_, there)| (there.id.clone(), there.verdict))
        .collect();
    (there.refused.is_some() || !flipped.is_empty()).then_some(flipped)
}
