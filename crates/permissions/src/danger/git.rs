//! What git throws away that it does not keep: changes in the working tree, files and objects that nothing names.
//! What a reflog still names (commits behind a branch that is moved by a plain switch, merge or rebase) is kept.

use portcullis_paths::{Resolver, join};
use portcullis_shell_analysis::{Directories, Invocation};

/// Options in front of the subcommand that take the next word (git(1), "OPTIONS").
const GLOBAL_VALUES: [&str; 7] =
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env"];

/// A subcommand, words of which one must be there (none: always dangerous), and words that make it harmless again.
const ROWS: &[(&str, &[&str], &[&str])] = &[
    // git-restore(1): the working tree is restored unless only the index is named.
    ("restore", &[], &["--staged", "-S"]),
    ("restore", &["--worktree", "-W"], &[]),
    (
        "checkout",
        &["-f", "--force", "-p", "--patch", "--ours", "--theirs", "-m", "--merge", "--pathspec-from-file"],
        &[],
    ),
    ("checkout-index", &["-f", "--force"], &[]),
    ("switch", &["-f", "--force", "--discard-changes"], &[]),
    ("rm", &[], &["--cached", "-n", "--dry-run"]),
    ("mv", &["-f", "--force"], &[]),
    ("clean", &[], &[]),
    ("reset", &["--hard", "--merge"], &[]),
    ("read-tree", &["--reset", "-u"], &[]),
    ("worktree", &["remove"], &[]),
    ("submodule", &["deinit", "-f", "--force"], &[]),
    ("merge", &["--abort"], &[]),
    ("rebase", &["--abort", "--skip"], &[]),
    ("cherry-pick", &["--abort", "--skip"], &[]),
    ("revert", &["--abort", "--skip"], &[]),
    ("am", &["--abort", "--skip"], &[]),
    ("stash", &["drop", "clear"], &[]),
    ("branch", &["-D", "-f", "-M", "-C", "--force"], &[]),
    ("tag", &["-d", "--delete", "-f", "--force"], &[]),
    ("update-ref", &["-d", "--stdin"], &[]),
    ("reflog", &["delete", "expire"], &[]),
    ("replace", &["-d", "--delete", "-f"], &[]),
    ("notes", &["remove", "prune", "-f", "--force"], &[]),
    ("push", &["-f", "-d", "--delete", "--mirror", "--prune"], &[]),
    ("filter-branch", &[], &[]),
    ("filter-repo", &[], &["--analyze", "--dry-run"]),
    ("prune", &[], &["-n", "--dry-run"]),
    ("gc", &["--prune"], &[]),
    ("lfs", &["prune"], &[]),
    ("rerere", &["clear", "forget"], &[]),
];

/// Options of `git checkout` that take the next word and leave one operand, the point to start from.
const NEW_BRANCH: [&str; 3] = ["-b", "-B", "--orphan"];

/// Whether words that are no flag make the difference between what this subcommand keeps and what it throws away:
/// a rule for all of its uses would be one for both.
pub(crate) fn loses(subcommand: &str) -> bool {
    subcommand == "checkout"
        || ROWS.iter().any(|(name, marks, _)| {
            *name == subcommand && marks.first().is_none_or(|mark| !mark.starts_with('-'))
        })
}

/// What is dangerous about a `git` invocation, by the name of its subcommand.
pub(crate) fn of(invocation: &Invocation, resolver: Option<&dyn Resolver>) -> Option<String> {
    // A word that is not known is `None`: an operand that can be anything.
    let words: Vec<Option<&str>> = invocation.words.iter().skip(1).map(|word| word.value.known()).collect();
    let (subcommand, rest) = split(&words)?;
    let known: Vec<&str> =
        rest.iter().take_while(|word| **word != Some("--")).filter_map(|word| *word).collect();
    let has = |marks: &[&str]| known.iter().any(|word| marks.iter().any(|mark| super::has_mark(word, mark)));
    let by_row = ROWS.iter().any(|(name, marks, harmless)| {
        *name == subcommand && (marks.is_empty() || has(marks)) && !has(harmless)
    });
    let refspec = subcommand == "push" && known.iter().any(|word| word.starts_with(['+', ':']));
    let files = subcommand == "checkout" && takes_files(rest, &invocation.directories, resolver);
    (by_row || refspec || files).then(|| format!("git {subcommand}"))
}

/// The subcommand and what follows it.
fn split<'a, 'w>(words: &'a [Option<&'w str>]) -> Option<(&'w str, &'a [Option<&'w str>])> {
    let mut at = 0;
    loop {
        let word = (*words.get(at)?)?;
        at += 1;
        if GLOBAL_VALUES.contains(&word) {
            at += 1;
        } else if !word.starts_with('-') {
            return Some((word, words.get(at..).unwrap_or_default()));
        }
    }
}

/// Whether `git checkout` takes files from the index or a commit over those of the working tree, rather than a branch
/// (git-checkout(1)): operands behind `--`, more than one, or one that can only be a path.
fn takes_files(words: &[Option<&str>], directories: &Directories, resolver: Option<&dyn Resolver>) -> bool {
    let mut operands = Vec::new();
    let (mut new_branch, mut skip) = (false, false);
    for (index, word) in words.iter().enumerate() {
        match word {
            _ if skip => skip = false,
            Some("--") => return words.len() > index + 1,
            Some(flag) if NEW_BRANCH.contains(flag) => (new_branch, skip) = (true, true),
            Some(flag) if flag.starts_with('-') && flag.len() > 1 => {}
            operand => operands.push(*operand),
        }
    }
    match operands.as_slice() {
        [] => false,
        _ if new_branch => false,
        [Some(only)] => is_path(only, directories, resolver),
        [None] => true,
        _ => true,
    }
}

/// No branch can have this name (git-check-ref-format(1)), or a file has it.
fn is_path(name: &str, directories: &Directories, resolver: Option<&dyn Resolver>) -> bool {
    let only_path = name.starts_with(['.', ':', '/'])
        || name.ends_with(['/', '.'])
        || name.contains(['*', '?', '['])
        || name.contains("/.")
        || name.contains("//");
    let Directories::Known(directories) = directories else { return only_path };
    only_path
        || resolver.is_some_and(|resolver| {
            directories.iter().any(|directory| resolver.kind(&join(directory, name)).is_some())
        })
}
