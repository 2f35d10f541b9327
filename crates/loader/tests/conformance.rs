//! `conformance/upstream-settings.jsonl` and the settings cases of `conformance/bug-reports.jsonl`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod common;

use std::path::Path;

use common::{World, labels};
use portcullis_loader::{ListKind, Scope, Severity, load, save};
use serde_json::{Value, json};

fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn differences() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/differences.md");
    std::fs::read_to_string(path).unwrap()
}

/// The sources of a recorded case, in the order of the letta profile: legacy, user, project, local.
fn merged(world: &World, sources: &[Value]) -> portcullis_loader::Loaded {
    let layout = world.layout("letta");
    for (source, file) in sources.iter().zip(layout.files.iter().skip(1)) {
        world.write(&file.path, &json!({ "permissions": source }).to_string());
    }
    load(
        &layout,
        &world.project,
        &portcullis_loader::Judges {
            trust: &|_: &Path, _: &[u8]| false,
            saved: &world.saved,
            tracked: &|_: &Path| true,
        },
    )
}

/// Cases whose recorded answer differs on purpose, with the kind that `differences.md` describes.
const DIFFERENT: &[(&str, &str)] = &[
    ("settings-00006", "wrong types are reported"),
    ("settings-00009", "different allow rules are not merged"),
    ("settings-00016", "wrong types are reported"),
    ("settings-00017", "wrong types are reported"),
    ("settings-00021", "projects need trust to loosen"),
    ("settings-00022", "projects need trust to loosen"),
];

#[test]
fn merging_agrees_with_the_recorded_answers() {
    let mut compared = 0;
    for case in cases("upstream-settings.jsonl") {
        if case["fn"] != "mergePermissionSources" {
            continue;
        }
        compared += 1;
        let id = case["id"].as_str().unwrap();
        let world = World::new();
        let loaded = merged(&world, case["args"]["sources"].as_array().unwrap());
        let rules = &loaded.rules;
        if let Some((_, kind)) = DIFFERENT.iter().find(|(different, _)| *different == id) {
            match *kind {
                "wrong types are reported" => {
                    assert!(loaded.degraded.is_some(), "{id}");
                    assert!(rules.allow.is_empty() && rules.deny.is_empty(), "{id}");
                }
                "different allow rules are not merged" => {
                    assert_eq!(labels(&rules.allow), ["Bash(git -C /x status)", "Bash(git status)"], "{id}");
                }
                _ => {
                    let mode = rules.mode.as_ref().unwrap().0.as_str();
                    assert_eq!(case["right"]["mode"], mode, "{id}");
                    assert!(rules.allow.is_empty(), "{id}");
                }
            }
            continue;
        }
        let expect = &case["expect"];
        let list = |name: &str| -> Vec<String> {
            expect[name].as_array().unwrap().iter().map(|rule| rule.as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(labels(&rules.allow), list("allow"), "{id}");
        assert_eq!(labels(&rules.deny), list("deny"), "{id}");
        assert_eq!(labels(&rules.ask), list("ask"), "{id}");
        assert_eq!(labels(&rules.always_ask), list("alwaysAsk"), "{id}");
        assert_eq!(rules.additional_directories, list("additionalDirectories"), "{id}");
        let mode = rules.mode.as_ref().map(|(mode, _)| mode.as_str());
        assert_eq!(mode, expect.get("mode").and_then(Value::as_str), "{id}");
        assert_eq!(loaded.degraded, None, "{id}: {:?}", loaded.diagnostics);
    }
    assert_eq!(compared, 13);
    // Those of the modes are replayed where the gates are.
    let all: Vec<Value> = cases("upstream-settings.jsonl");
    let unmarked = all.iter().filter(|case| case["note"].is_null()).count();
    let differing =
        DIFFERENT.iter().filter(|(id, _)| all.iter().any(|case| case["id"] == *id && case["note"].is_null()));
    let same = unmarked - differing.count();
    let tenths = same * 1000 / unmarked;
    let row = format!(
        "| upstream-settings.jsonl | {unmarked} | {same} | {}.{} % | {} | {} |",
        tenths / 10,
        tenths % 10,
        unmarked - same,
        all.len() - unmarked
    );
    println!("{row}");
    assert!(differences().contains(&row), "conformance/differences.md has no row `{row}`");
}

#[test]
fn every_difference_is_described_with_its_number_of_cases() {
    let text = differences();
    let section = text.split("## upstream-settings.jsonl").nth(1).unwrap();
    for (_, kind) in DIFFERENT {
        let cases = DIFFERENT.iter().filter(|(_, other)| other == kind).count();
        assert!(section.contains(&format!("| {kind} | {cases} |")), "{kind}");
    }
}

/// `\xef` in a case stands for that byte.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        bytes.push(u8::from_str_radix(&rest[at + 2..at + 4], 16).unwrap());
        rest = &rest[at + 4..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

fn loaded_with(world: &World, bytes: &[u8]) -> portcullis_loader::Loaded {
    let file = world.put_in("claude", Scope::User, "");
    std::fs::write(file, bytes).unwrap();
    world.load_in("claude")
}

fn add(world: &World) -> Result<portcullis_loader::Saved, portcullis_loader::SaveError> {
    save(&world.layout("claude"), "Bash(ls)", ListKind::Allow, Scope::User, &world.saved)
}

#[test]
fn reported_faults_do_not_occur() {
    let mut seen = 0;
    for case in cases("bug-reports.jsonl") {
        if case["kind"] != "settings" {
            continue;
        }
        seen += 1;
        let world = World::new();
        let args = &case["input"]["args"];
        let text = args.get("bytes").or_else(|| args.get("text")).map(|text| bytes(text.as_str().unwrap()));
        let warned = |loaded: &portcullis_loader::Loaded| {
            loaded.diagnostics.iter().any(|found| found.severity == Severity::Warning)
        };
        match case["id"].as_str().unwrap() {
            "set-bom" => {
                let loaded = loaded_with(&world, &text.unwrap());
                assert_eq!(labels(&loaded.rules.deny), ["Read(.env)"]);
                assert!(loaded.diagnostics.is_empty());
            }
            "set-jsonc" => {
                let loaded = loaded_with(&world, &text.unwrap());
                assert_eq!(labels(&loaded.rules.deny), ["Read(.env)"]);
                let file = add(&world).unwrap().file;
                assert!(std::fs::read_to_string(file).unwrap().contains("// why"));
            }
            "set-one-bad-rule" => {
                let loaded = loaded_with(&world, &text.unwrap());
                assert_eq!(labels(&loaded.rules.deny), ["Read(.env)"]);
                assert!(labels(&loaded.rules.allow).contains(&"Bash(ls *)".to_owned()));
                assert_eq!(loaded.rules.allow[0].source.line, Some(1), "kept for the matcher to report");
            }
            "set-unknown-shape" => {
                let loaded = loaded_with(&world, &text.unwrap());
                assert!(warned(&loaded) && loaded.degraded.is_none());
            }
            "set-write-rule" => {
                let loaded = loaded_with(&world, &text.unwrap());
                assert_eq!(labels(&loaded.rules.deny), ["Write(/secrets/**)"], "honoured as it stands");
            }
            "set-stale" => {
                let file = world.put_in("claude", Scope::User, r#"{"env":{"A":"1"},"hooks":{},"model":"m"}"#);
                add(&world).unwrap();
                let after: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
                let expected =
                    json!({"env":{"A":"1"},"hooks":{},"model":"m","permissions":{"allow":["Bash(ls)"]}});
                assert_eq!(after, expected);
            }
            "set-symlink" => symlinked(&world),
            // The superuser may write read-only folders, so the folder is one in which nobody can.
            "set-readonly" => {
                let file = world.layout("claude").file(Scope::User).unwrap().to_owned();
                std::fs::write(file.parent().unwrap(), "no folder").unwrap();
                let error = add(&world).unwrap_err().to_string();
                assert!(error.contains("it was not changed"), "{error}");
            }
            "set-huge" => huge(&world),
            "set-perm-mode" => permissions(&world),
            other => panic!("the case {other} is not tested"),
        }
    }
    assert_eq!(seen, 10);
}

#[cfg(unix)]
fn symlinked(world: &World) {
    let target = world.home.join("dot/settings.json");
    world.write(&target, "{}");
    std::fs::create_dir_all(world.home.join(".claude")).unwrap();
    let link = world.home.join(".claude/settings.json");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    add(world).unwrap();
    assert!(std::fs::read_to_string(&target).unwrap().contains("Bash(ls)"));
    assert_eq!(std::fs::read_link(&link).unwrap(), target);
}

#[cfg(unix)]
fn huge(world: &World) {
    std::fs::create_dir_all(world.home.join(".claude")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", world.home.join(".claude/settings.json")).unwrap();
    let loaded = world.load_in("claude");
    assert!(loaded.degraded.is_some());
    assert!(add(world).is_err());
}

#[cfg(unix)]
fn permissions(world: &World) {
    use std::os::unix::fs::PermissionsExt as _;
    let file = world.put_in("claude", Scope::User, "{}");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    add(world).unwrap();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o640);
}

#[cfg(not(unix))]
fn symlinked(_: &World) {}
#[cfg(not(unix))]
fn huge(_: &World) {}
#[cfg(not(unix))]
fn permissions(_: &World) {}
