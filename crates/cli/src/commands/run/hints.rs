//! What a person cannot know from the command's own words: that a file which it could not read, or which git takes for
//! changed, is a secret and hidden from it.

use std::{collections::HashSet, path::Path, time::SystemTime};

use portcullis_approval::escape_line;
use portcullis_paths::{OsResolver, Table, below, find_repository, is_within};
use portcullis_permissions::Verdict;
use portcullis_sandbox::{Outcome, Policy};

use crate::{report, session::Session};

/// So many files are named.
const NAMED: usize = 3;

/// Names the hidden files that the output speaks of, with what hides them. The exit status stays the command's.
pub(super) fn tell(outcome: &Outcome, policy: &Policy, verdict: &Verdict, session: &Session) {
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let refused: Vec<&str> =
        stderr.lines().filter(|line| line.to_ascii_lowercase().contains("permission denied")).collect();
    let unsure = if runs_git(verdict) { unsure(policy, session) } else { Vec::new() };
    let mut told = 0;
    for path in &policy.hidden {
        let names = names(path, session);
        let is_refused = refused.iter().any(|line| names.iter().any(|name| mentions(line, name)));
        let what = match (is_refused, unsure.contains(path)) {
            (true, _) => "is hidden from commands, so that this one could not read it",
            (false, true) => {
                "is hidden from commands, and git has to read it to know whether it changed: it may take it for \
                 changed until its index is written anew outside (`git status`)"
            }
            _ => continue,
        };
        let shown = names.first().unwrap_or(path);
        report::note(&escape_line(&format!("portcullis: note: `{shown}` {what}")));
        report::note(&escape_line(&format!("  do: {}", remedy(path, shown, session))));
        told += 1;
        if told == NAMED {
            break;
        }
    }
}

fn remedy(path: &str, shown: &str, session: &Session) -> String {
    if session.context.sensitive.contains(Table::Secret, path) {
        format!(
            "if it is no secret, take it out in the settings: \
             \"permissions\": {{ \"secrets\": {{ \"remove\": [\"{shown}\"] }} }}"
        )
    } else {
        "a deny rule or `sandbox.hidden` in the settings hides it (`portcullis rules list`)".to_owned()
    }
}

/// As the project, the working directory and the whole file system name it.
fn names(path: &str, session: &Session) -> Vec<String> {
    let roots = [&session.project_root, &session.cwd];
    let below = roots.into_iter().filter_map(|root| below(path, root));
    let mut names: Vec<String> =
        below.map(|name| name.trim_start_matches('/').to_owned()).filter(|name| !name.is_empty()).collect();
    names.push(path.to_owned());
    names.dedup();
    names
}

/// Whether the name stands in the line, and not as the end of another one.
fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        let before = before.strip_suffix("./").unwrap_or(before);
        let after = line.get(at + name.len()..).unwrap_or_default();
        let part = |c: char| c.is_alphanumeric() || "._-".contains(c);
        !before.ends_with(|c: char| part(c) || c == '/') && !after.starts_with(part)
    })
}

/// The hidden files that git knows and has to read, because they are as young as its index or younger: their length and
/// time, which it can see, are no proof then.
fn unsure(policy: &Policy, session: &Session) -> Vec<String> {
    let seconds = |path: &Path| {
        let changed = path.metadata().ok()?.modified().ok()?;
        changed.duration_since(SystemTime::UNIX_EPOCH).ok().map(|since| since.as_secs())
    };
    let Some(repository) = find_repository(&OsResolver, &session.cwd) else { return Vec::new() };
    let Some(index) = seconds(&Path::new(&repository.git_dir).join("index")) else { return Vec::new() };
    let mut young: Vec<&String> = policy
        .hidden
        .iter()
        .filter(|path| is_within(path, &repository.root))
        .filter(|path| {
            Path::new(path).is_file() && seconds(Path::new(path)).is_some_and(|file| file >= index)
        })
        .collect();
    if young.is_empty() {
        return Vec::new();
    }
    let tracked = repository.tracked(&OsResolver, |tracked: &mut HashSet<Vec<u8>>, name| {
        if young.iter().any(|path| below(path, &repository.root).is_some_and(|path| path.as_bytes() == name))
        {
            tracked.insert(name.to_vec());
        }
    });
    // An index that cannot be read says nothing against any of them.
    if let Some(tracked) = tracked {
        young.retain(|path| {
            below(path, &repository.root).is_some_and(|name| tracked.contains(name.as_bytes()))
        });
    }
    young.into_iter().cloned().collect()
}

fn runs_git(verdict: &Verdict) -> bool {
    let mut invocations = verdict.shell.iter().flat_map(|(_, analysis)| &analysis.invocations);
    invocations.any(|invocation| invocation.base_name() == Some("git"))
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_name_is_found_where_it_stands_alone() {
        for line in [
            "secrets/key.pem: Permission denied",
            "error: open(\"secrets/key.pem\"): Permission denied",
            "grep: ./secrets/key.pem: Permission denied",
        ] {
            assert!(mentions(line, "secrets/key.pem"), "{line}");
        }
        for line in ["my.env: Permission denied", ".env.example", "x/.env", "the.env", ""] {
            assert!(!mentions(line, ".env"), "{line}");
        }
    }
}
