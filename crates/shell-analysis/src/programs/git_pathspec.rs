//! git's pathspecs (gitglossary(7), "pathspec"): magic in front of a path, and what the path then names.

use super::{Build, git_writers};
use crate::{Argument, Below, Directories, GlobPattern, Span, Value, pattern::escaped};

/// One pathspec, taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pathspec<'t> {
    pub(super) path: &'t str,
    /// It begins at the top of the working tree.
    top: bool,
    /// It takes away from what the others name.
    pub(super) exclude: bool,
    /// Without regard to case.
    icase: bool,
    /// What has these attributes, wherever it is.
    attributes: bool,
}

impl<'t> Pathspec<'t> {
    /// The long form `:(top,icase)path`, the short one `:/!path`, or a path alone.
    pub(super) fn read(text: &'t str) -> Self {
        let Some(rest) = text.strip_prefix(':') else { return Self { path: text, ..Self::default() } };
        if let Some((magic, path)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            let has = |name: &str| magic.split(',').any(|word| word.trim() == name);
            return Self {
                path,
                top: has("top"),
                exclude: has("exclude"),
                icase: has("icase"),
                attributes: magic.contains("attr"),
            };
        }
        let path = rest.trim_start_matches(['/', '!', '^']);
        let magic = rest.get(..rest.len() - path.len()).unwrap_or_default();
        Self {
            path: path.strip_prefix(':').unwrap_or(path),
            top: magic.contains('/'),
            exclude: magic.contains(['!', '^']),
            ..Self::default()
        }
    }

    /// Whether more than what the path spells out may match.
    fn is_wide(&self) -> bool {
        self.exclude || self.attributes || self.path.is_empty() || self.path.contains(['*', '?', '['])
    }

    /// The path as a pattern, where its letters may have either case.
    pub(super) fn any_case(&self) -> Option<Value> {
        if !self.icase {
            return None;
        }
        let end = self.path.find(char::is_alphabetic)?;
        let mut pattern = String::with_capacity(self.path.len() * 4);
        for c in self.path.chars() {
            if c.is_ascii_alphabetic() {
                pattern.extend(['[', c.to_ascii_lowercase(), c.to_ascii_uppercase(), ']']);
            } else if c.is_alphabetic() {
                pattern.push('?');
            } else {
                pattern.push(c);
            }
        }
        let prefix = self.path.get(..end).unwrap_or_default();
        let prefix = prefix.split(['*', '?', '[']).next().unwrap_or_default();
        Some(Value::Glob(GlobPattern { pattern: pattern.into(), prefix: prefix.into() }.into()))
    }
}

/// Applies `effect` to what a pathspec of a subcommand that changes something names; a glob in one matches at any depth.
pub(super) fn each(
    build: &mut Build<'_>,
    word: &Argument,
    mut effect: impl FnMut(&mut Build<'_>, &Value, Span),
) {
    let Some(texts) = word.value.candidates() else { return effect(build, &word.value, word.span) };
    for text in texts {
        let spec = Pathspec::read(text);
        let value = value_of(build, &spec);
        effect(build, &value, word.span);
    }
}

fn value_of(build: &Build<'_>, spec: &Pathspec<'_>) -> Value {
    // What one pathspec takes away, all others leave.
    let wide = spec.is_wide() || spec.icase;
    let top = if spec.top || spec.exclude { git_writers::top(build) } else { None };
    match (top, wide) {
        (Some(top), true) => Value::PathBelow(below(top).into()),
        (Some(top), false) => Value::Known(format!("{top}/{}", spec.path).into()),
        (None, true) => match build.directories() {
            Directories::Known(all)
                if all.len() == 1 && !spec.path.contains("..") && !spec.path.starts_with('/') =>
            {
                all.first()
                    .map_or(Value::Unknown, |directory| Value::PathBelow(below(directory.clone()).into()))
            }
            _ => Value::Unknown,
        },
        (None, false) => Value::Known(spec.path.into()),
    }
}

/// git follows no links.
fn below(directory: String) -> Below {
    Below { files: true, ..Below::new(directory) }
}

/// Reads what a pathspec, `REVISION:PATH` or `:STAGE:PATH` names. A revision may have a colon itself (`HEAD^{/fix: it}`), so
/// that the path may stand behind any of them.
pub(super) fn read(build: &mut Build<'_>, text: &str, recursive: bool, span: Span) {
    let spec = Pathspec::read(text);
    if let Some(value) = spec.any_case() {
        build.read(&value, recursive, span);
    }
    path(build, spec.path, recursive, span);
    let top = git_writers::top(build)
        .filter(|top| build.directories() != &Directories::Known([top.clone()].into()));
    if spec.top
        && let Some(top) = &top
    {
        path(build, &under(top, spec.path), recursive, span);
    }
    if text.starts_with(":(") {
        return;
    }
    // `:0:path` is an entry of the index (gitrevisions(7)).
    for (at, _) in text.match_indices(':') {
        let Some(object) = text.get(at + 1..).filter(|object| !object.is_empty() && *object != spec.path)
        else {
            continue;
        };
        path(build, object, recursive, span);
        // The path begins at the top of the repository, unless it says otherwise.
        if let Some(top) = top.as_ref().filter(|_| !object.starts_with("./") && !object.starts_with("../")) {
            path(build, &under(top, object), recursive, span);
        }
    }
    // `:path`, too.
    if text.starts_with(':')
        && !spec.top
        && let Some(top) = &top
    {
        path(build, &under(top, spec.path), recursive, span);
    }
}

/// A path at the top of the working tree.
fn under(top: &str, path: &str) -> String {
    let top = if path.contains(['*', '?', '[']) { escaped(top) } else { top.into() };
    [&*top, "/", path].concat()
}

/// A revision (`HEAD^{tree}`, `stash@{1}`) holds no star; a path that does is matched at any depth.
fn path(build: &mut Build<'_>, path: &str, recursive: bool, span: Span) {
    if !path.contains(['*', '?', '[']) {
        build.read(&Value::Known(path.into()), recursive, span);
        return;
    }
    let mut glob = |pattern: String| {
        let prefix = pattern.split(['*', '?', '[']).next().unwrap_or_default().to_owned();
        let value = Value::Glob(GlobPattern { pattern: pattern.into(), prefix: prefix.into() }.into());
        build.read(&value, recursive, span);
    };
    glob(path.to_owned());
    // Its wildcards match a leading dot as well; where there is nothing else, that is what lists of names are asked for.
    let (directory, name) = path
        .rsplit_once('/')
        .map_or(("", path), |(_, name)| (path.get(..path.len() - name.len()).unwrap_or_default(), name));
    let bare = name.trim_start_matches(['*', '?']);
    if bare.len() < name.len() && !bare.is_empty() && !bare.starts_with('.') {
        glob(format!("{directory}.*{bare}"));
    }
}

#[cfg(test)]
mod tests {
    use super::Pathspec;

    #[test]
    fn magic_is_read_in_both_forms() {
        let read = |text| {
            let spec = Pathspec::read(text);
            (spec.path, spec.top, spec.exclude, spec.icase)
        };
        assert_eq!(read("a/b"), ("a/b", false, false, false));
        assert_eq!(read(":/a"), ("a", true, false, false));
        assert_eq!(read(":!a"), ("a", false, true, false));
        assert_eq!(read(":/^a"), ("a", true, true, false));
        assert_eq!(read(":!:a"), ("a", false, true, false));
        assert_eq!(read(":(top,icase)A"), ("A", true, false, true));
        assert_eq!(read(":(exclude)a"), ("a", false, true, false));
        assert_eq!(read(":"), ("", false, false, false));
    }
}
