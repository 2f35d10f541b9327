//! Secrets, protected paths and critical directories, as one table.

mod compiled;
mod pattern;
mod tables;

use std::sync::Arc;

use compiled::Compiled;
use pattern::Pattern;

use crate::{fold_case, is_within};

/// One of the tables of sensitive paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Table {
    /// Reading asks, even where a read would be automatic.
    Secret,
    /// Never written automatically: [`Table::ReadOnly`], the rest of `.git`, the user's own machinery.
    Protected,
    /// Read-only inside a writable workspace that a sandbox confines: what runs code
    /// on the host later or tells agents what they may do. Git keeps working beside it.
    ReadOnly,
}

/// A glob of `permissions.secrets` or `permissions.protected` that does not parse.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{glob}` is not a glob: {reason}; mend it or take it out")]
#[non_exhaustive]
pub struct BadGlob {
    /// As it was written.
    pub glob: String,
    /// What is wrong with it.
    pub reason: String,
}

/// The tables, with what settings added and removed; compiled once, cheap to clone.
///
/// ```
/// use portcullis_paths::{SensitivePaths, Table};
///
/// let paths = SensitivePaths::standard(Some("/home/u"));
/// assert!(paths.contains(Table::Secret, "/work/.env"));
/// assert!(!paths.contains(Table::Secret, "/work/.env.example"));
/// assert!(paths.contains(Table::Secret, "/home/u/.ssh/id_work"));
/// assert!(paths.contains(Table::Protected, "/work/.git/hooks/pre-commit"));
/// assert!(!paths.contains(Table::Protected, "/work/.git/index"));
/// ```
#[derive(Clone, Debug)]
pub struct SensitivePaths {
    home: Option<String>,
    secrets: Arc<OneTable>,
    protected: Arc<OneTable>,
    read_only: Arc<OneTable>,
    without_secrets: Arc<OneTable>,
}

/// A table's rows and their compiled form.
#[derive(Debug)]
struct OneTable {
    rows: Vec<Pattern>,
    compiled: Compiled,
    /// Settings added rows, so that nothing is known to hold none.
    extended: bool,
}

impl OneTable {
    fn new(rows: Vec<Pattern>, extended: bool) -> Result<Self, globset::Error> {
        let compiled = Compiled::new(rows.iter())?;
        Ok(Self { rows, compiled, extended })
    }

    /// The built-in rows, which are known to parse: a row that does not would be caught by the tests.
    fn built_in<'a>(rows: impl Iterator<Item = &'a str>, home: Option<&str>) -> Arc<Self> {
        let rows: Vec<Pattern> = rows.filter_map(|row| Pattern::new(row, home).ok()).collect();
        let compiled = Compiled::of_valid(rows.iter());
        Arc::new(Self { rows, compiled, extended: false })
    }
}

impl SensitivePaths {
    /// The built-in tables; `~` in them is `home`. Without one, what stands below `~` is meant at any
    /// depth, so that nothing is lost.
    #[must_use]
    pub fn standard(home: Option<&str>) -> Self {
        let home = home.map(crate::normalize);
        let of = |rows: &[&'static str]| OneTable::built_in(rows.iter().copied(), home.as_deref());
        let protected = tables::PROTECTED.iter().chain(tables::READ_ONLY).copied();
        Self {
            secrets: of(tables::SECRETS),
            protected: OneTable::built_in(protected, home.as_deref()),
            read_only: of(tables::READ_ONLY),
            without_secrets: of(tables::WITHOUT_SECRETS),
            home,
        }
    }

    /// Adds and removes globs (`permissions.secrets`, `permissions.protected`). What is removed counts as
    /// an exception to everything built in, what is added comes last and wins.
    ///
    /// # Errors
    /// The first glob that does not parse.
    pub fn adjust(mut self, table: Table, add: &[String], remove: &[String]) -> Result<Self, BadGlob> {
        if add.is_empty() && remove.is_empty() {
            return Ok(self);
        }
        let mut rows = self.table(table).rows.clone();
        let exceptions = remove.iter().map(|glob| (glob, true));
        for (glob, exception) in exceptions.chain(add.iter().map(|glob| (glob, false))) {
            let bad =
                |error: globset::Error| BadGlob { glob: glob.clone(), reason: error.kind().to_string() };
            let mut row = Pattern::new(glob, self.home.as_deref()).map_err(bad)?;
            row.exception ^= exception;
            // A name or path covers what lies below it too: `secrets/` and `secrets` mean the same.
            row.below |= row.parts.last().is_some_and(|part| part.literal().is_some());
            rows.push(row);
        }
        let extended = self.table(table).extended || !add.is_empty();
        let whole =
            |error: globset::Error| BadGlob { glob: add.join(", "), reason: error.kind().to_string() };
        let adjusted = Arc::new(OneTable::new(rows, extended).map_err(whole)?);
        match table {
            Table::Secret => self.secrets = adjusted,
            Table::Protected => self.protected = adjusted,
            Table::ReadOnly => self.read_only = adjusted,
        }
        Ok(self)
    }

    /// Whether an absolute, normalised path is in `table`. Case and Unicode spelling are ignored: a
    /// spelling that a case-insensitive file system would take for a secret counts as one.
    #[must_use]
    pub fn contains(&self, table: Table, path: &str) -> bool {
        self.table(table).compiled.contains(&fold_case(path))
    }

    /// Globs of what `table` holds, for `exclude` and the sandbox: relative ones are meant at any depth,
    /// absolute ones have `~` expanded. See [`Self::exceptions`].
    #[must_use]
    pub fn globs(&self, table: Table) -> Vec<String> {
        self.texts(table, false)
    }

    /// Globs that are taken out of [`Self::globs`] again.
    #[must_use]
    pub fn exceptions(&self, table: Table) -> Vec<String> {
        self.texts(table, true)
    }

    /// Whether reading (or, for the other tables, writing) everything below `directory` could reach what
    /// the table holds: true unless it lies in a place that is known to hold none (headers, manuals,
    /// kernel data, git's references) and settings added nothing.
    #[must_use]
    pub fn may_hold(&self, table: Table, directory: &str) -> bool {
        let known = table == Table::Secret && !self.secrets.extended;
        let of_home = || self.home.as_deref().is_some_and(|home| is_within(home, directory));
        !known || of_home() || !self.without_secrets.compiled.contains(&fold_case(directory))
    }

    fn table(&self, table: Table) -> &OneTable {
        match table {
            Table::Secret => &self.secrets,
            Table::Protected => &self.protected,
            Table::ReadOnly => &self.read_only,
        }
    }

    fn texts(&self, table: Table, exception: bool) -> Vec<String> {
        let rows = self.table(table).rows.iter().filter(|row| row.exception == exception);
        rows.map(|row| row.text.clone()).collect()
    }
}
