//! The `ataraid` program: a thin shell around the library's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    ataraid::cli::main()
}
