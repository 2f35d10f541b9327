//! Nothing hidden: every command that bash really runs is in the plan.
//!
//! Bash runs the texts in a sandbox in which every command is a stub that reports its words, once with all
//! of them succeeding and once failing, so that both sides of `&&` and `||` are seen; builtins that cannot
//! be shadowed report through the shell's own trace. For a text that the parser takes, each command must be
//! covered by an invocation of the plan, its working directory included; for one that it refuses and bash
//! refuses too, by the complete commands before the error. What only the parser refuses is never allowed,
//! and counts for nothing here.
//!
//! `PORTCULLIS_SOAK` makes it a search through 100,000 texts (`cargo xtask soak shell`).
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "oracle/calls.rs"]
mod calls;
#[path = "oracle/corpus.rs"]
mod corpus;
#[path = "oracle/cover.rs"]
mod cover;
#[path = "oracle/declarations.rs"]
mod declarations;
#[path = "oracle/errors.rs"]
mod errors;
#[path = "oracle/flows.rs"]
mod flows;
#[path = "oracle/frames.rs"]
mod frames;
#[path = "oracle/generator.rs"]
mod generator;
#[path = "oracle/hidden.rs"]
mod hidden;
#[path = "oracle/inputs.rs"]
mod inputs;
#[path = "oracle/names.rs"]
mod names;
#[path = "oracle/pieces.rs"]
mod pieces;
#[path = "oracle/rounds.rs"]
mod rounds;
#[path = "oracle/sandbox.rs"]
mod sandbox;
#[path = "oracle/states.rs"]
mod states;
#[path = "oracle/trace.rs"]
mod trace;
#[path = "user/mod.rs"]
mod user;

use std::time::{Duration, Instant};

use generator::Random;
use hidden::{Count, analysis_of, hidden_in, report};
use sandbox::{Command, Job, LAUNCHERS, PROCESS_LIMIT};

/// Texts of the search in `cargo xtask test`, and of the long one.
const TEXTS: usize = 800;
const SOAK_TEXTS: usize = 100_000;
/// Texts that are run together.
const BATCH: usize = 200;

#[test]
fn nothing_is_hidden_in_texts_that_are_easily_misread() {
    let texts: Vec<String> = corpus::MISREAD
        .iter()
        .chain(states::STATES)
        .chain(errors::ERRORS)
        .chain(pieces::PIECES)
        .chain(rounds::ROUNDS)
        .chain(declarations::DECLARATIONS)
        .chain(inputs::INPUTS)
        .chain(names::NAMES)
        .chain(calls::CALLS)
        .map(|text| (*text).to_owned())
        .collect();
    let (hidden, count) = hidden_in(&texts);
    assert!(count.clear_commands > texts.len(), "the stubs report");
    assert!(hidden.is_empty(), "{} texts hide a command\n{}", hidden.len(), report(&hidden));
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("`{name}` is a number")))
}

#[test]
fn nothing_is_hidden_in_the_conformance_texts_and_compositions_and_their_mutations() {
    let soak = std::env::var_os("PORTCULLIS_SOAK").is_some();
    let texts = match number("PORTCULLIS_SOAK_TEXTS") {
        Some(texts) if soak => texts as usize,
        _ if soak => SOAK_TEXTS,
        _ => TEXTS,
    };
    let mut random = Random::new(number("PORTCULLIS_SOAK_SEED").filter(|_| soak).unwrap_or(1));
    let mut originals = corpus::conformance();
    originals.extend(
        corpus::MISREAD
            .iter()
            .chain(states::STATES)
            .chain(errors::ERRORS)
            .chain(pieces::PIECES)
            .chain(rounds::ROUNDS)
            .map(|text| (*text).to_owned()),
    );
    let mut hidden = Vec::new();
    let mut count = Count::default();
    let start = Instant::now();
    while count.texts < texts && hidden.len() < 200 {
        let mut batch: Vec<String> = Vec::with_capacity(BATCH);
        // As they are, then composed, then either with changes.
        batch.extend((0..BATCH / 8).map(|_| originals[random.next(originals.len())].clone()));
        batch.extend((0..BATCH / 4).map(|index| random.composition(1 + index % 4)));
        batch.extend((0..BATCH / 4).map(|_| random.flow()));
        while batch.len() < BATCH {
            let from = if random.next(2) == 0 { &originals } else { &batch };
            let text = random.mutation(from);
            batch.push(text);
        }
        let (found, counted) = hidden_in(&batch);
        for case in &found {
            eprintln!("{}", report(std::slice::from_ref(case)).trim_end());
        }
        hidden.extend(found);
        count.add(counted);
        if soak && count.texts % (BATCH * 25) == 0 {
            let rate = count.texts as f64 / start.elapsed().as_secs_f64();
            eprintln!("oracle: {} texts, {rate:.0} a second, {} hidden", count.texts, hidden.len());
        }
    }
    println!(
        "soak: oracle: {} texts ({} read and not opaque, {} runs ended by the clock), {} commands reported by stubs ({} \
         in texts that are not opaque), {} by the trace ({}), {} hidden, {:.0} s",
        count.texts,
        count.clear_texts,
        count.killed,
        count.commands,
        count.clear_commands,
        count.traced,
        count.clear_traced,
        hidden.len(),
        start.elapsed().as_secs_f64()
    );
    assert!(count.clear_commands > count.texts / 2, "the stubs report");
    assert!(
        hidden.is_empty(),
        "{} of {} texts hide a command\n{}",
        hidden.len(),
        count.texts,
        report(&hidden)
    );
}

#[test]
fn the_stubs_report_what_bash_runs() {
    let ran = |text: &str, status: u8| {
        let results = sandbox::run(&[Job { text: text.to_owned(), status, check: true }]);
        assert!(results[0].over, "{text}");
        assert_eq!(results[0].grammatical, Some(true), "{text}");
        let joined = |commands: &[Command]| -> Vec<String> {
            commands.iter().map(|ran| format!("{}: {}", ran.directory, ran.words.join(" "))).collect()
        };
        (joined(&results[0].commands), joined(&results[0].traced))
    };
    assert_eq!(ran("a 'b c' && d || e", 0).0, ["/w: a b c", "/w: d"]);
    assert_eq!(ran("a 'b c' && d || e", 1).0, ["/w: a b c", "/w: e"]);
    assert_eq!(
        ran("echo $(x \"$(y)\") | /bin/cat & ~/z", 0).0,
        ["/w: /bin/cat", "/w: /home/u/z", "/w: echo", "/w: x ", "/w: y"]
    );
    assert_eq!(ran("rm () { real; }; rm x", 0).0, ["/w: real"]);
    let (stubs, traced) = ran("cd src && set -- 'a b' \"c\nd\"; f () { local x=\"$1\"; return 3; }; f é", 0);
    assert!(stubs.is_empty(), "{stubs:?}");
    let expected = ["/w: cd src", "/w/src: local x=é", "/w/src: return 3", "/w/src: set -- a b c\nd"];
    assert_eq!(traced, expected);
    let launched = "env -u X A=1 rm a; timeout -k1 5 rm b; echo 'd e' | xargs -n1 rm; find src -name lib.rs -exec rm {} +";
    let (stubs, _) = ran(launched, 0);
    for words in ["rm a", "rm b", "rm d", "rm e", "rm src/lib.rs"] {
        assert!(stubs.contains(&format!("/w: {words}")), "{words}: {stubs:?}");
    }
    let (stubs, traced) = ran("bash -c 'cd src; rm $1' x y; echo 'exit 4' | sh", 0);
    assert!(stubs.contains(&"/w/src: rm y".to_owned()), "{stubs:?}");
    assert!(traced.contains(&"/w: exit 4".to_owned()), "{traced:?}");
}

#[test]
fn a_command_that_is_not_planned_is_noticed() {
    let texts = ["a && rm x".to_owned(), "a || rm x".to_owned(), "echo $(rm x)".to_owned()];
    let command = |words: [&str; 2], directory: &str| Command {
        words: words.map(str::to_owned).to_vec(),
        directory: directory.to_owned(),
    };
    for text in texts {
        let mut analysis = analysis_of(&text);
        let ran = command(["rm", "x"], "/w");
        assert!(cover::covers(&analysis, &ran));
        assert!(!cover::covers(&analysis, &command(["rm", "y"], "/w")));
        assert!(!cover::covers(&analysis, &command(["rm", "x"], "/w/src")));
        analysis.invocations.retain(|invocation| invocation.program() != Some("rm"));
        assert!(!cover::covers(&analysis, &ran));
    }
}

#[test]
fn no_program_of_the_host_can_be_reached() {
    let text =
        "shopt -s nullglob; found /* /bin/* /usr/bin/* /sbin/* /usr/sbin/* /opt/* /home/u/* /etc/* /root/*
        found /launch/*";
    let results = sandbox::run(&[Job { text: text.to_owned(), status: 0, check: false }]);
    let found: Vec<&String> = results[0].commands.iter().flat_map(|ran| &ran.words[1..]).collect();
    let known = ["/dev", "/home", "/id", "/in", "/launch", "/lib", "/lib64", "/proc", "/stub", "/usr", "/w"];
    for path in found {
        let launcher = path.strip_prefix("/launch/").is_some_and(|name| LAUNCHERS.contains(&name));
        assert!(launcher || known.contains(&path.as_str()), "{path} is in the sandbox");
    }
    let refused = sandbox::run(&[
        Job { text: "found </dev/tcp/127.0.0.1/22 && found connected".to_owned(), status: 0, check: false },
        Job { text: "found >/lib/x; found >/in; found >/.sh/bash".to_owned(), status: 0, check: false },
    ]);
    assert!(refused.iter().all(|ran| ran.commands.is_empty()), "{refused:?}");
}

#[test]
fn a_fork_bomb_is_bounded() {
    // Without the trace, which would end them sooner.
    let bombs = [
        "set +x; :(){ :|:& };:",
        "set +x; f(){ f|f& };f",
        "set +x; f(){ (f)& (f)& }; f",
        "set +x; while [[ x ]]; do (while [[ x ]]; do :; done) & done",
        "set +x; f(){ $(f) $(f); }; f",
    ];
    let mut jobs: Vec<Job> = bombs
        .iter()
        .flat_map(|text| [0, 1].map(|status| Job { text: (*text).to_owned(), status, check: false }))
        .collect();
    jobs.push(Job { text: "after all".to_owned(), status: 0, check: false });
    let start = Instant::now();
    let results = sandbox::run(&jobs);
    assert!(start.elapsed() < Duration::from_secs(60), "the clocks end every bomb");
    let most = results.iter().filter_map(|ran| ran.processes).max().expect("a bomb runs until the clock");
    assert!(most > PROCESS_LIMIT / 2, "the bombs do go off: {most} processes");
    assert!(most <= PROCESS_LIMIT + 4, "{most} processes, {PROCESS_LIMIT} are the limit");
    assert_eq!(results.last().unwrap().commands[0].words, ["after", "all"], "texts after a bomb run as ever");
}
