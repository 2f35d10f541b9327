//! Rules that are not read as their author seems to mean them, and allow rules that allow nothing.

use portcullis_matcher::{ListKind, RuleObject, RuleSpec, RuleSubject, Sample, SourcedRule};
use portcullis_shell_analysis::{Settings, analyze, join_words};
use portcullis_tool_names::{Aliases, Family, Tool};

use super::{Subject, beats::Allows, evasion::FILE, wide::fetches};
use crate::suggest_programs::runs_others;

/// What is wrong, and what to write.
type Doubt = (String, String);

/// A payload that covers everything, holds several patterns, or a variable.
pub(super) fn misread(rule: &SourcedRule, aliases: &Aliases) -> Option<Doubt> {
    let text = match &rule.spec {
        RuleSpec::Text(text) => text,
        RuleSpec::Object(object) => return misread_pattern(object, aliases),
        _ => return None,
    };
    let (tool, rest) = text.trim().split_once('(')?;
    let (tool, payload) = (tool.trim(), rest.strip_suffix(')')?.trim());
    let family = aliases.canonical(tool)?.family();
    if payload.is_empty() {
        let said = format!("nothing stands in the brackets, so that it covers every call of `{tool}`");
        return Some((said, format!("write `{tool}` if that is meant, else what it is to cover")));
    }
    if family == Family::Shell && payload.contains(":*,") {
        let said = "a rule holds one pattern, and the comma is part of it: no such command is ever run";
        return Some((said.to_owned(), "write one rule for each".to_owned()));
    }
    let variable = variable(payload).filter(|_| family == Family::File)?;
    let written = match payload.strip_prefix("$HOME").or_else(|| payload.strip_prefix("${HOME}")) {
        Some(below) if below.is_empty() || below.starts_with('/') => format!("write `{tool}(~{below})`"),
        _ => "write the path itself".to_owned(),
    };
    Some((
        format!("variables are not expanded in rules: it is about a file with `{variable}` in its name"),
        written,
    ))
}

/// What is wrong with a rule that names a file tool without a path, and what to write.
///
/// ```
/// use portcullis_tool_names::Tool;
///
/// assert_eq!(portcullis_permissions::narrow(Tool::Edit).1, "write `Edit(**)` for all of it");
/// ```
#[must_use]
pub fn narrow(tool: Tool) -> (String, String) {
    let name = tool.as_str();
    let others = if tool == Tool::Read {
        "searches and commands that read"
    } else {
        "other tools and commands that change"
    };
    (
        format!("without a path it is about calls of `{name}` alone: {others} files pass it"),
        format!("write `{name}(**)` for all of it"),
    )
}

/// A pattern that is written as a rule, or compared with more than its author seems to think.
fn misread_pattern(object: &RuleObject, aliases: &Aliases) -> Option<Doubt> {
    let Some(pattern) = object.pattern.as_deref() else { return misread_regex(object, aliases) };
    let pattern = pattern.trim();
    let rule = pattern.split_once('(').filter(|(_, rest)| rest.ends_with(')'));
    if rule.is_some_and(|(tool, _)| aliases.canonical(tool.trim()).is_some()) {
        return Some((
            "it is compared with commands or paths, and none is written so: it matches nothing".to_owned(),
            format!("write `\"rule\": \"{pattern}\"`"),
        ));
    }
    if let Some(words) = pattern.strip_suffix(":*") {
        return Some((
            "`:*` is for rules: here it is a colon, and anything behind it".to_owned(),
            format!("write `\"rule\": \"Bash({pattern})\"`, or `\"pattern\": \"{words}*\"`"),
        ));
    }
    if let Some(doubt) = misread_domain(object, pattern) {
        return Some(doubt);
    }
    // A command can be exactly this; a path is absolute where patterns are compared.
    let files = about_files(object, aliases);
    let anchored = pattern.starts_with(['/', '*', '~']);
    (files && !anchored).then(|| {
        let said = "it is compared with the absolute path, which does not begin so: it matches nothing";
        (said.to_owned(), format!("write `\"pattern\": \"*/{pattern}\"`"))
    })
}

fn about_files(object: &RuleObject, aliases: &Aliases) -> bool {
    let file = |tool: &String| aliases.canonical(tool).is_some_and(|tool| tool.family() == Family::File);
    object.tools.iter().any(file)
}

/// The payload of a rule for WebFetch, which no argument is.
fn misread_domain(object: &RuleObject, text: &str) -> Option<Doubt> {
    let host = text.strip_prefix("domain:").filter(|_| object.tools.iter().any(|tool| tool == "WebFetch"))?;
    let said = "it is compared with the arguments, and none is written so: it matches nothing";
    Some((said.to_owned(), format!("write `\"rule\": \"WebFetch(domain:{host})\"`")))
}

/// A regular expression that holds what is for rules, or that no absolute path begins as.
fn misread_regex(object: &RuleObject, aliases: &Aliases) -> Option<Doubt> {
    let regex = object.regex.as_deref()?;
    if let Some(words) = regex.strip_suffix(":*") {
        return Some((
            "`:*` is for rules: here it is any number of colons".to_owned(),
            format!("write `\"rule\": \"Bash({words}:*)\"`, or `\"regex\": \"^{words}( |$)\"`"),
        ));
    }
    if let Some(doubt) = misread_domain(object, regex) {
        return Some(doubt);
    }
    let first = regex.strip_prefix('^')?.chars().next()?;
    let relative = first.is_alphanumeric() || first == '_';
    (relative && about_files(object, aliases)).then(|| {
        let said = "it is compared with the absolute path, which does not begin so: it matches nothing";
        (said.to_owned(), format!("write `\"regex\": \"/{}\"`", regex.trim_start_matches('^')))
    })
}

/// The first thing in a path that a shell would expand.
fn variable(path: &str) -> Option<&str> {
    let (before, behind) = path.split_once('$')?;
    let name: usize = behind
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '{' | '}'))
        .map(char::len_utf8)
        .sum();
    (name > 0).then(|| path.get(before.len()..=before.len() + name)).flatten()
}

/// An allow rule that lets nothing run.
pub(super) struct Idle {
    /// What it names.
    pub(super) command: String,
    /// The rule that would let it, beside it.
    pub(super) inner: Option<String>,
}

impl Subject<'_> {
    /// An allow rule for something that runs other programs, if it lets it run none: `:*` does not stand for a program,
    /// which needs a rule of its own.
    pub(super) fn never_allows(&self, allows: &mut Allows<'_>) -> Option<Idle> {
        if self.list != ListKind::Allow {
            return None;
        }
        let RuleSubject::Command { open: true, .. } = self.rules.subject_of(self.id)? else { return None };
        let Sample::Command(words) = self.rules.sample(self.id)? else { return None };
        let program = words.first()?.rsplit('/').next()?;
        let launched = launched(&words);
        if launched.is_none() && !runs_others(program) && !fetches(program) {
            return None;
        }
        let more: [&[&str]; 4] = [&[], &[FILE], &["--version"], &["list"]];
        let commands: Vec<Vec<String>> = more
            .iter()
            .map(|more| words.iter().cloned().chain(more.iter().map(|word| (*word).to_owned())).collect())
            .collect();
        if allows.with(vec![self.rule.clone()], &commands) || commands.iter().any(|words| allows.all(words)) {
            return None;
        }
        let inner = launched.map(|inner| format!("Bash({inner}:*)")).filter(|rule| {
            let beside = SourcedRule { spec: RuleSpec::Text(rule.clone()), ..self.rule.clone() };
            allows.with(vec![self.rule.clone(), beside], &commands)
        });
        Some(Idle { command: join_words(&words), inner })
    }
}

/// What a command runs that is not the command itself, without its arguments.
fn launched(words: &[String]) -> Option<String> {
    let text = join_words(words);
    let roots = ["/".to_owned()];
    let analysis = analyze(&text, &Settings::new("/", &roots));
    let inner = analysis.invocations.iter().find(|invocation| !invocation.launchers.is_empty())?;
    let words: Option<Vec<String>> =
        inner.words.iter().map(|word| word.value.known().map(str::to_owned)).collect();
    words.filter(|words| !words.is_empty()).map(|words| join_words(&words))
}
