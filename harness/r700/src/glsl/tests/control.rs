use super::*;

const X: Chan = Chan::X;

/// PRED_SETNE R0.x, 0 with both updates, no register written.
fn test() -> AluGroup {
    let alu = alu(
        "PRED_SETNE",
        (0, X),
        &[r(0, X), Source::new(crate::alu::SourceSel::ZERO, X)],
    )
    .with_write_mask(false)
    .with_update_pred(true)
    .with_update_execute_mask(true);
    group(&[alu], &[])
}

fn mov(gpr: u8) -> AluGroup {
    group(&[alu("MOV", (gpr, X), &[r(0, X)])], &[])
}

fn branches(translation: &Translation) -> Vec<String> {
    let keeps = |line: &&str| {
        [
            "if", "}", "while", "for", "break", "continue", "on", "R", "call",
        ]
        .iter()
        .any(|start| line.starts_with(start))
    };
    let body = translation
        .source
        .split("void main() {")
        .nth(1)
        .unwrap_or("");
    // The blocks of groups do not matter here.
    let mut kept = Vec::new();
    let mut in_group = false;
    for line in body.lines().map(str::trim) {
        match line {
            "{" => in_group = true,
            "}" if in_group => in_group = false,
            _ if keeps(&line) => kept.push(line.to_owned()),
            _ => {}
        }
    }
    // The end of `main`.
    assert_eq!(kept.pop().as_deref(), Some("}"));
    kept
}

#[test]
fn a_diamond() {
    let mut asm = Assembler::new(CHIP);
    asm.alu(clause(CfAluOp::ALU_PUSH_BEFORE), &[test()])
        .unwrap();
    let jump = asm.cf(plain("JUMP"));
    asm.alu(clause(CfAluOp::ALU), &[mov(1)]).unwrap();
    let other = asm.cf(plain("ELSE").with_pop_count(1));
    asm.alu(clause(CfAluOp::ALU_POP_AFTER), &[mov(2)]).unwrap();
    let end = asm.cf(export(0, 0, 0));
    asm.set_target(jump, other).unwrap();
    asm.set_target(other, end).unwrap();
    let translation = accepted(&finished(&asm), &Options::default());
    let expected = [
        "R0 = in_0;",
        "if (mask0) {",
        "R1.x = x;",
        "} else {",
        "R2.x = x;",
        "}",
    ];
    assert_eq!(branches(&translation), expected);
}

#[test]
fn two_conditions_before_an_else() {
    // A lane that fails either test is inactive-branch at the ELSE.
    let mut asm = Assembler::new(CHIP);
    asm.alu(clause(CfAluOp::ALU_PUSH_BEFORE), &[test()])
        .unwrap();
    asm.alu(clause(CfAluOp::ALU), &[test()]).unwrap();
    asm.alu(clause(CfAluOp::ALU_ELSE_AFTER), &[mov(1)]).unwrap();
    asm.alu(clause(CfAluOp::ALU_POP_AFTER), &[mov(2)]).unwrap();
    asm.cf(export(0, 0, 0));
    let translation = accepted(&finished(&asm), &Options::default());
    let expected = [
        "R0 = in_0;",
        "on0 = mask0;",
        "if (on0) {",
        "on0 = mask1;",
        "if (on0) {",
        "R1.x = x;",
        "}",
        "}",
        "on0 = !on0;",
        "if (on0) {",
        "R2.x = x;",
        "}",
    ];
    assert_eq!(branches(&translation), expected);
}

#[test]
fn a_loop_with_a_constant() {
    let mut asm = Assembler::new(CHIP);
    let start = asm.cf(plain("LOOP_START").with_cf_const(5));
    asm.alu(clause(CfAluOp::ALU_BREAK), &[test()]).unwrap();
    asm.alu(clause(CfAluOp::ALU_PUSH_BEFORE), &[test()])
        .unwrap();
    let next = asm.cf(plain("LOOP_CONTINUE"));
    asm.cf(plain("POP").with_pop_count(1));
    asm.alu(clause(CfAluOp::ALU), &[mov(1)]).unwrap();
    let end = asm.cf(plain("LOOP_END"));
    let after = asm.cf(export(0, 0, 1));
    asm.set_target(start, after).unwrap();
    asm.set_target(next, end).unwrap();
    asm.set_target(end, start + 1).unwrap();
    let translation = accepted(&finished(&asm), &Options::default());
    let expected = [
        "R0 = in_0;",
        // The loop may have no iteration, so R1 is an input as well.
        "R1 = in_1;",
        "for (int i0 = 0; i0 < int(control[1].y & 0xfffu); i0 += 1) {",
        "if (!mask1) { break; }",
        "if (mask2) {",
        "continue;",
        "}",
        "R1.x = x;",
        "}",
    ];
    assert_eq!(branches(&translation), expected);
    expect_lines(
        &translation,
        &["aL = int(control[1].y >> 12u & 0xfffu) + i0 * (int(control[1].y) >> 24);"],
    );
    assert_eq!(translation.interface.loop_constants, 1 << 5);
}

#[test]
fn booleans_and_subroutines() {
    let mut asm = Assembler::new(CHIP);
    let jump = asm.cf(plain("JUMP")
        .with_cond(crate::codes::Cond::NOT_BOOL)
        .with_cf_const(3));
    let call = asm.cf(plain("CALL"));
    let end = asm.cf(export(0, 0, 0));
    let function = asm.alu(clause(CfAluOp::ALU), &[mov(1)]).unwrap();
    asm.cf(plain("RETURN"));
    asm.set_target(jump, end).unwrap();
    asm.set_target(call, function).unwrap();
    let translation = accepted(&finished(&asm), &Options::default());
    let expected = [
        "R0 = in_0;",
        "if ((control[8].x & 0x8u) == 0u) {",
        "call3();",
        "}",
    ];
    assert_eq!(branches(&translation), expected);
    assert_eq!(translation.interface.booleans, 8);
}

#[test]
fn a_kill_is_noticed_at_the_end() {
    let kill = alu("KILLGT", (0, X), &[r(0, X), r(0, Chan::Y)]).with_write_mask(false);
    let program = groups(&[group(&[kill], &[])]);
    let translation = accepted(&program, &Options::default());
    expect_lines(
        &translation,
        &["bool kx = R0.x > R0.y;", "float x = kx ? 1.0 : 0.0;"],
    );
    expect_lines(&translation, &["killed = killed || kx;"]);
    expect_lines(
        &translation,
        &["out_0 = R0;", "if (killed) { discard; }", "}"],
    );
    let vertex = Options {
        stage: Stage::Vertex,
        ..Options::default()
    };
    assert!(matches!(
        refusal(&program, &vertex).1,
        Reason::Operation(..)
    ));
}

#[test]
fn what_is_not_structured_is_refused() {
    let unstructured = |asm: &Assembler| match refusal(&finished(asm), &Options::default()) {
        (slot, Reason::Unstructured(why)) => (slot, why),
        (_, reason) => panic!("{reason}"),
    };
    let mut asm = Assembler::new(CHIP);
    asm.cf(plain("POP").with_pop_count(1));
    asm.cf(export(0, 0, 0));
    assert_eq!(unstructured(&asm).0, 0);

    // The jump skips the ELSE that would switch its lanes on.
    let mut asm = Assembler::new(CHIP);
    asm.alu(clause(CfAluOp::ALU_PUSH_BEFORE), &[test()])
        .unwrap();
    let jump = asm.cf(plain("JUMP").with_pop_count(1));
    let other = asm.cf(plain("ELSE").with_pop_count(1));
    asm.alu(clause(CfAluOp::ALU_POP_AFTER), &[mov(2)]).unwrap();
    let end = asm.cf(export(0, 0, 0));
    asm.set_target(jump, end).unwrap();
    asm.set_target(other, end).unwrap();
    let (slot, why) = unstructured(&asm);
    assert_eq!(
        (slot, why.as_str()),
        (1, "the jump to slot 4 skips an ELSE that it stands before")
    );

    // A break outside of a loop.
    let mut asm = Assembler::new(CHIP);
    asm.alu(clause(CfAluOp::ALU_BREAK), &[test()]).unwrap();
    asm.cf(export(0, 0, 0));
    assert_eq!(unstructured(&asm).0, 0);
}

#[test]
fn stages_without_a_translation() {
    let program = groups(&[mov(0)]);
    for (stage, name) in [(Stage::Geometry, "geometry"), (Stage::Compute, "compute")] {
        let options = Options {
            stage,
            ..Options::default()
        };
        assert_eq!(refusal(&program, &options), (0, Reason::Stage(name)));
    }
}
