//! `drive check`: what the figures of a drive model amount to.

use super::alone::BUS_NOTE;
use super::{Choice, alone};
use crate::cli::failure::Ended;
use crate::cli::output::say;
use crate::cli::table::{self, Format};
use crate::drive::summary::{DriveSummary, HOST_MS, Slack, THROUGHPUT_TEST_BYTES};
use crate::drive::{DriveSpec, InterfaceSpec};
use crate::results::{Cell, Table, markdown::figure};
use crate::scenario::Library;
use crate::units::SECTOR_BYTES;

const EXAMPLES: &str = "\
Examples:
  ataraid drive check maxtor-6l080j4
  ataraid drive check my-drive.ron --zones
  ataraid drive check wd-1200jb --set seek.average_ms=8.0 --set quoted_average_ms=8.0
  ataraid drive check wd-740gd --zones --format csv > zones.csv

MB is 10^6 bytes, MiB is 2^20. Rates are those at the nominal speed: the media
rate of one track, the sustained rate over many, track switches included and no
more than the connector carries. Host and card are left out but for the 0.1 ms
that random reads say. Random reads come one at a time, with the drive's own
overheads and its way over the bus. Slack is what a track switch may be late
before it costs a turn.";

/// Judge a drive model and print capacity, rates, seeks, slack of the skews and expected I/O rates
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Print a row a zone as well (with another --format than text: nothing else)
    #[arg(long)]
    zones: bool,
    /// Form of the tables
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let (spec, file) = args.choice.spec(library)?;
    let summary = DriveSummary::new(&spec);
    let sequential = alone::sequential_mb_s(&spec)?;
    match args.format {
        Format::Text => {
            let changes = args.choice.changes();
            let changes = if changes.is_empty() { changes } else { format!(", with {changes}") };
            let mut text = format!("{}  ({file}{changes})\nok: no faults\n\n", spec.name);
            text += &lines(&facts(&spec, &summary, sequential));
            if args.zones {
                text += &format!("\n{}", table::aligned(&zones(&summary)));
            }
            say(&text)
        }
        other if args.zones => say(&table::show(&zones(&summary), other)?),
        other => say(&table::show(&quantities(&spec, &summary, sequential), other)?),
    }
}

/// A heading and what stands behind it.
type Fact = (&'static str, String);

fn facts(spec: &DriveSpec, summary: &DriveSummary, sequential: [f64; 2]) -> Vec<Fact> {
    let f = |x: f64| figure(x, 4);
    let (sectors, gib) = (summary.capacity_sectors, gib(summary));
    let zones = [summary.zones.first(), summary.zones.last()].map(|zone| {
        zone.map_or([f64::NAN; 4], |zone| {
            [zone.media_mb_s, zone.media_mib_s(), zone.sustained_mb_s, zone.sustained_mib_s()]
        })
    });
    let [outer, inner] = zones;
    let random = |rate: &crate::drive::summary::RandomRate| {
        format!("{} a second, {} ms each; {HOST_MS} ms of host included", f(rate.per_s), f(rate.service_ms))
    };
    vec![
        (
            "capacity",
            format!(
                "{} GB, {} GiB: {sectors} sectors, {} spare",
                f(summary.capacity_gb),
                f(gib),
                summary.spare_sectors
            ),
        ),
        ("rotation", format!("{} rpm, {} ms a turn", spec.rpm, f(summary.revolution_ms))),
        ("media rate", rates(outer[0], inner[0], outer[1], inner[1])),
        ("sustained rate", rates(outer[2], inner[2], outer[3], inner[3]) + bus_bound(spec, summary)),
        (
            "64 KiB in turn",
            format!(
                "outer {} MB/s, inner {} MB/s: simulated on the drive alone, one read at a time",
                f(sequential[0]),
                f(sequential[1])
            ),
        ),
        ("interface", interface(spec, summary)),
        (
            "read seek",
            format!(
                "{} ms to the next cylinder, {} ms over the whole disk",
                f(summary.seek_single_ms),
                f(summary.seek_full_ms)
            ),
        ),
        (
            "mean read seek",
            format!(
                "{} ms over all pairs of cylinders, {} ms over all pairs of addresses",
                f(summary.seek_average_cylinder_weighted_ms),
                f(summary.seek_average_lba_weighted_ms)
            ),
        ),
        ("cylinder skew", slack(&summary.cylinder_slack)),
        ("head skew", summary.head_slack.as_ref().map_or("one head".to_owned(), slack)),
        ("random 512 B", random(&summary.random_512_b)),
        ("random 8 KiB", random(&summary.random_8_kib)),
        (
            "data-sheet tests",
            format!(
                "{} MB in {} s outer, {} s inner; one random sector in {} ms",
                f(THROUGHPUT_TEST_BYTES / 1e6),
                f(summary.throughput_test_outer_s),
                f(summary.throughput_test_inner_s),
                f(summary.data_sheet_random_ms)
            ),
        ),
    ]
}

/// What the connector lets through, with a word where it is less than the platters give.
fn interface(spec: &DriveSpec, summary: &DriveSummary) -> String {
    let kind = match spec.interface {
        InterfaceSpec::Ata { .. } => "ATA",
        InterfaceSpec::Sata { .. } => "Serial ATA",
        InterfaceSpec::Scsi(_) => "SCSI-like bus (for replay; the cards of scenarios have none)",
    };
    let rate = spec.interface.nominal_mb_s();
    if !rate.is_finite() {
        return format!("{kind}, as fast as its bus");
    }
    let limit = alone::limit(summary);
    let limit = if limit.is_empty() { limit } else { format!("; {limit}") };
    let note = if alone::is_bus_bound(spec, summary) { format!(". {BUS_NOTE}") } else { String::new() };
    format!("{kind}, {} MB/s at most{limit}{note}", figure(rate, 4))
}

/// A word behind rates that the bus of a drive on a SCSI-like bus limits.
fn bus_bound(spec: &DriveSpec, summary: &DriveSummary) -> &'static str {
    if alone::is_bus_bound(spec, summary) { "; limited by the bus, see interface" } else { "" }
}

fn gib(summary: &DriveSummary) -> f64 {
    (summary.capacity_sectors * SECTOR_BYTES) as f64 / f64::from(1 << 30)
}

fn rates(outer_mb: f64, inner_mb: f64, outer_mib: f64, inner_mib: f64) -> String {
    let f = |x: f64| figure(x, 4);
    format!(
        "outer {} MB/s = {} MiB/s, inner {} MB/s = {} MiB/s",
        f(outer_mb),
        f(outer_mib),
        f(inner_mb),
        f(inner_mib)
    )
}

/// What a switch may be late before it costs a turn.
fn slack(slack: &Slack) -> String {
    let part = |ms: f64, sectors: f64| {
        let late = if ms < 0.0 { ": every switch costs a turn" } else { "" };
        format!("{} ms ({} sectors){late}", figure(ms, 3), figure(sectors, 3))
    };
    let Slack { read_ms, read_sectors, write_ms, write_sectors } = *slack;
    format!("slack of reads {}, of writes {}", part(read_ms, read_sectors), part(write_ms, write_sectors))
}

fn lines(facts: &[Fact]) -> String {
    let width = facts.iter().map(|(heading, _)| heading.len()).max().unwrap_or(0);
    facts.iter().map(|(heading, text)| format!("{heading:width$}  {text}\n")).collect()
}

fn zones(summary: &DriveSummary) -> Table {
    let columns = [
        "zone",
        "first_lba",
        "sectors",
        "spt",
        "media_mb_s",
        "media_mib_s",
        "sustained_mb_s",
        "sustained_mib_s",
    ];
    let mut table = Table::new(&columns);
    let whole = |number: u64| Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    for zone in &summary.zones {
        table.push(vec![
            Cell::Integer(zone.zone.into()),
            whole(zone.first_lba),
            whole(zone.sectors),
            Cell::Integer(zone.spt.into()),
            Cell::Real(zone.media_mb_s),
            Cell::Real(zone.media_mib_s()),
            Cell::Real(zone.sustained_mb_s),
            Cell::Real(zone.sustained_mib_s()),
        ]);
    }
    table
}

/// The same facts for programs: one figure a row.
fn quantities(spec: &DriveSpec, summary: &DriveSummary, sequential: [f64; 2]) -> Table {
    let outer = summary.zones.first();
    let inner = summary.zones.last();
    let of =
        |zone: Option<&crate::drive::summary::ZoneSummary>| zone.map_or(f64::NAN, |zone| zone.media_mb_s);
    let head = summary.head_slack;
    let mut rows = vec![
        ("capacity_sectors", summary.capacity_sectors as f64),
        ("capacity_gb", summary.capacity_gb),
        ("capacity_gib", gib(summary)),
        ("spare_sectors", summary.spare_sectors as f64),
        ("speed_rpm", f64::from(spec.rpm)),
        ("revolution_ms", summary.revolution_ms),
        ("media_outer_mb_s", of(outer)),
        ("media_inner_mb_s", of(inner)),
        ("sustained_outer_mb_s", summary.outer_mb_s()),
        ("sustained_inner_mb_s", summary.inner_mb_s()),
        ("sustained_outer_mib_s", summary.outer_mib_s()),
        ("sustained_inner_mib_s", summary.inner_mib_s()),
        ("sequential_64_kib_outer_mb_s", sequential[0]),
        ("sequential_64_kib_inner_mb_s", sequential[1]),
        ("seek_single_ms", summary.seek_single_ms),
        ("seek_average_cylinder_weighted_ms", summary.seek_average_cylinder_weighted_ms),
        ("seek_average_lba_weighted_ms", summary.seek_average_lba_weighted_ms),
        ("seek_full_ms", summary.seek_full_ms),
        ("cylinder_slack_read_ms", summary.cylinder_slack.read_ms),
        ("cylinder_slack_write_ms", summary.cylinder_slack.write_ms),
    ];
    if let Some(head) = head {
        rows.extend([("head_slack_read_ms", head.read_ms), ("head_slack_write_ms", head.write_ms)]);
    }
    rows.extend([
        ("random_512_b_per_s", summary.random_512_b.per_s),
        ("random_512_b_ms", summary.random_512_b.service_ms),
        ("random_8_kib_per_s", summary.random_8_kib.per_s),
        ("random_8_kib_ms", summary.random_8_kib.service_ms),
        ("throughput_test_outer_s", summary.throughput_test_outer_s),
        ("throughput_test_inner_s", summary.throughput_test_inner_s),
        ("data_sheet_random_ms", summary.data_sheet_random_ms),
    ]);
    let mut table = Table::new(&["quantity", "value"]);
    for (name, value) in rows {
        let whole = value.fract() == 0.0 && value.abs() < 9e15;
        let cell = if whole { Cell::Integer(value as i64) } else { Cell::Real(value) };
        table.push(vec![Cell::Text(name.to_owned()), cell]);
    }
    table
}
