//! A drive model as the text of a file.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;

use super::DriveSpec;

/// Longest line that is not broken.
const LINE: usize = 110;

/// The text of a file that holds `spec`, under a comment of these lines.
pub fn ron(spec: &DriveSpec, comment: &str) -> String {
    let style = PrettyConfig::new()
        .depth_limit(2)
        .extensions(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
        .struct_names(false);
    let options = ron::Options::default();
    let text = options.to_string_pretty(spec, style).expect("every figure of a drive has a form in RON");
    // The extensions are the readers' default.
    let body = text.lines().filter(|line| !line.starts_with("#!["));
    let mut out: String = comment.lines().map(|line| format!("// {line}\n")).collect();
    for line in body {
        broken(line, &mut out);
    }
    out
}

/// Adds a line, broken behind commas outside of texts if it is too long.
fn broken(line: &str, out: &mut String) {
    let indent = line.len() - line.trim_start().len();
    let next_indent = " ".repeat(indent + 4);
    let (mut rest, mut room) = (line, LINE);
    let mut first = true;
    while let Some(cut) = break_point(rest, room) {
        if !first {
            out.push_str(&next_indent);
        }
        out.push_str(rest[..cut].trim_end());
        out.push('\n');
        rest = rest[cut..].trim_start();
        room = LINE - next_indent.len();
        first = false;
    }
    if !first {
        out.push_str(&next_indent);
    }
    out.push_str(rest);
    out.push('\n');
}

/// Where to break a line of more than `room` bytes: behind the last comma within them, or else behind the first one.
fn break_point(line: &str, room: usize) -> Option<usize> {
    if line.len() <= room {
        return None;
    }
    let (mut inside, mut escaped, mut best) = (false, false, None);
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            b',' if !inside && at + 1 < line.len() => {
                if at + 1 > room && best.is_some() {
                    break;
                }
                best = Some(at + 1);
            }
            _ => {}
        }
    }
    best
}
