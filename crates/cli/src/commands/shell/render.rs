//! An analysis as JSON: stable names, values that can be read back.

use std::collections::HashSet;

use portcullis_shell_analysis::{
    Analysis, Blocker, Effect, EffectKind, Invocation, PathTarget, Redirection, RedirectionTarget, Span,
    Value as Word,
};
use serde_json::{Value, json};

/// `{parsed, read_only, invocations, why}`
pub(crate) fn analysis(text: &str, analysis: &Analysis) -> Value {
    let invocations: Vec<Value> = analysis.invocations.iter().map(|part| invocation(text, part)).collect();
    json!({
        "parsed": analysis.error.is_none(),
        "read_only": analysis.read_only(),
        "invocations": invocations,
        "why": why(text, analysis),
    })
}

/// `{read_only, effects, why}`: the effects of every part, in order.
pub(super) fn effects(text: &str, analysis: &Analysis) -> Value {
    let all: Vec<Value> =
        analysis.invocations.iter().flat_map(|part| &part.effects).map(|one| effect(text, one)).collect();
    json!({ "read_only": analysis.read_only(), "effects": all, "why": why(text, analysis) })
}

/// `{confined, roots, why}`
pub(super) fn confined(text: &str, roots: &[String], answer: &Result<(), Vec<Blocker>>) -> Value {
    let why: Vec<Value> = match answer {
        Ok(()) => Vec::new(),
        Err(reasons) => reasons.iter().map(|one| reason(text, one.span, &one.reason)).collect(),
    };
    json!({ "confined": answer.is_ok(), "roots": roots, "why": why })
}

fn why(text: &str, analysis: &Analysis) -> Vec<Value> {
    let error = analysis.error.as_ref().map(|error| reason(text, error.span, &error.message));
    let blockers = analysis.opaque.iter().chain(&analysis.blockers);
    let mut seen = HashSet::new();
    let mut all: Vec<Value> = error.into_iter().collect();
    for blocker in blockers {
        if seen.insert((blocker.span.start, blocker.span.end, &*blocker.reason)) {
            all.push(reason(text, blocker.span, &blocker.reason));
        }
    }
    all
}

fn reason(text: &str, span: Span, reason: &str) -> Value {
    json!({ "span": [span.start, span.end], "text": span.slice(text), "reason": reason })
}

fn invocation(text: &str, part: &Invocation) -> Value {
    let argv: Vec<Value> = part.words.iter().map(|argument| word(&argument.value)).collect();
    let launchers: Vec<&str> = part.launchers.iter().map(|launcher| launcher.name.as_str()).collect();
    let effects: Vec<Value> = part.effects.iter().map(|one| effect(text, one)).collect();
    let redirects: Vec<Value> = part.redirections.iter().map(|one| redirection(text, one)).collect();
    let assignments: Vec<Value> = part
        .assignments
        .iter()
        .map(|one| json!({ "name": one.name, "value": word(&one.value), "harmless": one.harmless }))
        .collect();
    json!({
        "program": part.program(),
        "argv": argv,
        "span": [part.span.start, part.span.end],
        "launchers": launchers,
        "effects": effects,
        "redirects": redirects,
        "assignments": assignments,
        "read_only": part.read_only,
    })
}

/// A known word is its text; everything else is an object that says what is known of it.
fn word(value: &Word) -> Value {
    match value {
        Word::Known(text) => json!(text),
        Word::OneOf(texts) => json!({ "one_of": texts }),
        Word::Glob(glob) => json!({ "glob": glob.pattern }),
        Word::PathBelow(names) => json!({ "below": names.directory }),
        _ => json!({ "unknown": true }),
    }
}

fn redirection(text: &str, one: &Redirection) -> Value {
    let target = match &one.target {
        RedirectionTarget::File(value) => json!({ "file": word(value) }),
        RedirectionTarget::Descriptor(descriptor) => json!({ "descriptor": descriptor }),
        RedirectionTarget::Text(here) => json!({ "text": here.0 }),
        _ => json!({ "unknown": true }),
    };
    json!({ "fd": one.fd, "text": one.span.slice(text), "span": [one.span.start, one.span.end], "target": target })
}

fn effect(text: &str, effect: &Effect) -> Value {
    let (kind, detail) = match &effect.kind {
        EffectKind::Read { path, recursive } => {
            ("read", json!({ "path": target(path), "recursive": recursive }))
        }
        EffectKind::Metadata(path) => ("metadata", json!({ "path": target(path) })),
        EffectKind::ChangeMetadata(path) => ("change-metadata", json!({ "path": target(path) })),
        EffectKind::Write(path) => ("write", json!({ "path": target(path) })),
        EffectKind::Delete { path, recursive } => {
            ("delete", json!({ "path": target(path), "recursive": recursive }))
        }
        EffectKind::Execute(program) => ("execute", json!({ "program": word(program) })),
        EffectKind::Network(endpoint) => ("network", json!({ "endpoint": endpoint })),
        EffectKind::Environment => ("environment", json!({})),
        EffectKind::Process => ("process", json!({})),
        EffectKind::System => ("system", json!({})),
        EffectKind::Terminal => ("terminal", json!({})),
        EffectKind::Opaque(reason) => ("opaque", json!({ "reason": reason })),
        _ => ("opaque", json!({ "reason": "a kind of effect that this output does not know" })),
    };
    let mut object = json!({ "kind": kind });
    if let (Some(object), Value::Object(detail)) = (object.as_object_mut(), detail) {
        object.extend(detail);
        object.insert("redirection".to_owned(), effect.redirection.into());
        object.insert("span".to_owned(), json!([effect.span.start, effect.span.end]));
        object.insert("text".to_owned(), effect.span.slice(text).into());
    }
    object
}

/// A path is its text; a glob, a directory's inside and "anywhere" are objects.
fn target(path: &PathTarget) -> Value {
    match path {
        PathTarget::Path(path) => json!(path),
        PathTarget::Glob(glob, directory) => json!({ "glob": glob, "directory": directory }),
        PathTarget::Below(directory) => json!({ "below": directory }),
        _ => json!({ "unknown": true }),
    }
}
