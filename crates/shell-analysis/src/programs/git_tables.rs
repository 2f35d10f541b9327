//! git's subcommands and their flags, as data (git manual pages).

pub(super) const GLOBAL: &str = "C= c=o p!x paginate!x P no-pager no-optional-locks no-replace-objects literal-pathspecs glob-pathspecs \
    noglob-pathspecs icase-pathspecs no-lazy-fetch no-advice v version h help html-path man-path info-path exec-path?o git-dir=o work-tree=o \
    namespace=o config-env=o bare!o super-prefix=o attr-source= list-cmds=";

macro_rules! diff {
    () => {
        "# p u s U= W B? M? C? D l= S= G= R a w b z c t r m patch no-patch unified= raw patch-with-raw indent-heuristic \
         no-indent-heuristic minimal patience histogram anchored= diff-algorithm= stat? compact-summary numstat \
         shortstat dirstat? cumulative summary patch-with-stat name-only name-status submodule? color? no-color \
         color-moved? no-color-moved color-words? word-diff? word-diff-regex= no-renames rename-empty no-rename-empty \
         check ws-error-highlight= full-index binary abbrev? no-abbrev break-rewrites? find-renames? find-copies? find-copies-harder \
         irreversible-delete diff-filter= pickaxe-all pickaxe-regex relative? no-relative text ignore-cr-at-eol \
         ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= \
         inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix= dst-prefix= \
         no-prefix default-prefix line-prefix= ita-invisible-in-index merge-base cached staged cc combined-all-paths stat-width= stat-name-width= stat-count= \
         output=w ext-diff!x textconv!x no-index!o O=o rotate-to= skip-to= "
    };
}
macro_rules! log {
    () => {
        "g i E F P n= L= follow decorate? no-decorate decorate-refs= decorate-refs-exclude= source mailmap use-mailmap no-mailmap full-diff \
         log-size max-count= skip= since= after= since-as-filter= until= before= author= committer= grep-reflog= grep= all-match invert-grep \
         regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges \
         min-parents= max-parents= no-min-parents no-max-parents first-parent exclude-first-parent-only not all \
         branches? tags? remotes? glob= exclude= exclude-hidden= reflog ignore-missing bisect cherry-mark cherry-pick \
         left-only right-only cherry walk-reflogs merge boundary simplify-by-decoration show-pulls full-history dense \
         sparse simplify-merges ancestry-path? date-order author-date-order topo-order reverse no-walk? do-walk pretty? \
         format= abbrev-commit no-abbrev-commit oneline encoding= expand-tabs? no-expand-tabs notes? no-notes show-notes? \
         relative-date date= parents children left-right graph no-graph show-linear-break? show-signature remerge-diff diff-merges= no-diff-merges dd \
         clear-decorations count timestamp objects disk-usage? stdin!o "
    };
}

/// What a subcommand's operands are, and when it only reads.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Revisions and paths.
    Reads,
    /// No operands.
    Bare,
    /// Reads everything below the working directory.
    Greps,
    /// Lists, unless operands or flags change something.
    Branch,
    Tag,
    /// The first operand says which action.
    Actions(&'static [&'static str]),
    Remote,
    Config,
    SymbolicRef,
}

pub(super) const SUBCOMMANDS: &[(&str, &str, Kind)] = &[
    (
        "status",
        "s b v z u? short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames?",
        Kind::Reads,
    ),
    ("diff", diff!(), Kind::Reads),
    ("log", concat!(diff!(), log!()), Kind::Reads),
    ("whatchanged", concat!(diff!(), log!()), Kind::Reads),
    ("show", concat!(diff!(), log!()), Kind::Reads),
    ("diff-tree", concat!(diff!(), log!(), "root no-commit-id v"), Kind::Reads),
    ("diff-index", diff!(), Kind::Reads),
    ("diff-files", diff!(), Kind::Reads),
    ("range-diff", concat!(diff!(), "creation-factor= no-dual-color left-only right-only"), Kind::Reads),
    ("rev-list", concat!(log!(), "# quiet no-commit-header max-age= min-age= header z"), Kind::Reads),
    ("shortlog", concat!(log!(), "# s e w? c group= summary numbered email committer"), Kind::Reads),
    ("cherry", "v verbose abbrev?", Kind::Reads),
    ("reflog", concat!(diff!(), log!()), Kind::Actions(&["show", "exists", "list"])),
    (
        "grep",
        "# e= A= B= C= a i I w v h H E G P F n l L c p W o q r z m= f=r O?x and or not all-match cached no-index!o untracked no-exclude-standard exclude-standard recurse-submodules text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color? no-color break heading show-function function-context after-context= before-context= context= max-depth= max-count= recursive no-recursive threads= quiet parent-basename= textconv!x no-textconv open-files-in-pager?x ext-grep!o",
        Kind::Greps,
    ),
    (
        "branch",
        "a r v q i l? list all remotes verbose quiet ignore-case show-current contains? no-contains? merged? no-merged? sort= points-at= format= column? no-column color? no-color abbrev= no-abbrev d!w D!w delete!w m!w M!w move!w c!w C!w copy!w f!w force!w u=o set-upstream-to=o unset-upstream!w t?o track?o no-track!w edit-description!x create-reflog!w recurse-submodules",
        Kind::Branch,
    ),
    (
        "tag",
        "l? n? i list sort= contains? no-contains? merged? no-merged? points-at= format= column? no-column color? ignore-case omit-empty v verify a!w annotate!w s!w sign!w no-sign u=o local-user=o d!w delete!w f!w force!w m=o message=o F=o file=o e!x edit!x cleanup= create-reflog!w trailer=o",
        Kind::Tag,
    ),
    ("remote", "v verbose n all push no-query", Kind::Remote),
    (
        "rev-parse",
        "q abbrev-ref? all branches? tags? remotes? glob= exclude= show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir git-common-dir absolute-git-dir is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository verify quiet sq short? symbolic symbolic-full-name not flags no-flags revs-only no-revs default= prefix= since= until= after= before= git-path= path-format= local-env-vars show-object-format? disambiguate= end-of-options shared-index-path",
        Kind::Reads,
    ),
    (
        "ls-files",
        "c d o i s t u v f z m k x= X=r cached deleted others ignored stage unmerged killed modified exclude= exclude-from=r exclude-per-directory= exclude-standard error-unmatch with-tree= full-name recurse-submodules abbrev? directory no-empty-directory resolve-undo eol deduplicate sparse format= debug",
        Kind::Reads,
    ),
    (
        "ls-tree",
        "d r t l z name-only name-status object-only long full-name full-tree abbrev? format=",
        Kind::Reads,
    ),
    (
        "cat-file",
        "t s e p batch? batch-check? batch-all-objects buffer unordered allow-unknown-type follow-symlinks Z z use-mailmap no-use-mailmap mailmap path= batch-command?o filters!x textconv!x",
        Kind::Reads,
    ),
    (
        "describe",
        "all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?",
        Kind::Reads,
    ),
    (
        "blame",
        "c b l t s e w L= M? C? S=r p f n root incremental encoding= reverse porcelain line-porcelain show-name show-number show-email show-stats score-debug date= progress no-progress color-lines color-by-age ignore-rev= ignore-revs-file=r abbrev= first-parent contents=r since=",
        Kind::Reads,
    ),
    ("annotate", "L= l t s e w date= abbrev=", Kind::Reads),
    (
        "name-rev",
        "tags refs= exclude= all name-only no-undefined always stdin!o annotate-stdin!o",
        Kind::Reads,
    ),
    (
        "for-each-ref",
        "count= sort= format= points-at= merged? no-merged? contains? no-contains? ignore-case omit-empty exclude= color? shell perl python tcl include-root-refs",
        Kind::Reads,
    ),
    ("count-objects", "v H verbose human-readable", Kind::Bare),
    ("verify-commit", "v verbose raw", Kind::Reads),
    ("verify-tag", "v verbose raw format=", Kind::Reads),
    ("merge-base", "a all octopus independent is-ancestor fork-point", Kind::Reads),
    (
        "show-ref",
        "q s d hash? abbrev? dereference verify quiet tags heads branches head exclude-existing? exists",
        Kind::Reads,
    ),
    (
        "show-branch",
        "a r all remotes current topo-order date-order sparse more= list merge-base independent no-name sha1-name topics color? no-color",
        Kind::Reads,
    ),
    ("check-ignore", "q v z n quiet verbose non-matching no-index", Kind::Reads),
    ("check-attr", "a z all cached source=", Kind::Reads),
    ("check-ref-format", "branch normalize allow-onelevel no-allow-onelevel refspec-pattern", Kind::Reads),
    ("version", "build-options", Kind::Bare),
    (
        "config",
        "l z list get get-all get-regexp get-urlmatch get-color get-colorbool name-only show-origin show-scope local global system worktree type= bool int path no-type default= null includes no-includes",
        Kind::Config,
    ),
    ("stash", concat!(diff!(), log!(), "include-untracked only-untracked"), Kind::Actions(&["list", "show"])),
    ("worktree", "porcelain v z", Kind::Actions(&["list"])),
    ("submodule", "cached recursive q quiet", Kind::Actions(&["status", "summary"])),
    ("bisect", "", Kind::Actions(&["log", "view"])),
    ("notes", "ref=", Kind::Actions(&["list", "show", "get-ref"])),
    ("symbolic-ref", "q quiet short recurse no-recurse d!w delete!w m=o", Kind::SymbolicRef),
];

/// Subcommands that change the repository, the working tree or another repository: known, never read-only.
pub(super) const WRITERS: &[&str] = &[
    "add",
    "am",
    "apply",
    "archive",
    "bisect",
    "bundle",
    "checkout",
    "checkout-index",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "commit-tree",
    "config",
    "fetch",
    "filter-branch",
    "format-patch",
    "fsck",
    "gc",
    "hash-object",
    "init",
    "lfs",
    "maintenance",
    "merge",
    "mergetool",
    "difftool",
    "mv",
    "notes",
    "prune",
    "pull",
    "push",
    "read-tree",
    "rebase",
    "reflog",
    "remote",
    "repack",
    "replace",
    "request-pull",
    "rerere",
    "reset",
    "restore",
    "revert",
    "rm",
    "send-email",
    "sparse-checkout",
    "stash",
    "submodule",
    "switch",
    "tag",
    "update-index",
    "update-ref",
    "worktree",
    "write-tree",
    "ls-remote",
    "instaweb",
    "gui",
    "citool",
];

/// Beginnings of options that run programs, write elsewhere or carry configuration.
pub(super) const HAZARDS: &[&str] = &[
    "--exec",
    "-x",
    "--upload-pack",
    "--receive-pack",
    "--template",
    "--separate-git-dir",
    "--config",
    "-c",
    "--extcmd",
    "--tool",
    "--global",
    "--system",
    "--file",
    "-f=",
    "--output",
    "--remote",
    "--git-dir",
    "--work-tree",
    "--edit",
    "--open-files-in-pager",
    "--cmd",
    "--smtp",
    "--sendmail",
];

/// What throws work away that others or the repository still have: a subcommand with the options and words that
/// do it. A rule covers these only where it spells them out.
pub(super) const DESTRUCTIVE: &[(&str, &[&str])] = &[
    ("push", &["--force", "--force-with-lease", "--delete", "--mirror", "--prune", "-f", "-d"]),
    ("reset", &["--hard"]),
    ("branch", &["--force", "-D", "-f", "-M", "-C"]),
    ("tag", &["--delete", "--force", "-d", "-f"]),
    ("checkout", &["--force", "-f"]),
    ("switch", &["--force", "--discard-changes", "-f"]),
    ("clean", &["--force", "-f"]),
    ("stash", &["drop", "clear"]),
    ("reflog", &["delete", "expire"]),
    ("update-ref", &["-d", "--stdin"]),
    ("worktree", &["--force", "-f"]),
    ("rm", &["--force", "-f"]),
];
