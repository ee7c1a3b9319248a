//! Single entries of components given anew, as on DiskSim's command line: `COMPONENT KEY VALUE`.

use super::tree::{Document, Statement, Word};
use crate::config::{Diagnostic, Diagnostics, suggest};

/// One entry of a component given anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Override {
    /// A component that is instantiated, or a block.
    pub component: String,
    /// The entry.
    pub key: String,
    /// Its value, as it would stand in a file.
    pub value: String,
}

/// Statements that give these entries anew, a line each: a component becomes an instance of a block that varies its own.
/// Of a block that has instances, all of them do. They are to be read behind the description.
///
/// # Errors
/// A name that is neither a component nor a block of `document`.
pub fn override_statements(document: &Document, overrides: &[Override]) -> Result<String, Diagnostics> {
    let mut text = String::new();
    let mut varied: Vec<Varied> = Vec::new();
    for Override { component, key, value } in overrides {
        for (name, block) in targets(document, component)? {
            let before = varied.iter().rfind(|varied| varied.component == name);
            let from = before.map_or_else(|| block.to_owned(), Varied::block);
            let now = Varied { component: name, origin: block, number: varied.len() + 1 };
            let block = now.block();
            text.push_str(&format!(
                "{from} {block} {{ {key} = {value} }} instantiate [ {name} ] as {block}\n"
            ));
            varied.push(now);
        }
    }
    Ok(text)
}

/// A component whose entries have been given anew.
struct Varied<'d> {
    component: &'d str,
    /// The block that describes it in the file.
    origin: &'d str,
    number: usize,
}

impl Varied<'_> {
    /// What the block is called that describes it now.
    fn block(&self) -> String {
        format!("{}_override{}", self.origin, self.number)
    }
}

/// The components that are called so, or are instances of the block that is, each with its block. A block without
/// instances is a component by itself.
fn targets<'d>(document: &'d Document, name: &str) -> Result<Vec<(&'d str, &'d str)>, Diagnostics> {
    let instances = || {
        let statements = document.statements.iter().filter_map(|statement| match statement {
            Statement::Instantiate { names, model } => Some((names, model)),
            _ => None,
        });
        statements.flat_map(|(names, model)| {
            names.iter().map(|component: &Word| (component.text.as_str(), model.text.as_str()))
        })
    };
    if let Some(found) = instances().find(|(component, _)| *component == name) {
        return Ok(vec![found]);
    }
    let of_block: Vec<(&str, &str)> = instances().filter(|(_, block)| *block == name).collect();
    if !of_block.is_empty() {
        return Ok(of_block);
    }
    let blocks = || {
        document.statements.iter().filter_map(|statement| match statement {
            Statement::Block(block) => block.name.as_ref().map(|name| name.text.as_str()),
            _ => None,
        })
    };
    if let Some(block) = blocks().find(|&block| block == name) {
        return Ok(vec![(block, block)]);
    }
    let known: Vec<&str> = instances().map(|(component, _)| component).chain(blocks()).collect();
    let remedy = match suggest(name, known.iter().copied()) {
        Some(likely) => format!("did you mean `{likely}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    let message = format!("there is no component called `{name}`");
    Err(Diagnostic::of_file("--override", message).with_remedy(remedy).into())
}
