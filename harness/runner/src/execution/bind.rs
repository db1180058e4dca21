//! From the microcode's environment to a translation's launch, by the places of the contract.

pub use corpora::execution::Slot;
use corpora::execution::{Environment, Invocation, Launch, Vec4};
use r700::glsl::Interface;

/// Uniform registers: the constant file.
pub const UNIFORM_REGISTERS: Slot = Slot::new(0, 0);

/// Loop constants and booleans.
pub const CONTROL: Slot = Slot::new(0, 1);

/// What the probes of an instrumented translation write to.
pub const PROBE: Slot = Slot::new(3, 256);

/// Constant buffer `bank`.
pub const fn block(bank: u8) -> Slot {
    Slot::new(0, 16 + bank as u32)
}

/// Texture resource `id`.
pub const fn texture(id: u8) -> Slot {
    Slot::new(1, id as u32)
}

/// Sampler `id`.
pub const fn sampler(id: u8) -> Slot {
    Slot::new(2, id as u32)
}

/// Vertex fetch resource `id`.
pub const fn buffer(id: u8) -> Slot {
    Slot::new(3, id as u32)
}

/// What a translation with this interface is launched with. Everything of the environment is bound, whether the
/// translation declares it or not.
pub fn launch(environment: &Environment, interface: &Interface) -> Launch {
    let mut launch = Launch::new(environment.stage);
    for (number, lane) in environment.lanes.iter().enumerate() {
        let register = |gpr: u8| lane.registers.get(&gpr).copied().unwrap_or_default();
        let mut invocation = Invocation {
            vertex_index: register(0)[0],
            instance_index: register(0)[3],
            helper: lane.helper,
            front_facing: true,
            ..Invocation::default()
        };
        for input in &interface.inputs {
            invocation
                .inputs
                .insert(input.location, register(input.gpr));
        }
        invocation.frag_coord = match interface.position {
            Some(gpr) => register(gpr),
            None => pixel(number),
        };
        launch.lanes.push(invocation);
    }
    launch
        .uniforms
        .insert(UNIFORM_REGISTERS, bytes(&environment.constants));
    launch.uniforms.insert(CONTROL, control(environment));
    for (&bank, entries) in &environment.blocks {
        launch.uniforms.insert(block(bank), bytes(entries));
    }
    for (&id, resource) in &environment.buffers {
        launch.storage.insert(buffer(id), resource.bytes.clone());
    }
    for (&id, resource) in &environment.textures {
        launch.textures.insert(texture(id), resource.clone());
    }
    for (&id, state) in &environment.samplers {
        launch.samplers.insert(sampler(id), *state);
    }
    launch
}

/// The centre of a lane's pixel, quads side by side.
fn pixel(lane: usize) -> Vec4 {
    let (quad, corner) = (lane / 4, lane % 4);
    let x = (2 * quad + corner % 2) as f32 + 0.5;
    let y = (corner / 2) as f32 + 0.5;
    [x, y, 0.5, 1.0].map(f32::to_bits)
}

/// Loop constants at words 0 to 31, booleans at word 32.
fn control(environment: &Environment) -> Vec<u8> {
    let mut words: Vec<u32> = environment
        .loops
        .iter()
        .map(|constant| constant.0)
        .collect();
    words.extend([environment.booleans, 0, 0, 0]);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn bytes(entries: &[Vec4]) -> Vec<u8> {
    let words = entries.iter().flatten();
    words.flat_map(|word| word.to_le_bytes()).collect()
}
