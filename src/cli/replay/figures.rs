//! Pictures of a replay: distributions of response times, and errors request by request.

use crate::plot::{Axis, Figure, Kind, Mark, Point, Series, theme};
use crate::replay::{CLASSES, Class, Scoreboard};
use crate::results::markdown::figure;
use crate::stats::LatencyHistogram;

/// Steps of a distribution.
const QUANTILES: usize = 400;
/// The most errors that are drawn; of more, every so many-th.
const ERRORS_MAX: usize = 4_000;

pub(in crate::cli) const REAL: &str = "measured";
const SIMULATED: &str = "simulated";

/// All figures of a replay, each with the stem of its file.
pub(in crate::cli) fn all(board: &Scoreboard, title: &str, subtitle: &str) -> Vec<(String, Figure)> {
    let mut figures = Vec::new();
    for (name, class) in CLASSES.into_iter().zip(board.classes()) {
        if class.responses.count() > 0 {
            let figure = of_class(class, &format!("{title}: response times, {name}"), subtitle);
            figures.push((format!("cdf-{name}"), figure));
        }
    }
    if board.classes()[0].scorer.requests() > 0 {
        figures.push(("residuals".to_owned(), residuals(board, title, subtitle)));
    }
    figures
}

fn curves(title: String, subtitle: String, x: Axis, y: Axis, series: Vec<Series>) -> Figure {
    let caption = format!("ataraid {}", env!("CARGO_PKG_VERSION"));
    Figure { title, subtitle, caption, kind: Kind::Curves, x, y, right: None, series, ceilings: Vec::new() }
}

/// Which share of the requests of a class takes how long at most.
fn of_class(class: &Class, title: &str, subtitle: &str) -> Figure {
    let mut note = format!("{subtitle}; {} requests", class.responses.count());
    let Some(score) = class.scorer.score() else {
        return distributions(title, note, vec![(SIMULATED, binned_steps(&class.responses))]);
    };
    let percent = figure(score.demerit_percent(), 3);
    note += &format!(", demerit {} ms = {percent} % of the mean", figure(score.demerit_ms, 3));
    let (real, model): (Vec<f64>, Vec<f64>) = class.scorer.kept().iter().copied().unzip();
    distributions(title, note, vec![(REAL, steps(real)), (SIMULATED, steps(model))])
}

/// Distributions of response times, each with its name.
pub(in crate::cli) fn distributions(title: &str, subtitle: String, lines: Vec<(&str, Vec<Point>)>) -> Figure {
    let labels: Vec<&str> = lines.iter().map(|(label, _)| *label).collect();
    let styles = theme::styles(&labels);
    let step = |((label, points), style)| Series { mark: Mark::Steps, ..Series::line(label, style, points) };
    let series = lines.into_iter().zip(styles).map(step).collect();
    let x = Axis::linear("response_ms", "response time, ms", true);
    let y = Axis::linear("share", "share of requests that take no longer", true);
    curves(title.to_owned(), subtitle, x, y, series)
}

/// The distribution of some times, in equal steps of rank.
pub(in crate::cli) fn steps(mut times: Vec<f64>) -> Vec<Point> {
    times.sort_by(f64::total_cmp);
    let count = times.len();
    let wanted = count.min(QUANTILES);
    let mut points = vec![Point::new(0.0, 0.0)];
    points.extend((1..=wanted).map(|step| {
        let rank = step * count / wanted;
        Point::new(times[rank - 1], rank as f64 / count as f64)
    }));
    points
}

fn binned_steps(histogram: &LatencyHistogram) -> Vec<Point> {
    let mut points = vec![Point::new(0.0, 0.0)];
    let (mut below, mut drawn) = (0, 0.0);
    let count = histogram.count() as f64;
    for (span, more) in histogram.bins() {
        below += more;
        let share = below as f64 / count;
        if share - drawn >= 1.0 / QUANTILES as f64 || below == histogram.count() {
            points.push(Point::new(span.as_ms(), share));
            drawn = share;
        }
    }
    points
}

/// The error of each request, in the order of completions.
pub(in crate::cli) fn residuals(board: &Scoreboard, title: &str, subtitle: &str) -> Figure {
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
    curves(format!("{title}: error of each request"), format!("{subtitle}{note}"), x, y, series.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_ends_at_the_longest_time() {
        let points = steps((0..1_000).map(f64::from).collect());
        assert_eq!(points.len(), QUANTILES + 1);
        assert_eq!((points[QUANTILES].x, points[QUANTILES].y), (999.0, 1.0));
        assert_eq!(steps(vec![2.0, 1.0]).iter().map(|point| point.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
    }
}
