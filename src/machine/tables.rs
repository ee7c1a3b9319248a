//! What machines of one drive model have in common.

use std::sync::{Arc, Mutex, PoisonError};

use crate::drive::{DriveSpec, SeekTable};

/// Seek tables of the models met last, for any number of machines on any number of threads: a table takes longer to
/// make than all the rest of a machine.
#[derive(Debug, Default)]
pub struct SeekTables(Mutex<Vec<(DriveSpec, Arc<SeekTable>)>>);

/// Models whose tables are kept; a sweep over a drive's parameter has as many models as points.
const MODELS_MAX: usize = 8;

impl SeekTables {
    /// The table of a validated model.
    pub(super) fn of(&self, model: &DriveSpec) -> Arc<SeekTable> {
        // A table is entered when it is finished, so that whatever a thread left that panicked is whole.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = known.iter().find(|(spec, _)| spec == model) {
            return Arc::clone(table);
        }
        let table = Arc::new(SeekTable::new(model, model.cylinders()));
        if known.len() == MODELS_MAX {
            known.remove(0);
        }
        known.push((model.clone(), Arc::clone(&table)));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::spec::sample;

    #[test]
    fn a_model_has_one_table_and_another_model_another() {
        let (tables, model) = (SeekTables::default(), sample());
        let first = tables.of(&model);
        assert!(Arc::ptr_eq(&first, &tables.of(&model.clone())));
        for number in 1..=MODELS_MAX {
            let mut other = model.clone();
            other.quiet_seek_factor += number as f64;
            assert!(tables.of(&other).full() > first.full());
        }
        assert!(!Arc::ptr_eq(&first, &tables.of(&model)), "the one met longest ago has been dropped");
        assert_eq!(first.full(), tables.of(&model).full());
    }
}
