//! Settings that undo earlier ones.

use serde::Serialize;
use serde_json::Value;

use super::path::{self, Pointer};

/// A setting of which nothing, or not all, is left after a later one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Undone {
    /// The number of the setting that is undone, from 0.
    pub earlier: usize,
    /// The number of the one that undoes it.
    pub later: usize,
    /// Whether the later one replaces a whole of which the earlier one set a part: in the other order both take effect.
    pub whole: bool,
}

/// The first pair of settings of which the later undoes the earlier: it replaces a whole of which the earlier set a part,
/// or sets again everything that the earlier one set. A setting that refines an earlier one undoes nothing.
///
/// Each setting is given as its path and the value right after it.
pub(crate) fn first_undone<'a, T: Serialize + 'a>(
    settings: impl IntoIterator<Item = (&'a str, &'a T)>,
) -> Option<Undone> {
    let places: Vec<Vec<Pointer>> = settings.into_iter().map(|(path, after)| places(path, after)).collect();
    for (later, new) in places.iter().enumerate() {
        for (earlier, old) in places[..later].iter().enumerate() {
            let inside = |old: &Pointer| {
                new.iter().any(|new| old.len() > new.len() && old.starts_with(new.as_slice()))
            };
            let whole = old.iter().any(inside);
            let again = !old.is_empty() && old.iter().all(|old| new.contains(old));
            if whole || again {
                return Some(Undone { earlier, later, whole });
            }
        }
    }
    None
}

/// The path of the first setting that a later one undoes, with a message and a remedy; each setting is given with the
/// value after it.
pub(crate) fn undone<'a, T: Serialize>(after: &[(&'a str, T)]) -> Option<(&'a str, String, String)> {
    let Undone { earlier, later, whole } = first_undone(after.iter().map(|(path, value)| (*path, value)))?;
    let (earlier, later) = (after[earlier].0, after[later].0);
    Some(if whole {
        let message = format!("`{earlier}` is lost: `{later}` is set after it and replaces the whole");
        (earlier, message, format!("set `{later}` first and `{earlier}` behind it"))
    } else if earlier == later {
        (earlier, format!("`{earlier}` is set twice"), "leave one of the two out".to_owned())
    } else {
        let message = format!("`{earlier}` has no effect: `{later}` is set after it");
        (earlier, message, "leave one of the two out".to_owned())
    })
}

/// The places that a path picks; none if it leads nowhere.
fn places<T: Serialize>(path: &str, value: &T) -> Vec<Pointer> {
    let found = || {
        let tree: Value = serde_json::to_value(value).ok()?;
        path::find(&tree, &path::parse(path).ok()?).ok()
    };
    let places = found().unwrap_or_default();
    places
        .into_iter()
        .filter(|place| place.present)
        .filter_map(|place| place.pointers.into_iter().next())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pair(first: &str, second: &str) -> Option<(bool, usize)> {
        let tree = json!({"bus": {"clock": 1, "width": 2}, "drives": [{"id": "a", "rpm": 1}, {"id": "b", "rpm": 2}]});
        first_undone([(first, &tree), (second, &tree)]).map(|undone| (undone.whole, undone.later))
    }

    #[test]
    fn a_whole_after_its_part_and_a_field_set_again_undo() {
        assert_eq!(pair("bus.clock", "bus"), Some((true, 1)));
        assert_eq!(pair("drives.*.rpm", "drives.a"), Some((true, 1)));
        assert_eq!(pair("drives.0.rpm", "drives.*.rpm"), Some((false, 1)));
        assert_eq!(pair("bus.clock", "bus.clock"), Some((false, 1)));
    }

    #[test]
    fn a_refinement_undoes_nothing() {
        assert_eq!(pair("bus", "bus.clock"), None);
        assert_eq!(pair("bus.width", "bus.clock"), None);
        assert_eq!(pair("drives.*.rpm", "drives.b.rpm"), None);
        assert_eq!(pair("drives.a.rpm", "drives.b"), None);
        assert_eq!(pair("nothing", "nothing"), None);
    }
}
