//! How much an analysis does, counted in allocations and not by a clock: everyday commands stay cheap, long texts
//! cost in proportion to their length, and no short text makes a lot of work.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a failing test panics"
)]

#[path = "../benches/analysis/allocations.rs"]
mod allocations;
#[path = "../benches/analysis/texts.rs"]
mod texts;

use std::{
    io,
    sync::atomic::{AtomicUsize, Ordering},
};

use portcullis_paths::{FileKind, Resolver};
use portcullis_shell_analysis::{Analysis, Settings, analyze};
use texts::{TEXTS, TYPICAL, text_of};

fn run(text: &str) -> Analysis {
    let roots = ["/repo".to_owned()];
    analyze(text, &Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) })
}

/// Allocations and bytes, once the tables of the specifications are there.
fn cost(text: &str) -> (usize, usize) {
    drop(run(text));
    allocations::of(|| drop(run(text)))
}

#[test]
fn everyday_commands_allocate_little() {
    let mut all = 0;
    let mut report = String::new();
    for (name, text) in TYPICAL {
        let (count, _) = cost(text);
        all += count;
        report += &format!("{name} {count}\n");
        assert!(count <= 60, "{name}: {count} allocations; before it:\n{report}");
    }
    let mean = all / TYPICAL.len();
    assert!(mean <= 30, "{mean} allocations on average:\n{report}");
}

#[test]
fn long_texts_cost_in_proportion_to_their_length() {
    for (name, unit) in TEXTS {
        let (small, large) = (cost(&text_of(unit, 1 << 13)), cost(&text_of(unit, 1 << 17)));
        assert!(large.0 <= 1000 << 7, "{name}: {} allocations for 128 KiB", large.0);
        assert!(
            large.0 <= small.0 * 16 * 6 / 5 + 64,
            "{name}: {small:?} allocations and bytes, then {large:?}"
        );
        assert!(large.1 <= small.1 * 16 * 6 / 5 + (1 << 16), "{name}: {small:?}, then {large:?}");
    }
}

/// Words that may be anything, in the places where a command may begin behind them, make as much work as other words.
#[test]
fn words_that_are_not_known_cost_in_proportion_to_their_number() {
    for unit in ["$a ", "$a b ", "-exec $a ", "-exec $a {} + ", "a -delete ", "`z`a=$b "] {
        for program in ["find ", "env ", "xargs ", "timeout ", "sudo ", "flock ", "\"$x\" ", "git ", "tar "] {
            let text = |size: usize| format!("{program}{}", text_of(unit, size));
            let (small, large) = (cost(&text(1 << 11)), cost(&text(1 << 14)));
            assert!(
                large.0 <= small.0 * 8 * 3 / 2 + 4096,
                "{program}{unit}: {small:?} allocations and bytes, then {large:?}"
            );
            assert!(large.1 <= small.1 * 8 * 3 / 2 + (1 << 20), "{program}{unit}: {small:?}, then {large:?}");
        }
    }
}

/// Work that a short text can ask for is bounded, and what goes beyond makes the text opaque.
#[test]
fn short_texts_make_no_endless_work() {
    let words = "word ".repeat(20_000);
    let body = "x".repeat(200_000);
    let nested = |inner: &str| format!("for i in {{1..64}}; do for j in {{1..64}}; do {inner}; done; done");
    let doubled = format!("a=aaaaaaaa; {} echo \"$a\"", "a=\"$a$a\"; ".repeat(200));
    for (name, text) in [
        ("long commands in loops", nested(&format!("echo {words}"))),
        ("long words in loops", nested(&format!("echo '{body}'\"$i\""))),
        (
            "here-documents in loops",
            format!("for i in {{1..64}}; do for j in {{1..64}}; do cat <<E\n{body} $i\nE\ndone; done"),
        ),
    ] {
        let analysis = run(&text);
        assert!(analysis.opaque.is_some(), "{name}");
        let (_, bytes) = cost(&text);
        assert!(bytes < 200 << 20, "{name}: {} MiB", bytes >> 20);
    }
    let (_, bytes) = cost(&doubled);
    assert!(bytes < 200 << 20, "a variable doubled: {} MiB", bytes >> 20);
    assert!(!run(&doubled).invocations.is_empty());
    // What one file holds comes into the other, and back.
    for pair in [
        "mv a b; mv b a; ",
        "cp a b; cp b a; ",
        "ln -sf a b; ln -sf b a; ",
        "ln a b; ln b a; ",
        "install a b; install b a; ",
        "mv src x; mv x src; ",
        "mv a b c; mv c/a b; ",
        "echo x >> a; cp a b; cat b >> a; cp a b; ",
    ] {
        let (_, bytes) = cost(&format!("echo 'rm x' > a; {} sh a", pair.repeat(40)));
        assert!(bytes < 200 << 20, "{pair}: {} MiB", bytes >> 20);
    }
}

/// Each file holds all that the ones before it held: a chain is followed as far as is cheap, and is opaque then.
#[test]
fn chains_of_copies_end() {
    let chain = |program: &str, length: usize| {
        let one = |index: usize| format!("{program} a{index} a{}; ", index + 1);
        run(&(0..length).map(one).collect::<String>())
    };
    for program in ["cp", "mv", "ln", "install"] {
        assert!(chain(program, 100).opaque.is_none(), "{program}");
        assert!(chain(program, 1_000).opaque.is_some(), "{program}");
    }
}

/// Nothing is on this disk; every question is counted.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Resolver for Counting {
    fn realpath(&self, path: &str) -> io::Result<String> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(path.to_owned())
    }

    fn kind(&self, _path: &str) -> Option<FileKind> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }

    fn read(&self, _path: &str, _limit: usize) -> io::Result<Vec<u8>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Behind each of many launchers every later word may be a program or a file that it runs.
#[test]
fn the_file_system_is_not_asked_the_same_again_and_again() {
    for unit in ["xargs ", "ssh a ", "env ", "sh ", "sudo ", "nice ", "eval ", "timeout 1 ", "a "] {
        let text = format!("{}ls", text_of(unit, 1 << 13));
        let counting = Counting::default();
        let roots = ["/repo".to_owned()];
        let settings = Settings { resolver: Some(&counting), ..Settings::new("/repo", &roots) };
        drop(analyze(&text, &settings));
        let asked = counting.0.load(Ordering::Relaxed);
        let words = text.split(' ').count();
        assert!(asked <= words * 4 + 256, "{unit}: {asked} questions for {words} words");
    }
}

/// Commands beyond the bound are read, so that an error in them is found, and not kept.
#[test]
fn very_many_commands_are_read_to_the_end() {
    for unit in ["[[ -n $a ]]\n", "[[ -n $a ]];", "f() { a; };", "echo $(a)\n", "a|", "a&&", "{ a; };"] {
        let text = text_of(unit, 1 << 18);
        let broken = format!("{text}\n)");
        let analysis = run(&broken);
        assert!(analysis.error.is_some_and(|error| error.span.start as usize > text.len()), "{unit:?}");
        assert!(analysis.opaque.is_some(), "{unit:?} with an error");
    }
}

/// What stands first is in the plan, whatever follows it or is inside it: a deny rule finds it.
#[test]
fn the_first_commands_of_very_many_are_planned() {
    for text in [
        format!("rm x {}", "&& a ".repeat(30_000)),
        format!("rm x {}", "| a ".repeat(30_000)),
        format!("rm x; {}", "a;".repeat(30_000)),
        format!("rm x\n{}", "a\n".repeat(30_000)),
        format!("{{ rm x; {} }}", "a;".repeat(30_000)),
        format!("if rm x; then {} fi", "a;".repeat(30_000)),
        format!("echo $(rm x){}", "$(a)".repeat(30_000)),
    ] {
        let analysis = run(&text);
        assert!(analysis.opaque.is_some(), "{:?}", &text[..20]);
        assert!(
            analysis.invocations.iter().any(|invocation| invocation.base_name() == Some("rm")),
            "{:?}",
            &text[..20]
        );
    }
}

/// A directory that grows with every word is not copied as often as there are words.
#[test]
fn directories_that_grow_cost_in_proportion_to_their_number() {
    for (head, unit, tail) in [
        ("git ", "-C a ", "log"),
        ("git ", "-C ./ ", "log"),
        ("cargo ", "-C a ", "build"),
        ("ninja ", "-C a ", ""),
        ("npm ", "--prefix a ", "test"),
        ("pnpm ", "-C a ", "test"),
        ("yarn ", "--cwd a ", "test"),
        ("make ", "-C a ", "test"),
        ("tar c ", "-C a b ", ""),
        ("env ", "-C a ", "ls"),
        ("", "cd a && ", "ls"),
        ("", "pushd a && ", "ls"),
        ("", "cd a\n", "ls"),
    ] {
        let text = |size: usize| format!("{head}{}{tail}", text_of(unit, size));
        let (small, large) = (cost(&text(1 << 12)), cost(&text(1 << 15)));
        assert!(large.0 <= small.0 * 8 * 3 / 2 + 4096, "{head}{unit}: {small:?}, then {large:?}");
        // The paths of at most some thousand invocations, each of bounded length.
        assert!(large.1 <= small.1 * 8 * 3 / 2 + (32 << 20), "{head}{unit}: {small:?}, then {large:?}");
    }
    for (head, unit) in
        [("curl ", "a "), ("curl ", "-o a "), ("wget ", "-O a "), ("sort ", "-o a "), ("tee ", "a ")]
    {
        let text = |size: usize| format!("{head}{}", text_of(unit, size));
        let (small, large) = (cost(&text(1 << 12)), cost(&text(1 << 15)));
        assert!(large.0 <= small.0 * 8 * 3 / 2 + 4096, "{head}{unit}: {small:?}, then {large:?}");
        assert!(large.1 <= small.1 * 8 * 3 / 2 + (32 << 20), "{head}{unit}: {small:?}, then {large:?}");
    }
    let deep = format!("git {}log", "-C a ".repeat(65));
    assert!(!run(&deep).read_only(), "nobody knows where it runs");
    assert!(run(&format!("git {}log", "-C a ".repeat(3))).read_only());
}
