//! `drive plot`: pictures of a drive model.

use std::path::PathBuf;

use super::super::options::whole;
use super::Choice;
use super::access::{self, Access};
use super::alone;
use crate::cli::failure::Ended;
use crate::cli::output::{Folder, remark, safe_name};
use crate::drive::DriveSpec;
use crate::drive::summary::{DriveSummary, seek_curve};
use crate::plot::{Axis, Figure, Kind, Mark, Point, Series, Side, theme};
use crate::results::{Table, markdown::figure};
use crate::scenario::Library;
use crate::units::SECTOR_BYTES;

const EXAMPLES: &str = "\
Examples:
  ataraid drive plot maxtor-6l080j4
  ataraid drive plot my-drive.ron --reads 2000 --out pictures

Writes, as PNG, SVG and CSV each:
  zones      media and sustained rate over the addresses, MB/s of 10^6 bytes
  seek       the seek curve, ms over cylinders
  access     random one-sector reads, simulated on the drive alone, ms; host,
             driver and card would add about 0.1 ms
  overview   rates and access times in one chart, as disk benchmarks print them";

/// Draw a drive model: rates over the addresses, the seek curve, simulated access times
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Folder for the files [default: output/drives/DRIVE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Random one-sector reads to simulate
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = |text: &str| whole::<u32>(text, 1, 100_000))]
    reads: u32,
    /// Seed of their addresses and of the platters' angle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let (spec, _) = args.choice.spec(library)?;
    let stem = args.choice.drive.rsplit(['/', '\\']).next().unwrap_or("drive");
    let stem = stem.strip_suffix(".ron").unwrap_or(stem);
    let default = || PathBuf::from("output/drives").join(safe_name(stem));
    let mut folder = Folder::prepare(&args.out.clone().unwrap_or_else(default))?;
    let summary = DriveSummary::new(&spec);
    let found = access::measure(&spec, args.reads, args.seed)?;
    let caption = caption(args);
    for (stem, figure) in [
        ("zones", zones(&summary)),
        ("seek", seeks(&spec, &summary)),
        ("access", accesses(&spec, &found)),
        ("overview", overview(&summary, &found)),
    ] {
        folder.figure(stem, &Figure { caption: caption.clone(), ..figure })?;
    }
    remark(&folder.listing());
    Ok(())
}

fn caption(args: &Args) -> String {
    let changes = args.choice.changes();
    let changes = if changes.is_empty() { changes } else { format!(", with {changes}") };
    let version = env!("CARGO_PKG_VERSION");
    format!("ataraid {version}: {}{changes}, seed {}", args.choice.drive, args.seed)
}

pub(super) fn curves(title: &str, subtitle: String, x: Axis, y: Axis, series: Vec<Series>) -> Figure {
    Figure {
        title: title.to_owned(),
        subtitle,
        caption: String::new(),
        kind: Kind::Curves,
        x,
        y,
        right: None,
        series,
        ceilings: Vec::new(),
    }
}

pub(super) fn gb_axis() -> Axis {
    Axis::linear("position_gb", "position from the outer edge, GB (10^9 bytes)", true)
}

pub(super) fn rate_axis() -> Axis {
    Axis::linear("rate_mb_s", "rate, MB/s (10^6 bytes)", true)
}

/// The points of two columns.
pub(super) fn points(table: &Table, x: &str, y: &str) -> Vec<Point> {
    let (x, y) = (table.column(x), table.column(y));
    let cell = |row: &[crate::results::Cell], at: Option<usize>| row.get(at?)?.number();
    let point = |row: &Vec<crate::results::Cell>| Some(Point::new(cell(row, x)?, cell(row, y)?));
    table.rows.iter().filter_map(point).collect()
}

/// The rates that are drawn, with their columns: where the connector is the limit, those of the platters too.
fn rates(summary: &DriveSummary) -> Vec<(&'static str, &'static str)> {
    let media = ("media (one track)", "media_mb_s");
    match summary.is_connector_bound() {
        true => vec![
            media,
            ("sustained (switches and connector included)", "sustained_mb_s"),
            ("platters (switches included)", "platters_mb_s"),
        ],
        false => vec![media, ("sustained (switches included)", "sustained_mb_s")],
    }
}

fn staircases(summary: &DriveSummary, rates: &[(&str, &str)]) -> Vec<Series> {
    let table = summary.zone_staircase();
    let labels: Vec<&str> = rates.iter().map(|(label, _)| *label).collect();
    let steps = rates.iter().zip(theme::styles(&labels));
    let series = steps.map(|((label, column), style)| Series {
        mark: Mark::Steps,
        ..Series::line(label, style, points(&table, "lba_gb", column))
    });
    series.collect()
}

fn zones(summary: &DriveSummary) -> Figure {
    let edges = |outer: f64, inner: f64| format!("{} to {}", figure(outer, 3), figure(inner, 3));
    let limit = alone::limit(summary);
    let limit = if limit.is_empty() { limit } else { format!("; {limit}") };
    let subtitle = format!(
        "sustained {} MB/s = {} MiB/s, {} zones{limit}",
        edges(summary.outer_mb_s(), summary.inner_mb_s()),
        edges(summary.outer_mib_s(), summary.inner_mib_s()),
        summary.zones.len()
    );
    let title = format!("{}: rate over the addresses", summary.name);
    curves(&title, subtitle, gb_axis(), rate_axis(), staircases(summary, &rates(summary)))
}

fn seeks(spec: &DriveSpec, summary: &DriveSummary) -> Figure {
    let table = seek_curve(spec);
    let [read, write] = ["read_ms", "write_ms"].map(|column| points(&table, "distance_cylinders", column));
    // Of two curves in one place the upper hides the lower.
    let curves_of = match read == write {
        true => vec![("read and write", read)],
        false => vec![("read", read), ("write", write)],
    };
    let labels: Vec<&str> = curves_of.iter().map(|(label, _)| *label).collect();
    let lines = curves_of.into_iter().zip(theme::styles(&labels));
    let series = lines.map(|((label, points), style)| Series::line(label, style, sparse(points)));
    let subtitle = format!(
        "read: {} ms to the next cylinder, mean {} ms (all pairs of cylinders), {} ms over the whole disk",
        figure(summary.seek_single_ms, 3),
        figure(summary.seek_average_cylinder_weighted_ms, 3),
        figure(summary.seek_full_ms, 3)
    );
    let x = Axis::linear("distance_cylinders", "distance, cylinders", true);
    let y = Axis::linear("seek_ms", "seek, ms", true);
    curves(&format!("{}: seek curve", summary.name), subtitle, x, y, series.collect())
}

/// About thirty points, so that markers do not run into each other; the first and the last stay.
pub(super) fn sparse(points: Vec<Point>) -> Vec<Point> {
    const WANTED: usize = 32;
    let step = points.len().div_ceil(WANTED).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.into_iter().enumerate().filter(|(index, _)| index % step == 0 || *index == last);
    kept.map(|(_, point)| point).collect()
}

fn dots(found: &[Access], label: &str) -> Series {
    let style = theme::styles(&["media (one track)", "sustained (switches included)", label])[2];
    let gb = |lba: u64| (lba * SECTOR_BYTES) as f64 / 1e9;
    let points = found.iter().map(|access| Point::new(gb(access.lba), access.ms)).collect();
    Series { mark: Mark::Points, ..Series::line(label, style, points) }
}

fn mean_text(found: &[Access]) -> String {
    access::mean_ms(found).map_or("none".to_owned(), |mean| format!("{} ms", figure(mean, 3)))
}

fn accesses(spec: &DriveSpec, found: &[Access]) -> Figure {
    let subtitle =
        format!("{} simulated one-sector reads at random addresses, mean {}", found.len(), mean_text(found));
    let y = Axis::linear("access_ms", "access time, ms", true);
    curves(
        &format!("{}: access time", spec.name),
        subtitle,
        gb_axis(),
        y,
        vec![dots(found, "read of one sector")],
    )
}

/// Rates at the left, access times at the right, as disk benchmarks print them.
fn overview(summary: &DriveSummary, found: &[Access]) -> Figure {
    let subtitle = format!(
        "sustained {} to {} MB/s, mean access {} over {} simulated reads",
        figure(summary.outer_mb_s(), 3),
        figure(summary.inner_mb_s(), 3),
        mean_text(found),
        found.len()
    );
    let mut series = vec![Series { side: Side::Right, ..dots(found, "access time") }];
    // Its colours are two and that of the dots.
    let rates = rates(summary);
    series.extend(staircases(summary, &rates[..2]));
    Figure {
        right: Some(Axis::linear("access_ms", "access time, ms", true)),
        ..curves(&summary.name, subtitle, gb_axis(), rate_axis(), series)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_points_keep_both_ends() {
        let points: Vec<Point> = (0..205).map(|x| Point::new(f64::from(x), 1.0)).collect();
        let kept = sparse(points);
        assert_eq!((kept[0].x, kept[kept.len() - 1].x), (0.0, 204.0));
        assert!((25..=40).contains(&kept.len()), "{}", kept.len());
        assert!(sparse(Vec::new()).is_empty());
    }
}
