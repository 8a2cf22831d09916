//! The measurement against llvm-cov's own, on decisions of many shapes and runs of many kinds.

use coverage::{CoverageTools, Criterion, Measured, Measurement, RanTest, mapping};
use std::path::{Path, PathBuf};
use std::process::Command;

const CLANG: &str = "/usr/lib/llvm-19/bin/clang";

struct Program {
    directory: tempfile::TempDir,
    tools: CoverageTools,
}

impl Program {
    fn new() -> Program {
        let directory = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decisions.c");
        let object = directory.path().join("decisions.o");
        let image = directory.path().join("decisions");
        let mut compile = Command::new(CLANG);
        compile.args(["-c", "-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"]);
        compile.args(["-mllvm", "-enable-name-compression=false"]);
        assert!(compile.arg(source).arg("-o").arg(&object).status().unwrap().success());
        let mut link = Command::new(CLANG);
        link.arg("-fprofile-instr-generate").arg(&object).arg("-o").arg(&image);
        assert!(link.status().unwrap().success());
        Program { directory, tools: CoverageTools::beside(Path::new(CLANG)).unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn run(&self, name: &str, arguments: &str) -> PathBuf {
        let raw = self.path(&format!("{name}.profraw"));
        let status = Command::new(self.path("decisions"))
            .args(arguments.split_whitespace())
            .env("LLVM_PROFILE_FILE", &raw)
            .status()
            .unwrap();
        assert!(status.success());
        raw
    }

    /// Measures the runs, and fails where llvm-cov counts otherwise.
    fn measure(&self, runs: &[&str]) -> Measured {
        let objects = [self.path("decisions.o")];
        let mut measurement = Measurement::new(mapping::of_object(&objects[0]).unwrap(), |_| true);
        let mut raw = Vec::new();
        for (number, arguments) in runs.iter().enumerate() {
            let file = self.run(&format!("run{number}"), arguments);
            let test = RanTest {
                function: "main".into(),
                file: "decisions.c".into(),
                input: number.to_string(),
                end: "exit 0".into(),
                time_ms: 0,
            };
            measurement.add(test, &self.tools.read(&file).unwrap());
            raw.push(file);
        }
        let measured = measurement.finish(str::to_owned);
        assert_eq!(measured.problems, [""; 0]);
        let merged = self.path("all.profdata");
        self.tools.merge(&raw, &merged).unwrap();
        let export = self.tools.export(&objects, &merged).unwrap();
        assert_eq!(export.differences(&measured, str::to_owned), [""; 0]);
        measured
    }
}

fn conditions(measured: &Measured, name: &str, criterion: Criterion) -> (u64, u64) {
    let function = measured.functions.iter().find(|function| function.name == name).unwrap();
    let ratio = function.mcdc_ratio(criterion);
    (ratio.covered, ratio.total)
}

#[test]
fn the_measurement_agrees_with_llvm_cov() {
    let program = Program::new();
    program.measure(&["0 0 0 0"]);
    program.measure(&["1 1 1 1", "0 1 1 1", "1 0 1 1", "1 1 0 1"]);
    // Digits of a fixed sequence: runs with one, two and many evaluations of each decision.
    let mut state = 7_u32;
    let mut digits = |count: usize| {
        let next = |_| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (state >> 16 & 7).min(5).to_string()
        };
        (0..count).map(next).collect::<Vec<_>>().join(" ")
    };
    for calls in [1, 2, 5, 30] {
        let runs: Vec<String> = (0..6).map(|_| digits(4 * calls)).collect();
        program.measure(&runs.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

#[test]
fn vectors_name_the_tests_that_show_them() {
    let program = Program::new();
    let measured = program.measure(&["1 1 0 0", "0 0 0 0", "1 0 1 1"]);
    let four = measured.functions.iter().find(|function| function.name == "four").unwrap();
    let decision = &four.decisions[0];
    let written: Vec<String> = decision
        .vectors
        .iter()
        .zip(&decision.shown_by)
        .map(|(vector, tests)| {
            let letter = |value: &Option<bool>| value.map_or('-', |value| if value { 'T' } else { 'F' });
            let values: String = vector.values.iter().map(letter).collect();
            format!("{values} {} {tests:?}", vector.outcome)
        })
        .collect();
    // `nested` calls it too, with (b || c, a, b, c).
    assert_eq!(written, ["F-F- false [1]", "TT-- true [0, 2]", "TFTT true [2]"]);
    assert_eq!(decision.conditions[0].unique_cause, Some((0, 1)));
    assert_eq!(decision.conditions[1].masking, None);
    assert_eq!(decision.conditions[2].unique_cause, None);
    assert_eq!(decision.conditions[2].masking, Some((0, 2)));
    assert_eq!(conditions(&measured, "never", Criterion::Masking), (0, 2));
    assert_eq!(conditions(&measured, "constant", Criterion::UniqueCause).1, 2);
}
