//! Objects of types that a file only declares, such as the handles of a library: the file that defines the type makes
//! them, for the harnesses of all files of the image.

use crate::names;
use crate::prelude::Piece;
use crate::reads::ANYBODY;
use crate::types::Pointee;
use crate::writer::Writer;
use model::{RecordId, TranslationUnit, TypeId, TypeKind};
use std::collections::BTreeMap;

impl Writer<'_> {
    /// An expression for a pointer to an object of a record of this size that another file defines.
    pub(crate) fn hidden(&mut self, to: TypeId, size: u64, depth: &str, at: &str) -> String {
        let name = match self.types.kind(to) {
            TypeKind::Record(record) => self.unit.record(*record).name.clone(),
            _ => None,
        };
        match name {
            Some(name) => {
                let maker = maker(&name);
                // Weak: the file that defines it may not compile, and then nothing makes it.
                let declared = format!("void *{maker}(int, const ctn_path *) __attribute__((weak))");
                self.externs.insert(maker.clone(), declared);
                self.piece(Piece::Hidden);
                format!("ctn_new_hidden({size}ul, {maker}, {depth}, {at})")
            }
            None => {
                self.piece(Piece::Zeroed);
                format!("ctn_new_zeroed({size}ul, {depth}, {at})")
            }
        }
    }

    /// Functions that make objects for other files, of the types that are defined here and only declared there.
    pub(crate) fn made_for_others(&mut self) -> Vec<String> {
        let (depth, at) = (self.local("depth"), self.local("at"));
        let mut functions: BTreeMap<String, String> = BTreeMap::new();
        for (ty, info) in (0..).map(TypeId).zip(&self.unit.types) {
            let TypeKind::Record(record) = info.kind else { continue };
            let Some(name) = self.unit.record(record).name.as_deref() else { continue };
            let maker = maker(name);
            if self.types.is_qualified(ty)
                || functions.contains_key(&maker)
                || !self.is_made_here(ty, record, name)
            {
                continue;
            }
            let made = self.maker(ty);
            let said = self.for_anybody(|writer| writer.say_reads(ANYBODY, &[ty]));
            let said = said.map_or(String::new(), |said| format!("    {said}\n"));
            let text = format!(
                "void *{maker}(int {depth}, const ctn_path *{at});\n\
                 void *{maker}(int {depth}, const ctn_path *{at})\n\
                 {{\n{said}    return {made}(1, {depth}, {at});\n}}\n"
            );
            functions.insert(maker, text);
        }
        functions.into_values().collect()
    }

    /// This file is the first of its image that defines the record, and another one knows only its name.
    fn is_made_here(&self, ty: TypeId, record: RecordId, name: &str) -> bool {
        let is_union = self.unit.record(record).is_union;
        let of = |unit: &TranslationUnit, complete: bool| {
            unit.records.iter().any(|other| {
                other.name.as_deref() == Some(name)
                    && other.is_union == is_union
                    && other.complete == complete
            })
        };
        let mut files = self.image.files.iter().map(|file| self.program.file(*file));
        self.types.pointee(ty) == Pointee::Elements
            && files.clone().find(|unit| of(unit, true)).is_some_and(|first| first.id == self.unit.id)
            && files.any(|unit| !of(unit, true) && of(unit, false))
    }
}

/// The same in all files.
fn maker(record: &str) -> String {
    format!("ctn_made_{}", names::from_written(record))
}
