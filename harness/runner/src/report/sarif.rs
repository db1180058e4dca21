//! SARIF 2.1.0, as code hosts and editors read it.
//!
//! A rule for each cause, a result for each finding, and a notification for each thing that was not run.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::model::{Finding, NotRun, Report, Verdict};
use super::write::REPORT_JSON;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Renders a report as SARIF 2.1.0.
pub fn render(report: &Report) -> String {
    let mut rules: BTreeMap<String, Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        rules.entry(rule_id(finding)).or_default().push(finding);
    }
    let index: BTreeMap<&String, usize> = rules.keys().zip(0..).collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| result(finding, index[&rule_id(finding)]))
        .collect();

    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "assay",
                "version": report.version,
                "rules": rules.iter().map(|(id, findings)| rule(id, findings)).collect::<Vec<_>>(),
            }},
            "automationDetails": { "id": format!("assay/{}/", report.mode) },
            "invocations": [invocation(report)],
            "columnKind": "unicodeCodePoints",
            "results": results,
            // The seed is a string since a reader may keep numbers as doubles.
            "properties": {
                "mode": report.mode,
                "seed": report.seed.to_string(),
                "shards": report.shards,
                "filters": report.filters,
            },
        }],
    });
    format!("{log:#}\n")
}

/// One rule for a cause, whatever kind of check found it.
fn rule_id(finding: &Finding) -> String {
    format!("{}/{}", finding.target, finding.cause)
}

fn rule(id: &str, findings: &[&Finding]) -> Value {
    let mut citations: Vec<&str> = findings
        .iter()
        .flat_map(|finding| &finding.citations)
        .map(String::as_str)
        .collect();
    citations.sort_unstable();
    citations.dedup();
    let mut rule = json!({
        "id": id,
        "shortDescription": text(&findings[0].cause),
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": [findings[0].target] },
    });
    if !citations.is_empty() {
        rule["help"] = text(&format!("See {}.", citations.join("; ")));
    }
    rule
}

fn result(finding: &Finding, rule_index: usize) -> Value {
    let mut result = json!({
        "ruleId": rule_id(finding),
        "ruleIndex": rule_index,
        "kind": "fail",
        "level": "error",
        "message": text(&message(finding)),
        "locations": [{
            // Where the finding and its input are; the place in somebody's decoder is not known.
            "physicalLocation": { "artifactLocation": { "uri": REPORT_JSON } },
            "logicalLocations": finding.differences.iter().map(|difference| json!({
                "name": difference.path,
                "fullyQualifiedName": format!("{}::{}", finding.target, difference.path),
            })).collect::<Vec<_>>(),
        }],
        "partialFingerprints": { "assayFinding/v1": finding.id },
        "properties": {
            "target": finding.target,
            "kind": finding.kind,
            "origin": finding.origin,
            "options": finding.options,
            "hex": finding.hex,
            "words": finding.words,
            "originalBytes": finding.original_bytes,
            "oddOneOut": finding.odd_one_out,
            "replay": finding.replay,
        },
    });
    // The schema's type is a positive 32-bit number.
    if finding.count > 0 {
        result["occurrenceCount"] = json!(finding.count.min(u64::from(u32::MAX >> 1)));
    }
    result
}

fn message(finding: &Finding) -> String {
    let mut text = format!("{} ({}): {}", finding.target, finding.kind, finding.cause);
    for difference in &finding.differences {
        let answers: Vec<String> = difference
            .answers
            .iter()
            .map(|answer| format!("{} says {}", answer.who, answer.value))
            .collect();
        text.push_str(&format!("\n{}: {}", difference.path, answers.join(", ")));
    }
    if let Some(odd) = &finding.odd_one_out {
        text.push_str(&format!("\n{odd} stands alone."));
    }
    text.push_str(&format!("\nReplay: {}", finding.replay));
    text
}

/// Nothing judged is no success, even without a finding.
fn invocation(report: &Report) -> Value {
    json!({
        "executionSuccessful": report.judged() > 0,
        "exitCode": match report.verdict {
            Verdict::Agree => 0,
            Verdict::Findings => 1,
        },
        "toolExecutionNotifications": report.not_run.iter().map(notification).collect::<Vec<_>>(),
    })
}

fn notification(missing: &NotRun) -> Value {
    json!({
        "level": "warning",
        "message": text(&format!("Not run: {}: {}", missing.what, missing.reason)),
    })
}

/// A message; braces would be placeholders (section 3.11.5), so they are doubled.
fn text(plain: &str) -> Value {
    json!({ "text": plain.replace('{', "{{").replace('}', "}}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::{agreeing, disagreeing, finding};

    fn run(report: &Report) -> Value {
        let mut log: Value = serde_json::from_str(&render(report)).unwrap();
        assert_eq!(log["version"], "2.1.0");
        log["runs"][0].take()
    }

    #[test]
    fn agreement_has_empty_results() {
        let run = run(&agreeing());
        assert_eq!(run["results"], json!([]));
        assert_eq!(run["tool"]["driver"]["rules"], json!([]));
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
        let notifications = &run["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notifications.as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_finding_is_a_result_of_the_rule_of_its_cause() {
        let mut report = disagreeing();
        let mut other = finding("r700-golden-3c4d", "00", 1);
        other.kind = "golden".into();
        report.findings.push(other);
        let mut third = finding("gfd-golden-5e6f", "", 0);
        third.target = "gfd".into();
        report.findings.push(third);
        let run = run(&report);
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert_eq!(rules.len(), 2);
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
        let result = &run["results"][0];
        assert_eq!(
            result["partialFingerprints"]["assayFinding/v1"],
            "r700-differential-1a2b"
        );
        assert_eq!(result["properties"]["hex"], "1100000000020000");
        assert_eq!(result["occurrenceCount"], 412);
        assert_eq!(run["results"][2].get("occurrenceCount"), None);
        let text = result["message"]["text"].as_str().unwrap();
        assert!(text.contains("<script>") && text.contains("r700 decoder says ADD (0)"));
    }

    #[test]
    fn braces_are_no_placeholders() {
        assert_eq!(text("v{0}"), json!({ "text": "v{{0}}" }));
    }

    #[test]
    fn nothing_judged_is_no_success() {
        let mut report = agreeing();
        report.tallies.clear();
        assert_eq!(run(&report)["invocations"][0]["executionSuccessful"], false);
    }

    #[test]
    fn the_same_report_gives_the_same_text() {
        assert_eq!(render(&disagreeing()), render(&disagreeing()));
        assert!(render(&agreeing()).ends_with("}\n"));
    }
}
