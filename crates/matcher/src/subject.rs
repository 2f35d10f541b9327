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
    /// What it reaches beside them, where it searches or reads in bulk; for the lists that restrict.
    pub reached: &'a [ReachedPaths],
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

/// What a pattern matches below a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReachedPaths {
    /// The place.
    pub base: ThreePaths,
    /// The pattern, which may have braces; when empty, the place itself.
    pub pattern: String,
}

/// A place that a command's word names, where nobody knows what the command does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedPlace<'a> {
    /// An absolute path.
    Path(&'a str),
    /// An absolute glob.
    Glob(&'a str),
}

/// Which places no allow rule covers that does not spell them out.
pub type Guarded<'a> = dyn Fn(NamedPlace<'_>) -> bool + 'a;

/// One command with its analysis.
#[derive(Clone, Copy)]
pub struct ShellPart<'a> {
    /// The command's text.
    pub text: &'a str,
    /// What it can do.
    pub analysis: &'a Analysis,
}
