//! One request of the batch format, read but not yet given a meaning.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_matcher::{
    Mode, RuleObject, RuleSource, RuleSpec, Rules, Scope, SourcedRule, parse_tool_list,
};
use portcullis_permissions::{ToolCall, ToolPolicy, Workspace};
use portcullis_shell_analysis::Shell;
use serde_json::Value;

use crate::{
    commands::{
        batch::fields::{Fields, bad},
        shell,
    },
    report::Report,
    session,
};

/// What a request says; absent fields are `None`.
pub(super) struct Request {
    pub(super) call: ToolCall,
    pub(super) cwd: Option<String>,
    pub(super) home: Option<String>,
    pub(super) root: Option<String>,
    pub(super) mode: Option<Mode>,
    pub(super) profile: Option<String>,
    pub(super) raw_names: Option<bool>,
    pub(super) interactive: Option<bool>,
    pub(super) trusted: Option<bool>,
    pub(super) hides: Option<bool>,
    pub(super) confined_auto: Option<bool>,
    pub(super) allow_external_paths: Option<bool>,
    /// `settings` is `load`, or absent without `rules`.
    pub(super) load: bool,
    pub(super) shell: Shell,
    pub(super) tools: Policies,
    pub(super) payloads: Payloads,
    pub(super) reading_tools: BTreeSet<String>,
    pub(super) rules: Rules,
    pub(super) session: Rules,
    pub(super) cli: Rules,
    pub(super) disable_memory_guard: bool,
    pub(super) agent: Option<AgentFields>,
    pub(super) workspace: Option<Workspace>,
    pub(super) environment: Option<BTreeMap<String, String>>,
    /// Fields of the request that mean nothing here; they are named in the answer.
    pub(super) ignored: Vec<String>,
}

/// `agent`
#[derive(Default)]
pub(super) struct AgentFields {
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) subagent: Option<bool>,
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// The first field that is missing or of the wrong type.
    pub(super) fn read(value: &Value) -> Result<Self, Report> {
        let fields = Fields::of(value, "")?;
        fields.value("id");
        let tool = fields.text("tool")?.ok_or_else(|| bad("`tool` is missing"))?;
        let arguments = fields.value("arguments").ok_or_else(|| bad("`arguments` is missing"))?;
        let inline = fields.object("rules")?;
        let load = match fields.text("settings")? {
            Some("none") => false,
            Some("load") => true,
            Some(other) => return Err(bad(format!("`settings` is `{other}`; use none or load"))),
            None => inline.is_none(),
        };
        let (cli, disable_memory_guard) = cli(fields.object("cli")?)?;
        let (tools, reading_tools, payloads) = tools(&fields)?;
        let mut request = Self {
            call: ToolCall::new(tool, arguments.clone()),
            cwd: fields.path("cwd")?,
            home: fields.path("home")?,
            root: fields.path("root")?,
            mode: fields.text("mode")?.map(session::mode).transpose()?,
            profile: fields.text("profile")?.map(str::to_owned),
            raw_names: engine(fields.text("engine")?)?,
            interactive: fields.flag("interactive")?,
            trusted: fields.flag("trusted")?,
            hides: fields.flag("hides")?,
            confined_auto: fields.flag("confinedAuto")?,
            allow_external_paths: fields.flag("allowExternalPaths")?,
            load,
            shell: shell::shell(fields.value("shell"))
                .ok_or_else(|| bad("`shell` is not bash, sh, zsh or unknown"))?,
            tools,
            payloads,
            reading_tools,
            rules: inline.map_or_else(|| Ok(Rules::default()), |lists| rules(&lists, Scope::User))?,
            session: fields
                .object("session")?
                .map_or_else(|| Ok(Rules::default()), |lists| rules(&lists, Scope::Session))?,
            cli,
            disable_memory_guard,
            agent: fields.object("agent")?.as_ref().map(agent).transpose()?,
            workspace: fields.object("workspace")?.as_ref().map(workspace).transpose()?,
            environment: environment(&fields)?,
            ignored: Vec::new(),
        };
        request.ignored = fields.unknown().into_iter().map(str::to_owned).collect();
        Ok(request)
    }
}

fn engine(name: Option<&str>) -> Result<Option<bool>, Report> {
    match name {
        None => Ok(None),
        Some("v1") => Ok(Some(true)),
        Some("v2") => Ok(Some(false)),
        Some(other) => Err(bad(format!("`engine` is `{other}`; use v1 or v2"))),
    }
}

/// By the names of tools.
type Policies = BTreeMap<String, ToolPolicy>;

/// The arguments that payloads of rules are compared with, by the names of tools.
type Payloads = BTreeMap<String, String>;

/// `{NAME: POLICY}`, or `{NAME: {policy, reads, payload}}`: what tools declare of themselves, and who of them only reads;
/// who says that and no policy is asked about.
fn tools(fields: &Fields<'_>) -> Result<(Policies, BTreeSet<String>, Payloads), Report> {
    let (mut policies, mut reading, mut payloads) = (Policies::new(), BTreeSet::new(), Payloads::new());
    for (name, declared) in fields.entries("tools")?.into_iter().flatten() {
        if declared.is_string() {
            policies.insert(name.clone(), policy(name, declared)?);
            continue;
        }
        let declared = Fields::of(declared, &format!("tools.{name}"))?;
        let reads = declared.flag("reads")?.unwrap_or(false);
        match declared.value("policy") {
            Some(given) => {
                policies.insert(name.clone(), policy(name, given)?);
            }
            None if reads => {
                policies.insert(name.clone(), ToolPolicy::Ask);
            }
            None => {}
        }
        if reads {
            reading.insert(name.clone());
        }
        if let Some(argument) = declared.text("payload")? {
            payloads.insert(name.clone(), argument.to_owned());
        }
        declared.no_others()?;
    }
    Ok((policies, reading, payloads))
}

fn policy(name: &str, declared: &Value) -> Result<ToolPolicy, Report> {
    match declared.as_str() {
        Some("auto") => Ok(ToolPolicy::Auto),
        Some("ask") => Ok(ToolPolicy::Ask),
        Some("alwaysAsk") => Ok(ToolPolicy::AlwaysAsk),
        _ => Err(bad(format!("`tools.{name}` is not auto, ask or alwaysAsk"))),
    }
}

fn rules(lists: &Fields<'_>, scope: Scope) -> Result<Rules, Report> {
    let read = |name| -> Result<Vec<SourcedRule>, Report> {
        lists.list(name)?.iter().map(|value| rule(value, name, scope)).collect()
    };
    let inline = scope != Scope::Session;
    let rules = Rules {
        deny: read("deny")?,
        always_ask: read("alwaysAsk")?,
        ask: read("ask")?,
        allow: read("allow")?,
        restrict: if inline { read("restrict")? } else { Vec::new() },
        additional_directories: if inline {
            lists.texts("additionalDirectories")?.into_iter().map(str::to_owned).collect()
        } else {
            Vec::new()
        },
        mode: None,
    };
    lists.no_others()?;
    Ok(rules)
}

/// A rule text, `{rule, scope?, reason?, file?, line?}`, or a rule object with the same additions.
fn rule(value: &Value, list: &str, scope: Scope) -> Result<SourcedRule, Report> {
    if let Some(text) = value.as_str() {
        return Ok(SourcedRule::text(text, RuleSource::of(scope)));
    }
    let fields = Fields::of(value, list)?;
    let scope = match fields.text("scope")? {
        None => scope,
        Some(name) => scope_named(name)?,
    };
    let line = fields.value("line").and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok());
    let source = RuleSource { scope, file: fields.text("file")?.map(Into::into), line, column: None };
    let reason = fields.text("reason")?.map(str::to_owned);
    let spec = match fields.text("rule")? {
        Some(text) => RuleSpec::Text(text.to_owned()),
        None => RuleSpec::Object(rule_object(&fields, list)?),
    };
    fields.no_others()?;
    Ok(SourcedRule { spec, reason, source })
}

fn rule_object(fields: &Fields<'_>, list: &str) -> Result<RuleObject, Report> {
    let tools = match fields.value("tool") {
        None => vec!["Bash".to_owned()],
        Some(Value::String(name)) => vec![name.clone()],
        Some(_) => fields.texts("tool")?.into_iter().map(str::to_owned).collect(),
    };
    let pattern = fields.text("pattern")?.map(str::to_owned);
    let regex = fields.text("regex")?.map(str::to_owned);
    if pattern.is_some() == regex.is_some() {
        return Err(bad(format!("a rule of `{list}` needs `rule`, or one of `pattern` and `regex`")));
    }
    Ok(RuleObject { tools, pattern, regex })
}

fn scope_named(name: &str) -> Result<Scope, Report> {
    [Scope::Managed, Scope::User, Scope::Project, Scope::Local, Scope::Cli, Scope::Session]
        .into_iter()
        .find(|scope| scope.as_str() == name)
        .ok_or_else(|| {
            bad(format!("unknown scope `{name}`; use managed, user, project, local, cli or session"))
        })
}

fn cli(fields: Option<Fields<'_>>) -> Result<(Rules, bool), Report> {
    let Some(fields) = fields else { return Ok((Rules::default(), false)) };
    let read = |name| -> Result<Vec<SourcedRule>, Report> {
        let mut rules = Vec::new();
        for value in fields.texts(name)? {
            let texts = parse_tool_list(value).map_err(|error| bad(format!("`cli.{name}`: {error}")))?;
            rules.extend(texts.into_iter().map(|rule| SourcedRule::text(rule, RuleSource::of(Scope::Cli))));
        }
        Ok(rules)
    };
    let rules = Rules { allow: read("allowed")?, deny: read("disallowed")?, ..Rules::default() };
    let disable = fields.flag("disableMemoryGuard")?.unwrap_or(false);
    fields.no_others()?;
    Ok((rules, disable))
}

fn agent(fields: &Fields<'_>) -> Result<AgentFields, Report> {
    let agent = AgentFields {
        id: fields.text("id")?.map(str::to_owned),
        parent: fields.text("parent")?.map(str::to_owned),
        subagent: fields.flag("subagent")?,
    };
    fields.no_others()?;
    Ok(agent)
}

/// Shape and nesting; whether the directories exist is for those who work in them.
fn workspace(fields: &Fields<'_>) -> Result<Workspace, Report> {
    let root = fields.path("root")?.ok_or_else(|| bad("`workspace.root` is missing"))?;
    let isolation =
        fields.path("isolationRoot")?.ok_or_else(|| bad("`workspace.isolationRoot` is missing"))?;
    fields.no_others()?;
    Workspace::unchecked(&root, &isolation).map_err(|error| bad(format!("`workspace`: {error}")))
}

fn environment(fields: &Fields<'_>) -> Result<Option<BTreeMap<String, String>>, Report> {
    let Some(entries) = fields.entries("env")? else { return Ok(None) };
    let read = |(name, value): (&String, &Value)| match value {
        Value::Null => None,
        Value::String(text) => Some(Ok((name.clone(), text.clone()))),
        _ => Some(Err(bad(format!("`env.{name}` is not a string")))),
    };
    entries.iter().filter_map(read).collect::<Result<_, _>>().map(Some)
}
