//! What an observer is shown, by the lines of a trace.

use super::assembly::*;
use super::{environment, observed};
use crate::r700::execution::{GroupRecord, Observer, TraceWriter};

#[test]
fn a_trace() {
    // In lane 1 the lane's number is 1.0, not greater than 0.5 + 0.5; lane 1's MOV does not run.
    let mut trace = TraceWriter::new(Vec::new(), 2);
    let instructions = [
        alu(
            cf::ALU,
            &[
                two(op2::PRED_SETGT, (1, X), HALF, src(0, Y))
                    .updating_predicate()
                    .masked(),
                mov((1, Y), src(9, Y)).last(),
                mov((1, X), ONE_INT).predicated(3).last(),
            ],
        ),
        export(0, 0, 1, [0, 7, 7, 7]).end(),
    ];
    observed(&instructions, &environment(2), &mut trace).unwrap();
    let text = String::from_utf8(trace.finish().unwrap()).unwrap();
    let unset = r#"{"bits":"00000000","doubt":"unknown","reason":"an unset register, or a constant that the environment lacks"}"#;
    let expected = [
        r#"{"trace":"r700","version":1,"lanes":2}"#.to_owned(),
        [
            r#"{"kind":"group","slot":2,"mask":"3","ops":["#,
            r#"{"slot":2,"unit":"x","op":"PRED_SETGT","src":[["3f000000","3f000000"],["00000000","3f800000"]],"result":["00000000","3f800000"]},"#,
            &format!(r#"{{"slot":3,"unit":"y","op":"MOV","src":[[{unset},{unset}]],"result":[{unset},{unset}]}}],"#),
            &format!(r#""pv":{{"x":["00000000","3f800000"],"y":[{unset},{unset}]}},"#),
            &format!(r#""writes":{{"R1.y":[{unset},{unset}]}}}}"#),
        ]
        .concat(),
        [
            r#"{"kind":"group","slot":4,"mask":"3","ops":["#,
            r#"{"slot":4,"unit":"x","op":"MOV","src":[["00000001",null]],"result":["00000001",null]}],"#,
            r#""pv":{"x":["00000001",null]},"writes":{"R1.x":["00000001",null]}}"#,
        ]
        .concat(),
        r#"{"kind":"cf","slot":0,"mask":"3","op":"ALU","next":1}"#.to_owned(),
        [
            r#"{"kind":"export","slot":1,"mask":"3","target":"pixel0","#,
            &format!(r#""values":{{"x":["00000001",{unset}]}}}}"#),
        ]
        .concat(),
        r#"{"kind":"cf","slot":1,"mask":"3","op":"EXPORT_DONE","next":null}"#.to_owned(),
    ];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, expected);
}

#[test]
fn a_relative_write_is_one_for_each_register() {
    #[derive(Default)]
    struct Writes(Vec<(u8, usize, u64)>);
    impl Observer for Writes {
        fn group(&mut self, record: &GroupRecord<'_>) {
            let writes = record.writes().iter();
            let writes = writes.map(|write| (write.register, write.channel, write.lanes));
            self.0.extend(writes);
        }
    }
    let set = two(op2::MOVA_INT, (0, X), src(0, X), ZERO).masked().last();
    let write = mov((1, Z), ONE_INT).relative().last();
    let mut writes = Writes::default();
    let instructions = [alu(cf::ALU, &[set, write]), out(0)];
    observed(&instructions, &environment(2), &mut writes).unwrap();
    assert_eq!(writes.0, [(1, 2, 0b01), (2, 2, 0b10)]);
}
