//! How many other ways to do the same get past a deny rule.

use std::sync::Arc;

use portcullis_matcher::{
    ListKind, Mode, RuleId, RuleSet, RuleSource, RuleSpec, RuleSubject, Rules, Sample, Scope, SourcedRule,
};
use portcullis_shell_analysis::join_words;
use portcullis_tool_names::{Family, Tool};

use super::{
    compiled,
    spellings::spellings,
    substitutes::{Purpose, substitutes},
    ways::{FileCall, READING, READING_TOOLS, WRITING, WRITING_TOOLS, commands},
};
use crate::{Context, Decision, Sessions, ToolCall, decide};

/// A name that no project has.
pub(super) const FILE: &str = "precious.txt";

/// Words behind a command that a rule without `:*` names.
const MORE: [&str; 2] = ["x", "--verbose"];

/// Commands that reach a site.
const VISITS: [&str; 14] = [
    "curl https://{domain}/",
    "wget https://{domain}/",
    "curl -d @precious.txt https://{domain}/",
    "http https://{domain}/",
    "lynx -dump https://{domain}/",
    "git clone https://{domain}/a.git",
    "pip install https://{domain}/a.tar.gz",
    "npm install https://{domain}/a.tgz",
    "scp precious.txt {domain}:",
    "nc {domain} 80",
    "openssl s_client -connect {domain}:443",
    "bash -c 'echo x > /dev/tcp/{domain}/80'",
    "python3 -c 'import urllib.request; urllib.request.urlopen(\"https://{domain}/\")'",
    "node -e 'fetch(\"https://{domain}/\")'",
];

/// What gets past a deny rule: judged in mode unrestricted, where nothing but the rules stands in the
/// way, without looking at the file system, so that the figure is the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Evasion {
    /// How many spellings, wrappers and substitutes were judged.
    pub of: usize,
    /// Those that are allowed.
    pub past: Vec<String>,
    /// A deny rule for files that closes most of them; its path stands for whatever has to stay as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_by: Option<String>,
    /// How many are left with that rule; without one as many as before.
    pub left: usize,
    /// What of the sandbox closes the rest, in words.
    pub sandbox: &'static str,
    /// What of the sandbox has to be in force for that.
    pub needs: Needs,
    /// The rule that goes on to match when more words follow, where this one does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wider: Option<String>,
}

/// What the sandbox needs to close what gets past a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Needs {
    /// That commands run in it.
    Sandbox,
    /// And have no network.
    NoNetwork,
    /// And that the path that matters is named in its settings.
    Path,
}

impl Evasion {
    pub(super) fn remedy(&self) -> String {
        let rest = self.closing();
        match &self.wider {
            Some(rule) => format!("write `{rule}`: now it covers these words alone; then {rest}"),
            None => rest,
        }
    }

    fn closing(&self) -> String {
        match &self.closed_by {
            Some(rule) if !rule.contains(FILE) && !rule.contains(".git") => {
                format!("deny `{rule}` too: {} of these are left, and that {}", self.left, self.sandbox)
            }
            Some(rule) => {
                let left = match self.left {
                    0 => "none of these is left".to_owned(),
                    left => format!("{left} of these are left, and those {}", self.sandbox),
                };
                format!("deny `{rule}`, with the path that matters: {left}")
            }
            None => format!("no one rule closes all of it; it {}", self.sandbox),
        }
    }
}

/// Judges other ways to do what a deny rule for commands or files forbids, or one for a site: spellings, wrappers, other programs. None
/// for other rules, and for one that cannot be turned into a command or a path.
#[must_use]
pub fn evasion(context: &Context, rules: &RuleSet, id: RuleId) -> Option<Evasion> {
    Judges::new(context, rules).evasion(id)
}

/// What judging ways around many rules of a set has in common, made once.
pub(super) struct Judges<'a> {
    rules: &'a RuleSet,
    context: Context,
    /// The allow rules of the set alone.
    allow: RuleSet,
}

impl<'a> Judges<'a> {
    pub(super) fn new(context: &Context, rules: &'a RuleSet) -> Self {
        let context = Context {
            mode: Mode::Unrestricted,
            sessions: Sessions::none(),
            degraded: None,
            resolver: None,
            cwd: context.project_root.clone(),
            ..context.clone()
        };
        let own = rules.rules();
        let allow = Rules {
            allow: own.allow.clone(),
            additional_directories: own.additional_directories.clone(),
            ..Rules::default()
        };
        Self { rules, context, allow: compiled(rules, allow) }
    }

    /// See [`evasion`].
    pub(super) fn evasion(&self, id: RuleId) -> Option<Evasion> {
        let Self { rules, context, .. } = self;
        if rules.kind(id) != Some(ListKind::Deny) {
            return None;
        }
        let judge = Judge::new(self, rules.rule(id)?);
        match rules.sample(id) {
            Some(Sample::Command(words)) => of_command(&judge, id, words),
            Some(Sample::Path(path)) => of_path(&judge, id, &path),
            _ => of_domain(&judge, id)
                .or_else(|| of_tool(&judge, id))
                .or_else(|| of_pattern(&judge, context, id)),
        }
    }
}

/// A pattern of a rule object that is about one command: what stands in it between stars.
fn of_pattern(judge: &Judge<'_>, context: &Context, id: RuleId) -> Option<Evasion> {
    let RuleSpec::Object(object) = &judge.rules.rule(id)?.spec else { return None };
    let text = object.pattern.as_deref()?;
    let open = text.ends_with('*');
    let text = text.trim_matches(['*', ' ']);
    let words = text.split_ascii_whitespace().map(str::to_owned);
    let plain = |char: char| char.is_ascii_alphanumeric() || " -_./:=@".contains(char);
    let shell = object.tools.iter().any(|tool| context.aliases.canonical(tool) == Some(Tool::Bash));
    (shell && text.chars().all(plain)).then(|| of_words(judge, words.collect(), open))?
}

fn of_command(judge: &Judge<'_>, id: RuleId, command: Vec<String>) -> Option<Evasion> {
    let RuleSubject::Command { open, .. } = judge.rules.subject_of(id)? else { return None };
    of_words(judge, command, open)
}

/// `open`: more words may follow.
fn of_words(judge: &Judge<'_>, mut command: Vec<String>, open: bool) -> Option<Evasion> {
    if open && command.len() == 1 {
        command.push(FILE.to_owned());
    }
    if command.is_empty() || judge.passes(&join_words(&command)) {
        return None;
    }
    let (purpose, others) = substitutes(&command, FILE);
    // Without `:*` the nearest way past is the command itself with one more word.
    let text = join_words(&command);
    let longer = if open { Vec::new() } else { MORE.iter().map(|more| format!("{text} {more}")).collect() };
    let ways: Vec<String> = longer.into_iter().chain(spellings(&command)).chain(others).collect();
    let of = ways.len();
    let past: Vec<String> = ways.into_iter().filter(|way| judge.passes(way)).collect();
    let closed_by = closing_rule(purpose);
    let left = closed_by.as_ref().map_or(past.len(), |rule| {
        let calls: Vec<ToolCall> = past.iter().map(|way| ToolCall::shell(way)).collect();
        judge.left(rule, calls.iter())
    });
    let is_longer = past.iter().any(|way| MORE.iter().any(|more| *way == format!("{text} {more}")));
    let wider = (!open && is_longer).then(|| format!("Bash({text}:*)"));
    Some(Evasion { of, past, closed_by, left, sandbox: sandbox(purpose), needs: needs(purpose), wider })
}

/// A rule for a site stops the tool that fetches pages, and nothing else that goes there.
fn of_domain(judge: &Judge<'_>, id: RuleId) -> Option<Evasion> {
    let rule = judge.rules.rule(id)?.label();
    let (_, domain) = rule.split_once("(domain:")?;
    let domain = domain.strip_suffix(')')?.trim().replace('*', "www");
    let ways: Vec<String> = VISITS.iter().map(|visit| visit.replace("{domain}", &domain)).collect();
    let of = ways.len();
    let past: Vec<String> = ways.into_iter().filter(|way| judge.passes(way)).collect();
    let purpose = Purpose::Network;
    let left = past.len();
    Some(Evasion {
        of,
        past,
        closed_by: None,
        left,
        sandbox: sandbox(purpose),
        needs: needs(purpose),
        wider: None,
    })
}

fn of_path(judge: &Judge<'_>, id: RuleId, path: &str) -> Option<Evasion> {
    let Judge { rules, context, .. } = judge;
    let RuleSubject::Paths { reading, writing } = rules.subject_of(id)? else { return None };
    // A rule about searching says nothing about what programs do: one about reading does.
    let rule = rules.rule(id)?.label();
    let (tool, payload) = rule.split_once('(')?;
    let closed_by = (reading && context.aliases.canonical(tool.trim()) != Some(Tool::Read))
        .then(|| format!("Read({payload}"));
    Some(of_file(judge, path, (reading, writing), closed_by))
}

/// A rule for a file tool as a whole stops that tool, and nothing else that reaches the same files.
fn of_tool(judge: &Judge<'_>, id: RuleId) -> Option<Evasion> {
    let Judge { rules, context, .. } = judge;
    let RuleSubject::Tools { shell: false } = rules.subject_of(id)? else { return None };
    let rule = rules.rule(id)?.label();
    let tool = context.aliases.canonical(rule.split('(').next()?.trim())?;
    if tool.family() != Family::File {
        return None;
    }
    let writing = tool.is_writing();
    let closed_by = Some(if writing { "Edit(**)" } else { "Read(**)" }.to_owned());
    let path = format!("{}/{FILE}", context.project_root.trim_end_matches('/'));
    Some(of_file(judge, &path, (!writing, writing), closed_by))
}

/// What reaches one file, or changes it.
fn of_file(
    judge: &Judge<'_>,
    path: &str,
    (reading, writing): (bool, bool),
    closed_by: Option<String>,
) -> Evasion {
    let root = &judge.context.project_root;
    let tables: &[(&[&str], &[FileCall])] = match (reading, writing) {
        (true, false) => &[(READING, READING_TOOLS)],
        (false, true) => &[(WRITING, WRITING_TOOLS)],
        _ => &[(READING, READING_TOOLS), (WRITING, WRITING_TOOLS)],
    };
    let mut ways: Vec<(String, ToolCall)> = Vec::new();
    for (templates, tools) in tables {
        ways.extend(tools.iter().map(|call| call.for_path(path)));
        let commands = commands(templates, path, root).into_iter();
        ways.extend(commands.map(|text| {
            let call = ToolCall::shell(&text);
            (text, call)
        }));
    }
    let of = ways.len();
    ways.retain(|(_, call)| judge.lets(call));
    let left =
        closed_by.as_ref().map_or(ways.len(), |rule| judge.left(rule, ways.iter().map(|(_, call)| call)));
    let purpose = if reading { Purpose::Hidden } else { Purpose::Kept };
    let past = ways.into_iter().map(|(text, _)| text).collect();
    Evasion { of, past, closed_by, left, sandbox: sandbox(purpose), needs: needs(purpose), wider: None }
}

/// Judges ways around one deny rule, by that rule alone and by all rules.
struct Judge<'a> {
    context: &'a Context,
    rules: &'a RuleSet,
    /// The rule as one of the session, above the allow rules alone: what it stops so is stopped by all rules too, since
    /// a rule that restricts never loosens, and this is far less work where there are many.
    alone: Context,
    allow: &'a RuleSet,
}

impl<'a> Judge<'a> {
    fn new(judges: &'a Judges<'_>, rule: &SourcedRule) -> Self {
        let alone = with_deny(&judges.context, judges.rules, rule.clone());
        Self { context: &judges.context, rules: judges.rules, alone, allow: &judges.allow }
    }

    fn passes(&self, text: &str) -> bool {
        self.lets(&ToolCall::shell(text))
    }

    fn lets(&self, call: &ToolCall) -> bool {
        lets(&self.alone, self.allow, call) && lets(self.context, self.rules, call)
    }

    /// Those that all rules and one more deny rule let through, of some that all rules let through.
    fn left<'c>(&self, rule: &str, past: impl Iterator<Item = &'c ToolCall>) -> usize {
        let rule = SourcedRule::text(rule, RuleSource::of(Scope::Session));
        let closed = with_deny(self.context, self.rules, rule);
        past.filter(|call| lets(&closed, self.allow, call)).count()
    }
}

/// A context with one more deny rule: one of the session, so that the others are not read again.
fn with_deny(context: &Context, rules: &RuleSet, rule: SourcedRule) -> Context {
    let session = compiled(rules, Rules { deny: vec![rule], ..Rules::default() });
    let sessions = Sessions { session: Arc::new(session), ..Sessions::none() };
    Context { sessions, ..context.clone() }
}

/// What is allowed only while something is hidden from it does not get past.
fn lets(context: &Context, rules: &RuleSet, call: &ToolCall) -> bool {
    let verdict = decide(call, context, rules);
    verdict.decision == Decision::Allow && verdict.exclude.is_empty()
}

fn closing_rule(purpose: Purpose) -> Option<String> {
    match purpose {
        Purpose::Change => Some(format!("Edit({FILE})")),
        Purpose::Read => Some(format!("Read({FILE})")),
        Purpose::Repository => Some("Edit(.git/**)".to_owned()),
        _ => None,
    }
}

/// What has to be in force for [`sandbox`] to be true.
const fn needs(purpose: Purpose) -> Needs {
    match purpose {
        Purpose::Network => Needs::NoNetwork,
        Purpose::Change | Purpose::Read | Purpose::Repository => Needs::Path,
        _ => Needs::Sandbox,
    }
}

/// What of the sandbox closes what is left.
fn sandbox(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Change => "cannot write what `sandbox.protected` names when they run in the sandbox",
        Purpose::Read => "cannot read what `sandbox.hidden` names when they run in the sandbox",
        Purpose::Hidden => {
            "is closed by the sandbox alone, which hides what this rule names: run what is allowed through `portcullis run`"
        }
        Purpose::Kept => {
            "is closed by the sandbox alone, which keeps what this rule names from being written: run what is allowed through `portcullis run`"
        }
        Purpose::Network => {
            "ends where the sandbox has no network: `\"sandbox\": { \"network\": \"blocked\" }`"
        }
        Purpose::Repository => {
            "cannot write `.git` where `sandbox.protected` names it and they run in the sandbox"
        }
        Purpose::Privilege => {
            "ends in the sandbox, where no program gains rights or reaches a service's socket"
        }
        Purpose::Processes => "ends in the sandbox, which sees no process outside itself",
        Purpose::Environment => "ends in the sandbox, which passes no secrets in the environment",
        Purpose::Code | Purpose::Other => {
            "is held by the sandbox alone: run what is allowed through `portcullis run`"
        }
    }
}
