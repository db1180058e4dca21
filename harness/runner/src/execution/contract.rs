//! The interface of a program by the contract alone, for a translation that somebody brings.
//!
//! The project's own translator says of most programs what they read and write. Where it refuses one, the export
//! instructions say what is written, and the inputs of a run which registers are set at the start.

use std::collections::BTreeSet;

use corpora::execution::{Environment, Stage};
use r700::cf::{Cf, CfExport};
use r700::codes::Sel;
use r700::glsl::{Input, Interface, Output, PixelInput, Place, StageRegisters, Target};
use r700::program;

use super::shader::Shader;

/// The interface of a program that runs on these inputs.
///
/// # Errors
///
/// If it is no program.
pub fn interface(shader: &Shader, environment: &Environment) -> Result<Interface, r700::Error> {
    let mut interface = Interface::default();
    interface.outputs = exports(shader)?;
    link(&mut interface, shader)?;
    let lanes = environment.lanes.iter();
    let set: BTreeSet<u8> = lanes
        .flat_map(|lane| lane.registers.keys())
        .copied()
        .collect();
    for gpr in set {
        let location = match (shader.stage, &shader.registers) {
            // R0 has the indices.
            (Stage::Vertex, _) => gpr.checked_sub(1).map(u32::from),
            (Stage::Pixel, Some(StageRegisters::Pixel(registers))) => match registers.input(gpr) {
                PixelInput::Parameter { semantic, .. } => Some(u32::from(semantic)),
                PixelInput::Position => {
                    interface.position = Some(gpr);
                    None
                }
                PixelInput::FrontFace | PixelInput::Unset => None,
            },
            (Stage::Pixel, _) => Some(u32::from(gpr)),
        };
        if let Some(location) = location.filter(|location| *location < 32) {
            interface.inputs.push(Input {
                location,
                gpr,
                name: format!("in_{location}"),
                flat: false,
                components: 0xf,
            });
        }
    }
    Ok(interface)
}

/// Adds the outputs that a translation may declare although its own export does not reach them: targets that the registers
/// of the stage mask, and parameters that they hand on to the next stage. Nothing is compared there.
///
/// # Errors
///
/// If it is no program.
pub fn link(interface: &mut Interface, shader: &Shader) -> Result<(), r700::Error> {
    let mut more = exports(shader)?;
    if let Some(StageRegisters::Vertex(registers)) = &shader.registers {
        // SPI_VS_OUT_CONFIG, VS_EXPORT_COUNT: the number of the last parameter.
        let last = (registers.spi_vs_out_config >> 1 & 0x1f) as u8;
        let linked = (0..=last).filter_map(|param| {
            let semantic = registers.semantic_of_parameter(param)?;
            Some(output(Target::Parameter(param), located(semantic), 0))
        });
        more.extend(linked);
    }
    for mut output in more {
        let mut known = interface.outputs.iter();
        if !known.any(|known| known.place == output.place) {
            output.components = 0;
            interface.outputs.push(output);
        }
    }
    Ok(())
}

const fn located(number: u8) -> Place {
    Place::Location(number as u32)
}

fn output(target: Target, place: Place, components: u8) -> Output {
    Output {
        target,
        place,
        name: match place {
            Place::Location(location) => format!("out_{location}"),
            Place::Builtin(name) => name.to_owned(),
        },
        components,
    }
}

/// What the export instructions of a program write, with the channels that the registers let through.
fn exports(shader: &Shader) -> Result<Vec<Output>, r700::Error> {
    let decoded = program::decode(&shader.bytes, shader.chip)?;
    let mut outputs: Vec<Output> = Vec::new();
    for slot in decoded.cf() {
        let Cf::Export(export) = &slot.cf else {
            continue;
        };
        for found in of_instruction(export, shader) {
            let same =
                |known: &&mut Output| (known.target, known.place) == (found.target, found.place);
            match outputs.iter_mut().find(same) {
                Some(known) => known.components |= found.components,
                None => outputs.push(found),
            }
        }
    }
    Ok(outputs)
}

fn of_instruction(export: &CfExport, shader: &Shader) -> Vec<Output> {
    let (Some(sel), Some(kind)) = (export.sel(), export.export_type().name()) else {
        return Vec::new();
    };
    let sent = sel.selects().into_iter().zip(0..4);
    let sent = sent.filter(|(sel, _)| *sel != Sel::MASK);
    let sent = sent.fold(0_u8, |mask, (_, channel)| mask | 1 << channel);
    if sent == 0 {
        return Vec::new();
    }
    let (pixel, vertex) = match &shader.registers {
        Some(StageRegisters::Pixel(registers)) => (Some(registers), None),
        Some(StageRegisters::Vertex(registers)) => (None, Some(registers)),
        None => (None, None),
    };
    let mut outputs = Vec::new();
    for n in 0..=export.burst_count() {
        let Ok(number) = u8::try_from(u32::from(export.array_base()) + u32::from(n)) else {
            break;
        };
        match (kind, number) {
            ("PIXEL", 0..=7) => {
                let mask = pixel.map_or(0xf, |registers| registers.target_mask(number));
                outputs.push(output(Target::Pixel(number), located(number), sent & mask));
            }
            ("PIXEL", 61) => {
                let [depth, _, mask] =
                    pixel.map_or([true; 3], |registers| registers.depth_channels());
                for (bit, counts, name) in [(1, depth, "gl_FragDepth"), (4, mask, "gl_SampleMask")]
                {
                    if counts && sent & bit != 0 {
                        outputs.push(output(Target::Depth, Place::Builtin(name), bit));
                    }
                }
            }
            ("POS", 60) => {
                let place = Place::Builtin("gl_Position");
                outputs.push(output(Target::Position(60), place, sent));
            }
            ("POS", 61) if sent & 1 != 0 => {
                let place = Place::Builtin("gl_PointSize");
                outputs.push(output(Target::Position(61), place, 1));
            }
            ("POS", 62 | 63) => {
                let place = Place::Builtin("gl_ClipDistance");
                outputs.push(output(Target::Position(number), place, sent));
            }
            ("PARAM", 0..=31) => {
                let semantic = vertex.and_then(|registers| registers.semantic_of_parameter(number));
                let place = located(semantic.unwrap_or(number));
                outputs.push(output(Target::Parameter(number), place, sent));
            }
            _ => {}
        }
    }
    outputs
}

#[cfg(test)]
mod tests {
    use corpora::execution::Lane;
    use corpora::hex;
    use r700::glsl::{PixelRegisters, Profile, VertexRegisters};

    use super::*;

    /// `0 EXPORT type=POS array_base=60 R1.xyzw`, `1 EXPORT_DONE type=PARAM array_base=0 R2.xy__ END_OF_PROGRAM`: the kind
    /// is bits [14:13] of the first word, the register [21:15], ELEM_SIZE [31:30]; the select [11:0] of the second.
    fn vertex() -> Shader {
        let bytes = hex::little_endian_words("c000a03c 93800688 c0014000 94200fc8").expect("words");
        Shader::new("two exports", bytes, Stage::Vertex)
    }

    #[test]
    fn the_exports_are_those_that_the_translator_finds() {
        let shader = vertex();
        let own = shader.translate(Profile::Exact).expect("a translation");
        let found = exports(&shader).expect("a program");
        let brief = |outputs: &[Output]| -> Vec<_> {
            let brief = outputs.iter();
            brief
                .map(|one| (one.target, one.place, one.components))
                .collect()
        };
        let wanted = [
            (Target::Position(60), Place::Builtin("gl_Position"), 0xf),
            (Target::Parameter(0), Place::Location(0), 3),
        ];
        assert_eq!(brief(&found), wanted);
        assert_eq!(brief(&own.interface.outputs), wanted);
    }

    #[test]
    fn parameters_that_the_registers_hand_on_may_be_declared() {
        let mut shader = vertex();
        // Two parameters: semantic ids 5 and 9.
        let mut spi_vs_out_id = [0; 10];
        spi_vs_out_id[0] = 0x0905;
        shader.registers = Some(StageRegisters::Vertex(VertexRegisters {
            spi_vs_out_config: 1 << 1,
            spi_vs_out_id,
            ..VertexRegisters::default()
        }));
        let interface = interface(&shader, &Environment::new(Stage::Vertex)).expect("a program");
        let places: Vec<_> = interface
            .outputs
            .iter()
            .map(|one| (one.place, one.components))
            .collect();
        assert_eq!(
            places,
            [
                (Place::Builtin("gl_Position"), 0xf),
                (Place::Location(5), 3),
                (Place::Location(9), 0)
            ]
        );
    }

    #[test]
    fn inputs_are_the_registers_that_are_set() {
        let mut environment = Environment::new(Stage::Vertex);
        let registers = [(0, [0; 4]), (1, [1; 4]), (7, [7; 4])].into();
        environment.lanes.push(Lane {
            registers,
            helper: false,
        });
        let places = |shader: &Shader| -> Vec<_> {
            let interface = interface(shader, &environment).expect("a program");
            interface
                .inputs
                .iter()
                .map(|one| (one.gpr, one.location))
                .collect()
        };
        assert_eq!(places(&vertex()), [(1, 0), (7, 6)]);
        let mut pixel = vertex();
        pixel.stage = Stage::Pixel;
        assert_eq!(places(&pixel), [(0, 0), (1, 1), (7, 7)]);
        // Two interpolated registers, of semantic ids 4 and 6; the third is not set by the hardware.
        let mut spi_ps_input_cntl = [0; 32];
        spi_ps_input_cntl[..2].copy_from_slice(&[4, 6]);
        pixel.registers = Some(StageRegisters::Pixel(PixelRegisters {
            spi_ps_in_control_0: 2,
            spi_ps_input_cntl,
            ..PixelRegisters::default()
        }));
        assert_eq!(places(&pixel), [(0, 4), (1, 6)]);
    }
}
