//! The table of settings files.
#![allow(clippy::unwrap_used, reason = "test code")]

use std::path::Path;

use portcullis_loader::{Layout, Places, Scope};

fn paths(layout: &Layout) -> Vec<(&'static str, &str)> {
    layout.files.iter().map(|file| (file.scope.as_str(), file.path.to_str().unwrap())).collect()
}

fn places(xdg: Option<&'static str>) -> Places<'static> {
    Places::new(Some(Path::new("/home/u")), xdg.map(Path::new), Path::new("/repo"))
}

#[test]
fn letta() {
    assert_eq!(
        paths(&Layout::letta(&places(None))),
        [
            ("managed", "/etc/portcullis/settings.json"),
            ("user", "/home/u/.config/letta/settings.json"),
            ("user", "/home/u/.letta/settings.json"),
            ("project", "/repo/.letta/settings.json"),
            ("local", "/repo/.letta/settings.local.json"),
        ]
    );
}

#[test]
fn the_configuration_directory_moves_the_legacy_file_only() {
    let moved = Layout::letta(&places(Some("/xdg")));
    assert_eq!(paths(&moved)[1], ("user", "/xdg/letta/settings.json"));
    assert_eq!(paths(&moved)[2], ("user", "/home/u/.letta/settings.json"));
    assert_eq!(Layout::portcullis(&places(Some("/xdg"))), Layout::portcullis(&places(None)));
}

#[test]
fn a_relative_configuration_directory_is_ignored() {
    // XDG Base Directory Specification: relative paths are invalid.
    assert_eq!(Layout::letta(&places(Some("xdg"))), Layout::letta(&places(None)));
}

#[test]
fn claude() {
    assert_eq!(
        paths(&Layout::claude(&places(None))),
        [
            ("managed", "/etc/claude-code/managed-settings.json"),
            ("user", "/home/u/.claude/settings.json"),
            ("project", "/repo/.claude/settings.json"),
            ("local", "/repo/.claude/settings.local.json"),
        ]
    );
}

#[test]
fn portcullis() {
    assert_eq!(
        paths(&Layout::portcullis(&places(None))),
        [
            ("managed", "/etc/portcullis/settings.json"),
            ("user", "/home/u/.config/portcullis/settings.json"),
            ("project", "/repo/.portcullis/settings.json"),
            ("local", "/repo/.portcullis/settings.local.json"),
        ]
    );
}

#[test]
fn without_a_home_there_are_no_user_settings() {
    let layout = Layout::letta(&Places::new(None, None, Path::new("/repo")));
    assert_eq!(layout.file(Scope::User), None);
    assert_eq!(layout.files.len(), 3);
}

#[test]
fn in_the_home_directory_the_users_file_counts_once() {
    let home = Path::new("/home/u");
    let layout = Layout::letta(&Places::new(Some(home), None, home));
    let user: Vec<_> = paths(&layout);
    assert_eq!(user.iter().filter(|(_, path)| *path == "/home/u/.letta/settings.json").count(), 1);
    assert_eq!(layout.file(Scope::Project), None);
}

#[test]
fn saving_goes_to_the_narrowest_file_of_a_scope() {
    let layout = Layout::letta(&places(None));
    assert_eq!(layout.file(Scope::User), Some(Path::new("/home/u/.letta/settings.json")));
    assert_eq!(layout.file(Scope::Session), None);
    assert_eq!(layout.file(Scope::Cli), None);
}

#[test]
fn folders_between_the_root_and_the_start() {
    let layout = Layout::letta(&places(None));
    let between = layout.between(Path::new("/repo/a/b"));
    let between: Vec<_> = between.iter().map(|file| file.path.to_str().unwrap()).collect();
    assert_eq!(
        between,
        [
            "/repo/a/.letta/settings.json",
            "/repo/a/.letta/settings.local.json",
            "/repo/a/b/.letta/settings.json",
            "/repo/a/b/.letta/settings.local.json",
        ]
    );
    assert!(layout.between(Path::new("/repo")).is_empty());
    assert!(layout.between(Path::new("/repo-x/a")).is_empty(), "a sibling is not below");
}
