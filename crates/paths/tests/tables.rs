//! What the built-in tables hold, and what settings do to them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "test code")]

use portcullis_paths::{SensitivePaths, Table};

fn standard() -> SensitivePaths {
    SensitivePaths::standard(Some("/home/u"))
}

fn check(table: Table, inside: &[&str], outside: &[&str]) {
    let paths = standard();
    for path in inside {
        assert!(paths.contains(table, path), "{path} belongs to {table:?}");
    }
    for path in outside {
        assert!(!paths.contains(table, path), "{path} does not belong to {table:?}");
    }
}

#[test]
fn secrets() {
    check(
        Table::Secret,
        &[
            "/work/.env",
            "/.env",
            "/work/.env.local",
            "/work/.env.example.local",
            "/work/a/b/server.pem",
            "/work/TLS.KEY",
            "/work/.ENV",
            "/work/id_rsa",
            "/home/u/.ssh",
            "/home/u/.ssh/id_ed25519",
            "/home/u/.ssh/config.d/x",
            "/home/u/.aws/credentials",
            "/home/u/.gnupg/private-keys-v1.d/x",
            "/home/u/.netrc",
            "/home/u/.config/gh/hosts.yml",
            "/home/u/.kube/config",
            "/home/u/.docker/config.json",
            "/etc/shadow",
            "/etc/gshadow",
            "/proc/1/environ",
            "/proc/self/environ",
            "/proc/1/task/7/environ",
            "/home/u/.mozilla/firefox/x.default/logins.json",
            "/home/u/Library/Application Support/Google/Chrome/Default/Cookies",
        ],
        &[
            "/work/.env.example",
            "/work/.env.sample",
            "/work/.env.template",
            "/work/.environment",
            "/work/env",
            "/work/a.env",
            "/work/.env/lib/site.py",
            "/work/pem",
            "/work/.pem/x",
            "/work/key.rs",
            "/home/u/.ssh/id_ed25519.pub",
            "/home/u/.ssh/known_hosts",
            "/home/u/.sshx/config",
            "/home/v/.ssh/config",
            "/work/.kube/config",
            "/etc/shadow.d",
            "/work/etc/shadow",
            "/proc/environ",
            "/proc/1/status",
            "/",
            "/home/u",
        ],
    );
}

#[test]
fn protected() {
    check(
        Table::Protected,
        &[
            "/work/.git",
            "/work/.git/config",
            "/work/.git/hooks/pre-commit",
            "/work/.git/info/exclude",
            "/work/sub/.git/hooks/x",
            "/work/.git/modules/m/hooks/x",
            "/work/.git/modules/objects/config",
            "/work/.git/objects/info/alternates",
            "/work/.git/worktrees/w/config.worktree",
            "/work/.git/worktrees/w/gitdir",
            "/work/.GIT/hooks/x",
            "/work/.g\u{200c}it/hooks/x",
            "/home/u/.gitconfig",
            "/home/u/.config/git/config",
            "/home/u/.ssh/authorized_keys",
            "/home/u/.ssh/x.pub",
            "/home/u/.config/systemd/user/x.service",
            "/etc/crontab",
            "/etc/cron.d/x",
            "/var/spool/cron/crontabs/u",
            "/work/.vscode/tasks.json",
            "/work/.idea",
            "/work/.husky/pre-commit",
            "/work/.cargo/config.toml",
            "/work/.cargo/bin/x",
            "/work/.devcontainer/devcontainer.json",
            "/work/.yarn/releases/x.cjs",
            "/work/.mvn/wrapper/x",
            "/work/.claude/settings.json",
            "/work/.letta/settings.local.json",
            "/work/.codex/config.toml",
            "/work/.gemini/settings.json",
            "/work/.portcullis/settings.json",
            "/home/u/.bashrc",
            "/work/.zshenv",
            "/work/.envrc",
            "/work/.npmrc",
            "/work/.mcp.json",
            "/work/lefthook.yml",
            "/work/gradle/wrapper/gradle-wrapper.properties",
            "/work/.pre-commit-config.yaml",
            "/work/.gitmodules",
        ],
        &[
            "/work/.git/index",
            "/work/.git/HEAD",
            "/work/.git/ORIG_HEAD",
            "/work/.git/FETCH_HEAD",
            "/work/.git/COMMIT_EDITMSG",
            "/work/.git/packed-refs",
            "/work/.git/refs/heads/main",
            "/work/.git/objects/ab/cdef",
            "/work/.git/logs/HEAD",
            "/work/.git/worktrees/w/index",
            "/work/.git/worktrees/w/logs/HEAD",
            "/work/.claude/worktrees/w/src/a.rs",
            "/work/.gitignore",
            "/work/.github/workflows/ci.yml",
            "/work/src/git/config",
            "/work/bashrc",
            "/work/Cargo.toml",
        ],
    );
}

#[test]
fn read_only_in_a_workspace_leaves_git_working() {
    check(
        Table::ReadOnly,
        &[
            "/w/.git/hooks/x",
            "/w/.git/config",
            "/w/.git/info/attributes",
            "/w/n/.git/config.worktree",
            "/w/.git/modules/a/b/hooks/pre-commit",
            "/w/.claude/agents/x.md",
            "/w/.cargo/config.toml",
        ],
        &[
            "/w/.git/index",
            "/w/.git/info/exclude",
            "/w/.git/config.lock",
            "/w/.git/objects/ab/c",
            "/w/.cargo/bin/x",
        ],
    );
}

#[test]
fn every_row_is_compiled() {
    for table in [Table::Secret, Table::Protected, Table::ReadOnly] {
        let paths = standard();
        for glob in paths.globs(table) {
            let example = glob.trim_end_matches("/**").replace('*', "x");
            let example = if example.starts_with('/') { example } else { format!("/w/{example}") };
            assert!(paths.contains(table, &example), "{glob} as {example}");
        }
    }
}

#[test]
fn without_a_home_its_rows_stand_anywhere() {
    let paths = SensitivePaths::standard(None);
    assert!(paths.contains(Table::Secret, "/home/someone/.ssh/id_work"));
    assert!(!paths.contains(Table::Secret, "/home/someone/.ssh/known_hosts"));
}

#[test]
fn a_home_on_windows_and_one_with_glob_characters() {
    let windows = SensitivePaths::standard(Some(r"C:\Users\U"));
    assert!(windows.contains(Table::Secret, "C:/Users/u/.ssh/id"));
    assert!(!windows.contains(Table::Secret, "D:/Users/u/.ssh/id"));
    let odd = SensitivePaths::standard(Some("/home/[u]*"));
    assert!(odd.contains(Table::Secret, "/home/[u]*/.ssh/id"));
    assert!(!odd.contains(Table::Secret, "/home/u/.ssh/id"));
}

#[test]
fn settings_add_and_remove() {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let paths = standard()
        .adjust(
            Table::Secret,
            &words(&["vault", "*.tok", "conf/*/token", "/srv/s*/k"]),
            &words(&["*.pem", "~/.aws/**"]),
        )
        .unwrap();
    for path in ["/w/vault", "/w/vault/a/b", "/w/a.tok", "/w/conf/a/token", "/srv/sx/k", "/w/.env"] {
        assert!(paths.contains(Table::Secret, path), "{path}");
    }
    for path in ["/w/a.pem", "/home/u/.aws/credentials", "/w/conf/a/b/token", "/srv/x/k"] {
        assert!(!paths.contains(Table::Secret, path), "{path}");
    }
    assert!(paths.contains(Table::Protected, "/w/.git/config"), "the other tables are as they were");
    let error = standard().adjust(Table::Secret, &words(&["a[b"]), &[]).unwrap_err();
    assert_eq!(error.glob, "a[b");
}

#[test]
fn places_without_secrets() {
    let paths = standard();
    assert!(paths.may_hold(Table::Secret, "/work"));
    assert!(paths.may_hold(Table::Secret, "/"));
    assert!(!paths.may_hold(Table::Secret, "/usr/include/linux"));
    assert!(!paths.may_hold(Table::Secret, "/work/.git/refs"));
    assert!(paths.may_hold(Table::Protected, "/usr/include"));
    let more = paths.adjust(Table::Secret, &["/usr/include/key.h".to_owned()], &[]).unwrap();
    assert!(more.may_hold(Table::Secret, "/usr/include"));
}
