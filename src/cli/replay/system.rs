//! The drives, buses and driver of a replay.

use std::path::Path;

use clap::ValueEnum;

use crate::channel::ScsiBusSpec;
use crate::cli::drive::import::{Description, Overrides};
use crate::cli::failure::Failure;
use crate::cli::list;
use crate::cli::options::{Setting, whole, with_settings};
use crate::replay::{DriverSpec, Order, System};
use crate::scenario::Library;

/// How many drives there are, and what feeds them.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Drives and driver")]
pub(super) struct SystemOptions {
    /// Drives of the model; device N of a trace is drive N, from 0 [default: 1, or those of a DiskSim
    /// description, on its buses]
    #[arg(long, value_name = "N", value_parser = |text: &str| whole::<usize>(text, 1, 65_536))]
    drives: Option<usize>,
    /// Drives that share a bus
    #[arg(long, value_name = "N", default_value_t = 8, requires = "drives",
        value_parser = |text: &str| whole::<usize>(text, 1, 65_536))]
    drives_per_bus: usize,
    /// Order in which the driver sends waiting requests to a drive [default: fcfs, or that of a DiskSim
    /// description]
    #[arg(long, value_enum)]
    order: Option<OrderName>,
    /// Outstanding requests at which the replay gives up, 1 to 1000000
    #[arg(long, value_name = "N", default_value_t = DriverSpec::default().overload_limit,
        value_parser = |text: &str| whole::<usize>(text, 1, 1_000_000))]
    overload_limit: usize,
    /// Print every warning about a DiskSim description, not only their number
    #[arg(long)]
    warnings: bool,
    #[command(flatten)]
    overrides: Overrides,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OrderName {
    /// First come, first served
    Fcfs,
    /// Upwards by address, then back to the lowest
    CLook,
    /// Upwards by address, then downwards
    Look,
    /// The nearest address to the one served last
    Sstf,
}

impl SystemOptions {
    /// What is asked for beside the drive as it is, each in a word or two.
    pub(super) fn differences(&self) -> impl Iterator<Item = String> {
        let drives = self.drives.map(|drives| format!("{drives}-drives"));
        let order = self.order.and_then(|order| Some(order.to_possible_value()?.get_name().to_owned()));
        self.overrides.texts().chain(drives).chain(order)
    }

    /// The system, of drives called `drive` with these fields set.
    pub(super) fn build(
        &self,
        drive: &str,
        settings: &[Setting],
        library: &Library,
    ) -> Result<System, Failure> {
        let changed = |model| if settings.is_empty() { Ok(model) } else { with_settings(model, settings) };
        let is_description = drive.ends_with(".parv");
        if !self.overrides.is_empty() && !is_description {
            return Err(Failure::input(
                format!("`{drive}` is no DiskSim description, whose entries --override could give anew"),
                "set fields of a model with --set",
            ));
        }
        let mut description = Description::new(Path::new(drive));
        description.give_anew(&self.overrides);
        let mut system = if is_description && self.drives.is_none() {
            let mut system = description.system()?;
            system.models = system.models.into_iter().map(changed).collect::<Result<_, _>>()?;
            system
        } else {
            let model =
                if is_description { description.drive(None)? } else { list::drive(drive, library)?.0 };
            let bus = ScsiBusSpec::default();
            System::uniform(changed(model)?, self.drives.unwrap_or(1), self.drives_per_bus, bus)
        };
        description.tell(self.warnings, "--warnings");
        system.driver.overload_limit = self.overload_limit;
        if let Some(order) = self.order {
            system.driver.order = match order {
                OrderName::Fcfs => Order::Fcfs,
                OrderName::CLook => Order::CLook,
                OrderName::Look => Order::Look,
                OrderName::Sstf => Order::Sstf,
            };
        }
        Ok(system)
    }
}
