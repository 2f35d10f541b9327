//! Names that the text only describes, in a tree with links that lead out of it and names with line feeds in them: with a resolver nothing is read or written through them unasked.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::{fs, io, os::unix::fs::symlink};

use portcullis_paths::{Entry, EntryKind, FileKind, OsResolver, Resolver};
use portcullis_shell_analysis::{EffectKind, PathTarget, Settings, analyze};

#[path = "links/tree.rs"]
mod tree;

use tree::{LINKED, Tree};

#[test]
fn globs_through_links() {
    let tree = Tree::new(LINKED);
    tree.judged(
        &[
            "cat */secret.txt",
            "cat ?/secret.txt",
            "cat [k]/secret.txt",
            "cat k*",
            "cat l*",
            "cat ?",
            "cat *",
            "cat -- *",
            "head -1 [[:lower:]]",
            "cat */*/x.txt",
            "cat */deep/x.txt",
            "cat ./*/secret.txt",
            "cat src/../?/secret.txt",
            "cat src/../*",
            "cat lib/*",
            "cat lib/s*",
            "cat \"$PWD\"/l*",
            "cat .h*/secret.txt",
            "cat .[h]*/secret.txt",
            "cat < l*",
            "cat < ?",
            "wc -l k/*",
            "grep -r x *",
            "grep -r x */",
            "rg x */",
            "diff a.txt ?",
            "for d in *; do cat \"$d/secret.txt\"; done",
            "for d in */; do cat \"$d\"secret.txt; done",
            "for f in l*; do cat \"$f\"; done",
            "for f in *; do cat \"./$f\"; done",
            "x='*'; cat $x",
            "x='?/secret.txt'; cat $x",
            "cat {k,l}*",
            "find k* -name x -exec cat {} +",
            "find */ -name secret.txt -exec cat {} +",
            "cd k*; cat secret.txt",
            "cd */",
            "jq . l*",
            "sed -n p ./l*",
            "awk 1 ./l*",
            "[[ -f a.txt ]] && cat l*",
            "test -e l && sort -- l*",
            "git diff --no-index a.txt ./l*",
            "tar -cf - *",
            "base64 ?",
            "ls * | xargs -d '\\n' cat",
        ],
        false,
    );
    tree.judged(
        &[
            "cat *.txt",
            "cat src/*",
            "cat src/*/*",
            "cat */a.txt",
            "cat [d]ocs/*",
            "head -3 docs/*.txt ?.txt",
            "ls *",
            "ls -d */ k*",
            "ls -RL *",
            "du -L ?",
            "tree -l ./*",
            "stat *",
            "find -L ./*/ -name x",
            "cat nothing*",
            "cat src/nothing*/x",
            "cat '[x]'/*",
            "cat \\[x]/*",
            "for f in *.txt; do cat \"$f\"; done",
            "for f in src/*; do cat \"$f/b.txt\"; done",
            "grep -rn x src/*",
            "echo *",
            "cat *.txt | sort | uniq -c",
            "for d in */; do ls \"$d\"; done",
        ],
        true,
    );
}

#[test]
fn confined_globs() {
    let tree = Tree::new(LINKED);
    tree.confined(
        &[
            "cp a.txt l*",
            "cp a.txt ?",
            "cp a.txt n*",
            "mv a.txt [l]",
            "echo x > ?/secret.txt",
            "echo x > l*",
            "echo x > ne?",
            "echo x >> [n]ew",
            "cd */",
            "cd k*",
            "rm -r */x.txt",
            "rm -r */deep",
            "rm k*/secret.txt",
            "cat */secret.txt",
            "cat l*",
            "ls k*/",
            "mkdir ?/d",
            "sort -o l* a.txt",
            "for f in *; do echo x > \"$f\"; done",
            "for d in *; do rm \"$d/secret.txt\"; done",
            "git add k*/secret.txt",
            "find k*",
            "find -L .",
            "find . -follow -name x",
            "ls -RL",
            "ls -lL src",
            "ls --dereference",
            "head -1 < l*",
        ],
        false,
    );
    tree.confined(
        &[
            "cp a.txt src/n*",
            "cp *.txt docs/",
            "mv b.txt ./[s]rc/",
            "rm -r src/*",
            "rm src/*.txt",
            "cat */a.txt",
            "echo x > src/?.txt",
            // There is none in `k`.
            "echo x > ?/y",
            "for f in *.txt; do echo x > \"$f\"; done",
            "git add -- *.txt",
            "wc -l ./*/a.txt",
        ],
        true,
    );
}

#[test]
fn recursion_through_links() {
    let tree = Tree::new(LINKED);
    fs::create_dir(format!("{}/src/more", tree.roots[0])).unwrap();
    let inside = [
        "grep -R x src",
        "grep -Rn --include=*.txt x src/",
        "grep --dereference-recursive x src docs",
        "rg -L x src",
        "rg --follow x docs src",
        "tar -chf - src | wc -c",
        "diff -r src docs",
        "diff src docs",
        "diff -rN a.txt b.txt",
        "grep -R x src/*",
    ];
    let outside = [
        "grep -R x .",
        "grep -R x",
        "grep -Rl x lib",
        "grep -R x lib/",
        "grep -R x src lib",
        "grep -R x li*",
        "grep -R x *",
        "rg -L x",
        "rg --follow x lib",
        "ag -f x lib",
        "ag --follow x lib",
        "tar -chf - .",
        "tar -ch lib",
        "diff -r lib docs",
        "diff lib docs",
        "diff -rN src lib",
        "diff -r src .",
        "cd lib && grep -R x .",
    ];
    tree.judged(&inside, true);
    tree.judged(&outside, false);
    tree.judged(&["grep -r x .", "grep -rn x lib", "rg x", "diff -r --no-dereference src lib"], true);
    let settings = Settings { allow_external_paths: true, ..tree.settings() };
    for text in inside.iter().chain(&outside) {
        assert!(analyze(text, &settings).read_only(), "{text}");
    }
    // A link in a directory that a link leads to.
    symlink("../../lib", format!("{}/src/more/lib", tree.roots[0])).unwrap();
    tree.judged(&["grep -R x src", "diff -r src docs", "find src -exec cat {}/secret.txt \\;"], false);
}

/// What a link leads to is an effect of its own, for rules about paths.
#[test]
fn links_are_effects() {
    let tree = Tree::new(&["a.txt", "d/.env.txt", "x -> d/.env.txt"]);
    let analysis = analyze("cat ? && find . -exec cat {} +", &tree.settings());
    assert!(analysis.read_only());
    let paths: Vec<&str> = analysis
        .invocations
        .iter()
        .flat_map(|invocation| &invocation.effects)
        .filter_map(|effect| match &effect.kind {
            EffectKind::Read { path: PathTarget::Path(path), .. } => Some(path.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(paths, [format!("{}/x", tree.roots[0])]);
}

/// A file system in which some directories hold very many files, and some cannot be listed.
struct Crowded;

impl Resolver for Crowded {
    fn realpath(&self, path: &str) -> io::Result<String> {
        OsResolver.realpath(path)
    }

    fn kind(&self, path: &str) -> Option<FileKind> {
        OsResolver.kind(path)
    }

    fn read(&self, path: &str, limit: usize) -> io::Result<Vec<u8>> {
        OsResolver.read(path, limit)
    }

    fn entries(&self, directory: &str, limit: usize) -> io::Result<Vec<Entry>> {
        match directory.rsplit('/').next() {
            Some("closed") => return Err(io::Error::from(io::ErrorKind::PermissionDenied)),
            Some("1" | "2" | "3") => {}
            _ => return OsResolver.entries(directory, limit),
        }
        let names = (0..30_000).map(|number| Entry { name: format!("{number}.txt"), kind: EntryKind::Other });
        let entries: Vec<Entry> = names.take(limit + 1).collect();
        if entries.len() > limit { Err(io::Error::from(io::ErrorKind::FileTooLarge)) } else { Ok(entries) }
    }
}

/// What cannot be listed, or not within bounds, is not known: it is asked about.
#[test]
fn what_is_not_known_asks() {
    let tree = Tree::new(&["a.txt", "many/1", "many/2", "many/3", "some/closed", "some/open/a.txt"]);
    let settings = Settings { resolver: Some(&Crowded), ..tree.settings() };
    for (text, right) in [
        ("cat many/*/*", false),
        ("find many -exec cat {} +", false),
        ("find . -exec cat {} +", false),
        ("find . -type f | while read -r f; do cat \"$f\"; done", false),
        ("cat some/*/*", false),
        ("cat some/closed/*", false),
        ("find some -exec cat {} +", false),
        ("cat many/[12]*/*", false),
        ("cat many/1*/*", true),
        ("cat *.txt many/1/*", true),
        ("find many/1 -exec cat {} +", true),
        ("for i in a b c d e f g; do cat many/1/*; done", true),
        ("find . -type f -exec cat {} +", true),
        ("find . -type f -print0 | xargs -0 cat", true),
        ("cat some/open/*", true),
        ("ls many/* some/*/*", true),
    ] {
        assert_eq!(analyze(text, &settings).read_only(), right, "{text}");
    }
    // A resolver that does not say how to list.
    struct Bare;
    impl Resolver for Bare {
        fn realpath(&self, path: &str) -> io::Result<String> {
            Ok(path.to_owned())
        }
        fn kind(&self, _path: &str) -> Option<FileKind> {
            None
        }
        fn read(&self, _path: &str, _limit: usize) -> io::Result<Vec<u8>> {
            Err(io::Error::from(io::ErrorKind::NotFound))
        }
    }
    let settings = Settings { resolver: Some(&Bare), ..tree.settings() };
    assert!(!analyze("cat *", &settings).read_only());
    assert!(analyze("cat a.txt", &settings).read_only());
}

/// Without a file system to look at, paths are judged as they are written.
#[test]
fn without_a_resolver() {
    let tree = Tree::new(LINKED);
    let settings = Settings { resolver: None, ..tree.settings() };
    for (text, right) in [
        ("cat */secret.txt", true),
        ("find . -name x | while read -r f; do cat \"$f\"; done", true),
        ("cat l", true),
        ("cat */../../x", false),
        ("cat .*/x", false),
        ("find . -print0 | xargs -d '\\n' cat", false),
    ] {
        assert_eq!(analyze(text, &settings).read_only(), right, "{text}");
    }
}
