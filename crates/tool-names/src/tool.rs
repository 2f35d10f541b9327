//! The eight canonical tools, their families and the table of aliases.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use serde_json::Value;

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

/// Every built-in spelling with its canonical tool, one row a tool.
const TABLE: &[(Tool, &[&str])] = &[
    (
        Tool::Bash,
        &[
            "Bash",
            "bash",
            "shell",
            "Shell",
            "shell_command",
            "ShellCommand",
            "exec_command",
            "write_stdin",
            "run_shell_command",
            "RunShellCommand",
            "execute_command",
            "local_shell",
        ],
    ),
    (
        Tool::Read,
        &[
            "Read",
            "read_file",
            "ReadFile",
            "read_file_gemini",
            "ReadFileGemini",
            "read_many_files",
            "ReadManyFiles",
            "view_image",
            "ViewImage",
        ],
    ),
    (Tool::Write, &["Write", "write_file", "WriteFile", "write_file_gemini", "WriteFileGemini"]),
    (
        Tool::Edit,
        &[
            "Edit",
            "MultiEdit",
            "NotebookEdit",
            "replace",
            "Replace",
            "apply_patch",
            "ApplyPatch",
            "str_replace_editor",
        ],
    ),
    (Tool::Glob, &["Glob", "glob", "glob_gemini", "GlobGemini"]),
    (Tool::Grep, &["Grep", "grep", "grep_files", "GrepFiles", "search_file_content", "SearchFileContent"]),
    (Tool::ListDir, &["ListDir", "list_dir", "list_directory", "ListDirectory", "LS", "ls"]),
    (Tool::Task, &["Task", "task", "Agent", "agent"]),
];

/// The table as a map, built on first use.
static BUILT_IN: LazyLock<HashMap<&'static str, Tool>> = LazyLock::new(|| {
    TABLE.iter().flat_map(|(tool, names)| names.iter().map(move |name| (*name, *tool))).collect()
});

/// The table from spellings to canonical tools; lookup is exact and case-sensitive.
///
/// ```
/// use portcullis_tool_names::{Aliases, Tool};
///
/// let aliases = Aliases::standard().with("my_read", Tool::Read);
/// assert_eq!(aliases.canonical("run_shell_command"), Some(Tool::Bash));
/// assert_eq!(aliases.canonical("my_read"), Some(Tool::Read));
/// assert_eq!(aliases.canonical("READ"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases {
    extra: BTreeMap<String, Tool>,
}

impl Aliases {
    /// The built-in spellings.
    #[must_use]
    pub const fn standard() -> Self {
        Self { extra: BTreeMap::new() }
    }

    /// Adds one spelling, so that a new model family needs no release. A built-in spelling keeps its
    /// meaning: no addition can turn `Bash` into something that is judged less strictly.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, tool: Tool) -> Self {
        self.extra.insert(name.into(), tool);
        self
    }

    /// The canonical tool of `name`, or `None` for a name that stays as it is.
    #[must_use]
    pub fn canonical(&self, name: &str) -> Option<Tool> {
        BUILT_IN.get(name).copied().or_else(|| self.extra.get(name).copied())
    }

    /// The tool that a *call* is judged as: that of its name, except that `Monitor` with a string
    /// `command` runs a shell command and is judged as [`Tool::Bash`].
    ///
    /// Rules written for `Monitor` still apply to deny and ask, so the caller keeps the original name.
    ///
    /// ```
    /// use portcullis_tool_names::{Aliases, Tool};
    /// use serde_json::json;
    ///
    /// let aliases = Aliases::standard();
    /// assert_eq!(aliases.of_call("Monitor", &json!({ "command": "tail -f log" })), Some(Tool::Bash));
    /// assert_eq!(aliases.of_call("Monitor", &json!({ "cmd": "tail -f log" })), Some(Tool::Bash));
    /// assert_eq!(aliases.of_call("Monitor", &json!({ "command": ["tail"] })), None);
    /// ```
    #[must_use]
    pub fn of_call(&self, name: &str, arguments: &Value) -> Option<Tool> {
        self.canonical(name).or_else(|| {
            let text = |key: &str| arguments.get(key).is_some_and(Value::is_string);
            let runs = name == "Monitor" && ["command", "cmd"].into_iter().any(text);
            runs.then_some(Tool::Bash)
        })
    }

    /// Whether a call that is judged as [`Tool::Edit`] may do no more than read, so that rules for reading hold for it
    /// too: the tools that edit by commands (`str_replace_editor`) have one that shows the file.
    ///
    /// ```
    /// use portcullis_tool_names::Aliases;
    /// use serde_json::json;
    ///
    /// let aliases = Aliases::standard();
    /// assert!(aliases.may_view("str_replace_editor", &json!({ "command": "view", "path": "a" })));
    /// assert!(!aliases.may_view("str_replace_editor", &json!({ "command": "create", "path": "a" })));
    /// assert!(!aliases.may_view("Edit", &json!({ "file_path": "a" })));
    /// ```
    #[must_use]
    pub fn may_view(&self, name: &str, arguments: &Value) -> bool {
        const CHANGES: [&str; 4] = ["create", "str_replace", "insert", "undo_edit"];
        self.canonical(name) == Some(Tool::Edit)
            && arguments.as_object().is_some_and(|fields| {
                fields.iter().any(|(key, value)| {
                    key.eq_ignore_ascii_case("command")
                        && !value.is_null()
                        && !value.as_str().is_some_and(|command| CHANGES.contains(&command))
                })
            })
    }

    /// Every spelling of `tool`, the canonical one first, additions last, in the order of their letters.
    pub fn spellings(&self, tool: Tool) -> impl Iterator<Item = &str> {
        let built_in =
            TABLE.iter().filter(move |(row, _)| *row == tool).flat_map(|(_, names)| *names).copied();
        built_in.chain(self.extra.iter().filter(move |(_, of)| **of == tool).map(|(name, _)| name.as_str()))
    }
}
