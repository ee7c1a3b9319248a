//! Options that several verbs share, and how their values are read.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::failure::Failure;
use super::table::Format;
use crate::config::overrides::{self, undone};
use crate::config::{Diagnostic, Issues, Validate, suggest};
use crate::scenario::{Library, LoadOptions, ScenarioEntry};

/// `PATH=VALUE` of `--set`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    /// Path of the field.
    pub path: String,
    /// Its new value as RON text.
    pub value: String,
}

/// `PATH=A,B` of `--vary`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variation {
    /// Path of the field.
    pub path: String,
    /// Its values as RON texts.
    pub values: Vec<String>,
}

/// What `run`, `compare` and `reproduce` have in common.
#[derive(clap::Args, Debug)]
pub(super) struct RunOptions {
    /// Set a field of the scenario or of any model in it, such as bus.latency_timer_clocks=64; repeatable, `*`
    /// stands for all elements of a list
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = setting)]
    pub settings: Vec<Setting>,
    /// Seed of all random numbers [default: the scenario's]
    #[arg(long, value_name = "N", value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    pub seed: Option<u64>,
    /// Runs of each point, 1 to 1000 [default: the scenario's]
    #[arg(long, value_name = "N", value_parser = |text: &str| whole::<u32>(text, 1, 1000))]
    pub runs: Option<u32>,
    /// Runs that go on at a time, 1 to 1024; the results do not depend on it [default: number of processors]
    #[arg(long, value_name = "N", value_parser = |text: &str| whole::<u16>(text, 1, 1024))]
    pub jobs: Option<u16>,
    /// Take the shorter runs of a quick look: coarse figures, wide intervals
    #[arg(long)]
    pub quick: bool,
}

impl RunOptions {
    /// The same for the library.
    pub fn load_options(&self) -> LoadOptions {
        let sets = self.settings.iter().map(|setting| (setting.path.clone(), setting.value.clone()));
        LoadOptions {
            sets: sets.collect(),
            sweep: Vec::new(),
            seed: self.seed,
            runs: self.runs,
            quick: self.quick,
        }
    }
    /// Threads to run on; as many as there are processors if none.
    pub fn jobs(&self) -> Option<usize> {
        self.jobs.map(usize::from)
    }
}

/// What `run`, `compare` and `explain` put out besides tables in files.
#[derive(clap::Args, Debug)]
pub(super) struct OutputOptions {
    /// Form of the table on standard output
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Draw no figures
    #[arg(long)]
    pub no_plots: bool,
}

/// What a name of the catalogue is to stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// A scenario, for `run` and `compare`.
    Scenario,
    /// A reproduction, for `reproduce`.
    Reproduction,
    /// A fit, for `fit`.
    Fit,
    /// Anything, for `check`.
    Any,
}

impl Wanted {
    fn noun(self) -> &'static str {
        match self {
            Wanted::Scenario | Wanted::Any => "scenario",
            Wanted::Reproduction => "reproduction",
            Wanted::Fit => "fit",
        }
    }
    /// The verb that takes one.
    fn verb(self) -> &'static str {
        match self {
            Wanted::Scenario | Wanted::Any => "run",
            Wanted::Reproduction => "reproduce",
            Wanted::Fit => "fit",
        }
    }
}

/// The full name of a scenario, reproduction or fit: `mix` stands for `rocketraid133/mix` if no other name ends so.
///
/// # Errors
/// A name that is of another kind, or nearly that of an entry, with the remedy; all other wrong names are left for
/// the library to refuse.
pub(super) fn full_name(name: &str, wanted: Wanted, library: &Library) -> Result<String, Failure> {
    if name.ends_with(".ron") || std::path::Path::new(name).is_file() {
        return Ok(name.to_owned());
    }
    let names = |entries: Vec<ScenarioEntry>| entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>();
    let (scenarios, reproductions) = (names(library.scenarios()), names(library.reproductions()));
    let fits = names(library.fits());
    let (known, others) = match wanted {
        Wanted::Scenario => (scenarios, vec![(Wanted::Reproduction, reproductions), (Wanted::Fit, fits)]),
        Wanted::Reproduction => (reproductions, vec![(Wanted::Scenario, scenarios), (Wanted::Fit, fits)]),
        Wanted::Fit => (fits, vec![(Wanted::Scenario, scenarios), (Wanted::Reproduction, reproductions)]),
        Wanted::Any => ([scenarios, reproductions, fits].concat(), Vec::new()),
    };
    if known.iter().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    let ends_so = |known: &&String| last_part(known) == name;
    let alike: Vec<&String> = known.iter().filter(ends_so).collect();
    match alike[..] {
        [] => {}
        [only] => return Ok(only.clone()),
        _ => {
            let names: Vec<&str> = alike.iter().map(|name| name.as_str()).collect();
            let remedy = format!("write one of {}", names.join(", "));
            return Err(Failure::input(format!("several files are called `{name}`"), remedy));
        }
    }
    let called = |names: &[String]| names.iter().any(|other| other == name || last_part(other) == name);
    if let Some((other, _)) = others.iter().find(|(_, names)| called(names)) {
        let (is, verb) = (other.noun(), other.verb());
        let message = format!("`{name}` is a {is} and no {}", wanted.noun());
        return Err(Failure::input(message, format!("`ataraid {verb} {name}`")));
    }
    match suggest(name, known.iter().map(|known| last_part(known))) {
        Some(near) if wanted != Wanted::Any => {
            let full = known.iter().find(|known| last_part(known) == near).map_or(near, String::as_str);
            let kind = wanted.noun();
            let remedy = format!("did you mean `{full}`? `ataraid list {kind}s` prints all names");
            Err(Failure::input(format!("there is no {kind} `{name}`"), remedy))
        }
        _ if matches!(wanted, Wanted::Reproduction | Wanted::Fit) => {
            let list = format!("there are: {}; to name a file, give its path with `.ron`", known.join(", "));
            Err(Failure::input(format!("there is no {} `{name}`", wanted.noun()), list))
        }
        _ => Ok(name.to_owned()),
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Reads a whole number.
///
/// # Errors
/// What it must be.
pub(super) fn whole<T: TryFrom<u64>>(text: &str, low: u64, high: u64) -> Result<T, String> {
    let known = text.parse().ok().filter(|value| (low..=high).contains(value));
    let value = known.and_then(|value| T::try_from(value).ok());
    value.ok_or_else(|| format!("it must be a whole number from {low} to {high}"))
}

fn halves(text: &str) -> Result<(&str, &str), String> {
    // An index may be a key in quotes, with any character in it.
    let start = text.rfind("\"]").map_or(0, |at| at + 2);
    let equals = text[start..].find('=').map(|at| start + at).or_else(|| text.find('='));
    let Some(equals) = equals else {
        return Err("there is no `=`; write PATH=VALUE, for example bus.latency_timer_clocks=64".to_owned());
    };
    let (path, value) = (text[..equals].trim(), text[equals + 1..].trim());
    match (path.is_empty(), value.is_empty()) {
        (true, _) => Err("there is no path before the `=`; write PATH=VALUE".to_owned()),
        (_, true) => {
            Err("there is no value after the `=`; write PATH=VALUE (an empty text is \"\")".to_owned())
        }
        (false, false) => Ok((path, value)),
    }
}

/// Reads the value of `--set`.
///
/// # Errors
/// What is missing, and the form to write.
pub(super) fn setting(text: &str) -> Result<Setting, String> {
    halves(text).map(|(path, value)| Setting { path: path.to_owned(), value: value.to_owned() })
}

/// Reads the value of `--vary`: commas inside brackets and quotes belong to a value.
///
/// # Errors
/// What is missing, and the form to write.
pub(super) fn variation(text: &str) -> Result<Variation, String> {
    let (path, list) = halves(text)?;
    let values = at_commas(list);
    if values.iter().any(String::is_empty) {
        return Err("an empty value stands between two commas; write PATH=A,B".to_owned());
    }
    if values.len() < 2 {
        return Err("one value compares with nothing; write PATH=A,B".to_owned());
    }
    Ok(Variation { path: path.to_owned(), values })
}

fn at_commas(list: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut parts = vec![String::new()];
    for c in list.chars() {
        let in_text = quoted;
        match c {
            '"' if !escaped => quoted = !quoted,
            '(' | '[' | '{' if !in_text => depth += 1,
            ')' | ']' | '}' if !in_text => depth = depth.saturating_sub(1),
            ',' if !in_text && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

/// A model with fields set, judged again.
///
/// # Errors
/// A path that leads nowhere, a value that the field refuses, or a model that means something impossible.
pub(super) fn with_settings<T>(model: T, settings: &[Setting]) -> Result<T, Failure>
where
    T: Clone + Serialize + DeserializeOwned + Validate,
{
    let mut changed = model;
    let mut after: Vec<(&str, T)> = Vec::new();
    for Setting { path, value } in settings {
        let (next, _) = overrides::apply(&changed, path, value).map_err(|error| {
            let text = error.to_string();
            let (message, remedy) = text.split_once("; ").unwrap_or((&text, ""));
            Diagnostic::of_file(format!("--set {path}={value}"), message).with_remedy(remedy)
        })?;
        changed = next;
        after.push((path, changed.clone()));
    }
    if let Some((path, message, remedy)) = undone(&after) {
        let given = settings.iter().find(|setting| setting.path == path).map_or("", |setting| &setting.value);
        return Err(Diagnostic::of_file(format!("--set {path}={given}"), message).with_remedy(remedy).into());
    }
    let mut issues = Issues::new();
    changed.validate(&mut issues);
    let name = |setting: &Setting| format!("--set {}={}", setting.path, setting.value);
    let file = settings.iter().map(name).collect::<Vec<_>>().join(" ");
    issues.into_file_diagnostics(&file).unless_any(changed).map_err(Failure::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_split_at_the_equals_sign_after_the_path() {
        let setting = |text| setting(text).map(|Setting { path, value }| (path, value));
        let pair = |path: &str, value: &str| Ok((path.to_owned(), value.to_owned()));
        assert_eq!(setting("a.b = 9"), pair("a.b", "9"));
        assert_eq!(setting("a=\"x=y\""), pair("a", "\"x=y\""));
        assert_eq!(setting("m[\"p=q\"]=1"), pair("m[\"p=q\"]", "1"));
        for wrong in ["a.b", "=3", "a=", ""] {
            assert!(setting(wrong).unwrap_err().contains("PATH=VALUE"), "{wrong}");
        }
    }

    #[test]
    fn whole_numbers_are_told_their_range() {
        assert_eq!(whole::<u16>("1024", 1, 1024), Ok(1024));
        assert_eq!(whole::<u64>("18446744073709551615", 0, u64::MAX), Ok(u64::MAX));
        for wrong in ["abc", "", "-1", "0", "1.5", "1025", "99999999999999999999"] {
            let told = whole::<u16>(wrong, 1, 1024).unwrap_err();
            assert_eq!(told, "it must be a whole number from 1 to 1024", "{wrong}");
        }
    }

    #[test]
    fn values_are_split_at_commas_outside_brackets_and_quotes() {
        let values = |text| variation(text).map(|variation| variation.values);
        assert_eq!(values("a=1, 2,3"), Ok(vec!["1".into(), "2".into(), "3".into()]));
        assert_eq!(values("a=F(1,[2,3]),\"x,(\""), Ok(vec!["F(1,[2,3])".into(), "\"x,(\"".into()]));
        for wrong in ["a=1", "a=1,,2", "a", "a=1,"] {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }
}
