//! What a file may say of a bus.

use serde::{Deserialize, Serialize};

use crate::config::{Issues, Sources, Validate};

/// A PCI or PCI-X bus and the host bridge at its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BusSpec {
    /// Name of the model.
    pub name: String,
    /// The rules of a transaction; conventional PCI unless said.
    #[serde(default)]
    pub protocol: Protocol,
    /// Width of the data path, 32 or 64 bits.
    pub width_bits: u64,
    /// Clock period in picoseconds: 30000 is 33.33 MHz, 15000 is 66.67 MHz. 7500 to 60000.
    pub clock_period_ps: u64,
    /// Clocks from an idle bus to the grant when the bus is parked at another initiator. 0 to 16; usually 2.
    #[serde(default = "two")]
    pub arbitration_clocks: u64,
    /// Clocks from the address (on PCI-X the attributes) until the bridge takes the first word of a memory write (a
    /// disk read). 0 to 16.
    #[serde(default = "one")]
    pub memory_write_wait_clocks: u64,
    /// Time until the bridge gives the first word of a memory read (a disk write), ns. 0 to 2000.
    pub memory_read_latency_ns: u64,
    /// Latency timer in clocks from FRAME#: a burst ends there if another initiator waits. 8 to 255.
    #[serde(default = "latency_timer")]
    pub latency_timer_clocks: u64,
    /// Longest burst the bridge takes, in data phases. 1 to 1024 (1024 for Intel's, 24 for an unpatched VT8233A).
    #[serde(default = "thousand")]
    pub burst_limit_phases: u64,
    /// Other initiators on the same bus that load it all the time.
    #[serde(default)]
    pub competing_masters: Vec<CompetingMaster>,
    /// Where the figures come from.
    #[serde(default)]
    pub sources: Sources,
}

/// What the rules of a transaction are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Protocol {
    /// PCI 2.x: a memory read holds the bus until the bridge has the data.
    #[default]
    Pci,
    /// PCI-X 1.0: an attribute phase behind the address; bursts go on to a multiple of 128 bytes; a memory read is
    /// split into a request of at most 4096 bytes and completions that the bridge sends when it has the data.
    PciX,
}

/// Another initiator on the bus (a network card, a graphics card): a steady load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompetingMaster {
    /// Name, for messages.
    pub name: String,
    /// Bytes it moves in one burst. 4 to 4096.
    pub burst_bytes: u64,
    /// Rate it wants, MB/s (10^6). 0 to 1000.
    pub rate_mb_s: f64,
}

fn one() -> u64 {
    1
}
fn two() -> u64 {
    2
}
fn latency_timer() -> u64 {
    120
}
fn thousand() -> u64 {
    1024
}

impl Validate for BusSpec {
    fn validate(&self, issues: &mut Issues) {
        issues.choice_u64("width_bits", self.width_bits, &[32, 64]);
        issues.range_u64("clock_period_ps", self.clock_period_ps, 7_500..=60_000, "ps");
        issues.range_u64("arbitration_clocks", self.arbitration_clocks, 0..=16, "clocks");
        issues.range_u64("memory_write_wait_clocks", self.memory_write_wait_clocks, 0..=16, "clocks");
        if self.protocol == Protocol::PciX && self.memory_write_wait_clocks == 0 {
            issues.report(
                "memory_write_wait_clocks",
                "`memory_write_wait_clocks` is 0; on PCI-X no target answers sooner than one clock after the attributes",
                "write 1 or more",
            );
        }
        issues.range_u64("memory_read_latency_ns", self.memory_read_latency_ns, 0..=2_000, "ns");
        issues.range_u64("latency_timer_clocks", self.latency_timer_clocks, 8..=255, "clocks");
        issues.range_u64("burst_limit_phases", self.burst_limit_phases, 1..=1_024, "data phases");
        for (index, master) in self.competing_masters.iter().enumerate() {
            issues.scoped(&format!("competing_masters[{index}]"), |issues| {
                issues.range_u64("burst_bytes", master.burst_bytes, 4..=4_096, "bytes");
                issues.range_f64("rate_mb_s", master.rate_mb_s, 0.0..=1_000.0, "MB/s");
            });
        }
    }
}
