//! A Serial ATA link: what travels on it, counted in dwords.
//!
//! A dword is 40 bits after 8b/10b coding. Everything travels in frames (FIS) between start and end of frame, with a
//! checksum, and around each frame both sides agree on who sends (X_RDY, R_RDY) and whether it came (WTRM, R_OK).

use serde::{Deserialize, Serialize};

use crate::config::{Issues, Validate};
use crate::units::{Clock, Span};

/// A card's serial links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkSpec {
    /// Fastest generation: 1 (1.5 Gbit/s), 2 (3 Gbit/s) or 3 (6 Gbit/s).
    pub generation: u8,
    /// Payload of the longest data frame in bytes, 512 to 8192, a multiple of 4 (Serial ATA 1.0a: at most 8192).
    #[serde(default = "longest_payload")]
    pub frame_payload_bytes: u64,
    /// Dwords that the two sides spend on primitives around one frame, 0 to 200.
    pub handshake_dwords: u64,
}

fn longest_payload() -> u64 {
    8192
}

impl Validate for LinkSpec {
    fn validate(&self, issues: &mut Issues) {
        issues.range_u64("generation", self.generation.into(), 1..=3, "");
        let possible =
            issues.range_u64("frame_payload_bytes", self.frame_payload_bytes, 512..=8_192, "bytes");
        issues.range_u64("handshake_dwords", self.handshake_dwords, 0..=200, "dwords");
        if possible && !self.frame_payload_bytes.is_multiple_of(DWORD_BYTES) {
            issues.report(
                "frame_payload_bytes",
                format!("{} bytes are not whole dwords", self.frame_payload_bytes),
                format!("write {}", self.frame_payload_bytes / DWORD_BYTES * DWORD_BYTES),
            );
        }
    }
}

/// Bytes of a dword.
const DWORD_BYTES: u64 = 4;
/// Start of frame, checksum, end of frame.
const AROUND_DWORDS: u64 = 3;
/// Register frame to the device (a command) or from it (its status): 20 bytes (Serial ATA 1.0a, 8.5).
const REGISTER_DWORDS: u64 = 5;
/// Set Device Bits: the status of a queued command, 8 bytes.
const SET_BITS_DWORDS: u64 = 2;
/// DMA Activate: the device is ready for the next data frame, 4 bytes.
const ACTIVATE_DWORDS: u64 = 1;
/// DMA Setup: the device names the queued command whose data comes next, 28 bytes.
const SETUP_DWORDS: u64 = 7;
/// Header of a data frame.
const DATA_HEADER_DWORDS: u64 = 1;
/// Dwords of 40 bits at 1.5 Gbit/s: 80000 ps every 3; generations double.
const DWORD_CLOCK: (u64, u64) = (80_000, 3);

/// One link between a card and a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    dword: Clock,
    payload_bytes: u64,
    handshake_dwords: u64,
    queued: bool,
}

impl Link {
    /// The link of a card to a drive of `generation`, both validated, with native command queueing or without.
    pub fn new(card: &LinkSpec, generation: u8, queued: bool) -> Self {
        let generation = generation.min(card.generation);
        let (period_ps, dwords) = DWORD_CLOCK;
        Link {
            dword: Clock::from_period(period_ps, dwords << (generation - 1)),
            payload_bytes: card.frame_payload_bytes,
            handshake_dwords: card.handshake_dwords,
            queued,
        }
    }

    fn frame_dwords(&self, content: u64) -> u64 {
        content + AROUND_DWORDS + self.handshake_dwords
    }

    /// Time of `bytes` bytes in data frames; a write's device activates each of them.
    pub fn data_time(&self, bytes: u64, write: bool) -> Span {
        let frames = bytes.div_ceil(self.payload_bytes);
        let activate = if write { self.frame_dwords(ACTIVATE_DWORDS) } else { 0 };
        let around = self.frame_dwords(DATA_HEADER_DWORDS) + activate;
        self.dword.cycles(bytes.div_ceil(DWORD_BYTES) + frames * around)
    }

    /// Time between two bursts of `bytes` bytes in full data frames, each burst with its share of what surrounds them.
    pub fn burst_time(&self, bytes: u64, write: bool) -> Span {
        self.data_time(self.payload_bytes, write).scale_up(bytes, self.payload_bytes)
    }

    /// Time of sending a command; a queueing drive answers at once that it has taken it.
    pub fn command_time(&self) -> Span {
        let frames = if self.queued { 2 } else { 1 };
        self.dword.cycles(self.frame_dwords(REGISTER_DWORDS) * frames)
    }

    /// Time in which a queueing drive says whose data comes next.
    pub fn setup_time(&self) -> Span {
        self.dword.cycles(self.frame_dwords(SETUP_DWORDS))
    }

    /// Time of the frame that ends a command.
    pub fn status_time(&self) -> Span {
        let content = if self.queued { SET_BITS_DWORDS } else { REGISTER_DWORDS };
        self.dword.cycles(self.frame_dwords(content))
    }

    /// Payload rate of a long read in full frames, MB/s, for output only.
    pub fn payload_mb_s(&self) -> f64 {
        self.payload_bytes as f64 / self.data_time(self.payload_bytes, false).as_us()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(handshake_dwords: u64, queued: bool) -> Link {
        let spec = LinkSpec { generation: 1, frame_payload_bytes: 8192, handshake_dwords };
        Link::new(&spec, 1, queued)
    }

    #[test]
    fn a_payload_that_no_remedy_can_round_is_only_out_of_range() {
        let told = |frame_payload_bytes: u64| {
            let mut issues = Issues::new();
            LinkSpec { generation: 1, frame_payload_bytes, handshake_dwords: 0 }.validate(&mut issues);
            issues.iter().map(|(_, text, remedy)| format!("{text}; {remedy}")).collect::<Vec<_>>()
        };
        assert_eq!(told(3), ["`frame_payload_bytes` is 3 bytes; allowed is 512 to 8192 bytes; "]);
        assert_eq!(told(515), ["515 bytes are not whole dwords; write 512"]);
    }

    #[test]
    fn a_long_read_is_frames_of_8192_bytes_to_the_picosecond() {
        // 64 KiB: 16384 dwords and 8 frames of 4 dwords around and 20 of handshake, 26 666.67 ps each.
        let dwords = 16_384 + 8 * (4 + 20);
        assert_eq!(link(20, false).data_time(65_536, false).ps(), (dwords * 80_000_u64).div_ceil(3));
        // 512 bytes more are a frame of their own.
        let dwords = dwords + 128 + 24;
        assert_eq!(link(20, false).data_time(66_048, false).ps(), (dwords * 80_000_u64).div_ceil(3));
    }

    #[test]
    fn every_data_frame_of_a_write_is_activated_by_one_of_four_bytes() {
        let link = link(20, false);
        let extra = link.data_time(8192, true) - link.data_time(8192, false);
        assert_eq!(extra.ps(), 24 * 80_000 / 3);
    }

    #[test]
    fn six_to_forty_dwords_of_handshake_leave_146_8_to_149_3_mb_s() {
        let tenths = |handshake| (link(handshake, false).payload_mb_s() * 10.0).round();
        assert_eq!((tenths(6), tenths(40)), (1493.0, 1468.0));
    }

    #[test]
    fn a_command_and_its_status_are_register_frames_and_queued_ones_end_with_two_dwords() {
        let times = |link: Link| [link.command_time(), link.setup_time(), link.status_time()].map(Span::ps);
        let dwords = |n: u64| (n * 80_000).div_ceil(3);
        assert_eq!(times(link(20, false)), [dwords(28), dwords(30), dwords(28)]);
        assert_eq!(times(link(20, true)), [dwords(56), dwords(30), dwords(25)]);
    }

    #[test]
    fn the_slower_side_decides_the_generation() {
        let spec = LinkSpec { generation: 2, frame_payload_bytes: 8192, handshake_dwords: 20 };
        let time = |generation| Link::new(&spec, generation, false).data_time(8192, false).ps();
        assert_eq!(time(1), (2072_u64 * 80_000).div_ceil(3));
        assert_eq!((time(2), time(3)), ((2072_u64 * 80_000).div_ceil(6), (2072_u64 * 80_000).div_ceil(6)));
    }
}
