//! A translation with probes, made ready: what its groups compute is held against the microcode's, lane by lane.

use corpora::execution::Environment;
use oracles::r700::execution as interpreter;

use super::bind;
use super::divergence::{self, Cut, Divergence, Recorder, Recorders};
use super::instrument::{self, Instrumented, Marker};
use super::shader::Shader;
use super::trial::{NotTried, Reference, Translated, not_compiled};
use crate::engine::{self, Engine, glsl};

/// A translation with probes.
pub struct Probed<'a> {
    translated: &'a Translated,
    markers: Vec<Marker>,
    prepared: Box<dyn engine::Program>,
}

impl<'a> Probed<'a> {
    /// Puts probes into a translation. None if it has no markers, or an input where the probes need theirs.
    pub fn new(
        shader: &Shader,
        translated: &'a Translated,
        engine: &dyn Engine,
    ) -> Result<Option<Self>, NotTried> {
        let source = translated.source.as_deref();
        let Some(Instrumented { source, markers }) = source.and_then(instrument::instrument) else {
            return Ok(None);
        };
        let mut inputs = translated.interface.inputs.iter();
        if inputs.any(|input| input.location == instrument::LANE) {
            return Ok(None);
        }
        let spirv = glsl::to_spirv(&source, shader.stage).map_err(not_compiled)?;
        Ok(Some(Self {
            translated,
            markers,
            prepared: engine.prepare(&spirv, shader.stage)?,
        }))
    }

    /// Where lanes part from the microcode: those of them that do.
    pub fn partings(
        &self,
        reference: &Reference,
        program: &interpreter::Program,
        environment: &Environment,
        lanes: &[usize],
    ) -> Result<Vec<(usize, Divergence)>, NotTried> {
        let mut launch = self.translated.launch(environment);
        instrument::prepare(&mut launch);
        let returned = self.prepared.run(&[launch])?;
        let log = returned
            .first()
            .and_then(|returned| returned.storage.get(&bind::PROBE));
        let Some(log) = log else {
            return Ok(Vec::new());
        };
        let mut recorders = Recorders(lanes.iter().copied().map(Recorder::new).collect());
        reference.run(program, environment, &mut recorders)?;
        let partings = recorders
            .0
            .iter()
            .zip(lanes)
            .filter_map(|(recorder, &lane)| {
                let records = instrument::records(log, lane, &self.markers);
                let cut = Cut {
                    lost: recorder.lost,
                    full: instrument::is_full(log, lane),
                };
                let parting = divergence::first(&recorder.steps, &records, &self.markers, cut)?;
                Some((lane, parting))
            });
        Ok(partings.collect())
    }
}
