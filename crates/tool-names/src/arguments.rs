//! Where a call keeps its path and its command (specification 1.2).

use serde_json::Value;

use crate::{Aliases, Tool};

/// The paths that a call names, as they stand in the arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Every path named, in the order of the arguments; the working directory is `"."`.
    pub paths: Vec<String>,
    /// Name patterns of search tools (`pattern` of Glob, `include`, `glob`), apart from the paths.
    pub patterns: Vec<String>,
    /// A path argument was missing or had the wrong type: the call may touch anything.
    pub unknown: bool,
}

/// One command of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandText {
    /// Shell text, to be read by the context's shell.
    Text(String),
    /// `["bash", "-c", TEXT, ...]`: text for the named shell (its base name).
    ShellText {
        /// `bash`, `sh`, `zsh`, `dash` or `ksh`.
        shell: String,
        /// The text after `-c` or `-lc`.
        text: String,
    },
    /// An argv, never to be parsed as text.
    Argv(Vec<String>),
}

/// The commands of a call; when `cmd` and `command` are both present, both are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    /// In the order `cmd`, `command`.
    pub commands: Vec<CommandText>,
    /// No argument held a command, or it was ill-typed: what runs is unknown.
    pub unknown: bool,
}

/// The paths that a call of `name` (raw spelling; `tool` is its canonical one) works on.
#[must_use]
pub fn targets(name: &str, tool: Option<Tool>, arguments: &Value) -> Targets {
    let _ = (name, tool, arguments, Aliases::standard());
    Targets { unknown: true, ..Targets::default() }
}

/// The commands that a shell call carries. `write_stdin` keeps its text in `chars` or `input`.
#[must_use]
pub fn commands(name: &str, arguments: &Value) -> Commands {
    let _ = (name, arguments);
    Commands { unknown: true, ..Commands::default() }
}
