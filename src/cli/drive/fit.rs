//! `drive fit`: a drive model out of what is known of a drive.

use std::path::{Path, PathBuf};

use super::fit_trace;
use crate::calibration::readings::{self, PositionUnit, RateUnit, TimeUnit, Units};
use crate::calibration::{Known, Printed, Rates, Seeks, Sourced, staircase};
use crate::cli::failure::{Ended, Failure};
use crate::cli::options::whole;
use crate::cli::output::{remark, say};
use crate::cli::table;
use crate::config::{Diagnostic, Diagnostics, Provenance};
use crate::drive::spec::{InterfaceSpec, ron};
use crate::results::markdown::figure;
use crate::results::{atomic, plain};
use crate::scenario::{Library, read_file};
use crate::units::SECTOR_BYTES;

/// Capacities in GB: from a thousand sectors to what 48-bit addresses reach.
const CAPACITY_GB: std::ops::RangeInclusive<f64> = 0.000_512..=144_115.0;

const EXAMPLES: &str = "\
Examples:
  ataraid drive fit --name \"IBM DTLA-307030\" --heads 4 --rpm 7200 --capacity-sectors 60036480 \\
      --seek-ms 1.2,8.5,14.7 --rate-mb-s 37.8,18.8 -o dtla.ron
  ataraid drive fit --name \"Mine\" --heads 2 --rpm 7200 --capacity-gb 40 --staircase hdtach.csv \\
      --access access.csv -o mine.ron
  ataraid drive check mine.ron --zones

Rates are sustained ones in MB/s of 10^6 bytes: skews included, as makers
print them. Digits count: 8.5 is 8.5 give or take 0.05; of fitted figures give
or take is half of a 95 % interval. What is not given is assumed, and the model
says so figure by figure (`drive show`).

Measurements are tables as benchmarks leave them, parted by commas, semicolons,
tabs or blanks under a header that names quantities and units, such as
`position_gb,rate_mb_s`, `LBA;Transfer rate (MiB/s)` or `Access time (ms)`; or
fio's bandwidth log with log_offset=1. KB is 10^3 bytes, KiB 2^10, Mb/s are
megabits. Of several columns those of reads and of means are taken; the report
names them. What looks unlike one drive is told as a warning. Access times
with a position column (in the order of the accesses) or a column
distance_cylinders give a better seek curve, and tell the speed of the spindle
if --rpm is left out.

  ataraid drive fit --trace atlas10k.trace --start atlas10k.parv -o fitted.ron
  ataraid replay atlas10k.trace --drive fitted.ron --at-measured-times

A trace with measured response times, one request outstanding, is fitted to in
its first part; the rest is left out and scores the start model and the fitted
one. `closed` keeps the pauses; demerit is the root mean square distance of the
two distributions, floor what chance alone makes of it; `at measured times`
issues each request when it was really issued, with the platters where completed
requests have shown them, and compares request by request.";

/// Build a drive model out of the figures of a data sheet, of measured rates and access times, or of a measured trace
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Maker and model
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Surfaces with a head
    #[arg(long, value_name = "N", value_parser = |text: &str| whole::<u32>(text, 1, 32))]
    heads: Option<u32>,
    /// Turns a minute [default: told from access times with places]
    #[arg(long, value_name = "N", value_parser = |text: &str| whole::<u32>(text, 3000, 20_000))]
    rpm: Option<u32>,
    /// Capacity in sectors of 512 bytes
    #[arg(long, value_name = "N", value_parser = |text: &str| whole::<u64>(text, 1000, 1 << 48))]
    capacity_sectors: Option<u64>,
    /// Capacity in GB of 10^9 bytes, if the sectors are not known
    #[arg(long, value_name = "GB", conflicts_with = "capacity_sectors", value_parser = printed)]
    capacity_gb: Option<Printed>,
    /// Read seek over one cylinder, mean, and full stroke, in ms
    #[arg(long, value_name = "SINGLE,AVERAGE,FULL", value_delimiter = ',', num_args = 1, value_parser = printed)]
    seek_ms: Vec<Printed>,
    /// Mean write seek in ms [default: 1 ms above the mean read seek]
    #[arg(long, value_name = "MS", value_parser = printed)]
    write_average_ms: Option<Printed>,
    /// Time to switch heads in ms [default: 1.2, or the seek over one cylinder if that is less]
    #[arg(long, value_name = "MS", value_parser = printed)]
    head_switch_ms: Option<Printed>,
    /// Overhead of a command that needs the platters, in ms [default: 0.23]
    #[arg(long, value_name = "MS", value_parser = printed)]
    overhead_ms: Option<Printed>,
    /// Sustained rate at the first and at the last address, in MB/s of 10^6 bytes
    #[arg(long, value_name = "OUTER,INNER", value_delimiter = ',', num_args = 1, value_parser = printed)]
    rate_mb_s: Vec<Printed>,
    /// Measured rates over the addresses, instead of those at the edges
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["rate_mb_s", "zones"])]
    staircase: Option<PathBuf>,
    /// Measured access times of reads at random places, instead of seek times
    #[arg(long, value_name = "FILE.csv", conflicts_with = "seek_ms")]
    access: Option<PathBuf>,
    /// Unit of positions, if the header does not say it: lba, bytes, mb, mib, gb, gib or percent
    #[arg(long, value_name = "UNIT", value_parser = position_unit)]
    position_unit: Option<PositionUnit>,
    /// Unit of rates, if the header does not say it: b/s, kb/s, kib/s, mb/s, mib/s, gb/s, gib/s, kbit/s or mbit/s
    #[arg(long, value_name = "UNIT", value_parser = rate_unit)]
    rate_unit: Option<RateUnit>,
    /// Unit of access times, if the header does not say it: s, ms, us or ns
    #[arg(long, value_name = "UNIT", value_parser = time_unit)]
    time_unit: Option<TimeUnit>,
    /// Zones that fall evenly from the outer rate of --rate-mb-s to the inner one, 1 to 64 [default: 16]; a staircase shows
    /// its own
    #[arg(long, value_name = "N", value_parser = |text: &str| whole::<u32>(text, 1, 64))]
    zones: Option<u32>,
    /// Buffer in KiB [default: 2048]
    #[arg(long, value_name = "KIB", value_parser = |text: &str| whole::<u32>(text, 0, 262_144))]
    buffer_kib: Option<u32>,
    /// Connector: udma0 to udma6, or sata1 to sata3 [default: what carries the outer zone]
    #[arg(long, value_name = "MODE", value_parser = interface)]
    interface: Option<InterfaceSpec>,
    /// Write the model to this file instead of the screen
    #[arg(short, long = "output", value_name = "FILE.ron")]
    output: Option<PathBuf>,
    #[command(flatten)]
    trace: fit_trace::Options,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    if let Some(output) = &args.output {
        super::check_output(output, &args.trace.start_file().into_iter().collect::<Vec<_>>())?;
    }
    args.check()?;
    if let Some(trace) = &args.trace.trace {
        return fit_trace::run(trace, &args.trace, args.output.as_deref(), library);
    }
    let (known, read) = args.known()?;
    let spec = known.model()?;
    let table = table::aligned(&known.compared(&spec));
    let report = format!("{table}{}{read}{}", table::wrapped(&known.legend(), ""), residuals(&known));
    for doubt in known.doubts() {
        remark(&format!("warning: {doubt}"));
    }
    let text = ron(&spec, &format!("{}: {}.", spec.name, args.origin()));
    match &args.output {
        None => {
            remark(&report);
            say(&text)
        }
        Some(path) => {
            let was_there = path.is_file();
            write(path, &text)?;
            say(&report)?;
            remark(&format!("{}; `ataraid drive check` sums it up", super::wrote(path, was_there)));
            Ok(())
        }
    }
}

/// What remains of the measurements beside the model.
fn residuals(known: &Known) -> String {
    let mut text = String::new();
    if let Rates::Staircase(stairs) = &known.rates {
        text += &format!(
            "\nstaircase  {} through {} readings, {} left out; residual {} MB/s (root mean square)\n",
            if stairs.levels.len() == 1 {
                "1 zone".to_owned()
            } else {
                format!("{} zones", stairs.levels.len())
            },
            stairs.used,
            stairs.left_out,
            figure(stairs.residual_mb_s, 3)
        );
    }
    if let Seeks::Fitted(fit) = &known.seeks {
        let what = if fit.placed { "scatter about the curve" } else { "demerit of the distribution" };
        text += &format!("access     {} accesses; {what} {} ms\n", fit.used, figure(fit.residual_ms, 3));
        if let Some(turn) = fit.turn {
            text += &format!(
                "turn       {} ms (±{}, 95 %) by that scatter; the model turns at {} rpm\n",
                figure(turn.value, 4),
                figure(turn.half, 2),
                known.rpm.value
            );
        }
    }
    text
}

fn write(path: &Path, text: &str) -> Ended {
    atomic::write(path, text.as_bytes())
        .map_err(|error| Failure::input(error, "free the path or name another file with -o"))
}

impl Args {
    /// What is known, and which columns of which files were read.
    fn known(&self) -> Result<(Known, String), Failure> {
        let capacity_sectors = self.capacity()?;
        let (rates, mut read) = self.rates(capacity_sectors.value)?;
        let mut known = Known {
            name: needed(self.name.clone(), "the name of the drive", "--name \"Maker Model\"")?,
            heads: needed(self.heads, "the number of heads", "--heads N")?,
            rpm: self.speed()?,
            rates,
            seeks: self.seeks()?,
            capacity_sectors,
            write_average_ms: self.write_average_ms,
            head_switch_ms: self.head_switch_ms,
            overhead_ms: self.overhead_ms,
            buffer_kib: self.buffer_kib,
            interface: self.interface,
        };
        if let Some(path) = &self.access {
            let source = read_file(path)?;
            let readings = readings::accesses(&source, self.units(), known.capacity_sectors.value)?;
            // What the measurements do not show is a fault of their file.
            let drive = known.name.clone();
            let placed = |fault: Diagnostic| {
                let file = if fault.file == drive { source.name.clone() } else { fault.file.clone() };
                Diagnostic { file, ..fault }
            };
            let fitted = known.fit_accesses(&readings.values, self.rpm.is_none());
            fitted.map_err(|faults| faults.into_iter().map(placed).collect::<Diagnostics>())?;
            read += &format!("\n{}: {}", plain::line(&source.name), readings.columns);
        }
        let read = if read.is_empty() { read } else { format!("{read}\n") };
        Ok((known, read))
    }

    /// Refuses options that would have no effect.
    fn check(&self) -> Ended {
        let tables = self.staircase.is_some() || self.access.is_some();
        for (given, used, option, what) in [
            (
                self.position_unit.is_some(),
                tables,
                "--position-unit",
                "--staircase FILE.csv or --access FILE.csv",
            ),
            (self.rate_unit.is_some(), self.staircase.is_some(), "--rate-unit", "--staircase FILE.csv"),
            (self.time_unit.is_some(), self.access.is_some(), "--time-unit", "--access FILE.csv"),
            (self.zones.is_some(), self.staircase.is_none(), "--zones", "--rate-mb-s OUTER,INNER"),
        ] {
            if given && !used {
                return Err(Failure::input(format!("{option} has no effect without {what}"), "leave it out"));
            }
        }
        Ok(())
    }

    fn units(&self) -> Units {
        Units { position: self.position_unit, rate: self.rate_unit, time: self.time_unit }
    }

    /// What the model is built from, for the head of its file.
    fn origin(&self) -> String {
        let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let files: Vec<String> =
            [&self.staircase, &self.access].into_iter().flatten().filter_map(name).collect();
        match files.is_empty() {
            true => "built from the figures of its data sheet".to_owned(),
            false => format!("fitted to {}", plain::line(&files.join(" and "))),
        }
    }

    fn capacity(&self) -> Result<Sourced<u64>, Failure> {
        if let Some(sectors) = self.capacity_sectors {
            let source = Provenance::Datasheet(format!("{sectors} sectors, as given"));
            return Ok(Sourced { value: sectors, source });
        }
        let given = needed(self.capacity_gb, "the capacity", "--capacity-sectors N or --capacity-gb GB")?;
        if !CAPACITY_GB.contains(&given.value) {
            let (low, high) = (CAPACITY_GB.start(), CAPACITY_GB.end());
            let message =
                format!("--capacity-gb is {}; allowed is {low} to {high} GB", figure(given.value, 6));
            return Err(Failure::input(message, "give GB of 10^9 bytes, or --capacity-sectors"));
        }
        let source = Provenance::Derived(format!(
            "{} GB (±{}) of 10^9 bytes, in whole sectors",
            given.value, given.rounding
        ));
        Ok(Sourced { value: (given.value * 1e9 / SECTOR_BYTES as f64).round() as u64, source })
    }

    fn speed(&self) -> Result<Sourced<u32>, Failure> {
        if self.rpm.is_none() && self.access.is_some() {
            // A start for the fit, which tells the speed.
            return Ok(Sourced { value: 7200, source: Provenance::Assumed("the usual speed".to_owned()) });
        }
        let rpm = needed(self.rpm, "the speed of the spindle", "--rpm N")?;
        Ok(Sourced { value: rpm, source: Provenance::Datasheet(format!("{rpm} rpm, as given")) })
    }

    /// The rates, and which columns they were read from.
    fn rates(&self, capacity_sectors: u64) -> Result<(Rates, String), Failure> {
        if let Some(path) = &self.staircase {
            let source = read_file(path)?;
            let readings = readings::rates(&source, self.units(), capacity_sectors)?;
            let read = format!("\n{}: {}", plain::line(&source.name), readings.columns);
            return Ok((Rates::Staircase(staircase(&readings.values)), read));
        }
        match self.rate_mb_s[..] {
            [outer_mb_s, inner_mb_s] => {
                Ok((Rates::Edges { outer_mb_s, inner_mb_s, zones: self.zones }, String::new()))
            }
            [] => Err(missing("the rates are", "--rate-mb-s OUTER,INNER or --staircase FILE.csv")),
            _ => Err(counted("--rate-mb-s", self.rate_mb_s.len(), "two rates: --rate-mb-s OUTER,INNER")),
        }
    }

    fn seeks(&self) -> Result<Seeks, Failure> {
        match (&self.seek_ms[..], &self.access) {
            (&[single, average, full], _) => Ok(Seeks::Printed([single, average, full])),
            // A start for the fit.
            ([], Some(_)) => {
                Ok(Seeks::Printed([1.0, 8.5, 16.0].map(|value| Printed { value, rounding: 0.0 })))
            }
            ([], None) => {
                Err(missing("the seek times are", "--seek-ms SINGLE,AVERAGE,FULL or --access FILE.csv"))
            }
            _ => Err(counted("--seek-ms", self.seek_ms.len(), "three times: --seek-ms SINGLE,AVERAGE,FULL")),
        }
    }
}

fn needed<T>(given: Option<T>, what: &str, option: &str) -> Result<T, Failure> {
    given.ok_or_else(|| missing(&format!("{what} is"), option))
}

fn missing(what: &str, option: &str) -> Failure {
    Failure::input(format!("{what} not given"), format!("add {option}"))
}

fn counted(option: &str, found: usize, wanted: &str) -> Failure {
    Failure::input(format!("{option} has {found} values"), format!("give {wanted}"))
}

fn printed(text: &str) -> Result<Printed, String> {
    text.parse()
}

/// Reads `udma5` or `sata1`.
fn interface(text: &str) -> Result<InterfaceSpec, String> {
    let number = |prefix: &str, range: std::ops::RangeInclusive<u8>| {
        let number = text.strip_prefix(prefix)?.parse().ok()?;
        range.contains(&number).then_some(number)
    };
    let ata =
        |mode| InterfaceSpec::Ata { udma_mode_max: Some(mode), mwdma_mode_max: Some(2), pio_mode_max: 4 };
    let sata = |generation| InterfaceSpec::Sata { generation };
    let known = number("udma", 0..=6).map(ata).or_else(|| number("sata", 1..=3).map(sata));
    known.ok_or_else(|| "it must be one of udma0 to udma6 or sata1 to sata3".to_owned())
}

fn position_unit(text: &str) -> Result<PositionUnit, String> {
    Ok(match text.to_lowercase().as_str() {
        "lba" | "sectors" => PositionUnit::Sectors,
        "bytes" => PositionUnit::Bytes,
        "mb" => PositionUnit::Mb,
        "mib" => PositionUnit::Mib,
        "gb" => PositionUnit::Gb,
        "gib" => PositionUnit::Gib,
        "percent" | "%" => PositionUnit::Percent,
        _ => return Err("it must be lba, bytes, mb, mib, gb, gib or percent".to_owned()),
    })
}

fn rate_unit(text: &str) -> Result<RateUnit, String> {
    Ok(match text.to_lowercase().as_str() {
        "b/s" => RateUnit::BS,
        "kb/s" => RateUnit::KbS,
        "kib/s" => RateUnit::KibS,
        "mb/s" => RateUnit::MbS,
        "mib/s" => RateUnit::MibS,
        "gb/s" => RateUnit::GbS,
        "gib/s" => RateUnit::GibS,
        "kbit/s" => RateUnit::KbitS,
        "mbit/s" => RateUnit::MbitS,
        _ => {
            let known = "b/s, kb/s, kib/s, mb/s, mib/s, gb/s, gib/s (bytes), kbit/s or mbit/s";
            return Err(format!("it must be {known}"));
        }
    })
}

fn time_unit(text: &str) -> Result<TimeUnit, String> {
    Ok(match text.to_lowercase().as_str() {
        "s" => TimeUnit::S,
        "ms" => TimeUnit::Ms,
        "us" => TimeUnit::Us,
        "ns" => TimeUnit::Ns,
        _ => return Err("it must be s, ms, us or ns".to_owned()),
    })
}
