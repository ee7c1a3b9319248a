//! Files of seek curves: lines of distance and time, as DIXtrac writes them.

use super::tree::{Files, Spot};
use crate::config::{Diagnostic, Source};

/// Longest seek that is believed.
pub(super) const SEEK_MS_MAX: f64 = 60.0;
/// A fall to less than this part of the time before is no noise of measuring.
const FALL: f64 = 0.5;
/// A longest seek of less than this part of the longest time is none.
const LONGEST: f64 = 0.9;

/// What stands before the number of points in the first line of a curve file.
const COUNT: &str = "Seek distances measured:";
const COUNT_FORM: &str =
    "write `Seek distances measured: N` with the number of points, or leave the line out";

/// The points of a curve file.
pub(super) struct Curve {
    files: Files,
    /// By distance, each once.
    points: Vec<Point>,
    /// The first line whose distance does not follow those before it.
    unordered: Option<Spot>,
    /// The line that counts the points, and its number.
    stated: Option<(Spot, usize)>,
    /// Points in the file.
    lines: usize,
    /// The last line, if nothing ends it.
    open: Option<Spot>,
}

struct Point {
    distance: u32,
    read_ms: f64,
    deviation: Option<f64>,
    write_ms: Option<f64>,
    spot: Spot,
}

impl Curve {
    /// Reads lines of `distance, ms` with, in some files, a standard deviation and the time of writes behind them; the
    /// first line may count the points.
    pub(super) fn read(source: Source) -> Result<Curve, Vec<Diagnostic>> {
        let mut files = Files::default();
        files.add(source);
        let (mut points, mut unordered, mut stated): (Vec<Point>, _, _) = (Vec::new(), None, None);
        let mut faults = Vec::new();
        let text = files.get(0).text.as_str();
        let mut at = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let start = at;
            at += line.len();
            let content = line.trim();
            let spot = Spot::new(0, start, start + line.trim_end().len());
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            if index == 0 && content.starts_with("Seek distances") {
                let count = content.strip_prefix(COUNT).and_then(|count| count.trim().parse().ok());
                match count {
                    Some(count) => stated = Some((spot, count)),
                    None => faults.push(files.fault(spot, "this counts no points").with_remedy(COUNT_FORM)),
                }
                continue;
            }
            match point(content, spot) {
                Some(point) => {
                    if points.last().is_some_and(|last| last.distance >= point.distance) {
                        unordered.get_or_insert(spot);
                    }
                    points.push(point);
                }
                None if faults.len() < 20 => {
                    let fault = files.fault(spot, "this is no point of a seek curve");
                    let form = format!("write `cylinders, milliseconds`, from 0 to {SEEK_MS_MAX} ms");
                    faults.push(fault.with_remedy(form));
                }
                None => break,
            }
        }
        if points.is_empty() && faults.is_empty() {
            let fault = files.fault(Spot::new(0, 0, 0), "there is no point in this seek curve");
            faults.push(fault.with_remedy("write a line of `cylinders, milliseconds` for each distance"));
        }
        let lines = points.len();
        let open = points.last().map(|point| point.spot).filter(|_| !text.ends_with('\n'));
        points.sort_by_key(|point| point.distance);
        points.dedup_by_key(|point| point.distance);
        if let (Some(first), Some(last)) = (points.first(), points.last())
            && last.read_ms < first.read_ms
        {
            let message = format!(
                "the longest seek, over {} cylinders, takes {} ms, and the shortest, over {}, takes {} ms",
                last.distance, last.read_ms, first.distance, first.read_ms
            );
            let remedy =
                "a curve rises with the distance: is a digit missing, or are the columns in another order?";
            faults.push(files.fault(last.spot, message).with_remedy(remedy));
        }
        if faults.is_empty() {
            Ok(Curve { files, points, unordered, stated, lines, open })
        } else {
            Err(faults)
        }
    }

    /// The times of reads by distance.
    pub(super) fn reads_ms(&self) -> Vec<(u32, f64)> {
        self.points.iter().map(|point| (point.distance, point.read_ms)).collect()
    }

    /// The times of writes by distance; none if the file has none.
    pub(super) fn writes_ms(&self) -> Vec<(u32, f64)> {
        self.points.iter().filter_map(|point| Some((point.distance, point.write_ms?))).collect()
    }

    /// Whether standard deviations are stated.
    pub(super) fn has_deviations(&self) -> bool {
        self.points.iter().any(|point| point.deviation.is_some_and(|ms| ms != 0.0))
    }

    /// What is odd about it, for a drive of so many cylinders.
    pub(super) fn doubts(&self, cylinders: u32) -> Vec<String> {
        let mut told = Vec::new();
        let mut warn = |spot: Spot, message: String| {
            told.push(format!("{}: warning: {message}", self.files.line(spot)));
        };
        if let Some((spot, stated)) = self.stated
            && stated != self.lines
        {
            let found = self.lines;
            warn(
                spot,
                format!(
                    "{stated} points are announced and {found} are there, which count; is the file whole?"
                ),
            );
        }
        if let Some(spot) = self.unordered {
            warn(spot, "distances do not rise; they are sorted, the first of equals counts".to_owned());
        }
        if let Some(spot) = self.open {
            let line = self.files.text(spot).trim().to_owned();
            warn(
                spot,
                format!("nothing ends the last line: is the file whole, or does `{line}` lack digits?"),
            );
        }
        let longest = cylinders.saturating_sub(1);
        let mut beyond = self.points.iter().filter(|point| cylinders > 0 && point.distance > longest);
        if let Some(first) = beyond.next() {
            let more = match beyond.count() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let message = format!(
                "{} cylinders{more} are farther than the longest seek of this drive, over {longest}; such a point counts \
                 for the line towards it alone",
                first.distance
            );
            warn(first.spot, message);
        }
        for (what, curve) in [("", self.reads_ms()), (" of writes", self.writes_ms())] {
            if let Some((distance, message)) = fall(&curve)
                && let Some(point) = self.points.iter().find(|point| point.distance == distance)
            {
                warn(point.spot, format!("the curve{what} falls: {message}; its points are kept"));
            }
        }
        told
    }
}

/// The distance at which a curve falls by more than measuring scatters, and how.
fn fall(curve: &[(u32, f64)]) -> Option<(u32, String)> {
    let step = curve.windows(2).find(|pair| pair[1].1 < FALL * pair[0].1);
    if let Some(&[(before, before_ms), (distance, ms)]) = step {
        return Some((distance, format!("{ms} ms over {distance} cylinders, {before_ms} ms over {before}")));
    }
    let &(last, last_ms) = curve.last()?;
    let &(highest, highest_ms) = curve.iter().max_by(|one, other| one.1.total_cmp(&other.1))?;
    let message = format!(
        "the longest seek, over {last} cylinders, takes {last_ms} ms, one over {highest} {highest_ms} ms"
    );
    (last_ms < LONGEST * highest_ms).then_some((last, message))
}

fn point(line: &str, spot: Spot) -> Option<Point> {
    let mut parts = line.split(',').map(str::trim);
    let distance = parts.next()?.parse().ok().filter(|&distance| distance >= 1)?;
    let mut number = || -> Option<Option<f64>> {
        match parts.next() {
            None => Some(None),
            Some(text) => text.parse().ok().filter(|ms: &f64| (0.0..=SEEK_MS_MAX).contains(ms)).map(Some),
        }
    };
    let (read_ms, deviation, write_ms) = (number()??, number()?, number()?);
    Some(Point { distance, read_ms, deviation, write_ms, spot })
}
