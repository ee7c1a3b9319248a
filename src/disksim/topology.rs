//! What hangs where: the way from a drive to the driver.

use super::blocks::Blocks;
use super::context::Context;
use super::tree::{Block, Document, Node, Statement};

/// Time of a block between drive and driver.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct PathTimes {
    /// Towards the driver, in ms.
    pub read_block_ms: f64,
    /// Towards the drive, in ms.
    pub write_block_ms: f64,
}

/// The components of a description by name, and how they hang together.
pub(super) struct Topology<'d> {
    document: &'d Document,
}

impl<'d> Topology<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Topology { document }
    }

    /// The block that describes a component.
    pub(super) fn model_of(&self, blocks: &Blocks<'d>, component: &str) -> Option<&'d Block> {
        let mut instances = self.document.statements.iter().filter_map(|statement| match statement {
            Statement::Instantiate { names, model } => Some((names, model)),
            Statement::Block(_) | Statement::Topology(_) => None,
        });
        let (_, model) = instances.find(|(names, _)| names.iter().any(|name| name.text == component))?;
        blocks.by_name(&model.text)
    }

    /// The components from the top to the one called `component`, that one included; none if it hangs nowhere.
    pub(super) fn path(&self, component: &str) -> Vec<&'d Node> {
        let tops = self.document.statements.iter().filter_map(|statement| match statement {
            Statement::Topology(node) => Some(node),
            Statement::Block(_) | Statement::Instantiate { .. } => None,
        });
        let mut path = Vec::new();
        for top in tops {
            if descend(top, component, &mut path) {
                break;
            }
        }
        path
    }

    /// The slowest of the nearest bus and the nearest controller above a component.
    pub(super) fn times(&self, context: &mut Context<'d, '_, '_>, component: &str) -> PathTimes {
        let path = self.path(component);
        let nearest = |kind: &str| {
            let node = path.iter().rev().find(|node| {
                let model = self.model_of(&context.blocks, &node.name.text);
                model.and_then(|model| context.blocks.kind(model)).is_some_and(|found| found.name == kind)
            });
            node.and_then(|node| self.model_of(&context.blocks, &node.name.text))
        };
        let (bus, controller) = (nearest("disksim_bus"), nearest("disksim_ctlr"));
        let ms = |context: &mut Context<'d, '_, '_>, block: Option<&'d Block>, key: &str| {
            block.map_or(0.0, |block| context.span_ms(block, key, -10.0..=10.0))
        };
        let controller_ms = ms(context, controller, "Bulk sector transfer time");
        PathTimes {
            read_block_ms: ms(context, bus, "Read block transfer time").max(controller_ms),
            write_block_ms: ms(context, bus, "Write block transfer time").max(controller_ms),
        }
    }
}

/// Adds the way from `node` down to `component` to `path`; false, and nothing added, if it is not below.
fn descend<'d>(node: &'d Node, component: &str, path: &mut Vec<&'d Node>) -> bool {
    path.push(node);
    if node.name.text == component || node.children.iter().any(|child| descend(child, component, path)) {
        return true;
    }
    path.pop();
    false
}
