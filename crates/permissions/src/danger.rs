//! What is dangerous enough that no rule is offered for it and no confinement makes it automatic.

pub(crate) mod git;

use portcullis_paths::Resolver;
use portcullis_shell_analysis::Invocation;

use crate::case::Case;

/// Programs that destroy, take privileges or end things.
const PROGRAMS: [&str; 28] = [
    "rm",
    "mv",
    "chmod",
    "chown",
    "sudo",
    "dd",
    "mkfs",
    "fdisk",
    "kill",
    "killall",
    "pkill",
    "shred",
    "truncate",
    "wipefs",
    "doas",
    "su",
    "pkexec",
    "reboot",
    "shutdown",
    "halt",
    "poweroff",
    "crontab",
    "eval",
    "chgrp",
    "rmdir",
    "unlink",
    "srm",
    "blkdiscard",
];

/// Flags that force or throw away, whatever the program.
const FLAGS: [&str; 4] = ["--force", "--hard", "--force-with-lease", "--no-preserve-root"];

/// A program, a word that must follow it (its subcommand), and words that make it dangerous; none: always.
const COMBINATIONS: &[(&str, &str, &[&str])] = &[
    ("find", "", &["-delete", "-exec", "-execdir", "-ok", "-okdir"]),
    ("kubectl", "delete", &[]),
    ("kubectl", "drain", &[]),
    ("helm", "uninstall", &[]),
    ("terraform", "destroy", &[]),
    ("terraform", "apply", &["-auto-approve", "--auto-approve"]),
    ("docker", "rm", &[]),
    ("docker", "rmi", &[]),
    ("docker", "prune", &[]),
    ("docker", "volume", &["rm"]),
    ("docker", "down", &["-v", "--volumes"]),
    ("docker-compose", "down", &["-v", "--volumes"]),
    ("podman", "prune", &[]),
    ("podman", "volume", &["rm"]),
    ("hg", "revert", &[]),
    ("hg", "purge", &[]),
    ("hg", "strip", &[]),
    ("hg", "update", &["-C", "--clean"]),
    ("svn", "revert", &[]),
    ("svn", "cleanup", &["--remove-unversioned", "--remove-ignored"]),
    ("podman", "rm", &[]),
    ("podman", "rmi", &[]),
    ("systemctl", "stop", &[]),
    ("systemctl", "disable", &[]),
    ("gh", "repo", &["delete"]),
    ("gh", "release", &["delete"]),
    ("npm", "unpublish", &[]),
    ("cargo", "yank", &[]),
    ("rsync", "", &["--delete", "--remove-source-files"]),
    ("docker", "run", &["--privileged"]),
    ("dropdb", "", &[]),
];

/// The first dangerous program or flag of a call, by its name.
pub(crate) fn first(case: &Case<'_>) -> Option<String> {
    let resolver = case.context.resolver.as_deref();
    case.invocations().find_map(|(_, invocation)| of(invocation, resolver))
}

/// What is dangerous about one invocation.
fn of(invocation: &Invocation, resolver: Option<&dyn Resolver>) -> Option<String> {
    let launched = invocation.launchers.iter().find(|launcher| is_program(&launcher.name));
    if let Some(launcher) = launched {
        return Some(launcher.name.to_string());
    }
    let program = invocation.base_name()?;
    if is_program(program) {
        return Some(program.to_owned());
    }
    let words: Vec<&str> = invocation.words.iter().skip(1).filter_map(|word| word.value.known()).collect();
    if let Some(flag) = words.iter().find(|word| FLAGS.iter().any(|flag| flag_is(word, flag))) {
        return Some(format!("{program} {flag}"));
    }
    if program == "git"
        && let Some(found) = git::of(invocation, resolver)
    {
        return Some(found);
    }
    COMBINATIONS.iter().find_map(|(name, subcommand, marks)| {
        let named = *name == program && (subcommand.is_empty() || words.contains(subcommand));
        let marked =
            marks.is_empty() || words.iter().any(|word| marks.iter().any(|mark| has_mark(word, mark)));
        (named && marked).then(|| format!("{name} {subcommand}").trim_end().to_owned())
    })
}

fn is_program(name: &str) -> bool {
    PROGRAMS.contains(&name) || name.starts_with("mkfs.")
}

fn flag_is(word: &str, flag: &str) -> bool {
    word == flag || word.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))
}

/// A mark stands alone, with a value, or among combined short flags.
fn has_mark(word: &str, mark: &str) -> bool {
    if flag_is(word, mark) {
        return true;
    }
    let short = mark.strip_prefix('-').filter(|rest| rest.len() == 1);
    let combined = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    matches!((short, combined), (Some(short), Some(combined)) if combined.contains(short))
}
