//! Everything around the cases: what they call (`cases.h`, `cases.c`), a thin adapter per framework, and how to
//! build it all with make or CMake. Cases are C in every framework; C++ frameworks see only their names.

use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    Plain,
    Unity,
    Cmocka,
    Check,
    CppUTest,
    GoogleTest,
}

impl Framework {
    pub const ALL: [Framework; 6] = [
        Framework::Plain,
        Framework::Unity,
        Framework::Cmocka,
        Framework::Check,
        Framework::CppUTest,
        Framework::GoogleTest,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Framework::Plain => "plain",
            Framework::Unity => "unity",
            Framework::Cmocka => "cmocka",
            Framework::Check => "check",
            Framework::CppUTest => "cpputest",
            Framework::GoogleTest => "googletest",
        }
    }

    fn is_cpp(self) -> bool {
        matches!(self, Framework::CppUTest | Framework::GoogleTest)
    }

    fn libraries(self) -> &'static str {
        match self {
            Framework::Plain | Framework::Unity => "",
            Framework::Cmocka => "-lcmocka",
            Framework::Check => "-lcheck -lsubunit -lrt -lpthread",
            Framework::CppUTest => "-lCppUTest",
            Framework::GoogleTest => "-lgtest -lpthread",
        }
    }
}

/// The cases of one source file as a test program.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Name of the program and of its files: an identifier.
    pub name: String,
    /// The tested file, as a comment shows it.
    pub source: String,
    /// The text of the file of cases.
    pub cases: String,
    pub case_names: Vec<String>,
    /// Compiler flags of the tested file.
    pub flags: Vec<String>,
    /// Other sources of the program that are linked, with their flags.
    pub others: Vec<(String, Vec<String>)>,
}

/// A file of the export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteFile {
    pub name: String,
    pub text: String,
}

pub fn suite_files(suites: &[Suite], framework: Framework) -> Vec<SuiteFile> {
    let mut files = vec![
        SuiteFile { name: "cases.h".into(), text: CASES_H.into() },
        SuiteFile { name: "cases.c".into(), text: CASES_C.into() },
    ];
    for suite in suites {
        files.push(SuiteFile { name: format!("{}_cases.c", suite.name), text: suite.cases.clone() });
        let ending = if framework.is_cpp() { "cpp" } else { "c" };
        files.push(SuiteFile {
            name: format!("{}_{}.{ending}", suite.name, framework.name()),
            text: adapter(suite, framework),
        });
    }
    files.push(SuiteFile { name: "Makefile".into(), text: makefile(suites, framework) });
    files.push(SuiteFile { name: "CMakeLists.txt".into(), text: cmake(suites, framework) });
    files
}

/// The support of a recording program alone.
pub fn support() -> [(&'static str, &'static str); 2] {
    [("cases.h", CASES_H), ("cases.c", CASES_C)]
}

fn adapter(suite: &Suite, framework: Framework) -> String {
    let head = format!(
        "/* Runs the cases of {} with {}. Generated; the cases are in {}_cases.c. */\n",
        suite.source,
        framework.name(),
        suite.name
    );
    let declare: String = suite.case_names.iter().map(|name| format!("void {name}(void);\n")).collect();
    let each =
        |one: &dyn Fn(&str) -> String| suite.case_names.iter().map(|name| one(name)).collect::<String>();
    let name = &suite.name;
    match framework {
        Framework::Plain => format!(
            "{head}#include \"cases.h\"\n#include <stdio.h>\n\n{declare}\nint main(void)\n{{\n    int failed = 0;\n{}    \
             printf(\"{} cases, %d failed\\n\", failed);\n    return failed != 0;\n}}\n",
            each(&|case| format!("    failed += case_fails(\"{case}\", {case});\n")),
            suite.case_names.len()
        ),
        Framework::Unity => format!(
            "{head}#include \"cases.h\"\n#include \"unity.h\"\n\n{declare}\nvoid setUp(void) {{}}\nvoid tearDown(void) {{}}\n\n\
             {}\nint main(void)\n{{\n    UNITY_BEGIN();\n{}    return UNITY_END();\n}}\n",
            each(&|case| format!(
                "static void test_{case}(void) {{ TEST_ASSERT_EQUAL_INT(0, case_fails(\"{case}\", {case})); }}\n"
            )),
            each(&|case| format!("    RUN_TEST(test_{case});\n"))
        ),
        Framework::Cmocka => format!(
            "{head}#include \"cases.h\"\n#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n\
             #include <cmocka.h>\n\n{declare}\n{}\nint main(void)\n{{\n    const struct CMUnitTest tests[] = {{\n{}    }};\n    \
             return cmocka_run_group_tests_name(\"{name}\", tests, 0, 0);\n}}\n",
            each(&|case| format!(
                "static void test_{case}(void **state) {{ (void)state; assert_int_equal(0, case_fails(\"{case}\", {case})); }}\n"
            )),
            each(&|case| format!("        cmocka_unit_test(test_{case}),\n"))
        ),
        Framework::Check => format!(
            "{head}#include \"cases.h\"\n#include <check.h>\n#include <stdlib.h>\n\n{declare}\n{}\nint main(void)\n{{\n    \
             Suite *suite = suite_create(\"{name}\");\n    TCase *cases = tcase_create(\"cases\");\n    \
             SRunner *runner = srunner_create(suite);\n    int failed;\n{}    suite_add_tcase(suite, cases);\n    \
             srunner_run_all(runner, CK_NORMAL);\n    failed = srunner_ntests_failed(runner);\n    \
             srunner_free(runner);\n    return failed != 0;\n}}\n",
            each(&|case| format!(
                "START_TEST(test_{case})\n{{\n    ck_assert_int_eq(0, case_fails(\"{case}\", {case}));\n}}\nEND_TEST\n"
            )),
            each(&|case| format!("    tcase_add_test(cases, test_{case});\n"))
        ),
        Framework::CppUTest => format!(
            "{head}#include \"CppUTest/CommandLineTestRunner.h\"\n#include \"CppUTest/TestHarness.h\"\n\nextern \"C\" {{\n\
             #include \"cases.h\"\n{declare}}}\n\nTEST_GROUP({name}) {{}};\n\n{}\nint main(int argc, char **argv)\n{{\n    \
             return CommandLineTestRunner::RunAllTests(argc, argv);\n}}\n",
            each(&|case| format!(
                "TEST({name}, {case}) {{ LONGS_EQUAL(0, case_fails(\"{case}\", {case})); }}\n"
            ))
        ),
        Framework::GoogleTest => format!(
            "{head}#include <gtest/gtest.h>\n\nextern \"C\" {{\n#include \"cases.h\"\n{declare}}}\n\n{}\n\
             int main(int argc, char **argv)\n{{\n    testing::InitGoogleTest(&argc, argv);\n    \
             return RUN_ALL_TESTS();\n}}\n",
            each(&|case| format!(
                "TEST({name}, {case}) {{ EXPECT_EQ(0, case_fails(\"{case}\", {case})); }}\n"
            ))
        ),
    }
}

/// For a shell or for make.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./,:@%".contains(c);
    let quoted = if word.chars().all(plain) && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    };
    quoted.replace('$', "$$")
}

fn words(flags: &[String]) -> String {
    flags.iter().map(|flag| quote(flag)).collect::<Vec<_>>().join(" ")
}

fn makefile(suites: &[Suite], framework: Framework) -> String {
    let ending = if framework.is_cpp() { "cpp" } else { "c" };
    let mut text = format!(
        "# Builds and runs the exported tests: `make check`. Works with gcc and clang:\n\
         #   make check CC=clang CXX=clang++ CFLAGS='-g -fsanitize=address,undefined' LDFLAGS=-fsanitize=address,undefined\n\
         CC ?= cc\nCXX ?= c++\nCFLAGS ?= -g\nCXXFLAGS ?= $(CFLAGS)\nLIBS ?= {}\n",
        framework.libraries()
    );
    let mut support = String::new();
    if framework == Framework::Unity {
        text.push_str("# Where unity.c and unity.h are.\nUNITY ?= unity\n");
        support.push_str(" unity.o");
    }
    let programs: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
    let _ = write!(
        text,
        "TESTS = {}\n\nall: $(TESTS)\n\ncheck: $(TESTS)\n\t@failed=0; for test in $(TESTS); do echo \"== $$test\"; ./$$test || failed=1; done; \
         exit $$failed\n\n\
         cases.o: cases.c cases.h\n\t$(CC) $(CFLAGS) -c $< -o $@\n\n",
        programs.join(" ")
    );
    if framework == Framework::Unity {
        text.push_str("unity.o: $(UNITY)/unity.c\n\t$(CC) $(CFLAGS) -I$(UNITY) -c $< -o $@\n\n");
    }
    for suite in suites {
        let name = &suite.name;
        let mut objects = format!("{name}_cases.o {name}_{}.o cases.o{support}", framework.name());
        for (index, (other, flags)) in suite.others.iter().enumerate() {
            let object = format!("{name}_other{index}.o");
            let _ = write!(
                text,
                "{object}: {}\n\t$(CC) $(CFLAGS) -w -Dmain=program_main {} -c $< -o $@\n\n",
                other.replace(' ', "\\ "),
                words(flags)
            );
            let _ = write!(objects, " {object}");
        }
        let unity = if framework == Framework::Unity { " -I$(UNITY)" } else { "" };
        let compile = if framework.is_cpp() { "$(CXX) $(CXXFLAGS)" } else { "$(CC) $(CFLAGS)" };
        let link = if framework.is_cpp() { "$(CXX)" } else { "$(CC)" };
        let _ = write!(
            text,
            "{name}_cases.o: {name}_cases.c cases.h\n\t$(CC) $(CFLAGS) -w {} -I. -c $< -o $@\n\n\
             {name}_{1}.o: {name}_{1}.{ending} cases.h\n\t{compile}{unity} -I. -c $< -o $@\n\n\
             {name}: {objects}\n\t{link} $(LDFLAGS) $^ $(LIBS) -lm -o $@\n\n",
            words(&suite.flags),
            framework.name()
        );
    }
    text.push_str("clean:\n\trm -f $(TESTS) *.o\n\n.PHONY: all check clean\n");
    text
}

fn cmake(suites: &[Suite], framework: Framework) -> String {
    let ending = if framework.is_cpp() { "cpp" } else { "c" };
    let mut text = format!(
        "# The exported tests as targets: add_subdirectory() this directory, then run ctest.\n\
         cmake_minimum_required(VERSION 3.13)\nproject(exported_tests C{})\nenable_testing()\n",
        if framework.is_cpp() { " CXX" } else { "" }
    );
    if framework == Framework::Unity {
        text.push_str("set(UNITY unity CACHE PATH \"Where unity.c and unity.h are\")\n");
    }
    let libraries: Vec<&str> =
        framework.libraries().split_whitespace().map(|library| library.trim_start_matches("-l")).collect();
    for suite in suites {
        let name = &suite.name;
        let unity = if framework == Framework::Unity { " ${UNITY}/unity.c" } else { "" };
        let others: String =
            suite.others.iter().map(|(other, _)| format!("\n  \"{}\"", other.replace('"', "\\\""))).collect();
        let list = |flags: &[String]| {
            flags
                .iter()
                .map(|flag| flag.replace('\\', "\\\\").replace('"', "\\\"").replace(';', "\\;"))
                .collect::<Vec<_>>()
                .join(";")
        };
        let _ = write!(
            text,
            "\nadd_executable({name} {name}_cases.c {name}_{}.{ending} cases.c{unity}{others})\n\
             target_include_directories({name} PRIVATE ${{CMAKE_CURRENT_SOURCE_DIR}}{})\n\
             set_source_files_properties({name}_cases.c PROPERTIES COMPILE_OPTIONS \"-w;{}\")\n",
            framework.name(),
            if framework == Framework::Unity { " ${UNITY}" } else { "" },
            list(&suite.flags)
        );
        for (other, flags) in &suite.others {
            let _ = writeln!(
                text,
                "set_source_files_properties(\"{other}\" PROPERTIES COMPILE_OPTIONS \"-w;-Dmain=program_main;{}\")",
                list(flags)
            );
        }
        let _ = write!(
            text,
            "target_link_libraries({name} PRIVATE {} m)\nadd_test(NAME {name} COMMAND {name})\n",
            libraries.join(" ")
        );
    }
    text
}

const CASES_H: &str = r#"/* What the cases call. A case runs in a process of its own, so that it finds the program's variables as they
 * were at the start and a crash ends one case only; with -DCASES_IN_PROCESS, for targets without fork(), cases run
 * one after the other in the same process. */
#ifndef CASES_H
#define CASES_H

#include <stddef.h>
#include <string.h>

/* 0 when the case passes. */
int case_fails(const char *name, void (*run)(void));

/* Zeroed memory for `count` objects; the tested function may free it. */
void *case_memory(size_t count, size_t size);
/* `size` bytes of memory that begin with the `length` bytes of text. */
void *case_text(const char *text, size_t length, size_t size);
/* A file with these bytes, open for reading and writing; the tested function may close it. */
void *case_stream(const char *bytes, size_t length);
float case_float(unsigned bits);
double case_double(unsigned long long bits);
/* Memory at an address that the source names, where a device has its registers. */
void case_device(unsigned long address, unsigned long size);
/* Ends the case as if the tested function had returned: for stubs of functions that never return. */
void case_stop(void);

void case_check(int holds, const char *what, const char *file, int line);
void case_check_integer(unsigned long long expected, unsigned long long found, const char *what, const char *file, int line);
void case_check_real(double expected, double found, const char *what, const char *file, int line);
void case_check_bits(unsigned long long expected, double found, const char *what, const char *file, int line);

#define CHECK(condition) case_check(!!(condition), #condition, __FILE__, __LINE__)
#define CHECK_INTEGER(expected, found) \
    case_check_integer((unsigned long long)(expected), (unsigned long long)(found), #found, __FILE__, __LINE__)
#define CHECK_REAL(expected, found) case_check_real((expected), (found), #found, __FILE__, __LINE__)
#define CHECK_BITS(expected, found) case_check_bits((expected), (found), #found, __FILE__, __LINE__)

/* For recording what a case does: runs it and ends the process. */
void case_record(const char *name, void (*run)(void));
void record_integer(const char *name, int leaf, char phase, unsigned long long value);
void record_real(const char *name, int leaf, char phase, double value);

#endif
"#;

const CASES_C: &str = r#"/* What the cases call; see cases.h. */
#include "cases.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef CASES_IN_PROCESS
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

static jmp_buf way_out;
static int failures;

/* Memory that a function hands to its caller is not freed by a case that calls it alone. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

/* Keeps what was given out reachable: it is no leak, and whether the tested function frees it is its affair. */
static struct given { struct given *next; void *memory; } *given;

#ifdef CASE_RECORDING
/* Memory with nothing before it and nothing for long after it. */
static void *fenced(size_t size)
{
    size_t fence = 1ul << 22, room = (size + 4095) / 4096 * 4096;
    char *all = mmap(0, room + 2 * fence, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == (char *)MAP_FAILED || mprotect(all + fence, room, PROT_READ | PROT_WRITE))
        return calloc(1, size);
    return all + fence;
}
#endif

void *case_memory(size_t count, size_t size)
{
#ifdef CASE_RECORDING
    if (getenv("CASE_FENCES"))
        return fenced(count * size);
#endif
    struct given *one = malloc(sizeof *one);
    void *memory = calloc(count, size);
    if (!one || !memory) {
        fprintf(stderr, "no memory for a case\n");
        exit(3);
    }
    *one = (struct given){given, memory};
    given = one;
    return memory;
}

void *case_text(const char *text, size_t length, size_t size)
{
    return memcpy(case_memory(1, size), text, length);
}

/* In memory where there are such files: tests may run where nothing can be written. */
static FILE *new_file(void)
{
#ifdef SYS_memfd_create
    int file = (int)syscall(SYS_memfd_create, "case", 0);
    if (file >= 0)
        return fdopen(file, "w+");
#endif
    return tmpfile();
}

void *case_stream(const char *bytes, size_t length)
{
    FILE *stream = new_file();
    if (!stream || fwrite(bytes, 1, length, stream) != length) {
        fprintf(stderr, "no file for a case\n");
        exit(3);
    }
    rewind(stream);
    return stream;
}

float case_float(unsigned bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double case_double(unsigned long long bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void failed(const char *file, int line)
{
    failures++;
    fprintf(stderr, "%s:%d: ", file, line);
}

void case_check(int holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    failed(file, line);
    fprintf(stderr, "does not hold: %s\n", what);
}

void case_check_integer(unsigned long long expected, unsigned long long found, const char *what, const char *file, int line)
{
    if (expected == found)
        return;
    failed(file, line);
    fprintf(stderr, "%s is %lld (0x%llx), expected %lld (0x%llx)\n", what, (long long)found, found, (long long)expected, expected);
}

void case_check_real(double expected, double found, const char *what, const char *file, int line)
{
    if (expected == found)
        return;
    failed(file, line);
    fprintf(stderr, "%s is %.17g, expected %.17g\n", what, found, expected);
}

void case_check_bits(unsigned long long expected, double found, const char *what, const char *file, int line)
{
    unsigned long long bits;
    memcpy(&bits, &found, sizeof bits);
    /* One not-a-number is as good as another. */
    if (bits == expected || (found != found && (expected & 0x7ff0000000000000ull) == 0x7ff0000000000000ull))
        return;
    failed(file, line);
    fprintf(stderr, "%s is %.17g, expected the bits 0x%llx\n", what, found, expected);
}

void case_stop(void) { longjmp(way_out, 1); }

#ifdef CASES_IN_PROCESS
/* On the target itself the device is there. */
void case_device(unsigned long address, unsigned long size) { (void)address, (void)size; }
#else
void case_device(unsigned long address, unsigned long size)
{
    unsigned long page = 4096, first = address & ~(page - 1), last = (address + size + page - 1) & ~(page - 1);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    for (; first < last; first += page) {
        /* Only a hint, so that nothing else is replaced. A page that another register has already stays. */
        void *at = mmap((void *)first, page, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (at != MAP_FAILED && at != (void *)first)
            munmap(at, page);
    }
}
#endif

static int run_here(void (*run)(void))
{
    failures = 0;
    if (setjmp(way_out) == 0)
        run();
    return failures;
}

#ifndef CASES_IN_PROCESS
/* What writes down coverage at exit, in builds that have it. */
#pragma weak __gcov_exit
#pragma weak __gcov_dump
#pragma weak __llvm_profile_write_file
void __gcov_exit(void);
void __gcov_dump(void);
int __llvm_profile_write_file(void);

/* Ends the process without what the program does at exit, which is no part of a case: destructors would find variables as
 * the case has set them. */
static void leave(int status)
{
    fflush(0);
    if (__gcov_exit)
        __gcov_exit();
    else if (__gcov_dump)
        __gcov_dump();
    if (__llvm_profile_write_file)
        __llvm_profile_write_file();
    _exit(status);
}

void case_record(const char *name, void (*run)(void))
{
    run_here(run);
    printf("%s done\n", name);
    leave(0);
}
#endif

int case_fails(const char *name, void (*run)(void))
{
#ifdef CASES_IN_PROCESS
    int result = run_here(run);
#else
    int result = 1, status;
    pid_t child;
    fflush(0);
    child = fork();
    if (child == 0)
        leave(run_here(run) != 0);
    if (child > 0 && waitpid(child, &status, 0) == child)
        result = !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
    if (result)
        fprintf(stderr, "case %s fails\n", name);
    return result != 0;
}

void record_integer(const char *name, int leaf, char phase, unsigned long long value)
{
    printf("%s %d %c %llx\n", name, leaf, phase, value);
}

void record_real(const char *name, int leaf, char phase, double value)
{
    unsigned long long bits;
    memcpy(&bits, &value, sizeof bits);
    printf("%s %d %c %llx\n", name, leaf, phase, bits);
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_framework_has_each_case_once() {
        let suite = Suite {
            name: "parse".into(),
            source: "src/parse.c".into(),
            cases: String::new(),
            case_names: vec!["f_1".into(), "f_2".into()],
            flags: vec!["-DX=\"a b\"".into()],
            others: vec![],
        };
        for framework in Framework::ALL {
            let files = suite_files(std::slice::from_ref(&suite), framework);
            let adapter = files
                .iter()
                .find(|file| file.name.starts_with("parse_") && !file.name.contains("cases"))
                .unwrap();
            assert!(adapter.text.matches("\"f_2\"").count() == 1, "{}", adapter.text);
            let make = files.iter().find(|file| file.name == "Makefile").unwrap();
            assert!(make.text.contains("'-DX=\"a b\"'"), "{}", make.text);
        }
    }
}
