//! Which points of a sweep: options that several verbs share.

use super::failure::Failure;
use super::options::whole;
use crate::config::Diagnostics;
use crate::scenario::LoadOptions;
use crate::workload::iometer::SIZE_BYTES_MAX;

/// The points of a sweep that are wanted; without options all of them.
#[derive(clap::Args, Debug)]
pub(super) struct Selection {
    /// Only these arrays, by id
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub arrays: Vec<String>,
    /// Only these patterns
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    patterns: Vec<String>,
    /// Only these numbers of requests in flight
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = |text: &str| whole::<u32>(text, 1, 1024))]
    depths: Vec<u32>,
    /// Only these shares of writes, in percent
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = |text: &str| whole::<u8>(text, 0, 100))]
    writes: Vec<u8>,
    /// Only these request sizes, in bytes
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = |text: &str| whole::<u64>(text, 512, SIZE_BYTES_MAX))]
    blocks: Vec<u64>,
}

impl Selection {
    /// The restrictions that were given: option, field of the sweep, values as RON texts.
    fn restrictions(&self) -> Vec<(&'static str, &'static str, Vec<String>)> {
        fn texts<T>(values: &[T], text: impl Fn(&T) -> String) -> Vec<String> {
            values.iter().map(text).collect()
        }
        let name = |name: &String| format!("{name:?}");
        let all = [
            ("--arrays", "sweep.arrays", texts(&self.arrays, name)),
            ("--patterns", "sweep.patterns", texts(&self.patterns, name)),
            ("--depths", "sweep.queue_depths", texts(&self.depths, u32::to_string)),
            ("--writes", "sweep.write_percents", texts(&self.writes, u8::to_string)),
            ("--blocks", "sweep.block_bytes", texts(&self.blocks, u64::to_string)),
        ];
        all.into_iter().filter(|(.., values)| !values.is_empty()).collect()
    }

    /// Adds the restrictions to the fields of the sweep to set.
    pub fn add_to(&self, options: &mut LoadOptions) {
        for (_, path, values) in self.restrictions() {
            options.sweep.push((path.to_owned(), format!("[{}]", values.join(", "))));
        }
    }

    /// What the user wrote for a setting of this field of the sweep.
    fn given(&self, field: &str) -> Option<String> {
        let (option, _, values) = self.restrictions().into_iter().find(|(_, path, _)| *path == field)?;
        Some(format!("{option} {}", values.join(",").replace('"', "")))
    }

    /// Faults of settings that stand for an option, under the name of the option; `others` knows those that are not a
    /// selection's.
    pub fn as_given(&self, faults: Diagnostics, others: impl Fn(&str) -> Option<String>) -> Failure {
        let given = |file: &str| {
            let field = file.strip_prefix("--set ")?.split('=').next()?;
            others(field).or_else(|| self.given(field))
        };
        let named = faults.into_iter().map(|mut fault| {
            fault.file = given(&fault.file).unwrap_or(fault.file);
            fault
        });
        named.collect::<Diagnostics>().into()
    }
}
