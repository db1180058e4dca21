use corpora::execution::Stage;
use rspirv::dr::Operand;
use rspirv::spirv::Op;

use super::{Glslang, Validity, compile, compile_with_glslang, parses_in_glsl_lang, spirv_val};

const SOURCE: &str = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 b;
layout(set = 0, binding = 16, std140) uniform U { vec4 u[4096]; };
void main() {
    int i = floatBitsToInt(a.x);
    b = u[i] + vec4(float(i / floatBitsToInt(a.y)));
    for (int n = 0; n < i; n++) { b += a; }
    gl_FragDepth = a.z;
}";

/// Operations of a module, with the numbers of extended instructions.
fn operations(words: &[u32]) -> Vec<(Op, Option<u32>)> {
    let module = rspirv::dr::load_words(words).unwrap();
    let number = |operand: &Operand| match operand {
        Operand::LiteralExtInstInteger(number) => Some(*number),
        _ => None,
    };
    module
        .all_inst_iter()
        .map(|instruction| {
            (
                instruction.class.opcode,
                instruction.operands.iter().find_map(number),
            )
        })
        .collect()
}

#[test]
fn nothing_is_added_to_a_shader() {
    let words = compile(SOURCE, Stage::Pixel).unwrap();
    assert_eq!(words[..2], [0x0723_0203, 0x0001_0300]);
    assert!(matches!(
        spirv_val(&words),
        Validity::Valid | Validity::NotInstalled
    ));
    let operations = operations(&words);
    let count = |op| operations.iter().filter(|(found, _)| *found == op).count();
    // One division, without a function around it; one loop condition, without a counter; no clamp of index or depth.
    assert_eq!(count(Op::SDiv), 1);
    // main, and the entry point that calls it.
    assert_eq!(count(Op::Function), 2);
    assert_eq!(count(Op::SLessThan), 1);
    assert!(
        operations.iter().all(|(op, _)| *op != Op::ExtInst),
        "{operations:?}"
    );
}

#[test]
fn bindings_are_those_of_the_source() {
    let module = rspirv::dr::load_words(compile(SOURCE, Stage::Pixel).unwrap()).unwrap();
    let has = |decoration, number| {
        module.annotations.iter().any(|annotation| {
            annotation.operands[1..]
                == [
                    Operand::Decoration(decoration),
                    Operand::LiteralBit32(number),
                ]
        })
    };
    assert!(has(rspirv::spirv::Decoration::DescriptorSet, 0));
    assert!(has(rspirv::spirv::Decoration::Binding, 16));
}

#[test]
fn an_error_is_one_line_that_says_where() {
    let source = "#version 450\nvoid main() {\n    float x = nothing;\n}\n";
    let error = compile(source, Stage::Pixel).unwrap_err();
    // `nothing` begins at the fifteenth column of the third line.
    assert_eq!(error.at, Some((3, 15)));
    assert_eq!(error.line, "float x = nothing;");
    assert_eq!(error.to_string().lines().count(), 1);
    assert!(error.to_string().starts_with("naga: 3:15: "), "{error}");
    match compile_with_glslang(source, Stage::Pixel) {
        Glslang::Failed(error) => {
            assert_eq!(error.at, Some((3, 15)));
            assert!(error.to_string().starts_with("glslang: 3:15: "), "{error}");
        }
        other => assert_eq!(other, Glslang::NotInstalled),
    }
}

#[test]
fn glsl_lang_knows_the_grammar() {
    assert_eq!(parses_in_glsl_lang(SOURCE), Ok(()));
    let error =
        parses_in_glsl_lang("#version 450\nvoid main() {\n    float = 1.0;\n}\n").unwrap_err();
    assert_eq!(error.at.map(|(line, _)| line), Some(3));
    assert_eq!(error.to_string().lines().count(), 1);
}

#[test]
fn glslang_and_the_validator_agree_on_a_module() {
    match compile_with_glslang(SOURCE, Stage::Pixel) {
        Glslang::Compiled(words) => {
            assert!(matches!(
                spirv_val(&words),
                Validity::Valid | Validity::NotInstalled
            ));
        }
        other => assert_eq!(other, Glslang::NotInstalled),
    }
    // A header of no module.
    let header = [0x0723_0203, 0x0001_0300, 0, 1, 0];
    assert!(matches!(
        spirv_val(&header),
        Validity::Invalid(_) | Validity::NotInstalled
    ));
}
