//! From options, environment and settings to the two values that a decision takes: `Context` and `RuleSet`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use portcullis_loader::{Adjustment, Loaded, Settings};
use portcullis_matcher::{
    Anchors, Conventions, ListKind, Mode, RuleSet, RuleSource, Rules, Scope, SourcedRule, parse_tool_list,
};
use portcullis_paths::{OsResolver, SensitivePaths, Table};
use portcullis_permissions::{Agent, Context, Sessions};
use portcullis_shell_analysis::Shell;
use portcullis_tool_names::Aliases;

use super::{Purpose, Surroundings};
use crate::{
    args::{MODES, Options, instead},
    profile::Profile,
    report,
    report::Report,
};

/// Where a session stands; all absolute.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) project_root: &'a str,
    pub(crate) cwd: &'a str,
    pub(crate) home: Option<&'a str>,
}

/// Builds both.
///
/// # Errors
/// An unknown mode, or a mode that an administrator has switched off.
pub(crate) fn build(
    options: &Options,
    surroundings: &Surroundings,
    profile: &Profile,
    purpose: Purpose,
    place: Place<'_>,
    loaded: &Loaded,
) -> Result<(Context, Arc<RuleSet>), Report> {
    let flag = options.mode.as_deref().map(mode).transpose()?;
    let conventions = Conventions {
        fold_case: folds_case(place, &loaded.rules.additional_directories),
        ..conventions(profile, surroundings)
    };
    let anchors = anchors(profile, place);
    let compile = |rules: Rules| Arc::new(RuleSet::compile(Arc::new(rules), &anchors, &conventions));
    let rules = compile(loaded.rules.clone());
    let settings = &loaded.settings;
    let flags = compile(flag_rules(options, settings)?);
    tell(&flags)?;
    let (sensitive, bad_glob) = sensitive(place.home, settings);
    let context = Context {
        project_root: place.project_root.to_owned(),
        cwd: place.cwd.to_owned(),
        home: place.home.map(ToOwned::to_owned),
        shell: Shell::Bash,
        mode: effective_mode(flag, loaded)?,
        aliases: Aliases::standard(),
        sessions: Sessions { session: compile(Rules::default()), cli: flags },
        tools: BTreeMap::new(),
        reading_tools: BTreeSet::new(),
        agent: agent(options, surroundings, profile, place.home),
        workspace: None,
        trusted: false,
        // Whoever runs what is only judged here may pass its environment on as it is.
        scrubbed: purpose == Purpose::Run && scrubs(settings),
        environment: known_variables(surroundings),
        degraded: loaded.degraded.clone().or(bad_glob),
        interactive: false,
        allow_external_paths: false,
        confined_auto: confines(settings, purpose == Purpose::Run || profile.confined_auto),
        hides: true,
        network_blocked: settings.sandbox.network.as_ref().is_none_or(|network| network.value != "open"),
        sensitive: Arc::new(sensitive),
        conventions: profile.gates.clone(),
        resolver: Some(Arc::new(OsResolver)),
        judge_paths: super::judges::all(surroundings, place, loaded),
    };
    Ok((context, rules))
}

/// Whether a run here passes no secrets in the environment.
fn scrubs(settings: &Settings) -> bool {
    settings.sandbox.env.as_ref().is_none_or(|env| env.value != "keep")
}

/// Whether opaque commands may run shut in; `unset` where settings do not say.
fn confines(settings: &Settings, unset: bool) -> bool {
    settings.confined_auto.as_ref().map_or(unset, |explicit| explicit.value)
}

/// The context that was built to judge, as a run here has it.
pub(super) fn of_run(context: &Context, settings: &Settings) -> Context {
    Context { scrubbed: scrubs(settings), confined_auto: confines(settings, true), ..context.clone() }
}

/// Variables that commands will find as they are here, and that decisions may look at: who and where, and where
/// git keeps the user's configuration.
pub(crate) fn known_variables(surroundings: &Surroundings) -> Vec<(String, String)> {
    ["USER", "LOGNAME", "MEMORY_DIR", "LETTA_MEMORY_DIR", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), surroundings.variable(name)?.to_owned())))
        .collect()
}

/// The directories that rules are relative to.
pub(crate) fn anchors(profile: &Profile, place: Place<'_>) -> Anchors {
    Anchors {
        project_root: place.project_root.to_owned(),
        start_directory: place.cwd.to_owned(),
        home: place.home.map(ToOwned::to_owned),
        user_settings: place.home.map(|home| format!("{home}/{}", profile.user_folder)),
    }
}

/// Reads `--mode`.
///
/// # Errors
/// An unknown name.
pub(crate) fn mode(name: &str) -> Result<Mode, Report> {
    Mode::parse(name).ok_or_else(|| {
        Report::failure("unknown-mode", format!("unknown mode `{name}`"))
            .at("--mode")
            .remedy(instead(name, MODES))
    })
}

/// Managed settings beat the flag, the flag beats other settings, and standard is what is left.
fn effective_mode(flag: Option<Mode>, loaded: &Loaded) -> Result<Mode, Report> {
    let set = loaded.rules.mode.as_ref();
    let mode = match (set, flag) {
        (Some((mode, source)), Some(flag)) if source.scope == Scope::Managed => {
            if flag != *mode {
                report::note(&format!(
                    "portcullis: warning: --mode {} has no effect: the administrator's settings say {}",
                    flag.as_str(),
                    mode.as_str()
                ));
            }
            *mode
        }
        (_, Some(flag)) => flag,
        (Some((mode, _)), None) => *mode,
        (None, None) => Mode::Standard,
    };
    match &loaded.settings.unrestricted_disabled {
        Some(lock) if lock.value && mode == Mode::Unrestricted => {
            Err(Report::failure("mode-disabled", "the mode `unrestricted` is switched off")
                .at(super::place(&lock.source).unwrap_or_else(|| "settings".to_owned()))
                .remedy("give another --mode"))
        }
        _ => Ok(mode),
    }
}

/// The rules of `--allowed-tools` and `--disallowed-tools`. Where an administrator lets managed rules alone allow,
/// the first have no effect.
///
/// # Errors
/// A value that cannot be taken apart into rules.
fn flag_rules(options: &Options, settings: &Settings) -> Result<Rules, Report> {
    let lock = settings.allow_managed_rules_only.as_ref().filter(|lock| lock.value);
    if let (Some(lock), false) = (lock, options.allowed_tools.is_empty()) {
        let at = super::place(&lock.source).unwrap_or_else(|| "the administrator's settings".to_owned());
        report::note(&format!(
            "portcullis: warning: --allowed-tools has no effect: only the administrator's rules may allow\n  at: {at}"
        ));
    }
    let parsed = |values: &[String], list| {
        let mut rules = Vec::new();
        for value in values {
            let texts = parse_tool_list(value).map_err(|error| {
                let list_of = (error.part != value.trim()).then_some(value.as_str());
                bad_rule(&error.part, list_of, &error.message, list)
            })?;
            rules.extend(texts.into_iter().map(|rule| SourcedRule::text(rule, RuleSource::of(Scope::Cli))));
        }
        Ok(rules)
    };
    let allow = parsed(&options.allowed_tools, ListKind::Allow)?;
    Ok(Rules {
        allow: if lock.is_some() { Vec::new() } else { allow },
        deny: parsed(&options.disallowed_tools, ListKind::Deny)?,
        ..Rules::default()
    })
}

/// Says what flags mean where that is not what they seem to say.
///
/// # Errors
/// A rule that cannot be read.
fn tell(flags: &RuleSet) -> Result<(), Report> {
    if let Some(error) = flags.errors().first() {
        return Err(bad_rule(&error.rule, None, &error.message, error.list));
    }
    super::settings::tell_misses(flags, |text| report::note(&text));
    let told = |list| matches!(list, ListKind::Deny);
    for note in flags.notes().iter().filter(|note| !(note.doubtful && told(note.list))) {
        let text = format!("rule `{}` in {}: {}", note.rule, flag(note.list), note.message);
        report::note(&format!("portcullis: note: {}", portcullis_approval::escape_line(&text)));
    }
    Ok(())
}

/// `whole`: the value that the rule is a part of.
fn bad_rule(rule: &str, whole: Option<&str>, message: &str, list: ListKind) -> Report {
    let (what, remedy) = message.split_once(": ").unwrap_or((message, "write `Tool` or `Tool(payload)`"));
    let whole = whole.map_or_else(String::new, |whole| format!(" in `{whole}`"));
    Report::failure("rule", format!("`{rule}`{whole} cannot be read as a rule: {what}"))
        .at(flag(list))
        .remedy(remedy)
}

const fn flag(list: ListKind) -> &'static str {
    if matches!(list, ListKind::Allow) { "--allowed-tools" } else { "--disallowed-tools" }
}

/// Whether files that the rules are about may be found by names of another case: rules that restrict then compare
/// so everywhere.
pub(crate) fn folds_case(place: Place<'_>, directories: &[String]) -> bool {
    let own = [Some(place.project_root), place.home, Some(place.cwd)].into_iter().flatten();
    own.chain(directories.iter().map(String::as_str))
        .any(|directory| portcullis_paths::ignores_case(std::path::Path::new(directory)))
}

/// The profile's conventions, with the engine that the environment selects.
pub(crate) fn conventions(profile: &Profile, surroundings: &Surroundings) -> Conventions {
    let raw_names = matches!(surroundings.variable("LETTA_PERMISSIONS_V2"), Some("0" | "false"));
    Conventions { fold_names: profile.rules.fold_names && !raw_names, ..profile.rules.clone() }
}

/// The tables of sensitive paths with what settings add and remove. A glob that cannot be read degrades
/// the session: what it was to protect is not known.
fn sensitive(home: Option<&str>, settings: &Settings) -> (SensitivePaths, Option<String>) {
    let mut tables = SensitivePaths::standard(home);
    let mut bad = None;
    let texts = |list: &[portcullis_loader::Sourced<String>]| -> Vec<String> {
        list.iter().map(|sourced| sourced.value.clone()).collect()
    };
    let mut adjust = |table: Table, adjustment: &Adjustment| {
        let adjusted = tables.clone().adjust(table, &texts(&adjustment.add), &texts(&adjustment.remove));
        match adjusted {
            Ok(adjusted) => tables = adjusted,
            Err(error) => {
                let at = adjustment
                    .add
                    .iter()
                    .chain(&adjustment.remove)
                    .find_map(|sourced| super::place(&sourced.source));
                report::note(&format!(
                    "portcullis: error: {error}\n  at: {}",
                    at.as_deref().unwrap_or("settings")
                ));
                bad.get_or_insert_with(|| at.unwrap_or_else(|| "settings".to_owned()));
            }
        }
    };
    adjust(Table::Secret, &settings.secrets);
    adjust(Table::Protected, &settings.protected);
    (tables, bad)
}

/// Whether the kernel keeps a tree from this process: the word of a variable alone proves no sandbox.
fn is_closed(tree: &str) -> bool {
    std::fs::read_dir(tree).is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

/// Who proposes, as the host's environment says.
pub(crate) fn agent(
    options: &Options,
    surroundings: &Surroundings,
    profile: &Profile,
    home: Option<&str>,
) -> Agent {
    let variable = |name: &str| {
        let value = surroundings.variable(name).filter(|value| !value.trim().is_empty());
        value.map(ToOwned::to_owned)
    };
    let subagent = surroundings.variable("LETTA_CODE_AGENT_ROLE") == Some("subagent");
    let mut trees = Vec::new();
    if let (true, Some(home)) = (profile.agent_trees, home) {
        trees.push(format!("{home}/.letta/agents"));
        let storage = variable("LETTA_LOCAL_BACKEND_DIR").map_or_else(
            || format!("{home}/.letta/lc-local-backend"),
            |directory| portcullis_paths::join(home, &directory),
        );
        trees.push(format!("{storage}/memfs"));
    }
    Agent {
        id: variable("AGENT_ID").or_else(|| variable("LETTA_AGENT_ID")),
        parent: subagent.then(|| variable("LETTA_PARENT_AGENT_ID")).flatten(),
        subagent,
        memory_guard_disabled: options.disable_memory_guard && !subagent,
        confined: subagent && variable("LETTA_SANDBOX").is_some() && trees.iter().any(|tree| is_closed(tree)),
        trees,
        memory_directories: variable("MEMORY_DIR")
            .or_else(|| variable("LETTA_MEMORY_DIR"))
            .into_iter()
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use portcullis_loader::{Settings, Sourced};
    use portcullis_matcher::{RuleSource, Scope};

    use super::flag_rules;
    use crate::args::Options;

    #[test]
    fn where_managed_rules_alone_allow_flags_still_deny() {
        let options = Options {
            allowed_tools: vec!["Bash(make:*)".to_owned()],
            disallowed_tools: vec!["Bash(rm:*)".to_owned()],
            ..Options::default()
        };
        let lock = |value| Settings {
            allow_managed_rules_only: Some(Sourced { value, source: RuleSource::of(Scope::Managed) }),
            ..Settings::default()
        };
        let count = |settings: &Settings| {
            let rules = flag_rules(&options, settings).unwrap();
            (rules.allow.len(), rules.deny.len())
        };
        assert_eq!(count(&lock(true)), (0, 1));
        assert_eq!(count(&lock(false)), (1, 1));
        assert_eq!(count(&Settings::default()), (1, 1));
    }
}
