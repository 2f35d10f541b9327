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
use portcullis_shell_analysis::{Confinement, EffectKind, PathTarget, Settings, analyze, confined_to};

/// A project and what lies beside it.
struct Tree {
    _directory: tempfile::TempDir,
    top: String,
    roots: [String; 1],
}

impl Tree {
    /// Files end in `.txt`; a path with `->` is a link.
    fn new(paths: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(directory.path()).unwrap().to_str().unwrap().to_owned();
        fs::create_dir_all(format!("{top}/out/deep")).unwrap();
        fs::write(format!("{top}/out/secret.txt"), "secret").unwrap();
        fs::write(format!("{top}/out/deep/x.txt"), "secret").unwrap();
        let root = format!("{top}/repo");
        fs::create_dir(&root).unwrap();
        for path in paths {
            let (name, target) = path.split_once(" -> ").map_or((*path, None), |(name, to)| (name, Some(to)));
            let path = format!("{root}/{name}");
            fs::create_dir_all(path.rsplit_once('/').unwrap().0).unwrap();
            match target {
                Some(target) => symlink(target, path).unwrap(),
                None if name.ends_with(".txt") => fs::write(path, "x\n").unwrap(),
                None => fs::create_dir_all(path).unwrap(),
            }
        }
        Self { _directory: directory, top, roots: [root] }
    }

    fn settings(&self) -> Settings<'_> {
        Settings {
            home: Some(&self.top),
            resolver: Some(&OsResolver),
            ..Settings::new(&self.roots[0], &self.roots)
        }
    }

    fn judged(&self, texts: &[&str], right: bool) {
        let wrong: Vec<String> = texts
            .iter()
            .map(|text| (text, analyze(text, &self.settings())))
            .filter(|(_, analysis)| analysis.read_only() != right)
            .map(|(text, analysis)| format!("{text}: {:?}", analysis.blockers.first().map(|one| &one.reason)))
            .collect();
        assert!(wrong.is_empty(), "read-only should be {right}:\n{}", wrong.join("\n"));
    }

    fn confined(&self, texts: &[&str], right: bool) {
        let place = Confinement {
            cwd: Some(&self.roots[0]),
            home: Some(&self.top),
            resolver: Some(&OsResolver),
            ..Confinement::new(&self.roots)
        };
        let wrong: Vec<String> = texts
            .iter()
            .map(|text| (text, confined_to(text, &place)))
            .filter(|(_, answer)| answer.is_ok() != right)
            .map(|(text, answer)| format!("{text}: {answer:?}"))
            .collect();
        assert!(wrong.is_empty(), "confined should be {right}:\n{}", wrong.join("\n"));
    }
}

/// Links out and inside, plain files and a name that looks like a pattern.
const LINKED: &[&str] = &[
    "a.txt",
    "b.txt",
    "src/a.txt",
    "src/deep/b.txt",
    "docs/in.txt -> ../a.txt",
    "docs/a.txt",
    "k -> ../out",
    "l -> ../out/secret.txt",
    "new -> ../out/new.txt",
    "lib/secret.txt -> ../../out/secret.txt",
    "[x]/a.txt",
    ".hidden -> ../out",
];

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
