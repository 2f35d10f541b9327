//! `--format text`: the same answers in lines for people and scripts.

use portcullis_approval::escape_line;
use serde_json::Value;

/// An answer in words.
pub(super) fn shown(answer: &Value) -> String {
    let mut lines = Vec::new();
    if let Some(text) = answer.get("text").and_then(Value::as_str) {
        // `unwrap` and `normalize`: the text itself, as it is.
        return format!("{text}\n");
    }
    if let Some(words) = answer.get("words").and_then(Value::as_array) {
        lines.extend(words.iter().filter_map(Value::as_str).map(escape));
        return joined(&lines);
    }
    let flag = |name: &str| answer.get(name).and_then(Value::as_bool);
    match (flag("confined"), flag("read_only")) {
        (Some(true), _) => lines.push("stays inside".to_owned()),
        (Some(false), _) => lines.push("may leave".to_owned()),
        (None, Some(true)) => lines.push("read-only".to_owned()),
        _ => lines.push("not read-only".to_owned()),
    }
    for invocation in list(answer, "invocations") {
        let words: Vec<String> = list(invocation, "argv").iter().map(word).collect();
        let read_only = invocation.get("read_only") == Some(&Value::Bool(true));
        lines.push(format!("  {} {}", if read_only { "reads" } else { "does " }, words.join(" ")));
    }
    for effect in list(answer, "effects") {
        let kind = effect.get("kind").and_then(Value::as_str).unwrap_or_default();
        let about = ["path", "program", "endpoint", "reason"].iter().find_map(|name| effect.get(*name));
        lines.push(format!("  {kind} {}", about.map(word).unwrap_or_default()).trim_end().to_owned());
    }
    for reason in list(answer, "why") {
        let field = |name: &str| reason.get(name).and_then(Value::as_str).map(escape).unwrap_or_default();
        lines.push(format!("  because {}  [{}]", field("reason"), field("text")));
    }
    joined(&lines)
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A known word is its text; what else is known of one stays JSON.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), escape)
}

fn escape(text: &str) -> String {
    escape_line(text)
}

fn joined(lines: &[String]) -> String {
    let mut all = lines.join("\n");
    all.push('\n');
    all
}
