//! What was found in settings files, for a person.

use std::{fmt, path::PathBuf};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// Worth knowing: something is held back, or read by its meaning.
    Note,
    /// Something has no effect.
    Warning,
    /// Something could not be read: no automatic allow until it is mended.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The settings file.
    pub file: PathBuf,
    /// From 1; none when the file could not be read at all.
    pub line: Option<u32>,
    /// In characters, from 1.
    pub column: Option<u32>,
    /// What is wrong; lower case, no full stop.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

impl Diagnostic {
    /// `FILE:LINE`, or `FILE`.
    #[must_use]
    pub fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file.display()),
            None => self.file.display().to_string(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place())?;
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, ": {severity}: {} ({})", self.message, self.remedy)
    }
}
