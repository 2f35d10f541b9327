//! A file system of its own for each test.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses a part of it")]

use std::{
    cell::RefCell,
    collections::HashMap,
    path::{Path, PathBuf},
};

use portcullis_loader::{Judges, Layout, Loaded, Places, SavedHashes, Scope, load};

pub struct World {
    folder: tempfile::TempDir,
    pub home: PathBuf,
    pub project: PathBuf,
    pub trusted: bool,
    pub tracked: bool,
    pub saved: Memory,
}

/// What we saved, in memory.
#[derive(Default)]
pub struct Memory(pub RefCell<HashMap<PathBuf, Vec<u8>>>);

impl SavedHashes for Memory {
    fn is_saved(&self, path: &Path, bytes: &[u8]) -> bool {
        self.0.borrow().get(path).is_some_and(|saved| saved == bytes)
    }

    fn record(&self, scope: Scope, path: &Path, before: Option<&[u8]>, after: &[u8]) -> Result<bool, String> {
        let ours = scope == Scope::Project || before.is_none_or(|before| self.is_saved(path, before));
        if ours {
            self.0.borrow_mut().insert(path.to_owned(), after.to_owned());
        }
        Ok(ours)
    }
}

impl World {
    pub fn new() -> Self {
        Self::within(&std::env::temp_dir())
    }

    /// Below this directory.
    pub fn within(directory: &Path) -> Self {
        let folder = tempfile::tempdir_in(directory).unwrap();
        let system = folder.path().canonicalize().unwrap();
        let home = system.join("home/u");
        let project = system.join("work/app");
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(&project).unwrap();
        Self { folder, home, project, trusted: false, tracked: false, saved: Memory::default() }
    }

    pub fn system(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub fn layout(&self, profile: &str) -> Layout {
        let system = self.system();
        let places = Places { system: &system, ..Places::new(Some(&self.home), None, &self.project) };
        match profile {
            "letta" => Layout::letta(&places),
            "claude" => Layout::claude(&places),
            _ => Layout::portcullis(&places),
        }
    }

    /// Writes the file of a scope in the letta profile.
    pub fn put(&self, scope: Scope, text: &str) -> PathBuf {
        self.put_in("letta", scope, text)
    }

    pub fn put_in(&self, profile: &str, scope: Scope, text: &str) -> PathBuf {
        let path = self.layout(profile).file(scope).unwrap().to_owned();
        self.write(&path, text);
        path
    }

    pub fn write(&self, path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Declares what stands in the local file as saved by us.
    pub fn own_local(&self, profile: &str) {
        let path = self.layout(profile).file(Scope::Local).unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        self.saved.0.borrow_mut().insert(path, bytes);
    }

    pub fn load(&self) -> Loaded {
        self.load_in("letta")
    }

    pub fn load_in(&self, profile: &str) -> Loaded {
        self.load_from(profile, &self.project)
    }

    pub fn load_from(&self, profile: &str, start: &Path) -> Loaded {
        let (trusted, tracked) = (self.trusted, self.tracked);
        let trust = move |_: &Path, _: &[u8]| trusted;
        let track = move |_: &Path| tracked;
        load(&self.layout(profile), start, &Judges { trust: &trust, saved: &self.saved, tracked: &track })
    }
}

/// The texts of rules.
pub fn labels(rules: &[portcullis_loader::SourcedRule]) -> Vec<String> {
    rules.iter().map(portcullis_loader::SourcedRule::label).collect()
}
