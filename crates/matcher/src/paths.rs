//! Payloads of file rules: what a pattern is relative to, and what it covers.

use std::borrow::Cow;

use portcullis_paths::{fold_case, is_windows, nfc};

use crate::glob::{Component, PathGlob, split};
use crate::normal::canonical_path_like;
use crate::{Anchors, Conventions, Scope, SlashAnchor};

/// The pattern of a file rule, anchored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathPattern {
    /// For allow rules: exactly what was written, at its anchor.
    pub(crate) anchored: PathGlob,
    /// For the lists that restrict: at its anchor, and at any depth where the pattern says so.
    pub(crate) wide: PathGlob,
    /// The same as written, where `wide` is folded in case.
    written: Option<PathGlob>,
    /// `**`: every call, in the lists that restrict.
    pub(crate) everything: bool,
    /// Relative to the project root, and does not leave it by `..`.
    inside: Inside,
    /// Compared without regard to case, in allow rules too (Windows shapes).
    allow_folds: bool,
    /// Compared without regard to case in the lists that restrict.
    fold: bool,
    /// Whether wildcards of an allow rule match dot files.
    dots: bool,
    /// Every character is ASCII, so that there is nothing to normalise.
    ascii: bool,
    /// For each alternative the names that code which touches such a path has to spell out.
    pub(crate) words: Vec<Vec<String>>,
}

/// Where an allow rule may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// Absolute: wherever it says.
    Anywhere,
    /// Relative; `deep`: begins with `**`, and so covers the root directory itself.
    Root { deep: bool },
    /// Relative and pointing out of the root: nothing.
    Nothing,
}

/// One path of a call, taken apart once.
#[derive(Clone, Debug)]
pub(crate) struct PathParts<'a> {
    pub(crate) text: &'a str,
    pub(crate) names: Vec<&'a str>,
}

impl<'a> PathParts<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, names: split(text) }
    }
}

impl PathPattern {
    /// Reads a payload.
    pub(crate) fn parse(
        payload: &str,
        scope: Scope,
        anchors: &Anchors,
        conventions: &Conventions,
    ) -> Result<Self, String> {
        let text = canonical_path_like(payload);
        if let Some(rest) = text.strip_prefix('!') {
            return Err(format!(
                "a pattern cannot be negated: write a rule for what `{rest}` should be in another list"
            ));
        }
        if text.contains('\0') {
            return Err("a path cannot hold a NUL character: remove it".to_owned());
        }
        if !folds_everywhere(anchors)
            && !is_windows_pattern(payload.trim())
            && let Some(escaped) = escaped(payload)
        {
            return Err(format!(
                "a backslash quotes nothing, it separates directories: write `[{escaped}]` for the character, or `/` \
                 for the separator"
            ));
        }
        let (base, rest, relative) = anchor(&text, scope, anchors, conventions)?;
        let allow_folds = folds_everywhere(anchors);
        let fold = conventions.fold_case || allow_folds;
        let anchored = PathGlob::parse(&base, &rest, false)?;
        let root = split(&base);
        let starts_inside = |alternative: &Vec<Component>| {
            alternative.len() >= root.len()
                && alternative.iter().zip(&root).all(|(part, name)| part.literal() == Some(name))
        };
        let inside = match relative {
            false => Inside::Anywhere,
            true if anchored.alternatives.iter().all(starts_inside) => {
                Inside::Root { deep: matches!(&*rest, "**" | "**/*") }
            }
            true => Inside::Nothing,
        };
        let mut wide = anchored.clone();
        if relative {
            for alternative in &anchored.alternatives {
                let own = alternative.get(root.len()..).unwrap_or_default();
                if starts_inside(alternative) && floats(own, conventions) {
                    let deep = (own.first() != Some(&Component::Deep)).then_some(Component::Deep);
                    wide.alternatives.push(deep.into_iter().chain(own.iter().cloned()).collect());
                }
            }
        }
        if !text.is_ascii() {
            let composed: Vec<_> = wide.alternatives.iter().map(|parts| compose(parts)).collect();
            wide.alternatives.extend(composed);
        }
        let words = anchored
            .alternatives
            .iter()
            .map(|parts| words(parts.get(if relative { root.len() } else { 1 }..).unwrap_or_default()))
            .collect();
        let everything = matches!(rest.as_ref(), "**" | "**/*") && relative;
        Ok(Self {
            anchored: if allow_folds { anchored.folded() } else { anchored },
            wide: if fold { wide.folded() } else { wide.clone() },
            written: fold.then_some(wide),
            everything,
            inside,
            allow_folds,
            fold,
            dots: conventions.allow_dot_files,
            ascii: text.is_ascii(),
            words,
        })
    }

    /// What this or the other pattern restricts, for a payload that can be read in two ways.
    pub(crate) fn or(mut self, other: Self) -> Self {
        self.anchored.alternatives.extend(other.anchored.alternatives);
        self.wide.alternatives.extend(other.wide.alternatives);
        if let (Some(own), Some(written)) = (&mut self.written, other.written) {
            own.alternatives.extend(written.alternatives);
        }
        self.words.extend(other.words);
        self.everything |= other.everything;
        self.ascii &= other.ascii;
        self
    }

    /// Whether wildcards of an allow rule match names with a leading dot.
    pub(crate) fn wildcards_match_dots(&self) -> bool {
        self.dots
    }

    /// In allow, this pattern can match nothing.
    pub(crate) fn covers_nothing(&self) -> bool {
        self.inside == Inside::Nothing
    }

    /// Whether an allow rule covers this path.
    pub(crate) fn allows(&self, path: &PathParts<'_>) -> bool {
        match self.inside {
            Inside::Nothing => return false,
            Inside::Root { deep: true } if self.is_root(path) => return true,
            _ => {}
        }
        folded(self.allow_folds, path, |names| self.anchored.matches(names, self.dots))
    }

    /// Whether an allow rule would cover this path if its wildcards matched dot files.
    pub(crate) fn allows_with_dots(&self, path: &PathParts<'_>) -> bool {
        self.inside != Inside::Nothing
            && folded(self.allow_folds, path, |names| self.anchored.matches(names, true))
    }

    /// Whether an allow rule covers everything that can lie below this directory.
    pub(crate) fn allows_below(&self, path: &PathParts<'_>) -> bool {
        // A name that no pattern spells out, plain and hidden, one level and two levels down.
        const PROBES: [&[&str]; 4] = [&["\u{1}"], &["\u{1}", "\u{1}"], &[".\u{1}"], &[".\u{1}", ".\u{1}"]];
        self.inside != Inside::Nothing
            && PROBES.iter().all(|probe| {
                folded(self.allow_folds, path, |names| {
                    let deeper: Vec<&str> = names.iter().chain(*probe).copied().collect();
                    self.anchored.matches(&deeper, self.dots)
                })
            })
    }

    /// Whether a rule that restricts covers this path: it or a directory above it matches.
    pub(crate) fn restricts(&self, path: &PathParts<'_>) -> bool {
        let covers = |path: &PathParts<'_>| folded(self.fold, path, |names| self.wide.covers(names));
        if self.everything || covers(path) {
            return true;
        }
        if self.ascii {
            return false;
        }
        match nfc(path.text) {
            Cow::Borrowed(_) => false,
            Cow::Owned(composed) => covers(&PathParts::new(&composed)),
        }
    }

    /// Whether some path that `glob` matches is restricted by this rule.
    pub(crate) fn may_restrict(&self, glob: &PathGlob, dots: bool) -> bool {
        let glob = if self.fold { &glob.folded() } else { glob };
        self.everything
            || self.wide.alternatives.iter().any(|own| {
                let mut own = own.clone();
                if own.last() != Some(&Component::Deep) {
                    own.push(Component::Deep);
                }
                glob.alternatives.iter().any(|other| crate::glob::overlap(&own, other, dots))
            })
    }

    /// Whether this rule restricts everything that one of the alternatives matches; those are in lower case.
    pub(crate) fn restricts_all(&self, glob: &PathGlob) -> bool {
        let own = self.wide.folded();
        let deep = |parts: &Vec<Component>| {
            let mut parts = parts.clone();
            if parts.last() != Some(&Component::Deep) {
                parts.push(Component::Deep);
            }
            parts
        };
        self.everything
            || glob.alternatives.iter().any(|other| {
                own.alternatives.iter().any(|own| {
                    crate::glob::contains(own, other, true) || crate::glob::contains(&deep(own), other, true)
                })
            })
    }

    /// [`PathPattern::may_restrict`] for a glob in lower case.
    pub(crate) fn may_restrict_in_any_case(&self, glob: &PathGlob) -> bool {
        let own = Self { wide: self.wide.folded(), fold: true, ..self.clone() };
        own.may_restrict(glob, true)
    }

    /// As [`PathPattern::may_restrict`], but a rule for a name with an ending is not about a directory of that name.
    pub(crate) fn may_name(&self, glob: &PathGlob, dots: bool) -> bool {
        let glob = if self.fold { &glob.folded() } else { glob };
        self.everything
            || self.wide.alternatives.iter().any(|own| {
                let file = own.last().is_none_or(|last| match last.literal() {
                    Some(name) => name.contains('.'),
                    None => true,
                });
                let mut own = own.clone();
                if !file {
                    own.push(Component::Deep);
                }
                glob.alternatives.iter().any(|other| crate::glob::overlap(&own, other, dots))
            })
    }

    /// The absolute path that this pattern spells out without any wildcard; folded in case with Windows shapes.
    pub(crate) fn literals(&self) -> impl Iterator<Item = String> + '_ {
        let usable = self.inside != Inside::Nothing;
        self.anchored.alternatives.iter().filter(move |_| usable).filter_map(|parts| {
            let names: Option<Vec<&str>> = parts.iter().map(Component::literal).collect();
            names.map(|names| unsplit(names.into_iter().map(Cow::Borrowed)))
        })
    }

    /// Absolute globs of everything that a deny rule with this pattern covers.
    pub(crate) fn globs(&self) -> Vec<String> {
        let mut globs = Vec::new();
        for parts in &self.written.as_ref().unwrap_or(&self.wide).alternatives {
            let glob = unsplit(parts.iter().map(|part| Cow::Owned(part.to_string())));
            let glob = if glob.starts_with("**") { format!("/{glob}") } else { glob };
            if parts.last() == Some(&Component::Deep) {
                globs.push(glob);
            } else {
                globs.push(format!("{}/**", glob.trim_end_matches('/')));
                globs.push(glob);
            }
        }
        globs
    }

    fn is_root(&self, path: &PathParts<'_>) -> bool {
        folded(self.allow_folds, path, |names| {
            self.anchored.alternatives.iter().any(|parts| {
                let root: Vec<_> = parts.iter().map_while(Component::literal).collect();
                root == names
            })
        })
    }
}

/// Windows compares names without regard to case, so that allow rules may do so too.
pub(crate) fn folds_everywhere(anchors: &Anchors) -> bool {
    is_windows(&anchors.project_root)
}

fn folded<T>(fold: bool, path: &PathParts<'_>, judge: impl Fn(&[&str]) -> T) -> T {
    if fold {
        let lower: Vec<_> = path.names.iter().map(|name| fold_case(name)).collect();
        judge(&lower.iter().map(|name| &**name).collect::<Vec<_>>())
    } else {
        judge(&path.names)
    }
}

/// `C:\x`, `\\server\share`, `\\?\C:\x`: there a backslash is a separator.
fn is_windows_pattern(payload: &str) -> bool {
    let share = |rest: &str| {
        rest.starts_with(r"?\") || rest.starts_with(r".\") || rest.starts_with(char::is_alphanumeric)
    };
    match payload.strip_prefix(r"\\") {
        Some(rest) => share(rest),
        None => is_windows(&canonical_path_like(payload)),
    }
}

/// The first character with a meaning of its own that a backslash stands in front of: one reader takes it for a quoted
/// character, another for one behind a separator of Windows.
fn escaped(payload: &str) -> Option<char> {
    let behind = payload.match_indices('\\').filter_map(|(at, _)| payload.get(at + 1..)?.chars().next());
    behind.into_iter().find(|next| "*?[]{}!,#~ ()".contains(*next))
}

/// Base directory, the rest of the pattern, and whether it is relative to the project root.
fn anchor<'a>(
    text: &'a str,
    scope: Scope,
    anchors: &'a Anchors,
    conventions: &Conventions,
) -> Result<(Cow<'a, str>, Cow<'a, str>, bool), String> {
    let home = || {
        anchors.home.as_deref().ok_or_else(|| {
            "`~` cannot be expanded because no home directory is known: write the absolute path".to_owned()
        })
    };
    let absolute = |rest: &'a str| Ok((Cow::Borrowed(""), Cow::Borrowed(rest), false));
    if text == "~" {
        return Ok((Cow::Borrowed(home()?), Cow::Borrowed(""), false));
    }
    if let Some(rest) = text.strip_prefix("~/") {
        return Ok((Cow::Borrowed(home()?), Cow::Borrowed(rest), false));
    }
    if text.starts_with('~') && text.contains('/') {
        return Err("another user's home directory is not looked up: write the absolute path".to_owned());
    }
    if let Some(rest) = text.strip_prefix("//?/UNC/") {
        return Ok((Cow::Borrowed(r"\\"), Cow::Borrowed(rest), false));
    }
    if let Some(rest) = text.strip_prefix("//?/") {
        return Ok((Cow::Borrowed(""), Cow::Owned(canonical_path_like(rest)), false));
    }
    if let Some(rest) = text.strip_prefix("//") {
        // A share where the project has a Windows shape, else the marked absolute path.
        return if is_windows(&anchors.project_root) {
            Ok((Cow::Borrowed(r"\\"), Cow::Borrowed(rest), false))
        } else {
            Ok((Cow::Borrowed(""), Cow::Owned(format!("/{rest}")), false))
        };
    }
    if text.starts_with('/') {
        return Ok(match (conventions.slash, scope) {
            (SlashAnchor::Absolute, _) | (SlashAnchor::Source, Scope::Managed) => {
                (Cow::Borrowed(""), Cow::Borrowed(text), false)
            }
            (SlashAnchor::Source, Scope::Project) => {
                (Cow::Borrowed(&*anchors.project_root), Cow::Borrowed(text), false)
            }
            (SlashAnchor::Source, Scope::User) => {
                let folder = anchors.user_settings.as_deref().ok_or_else(|| {
                    "`/` is relative to the user's settings folder, which is not known: write `//` for the root"
                        .to_owned()
                })?;
                (Cow::Borrowed(folder), Cow::Borrowed(text), false)
            }
            (SlashAnchor::Source, _) => {
                (Cow::Borrowed(&*anchors.start_directory), Cow::Borrowed(text), false)
            }
        });
    }
    if is_windows(text) {
        return absolute(text);
    }
    let rest = text.trim_start_matches("./");
    Ok((Cow::Borrowed(&*anchors.project_root), Cow::Borrowed(rest), true))
}

/// Whether a relative pattern of a restricting rule also matches elsewhere: a name alone, or one that
/// begins with `**`; where the profile says so, also `dir/**`.
fn floats(own: &[Component], conventions: &Conventions) -> bool {
    match own {
        [_] | [Component::Deep, ..] => true,
        [_, Component::Deep] => conventions.directory_at_any_depth,
        _ => false,
    }
}

/// The last name before the first wildcard, and every literal name behind it.
fn words(parts: &[Component]) -> Vec<String> {
    let wild = parts.iter().position(|part| part.literal().is_none()).unwrap_or(parts.len());
    parts
        .iter()
        .enumerate()
        .filter(|(at, _)| at + 1 >= wild)
        .filter_map(|(_, part)| part.literal())
        .map(str::to_owned)
        .collect()
}

/// The composed (NFC) form of a pattern.
fn compose(parts: &[Component]) -> Vec<Component> {
    parts
        .iter()
        .map(|part| match part {
            Component::Literal(name) => Component::Literal(nfc(name).into_owned()),
            other => {
                let text = other.to_string();
                Component::parse(&nfc(&text), false).unwrap_or_else(|_| other.clone())
            }
        })
        .collect()
}

/// Components put together again.
fn unsplit<'a>(mut parts: impl Iterator<Item = Cow<'a, str>>) -> String {
    let Some(first) = parts.next() else { return String::new() };
    let rest: Vec<_> = parts.collect();
    let rest = rest.join("/");
    match &*first {
        root @ ("/" | r"\\") => format!("{root}{rest}"),
        name if rest.is_empty() => name.to_owned(),
        name => format!("{name}/{rest}"),
    }
}
