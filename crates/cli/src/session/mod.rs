//! What a decision needs, gathered once: surroundings, project root, settings, context and rules.

mod context;
mod home;
mod judges;
mod process;
mod root;
mod settings;
mod trust;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portcullis_loader::{Layout, Loaded, Scope, SettingsFile};
use portcullis_matcher::{RuleSet, RuleSource};
use portcullis_permissions::Context;
use portcullis_sandbox::tripwire::{self, Tripped};
use portcullis_trust::{Asker, Decision};

pub(crate) use context::{Place, agent, anchors, folds_case, known_variables, mode};
pub(crate) use home::Home;
pub(crate) use process::Surroundings;
pub(crate) use root::{absolute, directories, git_top_level};
pub(crate) use settings::{Files, layout};
pub(crate) use trust::{Beforehand, Keeper, failure as trust_failure, of_store as trust_store_failure};

use crate::{
    args::Options,
    commands,
    profile::{self, Profile},
    report::{self, Report},
};

/// Why a session is opened: what an unset `permissions.confinedAuto` means, and whether directories must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To judge; what is allowed is run by somebody else.
    Judge,
    /// To run under the sandbox here.
    Run,
    /// To say what a text means, in whatever place: nothing is decided.
    Read,
}

/// Who says whether the project is trusted.
#[derive(Clone, Copy)]
pub(crate) enum Trusting<'a> {
    /// The store, and whoever can be asked when it does not know.
    Store(Option<&'a dyn Ask>),
    /// The caller.
    Said(bool),
    /// Another session of the same project; the named file is taken as if that had been trusted.
    As(&'a Session, &'a Path),
}

/// Somebody who may be asked, once it is known whether they want to be.
pub(crate) trait Ask {
    /// Who, if anybody.
    fn asker<'a>(&'a self, beforehand: &'a Beforehand) -> Option<Box<dyn Asker + 'a>>;
}

/// A session: everything that decisions of one invocation have in common.
pub(crate) struct Session {
    /// The host's conventions.
    pub(crate) profile: Profile,
    /// Absolute; links resolved where it exists.
    pub(crate) project_root: String,
    /// Absolute; links resolved where it exists.
    pub(crate) cwd: String,
    /// The home directory.
    pub(crate) home: Option<String>,
    /// What decisions may know.
    pub(crate) context: Context,
    /// The rules in force.
    pub(crate) rules: Arc<RuleSet>,
    /// Which settings files there may be.
    pub(crate) layout: Layout,
    /// What they say.
    pub(crate) loaded: Loaded,
    /// What of the project may be loaded; none where the caller knew.
    pub(crate) trust: Option<Decision>,
    /// Where that is kept, and what the person edits.
    pub(crate) keeper: Keeper,
    /// What was found of runs that were broken off, before anything was read.
    pub(crate) recovered: Vec<Tripped>,
}

impl Session {
    /// Finds the project, loads its settings and compiles its rules. What is wrong with the settings is
    /// printed to standard error, once.
    ///
    /// # Errors
    /// An unknown mode or profile, or a directory that cannot be used.
    pub(crate) fn open(
        options: &Options,
        surroundings: &Surroundings,
        purpose: Purpose,
    ) -> Result<Self, Report> {
        Self::open_as(options, surroundings, purpose, Trusting::Store(None))
    }

    /// [`Session::open`] for a project that is trusted or not, as somebody says: without trust its settings can only
    /// tighten.
    ///
    /// # Errors
    /// As for [`Session::open`].
    pub(crate) fn open_as(
        options: &Options,
        surroundings: &Surroundings,
        purpose: Purpose,
        trusting: Trusting<'_>,
    ) -> Result<Self, Report> {
        // Before anything is read: what a run left that was killed must not decide.
        let home = Home::of(options, surroundings)?.path;
        let state = state_directory(surroundings, home.as_deref());
        let harmless = &commands::tripwire::only_restricts;
        let recovered =
            state.as_ref().map(|state| tripwire::recover(Path::new(state), harmless)).unwrap_or_default();
        recovered.iter().for_each(commands::tripwire::tell);
        let taken = commands::tripwire::quarantined_settings(&recovered);
        let mut session = Self::gather(options, surroundings, purpose, trusting, &Files::InForce, &taken)?;
        if let Some(lost) = commands::tripwire::lost_settings(&recovered) {
            let lost = portcullis_approval::escape_line(&lost.display().to_string());
            session.context.degraded.get_or_insert(lost);
        }
        session.recovered = recovered;
        if let Some(state) = state {
            session.doubt(Path::new(&state));
        }
        settings::report(&session.loaded, &session.rules, options.trace);
        if let Some(decision) = &session.trust {
            commands::trust::tell(&session.project_root, decision);
        }
        Ok(session)
    }

    /// Settings that a run which still goes on may have written decide nothing.
    fn doubt(&mut self, state: &Path) {
        let files: Vec<PathBuf> = self.layout.files.iter().map(|file| file.path.clone()).collect();
        for file in tripwire::suspects(state, &files) {
            let file = portcullis_approval::escape_line(&file.display().to_string());
            report::note(&format!(
                "portcullis: warning: `{file}` was made or changed while a confined command runs that goes on, and \
                 may be its work"
            ));
            report::note("  do: wait for its end; until then nothing is allowed automatically");
            self.context.degraded.get_or_insert(file);
        }
    }

    /// A session whose settings are looked at rather than used: nothing that is wrong with them is printed.
    ///
    /// # Errors
    /// As for [`Session::open`], and files that do not exist.
    pub(crate) fn inspect(
        options: &Options,
        surroundings: &Surroundings,
        files: &Files<'_>,
        trusting: Trusting<'_>,
    ) -> Result<Self, Report> {
        Self::gather(options, surroundings, Purpose::Judge, trusting, files, &[])
    }

    /// `taken`: settings that are in force no longer, of which what restricts counts once more. They are read like those
    /// of a project that is not trusted.
    fn gather(
        options: &Options,
        surroundings: &Surroundings,
        purpose: Purpose,
        trusting: Trusting<'_>,
        files: &Files<'_>,
        taken: &[PathBuf],
    ) -> Result<Self, Report> {
        let profile = profile_of(options, surroundings)?;
        // Where the caller knows about trust, the directories may be a request's own.
        if purpose != Purpose::Read && !matches!(trusting, Trusting::Said(_)) {
            directories(options, surroundings)?;
        }
        let Home { path: home, doubt } = Home::of(options, surroundings)?;
        let cwd = start_directory(options, surroundings)?;
        let project_root = root::find(options, surroundings, &profile, &cwd)?;
        let mut layout = settings::layout(&profile, surroundings, &project_root, home.as_deref());
        let beforehand = Beforehand::read(&layout);
        settings::choose(&mut layout, files, surroundings)?;
        let keeper = Keeper::new(&profile, surroundings, &project_root, home.as_deref(), &beforehand);
        let start = if matches!(files, Files::InForce) { &cwd } else { &project_root };
        let is_taken = |path: &Path| taken.iter().any(|file| file == path);
        let mut read = layout.clone();
        read.files
            .extend(taken.iter().map(|path| SettingsFile { scope: Scope::Project, path: path.clone() }));
        read.files.sort_by_key(|file| file.scope);
        let (mut loaded, trust, trusted) = match trusting {
            Trusting::Said(trusted) => {
                let said = |path: &Path, _: &[u8]| trusted && !is_taken(path);
                (keeper.load_by(&read, start, &said), None, trusted)
            }
            Trusting::As(other, file) => {
                let covers = |path: &Path, bytes: &[u8]| {
                    !is_taken(path) && (path == file || other.covers(path, bytes))
                };
                (keeper.load_by(&read, start, &covers), None, other.context.trusted)
            }
            Trusting::Store(ask) => {
                let asker = ask.and_then(|ask| ask.asker(&beforehand));
                let decision = keeper.settle(options.trust_flag(), asker.as_deref())?;
                let project = keeper.project();
                let covers = |path: &Path, bytes: &[u8]| {
                    !is_taken(path)
                        && path.to_str().is_some_and(|path| decision.covers(&project, path, bytes))
                };
                let loaded = keeper.load_by(&read, start, &covers);
                let vouched = decision.vouched;
                (loaded, Some(decision), vouched)
            }
        };
        if let (Some(doubt), false) = (doubt, matches!(files, Files::Only(_))) {
            loaded.degraded.get_or_insert_with(|| doubt.place());
            loaded.diagnostics.insert(0, doubt);
        }
        let place = Place { project_root: &project_root, cwd: &cwd, home: home.as_deref() };
        let (mut context, rules) = context::build(options, surroundings, &profile, purpose, place, &loaded)?;
        context.trusted = trusted;
        context.judge_paths.extend(keeper.files());
        let recovered = Vec::new();
        Ok(Self {
            profile,
            project_root,
            cwd,
            home,
            context,
            rules,
            layout,
            loaded,
            trust,
            keeper,
            recovered,
        })
    }

    /// Whether a settings file of the project may loosen, with these bytes.
    fn covers(&self, path: &Path, bytes: &[u8]) -> bool {
        let decided = self.trust.as_ref().zip(path.to_str());
        decided.map_or(self.context.trusted, |(decision, path)| {
            decision.covers(&self.keeper.project(), path, bytes)
        })
    }

    /// The project root and the directories that settings add: what may be read unasked.
    pub(crate) fn roots(&self) -> Vec<String> {
        let added = self.rules.rules().additional_directories.iter();
        [&self.project_root].into_iter().chain(added).cloned().collect()
    }

    /// What decisions may know when the call is run here, whatever this session was opened for.
    pub(crate) fn context_of_run(&self) -> Context {
        context::of_run(&self.context, &self.loaded.settings)
    }
}

/// `--profile`, else `PORTCULLIS_PROFILE`, else letta.
pub(crate) fn profile_of(options: &Options, surroundings: &Surroundings) -> Result<Profile, Report> {
    let name = options
        .profile
        .clone()
        .or_else(|| surroundings.variable("PORTCULLIS_PROFILE").map(ToOwned::to_owned))
        .unwrap_or_else(|| profile::DEFAULT.to_owned());
    Profile::named(&name)
}

/// `--cwd`, else the process's own; absolute, links resolved where it exists.
///
/// # Errors
/// The process's own directory is gone or unreadable, or the path is not UTF-8.
pub(crate) fn start_directory(options: &Options, surroundings: &Surroundings) -> Result<String, Report> {
    match &options.cwd {
        Some(given) => root::absolute(given, surroundings, "--cwd"),
        None => root::real(surroundings.directory()?),
    }
}

/// `$XDG_STATE_HOME/portcullis`, else `~/.local/state/portcullis`; none without a home.
pub(crate) fn state_directory(surroundings: &Surroundings, home: Option<&str>) -> Option<String> {
    let state = surroundings.variable("XDG_STATE_HOME").filter(|path| path.starts_with('/'));
    let state = state.map(portcullis_paths::normalize);
    state
        .or_else(|| home.map(|home| format!("{home}/.local/state")))
        .map(|state| format!("{state}/portcullis"))
}

/// `FILE:LINE:COLUMN` as far as they are known; none for a rule that stands in no file.
pub(crate) fn exact_place(source: &RuleSource) -> Option<String> {
    let place = place(source)?;
    Some(source.column.map_or_else(|| place.clone(), |column| format!("{place}:{column}")))
}

/// `FILE:LINE`, or `FILE`; none for a rule that stands in no file.
pub(crate) fn place(source: &RuleSource) -> Option<String> {
    let file = source.file.as_deref()?;
    Some(source.line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}")))
}
