//! What is shown of a decision, whatever the form: plain values, nothing drawn yet.

use portcullis_matcher::{RuleSet, RuleSource};
use portcullis_paths::{is_within, normalize};
use portcullis_permissions::{Context, Decision, Gate, ToolCall, Verdict};
use portcullis_shell_analysis::{Analysis, EffectKind, PathTarget};

use super::{
    changes::Change,
    marks::{self, Asked, Mark},
    tree::{self, Node},
};
use crate::commands::check::response;

/// A decision, ready to be drawn.
pub(super) struct View<'a> {
    pub(super) decision: Decision,
    /// `DECISION: REASON (ABOUT)`.
    pub(super) sentence: String,
    /// What decided, with its place, and its own words.
    pub(super) rule: Option<(String, Option<String>)>,
    pub(super) tool: &'a str,
    /// The arguments of a call that is no command.
    pub(super) arguments: Option<String>,
    pub(super) surroundings: String,
    pub(super) commands: Vec<Command<'a>>,
    pub(super) gates: Vec<GateRow>,
    /// Rules whose match cannot be ruled out.
    pub(super) possible: Vec<String>,
    pub(super) exclude: &'a [String],
    pub(super) confinement: Option<String>,
    pub(super) changes: &'a [Change],
    pub(super) remark: Option<&'a str>,
}

/// A shell command of the call.
pub(super) struct Command<'a> {
    pub(super) text: &'a str,
    pub(super) marks: Vec<Mark>,
    pub(super) tree: Vec<Node>,
    /// How far it reaches, where nothing speaks against it.
    pub(super) reach: Option<&'static str>,
}

/// A gate and what came of it.
pub(super) struct GateRow {
    pub(super) name: &'static str,
    pub(super) number: String,
    /// Which third of the pipeline it belongs to.
    pub(super) group: usize,
    pub(super) outcome: Outcome,
}

/// What came of a gate.
pub(super) enum Outcome {
    /// Asked, and it had nothing to say.
    Silent,
    /// It spoke; `decided`: nothing spoke after it.
    Spoke { decision: Decision, message: String, decided: bool },
    /// A gate before it had decided.
    NotAsked,
}

/// What the thirds of the pipeline are for.
pub(super) const GROUPS: [&str; 3] = ["stop", "ask a person", "let through"];

/// Everything that is shown.
pub(super) fn of<'a>(
    call: &'a ToolCall,
    context: &Context,
    rules: &RuleSet,
    roots: &[String],
    verdict: &'a Verdict,
    (changes, remark): (&'a [Change], Option<&'a str>),
) -> View<'a> {
    let asked = Asked::new(call, context, rules, verdict);
    let commands: Vec<Command<'_>> = verdict
        .shell
        .iter()
        .map(|(text, analysis)| Command {
            text,
            marks: marks::of(&asked, text, analysis),
            tree: tree::of(&asked, text, analysis),
            reach: analysis.read_only().then(|| reach(analysis, roots)),
        })
        .collect();
    let directory = portcullis_tool_names::commands(&call.name, &call.arguments).surroundings.directory;
    let directory = directory.map(|directory| format!(", in {directory}")).unwrap_or_default();
    let placed = |label: &str, place: Option<String>| match place {
        Some(place) => format!("{label}, {place}"),
        None => label.to_owned(),
    };
    View {
        decision: verdict.decision,
        sentence: match response::condition(verdict) {
            Some(condition) => format!("{}, {condition}", response::sentence(verdict)),
            None => response::sentence(verdict),
        },
        rule: verdict
            .rule
            .as_ref()
            .map(|rule| (placed(&rule.label, response::place(rule)), rule.reason.clone())),
        tool: &call.name,
        arguments: commands.is_empty().then(|| call.arguments.to_string()),
        surroundings: format!("mode {}, project {}{directory}", context.mode.as_str(), context.project_root),
        commands,
        gates: gates(verdict),
        possible: verdict.possible.iter().map(|rule| placed(&rule.label, response::place(rule))).collect(),
        exclude: &verdict.exclude,
        confinement: confinement(verdict),
        changes,
        remark,
    }
}

/// `SCOPE scope, FILE:LINE`.
pub(super) fn place(source: &RuleSource) -> String {
    let scope = source.scope.as_str();
    crate::session::place(source)
        .map_or_else(|| format!("{scope} scope"), |place| format!("{scope} scope, {place}"))
}

fn confinement(verdict: &Verdict) -> Option<String> {
    let confinement = verdict.confinement.as_ref()?;
    let mode = serde_json::to_value(confinement.mode).ok();
    let mode = mode.as_ref().and_then(serde_json::Value::as_str).unwrap_or("a sandbox").to_owned();
    let network = if confinement.network_blocked { "network blocked" } else { "network open" };
    let required = if confinement.required { ", required" } else { "" };
    Some(format!("{mode}, {network}{required}"))
}

/// Every gate of the table, in order.
fn gates(verdict: &Verdict) -> Vec<GateRow> {
    let mut seen_ask = 0;
    let mut rows = Vec::new();
    for gate in Gate::in_order() {
        // `ask-rule` stands in the table twice; the early row has no number.
        let nth = if gate == Gate::AskRule { seen_ask } else { 0 };
        seen_ask += usize::from(gate == Gate::AskRule);
        let event = verdict.trace.iter().filter(|event| event.gate == gate).nth(nth);
        if event.is_none() && gate == Gate::DontAsk {
            continue;
        }
        let outcome = match event {
            None => Outcome::NotAsked,
            Some(event) => match event.decision.filter(|_| event.matched) {
                None => Outcome::Silent,
                Some(decision) => {
                    let message = event.message.as_deref().unwrap_or_default();
                    // The rule is named where the message does not name it.
                    let rule = event.pattern.as_deref().filter(|rule| !message.contains(*rule));
                    let rule = rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
                    Outcome::Spoke {
                        decision,
                        message: format!("{message}{rule}"),
                        decided: gate == verdict.gate,
                    }
                }
            },
        };
        let number = match gate {
            Gate::ConfinedAuto => "12b".to_owned(),
            Gate::AskRule if nth == 0 => String::new(),
            _ => gate.number().map(|number| number.to_string()).unwrap_or_default(),
        };
        let early = gate == Gate::AskRule && nth == 0;
        let group = match gate {
            _ if early => 1,
            gate if gate.is_before(Gate::SessionAlwaysAsk) => 0,
            gate if gate.is_before(Gate::Mode) => 1,
            _ => 2,
        };
        rows.push(GateRow { name: gate.as_str(), number, group, outcome });
    }
    rows
}

/// How far a command that only reads looks.
fn reach(analysis: &Analysis, roots: &[String]) -> &'static str {
    let outside = |path: &PathTarget| {
        let (PathTarget::Path(path) | PathTarget::Below(path) | PathTarget::Glob(_, path)) = path else {
            return true;
        };
        let path = normalize(path);
        !roots.iter().any(|root| is_within(&path, root)) && !is_within(&path, "/dev")
    };
    let (mut contents, mut names) = (false, false);
    for effect in analysis.invocations.iter().flat_map(|part| &part.effects) {
        match &effect.kind {
            EffectKind::Read { path, .. } => contents |= outside(path),
            EffectKind::Metadata(path) => names |= outside(path),
            _ => {}
        }
    }
    match (contents, names) {
        (true, _) => "reads only, outside the project too",
        (false, true) => "reads only: contents within the project, names and attributes outside it too",
        (false, false) => "reads only, within the project",
    }
}
