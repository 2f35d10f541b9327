//! Text functions: their own cases, and how many of the recorded labels they reproduce.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{join_words, normalize, primary, split_words, unwrap};

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

/// The recorded labels are another reader's, with its faults; they are compared for information, and the
/// share may not fall.
#[test]
fn recorded_labels() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance/upstream-shell-normalize.jsonl");
    let mut tally = std::collections::BTreeMap::<String, (usize, usize)>::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let function = case["fn"].as_str().unwrap();
        let input = case["args"].as_object().unwrap().values().next().unwrap().as_str().unwrap();
        let answer = match function {
            "unwrapShellLauncherCommand" => unwrap(input),
            "extractPrimaryShellCommand" => primary(input),
            "normalizeBashRulePayload" => normalize(input),
            other => panic!("unknown function `{other}`"),
        };
        let entry = tally.entry(function.to_owned()).or_default();
        entry.1 += 1;
        let expected = case["expect"].as_str().unwrap();
        if answer == expected {
            entry.0 += 1;
        } else if std::env::var_os("PORTCULLIS_SHOW").is_some() {
            println!("{function} {} {input:?}: {answer:?}, recorded {expected:?}", case["note"]);
        }
    }
    println!("{tally:?}");
    for (function, (equal, all)) in tally {
        assert!(equal * 100 >= all * 80, "{function}: {equal} of {all}");
    }
}
