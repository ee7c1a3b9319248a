//! Block addresses.

/// Bytes in a sector, the block of every ATA drive of the period.
pub const SECTOR_BYTES: u64 = 512;

/// A run of consecutive sectors: `sectors` of them, the first at address `lba`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Extent {
    /// Address of the first sector.
    pub lba: u64,
    /// Number of sectors.
    pub sectors: u64,
}

impl Extent {
    /// The run of `sectors` sectors that starts at `lba`.
    pub const fn new(lba: u64, sectors: u64) -> Self {
        Extent { lba, sectors }
    }
    /// Address just after the last sector.
    pub const fn end(self) -> u64 {
        self.lba + self.sectors
    }
    /// Size in bytes.
    pub const fn bytes(self) -> u64 {
        self.sectors * SECTOR_BYTES
    }
    /// True if the two runs share a sector.
    pub const fn overlaps(self, other: Extent) -> bool {
        self.lba < other.end() && other.lba < self.end()
    }
    /// True if every sector of `other` is in this run.
    pub const fn contains(self, other: Extent) -> bool {
        self.lba <= other.lba && other.end() <= self.end()
    }
}
