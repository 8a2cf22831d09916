//! The scalars that a value consists of. A label belongs to a scalar; structs, arrays and short vectors are
//! lists of them. Types that the engine does not express are one opaque leaf.

use crate::ir::{Ir, Type, TypeKind};

/// More scalars than this and the value is opaque.
const MAX_LEAVES: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    /// Integers and pointers, 1 to 128 bits.
    Int(u32),
    /// IEEE formats of 16, 32 and 64 bits.
    Float(u32),
    Opaque,
}

#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) scalar: Scalar,
    pub(crate) ty: Type,
    /// Bytes from the start of the value in memory.
    pub(crate) offset: u64,
    /// Indices of the leaf inside the value.
    pub(crate) path: Vec<u32>,
    pub(crate) in_vector: bool,
}

impl Scalar {
    pub(crate) fn bits(self) -> Option<u32> {
        match self {
            Scalar::Int(bits) | Scalar::Float(bits) => Some(bits),
            Scalar::Opaque => None,
        }
    }
}

pub(crate) fn scalar(ty: Type) -> Scalar {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind if ty.int_bits() <= 128 => Scalar::Int(ty.int_bits()),
        TypeKind::LLVMPointerTypeKind => Scalar::Int(64),
        TypeKind::LLVMHalfTypeKind => Scalar::Float(16),
        TypeKind::LLVMFloatTypeKind => Scalar::Float(32),
        TypeKind::LLVMDoubleTypeKind => Scalar::Float(64),
        _ => Scalar::Opaque,
    }
}

/// Whether the leaves of a value lie in memory at their offsets: vectors of bits, say, are packed.
pub(crate) fn addressable(leaves: &[Leaf]) -> bool {
    let odd = |leaf: &Leaf| leaf.in_vector && leaf.scalar.bits().is_some_and(|bits| bits % 8 != 0);
    !leaves.iter().any(odd)
}

/// The leaves of a type in order; one opaque leaf if there are too many.
pub(crate) fn leaves(ir: Ir, ty: Type) -> Vec<Leaf> {
    let mut all = Vec::new();
    if !collect(ir, ty, 0, &mut Vec::new(), &mut all) {
        return vec![Leaf { scalar: Scalar::Opaque, ty, offset: 0, path: Vec::new(), in_vector: false }];
    }
    all
}

fn collect(ir: Ir, ty: Type, offset: u64, path: &mut Vec<u32>, all: &mut Vec<Leaf>) -> bool {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => (0..ty.struct_length()).all(|i| {
            path.push(i);
            let fits = collect(ir, ty.struct_element(i), offset + ir.offset(ty, i), path, all);
            path.pop();
            fits
        }),
        TypeKind::LLVMArrayTypeKind if ty.array_length() as usize > MAX_LEAVES => false,
        TypeKind::LLVMArrayTypeKind => {
            let size = ir.size(ty.element());
            (0..ty.array_length()).all(|i| {
                path.push(i as u32);
                let fits = collect(ir, ty.element(), offset + i * size, path, all);
                path.pop();
                fits
            })
        }
        TypeKind::LLVMVectorTypeKind
            if ty.vector_length() as usize <= MAX_LEAVES && scalar(ty.element()) != Scalar::Opaque =>
        {
            let bytes = u64::from(scalar(ty.element()).bits().unwrap_or(0) / 8);
            for lane in 0..ty.vector_length() {
                let path = path.iter().copied().chain([lane]).collect();
                let offset = offset + u64::from(lane) * bytes;
                all.push(Leaf {
                    scalar: scalar(ty.element()),
                    ty: ty.element(),
                    offset,
                    path,
                    in_vector: true,
                });
            }
            all.len() <= MAX_LEAVES
        }
        _ => {
            all.push(Leaf { scalar: scalar(ty), ty, offset, path: path.clone(), in_vector: false });
            all.len() <= MAX_LEAVES
        }
    }
}
