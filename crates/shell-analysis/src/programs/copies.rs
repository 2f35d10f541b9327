//! Where copies, moves and links land (coreutils manual 2.7, Target directory).

use super::{Build, flags::Slot, spec::Parsed};
use crate::{Argument, Effect, EffectKind, PathTarget, Span, Value, invocation::base_name, pattern};

/// A word's value and where it stands.
type Place = (Value, Span);

/// Sources, and where they go.
struct Moved {
    sources: Vec<Place>,
    target: Option<Place>,
    /// The target is a directory, or is none, whatever it looks like.
    directory: Option<bool>,
}

/// The last operand, or the value of `-t`, is where the others go.
fn moved(build: &Build<'_>, parsed: &Parsed<'_>) -> Moved {
    let operands = parsed.operands.iter().filter_map(|index| build.words.get(*index));
    let mut sources: Vec<Place> = operands.map(|word| (word.value.clone(), word.span)).collect();
    match parsed.value(&["t", "target-directory"]) {
        Some(slot) => {
            let target = Some((slot.value(), slot.span()));
            Moved { sources, target, directory: Some(true) }
        }
        None => {
            let target = match parsed.operands.last().and_then(|index| build.words.get(*index)) {
                // The last of several words is the target, the others are sources.
                Some(word) if word.splits => Some((word.value.clone(), word.span)),
                _ if sources.len() > 1 => sources.pop(),
                _ => None,
            };
            let directory = parsed.has(&["T", "no-target-directory"]).then_some(false);
            Moved { sources, target, directory }
        }
    }
}

/// Everything below the first place that `value` can be.
pub(super) fn below(value: &Value, build: &Build<'_>) -> PathTarget {
    match build.targets(value).into_iter().next() {
        Some(PathTarget::Path(path)) => PathTarget::Below(path.trim_end_matches("/.").to_owned()),
        Some(PathTarget::Below(path) | PathTarget::Glob(_, path)) => PathTarget::Below(path),
        _ => PathTarget::Unknown,
    }
}

/// Whether the target may be a directory that exists: what the file system says, or what the words do.
fn may_be_directory(build: &Build<'_>, moved: &Moved, target: &Value) -> bool {
    let written = target.known().is_none_or(|text| text.ends_with(['/', '.']));
    moved.directory.unwrap_or_else(|| {
        written
            || moved.sources.len() > 1
            || match build.settings.resolver {
                Some(resolver) => build.targets(target).iter().any(|target| {
                    matches!(target, PathTarget::Path(path)
                        if resolver.kind(path).is_some_and(|kind| kind != portcullis_paths::FileKind::File)
                            || build.look.made.borrow().may_have_written(&portcullis_paths::normalize(path)))
                }),
                None => true,
            }
    })
}

/// Writes of the target: itself, or below it when it is a directory. `whole`: trees are copied.
fn lands(build: &mut Build<'_>, moved: &Moved, whole: bool) {
    let Some((target, span)) = &moved.target else { return };
    build.write(target, *span);
    if !may_be_directory(build, moved, target) {
        if whole && moved.directory == Some(false) {
            // The content lands beside what is there (cp(1), `-T`).
            let target = below(target, build);
            build.push(EffectKind::Write(target), *span);
        }
        return;
    }
    inside(build, moved, target, whole);
}

/// What `git mv` moves into a directory that is there.
pub(super) fn lands_inside(build: &mut Build<'_>, sources: &[&Argument], target: &Argument) {
    let sources = sources.iter().map(|word| (word.value.clone(), word.span)).collect();
    let moved = Moved { sources, target: None, directory: None };
    let seen =
        build.settings.resolver.is_some() || target.value.known().is_some_and(|text| text.ends_with('/'));
    if seen && may_be_directory(build, &moved, &target.value) {
        inside(build, &moved, &target.value, false);
    }
}

/// Writes below a target that is a directory.
fn inside(build: &mut Build<'_>, moved: &Moved, target: &Value, whole: bool) {
    for (source, at) in &moved.sources {
        let name =
            source.known().map(|path| path.trim_end_matches('/').rsplit('/').next().unwrap_or_default());
        match (target.known(), name) {
            // The content of `a/.` lands under names of its own.
            (_, Some("" | "." | "..") | None) | (None, _) => {
                let target = below(target, build);
                build.push(EffectKind::Write(target), *at);
            }
            (Some(directory), Some(name)) => {
                let inside = format!("{}/{name}", directory.trim_end_matches('/'));
                build.write(&Value::Known(inside.clone().into()), *at);
                if whole && name.starts_with('.') {
                    // `.git` and its like hold what is picked up and run.
                    let target = below(&Value::Known(inside.into()), build);
                    build.push(EffectKind::Write(target), *at);
                }
            }
        }
    }
}

/// Backups of what is replaced: a suffix, or a number between tildes (coreutils manual 2.2, Backup options; a suffix
/// alone asks for them too). `from`: where the effects of the copy begin.
fn backups(build: &mut Build<'_>, parsed: &Parsed<'_>, from: usize) {
    let suffix = parsed.value(&["S", "suffix"]);
    if suffix.is_none() && !parsed.has(&["b", "backup"]) {
        return;
    }
    let environment = &build.settings.environment;
    let suffix = match suffix.map(Slot::value) {
        Some(Value::Known(suffix)) => Some(suffix.to_string()),
        Some(_) => None,
        None => {
            let set = environment.iter().find(|(name, _)| name == "SIMPLE_BACKUP_SUFFIX");
            Some(set.map_or_else(|| "~".to_owned(), |(_, suffix)| suffix.clone()))
        }
    };
    let into = !parsed.has(&["T", "no-target-directory"]);
    let written: Vec<(PathTarget, Span)> = build
        .effects_from(from)
        .iter()
        .filter_map(|effect| match effect {
            Effect { kind: EffectKind::Write(path), span, .. } => Some((path.clone(), *span)),
            _ => None,
        })
        .collect();
    for (target, span) in written {
        let (PathTarget::Path(path), Some(suffix)) = (&target, &suffix) else {
            build.push(EffectKind::Write(PathTarget::Unknown), span);
            continue;
        };
        let directory = path.ends_with('/')
            || matches!(base_name(path), "." | "..")
            || build
                .settings
                .resolver
                .is_some_and(|resolver| resolver.kind(path) == Some(portcullis_paths::FileKind::Directory));
        if directory && into {
            continue;
        }
        let path = path.trim_end_matches('/');
        build.push(EffectKind::Write(PathTarget::Path(format!("{path}{suffix}"))), span);
        let directory = path.rsplit_once('/').map_or("/", |(directory, _)| directory);
        let numbered = format!("{}.~[0-9]*~", pattern::escaped(path));
        build.push(EffectKind::Write(PathTarget::Glob(numbered, directory.to_owned())), span);
    }
}

/// A tree that is copied over another one writes through the links in that one.
fn through_links(build: &mut Build<'_>, from: usize) {
    let written: Vec<(PathTarget, Span)> = build
        .effects_from(from)
        .iter()
        .filter_map(|effect| match effect {
            Effect { kind: EffectKind::Write(path), span, .. } => Some((path.clone(), *span)),
            _ => None,
        })
        .collect();
    let below = |path: &str, other: &PathTarget| matches!(other, PathTarget::Path(other) if other != path && portcullis_paths::is_within(other, path));
    for (target, span) in &written {
        let tree = match target {
            // The copy has a name of its own in there.
            PathTarget::Path(path) if written.iter().any(|(other, _)| below(path, other)) => continue,
            PathTarget::Path(path) | PathTarget::Below(path) => path,
            PathTarget::Glob(_, path) => path,
            PathTarget::Unknown => continue,
        };
        build.write_behind_links(tree, *span);
    }
}

/// A hard link is the file itself under a second name: whoever may write there writes the first one (link(2)).
pub(super) fn links(build: &mut Build<'_>, source: &Value, recursive: bool, span: Span) {
    build.change_metadata(source, span);
    if !recursive {
        return;
    }
    for target in build.targets(source) {
        match target {
            PathTarget::Path(path)
                if build.settings.resolver.and_then(|resolver| resolver.kind(&path))
                    == Some(portcullis_paths::FileKind::File) => {}
            PathTarget::Path(path) | PathTarget::Below(path) | PathTarget::Glob(_, path) => {
                build.push(EffectKind::ChangeMetadata(PathTarget::Below(path)), span);
            }
            PathTarget::Unknown => {}
        }
    }
}

/// cp and install.
pub(super) fn cp(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let install = build.word(0).is_some_and(|name| name.ends_with("install"));
    if install && parsed.has(&["d", "directory"]) {
        build.each(parsed, Build::write);
        return;
    }
    let recursive = !install && parsed.has(&["r", "R", "recursive", "a", "archive"]);
    let moved = moved(build, parsed);
    let hard = !install && parsed.has(&["l", "link"]);
    for (source, span) in &moved.sources {
        build.read(source, recursive, *span);
        if hard {
            links(build, source, recursive, *span);
        }
    }
    let from = build.checkpoint().0;
    lands(build, &moved, recursive);
    if recursive {
        through_links(build, from);
    }
    backups(build, parsed, from);
    let parents = parsed.has(&["parents"]);
    if parents && let Some((target, span)) = &moved.target {
        let target = below(target, build);
        build.push(EffectKind::Write(target), *span);
    }
}

pub(super) fn mv(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let moved = moved(build, parsed);
    for (source, span) in &moved.sources {
        // Under its new name the content can be read.
        build.read(source, true, *span);
        build.delete(source, true, *span);
    }
    let from = build.checkpoint().0;
    lands(build, &moved, false);
    backups(build, parsed, from);
    // An empty directory is replaced (rename(2)).
    if (parsed.has(&["exchange"]) || moved.directory == Some(false))
        && let Some((target, span)) = &moved.target
    {
        build.delete(target, true, *span);
    }
}

/// A link gives its target another name, under which the content can be read; a hard one also gives it away to be
/// written.
pub(super) fn ln(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let moved = moved(build, parsed);
    let hard = !parsed.has(&["s", "symbolic"]);
    for (source, span) in &moved.sources {
        build.read(source, true, *span);
        if hard {
            links(build, source, false, *span);
        }
    }
    let from = build.checkpoint().0;
    match &moved.target {
        Some(_) => lands(build, &moved, false),
        // `ln -s a/b` makes `b` here.
        None => {
            for (source, span) in &moved.sources {
                let name = source.known().and_then(|path| path.trim_end_matches('/').rsplit('/').next());
                match name.filter(|name| !name.is_empty()) {
                    Some(name) => build.write(&Value::Known(name.into()), *span),
                    None => build.push(EffectKind::Write(PathTarget::Unknown), *span),
                }
            }
        }
    }
    backups(build, parsed, from);
}
