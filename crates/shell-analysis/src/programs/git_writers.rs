//! What git's changing subcommands do to files, so that rules about files govern them too.

use portcullis_paths::{GitSetting, is_within, names_program};

use super::{
    Build, flags,
    flags::Slot,
    git_objects::{self, Stored},
    git_pathspec, git_repository,
    git_writer_tables::{DESTRUCTIVE, Does, HAZARDS, WRITERS, Writer},
    spec::Parsed,
};
use crate::{
    Argument, Directories, EffectKind, GlobPattern, PathTarget, Span, Value, as_written, lies_inside, pattern,
};

/// The row of a subcommand.
pub(super) fn find(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| writer.name == name)
}

/// The top of the working tree as far as the text tells: the root that holds the directory, or the directory, where it
/// leads out of the roots.
pub(super) fn top(build: &Build<'_>) -> Option<String> {
    let Directories::Known(all) = build.directories() else { return None };
    if let Some(outside) = all.iter().find(|directory| !lies_inside(directory, build.settings)) {
        return Some(outside.clone());
    }
    let directory = as_written(all.first()?);
    let root = build.settings.roots.iter().find(|root| is_within(&directory, root));
    Some(root.cloned().unwrap_or_else(|| directory.into_owned()))
}

/// What git's own launchers (`rebase --exec`, `bisect run`) do beside what they run.
pub(super) fn launches(build: &mut Build<'_>) {
    let span = build.span_of(0);
    tree(build, span);
}

/// Everything in the working tree.
fn tree(build: &mut Build<'_>, span: Span) {
    let target = top(build).map_or(PathTarget::Unknown, PathTarget::Below);
    build.push(EffectKind::Write(target), span);
}

fn index(build: &mut Build<'_>, span: Span) {
    let target = top(build).map_or(PathTarget::Unknown, |top| PathTarget::Path(top + "/.git/index"));
    build.push(EffectKind::Write(target), span);
}

/// Gives a changing subcommand at `start` its effects; `directories` is where its repository is looked for.
pub(super) fn writes(
    build: &mut Build<'_>,
    writer: &'static Writer,
    start: usize,
    directories: &Directories,
) {
    let name = writer.name;
    let span = build.span_of(start);
    mark(build, name, start);
    let parsed = flags::parse(build.words, start + 1, writer.flags, false, false);
    for flag in &parsed.flags {
        let Some(slot) = flag.value else {
            if (name, flag.name) == ("apply", "unsafe-paths") {
                build.hazard(flag.word);
            }
            continue;
        };
        let chosen = matches!((name, flag.name), ("format-patch", "o") | ("config", "f" | "file"));
        if flag.role == b'w' || chosen && !build.stays(&slot.value()) {
            build.hazard(flag.word);
        }
        match flag.role {
            b'r' => build.read(&slot.value(), false, slot.span()),
            b'm' => build.metadata(&slot.value(), slot.span()),
            b'w' => build.write(&slot.value(), slot.span()),
            b'x' => build.push(EffectKind::Execute(slot.value()), slot.span()),
            _ => {}
        }
    }
    files(build, writer.does, &parsed, span);
    // The index and files are all that these touch, and no hook has a part in it.
    let only_files = matches!(writer.does, Does::Adds | Does::Removes | Does::Moves | Does::Restores)
        && parsed.unknown.is_empty()
        && !parsed.flags.iter().any(|flag| flag.role == b'o');
    if !only_files {
        build.push(
            EffectKind::Opaque(match name {
                "ls-remote" => "`git ls-remote` may run a helper to talk to the remote".into(),
                "fast-export" | "unpack-file" | "upload-archive" => {
                    ["`git ", name, "` gives out what the repository holds"].concat().into()
                }
                _ => ["`git ", name, "` changes a repository and may run its hooks"].concat().into(),
            }),
            span,
        );
    } else if let Err(reason) = git_repository::harmless(build.settings, build.look, directories) {
        build.push(EffectKind::Opaque(reason.into()), span);
    }
}

fn files(build: &mut Build<'_>, does: Does, parsed: &Parsed<'_>, span: Span) {
    let words = build.words;
    let operands: Vec<&Argument> = parsed.operands.iter().filter_map(|index| words.get(*index)).collect();
    let first = operands.first().and_then(|word| word.value.known());
    // Which paths, stands in a file.
    let listed = parsed.has(&["pathspec-from-file"]);
    match does {
        Does::Adds | Does::Commits => {
            for word in &operands {
                git_pathspec::each(build, word, |build, value, at| build.read(value, true, at));
            }
            if listed || operands.is_empty() && does == Does::Adds {
                build.read_here();
            }
            index(build, span);
        }
        Does::Restores => {
            for word in &operands {
                git_pathspec::each(build, word, written);
            }
            // The hunks, or the names, are given by whoever it asks.
            if listed || parsed.has(&["p", "patch"]) {
                tree(build, span);
            }
            index(build, span);
        }
        Does::ChecksOut => {
            let behind = parsed.dashes.map(|at| parsed.operands.iter().filter(|index| **index > at).count());
            let paths = behind.map_or(operands.as_slice(), |count| {
                operands.get(operands.len().saturating_sub(count)..).unwrap_or_default()
            });
            for word in paths {
                git_pathspec::each(build, word, written);
            }
            let makes = parsed.has(&["b", "B", "orphan"]) && operands.len() <= 1;
            if listed || behind.is_none_or(|count| count == 0) && !makes {
                tree(build, span);
            }
        }
        Does::Removes if !parsed.has(&["cached", "n", "dry-run"]) => {
            let recursive = parsed.has(&["r"]);
            for word in &operands {
                git_pathspec::each(build, word, |build, value, at| build.delete(value, recursive, at));
            }
            if listed {
                tree(build, span);
            }
            index(build, span);
        }
        Does::Removes => index(build, span),
        Does::Moves => {
            if let Some((target, sources)) = operands.split_last() {
                for source in sources {
                    build.read(&source.value, true, source.span);
                    build.delete(&source.value, true, source.span);
                }
                build.write(&target.value, target.span);
                super::copies::lands_inside(build, sources, target);
            }
            index(build, span);
        }
        Does::Cleans => {
            for word in &operands {
                git_pathspec::each(build, word, |build, value, at| build.delete(value, true, at));
            }
            if operands.is_empty() {
                build.delete(&Value::Known(".".into()), true, span);
            }
        }
        Does::Tree => tree(build, span),
        Does::Resets => {
            if parsed.has(&["hard", "merge", "keep"]) {
                tree(build, span);
            }
            index(build, span);
        }
        Does::Stashes => {
            if !matches!(first, Some("drop" | "clear" | "create" | "store")) {
                tree(build, span);
            }
        }
        Does::Applies => {
            build.each(parsed, |build, value, at| build.read(value, false, at));
            if parsed.has(&["unsafe-paths"]) {
                build.push(EffectKind::Write(PathTarget::Unknown), span);
            } else if !parsed.has(&["cached"]) {
                tree(build, span);
            }
        }
        Does::Sends | Does::Pulls => {
            build.push(EffectKind::Network(first.map(str::to_owned)), span);
            if does == Does::Pulls {
                tree(build, span);
            }
        }
        Does::Clones => clones(build, parsed, &operands, span),
        Does::Starts => match operands.first() {
            Some(word) => build.write(&word.value, word.span),
            None => build.write(&Value::Known(".git".into()), span),
        },
        Does::Configures => configures(build, parsed, &operands, span),
        Does::Worktrees => match (first, operands.get(1), operands.get(2)) {
            (Some("add"), Some(path), _) => {
                // What the repository holds can be read there.
                let top = top(build).map_or_else(|| Value::Known(".".into()), |top| Value::Known(top.into()));
                build.read(&top, true, span);
                git_objects::read_any(build, Stored::Perhaps, span);
                lands(build, path);
            }
            (Some("remove"), Some(path), _) => build.delete(&path.value, true, path.span),
            (Some("move"), Some(from), Some(to)) => {
                build.delete(&from.value, true, from.span);
                build.write(&to.value, to.span);
            }
            _ => {}
        },
        Does::Submodules => {
            let endpoint = if first == Some("add") { operands.get(1) } else { None };
            let endpoint = endpoint.and_then(|word| word.value.known()).map(str::to_owned);
            build.push(EffectKind::Network(endpoint), span);
            tree(build, span);
        }
        Does::Patches => {
            if !parsed.has(&["stdout"]) {
                let target = parsed.value(&["o", "output-directory"]).map_or(Some("."), Slot::known);
                let suffix = parsed.value(&["suffix"]).map_or(Some(".patch"), Slot::known);
                let suffix = if parsed.has(&["numbered-files"]) { Some("") } else { suffix };
                match target.zip(suffix) {
                    Some((directory, suffix)) => {
                        below(build, directory, &format!("*{}", pattern::escaped(suffix)), span);
                    }
                    None => build.push(EffectKind::Write(PathTarget::Unknown), span),
                }
            }
        }
        Does::Bundles => {
            if let (Some("create"), Some(file)) = (first, operands.get(1)) {
                git_objects::read_any(build, Stored::Printed, span);
                // On standard output.
                if file.value.known() != Some("-") {
                    build.write(&file.value, file.span);
                }
            }
        }
        Does::Copies => git_objects::read_any(build, Stored::Printed, span),
        Does::Unpacks => {
            git_objects::read_any(build, Stored::Printed, span);
            below(build, ".", ".merge_file_*", span);
        }
        Does::MergesFile => {
            if parsed.has(&["object-id"]) {
                git_objects::read_any(build, Stored::Printed, span);
            } else {
                build.each(parsed, |build, value, at| build.read(value, false, at));
            }
            if let Some(file) = operands.first().filter(|_| !parsed.has(&["p", "stdout"])) {
                build.write(&file.value, file.span);
            }
        }
        Does::Remotes => {
            let fetches = matches!(first, Some("update" | "prune" | "show" | "set-head"))
                || first == Some("add") && parsed.has(&["f"]);
            if fetches {
                build.push(EffectKind::Network(None), span);
            }
            // Where the next push goes.
            if first.is_none_or(|action| matches!(action, "set-url" | "rename")) && !operands.is_empty() {
                configuration(build, "config", span);
            }
        }
        Does::Rewrites => {
            build.push(EffectKind::Execute(Value::Unknown), span);
            tree(build, span);
        }
        Does::Runs => build.push(EffectKind::Execute(Value::Unknown), span),
        Does::Inside => {}
    }
}

/// git writes the file, or whatever it has in the directory.
fn written(build: &mut Build<'_>, value: &Value, span: Span) {
    build.write_below(value, span);
}

/// A new working tree at `word`; the working directory itself may get any file.
fn lands(build: &mut Build<'_>, word: &Argument) {
    let here = match (word.value.known(), build.directories()) {
        (Some(text), Directories::Known(all)) => all.iter().any(|directory| {
            let target = portcullis_paths::join(directory, text);
            is_within(directory, &target)
        }),
        _ => false,
    };
    if here {
        build.write_below(&word.value, word.span);
    } else {
        build.write(&word.value, word.span);
    }
}

/// Files in `directory` whose names match `name`.
fn below(build: &mut Build<'_>, directory: &str, name: &str, span: Span) {
    let prefix = format!("{}/", directory.trim_end_matches('/'));
    build.write(
        &Value::Glob(GlobPattern { pattern: format!("{prefix}{name}").into(), prefix: prefix.into() }.into()),
        span,
    );
}

/// A clone lands in the second operand, or in the last component of the first without `.git` (git-clone(1)).
fn clones(build: &mut Build<'_>, parsed: &Parsed<'_>, operands: &[&Argument], span: Span) {
    let source = operands.first();
    let text = source.and_then(|word| word.value.known());
    // `host:path` and `scheme://` are elsewhere; a colon behind a slash belongs to a path.
    let remote = text.is_none_or(|text| {
        text.contains("://") || text.split('/').next().is_some_and(|first| first.contains(':'))
    });
    match source {
        Some(word) if !remote => {
            let (before, ..) = build.checkpoint();
            build.read(&word.value, true, word.span);
            git_objects::read_from(build, Stored::Perhaps, before);
        }
        _ => build.push(EffectKind::Network(text.map(str::to_owned)), span),
    }
    match (operands.get(1), text) {
        (Some(target), _) => lands(build, target),
        (None, Some(text)) => {
            let text = text.trim_end_matches('/');
            let text = text.strip_suffix("/.git").unwrap_or(text);
            let name = text.rsplit(['/', ':']).next().unwrap_or_default();
            let name = name.strip_suffix(".git").or_else(|| name.strip_suffix(".bundle")).unwrap_or(name);
            let bare = if parsed.has(&["bare", "mirror"]) { ".git" } else { "" };
            build.write(&Value::Known(format!("{name}{bare}").into()), span);
        }
        (None, None) => build.push(EffectKind::Write(PathTarget::Unknown), span),
    }
}

/// Where a setting is stored. The repository's own configuration counts as written where the setting can make git
/// run something or send elsewhere; what git keeps of a user's name or of what branches follow is its own business.
fn configures(build: &mut Build<'_>, parsed: &Parsed<'_>, operands: &[&Argument], span: Span) {
    if let Some(file) = parsed.value(&["f", "file"]) {
        build.write(&file.value(), file.span());
    } else if parsed.has(&["system"]) {
        build.write(&Value::Known("/etc/gitconfig".into()), span);
    } else if parsed.has(&["global"]) {
        match build.settings.home {
            Some(home) => build.write(&Value::Known(format!("{home}/.gitconfig").into()), span),
            None => build.push(EffectKind::Write(PathTarget::Unknown), span),
        }
    } else if !only_tells(operands) {
        let file = if parsed.has(&["worktree"]) { "config.worktree" } else { "config" };
        configuration(build, file, span);
    }
}

/// Writes a file of the repository's configuration.
fn configuration(build: &mut Build<'_>, file: &str, span: Span) {
    let target = top(build).map_or(PathTarget::Unknown, |top| PathTarget::Path(format!("{top}/.git/{file}")));
    build.push(EffectKind::Write(target), span);
}

/// Whether what is set, or unset, can make git run nothing and send nothing elsewhere: a known key, and a known value
/// if there is one (git-config(1), "COMMANDS" and the older forms).
fn only_tells(operands: &[&Argument]) -> bool {
    let known: Option<Vec<&str>> = operands.iter().map(|word| word.value.known()).collect();
    let Some(mut words) = known else { return false };
    if words.first().is_some_and(|word| matches!(*word, "set" | "unset")) {
        words.remove(0);
    }
    let Some((key, values)) = words.split_first() else { return false };
    let (Some((section, rest)), Some((_, name))) = (key.split_once('.'), key.rsplit_once('.')) else {
        return false;
    };
    let subsection = rest.rsplit_once('.').map(|(subsection, _)| subsection.to_owned());
    // A second value is a pattern over the values that are replaced.
    let setting = GitSetting {
        section: section.to_lowercase(),
        subsection,
        name: name.to_lowercase(),
        value: values.first().map(|value| (*value).to_owned()),
        line: 1,
    };
    // An alias that is no shell command stands for another command of git.
    let alias =
        setting.section == "alias" && setting.value.as_deref().is_some_and(|value| !value.starts_with('!'));
    alias || !(names_program(&setting) || redirects(&setting))
}

/// Whether a setting says where git sends to (git-config(1)): `remote.*.url`, `branch.*.pushRemote`, `url.*.insteadOf`.
fn redirects(setting: &GitSetting) -> bool {
    match setting.section.as_str() {
        "url" | "http" | "credential" => true,
        "remote" => matches!(setting.name.as_str(), "url" | "pushurl" | "pushdefault" | "push" | "proxy"),
        "branch" => matches!(setting.name.as_str(), "remote" | "pushremote"),
        "core" => setting.name == "gitproxy",
        _ => false,
    }
}

/// Marks the words that an allow rule has to spell out.
fn mark(build: &mut Build<'_>, name: &str, start: usize) {
    let words = build.words;
    for (index, word) in words.iter().enumerate().skip(start + 1) {
        if word.value.known().is_some_and(|text| {
            (HAZARDS.iter().any(|hazard| text.starts_with(hazard)) && !short_message(name, text))
                || destroys(name, text)
        }) {
            build.hazard(index);
        }
    }
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
