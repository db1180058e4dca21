//! What is not executed, and what of a stream stands when it stops.

use corpora::RejectClass;

use super::super::{Array, ArrayError};
use super::{Stop, array, run, stop, words};
use crate::igc::Tables;

#[test]
fn each_refusal_names_its_instruction_and_reason() {
    for (text, name, reason) in [
        ("438a4320", "TREEintoMEM_L0", "no live tree"),
        ("3ae94200 7fc00000 0 0", "TREEltZERO_L3", "A is not finite"),
        ("3ae80d00 0 7f800000 0", "TREEgeZERO_L3", "B is not finite"),
        ("3daa4352 0 0 ff800000", "TREEintoMEM_L3", "C is not finite"),
        // L = 114 has no length by rule T, 115 is 0.
        ("392a4339 0 0 0", "TREEintoMEM_L3", "L of 114 is no length"),
        ("39aa4339 0 0 0", "TREEintoMEM_L3", "a length of 0"),
        ("3a6a2120 0 0 0", "MEMltTREE_L3", "L of 116 is no length"),
        ("4910f734 0", "SCAintoMEM_S1", "L of 146 is no length"),
        // 33 + 116 is 149, mod 128 21.
        (
            "0a90f700 0",
            "SCAintoMEM_S1",
            "a length of 33, where 32 is the most",
        ),
        ("ba006c0a 00010a00", "MEMpluseqMEM_K", "a length of 0"),
        (
            "be006c0a 00000a00",
            "MEMpluseqMEM_K",
            "a second length of 0",
        ),
        (
            "be006c0a 00010b00",
            "MEMpluseqMEM_K",
            "destination 11 in the operand, 10 in the first word",
        ),
        (
            "be006c0a 00810a00",
            "MEMpluseqMEM_K",
            "a rest of 0x1 in the operand",
        ),
        // The notes' own pair.
        ("bb004cb3 0001008f", "CPY", "a rest of 0x100 in the operand"),
        ("00000001", "NOOP", "address 1, where 0 is executed"),
        ("00000102", "SETENABS", "address 2, where 0 is executed"),
        ("00000201", "CLRENABS", "address 1, where 0 is executed"),
        (
            "3ae94201 0 0 0",
            "TREEltZERO_L3",
            "address 1, where 0 is executed",
        ),
        (
            "3ae80dff 0 0 0",
            "TREEgeZERO_L3",
            "address 255, where 0 is executed",
        ),
        ("48000000", "NOOP", "L of 144, where [0] is executed"),
        ("00800300", "MEMintoENAB", "L of 1, where [0] is executed"),
        (
            "00694200 0 0 0",
            "TREEltZERO_L3",
            "L of 0, where [117] is executed",
        ),
        (
            "3a004834",
            "MEMBARintoENAB",
            "L of 116, where [0, 117] is executed",
        ),
    ] {
        let found = stop(&mut array(1, 1), text);
        assert_eq!(found, (0, name.to_owned(), reason.to_owned()), "{text}");
    }
}

#[test]
fn what_is_not_known_is_not_executed() {
    for (text, name) in [
        ("00000601 0 0 0", "EDGE"),
        ("00400a00", "SEDGE"),
        ("00413f00", "SEDGEBAR"),
        ("00413c00", "MEMEDGE"),
        ("8000e600 0", "OVFIX"),
        ("80000000 48000000", "FBITS"),
        ("bc916c00 00000034", "MEMgeSCA_S1"),
        ("8401213a 00000021", "SWEEP_121"),
        ("ba01253a 00143a21", "SWEEP_125"),
        ("00020000", "MCWRITE"),
        ("0001979d", "unknown"),
    ] {
        let found = stop(&mut array(1, 1), text);
        let reason = "what it does is not known".to_owned();
        assert_eq!(found, (0, name.to_owned(), reason), "{text}");
    }
}

#[test]
fn what_was_executed_before_stands() {
    // SETENABS, an edge of four words, CPY is word 5 on.
    let mut array = array(1, 1);
    let text = "00000100 3ae80d00 0 0 0 bb004cb3 0001008f 00000200";
    assert_eq!(stop(&mut array, text).0, 5);
    assert_eq!(array.enable(0, 0), Some(true));
    assert_eq!(array.tree(), Some([0.0; 3]));
    // A refused load leaves the tree that there was.
    assert_eq!(stop(&mut array, "3ae94200 3f800000 7f800000 0").0, 0);
    assert_eq!(array.tree(), Some([0.0; 3]));
    run(&mut array, "438a4320");
}

#[test]
fn a_rejected_stream_executes_nothing() {
    let mut array = array(1, 1);
    let stopped = array.run(&words("00000100 3d2a43fa 0 0 0"));
    let (class, offset) = (RejectClass::OutOfRange, 4);
    assert_eq!(stopped, Err(Stop::Rejected { class, offset }));
    assert_eq!(array.enable(0, 0), Some(false));
}

#[test]
fn sides_are_1_to_512() {
    let tables = Tables::embedded();
    for (width, height) in [(0, 1), (1, 0), (513, 1), (1, 513)] {
        let error = Array::new(&tables, width, height).unwrap_err();
        assert!(matches!(error, ArrayError::Size { allowed: 512, .. }));
    }
    assert!(Array::new(&tables, 512, 1).is_ok());
    let array = Array::default_size(&tables).unwrap();
    assert_eq!((array.width(), array.height()), (128, 128));
    assert_eq!(array.memory(128, 0, 0), None);
    assert_eq!(array.memory(0, 0, 256), None);
}
