//! What pointers point to: a function per type that allocates elements and sets them.

use crate::derived::Lineage;
use crate::drivers::BUFFER;
use crate::names;
use crate::prelude::Piece;
use crate::text::{At, Block};
use crate::types::{Pointee, Rule, declaration};
use crate::values::Slot;
use crate::writer::{Shared, Writer};
use model::{TypeId, TypeKind};

impl Writer<'_> {
    /// An expression for the value of a pointer to `to`, to be put into `slot.place`.
    pub(crate) fn make(&mut self, slot: &Slot, to: TypeId) -> String {
        let Slot { place, depth, .. } = slot;
        let (mut to, mut target) = (to, format!("*{place}"));
        while let TypeKind::Array { element, length: None } = self.types.kind(to) {
            (to, target) = (*element, format!("({target})[0]"));
        }
        let elements =
            slot.count.clone().unwrap_or_else(|| self.sizes.pointer_count(to, slot.nested).to_string());
        let at = slot.at.text();
        match self.types.pointee(to) {
            Pointee::Null(_) => "0".into(),
            Pointee::Bytes => {
                self.piece(Piece::Array);
                format!("ctn_new_array(1, {elements} * 8, {depth}, {at})")
            }
            Pointee::Text => {
                self.piece(Piece::Text);
                format!("ctn_new_string({elements}, {depth}, {at})")
            }
            Pointee::Numbers => {
                self.piece(Piece::Array);
                format!("ctn_new_array(sizeof {target}, {elements}, {depth}, {at})")
            }
            Pointee::Zeroed => {
                self.piece(Piece::Zeroed);
                format!("ctn_new_zeroed(sizeof {target}, {depth}, {at})")
            }
            Pointee::Hidden(size) => self.hidden(to, size, depth, &at),
            Pointee::Stream => {
                self.piece(Piece::Stream);
                let usual = self.options.stream_length;
                let length = match slot.count.as_deref() {
                    Some(BUFFER) => format!("{BUFFER} > {usual} ? {BUFFER} : {usual}"),
                    _ => usual.to_string(),
                };
                format!("ctn_new_stream({length}, {depth}, {at})")
            }
            Pointee::Elements => {
                let maker = self.maker(to);
                format!("{maker}({elements}, {depth}, {at})")
            }
        }
    }

    pub(crate) fn maker(&mut self, to: TypeId) -> String {
        let written = match self.types.kind(to) {
            TypeKind::Record(record) => self.types.record(*record),
            _ => self.types.unqualified(to),
        };
        let written = written.unwrap_or_else(|| "char".into());
        let wanted = format!("ctn_new_{}", names::from_written(&written));
        let (at, depth, count) = (self.local("at"), self.local("depth"), self.local("count"));
        let unqualified: Vec<&str> = written.split(' ').filter(|word| *word != "const").collect();
        let key = Shared::Maker(unqualified.join(" "));
        let prototype =
            |name: &str| format!("static void *{name}(long {count}, int {depth}, const ctn_path *{at})");
        self.shared(key, &wanted, prototype, |writer, _| writer.maker_body(to, &written))
    }

    fn maker_body(&mut self, to: TypeId, written: &str) -> String {
        let (p, at, depth, count) =
            (self.local("p"), self.local("at"), self.local("depth"), self.local("count"));
        let mut block = Block::new();
        block.declare(format!("{};", declaration(written, &format!("*{p}"))));
        block.nested(format!("if ({})", self.nulls().instead(&depth, &at)), |block| {
            block.line("return 0;");
        });
        let flexible = match self.types.rule(to) {
            Rule::Record(record) => self.types.flexible(record),
            _ => None,
        };
        let more = flexible
            .and_then(|field| field.name.as_deref())
            .map_or(String::new(), |name| format!(" + {} * sizeof {p}->{name}[0]", self.options.elements));
        let lineage = match self.types.rule(to) {
            Rule::Record(record) => self.lineage(record),
            _ => Lineage::default(),
        };
        if !lineage.heirs.is_empty() {
            self.make_heirs(&mut block, &lineage);
            if lineage.plain.is_none() {
                return block.into_text();
            }
        }
        let size = format!("{count} * sizeof *{p}{more}");
        let size = if lineage.least > 0 {
            self.piece(Piece::Largest);
            format!("ctn_largest({size}, 0, {}ul)", lineage.least)
        } else {
            size
        };
        let memory = self.told_element(&format!("*{p}"), format!("ctn_alloc({size})"));
        block.line(format!("{p} = {memory};"));
        self.set_pointed(&mut block, to);
        self.assume_plain(&mut block, &lineage);
        if let Some(field) = flexible
            && let (Some(name), TypeKind::Array { element, .. }) = (&field.name, self.types.kind(field.ty))
        {
            let slot = Slot {
                ty: field.ty,
                place: format!("{p}->{name}"),
                at: At::variable(&at).name(&format!("->{name}")),
                depth: format!("{depth} - 1"),
                targets: &field.targets,
                nested: true,
                level: 0,
                unqualified: false,
                count: None,
            };
            self.set_flexible(&mut block, &slot, *element);
        }
        block.line(format!("return {};", self.nulls().result(&p, &at)));
        block.into_text()
    }

    /// Sets `p[0 .. count]`; the path of the first element of a record is written `p->member`.
    fn set_pointed(&mut self, block: &mut Block, to: TypeId) {
        let (p, at, count, i) = (self.local("p"), self.local("at"), self.local("count"), self.local("i"));
        let depth = format!("{} - 1", self.local("depth"));
        if let Rule::Record(record) = self.types.rule(to) {
            let Some(setter) = self.setter(record) else { return };
            let depth = if self.types.record_holds_pointers(record) {
                self.piece(Piece::Rest);
                format!(" ctn_rest({depth}, {i}),")
            } else {
                String::new()
            };
            self.piece(Piece::Element);
            let path = format!("CTN_ELEMENT({at}, {i})");
            block.repeat(&i, &count, |block| block.line(format!("{setter}(&{p}[{i}],{depth} {path});")));
            return;
        }
        let slot = Slot {
            ty: to,
            place: p,
            at: At::variable(&at),
            depth,
            targets: &[],
            nested: true,
            level: 0,
            unqualified: false,
            count: None,
        };
        self.set_elements(block, &slot, to, &count);
    }

    fn set_flexible(&mut self, block: &mut Block, slot: &Slot, element: TypeId) {
        let elements = self.options.elements.to_string();
        if self.types.rule(element) == Rule::Number {
            let place = &slot.place;
            block.line(format!("ctn_array({place}, sizeof {place}[0], {elements}, {});", slot.at.text()));
        } else {
            self.set_elements(block, slot, element, &elements);
        }
    }
}
