//! git: global options, then one of the subcommands below (git manual pages). A repository's own
//! configuration can name programs: see [`super::git_repository`].

use super::{
    Build, flags, git_repository,
    git_tables::{DESTRUCTIVE, GLOBAL, HAZARDS, Kind, SUBCOMMANDS, WRITERS},
    spec::{Operands, Parsed, Spec},
};
use crate::{Directories, EffectKind, PathTarget, Value};

pub(super) const SPECS: &[Spec] = &[Spec::new(&["git"], "", Operands::Custom(git)).stops()];

fn git(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let mut start = 1;
    let leading = flags::leading(build.words, GLOBAL, "git");
    let parsed = flags::parse(build.words.get(..leading.rest).unwrap_or_default(), 1, GLOBAL, false, true);
    let mut directories = build.directories.clone();
    for (index, reason) in &parsed.unknown {
        build.hazard(*index);
        let span = build.span_of(*index);
        build.opaque(span, format!("a global option of git {reason}"));
    }
    for flag in &parsed.flags {
        let span = build.span_of(flag.word);
        match (flag.name, flag.value) {
            ("C", Some(slot)) => directories = moved(&directories, &slot.value()),
            ("c", _) => {
                build.hazard(flag.word);
                build.hazard(flag.word + 1);
                build.push(EffectKind::Opaque("configuration that can name programs".to_owned()), span);
            }
            _ if flag.kind == b'!' || matches!(flag.role, b'o' | b'x') => {
                build.hazard(flag.word);
                build.push(EffectKind::Opaque(format!("`--{}` leads git elsewhere", flag.name)), span);
            }
            _ => {}
        }
    }
    start = start.max(leading.rest);
    let Some(word) = build.words.get(start) else {
        if !parsed.has(&["version", "v", "html-path", "man-path", "info-path"]) {
            // Only the usage is printed.
        }
        return;
    };
    let Some(name) = word.value.known() else {
        build.opaque(word.span, "a subcommand that is not known".to_owned());
        return;
    };
    let known = SUBCOMMANDS.iter().find(|(known, _, _)| *known == name);
    let writer = WRITERS.contains(&name);
    if let Some((_, table, kind)) = known {
        let before = build.checkpoint();
        let own = build.parse(table, start + 1, false, false);
        if reads(build, *kind, &own, start) {
            paths(build, *kind, &own);
            repository(build, &directories);
            return;
        }
        if writer {
            build.rewind(before);
        } else {
            let span = word.span;
            build.push(EffectKind::Opaque(format!("`git {name}` changes the repository")), span);
            return;
        }
    }
    if writer {
        writes(build, name, start);
    } else {
        build.opaque(word.span, format!("`git {name}` is not known; it may be an alias"));
    }
}

fn moved(directories: &Directories, value: &Value) -> Directories {
    match (directories, value.known()) {
        (Directories::Known(all), Some(path)) => {
            Directories::Known(all.iter().map(|directory| portcullis_paths::join(directory, path)).collect())
        }
        _ => Directories::Unknown,
    }
}

/// Whether these words only read.
fn reads(build: &Build<'_>, kind: Kind, parsed: &Parsed<'_>, _start: usize) -> bool {
    let first = parsed.operands.first().map(|index| build.word(*index));
    match kind {
        Kind::Reads | Kind::Greps => true,
        Kind::Bare => parsed.operands.is_empty(),
        Kind::Branch => {
            parsed.operands.is_empty()
                || parsed.has(&["list", "l", "contains", "no-contains", "merged", "no-merged", "points-at"])
        }
        Kind::Tag => {
            parsed.operands.is_empty()
                || parsed.has(&[
                    "list",
                    "l",
                    "n",
                    "contains",
                    "no-contains",
                    "merged",
                    "no-merged",
                    "points-at",
                    "v",
                    "verify",
                ])
        }
        Kind::Actions(actions) => match first {
            Some(Some(action)) => actions.contains(&action),
            Some(None) => false,
            // `git reflog` and `git submodule` show; `git stash` writes.
            None => actions.contains(&"exists") || actions.contains(&"summary"),
        },
        Kind::Remote => match first {
            None => true,
            Some(Some("show" | "get-url")) => parsed.operands.len() <= 2,
            Some(_) => false,
        },
        Kind::Config => {
            let action = parsed.has(&[
                "l",
                "list",
                "get",
                "get-all",
                "get-regexp",
                "get-urlmatch",
                "get-color",
                "get-colorbool",
            ]);
            action || matches!(first, Some(Some("list" | "get")))
        }
        Kind::SymbolicRef => parsed.operands.len() <= 1,
    }
}

/// Operands may be paths: rules about reading them apply, and so do the roots.
fn paths(build: &mut Build<'_>, kind: Kind, parsed: &Parsed<'_>) {
    match kind {
        Kind::Greps => {
            let given = parsed.has(&["e", "f"]);
            let mut any = false;
            for index in parsed.operands.iter().skip(usize::from(!given)) {
                let Some(word) = build.words.get(*index) else { continue };
                any = true;
                match word.value.known() {
                    Some(text) if text.contains(['*', '?', '[']) => pathspec(build, text, word.span),
                    _ => build.read(&word.value, true, word.span),
                }
            }
            if !any {
                build.read_here();
            }
        }
        Kind::Reads => build.each(parsed, |build, value, span| match value.known() {
            Some(text) => pathspec(build, text, span),
            None => build.read(value, false, span),
        }),
        Kind::Remote => {
            if let Some(remote) = build.operand(parsed, 1)
                && build.operand(parsed, 0).and_then(|word| word.value.known()) == Some("show")
                && !parsed.has(&["n"])
            {
                // The operand chooses the endpoint and the helper that talks to it.
                build.push(EffectKind::Network(None), remote.span);
            }
        }
        _ => {}
    }
}

/// `REVISION:PATH`, or a path in git's own glob syntax with magic in front (gitglossary(7), pathspec).
fn pathspec(build: &mut Build<'_>, text: &str, span: crate::Span) {
    let magic = text.strip_prefix(":(").and_then(|rest| rest.split_once(')'));
    let path = match magic {
        Some((_, path)) => path,
        None => text.split_once(':').map_or(text, |(_, path)| path).trim_start_matches(['/', '!', '^']),
    };
    // A revision (`HEAD^{tree}`, `stash@{1}`) holds no star; a path that does is matched at any depth.
    let path = if text.starts_with('/') { text } else { path };
    if path.contains(['*', '?', '[']) {
        let prefix = path.split(['*', '?', '[']).next().unwrap_or_default().to_owned();
        build.read(&Value::Glob(crate::GlobPattern { pattern: path.to_owned(), prefix }), false, span);
    } else {
        build.read(&Value::Known(path.to_owned()), false, span);
    }
}

fn repository(build: &mut Build<'_>, directories: &Directories) {
    if let Err(reason) = git_repository::harmless(build.settings, directories) {
        build.effect(EffectKind::Opaque(reason));
    }
}

fn writes(build: &mut Build<'_>, name: &str, start: usize) {
    let words = build.words;
    let span = build.span_of(start);
    for (index, word) in words.iter().enumerate().skip(start + 1) {
        if word.value.known().is_some_and(|text| {
            (HAZARDS.iter().any(|hazard| text.starts_with(hazard)) && !short_message(name, text))
                || destroys(name, text)
        }) {
            build.hazard(index);
        }
    }
    let operands: Vec<&crate::Argument> = words
        .iter()
        .skip(start + 1)
        .filter(|word| word.value.known().is_none_or(|text| !text.starts_with('-')))
        .collect();
    match name {
        "push" | "fetch" | "pull" | "clone" | "ls-remote" => {
            let endpoint = operands.first().and_then(|word| word.value.known()).map(str::to_owned);
            build.push(EffectKind::Network(endpoint), span);
        }
        "rm" => {
            let recursive = words.iter().any(|word| {
                word.value.known().is_some_and(|text| {
                    text.starts_with('-') && !text.starts_with("--") && text.contains('r')
                })
            });
            for word in &operands {
                build.delete(&word.value, recursive, word.span);
            }
        }
        "mv" => {
            if let Some((target, sources)) = operands.split_last() {
                for source in sources {
                    build.delete(&source.value, true, source.span);
                }
                build.write(&target.value, target.span);
            }
        }
        "checkout" | "restore" => {
            for word in &operands {
                build.write(&word.value, word.span);
            }
        }
        "clean" => build.delete(&Value::Known(".".to_owned()), true, span),
        "apply" | "am" | "merge" | "rebase" | "cherry-pick" | "revert" | "reset" | "stash" | "switch" => {
            build.push(EffectKind::Write(PathTarget::Unknown), span);
        }
        _ => {}
    }
    build.push(EffectKind::Opaque(format!("`git {name}` changes a repository and may run its hooks")), span);
}

/// `git commit -c` and `-x` mean something else there.
fn short_message(name: &str, text: &str) -> bool {
    matches!((name, text), ("commit" | "switch", "-c") | ("cherry-pick" | "clean", "-x"))
        || name == "clean" && text.starts_with("-x")
}

/// Whether a word makes a subcommand throw work away. Long options may be abbreviated, short ones combined, and
/// a refspec forces by `+` and deletes by an empty source (git-push manual).
fn destroys(name: &str, text: &str) -> bool {
    if name == "push" && text.starts_with(['+', ':']) {
        return true;
    }
    let Some((_, marks)) = DESTRUCTIVE.iter().find(|(subcommand, _)| *subcommand == name) else {
        return false;
    };
    let long = text.strip_prefix("--").map(|rest| rest.split_once('=').map_or(rest, |(flag, _)| flag));
    let short = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    marks.iter().any(|mark| match (long, short, mark.strip_prefix("--"), mark.strip_prefix('-')) {
        (Some(flag), _, Some(mark), _) => !flag.is_empty() && mark.starts_with(flag),
        (_, Some(flags), None, Some(mark)) => flags.contains(mark),
        _ => text == *mark,
    })
}
