//! A drive model as a list of fields with values and sources, for people.

use super::DriveSpec;
use crate::config::{Annotated, Leaf, fields};

/// The top level in the order of [`DriveSpec`], which JSON objects lose.
const ORDER: [&str; 33] = [
    "name",
    "capacity_sectors",
    "heads",
    "rpm",
    "rpm_tolerance",
    "spindle_phase",
    "layout",
    "zones",
    "skew",
    "defects",
    "spare_scheme",
    "seek",
    "inward_seek_extra_ms",
    "quoted_average_ms",
    "write_seek",
    "write_settle_sequential_ms",
    "seek_jitter_ms",
    "head_switch_ms",
    "quiet_seek_factor",
    "overhead",
    "buffer",
    "write_cache",
    "queue",
    "interface",
    "buffer_rate_mb_s",
    "lba48",
    "flush_supported",
    "fua_supported",
    "write_verify",
    "errors",
    "thermal_recalibration",
    "spin_up_s",
    "power_fail",
];

/// Every field of `spec` with its value and the source that covers it, in the order of the record. A field
/// that no source covers has the format's default, which is an assumption.
pub fn annotated(spec: &DriveSpec) -> Vec<Annotated> {
    fields::annotated(spec, &spec.sources, &ORDER)
}

/// The fields of `spec` that hold a value; not the name, the version of the format and the sources.
pub(super) fn leaves(spec: &DriveSpec) -> Vec<Leaf> {
    fields::leaves(spec, &ORDER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::spec::sample;

    #[test]
    fn fields_come_in_the_order_of_the_record_without_variant_names() {
        let rows = annotated(&sample());
        let paths: Vec<&str> = rows.iter().map(|(path, _, _)| path.as_str()).collect();
        assert_eq!(paths[..3], ["capacity_sectors", "heads", "rpm"]);
        let find = |path: &str| rows.iter().find(|row| row.0 == path).map(|row| row.1.as_str());
        assert_eq!(find("seek"), Some("ThreePoint"));
        assert_eq!(find("seek.average_ms"), Some("8.5"));
        assert_eq!(find("write_seek"), Some("Settle(1.0)"));
        assert_eq!(find("zones[1]"), Some("cylinders 200, spares 0, spt 32"));
        assert_eq!(find("lba48"), Some("not stated"));
    }
}
