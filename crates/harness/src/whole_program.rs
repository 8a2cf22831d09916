//! The driver of `main`: declares the files of the program's world, makes a command line and runs the program
//! as it would be run. Globals keep their initial values; everything the program calls is real.

use crate::prelude::Piece;
use crate::text::Block;
use crate::types::declaration;
use crate::writer::Writer;
use model::{Function, TypeKind};

/// The inputs of a whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// `argv[0]`; the image's name when it is empty.
    pub name: String,
    /// Arguments with these values, before the symbolic ones.
    pub fixed: Vec<String>,
    /// The longest that each further argument may be; any number of them may be left out at the end. Those of no
    /// length at the end are there to be counted.
    pub arguments: Vec<u32>,
    /// Bytes of standard input, at most.
    pub standard_input: u32,
    /// Files by name, with their greatest length.
    pub files: Vec<(String, u32)>,
    /// Files whose contents are those of a real one: name, path of the real one.
    pub readable: Vec<(String, String)>,
    /// Variables of the environment, with the greatest length of their value. None: all that the program asks
    /// for, of a usual length.
    pub variables: Vec<(String, u32)>,
}

impl Default for World {
    fn default() -> World {
        World {
            name: String::new(),
            fixed: Vec::new(),
            arguments: vec![8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            standard_input: 64,
            files: vec![("A".to_owned(), 64)],
            readable: Vec::new(),
            variables: Vec::new(),
        }
    }
}

impl Writer<'_> {
    /// The whole body of the driver.
    pub(crate) fn drive_program(&mut self, main: &Function) -> Result<String, String> {
        let world = self.options.world.clone();
        let mut block = Block::new();
        block.line(format!("ctn_standard_input_size({});", world.standard_input));
        for (name, most) in &world.files {
            block.line(format!("ctn_symbolic_file({}, {most});", quoted(name)));
        }
        for (name, source) in &world.readable {
            block.line(format!("ctn_readable_file({}, {});", quoted(name), quoted(source)));
        }
        for (name, most) in &world.variables {
            block.line(format!("ctn_symbolic_variable({}, {most});", quoted(name)));
        }
        let given = self.command_line(&mut block, &world, main)?;
        let call = format!("main({})", given.join(", "));
        if matches!(self.types.kind(main.result), TypeKind::Void) {
            block.line(format!("{call};"));
            block.line("ctn_leave_main(0);");
        } else {
            block.line(format!("ctn_leave_main((int){call});"));
        }
        Ok(block.into_text())
    }

    /// Variables for `argc`, `argv` and what follows; their names, as the call gives them.
    fn command_line(
        &mut self,
        block: &mut Block,
        world: &World,
        main: &Function,
    ) -> Result<Vec<String>, String> {
        let types: Vec<String> = main
            .params
            .iter()
            .map(|param| {
                self.types.unqualified(param.ty).ok_or("a parameter whose type cannot be named".into())
            })
            .collect::<Result<_, String>>()?;
        let [count, vector, rest @ ..] = &types[..] else {
            // `int main(int argc)` and the like: nothing that leads to strings.
            return Ok(types.iter().map(|ty| format!("({ty})1")).collect());
        };
        self.piece(Piece::Word);
        self.piece(Piece::Argument);
        let name = if world.name.is_empty() { self.image.name.clone() } else { world.name.clone() };
        let known: Vec<&String> = std::iter::once(&name).chain(&world.fixed).collect();
        let all = known.len() + world.arguments.len();
        block.declare(format!("{};", declaration(count, "ctn_argc")));
        block.declare("char **ctn_argv;");
        let chosen = match world.arguments.len() {
            0 => String::new(),
            most => format!(" + (int)ctn_count({}, CTN_ROOT(\"arguments\"))", most + 1),
        };
        block.line(format!("ctn_argc = {}{chosen};", known.len()));
        block.line(format!("ctn_argv = ctn_alloc({} * sizeof *ctn_argv);", all + 1));
        for (index, word) in known.iter().enumerate() {
            block.line(format!("ctn_argv[{index}] = ctn_word({});", quoted(word)));
        }
        let written = world.arguments.iter().rposition(|most| *most > 0).map_or(0, |last| last + 1);
        for (offset, most) in world.arguments[..written].iter().enumerate() {
            let index = known.len() + offset;
            let at = format!("CTN_INDEX(CTN_ROOT(\"argv\"), {index})");
            block.line(format!("if (ctn_argc > {index}) ctn_argv[{index}] = ctn_argument({most}, {at});"));
        }
        if written < world.arguments.len() {
            block.declare("int ctn_argument_number;");
            block.line(format!(
                "for (ctn_argument_number = {}; ctn_argument_number < {all} && ctn_argument_number < ctn_argc; \
                 ctn_argument_number++)",
                known.len() + written
            ));
            block.line("    ctn_argv[ctn_argument_number] = ctn_word(\"\");");
        }
        let mut given = vec!["ctn_argc".to_owned(), format!("({vector})ctn_argv")];
        for ty in rest {
            block.declare("char **ctn_envp;");
            block.line("ctn_envp = ctn_alloc(sizeof *ctn_envp);");
            given.push(format!("({ty})ctn_envp"));
        }
        Ok(given)
    }
}

/// A C string literal; bytes that could be taken for something else are written as octal numbers.
fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                literal.push('\\');
                literal.push(char::from(byte));
            }
            // `??` begins a trigraph.
            b' '..=b'~' if byte != b'?' => literal.push(char::from(byte)),
            _ => literal.push_str(&format!("\\{byte:03o}")),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_hold_any_bytes() {
        assert_eq!(quoted("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(quoted("?\n1é"), r#""\077\0121\303\251""#);
    }
}
