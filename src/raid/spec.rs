//! What a file may say about an array.

use serde::{Deserialize, Serialize};

use crate::config::{Issues, Validate};
use crate::units::{KIB, SECTOR_BYTES};

/// How the members form an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Level {
    /// One drive, no array: every sector, no metadata.
    Single,
    /// Stripe over two or more members.
    Raid0,
    /// Mirror of two members.
    Raid1,
    /// Mirror of two stripes of two: members `[a0, a1, b0, b1]`, the last two mirror the first two.
    Raid01,
    /// Stripe of two mirrors: members `[a, a', b, b']`.
    Raid10,
    /// Concatenation of two or more members.
    Jbod,
}

/// The sectors that the controller's metadata keeps from the data of each member.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Reserved {
    /// HighPoint "HPT37x" layout, version 2: data starts at sector 10 of every member but the first,
    /// where it starts at sector 0; each member gives `capacity - 10` sectors, whole stripes only where
    /// the level stripes (Linux hptraid, dmraid and FreeBSD agree on the offset; the size was decoded
    /// from one real sample). That mirrors and concatenations also give up 10 sectors a member, and that
    /// the first drive of the second stripe of a RAID 0+1 starts at sector 10, is assumed.
    #[default]
    HighPointV2,
    /// Nothing is kept: whole members, or whole stripes of them.
    None,
}

/// What a stripe does with members of unequal size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Unequal {
    /// The smallest member decides; the rest of the larger ones is not used.
    #[default]
    Smallest,
    /// Zones with cut-off points, as Linux' hptraid does: past the end of the smallest member the stripe
    /// goes on over the others. RAID 0 only.
    CutOff,
}

/// An array as a file describes it. The members themselves are named elsewhere.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaidSpec {
    /// How the members form the array.
    pub level: Level,
    /// Stripe unit in KiB, a power of two from 4 to 2048; default 64, which the review used and the
    /// largest that HPT372 software of the time is known to offer. Without effect where nothing stripes.
    #[serde(default = "default_stripe_kib")]
    pub stripe_kib: u32,
    /// Sectors kept for metadata; default HighPoint's version 2 layout.
    #[serde(default)]
    pub reserved: Reserved,
    /// Unequal members of a stripe; default the smallest decides.
    #[serde(default)]
    pub unequal: Unequal,
}

fn drives(n: usize) -> String {
    if n == 1 { "1 drive".to_owned() } else { format!("{n} drives") }
}

fn default_stripe_kib() -> u32 {
    64
}

/// Why members cannot form an array.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RaidError {
    /// The level cannot be made of so many members.
    #[error("{level} cannot be made of {}: it takes {allowed}; {remedy}", drives(*given))]
    MemberCount {
        /// The level, as people write it.
        level: &'static str,
        /// How many members there are.
        given: usize,
        /// How many it takes.
        allowed: String,
        /// What to do.
        remedy: String,
    },
    /// The stripe unit is not one of the allowed sizes.
    #[error(
        "a stripe of {given_kib} KiB is not possible: use a power of two from 4 to 2048 KiB, for example 64"
    )]
    Stripe {
        /// The stripe unit given.
        given_kib: u32,
    },
    /// A member has no room for a single unit of data.
    #[error(
        "drive {member} has {given} sectors, too few: this array needs at least {needed}; use a larger drive or a smaller stripe"
    )]
    MemberTooSmall {
        /// Index of the member.
        member: usize,
        /// Its sectors.
        given: u64,
        /// The least it needs.
        needed: u64,
    },
    /// A member is larger than 48-bit addresses reach.
    #[error(
        "drive {member} has {given} sectors, more than the 2^48 that 48-bit addresses reach; use a smaller drive"
    )]
    MemberTooLarge {
        /// Index of the member.
        member: usize,
        /// Its sectors.
        given: u64,
    },
    /// Cut-off zones for a level that has none.
    #[error("unequal: CutOff is for Raid0 only, not for {level}; use Smallest")]
    CutOff {
        /// The level, as people write it.
        level: &'static str,
    },
}

impl Level {
    /// The level's name as people write it: "RAID 0".
    pub const fn title(self) -> &'static str {
        match self {
            Level::Single => "Single",
            Level::Raid0 => "RAID 0",
            Level::Raid1 => "RAID 1",
            Level::Raid01 => "RAID 0+1",
            Level::Raid10 => "RAID 10",
            Level::Jbod => "JBOD",
        }
    }
    /// True if data is cut into stripe units.
    pub const fn stripes(self) -> bool {
        matches!(self, Level::Raid0 | Level::Raid01 | Level::Raid10)
    }
    /// True if every sector has two copies.
    pub const fn mirrors(self) -> bool {
        matches!(self, Level::Raid1 | Level::Raid01 | Level::Raid10)
    }
    /// The least and the most members, on a controller whose arrays hold at most `members_max` drives.
    pub const fn members(self, members_max: usize) -> (usize, usize) {
        match self {
            Level::Single => (1, 1),
            Level::Raid0 | Level::Jbod => (2, members_max),
            Level::Raid1 => (2, 2),
            Level::Raid01 | Level::Raid10 => (4, 4),
        }
    }
}

impl RaidSpec {
    /// An array of this level with every other field at its default.
    pub fn new(level: Level) -> Self {
        RaidSpec {
            level,
            stripe_kib: default_stripe_kib(),
            reserved: Reserved::default(),
            unequal: Unequal::default(),
        }
    }
    /// The stripe unit in sectors.
    pub const fn stripe_sectors(&self) -> u64 {
        self.stripe_kib as u64 * KIB / SECTOR_BYTES
    }
    /// Checks that `members` drives can form this array on a controller whose arrays hold at most
    /// `members_max` drives (4 on the HPT372A, 8 on a four-channel card).
    ///
    /// # Errors
    /// [`RaidError::MemberCount`] with what was given, what is allowed and a remedy.
    pub fn check_members(&self, members: usize, members_max: usize) -> Result<(), RaidError> {
        let (least, most) = self.level.members(members_max);
        if (least..=most).contains(&members) && members <= members_max {
            return Ok(());
        }
        let level = self.level.title();
        if least > members_max {
            let allowed = format!("{least}, and this controller's arrays hold at most {members_max}");
            let remedy = "choose another level or another controller".to_owned();
            return Err(RaidError::MemberCount { level, given: members, allowed, remedy });
        }
        let allowed = if least == most { format!("exactly {least}") } else { format!("{least} to {most}") };
        let remedy = self.remedy(members, least, most, members_max);
        Err(RaidError::MemberCount { level, given: members, allowed, remedy })
    }

    fn remedy(&self, members: usize, least: usize, most: usize, members_max: usize) -> String {
        let others: Vec<String> =
            [Level::Single, Level::Raid0, Level::Raid1, Level::Raid01, Level::Raid10, Level::Jbod]
                .into_iter()
                .filter(|level| {
                    let (low, high) = level.members(members_max);
                    (low..=high).contains(&members)
                })
                .map(|level| format!("{level:?}"))
                .collect();
        let change = if members < least {
            format!("add {}", drives(least - members))
        } else {
            format!("take {} away", drives(members - most))
        };
        if others.is_empty() { change } else { format!("{change}, or use level {}", others.join(" or ")) }
    }

    pub(super) const fn stripe_is_allowed(&self) -> bool {
        self.stripe_kib.is_power_of_two() && self.stripe_kib >= 4 && self.stripe_kib <= 2048
    }
}

impl Validate for RaidSpec {
    fn validate(&self, issues: &mut Issues) {
        if !self.stripe_is_allowed() {
            let nearest = self.stripe_kib.clamp(4, 2048);
            let nearest = if nearest.is_power_of_two() { nearest } else { nearest.next_power_of_two() };
            issues.report(
                "stripe_kib",
                format!("{} KiB is not a power of two from 4 to 2048", self.stripe_kib),
                format!("use {nearest}"),
            );
        }
        if self.unequal == Unequal::CutOff && self.level != Level::Raid0 {
            let message = format!("CutOff is for Raid0 only, not for {}", self.level.title());
            issues.report("unequal", message, "use Smallest");
        }
    }
}
