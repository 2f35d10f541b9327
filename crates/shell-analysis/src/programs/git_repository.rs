//! Whether git would run programs that a repository names: its own configuration, that of
//! worktrees and submodules, and what the user's configuration takes from it.

use portcullis_paths::{FileKind, GitRepository, Resolver, find_repository, is_within, join};

use super::git_configuration;
use crate::{Directories, Settings, as_written, lies_inside, look::Look, made::spellings};

/// Nothing in the repositories that git would use from these directories names a program.
pub(super) fn harmless(
    settings: &Settings<'_>,
    look: &Look<'_>,
    directories: &Directories,
) -> Result<(), String> {
    let Directories::Known(directories) = directories else {
        return Err("git runs in a repository that is not known".to_owned());
    };
    for directory in directories.iter() {
        // Trust is in the project, not in what else is on the disk.
        if settings.trusted && lies_inside(directory, settings) && nested(settings, directory).is_none() {
            of_the_project(settings, look, directory)?;
            if let Some(resolver) = settings.resolver {
                repository_of(settings, resolver, directory)?;
            }
            continue;
        }
        let written = as_written(directory);
        if !look.made.borrow().wrote_nothing()
            && spellings(&written, settings.resolver)
                .iter()
                .any(|directory| look.made.borrow().may_make_repository(directory))
        {
            return Err(MADE.to_owned());
        }
        match settings.resolver {
            Some(resolver) => looked_at(settings, resolver, directory)?,
            None if own(settings, &written) => {}
            None => return Err("git runs in another repository".to_owned()),
        }
    }
    Ok(())
}

const MADE: &str = "git may use a repository that the command itself makes";

/// What is trusted is the repository that the project has, and those whose `.git` directories lie in it, which are
/// protected. Any directory with the files of a repository in it is one too for git, and those may be made by whoever
/// may write files.
fn of_the_project(settings: &Settings<'_>, look: &Look<'_>, directory: &str) -> Result<(), String> {
    let made = look.made.borrow();
    let Some(resolver) = settings.resolver else {
        let lexical = portcullis_paths::normalize(directory);
        let hidden = settings
            .roots
            .iter()
            .filter(|root| is_within(&lexical, root))
            .any(|root| made.may_hide_repository(&lexical, root));
        return if hidden { Err(MADE.to_owned()) } else { Ok(()) };
    };
    let Ok(real) = resolver.realpath(directory) else { return Ok(()) };
    let found = find_repository(resolver, &real);
    if !made.wrote_nothing() {
        // In its own directory a `.git` comes first.
        let top = match &found {
            Some(repository) if !repository.bare => repository.root.as_str(),
            _ => "/",
        };
        let mut places = spellings(&as_written(directory), Some(resolver));
        places.push(real);
        if places.iter().any(|directory| made.may_hide_repository(directory, top)) {
            return Err(MADE.to_owned());
        }
    }
    match found.filter(|repository| repository.bare) {
        Some(repository) if made.changes_bare(&repository.git_dir) => Err(MADE.to_owned()),
        Some(repository) => judged(settings, resolver, &repository),
        None => Ok(()),
    }
}

/// The top of a repository inside the project that is none of its own: neither the one that the project lies in, nor a
/// worktree or submodule of that, which are kept in it (git-worktree(1), gitsubmodules(7)). Trust does not extend to it.
pub(super) fn nested(settings: &Settings<'_>, directory: &str) -> Option<String> {
    let resolver = settings.resolver?;
    let found = find_repository(resolver, &resolver.realpath(directory).ok()?)?;
    let own = |root: &String| {
        let Ok(root) = resolver.realpath(root) else { return false };
        is_within(&root, &found.root)
            || find_repository(resolver, &root)
                .is_some_and(|own| within(resolver, &found.git_dir, &own.common_dir))
    };
    (!found.bare && !settings.roots.iter().any(own)).then_some(found.root)
}

/// The call's own repository, as far as the text tells.
fn own(settings: &Settings<'_>, directory: &str) -> bool {
    is_within(directory, settings.cwd)
        || settings
            .roots
            .first()
            .is_some_and(|root| is_within(directory, root) && is_within(settings.cwd, root))
}

/// The repository that git finds from `directory`. What git shows is content: where that is kept outside the roots, it is
/// asked for as every other read is. A link or a `.git` file may lead there, and the project's own repository may be
/// kept outside (git-worktree(1), gitsubmodules(7)).
fn repository_of(
    settings: &Settings<'_>,
    resolver: &dyn Resolver,
    directory: &str,
) -> Result<Option<GitRepository>, String> {
    let real = resolver.realpath(directory).map_err(|_| "git's directory cannot be resolved".to_owned())?;
    let another = || Err("git runs in another repository".to_owned());
    if !(settings.allow_external_paths || lies_inside(directory, settings)) {
        return another();
    }
    // Without a repository git stops with an error.
    let Some(repository) = find_repository(resolver, &real) else { return Ok(None) };
    let kept = [&repository.git_dir, &repository.common_dir];
    if settings.allow_external_paths || kept.iter().all(|place| lies_inside(place, settings)) {
        return Ok(Some(repository));
    }
    let own = |root: &String| {
        let own = resolver.realpath(root).ok().and_then(|root| find_repository(resolver, &root));
        own.is_some_and(|own| kept.iter().all(|place| within(resolver, place, &own.common_dir)))
    };
    if settings.roots.iter().any(own) { Ok(Some(repository)) } else { another() }
}

/// Whether `path` really is `directory` or in it.
fn within(resolver: &dyn Resolver, path: &str, directory: &str) -> bool {
    match (resolver.realpath(path), resolver.realpath(directory)) {
        (Ok(path), Ok(directory)) => is_within(&path, &directory),
        _ => false,
    }
}

fn looked_at(settings: &Settings<'_>, resolver: &dyn Resolver, directory: &str) -> Result<(), String> {
    let Some(repository) = repository_of(settings, resolver, directory)? else { return Ok(()) };
    if repository.bare {
        return Err("git would use a bare repository here".to_owned());
    }
    judged(settings, resolver, &repository)
}

/// What its configuration names.
fn judged(
    settings: &Settings<'_>,
    resolver: &dyn Resolver,
    repository: &GitRepository,
) -> Result<(), String> {
    followed(resolver, repository)?;
    if let Some(named) = repository.named_program(resolver) {
        let file = &named.file;
        return Err(match (named.key.as_str(), named.line) {
            ("", 0) => format!("`{file}` runs, or cannot be read"),
            ("", line) => format!("`{file}`, line {line}, is not understood"),
            (key, _) => format!("`{file}` sets `{key}`, which can run programs"),
        });
    }
    git_configuration::leads_inside(settings, resolver, repository)
}

/// A `.git` file and a `commondir` that could not be read may lead git elsewhere.
fn followed(resolver: &dyn Resolver, repository: &GitRepository) -> Result<(), String> {
    let common = join(&repository.git_dir, "commondir");
    if resolver.kind(&repository.git_dir) != Some(FileKind::Directory) {
        return Err(format!("`{}` is not understood", repository.git_dir));
    }
    if resolver.kind(&common).is_some() && repository.common_dir == repository.git_dir {
        return Err(format!("`{common}` is not understood"));
    }
    Ok(())
}
