//! Nesting is bounded: whatever nests, and however deep, the answer is an error and never an overflow of the stack.
//! A thread of 2 MiB, which is what Rust gives to threads, has to do in a debug build too.
#![allow(clippy::unwrap_used, reason = "a failing test panics")]

use portcullis_shell_analysis::{ErrorKind, MAX_DEPTH, Settings, analyze};

const STACK: usize = 2 << 20;

/// What opens a level, what stands innermost, what closes a level.
const CONSTRUCTS: &[(&str, &str, &str)] = &[
    ("( ", "a", " )"),
    ("{ ", "a", ";}"),
    ("$(", "a", ")"),
    ("echo $(", "a", ")"),
    ("\"$(", "a", ")\""),
    ("<(", "a", ")"),
    ("echo ${x:-", "a", "}"),
    ("${x:-", "a", "}"),
    ("\"${x:-", "a", "}\""),
    ("${x:-\"", "a", "\"}"),
    ("$((1+", "1", "))"),
    ("$((1+$(", "a", ")))"),
    ("if ", "a", "; then b; fi"),
    ("if a; then ", "b", "; fi"),
    ("if a; then b; else ", "c", "; fi"),
    ("while ", "a", "; do b; done"),
    ("until a; do ", "b", "; done"),
    ("for i in a b; do ", "c", "; done"),
    ("for ((;;)); do ", "c", "; done"),
    ("case x in a) ", "b", ";; esac"),
    ("f() { ", "a", "; }"),
    ("function f { ", "a", "; }"),
    ("coproc { ", "a", "; }"),
    ("[[ ! ( ", "-n a", " ) ]]"),
    ("x=(", "a", ")"),
    ("x=($(", "a", "))"),
    ("x[$(", "1", ")]=a"),
    ("a && { ", "b", "; }"),
    ("a | { ", "b", "; }"),
    ("cat <(cat ", "a", ")"),
];

fn in_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

fn nest(open: &str, inner: &str, close: &str, levels: usize) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

fn error_of(text: &str) -> Option<ErrorKind> {
    let roots = ["/repo".to_owned()];
    let analysis = analyze(text, &Settings::new("/repo", &roots));
    analysis.error.map(|error| error.kind)
}

#[test]
fn every_construct_that_nests_is_bounded() {
    for &(open, inner, close) in CONSTRUCTS {
        in_small_stack(move || {
            assert_eq!(
                error_of(&nest(open, inner, close, 2)).filter(|kind| *kind == ErrorKind::TooDeep),
                None
            );
            // As deep as can be, and then ever deeper.
            error_of(&nest(open, inner, close, MAX_DEPTH / 2));
            error_of(&nest(open, inner, close, MAX_DEPTH - 1));
            for levels in [MAX_DEPTH * 2, 2_000, 20_000] {
                assert!(error_of(&nest(open, inner, close, levels)).is_some(), "{levels} times {open}");
                assert!(error_of(&open.repeat(levels)).is_some(), "{levels} times {open} alone");
            }
        });
    }
}

/// Texts inside texts nest with the plan: shells, `eval`, substitutions in here-documents, quotes in backticks.
#[test]
fn texts_inside_texts_are_bounded() {
    in_small_stack(|| {
        let mut shell = "ls".to_owned();
        let mut evaluated = "ls".to_owned();
        let mut ticks = "ls".to_owned();
        for _ in 0..12 {
            shell = format!("bash -c {}", portcullis_shell_analysis::join_words(&[shell]));
            evaluated = format!("eval {}", portcullis_shell_analysis::join_words(&[evaluated]));
            ticks = format!("echo `{}`", ticks.replace('\\', "\\\\").replace('`', "\\`"));
            if shell.len().max(evaluated.len()).max(ticks.len()) > 1 << 18 {
                break;
            }
            error_of(&shell);
            error_of(&evaluated);
            error_of(&ticks);
        }
        let launched = format!("{}ls", "env ".repeat(5_000));
        let many = format!("{}ls", "timeout 5 nice ".repeat(3_000));
        let functions: String = (0..500).map(|n| format!("f{n}() {{ f{}; }}; ", n + 1)).collect();
        let here = nest("cat <<E\n$(", "a", "\n)\nE\n", 200);
        for text in [launched, many, functions + "f0", here] {
            error_of(&text);
        }
    });
}
