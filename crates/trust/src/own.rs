//! Whether a settings file in a project is the person's own, rather than brought by the project.

use portcullis_paths::{FileKind, Resolver, find_repository, fold_case, is_within, parent};

use crate::{
    Project,
    inventory::{is_direct, settings_files},
};

/// The person saved exactly these bytes through this tool, and the file can be their own.
pub(crate) fn is_own(project: &Project<'_>, path: &str, bytes: &[u8]) -> bool {
    project.saved.is_saved(path, bytes) && may_be_own(project, path)
}

/// Whether git tracks a file, as the index of a repository around it says: then it came with the repository. An
/// index that cannot be read may list it; names are compared without regard to case, as some file systems do.
///
/// ```
/// use portcullis_paths::OsResolver;
///
/// assert!(!portcullis_trust::is_tracked(&OsResolver, "/no/repository/here"));
/// ```
#[must_use]
pub fn is_tracked(resolver: &dyn Resolver, path: &str) -> bool {
    let mut at = parent(path).map(ToOwned::to_owned);
    while let Some(directory) = at {
        let Some(repository) = find_repository(resolver, &directory) else { return false };
        let name = portcullis_paths::below(path, &repository.root).map(fold_case);
        let listed = repository.tracked(resolver, |found: &mut bool, entry| {
            let entry = String::from_utf8_lossy(entry);
            // A repository that is listed as a whole may bring the file as well.
            *found |= name.as_deref().is_some_and(|name| is_within(name, &fold_case(&entry)));
        });
        if listed.unwrap_or(true) {
            return true;
        }
        // An inner repository says nothing about what an outer one tracks.
        at = parent(&repository.root).map(ToOwned::to_owned);
    }
    false
}

/// Whether a settings file can be the person's own at all: a local one that git tracks cannot.
pub(crate) fn may_be_own(project: &Project<'_>, path: &str) -> bool {
    let local = settings_files(project).iter().any(|(file, local)| *local && file == path);
    is_direct(project.resolver, project.root, path) && !(local && is_tracked(project.resolver, path))
}

/// Whether a directory is there.
pub(crate) fn is_directory(resolver: &dyn Resolver, path: &str) -> bool {
    resolver.kind(path) == Some(FileKind::Directory)
}
