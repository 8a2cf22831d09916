//! Random expressions over every width of integers, floats and doubles: what csmith has no words for (128 bits,
//! doubles, builtins, conversions between all of them). Nothing in them is undefined: divisors and shifts are
//! guarded, floats are converted only where they fit, and a result that is no number becomes zero.

use std::fmt::Write as _;

/// Types with the width of the integers among them; 0 for floats.
const TYPES: &[(&str, u32)] = &[
    ("int8_t", 8),
    ("uint8_t", 8),
    ("int16_t", 16),
    ("uint16_t", 16),
    ("int32_t", 32),
    ("uint32_t", 32),
    ("int64_t", 64),
    ("uint64_t", 64),
    ("__int128", 128),
    ("unsigned __int128", 128),
    ("_Bool", 1),
    ("float", 0),
    ("double", 0),
];
const GLOBALS: usize = 13;
const STATEMENTS: usize = 14;
const DEPTH: u32 = 4;

struct Generator(u64);

impl Generator {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 33) as usize % count
    }

    /// Small, near the ends of a width, or anything.
    fn integer(&mut self) -> String {
        match self.below(4) {
            0 => format!("{}", self.below(9)),
            1 => format!("(-{}LL)", self.below(200) + 1),
            2 => format!("{}ull", (1u64 << self.below(64)).wrapping_sub(self.below(2) as u64)),
            _ => format!("{:#x}ull", self.next()),
        }
    }

    fn real(&mut self) -> String {
        match self.below(5) {
            0 => format!("{}.0", self.below(100)),
            1 => format!("(-{}.{}e{})", self.below(10), self.below(1000), self.below(12)),
            2 => "1e-310".to_string(),
            3 => "(1.0 / 0)".to_string(),
            _ => format!("{}.5e-{}", self.below(1000), self.below(9)),
        }
    }

    /// An expression of the type with this index.
    fn of(&mut self, ty: usize, depth: u32) -> String {
        let (name, bits) = TYPES[ty];
        if depth == 0 || self.below(8) == 0 {
            return match self.below(3) {
                0 if bits == 0 => format!("(({name}){})", self.real()),
                0 => format!("(({name}){})", self.integer()),
                _ => format!("g_{}", ty % GLOBALS),
            };
        }
        if bits == 0 { self.float(ty, depth - 1) } else { self.int(ty, depth - 1) }
    }

    fn int(&mut self, ty: usize, depth: u32) -> String {
        let (name, bits) = TYPES[ty];
        // Arithmetic is done unsigned, where it wraps.
        let wide = if bits > 64 { "unsigned __int128" } else { "uint64_t" };
        let (a, b) = (self.of(ty, depth), self.of(ty, depth));
        match self.below(15) {
            0 => format!("(({name})(({wide}){a} + ({wide}){b}))"),
            1 => format!("(({name})(({wide}){a} - ({wide}){b}))"),
            2 => format!("(({name})(({wide}){a} * ({wide}){b}))"),
            3 => format!("(({name})({a} & {b}))"),
            4 => format!("(({name})({a} ^ ({b} | 5)))"),
            5 => format!("(({name})(({wide}){a} << (int)({b} & {})))", bits.max(8) - 1),
            6 => format!("(({name})({a} >> (int)({b} & {})))", bits.max(8) - 1),
            7 => format!("(({name})({b} == 0 || {b} == ({name})-1 ? {a} : {a} / {b}))"),
            8 => format!("(({name})({b} == 0 || {b} == ({name})-1 ? {b} : {a} % {b}))"),
            9 => format!("({a} < {b} ? {a} : ({name}){})", self.of((ty + 1) % 10, depth)),
            10 => self.convert(name, bits, depth),
            11 => self.builtin(name, depth),
            12 => format!("(({name})-({wide}){a})"),
            13 => {
                let other = self.below(TYPES.len());
                let (c, d) = (self.of(other, depth), self.of(other, depth));
                let compare = ["<", "<=", ">", ">=", "==", "!="][self.below(6)];
                format!("(({name})({c} {compare} {d}))")
            }
            _ => format!("(({name})~{a})"),
        }
    }

    /// From a type of another kind or width.
    fn convert(&mut self, name: &str, bits: u32, depth: u32) -> String {
        let from = self.below(TYPES.len());
        let value = self.of(from, depth);
        if TYPES[from].1 != 0 {
            return format!("(({name}){value})");
        }
        let limit = if bits <= 8 { "100" } else { "30000" };
        let least = if name.starts_with('u') || name == "_Bool" { "0" } else { "-30000" };
        let least = if bits == 8 && least != "0" { "-100" } else { least };
        format!("({value} > {least} && {value} < {limit} ? ({name}){value} : ({name})1)")
    }

    fn builtin(&mut self, name: &str, depth: u32) -> String {
        let (long, int, short) = (self.of(7, depth), self.of(5, depth), self.of(3, depth));
        match self.below(9) {
            0 => format!("(({name})__builtin_popcountll({long}))"),
            1 => format!("(({name})({long} ? __builtin_clzll({long}) : 64))"),
            2 => format!("(({name})({int} ? __builtin_ctz({int}) : 32))"),
            3 => format!("(({name})__builtin_bswap64({long}))"),
            4 => format!("(({name})__builtin_bswap32({int}))"),
            5 => format!("(({name})__builtin_bswap16({short}))"),
            6 => format!("(({name})__builtin_rotateleft32({int}, {short}))"),
            7 => {
                let (op, ty) = (["add", "sub", "mul"][self.below(3)], self.below(8));
                let (a, b) = (self.of(ty, depth), self.of(ty, depth));
                let result = TYPES[ty].0;
                format!(
                    "({{ {result} r; int o = __builtin_{op}_overflow({a}, {b}, &r); ({name})((uint64_t)r + o); }})"
                )
            }
            _ => format!("(({name})__builtin_bitreverse64({long}))"),
        }
    }

    fn float(&mut self, ty: usize, depth: u32) -> String {
        let (name, suffix) = if TYPES[ty].0 == "float" { ("float", "f") } else { ("double", "") };
        let (a, b) = (self.of(ty, depth), self.of(ty, depth));
        match self.below(12) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("({a} / {b})"),
            4 => format!("(-{a})"),
            5 => format!("({a} < {b} ? {a} : {b})"),
            6 => format!("__builtin_sqrt{suffix}(__builtin_fabs{suffix}({a}))"),
            7 => {
                let round = ["floor", "ceil", "trunc", "rint", "round"][self.below(5)];
                format!("__builtin_{round}{suffix}({a})")
            }
            // The sign of what is no number is the compiler's choice.
            8 => format!("__builtin_copysign{suffix}({a}, {b} < 0 ? -1 : 1)"),
            9 => format!("__builtin_fma{suffix}({a}, {b}, ({name})1.5)"),
            10 => format!("(({name}){})", self.of(if ty == 11 { 12 } else { 11 }, depth)),
            _ => format!("(({name}){})", self.of_int(depth)),
        }
    }

    fn of_int(&mut self, depth: u32) -> String {
        let ty = self.below(11);
        self.of(ty, depth)
    }
}

/// A program of such expressions in the form of csmith's: global variables `g_N`, a `main` that prints sums.
pub(crate) fn program(seed: u32) -> String {
    let mut generator = Generator((u64::from(seed) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut text = String::new();
    for (number, (name, bits)) in TYPES.iter().enumerate().take(GLOBALS) {
        let value = if *bits == 0 { generator.real() } else { generator.integer() };
        let _ = writeln!(text, "static {name} g_{number} = {value};");
    }
    text.push_str("static int g_99 = 0;\nint main (void)\n{\n    crc32_gentab();\n");
    for _ in 0..STATEMENTS {
        let ty = generator.below(TYPES.len());
        let expression = generator.of(ty, DEPTH);
        let (name, bits) = TYPES[ty];
        let _ = writeln!(text, "    {{\n        {name} x = {expression};");
        if bits == 0 {
            text.push_str("        if (x != x) x = 0;\n        uint64_t low = 0, high = 0;\n");
            text.push_str("        memcpy(&low, &x, sizeof x);\n");
        } else {
            text.push_str(
                "        uint64_t low = (uint64_t)x, high = (uint64_t)((unsigned __int128)x >> 64);\n",
            );
        }
        text.push_str("        printf(\"%lx %lx\\n\", low, high);\n");
        let _ = writeln!(text, "        if (x > g_{ty}) g_99 += 1; else if (low & 1) g_99 += 2;");
        let _ = writeln!(text, "        g_{ty} = x;\n    }}");
    }
    text.push_str("    printf(\"%d\\n\", g_99);\n    return 0;\n}\n");
    text
}
