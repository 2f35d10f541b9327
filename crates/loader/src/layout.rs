//! Which settings files a profile has, as data.

use std::path::{Path, PathBuf};

use portcullis_matcher::Scope;

/// Where the parts of a path template come from.
#[derive(Clone, Copy)]
enum Base {
    Root,
    Home,
    /// `$XDG_CONFIG_HOME`, or `~/.config`.
    Config,
    Project,
}

/// One row of the table.
struct Row {
    scope: Scope,
    base: Base,
    path: &'static str,
}

const fn row(scope: Scope, base: Base, path: &'static str) -> Row {
    Row { scope, base, path }
}

/// Broadest first.
const LETTA: &[Row] = &[
    row(Scope::Managed, Base::Root, "etc/portcullis/settings.json"),
    row(Scope::User, Base::Config, "letta/settings.json"),
    row(Scope::User, Base::Home, ".letta/settings.json"),
    row(Scope::Project, Base::Project, ".letta/settings.json"),
    row(Scope::Local, Base::Project, ".letta/settings.local.json"),
];

const CLAUDE: &[Row] = &[
    row(Scope::Managed, Base::Root, "etc/claude-code/managed-settings.json"),
    row(Scope::User, Base::Home, ".claude/settings.json"),
    row(Scope::Project, Base::Project, ".claude/settings.json"),
    row(Scope::Local, Base::Project, ".claude/settings.local.json"),
];

const PORTCULLIS: &[Row] = &[
    row(Scope::Managed, Base::Root, "etc/portcullis/settings.json"),
    row(Scope::User, Base::Home, ".config/portcullis/settings.json"),
    row(Scope::Project, Base::Project, ".portcullis/settings.json"),
    row(Scope::Local, Base::Project, ".portcullis/settings.local.json"),
];

/// How the keys of a settings file are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// The keys that [`Settings`](crate::Settings) names.
    Standard,
    /// Those, and `permissions.defaultMode`, `sandbox.filesystem.denyRead` and `denyWrite`.
    Claude,
}

/// One settings file of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    /// The layer.
    pub scope: Scope,
    /// Absolute.
    pub path: PathBuf,
}

impl SettingsFile {
    /// What `additionalDirectories` are relative to: the folder that contains the settings folder.
    #[must_use]
    pub fn base(&self) -> &Path {
        self.path.parent().and_then(Path::parent).unwrap_or_else(|| Path::new("/"))
    }
}

/// The directories that a layout is made from; all absolute, and all given by the caller.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The root of the file system, `/` but in tests: `etc/…` lies below it.
    pub system: &'a Path,
    /// The user's home directory; none: there are no user settings.
    pub home: Option<&'a Path>,
    /// `$XDG_CONFIG_HOME`; ignored unless absolute.
    pub xdg_config_home: Option<&'a Path>,
    /// Pinned when the session starts.
    pub project_root: &'a Path,
}

impl<'a> Places<'a> {
    /// Places below the real root of the file system.
    #[must_use]
    pub fn new(home: Option<&'a Path>, xdg_config_home: Option<&'a Path>, project_root: &'a Path) -> Self {
        Self { system: Path::new("/"), home, xdg_config_home, project_root }
    }
}

/// The settings files of a profile, broadest first.
///
/// ```
/// use std::path::Path;
/// use portcullis_loader::{Layout, Places, Scope};
///
/// let places = Places::new(Some(Path::new("/home/u")), None, Path::new("/home/u/app"));
/// let layout = Layout::claude(&places);
/// assert_eq!(layout.file(Scope::Local), Some(Path::new("/home/u/app/.claude/settings.local.json")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Broadest first. The last file of a scope is the one that [`crate::save`] writes.
    pub files: Vec<SettingsFile>,
    /// How their keys are spelled.
    pub dialect: Dialect,
    /// Absolute.
    pub project_root: PathBuf,
    /// Expands `~`.
    pub home: Option<PathBuf>,
}

impl Layout {
    /// The default profile.
    #[must_use]
    pub fn letta(places: &Places<'_>) -> Self {
        Self::of(LETTA, Dialect::Standard, places)
    }

    /// The profile of Claude Code's own files.
    #[must_use]
    pub fn claude(places: &Places<'_>) -> Self {
        Self::of(CLAUDE, Dialect::Claude, places)
    }

    /// This tool's own profile.
    #[must_use]
    pub fn portcullis(places: &Places<'_>) -> Self {
        Self::of(PORTCULLIS, Dialect::Standard, places)
    }

    fn of(rows: &[Row], dialect: Dialect, places: &Places<'_>) -> Self {
        let config = places
            .xdg_config_home
            .filter(|path| path.is_absolute())
            .map(Path::to_owned)
            .or_else(|| places.home.map(|home| home.join(".config")));
        let files = rows.iter().filter_map(|row| {
            let base = match row.base {
                Base::Root => Some(places.system.to_owned()),
                Base::Home => places.home.map(Path::to_owned),
                Base::Config => config.clone(),
                Base::Project => Some(places.project_root.to_owned()),
            };
            base.map(|base| SettingsFile { scope: row.scope, path: base.join(row.path) })
        });
        let mut layout = Self {
            files: Vec::new(),
            dialect,
            project_root: places.project_root.to_owned(),
            home: places.home.map(Path::to_owned),
        };
        // In the home directory the project's file *is* the user's: it counts once, as the broader one.
        for file in files {
            if !layout.files.iter().any(|known| known.path == file.path) {
                layout.files.push(file);
            }
        }
        layout
    }

    /// The file that a scope is saved to: none for scopes that live in no file.
    #[must_use]
    pub fn file(&self, scope: Scope) -> Option<&Path> {
        self.files.iter().rev().find(|file| file.scope == scope).map(|file| file.path.as_path())
    }

    /// The same files of the folders between the project root (left out) and `start` (included), outermost
    /// first; empty when `start` does not lie below the root.
    #[must_use]
    pub fn between(&self, start: &Path) -> Vec<SettingsFile> {
        let Ok(below) = start.strip_prefix(&self.project_root) else { return Vec::new() };
        let mut folder = self.project_root.clone();
        let mut found = Vec::new();
        for component in below.components() {
            folder.push(component);
            let own = self.files.iter().filter(|file| matches!(file.scope, Scope::Project | Scope::Local));
            for file in own {
                if let Ok(relative) = file.path.strip_prefix(&self.project_root) {
                    let path = folder.join(relative);
                    if !self.files.iter().any(|known| known.path == path) {
                        found.push(SettingsFile { scope: file.scope, path });
                    }
                }
            }
        }
        found
    }
}
