//! What would change the answer, tried: each change that `explain` names is made, and `check` asked again.

use serde_json::{Value, json};

use super::support::{self, Ended, Place};

/// A call in a project with settings, and what would change its answer, tried one by one.
struct Tried<'a> {
    user: &'a str,
    project: &'a str,
    flags: &'a [&'a str],
    call: &'a [&'a str],
}

#[test]
fn what_would_change_the_answer_does() {
    let none = "{}";
    let deny = r#"{"permissions":{"deny":["Bash(git push:*)","Bash(git:*)"]}}"#;
    let rows = [
        Tried {
            user: none,
            project: none,
            flags: &[],
            call: &["--command", "git status && cargo test --workspace"],
        },
        Tried { user: none, project: none, flags: &[], call: &["--command", "rm -rf build"] },
        Tried { user: none, project: none, flags: &[], call: &["--command", "rm -rf /"] },
        Tried { user: none, project: none, flags: &[], call: &["--command", "cat /var/log/app/a.log"] },
        Tried { user: none, project: none, flags: &[], call: &["--command", "grep -rn TODO . | head -5"] },
        Tried { user: none, project: none, flags: &[], call: &["--command", "echo a > out.txt && make"] },
        Tried { user: none, project: none, flags: &[], call: &["--command", "echo \"git push"] },
        Tried { user: none, project: none, flags: &["--mode", "strict"], call: &["--command", "ls"] },
        Tried { user: none, project: none, flags: &["--mode", "plan"], call: &["--command", "cargo test"] },
        Tried {
            user: none,
            project: none,
            flags: &["--mode", "dontAsk"],
            call: &["--command", "cargo test"],
        },
        Tried {
            user: none,
            project: none,
            flags: &["--mode", "unrestricted"],
            call: &["--command", "cargo test"],
        },
        Tried {
            user: none,
            project: none,
            flags: &["--mode", "acceptEdits"],
            call: &["--command", "touch a"],
        },
        Tried {
            user: none,
            project: none,
            flags: &["--disallowed-tools", "Bash(git push:*)"],
            call: &["--command", "timeout 5 git push"],
        },
        Tried {
            user: none,
            project: none,
            flags: &["--allowed-tools", "Bash(cargo test:*)"],
            call: &["--command", "cargo test"],
        },
        Tried { user: deny, project: none, flags: &[], call: &["--command", "git push"] },
        Tried { user: deny, project: deny, flags: &[], call: &["--command", "git push"] },
        Tried { user: deny, project: none, flags: &[], call: &["--command", "git log"] },
        Tried {
            user: deny,
            project: none,
            flags: &["--mode", "unrestricted"],
            call: &["--command", "eval \"$x\""],
        },
        Tried {
            user: r#"{"permissions":{"alwaysAsk":["Bash(ls:*)"],"ask":["Read(src/**)"]}}"#,
            project: none,
            flags: &[],
            call: &["--command", "ls"],
        },
        Tried {
            user: r#"{"permissions":{"ask":["Read(src/**)"]}}"#,
            project: none,
            flags: &[],
            call: &["--tool", "Read", "--args", r#"{"file_path":"src/a.rs"}"#],
        },
        Tried {
            user: none,
            project: r#"{"permissions":{"allow":["Bash(make:*)","Bash(make)"]}}"#,
            flags: &[],
            call: &["--command", "make all"],
        },
        Tried { user: "{ broken", project: none, flags: &[], call: &["--command", "ls"] },
        Tried {
            user: none,
            project: none,
            flags: &[],
            call: &["--tool", "Read", "--args", r#"{"file_path":".env"}"#],
        },
        Tried {
            user: none,
            project: none,
            flags: &[],
            call: &["--tool", "Read", "--args", r#"{"file_path":"src/a.rs"}"#],
        },
        Tried {
            user: none,
            project: none,
            flags: &[],
            call: &["--tool", "Write", "--args", r#"{"file_path":"src/a.rs","content":""}"#],
        },
        Tried {
            user: none,
            project: none,
            flags: &["--mode", "acceptEdits"],
            call: &["--tool", "Write", "--args", r#"{"file_path":"/srv/x/a.rs","content":""}"#],
        },
        Tried {
            user: none,
            project: none,
            flags: &["--profile", "portcullis"],
            call: &["--tool", "Read", "--args", r#"{"file_path":"/srv/x/a.rs"}"#],
        },
        Tried {
            user: none,
            project: none,
            flags: &[],
            call: &["--tool", "WebFetch", "--args", r#"{"url":"https://example.com/a"}"#],
        },
        Tried {
            user: none,
            project: none,
            flags: &[],
            call: &["--tool", "Read", "--args", r#"{"file_path":"~/.letta/agents/a1/memory/x"}"#],
        },
        Tried { user: none, project: none, flags: &[], call: &["--tool", "TodoWrite", "--args", "{}"] },
    ];
    let mut kinds = std::collections::BTreeMap::new();
    for row in &rows {
        let place = Place::new();
        settle(&place, row);
        let explained = place.run(["explain", "--format", "json"].iter().chain(row.flags).chain(row.call));
        let answer: Value = serde_json::from_str(&explained.stdout).expect(&explained.stderr);
        let changes = answer["changes"].as_array().unwrap();
        assert!(!changes.is_empty() || answer["remark"].is_string(), "nothing is said: {answer}");
        for change in changes {
            let then = apply(&place, row, change);
            assert_eq!(then, change["then"], "{:?} {:?}: {change}", row.flags, row.call);
            assert_ne!(then, answer["decision"], "{change}");
            *kinds.entry(change["kind"].as_str().unwrap().to_owned()).or_insert(0) += 1;
        }
    }
    let seen: Vec<&str> = kinds.keys().map(String::as_str).collect();
    let all =
        ["add-rule", "additional-directory", "flag", "mend-settings", "mode", "path", "remove-rule", "run"];
    assert_eq!(seen, all, "every kind of change has been tried");
}

fn user_settings(place: &Place) -> std::path::PathBuf {
    place.path("home/.letta/settings.json")
}

fn settle(place: &Place, row: &Tried<'_>) {
    std::fs::create_dir_all(place.path("home/.letta")).unwrap();
    std::fs::write(user_settings(place), row.user).unwrap();
    place.write(".letta/settings.json", row.project);
    let _ = std::fs::remove_file(place.project().join(".letta/settings.local.json"));
}

/// What `check` says with the change made.
fn apply(place: &Place, row: &Tried<'_>, change: &Value) -> Value {
    settle(place, row);
    let mut flags: Vec<String> = row.flags.iter().map(|flag| (*flag).to_owned()).collect();
    let mut call: Vec<String> = row.call.iter().map(|word| (*word).to_owned()).collect();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    // As a person would: the lines that are shown, through a shell.
    let edit = |lines: &Value| {
        for line in lines.as_array().unwrap() {
            let mut shell = place.plain("bash");
            let folder = std::path::Path::new(support::BINARY).parent().unwrap().display().to_string();
            shell.env("PATH", format!("{folder}:/usr/local/bin:/usr/bin:/bin"));
            Ended::of(&shell.args(["-c", line.as_str().unwrap()]).output().unwrap()).expect(0, &[]);
        }
    };
    let mut set = |key: &str, value: &str| {
        flags.retain(|flag| flag != key);
        flags.extend([key.to_owned(), value.to_owned()]);
    };
    match change["kind"].as_str().unwrap() {
        "add-rule" if change["scope"].is_null() => {
            change["rules"]
                .as_array()
                .unwrap()
                .iter()
                .for_each(|rule| set("--allowed-tools", rule.as_str().unwrap()));
        }
        "remove-rule" if change["commands"] == json!([]) => {
            assert!(
                change["rules"].as_array().unwrap().iter().all(|rule| rule["source"]["scope"] == "cli"),
                "{change}"
            );
            flags.clear();
        }
        "add-rule" | "remove-rule" => edit(&change["commands"]),
        "mode" => {
            if let Some(at) = flags.iter().position(|flag| flag == "--mode") {
                flags.drain(at..at + 2);
            }
            flags.extend(["--mode".to_owned(), text(&change["mode"])]);
        }
        "additional-directory" => {
            let added = json!({ "permissions": { "additionalDirectories": [change["directory"]] } });
            std::fs::write(user_settings(place), added.to_string()).unwrap();
        }
        "path" => {
            let (old, new) = (text(&change["insteadOf"]), text(&change["path"]));
            let last = call.last_mut().unwrap();
            *last = last.replacen(&old, &new, 1);
        }
        "flag" => flags.push(text(&change["flag"])),
        "mend-settings" => std::fs::write(user_settings(place), "{}").unwrap(),
        "run" => std::fs::write(user_settings(place), r#"{"permissions":{"confinedAuto":true}}"#).unwrap(),
        other => panic!("no way to try {other}"),
    }
    let ended =
        place.run(["check", "--format", "json"].map(str::to_owned).into_iter().chain(flags).chain(call));
    let answer: Value = serde_json::from_str(&ended.stdout).expect(&ended.stderr);
    answer["decision"].clone()
}
