//! The answer in words: which side holds an array back, in figures.

use std::collections::BTreeSet;

use super::tables::{interval_in_words, value_in_words};
use super::{Explained, Explanation, Part, Stage};
use crate::config::Provenance;
use crate::raid::Level;
use crate::results::markdown::figure;
use crate::scenario::{Scenario, tables};
use crate::units::Span;

/// A gain below this is no blame.
const MATTERS: f64 = 1.05;
/// Arrays that a paragraph goes into, those with most members.
const ARRAYS: usize = 3;

impl Explanation {
    /// For each load two paragraphs: which of software, card and drives is to blame; then how fast the arrays are, and would
    /// be with each of them ideal. Empty if no blame was wanted.
    pub fn paragraphs(&self) -> Vec<String> {
        if self.blame.rows.is_empty() {
            return Vec::new();
        }
        let mut loads: Vec<(String, Vec<&Explained>)> = Vec::new();
        for point in &self.points {
            let load = load_in_words(&self.scenario, point);
            match loads.iter_mut().find(|(known, _)| *known == load) {
                Some((_, points)) => points.push(point),
                None => loads.push((load, vec![point])),
            }
        }
        let of_loads = loads.iter().flat_map(|(load, points)| answer(&self.scenario, load, points));
        of_loads.chain(foundations(&self.scenario)).collect()
    }
}

/// Stages are only explained where they take a hundredth of some response time.
const NOTED: u64 = 100;

impl Explanation {
    /// What a reader may take wrongly: waits for a cable that one drive has for itself, and what ± means.
    pub fn notes(&self) -> Vec<String> {
        let waits = |explained: &&Explained| {
            let (response, stages) = explained.totals.means(Span::from_ps(1));
            stages[Stage::CableWait as usize].saturating_mul(NOTED) > response
        };
        let alone = |explained: &&Explained| drives_are_alone(&self.scenario, &explained.point.array);
        let mut notes = Vec::new();
        if self.points.iter().filter(waits).any(|explained| alone(&explained)) {
            notes.push(
                "Cable wait is the time until a command has its cable, which serves one at a time from its start to its \
                 end. Where a drive is alone on its cable these are its own earlier commands: the queue in front of \
                 the drive, not a lack of bandwidth."
                    .to_owned(),
            );
        }
        if self.scenario.run.replications > 1 {
            notes.push("± is half of a 95 % interval over the runs of a point.".to_owned());
        }
        notes
    }
}

/// Whether each member of an array has its cable for itself.
fn drives_are_alone(scenario: &Scenario, array: &str) -> bool {
    let Some(array) = scenario.arrays.iter().find(|known| known.id == array) else { return false };
    let members = || scenario.drives.iter().filter(|drive| array.members.contains(&drive.id));
    members().all(|drive| members().filter(|other| other.channel == drive.channel).count() == 1)
}

/// What the shares rest on: figures of the models that were fitted and not found in a document.
fn foundations(scenario: &Scenario) -> Option<String> {
    let Scenario { host, driver, bus, controller, drives, .. } = scenario;
    let parts = [
        ("host", &host.sources),
        ("driver", &driver.sources),
        ("bus", &bus.sources),
        ("controller", &controller.sources),
    ];
    let drives = drives.iter().map(|drive| ("drive", &drive.model.sources));
    let fitted: BTreeSet<String> = parts
        .into_iter()
        .chain(drives)
        .flat_map(|(part, sources)| sources.iter().map(move |(field, source)| (part, field, source)))
        .filter(|(.., source)| matches!(source, Provenance::Fitted(_)))
        .map(|(part, field, _)| format!("{part}.{field}"))
        .collect();
    let list = fitted.into_iter().collect::<Vec<_>>().join(", ");
    (!list.is_empty())
        .then(|| format!("Shares are as good as what they rest on; fitted, and so least certain: {list}."))
}

/// All parameters of a point but its array.
fn load_in_words(scenario: &Scenario, explained: &Explained) -> String {
    let columns = tables::parameter_columns(scenario);
    let cells = tables::parameters(scenario, &explained.point);
    let named = columns.iter().zip(&cells);
    let words = named.filter(|(column, cell)| *column != "array" && **cell != crate::results::Cell::Empty);
    words.map(|(column, cell)| value_in_words(column, cell)).collect::<Vec<_>>().join(", ")
}

fn members(scenario: &Scenario, explained: &Explained) -> (usize, bool) {
    let array = scenario.arrays.iter().find(|array| array.id == explained.point.array);
    array.map_or((0, false), |array| (array.members.len(), array.raid.level == Level::Single))
}

/// The answer, and the figures behind it.
fn answer(scenario: &Scenario, load: &str, points: &[&Explained]) -> [String; 2] {
    let single = points.iter().find(|point| members(scenario, point).1).copied();
    let mut arrays: Vec<&Explained> =
        points.iter().filter(|point| !members(scenario, point).1).copied().collect();
    // The widest arrays have most to explain; of equals the first.
    arrays.sort_by_key(|point| std::cmp::Reverse(members(scenario, point).0));
    arrays.truncate(ARRAYS);
    arrays.reverse();
    if arrays.is_empty() {
        arrays.extend(single);
    }
    let verdicts: Vec<String> = arrays.iter().map(|array| blame(array)).collect();
    let other = |array: &&Explained| single.filter(|single| !std::ptr::eq(*single, *array));
    let figures: Vec<String> = arrays.iter().map(|array| of_array(array, other(array))).collect();
    [format!("{load}: {}", verdicts.join(" ")), figures.join(" ")]
}

/// What one array does, and would do.
fn of_array(array: &Explained, single: Option<&Explained>) -> String {
    let times = |part: Option<Part>| single.map(|single| array.mib_s(part) / single.mib_s(part));
    let scaling = |part| times(part).map_or(String::new(), |n| format!(", {} times one drive", figure(n, 3)));
    let mut text =
        format!("{} moves {} MiB/s{}", array.point.array, figure(array.mib_s(None), 4), scaling(None));
    let sides = Part::SIDES.map(|side| {
        let with = match side {
            Part::Software => "under ideal software (driver and processor)",
            Part::Card => "with an ideal card (bus, controller and cables)",
            _ => "with ideal drives",
        };
        format!("{with} {}{}", figure(array.mib_s(Some(side)), 4), scaling(Some(side)))
    });
    text += &format!("; {}.", sides.join("; "));
    text
}

/// Who holds an array back.
fn blame(array: &Explained) -> String {
    let name = |side: Part| match side {
        Part::Software => "the software",
        Part::Card => "the card",
        _ => "the drives",
    };
    let mut sides = Part::SIDES.map(|side| (side, array.gain(side)));
    sides.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    let gains = sides.iter().map(|(side, gain)| {
        let ratio = gain.half_width.map_or(figure(gain.mean, 3), |half| interval_in_words(gain.mean, half));
        format!("{} x{ratio}", name(*side))
    });
    let gains = gains.collect::<Vec<_>>().join(", ");
    // A ratio of which the interval holds 1 proves nothing.
    let proven = |gain: &crate::stats::Estimate| gain.mean >= MATTERS && gain.holds(1.0) != Some(true);
    let guilty: Vec<&str> =
        sides.iter().filter(|(_, gain)| proven(gain)).map(|(side, _)| name(*side)).collect();
    let mut parts = Part::SINGLE.map(|part| (part, array.gain(part)));
    parts.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    let single = match parts.first() {
        Some((part, gain)) if proven(gain) => {
            format!(" Of single parts the {} costs most: x{} without it.", part.name(), figure(gain.mean, 3))
        }
        _ => " No single part costs as much as 5 %.".to_owned(),
    };
    let array = &array.point.array;
    let verdict = match guilty.as_slice() {
        [] => format!("nothing alone holds {array} back by 5 % or more"),
        [only] => format!("what holds {array} back is {only} alone"),
        [first, rest @ ..] => {
            format!("what holds {array} back is {first} first, then {}", rest.join(", then "))
        }
    };
    let verdict = verdict[..1].to_uppercase() + &verdict[1..];
    format!("{verdict} (gain when ideal: {gains}).{single}")
}
