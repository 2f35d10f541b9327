//! What a call is about, read from its arguments once: its tool, its targets and its commands. From here
//! on a `Case` borrows.

use std::collections::HashSet;

use portcullis_matcher::ReachedPaths;
use portcullis_paths::{ThreePaths, expand_home, is_absolute, is_windows, join, normalize, three_paths};
use portcullis_shell_analysis::{Analysis, Settings, Shell, analyze, analyze_argv, join_words};
use portcullis_tool_names::{CommandText, Commands, Reached, Tool, targets};

use crate::{Context, ToolCall, reach::expand_braces};

/// Everything that is computed from one call whatever the rules say.
pub(crate) struct Facts {
    /// The canonical tool; `Monitor` with a command is `Bash`.
    pub(crate) tool: Option<Tool>,
    /// Every path that the call names, in all three readings.
    pub(crate) targets: Vec<ThreePaths>,
    /// The same paths in spellings that a tool may take apart by itself: blanks around, `$HOME` in front. Only
    /// guards look at these.
    pub(crate) respelled: Vec<ThreePaths>,
    /// Name patterns of search tools, braces expanded, joined to every directory that the call names: absolute.
    pub(crate) patterns: Vec<String>,
    /// What a search or a reading in bulk reaches beside the targets.
    pub(crate) reached: Vec<ReachedPaths>,
    /// The call reaches what is below its targets too.
    pub(crate) recursive: bool,
    /// Targets that could not be read from the arguments.
    pub(crate) unknown_target: bool,
    /// The commands of a shell call.
    pub(crate) shell: Vec<(String, Analysis)>,
    /// The command could not be read from the arguments, or is only one reading of them.
    pub(crate) unknown_command: bool,
    /// Text typed into a running shell: `Some(true)` when it is empty or control characters only.
    pub(crate) typed: Option<bool>,
    /// The project root and the additional directories, normalised.
    pub(crate) roots: Vec<String>,
}

impl Facts {
    /// `context` and `commands` are those of the placed call.
    pub(crate) fn of(
        call: &ToolCall,
        context: &Context,
        commands: Option<Commands>,
        additional_directories: &[String],
    ) -> Self {
        let tool = canonical(call, context);
        let mut roots = Vec::with_capacity(1 + additional_directories.len());
        roots.push(normalize(&context.project_root));
        roots.extend(
            additional_directories.iter().map(|directory| {
                join(&context.project_root, &expand_home(directory, context.home.as_deref()))
            }),
        );
        let mut facts = Self {
            tool,
            targets: Vec::new(),
            respelled: Vec::new(),
            patterns: Vec::new(),
            reached: Vec::new(),
            recursive: false,
            unknown_target: false,
            shell: Vec::new(),
            unknown_command: false,
            typed: None,
            roots,
        };
        // A shell call names paths as well when it feeds a patch to `apply_patch`.
        facts.read_targets(call, context);
        if let Some(commands) = commands {
            facts.read_commands(call, context, commands);
        }
        facts
    }

    fn read_targets(&mut self, call: &ToolCall, context: &Context) {
        let named = targets(&call.name, self.tool, &call.arguments);
        self.unknown_target = named.unknown;
        self.recursive = named.recursive;
        let home = context.home.as_deref();
        let resolver = context.resolver.as_deref();
        let starts = starts(&named.directories, home);
        let read = |path: &str| three_paths(path, &context.cwd, resolver);
        let below = |path: &str, starts: &[String]| -> Vec<ThreePaths> {
            let starts = if is_absolute_for(path, &context.cwd) { &[] } else { starts };
            starts.iter().map(|start| read(&format!("{start}/{path}"))).collect()
        };
        let from_everywhere = |path: String| std::iter::once(read(&path)).chain(below(&path, &starts));
        let distinct = |paths: Vec<ThreePaths>| {
            let mut seen = HashSet::new();
            // Without directories what is named twice is told twice, as it was written.
            paths
                .into_iter()
                .filter(|path| starts.is_empty() || seen.insert(path.clone()))
                .collect::<Vec<_>>()
        };
        self.targets =
            distinct(named.paths.iter().flat_map(|path| from_everywhere(expand_home(path, home))).collect());
        let respelled: Vec<String> =
            named.directories.iter().filter_map(|path| respell(path, home)).collect();
        self.respelled = distinct(
            named
                .paths
                .iter()
                .filter_map(|path| respell(path, home))
                .flat_map(from_everywhere)
                .chain(named.paths.iter().flat_map(|path| below(path, &respelled)))
                .collect(),
        );
        let mut seen = HashSet::new();
        for Reached { base, pattern } in &named.reached {
            for base in from_everywhere(expand_home(base, home)) {
                let reached = ReachedPaths { base, pattern: pattern.clone() };
                if seen.insert(reached.clone()) {
                    self.reached.push(reached);
                }
            }
        }
        self.unknown_target |= self.targets.iter().chain(&self.respelled).any(|target| target.unknown);
        if named.patterns.is_empty() {
            return;
        }
        let mut bases: Vec<&str> = self.targets.iter().map(|target| target.lexical.as_str()).collect();
        if bases.is_empty() {
            bases.push(&context.cwd);
        }
        let patterns: Vec<String> = named
            .patterns
            .iter()
            .flat_map(|pattern| expand_braces(pattern))
            .map(|pattern| expand_home(&pattern, home))
            .collect();
        // `..` and `.` are taken out as text, as glob libraries do.
        self.patterns =
            bases.iter().flat_map(|base| patterns.iter().map(move |pattern| join(base, pattern))).collect();
    }

    fn read_commands(&mut self, call: &ToolCall, context: &Context, found: Commands) {
        self.unknown_command = found.unknown;
        if call.name == "write_stdin" {
            let silent = !found.unknown && found.commands.iter().all(only_control_characters);
            self.typed = Some(silent);
            // Nobody sees what reads it: it may end a line that began before, be no command at all, or run in another
            // directory. What it says as a command is one reading; rules that restrict may match any other.
            self.unknown_command |= !silent;
        }
        let settings = |shell| Settings {
            shell,
            cwd: &context.cwd,
            home: context.home.as_deref(),
            roots: &self.roots,
            allow_external_paths: context.allow_external_paths,
            trusted: context.trusted,
            scrubbed: context.scrubbed,
            environment: &context.environment,
            resolver: context.resolver.as_deref(),
        };
        // Setting them is judged as a command of its own, which stands in front as `env` would.
        let variables = assigned(&found.surroundings.variables).map(CommandText::Argv);
        let shell = variables
            .into_iter()
            .chain(found.commands)
            .map(|command| match command {
                CommandText::Text(text) => {
                    let analysis = analyze(&text, &settings(context.shell));
                    (text, analysis)
                }
                CommandText::ShellText { shell, text } => {
                    let analysis = analyze(&text, &settings(shell_named(&shell)));
                    (text, analysis)
                }
                CommandText::Argv(argv) => {
                    let analysis = analyze_argv(&argv, &settings(context.shell));
                    (join_words(&argv), analysis)
                }
                // A form of command that this crate does not know yet is one that it cannot read.
                _ => (String::new(), analyze("\0", &settings(Shell::Unknown))),
            })
            .collect();
        self.shell = shell;
    }
}

/// The canonical tool of a call.
pub(crate) fn canonical(call: &ToolCall, context: &Context) -> Option<Tool> {
    context.aliases.of_call(&call.name, &call.arguments)
}

/// Where relative paths of a call may begin beside the working directory: each directory that it names, and of several
/// each within each other one.
fn starts(directories: &[String], home: Option<&str>) -> Vec<String> {
    let named: Vec<String> = directories.iter().map(|directory| expand_home(directory, home)).collect();
    let mut starts = named.clone();
    for outer in &named {
        let inner = named.iter().filter(|inner| *inner != outer && !inner.starts_with('/'));
        starts.extend(inner.map(|inner| format!("{outer}/{inner}")));
    }
    starts
}

/// Whether a path means the same from every directory.
fn is_absolute_for(path: &str, cwd: &str) -> bool {
    path.starts_with('/') || (is_windows(cwd) && is_absolute(path))
}

/// `env NAME=VALUE ... true`: what sets the variables that a call gives its command.
fn assigned(variables: &[(String, String)]) -> Option<Vec<String>> {
    let pairs = variables.iter().map(|(name, value)| format!("{name}={value}"));
    let words = std::iter::once("env".to_owned()).chain(pairs).chain(["true".to_owned()]);
    (!variables.is_empty()).then(|| words.collect())
}

fn respell(path: &str, home: Option<&str>) -> Option<String> {
    let trimmed = path.trim();
    let below_home = ["$HOME", "${HOME}"]
        .iter()
        .find_map(|start| trimmed.strip_prefix(start))
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let respelled = match (below_home, home) {
        (Some(rest), Some(home)) => format!("{home}{rest}"),
        _ => expand_home(trimmed, home),
    };
    (respelled != expand_home(path, home)).then_some(respelled)
}

fn only_control_characters(command: &CommandText) -> bool {
    matches!(command, CommandText::Text(text) if text.chars().all(char::is_control))
}

/// The shell of that name.
pub(crate) fn shell_named(name: &str) -> Shell {
    match name {
        "bash" => Shell::Bash,
        "sh" | "dash" => Shell::Sh,
        "zsh" => Shell::Zsh,
        _ => Shell::Unknown,
    }
}
