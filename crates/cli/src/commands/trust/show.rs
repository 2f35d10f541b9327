//! What a project brings along, for people and for machines.

use portcullis_approval::escape_line;
use portcullis_trust::{Basis, Change, Decision, Inventory, Resource, Via};
use serde_json::{Map, Value, json};

use crate::{
    report,
    session::{Keeper, Session},
};

/// So many things of one resource are named in a note.
const NAMED: usize = 6;

/// A line for each resource with all that is in it, and one for each that has changed or gone: for whoever decides.
pub(crate) fn lines(root: &str, inventory: &Inventory, changes: &[Change]) -> Vec<String> {
    at_most(usize::MAX, root, inventory, changes)
}

fn at_most(most: usize, root: &str, inventory: &Inventory, changes: &[Change]) -> Vec<String> {
    let mut lines: Vec<String> =
        inventory.resources.iter().map(|resource| format!("  {}", line(root, resource, most))).collect();
    lines.extend(changes.iter().map(|change| match &change.name {
        Some(name) => format!("  since then: {name} is {}", change.what.as_str()),
        None => "  since then something has changed".to_owned(),
    }));
    lines
}

/// `settings .letta/settings.json: allow Bash(*), mode unrestricted`
fn line(root: &str, resource: &Resource, most: usize) -> String {
    let place = portcullis_paths::below(&resource.path, root).unwrap_or(&resource.path);
    let mut line = format!("{} {place}", resource.kind.label());
    if resource.files != 1 {
        line.push_str(&format!(" ({} files)", resource.files));
    }
    if !resource.details.is_empty() {
        let shown: Vec<&str> = resource.details.iter().take(most).map(String::as_str).collect();
        line.push_str(&format!(": {}", shown.join(", ")));
        if let Some(more) = resource.details.len().checked_sub(most).filter(|more| *more > 0) {
            line.push_str(&format!(", {more} more"));
        }
    }
    line
}

/// Names what is not loaded, once, on standard error.
pub(crate) fn tell(root: &str, decision: &Decision) {
    if decision.trusted {
        return;
    }
    let (what, remedy) = match (&decision.basis, decision.changes.is_empty()) {
        (Basis::Undecided, false) => (
            "this project has changed since it was trusted, so what it brings is not loaded",
            "look at it, then `portcullis trust allow`; its deny and ask rules hold meanwhile",
        ),
        (Basis::Recorded { .. } | Basis::Flag, _) => (
            "this project is not trusted, so what it brings is not loaded",
            "nothing, or `portcullis trust allow`; its deny and ask rules hold",
        ),
        _ => (
            "nobody has said that this project is trusted, so what it brings is not loaded",
            "look at it, then `portcullis trust allow` or `deny`; its deny and ask rules hold meanwhile",
        ),
    };
    report::note(&format!("portcullis: note: {what}\n  at: {}", escape_line(root)));
    for line in at_most(NAMED, root, &decision.inventory, &decision.changes) {
        report::note(&escape_line(&line));
    }
    report::note(&format!("  do: {remedy}"));
}

/// What is not loaded, for answers in JSON; none when nothing is held back.
pub(crate) fn held(session: &Session) -> Option<Value> {
    let decision = session.trust.as_ref().filter(|decision| !decision.trusted)?;
    Some(json!({
        "trusted": false,
        "state": state(decision),
        "resources": resources_json(&decision.inventory, false),
        "changes": decision.changes,
    }))
}

/// Adds `trust` to an answer that something was held back from.
pub(crate) fn add(answer: &mut Map<String, Value>, session: &Session) {
    if let Some(held) = held(session) {
        answer.insert("trust".to_owned(), held);
    }
}

pub(super) fn resources_json(inventory: &Inventory, trusted: bool) -> Value {
    let state = if trusted { "released" } else { "held" };
    let resources = inventory.resources.iter().map(|resource| {
        let mut fields = json!(resource);
        if let Some(object) = fields.as_object_mut() {
            object.insert("state".to_owned(), state.into());
        }
        fields
    });
    resources.collect()
}

/// `trusted`, `denied`, `undecided`, `changed`, or `nothing` to trust.
pub(crate) fn state(decision: &Decision) -> &'static str {
    match (&decision.basis, decision.trusted) {
        (Basis::Nothing, _) => "nothing",
        (_, true) => "trusted",
        (Basis::Undecided, _) if !decision.changes.is_empty() => "changed",
        (Basis::Undecided, _) => "undecided",
        _ => "denied",
    }
}

fn recorded(decision: &Decision) -> Option<(&str, Via)> {
    match &decision.basis {
        Basis::Recorded { key, via } => Some((key, *via)),
        _ => None,
    }
}

pub(super) fn status_json(keeper: &Keeper, decision: &Decision) -> Value {
    let recorded = recorded(decision);
    json!({
        "directory": keeper.root(),
        "trusted": decision.trusted,
        "state": state(decision),
        "recordedFor": recorded.map(|(key, _)| key),
        "via": recorded.map(|(_, via)| via),
        "store": keeper.files().first(),
        "stored": decision.stored,
        "resources": resources_json(&decision.inventory, decision.trusted),
        "changes": decision.changes,
    })
}

pub(super) fn status_text(keeper: &Keeper, decision: &Decision) -> String {
    let says = match state(decision) {
        "nothing" => "brings nothing that needs trust",
        "trusted" => "is trusted",
        "changed" => "has changed since it was trusted",
        "undecided" => "is not trusted: nobody has decided",
        _ => "is not trusted",
    };
    let mut text = format!("{} {says}", keeper.root());
    match recorded(decision) {
        Some((key, Via::Ancestor)) => text.push_str(&format!(" (as {key} says)")),
        Some((key, Via::Worktree)) => text.push_str(&format!(" (as its main repository {key} says)")),
        _ => {}
    }
    let mut text = format!("{}\n", escape_line(&text));
    if !decision.inventory.is_empty() {
        text.push_str(if decision.trusted { "loaded:\n" } else { "held back:\n" });
    }
    for line in lines(keeper.root(), &decision.inventory, &decision.changes) {
        text.push_str(&format!("{}\n", escape_line(&line)));
    }
    text
}
