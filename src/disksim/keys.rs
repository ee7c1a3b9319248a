//! The types of block that DiskSim 4.0 knows, and the keys of each, in its order.

use super::schema::{Form, Key, Kind, may, need};

/// Every type of block.
pub(super) const KINDS: [Kind; 29] = [
    Kind { name: "dm_disk", keys: &DM_DISK },
    Kind { name: "dm_layout_g1", keys: &DM_LAYOUT_G1 },
    Kind { name: "dm_layout_g1_zone", keys: &DM_LAYOUT_G1_ZONE },
    Kind { name: "dm_layout_g2", keys: &DM_LAYOUT_G2 },
    Kind { name: "dm_layout_g2_zone", keys: &DM_LAYOUT_G2_ZONE },
    Kind { name: "dm_layout_g4", keys: &DM_LAYOUT_G4 },
    Kind { name: "dm_mech_g1", keys: &DM_MECH_G1 },
    Kind { name: "disksim_disk", keys: &DISKSIM_DISK },
    Kind { name: "disksim_simpledisk", keys: &DISKSIM_SIMPLEDISK },
    Kind { name: "disksim_ioqueue", keys: &DISKSIM_IOQUEUE },
    Kind { name: "disksim_bus", keys: &DISKSIM_BUS },
    Kind { name: "disksim_ctlr", keys: &DISKSIM_CTLR },
    Kind { name: "disksim_cachemem", keys: &DISKSIM_CACHEMEM },
    Kind { name: "disksim_cachedev", keys: &DISKSIM_CACHEDEV },
    Kind { name: "disksim_iodriver", keys: &DISKSIM_IODRIVER },
    Kind { name: "disksim_iosim", keys: &DISKSIM_IOSIM },
    Kind { name: "disksim_iomap", keys: &DISKSIM_IOMAP },
    Kind { name: "disksim_logorg", keys: &DISKSIM_LOGORG },
    Kind { name: "disksim_syncset", keys: &DISKSIM_SYNCSET },
    Kind { name: "disksim_pf", keys: &DISKSIM_PF },
    Kind { name: "disksim_synthio", keys: &DISKSIM_SYNTHIO },
    Kind { name: "disksim_synthgen", keys: &DISKSIM_SYNTHGEN },
    Kind { name: "disksim_global", keys: &DISKSIM_GLOBAL },
    Kind { name: "disksim_stats", keys: &DISKSIM_STATS },
    Kind { name: "disksim_iodriver_stats", keys: &DISKSIM_IODRIVER_STATS },
    Kind { name: "disksim_bus_stats", keys: &DISKSIM_BUS_STATS },
    Kind { name: "disksim_ctlr_stats", keys: &DISKSIM_CTLR_STATS },
    Kind { name: "disksim_device_stats", keys: &DISKSIM_DEVICE_STATS },
    Kind { name: "disksim_pf_stats", keys: &DISKSIM_PF_STATS },
];

const DM_DISK: [Key; 5] = [
    need("Block count", Form::Integer),
    need("Number of data surfaces", Form::Integer),
    need("Number of cylinders", Form::Integer),
    may("Mechanical Model", Form::Block),
    need("Layout Model", Form::Block),
];

const DM_LAYOUT_G1: [Key; 5] = [
    need("LBN-to-PBN mapping scheme", Form::Integer),
    need("Sparing scheme used", Form::Integer),
    need("Rangesize for sparing", Form::Integer),
    may("Skew units", Form::Word),
    need("Zones", Form::List),
];

const DM_LAYOUT_G1_ZONE: [Key; 11] = [
    need("First cylinder number", Form::Integer),
    need("Last cylinder number", Form::Integer),
    need("Blocks per track", Form::Integer),
    need("Offset of first block", Form::Real),
    may("Skew units", Form::Word),
    need("Empty space at zone front", Form::Integer),
    may("Skew for track switch", Form::Real),
    may("Skew for cylinder switch", Form::Real),
    need("Number of spares", Form::Integer),
    need("slips", Form::List),
    need("defects", Form::List),
];

const DM_LAYOUT_G2: [Key; 2] = [need("Layout Map File", Form::Word), need("Zones", Form::List)];

const DM_LAYOUT_G2_ZONE: [Key; 9] = [
    need("First cylinder number", Form::Integer),
    need("Last cylinder number", Form::Integer),
    need("First LBN", Form::Integer),
    need("Last LBN", Form::Integer),
    need("Blocks per track", Form::Integer),
    may("Zone Skew", Form::Real),
    may("Skew units", Form::Word),
    may("Skew for track switch", Form::Real),
    may("Skew for cylinder switch", Form::Real),
];

const DM_LAYOUT_G4: [Key; 4] =
    [need("TP", Form::List), need("IDX", Form::List), need("Slips", Form::List), need("Remaps", Form::List)];

const DM_MECH_G1: [Key; 14] = [
    need("Access time type", Form::Word),
    may("Constant access time", Form::Real),
    need("Seek type", Form::Word),
    may("Average seek time", Form::Real),
    may("Constant seek time", Form::Real),
    may("Single cylinder seek time", Form::Real),
    may("Full strobe seek time", Form::Real),
    may("Full seek curve", Form::Word),
    need("Add. write settling delay", Form::Real),
    need("Head switch time", Form::Real),
    need("Rotation speed (in rpms)", Form::Integer),
    need("Percent error in rpms", Form::Real),
    may("First ten seek times", Form::List),
    may("HPL seek equation values", Form::List),
];

const DISKSIM_DISK: [Key; 65] = [
    need("Model", Form::Block),
    need("Per-request overhead time", Form::Real),
    need("Time scale for overheads", Form::Real),
    need("Bulk sector transfer time", Form::Real),
    need("Hold bus entire read xfer", Form::Integer),
    need("Hold bus entire write xfer", Form::Integer),
    need("Allow almost read hits", Form::Integer),
    need("Allow sneaky full read hits", Form::Integer),
    need("Allow sneaky partial read hits", Form::Integer),
    need("Allow sneaky intermediate read hits", Form::Integer),
    need("Allow read hits on write data", Form::Integer),
    need("Allow write prebuffering", Form::Integer),
    need("Preseeking level", Form::Integer),
    need("Never disconnect", Form::Integer),
    need("Print stats", Form::Integer),
    need("Avg sectors per cylinder", Form::Integer),
    need("Max queue length", Form::Integer),
    need("Scheduler", Form::Block),
    need("Number of buffer segments", Form::Integer),
    need("Maximum number of write segments", Form::Integer),
    need("Segment size (in blks)", Form::Integer),
    need("Use separate write segment", Form::Integer),
    need("Low (write) water mark", Form::Real),
    need("High (read) water mark", Form::Real),
    need("Set watermark by reqsize", Form::Integer),
    need("Calc sector by sector", Form::Integer),
    need("Enable caching in buffer", Form::Integer),
    need("Buffer continuous read", Form::Integer),
    need("Minimum read-ahead (blks)", Form::Integer),
    need("Maximum read-ahead (blks)", Form::Integer),
    need("Read-ahead over requested", Form::Integer),
    need("Read-ahead on idle hit", Form::Integer),
    need("Read any free blocks", Form::Integer),
    need("Fast write level", Form::Integer),
    need("Immediate buffer read", Form::Integer),
    need("Immediate buffer write", Form::Integer),
    need("Combine seq writes", Form::Integer),
    need("Stop prefetch in sector", Form::Integer),
    need("Disconnect write if seek", Form::Integer),
    need("Write hit stop prefetch", Form::Integer),
    need("Read directly to buffer", Form::Integer),
    need("Immed transfer partial hit", Form::Integer),
    need("Read hit over. after read", Form::Real),
    need("Read hit over. after write", Form::Real),
    need("Read miss over. after read", Form::Real),
    need("Read miss over. after write", Form::Real),
    need("Write hit over. after read", Form::Real),
    need("Write hit over. after write", Form::Real),
    need("Write miss over. after read", Form::Real),
    need("Write miss over. after write", Form::Real),
    need("Read completion overhead", Form::Real),
    need("Write completion overhead", Form::Real),
    need("Data preparation overhead", Form::Real),
    need("First reselect overhead", Form::Real),
    need("Other reselect overhead", Form::Real),
    need("Read disconnect afterread", Form::Real),
    need("Read disconnect afterwrite", Form::Real),
    need("Write disconnect overhead", Form::Real),
    need("Extra write disconnect", Form::Integer),
    need("Extradisc command overhead", Form::Real),
    need("Extradisc disconnect overhead", Form::Real),
    need("Extradisc inter-disconnect delay", Form::Real),
    need("Extradisc 2nd disconnect overhead", Form::Real),
    need("Extradisc seek delta", Form::Real),
    need("Minimum seek delay", Form::Real),
];

const DISKSIM_SIMPLEDISK: [Key; 10] = [
    need("Scheduler", Form::Block),
    need("Max queue length", Form::Integer),
    need("Block count", Form::Integer),
    may("Bus transaction latency", Form::Real),
    need("Bulk sector transfer time", Form::Real),
    need("Never disconnect", Form::Integer),
    need("Print stats", Form::Integer),
    need("Command overhead", Form::Real),
    may("Constant access time", Form::Real),
    may("Access time", Form::Real),
];

const DISKSIM_IOQUEUE: [Key; 13] = [
    need("Scheduling policy", Form::Integer),
    need("Cylinder mapping strategy", Form::Integer),
    need("Write initiation delay", Form::Real),
    need("Read initiation delay", Form::Real),
    need("Sequential stream scheme", Form::Integer),
    need("Maximum concat size", Form::Integer),
    need("Overlapping request scheme", Form::Integer),
    need("Sequential stream diff maximum", Form::Integer),
    need("Scheduling timeout scheme", Form::Integer),
    need("Timeout time/weight", Form::Integer),
    need("Timeout scheduling", Form::Integer),
    need("Scheduling priority scheme", Form::Integer),
    need("Priority scheduling", Form::Integer),
];

const DISKSIM_BUS: [Key; 6] = [
    need("type", Form::Integer),
    need("Arbitration type", Form::Integer),
    need("Arbitration time", Form::Real),
    need("Read block transfer time", Form::Real),
    need("Write block transfer time", Form::Real),
    need("Print stats", Form::Integer),
];

const DISKSIM_CTLR: [Key; 8] = [
    need("type", Form::Integer),
    need("Scale for delays", Form::Real),
    need("Bulk sector transfer time", Form::Real),
    need("Maximum queue length", Form::Integer),
    need("Print stats", Form::Integer),
    may("Scheduler", Form::Block),
    may("Cache", Form::Block),
    may("Max per-disk pending count", Form::Integer),
];

const DISKSIM_CACHEMEM: [Key; 18] = [
    need("Cache size", Form::Integer),
    may("SLRU segments", Form::List),
    need("Line size", Form::Integer),
    need("Bit granularity", Form::Integer),
    need("Lock granularity", Form::Integer),
    need("Shared read locks", Form::Integer),
    need("Max request size", Form::Integer),
    need("Replacement policy", Form::Integer),
    need("Allocation policy", Form::Integer),
    need("Write scheme", Form::Integer),
    need("Flush policy", Form::Integer),
    need("Flush period", Form::Real),
    need("Flush idle delay", Form::Real),
    need("Flush max line cluster", Form::Integer),
    need("Read prefetch type", Form::Integer),
    need("Write prefetch type", Form::Integer),
    need("Line-by-line fetches", Form::Integer),
    need("Max gather", Form::Integer),
];

const DISKSIM_CACHEDEV: [Key; 8] = [
    need("Cache size", Form::Integer),
    need("Max request size", Form::Integer),
    need("Write scheme", Form::Integer),
    need("Flush policy", Form::Integer),
    need("Flush period", Form::Real),
    need("Flush idle delay", Form::Real),
    need("Cache device", Form::Word),
    need("Cached device", Form::Word),
];

const DISKSIM_IODRIVER: [Key; 4] = [
    need("type", Form::Integer),
    need("Constant access time", Form::Real),
    need("Use queueing in subsystem", Form::Integer),
    need("Scheduler", Form::Block),
];

const DISKSIM_IOSIM: [Key; 2] = [may("I/O Trace Time Scale", Form::Real), may("I/O Mappings", Form::List)];

const DISKSIM_IOMAP: [Key; 5] = [
    need("tracedev", Form::Integer),
    need("simdev", Form::Word),
    need("locScale", Form::Integer),
    need("sizeScale", Form::Integer),
    may("offset", Form::Integer),
];

const DISKSIM_LOGORG: [Key; 16] = [
    need("Addressing mode", Form::Word),
    need("Distribution scheme", Form::Word),
    need("Redundancy scheme", Form::Word),
    may("Components", Form::Word),
    need("devices", Form::List),
    need("Stripe unit", Form::Integer),
    need("Synch writes for safety", Form::Integer),
    need("Number of copies", Form::Integer),
    need("Copy choice on read", Form::Integer),
    need("RMW vs. reconstruct", Form::Real),
    need("Parity stripe unit", Form::Integer),
    need("Parity rotation type", Form::Integer),
    may("Time stamp interval", Form::Real),
    may("Time stamp start time", Form::Real),
    may("Time stamp stop time", Form::Real),
    may("Time stamp file name", Form::Word),
];

const DISKSIM_SYNCSET: [Key; 2] = [need("type", Form::Word), need("devices", Form::List)];

const DISKSIM_PF: [Key; 2] =
    [need("Number of processors", Form::Integer), need("Process-Flow Time Scale", Form::Real)];

const DISKSIM_SYNTHIO: [Key; 6] = [
    need("Number of I/O requests to generate", Form::Integer),
    need("Maximum time of trace generated", Form::Real),
    need("System call/return with each request", Form::Integer),
    need("Think time from call to request", Form::Real),
    need("Think time from request to return", Form::Real),
    need("Generators", Form::List),
];

const DISKSIM_SYNTHGEN: [Key; 14] = [
    need("Storage capacity per device", Form::Integer),
    need("devices", Form::List),
    need("Blocking factor", Form::Integer),
    need("Probability of sequential access", Form::Real),
    need("Probability of local access", Form::Real),
    need("Probability of read access", Form::Real),
    need("Probability of time-critical request", Form::Real),
    need("Probability of time-limited request", Form::Real),
    need("Time-limited think times", Form::List),
    need("General inter-arrival times", Form::List),
    need("Sequential inter-arrival times", Form::List),
    need("Local inter-arrival times", Form::List),
    need("Local distances", Form::List),
    need("Sizes", Form::List),
];

const DISKSIM_GLOBAL: [Key; 10] = [
    may("Init Seed", Form::Integer),
    may("Init Seed with time", Form::Integer),
    may("Real Seed", Form::Integer),
    may("Real Seed with time", Form::Integer),
    may("Statistic warm-up time", Form::Real),
    may("Statistic warm-up period", Form::Real),
    may("Statistic warm-up IOs", Form::Integer),
    may("Stat definition file", Form::Word),
    may("Output file for trace of I/O requests simulated", Form::Word),
    may("Detailed execution trace", Form::Word),
];

const DISKSIM_STATS: [Key; 5] = [
    need("iodriver stats", Form::Block),
    need("bus stats", Form::Block),
    need("ctlr stats", Form::Block),
    need("device stats", Form::Block),
    need("process flow stats", Form::Block),
];

const DISKSIM_IODRIVER_STATS: [Key; 11] = [
    may("Print driver size stats", Form::Integer),
    may("Print driver locality stats", Form::Integer),
    may("Print driver blocking stats", Form::Integer),
    may("Print driver interference stats", Form::Integer),
    may("Print driver queue stats", Form::Integer),
    may("Print driver crit stats", Form::Integer),
    may("Print driver idle stats", Form::Integer),
    may("Print driver intarr stats", Form::Integer),
    may("Print driver streak stats", Form::Integer),
    may("Print driver stamp stats", Form::Integer),
    may("Print driver per-device stats", Form::Integer),
];

const DISKSIM_BUS_STATS: [Key; 2] =
    [may("Print bus idle stats", Form::Integer), may("Print bus arbwait stats", Form::Integer)];

const DISKSIM_CTLR_STATS: [Key; 12] = [
    may("Print controller cache stats", Form::Integer),
    may("Print controller size stats", Form::Integer),
    may("Print controller locality stats", Form::Integer),
    may("Print controller blocking stats", Form::Integer),
    may("Print controller interference stats", Form::Integer),
    may("Print controller queue stats", Form::Integer),
    may("Print controller crit stats", Form::Integer),
    may("Print controller idle stats", Form::Integer),
    may("Print controller intarr stats", Form::Integer),
    may("Print controller streak stats", Form::Integer),
    may("Print controller stamp stats", Form::Integer),
    may("Print controller per-device stats", Form::Integer),
];

const DISKSIM_DEVICE_STATS: [Key; 11] = [
    may("Print device queue stats", Form::Integer),
    may("Print device crit stats", Form::Integer),
    may("Print device idle stats", Form::Integer),
    may("Print device intarr stats", Form::Integer),
    may("Print device size stats", Form::Integer),
    may("Print device seek stats", Form::Integer),
    may("Print device latency stats", Form::Integer),
    may("Print device xfer stats", Form::Integer),
    may("Print device acctime stats", Form::Integer),
    may("Print device interfere stats", Form::Integer),
    may("Print device buffer stats", Form::Integer),
];

const DISKSIM_PF_STATS: [Key; 4] = [
    may("Print per-process stats", Form::Integer),
    may("Print per-CPU stats", Form::Integer),
    may("Print all interrupt stats", Form::Integer),
    may("Print sleep stats", Form::Integer),
];
