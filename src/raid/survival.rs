//! What becomes of an array when members fail, and what a rebuild has to copy. Pure functions of the map; no time.

use super::map::{ArrayMap, Column, Location};

/// How an array stands with some of its members gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Health {
    /// Every sector has all its copies.
    Optimal,
    /// Every sector has a copy, but not all of them.
    Degraded,
    /// Some sector has none.
    Failed,
}

/// A stretch to copy from a surviving member onto a fresh one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Restore {
    /// Where the data is.
    pub from: Location,
    /// Where it belongs.
    pub to: Location,
    /// Its length.
    pub sectors: u64,
}

impl ArrayMap {
    /// How the array stands when the members in `failed` are gone; numbers of no member change nothing.
    pub fn health(&self, failed: &[u8]) -> Health {
        let alive = |member: u8| !failed.contains(&member);
        let columns = || self.zones.iter().flat_map(|zone| &zone.columns);
        let holds = |column: &Column| alive(column.primary) || column.mirror.is_some_and(alive);
        let whole = |column: &Column| alive(column.primary) && column.mirror.is_none_or(alive);
        match (columns().all(whole), columns().all(holds)) {
            (true, _) => Health::Optimal,
            (false, true) => Health::Degraded,
            (false, false) => Health::Failed,
        }
    }

    /// What must be copied to make a fresh drive in the place of `member` hold what that member held, while the
    /// members in `failed` are gone. None if some of it has no other copy left.
    pub fn rebuild(&self, member: u8, failed: &[u8]) -> Option<Vec<Restore>> {
        let mut steps = Vec::new();
        for zone in &self.zones {
            for column in &zone.columns {
                let partner = match *column {
                    Column { primary, mirror } if primary == member => mirror,
                    Column { primary, mirror } if mirror == Some(member) => Some(primary),
                    _ => continue,
                };
                let partner = partner.filter(|partner| !failed.contains(partner))?;
                steps.push(Restore {
                    from: self.locate(partner, zone.base),
                    to: self.locate(member, zone.base),
                    sectors: zone.limit - zone.base,
                });
            }
        }
        Some(steps)
    }

    /// Sectors of data that `member` holds, copies included.
    pub fn sectors_on(&self, member: u8) -> u64 {
        let holds = |column: &&Column| column.primary == member || column.mirror == Some(member);
        let on = self.zones.iter().map(|zone| {
            let columns = zone.columns.iter().filter(holds).count() as u64;
            columns * (zone.limit - zone.base)
        });
        on.sum()
    }
}
