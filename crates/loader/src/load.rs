//! Finding, reading and merging all settings of a project.

use std::path::Path;

use portcullis_matcher::{Rules, Scope};

use crate::{
    Diagnostic, Layout, Settings, SettingsFile, Severity,
    files::{self, FileState, Standing, Status},
    judges::Judges,
    merge::Merge,
    parsed::Parsed,
    read,
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
    let mut merge = Merge::default();
    let mut states = Vec::new();
    let mut degraded = None;
    for (file, nested) in files_in_order(layout, start) {
        let (state, parsed) = examine(layout, &file, nested, judges);
        if let Some(parsed) = parsed {
            if degraded.is_none() {
                degraded = parsed.first_error().map(Diagnostic::place);
            }
            let home = layout.home.as_deref().and_then(Path::to_str);
            match state.standing {
                Some(standing) => merge.add(&file, &parsed, standing, home),
                None => {
                    merge.lock(&parsed);
                    merge.diagnostics.extend(parsed.diagnostics);
                }
            }
        }
        states.push(state);
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

/// All files, broadest first; with each whether it lies in a folder below the root.
pub(crate) fn files_in_order(layout: &Layout, start: &Path) -> Vec<(SettingsFile, bool)> {
    let own = layout.files.iter().cloned().map(|file| (file, false));
    let nested = layout.between(start).into_iter().map(|file| (file, true));
    let mut all: Vec<_> = own.chain(nested).collect();
    all.sort_by_key(|(file, _)| file.scope);
    all
}

fn examine(
    layout: &Layout,
    file: &SettingsFile,
    nested: bool,
    judges: &Judges<'_>,
) -> (FileState, Option<Parsed>) {
    let state = |status, standing| FileState { path: file.path.clone(), scope: file.scope, status, standing };
    let bytes = match read::read(&file.path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return (state(Status::Absent, None), None),
        Err(error) => {
            let diagnostic = Diagnostic {
                severity: Severity::Error,
                file: file.path.clone(),
                line: None,
                column: None,
                message: format!("the settings file {error}"),
                remedy: error.remedy().into(),
            };
            return (state(Status::Broken, None), Some(Parsed::unreadable(file, diagnostic)));
        }
    };
    let parsed = Parsed::of(file, &bytes, layout.dialect, layout.home.as_deref());
    let standing = if nested { Standing::Nested } else { files::standing(layout, file, &bytes, judges) };
    let status = if parsed.is_broken {
        Status::Broken
    } else if parsed.first_error().is_some() {
        Status::Faulty
    } else {
        Status::Read
    };
    (state(status, Some(standing)), Some(parsed))
}

/// Whether a scope is kept in a file.
pub(crate) const fn is_stored(scope: Scope) -> bool {
    matches!(scope, Scope::User | Scope::Project | Scope::Local)
}
