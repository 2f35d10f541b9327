//! Judges effects: read-only within the roots, or what prevents it.

use std::{borrow::Cow, cell::OnceCell};

use portcullis_paths::{is_within, join, normalize, three_paths};

use crate::{Blocker, EffectKind, Invocation, PathTarget, Settings, pattern, programs::is_null_device};

/// Adds what keeps `invocation` from being read-only; none when it is.
pub(crate) fn blockers(invocation: &Invocation, settings: &Settings<'_>, out: &mut Vec<Blocker>) {
    let before = out.len();
    // Asked once, whatever the number of endpoints.
    let told = OnceCell::new();
    for effect in &invocation.effects {
        if let Some(reason) = prevents(&effect.kind, invocation, settings, &told) {
            out.push(Blocker { span: effect.span, reason });
        }
    }
    for assignment in &invocation.assignments {
        if !assignment.harmless {
            out.push(Blocker {
                span: assignment.span,
                reason: said(&["`", &assignment.name, "` may change what programs do"]),
            });
        }
    }
    for launcher in &invocation.launchers {
        if !launcher.transparent {
            out.push(Blocker {
                span: invocation.span,
                reason: said(&["it runs through `", &launcher.name, "`"]),
            });
        }
    }
    if out.len() == before && !invocation.specified {
        out.push(Blocker { span: invocation.span, reason: "it is not known in full".into() });
    }
}

fn prevents(
    kind: &EffectKind,
    invocation: &Invocation,
    settings: &Settings<'_>,
    told: &OnceCell<bool>,
) -> Option<Cow<'static, str>> {
    match kind {
        EffectKind::Read { path, .. } => outside(path, settings),
        EffectKind::Metadata(path) if moves(invocation) => {
            outside(path, settings).map(|reason| reason.replace("reads", "changes to").into())
        }
        EffectKind::Metadata(_) => None,
        EffectKind::ChangeMetadata(path) => Some(shown("changes attributes of ", path)),
        EffectKind::Write(path) => Some(shown("writes ", path)),
        EffectKind::Delete { path, .. } => Some(shown("removes ", path)),
        EffectKind::Execute(program) => Some(match program.known() {
            Some(program) => said(&["runs `", short(program), "`"]),
            None => "runs something that is not known".into(),
        }),
        EffectKind::Network(Some(_)) if *told.get_or_init(|| all_told(invocation)) => None,
        EffectKind::Network(Some(endpoint)) => Some(said(&["talks to `", short(endpoint), "`"])),
        EffectKind::Network(None) => Some("talks to the network".into()),
        EffectKind::Environment if settings.scrubbed => None,
        EffectKind::Environment => Some("prints the environment".into()),
        EffectKind::Process => Some("signals other processes".into()),
        EffectKind::System => Some("changes the machine".into()),
        EffectKind::Terminal => Some("needs the terminal".into()),
        EffectKind::Opaque(reason) => Some(reason.clone()),
    }
}

/// What goes to an endpoint is in the text.
fn all_told(invocation: &Invocation) -> bool {
    invocation.specified
        && invocation.words.iter().all(|word| word.value.known().is_some())
        && !input_leaves(invocation)
}

/// A network effect of a redirection sends or fetches by itself.
fn input_leaves(invocation: &Invocation) -> bool {
    invocation
        .effects
        .iter()
        .any(|effect| effect.redirection && matches!(effect.kind, EffectKind::Network(_)))
}

fn moves(invocation: &Invocation) -> bool {
    matches!(invocation.base_name(), Some("cd" | "pushd" | "popd"))
}

/// Why reading `target` is not automatic.
fn outside(target: &PathTarget, settings: &Settings<'_>) -> Option<Cow<'static, str>> {
    if is_null_device(target) {
        return None;
    }
    if settings.allow_external_paths {
        return matches!(target, PathTarget::Unknown).then(|| "reads a path that is not known".into());
    }
    let (path, raw) = match target {
        PathTarget::Path(path) | PathTarget::Below(path) => (path.as_str(), Cow::Borrowed(path.as_str())),
        // Without the backslashes of quoted characters.
        PathTarget::Glob(pattern, directory) => (directory.as_str(), Cow::Owned(pattern::literal(pattern))),
        PathTarget::Unknown => return Some("reads a path that is not known".into()),
    };
    if windows_shaped(&raw) {
        return Some(said(&["reads `", short(&raw), "`, which may be a Windows path"]));
    }
    let inside = |path: &str| settings.roots.iter().any(|root| is_within(path, root));
    let within = if settings.resolver.is_some() {
        let three = three_paths(path, settings.cwd, settings.resolver);
        three.resolved && (inside(&three.physical) || real_roots(settings, &three.physical))
    } else {
        // Without making the three paths: they would all be this one.
        is_normal(path) && inside(path) || inside(&join(settings.cwd, path))
    };
    if within {
        return None;
    }
    Some(said(&["reads `", short(&raw), "`, which is outside the project"]))
}

/// Whether a program that starts in any of these directories starts inside the roots, as far as anybody may care.
pub(crate) fn inside_roots(directories: &crate::Directories, settings: &Settings<'_>) -> bool {
    matches!(directories, crate::Directories::Known(all) if all.iter().all(|directory| {
        outside(&PathTarget::Path(directory.clone()), settings).is_none()
    }))
}

/// Whether `path` lies in a root in all ways in which it may be read (as it is written, and where it really is); without
/// a resolver, as it is written.
pub(crate) fn lies_inside(path: &str, settings: &Settings<'_>) -> bool {
    let inside = |path: &str| settings.roots.iter().any(|root| is_within(path, root));
    if settings.resolver.is_none() {
        return if is_normal(path) { inside(path) } else { inside(&join(settings.cwd, path)) };
    }
    let three = three_paths(path, settings.cwd, settings.resolver);
    let really = |path: &str| inside(path) || real_roots(settings, path);
    three.resolved && really(&three.real) && really(&three.physical)
}

/// An absolute path, normalised.
pub(crate) fn as_written(path: &str) -> Cow<'_, str> {
    if is_normal(path) { Cow::Borrowed(path) } else { Cow::Owned(normalize(path)) }
}

/// Absolute, without a component that normalising removes.
fn is_normal(path: &str) -> bool {
    path.as_bytes().strip_prefix(b"/").is_some_and(|rest| {
        rest.split(|byte| *byte == b'/').all(|component| !matches!(component, b"" | b"." | b".."))
    })
}

/// The roots themselves may be reached through links.
fn real_roots(settings: &Settings<'_>, physical: &str) -> bool {
    let Some(resolver) = settings.resolver else { return false };
    settings.roots.iter().any(|root| resolver.realpath(root).is_ok_and(|root| is_within(physical, &root)))
}

/// Drive letters, backslashes and `%NAME%`: text that was written for another shell.
pub(crate) fn windows_shaped(path: &str) -> bool {
    // Most paths have nothing of these.
    if !path.bytes().any(|byte| matches!(byte, b':' | b'\\' | b'%')) {
        return false;
    }
    path.split('/').any(|component| {
        let bytes = component.as_bytes();
        let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
        drive || component.starts_with('\\') || component.matches('%').count() >= 2
    })
}

/// A clause of these pieces.
fn said(pieces: &[&str]) -> Cow<'static, str> {
    pieces.concat().into()
}

/// What is done to `target`.
fn shown(verb: &str, target: &PathTarget) -> Cow<'static, str> {
    match target {
        PathTarget::Path(path) | PathTarget::Glob(path, _) => said(&[verb, "`", short(path), "`"]),
        PathTarget::Below(directory) => said(&[verb, "something below `", short(directory), "`"]),
        PathTarget::Unknown => said(&[verb, "a path that is not known"]),
    }
}

/// The first line of a text, cut to a readable length.
fn short(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    if line.len() <= 80 {
        return line;
    }
    match line.char_indices().nth(80) {
        Some((end, _)) => line.get(..end).unwrap_or(line),
        None => line,
    }
}

/// Marks invocations and collects all blockers.
pub(crate) fn judge(invocations: &mut [Invocation], settings: &Settings<'_>) -> Vec<Blocker> {
    let mut all = Vec::new();
    for invocation in invocations {
        let before = all.len();
        blockers(invocation, settings, &mut all);
        invocation.read_only = all.len() == before;
    }
    all
}
