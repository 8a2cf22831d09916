//! A program as text: for tests, and for people who want to see what was understood.

use crate::program::*;
use std::fmt::{self, Display, Formatter};

impl Display for Location {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}", self.file),
            (line, 0) => write!(f, "{}:{line}", self.file),
            (line, column) => write!(f, "{}:{line}:{column}", self.file),
        }
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{location}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            writeln!(f, "unit {} {}", file.id, self.relative(&file.path))?;
            file.fmt_types(f)?;
            file.fmt_globals(f)?;
            for function in self.functions.iter().filter(|function| function.file == file.id) {
                self.fmt_function(file, function, f)?;
            }
            file.fmt_externs(f)?;
        }
        for image in &self.images {
            let files: Vec<String> = image.files.iter().map(ToString::to_string).collect();
            write!(f, "image {} {}: {}", image.id, image.name, files.join(" "))?;
            if let Some(main) = image.main {
                write!(f, " main {main}")?;
            }
            for (symbol, file) in &image.undefined {
                write!(f, " undefined {symbol}@{file}")?;
            }
            writeln!(f)?;
        }
        for problem in &self.problems {
            writeln!(f, "problem {problem}")?;
        }
        Ok(())
    }
}

impl Program {
    fn relative(&self, path: &std::path::Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    fn fmt_function(
        &self,
        file: &TranslationUnit,
        function: &Function,
        f: &mut Formatter<'_>,
    ) -> fmt::Result {
        write!(f, "  {} ", function.id)?;
        let marks = [
            (function.is_static, "static "),
            (function.is_inline, "inline "),
            (function.is_knr, "knr "),
            (function.is_noreturn, "noreturn "),
            (function.is_never_null, "never-null "),
        ];
        for (_, mark) in marks.iter().filter(|(on, _)| *on) {
            f.write_str(mark)?;
        }
        let param = |p: &Param| {
            let length = p.declared_length.map(|n| format!(" of {n}")).unwrap_or_default();
            format!("{}: {}{length}{}", p.name, file.type_text(p.ty), range_text(p.range))
        };
        let mut params: Vec<String> = function.params.iter().map(param).collect();
        if function.variadic {
            params.push("...".into());
        }
        writeln!(
            f,
            "{}({}) -> {} at {}-{} complexity {}",
            function.name,
            params.join(", "),
            file.type_text(function.result),
            function.location,
            function.end_line,
            function.complexity
        )?;
        for used in &function.globals {
            let mode = match (used.reads, used.writes) {
                (true, true) => "reads, writes",
                (true, false) => "reads",
                (false, true) => "writes",
                (false, false) => "names",
            };
            writeln!(f, "    {mode} {} {}", used.global, file.global(used.global).name)?;
        }
        for callee in &function.calls {
            match callee {
                Callee::Defined(id) => writeln!(f, "    calls {id} {}", self.function(*id).name)?,
                Callee::External(name) => writeln!(f, "    calls external {name}")?,
            }
        }
        for ty in &function.indirect_calls {
            writeln!(f, "    calls through {}", file.type_text(*ty))?;
        }
        for (record, member) in &function.pointer_reads {
            let record = file.record(*record);
            let member = record.fields.get(*member as usize).and_then(|field| field.name.as_deref());
            let name = record.name.as_deref().unwrap_or("unnamed");
            writeln!(f, "    reads {name}.{}", member.unwrap_or("unnamed"))?;
        }
        for used in &function.tag_uses {
            let record = file.record(used.record);
            let name = |at: u32| record.fields.get(at as usize).and_then(|field| field.name.as_deref());
            let union = name(used.union).unwrap_or("unnamed");
            let tag = match used.within {
                Some(view) => format!("{union}.#{view}.#{}", used.tag),
                None => name(used.tag).unwrap_or("unnamed").to_owned(),
            };
            let record = record.name.as_deref().unwrap_or("unnamed");
            let member = used.member;
            writeln!(f, "    uses member {member} of {record}.{union} where .{tag} is {}", used.value)?;
        }
        for used in &function.facts.counts {
            let CountUse { record, pointer, number, each } = used;
            writeln!(f, "    counts {each} of {record}.{pointer} by .{number}")?;
        }
        for test in &function.facts.null_tests {
            writeln!(f, "    tests {test} for null")?;
        }
        for name in &function.facts.needed {
            writeln!(f, "    needs {name}")?;
        }
        for name in &function.facts.walked {
            writeln!(f, "    walks through {name}")?;
        }
        for name in &function.facts.ends_sought {
            writeln!(f, "    looks for the end of {name}")?;
        }
        for (first, last) in &function.facts.spans {
            writeln!(f, "    has {first} before {last} in one piece of memory")?;
        }
        let is_held = |origin: &Origin| matches!(origin, Origin::Held(_) | Origin::Result(_));
        for pointer in function.facts.followed.iter().filter(|pointer| pointer.origins.iter().any(is_held)) {
            let to = pointer.handed.as_ref().map(|(callee, at)| format!(" to {callee} #{at}"));
            let place = (pointer.line, pointer.column);
            writeln!(f, "    follows{} at {place:?} {:?}", to.unwrap_or_default(), pointer.origins)?;
        }
        for param in &function.params {
            for (part, rejected) in &param.checked {
                writeln!(f, "    callers check {}{part}: {rejected:?}", param.name)?;
            }
        }
        for (forth, back) in &function.facts.links {
            writeln!(f, "    .{back} leads back from .{forth}")?;
        }
        for member in &function.facts.compared_members {
            writeln!(f, "    compares .{member} with a pointer")?;
        }
        for record in &function.facts.null_types {
            writeln!(f, "    tests a pointer to {record} for null")?;
        }
        if function.address_taken {
            writeln!(f, "    address taken")?;
        }
        if let Some(reason) = &function.undrivable {
            writeln!(f, "    undrivable: {reason}")?;
        }
        Ok(())
    }
}

impl TranslationUnit {
    /// A type for readers: its spelling, or its number and what it is.
    fn type_text(&self, id: TypeId) -> String {
        match &self.ty(id).spelling {
            Some(spelling) => format!("{id} `{spelling}`"),
            None => format!("{id} unnamed"),
        }
    }

    fn fmt_types(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, ty) in self.types.iter().enumerate() {
            let id = TypeId(index as u32);
            write!(f, "  {} = {}", self.type_text(id), ty.kind)?;
            match (ty.size, ty.align) {
                (Some(size), Some(align)) => write!(f, ", size {size} align {align}")?,
                _ => write!(f, ", no size")?,
            }
            let qualifiers = [(ty.is_const, ", const"), (ty.is_volatile, ", volatile")];
            for (_, text) in qualifiers.iter().filter(|(on, _)| *on) {
                f.write_str(text)?;
            }
            writeln!(f)?;
        }
        for (index, record) in self.records.iter().enumerate() {
            // What is inside a FILE is the C library's business, and differs between its versions.
            let name = record.name.as_deref().unwrap_or("unnamed");
            let keyword = if record.is_union { "union" } else { "struct" };
            write!(f, "  {} {keyword} {name}", RecordId(index as u32))?;
            if record.is_system {
                writeln!(f, " of the system")?;
                continue;
            }
            writeln!(f, "{}", if record.complete { "" } else { " incomplete" })?;
            for field in &record.fields {
                let name = field.name.as_deref().unwrap_or("-");
                write!(f, "    {name}: {} at bit {}", self.type_text(field.ty), field.offset_bits)?;
                if let Some(width) = field.bit_width {
                    write!(f, " width {width}")?;
                }
                f.write_str(&range_text(field.range))?;
                f.write_str(if field.is_read { ", read from data" } else { "" })?;
                fmt_targets(&field.targets, f)?;
                writeln!(f)?;
            }
        }
        Ok(())
    }

    fn fmt_globals(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, global) in self.globals.iter().enumerate() {
            write!(f, "  {} ", GlobalId(index as u32))?;
            let marks = [
                (!global.defined, "extern "),
                (global.is_static, "static "),
                (global.is_thread_local, "thread-local "),
                (global.is_const, "const "),
            ];
            for (_, mark) in marks.iter().filter(|(on, _)| *on) {
                f.write_str(mark)?;
            }
            write!(f, "{}: {}", global.name, self.type_text(global.ty))?;
            if let GlobalScope::Function(function) = &global.scope {
                write!(f, " in {function}")?;
            }
            f.write_str(&range_text(global.range))?;
            f.write_str(if global.is_read { ", read from data" } else { "" })?;
            fmt_targets(&global.targets, f)?;
            writeln!(f)?;
        }
        Ok(())
    }

    fn fmt_externs(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for function in &self.externs {
            let mut params: Vec<String> = function.params.iter().map(|p| self.type_text(p.ty)).collect();
            if function.variadic {
                params.push("...".into());
            }
            if function.unprototyped {
                params.push("unprototyped".into());
            }
            let ending = if function.is_noreturn { " noreturn" } else { "" };
            let result = self.type_text(function.result);
            writeln!(f, "  extern {}({}) -> {result}{ending}", function.name, params.join(", "))?;
        }
        Ok(())
    }
}

fn range_text(range: Option<(i64, i64)>) -> String {
    range.map(|(low, high)| format!(" from {low} to {high}")).unwrap_or_default()
}

fn fmt_targets(targets: &[String], f: &mut Formatter<'_>) -> fmt::Result {
    if targets.is_empty() { Ok(()) } else { write!(f, " targets {}", targets.join(" ")) }
}

impl Display for TypeKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TypeKind::Void => f.write_str("void"),
            TypeKind::Bool => f.write_str("bool"),
            TypeKind::Int { bits, signed, is_char } => {
                let sign = if *signed { "i" } else { "u" };
                write!(f, "{sign}{bits}{}", if *is_char { " char" } else { "" })
            }
            TypeKind::Float { bits } => write!(f, "f{bits}"),
            TypeKind::Complex => f.write_str("complex"),
            TypeKind::Vector => f.write_str("vector"),
            TypeKind::Enum { bits, signed, values } => {
                write!(f, "enum {}{bits} {{", if *signed { "i" } else { "u" })?;
                for value in values {
                    write!(f, " {}={}", value.name, value.value)?;
                }
                f.write_str(" }")
            }
            TypeKind::Pointer { to } => write!(f, "pointer to {to}"),
            TypeKind::Array { element, length: Some(length) } => write!(f, "array of {length} {element}"),
            TypeKind::Array { element, length: None } => write!(f, "array of ? {element}"),
            TypeKind::Record(record) => write!(f, "record {record}"),
            TypeKind::Function { result, params, variadic, unprototyped } => {
                let mut params: Vec<String> = params.iter().map(ToString::to_string).collect();
                if *variadic && !unprototyped {
                    params.push("...".into());
                }
                if *unprototyped {
                    params.push("unprototyped".into());
                }
                write!(f, "function ({}) -> {result}", params.join(", "))
            }
            TypeKind::Builtin => f.write_str("builtin"),
        }
    }
}
