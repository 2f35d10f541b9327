//! Hooks and mods around the gates: what each may change, and what none of them can.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::cell::RefCell;

use portcullis_matcher::ListKind;
use portcullis_permissions::{
    Decision, Gate, HookAnswer, HookRunner, HookedDecision, ModAnswer, Mode, Nobody, Opinion,
    PermissionRegistry, ToolCall, Verdict, decide_with_hooks,
};
use serde_json::{Value, json};
use support::Situation;

/// Answers what it was told to, and notes what it was asked about.
#[derive(Default)]
struct Hooks {
    before: HookAnswer,
    request: HookAnswer,
    seen: RefCell<Vec<String>>,
}

impl Hooks {
    fn before(opinion: Opinion) -> Self {
        Self { before: HookAnswer { opinion, updated_input: None }, ..Self::default() }
    }

    fn request(opinion: Opinion) -> Self {
        Self { request: HookAnswer { opinion, updated_input: None }, ..Self::default() }
    }
}

impl HookRunner for Hooks {
    fn before_call(&self, call: &ToolCall) -> HookAnswer {
        self.seen.borrow_mut().push(format!("before {}", call.arguments["command"]));
        self.before.clone()
    }

    fn permission_request(&self, call: &ToolCall, verdict: &Verdict) -> HookAnswer {
        assert_eq!(verdict.decision, Decision::Ask, "hooks in a person's stead see questions only");
        self.seen.borrow_mut().push(format!("request {}", call.arguments["command"]));
        self.request.clone()
    }
}

struct Mods(Vec<ModAnswer>);

impl Mods {
    fn one(opinion: Opinion) -> Self {
        Self(vec![ModAnswer { id: "m".into(), answer: Ok(opinion) }])
    }
}

impl PermissionRegistry for Mods {
    fn consult(&self, _call: &ToolCall, verdict: &Verdict) -> Vec<ModAnswer> {
        assert_ne!(verdict.decision, Decision::Deny, "nobody is consulted about a deny");
        self.0.clone()
    }
}

fn decided(it: &Situation, hooks: &dyn HookRunner, mods: &dyn PermissionRegistry) -> HookedDecision {
    let (context, rules) = it.compiled();
    decide_with_hooks(it.call.clone(), &context, &rules, hooks, mods)
}

fn answer(it: &Situation, hooks: &dyn HookRunner, mods: &dyn PermissionRegistry) -> (Decision, Gate) {
    let verdict = decided(it, hooks, mods).verdict;
    let last = verdict.trace.last().unwrap();
    assert_eq!((last.gate, last.decision), (verdict.gate, Some(verdict.decision)), "the trace says so");
    (verdict.decision, verdict.gate)
}

fn words(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn without_hooks_and_mods_it_is_decide() {
    for it in support::CORPUS.iter().step_by(5) {
        let (plain, around) = (it.verdict(), decided(it, &Nobody, &Nobody).verdict);
        assert_eq!((plain.decision, plain.gate), (around.decision, around.gate), "{it:?}");
        assert_eq!((plain.trace, plain.exclude), (around.trace, around.exclude), "{it:?}");
        assert_eq!(plain.confinement, around.confinement, "{it:?}");
    }
}

#[test]
fn a_hook_before_a_call_that_blocks_denies_it_before_any_gate() {
    let it = Situation::command("ls");
    let verdict = decided(&it, &Hooks::before(Opinion::Deny(words("not today"))), &Nobody).verdict;
    assert_eq!((verdict.decision, verdict.gate), (Decision::Deny, Gate::Hook));
    assert_eq!((&*verdict.reason, verdict.rule.unwrap().label.as_str()), ("not today", "PreToolUse hook"));
    assert_eq!(verdict.trace.len(), 1);
    let silent = decided(&it, &Hooks::before(Opinion::Deny(words(" "))), &Nobody).verdict;
    assert_eq!(silent.reason, "Denied by hook");
}

#[test]
fn what_a_hook_rewrites_is_judged_from_the_first_gate_once() {
    let hooks = Hooks {
        before: HookAnswer {
            opinion: Opinion::Allow(None),
            updated_input: Some(json!({ "command": "git push" })),
        },
        ..Hooks::default()
    };
    let it = Situation::command("ls").with(ListKind::Deny, "Bash(git push:*)");
    let HookedDecision { call, verdict } = decided(&it, &hooks, &Nobody);
    assert_eq!((verdict.decision, verdict.gate), (Decision::Deny, Gate::DenyRule));
    assert_eq!(call.arguments, json!({ "command": "git push" }), "what was judged is what is to be run");
    assert_eq!(*hooks.seen.borrow(), ["before \"ls\""]);
    // What is no object is no call.
    let broken = Hooks {
        before: HookAnswer { opinion: Opinion::None, updated_input: Some(Value::Null) },
        ..Hooks::default()
    };
    assert_eq!(answer(&Situation::command("ls"), &broken, &Nobody), (Decision::Deny, Gate::Hook));
}

#[test]
fn the_allow_of_a_hook_before_a_call_replaces_the_default_question_only() {
    let allow = || Hooks::before(Opinion::Allow(None));
    let make = Situation::command("make");
    let verdict = decided(&make, &allow(), &Nobody).verdict;
    assert_eq!((verdict.decision, verdict.gate), (Decision::Allow, Gate::Hook));
    assert_eq!(verdict.reason, "Allowed by hook");
    assert!(verdict.confinement.is_some(), "what is let through is confined like any other");
    for (it, gate) in [
        (make.clone().with(ListKind::Ask, "Bash(make)"), Gate::AskRule),
        (make.clone().with(ListKind::AlwaysAsk, "Bash(make)"), Gate::AlwaysAskRule),
        (Situation::command("cat .env"), Gate::Secret),
        (Situation::command("touch .git/hooks/x"), Gate::ProtectedPath),
        (Situation::command("eval \"$x\"").with(ListKind::Deny, "Bash(rm:*)"), Gate::PossibleDeny),
        (Situation { mode: Mode::Plan, ..make.clone() }, Gate::Plan),
        (Situation { mode: Mode::Strict, ..make.clone() }, Gate::Default),
        (Situation::command("git push").with(ListKind::Deny, "Bash(git push)"), Gate::DenyRule),
    ] {
        let (decision, by) = answer(&it, &allow(), &Nobody);
        assert!(decision != Decision::Allow && by == gate, "{decision:?} {by:?} {it:?}");
    }
}

#[test]
fn the_ask_of_a_hook_before_a_call_turns_allow_into_ask_for_a_person() {
    let ask = || Hooks {
        request: HookAnswer { opinion: Opinion::Allow(None), updated_input: None },
        ..Hooks::before(Opinion::Ask(words("look first")))
    };
    for text in ["ls", "make"] {
        let verdict = decided(&Situation::command(text), &ask(), &Nobody).verdict;
        assert_eq!((verdict.decision, verdict.gate), (Decision::Ask, Gate::Hook), "{text}");
        assert_eq!((&*verdict.reason, verdict.confinement), ("look first", None));
    }
    let denied = Situation::command("ls").with(ListKind::Deny, "Bash");
    assert_eq!(answer(&denied, &ask(), &Nobody), (Decision::Deny, Gate::DenyRule));
}

#[test]
fn a_hook_in_a_persons_stead_answers_the_default_and_ask_rules() {
    let make = Situation::command("make");
    let asked = make.clone().with(ListKind::Ask, "Bash(make)");
    for it in [&make, &asked] {
        let verdict = decided(it, &Hooks::request(Opinion::Allow(None)), &Nobody).verdict;
        assert_eq!((verdict.decision, verdict.gate), (Decision::Allow, Gate::Hook));
        assert_eq!(verdict.rule.unwrap().label, "PermissionRequest hook");
        let verdict = decided(it, &Hooks::request(Opinion::Deny(None)), &Nobody).verdict;
        assert_eq!((verdict.decision, &*verdict.reason), (Decision::Deny, "Denied by hook"));
        assert_eq!(answer(it, &Hooks::request(Opinion::None), &Nobody).0, Decision::Ask);
    }
    for (it, gate) in [
        (Situation::command("cat .env"), Gate::Secret),
        (Situation::command("touch .git/hooks/x"), Gate::ProtectedPath),
        (Situation::command("eval \"$x\"").with(ListKind::Deny, "Bash(rm:*)"), Gate::PossibleDeny),
        (Situation { mode: Mode::Plan, ..make.clone() }, Gate::Plan),
        (Situation { mode: Mode::Strict, ..make.clone() }, Gate::Default),
        (Situation::command("ls").with(ListKind::Deny, "Bash(git"), Gate::Degraded),
    ] {
        assert_eq!(
            answer(&it, &Hooks::request(Opinion::Allow(None)), &Nobody),
            (Decision::Ask, gate),
            "{it:?}"
        );
        assert_eq!(answer(&it, &Hooks::request(Opinion::Deny(None)), &Nobody).0, Decision::Deny);
    }
    // It never sees what is allowed, or asked every time.
    for it in [Situation::command("ls"), Situation::command("rm -rf /usr")] {
        let hooks = Hooks::request(Opinion::Deny(None));
        assert_ne!(answer(&it, &hooks, &Nobody).0, Decision::Deny);
        assert_eq!(hooks.seen.borrow().len(), 1);
    }
}

#[test]
fn what_a_hook_in_a_persons_stead_rewrites_is_judged_by_gates_and_mods() {
    let hooks = |command: &str| Hooks {
        request: HookAnswer {
            opinion: Opinion::Allow(None),
            updated_input: Some(json!({ "command": command })),
        },
        ..Hooks::default()
    };
    let it = Situation::command("make").with(ListKind::Deny, "Bash(git push:*)");
    let mend = hooks("make check");
    let HookedDecision { call, verdict } = decided(&it, &mend, &Nobody);
    assert_eq!((verdict.decision, verdict.gate), (Decision::Allow, Gate::Hook));
    assert_eq!(call.arguments["command"], "make check");
    assert_eq!(mend.seen.borrow().len(), 2, "no hook is run again: {:?}", mend.seen);
    assert_eq!(answer(&it, &hooks("git push"), &Nobody), (Decision::Deny, Gate::DenyRule));
    assert_eq!(answer(&it, &hooks("cat .env"), &Nobody), (Decision::Ask, Gate::Secret));
    assert_eq!(answer(&it, &hooks("rm -rf /usr"), &Nobody), (Decision::AlwaysAsk, Gate::CriticalRemoval));

    /// Denies one command.
    struct Against;
    impl PermissionRegistry for Against {
        fn consult(&self, call: &ToolCall, _verdict: &Verdict) -> Vec<ModAnswer> {
            let opinion =
                if call.arguments["command"] == "make check" { Opinion::Deny(None) } else { Opinion::None };
            vec![ModAnswer { id: "against".into(), answer: Ok(opinion) }]
        }
    }
    assert_eq!(answer(&it, &mend, &Against), (Decision::Deny, Gate::Mod));
}

#[test]
fn mods_answer_together_and_the_strictest_counts() {
    let (ls, make) = (Situation::command("ls"), Situation::command("make"));
    let mods = |answers: &[Result<Opinion, String>]| {
        let named = answers.iter().enumerate();
        Mods(named.map(|(at, answer)| ModAnswer { id: at.to_string(), answer: answer.clone() }).collect())
    };
    let (allow, ask) = (|| Ok(Opinion::Allow(None)), || Ok(Opinion::Ask(None)));
    let (always, deny) = (|| Ok(Opinion::AlwaysAsk(None)), || Ok(Opinion::Deny(None)));
    for (it, answers, decision) in [
        (&make, vec![allow()], Decision::Allow),
        (&make, vec![allow(), ask()], Decision::Ask),
        (&ls, vec![ask(), allow()], Decision::Ask),
        (&ls, vec![ask(), always(), allow()], Decision::AlwaysAsk),
        (&make, vec![always()], Decision::AlwaysAsk),
        (&ls, vec![always(), deny(), allow()], Decision::Deny),
        (&ls, vec![Ok(Opinion::None), allow()], Decision::Allow),
        (&ls, vec![], Decision::Allow),
        (&ls, vec![allow(), Err("it crashed".to_owned())], Decision::Deny),
    ] {
        assert_eq!(answer(it, &Nobody, &mods(&answers)).0, decision, "{answers:?}");
    }
    let failed = decided(&ls, &Nobody, &mods(&[allow(), Err("it crashed".to_owned())])).verdict;
    assert_eq!((&*failed.reason, failed.rule.unwrap().label.as_str()), ("it crashed", "mod permission:1"));
    // What a mod wants a person to see no hook answers in the person's stead.
    let hooks = Hooks::request(Opinion::Allow(None));
    assert_eq!(answer(&make, &hooks, &Mods::one(Opinion::Ask(None))), (Decision::Ask, Gate::Mod));
    // An allow of theirs lifts no more than a hook's.
    let secret = Situation::command("cat .env");
    let allowing = Mods::one(Opinion::Allow(None));
    assert_eq!(answer(&secret, &Nobody, &allowing), (Decision::Ask, Gate::Secret));
    let always = make.with(ListKind::AlwaysAsk, "Bash(make)");
    assert_eq!(answer(&always, &Nobody, &allowing), (Decision::AlwaysAsk, Gate::AlwaysAskRule));
}

#[test]
fn dont_ask_converts_what_hooks_and_mods_leave() {
    let make = Situation { mode: Mode::DontAsk, ..Situation::command("make") };
    assert_eq!(answer(&make, &Nobody, &Nobody), (Decision::Deny, Gate::DontAsk));
    assert_eq!(answer(&make, &Hooks::request(Opinion::Allow(None)), &Nobody), (Decision::Allow, Gate::Hook));
    let ls = Situation { mode: Mode::DontAsk, ..Situation::command("ls") };
    let verdict = decided(&ls, &Nobody, &Mods::one(Opinion::Ask(None))).verdict;
    assert_eq!((verdict.decision, verdict.gate), (Decision::Deny, Gate::DontAsk));
    assert_eq!(verdict.reason, "not allowed without a person");
}

#[test]
fn hooks_never_overturn_a_deny() {
    let lax = Hooks {
        before: HookAnswer { opinion: Opinion::Allow(None), updated_input: None },
        request: HookAnswer { opinion: Opinion::Allow(None), updated_input: None },
        ..Hooks::default()
    };
    for it in support::CORPUS.iter().step_by(5) {
        let plain = it.verdict();
        let around = decided(it, &lax, &Nobody).verdict;
        if plain.decision == Decision::Deny && plain.gate != Gate::DontAsk {
            assert_eq!((around.decision, around.gate), (Decision::Deny, plain.gate), "{it:?}");
        } else if around.decision == Decision::Allow && plain.decision != Decision::Allow {
            assert!(around.gate == Gate::Hook && it.mode != Mode::Strict, "{it:?}");
        }
    }
}
