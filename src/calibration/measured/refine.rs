//! The last step of a fit: a few figures together, by the distributions of response times that they make.
//!
//! The turns of single requests tell where most of them are right; they do not tell how many come late and how many
//! early. The demerit figure does. The figures that move both, and that single requests tell worst, are moved together by
//! a direct search. It is made several times, each time without a part of the trace; of the mean of what is found so much is
//! taken as does best on the parts that were left out.

use super::curve;
use super::fit::FitError;
use super::observed::Pause;
use crate::drive::spec::{FastWrite, SeekCurve, WriteSeek};
use crate::drive::{DriveSpec, InterfaceSpec, SeekTable};
use crate::replay::{Mode, System, run};
use crate::sim::Stream;
use crate::stats::{Axis, Scale, demerit, search};
use crate::workload::trace::TraceRequest;

/// A figure that is moved.
#[derive(Clone, Copy)]
struct Knob {
    field: &'static str,
    /// How far it is moved at most, in turns.
    reach: f64,
    /// Whether it only matters where a write completes when it is on the medium.
    slow_writes: bool,
    /// Adds so many ms.
    add: fn(&mut DriveSpec, f64),
}

const KNOBS: [Knob; 8] = [
    Knob { field: "seek", reach: 0.05, slow_writes: false, add: |spec, ms| bend(&mut spec.seek, |_| ms) },
    Knob {
        field: "seek",
        reach: 0.08,
        slow_writes: false,
        add: |spec, ms| {
            let longest = f64::from(spec.cylinders().max(2));
            bend(&mut spec.seek, |distance| ms * (f64::from(distance) / longest - 0.25));
        },
    },
    Knob {
        field: "head_switch_ms",
        reach: 0.06,
        slow_writes: false,
        add: |spec, ms| spec.head_switch_ms = (spec.head_switch_ms + ms).max(0.0),
    },
    Knob {
        field: "interface.minimum_read_seek_ms",
        reach: 0.06,
        slow_writes: false,
        add: |spec, ms| {
            if let InterfaceSpec::Scsi(scsi) = &mut spec.interface {
                scsi.minimum_read_seek_ms = (scsi.minimum_read_seek_ms + ms).max(0.0);
            }
        },
    },
    Knob {
        field: "overhead.read_miss_after_write_ms",
        reach: 0.04,
        slow_writes: false,
        add: |spec, ms| {
            super::tune::overhead(spec, false, false, true, ms);
        },
    },
    Knob {
        field: "write_seek",
        reach: 0.05,
        slow_writes: true,
        add: |spec, ms| match &mut spec.write_seek {
            WriteSeek::Settle(settle_ms) => *settle_ms += ms,
            WriteSeek::Own(curve) => bend(curve, |_| ms),
        },
    },
    Knob {
        field: "interface.minimum_seek_ms",
        reach: 0.06,
        slow_writes: true,
        add: |spec, ms| {
            if let InterfaceSpec::Scsi(scsi) = &mut spec.interface {
                scsi.minimum_seek_ms = (scsi.minimum_seek_ms + ms).max(0.0);
            }
        },
    },
    Knob {
        field: "interface.write_completion_ms",
        reach: 0.03,
        slow_writes: true,
        add: |spec, ms| {
            if let InterfaceSpec::Scsi(scsi) = &mut spec.interface {
                scsi.write_completion_ms += ms;
            }
        },
    },
];

/// Searches, each of which leaves out another part of the trace.
pub(super) const FOLDS: usize = 4;
/// Requests in a row that belong to one part.
const STRETCH: usize = 100;
/// What counts as better than before, as a part of it.
const BETTER: f64 = 0.98;
/// How much greater the error of single requests may become: distributions can be alike for wrong reasons.
const FOLLOWED: f64 = 1.05;
/// What a figure at its reach costs, as a part of the cost at the start: what helps little stays.
const FAR: f64 = 0.02;
/// Shares of what a search finds: it finds too much, as it takes chance in. The share is taken that is best for what the
/// searches have not seen.
const SHARES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// Adds to each knot what `by_ms` says of its distance.
pub(super) fn bend(curve: &mut SeekCurve, by_ms: impl Fn(u32) -> f64) {
    if let SeekCurve::Measured(knots) = curve {
        for (distance, ms) in knots {
            *ms = curve::written(*ms + by_ms(*distance));
        }
    }
}

/// `spec` with its seek curve, and that of writes if they have one, as knots.
pub(super) fn with_knots(spec: &DriveSpec) -> DriveSpec {
    let table = SeekTable::new(spec, spec.cylinders());
    let longest = spec.cylinders().saturating_sub(1);
    let as_knots = |curve: &SeekCurve, ms: &dyn Fn(u32) -> f64| match curve {
        SeekCurve::Measured(_) => curve.clone(),
        _ => SeekCurve::Measured(curve::corrected(ms, &Vec::new(), longest)),
    };
    let mut out = spec.clone();
    out.seek = as_knots(&spec.seek, &|distance| table.read(distance).as_ms());
    out.quoted_average_ms = None;
    if let WriteSeek::Own(own) = &spec.write_seek {
        out.write_seek = WriteSeek::Own(as_knots(own, &|distance| table.write(distance).as_ms()));
    }
    out
}

/// The trace whose response times are to be met, with each pause behind the request that it really followed.
pub(super) struct Trace {
    requests: Vec<TraceRequest>,
}

impl Trace {
    /// Of `requests` whose pauses lie at `pause`.
    pub fn new(requests: &[TraceRequest], pause: Pause) -> Self {
        let mut requests = requests.to_vec();
        if pause == Pause::Before {
            for index in 1..requests.len() {
                requests[index - 1].think = requests[index].think;
            }
        }
        Trace { requests }
    }

    /// The response times that `spec` makes, each beside the measured one, by stretch and class.
    fn served(&self, spec: &DriveSpec) -> Result<Served, FitError> {
        let mut served = Served::default();
        let mut index = 0;
        let source = self.requests.iter().copied().map(Ok);
        run(&System::single(spec.clone()), 0, source, Mode::Closed, |outcome| {
            let part = &mut served.parts[index / STRETCH % FOLDS];
            index += 1;
            if let Some(measured) = outcome.request.measured {
                part[usize::from(outcome.request.write)].push((measured.as_ms(), outcome.response().as_ms()));
            }
        })
        .map_err(FitError::Replay)?;
        Ok(served)
    }
}

/// Measured and modelled response times, in ms, of reads and of writes of every part of the stretches.
#[derive(Default)]
struct Served {
    parts: [[Vec<(f64, f64)>; 2]; FOLDS],
}

impl Served {
    /// The sum of squared demerit figures of all, reads and writes of the parts that are `wanted`, in ms^2.
    fn cost(&self, wanted: impl Fn(usize) -> bool) -> f64 {
        let of = |classes: &[usize]| {
            let parts = self.parts.iter().enumerate().filter(|(part, _)| wanted(*part));
            let times = parts.flat_map(|(_, part)| classes.iter().flat_map(|&class| &part[class]));
            let (real, model): (Vec<f64>, Vec<f64>) = times.copied().unzip();
            demerit(&real, &model).map_or(0.0, |ms| ms * ms)
        };
        of(&[0, 1]) + of(&[0]) + of(&[1])
    }
}

/// What a refinement came to.
pub(super) struct Refined {
    /// The model.
    pub spec: DriveSpec,
    /// The fields that were moved.
    pub fields: Vec<&'static str>,
}

/// Moves the figures of `spec` to where its response times are distributed as those of `trace`, in [`FOLDS`] searches of so
/// many evaluations, after each of which it says so; none if that helps nothing on what a search has not seen, or if by
/// `rms_error_ms`, the error request by request at the measured times, single requests would be followed worse.
///
/// # Errors
/// The model cannot serve the trace.
pub(super) fn refined(
    spec: &DriveSpec,
    trace: &Trace,
    evaluations: usize,
    random: &mut Stream,
    rms_error_ms: impl Fn(&DriveSpec) -> Result<f64, FitError>,
    mut tell: impl FnMut(),
) -> Result<Option<Refined>, FitError> {
    let slow = matches!(&spec.interface, InterfaceSpec::Scsi(scsi) if scsi.fast_write == FastWrite::Off);
    let start = with_knots(spec);
    // Some figures are of other kinds of drive.
    let matters = |knob: &Knob| {
        let mut changed = start.clone();
        (knob.add)(&mut changed, 0.1);
        changed != start && (slow || !knob.slow_writes)
    };
    let knobs: Vec<Knob> = KNOBS.into_iter().filter(matters).collect();
    let turn_ms = spec.nominal_revolution().as_ms();
    let axis = |knob: &Knob| {
        let to = knob.reach * turn_ms;
        Axis { from: -to, to, scale: Scale::Linear, whole: false }
    };
    let axes: Vec<Axis> = knobs.iter().map(axis).collect();
    let moved = |place: &[f64]| {
        let mut spec = start.clone();
        for (knob, ms) in knobs.iter().zip(place) {
            (knob.add)(&mut spec, *ms);
        }
        spec
    };
    let before = trace.served(spec)?;
    let mut mean = vec![0.0; knobs.len()];
    let mut unseen = SHARES.map(|share| (share, 0.0));
    let mut unseen_before = 0.0;
    for fold in 0..FOLDS {
        unseen_before += before.cost(|part| part == fold);
        let far_cost = FAR * before.cost(|part| part != fold);
        let trials = search(&axes, &vec![0.0; knobs.len()], evaluations, random, |place| {
            let far: f64 = axes.iter().zip(place).map(|(axis, ms)| (ms / axis.to).powi(2)).sum();
            trace.served(&moved(place)).map(|served| served.cost(|part| part != fold) + far_cost * far)
        })?;
        let Some((best, _)) = trials.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(None) };
        for (share, cost) in &mut unseen {
            let part: Vec<f64> = best.iter().map(|ms| ms * *share).collect();
            *cost += trace.served(&moved(&part))?.cost(|part| part == fold);
        }
        mean.iter_mut().zip(best).for_each(|(mean, best)| *mean += best / FOLDS as f64);
        tell();
    }
    let of_share = |share: f64| moved(&mean.iter().map(|ms| ms * share).collect::<Vec<_>>());
    let most_ms = FOLLOWED * rms_error_ms(spec)?;
    unseen.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut better = unseen.iter().filter(|(_, cost)| *cost < BETTER * unseen_before);
    let spec = loop {
        let Some(&(share, _)) = better.next() else { return Ok(None) };
        let spec = of_share(share);
        if rms_error_ms(&spec)? <= most_ms {
            break spec;
        }
    };
    if trace.served(&spec)?.cost(|_| true) > BETTER * before.cost(|_| true) {
        return Ok(None);
    }
    let mut fields: Vec<&'static str> = knobs.iter().map(|knob| knob.field).collect();
    fields.dedup();
    Ok(Some(Refined { spec, fields }))
}
