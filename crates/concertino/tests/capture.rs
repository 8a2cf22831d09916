//! Captured calls through the real command line: what samples hold, that the program does not notice, and that the
//! search gets with them where it does not get by itself.

use std::path::Path;
use std::process::{Command, Output};

/// Inputs of every kind; then a program that looks at everything which a copy of it could change.
const PROGRAM: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
enum color { RED, GREEN = 5 };
struct item { short id; unsigned urgent : 1, kind : 3; enum color color; char *name; struct item *next; };
struct pair { int a; double b; };
static struct item *head;
static long total;
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int weigh(struct item *first, struct pair by_value, float f, long a, long b, long c, long d, long e, long last)
{
    int n = by_value.a + (int)by_value.b + (int)f + (int)(a + b + c + d + e + last);
    for (; first; first = first->next)
        n += first->urgent ? first->kind : first->id;
    return n + (int)total;
}
static int sum(const unsigned char *p, const unsigned char *end) { int s = 0; while (p < end) s += *p++; return s; }
static int apply(int (*f)(int, int), struct item *one, struct item *other) { return f(one->id, other ? other->id : 0); }
static int none(const char *text, int *out) { if (out) *out = 1; return text != 0; }
static int wild(const char *text, struct item *it) { return text && it; }
static double real(double x, const double *y) { return x * y[0]; }
int main(int argc, char **argv)
{
    int r = 0, i;
    double y[1] = {0.25};
    for (i = 1; i < argc; i++) {
        struct item *it = calloc(1, sizeof *it);
        it->id = (short)-i, it->urgent = i & 1, it->kind = 5, it->color = GREEN, it->name = argv[i], it->next = head;
        head = it;
        r += weigh(head, (struct pair){i, 2.5}, 1.5f, 1, 2, 3, 4, 5, 600 + i);
        total += i;
        r += sum((unsigned char *)argv[i], (unsigned char *)argv[i] + strlen(argv[i]));
        r += apply(i & 1 ? mul : add, head, i & 1 ? head : head->next);
        r += none(0, i & 1 ? &r : 0) + (int)real(1.5, y);
    }
    errno = 7;
    r += none("x", 0);
    if (errno != 7 || wait(0) != -1 || errno != ECHILD)
        return 99;
    if (fork() == 0)
        _exit(none("in a child", 0));
    if (wait(&i) <= 0 || WEXITSTATUS(i) != 1 || dup(0) != 3)
        return 98;
    printf("%d\n", r);
    if (argc > 2 && argv[2][0] == '!')
        wild((char *)16, (struct item *)8), abort();
    return 0;
}
"#;

fn concertino(project: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_concertino")).current_dir(project).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn compile(project: &Path, program: &str) {
    std::fs::write(project.join("prog.c"), program).unwrap();
    let clang =
        Command::new("clang-19").current_dir(project).args(["prog.c", "-w", "-o", "prog"]).status().unwrap();
    assert!(clang.success());
}

/// The samples of a function in the order of their calls, each as its slots: `path=bytes`.
fn samples(recording: &Path, function: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(recording).unwrap();
    let blocks = text.split("\n\n").filter(|block| block.split(' ').nth(2) == Some(function));
    let slot = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        format!("{}={}", words[3], words[2].trim_end_matches('-'))
    };
    blocks.map(|block| block.lines().skip(1).map(slot).collect()).collect()
}

#[test]
fn samples_hold_what_calls_were_given_and_the_program_does_not_notice() {
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path();
    compile(project, PROGRAM);
    let plain = Command::new(project.join("prog")).args(["ab", "longer than ten"]).output().unwrap();
    assert_eq!(plain.status.code(), Some(0));
    let recorded = concertino(project, &["profile", "--", "./prog", "ab", "longer than ten"]);
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let said = text(&recorded.stdout);
    assert!(said.starts_with(&text(&plain.stdout)), "the same result: {said}");
    assert!(!said.contains("failed"), "{said}");
    assert!(said.contains("captured "), "{said}");

    let recording = project.join(".concertino/profile/0001.samples");
    let of = |function: &str| samples(&recording, function);
    let has = |sample: &Vec<String>, slots: &[&str]| {
        for slot in slots {
            assert!(sample.iter().any(|line| line == slot), "{slot} in {sample:#?}");
        }
    };
    let weigh = of("weigh");
    assert_eq!(weigh.len(), 2);
    has(&weigh[0], &["total=", "first?null=", "first->id=ffff", "first->urgent=01", "first->kind=05"]);
    has(&weigh[0], &["first->next?null=01", "by_value.a=01000000", "f=0000c03f", "last=5902000000000000"]);
    has(&weigh[1], &["total=0100000000000000", "first->id=feff", "first->urgent=", "first->color=05000000"]);
    has(&weigh[1], &["first->next?null=", "first->next->id=ffff", "e=0500000000000000"]);
    has(&weigh[1], &["by_value.a=02000000", "by_value.b=0000000000000440"]);
    let sum = of("sum");
    // Two characters lie at the end of the driver's ten.
    has(&sum[0], &["p=00000000000000006162", "p?offset=0800000000000000"]);
    let apply = of("apply");
    has(&apply[0], &["f=01", "other?alias=01"]);
    has(&apply[1], &["f=", "other?alias=", "other->id=ffff"]);
    has(&of("none")[0], &["text?null=01", "out?null="]);
    has(&of("none")[1], &["text?null=01", "out?null=01"]);
    let real = of("real");
    has(&real[0], &["x=000000000000f83f"]);
    assert!(real[0].iter().any(|slot| slot.starts_with("y=000000000000d03f")), "{real:?}");

    // Pointers to nowhere are null for the driver; a test that crashes counts; recordings add up.
    let crashed = concertino(project, &["profile", "--", "./prog", "c", "!"]);
    assert!(text(&crashed.stdout).contains("1 of the commands failed"), "{}", text(&crashed.stdout));
    let wild = samples(&project.join(".concertino/profile/0002.samples"), "wild");
    has(&wild[0], &["text?null=01", "it?null=01"]);

    let off = concertino(project, &["profile", "--forget", "--no-capture", "--", "./prog", "ab"]);
    assert!(off.status.success() && !text(&off.stdout).contains("captured"), "{}", text(&off.stdout));
    assert!(!recording.exists());
}

/// A word whose hash no solver inverts.
const GATE: &str = r#"
#include <stdint.h>
#include <stdio.h>
static uint64_t mix(uint64_t h) { h ^= h >> 33; h *= 0xff51afd7ed558ccdull; h ^= h >> 29; h *= 0xc4ceb9fe1a85ec53ull; return h ^ h >> 31; }
static uint64_t hash(const char *word) { uint64_t h = 1469598103934665603ull; while (*word) h = mix(h ^ (uint64_t)*word++); return h; }
static int gate(const char *word, int deeper)
{
    if (hash(word) != EXPECTEDull)
        return 0;
    if (deeper == 4711)
        return 2;
    return 1;
}
int main(int argc, char **argv)
{
    if (argc > 2)
        printf("%llx\n", (unsigned long long)hash(argv[1]));
    else if (argc > 1)
        printf("%d\n", gate(argv[1], (int)hash(argv[0])));
    return 0;
}
"#;

#[test]
fn the_search_begins_with_samples() {
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path();
    compile(project, &GATE.replace("EXPECTED", "0x0"));
    let hash = Command::new(project.join("prog")).args(["sesame", "print"]).output().unwrap();
    let hash = text(&hash.stdout);
    compile(project, &GATE.replace("EXPECTED", &format!("0x{}", hash.trim())));
    std::fs::write(project.join("concertino.toml"), "[limits]\nsolver-ms = 50\n").unwrap();
    let recorded = concertino(project, &["profile", "--", "./prog", "sesame"]);
    assert!(text(&recorded.stdout).starts_with("1\n"), "{}", text(&recorded.stdout));

    let test = |more: &[&str]| -> (serde_json::Value, u64) {
        let arguments = ["test", "-f", "gate", "--jobs", "1", "-t", "2", "--no-replay", "--json"];
        let output = concertino(project, &[&arguments[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let functions = report["functions"].as_array().unwrap();
        let gate = functions.iter().find(|function| function["name"] == "gate").unwrap();
        (gate["branches"]["covered"].clone(), report["engine"]["samples"].as_u64().unwrap())
    };
    assert_eq!(test(&["--no-samples"]), (1.into(), 0), "no search inverts the hash");
    // From the sample on, the search goes further by itself.
    assert_eq!(test(&[]), (4.into(), 1));
    let explained = concertino(project, &["explain", "gate"]);
    assert!(text(&explained.stdout).contains("began with 1 captured call"), "{}", text(&explained.stdout));
}

/// Called through a table, so that no analysis of callers knows the values; `d` is 1 or 3 in all calls.
const CALLS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
enum kind { PLAIN, FANCY };
static int never(int n, int d) { if (n > 3) return n / (d - 2); return 0; }
static int always(int n, int d) { return (100 + d) / (n - 77); }
static int second(int n, int d) { if (d == 9 && n > 5) n = 77; return 100 / (n - 77); }
static int odd(int n, enum kind kind) { return (100 + kind) / (n - 77); }
int (*volatile call[])(int, int) = {never, always, second, (int (*)(int, int))odd};
int main(int argc, char **argv)
{
    int r = 0, i, f;
    for (i = 1; i < argc; i++)
        for (f = 0; f < 4; f++)
            r += call[f](atoi(argv[i]), f == 3 ? 100 + i % 2 : i % 2 ? 1 : 3);
    printf("%d\n", r);
    return 0;
}
"#;

#[test]
fn alarms_against_likely_invariants_count_less() {
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path();
    compile(project, CALLS);
    let numbers: Vec<String> = (0..30).map(|number| (number * number * 31 + 5).to_string()).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let recorded = concertino(project, &[&["profile", "--", "./prog"][..], &numbers].concat());
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));

    let test = |more: &[&str]| -> serde_json::Value {
        let arguments = ["test", "--jobs", "1", "-t", "2", "--no-contexts", "--json", "-f", "never"];
        let functions = ["-f", "always", "-f", "second", "-f", "odd"];
        let output = concertino(project, &[&arguments[..], &functions, more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let about = |report: &serde_json::Value, function: &str| -> (bool, Vec<String>) {
        let alarms = report["alarms"].as_array().unwrap();
        let alarm = alarms.iter().find(|alarm| alarm["function"] == function);
        let evidence = &alarm.unwrap_or_else(|| panic!("{function} in {report:#}"))["evidence"];
        let rules = evidence["rules"].as_array().unwrap();
        let unlikely: Vec<String> = serde_json::from_value(evidence["unlikely"].clone()).unwrap_or_default();
        (rules.iter().any(|rule| rule["rule"] == "invariants"), unlikely)
    };
    let report = test(&[]);
    assert_eq!(about(&report, "never"), (true, vec!["d is one of 1, 3".to_owned()]));
    // The values that fail are like those of calls, and the rest of the input can be: the input that is shown is.
    assert_eq!(about(&report, "always"), (false, Vec::new()));
    assert_eq!(about(&report, "second"), (false, Vec::new()));
    // What the driver assumes of the enum contradicts all calls: that says nothing about the alarm.
    assert_eq!(about(&report, "odd"), (false, Vec::new()));
    let functions = report["functions"].as_array().unwrap();
    let never = functions.iter().find(|function| function["name"] == "never").unwrap();
    assert_eq!(never["invariants"][0], "d is one of 1, 3", "{never:#}");
    let explained = text(&concertino(project, &["explain", "never"]).stdout);
    assert!(explained.contains("in all captured calls: d is one of 1, 3"), "{explained}");
    let alarms = report["alarms"].as_array().unwrap();
    let input = alarms.iter().find(|alarm| alarm["function"] == "always").unwrap()["input"].as_str().unwrap();
    let input: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(project.join(input)).unwrap()).unwrap();
    let slots = input["slots"].as_array().unwrap();
    let d = slots.iter().find(|slot| slot["path"] == "d").unwrap();
    assert!(d["bytes"] == "01000000" || d["bytes"] == "03000000", "{d}");

    let without = test(&["--no-assume", "invariants"]);
    assert_eq!(about(&without, "never"), (false, Vec::new()));
}
