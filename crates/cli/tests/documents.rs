//! Every ```` ```console ```` block of the user documentation is run with the real binary in a throw-away
//! project, and what it prints is compared with what the page shows.
//!
//! A block is one shell session. `$ ` starts a command, the lines behind it are its output, standard error
//! included. In expected lines `[..]` stands for any text within the line; a line `...` for any lines.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use portcullis_loader::{Judges, Layout, NothingSaved, Places, load};
use portcullis_matcher::{Anchors, Conventions, RuleSet};

const BINARY: &str = env!("CARGO_BIN_EXE_portcullis");
const MARK: &str = "@@end-of-command@@";

#[test]
fn the_readme_shows_what_really_happens() {
    let text = fs::read_to_string(workspace().join("README.md")).unwrap();
    assert!(text.contains("cargo run --release -- run -- git status"), "the main job's command is missing");
    assert!(text.contains("cargo xtask test"), "the test command is missing");
    let blocks = check("README.md", &text);
    assert!(blocks >= 3, "only {blocks} console blocks: is the fence still ```console?");
}

#[test]
fn the_user_documentation_shows_what_really_happens() {
    let mut pages: Vec<PathBuf> = fs::read_dir(workspace().join("docs"))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    let blocks: usize = pages
        .iter()
        .map(|page| check(&page.file_name().unwrap().to_string_lossy(), &fs::read_to_string(page).unwrap()))
        .sum();
    assert!(pages.is_empty() || blocks > 0, "no console block in any page of docs/");
}

#[test]
fn the_settings_page_shows_what_really_happens() {
    let blocks = check("SETTINGS.md", &settings_page());
    assert!(blocks >= 1, "no console block: is the fence still ```console?");
}

/// The example uses every key that is read, none of them wrongly: a key that is new is missing there.
#[test]
fn the_example_of_the_settings_page_has_every_key_and_no_mistake() {
    let page = settings_page();
    let mut fences = page.split("```jsonc\n").skip(1);
    let example = fences.next().and_then(|rest| rest.split("```").next()).expect("a block ```jsonc");
    assert!(fences.next().is_none(), "a second example is tested by nobody");
    let folder = tempfile::tempdir().unwrap();
    let (home, root) = (folder.path().join("home"), folder.path().join("app"));
    for directory in [&home.join("shared"), &root, &folder.path().join("etc/portcullis")] {
        fs::create_dir_all(directory).unwrap();
    }
    fs::write(folder.path().join("etc/portcullis/settings.json"), example).unwrap();
    let places = Places { system: folder.path(), ..Places::new(Some(&home), None, &root) };
    let judges =
        Judges { trust: &|_: &Path, _: &[u8]| false, saved: &NothingSaved, tracked: &|_: &Path| true };
    let loaded = load(&Layout::letta(&places), &root, &judges);
    assert_eq!(loaded.diagnostics, []);

    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let anchors = Anchors {
        project_root: text(&root),
        start_directory: text(&root),
        home: Some(text(&home)),
        user_settings: Some(text(&home.join(".letta"))),
    };
    for conventions in [Conventions::letta(), Conventions::claude(), Conventions::portcullis()] {
        let rules = RuleSet::compile(Arc::new(loaded.rules.clone()), &anchors, &conventions);
        assert_eq!((rules.errors(), rules.notes()), (&[][..], &[][..]));
        assert!(!rules.rules().deny.is_empty() && !rules.rules().always_ask.is_empty());
        assert!(!rules.rules().ask.is_empty() && !rules.rules().allow.is_empty());
    }
    assert!(loaded.rules.mode.is_some() && !loaded.rules.additional_directories.is_empty());

    let mut unset = Vec::new();
    find_unset("", &serde_json::to_value(&loaded.settings).unwrap(), &mut unset);
    // A key of the claude dialect alone.
    assert_eq!(unset, ["/unrestricted_disabled"], "keys that the example does not show");
}

fn settings_page() -> String {
    fs::read_to_string(workspace().join("SETTINGS.md")).unwrap()
}

/// Values that no setting gave: null, and empty lists; what stands in a setting itself is not looked into.
fn find_unset(at: &str, value: &serde_json::Value, unset: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) if !fields.contains_key("source") => {
            for (name, field) in fields {
                find_unset(&format!("{at}/{name}"), field, unset);
            }
        }
        serde_json::Value::Null => unset.push(at.to_owned()),
        serde_json::Value::Array(values) if values.is_empty() => unset.push(at.to_owned()),
        _ => {}
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// Runs every block of a page, in order, in one project; returns how many there were.
fn check(name: &str, page: &str) -> usize {
    let project = Project::new();
    let blocks = console_blocks(page);
    for (line, block) in &blocks {
        let expected = parse(block);
        let outputs = project.run(&expected.iter().map(|(command, _)| command.as_str()).collect::<Vec<_>>());
        for ((command, lines), output) in expected.iter().zip(&outputs) {
            let actual: Vec<&str> = output.lines().map(str::trim_end).collect();
            let wanted: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
            assert!(
                lines_match(&wanted, &actual),
                "{name}, block at line {line}: `{command}`\n--- the page shows\n{}\n--- it printed\n{}\n",
                wanted.join("\n"),
                actual.join("\n")
            );
        }
        assert_eq!(expected.len(), outputs.len(), "{name}, block at line {line}: not every command ended");
    }
    blocks.len()
}

/// The bodies of the console blocks, with the line at which each starts.
fn console_blocks(page: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, Vec<&str>)> = None;
    for (number, line) in page.lines().enumerate() {
        match &mut open {
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some((_, lines)) => lines.push(line),
            None if line == "```console" => open = Some((number + 1, Vec::new())),
            None => {}
        }
    }
    blocks
}

/// Commands with the lines that they are said to print; `> ` continues a command.
fn parse(block: &[&str]) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in block {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command.replace("cargo run --release -- ", "portcullis "), Vec::new()));
        } else if let (Some(more), Some((command, output))) = (line.strip_prefix("> "), commands.last_mut())
            && output.is_empty()
        {
            command.push('\n');
            command.push_str(more);
        } else if let Some((_, output)) = commands.last_mut() {
            output.push((*line).to_owned());
        }
    }
    commands
}

/// Whether the printed lines are the shown ones.
fn lines_match(wanted: &[&str], actual: &[&str]) -> bool {
    match wanted.split_first() {
        None => actual.is_empty(),
        Some((&"...", rest)) => (0..=actual.len()).any(|skipped| lines_match(rest, &actual[skipped..])),
        Some((line, rest)) => match actual.split_first() {
            Some((printed, others)) => line_matches(line, printed) && lines_match(rest, others),
            None => false,
        },
    }
}

fn line_matches(wanted: &str, actual: &str) -> bool {
    let mut parts = wanted.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = actual.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A small project in a folder of its own, with a home of its own.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        let app = project.folder.path().join("app");
        for folder in ["src", "build", "../home", "../state", "../runtime"] {
            fs::create_dir_all(app.join(folder)).unwrap();
        }
        fs::write(app.join("src/main.rs"), "fn main() {\n    println!(\"hello\");\n}\n").unwrap();
        fs::write(app.join("notes.txt"), "one\ntwo\nthree\n").unwrap();
        fs::write(app.join("build/output.o"), "x\n").unwrap();
        fs::write(app.join(".gitignore"), "/build\n").unwrap();
        project.run(&[
            "git init -q -b main .",
            "git config user.name Dev",
            "git config user.email dev@example.org",
            "git add . && git commit -q -m 'Start'",
        ]);
        project
    }

    /// Runs commands in one shell; the output of each.
    fn run(&self, commands: &[&str]) -> Vec<String> {
        let mut script = String::new();
        for command in commands {
            script.push_str(&format!("{command}\nstatus=$?; echo; echo '{MARK}'; (exit $status)\n"));
        }
        let root = self.folder.path();
        let bin = Path::new(BINARY).parent().unwrap();
        let output = Command::new("bash")
            .args(["-c", &format!("exec 2>&1\n{script}")])
            .current_dir(root.join("app"))
            .env_clear()
            .env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()))
            .env("HOME", root.join("home"))
            .env("XDG_STATE_HOME", root.join("state"))
            .env("XDG_RUNTIME_DIR", root.join("runtime"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LANG", "C.UTF-8")
            .env("COLUMNS", "80")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut outputs: Vec<String> = text.split(&format!("\n{MARK}\n")).map(str::to_owned).collect();
        outputs.pop();
        outputs
    }
}

#[test]
fn wildcards_match_within_lines_and_across_them() {
    assert!(line_matches("a [..] c", "a b c") && line_matches("[..]", "") && !line_matches("a", "ab"));
    assert!(lines_match(&["a", "...", "z"], &["a", "b", "c", "z"]));
    assert!(!lines_match(&["a", "...", "z"], &["a", "b"]));
    assert!(!lines_match(&["a"], &["a", "b"]));
}
