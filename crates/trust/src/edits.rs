//! What the person edits through this tool stays what it was: their own, or trusted.

use std::path::PathBuf;

use crate::{
    DecideError, Entries, Entry, Project, Store, StoreError, below, decide, inventory::settings_resource,
    key, own, stamp,
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

/// One change of one settings file.
#[derive(Clone, Copy)]
struct Edit<'a> {
    inherit: bool,
    path: &'a str,
    before: Option<&'a [u8]>,
    after: &'a [u8],
    now_ms: u64,
    /// The new bytes stand there.
    done: bool,
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
        self.note_edit(project, Edit { inherit, path, before, after, now_ms, done: true })
    }

    /// Records that the person is about to do that: until [`Store::edited`] says that it is done, what stands there and
    /// what will stand there count alike, so that nothing is lost when the save is killed in between.
    ///
    /// # Errors
    /// As for [`Store::edited`]. The save is not safe from being killed then, and may go on.
    pub fn editing(
        &self,
        project: &Project<'_>,
        inherit: bool,
        path: &str,
        before: Option<&[u8]>,
        after: &[u8],
        now_ms: u64,
    ) -> Result<Edited, StoreError> {
        self.note_edit(project, Edit { inherit, path, before, after, now_ms, done: false })
    }

    fn note_edit(&self, project: &Project<'_>, edit: Edit<'_>) -> Result<Edited, StoreError> {
        // As it is now: this may be the second edit since the caller looked.
        let saved = self.saved()?;
        let project = &Project { saved: &saved, ..*project };
        let Edit { path, before, after, .. } = edit;
        let loosened = before.and_then(|bytes| settings_resource(project, path, bytes));
        if !before.is_some_and(|bytes| own::is_own(project, path, bytes))
            && self.trusted_edit(project, edit, loosened.as_ref())?
        {
            return Ok(Edited::Trusted);
        }
        let own = before.is_none_or(|bytes| project.saved.is_saved(path, bytes)) || loosened.is_none();
        if !own {
            return Ok(Edited::Brought);
        }
        self.change_saved(|saved| match edit.done {
            true => saved.set(path, after),
            false => saved.expect(path, before, after),
        })?;
        Ok(if own::may_be_own(project, path) { Edited::Own } else { Edited::Brought })
    }

    /// Whether the project is trusted with what stood in the file; if so, now with what stands there.
    fn trusted_edit(
        &self,
        project: &Project<'_>,
        edit: Edit<'_>,
        before: Option<&crate::Resource>,
    ) -> Result<bool, StoreError> {
        let root = key(project.resolver, project.root);
        let resource = settings_resource(project, edit.path, edit.after);
        self.change(|entries| {
            let Some(found) =
                entries.find(project.resolver, &root, edit.inherit).filter(|found| found.entry.trusted)
            else {
                return false;
            };
            let Some(reference) = decide::reference(entries, project, &root, &found) else {
                // Obeyed as it is; it gets a fingerprint at its next use.
                return true;
            };
            let Some(name) = before.or(resource.as_ref()).map(|resource| resource.name.clone()) else {
                return false;
            };
            let was = before.and_then(|before| before.digest.clone());
            let digest = resource.and_then(|resource| resource.digest);
            // What an earlier step of this very save has noted is the state before as well.
            let is_known = reference.has(&name, was.as_deref());
            let Some(parts) = reference.parts.filter(|_| is_known) else { return false };
            let parts = parts.with(&name, if edit.done { digest.clone() } else { was });
            let mut entry = Entry::seen(&parts, &stamp(edit.now_ms));
            if let Some(seen) = entry.seen.as_mut().filter(|_| !edit.done) {
                seen.next = Some((name, digest));
            }
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
        let seen = if trusted { below::below(project) } else { Vec::new() };
        let set = |entries: &mut Entries| {
            entries.set(&root, entry);
            below::remember(entries, &root, &seen, now_ms);
        };
        if anew {
            return Ok(self.rebuild(set)?.1);
        }
        self.change(set)?;
        Ok(None)
    }
}
