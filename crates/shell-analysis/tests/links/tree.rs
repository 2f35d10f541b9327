//! A project with links that lead out of it.
#![allow(dead_code, reason = "each test file uses its part")]

use std::{fs, os::unix::fs::symlink};

use portcullis_paths::OsResolver;
use portcullis_shell_analysis::{Confinement, Settings, analyze, confined_to};

/// A project and what lies beside it.
pub(crate) struct Tree {
    _directory: tempfile::TempDir,
    pub(crate) top: String,
    pub(crate) roots: [String; 1],
}

impl Tree {
    /// Files end in `.txt`; a path with `->` is a link.
    pub(crate) fn new(paths: &[&str]) -> Self {
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

    pub(crate) fn settings(&self) -> Settings<'_> {
        Settings {
            home: Some(&self.top),
            resolver: Some(&OsResolver),
            ..Settings::new(&self.roots[0], &self.roots)
        }
    }

    pub(crate) fn judged(&self, texts: &[&str], right: bool) {
        let wrong: Vec<String> = texts
            .iter()
            .map(|text| (text, analyze(text, &self.settings())))
            .filter(|(_, analysis)| analysis.read_only() != right)
            .map(|(text, analysis)| format!("{text}: {:?}", analysis.blockers.first().map(|one| &one.reason)))
            .collect();
        assert!(wrong.is_empty(), "read-only should be {right}:\n{}", wrong.join("\n"));
    }

    pub(crate) fn confined(&self, texts: &[&str], right: bool) {
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
pub(crate) const LINKED: &[&str] = &[
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
