//! A file system of its own for each test.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses a part of it")]

use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    process::Command,
};

use portcullis_paths::OsResolver;
use portcullis_trust::{
    Answer, Asker, Change, Decision, Inventory, Loosening, Project, Question, Request, SavedFiles, Store,
    StoreLayout, decide, inventory,
};

/// Settings that begin with `tighten` can only tighten.
pub fn reader(_path: &str, bytes: &[u8]) -> Option<Loosening> {
    let tightens = bytes.starts_with(b"tighten");
    (!tightens).then(|| Loosening { canonical: bytes.to_vec(), summary: vec!["allow Bash(*)".to_owned()] })
}

pub struct World {
    folder: tempfile::TempDir,
    pub base: PathBuf,
    pub root: String,
    pub home: String,
    pub store: Store,
}

impl World {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let text = |name: &str| {
            std::fs::create_dir_all(base.join(name)).unwrap();
            base.join(name).to_str().unwrap().to_owned()
        };
        let (root, home) = (text("work/app"), text("home"));
        let store = Store::new(StoreLayout::letta(Path::new(&home)));
        Self { folder, base, root, home, store }
    }

    pub fn path(&self, relative: &str) -> String {
        self.base.join(relative).to_str().unwrap().to_owned()
    }

    /// Writes a file below the base.
    pub fn write(&self, relative: &str, text: &str) -> String {
        let path = self.base.join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Writes a file of the project.
    pub fn put(&self, relative: &str, text: &str) -> String {
        self.write(&format!("work/app/{relative}"), text)
    }

    pub fn git(&self, directory: &str, arguments: &[&str]) {
        let ended = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "protocol.file.allow=always"])
            .args(arguments)
            .current_dir(self.base.join(directory))
            .env("HOME", &self.home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(ended.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }

    pub fn saved(&self) -> SavedFiles {
        self.store.saved().unwrap()
    }

    pub fn project<'a>(&'a self, root: &'a str, saved: &'a SavedFiles) -> Project<'a> {
        Project {
            root,
            home: Some(&self.home),
            settings_folder: ".letta",
            resolver: &OsResolver,
            settings: &reader,
            saved,
        }
    }

    pub fn inventory(&self) -> Inventory {
        inventory(&self.project(&self.root, &self.saved()))
    }

    /// Kind and name of everything that needs trust.
    pub fn names(&self) -> Vec<(String, String, usize)> {
        let describe = |resource: portcullis_trust::Resource| {
            let kind = resource.kind.as_str().to_owned();
            (kind, resource.path.replace(&format!("{}/", self.base.display()), ""), resource.files)
        };
        self.inventory().resources.into_iter().map(describe).collect()
    }

    /// Decides about a directory below the base.
    pub fn decide(&self, root: &str, flag: Option<bool>, asker: Option<&dyn Asker>) -> Decision {
        let (root, saved) = (self.path(root), self.saved());
        let project = self.project(&root, &saved);
        let store = Some(&self.store);
        decide(&Request { project, store, inherit: false, flag, asker, now_ms: 1_000 }).unwrap()
    }

    /// Whether the project is trusted when nobody can be asked.
    pub fn trusted(&self) -> bool {
        self.decide("work/app", None, None).trusted
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(&self.store.layout().trust).unwrap_or_default()
    }
}

/// Says always the same, and remembers what was asked.
pub struct Person {
    pub answer: Answer,
    pub asked: RefCell<Vec<Vec<Change>>>,
}

impl Person {
    pub fn new(answer: Answer) -> Self {
        Self { answer, asked: RefCell::default() }
    }
}

impl Asker for Person {
    fn ask(&self, question: &Question<'_>) -> Answer {
        self.asked.borrow_mut().push(question.changes.to_vec());
        self.answer
    }
}

/// What changed, in words.
pub fn changes(decision: &Decision) -> Vec<String> {
    decision
        .changes
        .iter()
        .map(|change| format!("{} {}", change.what.as_str(), change.name.as_deref().unwrap_or("?")))
        .collect()
}
