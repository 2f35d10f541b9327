//! git: what is asked without changing anything, every spelling that changes something, and the paths of both.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use portcullis_shell_analysis::{
    Analysis, EffectKind, FlagValue, PathTarget, Settings, analyze, specifications,
};

fn plan_in(text: &str, cwd: &str) -> Analysis {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), ..Settings::new(cwd, &roots) };
    analyze(text, &settings)
}

fn read_only(text: &str) -> bool {
    plan_in(text, "/repo").read_only()
}

#[test]
fn asks() {
    let wrong: Vec<String> = [
        "git log --format=%h -U3 -p",
        "git log --oneline -5 --graph --decorate",
        "git log -L1,5:src/a.rs",
        "git diff -U5 --stat=80",
        "git diff --color-moved-ws=no --output-indicator-new=x",
        "git shortlog -sn --no-merges HEAD",
        "git rev-list --count --min-parents=2 HEAD",
        "git stash show -p stash@{0}",
        "git stash list --date=iso",
        "git reflog",
        "git reflog -5",
        "git reflog HEAD@{1}",
        "git reflog show main",
        "git branch --contains HEAD",
        "git branch -vv",
        "git tag --sort=-version:refname",
        "git tag -n3 --list 'v*'",
        "git config --local --list",
        "git config user.email",
        "git config get user.email",
        "git config --file .gitmodules --list",
        "git submodule status",
        "git notes list",
        "git notes",
        "git bundle verify a.bundle",
        "git sparse-checkout list",
        "git fsck",
        "git archive --list",
        "git archive HEAD | tar t",
        "git hash-object a.txt",
        "git apply --check a.patch",
        "git apply --stat a.patch",
        "git clean -nd",
        "git clean --dry-run",
        "git help -a",
        "git worktree list --porcelain",
        "git check-ignore -v .env",
        "git ls-files .env",
        "git -C src log",
        "git cat-file -p HEAD:a",
        "git describe --tags --dirty --abbrev=4",
        "git show-ref --heads",
        "git range-diff main...topic",
        "git for-each-ref --sort=-committerdate --count=3 refs/heads",
        "git remote get-url origin",
        "git merge-base --is-ancestor a b",
        "git bisect log",
        "git rerere status",
    ]
    .into_iter()
    .filter(|text| !read_only(text))
    .map(|text| format!("{text}: {:?}", plan_in(text, "/repo").blockers))
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn changes_or_tells_too_much() {
    let wrong: Vec<&str> = [
        // A value that can only be glued on does not hide the next word.
        "git diff -U --output=x",
        "git diff --unified --output=x",
        "git log --format --output=x",
        "git log --min-parents --output=x",
        "git shortlog --committer --output=x",
        "git shortlog -n --output=x",
        "git blame --abbrev --output=x a",
        "git diff --outpu x",
        "git log -p --ext-diff",
        "git show --text-conv --textconv",
        "git stash -m list",
        "git stash -u list",
        "git stash push list",
        "git stash show -p --output=x",
        "git notes --ref=x add",
        "git notes add -m x",
        "git reflog delete HEAD@{1}",
        "git reflog drop",
        "git bisect view",
        "git bisect start",
        "git submodule update",
        "git worktree prune",
        "git config --list",
        "git config -l",
        "git config list",
        "git config --get-regexp .",
        "git config --get http.https://github.com/.extraheader",
        "git config github.token",
        "git config --unset user.name",
        "git config user.name x",
        "git config edit",
        "git var -l",
        "git archive -o x HEAD",
        "git archive --output=x HEAD",
        "git archive --remote=host:x HEAD",
        "git bundle create x HEAD",
        "git hash-object -w a",
        "git apply a.patch",
        "git apply --stat --apply a.patch",
        "git clean -fd",
        "git clean -fdn -i",
        "git fsck --lost-found",
        "git help log",
        "git branch -t x",
        "git branch --set-upstream-to=x",
        "git tag -m x y",
        "git show :0:../x",
        "git log -L1,5:/etc/passwd",
        "git grep x /etc",
        "git -C /etc log",
        "git --attr-source x -c a.b=c log",
        "git rev-list --stdin",
        "git diff --no-index a b",
        "git ls-remote https://evil.example/x",
        "git interpret-trailers a",
        "git merge-file a b c",
        "git cat-file --filters HEAD:a",
        "git cat-file --textconv HEAD:a",
        "git remote update",
        "git remote -v update",
        "git replace a b",
        "git for-each-repo --config=x status",
    ]
    .into_iter()
    .filter(|text| read_only(text))
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn kinds(text: &str, cwd: &str) -> Vec<EffectKind> {
    plan_in(text, cwd).invocations[0].effects.iter().map(|effect| effect.kind.clone()).collect()
}

#[test]
fn paths_of_changes() {
    let path = |text: &str| PathTarget::Path(text.to_owned());
    let write = |text: &str| EffectKind::Write(path(text));
    let below = |text: &str| EffectKind::Write(PathTarget::Below(text.to_owned()));
    let stored = |text: &str, recursive| {
        let path = PathTarget::Below(text.to_owned());
        EffectKind::Read { path, recursive }
    };
    let delete = |text: &str, recursive| EffectKind::Delete { path: path(text), recursive };
    let read = |text: &str, recursive| EffectKind::Read { path: path(text), recursive };
    let network = |text: &str| EffectKind::Network(Some(text.to_owned()));
    let index = || write("/repo/.git/index");
    for (text, effects) in [
        ("git add src a.txt", vec![read("/repo/src", true), read("/repo/a.txt", true), index()]),
        ("git add -A", vec![read("/repo/.", true), index()]),
        ("git commit -F msg -m x", vec![read("/repo/msg", false), index()]),
        // A name without an ending may be a directory.
        ("git checkout -- a b.c", vec![write("/repo/a"), below("/repo/a"), write("/repo/b.c")]),
        ("git checkout HEAD -- a.c", vec![write("/repo/a.c")]),
        ("git checkout main", vec![write("/repo/main"), below("/repo/main"), below("/repo")]),
        ("git checkout --pathspec-from-file=l", vec![read("/repo/l", false), below("/repo")]),
        ("git checkout -b topic", vec![]),
        ("git restore --source=HEAD~1 a.c", vec![write("/repo/a.c"), index()]),
        ("git restore .", vec![write("/repo/."), below("/repo/."), index()]),
        ("git restore ':!a.c'", vec![below("/repo"), index()]),
        ("git rm --pathspec-from-file=l", vec![read("/repo/l", false), below("/repo"), index()]),
        ("git fast-import --export-marks=m", vec![write("/repo/m")]),
        (
            "git clone x .",
            vec![read("/repo/x", true), stored("/repo/x", false), write("/repo/."), below("/repo/.")],
        ),
        (
            "git format-patch --suffix=.txt HEAD~2",
            vec![EffectKind::Write(PathTarget::Glob("/repo/./*.txt".to_owned(), "/repo/./".to_owned()))],
        ),
        ("git rm -r --cached a", vec![index()]),
        ("git rm -rf a", vec![delete("/repo/a", true), index()]),
        ("git -C sub rm a", vec![delete("/repo/sub/a", false), index()]),
        ("git mv a b", vec![read("/repo/a", true), delete("/repo/a", true), write("/repo/b"), index()]),
        ("git clean -fdx", vec![delete("/repo/.", true)]),
        ("git clean -f build", vec![delete("/repo/build", true)]),
        ("git reset --hard HEAD~1", vec![below("/repo"), index()]),
        ("git reset HEAD~1", vec![index()]),
        ("git stash", vec![below("/repo")]),
        ("git stash drop", vec![]),
        ("git apply a.patch", vec![read("/repo/a.patch", false), below("/repo")]),
        ("git push origin main", vec![network("origin")]),
        ("git pull origin main", vec![network("origin"), below("/repo")]),
        ("git clone https://x.example/a/b.git", vec![network("https://x.example/a/b.git"), write("/repo/b")]),
        ("git clone --depth 1 git@h:a/b.git c", vec![network("git@h:a/b.git"), write("/repo/c")]),
        ("git clone ../x y", vec![read("/repo/../x", true), stored("/repo/../x", false), write("/repo/y")]),
        ("git init d", vec![write("/repo/d")]),
        (
            "git worktree add ../w topic",
            vec![read("/repo", true), stored("/repo", false), write("/repo/../w")],
        ),
        ("git worktree remove w", vec![delete("/repo/w", true)]),
        (
            "git archive -o x.tar HEAD",
            vec![write("/repo/x.tar"), read("/repo/.", true), stored("/repo/.", true)],
        ),
        ("git bundle create x.b HEAD", vec![stored("/repo", true), write("/repo/x.b")]),
        ("git config --global user.name x", vec![write("/home/u/.gitconfig")]),
        ("git config -f c user.name x", vec![write("/repo/c")]),
        ("git config core.fsmonitor ./x", vec![write("/repo/.git/config")]),
        ("git config --add alias.x '!id'", vec![write("/repo/.git/config")]),
        ("git config set core.hooksPath h", vec![write("/repo/.git/config")]),
        ("git config --worktree core.pager x", vec![write("/repo/.git/config.worktree")]),
        ("git config rename-section a alias", vec![write("/repo/.git/config")]),
        ("git config \"$x\" y", vec![write("/repo/.git/config")]),
        ("git config url.ext::x.insteadOf y", vec![write("/repo/.git/config")]),
        ("git config remote.origin.url https://evil.example/x", vec![write("/repo/.git/config")]),
        ("git config branch.main.pushRemote other", vec![write("/repo/.git/config")]),
        (
            "git config url.https://evil.example/.insteadOf https://good.example/",
            vec![write("/repo/.git/config")],
        ),
        ("git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'", vec![]),
        ("git remote set-url origin https://evil.example/x", vec![write("/repo/.git/config")]),
        ("git remote set-url --push origin https://evil.example/x", vec![write("/repo/.git/config")]),
        ("git remote rename other origin", vec![write("/repo/.git/config")]),
        ("git remote $x origin https://evil.example/x", vec![write("/repo/.git/config")]),
        ("git remote add other https://example.org/x", vec![]),
        ("git config user.name x", vec![]),
        ("git config alias.st status", vec![]),
        ("git config branch.main.merge refs/heads/main", vec![]),
        ("git config set pull.rebase true", vec![]),
        ("git config core.fsmonitor true", vec![]),
        (
            "git format-patch -o out HEAD~2",
            vec![EffectKind::Write(PathTarget::Glob(
                "/repo/out/*.patch".to_owned(),
                "/repo/out/".to_owned(),
            ))],
        ),
    ] {
        let mut seen = kinds(text, "/repo");
        seen.retain(|kind| !matches!(kind, EffectKind::Opaque(_)));
        assert_eq!(seen, effects, "{text}");
    }
}

#[test]
fn hooks_are_not_forgotten() {
    let opaque = |text: &str| kinds(text, "/repo").iter().any(|kind| matches!(kind, EffectKind::Opaque(_)));
    for text in [
        "git commit -m x",
        "git checkout -- a",
        "git merge x",
        "git add -p",
        "git add --some-flag",
        "git push",
    ] {
        assert!(opaque(text), "{text}");
    }
    for text in ["git add a", "git rm a", "git mv a b", "git restore a"] {
        assert!(!opaque(text), "{text}");
    }
}

#[test]
fn content_behind_a_revision_is_read() {
    let reads = |text: &str, cwd: &str, path: &str| {
        let wanted = EffectKind::Read { path: PathTarget::Path(path.to_owned()), recursive: false };
        assert!(kinds(text, cwd).contains(&wanted), "{text}: {:?}", kinds(text, cwd));
    };
    reads("git show HEAD:.env", "/repo", "/repo/.env");
    reads("git show :0:.env", "/repo", "/repo/.env");
    reads("git show HEAD:.env", "/repo/sub", "/repo/.env");
    reads("git show HEAD:./.env", "/repo/sub", "/repo/sub/./.env");
    reads("git -C sub show HEAD:./.env", "/repo", "/repo/sub/./.env");
    reads("git log -p -- .env", "/repo", "/repo/.env");
    reads("git log -L1,2:.env", "/repo", "/repo/.env");
    reads("git diff HEAD -- ':(top).env'", "/repo", "/repo/.env");
}

/// Options that take the next word if there is one, and are completed like those that take none.
const LAST_WORD: &[&str] =
    &["contains", "no-contains", "with", "without", "merged", "no-merged", "points-at"];

/// Options with a value that git's completion shows without one.
const SHOWN_BARE: &[(&str, &str)] = &[("merge", "file"), ("update-index", "cacheinfo")];

/// Every long option that git completes and that a table has takes its value in the same way.
#[test]
fn the_installed_git_agrees() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for specification in specifications() {
        let ["git"] = specification.names else { continue };
        let [subcommand] = specification.subcommand.as_slice() else { continue };
        if specification.launcher {
            continue;
        }
        let output = Command::new("git")
            .args([subcommand, "--git-completion-helper-all"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("git has to be installed: `apt-get install git`");
        if !output.status.success() {
            continue;
        }
        let text = String::from_utf8(output.stdout).unwrap();
        let completed: BTreeMap<&str, bool> = text
            .split_ascii_whitespace()
            .filter_map(|word| word.strip_prefix("--"))
            .filter(|word| !word.is_empty())
            .map(|word| (word.trim_end_matches('='), word.ends_with('=')))
            .collect();
        let mut seen = BTreeSet::new();
        for flag in &specification.flags {
            // The first of two entries is the one that counts.
            let bare = SHOWN_BARE.contains(&(*subcommand, flag.name));
            if !seen.insert(flag.name) || bare || LAST_WORD.contains(&flag.name) {
                continue;
            }
            let Some(takes) = completed.get(flag.name) else { continue };
            compared += 1;
            if (flag.value == FlagValue::Required) != *takes {
                wrong.push(format!("git {subcommand} --{}: {:?}", flag.name, flag.value));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 300, "only {compared} options were compared");
}
