//! Blocks by name, with what they take over from the blocks that they vary, checked against the keys of their type.

use std::collections::BTreeMap;

use super::context::{clipped, number};
use super::keys::KINDS;
use super::schema::{self, FOREIGN, Kind, limits};
use super::tree::{Block, Document, Files, Item, Param, Spot, Statement, Value};
use crate::config::{Diagnostic, suggest};

/// Blocks that vary a block that varies a block.
const VARIED_MAX: usize = 32;

/// All blocks of a description.
pub(super) struct Blocks<'d> {
    pub files: &'d Files,
    named: BTreeMap<&'d str, &'d Block>,
}

impl<'d> Blocks<'d> {
    /// The blocks of `document`; `faults` takes what is wrong with them.
    pub(super) fn new(document: &'d Document, faults: &mut Vec<Diagnostic>) -> Self {
        let mut blocks = Blocks { files: &document.files, named: BTreeMap::new() };
        let tops = document.statements.iter().filter_map(|statement| match statement {
            Statement::Block(block) => Some(block),
            Statement::Instantiate { .. } | Statement::Topology(_) => None,
        });
        for block in tops.clone() {
            blocks.collect(block, faults);
        }
        for block in tops {
            blocks.check(block, faults);
        }
        for statement in &document.statements {
            if let Statement::Instantiate { model, .. } = statement
                && blocks.by_name(&model.text).is_none()
            {
                let message = format!("there is no block called `{}`", model.text);
                faults.push(blocks.files.fault(model.spot, message).with_remedy(blocks.meant(&model.text)));
            }
        }
        blocks
    }

    /// The block of this name.
    pub(super) fn by_name(&self, name: &str) -> Option<&'d Block> {
        self.named.get(name).copied()
    }

    /// Every named block whose type is `kind`, by name.
    pub(super) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &'d Block> {
        self.named
            .values()
            .copied()
            .filter(move |block| self.kind(block).is_some_and(|found| found.name == kind))
    }

    /// The type of a block, through all blocks that it varies.
    pub(super) fn kind(&self, block: &Block) -> Option<&'static Kind> {
        let mut name = block.kind.text.as_str();
        for _ in 0..VARIED_MAX {
            if let Some(kind) = schema::kind(name) {
                return Some(kind);
            }
            name = self.named.get(name)?.kind.text.as_str();
        }
        None
    }

    /// The entry called `key` of a block, its own or one that it takes over.
    pub(super) fn param(&self, block: &'d Block, key: &str) -> Option<&'d Param> {
        let mut block = block;
        for _ in 0..VARIED_MAX {
            if let Some(param) = block.param(key) {
                return Some(param);
            }
            block = self.by_name(&block.kind.text)?;
        }
        None
    }

    /// The block that a value is or names.
    pub(super) fn block_of(&self, item: &'d Item) -> Option<&'d Block> {
        match &item.value {
            Value::Block(block) => Some(block),
            Value::Word(name) => self.by_name(name),
            _ => None,
        }
    }

    fn collect(&mut self, block: &'d Block, faults: &mut Vec<Diagnostic>) {
        if let Some(name) = &block.name
            && let Some(known) = self.named.insert(&name.text, block)
        {
            let before = known.name.as_ref().map_or(known.kind.spot, |name| name.spot);
            let message =
                format!("`{}` stands for another block already ({})", name.text, self.files.line(before));
            faults.push(
                self.files
                    .fault(name.spot, message)
                    .with_remedy("give it another name or remove one of both"),
            );
        }
        for param in &block.params {
            self.collect_item(&param.item, faults);
        }
    }

    fn collect_item(&mut self, item: &'d Item, faults: &mut Vec<Diagnostic>) {
        match &item.value {
            Value::Block(block) => self.collect(block, faults),
            Value::List(items) => items.iter().for_each(|item| self.collect_item(item, faults)),
            _ => {}
        }
    }

    fn check(&self, block: &'d Block, faults: &mut Vec<Diagnostic>) {
        let kind_name = block.kind.text.as_str();
        if FOREIGN.contains(&kind_name) {
            return;
        }
        let Some(kind) = self.kind(block) else {
            let message =
                format!("`{kind_name}` is no type of block, nor the name of one that stands before");
            let names = KINDS.iter().map(|kind| kind.name).chain(self.named.keys().copied());
            let remedy = suggest(kind_name, names).map(|name| format!("did you mean `{name}`?"));
            let remedy = remedy
                .unwrap_or_else(|| "start the block with a type of DiskSim's, such as disksim_disk".into());
            faults.push(self.files.fault(block.kind.spot, message).with_remedy(remedy));
            return;
        };
        let mut meant = Vec::new();
        for (index, param) in block.params.iter().enumerate() {
            self.check_entry(block, index, kind, &mut meant, faults);
            self.check_item(&param.item, faults);
        }
        let missing = kind.keys.iter().filter(|key| key.required && !meant.contains(&key.name));
        let missing: Vec<_> = missing
            .filter(|key| self.param(block, key.name).is_none())
            .map(|key| format!("`{}`", key.name))
            .collect();
        if !missing.is_empty() {
            let spot = block.name.as_ref().map_or(block.kind.spot, |name| name.spot);
            let message = format!("this {} lacks {}", kind.name, missing.join(", "));
            faults.push(self.files.fault(spot, message).with_remedy("add what is missing"));
        }
    }

    /// Checks one entry; the key that a misspelt one stands for is added to `meant`.
    fn check_entry(
        &self,
        block: &Block,
        index: usize,
        kind: &Kind,
        meant: &mut Vec<&'static str>,
        faults: &mut Vec<Diagnostic>,
    ) {
        let param = &block.params[index];
        let name = param.key.text.as_str();
        let Some(key) = kind.keys.iter().find(|key| key.name == name) else {
            let likely = suggest(name, kind.keys.iter().map(|key| key.name));
            meant.extend(kind.keys.iter().map(|key| key.name).filter(|key| Some(*key) == likely));
            let message = format!("{} has no key `{name}`", kind.name);
            let remedy = match likely {
                Some(likely) => format!("did you mean `{likely}`?"),
                None => format!(
                    "its keys: {}",
                    kind.keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
                ),
            };
            faults.push(self.files.fault(param.key.spot, message).with_remedy(remedy));
            return;
        };
        if block.params[..index].iter().any(|before| before.key.text == name) {
            let message = format!("`{name}` stands here for the second time");
            faults.push(self.files.fault(param.key.spot, message).with_remedy("remove one of both"));
        }
        if !key.form.fits(&param.item.value) {
            let message = format!("`{name}` is {} and takes {}", param.item.value.noun(), key.form.noun());
            let remedy = format!("write {} here", key.form.noun());
            faults.push(self.files.fault(param.item.spot, message).with_remedy(remedy));
        } else if let Some((low, high)) = limits(kind.name, name)
            && let Value::Integer(_) | Value::Real(_) = param.item.value
            && !(low..=high).contains(&number(&param.item.value).unwrap_or(low))
        {
            let found = clipped(self.files.text(param.item.spot));
            let message = format!("`{name}` is {found}; allowed is {low} to {high}");
            let remedy = format!("write {} from {low} to {high}", key.form.noun());
            faults.push(self.files.fault(param.item.spot, message).with_remedy(remedy));
        } else if key.form == schema::Form::Block && self.block_of(&param.item).is_none() {
            let Value::Word(word) = &param.item.value else { return };
            let message = format!("there is no block called `{word}`");
            faults.push(self.files.fault(param.item.spot, message).with_remedy(self.meant(word)));
        }
    }

    fn check_item(&self, item: &'d Item, faults: &mut Vec<Diagnostic>) {
        match &item.value {
            Value::Block(block) => self.check(block, faults),
            Value::List(items) => items.iter().for_each(|item| self.check_item(item, faults)),
            _ => {}
        }
    }

    /// Which block was probably meant, as a remedy.
    fn meant(&self, name: &str) -> String {
        let likely = suggest(name, self.named.keys().copied());
        likely.map_or_else(
            || "define the block, or name one that is there".to_owned(),
            |likely| format!("did you mean `{likely}`?"),
        )
    }
}

/// Where a block says what it is.
pub(super) fn heading(block: &Block) -> Spot {
    block.name.as_ref().map_or(block.kind.spot, |name| block.kind.spot.to(name.spot))
}
