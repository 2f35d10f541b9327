//! git: global options, then one of the subcommands below (git manual pages). A repository's own
//! configuration can name programs: see [`super::git_repository`]. What changes something is in
//! [`super::git_writers`].

use super::{
    Build, flags,
    git_objects::{self, Stored},
    git_pathspec::{self, Pathspec},
    git_repository,
    git_tables::{GLOBAL, Kind, SUBCOMMANDS},
    git_writers,
    spec::{Operands, Parsed, Spec},
};
use crate::{Argument, Directories, EffectKind, Value, as_written, lies_inside};

pub(super) const SPECS: &[Spec] = &[Spec::new(&["git"], "", Operands::Custom(git)).stops()];

fn git(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let leading = flags::leading(build.words, GLOBAL, "git");
    let parsed = flags::parse(build.words.get(..leading.rest).unwrap_or_default(), 1, GLOBAL, false, true);
    for (index, reason) in &parsed.unknown {
        build.hazard(*index);
        let span = build.span_of(*index);
        build.opaque(span, format!("a global option of git {reason}"));
    }
    for flag in &parsed.flags {
        let span = build.span_of(flag.word);
        match (flag.name, flag.value) {
            ("C", Some(slot)) => {
                build.change_directory(&slot.value());
            }
            ("c", _) => {
                build.hazard(flag.word);
                build.hazard(flag.word + 1);
                build.push(EffectKind::Opaque("configuration that can name programs".into()), span);
            }
            _ if flag.kind == b'!' || matches!(flag.role, b'o' | b'x') => {
                build.hazard(flag.word);
                let reason = match flag.name {
                    name @ ("p" | "paginate") => {
                        let dashes = if name.len() == 1 { "-" } else { "--" };
                        format!("`{dashes}{name}` runs a pager")
                    }
                    name => format!("`--{name}` leads git elsewhere"),
                };
                build.push(EffectKind::Opaque(reason.into()), span);
            }
            _ => {}
        }
    }
    let directories = build.directories().clone();
    // Through a link it reads elsewhere than it says.
    if build.has_moved()
        && let Directories::Known(all) = &directories
        && all.iter().any(|directory| {
            let settings = build.settings;
            let told = as_written(directory);
            settings.roots.iter().any(|root| portcullis_paths::is_within(&told, root))
                && !lies_inside(directory, settings)
        })
    {
        build.read_here();
    }
    let start = leading.rest.max(1);
    // Without a subcommand only the usage, the version or a directory is printed.
    let Some(word) = build.words.get(start) else { return };
    let Some(name) = word.value.known() else {
        build.opaque(word.span, "a subcommand that is not known");
        return;
    };
    spelled_out(build, start);
    let known = SUBCOMMANDS.iter().find(|(known, _, _)| *known == name);
    let writer = git_writers::find(name);
    if let Some((_, table, kind)) = known {
        let before = build.checkpoint();
        // `git config KEY --get` stores `--get`: only an action may stand in front of options.
        let stops = *kind == Kind::Config && !matches!(build.word(start + 1), Some("get" | "list"));
        let own = build.parse(table, start + 1, false, stops);
        // A merge that is done again for comparison writes its objects (git-log(1), `--remerge-diff`).
        for flag in own.flags.iter().filter(|flag| flag.name == "diff-merges") {
            if flag.value.is_none_or(|slot| slot.known().is_none_or(|format| format.starts_with('r'))) {
                build.push(EffectKind::Write(crate::PathTarget::Unknown), build.span_of(flag.word));
            }
        }
        if reads(build, *kind, &own, start) {
            paths(build, *kind, &own, start);
            // With this every path matches others too.
            if parsed.has(&["icase-pathspecs"]) && matches!(kind, Kind::Reads | Kind::Greps) {
                build.effect(EffectKind::Read { path: crate::PathTarget::Unknown, recursive: false });
            }
            if let Err(reason) = git_repository::harmless(build.settings, build.look, &directories) {
                build.effect(EffectKind::Opaque(reason.into()));
            }
            return;
        }
        if writer.is_some() {
            build.rewind(before);
        } else {
            let span = word.span;
            let does = if name == "help" { "opens its manual in a viewer" } else { "changes the repository" };
            build.push(EffectKind::Opaque(format!("`git {name}` {does}").into()), span);
            return;
        }
    }
    match writer {
        Some(writer) => git_writers::writes(build, writer, start, &directories),
        None => build.opaque(word.span, format!("`git {name}` is not known; it may be an alias")),
    }
}

/// `--output=FILE` belongs to every command that reads revisions, documented there or not.
fn spelled_out(build: &mut Build<'_>, start: usize) {
    for index in start + 1..build.words.len() {
        let name =
            build.word(index).and_then(|text| text.strip_prefix("--out")).map(|rest| rest.split('=').next());
        if name.flatten().is_some_and(|rest| "put".starts_with(rest) || "put-directory".starts_with(rest)) {
            build.hazard(index);
        }
    }
}

/// What `git branch` and `git tag` list by: with one of these an operand is a pattern.
const LISTING: &[&str] =
    &["list", "l", "contains", "no-contains", "with", "without", "merged", "no-merged", "points-at"];

/// Whether these words only read.
fn reads(build: &Build<'_>, kind: Kind, parsed: &Parsed<'_>, start: usize) -> bool {
    let first = parsed.operands.first().map(|index| build.word(*index));
    // `git stash -m list` stores; the action has to stand where git looks for it.
    let at_once = parsed.operands.first() == Some(&(start + 1));
    let alone = build.words.len() == start + 1;
    match kind {
        Kind::Reads | Kind::Archives | Kind::Names | Kind::Revisions | Kind::Greps => true,
        Kind::Bare => parsed.operands.is_empty(),
        Kind::Branch => parsed.operands.is_empty() || parsed.has(LISTING),
        Kind::Tag => parsed.operands.is_empty() || parsed.has(LISTING) || parsed.has(&["n", "v", "verify"]),
        Kind::Actions(actions) => at_once && first.flatten().is_some_and(|action| actions.contains(&action)),
        Kind::ActionsOrNone(actions) => {
            alone || at_once && first.flatten().is_some_and(|action| actions.contains(&action))
        }
        Kind::Reflog => match first {
            None => true,
            Some(Some("show" | "list" | "exists")) => at_once,
            // A reference; another word may be an action of a later version.
            Some(Some(text)) => text == "HEAD" || text.contains("@{") || text.contains('/'),
            Some(None) => false,
        },
        Kind::Remote => match first {
            None => true,
            Some(Some("show" | "get-url")) => parsed.operands.len() <= 2,
            Some(_) => false,
        },
        Kind::Config => configuration(build, parsed, start).is_some(),
        Kind::Told(by) => parsed.has(by),
        Kind::SymbolicRef => build.count(parsed) <= 1,
    }
}

/// What `git config` is asked for.
enum Asked<'b> {
    /// One key.
    Key(&'b str),
    /// Any number of keys; of the repository only, or of the user too.
    Many { own: bool },
    /// Colours.
    Nothing,
}

/// Reading forms of `git config`, those with actions as options and those with actions as words.
fn configuration<'b>(build: &Build<'b>, parsed: &Parsed<'_>, start: usize) -> Option<Asked<'b>> {
    let operand = |position: usize| build.operand(parsed, position).map(|word| word.value.known());
    let own = parsed.has(&["local", "worktree", "f", "file", "blob", "name-only"]);
    if parsed.has(&["l", "list"]) {
        return parsed.operands.is_empty().then_some(Asked::Many { own });
    }
    if parsed.has(&["get-regexp", "get-urlmatch"]) {
        return Some(Asked::Many { own });
    }
    if parsed.has(&["get-color", "get-colorbool"]) {
        return Some(Asked::Nothing);
    }
    if parsed.has(&["get", "get-all"]) {
        return operand(0)?.map(Asked::Key);
    }
    let at_once = parsed.operands.first() == Some(&(start + 1));
    match (operand(0), operand(1)) {
        (Some(Some("list")), None) if at_once => Some(Asked::Many { own }),
        (Some(Some("get")), Some(_)) if at_once && parsed.has(&["regexp", "url"]) => {
            Some(Asked::Many { own })
        }
        (Some(Some("get")), Some(Some(key))) if at_once && parsed.operands.len() == 2 => {
            Some(Asked::Key(key))
        }
        // A name alone is shown; a value behind it is stored.
        (Some(Some(key)), None) if key.contains('.') => Some(Asked::Key(key)),
        _ => None,
    }
}

/// Keys whose values let somebody in.
fn secret_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["extraheader", "token", "password", "passwd", "secret", "pass", "apikey", "proxy"]
        .iter()
        .any(|end| key.ends_with(end))
        || key.starts_with("credential.")
}

/// Operands may be paths: rules about reading them apply, and so do the roots.
fn paths(build: &mut Build<'_>, kind: Kind, parsed: &Parsed<'_>, start: usize) {
    // `-L start,end:file` and `-L :function:file` show lines of a file.
    for flag in parsed.flags.iter().filter(|flag| flag.name == "L" && flag.kind == b'=') {
        if let Some(slot) = flag.value
            && let Some((_, file)) = slot.known().and_then(|text| text.rsplit_once(':'))
        {
            build.read(&Value::Known(file.into()), false, slot.span());
        }
    }
    let (before, ..) = build.checkpoint();
    match kind {
        Kind::Greps => {
            let given = parsed.has(&["e", "f"]);
            let (mut any, mut stored) =
                (false, if parsed.has(&["cached"]) { Stored::Printed } else { Stored::No });
            for index in parsed.operands.iter().skip(usize::from(!given)) {
                let Some(word) = build.words.get(*index) else { continue };
                let known = word.value.known();
                let tree = git_objects::tree(build, parsed, *index);
                stored = stored.max(tree);
                if is_revision(parsed, *index, known) {
                    continue;
                }
                // What is left out says nothing of the rest, and neither does the whole of a revision.
                any |= known.is_none_or(|text| {
                    !Pathspec::read(text).exclude
                        && !text.ends_with(':')
                        && (tree != Stored::Printed || text.contains(':'))
                });
                objects(build, word, true);
            }
            if !any {
                build.read_here();
            }
            // A word that may be a tree leaves the whole of it.
            if stored == Stored::Perhaps {
                build.read_here();
            }
            git_objects::read_from(build, stored, before);
        }
        Kind::Archives => git_objects::archives(build, parsed, before),
        Kind::Reads => {
            if parsed.has(&["batch", "batch-command"]) {
                // Which objects it prints stands in its input, or it prints all.
                build.effect(EffectKind::Read { path: crate::PathTarget::Unknown, recursive: false });
            }
            if build.word(start + 1) == Some("blob") {
                git_objects::read_any(build, Stored::Printed, build.span_of(start));
            }
            for index in &parsed.operands {
                let Some(word) = build.words.get(*index) else { continue };
                if parsed.has(&["no-index"]) {
                    // Two files, or all that is below two directories (git-diff(1)).
                    build.read(&word.value, true, word.span);
                } else if !is_revision(parsed, *index, word.value.known()) {
                    objects(build, word, false);
                }
            }
        }
        Kind::Names => build.each(parsed, Build::metadata),
        Kind::Told(_) => build.each(parsed, |build, value, span| build.read(value, false, span)),
        Kind::Actions(_) => {
            for index in parsed.operands.iter().skip(1) {
                let Some(word) = build.words.get(*index) else { continue };
                build.read(&word.value, false, word.span);
            }
        }
        Kind::Remote => {
            if let Some(remote) = build.operand(parsed, 1)
                && build.operand(parsed, 0).and_then(|word| word.value.known()) == Some("show")
                && !parsed.has(&["n"])
            {
                // The operand chooses the endpoint and the helper that talks to it.
                build.push(EffectKind::Network(None), remote.span);
            }
        }
        Kind::Config => {
            // An object of the repository, its path and all.
            if let Some(slot) = parsed.value(&["blob"]) {
                match slot.known() {
                    Some(text) => git_pathspec::read(build, text, false, slot.span()),
                    None => build.read(&slot.value(), false, slot.span()),
                }
            }
            configured(build, parsed, start);
        }
        _ => {}
    }
}

/// Reads what an operand names, a path or an object of the repository.
pub(super) fn objects(build: &mut Build<'_>, word: &Argument, recursive: bool) {
    match &word.value {
        Value::Known(_) | Value::OneOf(_) => {
            for text in word.value.candidates().unwrap_or_default() {
                git_pathspec::read(build, text, recursive, word.span);
            }
        }
        Value::Glob(glob) => {
            build.read(&word.value, recursive, word.span);
            // Where it finds nothing git is given the pattern.
            if glob.pattern.contains(':') {
                git_pathspec::read(build, &glob.pattern, recursive, word.span);
            }
        }
        // The names of files.
        Value::PathBelow(below) if below.files => build.read(&word.value, false, word.span),
        _ => build.read(&word.value, recursive, word.span),
    }
}

/// What `git config` tells.
fn configured(build: &mut Build<'_>, parsed: &Parsed<'_>, start: usize) {
    match configuration(build, parsed, start) {
        Some(Asked::Key(key)) if secret_key(key) => {
            build.effect(EffectKind::Opaque(format!("`{key}` may be a secret").into()));
        }
        Some(Asked::Many { own: false }) => {
            build.effect(EffectKind::Opaque("the user's configuration may hold secrets".into()));
        }
        _ => {}
    }
}

/// Whether an operand can only be a revision: one without a path in it that stands before `--`, or `HEAD` in any form,
/// because git takes no word that is both a revision and a file (gitcli(7)).
pub(super) fn is_revision(parsed: &Parsed<'_>, index: usize, text: Option<&str>) -> bool {
    let Some(text) = text.filter(|text| !text.contains(':')) else { return false };
    if parsed.dashes.is_some_and(|dashes| index < dashes) {
        return true;
    }
    let head = |side: &str| {
        let rest = side.strip_prefix("HEAD").or_else(|| side.strip_prefix('@'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['~', '^']) || rest.starts_with("@{"))
            && !side.contains('/')
            || side.starts_with("@{") && side.ends_with('}')
    };
    let text = text.strip_prefix('^').unwrap_or(text);
    match text.split_once("..") {
        None => head(text),
        Some((from, to)) => head(from) || head(to.strip_prefix('.').unwrap_or(to)),
    }
}
