//! The allow rule that is about a call and does not cover it, and why: for explanations, no decision depends on it.

use std::fmt;

use portcullis_paths::Resolver;
use portcullis_shell_analysis::{Argument, Span};
use portcullis_tool_names::{Family, Tool};

use super::{Cover, Judge, Restraint};
use crate::command::{Place as CallPlace, WordShortfall};
use crate::facts::{Facts, InvocationFacts, PartFacts};
use crate::index::{Depth, Index, Scan};
use crate::parsed::{Body, Parsed};
use crate::paths::{PathParts, PathPattern};
use crate::{ListKind, Match, Scope};

/// Why an allow rule that is about a call does not cover it; [`fmt::Display`] says it in a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shortfall {
    /// A rule of a narrower scope goes before it: the list and the rule.
    Overruled(ListKind, String),
    /// What this word becomes is not known, or its matches may be flags.
    Unknown(String),
    /// This word runs something, writes elsewhere or carries code, and does not stand in the rule.
    Hazard(String),
    /// Code that is run does not stand in the rule.
    Code,
    /// git's global options may lead to another repository.
    Repository,
    /// The words are spelled otherwise than the rule has them.
    Spelling,
    /// The command sets this variable, which may change what programs do.
    Assignment(String),
    /// Its redirections write, read or show what no rule for files allows.
    Redirection,
    /// This program in front of the command needs a rule of its own.
    Launcher(String),
    /// This word or path is a secret or protected, and does not stand in the rule.
    Guarded(String),
    /// This part of the call is covered by no rule.
    Rest(String),
    /// This name begins with a dot, which wildcards of allow rules do not match here.
    DotFile(String),
    /// The path really leads here.
    Link(String),
    /// This path is not among those that the rule names.
    Elsewhere(String),
    /// The command cannot be read to its end.
    Unreadable,
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overruled(list, rule) => {
                write!(f, "`{rule}` in {} of a narrower scope goes before it", list.as_str())
            }
            Self::Unknown(word) => write!(f, "what `{word}` becomes is not known beforehand"),
            Self::Hazard(word) => {
                write!(
                    f,
                    "`{word}` can run, write or carry more than the rule shows, and does not stand in it"
                )
            }
            Self::Code => f.write_str("the code that it runs does not stand in the rule"),
            Self::Repository => f.write_str("its global options may lead to another repository"),
            Self::Spelling => f.write_str("its words are spelled otherwise than in the rule"),
            Self::Assignment(name) => write!(f, "it sets `{name}`, which may change what programs do"),
            Self::Redirection => f.write_str("its redirections reach what no rule for files allows"),
            Self::Launcher(name) => write!(f, "`{name}` in front of it needs a rule of its own"),
            Self::Guarded(word) => {
                write!(
                    f,
                    "`{word}` is or may be a secret or a protected path, and does not stand in the rule"
                )
            }
            Self::Rest(part) => write!(f, "nothing covers `{part}`"),
            Self::DotFile(name) => {
                write!(f, "its wildcards do not stand for `{name}`, which begins with a dot")
            }
            Self::Link(path) => write!(f, "the path really leads to `{path}`"),
            Self::Elsewhere(path) => write!(f, "`{path}` is not among what it names"),
            Self::Unreadable => f.write_str("the command cannot be read to its end"),
        }
    }
}

/// Position of the rule, and why it does not cover the call; the label of what overrules it is still to be filled in.
type Near = (u32, Reason);

/// A shortfall, or the rule that overrules.
pub(crate) enum Reason {
    Said(Shortfall),
    /// List and position.
    Overruled(ListKind, u32),
}

impl From<Shortfall> for Reason {
    fn from(shortfall: Shortfall) -> Self {
        Self::Said(shortfall)
    }
}

impl Judge<'_> {
    /// The first allow rule that is about the first part of the call that nothing covers, else one that covers another
    /// part.
    pub(crate) fn near(&self, facts: &Facts<'_>) -> Option<Near> {
        match facts.subject.tool.map(Tool::family) {
            Some(Family::Shell) => self.near_shell(facts),
            Some(Family::File) => self.near_file(facts),
            _ => self.near_other(facts),
        }
    }

    fn near_shell(&self, facts: &Facts<'_>) -> Option<Near> {
        if facts.obscure() {
            let mut rules = self.allow.scan(|index| index.call(facts, Depth::Certain));
            let named = rules.find(|(_, rule)| {
                rule.allows_name(facts) && rule.restricts(ListKind::Allow, facts, &[]) == Match::Yes
            });
            return named.map(|(id, _)| (id, Shortfall::Unreadable.into()));
        }
        let (mut covered, mut left) = (None, None);
        for part in &facts.parts {
            if let Some(id) = self.whole_text(part, facts) {
                covered = covered.or(Some(id));
                continue;
            }
            for invocation in &part.invocations {
                match self.invocation(invocation, part, facts) {
                    Some(Cover::Rule(id)) => covered = covered.or(Some(id)),
                    Some(Cover::Free) => {}
                    None => left = left.or(Some((invocation, part))),
                }
            }
        }
        let (invocation, part) = left?;
        self.near_invocation(invocation, part, facts).or_else(|| {
            let rest = Shortfall::Rest(shown(part, invocation.view.invocation.span));
            covered.map(|id| (id, rest.into()))
        })
    }

    fn near_invocation(
        &self,
        invocation: &InvocationFacts<'_>,
        part: &PartFacts<'_>,
        facts: &Facts<'_>,
    ) -> Option<Near> {
        let about = |rule: &Parsed| {
            rule.allows_name(facts)
                && match &rule.body {
                    Body::Whole => true,
                    Body::Command(pattern) => pattern.restricts(&invocation.view) == Match::Yes,
                    _ => false,
                }
        };
        let mut rules = self.allow.scan(|index| index.invocation(facts, invocation, Depth::Certain));
        let (id, rule) = rules.find(|(_, rule)| about(rule))?;
        let restraint = self.restraint_on(facts, invocation);
        let overruled = self.overruled(
            rule,
            restraint,
            |index| index.invocation(facts, invocation, Depth::Possible),
            |rule, list| rule.restricts_invocation(list, facts, invocation),
        );
        let short = || self.short(rule, invocation, part, (restraint, facts.subject.resolver)).into();
        Some((id, overruled.unwrap_or_else(short)))
    }

    /// Why a usable rule for commands covers an invocation that it is about in part only.
    fn short(
        &self,
        rule: &Parsed,
        invocation: &InvocationFacts<'_>,
        part: &PartFacts<'_>,
        (restraint, resolver): (Restraint, Option<&dyn Resolver>),
    ) -> Shortfall {
        let plain = invocation.view.invocation;
        let launcher = || {
            let hidden = plain.launchers.iter().find(|launcher| !launcher.transparent);
            Shortfall::Launcher(hidden.map_or_else(String::new, |launcher| launcher.name.to_string()))
        };
        let Body::Command(pattern) = &rule.body else { return launcher() };
        let place = CallPlace { project_root: &self.anchors.project_root, resolver };
        let word = |word: &Argument| shown(part, word.span);
        match pattern.shortfall(&invocation.view, place) {
            Some(WordShortfall::Unknown(unknown)) => return Shortfall::Unknown(word(unknown)),
            Some(WordShortfall::Hazard(hazard)) => return Shortfall::Hazard(word(hazard)),
            Some(WordShortfall::Code) => return Shortfall::Code,
            Some(WordShortfall::Repository) => return Shortfall::Repository,
            Some(WordShortfall::Spelling) => return Shortfall::Spelling,
            None => {}
        }
        if let Some(given) = plain.assignments.iter().find(|given| !pattern.covers_assignment(given)) {
            return Shortfall::Assignment(given.name.to_string());
        }
        if !self.redirections_allowed(invocation, std::slice::from_ref(part.part), restraint) {
            return Shortfall::Redirection;
        }
        match self.guarded_word(pattern, invocation) {
            Some(word) => Shortfall::Guarded(word),
            None => launcher(),
        }
    }

    fn near_file(&self, facts: &Facts<'_>) -> Option<Near> {
        let tool = facts.subject.tool?;
        let (mut covered, mut left) = (None, None);
        for readings in &facts.targets {
            match self.file_rule(tool, readings, facts) {
                Some(id) => covered = covered.or(Some(id)),
                None => left = left.or(Some(readings)),
            }
        }
        let readings = left?;
        self.near_target(tool, readings, facts).or_else(|| {
            let path = readings.first().map_or_else(String::new, |path| path.text.to_owned());
            covered.map(|id| (id, Shortfall::Rest(path).into()))
        })
    }

    fn near_target(&self, tool: Tool, readings: &[PathParts<'_>], facts: &Facts<'_>) -> Option<Near> {
        let about = |rule: &Parsed| {
            self.speaks_for(rule, tool, facts)
                && match &rule.body {
                    Body::Whole => true,
                    Body::Path(pattern) => readings.iter().any(|path| pattern.restricts(path)),
                    _ => false,
                }
        };
        let mut rules = self.allow.scan(|index| index.target_of(facts, readings, self.others(tool)));
        let (id, rule) = rules.find(|(_, rule)| about(rule))?;
        let restraint = self.restraint_on_target(readings, facts);
        let overruled = self.overruled(
            rule,
            restraint,
            |index| index.target(facts, readings),
            |rule, list| rule.restricts_target(list, facts, readings),
        );
        let reason = match (&rule.body, overruled) {
            (_, Some(overruled)) => overruled,
            (Body::Path(pattern), None) => outside(pattern, readings).into(),
            _ => return None,
        };
        Some((id, reason))
    }

    fn near_other(&self, facts: &Facts<'_>) -> Option<Near> {
        let mut rules = self.allow.scan(|index| index.call(facts, Depth::Certain));
        let (id, rule) = rules.find(|(_, rule)| self.covers_other(rule, facts))?;
        let restraint = self.restraint_on_call(facts);
        let overruled = self.overruled(
            rule,
            restraint,
            |index| index.call(facts, Depth::Possible),
            |rule, list| rule.restricts(list, facts, &[]),
        );
        overruled.map(|overruled| (id, overruled))
    }

    /// The rule of a narrower scope for which an allow rule does not count.
    fn overruled(
        &self,
        rule: &Parsed,
        restraint: Restraint,
        find: impl Fn(&Index) -> Scan<'_>,
        test: impl Fn(&Parsed, ListKind) -> Match,
    ) -> Option<Reason> {
        if rule.scope == Scope::Managed || restraint.scope.is_none_or(|scope| scope <= rule.scope) {
            return None;
        }
        self.restraining.into_iter().find_map(|list| {
            let mut rules = list.scan(&find);
            let found =
                rules.find(|(_, own)| Some(own.scope) == restraint.scope && test(own, list.kind) > Match::No);
            found.map(|(id, _)| Reason::Overruled(list.kind, id))
        })
    }
}

/// Why a pattern that holds a path or a directory above it does not stand for all readings of the path.
fn outside(pattern: &PathPattern, readings: &[PathParts<'_>]) -> Shortfall {
    let mut left = readings.iter().enumerate().filter(|(_, path)| !pattern.allows(path));
    let Some((at, path)) = left.next() else { return Shortfall::Spelling };
    let hidden = path.names.iter().find(|name| name.starts_with('.') && name.len() > 1);
    match hidden {
        _ if at > 0 => Shortfall::Link(path.text.to_owned()),
        Some(name) if !pattern.wildcards_match_dots() && pattern.allows_with_dots(path) => {
            Shortfall::DotFile((*name).to_owned())
        }
        _ => Shortfall::Elsewhere(path.text.to_owned()),
    }
}

/// A part of the text, as it stands there.
fn shown(part: &PartFacts<'_>, span: Span) -> String {
    span.slice(part.part.text).trim().to_owned()
}
