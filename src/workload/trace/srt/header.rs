//! The text header: which disks there are, and how large their sectors.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::MAGIC;
use crate::config::Diagnostic;
use crate::workload::trace::lines::filled;

/// The header ends with this byte.
const FORM_FEED: u8 = 0x0c;
/// The most bytes of a header; one that describes 500 disks is about this long.
const HEADER_MAX: usize = 1 << 20;
/// Sizes of sectors that a disk may have, in bytes.
const SECTOR_BYTES: std::ops::RangeInclusive<u64> = 64..=65_536;

/// What the header says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Header {
    /// Bytes in a sector, by disk.
    sector_bytes: BTreeMap<u32, u64>,
}

impl Header {
    pub(super) fn sector_bytes(&self, disk: u32) -> Option<u64> {
        self.sector_bytes.get(&disk).copied()
    }
}

/// Reads the header from the start of a trace, with the number of its bytes.
pub(super) fn read<R: BufRead>(name: &str, input: &mut R) -> Result<(Header, u64), Box<Diagnostic>> {
    let fault = |message: &str| {
        let remedy = "a trace of HP's SRT 1.3 starts with $$TR_IOREC-1.3 and a text that a form feed ends";
        Box::new(Diagnostic::of_file(name, message).with_remedy(remedy))
    };
    let mut text = Vec::new();
    loop {
        let chunk = filled(input).map_err(|error| Diagnostic::for_io(name, &error))?;
        if chunk.is_empty() {
            return Err(fault("the file ends within the header"));
        }
        let end = memchr::memchr(FORM_FEED, chunk);
        let taken = end.unwrap_or(chunk.len());
        text.extend_from_slice(&chunk[..taken.min(HEADER_MAX)]);
        input.consume(taken + usize::from(end.is_some()));
        let known = text.len().min(MAGIC.len());
        if text[..known] != MAGIC[..known] || (end.is_some() && known < MAGIC.len()) {
            return Err(fault("expected $$TR_IOREC at the start of the file"));
        }
        if text.len() >= HEADER_MAX {
            return Err(fault("no form feed within the first 1,048,576 bytes: the header does not end"));
        }
        if end.is_some() {
            break;
        }
    }
    let length = text.len() as u64 + 1;
    let header = parsed(&text).map_err(|message| fault(&message))?;
    Ok((header, length))
}

/// A piece of the header's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    /// A name or a number.
    Word(&'a [u8]),
    Open,
    Close,
    Equals,
    /// `->`, before a description.
    Arrow,
    Other,
}

/// The sizes of sectors in `disks = { 0 -> { sectorsize = 256, .. }, .. }`.
fn parsed(text: &[u8]) -> Result<Header, String> {
    let mut header = Header::default();
    let mut depth = 0_usize;
    // The depth inside the list of disks, and the disk whose description this is.
    let mut disks = None;
    let mut disk = None;
    let mut last = [Token::Other; 2];
    for token in Tokens(text) {
        match token {
            Token::Open => {
                depth += 1;
                if last == [Token::Word(b"disks"), Token::Equals] {
                    disks = Some(depth);
                } else if let ([Token::Word(word), Token::Arrow], true) = (last, disks == Some(depth - 1)) {
                    disk = number(word);
                }
            }
            Token::Close => {
                if disks == Some(depth) {
                    disks = None;
                }
                depth = depth.saturating_sub(1);
            }
            Token::Word(word) if last == [Token::Word(b"sectorsize"), Token::Equals] => {
                let bytes = number(word).map(u64::from).filter(|bytes| SECTOR_BYTES.contains(bytes));
                let Some(bytes) = bytes else {
                    let found = String::from_utf8_lossy(word);
                    return Err(format!(
                        "expected a sectorsize of 64 to 65536 bytes in the header, found {found}"
                    ));
                };
                if let (Some(disk), true) = (disk, disks.is_some_and(|disks| depth == disks + 1)) {
                    header.sector_bytes.insert(disk, bytes);
                }
            }
            _ => {}
        }
        last = [last[1], token];
    }
    if header.sector_bytes.is_empty() {
        return Err("the header states the sectorsize of no disk".to_owned());
    }
    Ok(header)
}

fn number(word: &[u8]) -> Option<u32> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

struct Tokens<'a>(&'a [u8]);

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let start = self.0.iter().position(|byte| !byte.is_ascii_whitespace() && *byte != 0)?;
        let rest = &self.0[start..];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let (token, length) = match rest[0] {
            b'"' => {
                let end = rest[1..].iter().position(|byte| *byte == b'"');
                (Token::Other, end.map_or(rest.len(), |end| end + 2))
            }
            b'{' => (Token::Open, 1),
            b'}' => (Token::Close, 1),
            b'=' => (Token::Equals, 1),
            b'-' if rest.get(1) == Some(&b'>') => (Token::Arrow, 2),
            byte if is_word(&byte) => {
                let length = rest.iter().take_while(|byte| is_word(byte)).count();
                (Token::Word(&rest[..length]), length)
            }
            _ => (Token::Other, 1),
        };
        self.0 = &rest[length..];
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_disk_has_its_own_sectors() {
        let text = b"$$TR_IOREC-1.3 (x)\0 a = 1; disks = { 0 -> { queue = {fcfs, 1}, sectorsize = 256, \
            sections = { 8 -> { \"} sectorsize = 7\", blocksize = 8192 } } }, 12 -> { adaptor = 1 -> { hp_ib }, \
            sectorsize = 512 } };";
        let header = parsed(text).unwrap();
        let found = [0, 8, 1, 12].map(|disk| header.sector_bytes(disk));
        assert_eq!(found, [Some(256), None, None, Some(512)]);
    }

    #[test]
    fn headers_that_say_nothing_or_nonsense_are_refused() {
        for (text, expected) in [
            ("$$TR_IOREC", "of no disk"),
            ("disks = { 0 -> { sectorsize = 0 } }", "found 0"),
            ("disks = { 0 -> { sectorsize = 99999999999999 } }", "found 99999999999999"),
            ("}}}} disks = {{{{ \"", "of no disk"),
        ] {
            let message = parsed(text.as_bytes()).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
