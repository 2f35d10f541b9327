//! What an agent may do with git on its own memory, as data (git manual pages). Flags are in the notation of
//! [`crate::programs::spec`]; one that is not listed is refused.

/// A subcommand that changes something.
pub(super) struct Subcommand {
    pub(super) name: &'static str,
    pub(super) flags: &'static str,
    /// Flags one of which has to be there.
    pub(super) needs: &'static [&'static str],
    pub(super) operands: Operands,
}

/// What operands are.
#[derive(Clone, Copy)]
pub(super) enum Operands {
    /// Paths or revisions: what either would be as a path lies inside.
    Paths,
    /// A remote by its name, then refs.
    Remote,
    /// One of these words, then paths or revisions.
    Action(&'static [&'static str]),
    /// One of these words or none, then a remote's name.
    RemoteAction(&'static [&'static str]),
    /// A key that runs nothing, and its value.
    Setting,
}

const fn subcommand(name: &'static str, flags: &'static str, operands: Operands) -> Subcommand {
    Subcommand { name, flags, needs: &[], operands }
}

/// Subcommands with which git only looks, as far as the analysis finds that they do.
pub(super) const READERS: &[&str] = &[
    "status",
    "diff",
    "log",
    "show",
    "show-ref",
    "ls-tree",
    "check-ignore",
    "branch",
    "tag",
    "remote",
    "worktree",
];

/// The others, and those of [`READERS`] when they change something.
pub(super) const WRITERS: &[Subcommand] = &[
    subcommand(
        "add",
        "A all no-all u update n dry-run v verbose f force N intent-to-add refresh ignore-errors ignore-missing \
         ignore-removal no-ignore-removal renormalize sparse",
        Operands::Paths,
    ),
    subcommand(
        "commit",
        "a all q quiet v verbose m= message= F=r file=r author= date= s signoff no-signoff amend no-edit allow-empty \
         allow-empty-message reset-author dry-run short branch porcelain long z status no-status i include o only \
         n no-verify no-post-rewrite u? untracked-files? C= reuse-message= fixup= no-gpg-sign",
        Operands::Paths,
    ),
    subcommand(
        "config",
        "get get-all get-regexp l list local unset name-only show-origin show-scope z null type= bool int default=",
        Operands::Setting,
    ),
    subcommand("fetch", "p prune t tags q quiet v verbose", Operands::Remote),
    subcommand(
        "push",
        "q quiet v verbose u set-upstream tags follow-tags n dry-run porcelain",
        Operands::Remote,
    ),
    subcommand(
        "pull",
        "q quiet v verbose rebase? r no-rebase ff no-ff ff-only commit no-commit no-edit autostash no-autostash stat \
         no-stat n p prune t tags",
        Operands::Remote,
    ),
    subcommand(
        "rebase",
        "abort continue skip quit q quiet v verbose stat no-stat n autostash no-autostash onto= root f force-rebase \
         no-ff m merge X= strategy-option= no-verify",
        Operands::Paths,
    ),
    subcommand("reset", "q quiet hard soft mixed merge keep N no-refresh refresh", Operands::Paths),
    Subcommand {
        needs: &["S", "staged"],
        ..subcommand("restore", "S staged q quiet source= s= progress no-progress", Operands::Paths)
    },
    subcommand(
        "branch",
        "a all r remotes v verbose q quiet l list show-current d delete D m move M c copy C f force u= set-upstream-to= \
         t? track? no-track unset-upstream sort= format= contains? no-contains? merged? no-merged? points-at= color? \
         no-color column? no-column i ignore-case abbrev= no-abbrev create-reflog",
        Operands::Paths,
    ),
    subcommand(
        "tag",
        "l list n? d delete a annotate m= message= F=r file=r f force no-sign sort= format= contains? no-contains? \
         merged? no-merged? points-at= color? column? no-column i ignore-case cleanup= create-reflog",
        Operands::Paths,
    ),
    subcommand("remote", "v verbose n", Operands::RemoteAction(&["show", "get-url"])),
    subcommand("rm", "r f force n dry-run q quiet cached ignore-unmatch sparse", Operands::Paths),
    subcommand("mv", "f force k n dry-run v verbose sparse", Operands::Paths),
    subcommand(
        "merge",
        "q quiet v verbose stat no-stat n squash no-squash ff no-ff ff-only commit no-commit no-edit m= message= F=r \
         file=r s= strategy= X= strategy-option= abort continue quit autostash no-autostash no-verify \
         allow-unrelated-histories no-gpg-sign signoff no-signoff log? no-log",
        Operands::Paths,
    ),
    subcommand(
        "worktree",
        "f force b= B= d detach checkout no-checkout guess-remote no-guess-remote track no-track lock reason= q quiet \
         v verbose porcelain z",
        Operands::Action(&["add", "remove", "list"]),
    ),
];

/// Flags whose values are these, or they are refused: another strategy is a program `git-merge-NAME`.
pub(super) const VALUES: &[(&str, &[&str], &[&str])] = &[
    ("pull", &["rebase"], &["true", "false", "merges"]),
    ("merge", &["s", "strategy"], &["ort", "ours", "octopus", "recursive", "resolve", "subtree"]),
];

/// Global options before the subcommand, beside `-C DIR` and `-c` with a setting of [`SETTABLE`].
pub(super) const GLOBAL: &str =
    "C= c= P no-pager no-optional-locks no-replace-objects literal-pathspecs no-advice";

/// What `-c` may set: a header that authenticates.
pub(super) const SETTABLE: &str = "http.extraheader=";

/// Keys, in lower case, that name people, looks and ways of merging, and nothing that runs or is talked to.
pub(super) const KEYS: &[&str] = &[
    "advice.detachedhead",
    "color.branch",
    "color.diff",
    "color.status",
    "color.ui",
    "commit.gpgsign",
    "commit.verbose",
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.quotepath",
    "core.safecrlf",
    "fetch.prune",
    "init.defaultbranch",
    "log.date",
    "merge.conflictstyle",
    "merge.ff",
    "pull.ff",
    "pull.rebase",
    "push.autosetupremote",
    "push.default",
    "rebase.autostash",
    "user.email",
    "user.name",
];
