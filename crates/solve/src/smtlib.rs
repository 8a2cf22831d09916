//! Queries as SMT-LIB 2 text that any solver reads: one definition per term, in the order of building.

use crate::encode::Encoder;
use crate::formula::{Format, Formulas, Operation, Rounding};
use std::fmt::Write;
use std::path::PathBuf;
use std::{fs, io};
use term::{Pool, TermId};

/// The conjunction of `constraints` as a script that asks whether it can be satisfied.
pub fn smtlib(pool: &Pool, constraints: &[TermId]) -> String {
    let mut script = Script::default();
    let encoding = Encoder::new().encode(&mut script, pool, constraints);
    let logic = if script.floats { "QF_BVFP" } else { "QF_BV" };
    let mut text = format!("(set-logic {logic})\n{}", script.text);
    for term in encoding.definitions.iter().chain(&encoding.constraints) {
        let _ = writeln!(text, "(assert {})", Named(*term));
    }
    text.push_str("(check-sat)\n");
    text
}

/// Writes queries to a directory, numbered in the order in which they were asked.
pub(crate) struct Recorder {
    directory: PathBuf,
    next: u32,
    failed: bool,
}

impl Recorder {
    pub(crate) fn new(directory: PathBuf) -> Recorder {
        Recorder { directory, next: 0, failed: false }
    }

    /// Writes one query. The first failure is reported; the search goes on without a recording.
    pub(crate) fn record(&mut self, pool: &Pool, constraints: &[TermId]) {
        if self.failed {
            return;
        }
        if let Err(error) = self.write(&smtlib(pool, constraints)) {
            tracing::warn!(directory = %self.directory.display(), %error, "queries cannot be recorded");
            self.failed = true;
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        loop {
            self.next += 1;
            let path = self.directory.join(format!("{:06}.smt2", self.next));
            match fs::File::create_new(&path) {
                Ok(mut file) => return io::Write::write_all(&mut file, text.as_bytes()),
                // A recording of an earlier run, or of another worker.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Bool,
    Bits(u16),
    Float(Format),
}

/// A term of the script: its number and sort.
#[derive(Clone, Copy, Debug)]
struct Line {
    number: u32,
    sort: Sort,
}

struct Named(Line);

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "e{}", self.0.number)
    }
}

#[derive(Default)]
struct Script {
    text: String,
    count: u32,
    floats: bool,
}

impl Script {
    fn define(&mut self, sort: Sort, body: &str) -> Line {
        let line = Line { number: self.count, sort };
        self.count += 1;
        let _ = writeln!(self.text, "(define-fun {} () {} {body})", Named(line), sort_text(sort));
        line
    }
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Bits(bits) => format!("(_ BitVec {bits})"),
        Sort::Float(Format { exponent, significand }) => {
            format!("(_ FloatingPoint {exponent} {significand})")
        }
    }
}

fn rounding_text(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    }
}

impl Formulas for Script {
    type Term = Line;

    fn truth(&mut self, value: bool) -> Line {
        self.define(Sort::Bool, if value { "true" } else { "false" })
    }

    fn bits(&mut self, bits: u16, value: u128) -> Line {
        self.define(Sort::Bits(bits), &format!("#b{value:0width$b}", width = usize::from(bits)))
    }

    fn variable(&mut self, name: &str, bits: u16) -> Line {
        let sort = Sort::Bits(bits);
        let _ = writeln!(self.text, "(declare-const {name} {})", sort_text(sort));
        self.define(sort, name)
    }

    fn apply(&mut self, operation: Operation, operands: &[Line]) -> Line {
        use Operation::*;
        let first = operands.first().map_or(Sort::Bool, |operand| operand.sort);
        let width = match first {
            Sort::Bits(bits) => bits,
            _ => 0,
        };
        let to_fp = |format: Format| format!("(_ to_fp {} {})", format.exponent, format.significand);
        let nearest = rounding_text(Rounding::NearestEven);
        let (head, sort) = match operation {
            Not => ("not".into(), Sort::Bool),
            And => ("and".into(), Sort::Bool),
            Or => ("or".into(), Sort::Bool),
            Xor => ("xor".into(), Sort::Bool),
            Equal => ("=".into(), Sort::Bool),
            Ite => ("ite".to_string(), operands.last().map_or(first, |operand| operand.sort)),
            BvNot => ("bvnot".into(), first),
            BvAdd => ("bvadd".into(), first),
            BvSub => ("bvsub".into(), first),
            BvMul => ("bvmul".into(), first),
            BvUDiv => ("bvudiv".into(), first),
            BvSDiv => ("bvsdiv".into(), first),
            BvURem => ("bvurem".into(), first),
            BvSRem => ("bvsrem".into(), first),
            BvAnd => ("bvand".into(), first),
            BvOr => ("bvor".into(), first),
            BvXor => ("bvxor".into(), first),
            BvShl => ("bvshl".into(), first),
            BvLShr => ("bvlshr".into(), first),
            BvAShr => ("bvashr".into(), first),
            BvUlt => ("bvult".into(), Sort::Bool),
            BvSlt => ("bvslt".into(), Sort::Bool),
            BvUMulO | BvSMulO => return self.multiplication_overflow(operation == BvSMulO, width, operands),
            Concat => {
                let low = match operands.last().map(|operand| operand.sort) {
                    Some(Sort::Bits(bits)) => bits,
                    _ => 0,
                };
                ("concat".into(), Sort::Bits(width + low))
            }
            Extract { high, low } => (format!("(_ extract {high} {low})"), Sort::Bits(high - low + 1)),
            ZeroExtend(by) => (format!("(_ zero_extend {by})"), Sort::Bits(width + by)),
            SignExtend(by) => (format!("(_ sign_extend {by})"), Sort::Bits(width + by)),
            FpFromBits(format) => (to_fp(format), Sort::Float(format)),
            FpAdd => (format!("fp.add {nearest}"), first),
            FpSub => (format!("fp.sub {nearest}"), first),
            FpMul => (format!("fp.mul {nearest}"), first),
            FpDiv => (format!("fp.div {nearest}"), first),
            FpFma => (format!("fp.fma {nearest}"), first),
            FpSqrt => (format!("fp.sqrt {nearest}"), first),
            FpRound(rounding) => (format!("fp.roundToIntegral {}", rounding_text(rounding)), first),
            FpEqual => ("fp.eq".into(), Sort::Bool),
            FpLess => ("fp.lt".into(), Sort::Bool),
            FpLessEqual => ("fp.leq".into(), Sort::Bool),
            FpIsNaN => ("fp.isNaN".into(), Sort::Bool),
            FpFromSigned(format) | FpFromFp(format) => {
                (format!("{} {nearest}", to_fp(format)), Sort::Float(format))
            }
            FpFromUnsigned(format) => {
                let head = format!("(_ to_fp_unsigned {} {}) {nearest}", format.exponent, format.significand);
                (head, Sort::Float(format))
            }
            FpToSigned(bits) => {
                (format!("(_ fp.to_sbv {bits}) {}", rounding_text(Rounding::Zero)), Sort::Bits(bits))
            }
        };
        self.floats |= matches!(sort, Sort::Float(_));
        let mut body = format!("({head}");
        for operand in operands {
            let _ = write!(body, " {}", Named(*operand));
        }
        body.push(')');
        self.define(sort, &body)
    }
}

impl Script {
    /// Not in SMT-LIB before version 2.7: the product in twice the width does not fit.
    fn multiplication_overflow(&mut self, is_signed: bool, width: u16, operands: &[Line]) -> Line {
        let extend = if is_signed { Operation::SignExtend(width) } else { Operation::ZeroExtend(width) };
        let wide: Vec<Line> = operands.iter().map(|operand| self.apply(extend, &[*operand])).collect();
        let product = self.apply(Operation::BvMul, &wide);
        let low = self.apply(Operation::Extract { high: width - 1, low: 0 }, &[product]);
        let again = self.apply(extend, &[low]);
        let fits = self.apply(Operation::Equal, &[again, product]);
        self.apply(Operation::Not, &[fits])
    }
}
