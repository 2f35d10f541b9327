//! Where a call keeps its command.

use serde_json::{Map, Value};

use crate::surroundings::{Surroundings, folded, says_nothing, surroundings};

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
    /// What the call says of the directory, the variables and the shell of its commands.
    pub surroundings: Surroundings,
    /// No argument held a command, or it was ill-typed, or where, with what or by which shell it runs could not be
    /// read: what the call does is unknown.
    pub unknown: bool,
}

impl Commands {
    /// Nothing is run: a `write_stdin` whose text is empty or control characters only.
    #[must_use]
    pub fn harmless(&self) -> bool {
        self.commands.is_empty() && !self.unknown
    }
}

/// Shells whose `-c` text is looked into when an argv starts with them.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh"];

/// Directories whose shells are the shells they are called. `./bash` is some other program.
const SHELL_DIRECTORIES: &[&str] = &["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/// Arguments of `write_stdin` that hold the text typed.
const TYPED_KEYS: &[&str] = &["chars", "input"];

/// Arguments of `write_stdin` that type nothing.
const SILENT_KEYS: &[&str] = &[
    "session_id",
    "process_id",
    "yield_time_ms",
    "wait_ms",
    "timeout_ms",
    "max_output_tokens",
    "description",
];

/// The commands that a shell call carries. `write_stdin` keeps its text in `chars` or `input`; text that
/// is empty or control characters only (Enter, Ctrl-C) is no command.
///
/// ```
/// use portcullis_tool_names::{CommandText, commands};
/// use serde_json::json;
///
/// let found = commands("shell", &json!({ "command": ["bash", "-lc", "git status"] }));
/// let text = CommandText::ShellText { shell: "bash".into(), text: "git status".into() };
/// assert_eq!(found.commands, [text]);
/// assert!(commands("write_stdin", &json!({ "session_id": 1, "chars": "\u{3}" })).harmless());
/// assert!(commands("Bash", &json!({})).unknown);
///
/// let elsewhere = commands("exec_command", &json!({ "cmd": "cat shadow", "workdir": "/etc" }));
/// assert_eq!(elsewhere.surroundings.directory.as_deref(), Some("/etc"));
/// ```
#[must_use]
pub fn commands(name: &str, arguments: &Value) -> Commands {
    let Value::Object(arguments) = arguments else {
        return Commands { unknown: true, ..Commands::default() };
    };
    if name == "write_stdin" { typed(arguments) } else { given(arguments) }
}

/// `cmd` and `command`.
fn given(arguments: &Map<String, Value>) -> Commands {
    let mut found = Commands::default();
    for value in ["cmd", "command"].iter().filter_map(|key| arguments.get(*key)) {
        match value {
            Value::Null => {}
            Value::String(text) => found.commands.push(CommandText::Text(text.clone())),
            Value::Array(words) => match argv(words) {
                Some(command) => found.commands.push(command),
                None => found.unknown = true,
            },
            Value::Bool(_) | Value::Number(_) | Value::Object(_) => found.unknown = true,
        }
    }
    found.unknown |= found.commands.is_empty() || arguments.iter().any(|(key, value)| adds(key, value));
    match surroundings(arguments) {
        Some(read) => found.surroundings = read,
        None => found.unknown = true,
    }
    // Some join the words of an argv for a shell that is named, some do not.
    let only_text = found.commands.iter().all(|command| matches!(command, CommandText::Text(_)));
    found.unknown |= found.surroundings.shell.is_some() && !only_text;
    found
}

/// Whether an argument may say more of what runs: words of a spawned program, or another spelling of the command.
fn adds(key: &str, value: &Value) -> bool {
    const MORE: [&str; 10] =
        ["args", "arguments", "argv", "script", "scripts", "code", "executable", "program", "stdin", "input"];
    const COMMANDS: [&str; 6] = ["cmd", "cmds", "command", "commands", "cmdline", "commandline"];
    if matches!(key, "cmd" | "command") || says_nothing(value) {
        return false;
    }
    let key = folded(key);
    MORE.contains(&key.as_str()) || COMMANDS.iter().any(|ending| key.ends_with(ending))
}

/// An array of strings; `None` when it is empty or holds anything else.
fn argv(words: &[Value]) -> Option<CommandText> {
    let words: Vec<String> =
        words.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    if let [program, flag, text, ..] = words.as_slice()
        && let Some(shell) = shell_name(program)
        && matches!(flag.as_str(), "-c" | "-lc")
    {
        return Some(CommandText::ShellText { shell: shell.to_owned(), text: text.clone() });
    }
    (!words.is_empty()).then_some(CommandText::Argv(words))
}

/// `bash` for `bash` and `/bin/bash`.
pub(crate) fn shell_name(program: &str) -> Option<&str> {
    let name = match program.rsplit_once('/') {
        Some((directory, name)) if SHELL_DIRECTORIES.contains(&directory) => name,
        Some(_) => return None,
        None => program,
    };
    SHELLS.contains(&name).then_some(name)
}

/// What `write_stdin` types. An argument that is not known to type nothing makes it unknown.
fn typed(arguments: &Map<String, Value>) -> Commands {
    let mut found = Commands::default();
    for (key, value) in arguments {
        if TYPED_KEYS.contains(&key.as_str()) {
            match value {
                Value::Null => {}
                Value::String(text) if text.chars().all(|c| c.is_ascii_control()) => {}
                Value::String(text) => found.commands.push(CommandText::Text(text.clone())),
                _ => found.unknown = true,
            }
        } else if !SILENT_KEYS.contains(&key.as_str()) {
            found.unknown = true;
        }
    }
    found
}
