//! Units of positions, rates and times, and how headers write them.

use crate::units::{MIB, SECTOR_BYTES};

/// Unit of a position on the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionUnit {
    /// Sectors of 512 bytes.
    Sectors,
    /// Bytes.
    Bytes,
    /// 10^6 bytes.
    Mb,
    /// 2^20 bytes.
    Mib,
    /// 10^9 bytes.
    Gb,
    /// 2^30 bytes.
    Gib,
    /// Hundredths of the capacity.
    Percent,
}

/// Unit of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateUnit {
    /// Bytes a second.
    BS,
    /// 10^3 bytes a second.
    KbS,
    /// 2^10 bytes a second.
    KibS,
    /// 10^6 bytes a second.
    MbS,
    /// 2^20 bytes a second.
    MibS,
    /// 10^9 bytes a second.
    GbS,
    /// 2^30 bytes a second.
    GibS,
    /// 10^3 bits a second.
    KbitS,
    /// 10^6 bits a second.
    MbitS,
    /// 10^9 bits a second.
    GbitS,
}

/// Unit of an access time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    S,
    /// Milliseconds.
    Ms,
    /// Microseconds.
    Us,
    /// Nanoseconds.
    Ns,
}

impl PositionUnit {
    /// A position as a number of sectors.
    pub(super) fn sectors(self, at: f64, capacity_sectors: u64) -> f64 {
        let sector = SECTOR_BYTES as f64;
        match self {
            PositionUnit::Sectors => at,
            PositionUnit::Bytes => at / sector,
            PositionUnit::Mb => at * 1e6 / sector,
            PositionUnit::Mib => at * MIB as f64 / sector,
            PositionUnit::Gb => at * 1e9 / sector,
            PositionUnit::Gib => at * 1024.0 * MIB as f64 / sector,
            PositionUnit::Percent => at / 100.0 * capacity_sectors as f64,
        }
    }

    pub(super) fn told(self) -> &'static str {
        match self {
            PositionUnit::Sectors => "sectors of 512 bytes",
            PositionUnit::Bytes => "bytes",
            PositionUnit::Mb => "MB of 10^6 bytes",
            PositionUnit::Mib => "MiB of 2^20 bytes",
            PositionUnit::Gb => "GB of 10^9 bytes",
            PositionUnit::Gib => "GiB of 2^30 bytes",
            PositionUnit::Percent => "percent of the capacity",
        }
    }
}

impl RateUnit {
    /// A rate in MB/s of 10^6 bytes.
    pub(super) fn mb_s(self, rate: f64) -> f64 {
        let mib = MIB as f64 / 1e6;
        match self {
            RateUnit::BS => rate / 1e6,
            RateUnit::KbS => rate / 1e3,
            RateUnit::KibS => rate * mib / 1024.0,
            RateUnit::MbS => rate,
            RateUnit::MibS => rate * mib,
            RateUnit::GbS => rate * 1e3,
            RateUnit::GibS => rate * mib * 1024.0,
            RateUnit::KbitS => rate / 8e3,
            RateUnit::MbitS => rate / 8.0,
            RateUnit::GbitS => rate * 1e3 / 8.0,
        }
    }

    pub(super) fn told(self) -> &'static str {
        match self {
            RateUnit::BS => "bytes a second",
            RateUnit::KbS => "KB/s of 10^3 bytes",
            RateUnit::KibS => "KiB/s of 2^10 bytes",
            RateUnit::MbS => "MB/s of 10^6 bytes",
            RateUnit::MibS => "MiB/s of 2^20 bytes",
            RateUnit::GbS => "GB/s of 10^9 bytes",
            RateUnit::GibS => "GiB/s of 2^30 bytes",
            RateUnit::KbitS => "kilobits a second",
            RateUnit::MbitS => "megabits a second",
            RateUnit::GbitS => "gigabits a second",
        }
    }
}

impl TimeUnit {
    /// A time in ms.
    pub(super) fn ms(self, time: f64) -> f64 {
        match self {
            TimeUnit::S => time * 1e3,
            TimeUnit::Ms => time,
            TimeUnit::Us => time / 1e3,
            TimeUnit::Ns => time / 1e6,
        }
    }

    pub(super) fn told(self) -> &'static str {
        match self {
            TimeUnit::S => "seconds",
            TimeUnit::Ms => "milliseconds",
            TimeUnit::Us => "microseconds",
            TimeUnit::Ns => "nanoseconds",
        }
    }
}

/// The words of a header with what stands before each.
fn words(field: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '%';
    let mut rest = field;
    while let Some(start) = rest.find(is_word) {
        let length = rest[start..].find(|c| !is_word(c)).unwrap_or(rest.len() - start);
        found.push((&rest[..start], &rest[start..start + length]));
        rest = &rest[start + length..];
    }
    found
}

/// What the size in front of `/s` is, `M`, `i` and `B` in their letters: their case tells bits from bytes.
fn size(word: &str) -> Option<(Option<char>, bool, &str)> {
    let mut rest = word;
    let prefix = rest.chars().next().filter(|c| "kKmMgG".contains(*c));
    if let Some(prefix) = prefix {
        rest = &rest[prefix.len_utf8()..];
    }
    let binary = prefix.is_some() && rest.starts_with(['i', 'I']) && rest.len() > 1;
    if binary {
        rest = &rest[1..];
    }
    let is_size = matches!(rest.to_lowercase().as_str(), "b" | "byte" | "bytes" | "bit" | "bits");
    is_size.then_some((prefix, binary, rest))
}

/// The rate unit that a header names, or why it is not to be used; nothing if there is none.
pub(super) fn rate(field: &str) -> Option<Result<RateUnit, String>> {
    const SECONDS: [&str; 4] = ["s", "sec", "second", "seconds"];
    let words = words(field);
    for pair in words.windows(2) {
        let [(_, what), (between, per)] = pair else { continue };
        if !SECONDS.contains(&per.to_lowercase().as_str()) {
            continue;
        }
        let is_pair = matches!(between.trim(), "/" | "_" | "");
        if let Some(size) = size(what).filter(|_| is_pair) {
            return Some(rate_of(size, &format!("{what}{between}{per}"), false));
        }
        if between.trim() == "/" {
            return Some(Err(format!("`{what}{between}{per}` is no unit of rates that is known here")));
        }
    }
    words.iter().find_map(|(_, word)| {
        let joined = word.strip_suffix("ps").or_else(|| word.strip_suffix("PS"))?;
        size(joined).map(|size| rate_of(size, word, true))
    })
}

/// `joined`: written as `Mbps`, which in small letters may be bits as well as bytes.
fn rate_of(
    (prefix, binary, rest): (Option<char>, bool, &str),
    whole: &str,
    joined: bool,
) -> Result<RateUnit, String> {
    let is_bits = match rest {
        "bit" | "bits" | "Bit" | "Bits" => true,
        // `Mb` is megabits, `MB` megabytes; `mb` is how this program writes bytes itself.
        "b" => !binary && prefix.is_some_and(char::is_uppercase),
        _ => false,
    };
    let small = rest == "b" && !is_bits;
    if small && joined && !binary {
        return Err(format!("`{whole}` may be bits or bytes a second"));
    }
    Ok(match (prefix.map(|c| c.to_ascii_lowercase()), binary, is_bits) {
        (None, _, false) => RateUnit::BS,
        (Some('k'), false, false) => RateUnit::KbS,
        (Some('k'), true, false) => RateUnit::KibS,
        (Some('m'), false, false) => RateUnit::MbS,
        (Some('m'), true, false) => RateUnit::MibS,
        (Some('g'), false, false) => RateUnit::GbS,
        (Some('g'), true, false) => RateUnit::GibS,
        (Some('k'), false, true) => RateUnit::KbitS,
        (Some('m'), false, true) => RateUnit::MbitS,
        (Some('g'), false, true) => RateUnit::GbitS,
        _ => return Err(format!("`{whole}` is no unit of rates that is known here")),
    })
}

/// The unit of positions that a header names, or why it is not to be used; nothing if there is none.
pub(super) fn position(field: &str) -> Option<Result<PositionUnit, String>> {
    words(field).iter().find_map(|(_, word)| {
        if matches!(*word, "Kb" | "Mb" | "Gb" | "Tb") {
            return Some(Err(format!("`{word}` may be bits or bytes")));
        }
        Some(Ok(match word.to_lowercase().as_str() {
            "lba" | "sector" | "sectors" | "block" | "blocks" => PositionUnit::Sectors,
            "b" | "byte" | "bytes" => PositionUnit::Bytes,
            "mb" => PositionUnit::Mb,
            "mib" => PositionUnit::Mib,
            "gb" => PositionUnit::Gb,
            "gib" => PositionUnit::Gib,
            "%" | "percent" => PositionUnit::Percent,
            "kb" | "kib" | "tb" | "tib" => {
                return Some(Err(format!("`{word}` is no unit of positions that is known here")));
            }
            _ => return None,
        }))
    })
}

/// The unit of times that a header names; nothing if there is none.
pub(super) fn time(field: &str) -> Option<Result<TimeUnit, String>> {
    words(field).iter().find_map(|(_, word)| {
        Some(Ok(match word.to_lowercase().as_str() {
            "s" | "sec" | "secs" | "second" | "seconds" => TimeUnit::S,
            "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" => TimeUnit::Ms,
            "us" | "µs" | "μs" | "usec" | "usecs" | "microsecond" | "microseconds" => TimeUnit::Us,
            "ns" | "nsec" | "nsecs" | "nanosecond" | "nanoseconds" => TimeUnit::Ns,
            "min" | "minutes" | "ticks" | "cycles" => {
                return Some(Err(format!("`{word}` is no unit of times that is known here")));
            }
            _ => return None,
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_tells_bits_from_bytes_and_what_may_be_both_is_refused() {
        for (header, expected) in [
            ("rate_mb_s", RateUnit::MbS),
            ("Rate (MB/s)", RateUnit::MbS),
            ("MBps", RateUnit::MbS),
            ("Rate (Mb/s)", RateUnit::MbitS),
            ("Mbps", RateUnit::MbitS),
            ("Mbit/s", RateUnit::MbitS),
            ("kbit/sec", RateUnit::KbitS),
            ("MiB/s", RateUnit::MibS),
            ("speed_kib_s", RateUnit::KibS),
            ("KB/s", RateUnit::KbS),
            ("kB/s", RateUnit::KbS),
            ("GB/s", RateUnit::GbS),
            ("B/s", RateUnit::BS),
            ("bytes/second", RateUnit::BS),
        ] {
            assert_eq!(rate(header), Some(Ok(expected)), "{header}");
        }
        for header in ["mbps", "kbps", "speed (sectors/s)", "IO/s", "bit/s"] {
            assert!(matches!(rate(header), Some(Err(_))), "{header}: {:?}", rate(header));
        }
        assert_eq!(rate("speed"), None);
        assert_eq!(RateUnit::MbitS.mb_s(320.0), 40.0);
    }

    #[test]
    fn times_and_positions_are_taken_as_they_are_named() {
        for (header, expected) in [
            ("access_ms", 1.0),
            ("Access time (s)", 1e3),
            ("latency ns", 1e-6),
            ("latency [µs]", 1e-3),
            ("response usec", 1e-3),
        ] {
            let found = time(header).unwrap().unwrap().ms(1.0);
            assert!((found / expected - 1.0).abs() < 1e-12, "{header}: {found}");
        }
        assert_eq!(time("latency"), None);
        assert_eq!(position("position (MB)"), Some(Ok(PositionUnit::Mb)));
        assert!(matches!(position("position (Mb)"), Some(Err(_))));
        assert!(matches!(position("offset KiB"), Some(Err(_))));
    }
}
