//! Timing words of the HPT37x chips.
//!
//! Bits of a word (Linux `pata_hpt37x.c`, `hpt366.c`): 3:0 data high, 8:4 data low, 12:9 register high, 17:13
//! register low (each one clock more than written), 20:18 UDMA cycle count (0 means 8), 21 double clock for UDMA.

use crate::channel::{ModeTiming, TransferMode};
use crate::units::{Clock, Span};

/// A 32-bit timing word as the driver writes it into 0x40, 0x44, 0x48 or 0x4C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimingWord(pub u32);

impl TimingWord {
    fn field(self, low: u32, bits: u32) -> u64 {
        u64::from((self.0 >> low) & ((1 << bits) - 1))
    }

    /// Time of one UDMA word: half a strobe cycle.
    pub fn udma_word(self, clock: Clock) -> Span {
        let count = match self.field(18, 3) {
            0 => 8,
            count => count,
        };
        let double = self.field(21, 1) == 1;
        if double { clock.cycles(count) / 2 } else { clock.cycles(count) }
    }

    /// Time of one word in PIO or multiword DMA.
    pub fn data_word(self, clock: Clock) -> Span {
        clock.cycles(self.field(0, 4) + 1 + self.field(4, 5) + 1)
    }

    /// Time of one register access.
    pub fn register(self, clock: Clock) -> Span {
        clock.cycles(self.field(9, 4) + 1 + self.field(13, 5) + 1)
    }

    /// What this word means for a device in `mode`.
    pub fn decode(self, mode: TransferMode, clock: Clock) -> ModeTiming {
        let word = match mode {
            TransferMode::Udma(_) => self.udma_word(clock),
            TransferMode::Mwdma(_) | TransferMode::Pio(_) => self.data_word(clock),
        };
        ModeTiming { word, register: self.register(clock) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MB/s of UDMA 0 to 6 with HighPoint's own words at a clock.
    fn rates(words: [u32; 7], period_ps: u64) -> Vec<f64> {
        let clock = Clock::from_period(period_ps, 1);
        let rate = |(mode, word): (usize, &u32)| {
            let timing = TimingWord(*word).decode(TransferMode::Udma(mode as u8), clock);
            (timing.rate().as_mb_s() * 10.0).round() / 10.0
        };
        words.iter().enumerate().map(rate).collect()
    }

    #[test]
    fn words_run_at_the_rates_that_the_clock_really_gives() {
        let at_66 = [0x1c829c62, 0x1c9a9c62, 0x1c929c62, 0x1c8e9c62, 0x1c8a9c62, 0x1cae9c62, 0x1c869c62];
        // UDMA 5 on a 66 MHz DPLL is 88.9, not 100 MB/s.
        assert_eq!(rates(at_66, 15_000), [16.7, 22.2, 33.3, 44.4, 66.7, 88.9, 133.3]);
        let at_33 = [0x12506297, 0x124c6233, 0x12486231, 0x126c6231, 0x12446231, 0x12446231, 0x12446231];
        assert_eq!(rates(at_33, 30_000), [16.7, 22.2, 33.3, 44.4, 66.7, 66.7, 66.7]);
    }

    #[test]
    fn a_register_access_takes_540_ns_on_the_66_mhz_dpll() {
        let clock = Clock::from_period(15_000, 1);
        assert_eq!(TimingWord(0x1c869c62).register(clock).ps(), 540_000);
        assert_eq!(TimingWord(0x0c829c62).data_word(clock).ps(), 150_000);
    }
}
