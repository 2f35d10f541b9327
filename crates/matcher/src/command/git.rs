//! git's own options before the subcommand (git(1), OPTIONS), and the subcommands that git brings.

/// Global options that take the next word as their value.
const WITH_VALUE: [&str; 8] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--config-env",
    "--super-prefix",
    "--attr-source",
];

/// Global options that change nothing but how the output looks or paths are read.
pub(super) const HARMLESS: [&str; 9] = [
    "--no-pager",
    "-P",
    "--no-optional-locks",
    "--literal-pathspecs",
    "--glob-pathspecs",
    "--noglob-pathspecs",
    "--icase-pathspecs",
    "--no-replace-objects",
    "--no-lazy-fetch",
];

/// Where the subcommand stands in the words of a git command; `None` stands for an unknown word.
pub(super) fn subcommand_at<'a>(words: impl Iterator<Item = Option<&'a str>>) -> usize {
    let mut value = false;
    let mut last = 1;
    for (at, word) in words.enumerate().skip(1) {
        last = at + 1;
        match word {
            _ if value => value = false,
            Some(word) if WITH_VALUE.contains(&word) => value = true,
            Some(word) if word.starts_with('-') && word.len() > 1 => {}
            _ => return at,
        }
    }
    last
}

/// The words of a git command without git's global options.
pub(crate) fn without_global_options<S: AsRef<str>>(words: &[S]) -> Vec<&str> {
    let at = subcommand_at(words.iter().map(|word| Some(word.as_ref())));
    words.iter().take(1).chain(words.iter().skip(at)).map(AsRef::as_ref).collect()
}

/// Whether git itself brings this subcommand; any other is an alias or a program on the path.
pub(super) fn is_subcommand(name: &str) -> bool {
    SUBCOMMANDS.binary_search(&name).is_ok()
}

/// `git --list-cmds=main` of git 2.39 to 2.51, sorted.
const SUBCOMMANDS: &[&str] = &[
    "add",
    "am",
    "annotate",
    "apply",
    "archimport",
    "archive",
    "backfill",
    "bisect",
    "blame",
    "branch",
    "bugreport",
    "bundle",
    "cat-file",
    "check-attr",
    "check-ignore",
    "check-mailmap",
    "check-ref-format",
    "checkout",
    "checkout--worker",
    "checkout-index",
    "cherry",
    "cherry-pick",
    "citool",
    "clean",
    "clone",
    "column",
    "commit",
    "commit-graph",
    "commit-tree",
    "config",
    "count-objects",
    "credential",
    "credential-cache",
    "credential-cache--daemon",
    "credential-store",
    "cvsexportcommit",
    "cvsimport",
    "cvsserver",
    "daemon",
    "describe",
    "diagnose",
    "diff",
    "diff-files",
    "diff-index",
    "diff-pairs",
    "diff-tree",
    "difftool",
    "fast-export",
    "fast-import",
    "fetch",
    "fetch-pack",
    "filter-branch",
    "fmt-merge-msg",
    "for-each-ref",
    "for-each-repo",
    "format-patch",
    "fsck",
    "fsck-objects",
    "fsmonitor--daemon",
    "gc",
    "get-tar-commit-id",
    "grep",
    "gui",
    "hash-object",
    "help",
    "hook",
    "http-backend",
    "http-fetch",
    "http-push",
    "imap-send",
    "index-pack",
    "init",
    "init-db",
    "instaweb",
    "interpret-trailers",
    "last-modified",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "mailinfo",
    "mailsplit",
    "maintenance",
    "merge",
    "merge-base",
    "merge-file",
    "merge-index",
    "merge-octopus",
    "merge-one-file",
    "merge-ours",
    "merge-recursive",
    "merge-resolve",
    "merge-subtree",
    "merge-tree",
    "mergetool",
    "mktag",
    "mktree",
    "multi-pack-index",
    "mv",
    "name-rev",
    "notes",
    "p4",
    "pack-objects",
    "pack-redundant",
    "pack-refs",
    "patch-id",
    "pickaxe",
    "prune",
    "prune-packed",
    "pull",
    "push",
    "quiltimport",
    "range-diff",
    "read-tree",
    "rebase",
    "receive-pack",
    "reflog",
    "refs",
    "remote",
    "repack",
    "replace",
    "replay",
    "repo",
    "request-pull",
    "rerere",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "send-email",
    "send-pack",
    "sh-i18n--envsubst",
    "shell",
    "shortlog",
    "show",
    "show-branch",
    "show-index",
    "show-ref",
    "sparse-checkout",
    "stage",
    "stash",
    "status",
    "stripspace",
    "submodule",
    "submodule--helper",
    "svn",
    "switch",
    "symbolic-ref",
    "tag",
    "unpack-file",
    "unpack-objects",
    "update-index",
    "update-ref",
    "update-server-info",
    "upload-archive",
    "upload-pack",
    "var",
    "verify-commit",
    "verify-pack",
    "verify-tag",
    "version",
    "whatchanged",
    "worktree",
    "write-tree",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(SUBCOMMANDS.is_sorted());
        assert!(is_subcommand("push") && !is_subcommand("psh"));
    }

    #[test]
    fn global_options_are_skipped() {
        let skip = |text: &str| {
            let words: Vec<_> = text.split(' ').collect();
            without_global_options(&words).join(" ")
        };
        assert_eq!(skip("git -C /x -C y --no-pager push -f"), "git push -f");
        assert_eq!(skip("git -c a=b --git-dir=x push"), "git push");
        assert_eq!(skip("git -C. push"), "git push");
        assert_eq!(skip("git -C"), "git");
        assert_eq!(skip("git status"), "git status");
    }
}
