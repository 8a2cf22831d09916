//! From terms to the formulas of a back end.
//!
//! A term of 1 bit becomes a truth value, a wider one a bit-vector. Chains of floating-point operations stay
//! in the theory of floats; their bit patterns are made only where bits are asked for: a new bit-vector that is
//! defined to stand for the float, or, for NaN, the pattern that the hardware would give. C's `fmod` has no
//! affordable counterpart and becomes an unknown: then unsat still holds, and models must be checked.
//!
//! Nothing recurses: one sweep down the ids finds what is needed in which shape, one sweep up builds it.

mod float;
mod integer;

use crate::formula::{Formulas, Operation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::time::Instant;
use term::{FloatBinary, Kind, Pool, TermId, VarId};

/// The shapes in which a term can be needed.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Shapes {
    plain: bool,
    float: bool,
    /// The bit pattern it has if it is NaN.
    nan: bool,
}

const PLAIN: Shapes = Shapes { plain: true, float: false, nan: false };
const FLOAT: Shapes = Shapes { plain: false, float: true, nan: false };
const NAN: Shapes = Shapes { plain: false, float: true, nan: true };

#[derive(Clone, Copy)]
struct Encoded<T> {
    plain: Option<T>,
    float: Option<T>,
    nan: Option<T>,
}

/// What has been encoded so far.
pub(crate) struct Encoder<T> {
    terms: FxHashMap<TermId, Encoded<T>>,
    variables: FxHashMap<VarId, T>,
    /// Conditions that define the bit patterns of floats; they must hold wherever the term is used.
    definitions: FxHashMap<TermId, T>,
    /// Terms that stand for something that is not expressed.
    unexpressed: FxHashSet<TermId>,
    /// How much has been built, about in formulas of the back end.
    built: usize,
}

/// A set of constraints, ready to be asserted.
pub(crate) struct Encoding<T> {
    /// The constraints in their order.
    pub constraints: Vec<T>,
    /// Definitions that the constraints rely on.
    pub definitions: Vec<T>,
    /// Whether something the constraints use is left open.
    pub abstracted: bool,
}

impl<T: Copy> Encoder<T> {
    pub(crate) fn new() -> Encoder<T> {
        Encoder {
            terms: FxHashMap::default(),
            variables: FxHashMap::default(),
            definitions: FxHashMap::default(),
            unexpressed: FxHashSet::default(),
            built: 0,
        }
    }

    /// How much has been built: a read from a table counts as much as its entries.
    pub(crate) fn size(&self) -> usize {
        self.built
    }

    /// The back end's term for a variable, if it was used.
    pub(crate) fn variable(&self, var: VarId) -> Option<T> {
        self.variables.get(&var).copied()
    }

    pub(crate) fn encode<F: Formulas<Term = T>>(
        &mut self,
        formulas: &mut F,
        pool: &Pool,
        constraints: &[TermId],
    ) -> Encoding<T> {
        self.build_all(formulas, pool, constraints, None);
        self.gather(pool, constraints)
    }

    /// None: the deadline passed. What was built until then stays and is not built again.
    pub(crate) fn encode_until<F: Formulas<Term = T>>(
        &mut self,
        formulas: &mut F,
        pool: &Pool,
        constraints: &[TermId],
        deadline: Instant,
    ) -> Option<Encoding<T>> {
        let is_complete = self.build_all(formulas, pool, constraints, Some(deadline));
        is_complete.then(|| self.gather(pool, constraints))
    }

    /// Whether everything was built before the deadline.
    fn build_all<F: Formulas<Term = T>>(
        &mut self,
        formulas: &mut F,
        pool: &Pool,
        constraints: &[TermId],
        deadline: Option<Instant>,
    ) -> bool {
        let mut needed: BTreeMap<TermId, Shapes> = BTreeMap::new();
        let mut wanted: BTreeMap<TermId, Shapes> = BTreeMap::new();
        for constraint in constraints {
            wanted.insert(*constraint, PLAIN);
        }
        while let Some((term, shapes)) = wanted.pop_last() {
            let shapes = self.missing(pool, term, shapes);
            if shapes == Shapes::default() {
                continue;
            }
            needed.insert(term, shapes);
            for_each_need(pool, term, shapes, |operand, shapes| {
                let entry = wanted.entry(operand).or_default();
                *entry = entry.with(shapes);
            });
        }
        let mut looked_at = self.built;
        for (term, shapes) in needed {
            self.build(formulas, pool, term, shapes);
            self.built += weight(pool, term);
            if self.built - looked_at > BETWEEN_LOOKS {
                looked_at = self.built;
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return false;
                }
            }
        }
        true
    }

    /// The shapes that are still to be built; what one shape rests on is included.
    fn missing(&self, pool: &Pool, term: TermId, shapes: Shapes) -> Shapes {
        let mut shapes = shapes;
        if is_float(pool, term) {
            if shapes.plain {
                shapes = shapes.with(NAN);
            }
        } else if !is_float_choice(pool, term) && (shapes.float || shapes.nan) {
            shapes.plain = true;
        }
        let Some(done) = self.terms.get(&term) else { return shapes };
        Shapes {
            plain: shapes.plain && done.plain.is_none(),
            float: shapes.float && done.float.is_none(),
            nan: shapes.nan && done.nan.is_none(),
        }
    }

    fn gather(&self, pool: &Pool, constraints: &[TermId]) -> Encoding<T> {
        let mut encoding = Encoding {
            constraints: constraints.iter().map(|constraint| self.plain(*constraint)).collect(),
            definitions: Vec::new(),
            abstracted: false,
        };
        if self.definitions.is_empty() && self.unexpressed.is_empty() {
            return encoding;
        }
        let mut seen = FxHashSet::default();
        let mut tables = FxHashSet::default();
        let mut todo = constraints.to_vec();
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            encoding.definitions.extend(self.definitions.get(&term));
            encoding.abstracted |= self.unexpressed.contains(&term);
            let kind = pool.kind(term);
            todo.extend(kind.operands());
            if let Kind::Select { table, .. } = kind
                && tables.insert(table)
            {
                todo.extend_from_slice(pool.table(table));
            }
        }
        encoding
    }

    fn entry(&mut self, term: TermId) -> &mut Encoded<T> {
        self.terms.entry(term).or_insert(Encoded { plain: None, float: None, nan: None })
    }

    // The sweep down asked for these shapes before the sweep up reads them: a miss would be a fault here.
    fn plain(&self, term: TermId) -> T {
        self.terms.get(&term).and_then(|encoded| encoded.plain).expect("needed, hence built")
    }

    fn float(&self, term: TermId) -> T {
        self.terms.get(&term).and_then(|encoded| encoded.float).expect("needed, hence built")
    }

    fn nan(&self, term: TermId) -> T {
        self.terms.get(&term).and_then(|encoded| encoded.nan).expect("needed, hence built")
    }

    /// The term as a bit-vector, whatever its width.
    fn vector<F: Formulas<Term = T>>(&self, formulas: &mut F, pool: &Pool, term: TermId) -> T {
        let plain = self.plain(term);
        if pool.bits(term) > 1 {
            return plain;
        }
        let (one, zero) = (formulas.bits(1, 1), formulas.bits(1, 0));
        formulas.apply(Operation::Ite, &[plain, one, zero])
    }

    fn build<F: Formulas<Term = T>>(&mut self, formulas: &mut F, pool: &Pool, term: TermId, shapes: Shapes) {
        if is_float(pool, term) {
            self.build_float(formulas, pool, term, shapes);
            return;
        }
        if shapes.plain {
            let plain = self.build_plain(formulas, pool, term);
            self.entry(term).plain = Some(plain);
        }
        if shapes.float {
            let float = self.read_as_float(formulas, pool, term);
            self.entry(term).float = Some(float);
        }
        if shapes.nan {
            let nan = self.nan_of_bits(formulas, pool, term);
            self.entry(term).nan = Some(nan);
        }
    }
}

impl Shapes {
    fn with(self, other: Shapes) -> Shapes {
        Shapes {
            plain: self.plain || other.plain,
            float: self.float || other.float,
            nan: self.nan || other.nan,
        }
    }
}

/// The clock is looked at after this much has been built.
const BETWEEN_LOOKS: usize = 1000;

/// About how many formulas the term becomes, without its operands.
fn weight(pool: &Pool, term: TermId) -> usize {
    match pool.kind(term) {
        Kind::Select { table, .. } => pool.table(table).len(),
        _ => 1,
    }
}

/// Whether the term is the result of a floating-point operation.
fn is_float(pool: &Pool, term: TermId) -> bool {
    match pool.kind(term) {
        Kind::FloatBinary(op, ..) => op != FloatBinary::Rem,
        Kind::FloatUnary(..)
        | Kind::FloatFma(..)
        | Kind::SignedToFloat(_)
        | Kind::UnsignedToFloat(_)
        | Kind::FloatConvert(_) => true,
        _ => false,
    }
}

/// Whether the term chooses between values, so that it can choose between floats.
fn is_float_choice(pool: &Pool, term: TermId) -> bool {
    matches!(pool.kind(term), Kind::Ite { .. })
}

/// Calls `need` for each operand with the shapes that building `shapes` of `term` takes.
fn for_each_need(pool: &Pool, term: TermId, shapes: Shapes, mut need: impl FnMut(TermId, Shapes)) {
    let of_floats = if shapes.nan { NAN } else { FLOAT };
    match pool.kind(term) {
        Kind::FloatBinary(FloatBinary::Rem, ..) => {}
        Kind::FloatCompare(_, a, b) => {
            need(a, FLOAT);
            need(b, FLOAT);
        }
        Kind::FloatToSigned(a) | Kind::FloatToUnsigned(a) => need(a, FLOAT),
        Kind::SignedToFloat(a) | Kind::UnsignedToFloat(a) => need(a, PLAIN),
        kind
        @ (Kind::FloatUnary(..) | Kind::FloatBinary(..) | Kind::FloatFma(..) | Kind::FloatConvert(_)) => {
            kind.operands().for_each(|operand| need(operand, of_floats));
        }
        Kind::Ite { condition, then, otherwise } => {
            need(condition, PLAIN);
            need(then, shapes);
            need(otherwise, shapes);
        }
        Kind::Select { table, index } => {
            need(index, PLAIN);
            pool.table(table).iter().for_each(|element| need(*element, PLAIN));
        }
        kind => kind.operands().for_each(|operand| need(operand, PLAIN)),
    }
}
