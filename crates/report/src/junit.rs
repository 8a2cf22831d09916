//! JUnit's XML: one suite per function under test, one case per kept test, alarms as failures.

use crate::Findings;
use crate::xml::escape;
use campaign::{FunctionView, Status};
use std::fmt::Write;

pub fn junit(findings: &Findings<'_>) -> String {
    let mut suites = String::new();
    let (mut tests, mut failures, mut skipped) = (0, 0, 0);
    for function in &findings.view.functions {
        let counted = suite(findings, function, &mut suites);
        tests += counted.0;
        failures += counted.1;
        skipped += counted.2;
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"concertino\" tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\" errors=\"0\">\n\
         {suites}</testsuites>\n"
    )
}

/// Cases, failures and skipped ones of a function. A function without tests is one skipped case.
fn suite(findings: &Findings<'_>, function: &FunctionView, text: &mut String) -> (usize, usize, usize) {
    let view = findings.view;
    let class = escape(&format!("{}.{}", function.name.file, function.name.name));
    let own: Vec<_> =
        view.alarms.iter().filter(|alarm| alarm.unit == function.name && alarm.is_reported()).collect();
    let measured = |input: &str| {
        findings
            .measured?
            .tests
            .iter()
            .find(|test| test.input == input && test.function == function.name.name)
    };
    let mut cases = String::new();
    for test in &function.tests {
        let time = measured(&test.input).map_or(0, |test| test.time_ms);
        let _ = writeln!(
            cases,
            "  <testcase classname=\"{class}\" name=\"{}\" time=\"{:.3}\"><system-out>{}</system-out></testcase>",
            escape(&test.input),
            time as f64 / 1000.0,
            escape(&test.ending)
        );
    }
    for alarm in &own {
        let place = format!("{}:{}", alarm.file, alarm.line);
        let _ = writeln!(
            cases,
            "  <testcase classname=\"{class}\" name=\"alarm {}\" time=\"0\"><failure type=\"{}\" message=\"{} at {}\">{}\n\
             {}</failure></testcase>",
            escape(&alarm.id),
            alarm.class.name(),
            alarm.class.name(),
            escape(&place),
            escape(&alarm.replayed),
            escape(&format!("{} {}", findings.replay, alarm.id)),
        );
    }
    let mut count = function.tests.len() + own.len();
    let mut skipped = 0;
    if count == 0 {
        let reason = function.reason.as_deref().unwrap_or(match function.status {
            Some(Status::Done) => "no test was kept",
            _ => crate::json::NOT_TESTED,
        });
        let _ = writeln!(
            cases,
            "  <testcase classname=\"{class}\" name=\"{}\" time=\"0\"><skipped message=\"{}\"/></testcase>",
            escape(&function.name.name),
            escape(reason)
        );
        (count, skipped) = (1, 1);
    }
    let _ = write!(
        text,
        " <testsuite name=\"{class}\" tests=\"{count}\" failures=\"{}\" skipped=\"{skipped}\" errors=\"0\" time=\"{:.3}\">\n\
         {cases} </testsuite>\n",
        own.len(),
        function.time_ms as f64 / 1000.0
    );
    (count, own.len(), skipped)
}
