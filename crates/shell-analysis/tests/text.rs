//! Text functions: their own cases, and how many of the recorded labels they reproduce.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{join_words, normalize, parse, primary, split_words, unwrap};

#[test]
fn words_of_one_simple_command() {
    assert_eq!(split_words("git  log --author='A B'").unwrap(), ["git", "log", "--author=A B"]);
    assert_eq!(split_words("a 'it'\\''s' \"\" *.rs").unwrap(), ["a", "it's", "", "*.rs"]);
    for other in ["", "a;b", "a|b", "a &", "a >f", "X=1 a", "a $x", "a `b`", "! a", "(a)", "a '"] {
        assert_eq!(split_words(other), None, "{other}");
    }
}

#[test]
fn joined_words_split_again() {
    let words = ["a", "", "b c", "it's", "$x", "`y`", "*", "a\nb", "\u{a0}", "#x", "{a,b}", "~"];
    assert_eq!(split_words(&join_words(&words)).unwrap(), words);
    // Where a program stands, these would be something else.
    for program in ["time", "if", "in", "{", "!", "[[", "case", "coproc", "A=1", "f()"] {
        assert_eq!(split_words(&join_words(&[program, "time", "in"])).unwrap(), [program, "time", "in"]);
    }
}

#[test]
fn only_the_blanks_of_the_shell_are_taken_from_the_ends() {
    for (payload, normal) in [
        (" \t\nls x\n ", "ls x"),
        ("ls x\\ ", "ls 'x '"),
        ("ls x\\\\ ", "ls \"x\\\\\""),
        ("ls x\u{a0}", "ls x\u{a0}"),
        ("\u{3000}ls", "\u{3000}ls"),
        ("r\\m x $y\\ ;", "rm x $y\\ "),
        ("\\time ls", "'time' ls"),
    ] {
        assert_eq!(normalize(payload), normal, "{payload:?}");
        assert_eq!(normalize(normal), normal, "{payload:?}");
    }
    assert_eq!(unwrap("bash -c 'ls x\\ '"), "ls x\\ ");
}

#[test]
fn shells_are_stripped_only_where_the_text_is_theirs() {
    assert_eq!(unwrap("bash -c 'bash -c \"rm a\"'"), "rm a");
    assert_eq!(unwrap("/usr/bin/env bash -euo pipefail -c 'ls | wc'"), "ls | wc");
    for kept in [
        "bash evil.sh -c ls",
        "bash --rcfile ./evil -c ls",
        "bash -c ls; rm x",
        "bash -c \"$x\"",
        "env LD_PRELOAD=x ls",
        "env -S 'ls a'",
    ] {
        assert_eq!(unwrap(kept), kept);
    }
    let mut text = "x".to_owned();
    for _ in 0..7 {
        text = join_words(&["bash", "-c", &text]);
    }
    assert_eq!(unwrap(&text), "bash -c 'bash -c x'", "five layers, no more");
}

#[test]
fn primary_commands() {
    assert_eq!(primary("cd /a && X=1 git push --force >log 2>&1 | tee"), "git push --force >log 2>&1");
    assert_eq!(primary("ls -a 2>/dev/null; x"), "ls -a");
    assert_eq!(primary("ls >&2 -a &>/dev/null"), "ls >&2 -a");
    assert_eq!(primary("env -u X -- ls"), "ls");
    assert_eq!(primary("export A=1; B=2; npm test | tail"), "npm test");
    assert_eq!(primary("if [ -f a ]; then ls; fi"), "[ -f a ]");
    assert_eq!(primary("cd /a"), "cd /a");
    assert_eq!(primary("echo '"), "echo '");
}

#[test]
fn normal_forms_are_stable() {
    for (payload, normal) in [
        ("git \"diff\" 'HEAD':*", "git diff HEAD:*"),
        ("echo 'a b' && l\\s", "echo 'a b' && ls"),
        ("npm run * --watch", "npm run * --watch"),
        ("echo '*'", "echo '*'"),
        (":*", ":*"),
        ("echo '", "echo '"),
    ] {
        assert_eq!(normalize(payload), normal);
        assert_eq!(normalize(normal), normal);
    }
}

/// A recorded label that is another than ours.
struct Difference<'a> {
    input: &'a str,
    answer: &'a str,
    recorded: &'a str,
}

/// One `&` that separates commands.
fn lone_ampersand(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| {
        let around =
            |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|byte| b"&><|;".contains(byte));
        *byte == b'&' && !around(at.checked_sub(1)) && !around(Some(at + 1))
    })
}

/// Without quotes, and one blank between words.
fn bare(text: &str) -> String {
    let bare = text.replace(['\'', '"', '\\'], "");
    let mut words: Vec<&str> = bare.split_whitespace().collect();
    let suffix = words.pop().map(|last| last.trim_end_matches(":*")).unwrap_or_default();
    words.push(suffix);
    words.join(" ").trim_end().to_owned()
}

/// A kind of difference: what it is called, when a difference is of it, and how many there are of each function
/// (unwrap, primary, normalize). The first that fits counts; `differences.md` has the reasons.
type Kind = (&'static str, fn(&Difference<'_>) -> bool, [usize; 3]);

const KINDS: &[Kind] = &[
    (
        "env that changes nothing is looked through",
        |it| it.input.contains("env ") && unwrap(it.recorded) == it.answer,
        [6, 0, 8],
    ),
    (
        "the same words, quotes put back minimally",
        |it| it.answer != it.recorded && normalize(it.recorded) == normalize(it.answer),
        [0, 2, 179],
    ),
    ("git's words keep their quotes", |it| bare(it.recorded) == bare(it.answer), [0, 1, 20]),
    (
        "another directory stays in the rule",
        |it| it.answer.starts_with("git -C ") && !it.recorded.contains("-C"),
        [0, 0, 4],
    ),
    ("bash rejects the text", |it| parse(it.input).is_err(), [0, 4, 0]),
    (
        "a variable may change what runs",
        |it| it.input.starts_with("env ") && it.answer.starts_with("env ") && !it.recorded.starts_with('-'),
        [6, 1, 9],
    ),
    ("options of env are no command", |it| it.input.starts_with("env "), [0, 8, 0]),
    (
        "a shell does more than its text",
        |it| ["bash", "sh "].iter().any(|shell| it.answer.starts_with(shell)),
        [2, 3, 6],
    ),
    (
        "a lone ampersand ends a command",
        |it| lone_ampersand(it.recorded) && !lone_ampersand(it.answer),
        [0, 35, 0],
    ),
    (
        "a comment is no part of a command",
        |it| it.recorded.contains('#') && !it.answer.contains('#'),
        [0, 10, 0],
    ),
    ("a function that is defined does not run", |it| it.input.contains("() ("), [0, 3, 0]),
    (
        "a fragment of syntax is no command",
        |it| parse(it.recorded).is_err() && parse(it.answer).is_ok(),
        [0, 66, 0],
    ),
    (
        "a group's first command",
        |it| ["! ", "time ", "( "].iter().any(|start| it.recorded.starts_with(start)),
        [0, 7, 0],
    ),
    ("redirections are no words", |it| it.input.contains('>'), [0, 23, 0]),
    ("a cd is not what a text is about", |it| it.input.contains("cd "), [0, 1, 0]),
];

/// The recorded labels are another reader's, with its faults: what differs is of one of the kinds.
#[test]
fn recorded_labels() {
    const FUNCTIONS: [&str; 3] =
        ["unwrapShellLauncherCommand", "extractPrimaryShellCommand", "normalizeBashRulePayload"];
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance/upstream-shell-normalize.jsonl");
    let (mut same, mut counts) = ([0; 3], vec![[0; 3]; KINDS.len()]);
    let mut unexplained = Vec::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = case["fn"].as_str().unwrap();
        let function = FUNCTIONS.iter().position(|known| *known == name).unwrap();
        let input = case["args"].as_object().unwrap().values().next().unwrap().as_str().unwrap();
        let answer = [unwrap, primary, normalize][function](input);
        let recorded = case["expect"].as_str().unwrap();
        if answer == recorded {
            same[function] += 1;
            continue;
        }
        let difference = Difference { input, answer: &answer, recorded };
        match KINDS.iter().position(|(_, fits, _)| fits(&difference)) {
            Some(kind) => counts[kind][function] += 1,
            None => unexplained.push(format!("{name}: {input:?}: {answer:?}, recorded {recorded:?}")),
        }
    }
    for (count, (name, _, _)) in counts.iter().zip(KINDS) {
        println!("{name}: {count:?}");
    }
    println!("same: {same:?}");
    assert_eq!(same, [1035, 892, 1049]);
    assert!(unexplained.is_empty(), "{}:\n{}", unexplained.len(), unexplained.join("\n"));
    for (count, (name, _, expected)) in counts.iter().zip(KINDS) {
        assert_eq!(count, expected, "{name}");
    }
}
