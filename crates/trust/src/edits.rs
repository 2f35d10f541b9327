//! What the person edits through this tool stays what it was: their own, or trusted.

use std::path::PathBuf;

use crate::{
    DecideError, Entries, Entry, Project, Store, StoreError, decide, inventory::settings_resource, key, own,
    stamp,
};

/// What became of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edited {
    /// The file was the person's own, or nothing in it needed trust: it is their own now.
    Own,
    /// The project was trusted with what stood there before: it is trusted with what stands there now.
    Trusted,
    /// The file was brought along and not trusted as it was, so it still is not.
    Brought,
}

impl Store {
    /// Records that the person changed a settings file of a project from `before` to `after`. An edit adopts nothing
    /// that a project brought: what was not trusted before is not trusted after.
    ///
    /// # Errors
    /// The store is broken or cannot be written. The file counts as changed by somebody else then.
    pub fn edited(
        &self,
        project: &Project<'_>,
        inherit: bool,
        path: &str,
        before: Option<&[u8]>,
        after: &[u8],
        now_ms: u64,
    ) -> Result<Edited, StoreError> {
        // As it is now: this may be the second edit since the caller looked.
        let saved = self.saved()?;
        let project = &Project { saved: &saved, ..*project };
        let resource = |bytes| settings_resource(project, path, bytes);
        let loosened = before.and_then(resource);
        if !before.is_some_and(|bytes| own::is_own(project, path, bytes))
            && self.trusted_edit(project, inherit, path, loosened.as_ref(), after, now_ms)?
        {
            return Ok(Edited::Trusted);
        }
        let own = before.is_none_or(|bytes| project.saved.is_saved(path, bytes)) || loosened.is_none();
        if !own {
            return Ok(Edited::Brought);
        }
        self.change_saved(|saved| saved.set(path, after))?;
        Ok(if own::may_be_own(project, path) { Edited::Own } else { Edited::Brought })
    }

    /// Whether the project is trusted with what stood in the file; if so, now with what stands there.
    fn trusted_edit(
        &self,
        project: &Project<'_>,
        inherit: bool,
        path: &str,
        before: Option<&crate::Resource>,
        after: &[u8],
        now_ms: u64,
    ) -> Result<bool, StoreError> {
        let root = key(project.resolver, project.root);
        let resource = settings_resource(project, path, after);
        self.change(|entries| {
            let Some(found) =
                entries.find(project.resolver, &root, inherit).filter(|found| found.entry.trusted)
            else {
                return false;
            };
            let Some(reference) = decide::reference(entries, &root, &found) else {
                // Obeyed as it is; it gets a fingerprint at its next use.
                return true;
            };
            let name = before.or(resource.as_ref()).map(|resource| resource.name.clone());
            let (Some(parts), Some(name)) = (reference.parts, name) else { return false };
            if parts.part(&name) != before.and_then(|before| before.digest.as_deref()) {
                return false;
            }
            let digest = resource.and_then(|resource| resource.digest);
            let mut entry = Entry::seen(&parts.with(&name, digest), &stamp(now_ms));
            entry.under = (found.key != root).then(|| found.key.to_owned());
            entries.set(&root, entry);
            true
        })
    }

    /// Decides about a directory and says what it looks like now. A broken store is an error, unless it may be begun
    /// `anew`: where the broken one is kept then.
    ///
    /// # Errors
    /// The root of the file system or the home directory is to be trusted, or the store cannot be changed.
    pub fn decide(
        &self,
        project: &Project<'_>,
        trusted: bool,
        anew: bool,
        now_ms: u64,
    ) -> Result<Option<PathBuf>, DecideError> {
        let root = key(project.resolver, project.root);
        if trusted {
            decide::may_be_trusted(project, &root)?;
        }
        let entry = decide::entry(trusted, &crate::inventory(project).fingerprint(), now_ms);
        let set = |entries: &mut Entries| entries.set(&root, entry);
        if anew {
            return Ok(self.rebuild(set)?.1);
        }
        self.change(set)?;
        Ok(None)
    }
}
