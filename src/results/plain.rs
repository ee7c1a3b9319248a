//! Texts of users as they may stand in an output: on a terminal, in XML, HTML, Markdown and plain files.

/// `letter`, or a blank for one that no output may hold: a control character, which a terminal would obey, or a
/// code point that Unicode keeps free of characters (U+FDD0 to U+FDEF and the last two of each plane), of which XML
/// forbids U+FFFE and U+FFFF and HTML all (XML 1.0, 2.2; HTML, 13.1.4).
pub fn letter(letter: char) -> char {
    let code = u32::from(letter);
    let is_free = code & 0xFFFE == 0xFFFE || (0xFDD0..=0xFDEF).contains(&code);
    if letter.is_control() || is_free { ' ' } else { letter }
}

/// A text of one line.
pub fn line(text: &str) -> String {
    text.chars().map(letter).collect()
}

/// A text whose line ends and tabulators are meant.
pub fn lines(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { letter(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What XML 1.0 allows, by the letter of its production `Char`.
    fn is_xml(letter: char) -> bool {
        matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
    }

    #[test]
    fn what_no_output_may_hold_becomes_a_blank() {
        for nasty in
            ['\0', '\u{1b}', '\r', '\u{7f}', '\u{9b}', '\u{fdd0}', '\u{fffe}', '\u{ffff}', '\u{10ffff}']
        {
            assert_eq!(letter(nasty), ' ', "{nasty:?}");
        }
        for good in ['a', 'é', '\u{fdcf}', '\u{fdf0}', '\u{fffd}', '\u{10000}', '漢', '🖴'] {
            assert_eq!(letter(good), good);
        }
        assert_eq!(line("a\n\u{1b}[31mb"), "a  [31mb");
        assert_eq!(lines("a\n\t\u{1b}[31mb"), "a\n\t [31mb");
    }

    proptest! {
        #[test]
        fn any_text_becomes_xml_of_the_same_length(text in any::<String>(), more in prop::collection::vec(any::<char>(), 0..9)) {
            let text: String = text.chars().chain(more).collect();
            prop_assert!(lines(&text).chars().all(is_xml));
            prop_assert!(!line(&text).contains(char::is_control));
            prop_assert_eq!(line(&text).chars().count(), text.chars().count());
        }
    }
}
