//! What a path means behind the names that the text has made.

use std::collections::BTreeSet;

use portcullis_paths::{Resolver, is_within, join};

use super::{
    How, Made, Name,
    paths::{ends, longer, spellings},
};
use crate::{Effect, EffectKind, Invocation, PathTarget, pattern};

/// The most other places that one path may mean; beyond it any.
const MAX_PLACES: usize = 32;
/// The most paths that are resolved to compare them with names; beyond it any path may be one of them.
const MAX_RESOLVED: usize = 1 << 13;

impl Made {
    /// Adds what the effects of an invocation mean behind the names that were made.
    pub(crate) fn follow(&self, invocation: &mut Invocation, at: usize, resolver: Option<&dyn Resolver>) {
        if self.names.is_empty() {
            return;
        }
        let mut more = Vec::new();
        for effect in &invocation.effects {
            let alters = !matches!(effect.kind, EffectKind::Read { .. } | EffectKind::Metadata(_));
            let deletes = matches!(effect.kind, EffectKind::Delete { .. });
            let Some(target) = target(&effect.kind) else { continue };
            for place in self.places(target, alters, deletes, at, resolver) {
                let kind = with(&effect.kind, place);
                let (redirection, span) = (effect.redirection, effect.span);
                // Several effects may lead to the same place.
                if !more.iter().any(|known: &Effect| known.kind == kind && known.redirection == redirection) {
                    more.push(Effect { kind, redirection, span });
                }
            }
        }
        invocation.effects.append(&mut more);
    }

    /// The other places that a path may mean.
    pub(super) fn places(
        &self,
        target: &PathTarget,
        alters: bool,
        deletes: bool,
        at: usize,
        resolver: Option<&dyn Resolver>,
    ) -> Vec<PathTarget> {
        let mut found = Vec::new();
        let (start, globs) = match target {
            PathTarget::Path(path) => (path, false),
            PathTarget::Glob(pattern, _) => (pattern, true),
            PathTarget::Below(directory) => {
                if alters && !deletes {
                    // A link below it may be what is written through.
                    let inside = |name: &&Name| {
                        name.by != at && name.how == How::Link && is_within(&name.path, directory)
                    };
                    found.extend(self.names.iter().filter(inside).map(|name| name.source.clone()));
                }
                (directory, false)
            }
            PathTarget::Unknown => return found,
        };
        let mut seen = BTreeSet::from([start.clone()]);
        let mut ahead = vec![start.clone()];
        while let Some(path) = ahead.pop() {
            for end in ends(&path) {
                let (Some(prefix), Some(rest)) = (path.get(..end), path.get(end..)) else { continue };
                let rest = rest.trim_matches('/');
                let last = prefix.rsplit('/').next().unwrap_or_default();
                if !globs && !self.names.iter().any(|name| name.may_end(last)) {
                    continue;
                }
                self.resolved.set(self.resolved.get() + 1);
                if self.resolved.get() > MAX_RESOLVED {
                    found.push(PathTarget::Unknown);
                    return found;
                }
                let spelled = if globs { vec![prefix.to_owned()] } else { spellings(prefix, resolver) };
                for name in self.names.iter().filter(|name| name.by != at) {
                    if deletes
                        && rest.is_empty()
                        && name.how != How::Copy
                        && matches!(target, PathTarget::Path(_))
                    {
                        continue;
                    }
                    if !spelled.iter().any(|spelled| name.is(spelled, globs)) {
                        continue;
                    }
                    let place = name.behind(rest);
                    let PathTarget::Path(place) = place else {
                        if (name.how == How::Link || !alters) && found.last() != Some(&place) {
                            found.push(place);
                        }
                        continue;
                    };
                    if !seen.insert(place.clone()) {
                        continue;
                    }
                    if name.how == How::Copy && alters {
                        // Writing to a copy is writing to it alone, unless a link was copied.
                        if let Some(leaves) = leaves(name, rest, resolver) {
                            found.push(leaves);
                            found.push(PathTarget::Unknown);
                        }
                        continue;
                    }
                    found.push(match target {
                        PathTarget::Below(_) => PathTarget::Below(place.clone()),
                        PathTarget::Glob(..) if place.split('/').any(pattern::is_pattern) => {
                            let fixed = fixed(&place);
                            PathTarget::Glob(place.clone(), fixed)
                        }
                        _ => PathTarget::Path(place.clone()),
                    });
                    ahead.push(place);
                }
                if seen.len() > MAX_PLACES {
                    found.push(PathTarget::Unknown);
                    return found;
                }
            }
        }
        let mut kept = Vec::with_capacity(found.len().min(MAX_PLACES));
        for place in found {
            if !kept.contains(&place) {
                kept.push(place);
            }
        }
        kept
    }
}

impl Name {
    /// Whether it says all that `other` says.
    pub(super) fn says(&self, other: &Self) -> bool {
        self.path == other.path
            && (self.longer, self.below, self.how) == (other.longer, other.below, other.how)
            && self.source == other.source
    }

    fn is(&self, path: &str, globs: bool) -> bool {
        if globs {
            let count = path.split('/').count();
            return count == self.path.split('/').count()
                && path.split('/').zip(self.path.split('/')).all(|(component, name)| {
                    if pattern::is_pattern(component) {
                        pattern::may_match_dots(component, name)
                    } else {
                        pattern::literal(component) == name
                    }
                });
        }
        match (self.longer, self.below) {
            (true, _) => longer(path, &self.path),
            (false, true) => is_within(path, &self.path),
            (false, false) => path == self.path,
        }
    }

    /// Whether a path with this last component may be it, in any spelling.
    fn may_end(&self, last: &str) -> bool {
        let own = self.path.rsplit('/').next().unwrap_or_default();
        self.below || own == last || self.longer && last.starts_with(own) || matches!(last, "" | "." | "..")
    }

    fn behind(&self, rest: &str) -> PathTarget {
        match &self.source {
            PathTarget::Path(source) if rest.is_empty() => PathTarget::Path(source.clone()),
            PathTarget::Path(source) => PathTarget::Path(format!("{}/{rest}", source.trim_end_matches('/'))),
            source => source.clone(),
        }
    }
}

/// Where a copied link leads, when one is on the way to `rest`.
fn leaves(name: &Name, rest: &str, resolver: Option<&dyn Resolver>) -> Option<PathTarget> {
    let PathTarget::Path(source) = &name.source else { return None };
    let resolver = resolver?;
    let spelled = spellings(source, Some(resolver));
    let plain = join(spelled.last()?, rest);
    let real = resolver.realpath(&plain).ok();
    (real.as_deref() != Some(&plain)).then(|| real.map_or(PathTarget::Unknown, PathTarget::Path))
}

fn target(kind: &EffectKind) -> Option<&PathTarget> {
    match kind {
        EffectKind::Read { path, .. } | EffectKind::Delete { path, .. } => Some(path),
        EffectKind::Metadata(path) | EffectKind::ChangeMetadata(path) | EffectKind::Write(path) => Some(path),
        _ => None,
    }
}

fn with(kind: &EffectKind, place: PathTarget) -> EffectKind {
    match kind {
        EffectKind::Read { recursive, .. } => EffectKind::Read { path: place, recursive: *recursive },
        EffectKind::Delete { recursive, .. } => EffectKind::Delete { path: place, recursive: *recursive },
        EffectKind::Metadata(_) => EffectKind::Metadata(place),
        EffectKind::ChangeMetadata(_) => EffectKind::ChangeMetadata(place),
        _ => EffectKind::Write(place),
    }
}

/// The directory before the first component that has a wildcard.
fn fixed(pattern: &str) -> String {
    let plain: Vec<&str> = pattern.split('/').take_while(|part| !pattern::is_pattern(part)).collect();
    let directory = pattern::literal(&plain.join("/"));
    if directory.is_empty() { "/".to_owned() } else { directory }
}
