//! Names of files that are flags, in a project that is on disk: what a wildcard or a list of names puts into an argv is
//! read as the program reads it.
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

use portcullis_shell_analysis::{EffectKind, PathTarget, Settings, analyze};

#[path = "links/tree.rs"]
mod tree;

use tree::Tree;

/// A project with a file of each name.
fn project(names: &[&str]) -> Tree {
    let tree = Tree::new(&["a.txt", "b.txt", "src/a.txt"]);
    for name in names {
        fs::write(format!("{}/{name}", tree.roots[0]), "x\n").unwrap();
    }
    tree
}

/// Whether everything below the project, or below `what` in it, is read.
fn reads_below(tree: &Tree, text: &str, what: &str) -> bool {
    let place = if what.is_empty() { tree.roots[0].clone() } else { format!("{}/{what}", tree.roots[0]) };
    let analysis = analyze(text, &tree.settings());
    analysis.invocations.iter().flat_map(|invocation| &invocation.effects).any(|effect| {
        matches!(&effect.kind, EffectKind::Read { path: PathTarget::Path(path), recursive: true }
            if path.trim_end_matches("/.") == place)
    })
}

/// Whether `name` in the project is read as a file of its own.
fn reads(tree: &Tree, text: &str, name: &str) -> bool {
    let place = format!("{}/{name}", tree.roots[0]);
    let analysis = analyze(text, &tree.settings());
    analysis.invocations.iter().flat_map(|invocation| &invocation.effects).any(
        |effect| matches!(&effect.kind, EffectKind::Read { path: PathTarget::Path(path), .. } if *path == place),
    )
}

#[test]
fn recursion_is_seen() {
    for name in ["-r", "-R", "-rn", "-nr", "--recursive", "-drecurse", "--directories=recurse", "-drec"] {
        let tree = project(&[name]);
        for (text, what) in [
            ("grep zz * src", "src"),
            ("grep -h zz * src", "src"),
            ("egrep zz * src", "src"),
            ("grep -e zz * src", "src"),
            ("grep zz [!a]* src", "src"),
            ("grep zz ?* src", "src"),
            ("grep zz -* src", "src"),
            ("grep zz {*,src}", "src"),
            ("grep zz *.txt * src", "src"),
            ("grep zz * * src", "src"),
            ("for f in *; do grep zz \"$f\" src; done", "src"),
            // The pattern is what stands first then.
            ("for f in *; do grep \"$f\" zz; done", ""),
            ("x='*'; grep zz $x src", "src"),
            ("(cd src && cd .. && grep zz * src)", "src"),
            ("timeout 5 grep zz * src", "src"),
            ("bash -c 'grep zz * src'", "src"),
        ] {
            let seen = reads_below(&tree, text, what) || !analyze(text, &tree.settings()).read_only();
            assert!(seen, "{name}: {text}");
        }
        // Behind `--`, with something in front or elsewhere it is a name.
        for text in ["grep zz -- * src", "grep zz ./* src", "cd src && grep zz * ../src", "grep zz *.txt src"]
        {
            assert!(!reads_below(&tree, text, "src"), "{name}: {text}");
            assert!(analyze(text, &tree.settings()).read_only(), "{name}: {text}");
        }
    }
    let tree = project(&["-r"]);
    tree.judged(&["grep zz * src", "grep zz *", "cat *", "ls *", "wc -w -- *"], true);
    assert!(reads_below(&tree, "grep zz * src", "src") && reads_below(&tree, "grep zz ?r", ""));
}

#[test]
fn lists_of_files_are_seen() {
    let tree = project(&["--files0-from=.env", ".env"]);
    let all = [
        "wc *",
        "wc -l *",
        "du *",
        "du -sh *",
        "for f in *; do wc \"$f\"; done",
        "for f in *; do du -sh \"$f\"; done",
        "wc [!a]*",
        "wc ?-files*",
        "wc -*",
        "wc {*,a.txt}",
    ];
    for text in all {
        let seen = reads(&tree, text, ".env") || !analyze(text, &tree.settings()).read_only();
        assert!(seen, "{text}");
    }
    tree.judged(
        &[
            "ls | while read -r f; do wc \"$f\"; done",
            "ls | xargs -d '\\n' wc",
            "ls | while IFS= read -r f; do du -sh \"$f\"; done",
            "for f in *; do wc $f; done",
            "for f in *; do du $f; done",
            "set -- *; du \"$@\"",
            "a=(*); du \"${a[@]}\"",
            "select f in *; do du \"$f\"; done",
            "printf '%s\\n' * | xargs -d '\\n' du",
            "ls | xargs du",
            "du $(ls)",
            "sort *",
        ],
        false,
    );
    tree.judged(
        &[
            "wc -- *",
            "wc ./*",
            "wc *.txt",
            "du -sh ./*",
            "cat *",
            "head -1 *",
            "ls -la *",
            "echo *",
            "find . -type f -exec wc {} +",
            "find . -print0 | xargs -0 wc",
            "cd src && wc *",
            "ls src | while read -r f; do wc \"src/$f\"; done",
            "cd src && ls | while read -r f; do wc \"$f\"; done",
        ],
        true,
    );
    // Cut to what is still its name.
    for name in ["--files0=.env", "--f=.env"] {
        let tree = project(&[name, ".env"]);
        tree.judged(&["wc *", "du *", "for f in *; do wc \"$f\"; done"], false);
    }
    // A link may be in the list.
    let tree = Tree::new(&["a.txt", "l -> ../out/secret.txt"]);
    fs::write(format!("{}/--files0-from=l", tree.roots[0]), "").unwrap();
    tree.judged(&["du *", "du -sh [!l]*"], false);
}

#[test]
fn other_flags_are_what_they_are() {
    for (name, text) in [
        ("-f.env", "grep *"),
        ("--file=.env", "grep *"),
        ("-X.env", "du *"),
        ("--exclude-from=.env", "du [!a]*"),
        ("-f.env", "rg zz *"),
        ("-f.env", "git grep zz *"),
    ] {
        let tree = project(&[name, ".env"]);
        let seen = reads(&tree, text, ".env") || !analyze(text, &tree.settings()).read_only();
        assert!(seen, "{name}: {text}");
    }
    // A flag that takes the next word, one that nobody knows, one that writes.
    for (name, text) in [("-f", "grep zz *"), ("-e", "grep zz *"), ("-Q", "wc *"), ("-oa.txt", "sort *")] {
        project(&[name]).judged(&[text], false);
    }
    // Harmless ones.
    let tree = project(&["-n", "--count"]);
    tree.judged(&["grep zz *", "grep -h zz [!z]*", "for f in *; do grep zz \"$f\"; done"], true);
}

#[test]
fn names_that_the_text_makes_count() {
    let tree = project(&[]);
    let made = "mkdir x; echo > -r; grep zz * src";
    assert!(reads_below(&tree, made, "src"));
    assert!(!reads_below(&tree, "mkdir x; echo > r; grep zz * src", "src"));
}

#[test]
fn nothing_else_is_asked() {
    let tree = project(&["n-r", "--.txt~"]);
    fs::remove_file(format!("{}/--.txt~", tree.roots[0])).unwrap();
    tree.judged(
        &[
            "grep -n x *.txt",
            "grep -n x *",
            "wc -l *",
            "du -sh *",
            "for f in *; do wc -l \"$f\"; done",
            "ls | while read -r f; do wc -l \"$f\"; done",
            "ls | xargs -d '\\n' wc -l",
        ],
        true,
    );
    // Nobody looks: as it is written.
    let settings = Settings { resolver: None, ..tree.settings() };
    fs::write(format!("{}/-r", tree.roots[0]), "").unwrap();
    for text in ["grep -n x *", "wc -l *", "du -sh *", "ls | while read -r f; do wc -l \"$f\"; done"] {
        assert!(analyze(text, &settings).read_only(), "{text}");
    }
}

#[test]
fn many_such_names_are_not_known() {
    let names: Vec<String> = (0..20).map(|number| format!("-n{number}")).collect();
    let tree = project(&names.iter().map(String::as_str).collect::<Vec<_>>());
    tree.judged(&["grep zz *", "wc *", "du *"], false);
    tree.judged(&["cat ./*", "ls *", "echo *"], true);
}
