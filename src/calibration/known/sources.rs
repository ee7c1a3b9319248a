//! Where the figures of a model come from that was built of known figures.

use super::*;
use crate::calibration::Staircase;
use crate::config::Sources;
use crate::results::markdown::figure;

/// Takes the source of a field.
type Add<'a> = dyn FnMut(&str, Provenance) + 'a;

impl Known {
    pub(super) fn sources(&self, zones: &[ZoneSpec], interface: &InterfaceSpec) -> Sources {
        use Provenance::{Assumed, Datasheet};
        let mut sources = Sources::new();
        let mut add = |field: &str, source: Provenance| drop(sources.insert(field.to_owned(), source));
        add("capacity_sectors", self.capacity_sectors.source.clone());
        add("heads", Datasheet(format!("{} heads, as given", self.heads)));
        add("rpm", self.rpm.source.clone());
        add("rpm_tolerance", Assumed("0.1 %, as Maxtor states for the D540X-4G".to_owned()));
        add("layout", Assumed("All heads of a cylinder, then the next cylinder".to_owned()));
        add("spare_scheme", Assumed("Spares at the end of the disk".to_owned()));
        self.zone_sources(zones, &mut add);
        self.seek_sources(&mut add);
        let overhead = self.overhead_ms.map_or_else(
            || Assumed(format!("{OVERHEAD_MS} ms in all; splits of command overhead are estimates")),
            |ms| Datasheet(format!("{} in all; its split is an estimate", shown(&ms, "ms"))),
        );
        add("overhead", overhead);
        let buffer = self.buffer_kib.map_or_else(
            || Assumed(format!("{BUFFER_KIB} KiB, usual in 2001")),
            |kib| Datasheet(format!("{kib} KiB, as given")),
        );
        add(
            "buffer",
            Assumed("Read-ahead and segments as those of the 6L020J1, which are estimates".to_owned()),
        );
        add("buffer.size_kib", buffer);
        add(
            "write_cache",
            Assumed("The whole buffer; policy as that of the 6L020J1, which is an estimate".to_owned()),
        );
        add("queue", Assumed("None".to_owned()));
        add(
            "interface",
            match self.interface {
                Some(_) => Datasheet("As given".to_owned()),
                None => Assumed(format!("{} MB/s carry the fastest zone", interface.nominal_mb_s())),
            },
        );
        add(
            "buffer_rate_mb_s",
            Assumed(format!(
                "{BUS_SHARE} of the nominal rate, as in measurements of the time; not less than the media"
            )),
        );
        for field in ["seek_jitter_ms", "quiet_seek_factor", "flush_supported", "errors", "spin_up_s"] {
            add(field, Assumed("Default of the format".to_owned()));
        }
        sources
    }

    fn zone_sources(&self, zones: &[ZoneSpec], add: &mut Add) {
        match &self.rates {
            Rates::Edges { outer_mb_s, inner_mb_s, zones: stated } => {
                self.edge_sources(zones, [outer_mb_s, inner_mb_s], stated.is_some(), add);
            }
            Rates::Staircase(stairs) => self.stair_sources(zones, stairs, add),
        }
        add(
            "skew",
            Provenance::Derived(format!(
                "The switch, {WRITE_SETTLE_SEQUENTIAL_MS} ms to settle a sequential write and {SKEW_SLACK_MS} ms of \
                 slack; the zones' sectors go with it, the sustained rates do not"
            )),
        );
    }

    fn edge_sources(&self, zones: &[ZoneSpec], edges: [&Printed; 2], stated: bool, add: &mut Add) {
        let (track, switches) = (self.track(), self.switches());
        let count = if stated { "as given" } else { "an estimate" };
        add(
            "zones",
            Provenance::Derived(format!(
                "Sectors a track fall evenly over {} zones of equal width ({count}); the fewest cylinders that \
                 hold the capacity and 0.2 % of spares",
                zones.len()
            )),
        );
        for (index, rate) in [0, zones.len().saturating_sub(1)].into_iter().zip(edges) {
            let Some(zone) = zones.get(index) else { continue };
            let spt = f64::from(zone.spt);
            // Half a sector and the rounding of the printed rate.
            let half = 0.5 + track.sectors(rate.rounding);
            add(
                &format!("zones[{index}]"),
                Provenance::Derived(format!(
                    "{} sustained (data sheet) at {} rpm with skews of {} and {} ms: {spt} sectors, give or \
                     take {}; whole sectors sustain {} MB/s",
                    shown(rate, "MB/s"),
                    self.rpm.value,
                    switches.head_skew_ms,
                    switches.cylinder_skew_ms,
                    figure(half, 2),
                    figure(track.sustained_mb_s(spt), 4),
                )),
            );
        }
    }

    fn stair_sources(&self, zones: &[ZoneSpec], stairs: &Staircase, add: &mut Add) {
        let (track, switches) = (self.track(), self.switches());
        add(
            "zones",
            Provenance::Fitted(format!(
                "{} steps through {} measured rates ({} left out) from {} to {} % of the disk, least squares with a penalty \
                 a step: {} MB/s remain (root mean square); sectors a track at {} rpm with skews of {} and {} ms",
                stairs.levels.len(),
                stairs.used,
                stairs.left_out,
                figure(100.0 * stairs.covered[0] / self.capacity_sectors.value as f64, 3),
                figure(100.0 * stairs.covered[1] / self.capacity_sectors.value as f64, 3),
                figure(stairs.residual_mb_s, 2),
                self.rpm.value,
                switches.head_skew_ms,
                switches.cylinder_skew_ms,
            )),
        );
        let gb = |sectors: f64| figure(sectors * SECTOR_BYTES as f64 / 1e9, 4);
        for (index, (level, zone)) in stairs.levels.iter().zip(zones).enumerate() {
            add(
                &format!("zones[{index}]"),
                Provenance::Fitted(format!(
                    "{} MB/s (±{}, 95 %, {} readings): {} sectors, give or take {}; begins at {} GB (±{})",
                    figure(level.mb_s, 4),
                    figure(level.half_mb_s, 2),
                    level.readings,
                    zone.spt,
                    figure(0.5 + track.sectors(level.half_mb_s), 2),
                    gb(level.first_lba),
                    gb(level.first_half),
                )),
            );
        }
    }

    fn seek_sources(&self, add: &mut Add) {
        use Provenance::{Assumed, Datasheet, Derived};
        let mean = match &self.seeks {
            Seeks::Printed([single, average, full]) => {
                let [single, average, full] = [single, average, full].map(|figure| shown(figure, "ms"));
                let law = "the root that goes over into a line through them is an estimate";
                let text = format!("{single} over one cylinder, {average} mean, {full} full stroke; {law}");
                add("seek", Datasheet(text));
                add("quoted_average_ms", Datasheet(format!("{average} mean")));
                average
            }
            Seeks::Fitted(fit) => {
                add("seek", Provenance::Fitted(self.fitted_seeks(fit)));
                about(&fit.average)
            }
        };
        add(
            "write_seek",
            match self.write_average_ms {
                Some(write) => Derived(format!("{} mean writing less {mean} reading", shown(&write, "ms"))),
                None => {
                    Assumed(format!("{WRITE_SETTLE_MS} ms, the difference that IBM prints for the 75GXP"))
                }
            },
        );
        add(
            "write_settle_sequential_ms",
            Assumed("Estimate; keeps a sequential write within the skew".to_owned()),
        );
        add(
            "head_switch_ms",
            match self.head_switch_ms {
                Some(ms) => Datasheet(shown(&ms, "ms")),
                None => Assumed(format!(
                    "{HEAD_SWITCH_MS} ms as IBM prints for its desktop drives, or the seek over one cylinder if \
                     less"
                )),
            },
        );
    }

    fn fitted_seeks(&self, fit: &SeekFit) -> String {
        let how = if fit.placed {
            format!("{} ms scatter about the curve, of which a turn is 0.289", figure(fit.residual_ms, 3))
        } else {
            format!(
                "distances taken as those of random addresses; {} ms between the distributions (demerit)",
                figure(fit.residual_ms, 2)
            )
        };
        format!(
            "{} access times less half a turn and {} ms of overhead: {} over one cylinder, {} mean, {} full stroke \
             (95 %, with all joints of root and line that fit nearly as well); {how}",
            fit.used,
            self.overhead_ms.map_or(OVERHEAD_MS, |printed| printed.value),
            about(&fit.single),
            about(&fit.average),
            about(&fit.full),
        )
    }
}

/// `8.53 ms (±0.21)`.
fn about(fitted: &Fitted) -> String {
    format!("{} ms (±{})", figure(fitted.value, 3), figure(fitted.half, 2))
}

/// `8.5 ms (±0.05)`.
fn shown(printed: &Printed, unit: &str) -> String {
    format!("{} {unit} (±{})", printed.value, figure(printed.rounding, 2))
}
