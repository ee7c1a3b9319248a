//! Access specifications, the pattern model files.

use serde::{Deserialize, Serialize};

use crate::config::{Issues, Sources, Validate};
use crate::units::SECTOR_BYTES;

/// Most lines of a specification: Iometer draws the line from a table of 100 cells.
const LINES_MAX: usize = 100;
/// Largest request: Iometer's sizes are 32-bit and its buffers signed.
pub const SIZE_BYTES_MAX: u64 = (1 << 31) - SECTOR_BYTES;
/// Longest delay, one hour; Iometer has no limit of its own.
const DELAY_MS_MAX: u64 = 3_600_000;

/// An Iometer access specification: what one test asks of a disk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessSpec {
    /// Name that scenarios use; small letters, digits and hyphens.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// 1 to 100 kinds of request whose shares sum to 100.
    pub lines: Vec<Line>,
    /// Where the figures come from.
    #[serde(default)]
    pub sources: Sources,
}

/// One kind of request of an access specification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Bytes of a request, a multiple of 512 as raw disks demand.
    pub size_bytes: u64,
    /// Share of bursts that use this line, 0 to 100; default 100.
    #[serde(default = "hundred")]
    pub share_percent: u8,
    /// Share of reads, 0 to 100; the others are writes.
    pub read_percent: u8,
    /// Share of random addresses, 0 to 100; the others continue after the last request issued.
    pub random_percent: u8,
    /// Pause of the whole worker before a burst, in ms, 0 to 3 600 000; default 0.
    #[serde(default)]
    pub delay_ms: u32,
    /// Requests in a burst, 1 or more; default 1.
    #[serde(default = "one")]
    pub burst: u32,
    /// Addresses are rounded up to a multiple of this, a multiple of 512; 0, the default, is the sector.
    #[serde(default)]
    pub align_bytes: u64,
    /// Size of the reply that follows a request. Only 0, the default, is modelled: replies are for
    /// network targets.
    #[serde(default)]
    pub reply_bytes: u64,
}

fn hundred() -> u8 {
    100
}

fn one() -> u32 {
    1
}

impl Line {
    /// A line of every burst, without delay, at sector alignment.
    pub const fn new(size_bytes: u64, read_percent: u8, random_percent: u8) -> Self {
        Line {
            size_bytes,
            share_percent: 100,
            read_percent,
            random_percent,
            delay_ms: 0,
            burst: 1,
            align_bytes: 0,
            reply_bytes: 0,
        }
    }
    /// The alignment in bytes that is in force: 0 stands for the sector.
    pub const fn alignment_bytes(&self) -> u64 {
        if self.align_bytes == 0 { SECTOR_BYTES } else { self.align_bytes }
    }
}

/// Calls `report(field, message, remedy)` for every rule that `lines` break.
pub(crate) fn check_lines(lines: &[Line], report: &mut dyn FnMut(&str, String, &str)) {
    if lines.is_empty() || lines.len() > LINES_MAX {
        report("lines", format!("there are {} lines", lines.len()), "give 1 to 100 lines");
    }
    for (number, line) in lines.iter().enumerate() {
        let mut at = |field: &str, message: String, remedy: &str| {
            report(&format!("lines[{number}].{field}"), message, remedy);
        };
        check_sizes(line, &mut at);
        let percents = [
            ("share_percent", line.share_percent),
            ("read_percent", line.read_percent),
            ("random_percent", line.random_percent),
        ];
        for (field, percent) in percents {
            if percent > 100 {
                at(field, format!("{percent} % is out of range"), "use 0 to 100");
            }
        }
        if u64::from(line.delay_ms) > DELAY_MS_MAX {
            at("delay_ms", format!("{} ms is out of range", line.delay_ms), "use 0 to 3600000 ms");
        }
        if line.burst == 0 {
            at("burst", "a burst of 0 requests".to_owned(), "use 1 or more");
        }
    }
    let sum: u32 = lines.iter().map(|line| u32::from(line.share_percent)).sum();
    if !lines.is_empty() && sum != 100 {
        let remedy = if sum < 100 {
            format!("add {} to the share_percent of a line", 100 - sum)
        } else {
            format!("take {} off the share_percent of a line", sum - 100)
        };
        report("lines", format!("the shares sum to {sum} %, Iometer accepts 100 only"), &remedy);
    }
}

fn check_sizes(line: &Line, at: &mut dyn FnMut(&str, String, &str)) {
    if let Some((message, remedy)) = size_problem(line.size_bytes) {
        at("size_bytes", message, remedy);
    }
    if line.align_bytes != 0
        && let Some((message, remedy)) = size_problem(line.align_bytes)
    {
        at("align_bytes", message, remedy);
    }
    if line.reply_bytes != 0 {
        let message = format!("replies of {} bytes are not modelled", line.reply_bytes);
        at("reply_bytes", message, "use 0, as every disk pattern does");
    }
}

/// What is wrong with a size in bytes on a raw disk, and what to do.
pub(crate) fn size_problem(bytes: u64) -> Option<(String, &'static str)> {
    if bytes == 0 || bytes > SIZE_BYTES_MAX {
        Some((format!("{bytes} bytes is out of range"), "use 512 to 2147483136 bytes"))
    } else if !bytes.is_multiple_of(SECTOR_BYTES) {
        let message = format!("{bytes} bytes are not whole sectors of 512 bytes");
        Some((message, "use a multiple of 512, as raw disks demand"))
    } else {
        None
    }
}

impl Validate for AccessSpec {
    fn validate(&self, issues: &mut Issues) {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || !self.name.chars().all(plain) {
            let message = format!("\"{}\" is not a name scenarios can use", self.name);
            issues.report("name", message, "use small letters, digits and hyphens");
        }
        if self.title.trim().is_empty() {
            issues.report("title", "the title is empty", "say what the pattern stands for");
        }
        check_lines(&self.lines, &mut |field, message, remedy| issues.report(field, message, remedy));
    }
}
