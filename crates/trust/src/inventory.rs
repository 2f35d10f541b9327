//! What a project brings along that needs trust.

use std::collections::BTreeMap;

use portcullis_paths::{
    FileKind, GitRepository, NamedProgram, Resolver, below, find_repository, is_within, join, parent,
};
use serde::Serialize;

use crate::{
    Fingerprint, Kind, Project,
    contents::{self, Budget},
    digest::Hasher,
    own,
    resources::{FOLDERS, IN_FOLDERS, IN_ROOT, SETTINGS_FILES, SETTINGS_FOLDERS, Shape, UPWARDS},
};

/// How many lines describe one resource.
const MAX_DETAILS: usize = 40;

/// One thing that a project brings along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Resource {
    /// What it is.
    pub kind: Kind,
    /// Where it is; absolute.
    pub path: String,
    /// How many files it has.
    pub files: usize,
    /// What is in it, for a person, as far as that is known: `allow Bash(*)`, `core.fsmonitor = ./x`.
    pub details: Vec<String>,
    /// Its path below the project, by which a later look finds it again.
    #[serde(skip)]
    pub name: String,
    /// A hash of what it loosens or runs; none when it cannot be read whole, so that a change would not be seen.
    #[serde(skip)]
    pub digest: Option<String>,
}

/// Everything that a project brings along and that needs trust.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inventory {
    /// By kind, then as the tables have them.
    pub resources: Vec<Resource>,
}

impl Inventory {
    /// Nothing needs trust.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// What a later look is compared with.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let parts = self.resources.iter().map(|resource| (resource.name.clone(), resource.digest.clone()));
        Fingerprint::new(parts.collect())
    }
}

/// Looks for everything that needs trust: nothing when the project is the home directory.
///
/// ```
/// use portcullis_paths::OsResolver;
/// use portcullis_trust::{Kind, Project, SavedFiles, WholeFiles, inventory};
///
/// let root = tempfile::tempdir()?;
/// let real = root.path().canonicalize()?;
/// std::fs::create_dir(real.join(".letta"))?;
/// std::fs::write(real.join(".letta/settings.json"), r#"{"permissions":{"allow":["Bash(*)"]}}"#)?;
/// let found = inventory(&Project {
///     root: real.to_str().unwrap(),
///     home: None,
///     settings_folder: ".letta",
///     resolver: &OsResolver,
///     settings: &WholeFiles,
///     saved: &SavedFiles::default(),
/// });
/// assert_eq!((found.resources[0].kind, found.resources[0].files), (Kind::Settings, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn inventory(project: &Project<'_>) -> Inventory {
    let _span = tracing::debug_span!("inventory", root = project.root).entered();
    if project.is_home() {
        return Inventory::default();
    }
    let mut search = Search {
        project,
        repository: find_repository(project.resolver, project.root),
        budget: Budget::new(),
        found: Vec::new(),
    };
    search.settings();
    search.git();
    for folder in FOLDERS {
        for (name, kind, shape) in IN_FOLDERS {
            search.look(&join(project.root, &format!("{folder}/{name}")), kind, shape);
        }
    }
    search.upwards();
    for (name, kind, shape) in IN_ROOT {
        search.look(&join(project.root, name), kind, shape);
    }
    let mut resources = search.found;
    resources.sort_by_key(|resource| resource.kind);
    tracing::debug!(resources = resources.len(), "looked");
    Inventory { resources }
}

/// The settings files that count for a project, and whether each is the user's own local one.
pub(crate) fn settings_files(project: &Project<'_>) -> Vec<(String, bool)> {
    let mut folders = SETTINGS_FOLDERS.to_vec();
    if !folders.contains(&project.settings_folder) {
        folders.push(project.settings_folder);
    }
    let files = folders.iter().flat_map(|folder| {
        SETTINGS_FILES.map(|(name, local)| (join(project.root, &format!("{folder}/{name}")), local))
    });
    files.collect()
}

/// The resource that a settings file is, with these bytes; none when it can only tighten.
pub(crate) fn settings_resource(project: &Project<'_>, path: &str, bytes: &[u8]) -> Option<Resource> {
    let loosening = project.settings.loosening(path, bytes)?;
    let mut hasher = Hasher::new(Kind::Settings.as_str());
    hasher.part(&loosening.canonical);
    let mut details = loosening.summary;
    details.truncate(MAX_DETAILS);
    Some(Resource {
        kind: Kind::Settings,
        path: path.to_owned(),
        files: 1,
        details,
        name: name_of(project.root, path),
        digest: Some(hasher.finish()),
    })
}

struct Search<'a> {
    project: &'a Project<'a>,
    repository: Option<GitRepository>,
    budget: Budget,
    found: Vec<Resource>,
}

impl Search<'_> {
    fn settings(&mut self) {
        let resolver = self.project.resolver;
        for (path, _) in settings_files(self.project) {
            if resolver.kind(&path).is_none() {
                continue;
            }
            match contents::file(resolver, &path, &mut self.budget) {
                Some(bytes) if own::is_own(self.project, &path, &bytes) => {}
                Some(bytes) => self.found.extend(settings_resource(self.project, &path, &bytes)),
                None => self.found.push(unreadable(self.project, Kind::Settings, &path)),
            }
        }
    }

    fn git(&mut self) {
        let Some(repository) = &self.repository else { return };
        // The user's own repository of their home directory was brought by nobody.
        if self.project.home.is_some_and(|home| home == repository.root) {
            return;
        }
        let mut files: BTreeMap<String, Vec<NamedProgram>> = BTreeMap::new();
        for named in repository.named_programs(self.project.resolver) {
            files.entry(named.file.clone()).or_default().push(named);
        }
        for (path, programs) in files {
            let digest = self.git_digest(&path, &programs);
            let mut details: Vec<String> = programs.iter().map(described).collect();
            details.truncate(MAX_DETAILS);
            let name = self.git_name(&path);
            self.found.push(Resource { kind: Kind::GitConfig, path, files: 1, details, name, digest });
        }
    }

    /// What a file of git's names, or the whole of it where that is not known.
    fn git_digest(&mut self, path: &str, programs: &[NamedProgram]) -> Option<String> {
        let mut hasher = Hasher::new(Kind::GitConfig.as_str());
        for named in programs {
            hasher.part(named.key.as_bytes());
            if named.key.is_empty() {
                // An index that is not understood changes with every commit, and what it hides is not known either
                // way: that it is there is what the person accepts.
                if portcullis_paths::file_name(path) != "index" {
                    hasher.part(&contents::file(self.project.resolver, path, &mut self.budget)?);
                }
                continue;
            }
            // A variable without `=` is not the same as an empty one.
            hasher.part(if named.value.is_some() { b"=" } else { b"" });
            hasher.part(named.value.as_deref().unwrap_or_default().as_bytes());
        }
        Some(hasher.finish())
    }

    /// Linked worktrees share their main repository's files, by the same name.
    fn git_name(&self, path: &str) -> String {
        let common = self.repository.as_ref().and_then(|repository| below(path, &repository.common_dir));
        common.map_or_else(|| name_of(self.project.root, path), |rest| format!(".git/{rest}"))
    }

    /// Shared skills of the directory and of those above it, up to the top of the repository.
    fn upwards(&mut self) {
        let (name, kind, shape) = UPWARDS;
        let top =
            self.repository.as_ref().map_or(self.project.root, |repository| &repository.root).to_owned();
        let mut at = Some(self.project.root);
        while let Some(directory) = at.filter(|directory| is_within(directory, &top)) {
            if self.project.home != Some(directory) {
                self.look(&join(directory, name), kind, shape);
            }
            at = parent(directory);
        }
    }

    fn look(&mut self, path: &str, kind: Kind, shape: Shape) {
        let resolver = self.project.resolver;
        match (shape, resolver.kind(path)) {
            (Shape::File, Some(FileKind::File)) => {
                let Some(bytes) = contents::file(resolver, path, &mut self.budget) else {
                    self.found.push(unreadable(self.project, kind, path));
                    return;
                };
                let details = if kind == Kind::McpServers { servers(&bytes) } else { Vec::new() };
                let mut hasher = Hasher::new(kind.as_str());
                hasher.part(&bytes);
                let name = name_of(self.project.root, path);
                let digest = Some(hasher.finish());
                self.found.push(Resource { kind, path: path.to_owned(), files: 1, details, name, digest });
            }
            (Shape::Directory, Some(FileKind::Directory)) => {
                let tree = contents::tree(resolver, path, &mut self.budget);
                // A directory that could not be looked through may hold anything.
                if tree.files > 0 || tree.digest.is_none() {
                    self.found.push(Resource {
                        kind,
                        path: path.to_owned(),
                        files: tree.files,
                        details: Vec::new(),
                        name: name_of(self.project.root, path),
                        digest: tree.digest,
                    });
                }
            }
            // A device or a pipe in the place of a file.
            (_, Some(FileKind::Other)) => self.found.push(unreadable(self.project, kind, path)),
            _ => {}
        }
    }
}

/// Something that is there and cannot be read: nobody knows what it holds by the time it can.
fn unreadable(project: &Project<'_>, kind: Kind, path: &str) -> Resource {
    let name = name_of(project.root, path);
    let details = vec!["cannot be read".to_owned()];
    Resource { kind, path: path.to_owned(), files: 1, details, name, digest: None }
}

/// A path as the project has it, so that another checkout has the same; else as it is.
fn name_of(root: &str, path: &str) -> String {
    below(path, root).unwrap_or(path).to_owned()
}

fn described(named: &NamedProgram) -> String {
    match (&*named.key, &named.value) {
        ("", _) if named.line == 0 => "the whole file".to_owned(),
        ("", _) => format!("line {} cannot be read", named.line),
        (key, Some(value)) => format!("{key} = {value}"),
        (key, None) => key.to_owned(),
    }
}

/// The names of the servers that a file has, as far as it is JSON.
fn servers(bytes: &[u8]) -> Vec<String> {
    let value: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
    let named = ["mcpServers", "servers"].iter().find_map(|key| value.get(key)?.as_object());
    named.into_iter().flat_map(serde_json::Map::keys).take(MAX_DETAILS).cloned().collect()
}

/// Whether nothing on the way to `path` below `root` is a symbolic link.
pub(crate) fn is_direct(resolver: &dyn Resolver, root: &str, path: &str) -> bool {
    let (Ok(real_root), Ok(real)) = (resolver.realpath(root), resolver.realpath(path)) else { return false };
    below(path, root).is_some_and(|rest| join(&real_root, rest) == real)
}
