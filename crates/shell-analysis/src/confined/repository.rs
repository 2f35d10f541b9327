//! Which names make a directory a repository, or take one away.

use portcullis_paths::is_within;

use crate::{PathTarget, pattern};

/// What is written below `.git` decides what git runs, and a directory with a file `HEAD` may become a repository
/// with a configuration of its own (gitrepository-layout(5)). A glob is what it may match.
pub(super) fn makes_repository(target: &PathTarget) -> Option<String> {
    let (path, glob) = parts_of(target)?;
    let head = last(path).is_some_and(|name| is_named(name, "head", glob));
    (head || path.split('/').any(|part| of_git(part, glob))).then(|| obeyed(path))
}

/// The same for a target no match of which is called `HEAD`.
pub(super) fn goes_to_git(target: &PathTarget) -> Option<String> {
    let (path, glob) = parts_of(target)?;
    path.split('/').any(|part| of_git(part, glob)).then(|| obeyed(path))
}

fn obeyed(path: &str) -> String {
    format!("`{path}` can make git run programs")
}

/// The text of a path, and whether it is a glob.
fn parts_of(target: &PathTarget) -> Option<(&str, bool)> {
    match target {
        PathTarget::Path(path) | PathTarget::Below(path) => Some((path, false)),
        PathTarget::Glob(pattern, _) => Some((pattern, true)),
        PathTarget::Unknown => None,
    }
}

/// What git keeps for itself is not taken apart; a lock that was left behind may be removed, and the whole.
pub(super) fn takes_apart(target: &PathTarget) -> Option<String> {
    let (path, glob) = parts_of(target)?;
    let mut parts = path.trim_end_matches('/').rsplit('/');
    let lock = parts.next().is_some_and(|name| name.ends_with(".lock"));
    (!lock && parts.any(|part| of_git(part, glob)))
        .then(|| format!("`{path}` is a part of what git keeps for itself"))
}

/// Whether a part of a path may be `.git`.
fn of_git(part: &str, glob: bool) -> bool {
    // `git~1` is `.git` on file systems with short names, which no directory lists.
    is_named(part, ".git", glob) || part.to_ascii_lowercase().starts_with("git~")
}

/// Whether a part of a path may be `name`, which is in lower case: some file systems know no other.
fn is_named(part: &str, name: &str, glob: bool) -> bool {
    if glob {
        return pattern::may_match(&part.to_lowercase(), name);
    }
    part.eq_ignore_ascii_case(name)
        || !part.is_ascii() && part.replace(is_ignored, "").eq_ignore_ascii_case(name)
        || part.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            && part
                .get(name.len()..)
                .is_some_and(|rest| rest.starts_with([':', ' ', '.']) && is_dropped(rest))
}

/// Code points that HFS+ leaves out of names (Apple technical note 1150, "Unicode Subtleties").
const fn is_ignored(char: char) -> bool {
    matches!(char, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// What Windows leaves off the end of names: blanks and full stops, and the name of a stream.
fn is_dropped(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '.']);
    rest.is_empty() || rest.starts_with(':')
}

fn last(path: &str) -> Option<&str> {
    path.trim_end_matches('/').rsplit('/').next()
}

/// Whether `.git` or one of the `known` places of a repository may not be whole once `target`, which may be at any of
/// `spellings`, is gone.
pub(super) fn removes_repository(target: &PathTarget, spellings: &[String], known: &[&str]) -> bool {
    let Some((path, glob)) = parts_of(target) else { return true };
    if last(path).is_some_and(|name| name.ends_with(".lock")) {
        return false;
    }
    path.split('/').any(|part| of_git(part, glob))
        || !glob
            && known.iter().any(|part| spellings.iter().any(|gone| is_within(gone, &part.to_lowercase())))
}

/// Whether one of these places is gone with `target`, which may be at any of `spellings`.
pub(super) fn removes<'a>(
    target: &PathTarget,
    spellings: &[String],
    mut places: impl Iterator<Item = &'a str>,
) -> bool {
    let Some((path, glob)) = parts_of(target) else { return true };
    places.any(|place| {
        let place = place.to_lowercase();
        if glob { may_cover(path, &place) } else { spellings.iter().any(|gone| is_within(&place, gone)) }
    })
}

/// Whether a glob may match `place` or a directory that holds it.
fn may_cover(glob: &str, place: &str) -> bool {
    let mut parts = place.split('/').filter(|part| !part.is_empty());
    for component in glob.to_lowercase().split('/').filter(|component| !component.is_empty()) {
        match (component, parts.next()) {
            ("." | "..", _) => return true,
            (component, Some(part)) if pattern::may_match(component, part) => {}
            _ => return false,
        }
    }
    true
}
