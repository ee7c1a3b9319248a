//! Colours and markers: safe for colour-blind readers, and fixed per array.
//!
//! The first colours are those of Okabe and Ito (2008), "Color Universal Design"; the further ones are from
//! the muted scheme of Paul Tol's technical note on colour schemes (2021). Markers and dashes repeat what
//! colour says, so a figure can be read in grey.

use serde::{Deserialize, Serialize};

/// The shape drawn at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Marker {
    /// Filled circle.
    Circle,
    /// Filled square.
    Square,
    /// Filled triangle, tip up.
    Triangle,
    /// Filled diamond.
    Diamond,
    /// Filled triangle, tip down.
    DownTriangle,
    /// Diagonal cross.
    Cross,
    /// Upright cross.
    Plus,
    /// Circle, white inside.
    OpenCircle,
    /// Square, white inside.
    OpenSquare,
    /// Triangle with tip up, white inside.
    OpenTriangle,
    /// Diamond, white inside.
    OpenDiamond,
    /// Triangle with tip down, white inside.
    OpenDownTriangle,
}

/// How a series looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Style {
    /// Index into [`PALETTE`], taken modulo its length.
    pub colour: usize,
    /// Dashed line (pale bar): by convention an array on one channel.
    pub dash: bool,
    /// Shape at each point.
    pub marker: Marker,
}

/// Red, green and blue of each colour.
pub const PALETTE: [[u8; 3]; 14] = [
    [0x22, 0x22, 0x22], // near black
    [0x00, 0x72, 0xB2], // blue
    [0x00, 0x9E, 0x73], // bluish green
    [0xE6, 0x9F, 0x00], // orange
    [0xD5, 0x5E, 0x00], // vermilion
    [0xCC, 0x79, 0xA7], // reddish purple
    [0x56, 0xB4, 0xE9], // sky blue
    [0x8A, 0x6D, 0x3B], // brown
    [0x33, 0x22, 0x88], // indigo
    [0x99, 0x99, 0x33], // olive
    [0x88, 0x22, 0x55], // wine
    [0x44, 0xAA, 0x99], // teal
    [0x77, 0x77, 0x77], // grey
    [0xCC, 0x66, 0x77], // rose
];

/// Arrays with a colour of their own. One-channel variants (`c1`) are derived from these.
const ARRAYS: [(&str, usize, Marker); 9] = [
    ("1d", 0, Marker::Square),
    ("R0x2", 1, Marker::Circle),
    ("R0x3", 2, Marker::Triangle),
    ("R0x4", 3, Marker::Diamond),
    ("R1", 4, Marker::Square),
    ("R01", 5, Marker::DownTriangle),
    ("R10", 6, Marker::Cross),
    ("JBOD", 7, Marker::Plus),
    ("R5", 10, Marker::Triangle),
];

/// Markers of labels without a fixed style, by colour.
const SPARE_MARKERS: [Marker; 7] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::DownTriangle,
    Marker::Cross,
    Marker::Plus,
];

/// Order in which labels without a fixed style get colours: the most distinct first.
const SPARE_COLOURS: [usize; 14] = [1, 4, 2, 3, 5, 8, 6, 7, 10, 11, 9, 13, 12, 0];

/// The style that an array's label always has, or nothing for an unknown label.
///
/// `R0x2` and `R0x2c2` are the same array; `R0x2c1` has its colour, dashed, with another marker.
pub fn fixed(label: &str) -> Option<Style> {
    let (name, one_channel) = match label.strip_suffix("c1") {
        Some(name) => (name, true),
        None => (label.strip_suffix("c2").unwrap_or(label), false),
    };
    let &(_, colour, marker) = ARRAYS.iter().find(|(known, ..)| *known == name)?;
    Some(Style { colour, dash: one_channel, marker: if one_channel { open(marker) } else { marker } })
}

/// A style for each label: the fixed one of arrays, unused ones in a fixed order for all others.
///
/// Equal labels get equal styles. Beyond the palette colours come round again, dashed and open.
pub fn styles(labels: &[&str]) -> Vec<Style> {
    let taken: Vec<usize> =
        labels.iter().filter_map(|label| fixed(label)).map(|style| style.colour).collect();
    let mut spare =
        SPARE_COLOURS.iter().copied().filter(|colour| !taken.contains(colour)).collect::<Vec<_>>();
    spare.extend(SPARE_COLOURS.iter().copied().filter(|colour| taken.contains(colour)));
    let mut unknown: Vec<&str> = Vec::new();
    labels
        .iter()
        .map(|&label| {
            if let Some(style) = fixed(label) {
                return style;
            }
            let place = unknown.iter().position(|&seen| seen == label).unwrap_or_else(|| {
                unknown.push(label);
                unknown.len() - 1
            });
            let colour = spare[place % spare.len()];
            let marker = SPARE_MARKERS[(place + place / spare.len()) % SPARE_MARKERS.len()];
            let dash = place >= spare.len() - taken_count(&taken);
            Style { colour, dash, marker: if dash { open(marker) } else { marker } }
        })
        .collect()
}

/// The same colour, dashed and with the open marker: a variant of the same thing.
pub fn dashed(style: Style) -> Style {
    Style { dash: true, marker: open(style.marker), ..style }
}

fn taken_count(taken: &[usize]) -> usize {
    (0..PALETTE.len()).filter(|colour| taken.contains(colour)).count()
}

/// The marker of a dashed twin.
fn open(marker: Marker) -> Marker {
    match marker {
        Marker::Circle => Marker::OpenCircle,
        Marker::Square => Marker::OpenSquare,
        Marker::Triangle => Marker::OpenTriangle,
        Marker::Diamond => Marker::OpenDiamond,
        Marker::DownTriangle => Marker::OpenDownTriangle,
        Marker::Cross => Marker::Plus,
        Marker::Plus => Marker::Cross,
        already_open => already_open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_channel_shares_the_colour_of_two_but_neither_dash_nor_marker() {
        for (two, one) in [("R0x2", "R0x2c1"), ("R1c2", "R1c1"), ("JBOD", "JBODc1")] {
            let (two, one) = (fixed(two).unwrap(), fixed(one).unwrap());
            assert_eq!(two.colour, one.colour);
            assert!(one.dash && !two.dash);
            assert_ne!(one.marker, two.marker);
        }
    }

    #[test]
    fn an_array_looks_the_same_whatever_stands_beside_it() {
        let alone = styles(&["R0x3"])[0];
        assert_eq!(styles(&["Business", "R01", "R0x3", "1d"])[2], alone);
    }

    #[test]
    fn arrays_have_colours_of_their_own() {
        let mut colours: Vec<usize> = ARRAYS.iter().map(|&(name, ..)| fixed(name).unwrap().colour).collect();
        colours.sort_unstable();
        colours.dedup();
        assert_eq!(colours.len(), ARRAYS.len());
    }

    #[test]
    fn unknown_labels_take_unused_colours_and_equal_labels_equal_styles() {
        let styles = styles(&["Business", "R0x2", "High-End", "Business"]);
        assert_eq!(styles[0], styles[3]);
        assert_ne!(styles[0].colour, styles[2].colour);
        assert_ne!(styles[0].colour, styles[1].colour);
    }

    #[test]
    fn thirty_labels_look_different_from_each_other_and_from_the_arrays() {
        let names: Vec<String> = (0..28).map(|n| format!("label {n}")).collect();
        let mut labels: Vec<&str> = names.iter().map(String::as_str).collect();
        labels.extend(["1d", "R0x2"]);
        let styles = styles(&labels);
        for (index, style) in styles.iter().enumerate() {
            assert!(!styles[..index].contains(style), "label {index} repeats a style");
        }
    }
}
