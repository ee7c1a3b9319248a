//! The language of checks: parsing and evaluation.

mod ast;
mod domain;
mod eval;
mod lexer;
mod names;
mod parser;
mod reduce;
mod value;

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Serialize;

use super::{Argument, Facts, Measurements, Metric};

/// The names a check may use besides metrics and facts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vocabulary {
    /// Arrays, such as `R0x2`; the single drive is `1d`.
    pub arrays: Vec<String>,
    /// IOMeter patterns, such as `Database`.
    pub patterns: Vec<String>,
    /// File systems, such as `FAT32`.
    pub file_systems: Vec<String>,
    /// Changed set-ups an array can be measured under, written `R0x2@variant`.
    pub variants: Vec<String>,
}

/// Why a check cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// The bytes of the check that are wrong.
    pub place: Range<usize>,
    /// What was found and what was expected.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Verdict {
    /// The measurements agree.
    Held,
    /// They do not.
    Missed,
    /// A metric or a fact it needs is lacking.
    NotCheckable,
}

impl Verdict {
    /// The verdict as reports print it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Held => "held",
            Verdict::Missed => "missed",
            Verdict::NotCheckable => "not checkable yet",
        }
    }
}

/// The result of evaluating a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it came out.
    pub verdict: Verdict,
    /// Whether a difference smaller than its 95 % interval could have decided it.
    pub within_noise: bool,
    /// How clearly it holds (above 0) or is missed (below), as a share of the values compared: of `and` and `all` the
    /// least, of `or` and `some` the greatest, of `within` the distance to the nearer bound. What has no size, such as
    /// a name, counts 1 or -1; what cannot be checked 0.
    pub margin: f64,
    /// The measured values it was decided by, as short text.
    pub measured: String,
    /// The metrics and facts that were asked for and are not there.
    pub lacking: Vec<String>,
}

/// What a check is decided by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// The metrics it compares, with where each was to be measured.
    pub places: BTreeSet<(Metric, Vec<Argument>)>,
    /// Whether it asks for a fact.
    pub facts: bool,
    /// The metrics and facts that nothing supplies.
    pub lacking: Vec<String>,
}

/// A parsed check: an expression that measurements and facts satisfy or do not.
///
/// ```text
/// metrics      MX(array, queue depth, write %)   IO(pattern, array, queue depth)
///              SR(array, block)  SW(array, block)  SRmax(array)  SWmax(array)
///              WBb(array, file system)  WBh(array, file system)
///              X(queue depth, array)   lowest write % where MX of the array exceeds that of 1d, interpolated
/// numbers      1.133   64KB (KB = KiB = 1024 bytes)   a + b - c * d / e   ( ... )
/// facts        pci.width_bits   rejects.five_drives   'text'   true   false
/// comparisons  > < >= <= == !=   ~ within 3 %   ~~ within 8 %   a > b > c   a within [low, high]   a in {33, 66}
/// logic        and or not ( ... )
/// quantifiers  all w in 80..100 step 10, N in {2, 3}: c    some B: c    at least 9 of w: c    exactly 2 of w: c
/// reductions   max over B of SR(R0x2, B)   min mean sum spread argmax argmin   count over w of (c)
///              lowest B where (c)     max_B SR(R0x2, B) is short for max over B of SR(R0x2, B)
/// ```
///
/// `spread` is the largest over the smallest, less 1. A quantifier's condition reaches as far right as it can; put
/// the whole in brackets to end it. The body of a reduction is one call or one bracket.
///
/// A variable without a range goes over its usual places: `w` over 0..100 step 10, `N` over 2..4, `q` and `B` over
/// what the metrics in the body were measured at; a range without a step on `q` or `B` picks from those. A variable
/// may complete an array's name: `R0xN`. `R0x4@pci_32_66` is the array under a changed set-up.
///
/// `a > b` compares means over the runs; when the difference is smaller than its 95 % interval the outcome says
/// `within_noise`. Intervals are carried through arithmetic as if independent. What was not measured makes a
/// condition unknown; `and`, `or` and the quantifiers decide all the same when the known part suffices.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    root: ast::Expr,
}

impl Check {
    /// Parses a check.
    ///
    /// # Errors
    /// The first thing that is not in the language, or a name that is not in `names`, with its place.
    pub fn parse(text: &str, names: &Vocabulary) -> Result<Self, CheckError> {
        parser::parse(text, names).map(|root| Check { root })
    }

    /// Judges the check on what was measured.
    pub fn evaluate(&self, measurements: &Measurements, facts: &Facts) -> Outcome {
        eval::evaluate(&self.root, measurements, facts)
    }

    /// What the check is decided by, out of what can be measured (of whose values only the places count).
    pub fn needs(&self, measurable: &Measurements, facts: &Facts) -> Needs {
        eval::needs(&self.root, measurable, facts)
    }
}
