//! `drive compare`: drive models side by side.

use std::path::PathBuf;

use super::alone::{BUS_NOTE, is_bus_bound, sequential_mb_s};
use super::plot::{curves, gb_axis, points, rate_axis, sparse};
use super::random::reads_per_second;
use super::show::segments_kib;
use crate::cli::failure::{Ended, Failure};
use crate::cli::list;
use crate::cli::options::whole;
use crate::cli::output::{Folder, remark, safe_name, say};
use crate::cli::table::{self, Format};
use crate::drive::summary::{DriveSummary, seek_curve};
use crate::drive::{DriveSpec, InterfaceSpec};
use crate::plot::{Axis, Figure, Mark, Point, Series, theme};
use crate::replay::Order;
use crate::results::{Cell, Table};
use crate::scenario::Library;

const EXAMPLES: &str = "\
Examples:
  ataraid drive compare ibm-dtla-307030 maxtor-6l040j2
  ataraid drive compare wd-740gd wd-1200jb my-drive.ron --reads 3000

Writes, as PNG, SVG and CSV each:
  zones      sustained rate over the addresses, MB/s of 10^6 bytes
  seek       read seek over the distance, in percent of each drive's cylinders
  random     random reads of 8 KiB a second over the number outstanding,
             simulated on each drive alone: as they come (a drive that queues
             sorts them itself), and sorted by the driver (C-LOOK) where that
             makes a difference";

/// Compare drive models: a table side by side, seek curves, zones, random reads over the queue depth
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Names of drive models, or paths of files
    #[arg(value_name = "DRIVE", num_args = 2..=6, required = true)]
    drives: Vec<String>,
    /// Folder for the pictures [default: output/drives-compare-DRIVE-DRIVE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Random reads to simulate for each point
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = |text: &str| whole::<u32>(text, 10, 100_000))]
    reads: u32,
    /// Seed of their addresses and of the platters' angle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
    /// Form of the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Requests outstanding in the picture of random reads.
const DEPTHS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// One of the drives.
struct Compared {
    label: String,
    spec: DriveSpec,
    summary: DriveSummary,
    /// Reads of 64 KiB one after another, at both edges, in MB/s.
    sequential: [f64; 2],
    /// Random reads a second at each depth, as they come and sorted by the driver.
    random: [Vec<f64>; 2],
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let mut drives = Vec::with_capacity(args.drives.len());
    for name in &args.drives {
        let label = label(name);
        if drives.iter().any(|known: &(String, DriveSpec)| known.0 == label) {
            let remedy = "name each drive once, and files by different names";
            return Err(Failure::input(format!("two of the drives are called `{label}`"), remedy));
        }
        drives.push((label, list::drive(name, library)?.0));
    }
    let labels: Vec<String> = drives.iter().map(|(label, _)| label.clone()).collect();
    let default = || PathBuf::from("output").join(safe_name(&format!("drives-compare-{}", labels.join("-"))));
    let mut folder = Folder::prepare(&args.out.clone().unwrap_or_else(default))?;
    let mut compared = Vec::with_capacity(drives.len());
    for (label, spec) in drives {
        let random = [random(&spec, Order::Fcfs, args)?, random(&spec, Order::CLook, args)?];
        let sequential = sequential_mb_s(&spec)?;
        compared.push(Compared { label, summary: DriveSummary::new(&spec), spec, sequential, random });
    }
    let caption =
        format!("ataraid {}: {}, seed {}", env!("CARGO_PKG_VERSION"), labels.join(" against "), args.seed);
    for (stem, figure) in
        [("zones", zones(&compared)), ("seek", seeks(&compared)), ("random", randoms(&compared, args))]
    {
        folder.figure(stem, &Figure { caption: caption.clone(), ..figure })?;
    }
    let mut table = side_by_side(&compared);
    if matches!(args.format, Format::Text | Format::Markdown) {
        // What none of the drives has is no row for a reader.
        table.rows.retain(|row| row[1..].iter().any(|cell| *cell != Cell::Empty));
    }
    say(&table::show(&table, args.format)?)?;
    let bound = compared.iter().filter(|drive| is_bus_bound(&drive.spec, &drive.summary));
    let bound: Vec<&str> = bound.map(|drive| drive.label.as_str()).collect();
    if !bound.is_empty() {
        remark(&format!("note: the bus limits the rates of {}. {BUS_NOTE}", bound.join(", ")));
    }
    remark(&folder.listing());
    Ok(())
}

/// What a drive is called in tables and pictures.
fn label(name: &str) -> String {
    let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
    stem.strip_suffix(".ron").unwrap_or(stem).to_owned()
}

fn random(spec: &DriveSpec, order: Order, args: &Args) -> Result<Vec<f64>, Failure> {
    DEPTHS.iter().map(|&depth| reads_per_second(spec, depth, order, args.reads, args.seed)).collect()
}

/// A row a figure, a column a drive.
fn side_by_side(drives: &[Compared]) -> Table {
    let mut columns = vec!["figure"];
    columns.extend(drives.iter().map(|drive| drive.label.as_str()));
    let mut table = Table::new(&columns);
    let mut row = |name: &str, of: &dyn Fn(&Compared) -> Cell| {
        let cells = [Cell::Text(name.to_owned())].into_iter().chain(drives.iter().map(of));
        table.push(cells.collect());
    };
    let whole = |number: u64| Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    row("capacity_gb", &|drive| Cell::Real(drive.summary.capacity_gb));
    row("capacity_sectors", &|drive| whole(drive.summary.capacity_sectors));
    row("heads", &|drive| whole(drive.spec.heads.into()));
    row("cylinders", &|drive| whole(drive.spec.cylinders().into()));
    row("zones", &|drive| whole(drive.summary.zones.len() as u64));
    row("rpm", &|drive| whole(drive.spec.rpm.into()));
    row("outer_sustained_mb_s", &|drive| Cell::Real(drive.summary.outer_mb_s()));
    row("inner_sustained_mb_s", &|drive| Cell::Real(drive.summary.inner_mb_s()));
    row("outer_64_kib_reads_mb_s", &|drive| Cell::Real(drive.sequential[0]));
    row("inner_64_kib_reads_mb_s", &|drive| Cell::Real(drive.sequential[1]));
    row("seek_single_ms", &|drive| Cell::Real(drive.summary.seek_single_ms));
    row("seek_average_ms", &|drive| Cell::Real(drive.summary.seek_average_cylinder_weighted_ms));
    row("seek_average_by_address_ms", &|drive| Cell::Real(drive.summary.seek_average_lba_weighted_ms));
    row("seek_full_ms", &|drive| Cell::Real(drive.summary.seek_full_ms));
    row("random_512_b_ms", &|drive| Cell::Real(drive.summary.random_512_b.service_ms));
    for (index, depth) in DEPTHS.iter().enumerate().filter(|(_, depth)| [1, 8, 32].contains(*depth)) {
        row(&format!("random_8_kib_depth_{depth}_iops"), &|drive| Cell::Real(drive.random[0][index]));
    }
    row("random_8_kib_depth_32_sorted_iops", &|drive| {
        drive.random[1].last().map_or(Cell::Empty, |iops| Cell::Real(*iops))
    });
    row("buffer_kib", &|drive| Cell::Real(buffer_kib(&drive.spec)));
    row("buffer_segments", &|drive| match drive.spec.interface {
        InterfaceSpec::Scsi(scsi) => whole(scsi.segments.count.into()),
        InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => Cell::Empty,
    });
    row("interface_mb_s", &|drive| {
        let rate = Some(drive.spec.interface.nominal_mb_s()).filter(|rate| rate.is_finite());
        rate.map_or(Cell::Empty, Cell::Real)
    });
    table
}

/// The buffer in KiB; of a drive on a SCSI-like bus all its segments.
fn buffer_kib(spec: &DriveSpec) -> f64 {
    match spec.interface {
        InterfaceSpec::Scsi(scsi) => segments_kib(&scsi.segments),
        InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => spec.buffer.size_kib.into(),
    }
}

/// One series a drive.
fn series(drives: &[Compared], mark: Mark, points: impl Fn(&Compared) -> Vec<Point>) -> Vec<Series> {
    let labels: Vec<&str> = drives.iter().map(|drive| drive.label.as_str()).collect();
    let styles = theme::styles(&labels);
    let of =
        |(drive, style): (&Compared, _)| Series { mark, ..Series::line(&drive.label, style, points(drive)) };
    drives.iter().zip(styles).map(of).collect()
}

fn zones(drives: &[Compared]) -> Figure {
    let all = series(drives, Mark::Steps, |drive| {
        points(&drive.summary.zone_staircase(), "lba_gb", "sustained_mb_s")
    });
    let subtitle =
        "sustained: switches of head and cylinder included, no more than the connector carries".to_owned();
    curves("Rate over the addresses", subtitle, gb_axis(), rate_axis(), all)
}

fn seeks(drives: &[Compared]) -> Figure {
    let all = series(drives, Mark::Line, |drive| {
        let longest = f64::from(drive.spec.cylinders().max(2) - 1);
        let curve = sparse(points(&seek_curve(&drive.spec), "distance_cylinders", "read_ms"));
        curve.into_iter().map(|point| Point::new(100.0 * point.x / longest, point.y)).collect()
    });
    let x = Axis::linear("distance_percent", "distance, percent of the drive's cylinders", true);
    let y = Axis::linear("seek_ms", "read seek, ms", true);
    curves("Seek curves", String::new(), x, y, all)
}

/// A colour a drive, dashed where the driver sorts: a drive that queues, or with nothing to gain, has one line for both.
fn randoms(drives: &[Compared], args: &Args) -> Figure {
    let labels: Vec<&str> = drives.iter().map(|drive| drive.label.as_str()).collect();
    let points = |rates: &[f64]| -> Vec<Point> {
        rates.iter().enumerate().map(|(step, iops)| Point::new(step as f64, *iops)).collect()
    };
    let mut all = Vec::new();
    let mut alike = Vec::new();
    for (Compared { label, random: [as_they_come, sorted], .. }, style) in
        drives.iter().zip(theme::styles(&labels))
    {
        all.push(Series::line(label, style, points(as_they_come)));
        if is_same(sorted, as_they_come) {
            alike.push(label.as_str());
        } else {
            let name = format!("{label}, driver sorts");
            all.push(Series::line(&name, theme::dashed(style), points(sorted)));
        }
    }
    let x = Axis::categories("outstanding", "requests outstanding", DEPTHS.map(|depth| depth.to_string()));
    let y = Axis::linear("iops", "reads a second", true);
    let alike = match alike[..] {
        [] => String::new(),
        _ => format!("; sorting by the driver changes nothing on {}", alike.join(", ")),
    };
    let subtitle = format!("8 KiB, whole disk, {} reads a point on the drive alone{alike}", args.reads);
    curves("Random reads over the queue depth", subtitle, x, y, all)
}

/// Whether two curves would hide each other: nowhere half a percent apart.
fn is_same(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).all(|(one, other)| (one / other - 1.0).abs() < 5e-3)
}
