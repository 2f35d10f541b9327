//! What rule to offer for "don't ask again".
//!
//! Whatever is offered has been tried: with it the same call is allowed, else it is not offered.

mod files;
mod offer;
mod shell;

use std::sync::Arc;

use portcullis_matcher::{Looked, RuleSet, RuleSource, Rules, Scope, ShellPart, SourcedRule};

pub use offer::{OfferedScope, Safety, Suggestion};

use crate::{
    Context, Decision, Gate, ToolCall,
    case::Case,
    decide,
    facts::Facts,
    placed::{Placed, placed},
};

/// The most rules that are offered for one call.
pub(crate) const MOST: usize = 5;

/// The rule or rules to offer for a call that was asked, or `None` for what is decided anyway.
///
/// A suggestion without rules says that nothing may be remembered: dangerous programs, calls that are asked
/// every time, and calls that no rule covers without covering more than a person can see.
///
/// ```
/// use std::sync::Arc;
/// use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
/// use portcullis_permissions::{Context, GateConventions, Mode, ToolCall, suggest};
/// use serde_json::json;
///
/// let anchors = Anchors {
///     project_root: "/repo".into(),
///     start_directory: "/repo".into(),
///     home: None,
///     user_settings: None,
/// };
/// let rules = RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta());
/// let context = Context::bare("/repo", Mode::Standard, GateConventions::letta());
/// let call = ToolCall::new("WebFetch", json!({ "url": "https://docs.example.com/a" }));
/// let offer = suggest(&call, &context, &rules).unwrap();
/// assert_eq!(offer.rules, ["WebFetch(https://docs.example.com/*)"]);
/// ```
#[must_use]
pub fn suggest(call: &ToolCall, context: &Context, rules: &RuleSet) -> Option<Suggestion> {
    let verdict = decide(call, context, rules);
    let asked = match verdict.decision {
        Decision::Allow => return None,
        Decision::Deny if verdict.gate != Gate::DontAsk => return None,
        Decision::AlwaysAsk => return Some(Suggestion::nothing(Safety::Moderate)),
        Decision::Ask | Decision::Deny => verdict.gate,
    };
    if matches!(asked, Gate::Plan | Gate::Degraded) {
        return Some(Suggestion::nothing(Safety::Moderate));
    }
    let additional = &rules.rules().additional_directories;
    let Placed { context: there, commands } = placed(call, context, additional);
    let variables = commands.as_ref().is_some_and(|found| !found.surroundings.variables.is_empty());
    let facts = Facts::of(call, &there, commands, additional);
    // No rule speaks of variables beside a command: one for the command would be for all of them.
    if variables && !facts.shell.first().is_some_and(|(_, setting)| setting.read_only()) {
        return Some(Suggestion::nothing(Safety::Moderate));
    }
    let parts: Vec<ShellPart<'_>> =
        facts.shell.iter().map(|(text, analysis)| ShellPart { text, analysis }).collect();
    let looked = Looked::default();
    let case = Case::new(call, &there, rules, &facts, &parts, &looked);
    let offers = if case.is_shell() { shell::offers(&case) } else { files::offers(&case) };
    let trusted = context.trusted;
    let offer = offers.into_iter().find(|offer| offer.rules.is_empty() || helps(call, context, rules, offer));
    let offer = offer.unwrap_or_else(|| Suggestion::nothing(Safety::Moderate));
    Some(if trusted { offer } else { offer.in_untrusted_project() })
}

/// With the offered rules in place, is the same call allowed?
fn helps(call: &ToolCall, context: &Context, rules: &RuleSet, offer: &Suggestion) -> bool {
    let mut extended: Rules = Rules::clone(rules.rules());
    let scope = match offer.scope {
        OfferedScope::Session => Scope::Session,
        OfferedScope::Project => Scope::Project,
        OfferedScope::Local => Scope::Local,
        OfferedScope::User => Scope::User,
    };
    // A session rule stands in a set of its own, but a call that needs several rules needs them together.
    extended
        .allow
        .extend(offer.rules.iter().map(|rule| SourcedRule::text(rule.as_str(), RuleSource::of(scope))));
    let extended = rules.with_rules(Arc::new(extended));
    let mode = if context.mode == portcullis_matcher::Mode::DontAsk {
        portcullis_matcher::Mode::Standard
    } else {
        context.mode
    };
    let context = Context { mode, ..context.clone() };
    decide(call, &context, &extended).decision == Decision::Allow
}
