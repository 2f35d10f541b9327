//! What needs trust: every row of the table, and what is left out.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::os::unix::fs::symlink;

use common::World;
use portcullis_paths::OsResolver;
use portcullis_trust::{Project, SavedFiles, WholeFiles, inventory};

fn row(kind: &str, path: &str, files: usize) -> (String, String, usize) {
    (kind.to_owned(), path.to_owned(), files)
}

#[test]
fn every_row_is_found_with_its_kind_path_and_count() {
    let world = World::new();
    world.git("work/app", &["init", "--quiet"]);
    assert_eq!(world.names(), [], "an empty repository needs no trust");
    world.put(".letta/settings.json", "x");
    world.put(".letta/settings.local.json", "x");
    world.put(".ink/settings.json", "x");
    world.put(".gemini/settings.json", "another host's own");
    for folder in [".ink", ".letta", ".claude", ".codex", ".gemini"] {
        for name in ["extensions", "agents", "commands", "skills"] {
            world.put(&format!("{folder}/{name}/one/a.md"), "a");
            world.put(&format!("{folder}/{name}/b"), "b");
        }
        world.put(&format!("{folder}/SYSTEM.md"), "s");
        world.put(&format!("{folder}/APPEND_SYSTEM.md"), "s");
    }
    world.put(".agents/skills/x/SKILL.md", "s");
    world.put(".mcp.json", r#"{"mcpServers":{"x":{"command":"touch"},"y":{}}}"#);
    world.put("mcp.json", "{}");
    world.git("work/app", &["config", "core.fsmonitor", "./watch"]);
    world.git("work/app", &["config", "alias.x", "!y"]);
    // Not gated: text that influences, and nothing else.
    for name in ["AGENTS.md", "CLAUDE.md", ".letta/notes.md", ".agents/notes.md", ".claude/settings.json"] {
        world.put(name, "x");
    }

    let names = world.names();
    let mut expected = vec![
        row("settings", "work/app/.letta/settings.json", 1),
        row("settings", "work/app/.letta/settings.local.json", 1),
        row("settings", "work/app/.ink/settings.json", 1),
        row("git-config", "work/app/.git/config", 1),
    ];
    for name in ["extensions", "agents", "commands", "skills"] {
        for folder in [".ink", ".letta", ".claude", ".codex", ".gemini"] {
            expected.push(row(name, &format!("work/app/{folder}/{name}"), 2));
        }
    }
    for folder in [".ink", ".letta", ".claude", ".codex", ".gemini"] {
        expected.push(row("system-instructions", &format!("work/app/{folder}/SYSTEM.md"), 1));
        expected.push(row("system-instructions", &format!("work/app/{folder}/APPEND_SYSTEM.md"), 1));
    }
    expected.push(row("shared-skills", "work/app/.agents/skills", 1));
    expected.push(row("mcp-servers", "work/app/.mcp.json", 1));
    expected.push(row("mcp-servers", "work/app/mcp.json", 1));
    assert_eq!(names, expected);

    let found = world.inventory();
    let details =
        |path: &str| found.resources.iter().find(|one| one.path.ends_with(path)).unwrap().details.join(", ");
    assert_eq!(details(".git/config"), "core.fsmonitor = ./watch, alias.x = !y");
    assert_eq!(details(".mcp.json"), "x, y");
    assert_eq!(details(".letta/settings.json"), "allow Bash(*)");
}

#[test]
fn the_profile_adds_its_own_settings() {
    let world = World::new();
    world.put(".claude/settings.json", "x");
    world.put(".claude/settings.local.json", "x");
    let saved = SavedFiles::default();
    let claude = Project { settings_folder: ".claude", ..world.project(&world.root, &saved) };
    assert_eq!(inventory(&claude).resources.len(), 2);
    assert!(world.inventory().is_empty());
}

#[test]
fn what_only_tightens_and_what_is_not_there_needs_no_trust() {
    let world = World::new();
    world.put(".letta/settings.json", "tighten");
    std::fs::create_dir_all(world.base.join("work/app/.letta/skills/empty/deeper")).unwrap();
    symlink("/no/where", world.base.join("work/app/.letta/SYSTEM.md")).unwrap();
    world.put(".letta/commands", "a file where a directory would be");
    assert_eq!(world.names(), []);
}

#[test]
fn submodules_and_worktrees_have_configuration_too() {
    let world = World::new();
    world.git("work", &["init", "--quiet", "part"]);
    world.git("work/part", &["commit", "--quiet", "--allow-empty", "-m", "x"]);
    world.git("work/app", &["init", "--quiet"]);
    world.git("work/app", &["submodule", "--quiet", "add", "../part"]);
    world.git("work/app", &["commit", "--quiet", "-m", "x"]);
    assert_eq!(world.names(), []);
    world.git("work/app/part", &["config", "diff.external", "./evil"]);
    assert_eq!(world.names(), [row("git-config", "work/app/.git/modules/part/config", 1)]);

    world.git("work/app", &["config", "extensions.worktreeConfig", "true"]);
    world.git("work/app", &["worktree", "add", "--quiet", "../tree"]);
    world.git("work/tree", &["config", "--worktree", "core.fsmonitor", "./evil"]);
    let root = world.path("work/tree");
    let found = inventory(&world.project(&root, &SavedFiles::default()));
    let paths: Vec<_> = found.resources.iter().map(|one| one.path.clone()).collect();
    assert_eq!(paths, [world.path("work/app/.git/worktrees/tree/config.worktree")]);
}

#[test]
fn shared_skills_are_looked_for_up_to_the_top_of_the_repository() {
    let world = World::new();
    world.git("work", &["init", "--quiet"]);
    world.write(".agents/skills/outside/SKILL.md", "s");
    world.write("work/.agents/skills/a/SKILL.md", "s");
    world.put(".agents/skills/b/SKILL.md", "s");
    let expected =
        [row("shared-skills", "work/app/.agents/skills", 1), row("shared-skills", "work/.agents/skills", 1)];
    assert_eq!(world.names(), expected);
}

#[test]
fn the_users_own_installation_is_brought_by_nobody() {
    let world = World::new();
    world.git("home", &["init", "--quiet"]);
    world.git("home", &["config", "alias.x", "!y"]);
    for name in [".letta/settings.json", ".agents/skills/a/SKILL.md", ".letta/skills/a", ".mcp.json"] {
        world.write(&format!("home/{name}"), "x");
    }
    let saved = SavedFiles::default();
    assert!(inventory(&world.project(&world.home, &saved)).is_empty());
    // By another spelling, too.
    symlink(&world.home, world.base.join("alias")).unwrap();
    let alias = world.path("alias");
    assert!(inventory(&world.project(&alias, &saved)).is_empty());
    // A directory in it is a project: only what is in it counts.
    world.write("home/app/.mcp.json", "{}");
    let root = world.path("home/app");
    let found = inventory(&world.project(&root, &saved));
    assert_eq!(
        found.resources.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(),
        [format!("{root}/.mcp.json")]
    );
}

#[test]
fn a_link_brings_what_it_leads_to() {
    let world = World::new();
    world.write("elsewhere/settings.json", "x");
    world.write("elsewhere/skills/a/SKILL.md", "one");
    symlink(world.path("elsewhere"), world.base.join("work/app/.letta")).unwrap();
    let expected =
        [row("settings", "work/app/.letta/settings.json", 1), row("skills", "work/app/.letta/skills", 1)];
    assert_eq!(world.names(), expected);
    // What is behind a link inside is counted and compared as well, and a link in a circle ends.
    let before = world.inventory().fingerprint();
    world.write("elsewhere/more/b.md", "two");
    symlink(world.path("elsewhere/more"), world.base.join("elsewhere/skills/more")).unwrap();
    symlink("..", world.base.join("elsewhere/skills/a/up")).unwrap();
    assert_eq!(world.names()[1], row("skills", "work/app/.letta/skills", 2));
    let with_link = world.inventory().fingerprint();
    assert_eq!(before.changes(&with_link).len(), 1);
    world.write("elsewhere/more/b.md", "three");
    assert_eq!(with_link.changes(&world.inventory().fingerprint()).len(), 1);
}

#[test]
fn what_cannot_be_read_whole_never_looks_the_same() {
    let world = World::new();
    let pipe = |name: &str| {
        let path = world.base.join("work/app").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    pipe(".letta/settings.json");
    pipe(".letta/SYSTEM.md");
    pipe(".letta/skills/a");
    let expected = [
        row("settings", "work/app/.letta/settings.json", 1),
        row("skills", "work/app/.letta/skills", 1),
        row("system-instructions", "work/app/.letta/SYSTEM.md", 1),
    ];
    assert_eq!(world.names(), expected);
    let now = world.inventory().fingerprint();
    assert_eq!(now.changes(&now).len(), 3);
}

#[test]
fn every_change_of_what_loosens_is_seen_and_no_other() {
    let world = World::new();
    world.git("work/app", &["init", "--quiet"]);
    world.git("work/app", &["config", "core.pager", "less"]);
    world.put(".letta/settings.json", "x");
    world.put(".letta/skills/a/SKILL.md", "one");
    world.put(".mcp.json", "{}");
    let before = world.inventory().fingerprint();
    let changed = |what: &str| {
        let changes = before.changes(&world.inventory().fingerprint());
        let names: Vec<_> = changes.iter().filter_map(|change| change.name.as_deref()).collect();
        assert_eq!(names.concat(), what);
    };
    // git's configuration changes all the time; what it runs does not.
    world.git("work/app", &["config", "user.name", "$(touch o)"]);
    world.git("work/app", &["remote", "add", "origin", "/elsewhere"]);
    world.put("AGENTS.md", "x");
    changed("");
    world.git("work/app", &["config", "core.pager", "more"]);
    changed(".git/config");
    world.git("work/app", &["config", "core.pager", "less"]);
    changed("");
    for (file, text) in [
        (".letta/settings.json", "y"),
        (".letta/skills/a/SKILL.md", "two"),
        (".letta/skills/b", ""),
        (".mcp.json", "{ }"),
    ] {
        let path = world.base.join("work/app").join(file);
        let old = std::fs::read_to_string(&path).ok();
        world.put(file, text);
        changed(if file.contains("skills") { ".letta/skills" } else { file });
        match old {
            Some(old) => drop(world.put(file, &old)),
            None => std::fs::remove_file(path).unwrap(),
        }
        changed("");
    }
    // The same bytes under another name are another thing.
    std::fs::rename(world.base.join("work/app/.letta/skills/a"), world.base.join("work/app/.letta/skills/c"))
        .unwrap();
    changed(".letta/skills");
}

#[test]
fn a_file_counts_whole_for_who_knows_no_settings() {
    let world = World::new();
    let path = world.put(".letta/settings.json", " \n");
    let saved = SavedFiles::default();
    let project = Project { settings: &WholeFiles, ..world.project(&world.root, &saved) };
    assert!(inventory(&project).is_empty());
    std::fs::write(path, "{}").unwrap();
    assert_eq!(inventory(&project).resources.len(), 1);
    assert!(!portcullis_trust::is_tracked(&OsResolver, &world.root));
}
