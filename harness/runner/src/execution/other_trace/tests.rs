use std::io::{BufReader, Read, Write as _};

use super::*;

/// Two lanes: a comparison, a group with a doubtful word, one that the second lane sleeps through and kills in, an export.
const OWN: &str = concat!(
    "{\"trace\":\"r700\",\"version\":1,\"lanes\":2}\n",
    "{\"kind\":\"cf\",\"slot\":0,\"mask\":\"3\",\"op\":\"ALU\",\"next\":1}\n",
    "{\"kind\":\"group\",\"slot\":2,\"mask\":\"3\",\"ops\":[{\"slot\":2,\"unit\":\"x\",\"op\":\"ADD\",\
     \"src\":[[\"00000001\",\"00000002\"]],\"result\":[\"3f800000\",\"00000000\"]}],\
     \"pv\":{\"x\":[\"3f800000\",{\"bits\":\"00000000\",\"doubt\":\"one-of\",\
     \"words\":[\"00000000\",\"80000000\"]}]},\"ps\":[\"0000000a\",{\"bits\":\"00000000\",\"doubt\":\"unknown\"}],\
     \"writes\":{\"R1.x\":[\"3f800000\",\"00000000\"]}}\n",
    "{\"kind\":\"group\",\"slot\":3,\"mask\":\"1\",\"pv\":{\"y\":[\"00000007\",null]},\"writes\":{},\"killed\":\"1\"}\n",
    "{\"kind\":\"export\",\"slot\":1,\"mask\":\"2\",\"target\":\"pixel0\",\"values\":{\"x\":[null,\"00000009\"]}}\n",
    "{\"kind\":\"cf\",\"slot\":1,\"mask\":\"3\",\"op\":\"EXPORT_DONE\",\"next\":null}\n",
);

fn read(text: &str) -> Result<OtherTrace, String> {
    OtherTrace::read(text.as_bytes(), 2)
}

/// Holds a trace against `OWN`, in which these lanes are lost.
fn held(text: &str, lost: u64) -> Compared {
    let other = read(text).expect("a trace");
    let comparison = Comparison::new(&other, 2);
    comparison.state.borrow_mut().lost = lost;
    let mut lines = Lines {
        state: Rc::clone(&comparison.state),
        line: Vec::new(),
    };
    // It stops where the traces part.
    let _ = lines.write_all(OWN.as_bytes());
    comparison.finish()
}

fn what(text: &str) -> Option<String> {
    held(text, 0).parting.map(|parting| parting.what)
}

#[test]
fn a_trace_agrees_with_itself() {
    let compared = held(OWN, 0);
    assert_eq!(compared.parting, None);
    // 2 + 2 of an operation, 2 of pv, 2 of ps, 2 of writes; 1 of pv; 1 of the export.
    assert_eq!(
        (compared.records, compared.words, compared.unknown),
        (5, 12, 1)
    );
    assert_eq!(compared.verdict(), Verdict::Agree);
}

#[test]
fn a_thin_trace_agrees_by_what_it_has() {
    let thin = "{\"kind\":\"group\",\"slot\":2,\"pv\":{\"x\":[\"3F800000\",\"80000000\"]}}\n{\"kind\":\"group\",\"slot\":3}\n";
    let compared = held(thin, 0);
    assert_eq!((compared.records, compared.words), (2, 2));
    assert_eq!(compared.verdict(), Verdict::Agree);
}

#[test]
fn without_a_word_nothing_is_decided() {
    let path = "{\"kind\":\"group\",\"slot\":2}\n{\"kind\":\"group\",\"slot\":3}\n";
    assert_eq!(held(path, 0).verdict(), Verdict::Undecided);
    // The only word is one of which anything is possible.
    let open = "{\"kind\":\"group\",\"slot\":2,\"ps\":[\"0000000a\",\"12345678\"]}\n{\"kind\":\"group\",\"slot\":3}\n";
    assert_eq!(held(open, 1).verdict(), Verdict::Undecided);
    assert_eq!(held(open, 0).verdict(), Verdict::Agree);
}

/// Each place of the trace, changed, is where the traces part.
#[test]
fn every_field_is_compared() {
    let changes = [
        (
            "\"slot\":2,\"mask\":\"3\"",
            "\"slot\":4,\"mask\":\"3\"",
            "slot",
        ),
        (
            "\"slot\":2,\"mask\":\"3\"",
            "\"slot\":2,\"mask\":\"1\"",
            "mask",
        ),
        ("\"op\":\"ALU\"", "\"op\":\"ALU_ELSE_AFTER\"", "op"),
        ("\"next\":1", "\"next\":2", "next"),
        ("\"next\":null", "\"next\":2", "next"),
        ("\"killed\":\"1\"", "\"killed\":\"2\"", "killed"),
        (
            "\"mask\":\"1\"",
            "\"mask\":\"1\",\"fetch_shader\":true",
            "fetch_shader",
        ),
        ("\"target\":\"pixel0\"", "\"target\":\"pixel1\"", "target"),
        (
            "[null,\"00000009\"]",
            "[null,\"00000008\"]",
            "values.x of lane 1",
        ),
        (
            "[null,\"00000009\"]",
            "[\"00000009\",\"00000009\"]",
            "values.x of lane 0",
        ),
        ("[null,\"00000009\"]", "[null,null]", "values.x of lane 1"),
        (
            "\"values\":{",
            "\"values\":{\"y\":[null,\"00000000\"],",
            "values.y of lane 1",
        ),
        (
            "\"unit\":\"x\"",
            "\"unit\":\"y\"",
            "unit of the operation in slot 2",
        ),
        (
            "\"op\":\"ADD\"",
            "\"op\":\"MUL\"",
            "op of the operation in slot 2",
        ),
        (
            "\"00000001\",\"00000002\"",
            "\"00000001\",\"00000003\"",
            "src 0 of the operation in slot 2 of lane 1",
        ),
        (
            "\"src\":[[",
            "\"src\":[[null,null],[",
            "number of src of the operation in slot 2",
        ),
        (
            "\"result\":[\"3f800000\"",
            "\"result\":[\"3f800001\"",
            "result of the operation in slot 2 of lane 0",
        ),
        (
            "\"ops\":[",
            "\"ops\":[{\"slot\":2,\"unit\":\"x\",\"op\":\"ADD\"},",
            "number of ops",
        ),
        (
            "\"ps\":[\"0000000a\"",
            "\"ps\":[\"0000000b\"",
            "ps of lane 0",
        ),
        (
            "\"R1.x\":[\"3f800000\"",
            "\"R1.x\":[\"3f800001\"",
            "writes.R1.x of lane 0",
        ),
        ("\"R1.x\"", "\"R2.x\"", "writes.R1.x of lane 0"),
        (
            "\"doubt\":\"one-of\"",
            "\"doubt\":\"any-nan\"",
            "pv.x of lane 1, doubt",
        ),
        (
            "{\"bits\":\"00000000\",\"doubt\":\"one-of\"",
            "{\"bits\":\"00000001\",\"doubt\":\"one-of\"",
            "pv.x of lane 1",
        ),
    ];
    for (from, to, wanted) in changes {
        let other = OWN.replacen(from, to, 1);
        assert_ne!(other, OWN, "{from}");
        assert_eq!(what(&other).as_deref(), Some(wanted), "{to}");
    }
}

#[test]
fn a_kill_that_one_of_the_records_lacks_is_missed() {
    let elsewhere = OWN.replacen(",\"killed\":\"1\"", "", 1);
    // A trace that has no kill anywhere may be one that does not say.
    assert_eq!(what(&elsewhere), None);
    let elsewhere = elsewhere.replacen(
        "\"slot\":2,\"mask\":\"3\"",
        "\"slot\":2,\"mask\":\"3\",\"killed\":\"1\"",
        1,
    );
    assert_eq!(what(&elsewhere).as_deref(), Some("killed"));
}

#[test]
fn of_lost_lanes_nothing_is_known() {
    let other = OWN
        .replacen("\"slot\":2,\"mask\":\"3\"", "\"slot\":2,\"mask\":\"1\"", 1)
        .replacen("[null,\"00000009\"]", "[null,\"00000008\"]", 1);
    assert_eq!(held(&other, 2).parting, None);
    assert_eq!(
        held(&other, 1)
            .parting
            .map(|parting| parting.what)
            .as_deref(),
        Some("mask")
    );
}

#[test]
fn records_that_are_missing_or_too_many_are_named() {
    let short = "{\"kind\":\"group\",\"slot\":2}\n";
    let parting = held(short, 0).parting.expect("a difference");
    assert_eq!(
        (parting.line, parting.slot, parting.other.as_str()),
        (0, Some(3), "the end")
    );
    let long =
        format!("{short}{{\"kind\":\"group\",\"slot\":3}}\n\n{{\"kind\":\"group\",\"slot\":9}}\n");
    let parting = held(&long, 0).parting.expect("a difference");
    assert_eq!((parting.line, parting.reference.as_str()), (4, "the end"));
}

#[test]
fn what_is_no_record_is_refused_with_its_line() {
    let group = |rest: &str| format!("{{\"kind\":\"group\",\"slot\":2{rest}}}\n");
    let cases = [
        (String::new(), "no record"),
        (
            "{\"trace\":\"r700\",\"version\":1,\"lanes\":2}\n".to_owned(),
            "no record",
        ),
        (
            "{}\n".to_owned(),
            "line 1: no kind; one of group, fetch, export, cf",
        ),
        ("\n[]\n".to_owned(), "line 2: []: an object"),
        (
            "{\"kind\":\"step\"}\n".to_owned(),
            "line 1: kind \"step\"; one of group, fetch, export, cf",
        ),
        (
            "{\"kind\":\"group\"}\n".to_owned(),
            "line 1: no slot in group",
        ),
        (
            "{\"kind\":\"group\",\"slot\":-1}\n".to_owned(),
            "line 1: slot: -1: a number of a slot",
        ),
        (
            "{\"trace\":\"r600\",\"version\":1,\"lanes\":2}\n".to_owned(),
            "line 1: trace \"r600\": \"r700\"",
        ),
        (
            "{\"trace\":\"r700\",\"version\":2,\"lanes\":2}\n".to_owned(),
            "line 1: version 2: 1",
        ),
        (
            "{\"trace\":\"r700\",\"version\":1,\"lanes\":3}\n".to_owned(),
            "line 1: lanes 3: the inputs have 2",
        ),
        (
            "{\"trace\":\"r700\",\"version\":1}\n".to_owned(),
            "line 1: no lanes in the first line",
        ),
        (
            group("") + "{\"trace\":\"r700\",\"version\":1,\"lanes\":2}\n",
            "line 2: \"trace\": that is for the first line",
        ),
        (
            group(",\"writ\":{}"),
            "line 1: group has no \"writ\"; kind, slot, mask, fetch_shader, ops, pv, ps, writes, killed",
        ),
        (
            group(",\"mask\":\"4\""),
            "line 1: mask: \"4\": a mask of 2 lanes",
        ),
        (
            group(",\"killed\":\"0x1\""),
            "line 1: killed: \"0x1\": up to sixteen hexadecimal digits",
        ),
        (
            group(",\"ps\":[\"00000001\"]"),
            "line 1: ps: 1 lanes: the inputs have 2",
        ),
        (
            group(",\"ps\":[\"1\",null]"),
            "line 1: ps: lane 0: \"1\": eight hexadecimal digits, null, or an object of bits and doubt",
        ),
        (
            group(",\"ps\":[1,null]"),
            "line 1: ps: lane 0: 1: eight hexadecimal digits, null, or an object of bits and doubt",
        ),
        (
            group(",\"pv\":{\"r\":[null,null]}"),
            "line 1: pv: \"r\": x, y, z, w",
        ),
        (
            group(",\"writes\":{\"R128.x\":[null,null]}"),
            "line 1: writes: \"R128.x\": R0.x to R127.w",
        ),
        (
            group(",\"ops\":[{\"slot\":2,\"op\":\"ADD\"}]"),
            "line 1: ops: no unit in an operation",
        ),
        (
            group(",\"ps\":[{\"bits\":\"00000000\",\"doubt\":\"some\"},null]"),
            "line 1: ps: lane 0: \"some\": one-of, within, any-nan, unknown",
        ),
        (
            "{\"kind\":\"export\",\"slot\":1,\"target\":\"colour\"}".to_owned(),
            "line 1: target: \"colour\": pixel0, pos60, param3 and the like",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(read(&text).err().as_deref(), Some(wanted), "{text}");
    }
    let broken = read("{\"kind\":\n").expect_err("no JSON");
    assert!(
        broken.starts_with("line 1: EOF while parsing a value at column "),
        "{broken}"
    );
}

#[test]
fn a_record_of_another_kind_is_named() {
    let other = "{\"kind\":\"group\",\"slot\":2}\n{\"kind\":\"export\",\"slot\":3}\n";
    assert_eq!(what(other).as_deref(), Some("kind"));
}

/// The same line without an end.
struct Again {
    line: Vec<u8>,
    at: usize,
}

impl Read for Again {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = to.len().min(self.line.len() - self.at);
        to[..count].copy_from_slice(&self.line[self.at..][..count]);
        self.at = (self.at + count) % self.line.len();
        Ok(count)
    }
}

/// A source without an end is not read to it.
#[test]
fn reading_is_bounded() {
    let zeros = BufReader::new(std::io::repeat(0));
    let error = OtherTrace::read(zeros, 2).expect_err("no line");
    assert_eq!(error, "line 1: it is longer than 4194304 bytes");
    // Lines of a mebibyte that say nothing.
    let mut line = vec![b' '; 1 << 20];
    line[(1 << 20) - 1] = b'\n';
    let endless = BufReader::new(Again { line, at: 0 });
    let error = OtherTrace::read(endless, 2).expect_err("too many");
    assert_eq!(error, "line 257: the trace is larger than 268435456 bytes");
}
