//! How long the arm takes.
//!
//! Models: seek time as a function of the distance, head switches that run beside a seek, the longer settling
//! of writes, the quiet mode, arms that take longer one way than the other.
//! Leaves out: the spread of seeks (`seek_jitter_ms`), which a drive adds from its own random stream.
//! Invariant: no distance takes no time; look-ups are O(1).

mod curve;

use std::cmp::Ordering;

use super::spec::{DriveSpec, SeekCurve, WriteSeek};
use crate::units::Span;

pub use curve::curve_ms;
pub(crate) use curve::interpolated;

/// The time of every seek of one drive model, in whole nanoseconds.
#[derive(Clone, Debug)]
pub struct SeekTable {
    read_ns: Vec<u32>,
    /// Only where writes have a curve of their own.
    write_ns: Option<Vec<u32>>,
    /// Added to a write's seek or head switch; negative in some reference drives.
    settle_ns: i64,
    settle_sequential_ns: i64,
    head_switch_ns: u64,
    /// Half of what a seek inwards takes longer than one outwards.
    inward_half_ns: i64,
}

const NS_PER_MS: f64 = 1e6;

impl SeekTable {
    /// The table of a validated spec for a drive of `cylinders` cylinders.
    pub fn new(spec: &DriveSpec, cylinders: u32) -> SeekTable {
        let table = |curve: &SeekCurve| -> Vec<u32> {
            let times = curve_ms(curve, cylinders).into_iter();
            times.map(|ms| (ms * spec.quiet_seek_factor * NS_PER_MS).round() as u32).collect()
        };
        let read_ns = table(&spec.seek);
        let (write_ns, settle_ns) = match &spec.write_seek {
            WriteSeek::Settle(ms) => (None, (ms * NS_PER_MS).round() as i64),
            WriteSeek::Own(curve) => {
                let write_ns = table(curve);
                let single = |times: &[u32]| i64::from(times.get(1).copied().unwrap_or(0));
                let settle_ns = single(&write_ns) - single(&read_ns);
                (Some(write_ns), settle_ns)
            }
        };
        SeekTable {
            read_ns,
            write_ns,
            settle_ns,
            settle_sequential_ns: (spec.write_settle_sequential_ms * NS_PER_MS).round() as i64,
            head_switch_ns: (spec.head_switch_ms * NS_PER_MS).round() as u64,
            inward_half_ns: (spec.inward_seek_extra_ms / 2.0 * NS_PER_MS).round() as i64,
        }
    }

    /// Seek of a read over `distance` cylinders; distances past the last cylinder take what the longest takes.
    pub fn read(&self, distance: u32) -> Span {
        Span::from_ns(look_up(&self.read_ns, distance))
    }

    /// Seek of a write over `distance` cylinders, settling included.
    pub fn write(&self, distance: u32) -> Span {
        match &self.write_ns {
            Some(write_ns) => Span::from_ns(look_up(write_ns, distance)),
            None if distance == 0 => Span::ZERO,
            None => Span::from_ns(look_up(&self.read_ns, distance).saturating_add_signed(self.settle_ns)),
        }
    }

    /// Time to follow a track of the same cylinder with another head; a write settles after it.
    pub fn head_switch(&self, write: bool) -> Span {
        let settle_ns = if write { self.settle_ns } else { 0 };
        Span::from_ns(self.head_switch_ns.saturating_add_signed(settle_ns))
    }

    /// Time from one (cylinder, head) to another: the longer of seek and head switch, which run side by side,
    /// and for a write the settling, which is `write_settle_sequential_ms` within a sequential write.
    pub fn position(&self, from: (u32, u32), to: (u32, u32), write: bool, sequential: bool) -> Span {
        if from == to {
            return Span::ZERO;
        }
        let distance = from.0.abs_diff(to.0);
        let switches = from.1 != to.1;
        let settles = write && !sequential;
        let seek = if settles { self.write(distance) } else { self.read(distance) };
        let seek = match from.0.cmp(&to.0) {
            Ordering::Less => lengthened(seek, self.inward_half_ns),
            Ordering::Equal => seek,
            Ordering::Greater => lengthened(seek, -self.inward_half_ns),
        };
        let switch = if switches { self.head_switch(settles) } else { Span::ZERO };
        let extra_ns = if write && sequential { self.settle_sequential_ns } else { 0 };
        let longer = seek.max(switch);
        let settling = Span::from_ns(extra_ns.unsigned_abs());
        if extra_ns < 0 { longer.saturating_sub(settling) } else { longer + settling }
    }

    /// Mean read seek over all ordered pairs of different cylinders, as makers publish it:
    /// sum of (N - d) t(d) over d, divided by N (N - 1) / 2.
    pub fn average_cylinder_weighted(&self) -> Span {
        let cylinders = self.read_ns.len() as u64;
        if cylinders < 2 {
            return Span::ZERO;
        }
        let times = self.read_ns.iter().zip(0_u64..).skip(1);
        let sum: u128 = times.map(|(&ns, d)| u128::from(cylinders - d) * u128::from(ns)).sum();
        let pairs = u128::from(cylinders) * u128::from(cylinders - 1) / 2;
        Span::from_ps((sum * 1000 / pairs) as u64)
    }

    /// Read seek from the first to the last cylinder.
    pub fn full(&self) -> Span {
        Span::from_ns(u64::from(self.read_ns.last().copied().unwrap_or(0)))
    }
}

fn lengthened(span: Span, ns: i64) -> Span {
    let by = Span::from_ns(ns.unsigned_abs());
    if ns < 0 { span.saturating_sub(by) } else { span + by }
}

fn look_up(times: &[u32], distance: u32) -> u64 {
    let last = times.len() - 1;
    u64::from(times[(distance as usize).min(last)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::spec::sample;
    use proptest::prelude::*;

    fn table(curve: SeekCurve, cylinders: u32) -> SeekTable {
        let mut spec = sample();
        spec.seek = curve;
        SeekTable::new(&spec, cylinders)
    }

    fn hpl_of_the_6l020j1() -> SeekCurve {
        SeekCurve::Hpl {
            a_ms: 1.1468,
            b_ms: 0.053227,
            split_cylinders: 18_000,
            e_ms: 4.7174,
            f_ms: 1.98366e-4,
            single_ms: Some(1.2),
            first_ms: Vec::new(),
        }
    }

    #[test]
    fn samples_of_the_6l020j1_come_out_as_published() {
        let table = table(hpl_of_the_6l020j1(), 61_920);
        let published =
            [(1, 1.200), (10, 1.315), (100, 1.679), (1000, 2.830), (10_000, 6.469), (40_000, 12.65)];
        for (distance, ms) in published {
            let ours = table.read(distance).as_ms();
            assert!((ours - ms).abs() < 0.003, "{distance}: {ours} for {ms}");
        }
        assert!((table.full().as_ms() - 17.0).abs() < 0.001);
        assert!((table.average_cylinder_weighted().as_ms() - 8.484).abs() < 0.002);
        assert_eq!(table.read(0), Span::ZERO);
        assert_eq!(table.write(0), Span::ZERO);
    }

    #[test]
    fn three_points_pass_through_all_three() {
        let curve = SeekCurve::ThreePoint { single_ms: 1.2, average_ms: 8.5, full_ms: 17.0 };
        let table = table(curve, 61_920);
        assert!((table.read(1).as_ms() - 1.2).abs() < 1e-6);
        assert!((table.full().as_ms() - 17.0).abs() < 1e-5);
        assert!((table.average_cylinder_weighted().as_ms() - 8.5).abs() < 1e-3);
        // Value and slope continue at the joint, so neighbouring steps never differ much.
        let steps: Vec<f64> =
            (2..61_919).map(|d| table.read(d + 1).as_ns() - table.read(d).as_ns()).collect();
        assert!(steps[100..].windows(2).all(|pair| (pair[1] - pair[0]).abs() <= 60.0));
    }

    #[test]
    fn a_table_is_straight_between_its_knots_and_flat_outside() {
        let table = table(SeekCurve::Table(vec![(2, 1.0), (4, 2.0), (10, 5.0)]), 20);
        let ms: Vec<f64> = [1, 2, 3, 4, 7, 10, 19, 400].map(|d| table.read(d).as_ms()).to_vec();
        assert_eq!(ms, [1.0, 1.0, 1.5, 2.0, 3.5, 5.0, 5.0, 5.0]);
    }

    #[test]
    fn seek_and_head_switch_run_side_by_side_and_writes_settle() {
        let mut spec = sample();
        spec.seek = SeekCurve::PerCylinder(vec![1.0, 2.0]);
        spec.head_switch_ms = 1.5;
        spec.write_seek = WriteSeek::Settle(0.5);
        spec.write_settle_sequential_ms = 0.25;
        let table = SeekTable::new(&spec, 3);
        let ms = |to, write, sequential| table.position((0, 0), to, write, sequential).as_ms();
        assert_eq!(ms((0, 0), true, false), 0.0);
        assert_eq!(ms((1, 1), false, false), 1.5);
        assert_eq!(ms((2, 1), false, false), 2.0);
        assert_eq!(ms((2, 1), true, false), 2.5);
        assert_eq!(ms((0, 1), true, false), 2.0);
        assert_eq!(ms((1, 0), true, true), 1.25);
        spec.write_seek = WriteSeek::Settle(-1.2);
        let table = SeekTable::new(&spec, 3);
        assert_eq!(table.write(1), Span::ZERO, "a negative settle never makes time run back");
        assert!((table.write(2).as_ms() - 0.8).abs() < 1e-9);
    }

    #[test]
    fn an_arm_may_take_longer_inwards_and_the_curve_stays_the_mean() {
        let mut spec = sample();
        spec.seek = SeekCurve::PerCylinder(vec![0.2, 2.0]);
        spec.write_seek = WriteSeek::Settle(0.5);
        spec.head_switch_ms = 0.1;
        spec.inward_seek_extra_ms = 0.5;
        let table = SeekTable::new(&spec, 3);
        let ms = |from, to, write| table.position(from, to, write, false).as_ms();
        assert_eq!(ms((0, 0), (2, 0), false), 2.25);
        assert_eq!(ms((2, 0), (0, 0), false), 1.75);
        assert_eq!(ms((0, 0), (2, 0), true), 2.75);
        assert_eq!(ms((1, 0), (1, 1), false), 0.1, "a change of head has no way");
        assert_eq!(ms((1, 0), (0, 0), false), 0.0, "never less than nothing");
        assert_eq!(table.read(2).as_ms(), 2.0);
    }

    #[test]
    fn the_quiet_mode_scales_seeks_only() {
        let mut spec = sample();
        let fast = SeekTable::new(&spec, 1000);
        spec.quiet_seek_factor = 2.0;
        let quiet = SeekTable::new(&spec, 1000);
        assert!((quiet.full().as_ms() - 2.0 * fast.full().as_ms()).abs() < 1e-5);
        assert_eq!(quiet.head_switch(false), fast.head_switch(false));
    }

    proptest! {
        #[test]
        fn three_point_curves_rise_and_keep_the_mean(
            single in 0.3_f64..2.0, spread in 2.0_f64..20.0, share in 0.345_f64..0.9, cylinders in 500_u32..20_000,
        ) {
            let average = single + share * spread;
            let curve = SeekCurve::ThreePoint { single_ms: single, average_ms: average, full_ms: single + spread };
            let table = table(curve, cylinders);
            prop_assert!(table.read_ns.windows(2).all(|pair| pair[0] <= pair[1]));
            let mean = table.average_cylinder_weighted().as_ms();
            prop_assert!((mean / average - 1.0).abs() < 0.004, "{} for {}", mean, average);
        }

        #[test]
        fn rising_knots_give_a_rising_table(steps in prop::collection::vec((1_u32..50, 0.0_f64..1.0), 1..20)) {
            let (mut distance, mut ms) = (0, 0.5);
            let knots = steps.iter().map(|&(d, t)| { distance += d; ms += t; (distance, ms) }).collect();
            let table = table(SeekCurve::Table(knots), 600);
            prop_assert!(table.read_ns.windows(2).all(|pair| pair[0] <= pair[1]));
        }
    }
}
