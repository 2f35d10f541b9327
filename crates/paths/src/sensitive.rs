//! Secrets, protected paths and critical directories, as one table (specification 3.7 and 5.5).

/// One of the tables of sensitive paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Table {
    /// Reading asks, even where a read would be automatic.
    Secret,
    /// Never written automatically, and read-only inside a writable workspace.
    Protected,
}

/// The tables, with what settings added and removed; compiled once.
#[derive(Clone, Debug)]
pub struct SensitivePaths {}

impl SensitivePaths {
    /// The built-in tables; `~` in them is `home`.
    #[must_use]
    pub fn standard(home: Option<&str>) -> Self {
        let _ = home;
        Self {}
    }

    /// Adds and removes globs (`permissions.secrets`, `permissions.protected`). A malformed glob is an error.
    ///
    /// # Errors
    /// The glob that does not parse.
    pub fn adjust(self, table: Table, add: &[String], remove: &[String]) -> Result<Self, String> {
        let _ = (table, add, remove);
        Ok(self)
    }

    /// Whether an absolute, normalised path is in `table`.
    #[must_use]
    pub fn contains(&self, table: Table, path: &str) -> bool {
        let _ = (table, path);
        false
    }

    /// Globs (relative names and absolute paths) of what `table` holds, for `exclude` and the sandbox.
    #[must_use]
    pub fn globs(&self, table: Table) -> Vec<String> {
        let _ = table;
        Vec::new()
    }

    /// Whether reading everything below `directory` could reach a secret: always true for a directory
    /// that is not itself inside a path known to hold none.
    #[must_use]
    pub fn may_hold(&self, table: Table, directory: &str) -> bool {
        let _ = (table, directory);
        true
    }
}
