//! An agent's loop around decisions: decide, ask where nobody has decided yet, act, hand the result back. The calls
//! are scripted, the person is too, and acting is pretended; what is real is the order and who decides.
//!
//! `cargo run -p portcullis-permissions --example agent_loop`

use std::{collections::VecDeque, sync::Arc};

use portcullis_matcher::{Anchors, Conventions, RuleSet, RuleSource, Rules, Scope, SourcedRule};
use portcullis_permissions::{
    Context, Decision, GateConventions, Mode, ToolCall, Verdict, decide, denial_text, suggest,
};
use serde_json::json;

/// What a person may answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    Once,
    Always,
    No,
}

/// A session: what decisions depend on.
struct Session {
    context: Context,
    rules: RuleSet,
    person: VecDeque<Answer>,
}

impl Session {
    /// Decides, and asks if it must. `Ok` when the call may run, `Err` with the text for the model.
    fn permit(&mut self, call: &ToolCall) -> Result<Verdict, String> {
        let verdict = decide(call, &self.context, &self.rules);
        match verdict.decision {
            Decision::Allow => return Ok(verdict),
            Decision::Deny => {
                let rule = verdict.rule.as_ref().map(|rule| rule.label.as_str());
                return Err(denial_text(None, Some(&verdict.reason), rule));
            }
            Decision::Ask | Decision::AlwaysAsk => {}
        }
        let offer = suggest(call, &self.context, &self.rules).filter(|offer| offer.allow_persistence);
        let answer = self.person.pop_front().unwrap_or(Answer::No);
        println!("  asked: {} -> {answer:?}", verdict.reason);
        match (answer, offer) {
            (Answer::No, _) => return Err(denial_text(None, Some("a person said no"), None)),
            (Answer::Always, Some(offer)) => {
                println!("  saved: {}", offer.rules.join(", "));
                let mut rules = Rules::clone(self.rules.rules());
                let saved = |text: String| SourcedRule::text(text, RuleSource::of(Scope::Local));
                rules.allow.extend(offer.rules.into_iter().map(saved));
                self.rules = self.rules.with_rules(Arc::new(rules));
            }
            // Where nothing may be remembered, "always" is "once".
            (Answer::Always, None) | (Answer::Once, _) => {}
        }
        Ok(verdict)
    }
}

fn main() {
    let anchors = Anchors {
        project_root: "/repo".into(),
        start_directory: "/repo".into(),
        home: Some("/home/dev".into()),
        user_settings: None,
    };
    let deny = SourcedRule::text("Bash(git push:*)", RuleSource::of(Scope::User));
    let rules = Rules { deny: vec![deny], ..Rules::default() };
    let mut context = Context::bare("/repo", Mode::Standard, GateConventions::portcullis());
    context.home = Some("/home/dev".into());
    let mut session = Session {
        context,
        rules: RuleSet::compile(Arc::new(rules), &anchors, &Conventions::portcullis()),
        person: [Answer::Always, Answer::Once, Answer::No].into(),
    };
    let script = [
        ToolCall::new("Read", json!({ "file_path": "src/lib.rs" })),
        ToolCall::new("Bash", json!({ "command": "cargo test --workspace" })),
        ToolCall::new("Bash", json!({ "command": "cd core && cargo test -q" })),
        ToolCall::new("Bash", json!({ "command": "timeout 9 git push || true" })),
        ToolCall::new("Bash", json!({ "command": "rm -rf build" })),
        ToolCall::new("Read", json!({ "file_path": ".env" })),
    ];
    for call in script {
        println!("{} {}", call.name, call.arguments);
        match session.permit(&call) {
            // Here the call would run, confined as `verdict.confinement` says, `verdict.exclude` hidden.
            Ok(verdict) => {
                println!("  runs ({}), confined: {:?}", verdict.gate.as_str(), verdict.confinement);
            }
            Err(text) => println!("  to the model: {text}"),
        }
    }
}
