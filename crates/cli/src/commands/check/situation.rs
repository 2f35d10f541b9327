//! What a request means: the context and the compiled rules of one line, with the defaults of the batch format.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use portcullis_matcher::{Conventions, ListKind, Mode, RuleError, RuleSet, Rules, Scope};
use portcullis_paths::{OsResolver, Resolver, SensitivePaths};
use portcullis_permissions::{Agent, Context, Sessions};

use super::request::Request;
use crate::{
    args::{HostArgs, Options},
    commands::batch::fields::bad,
    profile::{self, Profile},
    report::Report,
    session::{self, Place, Purpose, Session, Surroundings, Trusting},
};

/// What the lines of one batch have in common, and what the last line compiled.
pub(super) struct Situations<'a> {
    options: &'a Options,
    host: HostArgs,
    surroundings: &'a Surroundings,
    directory: String,
    home: Option<String>,
    mode: Option<Mode>,
    compiled: Option<(String, Compiled)>,
    folds: Option<(String, bool)>,
    sensitive: Option<(Option<String>, Arc<SensitivePaths>)>,
}

/// The three sets of one line.
#[derive(Clone)]
struct Compiled {
    settings: Arc<RuleSet>,
    session: Arc<RuleSet>,
    cli: Arc<RuleSet>,
}

impl<'a> Situations<'a> {
    /// Reads what flags and process say once.
    ///
    /// # Errors
    /// No working directory, or an unknown `--mode`.
    pub(super) fn new(
        options: &'a Options,
        host: HostArgs,
        surroundings: &'a Surroundings,
    ) -> Result<Self, Report> {
        session::directories(options, surroundings)?;
        Ok(Self {
            options,
            host,
            surroundings,
            directory: session::start_directory(options, surroundings)?,
            home: session::Home::of(options, surroundings)?.path,
            mode: options.mode.as_deref().map(session::mode).transpose()?,
            compiled: None,
            folds: None,
            sensitive: None,
        })
    }

    /// The context and rules of a request.
    ///
    /// # Errors
    /// An unknown profile, or settings that have to be loaded and cannot be.
    pub(super) fn of(&mut self, request: &Request) -> Result<(Context, Arc<RuleSet>), Report> {
        if request.load { self.loaded(request) } else { self.inline(request) }
    }

    fn inline(&mut self, request: &Request) -> Result<(Context, Arc<RuleSet>), Report> {
        let given = request.profile.as_deref().or(self.options.profile.as_deref());
        let profile = Profile::named(given.unwrap_or(profile::DEFAULT))?;
        // As in any session: a rule that is anchored at a link would miss what is named without it.
        let cwd = really(request.cwd.clone().unwrap_or_else(|| self.directory.clone()));
        let home = request.home.clone().or_else(|| self.home.clone()).map(really);
        let root = request.root.clone().map_or_else(|| cwd.clone(), really);
        let environment =
            surroundings_with(self.surroundings, &request.environment.clone().unwrap_or_default());
        let compiled = self.compile(request, &profile, &root, &cwd, home.as_deref(), &environment);
        readable(&compiled.settings, &request.rules)?;
        readable(&compiled.session, &request.session)?;
        readable(&compiled.cli, &request.cli)?;
        let mode = request.mode.or(self.mode).unwrap_or(Mode::Standard);
        let mut context = Context {
            home: home.clone(),
            agent: session::agent(self.options, &environment, &profile, home.as_deref()),
            sensitive: self.sensitive(home.as_deref()),
            trusted: true,
            scrubbed: false,
            environment: session::known_variables(&environment),
            hides: true,
            judge_paths: settings_places(&profile, &environment, home.as_deref(), &root),
            resolver: resolver_for(&cwd),
            ..Context::bare(root, mode, profile.gates)
        };
        context.cwd = cwd;
        context.sessions = Sessions { session: compiled.session, cli: compiled.cli };
        super::on(self.host, &mut context);
        adjust(&mut context, request);
        Ok((context, compiled.settings))
    }

    /// The settings files of the request's root and home, read as for any other command.
    fn loaded(&mut self, request: &Request) -> Result<(Context, Arc<RuleSet>), Report> {
        let path = |text: &Option<String>| text.as_ref().map(PathBuf::from);
        let options = Options {
            cwd: path(&request.cwd).or_else(|| self.options.cwd.clone()),
            home: path(&request.home)
                .or_else(|| self.options.home.clone())
                .or_else(|| path(&self.home).filter(|_| request.environment.as_ref().is_some_and(homeless))),
            project_root: path(&request.root)
                .or_else(|| self.options.project_root.clone())
                .or_else(|| path(&request.cwd)),
            profile: request.profile.clone().or_else(|| self.options.profile.clone()),
            mode: request.mode.map(|mode| mode.as_str().to_owned()).or_else(|| self.options.mode.clone()),
            ..self.options.clone()
        };
        let surroundings = match &request.environment {
            Some(environment) => surroundings_with(self.surroundings, environment),
            None => self.surroundings.clone(),
        };
        let session = Session::open_as(
            &options,
            &surroundings,
            Purpose::Judge,
            Trusting::Said(request.trusted.unwrap_or(false)),
        )?;
        let mut context = session.context;
        let place =
            Place { project_root: &context.project_root, cwd: &context.cwd, home: context.home.as_deref() };
        let anchors = session::anchors(&session.profile, place);
        let conventions = Conventions {
            fold_case: session.rules.conventions().fold_case,
            ..conventions(request, &session.profile, &surroundings)
        };
        let locked = session.loaded.settings.allow_managed_rules_only.as_ref().is_some_and(|lock| lock.value);
        let compile = |rules: &Rules| {
            let mut rules = rules.clone();
            // An administrator lets managed rules alone allow.
            rules.allow.retain(|rule| !locked || rule.source.scope == Scope::Managed);
            Arc::new(RuleSet::compile(Arc::new(rules), &anchors, &conventions))
        };
        if request.session != Rules::default() {
            context.sessions.session = compile(&request.session);
            readable(&context.sessions.session, &request.session)?;
        }
        if request.cli != Rules::default() {
            context.sessions.cli = compile(&request.cli);
            readable(&context.sessions.cli, &request.cli)?;
        }
        super::on(self.host, &mut context);
        adjust(&mut context, request);
        let rules = if request.rules == Rules::default() && request.payloads.is_empty() {
            session.rules
        } else {
            compile(&merged(session.rules.rules(), &request.rules))
        };
        readable(&rules, &request.rules)?;
        Ok((context, rules))
    }

    fn compile(
        &mut self,
        request: &Request,
        profile: &Profile,
        root: &str,
        cwd: &str,
        home: Option<&str>,
        environment: &Surroundings,
    ) -> Compiled {
        let place = Place { project_root: root, cwd, home };
        let conventions =
            Conventions { fold_case: self.folds_case(place), ..conventions(request, profile, environment) };
        let key = format!(
            "{}\n{root}\n{cwd}\n{home:?}\n{}\n{:?}\n{:?}\n{:?}\n{:?}",
            profile.name,
            conventions.fold_names,
            request.payloads,
            request.rules,
            request.session,
            request.cli
        );
        if let Some((_, compiled)) = self.compiled.as_ref().filter(|(known, _)| *known == key) {
            return compiled.clone();
        }
        let anchors = session::anchors(profile, place);
        let compile =
            |rules: &Rules| Arc::new(RuleSet::compile(Arc::new(rules.clone()), &anchors, &conventions));
        let compiled = Compiled {
            settings: compile(&Rules {
                additional_directories: request
                    .rules
                    .additional_directories
                    .iter()
                    .map(|path| portcullis_paths::join(root, &portcullis_paths::expand_home(path, home)))
                    .collect(),
                ..request.rules.clone()
            }),
            session: compile(&request.session),
            cli: compile(&request.cli),
        };
        self.compiled = Some((key, compiled.clone()));
        compiled
    }

    /// Looked at once for lines that stand in the same place.
    fn folds_case(&mut self, place: Place<'_>) -> bool {
        let here = [place.project_root, place.cwd, place.home.unwrap_or_default()].join("\n");
        match &self.folds {
            Some((known, folds)) if *known == here => *folds,
            _ => {
                let folds = session::folds_case(place, &[]);
                self.folds = Some((here, folds));
                folds
            }
        }
    }

    fn sensitive(&mut self, home: Option<&str>) -> Arc<SensitivePaths> {
        if let Some((_, table)) = self.sensitive.as_ref().filter(|(known, _)| known.as_deref() == home) {
            return Arc::clone(table);
        }
        let table = Arc::new(SensitivePaths::standard(home));
        self.sensitive = Some((home.map(str::to_owned), Arc::clone(&table)));
        table
    }
}

/// Refuses a request with a rule that cannot be read and would do nothing. One in deny or alwaysAsk forbids what is
/// automatic, and the answer says so.
fn readable(set: &RuleSet, given: &Rules) -> Result<(), Report> {
    let own = |error: &&RuleError| {
        let list = match error.list {
            ListKind::Ask => &given.ask,
            ListKind::Allow => &given.allow,
            ListKind::Restrict => &given.restrict,
            _ => return false,
        };
        list.iter().any(|rule| rule.source == error.at && rule.label() == error.rule)
    };
    match set.errors().iter().find(own) {
        None => Ok(()),
        Some(error) => {
            Err(bad(format!("`{}` in {} cannot be read: {}", error.rule, error.list.as_str(), error.message)))
        }
    }
}

fn conventions(request: &Request, profile: &Profile, environment: &Surroundings) -> Conventions {
    let by_environment = || matches!(environment.variable("LETTA_PERMISSIONS_V2"), Some("0" | "false"));
    let raw = request.raw_names.unwrap_or_else(by_environment);
    Conventions {
        fold_names: profile.rules.fold_names && !raw,
        payloads: request.payloads.clone(),
        ..profile.rules.clone()
    }
}

/// Whether an environment leaves open where the home directory is.
fn homeless(environment: &BTreeMap<String, String>) -> bool {
    environment.get("HOME").is_none_or(String::is_empty)
}

/// The same process with the environment of a request.
fn surroundings_with(process: &Surroundings, environment: &BTreeMap<String, String>) -> Surroundings {
    let environment =
        environment.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect();
    let mut surroundings = process.clone();
    surroundings.environment = environment;
    surroundings
}

/// Where settings would stand: writing there changes what decides, whether or not they were read.
fn settings_places(
    profile: &Profile,
    environment: &Surroundings,
    home: Option<&str>,
    root: &str,
) -> Vec<String> {
    let layout = session::layout(profile, environment, root, home);
    layout.files.iter().filter_map(|file| file.path.to_str()).map(str::to_owned).collect()
}

/// What a request says beyond rules and places.
fn adjust(context: &mut Context, request: &Request) {
    context.shell = request.shell;
    context.tools = request.tools.clone();
    context.reading_tools = request.reading_tools.clone();
    context.workspace.clone_from(&request.workspace);
    context.interactive = request.interactive.unwrap_or(true);
    context.hides = request.hides.unwrap_or(context.hides);
    context.trusted = request.trusted.unwrap_or(!request.load);
    context.confined_auto = request.confined_auto.unwrap_or(false);
    context.allow_external_paths = request.allow_external_paths.unwrap_or(false);
    let agent: &mut Agent = &mut context.agent;
    if let Some(given) = &request.agent {
        agent.id = given.id.clone().or_else(|| agent.id.take());
        agent.parent = given.parent.clone().or_else(|| agent.parent.take());
        agent.subagent = given.subagent.unwrap_or(agent.subagent);
    }
    agent.memory_guard_disabled =
        (agent.memory_guard_disabled || request.disable_memory_guard) && !agent.subagent;
}

/// The file system counts when the working directory is in it; else paths are judged as they are written.
fn resolver_for(cwd: &str) -> Option<Arc<dyn Resolver>> {
    Path::new(cwd).is_dir().then(|| Arc::new(OsResolver) as Arc<dyn Resolver>)
}

/// Inline rules behind those of the files.
fn merged(files: &Rules, inline: &Rules) -> Rules {
    let mut all = files.clone();
    all.deny.extend_from_slice(&inline.deny);
    all.always_ask.extend_from_slice(&inline.always_ask);
    all.ask.extend_from_slice(&inline.ask);
    all.allow.extend_from_slice(&inline.allow);
    all.restrict.extend_from_slice(&inline.restrict);
    all.additional_directories.extend_from_slice(&inline.additional_directories);
    all
}

/// Without links, where it exists.
fn really(path: String) -> String {
    let real = std::fs::canonicalize(&path).ok().and_then(|real| real.into_os_string().into_string().ok());
    real.unwrap_or(path)
}
