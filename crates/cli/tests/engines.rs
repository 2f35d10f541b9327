//! Engines, shadows, workspaces, agents and tools that declare themselves, through the real binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use serde_json::{Value, json};
use support::{
    BINARY, Ended, Place,
    batch::{answer, answers, request},
};

/// A call by another spelling of the shell tool, which one engine knows and the other does not.
fn checked(variables: &[(&str, &str)]) -> Ended {
    let place = Place::new();
    let mut command = place.plain(BINARY);
    command.args(["check", "--tool", "run_shell_command", "--args", "{\"command\":\"make\"}"]);
    command.args(["--allowed-tools", "Bash(make)"]).envs(variables.iter().copied());
    Ended::of(&command.output().unwrap())
}

#[test]
fn the_environment_selects_the_engine_and_the_shadow_is_only_told_of() {
    assert_eq!((checked(&[]).code, checked(&[]).stderr.as_str()), (Some(0), ""));
    for off in ["0", "false"] {
        assert_eq!(checked(&[("LETTA_PERMISSIONS_V2", off)]).code, Some(1));
    }
    let shadow = |ended: &Ended| -> Value {
        let line = ended.stderr.lines().find(|line| line.contains("dual-eval mismatch"));
        serde_json::from_str(line.expect(&ended.stderr)).unwrap()
    };
    let new = checked(&[("LETTA_PERMISSIONS_DUAL_EVAL", "1")]);
    let told = shadow(&new);
    assert_eq!(new.code, Some(0), "the shadow's answer is not used");
    assert_eq!((&told["primary"]["engine"], &told["shadow"]["engine"]), (&json!("v2"), &json!("v1")));
    assert_eq!(told["primary"]["answer"]["rule"], "Bash(make) (CLI)");
    assert_eq!(told["shadow"]["answer"]["decision"], "ask");
    let old = checked(&[("LETTA_PERMISSIONS_DUAL_EVAL", "1"), ("LETTA_PERMISSIONS_V2", "0")]);
    assert_eq!((old.code, &shadow(&old)["primary"]["engine"]), (Some(1), &json!("v1")));

    // Where both agree nothing is said.
    let place = Place::new();
    let mut same = place.plain(BINARY);
    same.args(["check", "--command", "ls"]).env("LETTA_PERMISSIONS_DUAL_EVAL", "1");
    assert_eq!(Ended::of(&same.output().unwrap()).stderr, "");
}

#[test]
fn the_switches_are_not_a_projects_to_set() {
    let place = Place::new();
    place.write(".env", "LETTA_PERMISSIONS_V2=0\nLETTA_PERMISSION_TRACE_ALL=1\n");
    place.write(".letta/settings.json", "{ \"env\": { \"LETTA_PERMISSION_TRACE_ALL\": \"1\" } }\n");
    let mut command = place.plain(BINARY);
    command.args(["check", "--tool", "run_shell_command", "--args", "{\"command\":\"make\"}"]);
    let ended = Ended::of(&command.args(["--allowed-tools", "Bash(make)"]).output().unwrap());
    assert!(ended.code == Some(0) && !ended.stderr.contains("trace"), "{ended:#?}");
}

#[test]
fn a_workspace_has_a_shape() {
    let with = |root: &str, isolation: &str| {
        let mut line = request(&json!(1), "ls");
        line["workspace"] = json!({ "root": root, "isolationRoot": isolation });
        answers(format!("{line}\n").as_bytes()).remove(0)
    };
    assert_eq!(with("/ws/a", "/ws")["decision"], "allow");
    for (root, isolation, word) in
        [("/ws", "/ws", "strictly inside"), ("/a", "/ws", "strictly inside"), ("ws/a", "/ws", "absolute")]
    {
        let message = with(root, isolation)["error"]["message"].to_string();
        assert!(message.contains(word), "{root} {isolation}: {message}");
    }
}

#[test]
fn a_tool_that_declares_that_it_reads_passes_plan_mode() {
    let with = |declared: Value| {
        let mut line = request(&json!(1), "");
        (line["tool"], line["arguments"], line["mode"]) = (json!("my_tool"), json!({}), json!("plan"));
        line["tools"] = json!({ "my_tool": declared });
        let answer = answer(&line);
        format!("{} {}", answer["decision"].as_str().unwrap(), answer["gate"].as_str().unwrap())
    };
    assert_eq!(with(json!("auto")), "deny plan");
    assert_eq!(with(json!({ "policy": "auto", "reads": true })), "allow default");
    assert_eq!(with(json!({ "reads": true })), "ask default");
    assert_eq!(with(json!({ "policy": "auto" })), "deny plan");
}

#[test]
fn blank_variables_name_no_agent_and_no_memory() {
    let memory = "/home/u/.letta/agents/a1/memory";
    let with = |environment: Value| {
        let mut line = request(&json!(1), &format!("cd {memory} && git commit -m x"));
        line["env"] = environment;
        answer(&line)["gate"].as_str().unwrap().to_owned()
    };
    assert_eq!(with(json!({ "AGENT_ID": "a1" })), "memory-dir-shell");
    assert_eq!(with(json!({ "AGENT_ID": "a1", "MEMORY_DIR": " " })), "memory-dir-shell");
    assert_eq!(with(json!({ "AGENT_ID": " ", "LETTA_AGENT_ID": "a1" })), "memory-dir-shell");
    assert_ne!(with(json!({ "AGENT_ID": "a1", "MEMORY_DIR": "/elsewhere" })), "memory-dir-shell");
}

/// The guard leaves a subagent alone that is shut in as a whole: when the kernel keeps a tree from it, and it says so.
#[test]
fn a_sandbox_of_a_whole_process_is_proven_by_a_closed_tree() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let place = Place::new();
    let home = place.path("home");
    let tree = home.join(".letta/agents");
    std::fs::create_dir_all(&tree).unwrap();
    let base = home.parent().unwrap().to_owned();
    let set = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for open in [&base, &home, &place.project()] {
        set(open, 0o755);
    }
    // Where anybody can start it; copied by a process of its own, so that no other test holds it open for writing.
    let program = base.join("portcullis");
    assert!(place.plain("cp").arg(BINARY).arg(&program).status().unwrap().success());
    let gate = |variables: &[(&str, &str)]| -> String {
        // Nothing is closed to root.
        let root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
        let mut command = place.plain(if root { "setpriv".into() } else { program.clone() });
        if root {
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program);
        }
        let file = tree.join("a2/memory/x");
        command.args(["check", "--format", "json", "--tool", "Read", "--args"]);
        command.arg(json!({ "file_path": file }).to_string()).env("AGENT_ID", "a1");
        let ended = Ended::of(&command.envs(variables.iter().copied()).output().unwrap());
        let answer: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:#?}"));
        answer["gate"].as_str().unwrap().to_owned()
    };
    let subagent = [("LETTA_CODE_AGENT_ROLE", "subagent"), ("LETTA_SANDBOX", "bwrap")];
    set(&tree, 0o755);
    assert_eq!(gate(&subagent), "cross-agent-guard", "a variable alone proves nothing");
    set(&tree, 0);
    assert_ne!(gate(&subagent), "cross-agent-guard");
    assert_eq!(gate(&subagent[..1]), "cross-agent-guard");
    assert_eq!(gate(&subagent[1..]), "cross-agent-guard", "only a subagent is shut in as a whole");
    set(&tree, 0o755);
}

#[test]
fn scripts_that_hooks_name_decide_too() {
    let place = Place::new().trusted();
    let hooks = r#"{ "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [
        { "type": "command", "command": "./guard.sh 2>/dev/null" },
        { "type": "command", "command": "python3 \"$CLAUDE_PROJECT_DIR\"/tools/judge.py --fast" },
        { "type": "prompt", "prompt": "is notes/a.md safe?" } ] } ] } }"#;
    place.write(".letta/settings.json", hooks);
    place.write("guard.sh", "exit 0\n");
    let gate = |tool: &str, arguments: Value| -> (String, String) {
        let ended = place.run([
            "check",
            "--format",
            "json",
            "--mode",
            "unrestricted",
            "--tool",
            tool,
            "--args",
            &arguments.to_string(),
        ]);
        let answer: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:#?}"));
        let text = |field: &str| answer[field].as_str().unwrap().to_owned();
        (text("decision"), text("gate"))
    };
    let judged = ("alwaysAsk".to_owned(), "self-modification".to_owned());
    assert_eq!(gate("Write", json!({ "file_path": "guard.sh", "content": "" })), judged);
    assert_eq!(gate("Bash", json!({ "command": "rm -f guard.sh" })), judged);
    // What is not there yet could be put there.
    assert_eq!(gate("Write", json!({ "file_path": "tools/judge.py", "content": "" })), judged);
    for command in ["ls > /dev/null", "touch notes/a.md", "touch tools/other.py"] {
        assert_ne!(gate("Bash", json!({ "command": command })), judged, "{command}");
    }
}
