//! The customary prefix of a command's rule, as tables.

use crate::{Context, suggest::Safety};

/// Subcommands of git that only look whatever their options, so that a rule for them is safe.
const GIT_LOOKS: [&str; 13] = [
    "status",
    "diff",
    "log",
    "show",
    "grep",
    "rev-parse",
    "ls-files",
    "ls-tree",
    "cat-file",
    "describe",
    "blame",
    "shortlog",
    "rev-list",
];

/// Commands of gh that only look.
const GH_LOOKS: [(&str, &str); 13] = [
    ("pr", "list"),
    ("pr", "status"),
    ("pr", "checks"),
    ("pr", "diff"),
    ("pr", "view"),
    ("issue", "list"),
    ("issue", "status"),
    ("issue", "view"),
    ("repo", "list"),
    ("repo", "view"),
    ("run", "list"),
    ("run", "view"),
    ("release", "view"),
];

/// Programs whose every flag is harmless: nothing that they are given makes them write or run something.
const HARMLESS: [&str; 24] = [
    "cat", "head", "tail", "grep", "egrep", "fgrep", "ls", "stat", "wc", "du", "df", "cut", "tr", "nl",
    "pwd", "whoami", "uptime", "echo", "which", "basename", "dirname", "realpath", "readlink", "strings",
];

/// Build tools with subcommands.
const BUILDERS: [&str; 14] = [
    "cargo", "go", "make", "uv", "pip", "pip3", "poetry", "gradle", "mvn", "cmake", "dotnet", "just", "deno",
    "swift",
];

/// Build and test tools that are one command.
const TESTERS: [&str; 6] = ["pytest", "tox", "ruff", "mypy", "eslint", "jest"];

/// Subcommands of build tools that run, install or publish what the project does not settle.
const UNSETTLED: [&str; 14] = [
    "run",
    "exec",
    "install",
    "publish",
    "yank",
    "login",
    "add",
    "remove",
    "uninstall",
    "get",
    "tool",
    "generate",
    "owner",
    "x",
];

/// Programs that run another one, or code: a rule for them would cover more than a person can see.
const RUNNERS: [&str; 40] = [
    "bash",
    "sh",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "env",
    "xargs",
    "watch",
    "setsid",
    "flock",
    "sudo",
    "doas",
    "su",
    "nohup",
    "timeout",
    "nice",
    "ionice",
    "stdbuf",
    "time",
    "command",
    "builtin",
    "exec",
    "eval",
    "source",
    ".",
    "parallel",
    "script",
    "ssh",
    "nsenter",
    "unshare",
    "chroot",
    "systemd-run",
    "at",
    "batch",
    "busybox",
    "find",
    "trap",
    "alias",
    "pkexec",
];

/// Whether a rule for this program would be a rule for whatever it is told to run.
pub(crate) fn runs_others(program: &str) -> bool {
    RUNNERS.contains(&program.rsplit('/').next().unwrap_or(program))
}

/// The customary prefix for a command, and how safe a rule for it is.
pub(crate) fn prefix(program: &str, words: &[&str], context: &Context) -> Option<(String, Safety)> {
    if let Some(prefix) = skill(program, words, context) {
        return Some((prefix, Safety::Moderate));
    }
    let first = words.first().copied().filter(|word| is_name(word));
    let second = words.get(1).copied().filter(|word| is_name(word));
    match (program, first, second) {
        ("git", Some(sub), _) if crate::danger::git::loses(sub) => None,
        ("git", Some(sub), _) => {
            let safety = if GIT_LOOKS.contains(&sub) { Safety::Safe } else { Safety::Moderate };
            Some((format!("git {sub}"), safety))
        }
        ("gh", Some("api"), _) => Some(("gh api".to_owned(), Safety::Moderate)),
        ("gh", Some("search"), _) => Some(("gh search".to_owned(), Safety::Safe)),
        ("gh", Some(category), Some(action)) => {
            let looks = GH_LOOKS.contains(&(category, action));
            Some((format!("gh {category} {action}"), if looks { Safety::Safe } else { Safety::Moderate }))
        }
        ("npm" | "bun" | "yarn" | "pnpm", Some("run"), Some(script)) => {
            Some((format!("{program} run {script}"), Safety::Safe))
        }
        // `exec`, `dlx` and `x` run whatever is named behind them.
        ("npm" | "bun" | "yarn" | "pnpm", Some(sub), _) if !matches!(sub, "run" | "exec" | "dlx" | "x") => {
            Some((format!("{program} {sub}"), Safety::Safe))
        }
        ("npx" | "bunx", Some(package), _) if !runs_others(package) => {
            Some((format!("{program} {package}"), Safety::Moderate))
        }
        ("sed", _, _) if words.first() == Some(&"-n") => Some(("sed -n".to_owned(), Safety::Safe)),
        _ if HARMLESS.contains(&program) => Some((program.to_owned(), Safety::Safe)),
        (_, Some(sub), _) if BUILDERS.contains(&program) && !UNSETTLED.contains(&sub) => {
            Some((format!("{program} {sub}"), Safety::Moderate))
        }
        _ if TESTERS.contains(&program) => Some((program.to_owned(), Safety::Moderate)),
        _ => None,
    }
}

/// A plain word that can name a subcommand, a script or a package.
fn is_name(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(['-', '.', '/'])
        && word.chars().all(|character| {
            character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | ':' | '.' | '@' | '/')
        })
}

/// The command up to the root of the skill whose script it runs.
fn skill(program: &str, words: &[&str], context: &Context) -> Option<String> {
    let (runner, script) = match words.first() {
        _ if program.contains("/scripts/") => (None, program),
        Some(script) if script.contains("/scripts/") && !script.starts_with('-') => (Some(program), *script),
        _ => return None,
    };
    let root = skill_root(script, context)?;
    Some(runner.map_or_else(|| root.to_owned(), |runner| format!("{runner} {root}")))
}

fn skill_root<'a>(script: &'a str, context: &Context) -> Option<&'a str> {
    let (root, _) = script.split_once("/scripts/")?;
    let (above, name) = root.rsplit_once('/')?;
    let normal = portcullis_paths::normalize(script) == script;
    if name.is_empty() || !normal {
        return None;
    }
    let project = format!("{}/.skills", context.project_root);
    let home = context.home.as_deref();
    let global = home.map(|home| format!("{home}/.letta/skills"));
    let agents = home.map(|home| format!("{home}/.letta/agents/"));
    let of_agent = agents.is_some_and(|agents| {
        above.strip_prefix(&agents).is_some_and(|rest| {
            let rest: Vec<&str> = rest.split('/').collect();
            matches!(rest.as_slice(), [_, "skills"] | [_, "memory", "skills"])
        })
    });
    let known = above == project
        || global.is_some_and(|global| above == global)
        || above.ends_with("/skills/builtin")
        || of_agent;
    known.then_some(root)
}
