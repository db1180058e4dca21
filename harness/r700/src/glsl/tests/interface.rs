use super::*;
use crate::codes::Sel;
use crate::fetch::{Vtx, VtxOp};
use crate::glsl::{Attributes, PixelRegisters, Place, StageRegisters, Target, VertexRegisters};

fn locations(translation: &Translation) -> Vec<(u32, u8, u8)> {
    translation
        .interface
        .inputs
        .iter()
        .map(|input| (input.location, input.gpr, input.components))
        .collect()
}

#[test]
fn inputs_are_read_before_they_are_written() {
    // R1.x is written before it is read, R1.y is read first; R2 is only exported.
    let program = groups(&[
        group(&[alu("MOV", (1, Chan::X), &[r(0, Chan::X)])], &[]),
        group(
            &[alu("ADD", (0, Chan::Z), &[r(1, Chan::X), r(1, Chan::Y)])],
            &[],
        ),
    ]);
    // All of R0 is exported, and only Z of it is written.
    assert_eq!(
        locations(&accepted(&program, &Options::default())),
        [(0, 0, 0b1011), (1, 1, 0b0010)]
    );
}

#[test]
fn pixel_registers_name_the_inputs() {
    let mut cntl = [0; 32];
    cntl[0] = 7; // SEMANTIC 7
    cntl[1] = 9 | 1 << 10; // SEMANTIC 9, FLAT_SHADE
    cntl[2] = 11 | 1 << 8; // SEMANTIC 11, DEFAULT_VAL 1: 0, 0, 0, 1
    let registers = StageRegisters::Pixel(PixelRegisters {
        sq_pgm_resources_ps: 5,
        // NUM_INTERP 3, POSITION_ENA, POSITION_ADDR 3.
        spi_ps_in_control_0: 3 | 1 << 8 | 3 << 10,
        spi_ps_input_cntl: cntl,
        cb_shader_mask: 0x7,
        ..PixelRegisters::default()
    });
    let add = |dst, a, b| {
        group(
            &[alu("ADD", (dst, Chan::X), &[r(a, Chan::X), r(b, Chan::X)])],
            &[],
        )
    };
    let program = groups(&[add(0, 0, 1), add(0, 2, 3), add(0, 0, 4)]);
    let options = Options {
        registers: Some(&registers),
        provided: Some([7, 9].into()),
        ..Options::default()
    };
    let translation = accepted(&program, &options);
    assert_eq!(locations(&translation), [(7, 0, 0b1111), (9, 1, 1)]);
    expect_lines(
        &translation,
        &[
            "R0 = in_7;",
            "R1 = in_9;",
            "R2 = vec4(0.0, 0.0, 0.0, 1.0); // semantic 11 is not exported",
            "R3 = vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w);",
            "R4 = vec4(0.0); // read before anything is written to it",
        ],
    );
    expect_lines(&translation, &["layout(location = 9) flat in vec4 in_9;"]);
    // CB_SHADER_MASK has X, Y and Z: W becomes 1.
    expect_lines(&translation, &["out_0 = vec4(R0.x, R0.y, R0.z, 1.0);"]);
}

#[test]
fn vertex_outputs() {
    let vertex = Options {
        stage: Stage::Vertex,
        ..Options::default()
    };
    let mut asm = Assembler::new(CHIP);
    let part = |kind, base, gpr| export(kind, base, gpr).with_end_of_program(false);
    let point = Swizzle::new(Sel::X, Sel::MASK, Sel::MASK, Sel::MASK);
    asm.cf(part(1, 60, 0));
    asm.cf(part(1, 61, 1).with_sel(point));
    asm.cf(part(2, 0, 3).with_burst_count(1));
    asm.cf(export(2, 2, 5).with_sel(Swizzle::new(Sel::W, Sel::ZERO, Sel::ONE, Sel::MASK)));
    let translation = accepted(&finished(&asm), &vertex);
    expect_lines(&translation, &["gl_Position = R0;"]);
    expect_lines(&translation, &["gl_PointSize = R1.x;"]);
    expect_lines(&translation, &["out_0 = R3;", "out_1 = R4;"]);
    expect_lines(&translation, &["out_2.xyz = vec3(R5.w, 0.0, 1.0);"]);
    assert!(translation.interface.vertex_index && translation.interface.instance_index);
    let last = translation.interface.outputs.last().unwrap();
    assert_eq!(
        (last.target, last.place, last.components),
        (Target::Parameter(2), Place::Location(2), 7)
    );

    // SPI_VS_OUT_ID_0: parameters 0 to 3 have the semantic ids 4, 3, 2, 1.
    let registers = StageRegisters::Vertex(VertexRegisters {
        spi_vs_out_id: [0x0102_0304, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ..VertexRegisters::default()
    });
    let options = Options {
        registers: Some(&registers),
        ..vertex
    };
    expect_lines(
        &accepted(&finished(&asm), &options),
        &["out_4 = R3;", "out_3 = R4;"],
    );
}

#[test]
fn a_fetch_shader_is_applied() {
    let fetch = |op| Vtx::new(op, CHIP).with_data_format(35);
    let mut asm = Assembler::new(CHIP);
    let position = fetch(VtxOp::FETCH)
        .with_dst(Gpr::new(2))
        .with_dst_sel(Swizzle::new(Sel::X, Sel::Y, Sel::Z, Sel::ONE));
    // SEMANTIC 6 is entry 0 of the table: R1.
    let other = fetch(VtxOp::SEMANTIC).with_semantic_id(6);
    let dropped = fetch(VtxOp::SEMANTIC).with_semantic_id(8);
    asm.fetch(
        plain("VTX"),
        &[position.into(), other.into(), dropped.into()],
    )
    .unwrap();
    asm.cf(plain("RETURN"));
    let shader = finished(&asm);

    let mut asm = Assembler::new(CHIP);
    asm.cf(plain("CALL_FS"));
    asm.cf(export(1, 60, 2).with_end_of_program(false));
    asm.cf(export(2, 0, 1));
    let program = finished(&asm);
    let mut table = [0; 32];
    table[0] = 6;
    let registers = StageRegisters::Vertex(VertexRegisters {
        semantics_used: 1,
        sq_vtx_semantic: table,
        ..VertexRegisters::default()
    });
    let mut options = Options {
        stage: Stage::Vertex,
        registers: Some(&registers),
        fetch_shader: Some(&shader),
        ..Options::default()
    };
    let translation = accepted(&program, &options);
    expect_lines(&translation, &["R2 = vec4(in_1.x, in_1.y, in_1.z, 1.0);"]);
    expect_lines(&translation, &["R1 = in_0;"]);
    assert_eq!(locations(&translation), [(0, 1, 0b1111), (1, 2, 0b0111)]);
    options.attributes = Attributes::Buffers;
    let translation = accepted(&program, &options);
    assert!(translation.interface.inputs.is_empty() && translation.interface.vertex_index);
    expect_lines(&translation, &["R2 = vec4(f.x, f.y, f.z, 1.0);"]);
}

#[test]
fn depth_and_colours() {
    let mut asm = Assembler::new(CHIP);
    let z = Swizzle::new(Sel::X, Sel::MASK, Sel::MASK, Sel::MASK);
    asm.cf(export(0, 61, 1).with_sel(z).with_end_of_program(false));
    asm.cf(export(0, 0, 2).with_burst_count(2));
    let translation = accepted(&finished(&asm), &Options::default());
    expect_lines(&translation, &["gl_FragDepth = R1.x;"]);
    expect_lines(&translation, &["out_0 = R2;", "out_1 = R3;", "out_2 = R4;"]);
    let stencil = export(0, 61, 1).with_sel(Swizzle::new(Sel::X, Sel::Y, Sel::MASK, Sel::MASK));
    let mut asm = Assembler::new(CHIP);
    asm.cf(stencil);
    assert!(matches!(
        refusal(&finished(&asm), &Options::default()),
        (0, Reason::Export(_))
    ));
}

#[test]
fn a_vertex_program_has_to_send_a_position() {
    let vertex = Options {
        stage: Stage::Vertex,
        ..Options::default()
    };
    let mut asm = Assembler::new(CHIP);
    asm.cf(export(2, 0, 1));
    let refused = translate(&finished(&asm), &vertex).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "slot 0 (byte 0): a vertex program without a position: nothing is exported to POS 60"
    );
    // Nor is one that is masked away.
    let masked = Swizzle::new(Sel::MASK, Sel::MASK, Sel::MASK, Sel::MASK);
    let mut asm = Assembler::new(CHIP);
    asm.cf(export(1, 60, 0).with_sel(masked).with_end_of_program(false));
    asm.cf(export(2, 0, 1));
    assert_eq!(refusal(&finished(&asm), &vertex), (0, Reason::NoPosition));
    let mut asm = Assembler::new(CHIP);
    asm.cf(export(1, 60, 0));
    translate(&finished(&asm), &vertex).unwrap();
}

#[test]
fn clip_distances_and_sample_masks() {
    // naga's front end has neither, so nothing but the text is looked at here.
    let mut asm = Assembler::new(CHIP);
    asm.cf(export(1, 60, 0).with_end_of_program(false));
    asm.cf(export(1, 62, 2).with_burst_count(1));
    let vertex = Options {
        stage: Stage::Vertex,
        ..Options::default()
    };
    let translation = translate(&finished(&asm), &vertex).unwrap();
    expect_lines(&translation, &["gl_ClipDistance[3] = R2.w;"]);
    expect_lines(&translation, &["gl_ClipDistance[4] = R3.x;"]);
    let mut asm = Assembler::new(CHIP);
    asm.cf(export(0, 61, 1).with_sel(Swizzle::new(Sel::MASK, Sel::MASK, Sel::Z, Sel::MASK)));
    let translation = translate(&finished(&asm), &Options::default()).unwrap();
    expect_lines(&translation, &["gl_SampleMask[0] = floatBitsToInt(R1.z);"]);
}
