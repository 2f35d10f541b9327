//! What may be new below a protected name: what git itself makes for a repository, as far as it runs nothing.

use std::{fs, os::unix::fs::OpenOptionsExt, path::Path};

use portcullis_paths::{GitSetting, names_program, read_git_config};

use super::{
    Harmless,
    scan::{Kind, State},
};

/// A configuration that is longer is nobody's honest one.
const LONGEST: u64 = 1 << 20;

/// Whether a new name can do nothing: a sample hook, which git never runs (githooks(5): the name has to be exactly the
/// hook's), or a repository's configuration that makes git run nothing.
pub(crate) fn is_inert(root: &Path, path: &Path, now: &State) -> bool {
    if now.kind != Kind::File {
        return false;
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some(place) = within_git(root, path) else { return false };
    if place.iter().rev().nth(1).is_some_and(|directory| *directory == "hooks") && name.ends_with(".sample") {
        return true;
    }
    matches!(name, "config" | "config.worktree")
        && settings(path).is_some_and(|settings| {
            settings.iter().all(|setting| !names_program(setting) || is_own_worktree(root, path, setting))
        })
}

/// Whether nothing that counts changed: the contents are the same, or git wrote down what a branch follows.
pub(crate) fn is_same(root: &Path, path: &Path, before: &State, copy: Option<&Path>) -> bool {
    let (Some(copy), Some(now)) = (copy, State::of(path)) else { return false };
    if before.kind != Kind::File || now.kind != Kind::File || now.size > LONGEST {
        return false;
    }
    let executable = |mode: u32| mode & 0o111;
    let (Some(old), Some(new)) = (read(copy), read(path)) else { return false };
    if old == new && executable(before.mode) == executable(now.mode) {
        return true;
    }
    let is_config = path.file_name().is_some_and(|name| name == "config") && within_git(root, path).is_some();
    let (Ok(old), Ok(new)) = (read_git_config(&old), read_git_config(&new)) else { return false };
    let others = |settings: &[GitSetting]| -> Vec<_> {
        let others = settings.iter().filter(|setting| setting.section != "branch");
        others.map(|setting| (setting.key(), setting.value.clone())).collect()
    };
    is_config
        && new.iter().all(|setting| setting.section != "branch" || !names_program(setting))
        && others(&old) == others(&new)
}

/// Whether the caller takes a new or changed file for harmless. It has no other name, through which it could be changed
/// later, and what was there before is known.
pub(crate) fn is_harmless(
    path: &Path,
    now: &State,
    was_there: bool,
    copy: Option<&Path>,
    harmless: &Harmless<'_>,
) -> bool {
    if now.kind != Kind::File || now.links != 1 || now.size > LONGEST {
        return false;
    }
    let before = match (was_there, copy) {
        (false, _) => None,
        (true, Some(copy)) => match read(copy) {
            Some(before) => Some(before),
            None => return false,
        },
        (true, None) => return false,
    };
    read(path).is_some_and(|now| harmless(path, before.as_deref(), &now))
}

/// The components behind the `.git` that the path lies in.
fn within_git<'a>(root: &Path, path: &'a Path) -> Option<Vec<&'a str>> {
    let inner: Vec<&str> =
        path.strip_prefix(root).ok()?.iter().map(|name| name.to_str()).collect::<Option<_>>()?;
    let git = inner.iter().rposition(|name| *name == ".git")?;
    Some(inner.get(git + 1..)?.to_vec())
}

/// `core.worktree` of a submodule's repository, which leads back into the workspace (gitsubmodules(7)).
fn is_own_worktree(root: &Path, path: &Path, setting: &GitSetting) -> bool {
    let is_module = within_git(root, path).is_some_and(|inner| inner.first() == Some(&"modules"));
    let directory = path.parent().and_then(Path::to_str);
    let (Some(directory), Some(value), Some(root)) = (directory, &setting.value, root.to_str()) else {
        return false;
    };
    is_module
        && setting.key() == "core.worktree"
        && portcullis_paths::is_within(&portcullis_paths::join(directory, value), root)
}

fn settings(path: &Path) -> Option<Vec<GitSetting>> {
    read_git_config(&read(path)?).ok()
}

/// A regular file's contents; through no link, and without waiting for the other end of a pipe.
fn read(path: &Path) -> Option<Vec<u8>> {
    use std::io::Read as _;

    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let mut text = Vec::new();
    let length = file.take(LONGEST + 1).read_to_end(&mut text).ok()?;
    (length as u64 <= LONGEST).then_some(text)
}
