//! What the loader does not know itself and is told by its caller.

use std::path::Path;

use portcullis_matcher::Scope;

/// Decides whether what a project brings may loosen anything.
pub trait TrustDecider {
    /// Asked at every load, with the very bytes that will be used.
    fn trusted(&self, path: &Path, bytes: &[u8]) -> bool;
}

/// The contents that the person saved through this tool.
pub trait SavedHashes {
    /// Whether exactly these bytes were the last that we saved to this local file.
    fn is_saved(&self, path: &Path, bytes: &[u8]) -> bool;

    /// Whether anything is kept at all. Where nothing is, nobody is told that a file is not known as ours.
    fn remembers(&self) -> bool {
        true
    }

    /// Called before a file of any scope is written, while its lock is held, so that the new content counts as the
    /// old one does from the moment at which it stands there, also when nobody comes to [`SavedHashes::record`] it. One
    /// that does nothing loses what was saved when it is killed between the two.
    ///
    /// # Errors
    /// Why it could not be noted. The file is written nevertheless.
    fn prepare(
        &self,
        _scope: Scope,
        _path: &Path,
        _before: Option<&[u8]>,
        _after: &[u8],
    ) -> Result<(), String> {
        Ok(())
    }

    /// Called after a project or local file was written, while its lock is still held. `before` is what
    /// stood there: an edit must not adopt what a repository brought. Returns whether the new content is ours, or
    /// trusted as the old one was; if not, it waits for trust like any that was brought.
    ///
    /// # Errors
    /// Why it could not be recorded. The file is written then; its next load does not count it as ours.
    fn record(&self, scope: Scope, path: &Path, before: Option<&[u8]>, after: &[u8]) -> Result<bool, String>;
}

/// Whether git tracks a file: then it came with the repository, whatever its name.
pub trait TrackedFiles {
    /// When in doubt, true.
    fn is_tracked(&self, path: &Path) -> bool;
}

impl<F: Fn(&Path, &[u8]) -> bool> TrustDecider for F {
    fn trusted(&self, path: &Path, bytes: &[u8]) -> bool {
        self(path, bytes)
    }
}

impl<F: Fn(&Path) -> bool> TrackedFiles for F {
    fn is_tracked(&self, path: &Path) -> bool {
        self(path)
    }
}

/// Nothing was ever saved by us, and nothing is remembered: every local file counts as brought by the project.
#[derive(Clone, Copy, Debug, Default)]
pub struct NothingSaved;

impl SavedHashes for NothingSaved {
    fn remembers(&self) -> bool {
        false
    }

    fn is_saved(&self, _path: &Path, _bytes: &[u8]) -> bool {
        false
    }

    fn record(
        &self,
        _scope: Scope,
        _path: &Path,
        _before: Option<&[u8]>,
        _after: &[u8],
    ) -> Result<bool, String> {
        Ok(false)
    }
}

/// The three of them.
#[derive(Clone, Copy)]
pub struct Judges<'a> {
    /// May the project loosen?
    pub trust: &'a dyn TrustDecider,
    /// Is this local file ours?
    pub saved: &'a dyn SavedHashes,
    /// Does git track it?
    pub tracked: &'a dyn TrackedFiles,
}
