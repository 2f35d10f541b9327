//! Every row of the pipeline's table by itself: a case in which it speaks, and one in which it
//! abstains. Their order is tested in `gate_order.rs`, `confined-auto` in `confined_auto.rs`.
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
use portcullis_permissions::{
    Confinement, ConfinementMode, Decision, Gate, Mode, Scope, ToolPolicy, Verdict,
};
use serde_json::json;
use support::row::Row;

fn label(verdict: &Verdict) -> &str {
    &verdict.rule.as_ref().expect("a rule").label
}

#[test]
fn workspace_guard() {
    let reason = "Permission denied by workspace sandbox: /etc/x is outside /repo";
    let verdict =
        Row::file("Write", "/etc/x").workspace().speaks(Gate::WorkspaceGuard, Decision::Deny, reason);
    assert_eq!(label(&verdict), "workspace sandbox");
    Row::file("Write", "src/x").workspace().abstains(Gate::WorkspaceGuard);
    // Shell calls are left to the kernel.
    Row::shell("touch /etc/x").workspace().abstains(Gate::WorkspaceGuard);
    Row::file("Write", "/etc/x").abstains(Gate::WorkspaceGuard);
}

#[test]
fn cross_agent_guard() {
    let other = Row::file("Read", "/home/u/.letta/agents/a2/memory/x").agent();
    let verdict = other.verdict();
    assert_eq!((verdict.gate, verdict.decision), (Gate::CrossAgentGuard, Decision::Deny));
    assert!(verdict.reason.contains("(a2). Allowed: a1."), "{}", verdict.reason);
    assert_eq!(label(&verdict), "cross-agent guard");
    Row::file("Read", "/home/u/.letta/agents/a1/memory/x").agent().abstains(Gate::CrossAgentGuard);
    other.clone().set(|context| context.agent.memory_guard_disabled = true).abstains(Gate::CrossAgentGuard);
    // A subagent can never switch it off.
    let subagent = other.set(|context| {
        context.agent.memory_guard_disabled = true;
        context.agent.subagent = true;
    });
    assert_eq!(subagent.verdict().gate, Gate::CrossAgentGuard);
}

#[test]
fn deny_rule() {
    let row = Row::shell("true; git push").rule(ListKind::Deny, "Bash(git push:*)");
    let verdict = row.speaks(Gate::DenyRule, Decision::Deny, "Matched deny rule");
    assert_eq!(label(&verdict), "Bash(git push:*)");
    let session = Row::file("Read", "x").rule_of(Scope::Session, ListKind::Deny, "Read");
    assert_eq!(label(&session.speaks(Gate::DenyRule, Decision::Deny, "Matched deny rule")), "Read (session)");
    Row::shell("git pull").rule(ListKind::Deny, "Bash(git push:*)").abstains(Gate::DenyRule);
    // The name that was proposed counts too.
    let push = Row::call("Monitor", json!({ "cmd": "git push" })).rule(ListKind::Deny, "Bash(git push:*)");
    push.mode(Mode::Unrestricted).speaks(Gate::DenyRule, Decision::Deny, "Matched deny rule");
    let monitor = Row::call("Monitor", json!({ "command": "ls" })).rule(ListKind::Deny, "Monitor");
    monitor.speaks(Gate::DenyRule, Decision::Deny, "Matched deny rule");
}

#[test]
fn cli_disallow() {
    let row = Row::shell("ls").rule_of(Scope::Cli, ListKind::Deny, "Bash(ls:*)");
    let verdict = row.speaks(Gate::CliDisallow, Decision::Deny, "Matched --disallowedTools flag");
    assert_eq!(label(&verdict), "Bash(ls:*) (CLI)");
    Row::shell("pwd").rule_of(Scope::Cli, ListKind::Deny, "Bash(ls:*)").abstains(Gate::CliDisallow);
}

#[test]
fn plan() {
    Row::file("Write", "x").mode(Mode::Plan).speaks(Gate::Plan, Decision::Deny, "Plan mode");
    Row::call("unheard_of", json!({})).mode(Mode::Plan).speaks(Gate::Plan, Decision::Deny, "Plan mode");
    Row::shell("touch x").mode(Mode::Plan).speaks(Gate::Plan, Decision::Ask, "Plan mode");
    Row::shell("ls").mode(Mode::Plan).abstains(Gate::Plan);
    Row::file("Read", "x").mode(Mode::Plan).abstains(Gate::Plan);
    Row::file("Write", "x").abstains(Gate::Plan);
}

#[test]
fn always_ask() {
    let session = Row::shell("ls").rule_of(Scope::Session, ListKind::AlwaysAsk, "Bash(ls:*)");
    let verdict = session.speaks(Gate::SessionAlwaysAsk, Decision::AlwaysAsk, "Matched alwaysAsk rule");
    assert_eq!(label(&verdict), "Bash(ls:*) (session)");
    let settings = Row::shell("ls").rule(ListKind::AlwaysAsk, "Bash(ls:*)");
    settings.abstains(Gate::SessionAlwaysAsk);
    let verdict = settings.speaks(Gate::AlwaysAskRule, Decision::AlwaysAsk, "Matched alwaysAsk rule");
    assert_eq!(label(&verdict), "Bash(ls:*)");
    Row::shell("pwd").rule(ListKind::AlwaysAsk, "Bash(ls:*)").abstains(Gate::AlwaysAskRule);
}

#[test]
fn tool_policy() {
    let tool = |policy| {
        let row = Row::call("my_tool", json!({})).mode(Mode::Unrestricted);
        row.set(|context| context.tools = [("my_tool".to_owned(), policy)].into())
    };
    let verdict = tool(ToolPolicy::AlwaysAsk).speaks(
        Gate::ToolPolicy,
        Decision::AlwaysAsk,
        "Mod tool requires explicit approval",
    );
    assert_eq!(label(&verdict), "mod tool:my_tool");
    tool(ToolPolicy::Auto).abstains(Gate::ToolPolicy);
    let default = |policy| tool(policy).mode(Mode::Standard).verdict();
    assert_eq!(default(ToolPolicy::Auto).decision, Decision::Allow);
    assert_eq!(default(ToolPolicy::Ask).decision, Decision::Ask);
}

#[test]
fn critical_removal() {
    for text in ["rm -rf /", "rm -rf ~", "rm -rf /usr", "rm -rf .", "rm -rf \"$D\"/*", "echo x > /dev/sda"] {
        Row::shell(text).mode(Mode::Unrestricted).speaks(
            Gate::CriticalRemoval,
            Decision::AlwaysAsk,
            "Removes a critical path",
        );
    }
    Row::shell("rm -rf build").mode(Mode::Unrestricted).abstains(Gate::CriticalRemoval);
    Row::shell("ls /").abstains(Gate::CriticalRemoval);
}

#[test]
fn self_modification() {
    let judged = |row: Row| row.set(|context| context.judge_paths.push("/repo/.letta/settings.json".into()));
    let reason = "Changes what decides";
    for row in [
        Row::file("Edit", ".letta/settings.json"),
        Row::shell("echo {} > .letta/settings.json"),
        Row::shell("rm -r .letta"),
        Row::shell("portcullis rules add 'Bash' --list allow --scope user"),
    ] {
        judged(row.mode(Mode::Unrestricted)).speaks(Gate::SelfModification, Decision::AlwaysAsk, reason);
    }
    for text in ["tar xzf a.tgz", "git pull; tar xzf a.tgz", "bash -c 'git pull; tar xzf a.tgz'"] {
        // It only may: an exact rule of the user's lifts that.
        judged(Row::shell(text)).mode(Mode::Unrestricted).speaks(
            Gate::SelfModification,
            Decision::Ask,
            reason,
        );
    }
    for text in ["git pull", "git checkout feature", "git switch -c topic", "git stash", "git merge feature"]
    {
        judged(Row::shell(text)).abstains(Gate::SelfModification);
    }
    judged(Row::shell("portcullis rules list")).abstains(Gate::SelfModification);
    judged(Row::file("Read", ".letta/settings.json")).abstains(Gate::SelfModification);
}

#[test]
fn secret() {
    for row in [Row::file("Read", ".env"), Row::shell("cat ~/.ssh/id_ed25519"), Row::shell("head -1 < .env")]
    {
        row.speaks(Gate::Secret, Decision::Ask, "Reads a secret");
        row.mode(Mode::Unrestricted).abstains(Gate::Secret);
    }
    assert_eq!(Row::file("Read", ".env").claude().mode(Mode::Unrestricted).verdict().gate, Gate::Secret);
    Row::file("Read", ".env.example").abstains(Gate::Secret);
    // Named literally, not through a glob.
    Row::file("Read", ".env").rule(ListKind::Allow, "Read(.env)").abstains(Gate::Secret);
    assert_eq!(Row::file("Read", ".env").rule(ListKind::Allow, "Read(**)").verdict().gate, Gate::Secret);
}

#[test]
fn protected_path() {
    for row in [Row::file("Write", ".git/hooks/pre-commit"), Row::shell("touch ~/.ssh/authorized_keys")] {
        row.mode(Mode::AcceptEdits).speaks(Gate::ProtectedPath, Decision::Ask, "Writes a protected path");
    }
    // A backup has a name of its own.
    for text in [
        "mv -T -b -S it src .g",
        "cp -b -S rc a.md .npm",
        "cp -b -S hrc a.md .bas",
        "install --suffix=rc a.md .npm",
        "ln -f -S rc a.md .npm",
        "sed -i'rc' s/a/b/ .npm",
        "patch -b -z rc .npm a.patch",
    ] {
        let row = Row::shell(text).mode(Mode::AcceptEdits);
        row.speaks(Gate::ProtectedPath, Decision::Ask, "Writes a protected path");
    }
    let export = Row::shell("export SIMPLE_BACKUP_SUFFIX=it; mv -bT src .g").mode(Mode::AcceptEdits);
    assert_ne!(export.verdict().decision, Decision::Allow);
    Row::file("Write", "src/a.rs").abstains(Gate::ProtectedPath);
    let named = Row::file("Write", ".git/hooks/x").rule(ListKind::Allow, "Write(.git/hooks/x)");
    named.abstains(Gate::ProtectedPath);
    let glob = Row::file("Write", ".git/hooks/x").rule(ListKind::Allow, "Write(**)");
    assert_eq!(glob.verdict().gate, Gate::ProtectedPath);
}

#[test]
fn possible_deny() {
    let deny = |text| Row::shell(text).rule(ListKind::Deny, "Bash(git push:*)").mode(Mode::Unrestricted);
    for text in ["eval \"$x\"", "doppler run -- git push", "git \"$x\"", "echo \"x"] {
        let verdict =
            deny(text).speaks(Gate::PossibleDeny, Decision::Ask, "May match deny rule Bash(git push:*)");
        assert_eq!(verdict.possible.len(), 1);
    }
    deny("doppler run -- git pull").abstains(Gate::PossibleDeny);
    // An exact rule of the user's lifts it.
    deny("doppler run -- git push")
        .rule(ListKind::Allow, "Bash(doppler run -- git push)")
        .abstains(Gate::PossibleDeny);
}

#[test]
fn a_program_that_is_not_known_may_be_a_launcher() {
    for text in [
        "\"$x\" git push",
        "$x -u A git push",
        "\"${a[@]}\" `z`env -u A git push",
        "flock $x f `z`git push",
        "env $x `z`git push",
        "ls | xargs -n1 bas$(z)h -c 'git push'",
        // Bash takes these, and the parser does not.
        "COPROC() { git push; }; echo $(coproc a)",
        "echo $( >f ! git push )",
    ] {
        let row = Row::shell(text).rule(ListKind::Deny, "Bash(git push:*)").mode(Mode::Unrestricted);
        assert_ne!(row.verdict().decision, Decision::Allow, "{text}");
    }
}

#[test]
fn degraded() {
    let degraded = |row: Row| row.set(|context| context.degraded = Some("/repo/s.json:3".into()));
    let row = degraded(Row::shell("ls")).mode(Mode::Unrestricted);
    row.speaks(Gate::Degraded, Decision::Ask, "Settings could not be read: /repo/s.json:3");
    let unreadable = Row::shell("ls").rule(ListKind::Deny, "Bash(git");
    unreadable.speaks(Gate::Degraded, Decision::Ask, "Settings could not be read: user rule `Bash(git`");
    // A broken allow rule allows nothing, and stops nothing.
    Row::shell("ls").rule(ListKind::Allow, "Bash(git").abstains(Gate::Degraded);
}

#[test]
fn ask_rule() {
    let asked = Row::shell("ls").rule(ListKind::Ask, "Bash(ls:*)");
    let verdict = asked.speaks(Gate::AskRule, Decision::Ask, "Matched ask rule");
    assert_eq!(label(&verdict), "Bash(ls:*)");
    // Unrestricted mode goes before it in one profile, and behind it in the other.
    assert_eq!(asked.clone().mode(Mode::Unrestricted).verdict().gate, Gate::Mode);
    assert_eq!(asked.clone().mode(Mode::Unrestricted).claude().verdict().gate, Gate::AskRule);
    assert_eq!(Row::shell("pwd").rule(ListKind::Ask, "Bash(ls:*)").verdict().gate, Gate::ReadOnlyShell);
    let session = Row::shell("make").rule_of(Scope::Session, ListKind::Ask, "Bash(make:*)");
    session.speaks(Gate::AskRule, Decision::Ask, "Matched ask rule");
}

#[test]
fn mode() {
    let label_of = |row: Row, reason| label(&row.speaks(Gate::Mode, Decision::Allow, reason)).to_owned();
    let unrestricted = Row::shell("curl https://x.example").mode(Mode::Unrestricted);
    assert_eq!(label_of(unrestricted, "Permission mode: unrestricted"), "unrestricted mode");
    for row in [
        Row::file("Edit", "src/a.rs"),
        Row::shell("mkdir build"),
        Row::shell("rm -r build"),
        Row::shell("cp -b a.md b.md"),
        Row::shell("sed -i.bak s/a/b/ a.md"),
    ] {
        assert_eq!(label_of(row.mode(Mode::AcceptEdits), "Permission mode: acceptEdits"), "acceptEdits mode");
    }
    for row in [Row::file("Edit", "/etc/x"), Row::shell("rm /tmp/x"), Row::shell("npm test")] {
        row.mode(Mode::AcceptEdits).abstains(Gate::Mode);
    }
    Row::file("Edit", "src/a.rs").abstains(Gate::Mode);
}

#[test]
fn cli_allow() {
    let row = Row::shell("make x").rule_of(Scope::Cli, ListKind::Allow, "Bash(make:*)");
    let verdict = row.speaks(Gate::CliAllow, Decision::Allow, "Matched --allowedTools flag");
    assert_eq!(label(&verdict), "Bash(make:*) (CLI)");
    Row::shell("make x; curl x")
        .rule_of(Scope::Cli, ListKind::Allow, "Bash(make:*)")
        .abstains(Gate::CliAllow);
}

#[test]
fn skill() {
    let skill = Row::call("Skill", json!({ "skill": "pdf" }));
    skill.speaks(Gate::Skill, Decision::Allow, "Skill tool is always allowed (read-only)");
    skill.mode(Mode::Strict).abstains(Gate::Skill);
    Row::call("Skills", json!({})).abstains(Gate::Skill);
}

#[test]
fn read_only_shell() {
    let verdict = Row::shell("git status | head").speaks(
        Gate::ReadOnlyShell,
        Decision::Allow,
        "Read-only shell command",
    );
    let read_only = Confinement { mode: ConfinementMode::ReadOnly, network_blocked: true, required: false };
    assert_eq!(verdict.confinement, Some(read_only));
    for row in [
        Row::shell("touch x"),
        Row::shell(""),
        Row::shell("ls").mode(Mode::Strict),
        Row::shell("ls").rule(ListKind::Ask, "Bash(ls:*)"),
        Row::call("write_stdin", json!({ "session_id": 1, "chars": "ls\n" })),
    ] {
        row.abstains(Gate::ReadOnlyShell);
    }
}

#[test]
fn memory_dir_shell() {
    let memory = "/home/u/.letta/agents/a1/memory";
    let row = Row::shell(&format!("cd {memory} && git add -A && git commit -m x")).agent();
    let verdict = row.speaks(Gate::MemoryDirShell, Decision::Allow, "Agent memory directory operation");
    assert_eq!(verdict.confinement.unwrap().mode, ConfinementMode::MemoryWrite);
    row.mode(Mode::Strict).abstains(Gate::MemoryDirShell);
    let other = memory.replace("a1", "a2");
    Row::shell(&format!("cat {memory}/a && ls {other}")).agent().abstains(Gate::MemoryDirShell);
    let elsewhere = Row::shell(&format!("cd {other} && git commit -m x")).agent();
    assert_eq!(elsewhere.verdict().decision, Decision::Ask);
    // A variable that the call starts with is known.
    let variable = Row::shell("mkdir \"$MEMORY_DIR\"/new").agent();
    variable.abstains(Gate::MemoryDirShell);
    variable.set(|context| context.environment.push(("MEMORY_DIR".into(), memory.into()))).speaks(
        Gate::MemoryDirShell,
        Decision::Allow,
        "Agent memory directory operation",
    );
}

#[test]
fn working_directory() {
    Row::file("Read", "src/a.rs").speaks(Gate::WorkingDirectory, Decision::Allow, "Within working directory");
    let mut other = Row::file("Read", "/lib/a.rs");
    other.abstains(Gate::WorkingDirectory);
    other.rules.additional_directories.push("/lib".into());
    other.speaks(Gate::WorkingDirectory, Decision::Allow, "Within working directory");
    Row::file("Read", "src/a.rs").mode(Mode::Strict).abstains(Gate::WorkingDirectory);
    Row::file("Write", "src/a.rs").abstains(Gate::WorkingDirectory);
}

#[test]
fn allow_rules() {
    let session = Row::shell("make x").rule_of(Scope::Session, ListKind::Allow, "Bash(make:*)");
    let verdict = session.speaks(Gate::SessionAllow, Decision::Allow, "Matched session allow rule");
    assert_eq!(label(&verdict), "Bash(make:*) (session)");
    let settings = Row::shell("make x").rule(ListKind::Allow, "Bash(make:*)").mode(Mode::Strict);
    settings.abstains(Gate::SessionAllow);
    let verdict = settings.speaks(Gate::AllowRule, Decision::Allow, "Matched allow rule");
    assert_eq!(label(&verdict), "Bash(make:*)");
    Row::shell("make x && curl x").rule(ListKind::Allow, "Bash(make:*)").abstains(Gate::AllowRule);
}

#[test]
fn a_rule_for_every_command_allows_the_empty_one() {
    for text in ["", "  ", "# only a comment"] {
        for rule in ["Bash", "Bash(*)", "Bash(:*)", "*"] {
            let row = Row::shell(text).rule(ListKind::Allow, rule);
            row.speaks(Gate::AllowRule, Decision::Allow, "Matched allow rule");
            row.claude().rule(ListKind::Ask, "Bash").speaks(Gate::AskRule, Decision::Ask, "Matched ask rule");
        }
        Row::shell(text).rule(ListKind::Allow, "Bash(ls:*)").abstains(Gate::AllowRule);
    }
    // What cannot be read is not empty.
    Row::shell("echo \"x").rule(ListKind::Allow, "Bash").abstains(Gate::AllowRule);
}

#[test]
fn default() {
    let reason = "Default behavior for tool";
    let task = |kind: &str| Row::call("Task", json!({ "subagent_type": kind }));
    for row in [
        Row::call("TodoWrite", json!({ "todos": [] })),
        Row::file("Read", "/etc/hosts"),
        task("recall"),
        Row::call("write_stdin", json!({ "session_id": 1, "chars": "\u{3}" })),
    ] {
        row.speaks(Gate::Default, Decision::Allow, reason);
        row.mode(Mode::Strict).speaks(Gate::Default, Decision::Ask, reason);
    }
    for row in [
        Row::file("Write", "x"),
        Row::shell("make"),
        task("coder"),
        Row::call("unheard_of", json!({})),
        Row::file("Read", "/etc/hosts").claude(),
    ] {
        row.speaks(Gate::Default, Decision::Ask, reason);
    }
}

#[test]
fn dont_ask() {
    let verdict = Row::shell("make").mode(Mode::DontAsk).speaks(
        Gate::DontAsk,
        Decision::Deny,
        "not allowed without a person",
    );
    assert_eq!(verdict.trace.iter().rev().nth(1).map(|event| event.gate), Some(Gate::Default));
    let row = Row::shell("ls").mode(Mode::DontAsk);
    assert_eq!((row.verdict().gate, row.verdict().decision), (Gate::ReadOnlyShell, Decision::Allow));
}
