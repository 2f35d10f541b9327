//! One call in a project `/repo`, with everything around it set step by step.

use std::sync::Arc;

use portcullis_matcher::{Anchors, Conventions, ListKind, RuleSet, SourcedRule};
use portcullis_permissions::{
    Agent, Context, Decision, Gate, GateConventions, Mode, RuleSource, Rules, Scope, Sessions, ToolCall,
    Verdict, Workspace, decide,
};
use serde_json::{Value, json};

use super::{HOME, list_of};

/// A decision about to be made, changed step by step.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) context: Context,
    pub(crate) call: ToolCall,
    pub(crate) rules: Rules,
    pub(crate) session: Rules,
    pub(crate) cli: Rules,
}

impl Row {
    pub(crate) fn call(tool: &str, arguments: Value) -> Self {
        let context = Context {
            home: Some(HOME.into()),
            hides: true,
            sensitive: Arc::new(portcullis_paths::SensitivePaths::standard(Some(HOME))),
            ..Context::bare("/repo", Mode::Standard, GateConventions::letta())
        };
        Self {
            context,
            call: ToolCall::new(tool, arguments),
            rules: Rules::default(),
            session: Rules::default(),
            cli: Rules::default(),
        }
    }

    pub(crate) fn shell(text: &str) -> Self {
        Self::call("Bash", json!({ "command": text }))
    }

    pub(crate) fn file(tool: &str, path: &str) -> Self {
        Self::call(tool, json!({ "file_path": path }))
    }

    pub(crate) fn mode(mut self, mode: Mode) -> Self {
        self.context.mode = mode;
        self
    }

    pub(crate) fn claude(mut self) -> Self {
        self.context.conventions = GateConventions::claude();
        self
    }

    pub(crate) fn rule(self, list: ListKind, text: &str) -> Self {
        self.rule_of(Scope::User, list, text)
    }

    /// A rule of the session, of the command line, or of the settings.
    pub(crate) fn rule_of(mut self, scope: Scope, list: ListKind, text: &str) -> Self {
        let rules = match scope {
            Scope::Session => &mut self.session,
            Scope::Cli => &mut self.cli,
            _ => &mut self.rules,
        };
        list_of(rules, list).push(SourcedRule::text(text, RuleSource::of(scope)));
        self
    }

    pub(crate) fn set(mut self, change: impl FnOnce(&mut Context)) -> Self {
        change(&mut self.context);
        self
    }

    pub(crate) fn workspace(self) -> Self {
        self.set(|context| {
            context.workspace = Some(Workspace::unchecked("/repo", "/").unwrap());
        })
    }

    pub(crate) fn agent(self) -> Self {
        self.set(|context| {
            context.agent = Agent {
                id: Some("a1".into()),
                trees: vec!["/home/u/.letta/agents".into()],
                ..Agent::default()
            };
        })
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let anchors = Anchors {
            project_root: "/repo".into(),
            start_directory: "/repo".into(),
            home: Some(HOME.into()),
            user_settings: None,
        };
        let compile = |rules: &Rules| {
            Arc::new(RuleSet::compile(Arc::new(rules.clone()), &anchors, &Conventions::letta()))
        };
        let sessions = Sessions { session: compile(&self.session), cli: compile(&self.cli) };
        decide(&self.call, &Context { sessions, ..self.context.clone() }, &compile(&self.rules))
    }

    /// This gate decides, with this answer and reason.
    #[track_caller]
    pub(crate) fn speaks(&self, gate: Gate, decision: Decision, reason: &str) -> Verdict {
        let verdict = self.verdict();
        assert_eq!((verdict.gate, verdict.decision), (gate, decision), "{:#?}", verdict.trace);
        assert_eq!(verdict.reason, reason);
        let last = verdict.trace.last().unwrap();
        assert!(last.gate == gate && last.matched && last.decision == Some(decision), "{last:?}");
        verdict
    }

    /// This gate was asked and said nothing.
    #[track_caller]
    pub(crate) fn abstains(&self, gate: Gate) {
        let verdict = self.verdict();
        let asked = verdict.trace.iter().find(|event| event.gate == gate);
        assert!(
            asked.is_some_and(|event| !event.matched && event.decision.is_none()),
            "{:#?}",
            verdict.trace
        );
        assert_ne!(verdict.gate, gate);
    }
}
