//! What rules are matched against: the facts of one call, each computed once by the caller.

use portcullis_paths::{Resolver, ThreePaths};
use portcullis_shell_analysis::Analysis;
use portcullis_tool_names::Tool;

/// The facts of one call.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The tool's name as it was proposed.
    pub name: &'a str,
    /// Its canonical tool (`Monitor` with a command is `Bash`).
    pub tool: Option<Tool>,
    /// Every path that the call names; empty for other tools.
    pub paths: &'a [ThreePaths],
    /// Targets that could not be read from the arguments.
    pub unknown_target: bool,
    /// The commands of a shell call.
    pub shell: &'a [ShellPart<'a>],
    /// The command could not be read from the arguments.
    pub unknown_command: bool,
    /// The arguments, for WebFetch, Task, MCP and other tools.
    pub arguments: &'a serde_json::Value,
    /// Resolves the paths of shell effects.
    pub resolver: Option<&'a dyn Resolver>,
}

/// One command with its analysis.
#[derive(Clone, Copy)]
pub struct ShellPart<'a> {
    /// The command's text.
    pub text: &'a str,
    /// What it can do.
    pub analysis: &'a Analysis,
}
