//! A GLSL source as a compiler for OpenGL takes it, and the same for Vulkan.
//!
//! What changes is declarations alone: varyings get locations, uniforms go into a block, a combined sampler is taken apart
//! into an image and a sampler. The functions stay as they are, but for the names of what was taken apart.

use std::fmt::Write as _;

use corpora::execution::{Dimension, Slot, Stage};
use regex::{Captures, Regex};

/// Where the uniforms go.
pub const UNIFORMS: Slot = Slot::new(0, 0);

/// Where the image of the sampler with this number goes.
pub const fn image(number: u32) -> Slot {
    Slot::new(1, number)
}

/// Where its sampler goes.
pub const fn sampler(number: u32) -> Slot {
    Slot::new(2, number)
}

/// A source: what it declares, and its functions.
#[derive(Clone, Debug)]
pub struct Source {
    /// The stage.
    pub stage: Stage,
    /// Inputs, outputs and uniforms, in order.
    pub variables: Vec<Variable>,
    /// The functions, as they are written.
    pub functions: String,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What it is for.
    pub storage: Storage,
    /// Whether it is `flat`.
    pub flat: bool,
    /// Its Location, or for a sampler its number.
    pub location: u32,
    /// Its type.
    pub ty: String,
    /// Its name.
    pub name: String,
    /// Elements, of an array.
    pub elements: Option<u32>,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A vertex attribute, or what the vertex shader gives a pixel shader.
    Input,
    /// The other end of it.
    Output,
    /// A number that is the same for all lanes.
    Uniform,
    /// A texture with its sampler.
    Sampler,
}

impl Variable {
    /// How many vectors it is.
    pub fn vectors(&self) -> u32 {
        let columns = if self.ty == "mat4" { 4 } else { 1 };
        columns * self.elements.unwrap_or(1)
    }

    /// Whether its components are integers.
    pub fn is_integer(&self) -> bool {
        self.ty.starts_with('i') || self.ty.starts_with('u')
    }

    /// The shape of a sampler's texture.
    pub fn dimension(&self) -> Dimension {
        match self.ty.trim_start_matches("sampler") {
            "1D" => Dimension::D1,
            "3D" => Dimension::D3,
            "Cube" => Dimension::Cube,
            "2DArray" => Dimension::D2Array,
            _ => Dimension::D2,
        }
    }

    /// Whether a sampler compares.
    pub fn is_shadow(&self) -> bool {
        self.ty.ends_with("Shadow")
    }
}

impl Source {
    /// Reads a source.
    ///
    /// # Errors
    ///
    /// If a declaration is none of: input, output, uniform, each of a single variable.
    pub fn parse(text: &str, stage: Stage) -> Result<Self, String> {
        let lines = text.lines().filter(|line| !line.trim().starts_with('#'));
        let text = lines.collect::<Vec<_>>().join("\n");
        let mut source = Self {
            stage,
            variables: Vec::new(),
            functions: String::new(),
        };
        let mut rest = text.trim();
        while !rest.is_empty() {
            let end = rest
                .find([';', '{'])
                .ok_or_else(|| format!("{rest:?} has no end"))?;
            if rest[end..].starts_with('{') {
                let length = body(rest, end)?;
                source.functions.push_str(&rest[..length]);
                source.functions.push('\n');
                rest = rest[length..].trim_start();
            } else {
                source.declare(&rest[..end])?;
                rest = rest[end + 1..].trim_start();
            }
        }
        Ok(source)
    }

    fn declare(&mut self, text: &str) -> Result<(), String> {
        let refused = || format!("{text:?}: an input, an output or a uniform was expected");
        let shape = pattern(
            r"^(?:layout\(location=(\d+)\)\s*)?(flat\s+)?(in|out|uniform)\s+(\w+)\s+(\w+)(?:\[(\d+)\])?$",
        )?;
        let found = shape.captures(text.trim()).ok_or_else(refused)?;
        let ty = found[4].to_owned();
        let storage = match &found[3] {
            "in" => Storage::Input,
            "out" => Storage::Output,
            _ if ty.starts_with("sampler") => Storage::Sampler,
            _ => Storage::Uniform,
        };
        let number = |at: usize| -> Option<u32> { found.get(at)?.as_str().parse().ok() };
        let location = number(1).unwrap_or_else(|| self.of(storage).count() as u32);
        self.variables.push(Variable {
            storage,
            flat: found.get(2).is_some(),
            location,
            ty,
            name: found[5].to_owned(),
            elements: number(6),
        });
        Ok(())
    }

    /// The variables of a kind, in order.
    pub fn of(&self, storage: Storage) -> impl Iterator<Item = &Variable> {
        let of = move |variable: &&Variable| variable.storage == storage;
        self.variables.iter().filter(of)
    }

    /// Whether the functions name it.
    pub fn uses(&self, name: &str) -> bool {
        let words = self
            .functions
            .split(|c: char| !c.is_alphanumeric() && c != '_');
        words.into_iter().any(|word| word == name)
    }

    /// Whether it samples an array of textures.
    pub fn is_layered(&self) -> bool {
        let mut samplers = self.of(Storage::Sampler);
        samplers.any(|variable| variable.ty.contains("Array") && self.uses(&variable.name))
    }

    /// The right side of the assignment to a variable, if there is one.
    pub fn assigned(&self, name: &str) -> Option<&str> {
        let (_, after) = self.functions.split_once(&format!("{name}="))?;
        after.split_once(';').map(|(value, _)| value.trim())
    }

    /// GLSL for Vulkan.
    ///
    /// # Errors
    ///
    /// If a name cannot be replaced.
    pub fn for_vulkan(&self) -> Result<String, String> {
        let mut text = "#version 450\n".to_owned();
        let mut block = String::new();
        let mut functions = self.functions.clone();
        for variable in &self.variables {
            let Variable {
                location, ty, name, ..
            } = variable;
            let flat = if variable.flat { "flat " } else { "" };
            let array = variable
                .elements
                .map_or_else(String::new, |elements| format!("[{elements}]"));
            // Writing to a string cannot fail.
            let _ = match variable.storage {
                Storage::Input => {
                    writeln!(text, "layout(location={location}) {flat}in {ty} {name};")
                }
                Storage::Output => {
                    writeln!(text, "layout(location={location}) {flat}out {ty} {name};")
                }
                Storage::Uniform => writeln!(block, "    {ty} {name}{array};"),
                Storage::Sampler => {
                    let (image, sampler) = (image(*location), sampler(*location));
                    let state = if variable.is_shadow() {
                        "samplerShadow"
                    } else {
                        "sampler"
                    };
                    let plain = ty.trim_start_matches("sampler").trim_end_matches("Shadow");
                    let whole = format!("{ty}({name}_image, {name}_sampler)");
                    functions = replaced(&functions, name, &whole)?;
                    writeln!(
                        text,
                        "layout(set={}, binding={}) uniform texture{plain} {name}_image;\n\
                         layout(set={}, binding={}) uniform {state} {name}_sampler;",
                        image.set, image.binding, sampler.set, sampler.binding
                    )
                }
            };
        }
        if !block.is_empty() {
            let Slot { set, binding } = UNIFORMS;
            let _ = writeln!(
                text,
                "layout(set={set}, binding={binding}, std140) uniform Uniforms {{\n{block}}};"
            );
        }
        text.push_str(&replaced(&functions, "gl_VertexID", "gl_VertexIndex")?);
        Ok(text)
    }
}

/// A text with a name replaced wherever it stands alone.
fn replaced(text: &str, name: &str, with: &str) -> Result<String, String> {
    let alone = pattern(&format!(r"\b{}\b", regex::escape(name)))?;
    Ok(alone
        .replace_all(text, |_: &Captures<'_>| with.to_owned())
        .into_owned())
}

/// A pattern; an error is a mistake in this program.
pub fn pattern(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| error.to_string())
}

/// The length of a function whose body opens at `open`.
fn body(text: &str, open: usize) -> Result<usize, String> {
    let mut depth = 0_u32;
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return Ok(at + 1),
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Err(format!("{:?} has no closing brace", &text[..open]))
}
