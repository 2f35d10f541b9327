//! Which entry decides about a directory.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::os::unix::fs::symlink;

use common::World;
use portcullis_paths::OsResolver;
use portcullis_trust::{Via, key};
use proptest::prelude::*;

impl World {
    fn record(&self, relative: &str, trusted: bool) {
        self.store.set(&key(&OsResolver, &self.path(relative)), trusted).unwrap();
    }

    /// The key below the base, what it says and how it applies.
    fn find(&self, relative: &str, inherit: bool) -> Option<(String, bool, Via)> {
        let entries = self.store.read().unwrap();
        let found = entries.find(&OsResolver, &key(&OsResolver, &self.path(relative)), inherit)?;
        let key = found.key.strip_prefix(self.base.to_str().unwrap()).unwrap().trim_start_matches('/');
        Some((key.to_owned(), found.entry.trusted, found.via))
    }
}

fn found(key: &str, trusted: bool, via: Via) -> Option<(String, bool, Via)> {
    Some((key.to_owned(), trusted, via))
}

#[test]
fn the_first_recorded_directory_upwards_decides_either_way() {
    let world = World::new();
    std::fs::create_dir_all(world.base.join("team/unreviewed/demo/src")).unwrap();
    std::fs::create_dir_all(world.base.join("team/reviewed")).unwrap();
    std::fs::create_dir_all(world.base.join("teams")).unwrap();
    assert_eq!(world.find("team", false), None);
    world.record("team", true);
    world.record("team/unreviewed", false);
    assert_eq!(world.find("team/unreviewed/demo", false), found("team/unreviewed", false, Via::Ancestor));
    assert_eq!(world.find("team/unreviewed", false), found("team/unreviewed", false, Via::Own));
    assert_eq!(world.find("team/reviewed", false), found("team", true, Via::Ancestor));
    assert_eq!(world.find("teams", false), None, "a sibling with the same beginning");
    world.record("team/unreviewed/demo", true);
    assert_eq!(
        world.find("team/unreviewed/demo/src", false),
        found("team/unreviewed/demo", true, Via::Ancestor)
    );
}

#[test]
fn a_repository_inherits_nothing_from_outside_unless_told_to() {
    let world = World::new();
    world.git("work", &["init", "--quiet"]);
    std::fs::create_dir_all(world.base.join("work/vendor/clone/src")).unwrap();
    world.git("work/vendor/clone", &["init", "--quiet"]);
    world.record("work", true);
    assert_eq!(world.find("work/vendor", false), found("work", true, Via::Ancestor));
    assert_eq!(world.find("work/vendor/clone", false), None);
    assert_eq!(world.find("work/vendor/clone/src", false), None);
    assert_eq!(world.find("work/vendor/clone/src", true), found("work", true, Via::Ancestor));
    world.record("work/vendor/clone", true);
    assert_eq!(world.find("work/vendor/clone/src", false), found("work/vendor/clone", true, Via::Ancestor));
    // A repository without `.git` is one, too, and a `.git` that is a file or leads nowhere makes one.
    for (directory, file) in [("work/bare", "HEAD"), ("work/file", ".git")] {
        world.write(&format!("{directory}/{file}"), "gitdir: /no/where\n");
        std::fs::create_dir_all(world.base.join(directory).join("objects")).unwrap();
        std::fs::create_dir_all(world.base.join(directory).join("refs")).unwrap();
        assert_eq!(world.find(directory, false), None, "{directory}");
    }
}

#[test]
fn a_worktree_shares_the_entry_of_a_repository_that_names_it() {
    let world = World::new();
    world.git("work/app", &["init", "--quiet"]);
    world.git("work/app", &["commit", "--quiet", "--allow-empty", "-m", "x"]);
    world.git("work/app", &["worktree", "add", "--quiet", "../tree"]);
    std::fs::create_dir_all(world.base.join("work/tree/src")).unwrap();
    world.record("work/app", true);
    assert_eq!(world.find("work/tree", false), found("work/app", true, Via::Worktree));
    assert_eq!(world.find("work/tree/src", false), found("work/app", true, Via::Worktree));
    world.record("work/tree", false);
    assert_eq!(world.find("work/tree", false), found("work/tree", false, Via::Own));
    world.store.forget(&world.path("work/tree")).unwrap();

    // A worktree of a bare repository.
    world.git("work", &["clone", "--quiet", "--bare", "app", "bare.git"]);
    world.git("work/bare.git", &["worktree", "add", "--quiet", "../second"]);
    world.record("work/bare.git", true);
    assert_eq!(world.find("work/second", false), found("work/bare.git", true, Via::Worktree));

    // One that was moved without git's knowledge, and forged ones.
    std::fs::rename(world.base.join("work/tree"), world.base.join("work/moved")).unwrap();
    assert_eq!(world.find("work/moved", false), None);
    let tree = world.path("work/app/.git/worktrees/tree");
    world.write("work/forged/.git", &format!("gitdir: {tree}\n"));
    assert_eq!(world.find("work/forged", false), None, "the back-pointer names another one");
    world.write("work/direct/.git", &format!("gitdir: {}\n", world.path("work/app/.git")));
    assert_eq!(world.find("work/direct", false), None, "it is no worktree at all");
    // Everything that the forger can write himself.
    world.write("work/own/.git", &format!("gitdir: {}\n", world.path("work/own/git/worktrees/x")));
    world.write("work/own/git/worktrees/x/commondir", &format!("{}\n", world.path("work/app/.git")));
    world.write("work/own/git/worktrees/x/gitdir", &format!("{}\n", world.path("work/own/.git")));
    assert_eq!(world.find("work/own", false), None, "the main repository does not have it");
    // Through a link that looks as if it lay in the main repository.
    world.write("work/deep/.git", &format!("gitdir: {tree}/../../../../deep/git\n"));
    world.write("work/deep/git/commondir", &format!("{}\n", world.path("work/app/.git")));
    world.write("work/deep/git/gitdir", &format!("{}\n", world.path("work/deep/.git")));
    assert_eq!(world.find("work/deep", false), None);
}

#[test]
fn directories_are_known_by_their_real_paths_and_gone_ones_by_their_spelling() {
    let world = World::new();
    symlink(world.path("work/app"), world.base.join("alias")).unwrap();
    assert_eq!(key(&OsResolver, &world.path("alias")), world.root);
    assert_eq!(key(&OsResolver, &world.path("work/../alias/.")), world.root);
    world.record("alias", true);
    assert_eq!(world.find("work/app", false), found("work/app", true, Via::Own));
    std::fs::remove_dir(world.base.join("work/app")).unwrap();
    assert_eq!(world.find("work/app", false), found("work/app", true, Via::Own));
    assert_eq!(key(&OsResolver, &world.path("alias")), world.path("alias"), "it leads nowhere now");
    assert_eq!(key(&OsResolver, "/gone//x/"), "/gone/x");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Without repositories the decision is that of the longest recorded prefix, by components.
    #[test]
    fn the_nearest_recorded_directory_is_the_longest_prefix(
        recorded in prop::collection::btree_map("(/[ab]{1,2}){1,4}", any::<bool>(), 0..8),
        asked in "(/[ab]{1,2}){1,5}",
    ) {
        let text = serde_json::to_string(&recorded).unwrap();
        let entries: portcullis_trust::Entries = serde_json::from_str(&text).unwrap();
        let naive = recorded
            .iter()
            .filter(|(key, _)| asked == **key || asked.starts_with(&format!("{key}/")))
            .max_by_key(|(key, _)| key.len())
            .map(|(key, trusted)| (key.as_str(), *trusted));
        let resolver = portcullis_paths::NoResolver;
        let found = entries.find(&resolver, &asked, false).map(|found| (found.key, found.entry.trusted));
        prop_assert_eq!(found, naive);
    }
}
