//! Whether the session's project is trusted: crate trust, with this host's profile, settings and files.

use std::path::Path;

use portcullis_loader::{Judges, Layout, Loaded, SavedHashes, Scope, TrustDecider, load, load_settings};
use portcullis_matcher::Mode;
use portcullis_paths::OsResolver;
use portcullis_sandbox::tripwire;
use portcullis_trust::{
    Asker, DecideError, Decision, Edited, Loosening, Project, Request, SavedFiles, SettingsReader, Store,
    StoreError, decide, is_tracked,
};

use super::Surroundings;
use crate::{
    args::Options,
    profile::Profile,
    report::{self, Report},
};

/// What is known before the project's own settings may say anything.
pub(crate) struct Beforehand {
    /// `permissions.askTimeoutMs`
    pub(crate) deadline_ms: Option<u32>,
    /// Nobody wants to be asked.
    pub(crate) dont_ask: bool,
    inherit: bool,
}

impl Beforehand {
    /// Reads the administrator's and the user's files.
    pub(super) fn read(layout: &Layout) -> Self {
        let mut own = layout.clone();
        own.files.retain(|file| matches!(file.scope, Scope::Managed | Scope::User));
        let judges = Judges {
            trust: &|_: &Path, _: &[u8]| false,
            saved: &portcullis_loader::NothingSaved,
            tracked: &|_: &Path| true,
        };
        let Loaded { settings, rules, .. } = load_settings(&own, &layout.project_root, &judges);
        Self {
            deadline_ms: settings.ask_timeout_ms.map(|limit| limit.value),
            dont_ask: rules.mode.is_some_and(|(mode, _)| mode == Mode::DontAsk),
            inherit: settings.inherit_into_repositories.is_some_and(|inherit| inherit.value),
        }
    }
}

/// A project and the store of what is decided about it.
#[derive(Clone)]
pub(crate) struct Keeper {
    root: String,
    home: Option<String>,
    settings_folder: &'static str,
    store: Option<Store>,
    saved: SavedFiles,
    inherit: bool,
    /// Where tripwires of runs that go on learn of what is written here.
    state: Option<String>,
}

/// Settings as crate loader understands them.
struct Reader;

impl SettingsReader for Reader {
    fn loosening(&self, _path: &str, bytes: &[u8]) -> Option<Loosening> {
        portcullis_loader::loosens(bytes)
            .map(|found| Loosening { canonical: found.canonical, summary: found.summary })
    }
}

impl Keeper {
    /// What was saved is read here. Where it cannot be, nothing counts as saved.
    pub(super) fn new(
        profile: &Profile,
        surroundings: &Surroundings,
        root: &str,
        home: Option<&str>,
        beforehand: &Beforehand,
    ) -> Self {
        let store = home.map(|home| Store::new(profile.trust(Path::new(home))));
        let saved = store.as_ref().and_then(|store| store.saved().ok()).unwrap_or_default();
        Self {
            root: root.to_owned(),
            home: home.map(ToOwned::to_owned),
            settings_folder: profile.project_folder,
            store,
            saved,
            inherit: beforehand.inherit,
            state: super::state_directory(surroundings, home),
        }
    }

    /// Makes what was written to the store known to runs that go on: it is not their work.
    pub(crate) fn acknowledge(&self) {
        for (state, file) in
            self.state.iter().flat_map(|state| self.files().into_iter().map(move |file| (state, file)))
        {
            tripwire::acknowledge(Path::new(state), Path::new(&file));
        }
    }

    /// That of the project that a session here would have, before anything of it is read.
    ///
    /// # Errors
    /// As for [`super::Session::open`].
    pub(crate) fn here(options: &Options, surroundings: &Surroundings) -> Result<Self, Report> {
        let profile = super::profile_of(options, surroundings)?;
        super::directories(options, surroundings)?;
        let home = super::Home::of(options, surroundings)?.path;
        let cwd = super::start_directory(options, surroundings)?;
        let root = super::root::find(options, surroundings, &profile, &cwd)?;
        let layout = super::layout(&profile, surroundings, &root, home.as_deref());
        Ok(Self::new(&profile, surroundings, &root, home.as_deref(), &Beforehand::read(&layout)))
    }

    /// The same for another directory.
    pub(crate) fn at(&self, root: String) -> Self {
        Self { root, ..self.clone() }
    }

    /// The project's directory.
    pub(crate) fn root(&self) -> &str {
        &self.root
    }

    pub(crate) fn project(&self) -> Project<'_> {
        Project {
            root: &self.root,
            home: self.home.as_deref(),
            settings_folder: self.settings_folder,
            resolver: &OsResolver,
            settings: &Reader,
            saved: &self.saved,
        }
    }

    /// Where decisions are kept.
    ///
    /// # Errors
    /// No home directory is known.
    pub(crate) fn store(&self) -> Result<&Store, Report> {
        self.store.as_ref().ok_or_else(|| failure(&DecideError::NoStore))
    }

    /// What of the store cannot be read.
    pub(crate) fn broken(&self) -> Vec<StoreError> {
        let Some(store) = &self.store else { return Vec::new() };
        [store.read().map(drop), store.saved().map(drop)].into_iter().filter_map(Result::err).collect()
    }

    /// The files of the store: who writes them decides.
    pub(crate) fn files(&self) -> Vec<String> {
        let layouts = self.store.iter().map(Store::layout);
        layouts
            .flat_map(|layout| [&layout.trust, &layout.saved])
            .filter_map(|path| path.to_str().map(ToOwned::to_owned))
            .collect()
    }

    /// Decides, without asking where there is no `asker`.
    ///
    /// # Errors
    /// As for [`decide`].
    pub(crate) fn decide(
        &self,
        flag: Option<bool>,
        asker: Option<&dyn Asker>,
    ) -> Result<Decision, DecideError> {
        decide(&Request {
            project: self.project(),
            store: self.store.as_ref(),
            inherit: self.inherit,
            flag,
            asker,
            now_ms: Surroundings::now_ms(),
        })
    }

    /// Decides, and goes on without trust where that cannot be done.
    ///
    /// # Errors
    /// A flag cannot be obeyed.
    pub(super) fn settle(&self, flag: Option<bool>, asker: Option<&dyn Asker>) -> Result<Decision, Report> {
        if let Some(Err(error)) = self.store.as_ref().map(Store::saved) {
            report::note(&of_store(&error).to_string());
        }
        let decision = match self.decide(flag, asker) {
            Ok(decision) => decision,
            Err(error) if flag.is_some() => return Err(failure(&error)),
            Err(error) => {
                report::note(&failure(&error).to_string());
                Decision::closed(&self.project())
            }
        };
        if decision.stored {
            self.acknowledge();
        }
        if let Some(problem) = &decision.problem {
            report::note(&format!("portcullis: warning: the decision was not written down: {problem}"));
            report::note(&format!("  do: {}", problem.remedy()));
        }
        if let Some(kept) = &decision.kept {
            let kept = portcullis_approval::escape_line(&kept.display().to_string());
            report::note(&format!("portcullis: note: the broken trust store is kept as `{kept}`"));
        }
        Ok(decision)
    }

    /// Reads the settings; what a project brings loosens as far as `trust` says.
    pub(super) fn load_by(&self, layout: &Layout, start: &str, trust: &dyn TrustDecider) -> Loaded {
        let tracked = |path: &Path| path.to_str().is_none_or(|path| is_tracked(&OsResolver, path));
        load(layout, Path::new(start), &Judges { trust, saved: self, tracked: &tracked })
    }
}

impl SavedHashes for Keeper {
    fn is_saved(&self, path: &Path, bytes: &[u8]) -> bool {
        path.to_str().is_some_and(|path| self.saved.is_saved(path, bytes))
    }

    fn remembers(&self) -> bool {
        self.store.is_some()
    }

    fn prepare(&self, scope: Scope, path: &Path, before: Option<&[u8]>, after: &[u8]) -> Result<(), String> {
        if let Some(state) = &self.state {
            tripwire::announce(Path::new(state), path, after);
        }
        let Some(store) = self.store.as_ref().filter(|_| scope != Scope::User) else { return Ok(()) };
        let path = path.to_str().ok_or("its path is not UTF-8")?;
        let noted = store.editing(&self.project(), self.inherit, path, before, after, Surroundings::now_ms());
        self.acknowledge();
        noted.map(drop).map_err(|error| error.to_string())
    }

    fn record(&self, _: Scope, path: &Path, before: Option<&[u8]>, after: &[u8]) -> Result<bool, String> {
        let Some(store) = &self.store else { return Ok(false) };
        let path = path.to_str().ok_or("its path is not UTF-8")?;
        let edited = store.edited(&self.project(), self.inherit, path, before, after, Surroundings::now_ms());
        self.acknowledge();
        edited.map(|edited| edited != Edited::Brought).map_err(|error| error.to_string())
    }
}

/// A failure about trust.
pub(crate) fn failure(error: &DecideError) -> Report {
    match error {
        DecideError::Store(error) => of_store(error),
        error => Report::failure("trust", error.to_string()),
    }
}

/// A failure about the store.
pub(crate) fn of_store(error: &StoreError) -> Report {
    Report::failure("trust-store", error.to_string()).remedy(error.remedy())
}
