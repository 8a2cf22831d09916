//! C text under construction: indented statements, and slot paths as expressions.

/// Statements of a function body. Variables come first, because C90 wants them there.
#[derive(Debug, Default)]
pub(crate) struct Block {
    variables: Vec<String>,
    lines: Vec<String>,
    level: usize,
}

impl Block {
    pub(crate) fn new() -> Block {
        Block { level: 1, ..Block::default() }
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "    ".repeat(self.level), text.as_ref()));
    }

    pub(crate) fn line_if(&mut self, text: Option<String>) {
        if let Some(text) = text {
            self.line(text);
        }
    }

    pub(crate) fn blank(&mut self) {
        self.lines.push(String::new());
    }

    pub(crate) fn comment(&mut self, text: impl AsRef<str>) {
        self.line(format!("/* {} */", text.as_ref().replace("*/", "* /")));
    }

    /// A line, then what `inner` writes one level deeper.
    pub(crate) fn nested(&mut self, head: impl AsRef<str>, inner: impl FnOnce(&mut Block)) {
        self.line(head);
        self.level += 1;
        inner(self);
        self.level -= 1;
    }

    /// A loop, with braces when its body is more than a line.
    pub(crate) fn repeat(&mut self, variable: &str, count: &str, inner: impl FnOnce(&mut Block)) {
        self.declare(format!("long {variable};"));
        let head = format!("for ({variable} = 0; {variable} < {count}; {variable}++)");
        let at = self.lines.len();
        self.nested(&head, inner);
        if self.lines.len() > at + 2 {
            self.lines[at].push_str(" {");
            self.line("}");
        }
    }

    pub(crate) fn declare(&mut self, variable: impl Into<String>) {
        let variable = variable.into();
        if !self.variables.contains(&variable) {
            self.variables.push(variable);
        }
    }

    /// Lines so far.
    pub(crate) fn length(&self) -> usize {
        self.lines.len()
    }

    /// Statements for the elements of `place`, which begin at the given lines and end here: those that differ in nothing
    /// but the index become a loop.
    pub(crate) fn fold_elements(&mut self, place: &str, starts: &[usize]) {
        const LEAST: usize = 3;
        let Some(first) = starts.first() else { return };
        let lines = self.lines.split_off(*first);
        let end_of = |number: usize| starts.get(number + 1).map_or(lines.len(), |next| next - first);
        let inner = |variable: &&str| lines.iter().any(|line| line.contains(*variable));
        let Some(variable) = ["case_i", "case_j", "case_k", "case_l"].into_iter().find(|name| !inner(name))
        else {
            return self.lines.extend(lines);
        };
        let of = |number: usize, index: &str| -> Vec<String> {
            let (own, other) = (format!("{place}[{number}]"), format!("{place}[{index}]"));
            lines[starts[number] - first..end_of(number)]
                .iter()
                .map(|line| line.replace(&own, &other))
                .collect()
        };
        let mut number = 0;
        while number < starts.len() {
            let body = of(number, variable);
            let alike = (number..starts.len()).take_while(|other| of(*other, variable) == body).count();
            if alike < LEAST || body.is_empty() {
                self.lines.extend(of(number, &number.to_string()));
                number += 1;
                continue;
            }
            let end = number + alike;
            self.declare(format!("long {variable};"));
            self.line(format!("for ({variable} = {number}; {variable} < {end}; {variable}++) {{"));
            self.lines.extend(body.into_iter().map(|line| format!("    {line}")));
            self.line("}");
            number = end;
        }
    }

    pub(crate) fn into_text(self) -> String {
        let mut text = String::new();
        for variable in &self.variables {
            text.push_str(&format!("    {variable}\n"));
        }
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

/// A slot path as a C expression; pieces of name that follow each other are joined.
#[derive(Clone, Debug)]
pub(crate) struct At {
    /// Expression of the path so far; None at the root.
    up: Option<String>,
    name: String,
}

impl At {
    pub(crate) fn root(name: &str) -> At {
        At { up: None, name: name.to_owned() }
    }

    pub(crate) fn variable(name: &str) -> At {
        At { up: Some(name.to_owned()), name: String::new() }
    }

    pub(crate) fn name(&self, more: &str) -> At {
        At { up: self.up.clone(), name: format!("{}{more}", self.name) }
    }

    pub(crate) fn index(&self, index: &str) -> At {
        At { up: Some(format!("CTN_INDEX({}, {index})", self.text())), name: String::new() }
    }

    pub(crate) fn text(&self) -> String {
        match &self.up {
            None => format!("CTN_ROOT(\"{}\")", self.name),
            Some(up) if self.name.is_empty() => up.clone(),
            Some(up) => format!("CTN_NAME({up}, \"{}\")", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_join_names() {
        let hdr = At::root("hdr").name("->").name("flags");
        assert_eq!(hdr.text(), "CTN_ROOT(\"hdr->flags\")");
        assert_eq!(
            hdr.index("i").name(".len").text(),
            "CTN_NAME(CTN_INDEX(CTN_ROOT(\"hdr->flags\"), i), \".len\")"
        );
        assert_eq!(At::variable("at").text(), "at");
    }

    #[test]
    fn elements_that_are_alike_become_a_loop() {
        let mut block = Block::new();
        let mut starts = Vec::new();
        for index in 0..5 {
            starts.push(block.length());
            block.line(format!("p[{index}].name = text();"));
            if index == 0 {
                block.line("p[0].key = 7;");
            }
        }
        block.fold_elements("p", &starts);
        let text = "    long case_i;\n    p[0].name = text();\n    p[0].key = 7;\n    \
                    for (case_i = 1; case_i < 5; case_i++) {\n        p[case_i].name = text();\n    }\n";
        assert_eq!(block.into_text(), text);
    }

    #[test]
    fn loops_have_braces_only_when_needed() {
        let mut block = Block::new();
        block.repeat("i", "10", |block| block.line("f(i);"));
        block.repeat("j", "2", |block| {
            block.line("f(j);");
            block.line("g(j);");
        });
        let text = block.into_text();
        assert!(
            text.starts_with("    long i;\n    long j;\n    for (i = 0; i < 10; i++)\n        f(i);\n"),
            "{text}"
        );
        assert!(text.ends_with("j++) {\n        f(j);\n        g(j);\n    }\n"), "{text}");
    }
}
