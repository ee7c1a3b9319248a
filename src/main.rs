//! The `ataraid` program: a thin shell around the library's command line.
fn main() {}
