//! "Did you mean".

/// The allowed name that `wrong` most likely stands for, if any is close enough.
///
/// Close means: at most a third of the letters are wrong, missing, added or swapped with their neighbour;
/// case and the choice of `-`, `_` or a space do not count.
pub fn suggest<'a>(wrong: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain_wrong = plain(wrong);
    if plain_wrong.is_empty() {
        return None;
    }
    let mut best: Option<(usize, &'a str)> = None;
    for name in allowed {
        let plain_name = plain(name);
        let limit = plain_wrong.len().max(plain_name.len()).div_ceil(3);
        let distance = distance(&plain_wrong, &plain_name);
        // A name that shares no letter is no suggestion, however short both are.
        let close = distance <= limit && distance < plain_wrong.len().max(plain_name.len());
        if close && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// `did you mean "x"?` or the list of allowed names, as a remedy; empty if there are none.
pub(super) fn remedy(wrong: &str, allowed: &[&str]) -> String {
    let list = allowed.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match (suggest(wrong, allowed.iter().copied()), allowed.len()) {
        (_, 0) => String::new(),
        (Some(name), 1) => format!("did you mean `{name}`?"),
        (Some(name), _) => format!("did you mean `{name}`? Allowed: {list}"),
        (None, _) => format!("allowed: {list}"),
    }
}

fn plain(name: &str) -> Vec<char> {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ' | '.')).flat_map(char::to_lowercase).collect()
}

/// Optimal string alignment distance: insertions, deletions, replacements, swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_recognised() {
        let names = ["average_ms", "full_stroke_ms", "rpm", "segments"];
        assert_eq!(suggest("avrage_ms", names), Some("average_ms"));
        assert_eq!(suggest("rmp", names), Some("rpm"));
        assert_eq!(suggest("FullStrokeMs", names), Some("full_stroke_ms"));
        assert_eq!(suggest("segment", names), Some("segments"));
    }

    #[test]
    fn unrelated_names_are_not_offered() {
        assert_eq!(suggest("colour", ["average_ms", "rpm"]), None);
        assert_eq!(suggest("x", ["y"]), None);
        assert_eq!(suggest("", ["a"]), None);
    }

    #[test]
    fn the_closest_wins_and_the_first_of_equals() {
        assert_eq!(suggest("6L02OJ1", ["6L040J2", "6L020J1"]), Some("6L020J1"));
        assert_eq!(suggest("abcx", ["abcy", "abcz"]), Some("abcy"));
    }
}
