//! The project root, pinned when the session starts: an explicit value, the host's own variable, the git
//! top level, else the starting directory.

use std::path::Path;

use portcullis_paths::{OsResolver, Resolver as _};

use super::Surroundings;
use crate::{args::Options, profile::Profile, report::Report};

/// Finds the project root for a session that starts in `cwd`.
///
/// # Errors
/// A path that is not UTF-8, or a named root that is no directory.
pub(crate) fn find(
    options: &Options,
    surroundings: &Surroundings,
    profile: &Profile,
    cwd: &str,
) -> Result<String, Report> {
    if let Some(given) = &options.project_root {
        return absolute(given, surroundings, "--project-root");
    }
    for name in profile.project_variables {
        if let Some(value) = surroundings.variable(name) {
            if !value.starts_with('/') {
                return Err(Report::failure("project-root", format!("`{value}` is not an absolute path"))
                    .at(format!("environment variable {name}"))
                    .remedy("set it to the project's absolute path, or give --project-root DIR"));
            }
            is_directory(Path::new(value), format!("environment variable {name}"))?;
            return real(Path::new(value));
        }
    }
    Ok(git_top_level(cwd).unwrap_or_else(|| cwd.to_owned()))
}

/// The nearest directory at or above `start` that holds `.git`, a directory or (in a linked worktree) a
/// file. git itself is not asked: its configuration can run programs.
pub(crate) fn git_top_level(start: &str) -> Option<String> {
    Path::new(start)
        .ancestors()
        .find(|directory| directory.join(".git").symlink_metadata().is_ok())
        .and_then(|directory| directory.to_str())
        .map(ToOwned::to_owned)
}

/// The directories that flags name are there: in one that is not, settings that deny would go unread without a word.
///
/// # Errors
/// One that is no directory.
pub(crate) fn directories(options: &Options, surroundings: &Surroundings) -> Result<(), Report> {
    let given =
        [("--project-root", &options.project_root), ("--cwd", &options.cwd), ("--home", &options.home)];
    for (flag, path) in given {
        if let Some(path) = path {
            is_directory(Path::new(&absolute(path, surroundings, flag)?), flag)?;
        }
    }
    Ok(())
}

fn is_directory(path: &Path, at: impl Into<String>) -> Result<(), Report> {
    let what = match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => format!("`{}` is no directory", path.display()),
        Err(error) => format!("there is no directory `{}` to be used: {error}", path.display()),
    };
    Err(Report::failure("directory", what).at(at).remedy("name a directory that exists"))
}

/// A path from a flag, made absolute against the process's directory, links resolved where it exists.
///
/// # Errors
/// Not UTF-8, or no working directory to stand on.
pub(crate) fn absolute(path: &Path, surroundings: &Surroundings, flag: &str) -> Result<String, Report> {
    if path.as_os_str().is_empty() {
        return Err(Report::failure("path", "an empty path").at(flag.to_owned()).remedy("name a directory"));
    }
    if path.is_absolute() { real(path) } else { real(&surroundings.directory()?.join(path)) }
}

/// The real path, or the lexical one of what does not exist.
///
/// # Errors
/// Not UTF-8: rules are text, and a path that is none cannot be judged.
pub(crate) fn real(path: &Path) -> Result<String, Report> {
    let text = path.to_str().ok_or_else(|| {
        Report::failure("path", format!("the path `{}` is not UTF-8", path.display()))
            .remedy("use a directory with a name that is UTF-8")
    })?;
    Ok(OsResolver.realpath(text).unwrap_or_else(|_| portcullis_paths::normalize(text)))
}

#[cfg(test)]
mod tests {
    use super::git_top_level;

    #[test]
    fn the_git_top_level_is_the_nearest_one() {
        let base = tempfile::tempdir().unwrap();
        let inner = base.path().join("a/b/c");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::create_dir(base.path().join(".git")).unwrap();
        std::fs::write(base.path().join("a/b/.git"), "gitdir: elsewhere").unwrap();
        let found = git_top_level(inner.to_str().unwrap());
        assert_eq!(found.as_deref(), base.path().join("a/b").to_str());
    }
}
