//! The loop: corpus, mutation, check, watch.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::mutation::Mutator;

/// How often the watch looks at the loop.
const TICK: Duration = Duration::from_millis(20);
/// An input that takes longer hangs: 60 s of looks, so that time in which the whole process stands still is no hang.
const TICKS_MAX: u64 = 3_000;
/// Inputs that gave an answer of a new kind; more are not kept.
const POOL_MAX: usize = 4_000;

/// What is put under test.
#[derive(Clone, Copy)]
pub struct Target {
    /// Folder of its corpus.
    pub name: &'static str,
    /// Pieces that mean something to it.
    pub words: &'static [&'static str],
    /// Reads the input; panics if something is wrong, says what kind of answer came otherwise.
    pub check: fn(&[u8]) -> String,
}

/// What the loop is at.
struct Watched {
    input: Vec<u8>,
    /// Inputs tried, this one among them.
    tried: u64,
    is_over: bool,
}

fn number(name: &str) -> Option<f64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// Runs a target for its time.
pub fn run(target: Target) {
    let budget = Duration::from_secs_f64(number("ATARAID_FUZZ_SECONDS").unwrap_or(0.5));
    let seed = number("ATARAID_FUZZ_SEED").unwrap_or(1.0) as u64;
    let corpus = corpus(target.name);
    assert!(!corpus.is_empty(), "tests/corpus/{} is empty", target.name);
    let watched = Arc::new(Mutex::new(Watched { input: Vec::new(), tried: 0, is_over: false }));
    let worker = {
        let watched = Arc::clone(&watched);
        std::thread::spawn(move || work(target, corpus, budget, seed, &watched))
    };
    let (mut seen, mut ticks) = (0, 0);
    loop {
        std::thread::sleep(TICK);
        let hanging = {
            let now = watched.lock().unwrap();
            if now.is_over {
                break;
            }
            ticks = if now.tried == seen { ticks + 1 } else { 0 };
            seen = now.tried;
            (ticks > TICKS_MAX).then(|| now.input.clone())
        };
        if let Some(input) = hanging {
            panic!("{}: hangs; input left in {}", target.name, keep(target.name, &input).display());
        }
    }
    if let Err(message) = worker.join().unwrap() {
        panic!("{message}");
    }
}

fn work(
    target: Target,
    corpus: Vec<Vec<u8>>,
    budget: Duration,
    seed: u64,
    watched: &Mutex<Watched>,
) -> Result<(), String> {
    let start = Instant::now();
    let mut mutator = Mutator::new(seed, target.name, target.words);
    let mut kinds = BTreeSet::new();
    let mut pool = Vec::new();
    let mut tried = 0_u64;
    let mut waiting = corpus.into_iter();
    let outcome = loop {
        // The whole corpus goes first, however little time there is.
        let input = match waiting.next() {
            Some(input) => input,
            None if start.elapsed() >= budget => break Ok(()),
            None => mutator.mutated(&pool),
        };
        {
            let mut now = watched.lock().unwrap();
            now.input.clone_from(&input);
            now.tried += 1;
        }
        tried += 1;
        match catch_unwind(AssertUnwindSafe(|| (target.check)(&input))) {
            Ok(kind) => {
                if kinds.insert(kind) && pool.len() < POOL_MAX || pool.is_empty() {
                    pool.push(input);
                }
            }
            Err(_) => {
                let path = keep(target.name, &input);
                break Err(format!("{}: input left in {}", target.name, path.display()));
            }
        }
    };
    eprintln!("{}: {tried} inputs, {} kinds of answers", target.name, kinds.len());
    watched.lock().unwrap().is_over = true;
    outcome
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn keep(name: &str, input: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.failed"));
    fs::write(&path, input).unwrap();
    path
}

/// A message without its numbers and quoted parts: what kind it is.
pub fn kind_of(message: &str) -> String {
    let first = message.lines().next().unwrap_or("");
    let mut quoted = false;
    let mut kind = String::new();
    for letter in first.chars() {
        if letter == '`' {
            quoted = !quoted;
        }
        if !quoted && !letter.is_ascii_digit() {
            kind.push(letter);
        }
    }
    kind
}
