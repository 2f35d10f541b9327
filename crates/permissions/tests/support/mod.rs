//! Calls with the rules around them, from the recorded cases in `conformance/`. They are data: nothing is run.
#![allow(dead_code, reason = "each test file uses its own part of it")]

pub(crate) mod generate;
pub(crate) mod row;

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex},
};

use portcullis_matcher::{Anchors, Conventions, ListKind, RuleSet, SourcedRule};
use portcullis_paths::SensitivePaths;
use portcullis_permissions::{
    Agent, Context, Decision, GateConventions, Mode, RuleSource, Rules, Scope, Sessions, ToolCall,
    ToolPolicy, Verdict, Workspace, decide,
};
use serde_json::{Value, json};

/// The home directory of every case; it need not exist.
pub(crate) const HOME: &str = "/home/u";

/// All modes.
pub(crate) const MODES: [Mode; 6] =
    [Mode::Strict, Mode::Plan, Mode::DontAsk, Mode::Standard, Mode::AcceptEdits, Mode::Unrestricted];

/// The lines of a file of cases.
pub(crate) fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../conformance/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Everything that a decision depends on, as plain data.
#[derive(Clone, Debug)]
pub(crate) struct Situation {
    pub(crate) call: ToolCall,
    pub(crate) cwd: String,
    pub(crate) home: String,
    pub(crate) mode: Mode,
    /// The conventions of Claude Code, else the default ones.
    pub(crate) claude: bool,
    pub(crate) rules: Rules,
    pub(crate) session: Rules,
    pub(crate) cli: Rules,
    pub(crate) extra: Extra,
}

/// What a host may switch on or say besides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extra {
    /// A workspace guard around the project.
    pub(crate) workspace: bool,
    /// Agent `a1` with a memory, beside others.
    pub(crate) agent: bool,
    /// `.letta/settings.json` is in force.
    pub(crate) judged: bool,
    /// Settings could not be read.
    pub(crate) degraded: bool,
    /// Opaque commands may run shut in.
    pub(crate) confined_auto: bool,
    /// The runner hides nothing.
    pub(crate) blind: bool,
}

impl Situation {
    /// A call in a project `/repo`, without rules.
    pub(crate) fn new(tool: &str, arguments: Value, mode: Mode) -> Self {
        Self {
            call: ToolCall::new(tool, arguments),
            cwd: "/repo".into(),
            home: HOME.into(),
            mode,
            claude: false,
            rules: Rules::default(),
            session: Rules::default(),
            cli: Rules::default(),
            extra: Extra::default(),
        }
    }

    /// A command in a project `/repo`, without rules, in standard mode.
    pub(crate) fn command(text: &str) -> Self {
        Self::new("Bash", json!({ "command": text }), Mode::Standard)
    }

    /// The same with one more rule of the settings.
    pub(crate) fn with(mut self, list: ListKind, text: &str) -> Self {
        list_of(&mut self.rules, list).push(rule(text));
        self
    }

    /// The context, and the compiled rules.
    pub(crate) fn compiled(&self) -> (Context, RuleSet) {
        let anchors = Anchors {
            project_root: self.cwd.clone(),
            start_directory: self.cwd.clone(),
            home: Some(self.home.clone()),
            user_settings: Some(format!("{}/.claude", self.home)),
        };
        let (rules, gates) = if self.claude {
            (Conventions::claude(), GateConventions::claude())
        } else {
            (Conventions::letta(), GateConventions::letta())
        };
        let compile = |list: &Rules| RuleSet::compile(Arc::new(list.clone()), &anchors, &rules);
        let context = Context {
            home: Some(self.home.clone()),
            sensitive: sensitive(&self.home),
            sessions: Sessions {
                session: Arc::new(compile(&self.session)),
                cli: Arc::new(compile(&self.cli)),
            },
            trusted: true,
            scrubbed: false,
            hides: !self.extra.blind,
            confined_auto: self.extra.confined_auto,
            degraded: self.extra.degraded.then(|| "/repo/.letta/settings.json:3".to_owned()),
            tools: [
                ("asking_tool".to_owned(), ToolPolicy::AlwaysAsk),
                ("free_tool".to_owned(), ToolPolicy::Auto),
            ]
            .into(),
            ..Context::bare(self.cwd.clone(), self.mode, gates)
        };
        let mut context = context;
        if self.extra.workspace && self.cwd.len() > 1 && self.cwd.starts_with('/') {
            context.workspace = Some(Workspace::unchecked(&self.cwd, "/").unwrap());
        }
        if self.extra.agent {
            context.agent = Agent {
                id: Some("a1".into()),
                trees: vec![format!("{}/.letta/agents", self.home)],
                ..Agent::default()
            };
        }
        if self.extra.judged {
            context.judge_paths.push(format!("{}/.letta/settings.json", self.cwd.trim_end_matches('/')));
        }
        (context, compile(&self.rules))
    }

    /// What is decided.
    pub(crate) fn verdict(&self) -> Verdict {
        let (context, rules) = self.compiled();
        decide(&self.call, &context, &rules)
    }

    /// The answer alone.
    pub(crate) fn decision(&self) -> Decision {
        self.verdict().decision
    }
}

/// The tables, built once for each home directory.
fn sensitive(home: &str) -> Arc<SensitivePaths> {
    static BUILT: LazyLock<Mutex<HashMap<String, Arc<SensitivePaths>>>> = LazyLock::new(Mutex::default);
    let mut built = BUILT.lock().unwrap();
    Arc::clone(built.entry(home.to_owned()).or_insert_with(|| Arc::new(SensitivePaths::standard(Some(home)))))
}

/// A rule of the user's.
pub(crate) fn rule(text: &str) -> SourcedRule {
    SourcedRule::text(text, RuleSource::of(Scope::User))
}

/// A list by its name.
pub(crate) fn list_of(rules: &mut Rules, kind: ListKind) -> &mut Vec<SourcedRule> {
    match kind {
        ListKind::Deny => &mut rules.deny,
        ListKind::AlwaysAsk => &mut rules.always_ask,
        ListKind::Ask => &mut rules.ask,
        ListKind::Allow => &mut rules.allow,
        _ => &mut rules.restrict,
    }
}

/// Strictness of an answer.
pub(crate) fn rank(decision: Decision) -> u8 {
    match decision {
        Decision::Allow => 0,
        Decision::Ask => 1,
        Decision::AlwaysAsk => 2,
        Decision::Deny => 3,
    }
}

/// The lists of `value`, from which rules whose text starts with `session:` are taken or left out.
fn lists(value: &Value, session: bool, scope: Scope) -> Rules {
    let read = |name: &str| -> Vec<SourcedRule> {
        let texts = value[name].as_array().map(Vec::as_slice).unwrap_or_default();
        let texts = texts.iter().filter_map(Value::as_str);
        texts
            .filter(|text| text.starts_with("session:") == session)
            .map(|text| SourcedRule::text(text.trim_start_matches("session:"), RuleSource::of(scope)))
            .collect()
    };
    Rules {
        allow: read("allow"),
        deny: read("deny"),
        ask: read("ask"),
        always_ask: read("alwaysAsk"),
        ..Rules::default()
    }
}

fn text(value: &Value, otherwise: &str) -> String {
    value.as_str().unwrap_or(otherwise).to_owned()
}

fn recorded(case: &Value) -> Situation {
    let args = &case["args"];
    let mut situation = Situation::new(
        args["tool"].as_str().unwrap(),
        args["args"].clone(),
        args["mode"].as_str().and_then(Mode::parse).unwrap_or(Mode::Unrestricted),
    );
    situation.cwd = text(&args["cwd"], "/repo");
    situation.rules = lists(&args["permissions"], false, Scope::User);
    situation.session = lists(&args["session"], false, Scope::Session);
    let directories = args["permissions"]["additionalDirectories"].as_array();
    situation.rules.additional_directories =
        directories.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    situation
}

fn reported(report: &Value) -> Option<Situation> {
    let (setup, input) = (&report["setup"], &report["input"]);
    let tool = input["tool"].as_str()?;
    let part_of_the_library = tool.contains('.') || ["suggest", "suggest+check", "startup"].contains(&tool);
    if part_of_the_library || !input["args"].is_object() {
        return None;
    }
    let mut situation = Situation::new(tool, input["args"].clone(), Mode::parse(&text(&setup["mode"], ""))?);
    situation.cwd = text(&setup["cwd"], "/repo");
    situation.home = text(&setup["home"], HOME);
    situation.claude = true;
    situation.rules = lists(&setup["rules"], false, Scope::Project);
    situation.session = lists(&setup["rules"], true, Scope::Session);
    Some(situation)
}

/// Every call of the recorded decisions and of the reported faults, with its rules.
pub(crate) static CORPUS: LazyLock<Vec<Situation>> = LazyLock::new(|| {
    let mut all: Vec<Situation> = cases("upstream-check.jsonl").iter().map(recorded).collect();
    all.extend(cases("bug-reports.jsonl").iter().filter_map(reported));
    all
});

/// Every rule text of the corpora, each once.
pub(crate) static RULES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut all: Vec<String> = CORPUS
        .iter()
        .flat_map(|situation| [&situation.rules, &situation.session])
        .flat_map(|rules| [&rules.allow, &rules.deny, &rules.ask, &rules.always_ask])
        .flatten()
        .map(SourcedRule::label)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
});
