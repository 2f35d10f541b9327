//! Which rule `rules add` and `rules remove` are about: a text, a rule object by flags or in JSON, or a line of `rules list`.

use portcullis_approval::escape_line;
use portcullis_loader::{ListKind, Scope};
use portcullis_matcher::{RuleObject, RuleSource, RuleSpec, SourcedRule, equivalence_key};
use serde_json::Value;

use super::edit::{self, Change};
use crate::{
    args::EditArgs,
    report::{self, Report},
    session::{self, Session},
};

/// The rule that is named.
///
/// # Errors
/// JSON that is no rule object, or a line of `rules list` about another list or scope.
pub(super) fn rule(arguments: &EditArgs, change: Change) -> Result<SourcedRule, Report> {
    let (list, scope) = (edit::list(arguments.list), edit::scope(arguments.scope));
    let source = RuleSource::of(scope);
    let reason = arguments.reason.clone();
    let Some(text) = &arguments.rule else {
        let tools = match arguments.tool.as_slice() {
            [] => vec!["Bash".to_owned()],
            tools => tools.to_vec(),
        };
        let object = RuleObject { tools, pattern: arguments.pattern.clone(), regex: arguments.regex.clone() };
        return Ok(SourcedRule { spec: RuleSpec::Object(object), reason, source });
    };
    let text = match line(text).filter(|_| change == Change::Remove) {
        Some((listed, label, place)) if (listed, place) == (list.as_str(), scope.as_str()) => label,
        Some((listed, label, place)) => {
            return Err(Report::failure(
                "rule",
                format!("this line of `rules list` is about {listed} of scope {place}: `{label}`"),
            )
            .at(format!("--list {} --scope {}", list.as_str(), scope.as_str()))
            .remedy(format!("give --list {listed} --scope {place}, or paste another line")));
        }
        None => text,
    };
    if !text.trim_start().starts_with('{') {
        return Ok(SourcedRule { spec: RuleSpec::Text(text.to_owned()), reason, source });
    }
    let (spec, own) = object(text)?;
    Ok(SourcedRule { spec, reason: reason.or(own), source })
}

/// A rule object in JSON, as labels show it and as settings hold it, with its reason.
fn object(text: &str) -> Result<(RuleSpec, Option<String>), Report> {
    let wrong = |what: String| {
        Report::failure("rule", format!("`{text}` is no rule object: {what}"))
            .remedy("write `{\"tool\": \"Bash\", \"pattern\": \"*text*\"}`, or give --pattern or --regex")
    };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let fields = value.as_object().ok_or_else(|| wrong("it is no object".to_owned()))?;
    let known = ["rule", "tool", "pattern", "regex", "reason"];
    if let Some(other) = fields.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(wrong(format!("the key `{other}` is not known")));
    }
    let text_of = |key: &str| match fields.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(format!("`{key}` is no text"))),
    };
    let tools = match fields.get("tool") {
        None => vec!["Bash".to_owned()],
        Some(Value::String(name)) => vec![name.clone()],
        Some(Value::Array(names)) => names
            .iter()
            .map(|name| name.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or_else(|| wrong("`tool` holds something that is no text".to_owned()))?,
        Some(_) => return Err(wrong("`tool` is neither a text nor a list".to_owned())),
    };
    let spec = match (text_of("rule")?, text_of("pattern")?, text_of("regex")?) {
        (Some(rule), None, None) if !fields.contains_key("tool") => RuleSpec::Text(rule),
        (None, pattern, regex) if pattern.is_some() != regex.is_some() => {
            RuleSpec::Object(RuleObject { tools, pattern, regex })
        }
        _ => return Err(wrong("it needs either `rule`, `pattern` or `regex`".to_owned())),
    };
    Ok((spec, text_of("reason")?))
}

/// A line of `rules list` taken apart: list, rule, scope.
fn line(text: &str) -> Option<(&str, &str, &str)> {
    let (list, rest) = text.trim().split_once(' ')?;
    let lists = [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Allow, ListKind::Ask, ListKind::Restrict];
    lists.iter().find(|kind| kind.as_str() == list)?;
    let scopes = [Scope::Managed, Scope::User, Scope::Project, Scope::Local, Scope::Cli, Scope::Session];
    // The place comes last, and may hold anything: the rule ends at the first scope with blanks around it.
    let ends = scopes.iter().filter_map(|scope| {
        let scope = scope.as_str();
        let at = rest.find(&format!(" {scope:<8} "))?;
        Some((rest.get(..at)?.trim(), scope))
    });
    let (label, scope) = ends.filter(|(label, _)| !label.is_empty()).min_by_key(|(label, _)| label.len())?;
    Some((list, label, scope))
}

/// Says where a rule stands that was not found where it should be removed, or what to name instead.
pub(super) fn tell_where(session: &Session, rule: &SourcedRule, list: ListKind) {
    let rules = session.loaded.rules.clone();
    let lists = [
        (ListKind::Deny, rules.deny),
        (ListKind::AlwaysAsk, rules.always_ask),
        (ListKind::Ask, rules.ask),
        (ListKind::Allow, rules.allow),
        (ListKind::Restrict, rules.restrict),
    ];
    let key = |spec: &RuleSpec| match spec {
        RuleSpec::Text(text) => equivalence_key(text, list),
        other => format!("{other:?}"),
    };
    let wanted = key(&rule.spec);
    let mut found = false;
    for (kind, rules) in lists {
        for other in rules.iter().filter(|other| key(&other.spec) == wanted) {
            let place = session::place(&other.source).unwrap_or_default();
            let (kind, scope) = (kind.as_str(), other.source.scope.as_str());
            let text = format!("it stands in {kind} of scope {scope} ({place})");
            report::note(&format!("portcullis: note: {}", escape_line(&text)));
            found = true;
        }
    }
    if !found {
        report::note(
            "portcullis: note: name the rule as `rules list` shows it: the text between list and scope, a rule object \
             as JSON, or the whole line",
        );
    }
}
