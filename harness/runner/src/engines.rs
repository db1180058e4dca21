//! Which engines run translations, and the reference that each is held against.

use std::sync::Arc;

use oracles::r700::execution::policy::FloatPolicy;
use oracles::r700::{Oracle, Tables, vocabulary};

use crate::engine::Engine;
use crate::engine::embedded::Embedded;
use crate::engine::vulkan::VulkanEngine;
use crate::execution::setup::Judge;
use crate::execution::trial::Reference;
use crate::peers::Policy;
use crate::report::model::{NotRun, Peer};

/// What is known of engines before a run.
pub struct Engines {
    /// The engines; an error is a fault of the specification's tables.
    pub judges: Result<Vec<Judge>, String>,
    /// For the report.
    pub listed: Vec<Peer>,
    /// What is missing, and why.
    pub missing: Vec<NotRun>,
}

/// The reference with the bounds of an engine, by its name in the float policy.
pub fn reference(engine: &str) -> Result<Reference, String> {
    let tables = Tables::embedded().map_err(|error| error.to_string())?;
    let vocabulary = vocabulary(&tables).map_err(|error| error.to_string())?;
    let oracle = Oracle::new(&tables, Arc::new(vocabulary)).map_err(|error| error.to_string())?;
    let policy = FloatPolicy::for_engine(engine).map_err(|error| error.to_string())?;
    Ok(Reference::new(oracle, policy))
}

/// An engine with its reference.
pub fn judge(engine: Box<dyn Engine>) -> Result<Judge, String> {
    // What was measured of a driver goes with the driver, not with the interface to it.
    let policy = if engine.version().contains("llvmpipe") {
        "lavapipe"
    } else {
        "embedded"
    };
    let reference = reference(policy)?;
    Ok(Judge { engine, reference })
}

/// Which engines are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Choice {
    /// The interpreter that is part of Assay
    Embedded,
    /// A Vulkan device as well, where there is one
    All,
}

/// The embedded engine; and a Vulkan device, if that is asked for. Where it is and peers are required, it has to be there.
pub fn look(policy: Policy, choice: Choice) -> Engines {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Embedded::default())];
    let mut missing = Vec::new();
    if choice == Choice::All && policy != Policy::None {
        match VulkanEngine::open() {
            Ok(engine) => engines.push(Box::new(engine)),
            Err(why) => missing.push(NotRun {
                what: "translations on a Vulkan device".to_owned(),
                reason: format!("{why}; the package mesa-vulkan-drivers brings one"),
            }),
        }
    }
    let listed = engines.iter().map(|engine| Peer {
        name: format!("{} engine", engine.name()),
        state: "used".to_owned(),
        note: engine.version(),
    });
    Engines {
        listed: listed.collect(),
        judges: engines.into_iter().map(judge).collect(),
        missing,
    }
}
