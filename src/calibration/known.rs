//! A drive model out of what is known of a drive.

mod doubts;
mod sources;
#[cfg(test)]
mod tests;

use super::accesses::{self, Beside, Fitted, NoSeeks, SeekFit};
use super::datasheet::{Printed, Rates, Track, even_zones, stair_zones, zone_count};
use super::readings::AccessReading;
use crate::config::{Diagnostic, Diagnostics, Issues, Provenance, Validate};
use crate::drive::DriveSpec;
use crate::drive::spec::*;
use crate::drive::summary::DriveSummary;
use crate::results::markdown::figure;
use crate::results::{Cell, Table};
use crate::units::SECTOR_BYTES;

/// A figure and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sourced<T> {
    /// The figure.
    pub value: T,
    /// Where it comes from.
    pub source: Provenance,
}

/// Seek times.
#[derive(Clone, Debug, PartialEq)]
pub enum Seeks {
    /// One cylinder, the mean over all pairs of cylinders, first to last cylinder; in ms, as printed.
    Printed([Printed; 3]),
    /// Fitted to measured access times.
    Fitted(SeekFit),
}

impl Seeks {
    /// One cylinder, mean, and full stroke, in ms.
    fn figures_ms(&self) -> [f64; 3] {
        match self {
            Seeks::Printed(printed) => printed.map(|printed| printed.value),
            Seeks::Fitted(fit) => [fit.single, fit.average, fit.full].map(|fitted| fitted.value),
        }
    }
}

/// What is known of a drive; a model is built from it by [`model`](Known::model).
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Maker and model.
    pub name: String,
    /// User-addressable sectors.
    pub capacity_sectors: Sourced<u64>,
    /// Surfaces with a head.
    pub heads: u32,
    /// Turns a minute.
    pub rpm: Sourced<u32>,
    /// Rates over the addresses.
    pub rates: Rates,
    /// Read seeks.
    pub seeks: Seeks,
    /// Mean write seek, in ms.
    pub write_average_ms: Option<Printed>,
    /// Time to follow a track with another head, in ms.
    pub head_switch_ms: Option<Printed>,
    /// What the drive spends on a command that needs the platters, in ms.
    pub overhead_ms: Option<Printed>,
    /// Buffer that the host can use, in KiB.
    pub buffer_kib: Option<u32>,
    /// The connector.
    pub interface: Option<InterfaceSpec>,
}

/// Head switch where none is stated, in ms: IBM prints 1.2 to 1.4 for its 7200 rpm desktop drives.
const HEAD_SWITCH_MS: f64 = 1.2;
/// What a switch within a sequential write adds, in ms.
const WRITE_SETTLE_SEQUENTIAL_MS: f64 = 0.25;
/// What a skew leaves beyond the switch of a sequential write, in ms.
const SKEW_SLACK_MS: f64 = 0.2;
/// Mean write seek less mean read seek where none is stated, in ms: what IBM prints for the 75GXP.
const WRITE_SETTLE_MS: f64 = 1.0;
/// Command overhead where none is stated, and the part of it that ends a command, in ms.
const OVERHEAD_MS: f64 = 0.23;
const COMPLETION_MS: f64 = 0.03;
/// Buffer where none is stated: that of most desktop drives of 2001.
const BUFFER_KIB: u32 = 2048;
/// What of the nominal rate a parallel interface sustains in measurements of the time.
const BUS_SHARE: f64 = 0.8;

/// Most cylinders of a drive file.
const CYLINDERS_MAX: u64 = 1 << 20;

/// The three figures of a seek curve.
const SEEKS: [&str; 3] = ["one cylinder, ms", "mean seek, ms", "full stroke, ms"];

/// Times of track switches, in ms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switches {
    pub head_ms: f64,
    pub head_skew_ms: f64,
    pub cylinder_skew_ms: f64,
}

impl Known {
    /// The model: zones, skews, seeks and electronics, each figure with its source.
    ///
    /// # Errors
    /// Every figure that is out of range or contradicts another, by its name; a model that fails its own
    /// validation.
    pub fn model(&self) -> Result<DriveSpec, Diagnostics> {
        let mut issues = Issues::new();
        self.check(&mut issues);
        self.told(issues)?;
        let mut issues = Issues::new();
        let Some(zones) = self.zones(&mut issues) else {
            self.told(issues)?;
            return Err(Diagnostic::of_file(&self.name, "no zones can be made").into());
        };
        let spec = self.assembled(zones);
        spec.validate(&mut issues);
        self.told(issues)?;
        Ok(spec)
    }

    fn told(&self, issues: Issues) -> Result<(), Diagnostics> {
        let name = if self.name.trim().is_empty() { "the figures given" } else { &self.name };
        issues.into_file_diagnostics(name).unless_any(())
    }

    /// Ranges, before anything is computed from the figures.
    fn check(&self, issues: &mut Issues) {
        if self.name.trim().is_empty() {
            issues.report("name", "the name is empty", "write maker and model");
        }
        issues.range_u64("heads", self.heads.into(), 1..=32, "heads");
        issues.range_u64("rpm", self.rpm.value.into(), 3000..=20_000, "turns a minute");
        issues.range_u64("capacity_sectors", self.capacity_sectors.value, 1000..=1 << 48, "sectors");
        let [single, average, full] = self.seeks.figures_ms();
        let mut ok = true;
        for (name, ms) in [("single", single), ("average", average), ("full", full)] {
            ok &= issues.range_f64(&format!("seek_ms {name}"), ms, 0.05..=60.0, "ms");
        }
        if ok && !(single <= average && average <= full) {
            issues.report(
                "seek_ms",
                format!("{single}, {average} and {full} ms do not rise"),
                "give the seek over one cylinder, the mean, and the full stroke, in this order",
            );
        }
        if let Some(write) = self.write_average_ms {
            let settle_ms = write.value - average;
            issues.range_f64("write_average_ms less the mean read seek", settle_ms, -5.0..=5.0, "ms");
        }
        if let Some(ms) = self.head_switch_ms {
            issues.range_f64("head_switch_ms", ms.value, 0.0..=5.0, "ms");
        }
        if let Some(ms) = self.overhead_ms {
            issues.range_f64("overhead_ms", ms.value, 0.0..=5.0, "ms");
        }
        self.check_rates(issues);
    }

    fn check_rates(&self, issues: &mut Issues) {
        let (outer_mb_s, inner_mb_s, zones) = match &self.rates {
            Rates::Edges { outer_mb_s, inner_mb_s, zones } => (outer_mb_s, inner_mb_s, zones),
            Rates::Staircase(stairs) => {
                return doubts::check_stairs(stairs, self.capacity_sectors.value, issues);
            }
        };
        let mut ok = issues.range_f64("rate_mb_s outer", outer_mb_s.value, 0.1..=600.0, "MB/s");
        ok &= issues.range_f64("rate_mb_s inner", inner_mb_s.value, 0.1..=600.0, "MB/s");
        if ok && inner_mb_s.value > outer_mb_s.value {
            let message = format!("{} MB/s outside and {} inside", outer_mb_s.value, inner_mb_s.value);
            issues.report("rate_mb_s", message, "give the outer rate first; it is not the lower one");
        }
        if let Some(zones) = *zones
            && issues.range_u64("zones", zones.into(), 1..=64, "zones")
            && zones == 1
            && outer_mb_s.value != inner_mb_s.value
        {
            let message = format!("one zone cannot have {} and {} MB/s", outer_mb_s.value, inner_mb_s.value);
            issues.report("zones", message, "give the same rate twice or more zones");
        }
    }

    /// Skews that cover a switch of a sequential write and some slack.
    pub(super) fn switches(&self) -> Switches {
        let [single_ms, ..] = self.seeks.figures_ms();
        let head_ms = self.head_switch_ms.map_or(single_ms.min(HEAD_SWITCH_MS), |printed| printed.value);
        // A change of cylinder also changes the head, which runs beside the seek.
        let cylinder_ms = if self.heads > 1 { single_ms.max(head_ms) } else { single_ms };
        let skew = |switch_ms: f64| thousandths(switch_ms + WRITE_SETTLE_SEQUENTIAL_MS + SKEW_SLACK_MS);
        Switches { head_ms, head_skew_ms: skew(head_ms), cylinder_skew_ms: skew(cylinder_ms) }
    }

    pub(super) fn track(&self) -> Track {
        let switches = self.switches();
        let heads = f64::from(self.heads);
        let switch_ms = ((heads - 1.0) * switches.head_skew_ms + switches.cylinder_skew_ms) / heads;
        Track { turn_us: 60e6 / f64::from(self.rpm.value), switch_us: switch_ms * 1e3 }
    }

    fn zones(&self, issues: &mut Issues) -> Option<Vec<ZoneSpec>> {
        let track = self.track();
        for (name, rate) in self.rates.all() {
            let spt = track.sectors(rate);
            if !(15.5..4096.5).contains(&spt) {
                let rpm = self.rpm.value;
                let message = format!(
                    "{rate:.3} MB/s at {rpm} rpm take {spt:.1} sectors a track, which are 16 to 4096"
                );
                issues.report(&name, message, "check rate and rpm");
            }
        }
        if !issues.is_empty() {
            return None;
        }
        let capacity = self.capacity_sectors.value;
        let (count, made) = match &self.rates {
            Rates::Edges { outer_mb_s, inner_mb_s, zones } => {
                let count = zone_count(outer_mb_s.value, inner_mb_s.value, *zones);
                let edges = (track.sectors(outer_mb_s.value), track.sectors(inner_mb_s.value));
                (count, even_zones(edges, count, self.heads, capacity))
            }
            Rates::Staircase(stairs) => {
                (stairs.levels.len() as u32, Some(stair_zones(stairs, track, self.heads, capacity)))
            }
        };
        let Some(made) = made else {
            let message =
                format!("{capacity} sectors on {} heads fill fewer than {count} cylinders", self.heads);
            issues.report("zones", message, "give fewer zones or heads");
            return None;
        };
        let cylinders: u64 = made.iter().map(|zone| u64::from(zone.cylinders)).sum();
        if cylinders > CYLINDERS_MAX {
            // One message instead of one a zone.
            let message = format!(
                "{} GB on {} heads at these rates take {cylinders} cylinders; a model has at most {CYLINDERS_MAX}",
                figure(capacity as f64 * SECTOR_BYTES as f64 / 1e9, 4),
                self.heads
            );
            issues.report("capacity", message, "check capacity, heads, rates and rpm");
            return None;
        }
        Some(made)
    }

    /// Takes the seeks from measured access times, and the speed too if `tell_speed`.
    ///
    /// Seeks, skews, sectors a track and cylinders depend on each other: they are computed in turn, which moves
    /// nothing any more after a few rounds.
    ///
    /// # Errors
    /// Other figures that make no model; access times that make no curve.
    pub fn fit_accesses(&mut self, readings: &[AccessReading], tell_speed: bool) -> Result<(), Diagnostics> {
        const ROUNDS: u32 = 4;
        for _ in 0..ROUNDS {
            let mut issues = Issues::new();
            self.check(&mut issues);
            let zones = if issues.is_empty() { self.zones(&mut issues) } else { None };
            self.told(issues)?;
            let spec = self.assembled(zones.unwrap_or_default());
            let turn_ms = 60e3 / f64::from(self.rpm.value);
            let sectors: f64 = spec.zones.iter().map(|zone| f64::from(zone.spt)).sum();
            let sector_ms = turn_ms * spec.zones.len() as f64 / sectors;
            let beside = Beside {
                overhead_ms: self.overhead_ms.map_or(OVERHEAD_MS, |printed| printed.value) + sector_ms,
                turn_ms: (!tell_speed).then_some(turn_ms),
            };
            let fit = accesses::seeks(readings, &spec, beside)
                .map_err(|fault| self.seekless(&fault, tell_speed))?;
            if let (true, Some(turn)) = (tell_speed, fit.turn) {
                self.rpm = speed(turn);
            }
            self.seeks = Seeks::Fitted(fit);
        }
        if tell_speed {
            // Now that it is known, half a turn is exact.
            return self.fit_accesses(readings, false);
        }
        Ok(())
    }

    fn seekless(&self, fault: &NoSeeks, tell_speed: bool) -> Diagnostic {
        let is_found = tell_speed || matches!(self.rpm.source, Provenance::Fitted(_));
        let remedy = match fault {
            NoSeeks::NoCurve { .. } if is_found => {
                "give --rpm, and check --overhead-ms and the unit of the times; cached reads do not seek"
            }
            NoSeeks::Few(_) => "measure more accesses to random places",
            NoSeeks::NoCurve { .. } => {
                "check --rpm, --overhead-ms and the unit of the times; cached reads do not seek"
            }
            NoSeeks::NoSpeed => {
                "give --rpm, or measurements with a column of positions or distance_cylinders"
            }
        };
        Diagnostic::of_file(&self.name, fault.to_string()).with_remedy(remedy)
    }

    fn assembled(&self, zones: Vec<ZoneSpec>) -> DriveSpec {
        let switches = self.switches();
        let [single_ms, average_ms, full_ms] = self.seeks.figures_ms();
        let (seek, quoted_average_ms) = match &self.seeks {
            Seeks::Printed(_) => (SeekCurve::ThreePoint { single_ms, average_ms, full_ms }, Some(average_ms)),
            Seeks::Fitted(fit) => (fit.curve.clone(), None),
        };
        let overhead_ms = self.overhead_ms.map_or(OVERHEAD_MS, |printed| printed.value);
        let completion_ms = COMPLETION_MS.min(overhead_ms);
        let miss_ms = thousandths(overhead_ms - completion_ms);
        let hit_ms = miss_ms.min(0.06);
        let settle_ms = self.write_average_ms.map_or(WRITE_SETTLE_MS, |write| write.value - average_ms);
        let fastest = zones.iter().map(|zone| zone.spt).max().unwrap_or(0);
        let media_mb_s = f64::from(fastest) * SECTOR_BYTES as f64 / self.track().turn_us;
        let interface = self.interface.unwrap_or_else(|| sufficient_interface(media_mb_s));
        let sources = self.sources(&zones, &interface);
        DriveSpec {
            name: self.name.clone(),
            format_version: 1,
            capacity_sectors: self.capacity_sectors.value,
            heads: self.heads,
            rpm: self.rpm.value,
            turn_ms: None,
            rpm_tolerance: 0.001,
            spindle_phase: SpindlePhase::Random,
            layout: Layout::CylinderFirst,
            zones,
            skew: SkewSpec::Time { head_ms: switches.head_skew_ms, cylinder_ms: switches.cylinder_skew_ms },
            defects: Defects::default(),
            spare_scheme: SpareScheme::EndOfDisk,
            seek,
            quoted_average_ms,
            write_seek: WriteSeek::Settle(thousandths(settle_ms)),
            write_settle_sequential_ms: WRITE_SETTLE_SEQUENTIAL_MS,
            inward_seek_extra_ms: 0.0,
            seek_jitter_ms: 0.0,
            head_switch_ms: switches.head_ms,
            quiet_seek_factor: 1.0,
            overhead: OverheadSpec {
                read_hit_ms: hit_ms,
                read_miss_ms: miss_ms,
                write_hit_ms: hit_ms,
                write_miss_ms: miss_ms,
                completion_ms,
                ..OverheadSpec::default()
            },
            buffer: buffer(self.buffer_kib.unwrap_or(BUFFER_KIB)),
            write_cache: write_cache(self.buffer_kib.unwrap_or(BUFFER_KIB)),
            queue: QueueSpec::None,
            interface,
            buffer_rate_mb_s: buffer_rate_mb_s(&interface, media_mb_s),
            lba48: None,
            flush_supported: true,
            fua_supported: false,
            write_verify: false,
            errors: ErrorSpec::default(),
            thermal_recalibration: ThermalRecalibration::default(),
            spin_up_s: 5.5,
            power_fail: PowerFail::default(),
            sources,
        }
    }

    /// The figures given against those of the model, a row each.
    pub fn compared(&self, spec: &DriveSpec) -> Table {
        let summary = DriveSummary::new(spec);
        let mut table = Table::new(&["figure", "given or measured", "give or take", "model", "off %"]);
        let mut row = |name: &str, given: f64, half: Option<f64>, model: f64| {
            let half = half.map_or(Cell::Empty, Cell::Real);
            // Thousandths of a percent are what figures are rounded to.
            let off = thousandths(100.0 * (model / given - 1.0));
            table.push(vec![
                Cell::Text(name.to_owned()),
                Cell::Real(given),
                half,
                Cell::Real(model),
                Cell::Real(off),
            ]);
        };
        row("capacity, sectors", self.capacity_sectors.value as f64, None, summary.capacity_sectors as f64);
        match &self.rates {
            Rates::Edges { outer_mb_s, inner_mb_s, .. } => {
                row("outer rate, MB/s", outer_mb_s.value, Some(outer_mb_s.rounding), summary.outer_mb_s());
                row("inner rate, MB/s", inner_mb_s.value, Some(inner_mb_s.rounding), summary.inner_mb_s());
            }
            Rates::Staircase(stairs) => {
                for (level, zone) in stairs.levels.iter().zip(&summary.zones) {
                    let name = format!("zone {}, MB/s", zone.zone);
                    row(&name, level.mb_s, Some(level.half_mb_s), zone.sustained_mb_s);
                }
            }
        }
        let models =
            [summary.seek_single_ms, summary.seek_average_cylinder_weighted_ms, summary.seek_full_ms];
        match &self.seeks {
            Seeks::Printed(printed) => {
                for ((name, printed), model) in SEEKS.iter().zip(printed).zip(models) {
                    row(name, printed.value, Some(printed.rounding), model);
                }
            }
            // The model's own curve: there is nothing that it could be off from.
            Seeks::Fitted(fit) => {
                let fitted = [fit.single, fit.average, fit.full];
                for (((name, fitted), model), beyond) in
                    SEEKS.iter().zip(fitted).zip(models).zip(fit.extrapolated(spec.cylinders()))
                {
                    let how = if beyond { "fitted, extrapolated" } else { "fitted" };
                    table.push(vec![
                        Cell::Text(format!("{name} ({how})")),
                        Cell::Empty,
                        Cell::Real(fitted.half),
                        Cell::Real(model),
                        Cell::Empty,
                    ]);
                }
            }
        }
        table
    }

    /// What the columns of [`compared`](Self::compared) mean.
    pub fn legend(&self) -> String {
        let mut text = "give or take: of figures as given, half of their last digit".to_owned();
        if matches!(self.rates, Rates::Staircase(_)) || matches!(self.seeks, Seeks::Fitted(_)) {
            text += "; of measured and fitted ones, half of a 95 % interval";
        }
        if let Seeks::Fitted(fit) = &self.seeks {
            text += ", with how far the form of the seek curve misses the accesses";
            if let Some((shortest, longest)) = fit.reach_cylinders {
                text += &format!(", which go {shortest:.0} to {longest:.0} cylinders");
            }
        }
        text + "; off %: how far the model is from what is given\n"
    }
}

/// The usual speed within the interval of a turn, or the nearest whole one.
fn speed(turn: Fitted) -> Sourced<u32> {
    const USUAL: [u32; 8] = [3600, 4500, 5400, 5900, 7200, 10_000, 12_000, 15_000];
    let turns = |turn_ms: f64| 60e3 / turn_ms;
    let (low, high) = (turns(turn.value + turn.half), turns(turn.value - turn.half));
    let found = turns(turn.value);
    let apart = |rpm: &u32| (f64::from(*rpm) / found).ln().abs();
    let nearest = USUAL.into_iter().min_by(|one, other| apart(one).total_cmp(&apart(other)));
    let usual = nearest.filter(|rpm| (low..=high).contains(&f64::from(*rpm)));
    let value = usual.unwrap_or((found.round() as u32).clamp(3000, 20_000));
    let choice = if usual.is_some() { "the usual speed within" } else { "no usual speed lies within" };
    let source = Provenance::Fitted(format!(
        "The scatter of the access times shows a turn of {:.3} ms (±{:.3}): {choice} {low:.0} to {high:.0} rpm",
        turn.value, turn.half
    ));
    Sourced { value, source }
}

fn thousandths(x: f64) -> f64 {
    (x * 1e3).round() / 1e3
}

/// The slowest of the usual interfaces, from Ultra DMA 5 on, that carries `media_mb_s`.
fn sufficient_interface(media_mb_s: f64) -> InterfaceSpec {
    let ata =
        |mode| InterfaceSpec::Ata { udma_mode_max: Some(mode), mwdma_mode_max: Some(2), pio_mode_max: 4 };
    let sata = |generation| InterfaceSpec::Sata { generation };
    let all = [ata(5), ata(6), sata(1), sata(2), sata(3)];
    all.into_iter().find(|interface| interface.nominal_mb_s() >= media_mb_s).unwrap_or(sata(3))
}

fn buffer_rate_mb_s(interface: &InterfaceSpec, media_mb_s: f64) -> f64 {
    let nominal = interface.nominal_mb_s();
    thousandths((BUS_SHARE * nominal).max(media_mb_s).clamp(1.0, 600.0))
}

fn buffer(size_kib: u32) -> BufferSpec {
    let read_ahead = match size_kib {
        0 => ReadAhead::Off,
        _ => ReadAhead::Adaptive { minimum_kib: 0, maximum_kib: size_kib.min(512) },
    };
    let segments = Segments::Adaptive { minimum_kib: size_kib.clamp(1, 64), maximum_count: 16 };
    BufferSpec { size_kib, segments, read_ahead, free_block_read: size_kib > 0, ..BufferSpec::default() }
}

fn write_cache(size_kib: u32) -> WriteCacheSpec {
    WriteCacheSpec { enabled: size_kib > 0, size_kib, ..WriteCacheSpec::default() }
}
