//! Nothing hidden: every command that bash really runs is in the plan (specification 4.8).
//!
//! Bash runs the texts in a sandbox in which every command is a stub that reports its words, once with all
//! of them succeeding and once failing, so that both sides of `&&` and `||` are seen. For a text that the
//! parser takes, each reported command must be covered by an invocation of the plan; for one that it
//! refuses and bash refuses too, by the complete commands before the error. What only the parser refuses is
//! never allowed, and counts for nothing here.
//!
//! `PORTCULLIS_ORACLE_SECONDS` makes the search through mutated texts longer.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "oracle/corpus.rs"]
mod corpus;
#[path = "oracle/cover.rs"]
mod cover;
#[path = "oracle/sandbox.rs"]
mod sandbox;

use std::time::{Duration, Instant};

use corpus::Random;
use portcullis_shell_analysis::{Analysis, Settings, Shell, analyze};
use sandbox::{Job, PROCESS_LIMIT, Ran};

fn analysis_of(text: &str) -> Analysis {
    let settings = Settings {
        shell: Shell::Bash,
        cwd: "/w",
        home: Some("/home/u"),
        roots: &["/w".to_owned()],
        allow_external_paths: false,
        trusted: false,
        scrubbed: false,
        resolver: None,
    };
    analyze(text, &settings)
}

/// A text with a command that ran and is not in its plan.
#[derive(Debug)]
struct Hidden {
    text: String,
    ran: Vec<String>,
}

/// How many commands ran, and how many of them in texts of which the analysis knows everything.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    all: usize,
    known: usize,
}

/// Runs the texts both ways and yields what their plans hide.
fn hidden_in(texts: &[String]) -> (Vec<Hidden>, Count) {
    let analyses: Vec<Analysis> = texts.iter().map(|text| analysis_of(text)).collect();
    let jobs: Vec<Job> = texts
        .iter()
        .zip(&analyses)
        .flat_map(|(text, analysis)| {
            let refused = analysis.error.is_some();
            [0, 1].map(|status| Job { text: text.clone(), status, check: refused && status == 0 })
        })
        .collect();
    let results: Vec<Ran> = jobs.chunks(120).flat_map(sandbox::run).collect();
    let mut hidden = Vec::new();
    let mut count = Count::default();
    for ((text, analysis), both) in texts.iter().zip(&analyses).zip(results.chunks(2)) {
        if analysis.error.is_some() && both[0].grammatical != Some(false) {
            continue;
        }
        for ran in both.iter().flat_map(|ran| &ran.commands) {
            count.all += 1;
            count.known += usize::from(analysis.opaque.is_none());
            if !cover::covers(analysis, ran) {
                hidden.push(Hidden { text: text.clone(), ran: ran.clone() });
                break;
            }
        }
    }
    (hidden, count)
}

fn report(hidden: &[Hidden]) -> String {
    hidden.iter().map(|case| format!("{:?} runs {:?}\n", case.text, case.ran)).collect()
}

#[test]
fn nothing_is_hidden_in_texts_that_are_easily_misread() {
    let texts: Vec<String> = corpus::MISREAD.iter().map(|text| (*text).to_owned()).collect();
    let (hidden, count) = hidden_in(&texts);
    assert!(count.known > texts.len(), "the stubs report");
    assert!(hidden.is_empty(), "{} texts hide a command\n{}", hidden.len(), report(&hidden));
}

#[test]
fn nothing_is_hidden_in_the_conformance_texts_and_their_mutations() {
    let seconds = std::env::var("PORTCULLIS_ORACLE_SECONDS").ok().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(10));
    let mut originals = corpus::conformance();
    originals.extend(corpus::MISREAD.iter().map(|text| (*text).to_owned()));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut hidden = Vec::new();
    let (mut texts, mut all, mut known, mut next) = (0, 0, 0, 0);
    // Every second batch is of originals while they last, starting at different places in turn.
    while Instant::now() < end && hidden.len() < 200 {
        let batch: Vec<String> = if texts % 120 == 0 && next < originals.len() {
            let stride = 37;
            let batch =
                (0..60).map(|index| originals[(next + index) * stride % originals.len()].clone()).collect();
            next += 60;
            batch
        } else {
            let composed: Vec<String> = (0..20).map(|index| random.composition(1 + index % 4)).collect();
            let changed =
                (0..40).map(|index| random.mutation(if index < 30 { &originals } else { &composed }));
            changed.collect::<Vec<_>>().into_iter().chain(composed.clone()).collect()
        };
        texts += 60;
        let (found, count) = hidden_in(&batch);
        hidden.extend(found);
        all += count.all;
        known += count.known;
    }
    println!(
        "{texts} texts, {all} commands, {known} of them in texts that are not opaque, {} hidden",
        hidden.len()
    );
    assert!(known > 100, "the stubs report");
    assert!(hidden.is_empty(), "{} of {texts} texts hide a command\n{}", hidden.len(), report(&hidden));
}

#[test]
fn the_stubs_report_what_bash_runs() {
    let ran = |text: &str, status: u8| {
        let results = sandbox::run(&[Job { text: text.to_owned(), status, check: true }]);
        assert!(results[0].over, "{text}");
        assert_eq!(results[0].grammatical, Some(true), "{text}");
        let mut commands: Vec<String> = results[0].commands.iter().map(|words| words.join(" ")).collect();
        commands.sort();
        commands
    };
    assert_eq!(ran("a 'b c' && d || e", 0), ["a b c", "d"]);
    assert_eq!(ran("a 'b c' && d || e", 1), ["a b c", "e"]);
    assert_eq!(ran("echo $(x \"$(y)\") | /bin/cat & ~/z", 0), ["/bin/cat", "/home/u/z", "echo", "x ", "y"]);
    assert_eq!(ran("command rm x; eval 'true y'; exec ls", 0).len(), 6);
    assert_eq!(ran("rm () { real; }; rm x", 0), ["real"]);
}

#[test]
fn a_command_that_is_not_planned_is_noticed() {
    let texts = ["a && rm x".to_owned(), "a || rm x".to_owned(), "echo $(rm x)".to_owned()];
    for text in texts {
        let mut analysis = analysis_of(&text);
        let ran = ["rm".to_owned(), "x".to_owned()];
        assert!(cover::covers(&analysis, &ran));
        analysis.invocations.retain(|invocation| invocation.program() != Some("rm"));
        assert!(!cover::covers(&analysis, &ran));
        let other = ["rm".to_owned(), "y".to_owned()];
        assert!(!cover::covers(&analysis_of(&text), &other));
    }
}

#[test]
fn no_program_of_the_host_can_be_reached() {
    let text =
        "shopt -s nullglob; found /* /bin/* /usr/bin/* /sbin/* /usr/sbin/* /opt/* /home/* /etc/* /root/*";
    let results = sandbox::run(&[Job { text: text.to_owned(), status: 0, check: false }]);
    let found = results[0].commands.iter().find(|words| words[0] == "found").unwrap();
    let known = ["/dev", "/in", "/lib", "/lib64", "/proc", "/usr", "/w"];
    for path in &found[1..] {
        let pattern = path.ends_with('*');
        assert!(pattern || known.contains(&path.as_str()), "{path} is in the sandbox");
    }
    let refused = sandbox::run(&[
        Job { text: "found </dev/tcp/127.0.0.1/22 && found connected".to_owned(), status: 0, check: false },
        Job { text: "found >/lib/x; found >/in; found >/.sh/bash".to_owned(), status: 0, check: false },
    ]);
    assert!(refused.iter().all(|ran| ran.commands.is_empty()), "{refused:?}");
}

#[test]
fn a_fork_bomb_is_bounded() {
    let bombs = [
        ":(){ :|:& };:",
        "f(){ f|f& };f",
        "f(){ (f)& (f)& }; f",
        "while [[ x ]]; do (while [[ x ]]; do :; done) & done",
        "f(){ $(f) $(f); }; f",
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
    assert_eq!(results.last().unwrap().commands, [["after", "all"]], "texts after a bomb run as ever");
}
