//! Which words of a command speak against it, and which rule they match: spans with a clause each.

use std::sync::Arc;

use portcullis_matcher::{ListKind, RuleSet, RuleSource, Rules, ShellPart, SourcedRule, Subject};
use portcullis_permissions::{Context, Gate, ToolCall, Verdict};
use portcullis_shell_analysis::{Analysis, Invocation, Span};
use portcullis_tool_names::Tool;

/// A remark about some bytes of a command's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) span: Span,
    pub(super) kind: MarkKind,
    pub(super) text: String,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MarkKind {
    /// A rule that stops or asks matches here.
    Rule,
    /// The text is not understood here.
    Error,
    /// This keeps it from being automatic.
    Reason,
}

/// The marks of one command, in the order of the text, the same remark once.
pub(super) fn of(asked: &Asked<'_>, text: &str, analysis: &Analysis) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut add = |span: Span, kind, text: String| {
        let mark = Mark { span, kind, text };
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    };
    for invocation in &analysis.invocations {
        if let Some(label) = asked.restricted_by(text, invocation) {
            add(invocation.span, MarkKind::Rule, format!("matches {label}"));
        }
    }
    if let Some(error) = &analysis.error {
        add(error.span, MarkKind::Error, error.message.clone());
    }
    for blocker in analysis.opaque.iter().chain(&analysis.blockers) {
        add(blocker.span, MarkKind::Reason, blocker.reason.to_string());
    }
    marks.sort_by_key(|mark| (mark.span.start, mark.span.end, mark.kind));
    marks
}

/// What is asked about single parts of a call.
pub(super) struct Asked<'a> {
    call: &'a ToolCall,
    context: &'a Context,
    rules: &'a RuleSet,
    /// The rule that decided, alone, and its list.
    decided: Option<(RuleSet, ListKind, String)>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        call: &'a ToolCall,
        context: &'a Context,
        rules: &'a RuleSet,
        verdict: &Verdict,
    ) -> Self {
        Self { call, context, rules, decided: decided(context, rules, verdict) }
    }

    fn ask<T>(&self, text: &str, invocation: &Invocation, question: impl FnOnce(&Subject<'_>) -> T) -> T {
        let alone = Analysis {
            invocations: vec![invocation.clone()],
            error: None,
            blockers: Vec::new(),
            opaque: None,
            exclude: Vec::new(),
        };
        let part = [ShellPart { text: invocation.span.slice(text), analysis: &alone }];
        question(&Subject {
            name: &self.call.name,
            tool: Some(Tool::Bash),
            paths: &[],
            reached: &[],
            unknown_target: false,
            shell: &part,
            unknown_command: false,
            arguments: &self.call.arguments,
            resolver: self.context.resolver.as_deref(),
        })
    }

    /// The label of the rule that decided, if it matches this part.
    fn restricted_by(&self, text: &str, invocation: &Invocation) -> Option<String> {
        let (rules, list, label) = self.decided.as_ref()?;
        let matches = self.ask(text, invocation, |subject| {
            rules.first_match(*list, subject).is_some() || !rules.possible_matches(*list, subject).is_empty()
        });
        matches.then(|| label.clone())
    }

    /// The allow rule that covers this part, unless it needs none.
    pub(super) fn covered_by(&self, text: &str, invocation: &Invocation) -> Option<(String, RuleSource)> {
        if invocation.read_only {
            return None;
        }
        self.ask(text, invocation, |subject| {
            [self.rules, &self.context.sessions.session, &self.context.sessions.cli].into_iter().find_map(
                |set| {
                    let rule = set.rule(set.covering_allow(subject)?)?;
                    Some((rule.label(), rule.source.clone()))
                },
            )
        })
    }
}

/// The rule of a verdict alone, where it is one that restricts.
fn decided(context: &Context, rules: &RuleSet, verdict: &Verdict) -> Option<(RuleSet, ListKind, String)> {
    let cited = verdict.rule.as_ref()?;
    let lists: &[ListKind] = match verdict.gate {
        Gate::DenyRule | Gate::CliDisallow => &[ListKind::Deny],
        Gate::AlwaysAskRule | Gate::SessionAlwaysAsk => &[ListKind::AlwaysAsk],
        Gate::AskRule => &[ListKind::Ask],
        Gate::PossibleDeny => &[ListKind::Deny, ListKind::AlwaysAsk],
        _ => return None,
    };
    let sets = [rules, &*context.sessions.session, &*context.sessions.cli];
    sets.into_iter().flat_map(|set| lists.iter().map(move |list| (set, *list))).find_map(|(set, list)| {
        let rule = set.listed(list).iter().find(|rule| is(rule, cited))?;
        let mut alone = Rules::default();
        if let Some(own) = list_of(&mut alone, list) {
            own.push(rule.clone());
        }
        Some((set.with_rules(Arc::new(alone)), list, cited.label.clone()))
    })
}

/// Whether a verdict cites this rule: its label may have words of ours behind the rule's own.
pub(super) fn is(rule: &SourcedRule, cited: &portcullis_permissions::MatchedRule) -> bool {
    let own = rule.label();
    let rest = cited.label.strip_prefix(own.as_str());
    Some(&rule.source) == cited.source.as_ref()
        && rest.is_some_and(|rest| matches!(rest, "" | " (CLI)" | " (session)"))
}

/// One of the lists.
pub(super) fn list_of(rules: &mut Rules, list: ListKind) -> Option<&mut Vec<SourcedRule>> {
    Some(match list {
        ListKind::Deny => &mut rules.deny,
        ListKind::AlwaysAsk => &mut rules.always_ask,
        ListKind::Ask => &mut rules.ask,
        ListKind::Allow => &mut rules.allow,
        ListKind::Restrict => &mut rules.restrict,
        _ => return None,
    })
}
