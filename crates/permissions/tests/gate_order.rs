//! Rows of the pipeline's table put in conflict, so that their order shows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use portcullis_matcher::ListKind;
use portcullis_permissions::{Context, Gate, Mode, Scope, ToolCall, ToolPolicy};
use serde_json::json;
use support::row::Row;

/// Two rows in conflict: what makes the second speak, and what is added to make the first speak too.
#[test]
fn the_first_of_two_that_could_speak_decides() {
    use ListKind::{Allow, AlwaysAsk, Ask, Deny};
    let settings = |context: &mut Context| context.judge_paths.push("/repo/.letta/settings.json".into());
    let always = |context: &mut Context| context.tools = [("Write".to_owned(), ToolPolicy::AlwaysAsk)].into();
    let memory = "/home/u/.letta/agents/a2/x";
    type Step = fn(Row) -> Row;
    let table: Vec<(Gate, Row, Gate, Step)> = vec![
        (Gate::CrossAgentGuard, Row::file("Write", memory).agent(), Gate::WorkspaceGuard, Row::workspace),
        (Gate::DenyRule, Row::file("Read", memory).rule(Deny, "Read"), Gate::CrossAgentGuard, Row::agent),
        (Gate::CliDisallow, Row::shell("ls").rule_of(Scope::Cli, Deny, "Bash"), Gate::DenyRule, |row| {
            row.rule(Deny, "Bash")
        }),
        (Gate::Plan, Row::shell("make").mode(Mode::Plan), Gate::CliDisallow, |row| {
            row.rule_of(Scope::Cli, Deny, "Bash")
        }),
        (
            Gate::SessionAlwaysAsk,
            Row::shell("make").rule_of(Scope::Session, AlwaysAsk, "Bash"),
            Gate::Plan,
            |row| row.mode(Mode::Plan),
        ),
        (
            Gate::AlwaysAskRule,
            Row::shell("make").rule(AlwaysAsk, "Bash(make:*)"),
            Gate::SessionAlwaysAsk,
            |row| row.rule_of(Scope::Session, AlwaysAsk, "Bash"),
        ),
        (Gate::ToolPolicy, Row::file("Write", "x").set(always), Gate::AlwaysAskRule, |row| {
            row.rule(AlwaysAsk, "Write")
        }),
        (Gate::SelfModification, Row::shell("rm -r .letta").set(settings), Gate::CriticalRemoval, |row| {
            Row { call: ToolCall::new("Bash", json!({ "command": "rm -r .letta /usr" })), ..row }
        }),
        (Gate::ProtectedPath, Row::file("Edit", ".letta/settings.json"), Gate::SelfModification, |row| {
            row.set(|context| context.judge_paths.push("/repo/.letta/settings.json".into()))
        }),
        (Gate::ProtectedPath, Row::shell("touch .git/hooks/x"), Gate::Secret, |row| Row {
            call: ToolCall::new("Bash", json!({ "command": "cp .env .git/hooks/x" })),
            ..row
        }),
        (
            Gate::PossibleDeny,
            Row::shell("eval \"$x\"").rule(Deny, "Bash(git push:*)"),
            Gate::ProtectedPath,
            |row| {
                let call = ToolCall::new("Bash", json!({ "command": "touch .git/hooks/x; eval \"$x\"" }));
                Row { call, ..row }
            },
        ),
        (
            Gate::Degraded,
            Row::shell("eval \"$x\"").set(|context| context.degraded = Some("f".into())),
            Gate::PossibleDeny,
            |row| row.rule(Deny, "Bash(git push:*)"),
        ),
        (Gate::AskRule, Row::shell("ls").claude().rule(Ask, "Bash"), Gate::Degraded, |row| {
            row.set(|context| context.degraded = Some("f".into()))
        }),
        (Gate::Mode, Row::shell("ls").claude().mode(Mode::Unrestricted), Gate::AskRule, |row| {
            row.rule(Ask, "Bash")
        }),
        (Gate::CliAllow, Row::shell("make").rule_of(Scope::Cli, Allow, "Bash"), Gate::Mode, |row| {
            row.mode(Mode::Unrestricted)
        }),
        (Gate::Skill, Row::call("Skill", json!({ "skill": "x" })), Gate::CliAllow, |row| {
            row.rule_of(Scope::Cli, Allow, "Skill")
        }),
        (Gate::ReadOnlyShell, Row::shell("ls"), Gate::CliAllow, |row| row.rule_of(Scope::Cli, Allow, "Bash")),
        (
            Gate::ConfinedAuto,
            Row::shell("make").set(|context| context.confined_auto = true),
            Gate::ReadOnlyShell,
            |row| Row { call: ToolCall::new("Bash", json!({ "command": "ls" })), ..row },
        ),
        (
            Gate::ConfinedAuto,
            Row::shell("cd /repo/mem && git commit -m x").set(|context| context.confined_auto = true),
            Gate::MemoryDirShell,
            |row| row.agent().set(|context| context.agent.memory_directories = vec!["/repo/mem".into()]),
        ),
        (
            Gate::SessionAllow,
            Row::file("Read", "src/a").mode(Mode::Strict).rule_of(Scope::Session, Allow, "Read"),
            Gate::WorkingDirectory,
            |row| row.mode(Mode::Standard),
        ),
        (
            Gate::SessionAllow,
            Row::shell("make").rule_of(Scope::Session, Allow, "Bash"),
            Gate::ConfinedAuto,
            |row| row.set(|context| context.confined_auto = true),
        ),
        (Gate::AllowRule, Row::shell("make").rule(Allow, "Bash"), Gate::SessionAllow, |row| {
            row.rule_of(Scope::Session, Allow, "Bash")
        }),
        (Gate::Default, Row::shell("make"), Gate::AskRule, |row| row.rule(Ask, "Bash(make:*)")),
    ];
    assert!(table.len() > 20);
    for (second, row, first, add) in table {
        assert_eq!(row.verdict().gate, second, "{:#?}", row.verdict().trace);
        let both = add(row);
        assert_eq!(
            both.verdict().gate,
            first,
            "{} before {}: {:#?}",
            first.as_str(),
            second.as_str(),
            both.verdict().trace
        );
        assert!(first.is_before(second) || second == Gate::Mode || first == Gate::AskRule);
    }
}
