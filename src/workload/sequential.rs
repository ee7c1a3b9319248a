//! A plain sequential stream.

use serde::{Deserialize, Serialize};

use super::iometer::IometerRandom;
use super::worker::{Area, Draw, WorkloadError};
use crate::config::{Issues, Validate};
use crate::units::{Extent, SECTOR_BYTES, Span};

/// Blocks at equal distances from the start of the area to its end, over and over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequentialSpec {
    /// Size of a block in bytes, a multiple of 512.
    pub block_bytes: u64,
    /// Share of writes, 0 to 100; default 0.
    #[serde(default)]
    pub write_percent: u8,
    /// Distance from the start of one block to the start of the next in bytes, a multiple of 512; 0, the
    /// default, means `block_bytes`: no gaps.
    #[serde(default)]
    pub step_bytes: u64,
}

/// A running sequential stream.
#[derive(Clone, Debug)]
pub struct SequentialStream {
    next_sector: u64,
    start_sector: u64,
    end_sector: u64,
    block_sectors: u64,
    step_sectors: u64,
    write_percent: u64,
    random: IometerRandom,
}

impl Validate for SequentialSpec {
    fn validate(&self, issues: &mut Issues) {
        super::spec::check_size(issues, "block_bytes", self.block_bytes);
        super::spec::check_percent(issues, "write_percent", self.write_percent);
        if self.step_bytes != 0 {
            super::spec::check_size(issues, "step_bytes", self.step_bytes);
        }
    }
}

impl SequentialStream {
    /// A stream over `area` of a target of `capacity_sectors`; `seed` decides only which blocks of a
    /// mixed stream are writes.
    ///
    /// # Errors
    /// The block is empty, not whole sectors or does not fit the area.
    pub fn new(
        spec: &SequentialSpec,
        area: Area,
        capacity_sectors: u64,
        seed: u64,
    ) -> Result<Self, WorkloadError> {
        for (field, bytes) in [("block_bytes", spec.block_bytes), ("step_bytes", spec.step_bytes)] {
            let empty = bytes == 0 && field == "block_bytes";
            if empty || !bytes.is_multiple_of(SECTOR_BYTES) {
                return Err(WorkloadError::Line {
                    field: field.to_owned(),
                    message: format!("{bytes} bytes are not whole sectors of 512 bytes"),
                    remedy: "use a multiple of 512".to_owned(),
                });
            }
        }
        let (start, end) = area.bytes(capacity_sectors)?;
        if spec.block_bytes > end - start {
            let room_sectors = (end - start) / SECTOR_BYTES;
            return Err(WorkloadError::AreaTooSmall { size_bytes: spec.block_bytes, room_sectors });
        }
        let step_bytes = if spec.step_bytes == 0 { spec.block_bytes } else { spec.step_bytes };
        Ok(SequentialStream {
            next_sector: start / SECTOR_BYTES,
            start_sector: start / SECTOR_BYTES,
            end_sector: end / SECTOR_BYTES,
            block_sectors: spec.block_bytes / SECTOR_BYTES,
            step_sectors: step_bytes / SECTOR_BYTES,
            write_percent: u64::from(spec.write_percent),
            random: IometerRandom::new(seed),
        })
    }

    /// The next block; back to the start when the next one would pass the end of the area.
    pub fn draw(&mut self) -> Draw {
        if self.end_sector.saturating_sub(self.next_sector) < self.block_sectors {
            self.next_sector = self.start_sector;
        }
        let extent = Extent::new(self.next_sector, self.block_sectors);
        self.next_sector = self.next_sector.saturating_add(self.step_sectors);
        let write = match self.write_percent {
            0 => false,
            percent => self.random.below(100) < percent,
        };
        Draw { extent, write, delay: Span::ZERO, think: Span::ZERO }
    }
}
