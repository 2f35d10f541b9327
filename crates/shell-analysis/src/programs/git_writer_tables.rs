//! git's subcommands that change something, as data (git manual pages): which of their options take a value, and what
//! they do to files. That hooks may run is said of each of them where it is so.

/// What a subcommand does to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// Reads what the operands name and writes the index.
    Adds,
    /// The same, and more than files: hooks run.
    Commits,
    /// Writes what the operands name.
    Restores,
    /// Writes what the operands name, or the whole working tree.
    ChecksOut,
    Removes,
    Moves,
    /// Removes what git does not know.
    Cleans,
    /// Writes the working tree.
    Tree,
    /// Writes the working tree if told to by one of these.
    Resets,
    Stashes,
    /// Reads patches and writes what they name.
    Applies,
    /// Talks to another repository.
    Sends,
    /// Talks to another repository and writes the working tree.
    Pulls,
    Clones,
    Starts,
    Configures,
    /// The action's operands are directories.
    Worktrees,
    Submodules,
    /// Writes files of numbered names.
    Patches,
    Bundles,
    /// Gives out objects, whole.
    Copies,
    /// Writes a blob to a file of a name of its own.
    Unpacks,
    /// Writes its first operand.
    MergesFile,
    Remotes,
    /// Runs programs.
    Runs,
    /// Runs programs over the working tree.
    Rewrites,
    /// Changes only what git keeps for itself.
    Inside,
}

/// A subcommand; flags as in [`super::spec`], those with a value and the short ones.
pub(super) struct Writer {
    pub(super) name: &'static str,
    pub(super) flags: &'static str,
    pub(super) does: Does,
}

const fn row(name: &'static str, flags: &'static str, does: Does) -> Writer {
    Writer { name, flags, does }
}

/// Subcommands that change the repository, the working tree or another repository: known, never read-only.
pub(super) const WRITERS: &[Writer] = &[
    row(
        "add",
        "A N e!o f i!o n p!o u v chmod= ignore-missing no-ignore-removal ignore-removal pathspec-from-file=r all no-all dry-run edit!o force ignore-errors intent-to-add interactive!o patch!o pathspec-file-nul refresh renormalize sparse update verbose no-warn-embedded-repo",
        Does::Adds,
    ),
    row(
        "am",
        "3 C= S? c i k m n= p= q r s u b directory= empty= exclude= gpg-sign? include= patch-format= quoted-cr= resolvemsg= show-current-patch? whitespace=",
        Does::Applies,
    ),
    row(
        "apply",
        "3 C= N R p= q v z build-fake-ancestor=w directory= exclude= include= whitespace= cached unsafe-paths",
        Does::Applies,
    ),
    row(
        "archive",
        "l v o=w output=w exec=x format= mtime= prefix= remote= add-file=r add-virtual-file=",
        Does::Inside,
    ),
    row("bisect", "", Does::Tree),
    row("bundle", "q version=", Does::Bundles),
    row(
        "checkout",
        "2 3 B= b= d f l m p q t? conflict= orphan= pathspec-from-file=r track? recurse-submodules? detach",
        Does::ChecksOut,
    ),
    row("checkout-index", "a f n q u z prefix= stage=", Does::Tree),
    row(
        "cherry-pick",
        "S? X= e m= n s x cleanup= empty= gpg-sign? mainline= strategy= strategy-option=",
        Does::Tree,
    ),
    row("clean", "X d e= f i n q x exclude= dry-run force interactive quiet", Does::Cleans),
    row(
        "clone",
        "4 6 b= c= j= l n o= q s u=x v branch= bundle-uri= config= depth= filter= jobs= origin= recurse-submodules? recursive? ref-format= reference=m reference-if-able=m separate-git-dir=w server-option= shallow-exclude= shallow-since= template=r upload-pack=x bare mirror",
        Does::Clones,
    ),
    row(
        "commit",
        "C= F=r S? a c= e i m= n o p q s t=r u? v z author= cleanup= date= file=r fixup= gpg-sign? message= pathspec-from-file=r reedit-message= reuse-message= squash= template=r trailer= untracked-files?",
        Does::Commits,
    ),
    row("commit-tree", "F=r S? m= p= gpg-sign?", Does::Inside),
    row(
        "config",
        "f= t= z file= blob= type= comment= value= url= default= global system local worktree",
        Does::Configures,
    ),
    row("credential", "", Does::Runs),
    row(
        "fetch",
        "4 6 P a f j= k m n o= p q t u v deepen= depth= filter= jobs= negotiation-tip= recurse-submodules? recurse-submodules-default= refmap= server-option= shallow-exclude= shallow-since= submodule-prefix= upload-pack=x",
        Does::Sends,
    ),
    row(
        "filter-branch",
        "f= env-filter=x tree-filter=x index-filter=x msg-filter=x setup=x d=w",
        Does::Rewrites,
    ),
    row(
        "format-patch",
        "N k n o= p q s v= add-header= base= cc= cover-from-description= creation-factor= description-file=r filename-max-length= in-reply-to= interdiff= output-directory= range-diff= reroll-count= signature= signature-file=r start-number= subject-prefix= suffix= to= stdout numbered-files",
        Does::Patches,
    ),
    row(
        "fast-export",
        "M? C? signed-tags= signed-commits= tag-of-filtered-object= export-marks=w import-marks=r import-marks-if-exists=r fake-missing-tagger use-done-feature no-data full-tree anonymize anonymize-map= reference-excluded-parents show-original-ids mark-tags reencode= refspec= progress= all",
        Does::Copies,
    ),
    row("fsck", "v", Does::Inside),
    row("gc", "q max-cruft-size= prune?", Does::Inside),
    row("hash-object", "t= w path=", Does::Inside),
    row(
        "init",
        "b= q initial-branch= object-format= ref-format= separate-git-dir=w shared? template=r bare",
        Does::Starts,
    ),
    row("lfs", "", Does::Sends),
    row("maintenance", "schedule= task=", Does::Inside),
    row(
        "merge",
        "F=r S? X= e m= n q s= v cleanup= file=r gpg-sign? into-name= message= strategy= strategy-option=",
        Does::Tree,
    ),
    row("merge-file", "L= p q diff-algorithm= marker-size= stdout object-id", Does::MergesFile),
    row("mergetool", "", Does::Rewrites),
    row("difftool", "", Does::Rewrites),
    row("mv", "f k n v dry-run force sparse verbose", Does::Moves),
    row("notes", "", Does::Inside),
    row("prune", "n v expire=", Does::Inside),
    row(
        "pull",
        "4 6 S? X= a f j? k n o= p q r? s= t v cleanup= deepen= depth= gpg-sign? negotiation-tip= rebase? recurse-submodules? refmap= server-option= shallow-exclude= shallow-since= strategy= strategy-option= upload-pack=x",
        Does::Pulls,
    ),
    row(
        "push",
        "4 6 d f n o= q u v exec=x push-option= receive-pack=x recurse-submodules= repo= force-with-lease? signed?",
        Does::Sends,
    ),
    row("read-tree", "i m n q u v exclude-per-directory= index-output=w prefix=", Does::Tree),
    row(
        "rebase",
        "C= S? X= f i m n q r? s= v x=x empty= exec=x gpg-sign? onto= rebase-merges? strategy= strategy-option= whitespace=",
        Does::Tree,
    ),
    row("reflog", "n expire= expire-unreachable=", Does::Inside),
    row("remote", "f m= t= v master= mirror? track=", Does::Remotes),
    row("repack", "A F a b d f g= i k l m= n q expire-to=w filter-to=w", Does::Inside),
    row("replace", "d e f g l format=", Does::Inside),
    row("request-pull", "p", Does::Sends),
    row("rerere", "", Does::Tree),
    row("reset", "N p q pathspec-from-file=r hard merge keep soft mixed recurse-submodules?", Does::Resets),
    row(
        "restore",
        "2 3 S W m p!o q s= conflict= pathspec-from-file=r source= ignore-skip-worktree-bits ignore-unmerged merge ours theirs overlay no-overlay patch!o pathspec-file-nul progress no-progress quiet recurse-submodules?o staged worktree",
        Does::Restores,
    ),
    row("revert", "S? X= e m= n s cleanup= gpg-sign? mainline= strategy= strategy-option=", Does::Tree),
    row(
        "rm",
        "f n q r cached dry-run force quiet ignore-unmatch sparse pathspec-from-file=r pathspec-file-nul",
        Does::Removes,
    ),
    row("send-email", "", Does::Sends),
    row("sparse-checkout", "", Does::Tree),
    row("stash", "S a k m= p q u message= pathspec-from-file=r", Does::Stashes),
    row("submodule", "q b= f name= reference= branch= depth= jobs= j=", Does::Submodules),
    row(
        "switch",
        "C= c= d f m q t? conflict= create= force-create= orphan= track? recurse-submodules?",
        Does::Tree,
    ),
    row("tag", "F=r a d e f i l m= n? s u= v cleanup= file=r local-user= message= trailer=", Does::Inside),
    row("branch", "", Does::Inside),
    row("symbolic-ref", "", Does::Inside),
    row("update-index", "g q z cacheinfo= chmod= index-version=", Does::Inside),
    row("update-ref", "d m= z", Does::Inside),
    row("worktree", "B= b= d f q reason= expire=", Does::Worktrees),
    row("write-tree", "prefix=", Does::Inside),
    row("ls-remote", "b h o= q t exec=x server-option= sort= upload-pack=x", Does::Sends),
    row("instaweb", "", Does::Runs),
    row("gui", "", Does::Runs),
    row("citool", "", Does::Runs),
    row("bugreport", "o= s= output-directory= suffix=", Does::Inside),
    row("diagnose", "o= s= output-directory= suffix=", Does::Inside),
    row("commit-graph", "object-dir=", Does::Inside),
    row(
        "fast-import",
        "export-marks=w export-pack-edges=w import-marks=r import-marks-if-exists=r depth= active-branches= big-file-threshold= date-format= max-pack-size= rewrite-submodules-from= rewrite-submodules-to=",
        Does::Inside,
    ),
    row("index-pack", "o=w v", Does::Inside),
    row("interpret-trailers", "trailer=", Does::Runs),
    row("merge-tree", "X= z merge-base= strategy-option=", Does::Inside),
    row("mktree", "z", Does::Inside),
    row("multi-pack-index", "object-dir=", Does::Inside),
    row("pack-objects", "", Does::Copies),
    row("pack-refs", "exclude= include=", Does::Inside),
    row("unpack-objects", "", Does::Inside),
    row("unpack-file", "", Does::Unpacks),
    row("update-server-info", "f", Does::Inside),
    row("upload-archive", "", Does::Copies),
    row("upload-pack", "strict no-strict timeout= stateless-rpc http-backend-info-refs", Does::Copies),
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
