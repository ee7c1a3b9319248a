//! Pictures of a replay: distributions of response times, and errors request by request.

use crate::plot::{Axis, Ceiling, Figure, Kind, Mark, Point, Scale, Series, theme};
use crate::replay::{CLASSES, Class, Scoreboard};
use crate::results::markdown::figure;
use crate::stats::{LatencyHistogram, Scorer};

/// Steps of a distribution.
const QUANTILES: usize = 400;
/// The most errors that are drawn; of more, every so many-th, and the figure says so.
const ERRORS_MAX: usize = 12_000;
/// Share of the requests that a figure of distributions shows at least: the few beyond would squeeze all others.
const SHOWN: f64 = 0.999;

pub(in crate::cli) const REAL: &str = "measured";
const SIMULATED: &str = "simulated";
const OTHER: &str = "other simulator";

/// What the figures of a replay are drawn from.
pub(in crate::cli) struct Pictures<'a> {
    pub board: &'a Scoreboard,
    /// Another simulator's times of the same requests, in the order of the classes.
    pub other: Option<&'a [Scorer; 3]>,
    pub title: &'a str,
    pub subtitle: &'a str,
    /// A turn of the drive, in ms; none where there are drives of several kinds.
    pub turn_ms: Option<f64>,
}

impl Pictures<'_> {
    /// All figures of a replay, each with the stem of its file.
    pub(in crate::cli) fn all(&self) -> Vec<(String, Figure)> {
        let Pictures { board, title, subtitle, turn_ms, .. } = *self;
        let mut figures = Vec::new();
        for (index, (name, class)) in CLASSES.into_iter().zip(board.classes()).enumerate() {
            if class.responses.count() > 0 {
                let other = self.other.map(|other| &other[index]);
                let figure = of_class(class, other, &format!("{title}: response times, {name}"), subtitle);
                figures.push((format!("cdf-{name}"), figure));
            }
        }
        if board.classes()[0].scorer.requests() > 0 {
            figures.push(("residuals".to_owned(), residuals(board, title, subtitle, turn_ms)));
        }
        figures
    }
}

fn curves(title: String, subtitle: String, x: Axis, y: Axis, series: Vec<Series>) -> Figure {
    let caption = format!("ataraid {}", env!("CARGO_PKG_VERSION"));
    Figure { title, subtitle, caption, kind: Kind::Curves, x, y, right: None, series, ceilings: Vec::new() }
}

/// Which share of the requests of a class takes how long at most.
fn of_class(class: &Class, other: Option<&Scorer>, title: &str, subtitle: &str) -> Figure {
    let mut note = format!("{subtitle}; {} requests", class.responses.count());
    let Some(score) = class.scorer.score() else {
        return distributions(title, note, vec![(SIMULATED, binned_steps(&class.responses))]);
    };
    let percent = figure(score.demerit_percent(), 3);
    note += &format!(", demerit {} ms = {percent} % of the mean", figure(score.demerit_ms, 3));
    let (real, model): (Vec<f64>, Vec<f64>) = class.scorer.kept().iter().copied().unzip();
    let mut lines = vec![(REAL, steps(real)), (SIMULATED, steps(model))];
    lines.extend(other.and_then(|other| Some((OTHER, simulated(other)?))));
    distributions(title, note, lines)
}

/// The distribution of what a simulator made of the requests; none of none.
pub(in crate::cli) fn simulated(scorer: &Scorer) -> Option<Vec<Point>> {
    (scorer.requests() > 0).then(|| steps(scorer.kept().iter().map(|pair| pair.1).collect()))
}

/// Distributions of response times, each with its name; all but the first, which is the drive's own, are dashed in turn.
///
/// The axis ends where the slowest of them has shown 99.9 % of the requests, and says so.
pub(in crate::cli) fn distributions(title: &str, subtitle: String, lines: Vec<(&str, Vec<Point>)>) -> Figure {
    let labels: Vec<&str> = lines.iter().map(|(label, _)| *label).collect();
    let mut styles = theme::styles(&labels);
    // Where the third curve lies on the second one, both can be seen.
    styles.iter_mut().skip(2).step_by(2).for_each(|style| *style = theme::dashed(*style));
    let cut = cut(&lines);
    let step = |((label, points), style)| Series { mark: Mark::Steps, ..Series::line(label, style, points) };
    let series = lines.into_iter().zip(styles).map(step).collect();
    let mut x = Axis::linear("response_ms", "response time, ms", true);
    if let Some((end, longest)) = cut {
        x.label +=
            &format!("; cut at {} ms (99.9 %), the longest is {} ms", figure(end, 3), figure(longest, 4));
        x.scale = Scale::Linear { from_zero: true, limits: Some((0.0, end)) };
    }
    let y = Axis::linear("share", "share of requests that take no longer", true);
    curves(title.to_owned(), subtitle, x, y, series)
}

/// Where the axis of times ends, and the longest time, if they are worth a cut: far apart.
fn cut(lines: &[(&str, Vec<Point>)]) -> Option<(f64, f64)> {
    const WORTH: f64 = 1.15;
    let reached = |(_, points): &(&str, Vec<Point>)| {
        points.iter().find(|point| point.y >= SHOWN).or(points.last()).map_or(0.0, |point| point.x)
    };
    let end = lines.iter().map(reached).fold(0.0, f64::max);
    let longest =
        lines.iter().filter_map(|(_, points)| points.last()).map(|point| point.x).fold(0.0, f64::max);
    (end > 0.0 && longest > WORTH * end).then_some((end, longest))
}

/// The distribution of some times, in equal steps of rank, and where 99.9 % of them lie.
pub(in crate::cli) fn steps(mut times: Vec<f64>) -> Vec<Point> {
    times.sort_by(f64::total_cmp);
    let count = times.len();
    let wanted = count.min(QUANTILES);
    let mut points = vec![Point::new(0.0, 0.0)];
    let shown = (count as f64 * SHOWN).ceil() as usize;
    let mut ranks: Vec<usize> = (1..=wanted).map(|step| step * count / wanted).chain([shown]).collect();
    ranks.retain(|rank| *rank > 0);
    ranks.sort_unstable();
    ranks.dedup();
    points.extend(ranks.into_iter().map(|rank| Point::new(times[rank - 1], rank as f64 / count as f64)));
    points
}

fn binned_steps(histogram: &LatencyHistogram) -> Vec<Point> {
    let mut points = vec![Point::new(0.0, 0.0)];
    let (mut below, mut drawn) = (0, 0.0);
    let count = histogram.count() as f64;
    for (span, more) in histogram.bins() {
        below += more;
        let share = below as f64 / count;
        let passes = drawn < SHOWN && share >= SHOWN;
        if share - drawn >= 1.0 / QUANTILES as f64 || passes || below == histogram.count() {
            points.push(Point::new(span.as_ms(), share));
            drawn = share;
        }
    }
    points
}

/// The error of each request, in the order of completions.
///
/// Where errors reach a turn of `turn_ms`, it is marked: a request whose sector the model or the drive has just missed is
/// a whole turn off.
pub(in crate::cli) fn residuals(
    board: &Scoreboard,
    title: &str,
    subtitle: &str,
    turn_ms: Option<f64>,
) -> Figure {
    let [all, reads, writes] = board.classes();
    let every = all.scorer.kept().len().div_ceil(ERRORS_MAX).max(1);
    let dots = |class: &Class| -> Vec<Point> {
        let kept = class.scorer.kept().iter().step_by(every);
        kept.map(|(real, model)| Point::new(*real, model - real)).collect()
    };
    let lines = [(CLASSES[1], dots(reads)), (CLASSES[2], dots(writes))];
    let styles = theme::styles(&[CLASSES[1], CLASSES[2]]);
    let series = lines.into_iter().zip(styles).filter(|((_, points), _)| !points.is_empty());
    let series = series
        .map(|((label, points), style)| Series { mark: Mark::Points, ..Series::line(label, style, points) });
    let drawn = drawn(all.scorer.requests(), all.scorer.kept().len(), every);
    let score = all.scorer.score();
    let note = score.map_or(String::new(), |score| {
        format!(
            "; RMS error {} ms, mean {} ms",
            figure(score.rms_error_ms, 3),
            figure(score.mean_error_ms, 3)
        )
    });
    let x = Axis::linear("measured_ms", "measured response time, ms", true);
    let y = Axis::linear("error_ms", "simulated less measured, ms", true);
    let mut drawing = curves(
        format!("{title}: error of each request"),
        format!("{subtitle}{note}{drawn}"),
        x,
        y,
        series.collect(),
    );
    drawing.ceilings = turn_ms.map_or(Vec::new(), |turn_ms| turns(&drawing, turn_ms));
    drawing
}

/// Levels at a turn too long and a turn too short, as far as the errors reach them.
fn turns(drawn: &Figure, turn_ms: f64) -> Vec<Ceiling> {
    /// Share of a turn at which a band of errors about a whole one shows.
    const REACHED: f64 = 0.9;
    let errors = || drawn.series.iter().flat_map(|series| &series.points).map(|point| point.y / turn_ms);
    let (low, high) = (errors().fold(0.0, f64::min), errors().fold(0.0, f64::max));
    let ms = figure(turn_ms, 4);
    let level = |sign: f64, text: &str| Ceiling { label: format!("{text} ({ms} ms)"), value: sign * turn_ms };
    let late = (high >= REACHED).then(|| level(1.0, "simulated one turn later"));
    let early = (low <= -REACHED).then(|| level(-1.0, "simulated one turn earlier"));
    late.into_iter().chain(early).collect()
}

/// Which errors a figure shows, if not those of all `requests`: every so many-th of those that are `kept`.
fn drawn(requests: u64, kept: usize, every: usize) -> String {
    let first = if kept as u64 == requests { String::new() } else { format!(" of the first {kept}") };
    match every {
        1 if first.is_empty() => String::new(),
        1 => format!("; drawn: those{first} requests"),
        every => format!("; drawn: one request in {every}{first}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_tail_is_cut_where_nearly_all_have_been_shown_and_said_to_be() {
        let mut times: Vec<f64> = (0..10_000).map(|at| f64::from(at) / 1_000.0).collect();
        times[9_999] = 500.0;
        let figure = distributions("t", String::new(), vec![("measured", steps(times.clone()))]);
        assert!(
            figure.x.label.contains("cut at 9.99 ms (99.9 %), the longest is 500 ms"),
            "{}",
            figure.x.label
        );
        let Scale::Linear { limits: Some((0.0, end)), .. } = figure.x.scale else { panic!("{:?}", figure.x) };
        assert!((end - 9.989).abs() < 1e-9, "{end}");
        assert!(figure.check().is_ok());
        times.pop();
        let whole = distributions("t", String::new(), vec![("measured", steps(times))]);
        assert_eq!(whole.x.label, "response time, ms");
        assert_eq!(
            distributions("t", String::new(), vec![("measured", steps(vec![0.0]))]).x.label,
            "response time, ms"
        );
    }

    #[test]
    fn of_three_curves_the_last_is_dashed() {
        let line = |label| (label, steps(vec![1.0, 2.0]));
        let lines = vec![line("measured"), line("imported"), line("DiskSim")];
        let figure = distributions("t", String::new(), lines);
        let dashes: Vec<bool> = figure.series.iter().map(|series| series.style.dash).collect();
        assert_eq!(dashes, [false, false, true]);
    }

    #[test]
    fn errors_of_a_turn_are_marked_where_there_are_some() {
        let of = |errors: &[f64]| {
            let points = errors.iter().map(|error| Point::new(1.0, *error)).collect();
            let series = vec![Series::line("reads", theme::styles(&["reads"])[0], points)];
            let axis = || Axis::linear("ms", "ms", true);
            turns(&curves(String::new(), String::new(), axis(), axis(), series), 6.0)
        };
        let values = |errors: &[f64]| of(errors).iter().map(|level| level.value).collect::<Vec<_>>();
        assert_eq!(values(&[0.1, 6.2, -5.5]), [6.0, -6.0]);
        assert_eq!(of(&[5.9])[0].label, "simulated one turn later (6 ms)");
        assert_eq!(values(&[0.1, -5.0]), [0.0; 0]);
    }

    #[test]
    fn what_is_not_drawn_is_told() {
        assert_eq!(drawn(10_000, 10_000, 1), "");
        assert_eq!(drawn(20_000, 20_000, 2), "; drawn: one request in 2");
        assert_eq!(drawn(90_000, 32_768, 3), "; drawn: one request in 3 of the first 32768");
    }

    #[test]
    fn a_distribution_ends_at_the_longest_time() {
        let points = steps((0..1_000).map(f64::from).collect());
        // And one where 99.9 % are.
        assert_eq!(points.len(), QUANTILES + 2);
        assert_eq!((points[QUANTILES + 1].x, points[QUANTILES + 1].y), (999.0, 1.0));
        assert_eq!(steps(vec![2.0, 1.0]).iter().map(|point| point.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
    }
}
