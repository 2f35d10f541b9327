//! Finding, reading and merging all settings of a project.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portcullis_matcher::{Rules, Scope};

use crate::{
    Diagnostic, Layout, Settings, SettingsFile, Severity,
    files::{self, FileState, Standing, Status},
    judges::Judges,
    merge::Merge,
    parsed::Parsed,
    read::{LIMIT, NO_FOLDER, no_folder},
};

/// Everything that the settings files say.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The lists, broadest scope first, the additional directories and the mode.
    pub rules: Rules,
    /// Everything else.
    pub settings: Settings,
    /// What was found wrong, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// Each file that was looked for, broadest first.
    pub files: Vec<FileState>,
    /// `FILE:LINE` or `FILE` of the first thing that could not be read: no automatic allow then.
    pub degraded: Option<String>,
}

/// Reads the files of `layout`, and those in the folders down to `start`. Never fails: what cannot be
/// read becomes a diagnostic, and the result is degraded.
///
/// ```
/// use std::path::Path;
/// use portcullis_loader::{Judges, Layout, NothingSaved, Places, load};
///
/// let root = tempfile::tempdir()?;
/// std::fs::create_dir(root.path().join(".letta"))?;
/// std::fs::write(root.path().join(".letta/settings.json"),
///     r#"{ "permissions": { "deny": ["Read(.env)"], "allow": ["Bash(*)"] } } // brought along"#)?;
/// let places = Places { system: root.path(), ..Places::new(None, None, root.path()) };
/// let judges = Judges {
///     trust: &|_: &Path, _: &[u8]| false,
///     saved: &NothingSaved,
///     tracked: &|_: &Path| true,
/// };
/// let loaded = load(&Layout::letta(&places), root.path(), &judges);
/// assert_eq!(loaded.rules.deny.len(), 1);
/// assert!(loaded.rules.allow.is_empty(), "a project that is not trusted can only tighten");
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn load(layout: &Layout, start: &Path, judges: &Judges<'_>) -> Loaded {
    let snapshots: Vec<Snapshot> = files_in_order(layout, start)
        .into_iter()
        .map(|(file, nested)| Snapshot { now: version(layout, &file, None), good: None, file, nested })
        .collect();
    let (_, standings) = keys(layout, &snapshots, judges);
    assemble(layout, &snapshots, &standings)
}

/// [`load`] without the lists of rules: for what has to be known before they are wanted.
#[must_use]
pub fn load_settings(layout: &Layout, start: &Path, judges: &Judges<'_>) -> Loaded {
    let mut snapshots: Vec<Snapshot> = files_in_order(layout, start)
        .into_iter()
        .map(|(file, nested)| Snapshot { now: version(layout, &file, None), good: None, file, nested })
        .collect();
    let (_, standings) = keys(layout, &snapshots, judges);
    for now in snapshots.iter_mut().filter_map(|snapshot| snapshot.now.as_mut()) {
        if let Some(parsed) = Arc::get_mut(&mut now.parsed) {
            let mode = parsed.rules.mode.take();
            parsed.rules = Rules { mode, ..Rules::default() };
        }
    }
    assemble(layout, &snapshots, &standings)
}

/// What was found at a path, once.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// None: it could not be read.
    bytes: Option<Arc<[u8]>>,
    parsed: Arc<Parsed>,
}

impl Version {
    pub(crate) fn is_good(&self) -> bool {
        self.parsed.first_error().is_none()
    }
}

/// One settings file at the time of a load.
pub(crate) struct Snapshot {
    pub(crate) file: SettingsFile,
    pub(crate) nested: bool,
    /// None: nothing is there.
    pub(crate) now: Option<Version>,
    /// The last that could be understood, if this is known.
    pub(crate) good: Option<Version>,
}

impl Snapshot {
    /// What is in force.
    fn used(&self) -> Option<&Version> {
        match (&self.now, &self.good) {
            (Some(now), Some(good)) if !now.is_good() => Some(good),
            (now, _) => now.as_ref(),
        }
    }

    fn is_last_good(&self) -> bool {
        self.now.as_ref().is_some_and(|now| !now.is_good()) && self.good.is_some()
    }
}

/// What a result depends on: two loads with equal keys have equal results.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    path: PathBuf,
    standing: Option<Standing>,
    now: Option<Version>,
    good: Option<Version>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let same = |left: &Option<Version>, right: &Option<Version>| match (left, right) {
            (Some(left), Some(right)) => Arc::ptr_eq(&left.parsed, &right.parsed),
            (None, None) => true,
            _ => false,
        };
        self.path == other.path
            && self.standing == other.standing
            && same(&self.now, &other.now)
            && same(&self.good, &other.good)
    }
}

/// All files, broadest first; with each whether it lies in a folder below the root.
pub(crate) fn files_in_order(layout: &Layout, start: &Path) -> Vec<(SettingsFile, bool)> {
    let own = layout.files.iter().cloned().map(|file| (file, false));
    let nested = layout.between(start).into_iter().map(|file| (file, true));
    let mut all: Vec<_> = own.chain(nested).collect();
    all.sort_by_key(|(file, _)| file.scope);
    all
}

/// Reads a file. The known version comes back when its bytes are still the same.
pub(crate) fn version(layout: &Layout, file: &SettingsFile, known: Option<&Version>) -> Option<Version> {
    let unreadable = |path: &Path, message: String, remedy: &str| {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            file: path.to_owned(),
            line: None,
            column: None,
            message,
            remedy: remedy.into(),
        };
        Some(Version { bytes: None, parsed: Parsed::unreadable(file, diagnostic).into() })
    };
    let bytes = match portcullis_paths::files::read(&file.path, LIMIT) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            let folder = no_folder(&file.path)?;
            let (message, remedy) = NO_FOLDER;
            return unreadable(folder, format!("`{}` {message}", folder.display()), remedy);
        }
        Err(error) => {
            return unreadable(&file.path, format!("the settings file {error}"), error.remedy());
        }
    };
    if let Some(known) = known
        && known.bytes.as_deref() == Some(bytes.as_slice())
    {
        return Some(known.clone());
    }
    let parsed = Parsed::of(file, &bytes, layout.dialect, layout.home.as_deref());
    Some(Version { bytes: Some(bytes.into()), parsed: parsed.into() })
}

/// Asks the judges about what is in force in each file.
pub(crate) fn keys(
    layout: &Layout,
    snapshots: &[Snapshot],
    judges: &Judges<'_>,
) -> (Vec<Key>, Vec<Option<Standing>>) {
    let standing = |snapshot: &Snapshot| {
        let bytes = snapshot.used()?.bytes.as_deref()?;
        Some(if snapshot.nested {
            Standing::Nested
        } else {
            files::standing(layout, &snapshot.file, bytes, judges)
        })
    };
    let standings: Vec<Option<Standing>> = snapshots.iter().map(standing).collect();
    let keys = snapshots
        .iter()
        .zip(&standings)
        .map(|(snapshot, standing)| Key {
            path: snapshot.file.path.clone(),
            standing: *standing,
            now: snapshot.now.clone(),
            good: snapshot.good.clone(),
        })
        .collect();
    (keys, standings)
}

/// Merges the files, broadest first.
pub(crate) fn assemble(layout: &Layout, snapshots: &[Snapshot], standings: &[Option<Standing>]) -> Loaded {
    let home = layout.home.as_deref().and_then(Path::to_str);
    let mut merge = Merge::default();
    let mut states = Vec::new();
    let mut degraded = None;
    for (snapshot, standing) in snapshots.iter().zip(standings) {
        if let (Some(now), Some(used)) = (&snapshot.now, snapshot.used()) {
            if degraded.is_none() && !snapshot.is_last_good() {
                degraded = now.parsed.first_error().map(Diagnostic::place);
            }
            match standing {
                Some(standing) => merge.add(&snapshot.file, &used.parsed, *standing, home),
                None => merge.lock(&used.parsed),
            }
            merge.diagnostics.extend(now.parsed.diagnostics.iter().cloned());
        }
        states.push(FileState {
            path: snapshot.file.path.clone(),
            scope: snapshot.file.scope,
            status: status(snapshot),
            standing: *standing,
        });
    }
    merge.finish();
    for diagnostic in merge.diagnostics.iter().filter(|found| found.severity == Severity::Error) {
        tracing::warn!(%diagnostic, "settings");
    }
    Loaded {
        rules: merge.rules,
        settings: merge.settings,
        diagnostics: merge.diagnostics,
        files: states,
        degraded,
    }
}

fn status(snapshot: &Snapshot) -> Status {
    match &snapshot.now {
        None => Status::Absent,
        Some(_) if snapshot.is_last_good() => Status::LastGood,
        Some(now) if now.parsed.is_broken => Status::Broken,
        Some(now) if !now.is_good() => Status::Faulty,
        Some(_) => Status::Read,
    }
}

/// Whether a scope is kept in a file.
pub(crate) const fn is_stored(scope: Scope) -> bool {
    matches!(scope, Scope::User | Scope::Project | Scope::Local)
}
