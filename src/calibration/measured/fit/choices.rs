//! Mechanisms that a fit takes or leaves, by how single requests come out with them.

use super::super::arms::arms;
use super::super::spans::MISSES;
use super::super::starts::{leads, leads_data};
use super::super::switches::Switch;
use super::{CHOICE, FitError, Work, error};
use crate::drive::{DriveSpec, InterfaceSpec};

impl Work {
    /// Takes another lead of the data of writes before the heads, with the times that go with it, if single requests come
    /// out better.
    pub(super) fn lead(&mut self) -> Result<(), FitError> {
        let followed = self.follow(&self.spec)?;
        // That there is one needs proof, which one does not.
        let proof = if leads_data(&self.spec) { 1.0 } else { CHOICE };
        let mut least = proof * error(&followed, &self.spec);
        let mut best = None;
        for spec in leads(&self.spec, &arms(&self.spec, &followed)) {
            let error = error(&self.follow(&spec)?, &spec);
            if error < least {
                (least, best) = (error, Some(spec));
            }
        }
        let Some(spec) = best else { return Ok(()) };
        self.spec = spec;
        let how =
            "single requests come out better than otherwise, with the overheads of writes that go with it";
        let overheads = MISSES.iter().filter(|miss| miss.0);
        let fields = ["interface.write_lead_blocks", "interface.zero_latency_write", "write_seek"];
        let late = match &self.spec.interface {
            InterfaceSpec::Scsi(scsi) if scsi.write_after_read_data_ms != 0.0 => {
                Some("interface.write_after_read_data_ms")
            }
            _ => None,
        };
        for field in fields.into_iter().chain(late).chain(overheads.map(|miss| miss.2)) {
            self.source(field, how);
        }
        Ok(())
    }

    /// Takes of the choices of one mechanism the one with which single requests come out best, if that is better than as
    /// it is; says of each when it has been tried.
    pub(super) fn choose(&mut self, switches: &[Switch], mut tried: impl FnMut()) -> Result<(), FitError> {
        let mut best: Option<(f64, &Switch, DriveSpec)> = None;
        for switch in switches {
            if let Some(changed) = switch.of(&self.spec) {
                let error = error(&self.follow(&changed)?, &changed);
                if best.as_ref().is_none_or(|(least, ..)| error < *least) {
                    best = Some((error, switch, changed));
                }
            }
            tried();
        }
        let Some((error_ms, switch, changed)) = best else { return Ok(()) };
        if error_ms < CHOICE * error(&self.follow(&self.spec)?, &self.spec) {
            self.spec = changed;
            for field in switch.fields {
                let how = format!("{}: single requests come out better than otherwise", switch.name);
                self.source(field, &how);
            }
        }
        Ok(())
    }
}
