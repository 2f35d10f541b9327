//! Names that one program prints for another: they may lead out through links, and may hold line feeds.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::fs;

#[path = "links/tree.rs"]
mod tree;

use tree::{LINKED, Tree};

#[test]
fn names_that_lead_out() {
    let tree = Tree::new(LINKED);
    let reading = [
        "find . -exec cat {} +",
        "find . -exec cat {} \\;",
        "find . -name '*.txt' -exec cat {} +",
        "find . -name l -exec cat {} +",
        "find . -name '[l]' -exec head {} +",
        "find . -type l -exec cat {} +",
        "find . ! -type f -exec cat {} +",
        "find . -type f -o -exec cat {} +",
        "find . -exec cat {} + -type f",
        "find . -xtype f -exec cat {} +",
        "find -L . -type f -exec cat {} +",
        "find . -follow -type f -exec cat {} +",
        "find -H k -type f -exec cat {} +",
        "find k/ -type f -exec cat {} +",
        "find . -print0 | xargs -0 cat",
        "find . -name '*.txt' -print0 | xargs -0 -n1 cat",
        "find . -print -type f | while read -r f; do cat \"$f\"; done",
        "find . -maxdepth 1 | while IFS= read -r f; do cat \"$f\"; done",
        "find . -type d | while read -r d; do cat \"$d/secret.txt\"; done",
        "find . -name lib | while read -r d; do cat \"$d/secret.txt\"; done",
        "find . -name k | while read -r d; do cat \"$d/secret.txt\"; done",
        "git ls-files | while IFS= read -r f; do cat \"$f\"; done",
        "git ls-files -z | xargs -0 cat",
        "ls | while read -r f; do cat \"$f\"; done",
        "git ls-files docs | while IFS= read -r f; do cat \"$f-x\"; done",
        "ls src | while read -r f; do cat \"lib/$f\"; done",
        "fd . | while read -r f; do cat \"$f\"; done",
        "fd -t l . | while read -r f; do cat \"$f\"; done",
        "rg --files | while read -r f; do cat \"lib/$f\"; done",
        "while IFS= read -r f; do cat \"$f\"; done < <(find . -name 'l*')",
    ];
    tree.judged(&reading, false);
    tree.judged(
        &[
            "find src -exec cat {} +",
            "find . -type f -exec cat {} +",
            "find . -type f -name '*.txt' -print0 | xargs -0 cat",
            "find . -name 'a.*' -exec cat {} +",
            "find . -name in.txt -exec cat {} +",
            "find docs src -type f -exec head -1 {} +",
            "find . -name '*.rs' -print0 | xargs -0 cat",
            "find . -name b.txt | while read -r f; do cat \"$f\"; done",
            "find src -type d | while read -r d; do cat \"$d/a.txt\"; done",
            "rg -l x | while read -r f; do cat \"$f\"; done",
            "rg -l0 x | xargs -0 head -1",
            "fd -t f . | while read -r f; do cat \"./$f\"; done",
            "ls src | while read -r f; do cat \"src/$f\"; done",
            "rg --files src | xargs -d '\\n' wc -l",
            "find . -ls",
            "find -L . -name x",
        ],
        true,
    );
    // Nothing leads out any more.
    for link in ["k", "l", "new", "lib/secret.txt", ".hidden"] {
        fs::remove_file(format!("{}/{link}", tree.roots[0])).unwrap();
    }
    let still = ["-follow", "-L ", "-H ", "k/"];
    let others: Vec<&str> =
        reading.into_iter().filter(|text| still.iter().all(|word| !text.contains(word))).collect();
    tree.judged(&others, true);
}

#[test]
fn names_with_line_feeds() {
    let tree = Tree::new(&["a.txt", "src/a.txt", "odd/a\n/x.txt", "-n.txt"]);
    let lines = [
        "find . -name '*' -print | xargs -d '\\n' cat",
        "find . -type f | while IFS= read -r f; do cat \"$f\"; done",
        "rg -l x | xargs -d '\\n' cat",
        "rg --files | while IFS= read -r f; do cat \"$f\"; done",
        "fd -t f | while read -r f; do cat \"$f\"; done",
        "ls odd | while read -r f; do cat \"odd/$f\"; done",
        "find . -type f | sort | head -5 | while read -r f; do cat \"$f\"; done",
        "while IFS= read -r f; do cat \"$f\"; done < <(find . -type f)",
    ];
    let never = [
        // Another separator than the one that is written.
        "find . -type f | xargs -0 cat",
        "find . -type f -print0 | xargs -d '\\n' cat",
        "find . -type f -print0 | sort | xargs -0 cat",
        "find . -type f -print0 | grep x | xargs -0 cat",
        "find . -type f | sort -z | xargs -0 cat",
        "find . -type f -print0 -print | xargs -0 cat",
        "git ls-files -z | xargs -d '\\n' cat",
        "rg -l0 x | xargs -d '\\n' cat",
        "find . -type f -print0 | xargs -0 -d '\\n' cat",
        "find . -type f | xargs -d x cat",
        // Pieces of names.
        "find . -type f | while IFS= read -r -d / f; do cat \"$f\"; done",
        "find . -type f | while IFS= read -r -n 3 f; do cat \"$f\"; done",
        "find . -type f | while IFS= read -r -N3 f; do cat \"$f\"; done",
        "find . -type f | while IFS= read -rn3 f; do cat \"$f\"; done",
        "find . -type f | while IFS= read -r -t 0.01 f; do cat \"$f\"; done",
        "find . -type f | while IFS=/ read -r f; do cat \"$f\"; done",
        "find . -type f | while IFS=/ read -r a f; do cat \"$f\"; done",
        "find . -type f | while read -r -u 3 f; do cat \"$f\"; done",
        "find . -type f | while IFS= read -ra f; do cat \"${f[0]}\"; done",
        "find $'a\\n' -type f | while IFS= read -r f; do cat \"$f\"; done",
        "{ echo /etc/passwd; find . -type f; } | while read -r f; do cat \"$f\"; done",
        "(find . -type f; echo /etc/passwd) | xargs -d '\\n' cat",
        "if echo /etc/passwd; then find . -type f; fi | while read -r f; do cat \"$f\"; done",
        "{ echo /etc/passwd && find . -type f; } | while read -r f; do cat \"$f\"; done",
        "while find . -type f; do echo /etc/passwd; done | xargs -d '\\n' cat",
    ];
    let whole = [
        "find . -type f -print0 | xargs -0 cat",
        "find . -type f -print0 | sort -z | xargs -0 cat",
        "find . -type f -print0 | xargs -d '\\0' cat",
        "find . -print0 | while IFS= read -r -d '' f; do cat \"$f\"; done",
        "find . -print0 | while IFS= read -rd '' f; do cat \"$f\"; done",
        "rg -l0 x | xargs -0 cat --",
        "git ls-files -z | xargs -0 cat --",
        // git quotes such names.
        "git ls-files | xargs -d '\\n' cat --",
        "git grep -l x | while IFS= read -r f; do cat \"./$f\"; done",
        "git diff --name-only | while IFS=$'\\n' read -r f; do cat \"./$f\"; done",
        "find . -type f -exec cat {} +",
        // No such name there.
        "ls | while read -r f; do cat \"$f\"; done",
        "ls src | while read -r f; do cat \"src/$f\"; done",
        "git ls-files -- src | while read -r f; do cat \"./$f\" \"$f\"; done",
        "find src -type f | while read -r f; do cat \"$f\"; done",
        "rg --files src | xargs -d '\\n' cat",
    ];
    tree.judged(&lines, false);
    tree.judged(&never, false);
    tree.judged(&whole, true);
    fs::remove_dir_all(format!("{}/odd", tree.roots[0])).unwrap();
    tree.judged(&lines, true);
    tree.judged(&never, false);
    tree.judged(&whole, true);
    // A name that is read without its blanks is another one.
    fs::write(format!("{}/src/a.txt ", tree.roots[0]), "x").unwrap();
    tree.judged(&["rg --files | while read -r f; do cat \"$f\"; done"], false);
    tree.judged(&["rg --files | while IFS= read -r f; do cat \"$f\"; done"], true);
}

fn git(tree: &Tree, words: &[&str]) {
    let done = std::process::Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"])
        .args(words)
        .current_dir(&tree.roots[0])
        .env("HOME", &tree.top)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git: apt-get install git");
    assert!(done.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

const EMPTY: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// git prints names that are in its index or in a revision: a file of that name need not be there.
#[test]
fn names_that_git_has_stored() {
    let tree = Tree::new(&["a.txt", "src/a.txt"]);
    git(&tree, &["init", "-q"]);
    git(&tree, &["add", "-A"]);
    git(&tree, &["commit", "-qm", "x"]);
    let from_index = [
        "git ls-files -z | xargs -0 sort",
        "git ls-files | xargs -d '\\n' sort",
        "git ls-files . | xargs -d '\\n' sort",
        "git ls-files ./ | xargs -d '\\n' sort",
        "git ls-files '*.txt' | while IFS= read -r f; do sort \"$f\"; done",
        "git ls-files -m -z | xargs -0 sed -n p",
        "git ls-files -d | xargs -d '\\n' find",
        "git grep -lz x | xargs -0 rg x",
        "git grep -l x '*.txt' | while IFS= read -r f; do rg x \"$f\"; done",
        "git diff --name-only -z | xargs -0 sort",
        "git diff --name-only -z --diff-filter=ACMR HEAD~1 | xargs -0 sort",
        "git diff --cached --name-only --diff-filter=AM | xargs -d '\\n' sort",
        "git ls-files -z | xargs -0 grep x",
        "git ls-files -z | xargs -0 wc -l",
        "cd src && git ls-files -z | xargs -0 sort",
    ];
    let blanks = [
        "git ls-files | while read -r f; do cat \"$f\"; done",
        "git diff --name-only --diff-filter=AM HEAD | while read -r f; do cat \"$f\"; done",
    ];
    let from_trees = [
        "git ls-tree -z --name-only other | xargs -0 sed -n p",
        "git ls-tree --name-only other | while IFS= read -r f; do sort \"$f\"; done",
        "git ls-tree --name-only other . | xargs -d '\\n' sort",
        "git diff --name-only -z HEAD~1 | xargs -0 sort",
        "git diff --name-only -z --diff-filter=d HEAD~1 | xargs -0 sort",
        "git diff --name-only -z --diff-filter=AD HEAD~1 | xargs -0 sort",
        "git diff --name-only -z --diff-filter=A HEAD~1 HEAD | xargs -0 sort",
        "git diff --name-only -z --diff-filter=A HEAD~1..HEAD | xargs -0 sort",
        "git diff --name-only -z --diff-filter=A HEAD^! | xargs -0 sort",
        "git diff --name-only -z src | xargs -0 sort",
        "git diff --cached --name-only -z | xargs -0 sort",
        "git diff-tree -r --name-only -z HEAD~1 HEAD | xargs -0 find",
        "git diff-index --name-only -z HEAD | xargs -0 find",
        // An option that reads reads any file.
        "git ls-tree -rz --name-only other | xargs -0 wc -l",
        "git ls-tree -rz --name-only other | xargs -0 grep x",
        "git ls-tree --name-only other | while read -r f; do cat \"$f\"; done",
    ];
    let plain = [
        "git ls-files -z src | xargs -0 sort",
        "git ls-files -z src a.txt | xargs -0 sort",
        "git ls-files -z ./src | xargs -0 sort",
        "git ls-files -z -- src | xargs -0 sort",
        "git ls-files -z | xargs -0 sort --",
        "git ls-files | while IFS= read -r f; do sort \"./$f\"; done",
        "git ls-tree -rz --name-only other src | xargs -0 sort",
        "git ls-tree -z --name-only other | xargs -0 cat",
        "git ls-tree -z --name-only other | xargs -0 ls -l",
        "git ls-tree -z --name-only other | xargs -0 head -5",
        "git diff --name-only -z HEAD~1 -- src | xargs -0 sort",
        "git diff --name-only -z HEAD~1 | xargs -0 sort --",
        "git diff --name-only -z HEAD~1 | xargs -0 wc -l --",
        "git diff-tree -r --name-only HEAD~1 HEAD -- src a.txt | while IFS= read -r f; do sort \"$f\"; done",
        "git grep -lz x src | xargs -0 rg x",
        "git grep -lz x other | xargs -0 rg x",
    ];
    tree.judged(&from_index, true);
    tree.judged(&blanks, true);
    tree.judged(&from_trees, false);
    tree.judged(&plain, true);
    let add = |name: &str| {
        let entry = format!("100644,{EMPTY},{name}");
        git(&tree, &["hash-object", "-w", "/dev/null"]);
        git(&tree, &["update-index", "--add", "--cacheinfo", &entry]);
    };
    for version in ["2", "4"] {
        git(&tree, &["update-index", "--index-version", version]);
        add(" /etc/passwd");
        tree.judged(&blanks, false);
        tree.judged(&from_index, true);
        git(&tree, &["rm", "-qf", "--cached", " /etc/passwd"]);
        tree.judged(&blanks, true);
        add("-oX");
        tree.judged(&from_index[..from_index.len() - 1], false);
        tree.judged(&plain, true);
        git(&tree, &["rm", "-qf", "--cached", "--", "-oX"]);
        add("src/-oX");
        tree.judged(&from_index[from_index.len() - 1..], false);
        tree.judged(&from_index[..from_index.len() - 1], true);
        git(&tree, &["rm", "-qf", "--cached", "--", "src/-oX"]);
    }
    // An index that cannot be read says nothing.
    fs::write(format!("{}/.git/index", tree.roots[0]), "DIRC").unwrap();
    tree.judged(&from_index, false);
}
