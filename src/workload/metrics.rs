//! What a pattern does to a striped array, by arithmetic.
//!
//! Models: averages over the lines of a pattern, weighted with their shares, for addresses spread evenly
//! over the multiples of each line's alignment.
//! Leaves out: the wrap at the end of the area and sequential runs, where neighbours depend on each other.

use super::iometer::Line;
use crate::units::SECTOR_BYTES;

/// Mean size of a request in bytes.
pub fn mean_size_bytes(lines: &[Line]) -> f64 {
    weighted(lines, |line| line.size_bytes as f64)
}

/// The part (0 to 1) of all bytes that move in requests of at least `size_bytes`.
pub fn byte_share_from(lines: &[Line], size_bytes: u64) -> f64 {
    let large =
        weighted(lines, |line| if line.size_bytes >= size_bytes { line.size_bytes as f64 } else { 0.0 });
    large / mean_size_bytes(lines)
}

/// Mean number of stripe units of `stripe_bytes` (a multiple of 512) that a request touches.
pub fn mean_pieces(lines: &[Line], stripe_bytes: u64) -> f64 {
    weighted(lines, |line| {
        let edges = phases(line, stripe_bytes, |edges| edges as f64);
        1.0 + edges
    })
}

/// Probability (0 to 1) that a request crosses an edge between stripe units of `stripe_bytes` (a multiple
/// of 512).
pub fn crossing_probability(lines: &[Line], stripe_bytes: u64) -> f64 {
    weighted(lines, |line| phases(line, stripe_bytes, |edges| if edges > 0 { 1.0 } else { 0.0 }))
}

fn weighted(lines: &[Line], figure: impl Fn(&Line) -> f64) -> f64 {
    let total: f64 = lines.iter().map(|line| f64::from(line.share_percent)).sum();
    lines.iter().map(|line| f64::from(line.share_percent) * figure(line)).sum::<f64>() / total
}

/// Mean of `figure(edges crossed)` over every place in a stripe unit where an aligned request can start.
fn phases(line: &Line, stripe_bytes: u64, figure: impl Fn(u64) -> f64) -> f64 {
    let unit = (stripe_bytes / SECTOR_BYTES).max(1);
    let sectors = (line.size_bytes / SECTOR_BYTES).max(1);
    let step = greatest_common_divisor((line.alignment_bytes() / SECTOR_BYTES).max(1), unit);
    let places = unit / step;
    let sum: f64 = (0..places).map(|place| figure((place * step + sectors - 1) / unit)).sum();
    sum / places as f64
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
