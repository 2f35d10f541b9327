//! Whether a run contradicts the judgement.

use portcullis_paths::Resolver;
use portcullis_shell_analysis::{EffectKind, Settings, analyze};

use super::sandbox::{Mode, Outcome};

/// How far a text is judged read-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judged {
    /// In a project that is not trusted, reading only inside its directory.
    Strictly,
    /// In a trusted project that may read everywhere.
    Widely,
}

/// The judgement, when it is read-only in any way.
pub(crate) fn judged(text: &str, resolver: &dyn Resolver) -> Option<Judged> {
    let roots = ["/repo".to_owned()];
    let strict =
        Settings { home: Some("/home/u"), resolver: Some(resolver), ..Settings::new("/repo", &roots) };
    let wide = Settings { allow_external_paths: true, trusted: true, scrubbed: true, ..strict };
    if analyze(text, &strict).read_only() {
        Some(Judged::Strictly)
    } else {
        analyze(text, &wide).read_only().then_some(Judged::Widely)
    }
}

/// How to run a text: with `&` it has processes in the background that it may leave.
pub(crate) fn mode(text: &str) -> Mode {
    let background = text.replace("&&", "").replace("2>&1", "").contains('&');
    if background { Mode::Background } else { Mode::Run }
}

/// Variables that later commands obey: they may not change even if the text names them.
const OBEYED: &[&str] = &[
    "PATH",
    "IFS",
    "CDPATH",
    "BASH_ENV",
    "ENV",
    "GLOBIGNORE",
    "PROMPT_COMMAND",
    "PS0",
    "PS4",
    "TMPDIR",
    "EXECIGNORE",
    "FIGNORE",
    "POSIXLY_CORRECT",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "HOME",
    "PAGER",
    "EDITOR",
];

/// Options that a text may set for itself.
const OPTIONS: &[&str] = &["errexit", "nounset", "xtrace", "pipefail"];

/// Places where a program keeps its own log or cache when it only lists. It counts as read-only all
/// the same. Nothing else may change in the run.
const LOGS: &[(&str, &str)] = &[
    ("npm", "/home/u/.npm"),
    ("terraform", "/home/u/.terraform.d"),
    ("top", "/home/u/.config/procps"),
    // Made when any program of this kit runs for the first time.
    ("gcloud", "/home/u/.config/gcloud"),
    ("gsutil", "/home/u/.config/gcloud"),
    ("bq", "/home/u/.config/gcloud"),
    ("go", "/home/u/.cache/go-build"),
    // The lock of the module cache, taken by every command that loads packages.
    ("go", "/home/u/go/pkg/mod"),
    // Every Java machine, whatever starts it.
    ("", "/tmp/hsperfdata_u"),
];

/// The same, where the configuration of a project that is trusted wants it.
const TRUSTED_LOGS: &[(&str, &str)] = &[("npm", "/repo/logs")];

/// Whether a run changed nothing but a log of its own.
pub(crate) fn only_logged(text: &str, judged: Judged, outcome: &Outcome) -> bool {
    let trusted = if judged == Judged::Widely { TRUSTED_LOGS } else { &[] };
    let logs = |path: &String| {
        LOGS.iter().chain(trusted).any(|(program, place)| {
            // Directories above it are made where they are missing.
            let above = place.starts_with(path.as_str()) && place.as_bytes().get(path.len()) == Some(&b'/');
            text.contains(program) && (path.starts_with(place) || above)
        })
    };
    !outcome.changed.is_empty() && outcome.changed.iter().all(logs)
}

/// Whether a program that the clock ended had no time to remove its temporary files.
fn interrupted(outcome: &Outcome) -> bool {
    outcome.clock && outcome.changed.iter().all(|path| path == "/tmp" || path.starts_with("/tmp/"))
}

/// What the run did that a read-only text does not do.
pub(crate) fn violations(text: &str, judged: Judged, outcome: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    if !outcome.changed.is_empty() && !only_logged(text, judged, outcome) && !interrupted(outcome) {
        found.push(format!("changed {}", outcome.changed.join(" ")));
    }
    if !outcome.remains.is_empty() {
        found.push(format!("left running {}", outcome.remains.join(", ")));
    }
    for mark in &outcome.noticed {
        match (mark.as_str(), judged) {
            ("content", Judged::Strictly) => found.push("printed a file from outside the project".to_owned()),
            ("linked", Judged::Strictly) => {
                found.push("printed a file that a link outside leads to".to_owned());
            }
            ("environment", Judged::Strictly) => found.push("printed the environment".to_owned()),
            ("project", Judged::Strictly) => found.push("ran a program that the project names".to_owned()),
            ("network", _) if !(talks(text) || keeps_house(text)) => {
                found.push("asked the network".to_owned());
            }
            ("value", _) => found.push("ran a program that a value names".to_owned()),
            _ => {}
        }
    }
    let state: Vec<&str> = outcome.state.iter().map(String::as_str).filter(|line| !own(text, line)).collect();
    if !state.is_empty() {
        found.push(format!("changed the shell: {}", state.join("; ")));
    }
    found
}

/// Programs that look for news of themselves, for the name of the machine, or for the names of addresses that it has to
/// do with, whatever they are asked. Nothing of the text is sent.
const KEEPS_HOUSE: &[&str] = &[
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "kubectl",
    "terraform",
    "tofu",
    "gcloud",
    "gsutil",
    "bq",
    "erl",
    "elixir",
    "mix",
    "rebar3",
    "iex",
    "hostid",
    "curl",
    "hostname",
    "netstat",
];

fn keeps_house(text: &str) -> bool {
    text.split([' ', '\n', '(', ';', '"']).any(|word| KEEPS_HOUSE.contains(&word))
}

/// Whether the analysis says that the text talks to the network.
fn talks(text: &str) -> bool {
    let roots = ["/repo".to_owned()];
    let analysis = analyze(text, &Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) });
    let mut effects = analysis.invocations.iter().flat_map(|invocation| &invocation.effects);
    effects.any(|effect| matches!(effect.kind, EffectKind::Network(_)))
}

/// Whether a line of the shell's state is about a variable that the text itself names, or an option that it
/// may set: the analysis follows those.
fn own(text: &str, line: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    if let Some(name) = line.strip_prefix("set -o ").or_else(|| line.strip_prefix("set +o ")) {
        return OPTIONS.contains(&name) && (words.contains(&name) || words.contains(&"set"));
    }
    let Some(rest) = line.strip_prefix("declare -") else { return false };
    let Some((attributes, variable)) = rest.split_once(' ') else { return false };
    let name = variable.split(['=', ' ']).next().unwrap_or(variable);
    if attributes.contains('f') {
        return words.contains(&name);
    }
    // `select` and `read` without a name, and coprocesses, set what the text does not spell.
    let implied = match name {
        "REPLY" => words.contains(&"read") || words.contains(&"select"),
        "COPROC" | "COPROC_PID" => words.contains(&"coproc"),
        _ => false,
    };
    !OBEYED.contains(&name) && (implied || words.contains(&name))
}
