//! What a file may say of a cable.

use serde::{Deserialize, Serialize};

use crate::config::{Issues, Validate};

/// One ATA cable, or one SATA link (which has no second device and no conductors to count).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CableSpec {
    /// Conductors of a parallel cable: 40 (UDMA 2 at most) or 80.
    #[serde(default = "eighty")]
    pub conductors: u64,
}

fn eighty() -> u64 {
    80
}

impl Default for CableSpec {
    fn default() -> Self {
        CableSpec { conductors: eighty() }
    }
}

impl Validate for CableSpec {
    fn validate(&self, issues: &mut Issues) {
        if self.conductors != 40 && self.conductors != 80 {
            issues.report(
                "conductors",
                format!("`conductors` is {}; ATA cables have 40 or 80", self.conductors),
                "write 40 or 80",
            );
        }
    }
}
