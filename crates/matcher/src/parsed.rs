//! Rule texts and rule objects, read: which tools a rule is about, and what of their calls.

use portcullis_tool_names::{Family, Tool};
use regex::Regex;

use crate::command::{CommandPattern, Payload};
use crate::doubts::{self, Doubt};
use crate::glob::TextGlob;
use crate::object_test::{ObjectTest, TextTest};
use crate::paths::{PathPattern, folds_everywhere};
use crate::rule_text::{Halves, broken, ends_early, halves, no_name, unquoted};
use crate::web::WebPattern;
use crate::{Anchors, Conventions, ListKind, RuleObject, RuleSpec, Scope, SourcedRule};

/// A rule that was understood.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    /// Which tools.
    pub(crate) targets: Vec<Target>,
    /// Which of their calls.
    pub(crate) body: Body,
    /// The layer it belongs to.
    pub(crate) scope: Scope,
}

/// The tools that a rule is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    /// `*`
    All,
    /// A canonical tool in any spelling.
    Tool(Tool),
    /// A tool by the spelling of the rule alone (engine v1).
    Raw(String, Tool),
    /// A tool that has no canonical name.
    Name(String),
    /// Tools whose names match (`mcp__x__*`).
    Names(TextGlob),
}

/// The calls that a rule is about.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Every call.
    Whole,
    /// Commands.
    Command(CommandPattern),
    /// Paths.
    Path(Box<PathPattern>),
    /// URLs.
    Web(WebPattern),
    /// The type of subagent, or the name of a skill.
    Named(Vec<TextGlob>),
    /// One argument of a tool that declares which one rules are about.
    Argument {
        /// Its name.
        key: String,
        /// What it holds.
        glob: TextGlob,
    },
    /// A payload that is not compared: every call for lists that restrict, none for allow.
    Unread,
    /// The pattern or regular expression of a rule object.
    Text(ObjectTest),
}

/// A rule, and what should be said about it.
pub(crate) struct Reading {
    pub(crate) parsed: Parsed,
    /// How it is read, where that is not as it is written.
    pub(crate) notes: Vec<String>,
    /// Why it hardly does what was meant.
    pub(crate) doubt: Option<String>,
}

impl Parsed {
    /// Reads a rule; the error says what is wrong and what to write instead.
    pub(crate) fn read(
        rule: &SourcedRule,
        list: ListKind,
        anchors: &Anchors,
        conventions: &Conventions,
    ) -> Result<Reading, String> {
        let reader = Reader { list, scope: rule.source.scope, anchors, conventions };
        match &rule.spec {
            RuleSpec::Text(text) => reader.text(text),
            RuleSpec::Object(object) => reader.object(object),
        }
    }
}

struct Reader<'a> {
    list: ListKind,
    scope: Scope,
    anchors: &'a Anchors,
    conventions: &'a Conventions,
}

impl Reader<'_> {
    fn text(&self, text: &str) -> Result<Reading, String> {
        let mut notes = Vec::new();
        let (name, payload) = match halves(text) {
            Halves::Name(name) => (name, None),
            Halves::Both(name, payload) => (name, Some(payload.trim())),
            Halves::Broken => return Err(broken(text)),
        };
        let target = self.target(name, &mut notes)?;
        let tool = match &target {
            Target::Tool(tool) | Target::Raw(_, tool) => Some(*tool),
            _ => None,
        };
        if let Some(wrong) = payload.and_then(|payload| ends_early(text, tool, payload)) {
            return Err(wrong);
        }
        let family = tool.map(Tool::family);
        let family = family.or_else(|| (name == "Skill").then_some(Family::Agent));
        let doubt = match family.zip(payload).and_then(|(family, payload)| doubts::of(family, payload)) {
            // An allow rule that covers nothing harms nobody.
            Some(Doubt::Nothing(said)) if self.list != ListKind::Allow => return Err(said),
            Some(Doubt::Nothing(said) | Doubt::Hardly(said)) => Some(said),
            None => None,
        };
        let body = match payload {
            // The old engine compares commands and paths with payloads alone.
            None if self.list == ListKind::Allow
                && matches!(&target, Target::Raw(_, tool) if matches!(tool.family(), Family::Shell | Family::File)) =>
            {
                notes.push(format!("engine v1 has no rules for the whole of `{name}`, so the rule covers nothing: write `Bash(:*)` or `{name}(**)`"));
                Body::Unread
            }
            None => Body::Whole,
            Some("") if self.list == ListKind::Allow => {
                return Err(format!(
                    "the payload is empty: write `{name}` for every call, or what is allowed"
                ));
            }
            Some("") => Body::Whole,
            Some(payload) => self.body(&target, tool, payload, &mut notes)?,
        };
        Ok(Reading { parsed: Parsed { targets: vec![target], body, scope: self.scope }, notes, doubt })
    }

    fn target(&self, name: &str, notes: &mut Vec<String>) -> Result<Target, String> {
        if name == "*" {
            return Ok(Target::All);
        }
        if name.is_empty() {
            return Err("an empty name is no tool: name one, or `*` for every tool".to_owned());
        }
        if let Some(wrong) = no_name(name) {
            return Err(wrong);
        }
        if name.starts_with("mcp__") {
            return Ok(if name.contains('*') {
                Target::Names(TextGlob::new(name))
            } else if name.matches("__").count() == 1 {
                Target::Names(TextGlob::new(&format!("{name}__*")))
            } else {
                Target::Name(name.to_owned())
            });
        }
        if name.contains('*') {
            return Err(format!("`{name}` names no tool: write `*` for every tool"));
        }
        if let Some(tool) = self.conventions.aliases.canonical(name) {
            // For deny the stricter reading of both engines counts.
            return Ok(if self.conventions.fold_names || self.list == ListKind::Deny {
                Target::Tool(tool)
            } else {
                Target::Raw(name.to_owned(), tool)
            });
        }
        // A name in the wrong case is no other tool, so a rule that restricts is meant for the known one.
        let known = KNOWN.iter().find(|known| known.eq_ignore_ascii_case(name) && **known != name);
        match known {
            Some(known) if self.list == ListKind::Allow => {
                notes.push(format!("no tool is called `{name}`: write `{known}`"));
                Ok(Target::Name(name.to_owned()))
            }
            Some(known) => {
                notes.push(format!("`{name}` is read as `{known}`"));
                let tool = self.conventions.aliases.canonical(known);
                Ok(tool.map_or_else(|| Target::Name((*known).to_owned()), Target::Tool))
            }
            None => Ok(Target::Name(name.to_owned())),
        }
    }

    fn body(
        &self,
        target: &Target,
        tool: Option<Tool>,
        payload: &str,
        notes: &mut Vec<String>,
    ) -> Result<Body, String> {
        let named = |payload: &str, quoted: Option<&str>| {
            let readings = std::iter::once(payload).chain(quoted);
            let exact = |text: &str| text.strip_suffix(" *").map(TextGlob::new);
            Body::Named(
                readings.flat_map(|text| [Some(TextGlob::new(text)), exact(text)]).flatten().collect(),
            )
        };
        let program;
        let mut quoted = self.meant(target, tool, payload, notes);
        if let Some(meant) = self.words_in_quotes(tool, payload, notes) {
            program = meant;
            quoted = Some(&program);
        }
        match tool.map(Tool::family) {
            // The old engine knows the payloads of one spelling; for deny the stricter reading counts.
            Some(Family::Shell)
                if self.list == ListKind::Allow
                    && matches!(target, Target::Raw(name, _) if name != Tool::Bash.as_str()) =>
            {
                notes.push("engine v1 compares commands with rules for `Bash` alone, so the rule covers nothing: write `Bash(...)`".to_owned());
                return Ok(Body::Unread);
            }
            Some(Family::Shell) => {
                let (read, note) =
                    CommandPattern::parse(quoted.unwrap_or(payload), self.anchors.home.as_deref());
                notes.extend(note);
                return Ok(match read {
                    Payload::Everything => Body::Whole,
                    Payload::Pattern(pattern) => Body::Command(pattern),
                });
            }
            Some(Family::File) if payload == "*" && self.conventions.star_is_whole_tool => {
                return Ok(Body::Whole);
            }
            Some(Family::File) => {
                let parse =
                    |payload: &str| PathPattern::parse(payload, self.scope, self.anchors, self.conventions);
                let pattern = match quoted {
                    Some(meant) => parse(meant)?.or(parse(payload)?),
                    None => parse(payload)?,
                };
                if self.list == ListKind::Allow && pattern.covers_nothing() {
                    notes.push("the pattern leaves the project root and covers nothing: write `//` and the absolute path".to_owned());
                }
                return Ok(Body::Path(Box::new(pattern)));
            }
            Some(Family::Agent) => return Ok(named(payload, quoted)),
            _ => {}
        }
        match target {
            Target::Name(name) if name == "WebFetch" => {
                if payload == "*" {
                    return Ok(Body::Whole);
                }
                let (pattern, note) = WebPattern::parse(quoted.unwrap_or(payload))?;
                notes.extend(note);
                Ok(Body::Web(pattern))
            }
            Target::Name(name) if name == "Skill" => Ok(named(payload, quoted)),
            _ if payload.chars().all(|c| c == '*') => Ok(Body::Whole),
            Target::Name(name) if self.conventions.payloads.contains_key(name) => {
                let key = self.conventions.payloads.get(name).cloned().unwrap_or_default();
                Ok(Body::Argument { key, glob: TextGlob::new(payload) })
            }
            _ => {
                notes.push(if self.list == ListKind::Allow {
                    "this tool's arguments are not compared, so the rule covers nothing: write the tool alone"
                        .to_owned()
                } else {
                    "this tool's arguments are not compared, so the rule matches every call".to_owned()
                });
                Ok(Body::Unread)
            }
        }
    }

    /// What is meant by a payload that stands in quotes as a whole: in the lists that restrict what they hold counts too.
    /// In allow they are what they are, a part of names that nothing has.
    fn meant<'p>(
        &self,
        target: &Target,
        tool: Option<Tool>,
        payload: &'p str,
        notes: &mut Vec<String>,
    ) -> Option<&'p str> {
        let inner = unquoted(payload)?;
        let (also, tells) = match tool.map(Tool::family) {
            // To the shell they make one word, which may be a program with a blank in the name of its directory.
            Some(Family::Shell) => {
                let program = inner.split_whitespace().next().unwrap_or_default();
                let words = program.len() < inner.len() && !program.contains('/');
                (false, !payload.starts_with('`') && (inner.ends_with(":*") || words))
            }
            Some(Family::File | Family::Agent) => (true, true),
            _ => (
                *target == Target::Name("Skill".to_owned()),
                matches!(target, Target::Name(name) if name == "WebFetch" || name == "Skill"),
            ),
        };
        if !tells {
            return None;
        }
        if self.list == ListKind::Allow {
            notes.push(format!("the quotes are a part of what it covers: write `{inner}` without them"));
            return None;
        }
        notes.push(format!(
            "quotes stand around the payload: it is read as `{inner}`{}",
            if also { " too" } else { "" }
        ));
        Some(inner)
    }

    /// `'rm -rf':*` is a program with a blank in its name, which nobody has: the words are meant.
    fn words_in_quotes(&self, tool: Option<Tool>, payload: &str, notes: &mut Vec<String>) -> Option<String> {
        if tool.map(Tool::family) != Some(Family::Shell) {
            return None;
        }
        let (text, end) =
            [":*", " *"].into_iter().find_map(|end| payload.strip_suffix(end).map(|text| (text, end)))?;
        let inner = unquoted(text).filter(|_| !text.starts_with('`'))?;
        let program = inner.split_whitespace().next().unwrap_or_default();
        if program.len() == inner.len() || program.contains('/') {
            return None;
        }
        let meant = format!("{inner}{end}");
        if self.list == ListKind::Allow {
            notes.push(format!("the quotes are a part of what it covers: write `{meant}` without them"));
            return None;
        }
        notes.push(format!("quotes stand around the words: it is read as `{meant}`"));
        Some(meant)
    }

    fn object(&self, object: &RuleObject) -> Result<Reading, String> {
        if matches!(self.list, ListKind::Allow | ListKind::Restrict) {
            return Err(format!(
                "a rule object cannot stand in {}: write a rule text, or move it to deny, ask or alwaysAsk",
                self.list.as_str()
            ));
        }
        let test = match (&object.pattern, &object.regex) {
            (Some(pattern), None) => TextTest::Pattern(TextGlob::new(pattern)),
            (None, Some(regex)) => TextTest::Regex(
                Regex::new(regex).map_err(|error| format!("`regex` does not compile: {error}"))?,
            ),
            _ => return Err("a rule object needs either `pattern` or `regex`: keep one of them".to_owned()),
        };
        let compared = object.pattern.as_ref().or(object.regex.as_ref());
        if compared.is_none_or(String::is_empty) {
            return Err(
                "an empty `pattern` or `regex` says nothing: write what is meant, or `Tool` for every call"
                    .to_owned(),
            );
        }
        if object.tools.is_empty() {
            return Err("`tool` names no tool: name one, or leave the key out for Bash".to_owned());
        }
        let mut notes = Vec::new();
        // `tool` is often written in lower case there: `["write", "edit"]`.
        let targets: Result<_, _> =
            object.tools.iter().map(|name| self.target(name.trim(), &mut notes)).collect();
        let fold = self.conventions.fold_case || folds_everywhere(self.anchors);
        let body = Body::Text(ObjectTest::new(test, fold));
        let family = |name: &String| self.conventions.aliases.canonical(name.trim()).map(Tool::family);
        let shell = object.tools.iter().all(|name| family(name) == Some(Family::Shell));
        let doubt = doubts::of_object(object, shell);
        Ok(Reading { parsed: Parsed { targets: targets?, body, scope: self.scope }, notes, doubt })
    }
}

/// Spellings that a name in the wrong case is read as.
const KNOWN: [&str; 11] =
    ["Bash", "Read", "Write", "Edit", "Glob", "Grep", "ListDir", "Task", "WebFetch", "WebSearch", "Skill"];

/// The texts that an argument holds, numbers and the like as JSON writes them; `None` where it holds none, or
/// something that is no text.
pub(crate) fn texts_of(argument: Option<&serde_json::Value>) -> Option<Vec<String>> {
    use serde_json::Value;
    match argument? {
        Value::String(text) => Some(vec![text.trim().to_owned()]),
        value @ (Value::Bool(_) | Value::Number(_)) => Some(vec![value.to_string()]),
        Value::Array(values) if !values.is_empty() => {
            let texts = values.iter().map(|value| value.as_str().map(|text| text.trim().to_owned()));
            texts.collect()
        }
        Value::Null | Value::Object(_) | Value::Array(_) => None,
    }
}
