//! The directory that is asked about, and how it is looked at.

use portcullis_paths::Resolver;

use crate::SavedFiles;

/// What of a settings file loosens something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loosening {
    /// The same bytes whenever the same things are loosened, however the file is written: these are hashed.
    pub canonical: Vec<u8>,
    /// For a person, one line each: `allow Bash(*)`.
    pub summary: Vec<String>,
}

/// Reads settings files, as whoever uses them does.
pub trait SettingsReader {
    /// What of `bytes`, found at `path`, loosens something; none when it can only tighten. A file that cannot be
    /// understood counts whole.
    fn loosening(&self, path: &str, bytes: &[u8]) -> Option<Loosening>;
}

impl<F: Fn(&str, &[u8]) -> Option<Loosening>> SettingsReader for F {
    fn loosening(&self, path: &str, bytes: &[u8]) -> Option<Loosening> {
        self(path, bytes)
    }
}

/// For whoever knows nothing of what settings mean: a file that is not blank loosens, with every byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct WholeFiles;

impl SettingsReader for WholeFiles {
    fn loosening(&self, _path: &str, bytes: &[u8]) -> Option<Loosening> {
        let blank = bytes.iter().all(u8::is_ascii_whitespace);
        (!blank).then(|| Loosening { canonical: bytes.to_vec(), summary: Vec::new() })
    }
}

/// A project's directory.
#[derive(Clone, Copy)]
pub struct Project<'a> {
    /// Absolute, links resolved where it exists: see [`key`].
    pub root: &'a str,
    /// The user's home directory, the same way.
    pub home: Option<&'a str>,
    /// The settings folder of the host's profile (`.claude`), beside those that always count.
    pub settings_folder: &'a str,
    /// The file system.
    pub resolver: &'a dyn Resolver,
    /// What settings files mean.
    pub settings: &'a dyn SettingsReader,
    /// What the person saved through this tool: a settings file that holds exactly that was brought by nobody.
    pub saved: &'a SavedFiles,
}

impl Project<'_> {
    /// The home directory is its own installation: nothing in it was brought along.
    #[must_use]
    pub fn is_home(&self) -> bool {
        self.home.is_some_and(|home| key(self.resolver, home) == key(self.resolver, self.root))
    }
}

/// A directory as the store names it: its real path, or the absolute spelling as given when it is gone.
///
/// ```
/// use portcullis_paths::OsResolver;
///
/// assert_eq!(portcullis_trust::key(&OsResolver, "/no/such//directory/."), "/no/such/directory");
/// ```
#[must_use]
pub fn key(resolver: &dyn Resolver, directory: &str) -> String {
    let spelled = portcullis_paths::normalize(directory);
    match resolver.kind(directory) {
        Some(_) => resolver.realpath(directory).unwrap_or(spelled),
        None => spelled,
    }
}
