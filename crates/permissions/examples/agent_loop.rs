//! A host in small: every call that an agent proposes is decided, asked about where nobody has decided yet, done, and
//! written down; what a person allows for good is not asked again. The calls and the person are scripted; who decides,
//! in which order, and what is remembered is real, and `tests/agent_loop.rs` holds it to that.
//! `cargo run -p portcullis-permissions --example agent_loop`

use std::sync::Arc;

use portcullis_matcher::{Anchors, Conventions, RuleSet, RuleSource, Rules, Scope, SourcedRule};
use portcullis_permissions::{
    Context, Decision, Gate, GateConventions, Mode, Suggestion, ToolCall, Verdict, decide, denial_text,
    suggest,
};
use serde_json::json;

/// What a person may answer.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Answer {
    #[allow(dead_code, reason = "the person of this script allows for good; in other scripts once will do")]
    Once,
    Always,
    No,
}

/// What decisions depend on; and the record.
pub(crate) struct Session {
    pub(crate) context: Context,
    pub(crate) rules: RuleSet,
    pub(crate) log: Vec<serde_json::Value>,
}

impl Session {
    /// One call's way: `Ok` with what it is to run under, `Err` with the text for the model. `person` is asked only
    /// where it must be, and sees what could be remembered, if anything.
    pub(crate) fn permit(
        &mut self,
        call: &ToolCall,
        mut person: impl FnMut(&Verdict, Option<&Suggestion>) -> Answer,
    ) -> Result<Verdict, String> {
        let verdict = decide(call, &self.context, &self.rules);
        let rule = verdict.rule.as_ref().map(|rule| rule.label.as_str());
        let denied = |reason: &str| Err(denial_text(None, Some(reason), rule));
        let result = match verdict.decision {
            Decision::Allow => Ok(verdict.clone()),
            Decision::Deny => denied(&verdict.reason),
            Decision::Ask | Decision::AlwaysAsk => {
                // Nothing may be remembered of what destroys, or is asked every time.
                let offer = suggest(call, &self.context, &self.rules).filter(|offer| offer.allow_persistence);
                let answer = person(&verdict, offer.as_ref());
                if let (Answer::Always, Some(offer)) = (answer, &offer) {
                    self.remember(offer);
                }
                if answer == Answer::No { denied("a person said no") } else { Ok(verdict.clone()) }
            }
        };
        let (gate, ran) = (verdict.gate.as_str(), result.is_ok());
        self.log.push(json!({ "tool": call.name, "arguments": call.arguments, "gate": gate, "ran": ran }));
        result
    }

    /// A real host saves them to the settings of `offer.scope` as well.
    fn remember(&mut self, offer: &Suggestion) {
        let mut rules = Rules::clone(self.rules.rules());
        let saved = |text: &String| SourcedRule::text(text.as_str(), RuleSource::of(Scope::Local));
        rules.allow.extend(offer.rules.iter().map(saved));
        self.rules = self.rules.with_rules(Arc::new(rules));
    }
}

/// A project in which pushing is denied.
pub(crate) fn session() -> Session {
    let root = || "/repo".to_owned();
    let anchors = Anchors { project_root: root(), start_directory: root(), home: None, user_settings: None };
    let deny = vec![SourcedRule::text("Bash(git push:*)", RuleSource::of(Scope::User))];
    let rules = Arc::new(Rules { deny, ..Rules::default() });
    let context = Context::bare(root(), Mode::Standard, GateConventions::portcullis());
    Session { context, rules: RuleSet::compile(rules, &anchors, &Conventions::portcullis()), log: Vec::new() }
}

pub(crate) fn main() {
    let mut session = session();
    let read = |path: &str| ToolCall::new("Read", json!({ "file_path": path }));
    let shell = ["cargo test -q", "cd core && cargo test", "timeout 9 git push || true", "rm -rf build"];
    for call in [read("a.rs")].into_iter().chain(shell.map(ToolCall::shell)).chain([read(".env")]) {
        println!("{} {}", call.name, call.arguments);
        let result = session.permit(&call, |verdict, offer| {
            println!("  asked: {}; to remember: {:?}", verdict.reason, offer.map(|offer| &offer.rules));
            match offer {
                _ if verdict.gate == Gate::Secret => Answer::No,
                Some(_) => Answer::Always,
                None => Answer::Once,
            }
        });
        match result {
            // Here it would run: confined as `verdict.confinement` says, with `verdict.exclude` hidden from it.
            Ok(verdict) => println!("  runs ({}), under {:?}", verdict.gate.as_str(), verdict.confinement),
            Err(text) => println!("  to the model: {text}"),
        }
    }
    println!("{}", serde_json::Value::from(session.log));
}
