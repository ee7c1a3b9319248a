//! Synthetic load: random requests that arrive at random times, as a source for [`run`](super::run).

use std::convert::Infallible;

use rand::Rng;
use rand_distr::{Distribution, Exp1};
use serde::{Deserialize, Serialize};

use crate::config::{Issues, Validate};
use crate::sim::{Stream, Streams};
use crate::units::{Extent, Instant, Span};
use crate::workload::trace::TraceRequest;

/// Requests to random places of random drives, open: arrivals do not wait for completions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyntheticSpec {
    /// Requests in all.
    pub requests: u64,
    /// Drives, each equally likely, 1 to 65536.
    pub devices: u32,
    /// Blocks of each drive that are used, from the first on.
    pub capacity_blocks: u64,
    /// Mean time between two requests to one drive, exponentially distributed, 0.001 to 1000000 ms.
    pub interarrival_ms: f64,
    /// Share of reads, 0 to 1.
    pub reads: f64,
    /// Mean size before rounding up, exponentially distributed, 1 to 65536 blocks.
    pub size_mean_blocks: f64,
    /// Addresses and sizes are multiples of this, 1 to 65536 blocks.
    pub unit_blocks: u64,
}

impl Validate for SyntheticSpec {
    fn validate(&self, issues: &mut Issues) {
        issues.range_u64("devices", self.devices.into(), 1..=65_536, "drives");
        issues.range_f64("interarrival_ms", self.interarrival_ms, 0.001..=1e6, "ms");
        issues.range_f64("reads", self.reads, 0.0..=1.0, "of all");
        issues.range_f64("size_mean_blocks", self.size_mean_blocks, 1.0..=65_536.0, "blocks");
        if issues.range_u64("unit_blocks", self.unit_blocks, 1..=65_536, "blocks") {
            issues.range_u64("capacity_blocks", self.capacity_blocks, self.unit_blocks..=1 << 48, "blocks");
        }
    }
}

/// The requests, one after the other; they depend on the seed only.
#[derive(Clone, Debug)]
pub struct Synthetic {
    spec: SyntheticSpec,
    /// Between requests to any drive.
    pause_ms: f64,
    /// Units a drive holds.
    units: u64,
    drawn: u64,
    now: Instant,
    arrivals: Stream,
    devices: Stream,
    kinds: Stream,
    sizes: Stream,
    places: Stream,
}

impl Synthetic {
    /// The requests of a validated spec.
    pub fn new(spec: SyntheticSpec, streams: Streams) -> Self {
        let stream = |purpose| streams.stream("synthetic", purpose);
        Synthetic {
            pause_ms: spec.interarrival_ms / f64::from(spec.devices.max(1)),
            units: (spec.capacity_blocks / spec.unit_blocks.max(1)).max(1),
            drawn: 0,
            now: Instant::ZERO,
            arrivals: stream("arrivals"),
            devices: stream("devices"),
            kinds: stream("kinds"),
            sizes: stream("sizes"),
            places: stream("places"),
            spec,
        }
    }
}

impl Iterator for Synthetic {
    type Item = Result<TraceRequest, Infallible>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.drawn == self.spec.requests {
            return None;
        }
        self.drawn += 1;
        let exponential = |stream: &mut Stream| -> f64 { Exp1.sample(stream) };
        self.now += Span::from_ms(self.pause_ms * exponential(&mut self.arrivals));
        let blocks = self.spec.size_mean_blocks * exponential(&mut self.sizes);
        let units = ((blocks / self.spec.unit_blocks as f64).ceil() as u64).clamp(1, self.units);
        let unit = below(&mut self.places, self.units - units + 1);
        let threshold = (self.spec.reads * (1_u64 << 53) as f64) as u64;
        Some(Ok(TraceRequest {
            at: Some(self.now),
            device: below(&mut self.devices, u64::from(self.spec.devices)) as u32,
            write: self.kinds.next_u64() >> 11 >= threshold,
            extent: Extent::new(unit * self.spec.unit_blocks, units * self.spec.unit_blocks),
            measured: None,
            think: None,
            line: self.drawn,
        }))
    }
}

/// A whole number below `range`, each equally likely to within 2^-64.
fn below(stream: &mut Stream, range: u64) -> u64 {
    ((u128::from(stream.next_u64()) * u128::from(range)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_shares_are_those_of_the_spec() {
        let spec = SyntheticSpec {
            requests: 100_000,
            devices: 4,
            capacity_blocks: 1_000_003,
            interarrival_ms: 25.0,
            reads: 0.66,
            size_mean_blocks: 8.0,
            unit_blocks: 8,
        };
        let all: Vec<TraceRequest> = Synthetic::new(spec, Streams::new(1))
            .map(|request| request.unwrap_or_else(|e| match e {}))
            .collect();
        let mean = |of: &dyn Fn(&TraceRequest) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        let last = all.last().and_then(|request| request.at).expect("it has arrived");
        assert!((last.as_s() / (100_000.0 * 0.025 / 4.0) - 1.0).abs() < 0.02);
        assert!((mean(&|r| f64::from(u8::from(!r.write))) - 0.66).abs() < 0.01);
        // A size rounded up to units of its mean is 1 / (1 - 1/e) of it.
        assert!((mean(&|r| r.extent.sectors as f64) / (8.0 / (1.0 - (-1.0_f64).exp())) - 1.0).abs() < 0.02);
        assert!((mean(&|r| f64::from(r.device)) - 1.5).abs() < 0.02);
        assert!(all.iter().all(|r| r.extent.end() <= 1_000_003 && r.extent.lba % 8 == 0));
        assert!(all.windows(2).all(|pair| pair[0].at <= pair[1].at));
    }
}
