//! Allow rules that allow more than a person sees in them, and paths that are not where they seem.

use portcullis_matcher::{
    Conventions, ListKind, RuleId, RuleSet, RuleSpec, RuleSubject, SlashAnchor, SourcedRule,
};

use crate::suggest_programs::runs_others;

/// Programs that run code which they are given.
const INTERPRETERS: [&str; 25] = [
    "python",
    "python2",
    "python3",
    "pypy3",
    "ipython",
    "node",
    "nodejs",
    "deno",
    "bun",
    "tsx",
    "ts-node",
    "perl",
    "ruby",
    "irb",
    "php",
    "lua",
    "luajit",
    "Rscript",
    "R",
    "julia",
    "osascript",
    "awk",
    "gawk",
    "mawk",
    "tclsh",
];

/// Programs that fetch and run what they are told, with the subcommand that does.
const FETCHERS: [(&str, &str); 24] = [
    ("npx", ""),
    ("bunx", ""),
    ("uvx", ""),
    ("pipx", "run"),
    ("npm", "exec"),
    ("npm", "x"),
    ("pnpm", "exec"),
    ("pnpm", "dlx"),
    ("yarn", "exec"),
    ("yarn", "dlx"),
    ("bun", "x"),
    ("uv", "run"),
    ("poetry", "run"),
    ("bundle", "exec"),
    ("docker", ""),
    ("podman", ""),
    ("nerdctl", ""),
    ("kubectl", ""),
    ("docker", "run"),
    ("docker", "exec"),
    ("podman", "run"),
    ("podman", "exec"),
    ("kubectl", "exec"),
    ("conda", "run"),
];

/// Directories at the top of Unix systems.
const TOP: [&str; 24] = [
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib64",
    "media",
    "mnt",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "srv",
    "sys",
    "usr",
    "var",
];

/// Why an allow rule allows more than it seems to say.
pub(super) fn wholesale(rules: &RuleSet, id: RuleId, list: ListKind) -> Option<String> {
    if list != ListKind::Allow {
        return None;
    }
    match rules.subject_of(id)? {
        RuleSubject::Tools { shell: true } => Some("every command is allowed".to_owned()),
        RuleSubject::Command { words, open: true } => {
            let program = words.first()?.rsplit('/').next()?;
            let given = words.get(1).map(String::as_str);
            let plain = words.iter().skip(1).all(|word| word.starts_with('-'));
            if plain && INTERPRETERS.contains(&versionless(program)) {
                return Some(format!("`{program}` runs any code that it is given"));
            }
            if plain && runs_others(program) {
                return Some(format!("`{program}` runs any command that it is given"));
            }
            let fetches = FETCHERS.iter().any(|(name, subcommand)| {
                *name == program
                    && if subcommand.is_empty() {
                        words.len() == 1
                    } else {
                        words.len() == 2 && given == Some(subcommand)
                    }
            });
            fetches.then(|| format!("`{}` runs whatever it is told", words.join(" ")))
        }
        _ => None,
    }
}

/// Whether a program does nothing but fetch and run what it is told.
pub(super) fn fetches(program: &str) -> bool {
    ["npx", "bunx", "uvx"].contains(&program)
}

/// `python3.12` is `python3`.
fn versionless(program: &str) -> &str {
    program.split_once('.').map_or(program, |(name, version)| {
        if version.chars().all(|c| c.is_ascii_digit() || c == '.') { name } else { program }
    })
}

/// The glob of an allow rule that lets everything below the root or the home directory be changed.
pub(super) fn leaves_project(rule: &SourcedRule, list: ListKind) -> Option<&str> {
    let (tool, payload) = file_rule(rule)?;
    let writes = matches!(tool, "Edit" | "Write" | "MultiEdit" | "NotebookEdit");
    let everything = ["//**", "//", "/**", "/", "~/**", "~", "~/", "//*/**", "~/*"].contains(&payload);
    (list == ListKind::Allow && writes && everything).then_some(payload)
}

/// The path of a file rule that begins with one slash and a directory of the system, where one slash is relative.
pub(super) fn misplaced_slash<'a>(rule: &'a SourcedRule, conventions: &Conventions) -> Option<&'a str> {
    if conventions.slash != SlashAnchor::Source {
        return None;
    }
    let (_, payload) = file_rule(rule)?;
    let first = payload.strip_prefix('/')?.split('/').next()?;
    TOP.contains(&first).then_some(payload)
}

/// Tool and path pattern of a rule text about files.
fn file_rule(rule: &SourcedRule) -> Option<(&str, &str)> {
    let RuleSpec::Text(text) = &rule.spec else { return None };
    let (tool, rest) = text.trim().split_once('(')?;
    let payload = rest.strip_suffix(')')?.trim();
    let files = ["Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Glob", "Grep", "ListDir", "LS"];
    files.contains(&tool.trim()).then_some((tool.trim(), payload))
}
