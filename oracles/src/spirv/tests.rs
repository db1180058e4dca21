//! Shaders in GLSL, compiled by naga, and what they must give by hand.

mod arithmetic;
mod buffers;
mod control;
mod glslang;
mod robust;
mod sampling;
mod stages;

use std::collections::BTreeMap;

use corpora::execution::{Invocation, Launch, Returned, Stage, Vec4};

use super::{Engine, Module};

/// The words that naga makes of a shader.
fn words(stage: Stage, glsl: &str) -> Vec<u32> {
    use naga::back::spv::{Options, PipelineOptions, WriterFlags, write_vec};
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let kind = match stage {
        Stage::Vertex => naga::ShaderStage::Vertex,
        Stage::Pixel => naga::ShaderStage::Fragment,
    };
    let mut front = naga::front::glsl::Frontend::default();
    let module = front
        .parse(&naga::front::glsl::Options::from(kind), glsl)
        .unwrap_or_else(|errors| panic!("{}", errors.emit_to_string(glsl)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(glsl)));
    let options = Options {
        flags: WriterFlags::empty(),
        ..Options::default()
    };
    let pipeline = PipelineOptions {
        shader_stage: kind,
        entry_point: "main".into(),
    };
    write_vec(&module, &info, &options, Some(&pipeline)).unwrap()
}

/// The same module with one opcode in place of another of the same form.
fn patched(words: &[u32], from: spirv::Op, to: spirv::Op) -> Vec<u32> {
    let mut words = words.to_vec();
    let mut at = 5;
    while at < words.len() {
        let count = (words[at] >> 16) as usize;
        if words[at] & 0xffff == from as u32 {
            words[at] = words[at] & 0xffff_0000 | to as u32;
        }
        at += count;
    }
    words
}

/// Runs a shader.
fn run(glsl: &str, launch: &Launch) -> Returned {
    let module = Module::parse(&words(launch.stage, glsl)).unwrap();
    Engine::default().run(&module, launch).unwrap()
}

/// A launch of pixels, each with its inputs by location.
fn pixels<const N: usize>(inputs: &[[Vec4; N]]) -> Launch {
    let mut launch = Launch::new(Stage::Pixel);
    launch.lanes = inputs
        .iter()
        .map(|inputs| Invocation {
            inputs: (0..)
                .zip(inputs.iter().copied())
                .collect::<BTreeMap<_, _>>(),
            ..Invocation::default()
        })
        .collect();
    launch
}

/// Four floats as words.
fn floats(values: [f32; 4]) -> Vec4 {
    values.map(f32::to_bits)
}

/// Words as the bytes of a buffer.
fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The output at location 0 of each lane.
fn colours(returned: &Returned) -> Vec<Vec4> {
    returned.lanes.iter().map(|lane| lane.outputs[&0]).collect()
}

/// What a pixel shader's body makes of words `a` and `b`, as it puts it into `o`; one lane for each pair.
fn compute(body: &str, inputs: &[[Vec4; 2]]) -> Vec<Vec4> {
    let glsl = format!(
        "#version 450
        layout(location = 0) flat in uvec4 a;
        layout(location = 1) flat in uvec4 b;
        layout(location = 0) out uvec4 o;
        #define F(x) uintBitsToFloat(x)
        #define U(x) floatBitsToUint(x)
        void main() {{ {body} }}"
    );
    colours(&run(&glsl, &pixels(inputs)))
}
