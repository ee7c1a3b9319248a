//! When a sector passes the head.
//!
//! Models: a platter that turns at a constant speed, drawn once a drive within its tolerance, from a phase of
//! its own.
//! Leaves out: spin-up and speed that wanders.
//! Invariant: the end of a sector is, to the picosecond, the start of the next one on its track, so that a
//! stream that keeps up never loses a turn to rounding.

use rand::Rng;

use super::spec::{DriveSpec, SpindlePhase};
use crate::units::{Instant, Span};

/// The rotation of one drive: whole picoseconds a turn, and the phase at power-on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spindle {
    revolution: u64,
    phase: u64,
    /// floor(2^64 / revolution): turns the division of an instant by a turn into a multiplication.
    reciprocal: u64,
}

impl Spindle {
    /// Draws speed and phase; takes two words from `rng` whatever the spec says, so that fixing one of them
    /// leaves other draws as they were.
    pub fn new(spec: &DriveSpec, rng: &mut impl Rng) -> Spindle {
        let tolerance = spec.revolution_tolerance().ps();
        let shortest = spec.nominal_revolution().ps() - tolerance;
        let revolution = shortest + scaled(rng.next_u64(), 2 * tolerance + 1);
        let drawn = scaled(rng.next_u64(), revolution);
        let phase = match spec.spindle_phase {
            SpindlePhase::Random => drawn,
            SpindlePhase::Turns(turns) => (turns * revolution as f64) as u64 % revolution,
        };
        Spindle::exact(Span::from_ps(revolution), Span::from_ps(phase))
    }

    /// A spindle of this turn (at least 2 ps, taken so) and this phase at power-on.
    pub fn exact(revolution: Span, phase: Span) -> Spindle {
        let revolution = revolution.ps().max(2);
        let reciprocal = ((1_u128 << 64) / u128::from(revolution)) as u64;
        Spindle { revolution, phase: phase.ps() % revolution, reciprocal }
    }

    /// One turn.
    pub fn revolution(&self) -> Span {
        Span::from_ps(self.revolution)
    }

    /// The angle, as a part of a turn, at which sector number `sector` of a track begins that starts at
    /// `skew` (shorter than a turn). `sector` may equal `sectors_per_track`: the end of the last one.
    pub fn sector_offset(&self, skew: Span, sector: u32, sectors_per_track: u32) -> Span {
        let sum = skew.ps() + self.edge(u64::from(sector), sectors_per_track);
        Span::from_ps(if sum >= self.revolution { sum - self.revolution } else { sum })
    }

    /// Time from `at` until the angle `offset` (shorter than a turn) passes the head: zero if it is there,
    /// always less than a turn.
    pub fn wait(&self, at: Instant, offset: Span) -> Span {
        let angle = self.angle(at);
        let offset = offset.ps();
        Span::from_ps(if offset >= angle { offset - angle } else { offset + self.revolution - angle })
    }

    /// Time that `count` sectors take from sector number `first` of a track on.
    pub fn sectors(&self, first: u32, count: u32, sectors_per_track: u32) -> Span {
        let end = self.edge(u64::from(first) + u64::from(count), sectors_per_track);
        Span::from_ps(end - self.edge(u64::from(first), sectors_per_track))
    }

    /// How many whole sectors pass within `elapsed` (less than 2^16 turns) from the start of sector number `first` on:
    /// the most whose [`sectors`](Self::sectors) is at most that.
    pub fn sectors_within(&self, first: u32, elapsed: Span, sectors_per_track: u32) -> u32 {
        let first = u64::from(first);
        let end = self.edge(first, sectors_per_track) + elapsed.ps();
        // The edge of sector s is floor(turn s / n), which is at most `end` if and only if turn s < n (end + 1).
        (self.turns(u64::from(sectors_per_track) * (end + 1) - 1) - first) as u32
    }

    fn edge(&self, sector: u64, sectors_per_track: u32) -> u64 {
        self.revolution * sector / u64::from(sectors_per_track)
    }

    /// `ps` divided by a turn.
    fn turns(&self, ps: u64) -> u64 {
        // Rounding down twice makes the quotient at most one too small.
        let turns = ((u128::from(ps) * u128::from(self.reciprocal)) >> 64) as u64;
        turns + u64::from(ps - turns * self.revolution >= self.revolution)
    }

    /// The angle under the head at `at`.
    fn angle(&self, at: Instant) -> u64 {
        let at = at.ps();
        let sum = at - self.turns(at) * self.revolution + self.phase;
        if sum >= self.revolution { sum - self.revolution } else { sum }
    }
}

/// The word as an integer in `0..range`.
fn scaled(word: u64, range: u64) -> u64 {
    ((u128::from(word) * u128::from(range)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TURN: Span = Span::from_ps(8_333_333_333);

    #[test]
    fn a_stream_over_a_whole_track_never_waits() {
        for spt in [1, 16, 37, 432, 800, 4096] {
            let spindle = Spindle::exact(TURN, Span::from_ps(1_234_567_891));
            let skew = Span::from_ps(8_333_333_332);
            let mut now = Instant::from_ps(77_000_000_000_001);
            now += spindle.wait(now, spindle.sector_offset(skew, 0, spt));
            let start = now;
            for sector in 0..spt {
                assert_eq!(spindle.wait(now, spindle.sector_offset(skew, sector, spt)), Span::ZERO);
                now += spindle.sectors(sector, 1, spt);
                assert_eq!(spindle.wait(now, spindle.sector_offset(skew, sector + 1, spt)), Span::ZERO);
            }
            assert_eq!(now - start, TURN);
        }
    }

    #[test]
    fn just_missing_an_angle_costs_a_turn() {
        let spindle = Spindle::exact(TURN, Span::ZERO);
        let offset = spindle.sector_offset(Span::ZERO, 5, 800);
        assert_eq!(spindle.wait(Instant::from_ps(offset.ps()), offset), Span::ZERO);
        assert_eq!(spindle.wait(Instant::from_ps(offset.ps() + 1), offset), TURN - Span::from_ps(1));
    }

    proptest! {
        #[test]
        fn as_many_sectors_pass_within_a_time_as_end_in_it(
            turn in 1_000_u64..20_000_000_000, first in 0_u32..900, spt in 1_u32..900, part in 0.0_f64..3.0, exact: bool,
        ) {
            let spindle = Spindle::exact(Span::from_ps(turn), Span::ZERO);
            let first = first % spt;
            let elapsed = match exact {
                true => spindle.sectors(first, (part * f64::from(spt)) as u32, spt),
                false => Span::from_ps((part * turn as f64) as u64),
            };
            let passed = spindle.sectors_within(first, elapsed, spt);
            prop_assert!(spindle.sectors(first, passed, spt) <= elapsed);
            prop_assert!(spindle.sectors(first, passed + 1, spt) > elapsed);
        }

        #[test]
        fn waiting_reaches_the_angle_within_a_turn(
            turn in 2_u64..20_000_000_000, phase in any::<u64>(), at in 0_u64..u64::MAX / 2, offset in any::<u64>(),
        ) {
            let spindle = Spindle::exact(Span::from_ps(turn), Span::from_ps(phase));
            let offset = Span::from_ps(offset % turn);
            let wait = spindle.wait(Instant::from_ps(at), offset);
            prop_assert!(wait.ps() < turn);
            let angle = (u128::from(at) + u128::from(wait.ps()) + u128::from(phase % turn)) % u128::from(turn);
            prop_assert_eq!(angle, u128::from(offset.ps()));
        }

        #[test]
        fn pieces_of_a_transfer_add_up(
            turn in 3_000_000_000_u64..20_000_000_000, spt in 16_u32..4096, cut in 0_u32..4096, count in 0_u32..4096,
        ) {
            let spindle = Spindle::exact(Span::from_ps(turn), Span::ZERO);
            let (cut, count) = (cut % (spt + 1), count % (spt + 1));
            let split = cut.min(count);
            let whole = spindle.sectors(0, count, spt);
            prop_assert_eq!(whole, spindle.sectors(0, split, spt) + spindle.sectors(split, count - split, spt));
            prop_assert_eq!(spindle.sectors(0, spt, spt), spindle.revolution());
        }

        #[test]
        fn drawn_speed_stays_within_its_tolerance(seed in any::<u64>()) {
            use rand::SeedableRng;
            let mut spec = crate::drive::spec::sample();
            spec.rpm_tolerance = 0.001;
            let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
            let spindle = Spindle::new(&spec, &mut rng);
            let nominal = spec.nominal_revolution().ps() as f64;
            prop_assert!((spindle.revolution().ps() as f64 / nominal - 1.0).abs() <= 0.001 + 1e-9);
            prop_assert!(spindle.phase < spindle.revolution);
        }
    }

    #[test]
    fn a_stated_phase_is_kept() {
        use rand::SeedableRng;
        let mut spec = crate::drive::spec::sample();
        spec.rpm_tolerance = 0.0;
        spec.spindle_phase = SpindlePhase::Turns(0.25);
        let spindle = Spindle::new(&spec, &mut rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1));
        assert_eq!(spindle.revolution(), TURN);
        assert_eq!(spindle.wait(Instant::ZERO, Span::from_ps(8_333_333_333 / 4)), Span::ZERO);
    }
}
