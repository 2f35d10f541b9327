//! Whose "no" it was: a path that ordinary permissions forbid as well was not denied by the sandbox.

use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

/// The path that a line of an error message names: the last quoted one, else the last word or the last part
/// between colons that looks like a path.
pub(crate) fn named_path(line: &str, directory: &Path) -> Option<PathBuf> {
    let quoted = |open: char, close: char| {
        let end = line.rfind(close)?;
        let start = line.get(..end)?.rfind(open)?;
        line.get(start + open.len_utf8()..end)
    };
    let pairs = [('\'', '\''), ('`', '\''), ('‘', '’'), ('"', '"')];
    let quoted =
        pairs.into_iter().find_map(|(open, close)| quoted(open, close)).filter(|name| !name.is_empty());
    let name = quoted.or_else(|| {
        // "cat: /x/y: Permission denied", "sh: 1: cannot create /x/y: Permission denied"
        let before = line.rsplit_once(": ")?.0;
        let part = before.rsplit_once(": ").map_or(before, |(_, part)| part);
        part.rsplit_once(' ').map(|(_, word)| word).filter(|word| word.contains('/')).or(Some(part))
    })?;
    Some(directory.join(name))
}

/// Whether this process, outside any sandbox, could write what the line names (or make it, where it does not
/// exist): then it was the sandbox that said no. A path that is hidden needs only be readable.
pub(crate) fn is_sandbox(line: &str, directory: &Path, hidden: impl Fn(&Path) -> bool) -> bool {
    let Some(path) = named_path(line, directory) else { return true };
    if hidden(&path) {
        return access(&path, AccessFlags::R_OK).is_ok();
    }
    let Some(existing) = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok()) else {
        return true;
    };
    if existing == path {
        let writable = access(existing, AccessFlags::W_OK);
        // A file that may not be written may still be removed from, or renamed in, its directory.
        let replaceable = path.parent().is_some_and(|parent| access(parent, AccessFlags::W_OK).is_ok());
        writable.is_ok() || (replaceable && access(existing, AccessFlags::R_OK).is_ok())
    } else {
        access(existing, AccessFlags::W_OK | AccessFlags::X_OK).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_path_in_common_messages() {
        for (line, path) in [
            ("touch: cannot touch '/etc/x y': Permission denied", "/etc/x y"),
            ("rm: cannot remove ‘a/b’: Read-only file system", "/d/a/b"),
            ("cat: /x/y: Permission denied", "/x/y"),
            ("cat: name: Permission denied", "/d/name"),
            ("/bin/sh: 1: cannot create /etc/z: Permission denied", "/etc/z"),
            ("bash: line 1: /etc/passwd: Read-only file system", "/etc/passwd"),
            ("fatal: cannot mkdir /q/w: Read-only file system", "/q/w"),
        ] {
            assert_eq!(named_path(line, Path::new("/d")), Some(PathBuf::from(path)), "{line}");
        }
        assert_eq!(named_path("Permission denied", Path::new("/d")), None);
    }
}
