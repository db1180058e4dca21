//! The frame of a translation: declarations, the start and the end of `main`.

use std::fmt::Write as _;

use super::element::swap_functions;
use super::inputs::Channels;
use super::interface::{Buffer, Input, Interface, Output, Place, Sampler, Texture};
use super::options::{Options, Profile, Stage, Texel};
use super::prelude::Helper;
use super::refusal::{Reason, Refusal};
use super::registers::PixelInput;
use super::texture::shape_name;
use super::value::float;
use super::writer::{Used, Writer};

/// How the registers start that are read before they are written.
pub(crate) struct Start {
    statements: Vec<String>,
    interface: Interface,
}

/// Finds the inputs: how each register starts.
pub(crate) fn start(
    writer: &mut Writer<'_>,
    read: Channels,
    declared: Channels,
) -> Result<Start, Refusal> {
    let mut start = Start {
        statements: Vec::new(),
        interface: Interface::default(),
    };
    for gpr in 0..128 {
        let components = read.of(gpr);
        let fetched = declared.of(gpr);
        if components | fetched == 0 {
            continue;
        }
        let refused = match writer.options.stage {
            Stage::Vertex => start.vertex(writer, gpr, components, fetched),
            _ => start.pixel(writer, gpr, components),
        };
        refused.map_err(|reason| Refusal::new(0, reason))?;
    }
    start.interface.inputs.sort_by_key(|input| input.location);
    Ok(start)
}

impl Start {
    fn input(&mut self, location: u32, gpr: u8, flat: bool, components: u8) -> Result<(), Reason> {
        if location > 31 {
            return Err(Reason::Location {
                what: "input",
                number: location,
            });
        }
        self.interface.inputs.push(Input {
            location,
            gpr,
            name: format!("in_{location}"),
            flat,
            components,
        });
        Ok(())
    }

    fn vertex(
        &mut self,
        writer: &mut Writer<'_>,
        gpr: u8,
        components: u8,
        fetched: u8,
    ) -> Result<(), Reason> {
        if components == 0 {
            return self.input(u32::from(gpr).wrapping_sub(1), gpr, false, fetched);
        }
        let register = writer.register(gpr);
        if gpr == 0 {
            self.interface.vertex_index = components & 1 != 0;
            self.interface.instance_index = components & 8 != 0;
            self.statements.push(format!(
                "{register} = vec4(intBitsToFloat(int(gl_VertexIndex)), 0.0, 0.0, \
                 intBitsToFloat(int(gl_InstanceIndex)));"
            ));
            return Ok(());
        }
        let set = writer
            .options
            .inputs
            .as_ref()
            .is_none_or(|inputs| inputs.contains(&gpr));
        if gpr >= writer.gprs || !set {
            self.unset(&register);
            return Ok(());
        }
        let location = u32::from(gpr) - 1;
        self.statements.push(format!("{register} = in_{location};"));
        self.input(location, gpr, false, components | fetched)
    }

    fn pixel(&mut self, writer: &mut Writer<'_>, gpr: u8, components: u8) -> Result<(), Reason> {
        let register = writer.register(gpr);
        let kind = match writer
            .options
            .registers
            .and_then(|registers| registers.pixel())
        {
            _ if gpr >= writer.gprs => PixelInput::Unset,
            Some(registers) => registers.input(gpr),
            None if writer
                .options
                .inputs
                .as_ref()
                .is_some_and(|inputs| !inputs.contains(&gpr)) =>
            {
                PixelInput::Unset
            }
            None => PixelInput::Parameter {
                semantic: gpr,
                default: [0.0; 4],
                flat: writer.options.flat_inputs,
            },
        };
        match kind {
            PixelInput::Parameter {
                semantic,
                default,
                flat,
            } => {
                let provided = writer.options.provided.as_ref();
                if provided.is_some_and(|provided| !provided.contains(&semantic)) {
                    let [x, y, z, w] =
                        default.map(|value| float(value.to_bits(), &mut writer.used.helpers));
                    self.statements
                        .push(format!("{register} = vec4({x}, {y}, {z}, {w}); // semantic {semantic} is not exported"));
                    return Ok(());
                }
                let location = u32::from(semantic);
                self.statements.push(format!("{register} = in_{location};"));
                if let Some(known) = self
                    .interface
                    .inputs
                    .iter_mut()
                    .find(|input| input.location == location)
                {
                    known.components |= components;
                    return Ok(());
                }
                self.input(location, gpr, flat, components)
            }
            PixelInput::Position => {
                self.interface.position = Some(gpr);
                // The hardware gives W, Vulkan its reciprocal.
                self.statements.push(format!(
                    "{register} = vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w);"
                ));
                Ok(())
            }
            PixelInput::FrontFace => Err(Reason::Input {
                gpr,
                what: "the side that faces the viewer",
            }),
            PixelInput::Unset => {
                self.unset(&register);
                Ok(())
            }
        }
    }

    fn unset(&mut self, register: &str) {
        self.statements.push(format!(
            "{register} = vec4(0.0); // read before anything is written to it"
        ));
    }
}

/// Puts a translation together: `body` is what `main` runs, `functions` are its subroutines.
pub(crate) fn assemble(
    writer: Writer<'_>,
    start: Start,
    functions: &str,
    body: &str,
) -> (String, Interface) {
    let Writer {
        options,
        array,
        gprs,
        mut used,
        ..
    } = writer;
    let mut interface = start.interface;
    fill(&mut interface, &used, options);
    interface.register_array = array;
    if used.constant_index {
        used.helpers.insert(Helper::Word);
    }
    let mut out = String::with_capacity(body.len() + functions.len() + 2048);
    header(&mut out, options, &used);
    uniforms(&mut out, &used);
    resources(&mut out, &interface);
    variables(&mut out, &interface, options);
    globals(&mut out, &used, array);
    out.push('\n');
    used.helpers.write(&mut out);
    for buffer in &interface.buffers {
        out.push_str(&Writer::buffer_functions(buffer.id));
    }
    out.push_str(&swap_functions(body));
    if used.relative_read {
        let _ = writeln!(
            out,
            "// A read beyond the registers gives the first one.\n\
             int relative(int gpr) {{ return gpr >= 0 && gpr < {gprs} ? gpr : 0; }}"
        );
    }
    if used.constant_index {
        out.push_str(
            "vec4 constant(int i) { return i >= 0 && i < 256 ? C[i] : vec4(word(0x7fffffffu)); }\n",
        );
    }
    out.push_str(functions);
    out.push_str("\nvoid main() {\n");
    for statement in initial(&used) {
        let _ = writeln!(out, "    {statement}");
    }
    for statement in &start.statements {
        let _ = writeln!(out, "    {statement}");
    }
    out.push_str(body);
    if used.kills {
        out.push_str("    if (killed) { discard; }\n");
    }
    out.push_str("}\n");
    (out, interface)
}

fn header(out: &mut String, options: &Options<'_>, used: &Used) {
    out.push_str("#version 450\n");
    if used.samplerless {
        out.push_str("#extension GL_EXT_samplerless_texture_functions : require\n");
    }
    let stage = match options.stage {
        Stage::Vertex => "vertex",
        _ => "pixel",
    };
    let profile = match options.profile {
        Profile::Exact => "exact",
        Profile::Fast => "fast",
    };
    let _ = writeln!(out, "// R700 {stage} shader, profile {profile}.\n");
}

fn uniforms(out: &mut String, used: &Used) {
    if used.constants {
        out.push_str(
            "layout(set = 0, binding = 0, std140) uniform UniformRegisters { vec4 C[256]; };\n",
        );
    }
    if used.loop_constants | used.booleans != 0 {
        out.push_str("layout(set = 0, binding = 1, std140) uniform ControlConstants { uvec4 control[9]; };\n");
    }
    for bank in &used.blocks {
        let _ = writeln!(
            out,
            "layout(set = 0, binding = {}, std140) uniform Block{bank} {{ vec4 KC{bank}[4096]; }};",
            16 + u32::from(*bank)
        );
    }
}

fn resources(out: &mut String, interface: &Interface) {
    for Texture { resource, kind } in &interface.textures {
        let prefix = match kind.texel {
            Texel::Float => "",
            Texel::Int => "i",
            Texel::Uint => "u",
        };
        let shape = shape_name(kind.shape);
        let _ = writeln!(
            out,
            "layout(set = 1, binding = {resource}) uniform {prefix}texture{shape} t{resource};"
        );
    }
    for Sampler { id, comparison } in &interface.samplers {
        let (kind, suffix) = if *comparison {
            ("samplerShadow", "_compare")
        } else {
            ("sampler", "")
        };
        let _ = writeln!(
            out,
            "layout(set = 2, binding = {id}) uniform {kind} s{id}{suffix};"
        );
    }
}

fn variables(out: &mut String, interface: &Interface, options: &Options<'_>) {
    for Input {
        location,
        name,
        flat,
        ..
    } in &interface.inputs
    {
        let flat = if *flat && options.stage == Stage::Pixel {
            "flat "
        } else {
            ""
        };
        let _ = writeln!(out, "layout(location = {location}) {flat}in vec4 {name};");
    }
    let mut located: Vec<u32> = Vec::new();
    for Output { place, name, .. } in &interface.outputs {
        // Built-in variables are not declared: the front ends disagree on how to, and take them as they are.
        if let Place::Location(location) = place
            && !located.contains(location)
        {
            located.push(*location);
            let _ = writeln!(out, "layout(location = {location}) out vec4 {name};");
        }
    }
}

fn globals(out: &mut String, used: &Used, array: bool) {
    if array {
        out.push_str("vec4 R[128];\n");
    } else {
        let mut names = (0..128_u8)
            .filter(|gpr| used.registers[usize::from(gpr >> 6)] >> (gpr & 63) & 1 != 0)
            .peekable();
        if names.peek().is_some() {
            let names: Vec<String> = names.map(|gpr| format!("R{gpr}")).collect();
            let _ = writeln!(out, "vec4 {};", names.join(", "));
        }
    }
    if used.previous {
        out.push_str("vec4 PV;\nfloat PS;\n");
    }
    if used.address {
        out.push_str("ivec4 AR;\n");
    }
    if used.loop_index {
        out.push_str("int aL;\n");
    }
    if used.predicate {
        out.push_str("bool pred;\n");
    }
    if used.gradients {
        out.push_str("vec3 gradient_h, gradient_v;\n");
    }
    if used.kills {
        out.push_str("bool killed;\n");
    }
}

/// What has a value before the program starts.
fn initial(used: &Used) -> Vec<String> {
    let mut statements = Vec::new();
    if used.kills {
        statements.push("killed = false;".into());
    }
    if used.loop_index {
        statements.push("aL = 0;".into());
    }
    if used.address {
        statements.push("AR = ivec4(0);".into());
    }
    for output in used.outputs.values().filter(|output| !output.certain) {
        let name = &output.name;
        let statement = match output.place {
            Place::Builtin("gl_PointSize" | "gl_FragDepth") if output.components != 0 => {
                format!("{name} = 0.0;")
            }
            Place::Builtin("gl_SampleMask") => format!("{name}[0] = -1;"),
            Place::Builtin("gl_ClipDistance") => continue,
            _ => format!("{name} = vec4(0.0);"),
        };
        if !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    statements
}

/// What the text turned out to use, as the interface.
fn fill(interface: &mut Interface, used: &Used, options: &Options<'_>) {
    interface.uniform_registers = used.constants;
    interface.control_constants = used.loop_constants | used.booleans != 0;
    interface.loop_constants = used.loop_constants;
    interface.booleans = used.booleans;
    interface.blocks = used.blocks.iter().copied().collect();
    interface.textures = used
        .textures
        .iter()
        .map(|(resource, kind)| Texture {
            resource: *resource,
            kind: *kind,
        })
        .collect();
    interface.samplers = used
        .samplers
        .iter()
        .flat_map(|(id, uses)| {
            let of = |comparison: bool| Sampler {
                id: *id,
                comparison,
            };
            [false, true]
                .into_iter()
                .filter(|comparison| uses[usize::from(*comparison)])
                .map(of)
        })
        .collect();
    interface.buffers = used
        .buffers
        .iter()
        .map(|id| Buffer {
            id: *id,
            stride: options.stride(*id),
        })
        .collect();
    interface.kills = used.kills;
    interface.outputs = used
        .outputs
        .iter()
        .map(|(target, output)| Output {
            target: *target,
            place: output.place,
            name: output.name.clone(),
            components: output.components,
        })
        .collect();
}
