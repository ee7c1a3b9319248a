//! Widths of text, so that a layout can be made without a font engine.
//!
//! Advance widths are those of DejaVu Sans 2.37 (its `hmtx` table, per 1000 em). A viewer that falls back to
//! another sans-serif font of an SVG draws at most a few per cent narrower or wider.

/// Advance widths of the characters from space to tilde.
const REGULAR: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636,
    636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
    295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
    500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
    392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// The same of DejaVu Sans Bold.
const BOLD: [u16; 95] = [
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696,
    696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372,
    372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838,
    500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595,
    478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
];

/// Width taken for a character outside the tables: that of the wide arrows and signs.
const OTHER: u16 = 838;

/// A font face and size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Font {
    /// Size of the em in pixels.
    pub(super) size: f64,
    pub(super) bold: bool,
}

/// The regular face.
pub(super) fn regular(size: f64) -> Font {
    Font { size, bold: false }
}

/// The bold face.
pub(super) fn bold(size: f64) -> Font {
    Font { size, bold: true }
}

impl Font {
    /// Width of `text` in pixels, without kerning.
    pub(super) fn width(self, text: &str) -> f64 {
        let table = if self.bold { &BOLD } else { &REGULAR };
        let units: u64 = text
            .chars()
            .map(|c| {
                let index = (c as usize).wrapping_sub(' ' as usize);
                u64::from(table.get(index).copied().unwrap_or(OTHER))
            })
            .sum();
        units as f64 * self.size / 1000.0
    }

    /// Distance between base lines.
    pub(super) fn line_height(self) -> f64 {
        (self.size * 1.3).round()
    }

    /// `text` cut to `width` with an ellipsis, if it is wider.
    pub(super) fn fit(self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut cut: String = text.to_owned();
        while cut.pop().is_some() {
            let shown = format!("{}…", cut.trim_end());
            if self.width(&shown) <= width {
                return shown;
            }
        }
        "…".to_owned()
    }

    /// `text` broken at spaces into at most `lines` lines of `width`; what does not fit is cut.
    pub(super) fn wrap(self, text: &str, width: f64, lines: usize) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if line.is_empty() || out.len() + 1 >= lines || self.width(&longer) <= width {
                line = longer;
            } else {
                out.push(std::mem::replace(&mut line, word.to_owned()));
            }
        }
        if !line.is_empty() {
            out.push(line);
        }
        out.iter().map(|line| self.fit(line, width)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_spaces_and_cut_only_when_no_line_is_left() {
        let font = regular(10.0);
        assert_eq!(font.wrap("RAID 0, two drives", 60.0, 3), ["RAID 0, two", "drives"]);
        let cut = font.wrap("RAID 0, two drives on one cable", 60.0, 2);
        assert_eq!(cut.len(), 2);
        assert!(cut[1].ends_with('…') && font.width(&cut[1]) <= 60.0, "{cut:?}");
    }

    #[test]
    fn a_word_wider_than_the_line_is_cut() {
        let cut = regular(10.0).wrap("antidisestablishmentarianism", 50.0, 2);
        assert!(regular(10.0).width(&cut[0]) <= 50.0);
    }

    #[test]
    fn no_text_gives_no_line() {
        assert!(regular(10.0).wrap("  ", 50.0, 2).is_empty());
    }
}
