//! Where a compiled program has what its source names.

use std::collections::{BTreeMap, BTreeSet};

use corpora::execution::Stage;
use oracles::r700::execution::Target;

use super::glsl::{Source, Storage, Variable, pattern};
use super::log::Entry;
use super::nir::{self, ATTRIBUTE, Place, Uniform, VARYING};

/// How a program is wired.
#[derive(Clone, Debug, Default)]
pub struct Wiring {
    /// By GPR and component: an input of the source, and its component.
    pub inputs: BTreeMap<(u8, usize), (String, usize)>,
    /// Inputs that the compiler knew to be zero, because the other stage says so.
    pub zero: Vec<String>,
    /// Constant buffer 0.
    pub uniforms: Vec<Uniform>,
    /// By sampler of the source: texture resource and sampler.
    pub textures: BTreeMap<String, (u8, u8)>,
    /// By export and component: what the source writes there.
    pub outputs: BTreeMap<(Target, usize), Written>,
}

/// A component of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Of `gl_Position`.
    Position(usize),
    /// Of the output at a location.
    Location(u32, usize),
}

/// What is known of a program.
pub struct Compiled<'a> {
    /// Its stage's source.
    pub source: &'a Source,
    /// What the log has of it.
    pub entry: &'a Entry,
    /// The source of the stage that it was linked with. None: an unknown one.
    pub other: Option<&'a Source>,
    /// The same source's log of the back end that prints NIR.
    pub siblings: &'a [Entry],
}

impl Compiled<'_> {
    /// How it is wired.
    ///
    /// # Errors
    ///
    /// What the log does not tell.
    pub fn wiring(&self) -> Result<Wiring, String> {
        let mut wiring = Wiring {
            uniforms: self.uniforms()?,
            ..Wiring::default()
        };
        match self.source.stage {
            Stage::Pixel => self.pixel(&mut wiring)?,
            Stage::Vertex => self.vertex(&mut wiring)?,
        }
        self.textures(&mut wiring)?;
        Ok(wiring)
    }

    /// Whether the program came by TGSI, which says less than NIR does.
    fn is_tgsi(&self) -> bool {
        !self
            .entry
            .intermediate
            .iter()
            .any(|line| line.starts_with("shader: "))
    }

    /// The NIR of a stage.
    fn nir(&self, stage: Stage) -> Result<&[String], String> {
        let name = match stage {
            Stage::Vertex => "shader: MESA_SHADER_VERTEX",
            Stage::Pixel => "shader: MESA_SHADER_FRAGMENT",
        };
        let is = |entry: &&Entry| entry.given && entry.intermediate.iter().any(|line| line == name);
        let found = self.siblings.iter().find(is);
        let found =
            found.ok_or_else(|| format!("the log has no NIR of the {} stage", stage.name()))?;
        Ok(&found.intermediate)
    }

    fn gpr(&self, input: u32) -> Result<u8, String> {
        let gpr = self.entry.inputs.get(&input).copied();
        gpr.ok_or_else(|| format!("the log has no register of input {input}"))
    }

    fn pixel(&self, wiring: &mut Wiring) -> Result<(), String> {
        if self.is_tgsi() {
            let inputs = nir::tgsi_inputs(&self.entry.intermediate)?;
            for flat in [false, true] {
                let of_kind = inputs.iter().filter(|(_, constant)| *constant == flat);
                let mut used = used(self.source, Storage::Input).filter(|used| used.flat == flat);
                for (input, _) in of_kind {
                    let variable = used.next().ok_or("an input more than the source has")?;
                    let gpr = self.gpr(*input)?;
                    for at in 0..4 {
                        wiring.inputs.insert((gpr, at), (variable.name.clone(), at));
                    }
                }
            }
        } else {
            let passed = self.passed()?;
            for load in nir::loads(&self.entry.intermediate)? {
                let gpr = self.gpr(load.input)?;
                for at in load.first..load.first + load.components {
                    let place = (load.location, at);
                    let from = passed.get(&place).ok_or_else(|| {
                        format!(
                            "nothing tells what component {at} of varying {} is",
                            load.location
                        )
                    })?;
                    wiring
                        .inputs
                        .insert((gpr, at), (from.0.name.clone(), from.1));
                }
            }
        }
        for variable in used(self.source, Storage::Input) {
            let there = wiring
                .inputs
                .values()
                .any(|(name, _)| *name == variable.name);
            let constant = self.other.and_then(|other| other.assigned(&variable.name));
            match constant {
                _ if there => {}
                Some(value) if value.ends_with("vec4(0)") => {
                    wiring.zero.push(variable.name.clone())
                }
                _ => return Err(format!("the program does not read {}", variable.name)),
            }
        }
        // With fewer colour buffers the compiler leaves exports out.
        let exported = self.exported_pixels()?;
        for output in self.source.of(Storage::Output) {
            let number = u8::try_from(output.location).map_err(|_| "a location above 255")?;
            for at in (0..4).filter(|_| exported.contains(&number)) {
                let written = Written::Location(output.location, at);
                wiring.outputs.insert((Target::Pixel(number), at), written);
            }
        }
        Ok(())
    }

    /// The colour buffers that a pixel shader exports to.
    fn exported_pixels(&self) -> Result<BTreeSet<u8>, String> {
        let export = pattern(r"EXPORT\w*\s+PIXEL\s+(\d+)(?:-(\d+))?")?;
        let mut exported = BTreeSet::new();
        for found in self
            .entry
            .listing
            .iter()
            .filter_map(|line| export.captures(line))
        {
            let number = |at: usize| -> Option<u8> { found.get(at)?.as_str().parse().ok() };
            let first = number(1).ok_or_else(|| format!("{:?}", &found[0]))?;
            exported.extend(first..=number(2).unwrap_or(first));
        }
        match exported.is_empty() {
            true => Err("it exports no pixel".to_owned()),
            false => Ok(exported),
        }
    }

    /// Which component of which output of the vertex shader a varying's component is. The compiler packs what is left of
    /// several into one; the vertex shaders that pixel shaders were linked with pass attributes on, and that tells.
    fn passed(&self) -> Result<BTreeMap<Place, (&Variable, usize)>, String> {
        let vertex = match self.source.stage {
            Stage::Vertex => self.source,
            Stage::Pixel => self
                .other
                .ok_or("the source of the vertex stage is unknown")?,
        };
        let output = |attribute: u32| {
            let input = vertex
                .of(Storage::Input)
                .find(|input| Some(input.location) == attribute.checked_sub(ATTRIBUTE))?;
            let is = |output: &&Variable| vertex.assigned(&output.name) == Some(&input.name);
            vertex.of(Storage::Output).find(is)
        };
        let mut passed = BTreeMap::new();
        for (place, from) in nir::stores(self.nir(Stage::Vertex)?)? {
            if let Some((attribute, at)) = from
                && let Some(output) = output(attribute)
            {
                passed.insert(place, (output, at));
            }
        }
        Ok(passed)
    }

    fn vertex(&self, wiring: &mut Wiring) -> Result<(), String> {
        // TGSI numbers attributes by their order, NIR by their location.
        for load in nir::loads(self.nir(Stage::Vertex)?)? {
            let attribute = self
                .source
                .of(Storage::Input)
                .find(|input| Some(input.location) == load.location.checked_sub(ATTRIBUTE))
                .ok_or_else(|| format!("the source has no attribute {}", load.location))?;
            let gpr = self.gpr(load.input)?;
            for at in 0..4 {
                wiring
                    .inputs
                    .insert((gpr, at), (attribute.name.clone(), at));
            }
        }
        for at in 0..4 {
            wiring
                .outputs
                .insert((Target::Position(60), at), Written::Position(at));
        }
        // A vertex shader that only passes attributes on tells by itself what is packed where; of another all varyings are
        // whole, in the order of the source.
        let passed = if self.other.is_some() && !self.is_tgsi() {
            self.passed()?
        } else {
            BTreeMap::new()
        };
        let read = |output: &&Variable| match self.other {
            Some(pixel) => pixel.uses(&output.name),
            None => !output.flat,
        };
        let outputs: Vec<_> = self.source.of(Storage::Output).filter(read).collect();
        let mut written: Vec<Place> = if self.is_tgsi() {
            let all = (0..outputs.len() as u32)
                .flat_map(|number| [0, 1, 2, 3].map(|at| (VARYING + number, at)));
            all.collect()
        } else {
            nir::stores(&self.entry.intermediate)?.into_keys().collect()
        };
        written.retain(|(location, _)| *location >= VARYING);
        for (location, at) in written {
            let number = location - VARYING;
            let (output, component) = match passed.get(&(location, at)) {
                Some(from) => *from,
                None if passed.is_empty() => (
                    *outputs
                        .get(number as usize)
                        .ok_or("an output more than the source has")?,
                    at,
                ),
                None => continue,
            };
            let number = u8::try_from(number).map_err(|_| "a varying above 255")?;
            let written = Written::Location(output.location, component);
            wiring
                .outputs
                .insert((Target::Parameter(number), at), written);
        }
        Ok(())
    }

    fn uniforms(&self) -> Result<Vec<Uniform>, String> {
        let is_number = |uniform: &Uniform| !uniform.ty.starts_with("sampler");
        let mut uniforms = nir::uniforms(self.nir(self.source.stage)?)?;
        uniforms.retain(is_number);
        if !self.is_tgsi() {
            return Ok(uniforms);
        }
        // TGSI has a number of vectors alone. Where NIR needs as many they are the same; else NIR has dropped some, and they
        // lie in the order of the source, an array cut off to what is left.
        let vectors = nir::tgsi_constants(&self.entry.intermediate)?;
        let end = uniforms
            .iter()
            .map(|uniform| uniform.place + uniform.vectors)
            .max();
        if end.unwrap_or(0) == vectors {
            return Ok(uniforms);
        }
        let mut used: Vec<_> = used(self.source, Storage::Uniform).collect();
        let fixed: u32 = used
            .iter()
            .filter(|variable| variable.elements.is_none())
            .map(|variable| variable.vectors())
            .sum();
        let mut left = vectors
            .checked_sub(fixed)
            .ok_or_else(|| format!("{vectors} vectors of constants, the source has {fixed}"))?;
        let mut place = 0;
        let placed = used.drain(..).map(|variable| {
            let vectors = match variable.elements {
                None => variable.vectors(),
                Some(_) => std::mem::take(&mut left).min(variable.vectors()),
            };
            let uniform = Uniform {
                ty: variable.ty.clone(),
                name: variable.name.clone(),
                vectors,
                place,
            };
            place += vectors;
            uniform
        });
        let placed: Vec<_> = placed.collect();
        if place != vectors {
            return Err(format!(
                "{vectors} vectors of constants, {place} are accounted for"
            ));
        }
        Ok(placed)
    }

    fn textures(&self, wiring: &mut Wiring) -> Result<(), String> {
        let fetch = pattern(r"RID:(\d+), SID:(\d+)")?;
        let mut resources = BTreeMap::new();
        // Gradients name a resource and a sampler, and read neither.
        let fetches = self
            .entry
            .listing
            .iter()
            .filter(|line| !line.contains("GRADIENTS"));
        for found in fetches.filter_map(|line| fetch.captures(line)) {
            let id = |at: usize| -> Result<u8, String> {
                found[at].parse().map_err(|_| format!("{:?}", &found[0]))
            };
            resources.insert(id(2)?, id(1)?);
        }
        for uniform in nir::uniforms(self.nir(self.source.stage)?)? {
            if let Ok(sampler) = u8::try_from(uniform.place)
                && uniform.ty.starts_with("sampler")
                && let Some(resource) = resources.remove(&sampler)
            {
                wiring.textures.insert(uniform.name, (resource, sampler));
            }
        }
        match resources.first_key_value() {
            Some((sampler, _)) => Err(format!("nothing tells what sampler {sampler} is")),
            None => Ok(()),
        }
    }
}

/// The variables of a kind that the functions name.
fn used(source: &Source, storage: Storage) -> impl Iterator<Item = &Variable> {
    source
        .of(storage)
        .filter(|variable| source.uses(&variable.name))
}
