//! What one part of a text changes under the names that others use: links that are moved, copied or brought by git,
//! and repositories that go away. The file system is looked at before the text runs, so what it says holds only where
//! no such change is in between.

use portcullis_paths::{find_repository, is_within, normalize};

use super::{
    Judge,
    git::starts_in,
    path_of,
    repository::{removes, removes_repository},
};
use crate::{Analysis, Directories, EffectKind, Invocation, PathTarget, Reach, made::backs_up};

/// More paths that are moved, copied or removed are not followed.
const MAX_CHANGES: usize = 2048;
/// `PATH_MAX` of Linux: longer paths name nothing.
const MAX_PATH: usize = 4096;

/// A command that changes what names lead to.
pub(super) struct Change<'a> {
    when: When,
    kind: Kind<'a>,
}

/// Where in the text a command stands, and whether its turn comes there.
#[derive(Clone, Copy, Default)]
pub(super) struct When {
    index: usize,
    /// It runs again, later, or at the same time as others.
    anytime: bool,
    looped: bool,
    pipeline: bool,
}

impl When {
    pub(super) fn new(index: usize, reach: Reach) -> Self {
        Self {
            index,
            anytime: reach.looped || reach.background || reach.function || reach.substitution,
            looped: reach.looped || reach.function,
            pipeline: reach.pipeline,
        }
    }

    /// Whether `self` may have happened when `later` has its turn.
    fn before(self, later: Self) -> bool {
        let together = self.anytime || later.anytime || self.pipeline && later.pipeline;
        self.index < later.index || together && (self.index != later.index || self.looped)
    }
}

enum Kind<'a> {
    /// Copies or moves: the names that it gives, in every spelling, and what gets them.
    Lands { made: Vec<String>, taken: Vec<&'a PathTarget> },
    /// git fills the working trees below these directories with what it was given.
    Brings(Vec<String>),
    /// What it removes, or moves away with whoever is in there.
    Loses { gone: Vec<&'a PathTarget>, moved: bool },
}

/// How a path is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// Whatever it leads to.
    Followed,
    /// That and everything below it.
    Whole,
    /// The name itself, a link too.
    Name,
}

impl<'a> Judge<'a> {
    /// Finds every change of the text.
    pub(super) fn note_changes(&mut self, analysis: &'a Analysis) {
        let mut added = Vec::new();
        let mut weight = 0;
        for (index, invocation) in analysis.invocations.iter().enumerate() {
            let when = When::new(index, invocation.reach);
            let own = || invocation.effects.iter().filter(|effect| !effect.redirection);
            let name = invocation.base_name().unwrap_or_default();
            let subcommand = if name == "git" { starts_in(invocation) } else { None };
            let action = subcommand.as_ref().map_or("", |(_, name)| *name);
            let removed: Vec<_> = own()
                .filter_map(|effect| match &effect.kind {
                    // git removes what it tracks, and nothing of its own.
                    EffectKind::Delete { path, .. } if action != "rm" => Some(path),
                    _ => None,
                })
                .collect();
            weight += removed.len();
            if !removed.is_empty() {
                let moved = name != "rm" && action != "worktree";
                self.changes.push(Change { when, kind: Kind::Loses { gone: removed, moved } });
            }
            let written = || {
                own().filter_map(|effect| match &effect.kind {
                    EffectKind::Write(path) => Some(path),
                    _ => None,
                })
            };
            if self.settings.resolver.is_some() && (matches!(name, "cp" | "mv") || action == "mv") {
                let made: Vec<_> = written().flat_map(|target| self.spellings(target)).collect();
                let taken: Vec<_> = own()
                    .filter_map(|effect| match &effect.kind {
                        EffectKind::Read { path, .. } => Some(path),
                        _ => None,
                    })
                    .collect();
                weight += made.len() + taken.len();
                self.changes.push(Change { when, kind: Kind::Lands { made, taken } });
                // What was there has another name then.
                if backs_up(invocation) {
                    let gone: Vec<_> = written().collect();
                    weight += gone.len();
                    self.changes.push(Change { when, kind: Kind::Loses { gone, moved: true } });
                }
            }
            let brought = match action {
                "worktree" => {
                    let tops: Vec<String> = written().flat_map(|target| self.spellings(target)).collect();
                    added.extend(tops.iter().cloned());
                    tops
                }
                "pull" | "merge" | "rebase" | "reset" | "checkout" | "switch" | "restore" | "stash"
                | "cherry-pick" | "revert" | "am" | "apply" | "clone" | "submodule" => {
                    subcommand.map(|(directories, _)| self.tops(&directories, &added)).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            // Without one of these a reset leaves the files as they are.
            let index_only = action == "reset" && !has_word(invocation, &["--h", "--m", "--k"])
                || action == "restore" && !has_word(invocation, &["-W", "--w"]);
            if !brought.is_empty() && !index_only {
                weight += brought.len();
                self.changes.push(Change { when, kind: Kind::Brings(brought) });
            }
            if weight > MAX_CHANGES {
                self.refuse(invocation.span, "it moves and removes more than can be followed");
                self.changes.clear();
                return;
            }
        }
    }

    /// The tops of the working trees that git changes when it runs in these directories.
    fn tops(&self, directories: &Directories, added: &[String]) -> Vec<String> {
        let mut tops = Vec::new();
        let mut all_roots = matches!(directories, Directories::Unknown);
        if let Directories::Known(all) = directories {
            for directory in all.iter() {
                let place = normalize(directory).to_lowercase();
                if let Some(top) = added.iter().find(|top| is_within(&place, top)) {
                    tops.push(top.clone());
                    continue;
                }
                let real = self.settings.resolver.and_then(|resolver| {
                    let real = resolver.realpath(directory).ok()?;
                    Some(find_repository(resolver, &real)?.root.to_lowercase())
                });
                match real {
                    Some(root) => tops.push(root),
                    None => all_roots = true,
                }
            }
        }
        if all_roots {
            for root in self.settings.roots {
                tops.push(normalize(root).to_lowercase());
                let real = self.settings.resolver.and_then(|resolver| resolver.realpath(root).ok());
                tops.extend(real.map(|root| root.to_lowercase()));
            }
        }
        tops
    }

    /// A path without its detours: as it is written, and as the directory before its last name really is.
    fn spellings(&self, target: &PathTarget) -> Vec<String> {
        let (PathTarget::Path(path) | PathTarget::Below(path) | PathTarget::Glob(_, path)) = target else {
            return Vec::new();
        };
        let plain = normalize(path);
        let mut all = vec![plain.to_lowercase()];
        if let Some(resolver) = self.settings.resolver {
            let trimmed = path.trim_end_matches('/');
            if let Some((directory, name)) =
                trimmed.rsplit_once('/').filter(|(_, name)| !matches!(*name, "" | "." | ".."))
                && let Ok(real) = resolver.realpath(if directory.is_empty() { "/" } else { directory })
            {
                all.push(format!("{}/{name}", real.trim_end_matches('/')).to_lowercase());
            }
            all.extend(resolver.realpath(path).ok().map(|real| real.to_lowercase()));
        }
        all.dedup();
        all
    }

    fn earlier(&self) -> impl Iterator<Item = &Change<'a>> {
        let now = self.now;
        self.changes.iter().filter(move |change| change.when.before(now))
    }

    /// Why a path that is inside may not be when its turn comes.
    pub(super) fn disturbed(&self, target: &PathTarget, touch: Touch) -> Option<String> {
        self.earlier().next()?;
        let (path, open) = match target {
            PathTarget::Path(path) => (path.as_str(), touch == Touch::Whole),
            PathTarget::Below(path) | PathTarget::Glob(_, path) => (path.as_str(), true),
            PathTarget::Unknown => return None,
        };
        if path.len() > MAX_PATH {
            return Some("the path is too long".to_owned());
        }
        let path = match path.rsplit_once('/') {
            Some((directory, name)) if touch == Touch::Name && !open && !matches!(name, "" | "." | "..") => {
                directory
            }
            _ => path,
        };
        let mut places = Vec::new();
        passed(path, &mut places);
        let real = self.settings.resolver.and_then(|resolver| resolver.realpath(path).ok());
        if let Some(real) = &real {
            passed(real, &mut places);
        }
        let ends: Vec<String> =
            std::iter::once(normalize(path)).chain(real).map(|end| end.to_lowercase()).collect();
        for change in self.earlier() {
            match &change.kind {
                Kind::Brings(tops) => {
                    let below = |place: &String, top: &String| place != top && is_within(place, top);
                    if tops.iter().any(|top| {
                        places.iter().any(|place| below(place, top))
                            || open && ends.iter().any(|end| is_within(top, end))
                    }) {
                        return Some(format!("`{path}` may be what git brings, a link too"));
                    }
                }
                Kind::Lands { made, taken } => {
                    let meets = made.iter().any(|made| {
                        places.contains(made) || open && ends.iter().any(|end| is_within(made, end))
                    });
                    if meets && !self.plain(taken) {
                        return Some(format!("`{path}` may be a link that was moved or copied"));
                    }
                }
                // Whoever was in there when it was moved leaves it somewhere else.
                Kind::Loses { gone: targets, .. } => {
                    let climbs = path.split('/').any(|part| part == "..");
                    if climbs && targets.iter().any(|target| self.covers(target, &places)) {
                        return Some(format!("`{path}` leaves a directory that may be elsewhere by then"));
                    }
                }
            }
        }
        self.through_link(path)
            .then(|| format!("`{path}` goes through a link, and names were changed before"))
    }

    /// Whether one of these places is, or lies below, what `target` names.
    fn covers(&self, target: &PathTarget, places: &[String]) -> bool {
        removes(target, &self.spellings(target), places.iter().map(String::as_str))
    }

    /// Whether a link that exists is on the way, below the roots.
    fn through_link(&self, path: &str) -> bool {
        let Some(resolver) = self.settings.resolver else { return false };
        let plain = normalize(path);
        let Some(root) = self.settings.roots.iter().find(|root| is_within(&plain, root)) else {
            return false;
        };
        let (Ok(real_root), Ok(real)) = (resolver.realpath(root), resolver.realpath(path)) else {
            return true;
        };
        let rest = plain.strip_prefix(root.as_str()).unwrap_or_default();
        real.strip_prefix(real_root.as_str()) != Some(rest)
    }

    /// Nothing of it is a link.
    fn plain(&self, taken: &[&PathTarget]) -> bool {
        taken.iter().all(|target| self.look.holds(target).is_some_and(|held| !held.links))
    }

    /// Why git may find another repository in `directory` than is there before the text runs; `known` are the places
    /// of the one that is.
    pub(super) fn other_repository(&self, directory: &str, known: &[&str]) -> Option<String> {
        let places = self.spellings(&PathTarget::Path(directory.to_owned()));
        for change in self.earlier() {
            match &change.kind {
                Kind::Brings(tops) => {
                    // Without a resolver the top of the working tree is not known.
                    let below = |place: &String| {
                        tops.iter().any(|top| is_within(place, top)) && !tops.contains(place)
                    };
                    if self.settings.resolver.is_some() && places.iter().any(below) {
                        return Some(format!("git may have brought a repository to `{directory}`"));
                    }
                }
                Kind::Lands { made, taken } => {
                    let above = |made: &String| places.iter().any(|place| is_within(place, made));
                    let holds =
                        |target: &&PathTarget| self.look.holds(target).is_none_or(|held| held.repository);
                    if made.iter().any(above) && taken.iter().any(holds) {
                        return Some(format!("`{directory}` may have become a repository"));
                    }
                }
                Kind::Loses { gone, moved } => {
                    for target in gone {
                        let spellings = self.spellings(target);
                        // A directory that is made anew lies in the same repository.
                        let starts = places.iter().filter(|_| *moved || known.is_empty());
                        let mut own = starts.map(String::as_str).chain(known.iter().copied());
                        if removes_repository(target, &spellings, known)
                            || removes(target, &spellings, &mut own)
                        {
                            return Some("its repository may be gone, and git would use another".to_owned());
                        }
                    }
                }
            }
        }
        None
    }

    /// Whether the text makes something at `path` or below it.
    pub(super) fn made_by_text(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let below = format!("{path}/");
        let first = |name: &str| self.made.get(self.made.partition_point(|made| made.as_str() < name));
        first(&path) == Some(&path) || first(&below).is_some_and(|made| made.starts_with(&below))
    }

    /// Every name that a text with git writes, for [`Self::made_by_text`].
    pub(super) fn note_made(&mut self, analysis: &Analysis) {
        if !analysis.invocations.iter().any(|invocation| invocation.base_name() == Some("git")) {
            return;
        }
        let written = analysis.invocations.iter().flat_map(|invocation| &invocation.effects);
        let written = written.filter(|effect| matches!(effect.kind, EffectKind::Write(_)));
        let made = written.filter_map(|effect| path_of(&effect.kind));
        self.made = made.flat_map(|target| self.spellings(target)).collect();
        self.made.sort_unstable();
    }
}

/// Whether a word begins with one of these.
fn has_word(invocation: &Invocation, starts: &[&str]) -> bool {
    invocation
        .words
        .iter()
        .any(|word| word.value.known().is_none_or(|text| starts.iter().any(|start| text.starts_with(start))))
}

/// Every place that a path passes, `..` taken as it stands, in lower case: some file systems know no other.
fn passed(path: &str, places: &mut Vec<String>) {
    let mut place = String::new();
    for part in path.to_lowercase().split('/') {
        match part {
            "" | "." => {}
            ".." => place.truncate(place.rfind('/').unwrap_or(0)),
            part => {
                place.push('/');
                place.push_str(part);
                places.push(place.clone());
            }
        }
    }
}
