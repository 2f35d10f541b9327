//! What git takes out of its objects in bulk: every file that was ever tracked is there, whatever is hidden in the working
//! tree (git-archive(1), git-grep(1), git-fast-export(1), git-bundle(1)).

use super::{
    Build,
    git::{is_revision, objects},
    git_writers,
    spec::Parsed,
};
use crate::{EffectKind, PathTarget, Span, Text, Value};

/// How sure it is that objects are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stored {
    /// Files of the working tree.
    No,
    /// Objects, unless a word is a file: nothing is known of the disk. Or a copy in which every file has its name.
    Perhaps,
    /// All of it is printed.
    Printed,
}

/// Some file that is or was tracked: which, no path says.
pub(super) fn read_any(build: &mut Build<'_>, stored: Stored, span: Span) {
    let path = git_writers::top(build).map_or(PathTarget::Unknown, PathTarget::Below);
    build.push(EffectKind::Read { path, recursive: stored == Stored::Printed }, span);
}

/// What was read in whole from an effect on comes out of the objects: something in there, which no runner can take out.
pub(super) fn read_from(build: &mut Build<'_>, stored: Stored, from: usize) {
    if stored == Stored::No {
        return;
    }
    let places: Vec<(PathTarget, Span)> = build
        .effects_from(from)
        .iter()
        .filter_map(|effect| match &effect.kind {
            EffectKind::Read { path: PathTarget::Path(path), recursive: true } if !build.is_file(path) => {
                Some((PathTarget::Below(path.clone()), effect.span))
            }
            _ => None,
        })
        .collect();
    for (path, span) in places {
        build.push(EffectKind::Read { path, recursive: stored == Stored::Printed }, span);
    }
}

/// Whether `git grep` takes an operand for a tree: one that is no file, or stands in front of `--` (git-grep(1)).
pub(super) fn tree(build: &Build<'_>, parsed: &Parsed<'_>, index: usize) -> Stored {
    let Some(word) = build.words.get(index) else { return Stored::No };
    let Some(text) = word.value.known() else { return Stored::No };
    if parsed.dashes.is_some_and(|dashes| index > dashes) {
        return Stored::No;
    }
    // Magic stands in front, as an entry of the index does (`:0:path`); no tree has a wildcard in its name.
    let pathspec = text.starts_with(':') && !text.starts_with(":0") || text.contains(['*', '?', '[']);
    if is_revision(parsed, index, Some(text)) || !pathspec && text.contains(':') {
        return Stored::Printed;
    }
    if pathspec || build.is_there(&word.value) {
        return Stored::No;
    }
    let seen = build.is_there(&Value::Known(Text::from_static(".")));
    if seen { Stored::Printed } else { Stored::Perhaps }
}

/// A tree, or what paths name in it. `--list`, which is about formats, needs none, and `--no-list` takes it back.
pub(super) fn archives(build: &mut Build<'_>, parsed: &Parsed<'_>, before: usize) {
    let words = build.words;
    let mut operands = parsed.operands.iter().filter_map(|index| words.get(*index));
    let Some(tree) = operands.next() else { return };
    let mut any = false;
    // Paths behind it begin in the directory that it names.
    if tree.value.known().is_none_or(|text| text.contains(':') && !text.ends_with(':')) {
        objects(build, tree, true);
        any = true;
    }
    for word in operands {
        objects(build, word, true);
        any = true;
    }
    if !any {
        build.read_here();
    }
    read_from(build, Stored::Printed, before);
}
