//! Figures that must agree with each other. All are in range here.

use crate::config::Issues;
use crate::drive::geometry::{Occupied, SkewScheme, next_cylinder_head, region_of};
use crate::drive::seek::SeekTable;
use crate::drive::spec::*;
use crate::units::{SECTOR_BYTES, Span};

pub(super) fn check(spec: &DriveSpec, issues: &mut Issues) {
    sources(spec, issues);
    let defects_hold = defects(spec, issues);
    if defects_hold {
        room(spec, issues);
    }
    let read_holds = curve("seek", &spec.seek, spec.cylinders(), issues);
    if let WriteSeek::Own(own) = &spec.write_seek {
        curve("write_seek", own, spec.cylinders(), issues);
    }
    if read_holds {
        let seek = SeekTable::new(spec, spec.cylinders());
        quoted_average(spec, &seek, issues);
        slack(spec, &seek, issues);
    }
    interface(spec, issues);
    buffer(spec, issues);
    if spec.lba48 == Some(false) && spec.capacity_sectors > LBA28_SECTORS {
        issues.report(
            "lba48",
            format!("28-bit addresses reach {LBA28_SECTORS} of {} sectors", spec.capacity_sectors),
            "leave lba48 out or set it to true",
        );
    }
}

/// A source of a field that is not there was meant for another one.
fn sources(spec: &DriveSpec, issues: &mut Issues) {
    let leaves = fields::leaves(spec);
    for field in spec.sources.keys() {
        if !leaves.iter().any(|leaf| crate::config::covers(field, &leaf.path)) {
            issues.report(
                &format!("sources.{field}"),
                format!("this file has no field `{field}`"),
                "name a field that the file states, or one that encloses it",
            );
        }
    }
}

/// Order, and what the spare scheme allows; later checks need both.
fn defects(spec: &DriveSpec, issues: &mut Issues) -> bool {
    let mut ok = true;
    let mut refuse = |field: String, message: String, remedy: &str| {
        issues.report(&field, message, remedy);
        ok = false;
    };
    let Defects { slips, remaps } = &spec.defects;
    for (index, pair) in slips.windows(2).enumerate() {
        if pair[1] <= pair[0] {
            let message = format!("{} comes after {}", pair[1], pair[0]);
            refuse(format!("defects.slips[{}]", index + 1), message, "sort the slips and state each once");
        }
    }
    if let Some(&last) = slips.last().filter(|&&last| last >= spec.physical_sectors()) {
        let message = format!("place {last} of {} physical sectors", spec.physical_sectors());
        refuse(format!("defects.slips[{}]", slips.len() - 1), message, "remove it");
    }
    for (index, pair) in remaps.windows(2).enumerate() {
        if pair[1].lba <= pair[0].lba {
            let message = format!("address {} comes after {}", pair[1].lba, pair[0].lba);
            let field = format!("defects.remaps[{}].lba", index + 1);
            refuse(field, message, "sort the remaps by address and state each once");
        }
    }
    if spec.spare_scheme == SpareScheme::None && !(slips.is_empty() && remaps.is_empty()) {
        let message = format!("{} slips and {} remaps without spares", slips.len(), remaps.len());
        refuse("defects".to_owned(), message, "choose spare_scheme: EndOfDisk or EndOfZone");
    }
    let by_cylinder = matches!(
        spec.spare_scheme,
        SpareScheme::EndOfCylinder
            | SpareScheme::EndOfCylinderForRemaps
            | SpareScheme::FrontOfCylinder
            | SpareScheme::FrontOfCylinderForRemaps
            | SpareScheme::EndOfRange { .. }
    );
    if by_cylinder && spec.layout == Layout::SurfaceSerpentine {
        let message = format!("{:?} with a layout that goes surface by surface", spec.spare_scheme);
        refuse("spare_scheme".to_owned(), message, "choose a layout that fills cylinders");
    }
    for (index, zone) in spec.zones.iter().enumerate() {
        let field = format!("zones[{index}].spares");
        let without = matches!(spec.spare_scheme, SpareScheme::None | SpareScheme::EndOfDisk);
        if without && zone.spares > 0 {
            let message = format!("{} spares, but spare_scheme is {:?}", zone.spares, spec.spare_scheme);
            refuse(field, message, "choose spare_scheme: EndOfZone or leave the spares out");
            continue;
        }
        let (region, spares) = region_of(spec, zone);
        if spares >= region {
            let message = format!("{spares} spare sectors in regions of {region} sectors");
            refuse(field, message, "leave room for addresses");
        }
    }
    ok
}

/// Capacity and spares against what the zones hold.
fn room(spec: &DriveSpec, issues: &mut Issues) {
    let occupied = Occupied::new(spec);
    if spec.capacity_sectors > occupied.room() {
        issues.report(
            "capacity_sectors",
            format!(
                "{} sectors, but the zones hold {} less {} for spares and slips: {}",
                spec.capacity_sectors,
                spec.physical_sectors(),
                spec.physical_sectors() - occupied.room(),
                occupied.room()
            ),
            format!("use at most {} or more cylinders", occupied.room()),
        );
    }
    if spec.spare_scheme == SpareScheme::EndOfZone {
        let mut start = 0;
        for (index, zone) in spec.zones.iter().enumerate() {
            let end = start + zone.sectors(spec.heads);
            let slips = &spec.defects.slips;
            let slipped =
                slips.partition_point(|&slip| slip < end) - slips.partition_point(|&slip| slip < start);
            if slipped as u64 > zone.spares {
                issues.report(
                    &format!("zones[{index}].spares"),
                    format!("{slipped} slips in a zone of {} spares", zone.spares),
                    format!("use at least {slipped}"),
                );
            }
            start = end;
        }
    }
    let mut spares: Vec<u64> = Vec::new();
    for (index, remap) in spec.defects.remaps.iter().enumerate() {
        let mut refuse = |name: &str, message: String, remedy: &str| {
            issues.report(&format!("defects.remaps[{index}].{name}"), message, remedy);
        };
        if remap.lba >= spec.capacity_sectors {
            let message = format!("address {} of {}", remap.lba, spec.capacity_sectors);
            refuse("lba", message, "use an address of the drive");
        }
        let spare = remap.spare;
        if spare >= spec.physical_sectors() {
            let message = format!("place {spare} of {} physical sectors", spec.physical_sectors());
            refuse("spare", message, "use a place on the drive");
        } else if occupied.holds_address(spare) {
            let message = format!("place {spare} holds an address of the user range");
            refuse("spare", message, "use a place behind the user range or among a zone's spares");
        } else if spec.defects.slips.binary_search(&spare).is_ok() {
            refuse("spare", format!("place {spare} is itself slipped"), "use another spare");
        }
        if spares.contains(&spare) {
            refuse("spare", format!("place {spare} already serves another address"), "use another spare");
        }
        spares.push(spare);
    }
}

/// Order of the three points, and a curve that never falls.
fn curve(field: &str, curve: &SeekCurve, cylinders: u32, issues: &mut Issues) -> bool {
    match curve {
        SeekCurve::ThreePoint { single_ms, average_ms, full_ms } => {
            if single_ms > average_ms || average_ms > full_ms {
                issues.report(
                    field,
                    format!(
                        "single {single_ms} ms, average {average_ms} ms and full {full_ms} ms do not rise"
                    ),
                    "let single_ms <= average_ms <= full_ms",
                );
                return false;
            }
            mean(field, (*single_ms, *average_ms), curve, cylinders, issues)
        }
        SeekCurve::Table(knots) => {
            for (index, pair) in knots.windows(2).enumerate() {
                let ((d0, t0), (d1, t1)) = (pair[0], pair[1]);
                if d1 <= d0 || t1 < t0 {
                    issues.report(
                        &format!("{field}[{}]", index + 1),
                        format!("the knot ({d1} cylinders, {t1} ms) falls behind ({d0}, {t0})"),
                        "drop the outlier; distances must rise and times must not fall",
                    );
                    return false;
                }
            }
            true
        }
        SeekCurve::Measured(knots) => {
            let falls = knots.windows(2).position(|pair| pair[1].0 <= pair[0].0);
            if let Some(index) = falls {
                let (before, after) = (knots[index].0, knots[index + 1].0);
                let message = format!("{after} cylinders come after {before}");
                issues.report(
                    &format!("{field}[{}]", index + 1),
                    message,
                    "sort the knots and state each distance once",
                );
            }
            falls.is_none()
        }
        SeekCurve::PerCylinder(_) | SeekCurve::Hpl { .. } | SeekCurve::Lee { .. } => {
            let times = crate::drive::seek::curve_ms(curve, cylinders);
            // Short seeks that were listed one by one follow no law.
            let listed = match curve {
                SeekCurve::Hpl { first_ms, .. } if !first_ms.is_empty() => first_ms.len() + 1,
                _ => 0,
            };
            for (distance, pair) in times.windows(2).enumerate().skip(listed) {
                // A published line may meet its root law with a step down of rounding only.
                if pair[1] < pair[0] - 0.001 {
                    issues.report(
                        field,
                        format!(
                            "{:.4} ms at {} cylinders is less than {:.4} ms at {distance}",
                            pair[1],
                            distance + 1,
                            pair[0]
                        ),
                        "let the time never fall with the distance",
                    );
                    return false;
                }
            }
            true
        }
    }
}

/// The curve through three points may be unable to have the stated mean.
fn mean(
    field: &str,
    (single_ms, average_ms): (f64, f64),
    curve: &SeekCurve,
    cylinders: u32,
    issues: &mut Issues,
) -> bool {
    let times = crate::drive::seek::curve_ms(curve, cylinders);
    let n = f64::from(cylinders);
    let sum: f64 = times.iter().enumerate().map(|(d, ms)| (n - d as f64) * ms).sum();
    let ours = sum / (n * (n - 1.0) / 2.0);
    // A drive of a few cylinders has no mean of its own to speak of.
    let ok = cylinders < 16 || (ours / average_ms - 1.0).abs() <= QUOTED_TOLERANCE;
    if !ok {
        issues.report(
            &format!("{field}.average_ms"),
            format!("a curve through single_ms and full_ms cannot have this mean; the nearest is {ours:.3} ms for {average_ms} ms"),
            format!(
                "the mean must lie 1/3 to 8/15 of the way from single_ms to full_ms: with these two, let full_ms be \
                 {:.2} to {:.2}; or use Hpl or Table",
                single_ms + (average_ms - single_ms) * 15.0 / 8.0,
                single_ms + (average_ms - single_ms) * 3.0,
            ),
        );
    }
    ok
}

const QUOTED_TOLERANCE: f64 = 0.02;

fn quoted_average(spec: &DriveSpec, seek: &SeekTable, issues: &mut Issues) {
    let Some(quoted_ms) = spec.quoted_average_ms else { return };
    // Makers quote the fast mode.
    let ours_ms = seek.average_cylinder_weighted().as_ms() / spec.quiet_seek_factor;
    if (ours_ms / quoted_ms - 1.0).abs() > QUOTED_TOLERANCE {
        issues.report(
            "quoted_average_ms",
            format!("the mean of the curve is {ours_ms:.3} ms, {quoted_ms} ms is quoted"),
            "correct the curve to within 2 % or the quote",
        );
    }
}

/// A switch that takes longer than the skew costs a whole turn at every track border, so it is refused at
/// any size. The skew is that of the fastest drive the tolerance allows. `Auto` has slack by construction.
fn slack(spec: &DriveSpec, seek: &SeekTable, issues: &mut Issues) {
    // Measured skews are what they are, and published switch times often are worst cases.
    if matches!(spec.skew, SkewSpec::Auto | SkewSpec::Zones { .. }) {
        return;
    }
    let scheme = SkewScheme::new(spec);
    let turn = spec.shortest_revolution();
    let switch = seek.position((0, 0), (1, next_cylinder_head(spec)), false, true);
    let head_switch = seek.head_switch(false);
    for zone in 0..spec.zones.len() {
        let skew = scheme.spans(zone, turn);
        let mut refuse = |what: &str, takes: Span, has: Span| {
            issues.report(
                "skew",
                format!(
                    "zone {zone}: a {what} takes {:.4} ms and the skew leaves {:.4} ms at the fastest speed",
                    takes.as_ms(),
                    has.as_ms()
                ),
                format!("widen the {what} skew by {:.4} ms or more", (takes - has).as_ms()),
            );
        };
        let cylinder_short = spec.cylinders() > 1 && switch > skew.cylinder;
        let head_short = spec.heads > 1 && head_switch > skew.head;
        if cylinder_short {
            refuse("cylinder switch", switch, skew.cylinder);
        }
        if head_short {
            refuse("head switch", head_switch, skew.head);
        }
        if cylinder_short || head_short {
            // The other zones would say the same.
            break;
        }
    }
}

fn interface(spec: &DriveSpec, issues: &mut Issues) {
    // A bus may be slower than the medium where a drive disconnects while its buffer fills.
    if matches!(spec.interface, InterfaceSpec::Scsi(_)) {
        return;
    }
    let spt = spec.zones.iter().map(|zone| zone.spt).max().unwrap_or(0);
    let media_mb_s = f64::from(spt) * SECTOR_BYTES as f64 / spec.nominal_revolution().as_us();
    let nominal_mb_s = spec.interface.nominal_mb_s();
    if media_mb_s > nominal_mb_s {
        issues.report(
            "interface",
            format!(
                "{spt} sectors a track are {media_mb_s:.1} MB/s, the interface carries {nominal_mb_s} MB/s"
            ),
            "use a faster mode or fewer sectors a track",
        );
    }
}

fn buffer(spec: &DriveSpec, issues: &mut Issues) {
    let size_kib = u64::from(spec.buffer.size_kib);
    let segments_kib = match spec.buffer.segments {
        Segments::Fixed { count, size_kib } => u64::from(count) * u64::from(size_kib),
        Segments::Adaptive { minimum_kib, .. } => u64::from(minimum_kib),
    };
    let mut fits = |field: &str, kib: u64| {
        if kib > size_kib {
            issues.report(
                field,
                format!("`{field}` takes {kib} KiB, but `buffer.size_kib` is {size_kib}"),
                match size_kib {
                    0 => "let `buffer.read_ahead` be `Off` in a drive without a buffer".to_owned(),
                    _ => format!("use at most {size_kib} KiB in all"),
                },
            );
        }
    };
    // A drive without a buffer states no segments that could fit.
    if size_kib > 0 {
        fits("buffer.segments", segments_kib);
    }
    if let ReadAhead::Adaptive { minimum_kib, maximum_kib } = spec.buffer.read_ahead {
        fits("buffer.read_ahead.maximum_kib", u64::from(maximum_kib));
        fits("buffer.read_ahead.minimum_kib", u64::from(minimum_kib));
        if minimum_kib > maximum_kib {
            issues.report(
                "buffer.read_ahead",
                format!("at least {minimum_kib} KiB and at most {maximum_kib} KiB"),
                "let minimum_kib be at most maximum_kib",
            );
        }
    }
    if let ReadAheadRestart::AtKib(kib) = spec.buffer.read_ahead_restart {
        restart_level(spec, kib, issues);
    }
    if spec.write_cache.enabled && u64::from(spec.write_cache.size_kib) > size_kib {
        issues.report(
            "write_cache.size_kib",
            format!(
                "`write_cache.size_kib` is {}, but `buffer.size_kib` is {size_kib}",
                spec.write_cache.size_kib
            ),
            match size_kib {
                0 => "let `write_cache.enabled` be `false` in a drive without a buffer".to_owned(),
                _ => format!("use at most {size_kib} KiB"),
            },
        );
    }
}

/// A restart level at or above the limit would never let read-ahead pause.
fn restart_level(spec: &DriveSpec, restart_kib: u32, issues: &mut Issues) {
    if let ReadAhead::Adaptive { maximum_kib, .. } = spec.buffer.read_ahead
        && restart_kib > maximum_kib
    {
        issues.report(
            "buffer.read_ahead_restart",
            format!("restarts at {restart_kib} KiB, but at most {maximum_kib} KiB are read ahead"),
            format!("use at most {maximum_kib} KiB"),
        );
    }
}
