//! JUnit XML, as Jenkins and GitLab read it.
//!
//! A suite for each target and kind, with a test case for each part and for each finding; then a suite for each target's
//! errata and certificates, and one of what was not run. A test case passes only if something was judged. Times are left
//! out: they are not part of the report.

use std::borrow::Cow;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::figures::{counted, grouped};
use super::model::{Certificate, ErratumResult, Finding, Report, Tally};
use super::text;

/// How a test case went.
enum Went {
    Passed,
    Failed {
        kind: &'static str,
        message: String,
        detail: String,
    },
    Skipped(String),
}

/// One `testcase`.
struct Case {
    name: String,
    went: Went,
    /// Goes to `system-out`, if there is any.
    output: String,
}

/// One `testsuite`; its name is also the class name of its cases.
struct Suite {
    name: String,
    cases: Vec<Case>,
}

/// Renders a report as JUnit XML.
pub fn render(report: &Report) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let written = document(&mut writer, report, &suites(report));
    debug_assert!(written.is_ok(), "writing to memory does not fail");
    let mut text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    text.push('\n');
    text
}

fn suites(report: &Report) -> Vec<Suite> {
    let mut suites = Vec::new();
    for tally in &report.tallies {
        let name = format!("{}.{}", tally.target, tally.kind);
        add(&mut suites, name, part(tally));
    }
    for shown in &report.findings {
        add(
            &mut suites,
            format!("{}.{}", shown.target, shown.kind),
            finding(shown),
        );
    }
    for certified in &report.certificates {
        let case = certificate(certified);
        add(
            &mut suites,
            format!("{}.certificates", certified.target),
            case,
        );
    }
    for entry in &report.errata {
        add(
            &mut suites,
            format!("{}.errata", entry.target),
            erratum(entry),
        );
    }
    for missing in &report.not_run {
        let case = Case {
            name: missing.what.clone(),
            went: Went::Skipped(missing.reason.clone()),
            output: String::new(),
        };
        add(&mut suites, "not-run".to_string(), case);
    }
    suites
}

fn add(suites: &mut Vec<Suite>, name: String, case: Case) {
    match suites.iter_mut().find(|suite| suite.name == name) {
        Some(suite) => suite.cases.push(case),
        None => suites.push(Suite {
            name,
            cases: vec![case],
        }),
    }
}

fn part(tally: &Tally) -> Case {
    let counts = format!(
        "agree {}, disagree {}, poisoned {}, skipped {}",
        grouped(tally.agree),
        grouped(tally.disagree),
        grouped(tally.poisoned),
        grouped(tally.skipped)
    );
    let judged = tally.agree.saturating_add(tally.poisoned);
    let went = if tally.disagree > 0 {
        Went::Failed {
            kind: "disagree",
            message: format!(
                "{} not as expected",
                counted(tally.disagree, "case is", "cases are")
            ),
            detail: counts.clone(),
        }
    } else if judged == 0 {
        Went::Skipped(format!("no case was judged: {counts}"))
    } else {
        Went::Passed
    };
    let name = if tally.part.is_empty() {
        tally.kind.clone()
    } else {
        tally.part.clone()
    };
    Case {
        name,
        went,
        output: counts,
    }
}

fn finding(finding: &Finding) -> Case {
    Case {
        name: format!("finding {}", finding.id),
        went: Went::Failed {
            kind: "finding",
            message: finding.cause.clone(),
            detail: text::finding(finding),
        },
        output: String::new(),
    }
}

fn certificate(certificate: &Certificate) -> Case {
    let mut output = format!(
        "{} of {} agree",
        grouped(certificate.agree),
        counted(certificate.inputs, "input", "inputs")
    );
    if certificate.of > 0 {
        let (values, of) = (
            grouped(certificate.values),
            counted(certificate.of, "value", "values"),
        );
        output = format!("{values} of {of} taken; {output}");
    }
    let went = if certificate.inputs == 0 {
        Went::Skipped("nothing was swept".to_string())
    } else if certificate.agree < certificate.inputs {
        Went::Failed {
            kind: "disagree",
            message: "not all inputs agree".to_string(),
            detail: output.clone(),
        }
    } else {
        Went::Passed
    };
    Case {
        name: format!("{} {}", certificate.unit, certificate.what),
        went,
        output,
    }
}

/// Whether an erratum is settled or open does not matter here: its cases say what they say.
fn erratum(erratum: &ErratumResult) -> Case {
    let named = |state: &str| {
        let cases = erratum.cases.iter().filter(|(_, went)| went == state);
        cases
            .map(|(id, _)| id.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (met, not_met, not_run) = (named("met"), named("not met"), named("not run"));
    let went = if !not_met.is_empty() {
        Went::Failed {
            kind: "erratum",
            message: format!("not met: {not_met}"),
            detail: format!("{}\nruling: {}", erratum.title, erratum.ruling),
        }
    } else if met.is_empty() {
        Went::Skipped(format!("no case was run: {not_run}"))
    } else {
        Went::Passed
    };
    let mut output = format!("{}: {}\nmet: {met}", erratum.status, erratum.title);
    if !not_run.is_empty() {
        output.push_str("\nnot run: ");
        output.push_str(&not_run);
    }
    Case {
        name: erratum.id.clone(),
        went,
        output,
    }
}

fn document(writer: &mut Writer<Vec<u8>>, report: &Report, suites: &[Suite]) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let cases = || suites.iter().flat_map(|suite| &suite.cases);
    writer
        .create_element("testsuites")
        .with_attribute(("name", "assay"))
        .with_attribute(("tests", cases().count().to_string().as_str()))
        .with_attribute(("failures", failures(cases()).as_str()))
        .with_attribute(("errors", "0"))
        .write_inner_content(|writer| {
            suites
                .iter()
                .try_for_each(|suite| write_suite(writer, report, suite))
        })?;
    Ok(())
}

fn failures<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    cases
        .filter(|case| matches!(case.went, Went::Failed { .. }))
        .count()
        .to_string()
}

fn write_suite(writer: &mut Writer<Vec<u8>>, report: &Report, suite: &Suite) -> io::Result<()> {
    let skipped = suite
        .cases
        .iter()
        .filter(|case| matches!(case.went, Went::Skipped(_)))
        .count();
    let name = characters(&suite.name);
    writer
        .create_element("testsuite")
        .with_attribute(("name", name.as_ref()))
        .with_attribute(("tests", suite.cases.len().to_string().as_str()))
        .with_attribute(("failures", failures(suite.cases.iter()).as_str()))
        .with_attribute(("errors", "0"))
        .with_attribute(("skipped", skipped.to_string().as_str()))
        .write_inner_content(|writer| {
            write_properties(writer, report)?;
            suite
                .cases
                .iter()
                .try_for_each(|case| write_case(writer, &name, case))
        })?;
    Ok(())
}

fn write_properties(writer: &mut Writer<Vec<u8>>, report: &Report) -> io::Result<()> {
    let properties = [
        ("version", report.version.clone()),
        ("mode", report.mode.clone()),
        ("seed", report.seed.to_string()),
        ("shards", report.shards.join(" ")),
        ("filters", report.filters.join(" ")),
    ];
    writer
        .create_element("properties")
        .write_inner_content(|writer| {
            for (name, value) in &properties {
                writer
                    .create_element("property")
                    .with_attribute(("name", *name))
                    .with_attribute(("value", characters(value).as_ref()))
                    .write_empty()?;
            }
            Ok(())
        })?;
    Ok(())
}

fn write_case(writer: &mut Writer<Vec<u8>>, class: &str, case: &Case) -> io::Result<()> {
    let element = writer
        .create_element("testcase")
        .with_attribute(("classname", class))
        .with_attribute(("name", characters(&case.name).as_ref()));
    if matches!(case.went, Went::Passed) && case.output.is_empty() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|writer| {
        match &case.went {
            Went::Passed => {}
            Went::Failed {
                kind,
                message,
                detail,
            } => {
                writer
                    .create_element("failure")
                    .with_attribute(("type", *kind))
                    .with_attribute(("message", characters(message).as_ref()))
                    .write_text_content(content(detail))?;
            }
            Went::Skipped(reason) => {
                writer
                    .create_element("skipped")
                    .with_attribute(("message", characters(reason).as_ref()))
                    .write_empty()?;
            }
        }
        if !case.output.is_empty() {
            writer
                .create_element("system-out")
                .write_text_content(content(&case.output))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Text between tags; its line ends stay line ends.
fn content(text: &str) -> BytesText<'_> {
    let text = characters(text).into_owned();
    BytesText::from_escaped(quick_xml::escape::partial_escape(text))
}

/// A text without the characters that XML 1.0 cannot hold, escaped or not (its section 2.2, `Char`).
fn characters(text: &str) -> Cow<'_, str> {
    let held = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    if text.chars().all(held) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().filter(|&c| held(c)).collect())
    }
}

#[cfg(test)]
mod tests;
