//! What changes the judge: the settings in force, the trust store, the log, the hook scripts that settings name,
//! the binary itself.

use portcullis_paths::{FileKind, is_within, normalize};
use portcullis_shell_analysis::{Invocation, Value};

use crate::{
    Decision,
    case::{Access, Case, Place, Touch},
    reach::shell_may_meet,
    ruling::Ruling,
};

/// Commands of this program that change what decides, with those of their subcommands that only look.
const OWN_COMMANDS: [(&str, &[&str]); 8] = [
    ("rules", &["list", "test", "lint", "diff", "suggest"]),
    ("trust", &["status", "list"]),
    ("hook", &[]),
    ("log", &["show", "replay", "list", "tail", "query"]),
    ("serve", &[]),
    ("mcp", &[]),
    ("preset", &["list"]),
    ("run", &[]),
];

/// Asks, in every mode: every time where it does change what decides. Where it only may (an archive that is taken apart
/// above it), an exact allow rule of the user's for that very command lifts the question, as it does for rules that
/// may match.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let mut possible = None;
    for touch in case.touches().iter().filter(|touch| touch.access.alters()) {
        match judge_path(case, touch) {
            Some((about, true)) => return Some(changes(Decision::AlwaysAsk, about)),
            Some((about, false)) if !is_lifted(case, touch) => {
                possible.get_or_insert(about);
            }
            _ => {}
        }
    }
    let own = case.invocations().map(|(_, invocation)| invocation).find_map(own_command);
    own.map(|about| changes(Decision::AlwaysAsk, about))
        .or_else(|| possible.map(|about| changes(Decision::Ask, about)))
}

fn changes(decision: Decision, about: String) -> Ruling {
    Ruling::new(decision, "Changes what decides").about(about)
}

/// What decides and is changed, and whether it is for certain.
fn judge_path(case: &Case<'_>, touch: &Touch<'_>) -> Option<(String, bool)> {
    let mut possible = None;
    for path in &case.context.judge_paths {
        let judged = normalize(path);
        let at = |pattern: &str| format!("may change {path}: what it changes at {pattern} is not known");
        if changes_for_certain(case, touch, &judged) {
            // Whether a glob finds it is seen when it is there.
            let about = match &touch.place {
                Place::Glob(pattern, _) => at(pattern),
                _ => path.clone(),
            };
            return Some((about, true));
        }
        possible = possible.or_else(|| match &touch.place {
            Place::Path(place) if place.unknown => Some(at(&place.lexical)),
            Place::Below(directory) if is_within(&judged, directory) && !brought_by_git(case, touch) => {
                Some(format!("may change {path}: what it changes below {directory} is not known"))
            }
            Place::Glob(pattern, _) if above(pattern, &judged) => Some(at(pattern)),
            _ => None,
        });
    }
    possible.map(|about| (about, false))
}

fn changes_for_certain(case: &Case<'_>, touch: &Touch<'_>, judged: &str) -> bool {
    let removes = touch.access == Access::Delete;
    match &touch.place {
        // Removing or moving a directory takes along what is in it.
        Place::Path(path) => path.iter().any(|reading| {
            is_within(reading, judged)
                || is_within(judged, reading) && (removes || comes_there(case, touch, reading))
        }),
        Place::Glob(pattern, _) => {
            // Everything below a directory says no more than the directory.
            let names = removes || !["/**", "/**/*"].iter().any(|end| pattern.ends_with(end));
            names && shell_may_meet(pattern, judged)
                || removes && shell_may_meet(&format!("{pattern}/**"), judged)
        }
        // Its own folder is hardly filled without it.
        Place::Below(directory) => {
            let holds = is_within(judged, directory) && !brought_by_git(case, touch);
            is_within(directory, judged)
                || holds && (removes || portcullis_paths::parent(judged) == Some(*directory))
        }
        Place::Unknown => false,
    }
}

/// Whether a match of the glob can be a directory above `path`, so that something may come to lie in it.
fn above(pattern: &str, path: &str) -> bool {
    let mut above = portcullis_paths::parent(path);
    while let Some(directory) = above {
        if shell_may_meet(pattern, directory) {
            return true;
        }
        above = portcullis_paths::parent(directory);
    }
    false
}

/// Whether an exact allow rule of the user's names every command that may be what touches.
fn is_lifted(case: &Case<'_>, touch: &Touch<'_>) -> bool {
    let Some(cause) = &touch.cause else { return false };
    let lifted = case.lifted();
    let mut around = case
        .invocations()
        .zip(lifted)
        .filter(|((text, invocation), _)| {
            std::ptr::eq(*text, cause.text)
                && invocation.span.start <= cause.span.start
                && cause.span.end <= invocation.span.end
        })
        .map(|(_, lifted)| lifted)
        .peekable();
    around.peek().is_some() && around.all(|lifted| lifted)
}

/// Whether a directory comes to `path`, with whatever is in it: a copy, a link or a move to where none is yet.
fn comes_there(case: &Case<'_>, touch: &Touch<'_>, path: &str) -> bool {
    let context = case.context;
    let is_there = context.resolver.as_deref().map_or_else(
        || is_within(&context.cwd, path) || case.facts.roots.iter().any(|root| is_within(root, path)),
        |resolver| resolver.kind(path) == Some(FileKind::Directory),
    );
    let made_empty = || all_around(case, touch, |name| name == "mkdir");
    touch.access == Access::Write && touch.cause.is_some() && !is_there && !made_empty()
}

/// Whether git puts files of the repository there, by a pull, a switch or a stash. What a repository brings is for
/// trust to judge; a question at each of these, in every mode, would be answered without being read.
fn brought_by_git(case: &Case<'_>, touch: &Touch<'_>) -> bool {
    all_around(case, touch, |name| name == "git")
}

/// Whether every command that may be what touches is one of these programs.
fn all_around(case: &Case<'_>, touch: &Touch<'_>, program: impl Fn(&str) -> bool) -> bool {
    let Some(cause) = &touch.cause else { return false };
    let mut around = case
        .invocations()
        .map(|(_, invocation)| invocation)
        .filter(|invocation| {
            invocation.span.start <= cause.span.start && cause.span.end <= invocation.span.end
        })
        .peekable();
    around.peek().is_some() && around.all(|invocation| invocation.base_name().is_some_and(&program))
}

fn own_command(invocation: &Invocation) -> Option<String> {
    if invocation.base_name() != Some("portcullis") {
        return None;
    }
    let mut words = invocation.words.iter().skip(1).map(|word| &word.value).filter(|value| !is_flag(value));
    let command = words.next()?.known().map(str::to_owned);
    let Some(command) = command else { return Some("portcullis".to_owned()) };
    let (_, looking) = OWN_COMMANDS.iter().find(|(name, _)| *name == command)?;
    let only_looks = words.next().and_then(Value::known).is_some_and(|word| looking.contains(&word));
    // `run` decides and asks by itself; only its flags change how.
    let plain_run = command == "run" && !invocation.words.iter().any(|word| changes_run(&word.value));
    (!only_looks && !plain_run).then(|| format!("portcullis {command}"))
}

fn is_flag(value: &Value) -> bool {
    value.known().is_some_and(|word| word.starts_with('-'))
}

fn changes_run(value: &Value) -> bool {
    let flags =
        ["--mode", "--preset", "--trust", "--ticket", "--log", "--sandbox", "--net", "--allowed-tools"];
    value.known().is_none_or(|word| flags.iter().any(|flag| word.starts_with(flag)))
}
