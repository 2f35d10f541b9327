//! What a shell call says beside its command: where the command runs, with which variables, read by which shell.

use serde_json::{Map, Value};

use crate::command::shell_name;

/// Arguments that name the directory in which the command runs, in the spellings of the tools that run one. File tools
/// may have any of them too.
pub(crate) const DIRECTORY_KEYS: &[&str] = &[
    "workdir",
    "cwd",
    "directory",
    "working_directory",
    "workingDirectory",
    "work_dir",
    "working_dir",
    "workingDir",
    "current_dir",
    "dir",
    "dir_path",
];

/// Arguments that hold variables for the command.
const VARIABLE_KEYS: &[&str] =
    &["env", "environment", "env_vars", "envVars", "environment_variables", "environmentVariables"];

/// The same in spellings of no tool that is known here, folded: a host may honour them or not.
const FOREIGN: &[&str] = &[
    "workdir",
    "cwd",
    "directory",
    "workingdirectory",
    "workingdir",
    "currentdir",
    "currentdirectory",
    "currentworkingdirectory",
    "dir",
    "dirpath",
    "chdir",
    "folder",
    "root",
    "rootdir",
    "basedir",
    "env",
    "envs",
    "environ",
    "environment",
    "envvars",
    "environmentvariables",
    "variables",
    "vars",
    "envfile",
    "shell",
    "shellpath",
];

/// A key as those read it who mind neither case nor what parts its words.
pub(crate) fn folded(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a value says nothing where a text, a list or pairs are meant.
pub(crate) fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// Whether an argument may be one of them in a spelling that only some hosts know.
fn is_foreign(key: &str, value: &Value) -> bool {
    let own = key == SHELL_KEY || DIRECTORY_KEYS.contains(&key) || VARIABLE_KEYS.contains(&key);
    !own && !says_nothing(value) && FOREIGN.contains(&folded(key).as_str())
}

/// The argument that names the shell.
const SHELL_KEY: &str = "shell";

/// What surrounds the commands of a call, as the arguments say it. Nothing is known of what they leave out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surroundings {
    /// The directory that the commands run in, as it was written: relative to the agent's own when it is not
    /// absolute.
    pub directory: Option<String>,
    /// Variables that are set for the commands, with their values.
    pub variables: Vec<(String, String)>,
    /// The shell that reads a text: `bash`, `sh`, `zsh`, `dash` or `ksh`.
    pub shell: Option<String>,
}

/// Reads them; `None` when one is ill-typed, given twice with different values, or means something else to
/// different tools, so that nobody can say what the command would do.
pub(crate) fn surroundings(arguments: &Map<String, Value>) -> Option<Surroundings> {
    if arguments.iter().any(|(key, value)| is_foreign(key, value)) {
        return None;
    }
    let shell = match arguments.get(SHELL_KEY) {
        None | Some(Value::Null) => None,
        Some(value) => Some(shell_name(value.as_str()?)?.to_owned()),
    };
    Some(Surroundings { directory: directory(arguments)?, variables: variables(arguments)?, shell })
}

fn directory(arguments: &Map<String, Value>) -> Option<Option<String>> {
    let mut found: Option<&str> = None;
    for value in DIRECTORY_KEYS.iter().filter_map(|key| arguments.get(*key)) {
        let given = match value {
            Value::Null => continue,
            Value::String(text) if text.is_empty() => continue,
            Value::String(text) => text.as_str(),
            _ => return None,
        };
        if !is_plain(given) || found.is_some_and(|before| before != given) {
            return None;
        }
        found = Some(given);
    }
    Some(found.map(str::to_owned))
}

/// Every tool takes the path for the same one: it needs no expansion, trimming or decoding.
pub(crate) fn is_plain(path: &str) -> bool {
    let expanded = path.starts_with('~') || path.contains(['$', '%', '`']);
    let addressed =
        path.split_once(':').is_some_and(|(scheme, rest)| scheme.len() > 1 && rest.starts_with('/'));
    !(expanded || addressed || path.trim() != path || path.chars().any(char::is_control))
}

fn variables(arguments: &Map<String, Value>) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for value in VARIABLE_KEYS.iter().filter_map(|key| arguments.get(*key)) {
        match value {
            Value::Null => {}
            Value::Object(pairs) => {
                for (name, value) in pairs {
                    found.push((name.clone(), value.as_str()?.to_owned()));
                }
            }
            Value::Array(pairs) => {
                for pair in pairs {
                    let (name, value) = pair.as_str()?.split_once('=')?;
                    found.push((name.to_owned(), value.to_owned()));
                }
            }
            _ => return None,
        }
    }
    // No system can set what has no name, or one that holds the sign behind it.
    let settable = found
        .iter()
        .all(|(name, value)| !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0'));
    settable.then_some(found)
}
