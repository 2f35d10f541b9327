//! What a text changes first: links that it moves, copies or has git bring, backups, repositories that it makes or
//! takes away; and what has to stay possible beside that.

use std::{fs, os::unix::fs::symlink};

use crate::tree::Tree;

const PATHS: &[&str] = &[
    "a.md.txt",
    "x.txt",
    "c.txt",
    "notes/n.txt",
    "notes/sub/m.txt",
    "archive",
    "sub/plain.txt",
    "sub/rel -> ../x.txt",
    "sub/deep/rel2 -> ../../x.txt",
    "sub/deep/p.txt",
    "src/src/f.txt",
    "src/f.txt",
    "dst/src/f -> ../../../out/secret.txt",
    "flat/f.txt",
    "over/f.txt",
    "over/g -> f.txt",
    "conf -> .git/config",
    "dir",
    "named.git",
    "broken -> nowhere/x",
    ".git/objects",
    ".git/refs",
    "nested/.git/objects",
    "nested/.git/refs",
    "bare/objects",
    "bare/refs",
    "wt/inner",
    "linked/.git -> ../store",
    "store/objects",
    "store/refs",
];

/// A repository with links in its working tree that stay in it, and some that do not.
fn repository() -> Tree {
    let tree = Tree::new(PATHS);
    let root = &tree.roots[0];
    for directory in [".git", "nested/.git", "bare", "store"] {
        fs::write(format!("{root}/{directory}/HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(format!("{root}/{directory}/config"), "[core]\n\tbare = false\n").unwrap();
    }
    for (name, path) in [
        ("foo", format!("{}/elsewhere/foo", tree.top)),
        ("wt", format!("{root}/wt/inner")),
        ("both", format!("{}/elsewhere/both", tree.top)),
    ] {
        let list = format!("{root}/.git/worktrees/{name}");
        fs::create_dir_all(&list).unwrap();
        fs::write(format!("{list}/gitdir"), format!("{path}/.git\n")).unwrap();
    }
    symlink(format!("{}/out", tree.top), format!("{root}/out")).unwrap();
    tree
}

#[test]
fn globs_that_match_what_git_obeys() {
    let texts = [
        "cp x.txt .gi?/config && git status",
        "echo x > .gi?/config",
        "mv x.txt .g*/config",
        "git mv -f x.txt .gi?/config",
        "cp x.txt .[g]it/config",
        "rm -rf .gi?/hooks",
        "rm -rf .git/hooks",
        "mv .git/config x",
        "cp x.txt sub/HEA*/HEAD",
        "cp x.txt .G?T/config",
        "split -l 1 x.txt sub/.g",
        "split -l 1 x.txt .gi",
        "echo x > conf",
        "cp x.txt conf",
    ];
    repository().confined(&texts, false);
    for text in texts.iter().filter(|text| !text.contains("conf ") && !text.ends_with("conf")) {
        assert!(super::inside(text).is_err(), "{text}");
    }
    assert!(super::inside("cp a.md sub/H*D").is_err());
    repository().confined(
        &[
            "rm -f .git/index.lock && git add -A",
            "rm -rf .git",
            "for f in *.txt; do wc \"./$f\"; done",
            "for f in notes/*; do echo x >> \"$f\"; done",
            "split -l 5 x.txt part-",
            "mv notes/*.txt archive/",
        ],
        true,
    );
}

#[test]
fn repositories_that_the_text_makes() {
    repository().confined(
        &[
            "mkdir r r/objects r/refs && printf x > r/config && git mv x.txt r/HEAD && git -C r status",
            "git mv x.txt r/HEAD",
            "git mv HEAD r",
            "cp -r bare r && echo x > r/config && git -C r status",
            "cp -r .git r && git -C r status",
            "mv bare/* r/ && cd r && git status",
            "cp -r bare/. notes && cd notes && git add -A",
            "mv nested other && git -C other status",
            "git -C bare status",
            "echo x > bare/config",
            "cp x.txt bare/hooks/post-checkout",
            "echo x > .g\u{200c}it/config",
            "echo x > '.git. /config'",
            "echo x > .git::x/config",
        ],
        false,
    );
    repository().confined(
        &[
            "git mv x.txt notes/y.txt && git commit -m x",
            "git reset HEAD x.txt; git show HEAD",
            "cp x.txt notes/ && cd notes && git add -A",
            "cp -r notes more && cd more && git add -A",
            "git -C nested status; git -C linked status",
            "echo x > .gitignore; echo x > .github; echo x > HEADER; echo x > .git.md",
            "rm -rf build && mkdir build && cd build && git status",
        ],
        true,
    );
}

#[test]
fn backups_have_names_too() {
    repository().confined(
        &[
            "mv -bTSit sub .g",
            "mv -b -S EAD x.txt sub/H",
            "cp --suffix=EAD x.txt sub/H",
            "cp --backup -S EAD x.txt sub/H",
            "cp -S EAD x.txt sub/H",
            "mv -T -b -S it src .g",
            "mv -b -S \"$S\" x.txt notes/y",
            "mv -b -S /../../../x x.txt notes/y",
            "SIMPLE_BACKUP_SUFFIX=it; mv -bT sub .g",
            "SIMPLE_BACKUP_SUFFIX=it mv -bT sub .g",
            "VERSION_CONTROL=simple cp -b x.txt y",
        ],
        false,
    );
    repository().confined(
        &[
            "mv -b x.txt notes/y.txt",
            "cp --backup=numbered x.txt notes/n.txt",
            "cp -b x.txt notes",
            "cp -S .old x.txt .",
        ],
        true,
    );
}

#[test]
fn links_that_are_moved_or_copied() {
    repository().confined(
        &[
            "mv sub/rel rel && cat rel",
            "cp -a sub/rel . && echo x > rel",
            "cp -P sub/rel y && cat y",
            "cp -d sub/rel . && cat < rel",
            "git mv sub/rel rel && cat rel",
            "mv sub/deep . && cat deep/rel2",
            "mv sub/deep . && cat deep/*",
            "mv sub/deep . && cd deep && cat rel2",
            "cp -r sub/deep q && echo x > q/rel2",
            "mv sub/* archive/ && cat archive/rel",
            "mv sub/re? archive/ && cat archive/rel",
            "mv sub/rel REL && cat rel",
            "mv sub/rel rel; cp rel y; cat y",
            "mv sub/rel rel; mv rel y; cat y",
            "cp -P sub/rel notes/ && cp -r notes more && cat more/rel",
            "for f in a b; do cat rel; mv sub/rel rel; done",
            "cat rel & mv sub/rel rel",
            "mv broken notes/b && cat notes/b",
            "cd sub/deep && cp -s ../c.txt . && mv c.txt ../../c.txt && cat ../../c.txt",
            "cp --sym x.txt y",
            "rm -rf notes && mkdir notes && cat sub/rel",
            "mv --exchange x.txt sub/rel && cat x.txt",
            "cd sub/deep && mv ../deep ../../deep && cat ../../x.txt",
            "cd sub/deep && mv ../dee? ../../archive && cat ../../x.txt",
            "cd sub/deep && mv ../../sub/deep ../../deep && git -C ../.. status",
            "cd sub/deep && git mv ../deep ../../deep && echo x > ../../x.txt",
        ],
        false,
    );
    repository().confined(
        &[
            "mv x.txt y && cat y",
            "mv x.txt notes/ && cat notes/x.txt notes/n.txt",
            "mv notes archive/ && cat archive/notes/n.txt",
            "cp -r notes more && echo x > more/n.txt && ls more",
            "mkdir -p a/b && cp -r notes a/b/ && mv a/b/notes a/y && cat a/y/n.txt && rm -rf a/b",
            "mv notes/*.txt archive/ && cat archive/n.txt",
            "mv sub/rel archive/rel",
            "mv sub/rel rel && rm rel",
            "cat sub/rel",
            "echo x > new && mv new newer && cat newer",
        ],
        true,
    );
}

#[test]
fn links_that_git_brings() {
    let texts = [
        "git pull; echo x > zz",
        "git pull && cat notes/n.txt",
        "git pull --rebase; cp x.txt y",
        "git merge other && cat zz",
        "git reset --hard HEAD~1; rm -rf d/sub",
        "git reset --keep x; cat < zz",
        "git rebase origin/main && mv a b",
        "git worktree add wt2 && cat wt2/zz",
        "git worktree add wt2 && cd wt2/zz",
        "git pull; cd d && ls",
        "git pull; ls *",
        "git pull; find d -name x",
        "git pull; git mv a d/b",
        "git pull; git -C d status",
        "git pull; git commit -F d/x",
        "git pull; git worktree add d/x",
        "git pull; git diff --no-index d/a b",
        "git pull; cp -r . notes",
        "for i in 1 2; do cat zz; git pull; done",
        "cat zz & git pull",
        "git checkout x; cat zz",
        "git stash pop; cat zz",
    ];
    repository().confined(&texts, false);
    repository().confined(&["cd notes && git pull && git status"], false);
    for text in texts {
        assert!(super::inside(text).is_err(), "{text}");
    }
    let fine = [
        "cat x.txt && git pull",
        "git pull && git add -A && git commit -m x && git push",
        "git pull && git add notes/n.txt && git rm x.txt && git log --oneline -- notes",
        "git pull && git status && ls",
        "git reset --hard HEAD~1 && git log && find . -name x",
        "git reset -q x.txt && cat x.txt",
        "git restore --staged . && cat x.txt",
        "git worktree add wt2 && cd wt2 && git status && git pull && git push",
        "git pull; rm x.txt",
        "git fetch && cat x.txt",
    ];
    repository().confined(&fine, true);
    for text in fine {
        assert!(super::inside(text).is_ok(), "{text}: {:?}", super::inside(text));
    }
}

#[test]
fn remotes_that_are_paths() {
    repository().confined(
        &[
            "git push out main",
            "git fetch out",
            "git pull sub main",
            "git fetch named",
            "git fetch x.txt",
            "git push broken",
            "cd notes && git fetch sub",
            "cd notes && git fetch archive",
            "git remote show sub",
            "mkdir -p r && git push r",
            "echo 'gitdir: /x' > r && git fetch r",
            "git pull && git fetch r",
        ],
        false,
    );
    assert!(super::inside("echo 'gitdir: /x' > r && git fetch r").is_err());
    repository().confined(
        &[
            "git push origin main",
            "git fetch upstream",
            "cd notes && git pull origin",
            "git remote show origin",
        ],
        true,
    );
}

#[test]
fn worktrees_are_found_by_the_end_of_their_path() {
    repository().confined(
        &[
            "git worktree remove --force foo",
            "git worktree remove elsewhere/foo",
            "git worktree remove both",
            "git worktree remove FOO",
        ],
        false,
    );
    repository().confined(
        &["git worktree remove inner", "git worktree remove wt/inner", "git worktree remove ./foo"],
        true,
    );
    assert!(super::inside("git worktree remove foo").is_err());
    assert!(super::inside("git worktree remove --force ../memory-worktrees/foo").is_ok());
}

#[test]
fn trees_are_copied_over_links() {
    repository().confined(
        &[
            "cp -r src dst",
            "cp -r src/. dst/src",
            "cp -rT src dst/src",
            "cp -a src dst/",
            "cp -r -t dst src",
            "cp -r src flat/../dst",
        ],
        false,
    );
    repository().confined(
        &["cp -r src flat", "cp -r src/. over", "cp -rT src over", "cp -r src new", "cp -r notes ."],
        true,
    );
}

#[test]
fn repositories_that_go_away() {
    repository().confined(
        &[
            "rm -rf .git; git reset --hard",
            "mv .git g && git reset --hard",
            "mv .git g; git config user.name x",
            "rm -rf .gi? && git status",
            "rm -rf .g* ; git status",
            "rm -rf nested && mkdir nested && git -C nested config user.name x",
            "rm -rf nes* && mkdir nested && git -C nested config user.name x",
            "rm -rf . ; git status",
            "mv -bT x.txt nested && git -C nested config user.name x",
            "mv -T --backup notes nested && git -C nested config user.name x",
            "git -C linked status; rm -rf store; git -C linked reset --hard",
            "for i in 1 2; do git add -A; rm -rf .git; done",
        ],
        false,
    );
    assert!(super::inside("rm -rf .git; git reset --hard").is_err());
    repository().confined(
        &["git status; rm -rf .git", "rm -rf notes && git add -A", "rm -rf *.txt && git add -A"],
        true,
    );
}

#[test]
fn editors_are_programs() {
    for text in [
        "git commit",
        "git commit -a",
        "git commit --amend",
        "git commit --fixup=amend:HEAD",
        "git commit --fixup=reword:HEAD",
        "git tag -a v1",
        "git tag --annotate v1",
        "git merge --continue",
        "git rebase --continue",
    ] {
        assert!(super::inside(text).is_err(), "{text}");
    }
    for text in [
        "git commit -m x",
        "git commit -qam x",
        "git commit -F notes/message",
        "git commit --amend --no-edit",
        "git commit --amend -C HEAD",
        "git commit --fixup=HEAD",
        "git commit --dry-run",
        "git tag v1",
        "git tag -a v1 -m x",
        "git tag -am x v1",
        "git tag -d v1",
        "git rebase --abort",
    ] {
        assert!(super::inside(text).is_ok(), "{text}: {:?}", super::inside(text));
    }
}
