//! Which existing files the tables of sensitive paths mean: a sandbox takes paths, not globs.

use std::{collections::VecDeque, path::Path};

use portcullis_paths::{SensitivePaths, Table};
use portcullis_sandbox::ProtectedNames;

/// At most this many entries are looked at below the workspace...
const ENTRIES: usize = 100_000;
/// ...and at most this many paths of each kind become mounts.
const MOUNTS: usize = 128;

/// Trees of the kernel's: no project lies there, they change while they are walked, and no back end lets a
/// command at what they hold of others.
const KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Paths that exist.
#[derive(Debug)]
pub(super) struct Found {
    /// To be unreadable.
    pub(super) hidden: Vec<String>,
    /// To be read-only.
    pub(super) protected: Vec<String>,
    /// Everything below the roots was looked at, and everything found has its place.
    pub(super) complete: bool,
}

impl Default for Found {
    fn default() -> Self {
        Self { hidden: Vec::new(), protected: Vec::new(), complete: true }
    }
}

/// The path that a glob names without any wildcard but a final `/**`.
pub(super) fn literal(glob: &str) -> Option<&str> {
    let path = glob.strip_suffix("/**").unwrap_or(glob);
    (path.starts_with('/') && !path.contains(['*', '?', '[', '{', '\\', '!'])).then_some(path)
}

impl Found {
    /// Absolute rows of the tables that need no search.
    pub(super) fn literal(&mut self, tables: &SensitivePaths) {
        for (table, hide) in [(Table::Secret, true), (Table::ReadOnly, false)] {
            for glob in tables.globs(table) {
                if let Some(path) = literal(&glob) {
                    self.add(path, hide);
                }
            }
        }
    }

    /// Everything below `roots`, nearest first, links not followed.
    pub(super) fn walk(&mut self, tables: &SensitivePaths, protected: &ProtectedNames, roots: &[String]) {
        let mut queue: VecDeque<String> = roots.iter().cloned().collect();
        let mut looked = 0usize;
        while let Some(directory) = queue.pop_front() {
            let Ok(entries) = std::fs::read_dir(&directory) else { continue };
            for entry in entries.flatten() {
                looked += 1;
                if looked > ENTRIES {
                    self.complete = false;
                    return;
                }
                let name = entry.file_name();
                let Some(name) = name.to_str() else {
                    // A name that is no text fits no rule that is.
                    continue;
                };
                let path = format!("{}/{name}", directory.trim_end_matches('/'));
                if KERNEL.contains(&path.as_str()) {
                    continue;
                }
                if tables.contains(Table::Secret, &path) {
                    self.add(&path, true);
                } else if protected.contains(&path) {
                    self.add(&path, false);
                } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    queue.push_back(path);
                }
            }
        }
    }

    /// Makes one path read-only, if it is there.
    pub(super) fn protect(&mut self, path: &str) {
        self.add(path, false);
    }

    fn add(&mut self, path: &str, hide: bool) {
        if Path::new(path).symlink_metadata().is_err() {
            return;
        }
        let list = if hide { &mut self.hidden } else { &mut self.protected };
        if list.iter().any(|known| portcullis_paths::is_within(path, known)) {
            return;
        }
        if list.len() >= MOUNTS {
            self.complete = false;
        } else {
            list.push(path.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, literal};
    use portcullis_paths::SensitivePaths;
    use portcullis_sandbox::ProtectedNames;

    #[test]
    fn globs_without_wildcards_are_paths() {
        assert_eq!(literal("/home/u/.ssh/**"), Some("/home/u/.ssh"));
        assert_eq!(literal("/etc/shadow"), Some("/etc/shadow"));
        for glob in [".env", "/proc/*/environ", "/a/{b,c}"] {
            assert_eq!(literal(glob), None, "{glob}");
        }
    }

    #[test]
    fn a_walk_of_everything_leaves_out_the_trees_of_the_kernel() {
        let tables = SensitivePaths::standard(None);
        assert!(tables.contains(portcullis_paths::Table::Secret, "/proc/1/environ"));
        let mut found = Found::default();
        let protected = ProtectedNames::new(&tables, &[], ["/"]);
        found.walk(&tables, &protected, &["/".to_owned()]);
        let paths: Vec<&String> = found.hidden.iter().chain(&found.protected).collect();
        assert!(paths.iter().all(|path| !path.starts_with("/proc/")), "{paths:?}");
    }

    #[test]
    fn secrets_are_hidden_and_hooks_are_read_only() {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap();
        for file in
            [".env", "a/b/.env.local", ".env.example", ".git/hooks/pre-commit", ".git/config", "src/main.rs"]
        {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let mut found = Found::default();
        let tables = SensitivePaths::standard(None);
        let protected = ProtectedNames::new(&tables, &[], [root.to_str().unwrap()]);
        found.walk(&tables, &protected, &[root.to_str().unwrap().to_owned()]);
        let relative = |paths: &[String]| -> Vec<String> {
            let mut paths: Vec<_> = paths
                .iter()
                .map(|path| path.strip_prefix(root.to_str().unwrap()).unwrap().to_owned())
                .collect();
            paths.sort();
            paths
        };
        assert_eq!(relative(&found.hidden), ["/.env", "/a/b/.env.local"]);
        assert_eq!(relative(&found.protected), ["/.git/config", "/.git/hooks"]);
        assert!(found.complete);
    }
}
