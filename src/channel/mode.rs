//! Transfer modes and what a word takes in each.

use serde::{Deserialize, Serialize};

use crate::units::{Rate, Span};

/// A data transfer mode of ATA.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum TransferMode {
    /// Programmed I/O, mode 0 to 4: the processor moves every word.
    Pio(u8),
    /// Multiword DMA, mode 0 to 2.
    Mwdma(u8),
    /// Ultra DMA, mode 0 to 6.
    Udma(u8),
}

/// Cycle times of one device on one cable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModeTiming {
    /// Time of one 16-bit data word.
    pub word: Span,
    /// Time of one register access.
    pub register: Span,
}

/// Minimum cycle of a word in ns, PIO 0 to 4 (ATA/ATAPI-6; Linux `ide-timings.c`).
const PIO_NS: [u64; 5] = [600, 383, 240, 180, 120];
/// Multiword DMA 0 to 2.
const MWDMA_NS: [u64; 3] = [480, 150, 120];
/// Ultra DMA 0 to 6; two words a strobe cycle, so this is the time of one word.
const UDMA_NS: [u64; 7] = [120, 80, 60, 45, 30, 20, 15];
/// Register cycle in PIO 0 to 4, ns.
const REGISTER_NS: [u64; 5] = [600, 383, 330, 180, 120];

/// Highest UDMA mode on a cable with so many conductors: without a ground beside each signal, UDMA ends at 2.
pub fn udma_max(conductors: u64) -> u8 {
    if conductors == 40 { 2 } else { 6 }
}

impl TransferMode {
    /// The fastest timing that the standard allows in this mode, with register accesses in PIO 4.
    /// A mode that does not exist takes its family's fastest.
    pub fn standard(self) -> ModeTiming {
        let pick = |table: &[u64], mode: u8| Span::from_ns(table[usize::from(mode).min(table.len() - 1)]);
        match self {
            TransferMode::Pio(mode) => {
                ModeTiming { word: pick(&PIO_NS, mode), register: pick(&REGISTER_NS, mode) }
            }
            TransferMode::Mwdma(mode) => {
                ModeTiming { word: pick(&MWDMA_NS, mode), register: pick(&REGISTER_NS, 4) }
            }
            TransferMode::Udma(mode) => {
                ModeTiming { word: pick(&UDMA_NS, mode), register: pick(&REGISTER_NS, 4) }
            }
        }
    }

    /// The mode as a person writes it.
    pub fn label(self) -> String {
        match self {
            TransferMode::Pio(mode) => format!("PIO {mode}"),
            TransferMode::Mwdma(mode) => format!("MWDMA {mode}"),
            TransferMode::Udma(mode) => format!("UDMA {mode}"),
        }
    }
}

impl ModeTiming {
    /// Rate of a transfer without any pause.
    pub fn rate(&self) -> Rate {
        Rate::new(2, self.word)
    }
}

/// Burst rate of UDMA 0 to 6 by the standard, MB/s.
pub fn udma_rate_table() -> [f64; 7] {
    std::array::from_fn(|mode| TransferMode::Udma(mode as u8).standard().rate().as_mb_s())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_have_the_rates_of_the_standard() {
        let udma = udma_rate_table().map(|rate| (rate * 10.0).round() / 10.0);
        assert_eq!(udma, [16.7, 25.0, 33.3, 44.4, 66.7, 100.0, 133.3]);
        let mwdma: Vec<f64> = (0..3)
            .map(|m| (TransferMode::Mwdma(m).standard().rate().as_mb_s() * 10.0).round() / 10.0)
            .collect();
        assert_eq!(mwdma, [4.2, 13.3, 16.7]);
    }
}
