//! Ranges of single figures.

use crate::config::Issues;
use crate::drive::spec::*;

/// Checks every figure by itself; false if one is out of range.
pub(super) fn check(spec: &DriveSpec, issues: &mut Issues) -> bool {
    let mut check = Check { issues, ok: true };
    check.identity(spec);
    check.zones(spec);
    check.skew(&spec.skew, spec.zones.len());
    check.curve("seek", &spec.seek);
    if let Some(average_ms) = spec.quoted_average_ms {
        check.real("quoted_average_ms", average_ms, 0.05, 60.0, "ms");
    }
    match &spec.write_seek {
        WriteSeek::Settle(ms) => check.real("write_seek", *ms, -5.0, 5.0, "ms"),
        WriteSeek::Own(curve) => check.curve("write_seek", curve),
    }
    check.real("write_settle_sequential_ms", spec.write_settle_sequential_ms, -5.0, 5.0, "ms");
    check.real("inward_seek_extra_ms", spec.inward_seek_extra_ms, -5.0, 5.0, "ms");
    check.real("seek_jitter_ms", spec.seek_jitter_ms, 0.0, 1.0, "ms");
    check.real("head_switch_ms", spec.head_switch_ms, 0.0, 5.0, "ms");
    check.real("quiet_seek_factor", spec.quiet_seek_factor, 1.0, 3.0, "times");
    check.overhead(spec);
    check.buffer(&spec.buffer);
    check.write_cache(&spec.write_cache);
    check.queue(&spec.queue);
    check.interface(&spec.interface);
    check.real("buffer_rate_mb_s", spec.buffer_rate_mb_s, 1.0, 600.0, "MB/s");
    check.reserved(spec);
    check.ok
}

struct Check<'a> {
    issues: &'a mut Issues,
    ok: bool,
}

impl Check<'_> {
    fn real(&mut self, field: &str, value: f64, low: f64, high: f64, unit: &str) {
        self.ok &= self.issues.range_f64(field, value, low..=high, unit);
    }
    fn whole(&mut self, field: &str, value: impl Into<u64>, low: u64, high: u64, unit: &str) {
        self.ok &= self.issues.range_u64(field, value.into(), low..=high, unit);
    }
    fn refuse(&mut self, field: &str, message: impl Into<String>, remedy: &str) {
        self.issues.report(field, message, remedy);
        self.ok = false;
    }

    fn identity(&mut self, spec: &DriveSpec) {
        if spec.name.trim().is_empty() {
            self.refuse("name", "the name is empty", "write maker and model");
        }
        self.whole("format_version", spec.format_version, 1, 1, "");
        self.whole("capacity_sectors", spec.capacity_sectors, 1, 1 << 48, "sectors");
        self.whole("heads", spec.heads, 1, 32, "heads");
        self.whole("rpm", spec.rpm, 3000, 20_000, "turns a minute");
        self.real("rpm_tolerance", spec.rpm_tolerance, 0.0, 0.01, "of the speed");
        if let Some(turn_ms) = spec.turn_ms {
            let nominal_ms = 60_000.0 / f64::from(spec.rpm.max(1));
            self.real("turn_ms", turn_ms, 0.95 * nominal_ms, 1.05 * nominal_ms, "ms");
        }
        if let SpindlePhase::Turns(turns) = spec.spindle_phase {
            self.real("spindle_phase", turns, 0.0, 1.0, "turns");
        }
    }

    fn zones(&mut self, spec: &DriveSpec) {
        self.whole("zones", spec.zones.len() as u64, 1, 4096, "zones");
        for (index, zone) in spec.zones.iter().enumerate() {
            let at = |field| format!("zones[{index}].{field}");
            self.whole(&at("cylinders"), zone.cylinders, 1, MAX_CYLINDERS, "cylinders");
            self.whole(&at("spt"), zone.spt, 16, 4096, "sectors");
            let sectors = zone.sectors(spec.heads.min(32));
            self.whole(&at("spares"), zone.spares, 0, sectors, "sectors");
            self.whole(&at("skipped_cylinders"), zone.skipped_cylinders, 0, MAX_CYLINDERS, "cylinders");
            self.whole(&at("reserved"), zone.reserved, 0, sectors, "sectors");
        }
        if let SpareScheme::EndOfRange { cylinders } = spec.spare_scheme {
            self.whole("spare_scheme.cylinders", cylinders, 1, MAX_CYLINDERS, "cylinders");
        }
        // One seek time is kept a cylinder.
        let cylinders_of = |zone: &ZoneSpec| u64::from(zone.cylinders) + u64::from(zone.skipped_cylinders);
        let cylinders: u64 = spec.zones.iter().map(cylinders_of).sum();
        if !spec.zones.is_empty() {
            self.whole("zones", cylinders, 1, MAX_CYLINDERS, "cylinders in all");
        }
    }

    fn skew(&mut self, skew: &SkewSpec, zones: usize) {
        match skew {
            SkewSpec::Wedges { per_track, head, cylinder } => {
                self.whole("skew.per_track", *per_track, 32, 512, "wedges");
                self.whole("skew.head", *head, 0, u64::from(*per_track), "wedges");
                self.whole("skew.cylinder", *cylinder, 0, u64::from(*per_track), "wedges");
            }
            SkewSpec::Sectors(pairs) => {
                if pairs.len() != 1 && pairs.len() != zones {
                    let message = format!("{} pairs for {zones} zones", pairs.len());
                    self.refuse("skew", message, "give one pair for all zones or one a zone");
                }
                for (index, pair) in pairs.iter().enumerate() {
                    self.whole(&format!("skew[{index}].head"), pair.head, 0, 4096, "sectors");
                    self.whole(&format!("skew[{index}].cylinder"), pair.cylinder, 0, 4096, "sectors");
                }
            }
            SkewSpec::Time { head_ms, cylinder_ms } => {
                self.real("skew.head_ms", *head_ms, 0.0, 20.0, "ms");
                self.real("skew.cylinder_ms", *cylinder_ms, 0.0, 20.0, "ms");
            }
            SkewSpec::Zones { each, .. } => self.zone_skews(each, zones),
            SkewSpec::Auto => {}
        }
    }

    fn zone_skews(&mut self, each: &[ZoneSkew], zones: usize) {
        if each.len() != zones {
            let message = format!("{} skews for {zones} zones", each.len());
            self.refuse("skew.each", message, "give one a zone");
        }
        for (index, skew) in each.iter().enumerate() {
            let at = |name: &str| format!("skew.each[{index}].{name}");
            match *skew {
                ZoneSkew::Sectors { offset, head, cylinder } => {
                    for (name, sectors) in [("offset", offset), ("head", head), ("cylinder", cylinder)] {
                        self.whole(&at(name), sectors, 0, 4096, "sectors");
                    }
                }
                ZoneSkew::Turns { offset, head, cylinder, range } => {
                    let parts =
                        [("offset", offset), ("head", head), ("cylinder", cylinder), ("range", range)];
                    for (name, turns) in parts {
                        self.real(&at(name), turns, 0.0, 1.0, "turns");
                    }
                }
            }
        }
    }

    fn curve(&mut self, field: &str, curve: &SeekCurve) {
        let at = |name: &str| format!("{field}.{name}");
        match curve {
            SeekCurve::ThreePoint { single_ms, average_ms, full_ms }
            | SeekCurve::Lee { single_ms, average_ms, full_ms } => {
                self.real(&at("single_ms"), *single_ms, SEEK_MS.0, SEEK_MS.1, "ms");
                self.real(&at("average_ms"), *average_ms, SEEK_MS.0, SEEK_MS.1, "ms");
                self.real(&at("full_ms"), *full_ms, SEEK_MS.0, SEEK_MS.1, "ms");
            }
            SeekCurve::Hpl { a_ms, b_ms, split_cylinders, e_ms, f_ms, single_ms, first_ms } => {
                self.real(&at("a_ms"), *a_ms, -SEEK_MS.1, SEEK_MS.1, "ms");
                self.real(&at("b_ms"), *b_ms, 0.0, SEEK_MS.1, "ms");
                self.whole(&at("split_cylinders"), *split_cylinders, 1, MAX_CYLINDERS, "cylinders");
                self.real(&at("e_ms"), *e_ms, -SEEK_MS.1, SEEK_MS.1, "ms");
                self.real(&at("f_ms"), *f_ms, 0.0, SEEK_MS.1, "ms");
                if let Some(single_ms) = single_ms {
                    self.real(&at("single_ms"), *single_ms, SEEK_MS.0, SEEK_MS.1, "ms");
                }
                for (index, &ms) in first_ms.iter().enumerate() {
                    self.real(&format!("{field}.first_ms[{index}]"), ms, SEEK_MS.0, SEEK_MS.1, "ms");
                }
            }
            SeekCurve::Table(knots) | SeekCurve::Measured(knots) => {
                if knots.is_empty() {
                    self.refuse(field, "the table has no knots", "give at least one (cylinders, ms)");
                }
                for (index, &(cylinders, ms)) in knots.iter().enumerate() {
                    let knot = format!("{field}[{index}]");
                    self.whole(&knot, cylinders, 1, MAX_CYLINDERS, "cylinders");
                    self.real(&knot, ms, SEEK_MS.0, SEEK_MS.1, "ms");
                }
            }
            SeekCurve::PerCylinder(times) => {
                if times.is_empty() {
                    self.refuse(field, "the list has no times", "give at least the time of one cylinder");
                }
                for (index, &ms) in times.iter().enumerate() {
                    self.real(&format!("{field}[{index}]"), ms, SEEK_MS.0, SEEK_MS.1, "ms");
                }
            }
        }
    }

    fn overhead(&mut self, spec: &DriveSpec) {
        let overhead = &spec.overhead;
        // Fitted figures of one step may take back what those of another give; old drives took long to decode.
        let (low, high) =
            if matches!(spec.interface, InterfaceSpec::Scsi(_)) { (-10.0, 100.0) } else { (0.0, 5.0) };
        let plain = [
            ("read_hit_ms", overhead.read_hit_ms),
            ("read_miss_ms", overhead.read_miss_ms),
            ("write_hit_ms", overhead.write_hit_ms),
            ("write_miss_ms", overhead.write_miss_ms),
            ("completion_ms", overhead.completion_ms),
        ];
        let variants = [
            ("read_hit_after_write_ms", overhead.read_hit_after_write_ms),
            ("read_miss_after_write_ms", overhead.read_miss_after_write_ms),
            ("write_hit_after_write_ms", overhead.write_hit_after_write_ms),
            ("write_miss_after_write_ms", overhead.write_miss_after_write_ms),
        ];
        let stated = variants.into_iter().filter_map(|(name, ms)| Some((name, ms?)));
        for (name, ms) in plain.into_iter().chain(stated) {
            self.real(&format!("overhead.{name}"), ms, low, high, "ms");
        }
    }

    fn buffer(&mut self, buffer: &BufferSpec) {
        self.whole("buffer.size_kib", buffer.size_kib, 0, 262_144, "KiB");
        match buffer.segments {
            Segments::Fixed { count, size_kib } => {
                self.whole("buffer.segments.count", count, 1, 2048, "segments");
                self.whole("buffer.segments.size_kib", size_kib, 1, 262_144, "KiB");
            }
            Segments::Adaptive { minimum_kib, maximum_count } => {
                self.whole("buffer.segments.minimum_kib", minimum_kib, 1, 262_144, "KiB");
                self.whole("buffer.segments.maximum_count", maximum_count, 1, 2048, "segments");
            }
        }
    }

    fn write_cache(&mut self, cache: &WriteCacheSpec) {
        self.whole("write_cache.entries_max", cache.entries_max, 1, 4096, "extents");
        self.whole("write_cache.size_kib", cache.size_kib, u64::from(cache.enabled), 262_144, "KiB");
        self.whole("write_cache.extent_kib", cache.extent_kib, 1, 262_144, "KiB");
        self.real("write_cache.age_limit_ms", cache.age_limit_ms, 0.0, 1e5, "ms");
        match cache.start {
            DestageStart::Immediate => {}
            DestageStart::IdleMs(ms) => self.real("write_cache.start", ms, 0.0, 1e5, "ms"),
            DestageStart::HighWater { high_percent, low_percent } => {
                self.real("write_cache.start.high_percent", high_percent, 0.0, 100.0, "%");
                self.real("write_cache.start.low_percent", low_percent, 0.0, 100.0, "%");
                if low_percent > high_percent {
                    let message = format!("it stops at {low_percent} % and starts at {high_percent} %");
                    self.refuse("write_cache.start", message, "let low_percent be at most high_percent");
                }
            }
        }
    }

    fn queue(&mut self, queue: &QueueSpec) {
        if let QueueSpec::Tcq { depth, age_weight } | QueueSpec::Ncq { depth, age_weight } = *queue {
            self.whole("queue.depth", depth, 1, 32, "commands");
            self.real("queue.age_weight", age_weight, 0.0, 100.0, "times the wait");
        }
    }

    fn interface(&mut self, interface: &InterfaceSpec) {
        match *interface {
            InterfaceSpec::Ata { udma_mode_max, mwdma_mode_max, pio_mode_max } => {
                self.whole("interface.udma_mode_max", udma_mode_max.unwrap_or(0), 0, 6, "");
                self.whole("interface.mwdma_mode_max", mwdma_mode_max.unwrap_or(0), 0, 2, "");
                self.whole("interface.pio_mode_max", pio_mode_max, 0, 4, "");
            }
            InterfaceSpec::Sata { generation } => {
                self.whole("interface.generation", generation, 1, 3, "");
            }
            InterfaceSpec::Scsi(scsi) => self.ok &= scsi.validate(self.issues),
        }
    }

    fn reserved(&mut self, spec: &DriveSpec) {
        self.real("errors.retry_probability", spec.errors.retry_probability, 0.0, 1.0, "a sector");
        self.real("errors.hard_probability", spec.errors.hard_probability, 0.0, 1.0, "a sector");
        self.whole("errors.retries", spec.errors.retries, 0, 256, "turns");
        self.real("errors.ecc_ms", spec.errors.ecc_ms, 0.0, 100.0, "ms");
        if let ThermalRecalibration::Every { period_s, stall_ms, .. } = spec.thermal_recalibration {
            self.real("thermal_recalibration.period_s", period_s, 1.0, 86_400.0, "s");
            self.real("thermal_recalibration.stall_ms", stall_ms, 1.0, 2000.0, "ms");
        }
        self.real("spin_up_s", spec.spin_up_s, 0.0, 60.0, "s");
    }
}

const MAX_CYLINDERS: u64 = 1 << 20;
const SEEK_MS: (f64, f64) = (0.05, 60.0);
