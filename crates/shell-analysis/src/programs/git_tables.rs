//! git's subcommands that can be asked without changing anything, and their flags, as data (git manual pages). A value
//! that may only be glued on has `?`: `git log --format --output=x` writes `x`.

pub(super) const GLOBAL: &str = "C= c=o p!x paginate!x P no-pager no-optional-locks no-replace-objects literal-pathspecs glob-pathspecs \
    noglob-pathspecs icase-pathspecs no-lazy-fetch no-advice v version h help html-path man-path info-path exec-path?o git-dir=o work-tree=o \
    namespace=o config-env=o bare!o super-prefix=o attr-source= list-cmds?";

/// Options of everything that shows differences (diff-options in the manual).
macro_rules! diff {
    () => {
        "# 0 p u s U? W B? M? C? D l= S= G= I= X? R a w b z c t r m patch no-patch unified? raw patch-with-raw indent-heuristic \
         no-indent-heuristic minimal patience histogram anchored= diff-algorithm= stat? compact-summary no-compact-summary numstat \
         shortstat dirstat? dirstat-by-file? cumulative summary patch-with-stat name-only name-status submodule? color? no-color \
         color-moved? no-color-moved color-moved-ws= no-color-moved-ws color-words? word-diff? word-diff-regex= no-renames \
         rename-empty no-rename-empty check ws-error-highlight= full-index no-full-index binary abbrev? no-abbrev \
         break-rewrites? find-renames? find-copies? find-copies-harder no-find-copies-harder \
         irreversible-delete diff-filter= pickaxe-all pickaxe-regex find-object= relative? no-relative text no-text ignore-cr-at-eol \
         ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= no-ignore-matching-lines \
         inter-hunk-context= function-context no-function-context exit-code no-exit-code quiet no-quiet no-ext-diff no-textconv \
         ignore-submodules? src-prefix= dst-prefix= no-prefix default-prefix line-prefix= ita-invisible-in-index \
         ita-visible-in-index output-indicator-new= output-indicator-old= output-indicator-context= cc combined-all-paths \
         stat-width= stat-name-width= stat-count= stat-graph-width= follow no-follow end-of-options \
         output=w ext-diff!x textconv!x no-index!o O=o rotate-to= skip-to= "
    };
}
/// Options that choose revisions (rev-list-options in the manual).
macro_rules! revisions {
    () => {
        "# g i E F P n= max-count= skip= since= after= since-as-filter= until= before= max-age= min-age= author= committer= \
         grep-reflog= grep= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp \
         remove-empty merges no-merges min-parents? max-parents? no-min-parents no-max-parents first-parent \
         exclude-first-parent-only not all branches? tags? remotes? glob= exclude= exclude-hidden= reflog alternate-refs \
         ignore-missing bisect cherry-mark cherry-pick left-only right-only cherry walk-reflogs merge boundary \
         simplify-by-decoration show-pulls full-history dense sparse simplify-merges ancestry-path? date-order \
         author-date-order topo-order reverse no-walk? do-walk pretty? format? abbrev? no-abbrev abbrev-commit \
         no-abbrev-commit oneline encoding= expand-tabs? no-expand-tabs notes? no-notes show-notes? relative-date date= \
         parents children left-right graph no-graph show-linear-break? show-signature no-show-signature quiet no-quiet \
         end-of-options stdin!o "
    };
}
macro_rules! log {
    () => {
        "q L= decorate? no-decorate decorate-refs= decorate-refs-exclude= clear-decorations source no-source mailmap use-mailmap \
         no-mailmap no-use-mailmap full-diff log-size remerge-diff!w diff-merges= no-diff-merges dd count "
    };
}
macro_rules! blame {
    () => {
        "c b l t s e w L= M? C? S=r p f n root no-root incremental encoding= reverse porcelain line-porcelain show-name show-number show-email \
         show-stats score-debug date= progress no-progress color-lines color-by-age ignore-rev= ignore-revs-file=r abbrev? \
         first-parent contents=r since= minimal diff-algorithm="
    };
}

/// What a subcommand's operands are, and when it only reads.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Revisions and paths whose content is shown.
    Reads,
    /// A tree and paths in it, all of whose content is shown.
    Archives,
    /// Revisions and paths of which names and attributes are shown.
    Names,
    /// Revisions, references or addresses: no file of the project is looked at for them.
    Revisions,
    /// No operands.
    Bare,
    /// Reads everything below the working directory.
    Greps,
    /// Lists, unless operands or flags change something.
    Branch,
    Tag,
    /// The word behind the subcommand says which action; options come after it.
    Actions(&'static [&'static str]),
    /// The same; without any action it shows.
    ActionsOrNone(&'static [&'static str]),
    Remote,
    Config,
    SymbolicRef,
    Reflog,
    /// Only tells what it would do.
    Told(&'static [&'static str]),
}

pub(super) const SUBCOMMANDS: &[(&str, &str, Kind)] = &[
    (
        "status",
        "s b v z u? M? short no-short branch no-branch show-stash no-show-stash porcelain? no-porcelain long no-long verbose null untracked-files? no-untracked-files ignore-submodules? ignored? no-ignored column? no-column ahead-behind no-ahead-behind renames no-renames find-renames? end-of-options",
        Kind::Names,
    ),
    ("diff", concat!(diff!(), "1 2 3 base ours theirs merge-base cached staged"), Kind::Reads),
    ("log", concat!(revisions!(), log!(), diff!()), Kind::Reads),
    ("whatchanged", concat!(revisions!(), log!(), diff!()), Kind::Reads),
    ("show", concat!(revisions!(), log!(), diff!()), Kind::Reads),
    (
        "diff-tree",
        concat!(
            "v root no-commit-id merge-base remerge-diff!w diff-merges= no-diff-merges always pretty? format? encoding= notes? no-notes date= oneline ",
            diff!()
        ),
        Kind::Reads,
    ),
    ("diff-index", concat!(diff!(), "cached merge-base"), Kind::Reads),
    ("diff-files", concat!(diff!(), "q 1 2 3 base ours theirs"), Kind::Reads),
    (
        "range-diff",
        concat!(
            "creation-factor= no-creation-factor no-dual-color dual-color left-only right-only notes? no-notes diff-merges= remerge-diff!w ",
            diff!()
        ),
        Kind::Reads,
    ),
    (
        "rev-list",
        concat!(
            "count timestamp objects objects-edge object-names no-object-names disk-usage? unpacked filter? no-filter in-commit-order no-commit-header commit-header header use-bitmap-index progress? bisect-all bisect-vars z ",
            revisions!()
        ),
        Kind::Names,
    ),
    (
        "shortlog",
        concat!(
            "n s e c w? numbered no-numbered summary no-summary email no-email committer no-committer group= no-group ",
            revisions!()
        ),
        Kind::Names,
    ),
    ("cherry", "v verbose no-verbose abbrev? no-abbrev", Kind::Revisions),
    ("reflog", concat!(revisions!(), log!(), diff!()), Kind::Reflog),
    (
        "grep",
        "# e= A= B= C= a i I w v h H E G P F n l L c p W o q r z m= f=r O?x and or not all-match cached no-index!o index untracked no-untracked no-exclude-standard exclude-standard recurse-submodules no-recurse-submodules text ignore-case no-ignore-case word-regexp invert-match full-name no-full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number no-line-number column no-column files-with-matches name-only files-without-match null only-matching count color? no-color break heading show-function function-context after-context= before-context= context= max-depth= max-count= recursive no-recursive threads= quiet parent-basename= textconv!x no-textconv open-files-in-pager?x ext-grep!o end-of-options",
        Kind::Greps,
    ),
    (
        "branch",
        "a r v q i l list all remotes verbose no-verbose quiet ignore-case show-current contains= no-contains= with= without= merged= no-merged= sort= no-sort points-at= format= omit-empty column? no-column color? no-color abbrev? no-abbrev d!w D!w delete!w m!w M!w move!w c!w C!w copy!w f!w force!w u=o set-upstream-to=o set-upstream!w unset-upstream!w t?o track?o no-track!w edit-description!x create-reflog!w recurse-submodules",
        Kind::Branch,
    ),
    (
        "tag",
        "l n? i list sort= no-sort contains= no-contains= with= without= merged= no-merged= points-at= format= column? no-column color? no-color ignore-case omit-empty v verify a!w annotate!w s!w sign!w no-sign u=o local-user=o d!w delete!w f!w force!w m=o message=o F=o file=o e!x edit!x cleanup= create-reflog!w trailer=o",
        Kind::Tag,
    ),
    ("remote", "v verbose n all push no-query", Kind::Remote),
    (
        "rev-parse",
        "q abbrev-ref? all branches? tags? remotes? glob? exclude? show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir git-common-dir absolute-git-dir resolve-git-dir= is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository verify quiet sq short? symbolic symbolic-full-name not flags no-flags revs-only no-revs default= prefix= since? until? after? before? git-path= path-format? local-env-vars show-object-format? show-ref-format disambiguate? end-of-options shared-index-path",
        Kind::Names,
    ),
    (
        "ls-files",
        "c d o i s t u v f z m k x= X=r cached deleted others ignored stage unmerged killed modified exclude= exclude-from=r exclude-per-directory= exclude-standard error-unmatch with-tree= full-name recurse-submodules abbrev? no-abbrev directory empty-directory no-empty-directory resolve-undo eol deduplicate sparse format= debug end-of-options",
        Kind::Names,
    ),
    (
        "ls-tree",
        "d r t l z name-only name-status object-only long full-name no-full-name full-tree no-full-tree abbrev? no-abbrev format=",
        Kind::Names,
    ),
    (
        "cat-file",
        "t s e p batch? batch-check? batch-all-objects buffer no-buffer unordered allow-unknown-type follow-symlinks Z z use-mailmap no-use-mailmap mailmap no-mailmap path= filter= no-filter batch-command?o filters!x textconv!x",
        Kind::Reads,
    ),
    (
        "describe",
        "all tags contains abbrev? no-abbrev candidates= exact-match debug long no-long match= exclude= always first-parent dirty? broken?",
        Kind::Revisions,
    ),
    ("blame", blame!(), Kind::Reads),
    ("annotate", blame!(), Kind::Reads),
    (
        "name-rev",
        "tags refs= exclude= all name-only no-undefined undefined always peel-tag stdin annotate-stdin",
        Kind::Revisions,
    ),
    (
        "for-each-ref",
        "count= sort= no-sort format= points-at= merged= no-merged= contains= no-contains= ignore-case omit-empty exclude= color? no-color shell s perl p python tcl include-root-refs stdin",
        Kind::Revisions,
    ),
    ("count-objects", "v H verbose human-readable", Kind::Bare),
    ("verify-commit", "v verbose raw", Kind::Revisions),
    ("verify-tag", "v verbose raw format=", Kind::Revisions),
    ("verify-pack", "v s verbose stat-only object-format=", Kind::Reads),
    ("merge-base", "a all octopus independent is-ancestor fork-point", Kind::Revisions),
    (
        "show-ref",
        "q s d hash? abbrev? no-abbrev dereference verify quiet tags heads branches head exclude-existing? exists",
        Kind::Revisions,
    ),
    (
        "show-branch",
        "a r g? all remotes current topo-order date-order sparse more? list merge-base independent no-name sha1-name topics reflog? color? no-color",
        Kind::Revisions,
    ),
    ("check-ignore", "q v z n quiet verbose non-matching no-index index stdin", Kind::Names),
    ("check-attr", "a z all cached source= stdin", Kind::Names),
    ("check-mailmap", "stdin mailmap-file=r mailmap-blob=", Kind::Revisions),
    (
        "check-ref-format",
        "branch normalize allow-onelevel no-allow-onelevel refspec-pattern",
        Kind::Revisions,
    ),
    ("patch-id", "stable unstable verbatim", Kind::Bare),
    ("stripspace", "s c strip-comments comment-lines", Kind::Bare),
    ("version", "build-options", Kind::Bare),
    (
        "help",
        "a g c all guides config no-external-commands external-commands no-aliases aliases user-interfaces developer-interfaces no-verbose",
        Kind::Bare,
    ),
    (
        "fsck",
        "v tags root unreachable cache no-reflogs reflogs full no-full connectivity-only strict verbose progress no-progress dangling no-dangling name-objects references no-references lost-found!w",
        Kind::Revisions,
    ),
    (
        "config",
        "f=r z l list get get-all get-regexp get-urlmatch get-color get-colorbool file=r blob= all regexp value= fixed-value url= null name-only show-origin show-scope show-names local global system worktree t= type= bool int bool-or-int bool-or-str path expiry-date no-type default= no-includes",
        Kind::Config,
    ),
    (
        "stash",
        concat!("include-untracked only-untracked no-include-untracked ", revisions!(), log!(), diff!()),
        Kind::Actions(&["list", "show"]),
    ),
    ("worktree", "porcelain v z verbose expire=", Kind::Actions(&["list"])),
    (
        "submodule",
        "cached recursive q quiet files n= summary-limit=",
        Kind::ActionsOrNone(&["status", "summary"]),
    ),
    ("bisect", "", Kind::Actions(&["log"])),
    ("notes", "", Kind::ActionsOrNone(&["list", "show", "get-ref"])),
    ("bundle", "q quiet", Kind::Actions(&["verify", "list-heads"])),
    ("rerere", "", Kind::Actions(&["status", "diff", "remaining"])),
    ("sparse-checkout", "", Kind::Actions(&["list"])),
    ("refs", "strict verbose", Kind::Actions(&["verify", "exists"])),
    (
        "archive",
        "# l v list verbose format= prefix= mtime= worktree-attributes o=w output=w remote=o exec=x add-file=r add-virtual-file=",
        Kind::Archives,
    ),
    ("hash-object", "t= w!w path= no-filters stdin literally", Kind::Reads),
    (
        "apply",
        "3 C= N R p= q v z 3way add allow-binary-replacement allow-empty allow-overlap apply!w binary cached check directory= exclude= include= whitespace= ignore-space-change ignore-whitespace inaccurate-eof index numstat ours theirs union quiet recount reject reverse stat summary unidiff-zero unsafe-paths verbose build-fake-ancestor=w",
        Kind::Told(&["check", "stat", "numstat", "summary"]),
    ),
    ("clean", "d e= f n q x X dry-run no-dry-run!o exclude= force quiet", Kind::Told(&["n", "dry-run"])),
    ("symbolic-ref", "q quiet short no-short recurse no-recurse d!w delete!w m=o", Kind::SymbolicRef),
];
