//! Zones out of the rates that a data sheet prints.

use std::str::FromStr;

use super::staircase::Staircase;
use crate::drive::spec::ZoneSpec;
use crate::units::SECTOR_BYTES;

/// A figure as it is printed: its value, and how far rounding may have moved it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The value.
    pub value: f64,
    /// Half a unit of the last printed digit.
    pub rounding: f64,
}

impl FromStr for Printed {
    type Err = String;

    /// Reads a plain decimal number: `8.5` is 8.5 give or take 0.05.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let refused = || format!("`{text}` is no decimal number");
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return Err(refused());
        }
        let value: f64 = text.parse().map_err(|_| refused())?;
        let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len().min(12));
        Ok(Printed { value, rounding: 0.5 * 0.1_f64.powi(decimals as i32) })
    }
}

/// Rates over the addresses of a drive.
#[derive(Clone, Debug, PartialEq)]
pub enum Rates {
    /// Sustained rates at both edges, in MB/s of 10^6 bytes; zones between fall evenly.
    Edges {
        /// At the first address.
        outer_mb_s: Printed,
        /// At the last address.
        inner_mb_s: Printed,
        /// Zones; unset: 16, or one if both rates are the same.
        zones: Option<u32>,
    },
    /// Measured over the addresses.
    Staircase(Staircase),
}

impl Rates {
    /// Every rate with what to call it.
    pub(super) fn all(&self) -> Vec<(String, f64)> {
        match self {
            Rates::Edges { outer_mb_s, inner_mb_s, .. } => vec![
                ("rate_mb_s outer".to_owned(), outer_mb_s.value),
                ("rate_mb_s inner".to_owned(), inner_mb_s.value),
            ],
            Rates::Staircase(stairs) => {
                let levels = stairs.levels.iter().enumerate();
                levels.map(|(index, level)| (format!("level {index} of the staircase"), level.mb_s)).collect()
            }
        }
    }
}

/// Zones that a data sheet without their number is taken to have, as drives of around 2001 do.
const ZONES_USUAL: u32 = 16;
/// Sectors beyond the capacity, as a share of it: about what desktop drives keep as spares.
const SPARE_SHARE: f64 = 0.002;

/// What a turn and the switch at its end cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    /// One turn, in us.
    pub turn_us: f64,
    /// The skew a track, mean over head and cylinder changes, in us.
    pub switch_us: f64,
}

impl Track {
    /// Sectors of a track that sustains `mb_s`; not rounded.
    ///
    /// Sustained means skews included: a cylinder of H tracks takes `H turn + (H - 1) head + cylinder` (IBM's
    /// definition).
    pub fn sectors(&self, mb_s: f64) -> f64 {
        mb_s * (self.turn_us + self.switch_us) / SECTOR_BYTES as f64
    }

    /// The rate that a track of `spt` sectors sustains, in MB/s.
    pub fn sustained_mb_s(&self, spt: f64) -> f64 {
        spt * SECTOR_BYTES as f64 / (self.turn_us + self.switch_us)
    }
}

/// Number of zones for rates at the edges.
pub(super) fn zone_count(outer_mb_s: f64, inner_mb_s: f64, stated: Option<u32>) -> u32 {
    stated.unwrap_or(if outer_mb_s == inner_mb_s { 1 } else { ZONES_USUAL })
}

/// Sectors that all zones together are to hold.
pub(super) fn sectors_with_spares(capacity_sectors: u64) -> u64 {
    capacity_sectors + (capacity_sectors as f64 * SPARE_SHARE).ceil() as u64
}

/// Zones of nearly as many cylinders each, whose sectors a track fall evenly from `outer` to `inner`, with the
/// fewest cylinders that hold the capacity and spares; none if there are fewer cylinders than zones.
pub(super) fn even_zones(
    (outer, inner): (f64, f64),
    count: u32,
    heads: u32,
    capacity_sectors: u64,
) -> Option<Vec<ZoneSpec>> {
    let last = f64::from(count.max(2) - 1);
    let spt = |zone: u32| (outer + (inner - outer) * f64::from(zone) / last).round().max(1.0) as u32;
    let mut zones: Vec<ZoneSpec> =
        (0..count).map(|zone| ZoneSpec { cylinders: 0, spt: spt(zone), ..ZoneSpec::default() }).collect();
    let wanted = sectors_with_spares(capacity_sectors);
    let round: u64 = zones.iter().map(|zone| u64::from(zone.spt) * u64::from(heads)).sum();
    let each = u32::try_from(wanted / round.max(1)).ok().filter(|each| *each > 0)?;
    zones.iter_mut().for_each(|zone| zone.cylinders = each);
    let mut held = round * u64::from(each);
    for zone in &mut zones {
        if held < wanted {
            zone.cylinders += 1;
            held += u64::from(zone.spt) * u64::from(heads);
        }
    }
    Some(zones)
}

/// A zone a level, each to the nearest cylinder; the last one with room for spares.
pub(super) fn stair_zones(
    stairs: &Staircase,
    track: Track,
    heads: u32,
    capacity_sectors: u64,
) -> Vec<ZoneSpec> {
    let wanted = sectors_with_spares(capacity_sectors) as f64;
    let mut held = 0.0;
    let mut zones = Vec::with_capacity(stairs.levels.len());
    for (index, level) in stairs.levels.iter().enumerate() {
        let spt = track.sectors(level.mb_s).round().max(1.0);
        let of_cylinder = spt * f64::from(heads);
        let cylinders = match stairs.levels.get(index + 1) {
            Some(next) => ((next.first_lba - held) / of_cylinder).round(),
            None => ((wanted - held) / of_cylinder).ceil(),
        };
        let cylinders = cylinders.max(1.0);
        held += cylinders * of_cylinder;
        zones.push(ZoneSpec { cylinders: cylinders as u32, spt: spt as u32, ..ZoneSpec::default() });
    }
    zones
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_printed_figure_knows_its_rounding() {
        let printed = |text: &str| text.parse::<Printed>().map(|printed| (printed.value, printed.rounding));
        assert_eq!(printed("40"), Ok((40.0, 0.5)));
        let (value, rounding) = printed(" 37.76 ").unwrap();
        assert!((value - 37.76).abs() < 1e-12 && (rounding - 0.005).abs() < 1e-12);
        for wrong in ["", ".", "-1", "1e3", "nan", "inf", "1.2.3", "4 0", "0x10"] {
            assert!(printed(wrong).unwrap_err().contains("no decimal number"), "{wrong}");
        }
    }

    #[test]
    fn ibms_throughput_test_gives_the_tracks_of_the_75gxp() {
        // Four heads, switches of 1.2 and 1.5 ms, 37.76 and 18.81 MB/s.
        let track = Track { turn_us: 25e3 / 3.0, switch_us: (3.0 * 1200.0 + 1500.0) / 4.0 };
        assert_eq!((track.sectors(37.76).round(), track.sectors(18.81).round()), (709.0, 353.0));
        assert!((track.sustained_mb_s(track.sectors(30.0)) - 30.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn zones_fall_hold_the_capacity_and_little_more(
            outer in 100.0_f64..2000.0, share in 0.3_f64..1.0, count in 1_u32..64, heads in 1_u32..12,
            capacity in 5_000_000_u64..400_000_000,
        ) {
            let zones = even_zones((outer, outer * share), count, heads, capacity).unwrap();
            prop_assert!(zones.windows(2).all(|pair| pair[0].spt >= pair[1].spt));
            prop_assert!(zones.windows(2).all(|pair| pair[0].cylinders - pair[1].cylinders <= 1));
            let held: u64 = zones.iter().map(|zone| zone.sectors(heads)).sum();
            let cylinder = u64::from(zones[0].spt) * u64::from(heads);
            prop_assert!(held >= capacity);
            prop_assert!(held - capacity <= capacity / 500 + 2 * cylinder);
        }
    }
}
