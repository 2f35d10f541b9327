//! What runs unasked for being shut in, and what destroys too much for that.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use portcullis_permissions::{Confinement, ConfinementMode, Decision, Gate, Mode};
use serde_json::json;
use support::row::Row;

#[test]
fn confined_auto() {
    let confined = |text| Row::shell(text).set(|context| context.confined_auto = true);
    let verdict = confined("cargo test").speaks(Gate::ConfinedAuto, Decision::Allow, "Runs confined");
    let required =
        Confinement { mode: ConfinementMode::WorkspaceWrite, network_blocked: true, required: true };
    assert_eq!(verdict.confinement, Some(required));
    for text in ["rm -rf build", "sudo x", "cargo test > /etc/x", "curl https://x.example", "echo \"x"] {
        confined(text).abstains(Gate::ConfinedAuto);
    }
    for text in [
        "git restore src/a.rs",
        "git restore --staged --worktree a",
        "git -C sub restore .",
        "git checkout -- src/a.rs",
        "git checkout .",
        "git checkout -f main",
        "git checkout HEAD src/a.rs",
        "git checkout main -- src",
        "git checkout src/",
        "git checkout :/",
        "git checkout \"$x\"",
        "git checkout -p",
        "git rm a.rs",
        "git rm -r src",
        "git worktree remove ../w",
        "git gc --prune=now",
        "git prune",
        "unlink a",
        "git switch --discard-changes main",
        "git switch -f main",
        "git stash clear",
        "git stash drop",
        "git reset --hard",
        "git reset --merge",
        "git merge --abort",
        "git rebase --skip",
        "git branch -D x",
        "git tag -d v1",
        "git mv -f a b",
        "git read-tree -u --reset HEAD",
        "git checkout-index -f -a",
        "git submodule deinit x",
        "git reflog expire --all",
        "git update-ref -d refs/heads/x",
        "git lfs prune",
        "hg revert a",
        "svn revert -R .",
        "true && git -c a.b=c restore x",
    ] {
        let verdict = confined(text).verdict();
        assert!(verdict.decision != Decision::Allow, "{text}: {:?} {}", verdict.gate, verdict.reason);
    }
    for text in [
        "git checkout main",
        "git checkout -b topic",
        "git checkout -b topic origin/main",
        "git checkout -",
        "git checkout feature/x-1.2",
        "git switch main",
        "git switch -c topic",
        "git restore --staged a.rs",
        "git rm --cached a.rs",
        "git gc",
        "git stash",
        "git stash pop",
        "git reset HEAD~1",
        "git branch topic",
        "git commit -m 'git stash drop'",
        "git add -A",
        "cargo clean",
    ] {
        assert_eq!(
            confined(text).verdict().decision,
            Decision::Allow,
            "{text}: {:?}",
            confined(text).verdict()
        );
    }
    confined("cargo test").mode(Mode::Strict).abstains(Gate::ConfinedAuto);
    confined("cargo test").set(|context| context.network_blocked = false).abstains(Gate::ConfinedAuto);
    Row::shell("cargo test").abstains(Gate::ConfinedAuto);
}

/// A call that asks its host for a run without sandbox is none that runs shut in.
#[test]
fn calls_that_leave_the_sandbox_are_not_confined() {
    for (name, value) in [
        ("dangerouslyDisableSandbox", json!(true)),
        ("with_escalated_permissions", json!(true)),
        ("sandbox_permissions", json!("require_escalated")),
    ] {
        let call = |command: &str| {
            let mut arguments = json!({ "command": command });
            arguments[name] = value.clone();
            Row::call("Bash", arguments).set(|context| context.confined_auto = true)
        };
        assert_eq!(call("cargo test").verdict().decision, Decision::Ask, "{name}");
        // Nothing is hidden from it either.
        assert_ne!(call("grep -rn KEY .").verdict().decision, Decision::Allow, "{name}");
        assert_eq!(call("ls").verdict().decision, Decision::Allow, "{name}");
    }
}
