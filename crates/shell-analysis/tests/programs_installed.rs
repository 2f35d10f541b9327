//! Flags as the installed programs read them: each is asked whether it knows an option and takes a value for it. An
//! option of another arity than the program's own hides an operand, or another option.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]
#![cfg(target_os = "linux")]

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use portcullis_shell_analysis::{FlagValue, specifications};

/// GNU programs that every Linux system has, and whose messages about options are those of getopt_long.
const PROGRAMS: &[&str] = &[
    "ls",
    "stat",
    "du",
    "df",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "pathchk",
    "cat",
    "tac",
    "head",
    "tail",
    "nl",
    "cut",
    "tr",
    "fold",
    "fmt",
    "pr",
    "paste",
    "expand",
    "unexpand",
    "wc",
    "comm",
    "join",
    "uniq",
    "sort",
    "shuf",
    "od",
    "base64",
    "base32",
    "basenc",
    "md5sum",
    "sha256sum",
    "b2sum",
    "cksum",
    "sum",
    "date",
    "uname",
    "id",
    "tty",
    "nproc",
    "printenv",
    "rm",
    "rmdir",
    "shred",
    "mkdir",
    "mkfifo",
    "mknod",
    "touch",
    "chmod",
    "chown",
    "chgrp",
    "cp",
    "mv",
    "install",
    "ln",
    "tee",
    "truncate",
    "split",
    "csplit",
    "mktemp",
    "who",
    "dircolors",
    "grep",
    "sed",
    "diff",
    "cmp",
    "diff3",
    "sdiff",
    "tar",
    "gzip",
    "pinky",
];

/// Options that other versions or systems have, or several programs with one specification.
const ELSEWHERE: &[(&str, &[&str])] = &[
    ("ls", &["colour"]),
    ("stat", &["x", "s", "n", "F", "Z"]),
    ("du", &["A"]),
    ("df", &["F"]),
    ("wc", &["total"]),
    ("comm", &["i"]),
    ("expand", &["a", "all", "first-only"]),
    ("unexpand", &["i", "initial"]),
    (
        "base64",
        &["D", "base64", "base64url", "base32", "base32hex", "base16", "base2msbf", "base2lsbf", "z85"],
    ),
    (
        "base32",
        &["D", "base64", "base64url", "base32", "base32hex", "base16", "base2msbf", "base2lsbf", "z85"],
    ),
    ("basenc", &["D"]),
    ("md5sum", &["l", "length"]),
    ("sha256sum", &["l", "length"]),
    ("cksum", &["raw", "base64"]),
    ("date", &["v", "j", "n", "resolution", "uct", "rfc-822"]),
    ("uname", &["h"]),
    ("chmod", &["h", "H", "L", "P", "dereference", "no-dereference", "from"]),
    ("chgrp", &["from"]),
    ("mktemp", &["V"]),
    ("grep", &["u", "y"]),
    ("tar", &["0", "1", "2", "3", "4", "5", "6", "7"]),
    ("who", &["ips", "short", "time"]),
    ("gzip", &["z"]),
    ("pinky", &["lookup"]),
    ("dircolors", &["print-ls-colors"]),
    ("cp", &["keep-directory-symlink", "debug", "update"]),
    ("mv", &["exchange", "no-copy", "debug", "update"]),
    // These answer at once.
    ("id", &["Z", "context"]),
    ("diff", &["v"]),
    ("cmp", &["v"]),
    ("diff3", &["v"]),
    ("sdiff", &["v"]),
    ("tar", &["show-defaults", "show-snapshot-field-ranges", "usage"]),
    ("gzip", &["h", "L", "V", "license"]),
];

/// What a program says to words that it cannot run with.
fn said(program: &str, words: &[&str], directory: &Path) -> String {
    let output = Command::new(program)
        .args(words)
        .current_dir(directory)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| {
            panic!("`{program}` has to be installed (coreutils, grep, sed, diffutils, tar, gzip): {error}")
        });
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// How the program takes an option: `None` when it has none of that name. The second of two options that no program
/// has keeps it from running even if the first is taken for a value.
fn taken(program: &str, name: &str, directory: &Path) -> Option<FlagValue> {
    let long = name.chars().count() > 1;
    let option = if long { format!("--{name}") } else { format!("-{name}") };
    let text = said(program, &[&option, "--zzz-one", "--zzz-two"], directory);
    let unknown = |text: &str| {
        let missing = text.contains("unrecognized option") || text.contains("invalid option");
        let named = if long {
            text.contains(&format!("option '{option}'"))
        } else {
            text.contains(&format!("-- '{name}'"))
        };
        missing && named
    };
    if unknown(&text) {
        return None;
    }
    if !text.contains("unrecognized option '--zzz-one'") {
        return Some(FlagValue::Required);
    }
    let refuses = if long {
        said(program, &[&format!("{option}=zz"), "--zzz-one"], directory)
            .contains("doesn't allow an argument")
    } else {
        // No program has an option of this name, so that it is one, or a value.
        let text = said(program, &[&format!("{option}\u{1}"), "--zzz-one"], directory);
        text.contains("invalid option -- ")
    };
    Some(if refuses { FlagValue::None } else { FlagValue::Optional })
}

#[test]
fn options_are_taken_as_the_programs_take_them() {
    let directory = tempfile();
    let all = specifications();
    let mut asked = Vec::new();
    for program in PROGRAMS {
        let own = all
            .iter()
            .filter(|specification| !specification.launcher && specification.subcommand.is_empty())
            .find(|specification| specification.names.contains(program))
            .unwrap_or_else(|| panic!("`{program}` has no specification"));
        let mut seen = BTreeSet::new();
        let elsewhere =
            ELSEWHERE.iter().filter(|(name, _)| name == program).flat_map(|(_, flags)| flags.iter());
        let elsewhere: BTreeSet<&str> = elsewhere.copied().collect();
        asked.extend(
            own.flags
                .iter()
                .filter(|flag| flag.name != "#" && !elsewhere.contains(flag.name) && seen.insert(flag.name))
                .filter(|flag| !matches!(flag.name, "help" | "version"))
                .map(|flag| (*program, flag.name, flag.value)),
        );
    }
    let next = AtomicUsize::new(0);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut wrong = Vec::new();
                    while let Some((program, name, value)) = asked.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let found = taken(program, name, &directory);
                        if found != Some(*value) {
                            wrong.push(format!("{program} {name}: {value:?} here, {found:?} there"));
                        }
                    }
                    wrong
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked.len() > 1000, "only {} options were asked for", asked.len());
}

fn tempfile() -> std::path::PathBuf {
    let directory = std::env::temp_dir().join(format!("portcullis-flags-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    directory
}
