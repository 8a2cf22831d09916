//! Pointers to functions that give, resize or free memory: drivers set them to functions that really do, because
//! memory of another size than the program asked for hides overruns and makes up others.
//!
//! Told by what the program calls the pointer or puts into it, and by the types of its parameters.

use crate::text::Block;
use crate::writer::Writer;
use model::{TypeId, TypeKind};

/// What such a function does with which of its arguments, counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Allocator {
    /// As many bytes as the product of these arguments.
    Allocate {
        size: usize,
        count: Option<usize>,
    },
    Resize {
        block: usize,
        size: usize,
    },
    Free {
        block: usize,
    },
}

/// Parameters, as far as they matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pointer,
    Integer,
    Other,
}

impl Allocator {
    /// What its functions are called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Allocator::Allocate { .. } => "allocate",
            Allocator::Resize { .. } => "resize",
            Allocator::Free { .. } => "free",
        }
    }

    /// `parameter`: what the names of the parameters begin with, before their numbers.
    pub(crate) fn body(self, block: &mut Block, parameter: &str) {
        let argument = |number: usize| format!("{parameter}{number}");
        match self {
            Allocator::Allocate { size, count } => {
                let count =
                    count.map_or(String::new(), |count| format!(" * (unsigned long){}", argument(count)));
                block.line(format!("return __builtin_malloc((unsigned long){}{count});", argument(size)));
            }
            Allocator::Resize { block: old, size } => block.line(format!(
                "return __builtin_realloc((void *){}, (unsigned long){});",
                argument(old),
                argument(size)
            )),
            Allocator::Free { block: old } => {
                block.line(format!("__builtin_free((void *){});", argument(old)));
            }
        }
    }
}

impl Writer<'_> {
    /// What a pointer to a function of this type does with memory, if its name says that it does.
    pub(crate) fn allocator(&self, place: &str, targets: &[String], function: TypeId) -> Option<Allocator> {
        let TypeKind::Function { result, params, variadic: false, .. } = self.types.kind(function) else {
            return None;
        };
        let kinds: Vec<Kind> = params.iter().map(|param| self.kind_of(*param)).collect();
        // The last part of `hooks->malloc_fn`, `*(mem).alloc`.
        let name = place.rsplit(['.', '>', ' ']).next().unwrap_or_default().to_lowercase();
        let mut names = targets.iter().map(String::as_str).chain([name.as_str()]);
        names.find_map(|name| by_name(name, self.kind_of(*result), &kinds))
    }

    fn kind_of(&self, ty: TypeId) -> Kind {
        match self.types.kind(ty) {
            TypeKind::Pointer { .. } => Kind::Pointer,
            TypeKind::Int { bits: 32.., .. } => Kind::Integer,
            _ => Kind::Other,
        }
    }
}

/// Pointers that come before what is said about memory are the program's own (`opaque`, `ctx`).
fn by_name(name: &str, result: Kind, parameters: &[Kind]) -> Option<Allocator> {
    use Kind::{Integer, Pointer};
    let says = |word: &str| name.contains(word);
    let last = parameters.len();
    if says("free") || says("dealloc") {
        let block = (result == Kind::Other).then_some(last)?;
        return matches!(parameters, [Pointer] | [Pointer, Pointer]).then_some(Allocator::Free { block });
    }
    if result != Pointer || !says("alloc") {
        return None;
    }
    match parameters {
        [Pointer, Integer] | [Pointer, Pointer, Integer] if says("realloc") => {
            Some(Allocator::Resize { block: last - 1, size: last })
        }
        _ if says("realloc") => None,
        [Integer] | [Pointer, Integer] => Some(Allocator::Allocate { size: last, count: None }),
        [Integer, Integer] | [Pointer, Integer, Integer] => {
            Some(Allocator::Allocate { size: last, count: Some(last - 1) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Kind::{Integer, Other, Pointer};

    #[test]
    fn allocators_by_name_and_parameters() {
        let allocate = |size, count| Some(Allocator::Allocate { size, count });
        for (name, result, parameters, expected) in [
            ("malloc", Pointer, &[Integer][..], allocate(1, None)),
            ("my_alloc", Pointer, &[Pointer, Integer], allocate(2, None)),
            ("zalloc", Pointer, &[Pointer, Integer, Integer], allocate(3, Some(2))),
            ("calloc", Pointer, &[Integer, Integer], allocate(2, Some(1))),
            ("realloc_fcn", Pointer, &[Pointer, Integer], Some(Allocator::Resize { block: 1, size: 2 })),
            ("realloc", Pointer, &[Pointer, Pointer, Integer], Some(Allocator::Resize { block: 2, size: 3 })),
            ("free_fn", Other, &[Pointer], Some(Allocator::Free { block: 1 })),
            ("deallocate", Other, &[Pointer, Pointer], Some(Allocator::Free { block: 2 })),
            ("lookup", Pointer, &[Integer], None),
            ("alloc", Pointer, &[Other], None),
            ("realloc", Pointer, &[Integer], None),
            ("free", Pointer, &[Pointer], None),
        ] {
            assert_eq!(by_name(name, result, parameters), expected, "{name}");
        }
    }
}
