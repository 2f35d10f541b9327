//! Where copies, moves and links land (coreutils manual 2.7, Target directory).

use super::{Build, spec::Parsed};
use crate::{EffectKind, PathTarget, Span, Value};

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
                        if resolver.kind(path).is_some_and(|kind| kind != portcullis_paths::FileKind::File))
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
        return;
    }
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

/// cp and install.
pub(super) fn cp(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let install = build.word(0).is_some_and(|name| name.ends_with("install"));
    if install && parsed.has(&["d", "directory"]) {
        build.each(parsed, Build::write);
        return;
    }
    let recursive = !install && parsed.has(&["r", "R", "recursive", "a", "archive"]);
    let moved = moved(build, parsed);
    for (source, span) in &moved.sources {
        build.read(source, recursive, *span);
    }
    lands(build, &moved, recursive);
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
    lands(build, &moved, false);
    if parsed.has(&["exchange"])
        && let Some((target, span)) = &moved.target
    {
        build.delete(target, true, *span);
    }
}

/// A link gives its target another name, under which the content can be read.
pub(super) fn ln(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let moved = moved(build, parsed);
    for (source, span) in &moved.sources {
        build.read(source, true, *span);
    }
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
}
