//! DiskSim's own results on its validation traces, request by request: what a drive does on a SCSI-like bus is what
//! DiskSim's module of it does.

use std::path::{Path, PathBuf};

use ataraid::config::Source;
use ataraid::disksim::import_drive;
use ataraid::drive::spec::SpindlePhase;
use ataraid::drive::{DriveSpec, InterfaceSpec};
use ataraid::replay::{Mode, System, run};
use ataraid::units::{Extent, Span};
use ataraid::workload::trace::TraceRequest;

const DRIVES: [&str; 5] = ["barracuda", "cheetah4LP", "atlas10k", "hp_c2247a", "hp_c3323a"];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/validation");
    folder.is_dir().then_some(folder)
}

fn imported(folder: &Path, name: &str) -> DriveSpec {
    let source = |path: &Path| {
        let bytes = std::fs::read(path).expect("a description names files that are there");
        Source::from_bytes(path.display().to_string(), bytes)
    };
    let root = source(&folder.join(format!("{name}.parv"))).expect("it is text");
    let mut spec =
        import_drive(root, None, &mut |path| source(path)).unwrap_or_else(|faults| panic!("{faults}")).spec;
    // DiskSim's platters begin at angle zero.
    spec.spindle_phase = SpindlePhase::Turns(0.0);
    if let InterfaceSpec::Scsi(scsi) = &mut spec.interface {
        // DiskSim takes this setting and never finds such blocks again; the real drive does.
        scsi.free_blocks = false;
    }
    spec
}

/// The requests of a drive's trace, and DiskSim's response times in ms.
fn recorded(folder: &Path, name: &str) -> (Vec<TraceRequest>, Vec<f64>) {
    let path = folder.join(format!("{name}.measured.csv"));
    let text = std::fs::read_to_string(path).expect("each drive has its results");
    let mut requests = Vec::new();
    let mut theirs = Vec::new();
    for (line, row) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let number = |index: usize| -> f64 { fields[index].parse().expect("a number") };
        requests.push(TraceRequest {
            at: None,
            device: 0,
            write: fields[1] == "W",
            extent: Extent::new(number(3) as u64, number(4) as u64),
            measured: Some(Span::from_ms(number(5))),
            think: Some(Span::from_ms(number(7))),
            line: line as u64,
        });
        theirs.push(number(6));
    }
    (requests, theirs)
}

#[test]
fn closed_replays_agree_with_disksim_to_five_microseconds() {
    let Some(folder) = folder() else {
        println!("skipped: no ../shared/validation");
        return;
    };
    for name in DRIVES {
        let system = System::single(imported(&folder, name));
        let (requests, theirs) = recorded(&folder, name);
        let mut near = 0;
        let mut number = 0;
        let source = requests.into_iter().map(Ok::<_, std::convert::Infallible>);
        let totals = run(&system, 1, source, Mode::Closed, |outcome| {
            let ours = (outcome.completed - outcome.issued).as_ms();
            near += usize::from((ours - theirs[number]).abs() < 0.005);
            number += 1;
        });
        assert_eq!(totals.map(|totals| totals.requests), Ok(theirs.len() as u64), "{name}");
        // Two of the HP C3323A differ: it answers a read from what was just written, as the real drive does.
        assert!(near + 2 >= theirs.len(), "{name}: {near} of {}", theirs.len());
    }
}
