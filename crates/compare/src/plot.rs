//! A subject as an SVG picture: mean coverage against executions and against time, with confidence bands.

use crate::comparison::Subject;
use crate::run::Run;
use crate::statistics::mean;
use std::fmt::Write;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
/// Between the two pictures.
const GAP: f64 = 60.0;
const LEGEND: f64 = 190.0;
/// Points of each line.
const STEPS: usize = 120;

/// Told apart also by those who do not see colours well; then the line is dashed.
const COLOURS: [&str; 9] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f3c8d", "#999933"];

/// One line: a mean and half an interval at each step.
type Line = Vec<(f64, f64)>;

pub fn svg(subject: &Subject, budget: u64) -> String {
    let longest = subject.runs.iter().map(|run| run.milliseconds).fold(0.0, f64::max);
    let most = subject.runs.iter().map(Run::covered).max().unwrap_or(0).max(1) as f64;
    let width = 2.0 * (LEFT + WIDTH) + GAP + LEGEND;
    let height = TOP + HEIGHT + 60.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escape(&subject.name)
    );
    let by_executions = |run: &Run, part: f64| run.covered_at((part * budget as f64) as u64) as f64;
    let by_time = |run: &Run, part: f64| run.covered_after(part * longest) as f64;
    panel(&mut text, subject, 0.0, ("executions", budget as f64), most, &by_executions);
    panel(&mut text, subject, LEFT + WIDTH + GAP, ("seconds", longest / 1000.0), most, &by_time);
    legend(&mut text, subject, width - LEGEND);
    text.push_str("</svg>\n");
    text
}

fn panel(
    text: &mut String,
    subject: &Subject,
    shift: f64,
    (label, end): (&str, f64),
    most: f64,
    value: &dyn Fn(&Run, f64) -> f64,
) {
    let x = |part: f64| shift + LEFT + part * WIDTH;
    let y = |covered: f64| TOP + HEIGHT * (1.0 - covered / (most * 1.05));
    for tick in 0..=4 {
        let part = f64::from(tick) / 4.0;
        let (across, up) = (x(part), y(part * most));
        let _ = writeln!(
            text,
            "<line x1=\"{:.1}\" y1=\"{up:.1}\" x2=\"{:.1}\" y2=\"{up:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.0}</text>\
             <text x=\"{across:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(0.0),
            x(1.0),
            x(0.0) - 6.0,
            up + 4.0,
            part * most,
            TOP + HEIGHT + 18.0,
            short(part * end),
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>\
         <text x=\"{:.1}\" y=\"{:.1}\">branch sides covered</text>",
        x(0.5),
        TOP + HEIGHT + 38.0,
        x(0.0),
        TOP - 6.0,
    );
    for (number, row) in subject.rows.iter().enumerate() {
        let runs: Vec<&Run> = subject.runs.iter().filter(|run| run.strategy == row.strategy).collect();
        let line: Line = (0..=STEPS)
            .map(|step| {
                let part = step as f64 / STEPS as f64;
                let values: Vec<f64> = runs.iter().map(|run| value(run, part)).collect();
                let (centre, half) = mean(&values).unwrap_or((0.0, 0.0));
                (centre, if half.is_finite() { half } else { 0.0 })
            })
            .collect();
        draw(text, number, &line, &x, &y);
    }
}

fn draw(text: &mut String, number: usize, line: &Line, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    let colour = COLOURS[number % COLOURS.len()];
    let at = |step: usize, covered: f64| {
        format!("{:.1},{:.1}", x(step as f64 / STEPS as f64), y(covered.max(0.0)))
    };
    if line.iter().any(|(_, half)| *half > 0.0) {
        let upper = line.iter().enumerate().map(|(step, (centre, half))| at(step, centre + half));
        let lower = line.iter().enumerate().rev().map(|(step, (centre, half))| at(step, centre - half));
        let band: Vec<String> = upper.chain(lower).collect();
        let _ = writeln!(
            text,
            "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.12\" stroke=\"none\"/>",
            band.join(" ")
        );
    }
    let points: Vec<String> = line.iter().enumerate().map(|(step, (centre, _))| at(step, *centre)).collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{}/>",
        points.join(" "),
        dashes(number)
    );
}

fn legend(text: &mut String, subject: &Subject, left: f64) {
    for (number, row) in subject.rows.iter().enumerate() {
        let up = TOP + 8.0 + 17.0 * number as f64;
        let _ = writeln!(
            text,
            "<line x1=\"{left:.1}\" y1=\"{up:.1}\" x2=\"{:.1}\" y2=\"{up:.1}\" stroke=\"{}\" stroke-width=\"2\"{}/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{} {:.1}</text>",
            left + 26.0,
            COLOURS[number % COLOURS.len()],
            dashes(number),
            left + 32.0,
            up + 4.0,
            escape(&row.strategy),
            row.covered.last().copied().unwrap_or(0.0),
        );
    }
}

fn dashes(number: usize) -> &'static str {
    ["", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 2\""][number / COLOURS.len() % 3]
}

fn short(value: f64) -> String {
    if value >= 100.0 || value == value.trunc() { format!("{value:.0}") } else { format!("{value:.2}") }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Comparison;
    use crate::run::tests::run;

    #[test]
    fn a_picture_has_two_lines_for_each_strategy() {
        let mut runs =
            vec![run("a<b", 1, &[(1, 10), (50, 90)]), run("dfs", 1, &[(1, 5)]), run("dfs", 2, &[(1, 9)])];
        runs.iter_mut().for_each(|run| run.subject = "f & g".into());
        let comparison = Comparison::new(runs, 100);
        let picture = svg(&comparison.subjects[0], 100);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert_eq!(picture.matches("<polyline").count(), 4);
        // Two runs have an interval, one has none.
        assert_eq!(picture.matches("<polygon").count(), 2);
        assert!(picture.contains("f &amp; g") && picture.contains("a&lt;b 90.0"));
        // The first line ends at the top mark, 90 of 94.5.
        let last = picture.split("<polyline points=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert!(last.is_some_and(|points| points.ends_with("520.0,55.2")), "{last:?}");
        assert!(!picture.contains("NaN"));
    }
}
