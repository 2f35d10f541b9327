//! Where calls keep their paths and commands: one case for each kind of tool, and what no arguments can do.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use portcullis_tool_names::{Aliases, CommandText, Tool, carried, commands, patch_paths, targets};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Paths, patterns, recursive, unknown.
#[allow(clippy::needless_pass_by_value, reason = "callers write `json!` in place")]
fn of(name: &str, arguments: Value) -> (Vec<String>, Vec<String>, bool, bool) {
    let found = targets(name, Aliases::standard().of_call(name, &arguments), &arguments);
    (found.paths, found.patterns, found.recursive, found.unknown)
}

fn paths(name: &str, arguments: Value) -> Vec<String> {
    let (paths, _, _, unknown) = of(name, arguments);
    assert!(!unknown);
    paths
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn every_path_argument_is_a_target() {
    let all =
        json!({ "absolute_path": "e", "dir_path": "d", "notebook_path": "c", "path": "b", "file_path": "a" });
    assert_eq!(paths("Read", all), ["a", "b", "c", "d", "e"]);
    assert_eq!(paths("read_many_files", json!({ "paths": ["a", "b"], "include": ["c"] })), ["a", "b", "c"]);
    assert_eq!(paths("MultiEdit", json!({ "file_path": "a", "edits": [{ "old_string": "x" }] })), ["a"]);
    assert_eq!(paths("MultiEdit", json!({ "edits": [{ "file_path": "a" }, { "path": "b" }] })), ["a", "b"]);
    assert_eq!(paths("Read", json!({ "file_path": ["a", "b"] })), ["a", "b"]);
    assert_eq!(paths("Read", json!({ "file_path": "", "path": "b" })), ["b"]);
    assert_eq!(paths("Read", json!({ "file_path": null, "path": "b" })), ["b"]);
}

#[test]
fn missing_and_ill_typed_paths_are_unknown() {
    for arguments in
        [json!({}), json!({ "file_path": "" }), json!({ "file_path": 1 }), json!(null), json!(["a"])]
    {
        assert!(of("Read", arguments.clone()).3, "{arguments}");
    }
    let (paths, .., unknown) = of("Write", json!({ "file_path": { "a": 1 }, "path": "b" }));
    assert_eq!((paths, unknown), (words(&["b"]), true), "what is known is still judged");
    assert!(of("read_many_files", json!({ "paths": ["a", 1] })).3);
    assert!(!of("TodoWrite", json!({})).3, "other tools need no path");
}

#[test]
fn search_tools() {
    assert_eq!(
        of("Glob", json!({ "pattern": "**/*.rs" })),
        (words(&["."]), words(&["**/*.rs"]), true, false)
    );
    let both = of("glob", json!({ "path": "src", "pattern": "*.rs" }));
    assert_eq!(both, (words(&["src"]), words(&["*.rs"]), true, false));
    let grep = of("grep_files", json!({ "pattern": "/etc/", "include": "*.rs", "glob": ["a", "b"] }));
    assert_eq!(grep, (words(&["."]), words(&["*.rs", "a", "b"]), true, false));
    assert_eq!(of("LS", json!({})), (words(&["."]), Vec::new(), true, false));
    assert!(of("Glob", json!({ "pattern": 1 })).3);
}

#[test]
fn patterns_that_lead_elsewhere_name_their_directory() {
    let base = |pattern: &str| {
        let (mut paths, _, _, unknown) = of("Glob", json!({ "pattern": pattern }));
        if unknown { "?".to_owned() } else { paths.pop().unwrap() }
    };
    assert_eq!(base("src/**"), ".");
    assert_eq!(base("/etc/**"), "/etc");
    assert_eq!(base("/*"), "/");
    assert_eq!(base("~/.ssh/*"), "~/.ssh");
    assert_eq!(base("../**"), "..");
    assert_eq!(base("a/../../x*"), "a/../..");
    assert_eq!(base("../x"), "../x");
    assert_eq!(base("C:/x/*"), "C:/x");
    for pattern in ["*/../../x", "{/etc,src}/**", "{..,a}/*", "{a,~/b}", "a/{b,../../c}"] {
        assert_eq!(base(pattern), "?", "{pattern}");
    }
    let many = of("ReadManyFiles", json!({ "include": ["**"], "paths": ["src/**/*.rs", "a.rs"] }));
    assert_eq!(many, (words(&["src", "a.rs", "."]), words(&["**/*.rs", "**"]), true, false));
    assert!(of("read_many_files", json!({ "paths": ["*/../../x"] })).3);
}

#[test]
fn patches_name_their_files() {
    let patch = "*** Begin Patch\n*** Add File: new file.txt \r\n+x\n*** Update File: a\n*** Move to: b\n*** Delete File: c";
    let files = ["new file.txt", "a", "b", "c"];
    for (name, key) in [("apply_patch", "input"), ("ApplyPatch", "patch"), ("memory_apply_patch", "input")] {
        assert_eq!(paths(name, json!({ key: patch })), files);
    }
    assert_eq!(paths("apply_patch", json!(patch)), files);
    assert!(of("apply_patch", json!({ "input": "no patch" })).3);
    assert!(of("apply_patch", json!({})).3);
    assert!(of("apply_patch", json!({ "input": 1, "patch": patch })).3);
    let found: Vec<_> =
        patch_paths("+*** Add File: a\n***   Update File : b\n*** Rename File: c\n*** Add File:").collect();
    assert_eq!(found, ["a", "b", "c"], "whatever is done to a file names it");
}

#[test]
fn patches_in_shell_calls() {
    let text = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** End Patch\nEOF";
    assert_eq!(paths("Bash", json!({ "command": text })), ["a"]);
    assert_eq!(paths("shell", json!({ "command": ["apply_patch", "*** Add File: b\n+x"] })), ["b"]);
    assert_eq!(paths("shell", json!({ "command": ["bash", "-lc", text] })), ["a"]);
    assert!(of("Bash", json!({ "command": "apply_patch < x" })).3, "the patch is somewhere else");
    assert_eq!(of("Bash", json!({ "command": "echo '*** Add File: b'" })), Default::default());
}

#[test]
fn commands_of_shell_calls() {
    let text = |text: &str| CommandText::Text(text.to_owned());
    let argv = |of: &[&str]| CommandText::Argv(words(of));
    let shell =
        |shell: &str, text: &str| CommandText::ShellText { shell: shell.to_owned(), text: text.to_owned() };
    let table = [
        (json!({ "command": "ls" }), vec![text("ls")]),
        (json!({ "cmd": "a", "command": "b" }), vec![text("a"), text("b")]),
        (json!({ "command": "b", "cmd": ["a"] }), vec![argv(&["a"]), text("b")]),
        (json!({ "command": ["ls", "a;b"] }), vec![argv(&["ls", "a;b"])]),
        (json!({ "command": ["bash", "-lc", "x", "y"] }), vec![shell("bash", "x")]),
        (json!({ "command": ["/bin/sh", "-c", "x"] }), vec![shell("sh", "x")]),
        (json!({ "command": ["./bash", "-c", "x"] }), vec![argv(&["./bash", "-c", "x"])]),
        (json!({ "command": ["bash", "-ec", "x"] }), vec![argv(&["bash", "-ec", "x"])]),
        (json!({ "command": ["bash", "x", "-c"] }), vec![argv(&["bash", "x", "-c"])]),
        (json!({ "command": "" }), vec![text("")]),
    ];
    for (arguments, right) in table {
        let found = commands("Bash", &arguments);
        assert_eq!((found.commands, found.unknown), (right, false), "{arguments}");
    }
    for arguments in [
        json!({}),
        json!(null),
        json!({ "command": 1 }),
        json!({ "command": [] }),
        json!({ "command": ["a", 1] }),
    ] {
        assert!(commands("Bash", &arguments).unknown, "{arguments}");
    }
    let half = commands("Bash", &json!({ "cmd": {}, "command": "b" }));
    assert_eq!((half.commands, half.unknown), (vec![text("b")], true));
}

#[test]
fn text_for_a_running_shell() {
    let typed = |arguments: Value| commands("write_stdin", &arguments);
    for arguments in [
        json!({ "session_id": 1 }),
        json!({ "chars": "" }),
        json!({ "chars": "\u{3}\n", "yield_time_ms": 9 }),
    ] {
        assert!(typed(arguments.clone()).harmless(), "{arguments}");
    }
    let found = typed(json!({ "session_id": 1, "chars": "rm -rf x\n", "input": "y" }));
    assert_eq!(found.commands.len(), 2);
    for arguments in [json!({ "text": "rm" }), json!({ "chars": 1 }), json!("rm")] {
        assert!(typed(arguments.clone()).unknown, "{arguments}");
    }
    assert!(!typed(json!({ "chars": "\u{1b}[A\n" })).harmless(), "an arrow key runs the last command again");
}

#[test]
fn built_in_names_keep_their_meaning() {
    let aliases = Aliases::standard().with("Bash", Tool::Read).with("my_read", Tool::Read);
    assert_eq!(aliases.canonical("Bash"), Some(Tool::Bash));
    assert!(aliases.spellings(Tool::Read).any(|name| name == "my_read"));
    assert_eq!(aliases.spellings(Tool::Task).next(), Some("Task"));
    for name in ["", "toString", "__proto__", "bash ", "BASH"] {
        assert_eq!(aliases.canonical(name), None);
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z/.*{~ ]{0,8}".prop_map(Value::from),
    ];
    let keys = prop::sample::select(vec![
        "file_path",
        "path",
        "paths",
        "edits",
        "pattern",
        "include",
        "input",
        "patch",
        "cmd",
        "command",
        "chars",
        "x",
    ]);
    leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..4).prop_map(|entries| entries
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #[test]
    fn a_file_or_shell_call_is_never_about_nothing(
        arguments in json_value(),
        name in prop::sample::select(vec!["Read", "Write", "MultiEdit", "Glob", "Grep", "LS", "apply_patch", "read_many_files"]),
    ) {
        let found = targets(name, Aliases::standard().canonical(name), &arguments);
        prop_assert!(found.unknown || !found.paths.is_empty());
        prop_assert!(found.paths.iter().all(|path| !path.is_empty()));
        let found = commands("Bash", &arguments);
        prop_assert!(found.unknown || !found.commands.is_empty());
    }
}

#[test]
fn slashes_in_front_of_a_pattern_are_the_root() {
    for pattern in ["/*", "//*", "///[a]"] {
        let found = targets("read_many_files", Some(Tool::Read), &json!({ "paths": [pattern] }));
        assert_eq!(found.paths, ["/"], "{pattern}");
    }
}

#[test]
fn a_shell_call_says_where_with_what_and_by_which_shell() {
    for key in [
        "workdir",
        "cwd",
        "directory",
        "working_directory",
        "workingDirectory",
        "work_dir",
        "working_dir",
        "workingDir",
        "current_dir",
        "dir",
        "dir_path",
    ] {
        let found = commands("run_shell_command", &json!({ "command": "ls", key: "/etc" }));
        assert_eq!((found.surroundings.directory.as_deref(), found.unknown), (Some("/etc"), false), "{key}");
        for bad in [json!(1), json!(["/etc"]), json!({}), json!(true)] {
            assert!(commands("Bash", &json!({ "command": "ls", key: bad })).unknown, "{key} {bad}");
        }
        for absent in [json!(null), json!("")] {
            let found = commands("Bash", &json!({ "command": "ls", key: absent }));
            assert_eq!((found.surroundings.directory, found.unknown), (None, false), "{key}");
        }
    }
    // What one tool expands and another does not is no known directory.
    for path in ["~", "~/x", "$HOME", "a/${X}", " /etc", "/etc\n", "file:///etc", "%TEMP%"] {
        assert!(commands("Bash", &json!({ "command": "ls", "cwd": path })).unknown, "{path:?}");
    }
    assert!(commands("Bash", &json!({ "command": "ls", "cwd": "/a", "workdir": "/b" })).unknown);
    assert!(!commands("Bash", &json!({ "command": "ls", "cwd": "/a", "workdir": "/a" })).unknown);

    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    for variables in [json!({ "A": "1", "B": "x y" }), json!(["A=1", "B=x y"])] {
        let found = commands("shell", &json!({ "command": "ls", "env": variables }));
        assert_eq!(found.surroundings.variables, [pair("A", "1"), pair("B", "x y")]);
        assert!(!found.unknown);
    }
    for bad in
        [json!("A=1"), json!({ "A": 1 }), json!({ "A": null }), json!(["A"]), json!({ "": "x" }), json!(7)]
    {
        assert!(commands("shell", &json!({ "command": "ls", "environment": bad })).unknown, "{bad}");
    }

    let shell = |given: Value| {
        let found = commands("exec_command", &json!({ "cmd": "ls", "shell": given }));
        (found.surroundings.shell, found.unknown)
    };
    assert_eq!(shell(json!("/bin/zsh")), (Some("zsh".to_owned()), false));
    assert_eq!(shell(json!("bash")), (Some("bash".to_owned()), false));
    assert_eq!(shell(json!(null)), (None, false));
    for other in [json!("fish"), json!("./bash"), json!("/tmp/bash"), json!("pwsh"), json!(""), json!(true)] {
        assert!(shell(other.clone()).1, "{other}");
    }
    assert!(commands("shell", &json!({ "command": ["ls", "x"], "shell": "bash" })).unknown);
    // What is typed runs where the program runs.
    assert!(commands("write_stdin", &json!({ "chars": "ls", "workdir": "/etc" })).unknown);
}

#[test]
fn a_patch_names_whatever_a_reader_may_find_in_it() {
    let patch = |heading: &str| {
        format!("*** Begin Patch\n*** Update File: src/x\n@@\n-a\n+b\n{heading}\n*** End Patch")
    };
    let named = |text: &str| paths("apply_patch", json!({ "input": text }));
    assert_eq!(named(&patch("")), ["src/x"]);
    assert_eq!(named(&patch("--- a/d/f\n+++ b/d/f\n@@ -1 +1 @@")), ["src/x", "a/d/f", "d/f", "b/d/f", "d/f"]);
    assert_eq!(named(&patch("--- /dev/null\n+++ d/f\t2020-01-01")), ["src/x", "d/f"]);
    assert_eq!(named(&patch("--- \"a/d/f\"\n+++ /dev/null")), ["src/x", "a/d/f", "d/f"]);
    assert_eq!(named(&patch("rename from a\nrename to d/f")), ["src/x", "a", "d/f"]);
    assert_eq!(named(&patch("diff --git a/d/f b/d/f")), ["src/x", "a/d/f", "d/f", "b/d/f", "d/f"]);
    // Lines of the files: a comment that is taken out, and one that is put in.
    assert_eq!(named(&patch("--- a comment\n+-- another")), ["src/x"]);
    assert_eq!(named("*** Update File: \"d/f\"\n"), ["\"d/f\"", "d/f"]);
    assert!(of("apply_patch", json!({ "input": "*** Update File: \"d\\057f\"\n" })).3);
    assert!(of("apply_patch", json!({ "input": patch("--- \"a/d\\057f\"\n+++ /dev/null") })).3);
}

#[test]
fn a_patch_tool_has_other_arguments_too() {
    let patch = "*** Begin Patch\n*** Update File: src/x\n@@\n-a\n+b\n*** End Patch";
    for key in ["diff", "patches", "changes", "Patch", "root", "base_path", "arguments"] {
        assert!(of("apply_patch", json!({ "input": patch, key: { "x": "d/f" } })).3, "{key}");
    }
    for key in ["filename", "targetFile", "uri"] {
        assert_eq!(paths("apply_patch", json!({ "input": patch, key: "d/f" })), ["d/f", "src/x"], "{key}");
    }
    assert_eq!(paths("apply_patch", json!({ "input": patch, "explanation": "d/f" })), ["src/x"]);
}

/// Hosts that mind neither case nor what parts the words of a key may honour them.
#[test]
fn arguments_of_shell_calls_in_other_spellings_are_not_known() {
    for key in [
        "Cwd",
        "CWD",
        "WorkingDirectory",
        "working-directory",
        "Work_Dir",
        "chdir",
        "folder",
        "root",
        "Env",
        "variables",
        "vars",
        "env_file",
        "Shell",
        "commandLine",
        "command_line",
        "shell_command",
        "code",
        "cmds",
        "Script",
        "Command",
        "bash-command",
        "scripts",
    ] {
        let call = |value: Value| commands("Bash", &json!({ "command": "ls", key: value }));
        assert!(call(json!("x")).unknown && call(json!({ "A": "b" })).unknown, "{key}");
        for nothing in [json!(null), json!(""), json!(true), json!(7), json!({})] {
            assert!(!call(nothing.clone()).unknown, "{key} {nothing}");
        }
        assert_eq!(call(json!("x")).commands, [CommandText::Text("ls".to_owned())]);
    }
    for key in ["description", "justification", "environment_id", "run_in_background", "timeout_ms"] {
        assert!(!commands("Bash", &json!({ "command": "ls", key: "x" })).unknown, "{key}");
    }
}

#[test]
fn a_patch_in_a_directory_that_is_not_known_is_of_files_that_are_not_known() {
    let patch = "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nE";
    assert!(!of("Bash", json!({ "command": patch, "workdir": "src" })).3);
    assert!(of("Bash", json!({ "command": patch, "workdir": 7 })).3);
}

/// What is nested deeper than is read may hold calls.
#[test]
fn calls_nested_too_deep_are_told_of() {
    let aliases = Aliases::standard();
    let call = r#"{"tool":"Read","arguments":{"file_path":".env"}}"#;
    let nested = |depth: usize| format!("{}{call}{}", "[".repeat(depth), "]".repeat(depth));
    let incomplete = |text: String| carried(&json!({ "calls": text }), &aliases).incomplete;
    assert!(!incomplete(nested(3)) && !incomplete("[note] it says {".to_owned()));
    assert!(!incomplete("[".repeat(100)));
    for depth in [20, 100, 126, 127, 128, 200, 5_000] {
        assert!(incomplete(nested(depth)), "{depth}");
    }
    // One of several values, a text in a text, and what stands in front of an error.
    let read = |text: String| carried(&json!(text), &aliases).calls;
    for text in [
        format!("{{}}\n{call}\n"),
        format!("{call},"),
        format!("\u{feff}[{call}] and so on"),
        json!(call).to_string(),
        json!(json!(call).to_string()).to_string(),
    ] {
        assert_eq!(read(text.clone()), [("Read".to_owned(), json!({ "file_path": ".env" }))], "{text}");
    }
    // A text that is not looked into, at the end of what is.
    let inside = |text: &str| (0..16).fold(json!(text), |value, _| json!({ "in": value }));
    assert!(!carried(&inside("a"), &aliases).incomplete);
    assert!(
        carried(&inside(call), &aliases).incomplete || !carried(&inside(call), &aliases).calls.is_empty()
    );
    assert!(carried(&json!([inside(call)]), &aliases).incomplete);
}
