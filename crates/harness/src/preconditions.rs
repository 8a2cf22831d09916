//! What a driver assumes about the values of a function's parameters, because the program keeps to it: lengths
//! that fit the memory behind their pointer, constants that every call passes, indexes that nobody checks.
//!
//! Each can be switched off. None is written for values that the function itself checks, but for lengths: there
//! the assumption is about the memory that the driver makes.

use crate::drivers::Input;
use crate::inputs::State;
use crate::ranges::{
    CAPACITY, abbreviated, common_part, counted, ends_memory, is_bare_length, is_to_be_filled,
};
use crate::text::Block;
use crate::types::{Pointee, Rule};
use crate::writer::Writer;
use model::{Field, Function, Global, GlobalScope, IndexUse, LengthUse, TypeId, TypeKind};

/// Which are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preconditions {
    /// Of a pointer and its length, the length is at most what is allocated.
    pub sizes: bool,
    /// A parameter is one of the constants that calls pass.
    pub constants: bool,
    /// A parameter or a global is within the values that the program puts there.
    pub ranges: bool,
    /// An index that the function neither changes nor checks is within its array.
    pub indexes: bool,
    /// A pointer to a function is null only where the program puts null there or asks for it.
    pub functions: bool,
    /// A pointer into which the program puts nothing but the addresses of certain objects leads to one of them, and a
    /// pointer to a function to those that are put there, also where they are static in other files.
    pub objects: bool,
    /// What is in a union is what the tag beside it says.
    pub tags: bool,
}

impl Default for Preconditions {
    fn default() -> Preconditions {
        Preconditions {
            sizes: true,
            constants: true,
            ranges: true,
            indexes: true,
            functions: true,
            objects: true,
            tags: true,
        }
    }
}

/// One assumption, as it stands in the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precondition {
    pub kind: PreconditionKind,
    /// A C condition over the parameters.
    pub condition: String,
    /// Where it is sure that the memory behind a pointer is as long as its length says.
    pub end: Option<End>,
}

/// The end of what is behind a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The driver's variable.
    pub pointer: String,
    /// What makes it so.
    pub statement: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PreconditionKind {
    Size,
    Constant,
    Range,
    Index,
}

impl PreconditionKind {
    pub fn name(self) -> &'static str {
        match self {
            PreconditionKind::Size => "size of a pointer",
            PreconditionKind::Constant => "constant parameter",
            PreconditionKind::Range => "value range",
            PreconditionKind::Index => "array index",
        }
    }
}

/// What programs call the arguments that they hand on, and their number.
pub const ARGUMENT_NAMES: [(&str, &str); 2] = [("argc", "argv"), ("ac", "av")];

/// More constants than this are no set that somebody had in mind.
const MOST_CONSTANTS: usize = 32;

impl Writer<'_> {
    pub(crate) fn preconditions(&self, function: &Function, inputs: &[Input]) -> Vec<Precondition> {
        let on = self.options.preconditions;
        let mut found = Vec::new();
        let mut ends: Vec<(&Input, &Input)> = Vec::new();
        let mut add = |kind, condition: Option<String>| {
            found.extend(condition.map(|condition| Precondition { kind, condition, end: None }));
        };
        for input in inputs.iter().filter(|input| self.is_small_number(function, input)) {
            let used = function.facts.indexes.iter().filter(|used| used.variable == input.path);
            for used in used.filter(|_| on.indexes) {
                add(PreconditionKind::Index, self.index(function, input, used));
            }
            // A byte is a length only where it is used as one.
            let counted = inputs.iter().filter(|pointer| {
                let is_open = self.points_to_numbers(pointer) && pointer.elements.is_none();
                is_open && length_by_use(function, pointer, input).is_some()
            });
            for pointer in counted.filter(|_| on.sizes) {
                add(PreconditionKind::Size, self.size(function, pointer, input));
                ends.push((pointer, input));
            }
        }
        for input in inputs.iter().filter(|input| self.is_integer(input)) {
            let constants = self.constants(function, input).filter(|_| on.constants);
            if on.ranges && constants.is_none() {
                add(PreconditionKind::Range, self.parameter_range(function, input));
            }
            add(PreconditionKind::Constant, constants);
            if on.indexes {
                let uses = function.facts.indexes.iter().filter(|used| used.variable == input.path);
                for used in uses {
                    add(PreconditionKind::Index, self.index(function, input, used));
                }
            }
            if on.sizes
                && let Some(pointer) = self.pointer_of(function, inputs, input)
            {
                add(PreconditionKind::Size, self.size(function, pointer, input));
                ends.push((pointer, input));
                // `out[2 * i] = left[i] + right[i]`: it counts what is behind each.
                for other in self.also_counted(function, inputs, pointer, input) {
                    add(PreconditionKind::Size, self.size(function, other, input));
                    ends.push((other, input));
                }
            }
        }
        for (number, (pointer, length)) in ends.iter().enumerate() {
            let only =
                !ends.iter().enumerate().any(|(other, end)| other != number && end.0.path == pointer.path);
            let by_use = length_by_use(function, pointer, length);
            let named_alike = common_part(&length.path.to_lowercase(), &pointer.path.to_lowercase()) >= 3;
            let by_name = ends_memory(&length.path) > 0 && (named_alike || is_bare_length(&length.path));
            let has_more = by_use.is_some_and(|used| used.is_read);
            let sure = only && (by_use.is_some() || by_name) && !is_length(&pointer.path) && !has_more;
            let size = found.iter_mut().filter(|found| found.kind == PreconditionKind::Size).nth(number);
            if let Some(size) = size.filter(|_| sure) {
                let most = pointer.count.clone().unwrap_or_else(|| self.options.elements.to_string());
                let used = match by_use.map(|used| used.each) {
                    Some(each) if each > 1 => format!("{each}ul * {}", length.variable),
                    _ => length.variable.clone(),
                };
                let is_room = by_use.is_some_and(|used| used.is_room);
                let is_output = self.is_output(function, pointer, length);
                let statement =
                    self.end_of_memory(pointer.ty, &pointer.variable, &most, &used, is_room || is_output);
                // What is there already, if anything looks at it, is a text that fits.
                let as_text = || {
                    let text = &pointer.variable;
                    let is_there = format!("{text} && {used} > 0 && {used} <= {most}");
                    format!("ctn_assume(!({is_there}) || !{text}[{used} - 1]); ")
                };
                let as_text = (is_output && !is_room).then(as_text).unwrap_or_default();
                let statement = statement.map(|statement| as_text + &statement);
                size.end = statement.map(|statement| End { pointer: pointer.variable.clone(), statement });
            }
        }
        // Two pointers to the same memory would end it twice. One pointer with two lengths is no such pair.
        let pairs = ends
            .iter()
            .enumerate()
            .flat_map(|(at, one)| ends[at + 1..].iter().map(move |other| (one, other)))
            .filter(|(one, other)| one.0.path != other.0.path);
        let each = |end: &(&Input, &Input)| length_by_use(function, end.0, end.1).map_or(1, |used| used.each);
        found.extend(pairs.filter(|(one, other)| self.may_alias(one.0.ty, other.0.ty)).map(
            |(one, other)| {
                if one.1.path == other.1.path && each(one) != each(other) {
                    let condition = format!("({} != {})", one.0.variable, other.0.variable);
                    return Precondition { kind: PreconditionKind::Size, condition, end: None };
                }
                let [pointers, lengths] =
                    [(one.0, other.0), (one.1, other.1)].map(|(one, other)| (&one.variable, &other.variable));
                let condition =
                    format!("({} != {}) | ({} == {})", pointers.0, pointers.1, lengths.0, lengths.1);
                Precondition { kind: PreconditionKind::Size, condition, end: None }
            },
        ));
        found.extend(self.arguments(inputs).filter(|_| on.sizes));
        found
    }

    /// Further pointers into which the number says how far the function goes. The index may go through a text before.
    fn also_counted<'i>(
        &self,
        function: &Function,
        inputs: &'i [Input],
        pointer: &Input,
        length: &Input,
    ) -> Vec<&'i Input> {
        let is_counted = |other: &&Input| {
            other.path != pointer.path
                && self.points_to_numbers(other)
                && other.elements.is_none()
                && !function.facts.ends_sought.contains(&other.path)
                && length_by_use(function, other, length).is_some()
        };
        let numbers = || inputs.iter().filter(|input| self.is_integer(input) && input.path != length.path);
        let has_own = |other: &&Input| {
            numbers().any(|number| {
                self.pointer_of(function, inputs, number).is_some_and(|of| of.path == other.path)
            })
        };
        inputs.iter().filter(is_counted).filter(|other| !has_own(other)).collect()
    }

    /// `(int argc, char **argv)`: so many strings, and a null pointer behind them.
    fn arguments(&self, inputs: &[Input]) -> Option<Precondition> {
        let pair = |number: &&Input| ARGUMENT_NAMES.iter().find(|(count, _)| *count == number.path);
        let number =
            inputs.iter().filter(|input| self.is_integer(input)).find(|input| pair(input).is_some())?;
        let (_, name) = pair(&number)?;
        let words = inputs.iter().find(|input| input.path == *name)?;
        let Rule::Pointer(to) = self.types.rule(words.ty) else { return None };
        let Rule::Pointer(letter) = self.types.rule(to) else { return None };
        if !self.is_text(letter) || words.elements.is_some() || words.list.is_some() {
            return None;
        }
        let count =
            words.count.as_deref().map_or(Some(self.options.elements.into()), |count| count.parse().ok());
        let most = count.filter(|count: &u64| *count > 1)? - 1;
        let (number, words) = (&number.variable, &words.variable);
        let condition =
            format!("({number} >= 0) & ({number} <= {most}) & (({words} != 0) | ({number} == 0))");
        let is_word = |at: u64| format!("(({number} <= {at}) | ({words}[{at}] != 0))");
        let all = (0..most).map(is_word).collect::<Vec<_>>().join(" & ");
        let statement = format!("if ({words}) {{ ctn_assume({all}); ((char **){words})[{number}] = 0; }}");
        let end = Some(End { pointer: words.clone(), statement });
        Some(Precondition { kind: PreconditionKind::Size, condition, end })
    }

    fn is_integer(&self, input: &Input) -> bool {
        matches!(self.types.kind(input.ty), TypeKind::Int { is_char: false, .. })
    }

    /// A byte that is declared under another name than `char`.
    fn is_small_number(&self, function: &Function, input: &Input) -> bool {
        let mut uses = function.facts.indexes.iter().filter(|used| used.variable == input.path);
        matches!(self.types.kind(input.ty), TypeKind::Int { is_char: true, .. })
            && uses.all(|used| !used.is_char)
    }

    fn is_signed(&self, input: &Input) -> bool {
        matches!(self.types.kind(input.ty), TypeKind::Int { signed: true, .. })
    }

    /// How much an element counts in a length: the length of records is one in bytes.
    fn bytes_of_length(&self, pointer: &Input, length: &Input) -> u64 {
        match self.types.rule(pointer.ty) {
            Rule::Pointer(to) if matches!(self.types.rule(to), Rule::Record(_)) => {
                self.unit.ty(to).size.filter(|_| is_length_in_bytes(&length.path)).unwrap_or(1).max(1)
            }
            _ => 1,
        }
    }

    /// All calls are known, and all pass constants.
    fn constants(&self, function: &Function, input: &Input) -> Option<String> {
        let all_known = !function.address_taken && self.program.users(function, self.image).is_none();
        let param = function.params.iter().find(|param| param.name == input.path).filter(|_| all_known)?;
        let values = param.constants.as_ref()?;
        if values.is_empty() || values.len() > MOST_CONSTANTS {
            return None;
        }
        let one = |value: &i64| format!("({} == {value}ll)", input.variable);
        Some(values.iter().map(one).collect::<Vec<_>>().join(" | "))
    }

    fn parameter_range(&self, function: &Function, input: &Input) -> Option<String> {
        let param = function.params.iter().find(|param| param.name == input.path)?;
        self.range(input.ty, &input.variable, param.range?)
    }

    /// What the program puts into the globals that the driver sets.
    pub(crate) fn global_ranges(&self, state: &State) -> Vec<Precondition> {
        let globals = state.globals.iter().map(|id| self.unit.global(*id));
        let condition = |global: &Global| self.range(global.ty, &global.name, global.range?);
        globals
            .filter(|_| self.options.preconditions.ranges)
            .filter_map(condition)
            .map(|condition| Precondition { kind: PreconditionKind::Range, condition, end: None })
            .collect()
    }

    /// What the program puts into a member that the driver sets.
    pub(crate) fn assume_range(&self, block: &mut Block, field: &Field, place: &str) {
        let range = field.range.filter(|_| self.options.preconditions.ranges);
        if let Some(condition) = range.and_then(|range| self.range(field.ty, place, range)) {
            block.line(format!("ctn_assume({condition}); /* {} */", PreconditionKind::Range.name()));
        }
    }

    /// Globals that say how much is behind a global pointer, by their names alone: `buf` and `blen`, `line` and `line_size`.
    pub(crate) fn global_sizes(&self, state: &State) -> Vec<Precondition> {
        if !self.options.preconditions.sizes {
            return Vec::new();
        }
        let of_file = self.unit.globals.iter().filter(|global| global.scope == GlobalScope::File);
        let pointers: Vec<&str> = of_file
            .filter(|global| self.is_plain_memory(global.ty))
            .map(|global| global.name.as_str())
            .collect();
        let is_set = |name: &str| state.globals.iter().any(|id| self.unit.global(*id).name == name);
        let mut found = Vec::new();
        for length in state.globals.iter().map(|id| self.unit.global(*id)) {
            let TypeKind::Int { is_char: false, signed, bits: 16.. } = *self.types.kind(length.ty) else {
                continue;
            };
            let named = |name: &&str| common_part(&length.name.to_lowercase(), &name.to_lowercase()) >= 3;
            let pointer = counted(&length.name, &pointers).filter(|name| {
                is_set(name) && (named(name) || abbreviated(&length.name, &pointers) == Some(*name))
            });
            let Some(pointer) = pointer.filter(|_| ends_memory(&length.name) > 0) else { continue };
            let most = self.options.elements.to_string();
            let condition = fits(&length.name, signed, &most, pointer);
            found.push(Precondition { kind: PreconditionKind::Size, condition, end: None });
        }
        found
    }

    /// Globals that the function indexes with and that nothing here writes or compares, where the program does keep
    /// them in bounds: a function that compares them exists elsewhere.
    pub(crate) fn global_indexes(&self, function: &Function, state: &State) -> Vec<Precondition> {
        if !self.options.preconditions.indexes || function.facts.indexes.is_empty() {
            return Vec::new();
        }
        let unit = self.unit_of(function);
        let mut found = Vec::new();
        for id in &state.globals {
            let global = self.unit.global(*id);
            let uses = function.facts.indexes.iter().filter(|used| used.variable == global.name);
            let uses: Vec<&IndexUse> = uses.filter(|_| self.names(function, global)).collect();
            let is_compared = |function: &Function| {
                function.facts.compared.contains(&global.name) && self.names(function, global)
            };
            let is_written = |function: &Function| {
                function.facts.written.contains(&global.name) && self.names(function, global)
            };
            let is_left_alone = !unit.iter().any(|part| is_compared(part) || is_written(part));
            if uses.is_empty() || !is_left_alone || !self.program.functions.iter().any(is_compared) {
                continue;
            }
            let signed = match *self.types.kind(global.ty) {
                TypeKind::Int { signed, .. } => signed,
                _ => continue,
            };
            let conditions =
                uses.into_iter().filter_map(|used| within(used, &global.name, signed, used.may_be_zero));
            found.extend(conditions.map(|condition| Precondition {
                kind: PreconditionKind::Index,
                condition,
                end: None,
            }));
        }
        found
    }

    /// Whether what a function calls so is this global.
    fn names(&self, function: &Function, global: &Global) -> bool {
        let home = self.program.file(function.file);
        let is_it = |other: &Global| {
            other.name == global.name && other.scope == global.scope && other.is_static == global.is_static
        };
        let same_home = !global.is_static || function.file == self.unit.id;
        same_home && function.globals.iter().any(|usage| is_it(home.global(usage.global)))
    }

    /// Both ends, but for those that the type says anyhow.
    fn range(&self, ty: TypeId, variable: &str, (low, high): (i64, i64)) -> Option<String> {
        let (bits, signed) = match *self.types.kind(ty) {
            TypeKind::Int { bits, signed, .. } | TypeKind::Enum { bits, signed, .. } if bits <= 64 => {
                (bits, signed)
            }
            _ => return None,
        };
        let half = 1i128 << (bits - 1);
        let (least, most) = if signed { (-half, half - 1) } else { (0, 2 * half - 1) };
        let mut ends = Vec::new();
        if i128::from(low) > least {
            ends.push(format!("({variable} >= {low}ll)"));
        }
        if i128::from(high) < most {
            ends.push(format!("({variable} <= {high}ll)"));
        }
        (!ends.is_empty()).then(|| ends.join(" & "))
    }

    /// The index is `x + a` and the function neither writes x nor compares it, but with zero: that there is none.
    fn index(&self, function: &Function, input: &Input, used: &IndexUse) -> Option<String> {
        let facts = &function.facts;
        if facts.bounded.contains(&used.variable) || facts.written.contains(&used.variable) {
            return None;
        }
        let may_be_zero = used.may_be_zero || facts.compared.contains(&used.variable);
        within(used, &input.variable, self.is_signed(input), may_be_zero)
    }

    /// The pointer whose length an integer is: by use, an index into it is compared with it; by name, it is
    /// called a length and the names have most in common. `(char *text, size_t size, int number)`: beside a sure
    /// length a number is just that, unless it is used as one.
    fn pointer_of<'i>(&self, function: &Function, inputs: &'i [Input], length: &Input) -> Option<&'i Input> {
        // What leads to a known number of elements has no length.
        let is_open = |input: &&Input| self.points_to_numbers(input) && input.elements.is_none();
        let pointers = || inputs.iter().filter(is_open);
        let used = |pointer: &&Input| length_by_use(function, pointer, length).is_some();
        let is_left = |pointer: &&Input| {
            !is_mere_number(&length.path) || !self.has_sure_length(function, inputs, pointer)
        };
        let by_name = || {
            let names: Vec<&str> = pointers().map(|pointer| pointer.path.as_str()).collect();
            let chosen = best_name(&length.path, &names)?;
            pointers().find(|pointer| pointer.path == chosen)
        };
        // `(const unsigned char *packet, int plen, struct result **out)`: the one that can have a length, or stands
        // right before it.
        let by_place = || {
            // A pointer to a length is none that has one.
            let plain =
                || pointers().filter(|pointer| self.is_plain_memory(pointer.ty) && !is_length(&pointer.path));
            let at = inputs.iter().position(|input| input.path == length.path)?;
            let before = at.checked_sub(1).and_then(|before| inputs.get(before));
            // `(char *to, const char *from, size_t size)`: there is as much room.
            let mut filled = plain().filter(|pointer| self.is_filled(pointer.ty));
            if let (CAPACITY, Some(only), None) = (ends_memory(&length.path), filled.next(), filled.next()) {
                return Some(only);
            }
            let mut candidates = plain();
            match (candidates.next().filter(|_| is_bare_length(&length.path))?, candidates.next()) {
                (only, None) => Some(only),
                _ => plain().find(|pointer| before.is_some_and(|before| before.path == pointer.path)),
            }
        };
        let is_room =
            |pointer: &&Input| length_by_use(function, pointer, length).is_some_and(|used| used.is_room);
        pointers()
            .find(is_room)
            .or_else(|| by_name().filter(used).or_else(|| pointers().find(used)))
            .or_else(|| by_name().or_else(by_place).filter(is_left))
    }

    /// Whether another number is the length of a pointer by its use, or by a name that says length or capacity.
    fn has_sure_length(&self, function: &Function, inputs: &[Input], pointer: &Input) -> bool {
        let is_its_length = |input: &Input| {
            ends_memory(&input.path) > 0
                && self.pointer_of(function, inputs, input).is_some_and(|of| of.path == pointer.path)
        };
        inputs
            .iter()
            .filter(|input| self.is_integer(input))
            .any(|input| length_by_use(function, pointer, input).is_some() || is_its_length(input))
    }

    /// Characters that the function puts somewhere, and a number that says how many there may be: there is no more room than
    /// that. Where it may be the length of a text, its NUL comes behind.
    fn is_output(&self, function: &Function, pointer: &Input, length: &Input) -> bool {
        function.facts.stores.contains(&pointer.path)
            && self.is_filled(pointer.ty)
            && matches!(self.types.rule(pointer.ty), Rule::Pointer(to) if self.is_text(to))
            && (ends_memory(&length.path) >= CAPACITY || is_to_be_filled(&pointer.path))
    }

    /// Something may be written through it.
    fn is_filled(&self, ty: TypeId) -> bool {
        matches!(self.types.rule(ty), Rule::Pointer(to) if !self.types.is_const(to))
    }

    fn is_plain_memory(&self, ty: TypeId) -> bool {
        match self.types.rule(ty) {
            Rule::Pointer(to) => {
                matches!(self.types.pointee(to), Pointee::Numbers | Pointee::Bytes | Pointee::Text)
            }
            _ => false,
        }
    }

    /// Memory of as many elements as the driver allocates, however large each is.
    fn points_to_numbers(&self, input: &Input) -> bool {
        match self.types.rule(input.ty) {
            Rule::Pointer(to) => matches!(
                self.types.pointee(to),
                Pointee::Numbers | Pointee::Bytes | Pointee::Text | Pointee::Elements
            ),
            _ => false,
        }
    }

    fn size(&self, function: &Function, pointer: &Input, length: &Input) -> Option<String> {
        let elements = pointer.count.clone().unwrap_or_else(|| self.options.elements.to_string());
        let by_use = length_by_use(function, pointer, length);
        let each = by_use.map_or(1, |used| used.each);
        let most = match self.bytes_of_length(pointer, length) {
            1 if by_use.is_some_and(|used| used.is_read) => format!("({elements} - 1) / {each}"),
            1 if each > 1 => format!("{elements} / {each}"),
            1 => elements,
            bytes => format!("{elements} * {bytes}"),
        };
        let is_signed = self.is_signed(length);
        let fits = fits(&length.variable, is_signed, &most, &pointer.variable);
        // What a function keeps below a constant it does not trust: it may be less than nothing, too.
        let is_trusted = !is_signed || !function.facts.capped.contains(&length.path);
        Some(if is_trusted { fits } else { format!("({} < 0) | ({fits})", length.variable) })
    }
}

/// An index into the pointer is compared with the number.
fn length_by_use<'f>(function: &'f Function, pointer: &Input, number: &Input) -> Option<&'f LengthUse> {
    let is_it = |used: &&LengthUse| used.pointer == pointer.path && used.length == number.path;
    function.facts.lengths.iter().filter(is_it).max_by_key(|used| (used.is_room, used.each))
}

/// A name that says number, of whatever: `number`, `num_lines`, `n`. It may be the value itself.
fn is_mere_number(name: &str) -> bool {
    let lower = name.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    ends_memory(name) == 0 && !says(&["len", "size", "count", "cnt"]) && lower != "sz"
}

pub(crate) fn is_length(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["len", "size", "count", "cnt", "num"].iter().any(|word| lower.contains(word))
        || ["n", "sz"].contains(&lower.as_str())
}

/// A length, in the sense of bytes; a number of elements is called a count.
pub(crate) fn is_length_in_bytes(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["len", "size"].iter().any(|word| lower.contains(word)) || lower == "sz"
}

/// Among the names of pointers, the one that has the longest part in common with the name of a length; None if
/// the name is not one of a length, or the choice is not clear.
fn best_name<'n>(length: &str, pointers: &[&'n str]) -> Option<&'n str> {
    let lower = length.to_lowercase();
    if !is_length(length) {
        return None;
    }
    if let [only] = pointers {
        return Some(only);
    }
    if let Some(pointer) = abbreviated(length, pointers) {
        return Some(pointer);
    }
    let mut scored: Vec<(usize, &str)> =
        pointers.iter().map(|name| (common_part(&lower, &name.to_lowercase()), *name)).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    match scored[..] {
        [(best, name), (second, _), ..] if best > second && best >= 2 => Some(name),
        _ => None,
    }
}

/// That a length is one of at most so much memory, and of none behind a null pointer.
pub(crate) fn fits(length: &str, signed: bool, most: &str, pointer: &str) -> String {
    let low = if signed { format!("({length} >= 0) & ") } else { String::new() };
    format!("{low}({length} <= {most}) & (({pointer} != 0) | ({length} == 0))")
}

/// The same of a number that says in other ways that there is none, less than zero among them.
pub(crate) fn or_less(number: &str, most: u64, pointer: &str) -> String {
    format!("({number} <= {most}) & (({pointer} != 0) | ({number} <= 0))")
}

/// That `array[variable + offset]` exists, or that the variable is zero for none.
fn within(used: &IndexUse, variable: &str, signed: bool, may_be_zero: bool) -> Option<String> {
    let length = i64::try_from(used.length).ok()?;
    let (first, last) = (used.offset.checked_neg()?, length.checked_sub(used.offset)?.checked_sub(1)?);
    let low = if signed || first > 0 { format!("({variable} >= {first}) & ") } else { String::new() };
    let none = if may_be_zero && first > 0 { format!("({variable} == 0) | ") } else { String::new() };
    (last >= first).then(|| format!("{none}{low}({variable} <= {last})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_belongs_to_the_pointer_of_the_nearest_name() {
        assert_eq!(best_name("ptr_size", &["ptr", "other"]), Some("ptr"));
        assert_eq!(best_name("dstlen", &["src", "dst"]), Some("dst"));
        assert_eq!(best_name("srcLen", &["src", "dst"]), Some("src"));
        assert_eq!(best_name("count", &["items"]), Some("items"));
        assert_eq!(best_name("len", &["src", "dst"]), None, "either");
        assert_eq!(best_name("klen", &["made", "key", "val"]), Some("key"));
        assert_eq!(best_name("vlen", &["made", "key", "val"]), Some("val"));
        assert_eq!(best_name("offset", &["items"]), None, "no length");
        assert_eq!(best_name("size", &[]), None);
    }

    #[test]
    fn a_number_is_not_always_a_length() {
        for name in ["number", "num", "n", "num_lines"] {
            assert!(is_length(name) && is_mere_number(name), "{name}");
        }
        for name in ["len", "bufsize", "line_count", "num_max", "sz"] {
            assert!(!is_mere_number(name), "{name}");
        }
    }
}
