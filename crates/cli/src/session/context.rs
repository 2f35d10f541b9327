//! From options, environment and settings to the two values that a decision takes: `Context` and `RuleSet`.

use std::{collections::BTreeMap, sync::Arc};

use portcullis_matcher::{
    Anchors, Conventions, Mode, RuleSet, RuleSource, Rules, Scope, SourcedRule, parse_tool_list,
};
use portcullis_paths::SensitivePaths;
use portcullis_permissions::{Agent, Context, Sessions};
use portcullis_shell_analysis::Shell;
use portcullis_tool_names::Aliases;

use super::{Purpose, Surroundings};
use crate::{args::Options, profile::Profile, report::Report};

/// Builds both.
///
/// # Errors
/// An unknown mode.
pub(crate) fn build(
    options: &Options,
    surroundings: &Surroundings,
    profile: &Profile,
    purpose: Purpose,
    project_root: &str,
    cwd: &str,
    home: Option<&str>,
) -> Result<(Context, Arc<RuleSet>), Report> {
    let flag = options.mode.as_deref().map(mode).transpose()?;
    let conventions = conventions(profile, surroundings);
    let anchors = Anchors {
        project_root: project_root.to_owned(),
        start_directory: cwd.to_owned(),
        home: home.map(ToOwned::to_owned),
        user_settings: home.map(|home| format!("{home}/.{}", profile.name)),
    };
    let rules = Arc::new(RuleSet::compile(Arc::new(Rules::default()), &anchors, &conventions));
    let context = Context {
        project_root: project_root.to_owned(),
        cwd: cwd.to_owned(),
        home: home.map(ToOwned::to_owned),
        shell: Shell::Bash,
        mode: flag.unwrap_or(Mode::Standard),
        aliases: Aliases::standard(),
        sessions: Sessions {
            session: Arc::new(RuleSet::compile(Arc::new(Rules::default()), &anchors, &conventions)),
            cli: Arc::new(RuleSet::compile(Arc::new(flag_rules(options)), &anchors, &conventions)),
        },
        tools: BTreeMap::new(),
        agent: agent(options, surroundings, profile, home),
        workspace: None,
        trusted: true,
        degraded: None,
        interactive: false,
        allow_external_paths: false,
        confined_auto: purpose == Purpose::Run || profile.confined_auto,
        hides: true,
        network_blocked: true,
        sensitive: Arc::new(SensitivePaths::standard(home)),
        conventions: profile.gates.clone(),
        resolver: None,
        judge_paths: Vec::new(),
    };
    Ok((context, rules))
}

/// Reads `--mode`.
///
/// # Errors
/// An unknown name.
pub(crate) fn mode(name: &str) -> Result<Mode, Report> {
    Mode::parse(name).ok_or_else(|| {
        Report::failure("unknown-mode", format!("unknown mode `{name}`"))
            .at("--mode")
            .remedy("use strict, standard, acceptEdits, unrestricted, plan or dontAsk")
    })
}

/// The rules of `--allowed-tools` and `--disallowed-tools`.
fn flag_rules(options: &Options) -> Rules {
    let parsed = |values: &[String]| {
        values
            .iter()
            .flat_map(|value| parse_tool_list(value))
            .filter(|rule| !rule.is_empty())
            .map(|rule| SourcedRule::text(rule, RuleSource::of(Scope::Cli)))
            .collect()
    };
    Rules {
        allow: parsed(&options.allowed_tools),
        deny: parsed(&options.disallowed_tools),
        ..Rules::default()
    }
}

/// The profile's conventions, with the engine that the environment selects (specification 3.6).
fn conventions(profile: &Profile, surroundings: &Surroundings) -> Conventions {
    let raw_names = matches!(surroundings.variable("LETTA_PERMISSIONS_V2"), Some("0" | "false"));
    Conventions { fold_names: profile.rules.fold_names && !raw_names, ..profile.rules.clone() }
}

/// Who proposes, as the host's environment says (specification 3.5).
fn agent(options: &Options, surroundings: &Surroundings, profile: &Profile, home: Option<&str>) -> Agent {
    let variable = |name: &str| surroundings.variable(name).map(ToOwned::to_owned);
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
        confined: false,
        trees,
        memory_directories: variable("MEMORY_DIR")
            .or_else(|| variable("LETTA_MEMORY_DIR"))
            .into_iter()
            .collect(),
    }
}
