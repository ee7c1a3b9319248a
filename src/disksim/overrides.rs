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

/// Statements that give these entries anew, a line each: the component becomes an instance of a block that varies its
/// own. They are to be read behind the description.
///
/// # Errors
/// A name that is neither a component nor a block of `document`.
pub fn override_statements(document: &Document, overrides: &[Override]) -> Result<String, Diagnostics> {
    let mut text = String::new();
    for (index, over) in overrides.iter().enumerate() {
        let Override { component, key, value } = over;
        let varied = |before: &Override| before.component == *component;
        let block = match overrides[..index].iter().rposition(varied) {
            Some(before) => block_name(before),
            None => model_of(document, component)?.to_owned(),
        };
        let name = block_name(index);
        text.push_str(&format!(
            "{block} {name} {{ {key} = {value} }} instantiate [ {component} ] as {name}\n"
        ));
    }
    Ok(text)
}

fn block_name(index: usize) -> String {
    format!("override{}", index + 1)
}

/// The block that describes a component, or is called so.
fn model_of<'d>(document: &'d Document, component: &str) -> Result<&'d str, Diagnostics> {
    let instances = document.statements.iter().filter_map(|statement| match statement {
        Statement::Instantiate { names, model } => Some((names, model)),
        _ => None,
    });
    let named = |names: &[Word]| names.iter().any(|name| name.text == component);
    if let Some((_, model)) = instances.clone().find(|(names, _)| named(names)) {
        return Ok(&model.text);
    }
    let blocks = document.statements.iter().filter_map(|statement| match statement {
        Statement::Block(block) => block.name.as_ref().map(|name| name.text.as_str()),
        _ => None,
    });
    if let Some(block) = blocks.clone().find(|&block| block == component) {
        return Ok(block);
    }
    let components = instances.flat_map(|(names, _)| names.iter().map(|name| name.text.as_str()));
    let known: Vec<&str> = components.chain(blocks).collect();
    let remedy = match suggest(component, known.iter().copied()) {
        Some(likely) => format!("did you mean `{likely}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    let message = format!("there is no component called `{component}`");
    Err(Diagnostic::of_file("--override", message).with_remedy(remedy).into())
}
