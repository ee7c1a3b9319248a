//! Figures: what a chart says, and drawing it.
//!
//! Models: a [`Figure`] is a chart as plain data (axes, series, ceilings, captions); a [`PlotSpec`] is what
//! a file says to pick one from a results table; [`render_svg`] and [`render_png`] draw it.
//! Leaves out: several panels in one picture, logarithmic axes, interaction.
//! Invariants: equal figures give equal bytes; a label of an array has the same colour in every figure;
//! only drawing needs the feature `plot`, figures and specs never do.

mod error;
mod figure;
mod points;
mod spec;
pub mod theme;

#[cfg(feature = "plot")]
mod render;

pub use error::PlotError;
pub use figure::{Axis, BarColours, Ceiling, Figure, Kind, Mark, Orientation, Point, Scale, Series, Side};
pub use points::points_table;
#[cfg(feature = "plot")]
pub use render::{PIXELS_PER_INCH, Size, Spot, render_png, render_png_tagged, render_svg, spots};
pub use spec::{PlotKind, PlotSpec, XLabels};
