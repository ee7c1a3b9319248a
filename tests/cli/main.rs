//! The program as its users meet it: arguments, exit codes, screens and files.

mod catalogue;
mod drives;
mod place;
mod runs;
mod streams;
