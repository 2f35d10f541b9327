//! Finding a program before it is started, so that "not there" and "not executable" are told apart from
//! everything that can go wrong later.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use nix::unistd::{AccessFlags, access};

use crate::RunError;

/// Where programs are looked for when the environment has no `PATH` (the default of `execvp(3)`).
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Finds `program` as `execvp(3)` would: a name with a slash is taken as it is, below `directory` when it
/// is relative; any other is looked for in the directories of `path`, where an empty entry is `directory`.
///
/// ```
/// use std::{ffi::OsStr, path::Path};
/// let found = portcullis_process::lookup(OsStr::new("sh"), Some(OsStr::new("/nowhere:/bin")), Path::new("/"))?;
/// assert_eq!(found, Path::new("/bin/sh"));
/// # Ok::<(), portcullis_process::RunError>(())
/// ```
///
/// # Errors
/// [`RunError::NotFound`] when it is nowhere, [`RunError::NotExecutable`] when it is there but a directory
/// or without execute permission for this process.
pub fn lookup(program: &OsStr, path: Option<&OsStr>, directory: &Path) -> Result<PathBuf, RunError> {
    if program.is_empty() {
        return Err(RunError::NotFound(PathBuf::from(program)));
    }
    if program.as_bytes().contains(&b'/') {
        let candidate = directory.join(program);
        return match judge(&candidate) {
            Candidate::Usable => Ok(candidate),
            Candidate::Unusable => Err(RunError::NotExecutable(candidate)),
            Candidate::Missing => Err(RunError::NotFound(PathBuf::from(program))),
        };
    }
    let path = path.unwrap_or(OsStr::new(DEFAULT_PATH));
    let mut unusable = None;
    for entry in path.as_bytes().split(|byte| *byte == b':') {
        let candidate = directory.join(OsStr::from_bytes(entry)).join(program);
        match judge(&candidate) {
            Candidate::Usable => return Ok(candidate),
            Candidate::Unusable => {
                unusable.get_or_insert(candidate);
            }
            Candidate::Missing => {}
        }
    }
    Err(unusable.map_or_else(|| RunError::NotFound(PathBuf::from(program)), RunError::NotExecutable))
}

enum Candidate {
    Usable,
    Unusable,
    Missing,
}

fn judge(candidate: &Path) -> Candidate {
    match candidate.metadata() {
        Ok(metadata) if metadata.is_file() && access(candidate, AccessFlags::X_OK).is_ok() => {
            Candidate::Usable
        }
        Ok(_) => Candidate::Unusable,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Candidate::Unusable,
        Err(_) => Candidate::Missing,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn file(path: &Path, mode: u32) {
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn follows_the_rules_of_execvp() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::create_dir_all(&a).unwrap();
        fs::create_dir_all(b.join("adir")).unwrap();
        file(&a.join("tool"), 0o644);
        file(&b.join("tool"), 0o755);
        file(&a.join("plain"), 0o644);
        let path = std::env::join_paths([&a, &b]).unwrap();
        let find = |name: &str| lookup(OsStr::new(name), Some(&path), dir.path());
        assert_eq!(find("tool").unwrap(), b.join("tool"), "an unusable one is passed over");
        assert!(matches!(find("plain"), Err(RunError::NotExecutable(p)) if p == a.join("plain")));
        assert!(matches!(find("adir"), Err(RunError::NotExecutable(_))), "a directory is no program");
        assert!(matches!(find("absent"), Err(RunError::NotFound(_))));
        assert!(matches!(find(""), Err(RunError::NotFound(_))));
        assert_eq!(find("b/tool").unwrap(), dir.path().join("b/tool"), "relative to the directory");
        assert!(matches!(find("./tool"), Err(RunError::NotFound(_))));
        assert_eq!(lookup(OsStr::new("tool"), Some(OsStr::new("")), &b).unwrap(), b.join("tool"));
    }
}
