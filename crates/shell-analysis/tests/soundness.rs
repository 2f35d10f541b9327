//! Soundness: what is judged read-only changes nothing.
//!
//! A generator composes commands from the specifications themselves: every flag alone and in pairs, spelled in
//! every way, with operands that exist and some that do not, flags that no specification lists, scripts for
//! `sed`, `awk`, `jq` and `find`, and all of these inside constructs; conformance texts are mutated as well.
//! Each text that the analysis calls read-only is really run, in a sandbox over a tree that is laid out for it.
//! Afterwards every path of the sandbox is as it was (content, mode, owner, links, times but for those of
//! access), no process is left, and the shell has the variables, options, traps and aliases that it had.
//! What is judged read-only in a project that is not trusted also prints nothing from outside the project and
//! nothing of the environment, and starts no program that the project's configuration names. Half of the texts
//! run over a tree with a file for every program that may obey one, and many with code on standard input; what
//! looks up a name, or begins a connection, has to say that it talks to the network.
//!
//! Two changes are none: git refreshes the times that its index caches while it looks (git-status(1), BACKGROUND
//! REFRESH), but the entries of the index have to be the same; and a temporary file that is gone again leaves
//! the time of `/tmp`.
//!
//! `PORTCULLIS_SOAK=1` runs 20,000 texts, or `PORTCULLIS_SOAK_TEXTS`, from the seed `PORTCULLIS_SOAK_SEED`;
//! `PORTCULLIS_SOAK_PROGRAMS=sed,awk` keeps to these programs.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "soundness/found.rs"]
mod found;
#[path = "soundness/generate.rs"]
mod generate;
#[path = "soundness/listed.rs"]
mod listed;
#[path = "soundness/pools.rs"]
mod pools;
#[path = "soundness/rows.rs"]
mod rows;
#[path = "soundness/sandbox.rs"]
mod sandbox;
#[path = "soundness/scripts.rs"]
mod scripts;
#[path = "soundness/search.rs"]
mod search;
#[path = "user/mod.rs"]
mod user;
#[path = "soundness/verdict.rs"]
mod verdict;

use sandbox::{Mode, Sandbox, Tree};
use search::{Figures, Search};
use verdict::{Judged, judged, mode, violations};

/// Programs without which the search says too little; `cargo xtask test` installs them.
const NEEDED: &[&str] = &[
    "awk",
    "basename",
    "cat",
    "cmp",
    "column",
    "comm",
    "cut",
    "date",
    "df",
    "diff",
    "du",
    "env",
    "expr",
    "fd",
    "file",
    "find",
    "fold",
    "git",
    "grep",
    "head",
    "hexdump",
    "id",
    "ip",
    "join",
    "jq",
    "less",
    "ls",
    "lsof",
    "md5sum",
    "more",
    "nl",
    "od",
    "paste",
    "pgrep",
    "printf",
    "ps",
    "readlink",
    "realpath",
    "rg",
    "sed",
    "seq",
    "sha256sum",
    "shuf",
    "sort",
    "ss",
    "stat",
    "strings",
    "tac",
    "tail",
    "tar",
    "timeout",
    "tr",
    "tree",
    "uniq",
    "unzip",
    "wc",
    "xargs",
    "xxd",
    "xz",
    "zip",
    "zstd",
];

#[test]
fn what_is_judged_read_only_changes_nothing() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let soak = std::env::var("PORTCULLIS_SOAK").is_ok_and(|text| text == "1");
    let texts = number("PORTCULLIS_SOAK_TEXTS").unwrap_or(if soak { 20_000 } else { 400 });
    let seed = number("PORTCULLIS_SOAK_SEED").unwrap_or(20_261_129);
    let mut search = Search::new(seed as u64, soak);
    let missing: Vec<&str> = NEEDED
        .iter()
        .copied()
        .filter(|name| !(search.installed(name) || *name == "fd" && search.installed("fdfind")))
        .collect();
    assert!(missing.is_empty(), "install what `cargo xtask test` installs; missing: {}", missing.join(" "));
    let figures = search.run(texts);
    report(&figures, seed, soak);
    assert!(figures.runs >= texts * 9 / 10, "{} of {texts} texts were found to run", figures.runs);
    assert!(figures.counter_examples.is_empty(), "{}", figures.counter_examples.join("\n"));
}

fn report(figures: &Figures, seed: usize, soak: bool) {
    let mark = if soak { "soak: " } else { "" };
    println!(
        "{mark}soundness: seed {seed}, {} runs, {} counter-examples; {} texts composed, {} judged read-only ({} strictly); \
         {} of {} programs in the specifications driven ({} are installed); {} ended by the clock; {} wrote a log of their own; {:.0} runs a second",
        figures.runs,
        figures.counter_examples.len(),
        figures.composed,
        figures.read_only,
        figures.strictly,
        figures.driven.len(),
        figures.specified,
        figures.installed,
        figures.clock,
        figures.logged,
        figures.runs as f64 / figures.seconds,
    );
    println!("not installed: {}", figures.absent.join(" "));
    println!("never judged read-only with these seeds: {}", figures.never.join(" "));
}

/// What has to be noticed, or the search could not fail.
#[test]
fn every_kind_of_change_is_noticed() {
    let changing = [
        "touch out.new",
        "echo x >> notes.txt",
        "chmod 600 notes.txt",
        "touch -d 2020-01-01 notes.txt",
        "mv 'a b' c",
        "rm -rf src",
        "ln -sf x link",
        "echo x > ~/.bashrc",
        "mkdir /tmp/d",
        "echo x > /etc/x",
        "echo x > /dev/shm/x",
        "git add -A",
        "git tag x",
        "git update-index --assume-unchanged notes.txt",
        "git config a.b c",
        "sleep 30 & disown",
        "export HOME=/x",
        "umask 0",
        "shopt -s nullglob",
        "alias x=y",
        "trap 'true' EXIT",
        "PATH=/x",
        "set -f",
        "bin/value",
        "touch src/x && rm src/x",
        "ulimit -n 50",
        "cat /outside/near",
        "cat outdir/x.rs",
        "cat outlink",
        "cat ?utl*",
        "cat */x.rs",
        "head -1 o*/x.rs",
        "find . -name 'outl*' -exec cat {} +",
        "find odd -type f | xargs -d '\\n' cat",
        "rg --files odd | while IFS= read -r f; do cat \"$f\"; done",
        "echo \"$SECRET_TOKEN\"",
        "env",
        "make all",
        "git -C hostile status",
        "git -C hostile st",
        "git -C outer status",
        "git --git-dir=hostile/.git --work-tree=hostile status",
    ];
    let harmless = [
        "ls -la",
        "git status",
        "git log -p",
        "cat notes.txt | sort | uniq",
        "for f in *.txt; do wc -l \"$f\"; done",
        "set -e; true",
        "x=1; echo $x",
        "read -r line < notes.txt",
        "cd src && ls",
        "yes | head -3",
        "tail -f notes.txt",
        "cat /nonexistent",
        "f() { ls; }; f",
    ];
    let mut sandbox = Sandbox::start();
    for text in changing {
        let how = if text.starts_with("sleep") { Mode::Run } else { mode(text) };
        let outcome = sandbox.run(how, text).unwrap();
        assert!(!violations(text, Judged::Strictly, &outcome).is_empty(), "`{text}` is noticed: {outcome:?}");
        let after = sandbox.run(Mode::Run, "ls").unwrap();
        assert_eq!(
            violations("ls", Judged::Strictly, &after),
            [] as [&str; 0],
            "the tree is laid out anew after `{text}`"
        );
    }
    // Code on standard input, files that act, and questions to the network.
    let looks_up = "getent hosts nowhere.example.org";
    assert!(sandbox.run(Mode::Run, looks_up).unwrap().noticed.contains(&"network".to_owned()));
    assert!(violations("ls", Judged::Widely, &sandbox.run(Mode::Run, looks_up).unwrap()).len() == 1);
    for (program, file) in [("sh", "/var/code/sh"), ("python3 -", "/var/code/py"), ("perl", "/var/code/pl")] {
        let outcome = sandbox.fed(Mode::Run, file, program).unwrap();
        assert_eq!(
            outcome.changed.last().map(String::as_str),
            Some("/repo/out.new"),
            "{program}: {outcome:?}"
        );
    }
    let mut acting = Sandbox::over(Tree::Acting);
    for text in [
        "python3 setup.py",
        "make -n",
        "perl Makefile.PL",
        "sh configure",
        "python3 -c 'import sitecustomize'",
    ] {
        let outcome = acting.run(Mode::Run, text).unwrap();
        assert_eq!(outcome.noticed, ["project"], "`{text}`");
    }
    for text in harmless {
        let outcome = sandbox.run(mode(text), text).unwrap();
        assert_eq!(violations(text, Judged::Strictly, &outcome), [] as [&str; 0], "`{text}`");
    }
    let touched = sandbox.run(Mode::Run, "touch notes.txt").unwrap();
    assert!(!touched.changed.is_empty());
    // The file is as before, its index entry is stale now: git brings it up to date.
    assert_eq!(sandbox.run(Mode::Run, "git status").unwrap().changed, [] as [&str; 0]);
}

/// The sandbox keeps what runs in it from everything else.
#[test]
fn the_sandbox_holds() {
    let mut sandbox = Sandbox::start();
    let mut shown = |text: &str| sandbox.run(Mode::Show, text).unwrap().output;
    assert_eq!(shown("ls -d /root /mnt /media /srv 2>/dev/null"), "");
    assert!(shown("touch /usr/x").contains("Read-only file system"));
    assert!(!shown("id -u").starts_with("0\n"));
    assert_eq!(shown("grep -c : /proc/net/dev").trim(), "1", "only the loopback interface is there");
    assert!(shown("echo </dev/tcp/127.0.0.1/22").contains("refused"));
    assert_eq!(shown("ulimit -u").trim(), "200");
    let bomb = sandbox.run(Mode::Run, ":(){ :|:& };:").unwrap();
    assert!(bomb.clock || !bomb.remains.is_empty(), "{bomb:?}");
    assert_eq!(sandbox.run(Mode::Show, "echo after").unwrap().output, "after\n");
}

/// What earlier searches found: none of these is read-only.
#[test]
fn counter_examples_of_earlier_searches() {
    let mut sandbox = Sandbox::start();
    let listed = listed::Listed::of(&mut sandbox);
    let wrong: Vec<String> = [(found::FOUND, 0), (found::FOUND_STRICTLY, 1), (found::KEPT, 2)]
        .iter()
        .flat_map(|(texts, kind)| texts.iter().map(move |text| (*text, *kind)))
        .filter(|(text, kind)| match kind {
            0 => judged(text, &listed).is_some(),
            1 => judged(text, &listed) == Some(Judged::Strictly),
            _ => judged(text, &listed) != Some(Judged::Strictly),
        })
        .map(|(text, _)| format!("{text:?} is judged {:?}", judged(text, &listed)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
