//! The targets there are.

pub mod gfd;
pub mod igc;
pub mod pica;
pub mod r700;

use anyhow::Result;

use crate::target::Target;

/// Names of all targets, in report order.
pub const NAMES: [&str; 4] = ["gfd", "r700", "pica", "igc"];

/// All targets, in that order. Fails if a specification table is malformed.
pub fn all() -> Result<Vec<Box<dyn Target>>> {
    Ok(vec![
        Box::new(gfd::Gfd::new()?),
        Box::new(r700::R700::new()?),
        Box::new(pica::Pica::new()?),
        Box::new(igc::Igc::new()?),
    ])
}
