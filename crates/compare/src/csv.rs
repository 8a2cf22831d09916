//! Comma-separated values: one line per run and growth of coverage, and one line per strategy and subject.

use crate::comparison::Comparison;
use std::fmt::Write;

/// Every growth of coverage of every run, and its end.
pub fn runs(comparison: &Comparison) -> String {
    let mut text = "subject,strategy,seed,executions,milliseconds,covered,total\n".to_owned();
    for run in comparison.subjects.iter().flat_map(|subject| &subject.runs) {
        let end = (run.executions, run.milliseconds, run.covered());
        let points = run.points.iter().map(|point| (point.executions, point.milliseconds, point.covered));
        for (executions, milliseconds, covered) in points.chain([end]) {
            let (subject, strategy) = (field(&run.subject), field(&run.strategy));
            let _ = writeln!(
                text,
                "{subject},{strategy},{},{executions},{milliseconds:.3},{covered},{}",
                run.seed, run.total
            );
        }
    }
    text
}

pub fn summary(comparison: &Comparison) -> String {
    let mut text = "subject,total,strategy,repeats,covered_1,covered_2,covered_3,covered_4,interval,\
                    executions_to_90_percent,missed,p,larger,milliseconds,selecting_percent,\
                    selecting_us_per_execution,bytes_per_node,longest_path\n"
        .to_owned();
    for subject in &comparison.subjects {
        for row in &subject.rows {
            let covered: Vec<String> = row.covered.iter().map(|value| format!("{value:.2}")).collect();
            let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{:.1},{},{},{},{:.0},{:.3},{:.2},{:.1},{}",
                field(&subject.name),
                subject.total,
                field(&row.strategy),
                row.repeats,
                covered.join(","),
                number(row.interval),
                row.to_target,
                row.missed,
                number(row.p),
                number(row.larger),
                row.milliseconds,
                row.selecting_percent,
                row.selecting_us_per_execution,
                row.bytes_per_node,
                row.longest_path,
            );
        }
    }
    text
}

fn field(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use crate::run::tests::run;

    #[test]
    fn lines() {
        let other = Run { subject: "a, \"b\"".into(), ..run("bfs", 2, &[]) };
        let comparison = Comparison::new(vec![run("dfs", 1, &[(1, 10), (5, 20)]), other], 100);
        assert_eq!(
            runs(&comparison),
            "subject,strategy,seed,executions,milliseconds,covered,total\n\
             s,dfs,1,1,1.000,10,100\n\
             s,dfs,1,5,5.000,20,100\n\
             s,dfs,1,100,100.000,20,100\n\
             \"a, \"\"b\"\"\",bfs,2,100,100.000,0,100\n"
        );
        let summary = summary(&comparison);
        let columns: Vec<usize> =
            summary.lines().filter(|line| !line.contains('"')).map(|line| line.split(',').count()).collect();
        assert_eq!(columns, [18, 18], "{summary}");
        assert!(summary.contains("s,100,dfs,1,20.00,20.00,20.00,20.00,,5.0,0,,,100,2.000,20.00,30.0,0"));
    }
}
