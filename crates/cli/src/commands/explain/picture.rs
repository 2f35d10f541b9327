//! The picture of a decision: the call, every gate, the command with its effects, what would change it.

use portcullis_paths::{is_within, normalize};
use portcullis_permissions::{Context, Decision, Gate, ToolCall, Verdict, describe_effect};
use portcullis_shell_analysis::{Analysis, EffectKind, Invocation, PathTarget, Value, join_words};

use super::page::{Look, Page};
use crate::commands::check::response;

/// Draws all of it. `roots`: the project root and the directories that settings add.
pub(super) fn draw(
    call: &ToolCall,
    context: &Context,
    roots: &[String],
    verdict: &Verdict,
    changes: &[String],
) -> Page {
    let mut page = Page::default();
    page.heading("Call");
    page.line(Look::Plain, "  ", &call_line(call, verdict), 4);
    page.line(
        Look::Faint,
        "  ",
        &format!("mode {}, project {}", context.mode.as_str(), context.project_root),
        4,
    );
    decision(&mut page, verdict);
    gates(&mut page, verdict);
    for (text, analysis) in &verdict.shell {
        command(&mut page, text, analysis, roots);
    }
    if !verdict.possible.is_empty() {
        page.heading("Rules that may match");
        for rule in &verdict.possible {
            let place = response::place(rule).map(|place| format!(" ({place})")).unwrap_or_default();
            page.line(Look::Ask, "  ", &format!("{}{place}", rule.label), 4);
        }
    }
    if !verdict.exclude.is_empty() {
        page.heading("Hidden from its reads");
        page.line(Look::Plain, "  ", &verdict.exclude.join("  "), 2);
    }
    if let Some(confinement) = &verdict.confinement {
        page.heading("Runs under");
        let mode = serde_json::to_value(confinement.mode).ok();
        let mode = mode.as_ref().and_then(serde_json::Value::as_str).unwrap_or("a sandbox").to_owned();
        let network = if confinement.network_blocked { "network blocked" } else { "network open" };
        let required = if confinement.required { ", required" } else { "" };
        page.line(Look::Plain, "  ", &format!("{mode}, {network}{required}"), 4);
    }
    if !changes.is_empty() {
        page.heading("What would change it");
        for change in changes {
            page.line(Look::Plain, "  ", change, 4);
        }
    }
    page
}

fn call_line(call: &ToolCall, verdict: &Verdict) -> String {
    match verdict.shell.as_slice() {
        [] => format!("{} {}", call.name, call.arguments),
        commands => {
            let texts: Vec<&str> = commands.iter().map(|(text, _)| text.as_str()).collect();
            let directory =
                portcullis_tool_names::commands(&call.name, &call.arguments).surroundings.directory;
            let there = directory.map(|directory| format!("  (in {directory})")).unwrap_or_default();
            format!("{}: {}{there}", call.name, texts.join(" ; "))
        }
    }
}

const fn look(decision: Decision) -> Look {
    match decision {
        Decision::Allow => Look::Allow,
        Decision::Deny => Look::Deny,
        Decision::Ask | Decision::AlwaysAsk => Look::Ask,
    }
}

fn decision(page: &mut Page, verdict: &Verdict) {
    page.heading("Decision");
    page.line(look(verdict.decision), "  ", &response::sentence(verdict), 4);
    let Some(rule) = &verdict.rule else { return };
    let place = response::place(rule).map(|place| format!(", {place}")).unwrap_or_default();
    page.line(Look::Plain, "  ", &format!("by {}{place}", rule.label), 4);
    if let Some(words) = &rule.reason {
        page.line(Look::Plain, "  ", words, 4);
    }
}

/// Every gate: asked and silent, the one that decided, and those that were not asked any more.
fn gates(page: &mut Page, verdict: &Verdict) {
    page.heading("Gates");
    let asked = verdict.trace.len();
    for (index, gate) in Gate::in_order().enumerate() {
        let event = verdict.trace.iter().filter(|event| event.gate == gate).nth(nth(gate, index));
        let number = number(gate, nth(gate, index));
        let prefix =
            |mark: &str, answer: &str| format!("{mark:>3} {number:>3} {:<19} {answer:<10}", gate.as_str());
        match event {
            Some(event) if event.matched => {
                let answer = event.decision.map_or("", Decision::as_str);
                let decided = gate == verdict.gate;
                let mark = if decided { "=>" } else { "" };
                let rule = event.pattern.as_deref().map(|rule| format!(" ({rule})")).unwrap_or_default();
                let message = format!("{}{rule}", event.message.as_deref().unwrap_or_default());
                page.line(look(event.decision.unwrap_or(Decision::Ask)), &prefix(mark, answer), &message, 38);
            }
            Some(_) => page.line(Look::Faint, &prefix("", "-"), "", 38),
            None if gate == Gate::DontAsk => {}
            None => page.line(Look::Faint, &prefix("", "not asked"), "", 38),
        }
        debug_assert!(asked > 0, "every decision asks a gate");
    }
}

/// The number that the gate is shown by. The early row of `ask-rule` has none, and 12 is there twice.
fn number(gate: Gate, nth: usize) -> String {
    match gate {
        Gate::ConfinedAuto => "12b".to_owned(),
        Gate::AskRule if nth == 0 => String::new(),
        _ => gate.number().map(|number| number.to_string()).unwrap_or_default(),
    }
}

/// `ask-rule` stands in the table twice.
fn nth(gate: Gate, index: usize) -> usize {
    Gate::in_order().take(index).filter(|other| *other == gate).count()
}

/// The command as the parts that run, each with its effects, and why it is not automatic.
fn command(page: &mut Page, text: &str, analysis: &Analysis, roots: &[String]) {
    page.heading("Command");
    if analysis.invocations.is_empty() {
        page.line(Look::Faint, "  ", "no part of it is known to run", 4);
    }
    for invocation in &analysis.invocations {
        part(page, text, invocation);
    }
    let mut why: Vec<String> = Vec::new();
    let error = analysis.error.as_ref().map(|error| (error.span, error.message.as_str()));
    let others = analysis.opaque.iter().chain(&analysis.blockers).map(|one| (one.span, &*one.reason));
    for (span, reason) in error.into_iter().chain(others) {
        let quoted = span.slice(text);
        let line = if quoted.is_empty() { reason.to_owned() } else { format!("{reason}: {quoted}") };
        if !why.contains(&line) {
            why.push(line);
        }
    }
    if why.is_empty() {
        page.line(Look::Allow, "  ", reach(analysis, roots), 4);
        return;
    }
    page.heading("Why it is not read-only");
    for line in why {
        page.line(Look::Ask, "  ", &line, 4);
    }
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

fn part(page: &mut Page, text: &str, invocation: &Invocation) {
    // As deep as it is launched: `sudo`, then what `sudo` runs.
    let depth = invocation.launchers.len().min(8);
    let indent = "  ".repeat(depth + 1);
    let words: Option<Vec<&str>> = invocation.words.iter().map(|word| word.value.known()).collect();
    let shown = match words {
        Some(words) if !words.is_empty() => join_words(&words),
        _ => invocation.span.slice(text).to_owned(),
    };
    let through: Vec<&str> = invocation.launchers.iter().map(|launcher| launcher.name.as_str()).collect();
    let through =
        if through.is_empty() { String::new() } else { format!("  (through {})", through.join(", ")) };
    let tone = if invocation.read_only { Look::Allow } else { Look::Ask };
    page.line(tone, &indent, &format!("{shown}{through}"), indent.len() + 4);
    let deeper = format!("{indent}  ");
    for assignment in invocation.assignments.iter().filter(|assignment| !assignment.harmless) {
        let value = match &assignment.value {
            Value::Known(value) => value.to_string(),
            _ => "a value that is not known".to_owned(),
        };
        page.line(Look::Ask, &deeper, &format!("sets {} to {value}", assignment.name), deeper.len() + 2);
    }
    for effect in &invocation.effects {
        page.line(Look::Plain, &deeper, &describe_effect(&effect.kind), deeper.len() + 2);
    }
    if !invocation.specified && !invocation.words.is_empty() {
        page.line(Look::Ask, &deeper, "what it does with these words is not known", deeper.len() + 2);
    }
}
