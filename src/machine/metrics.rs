//! What is measured, and when: IOMeter's rules of ramp-up and recording.

use serde::{Deserialize, Serialize};

use crate::drive::DriveCounters;
use crate::stats::LatencyHistogram;
use crate::units::{Instant, MIB, Span};
use crate::workload::playback::Player;

/// Figures of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Length of the recording, s.
    pub measured_s: f64,
    /// Requests completed.
    pub requests: u64,
    /// Requests a second.
    pub iops: f64,
    /// Reads a second.
    pub read_iops: f64,
    /// Writes a second.
    pub write_iops: f64,
    /// Bytes a second in MiB (2^20), which IOMeter of 1999 prints as MB/s.
    pub mib_s: f64,
    /// Mean response time, ms.
    pub response_ms: f64,
    /// Mean response time of reads, ms.
    pub read_response_ms: f64,
    /// Mean response time of writes, ms.
    pub write_response_ms: f64,
    /// Longest response time, ms.
    pub response_max_ms: f64,
    /// Percentiles of the response time, ms.
    pub response_p50_ms: f64,
    /// 95th percentile, ms.
    pub response_p95_ms: f64,
    /// 99th percentile, ms.
    pub response_p99_ms: f64,
    /// Busy share of the processor.
    pub cpu_utilisation: f64,
    /// Busy share of the bus, other initiators' steady load included.
    pub bus_utilisation: f64,
    /// Share of the time that each channel's cable was owned.
    pub cable_utilisation: Vec<f64>,
    /// Figures of each drive.
    pub drives: Vec<DriveFigures>,
    /// Events of the whole run, ramp-up included.
    pub events: u64,
    /// Requests of the whole run, ramp-up included.
    pub requests_total: u64,
    /// Digest of every event with its time.
    pub fingerprint: u64,
    /// Figures of the playback, if the load was one.
    #[serde(default)]
    pub playback: Option<PlaybackFigures>,
}

/// What a playback gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaybackFigures {
    /// Bytes that the programs read and wrote over the time that took, all flushes included, in thousand bytes/s.
    pub winmark: f64,
    /// The same by application, where they were flushed one by one; otherwise of all together.
    pub applications: Vec<(String, f64)>,
    /// Share of the pages read that were in the file cache or on their way to it, 0 to 1.
    pub cache_hit_share: f64,
}

impl PlaybackFigures {
    pub(super) fn of(player: &Player) -> Self {
        let scores = player.scores();
        let score = |bytes: u64, span: Span| {
            if span.is_zero() { 0.0 } else { bytes as f64 / 1e3 / span.as_s() }
        };
        let bytes = scores.iter().map(|(_, bytes, _)| bytes).sum();
        let span = scores.iter().fold(Span::ZERO, |sum, (_, _, span)| sum + *span);
        PlaybackFigures {
            winmark: score(bytes, span),
            applications: scores.into_iter().map(|(name, bytes, span)| (name, score(bytes, span))).collect(),
            cache_hit_share: player.hit_share(),
        }
    }
}

/// Figures of one drive; counts are those of the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriveFigures {
    /// Name.
    pub id: String,
    /// Share of the recorded time that the mechanism worked for commands or destaging.
    pub mechanism_utilisation: f64,
    /// Counts.
    pub counters: DriveCounters,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Recording {
    /// Nothing is recorded yet; requests issued now do not count.
    #[default]
    Ramp,
    /// The ramp-up time is over, but requests issued in it are still in flight.
    Draining,
    /// Since then.
    Since(Instant),
}

#[derive(Clone, Debug)]
pub(super) struct Metrics {
    recording: Recording,
    ramp_end: Instant,
    unrecorded: u64,
    pub counted: [u64; 2],
    pub bytes: u64,
    pub response: [Span; 2],
    pub histogram: LatencyHistogram,
    pub total: u64,
    pub bus_busy: Span,
    /// Up to when the bus time of steady competitors is in it.
    pub bus_since: Instant,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            recording: Recording::Ramp,
            ramp_end: Instant::ZERO,
            unrecorded: 0,
            counted: [0; 2],
            bytes: 0,
            response: [Span::ZERO; 2],
            histogram: LatencyHistogram::new(),
            total: 0,
            bus_busy: Span::ZERO,
            bus_since: Instant::ZERO,
        }
    }
}

impl Metrics {
    /// Sets the length of the ramp-up; without any, recording starts at once.
    pub fn ramp(&mut self, ramp: Span) {
        self.ramp_end = Instant::ZERO + ramp;
        if ramp.is_zero() {
            self.recording = Recording::Since(Instant::ZERO);
        }
    }

    /// When recording began; power-on as long as it has not.
    pub fn since(&self) -> Instant {
        match self.recording {
            Recording::Since(since) => since,
            Recording::Ramp | Recording::Draining => Instant::ZERO,
        }
    }

    /// Whether recording has begun: the run then knows its end.
    pub fn started(&self) -> bool {
        matches!(self.recording, Recording::Since(_))
    }

    /// A request is issued; says whether it is one of those that count.
    pub fn issue(&mut self, now: Instant) -> bool {
        if self.recording == Recording::Ramp && now >= self.ramp_end {
            self.recording = if self.unrecorded == 0 { Recording::Since(now) } else { Recording::Draining };
        }
        let recorded = self.recording != Recording::Ramp;
        self.unrecorded += u64::from(!recorded);
        recorded
    }

    /// A request is complete. Recording starts when the last one of the ramp-up is.
    pub fn complete(&mut self, now: Instant, called: Instant, bytes: u64, write: bool, recorded: bool) {
        self.total += 1;
        if !recorded {
            self.unrecorded -= 1;
            if now >= self.ramp_end && self.unrecorded == 0 {
                self.recording = Recording::Since(now);
            }
            return;
        }
        if !self.started() {
            return;
        }
        let response = now.since(called);
        let direction = usize::from(write);
        self.counted[direction] += 1;
        self.bytes += bytes;
        self.response[direction] += response;
        self.histogram.record(response);
    }

    /// Rates over `span` of recording.
    pub fn rates(&self, span: Span) -> (f64, f64, f64) {
        let seconds = span.as_s();
        let per_second = |n: u64| if seconds > 0.0 { n as f64 / seconds } else { 0.0 };
        (per_second(self.counted[0]), per_second(self.counted[1]), per_second(self.bytes) / MIB as f64)
    }
}
