//! The reader of git's configuration against git itself, and the table of settings that run programs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

use std::{fs, path::Path, process::Command};

use portcullis_paths::{OsResolver, find_repository, names_program, read_git_config};
use proptest::prelude::*;

/// What git reads: keys with their values, or `None` when it refuses the file. `None` when git is missing
/// would hide everything, so that is a failure.
fn git_reads(directory: &Path, text: &[u8]) -> Option<Vec<(String, Option<String>)>> {
    let file = directory.join("config");
    fs::write(&file, text).unwrap();
    let output = Command::new("git")
        .args(["config", "--no-includes", "--list", "-z", "-f"])
        .arg(&file)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", directory)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(directory)
        .output()
        .expect("git is installed");
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8(output.stdout).unwrap();
    let entries = text.split_terminator('\0').map(|entry| match entry.split_once('\n') {
        Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
        None => (entry.to_owned(), None),
    });
    Some(entries.collect())
}

/// Whatever is read here, git reads the same; what git refuses, is refused here.
fn compare(directory: &Path, text: &[u8]) -> Result<bool, TestCaseError> {
    let Ok(ours) = read_git_config(text) else { return Ok(false) };
    let ours: Vec<_> = ours.into_iter().map(|setting| (setting.key(), setting.value)).collect();
    prop_assert_eq!(Some(ours), git_reads(directory, text), "{}", String::from_utf8_lossy(text));
    Ok(true)
}

#[test]
fn handwritten_files_are_read_as_git_reads_them() {
    let directory = tempfile::tempdir().unwrap();
    let readable = [
        "",
        "# only\n; comments",
        "[core]\n\tbare = false\n\trepositoryformatversion = 0\n",
        "[CoRe] BaRe\n",
        "[remote \"O\\\"r\\\\i\\gin\"]\n\tUrl = a#b\n",
        "[a.B.c]\nd=1\n",
        "[a.B \"C\"]\nd=1\n",
        "[a]b=1\n[a]c=2",
        "[a]\nb = \"x ; y\" # z\n",
        "[a]\nb = one \\\n   two\\\n",
        "[a]\nb = one\\\n[c]\nd=1\n",
        "[a]\nb =   \t x\ty \t \n",
        "[a]\nb = \"x \" \n",
        "[a]\nb = \\t\\n\\b\\\"\\\\\n",
        "[a]\r\nb = c\r\nd\r\n",
        "[a]\nb = c\rd\r\n",
        "\u{feff}[a]\nb=c\n",
        "[a]\nb=\n",
        "[a]\nb = \"\"\n",
        "[a]\nb = é\n",
        "[a]\nb-c1 = 2\n",
        "[a]\nb = x\"y\"z\n",
        "[a]   b=c\n",
        "[a \t \"b\"]c=d\n",
        "[a \"\"]\nc=d\n",
        "[a]\nb = c \\\n\n[d]\ne\n",
    ];
    for text in readable {
        assert!(compare(directory.path(), text.as_bytes()).unwrap(), "{text:?} is read");
    }
    for text in [
        "[a",
        "[a]\nb = \"x\n",
        "[a]\nb = \\x\n",
        "[a b]\n",
        "[a \"b\" ]\n",
        "[a]\n1b=c\n",
        "[a]\nb c\n",
        "[]\nb\n",
        "x = y\n",
        "[a]\nb = \0c\n",
        "[a \"b\n\"]\n",
        "[a]\n= b\n",
        "[a_b]\nc\n",
    ] {
        assert!(read_git_config(text.as_bytes()).is_err(), "{text:?} is refused");
    }
    assert!(read_git_config(b"[a]\nb = \xff\n").is_err());
    assert_eq!(read_git_config(b"[a]\nb\n\nc d\n").unwrap_err().line, 4);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_files_are_read_as_git_reads_them(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "[core]", "[a \"b\"]", "[a.b]", "[", "]", "\n", "\r\n", "\r", " ", "\t", "=", "\"", "\\", "\\\n", "#", ";",
                "b", "Name", "x-1", "value", " = ", "\\\"", "\\\\", "\\t", "é", ".", "1", "!cmd", "\n[z]\n", "\nk = ",
            ]),
            0..14,
        ),
        start in prop::bool::ANY,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let text = format!("{}{}", if start { "[s]\nk = " } else { "" }, pieces.concat());
        compare(directory.path(), text.as_bytes())?;
    }

    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _: Result<_, _> = read_git_config(&bytes);
    }
}

#[test]
fn settings_that_run_programs() {
    let one = |text: &str| {
        let settings = read_git_config(text.as_bytes()).unwrap();
        assert_eq!(settings.len(), 1, "{text:?}");
        names_program(&settings[0])
    };
    for text in [
        "[core]\nfsmonitor = ./x",
        "[core]\nhooksPath = hooks",
        "[core]\nsshCommand = x",
        "[core]\npager = less",
        "[pager]\nstatus = x",
        "[diff]\nexternal = x",
        "[diff \"d\"]\ntextconv = x",
        "[diff \"d\"]\ncommand = x",
        "[filter \"lfs\"]\nclean = x",
        "[filter.lfs]\nprocess = x",
        "[gpg]\nprogram = x",
        "[gpg \"ssh\"]\ndefaultKeyCommand = x",
        "[alias]\nst = status",
        "[include]\npath = x",
        "[includeIf \"gitdir:/\"]\npath = x",
        "[credential]\nhelper = x",
        "[credential \"https://h\"]\nhelper = x",
        "[submodule \"s\"]\nupdate = !x",
        "[remote \"o\"]\nurl = ext::x",
        "[url \"ext::x\"]\ninsteadOf = y",
        "[remote \"o\"]\nuploadpack = x",
        "[merge \"m\"]\ndriver = x",
        "[interactive]\ndiffFilter = x",
        "[core]\nworktree = /",
        "[unknown]\nstartCommand = x",
    ] {
        assert!(one(text), "{text:?} runs a program");
    }
    for text in [
        "[core]\nfsmonitor = false",
        "[core]\nfsmonitor",
        "[core]\nbare = false",
        "[core]\npager = cat",
        "[pager]\nlog = false",
        "[remote \"origin\"]\nurl = https://example.org/x.git",
        "[remote \"origin\"]\nfetch = +refs/heads/*:refs/remotes/origin/*",
        "[branch \"main\"]\nmerge = refs/heads/main",
        "[user]\nname = A U Thor",
        "[filter \"lfs\"]\nrequired = true",
        "[submodule \"s\"]\nactive = true",
    ] {
        assert!(!one(text), "{text:?} runs nothing");
    }
}

#[test]
fn repositories_on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(directory.path()).unwrap();
    let at = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let write = |name: &str, text: &str| {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    };
    write("plain/.git/config", "[core]\nbare = false\n");
    write("plain/src/a.rs", "");
    let plain = find_repository(&OsResolver, &at("plain/src")).unwrap();
    assert_eq!((plain.root.as_str(), plain.bare), (at("plain").as_str(), false));
    assert_eq!(plain.named_program(&OsResolver), None);

    write("evil/.git/config", "[core]\n\tbare = false\n\tfsmonitor = ./x\n");
    let named = find_repository(&OsResolver, &at("evil")).unwrap().named_program(&OsResolver).unwrap();
    assert_eq!((named.key.as_str(), named.line), ("core.fsmonitor", 3));

    write("broken/.git/config", "[core\n");
    assert!(find_repository(&OsResolver, &at("broken")).unwrap().named_program(&OsResolver).is_some());

    write("bare/HEAD", "ref: refs/heads/main\n");
    fs::create_dir_all(root.join("bare/objects")).unwrap();
    fs::create_dir_all(root.join("bare/refs")).unwrap();
    assert!(find_repository(&OsResolver, &at("bare")).unwrap().bare);

    write("linked/.git", "gitdir: ../plain/.git/worktrees/linked\n");
    write("plain/.git/worktrees/linked/commondir", "../..\n");
    write("plain/.git/worktrees/linked/config.worktree", "[alias]\nx = !y\n");
    let linked = find_repository(&OsResolver, &at("linked")).unwrap();
    assert_eq!(linked.common_dir, at("plain/.git"));
    assert_eq!(linked.named_program(&OsResolver).unwrap().key, "alias.x");

    write("super/.git/config", "");
    write("super/.gitmodules", "[submodule \"s\"]\npath = sub\nurl = ../plain\n");
    let outer = find_repository(&OsResolver, &at("super")).unwrap();
    assert_eq!(outer.named_program(&OsResolver), None, "a submodule that is not checked out");
    write("super/sub/.git", "gitdir: ../.git/modules/s\n");
    write("super/.git/modules/s/config", "[core]\nworktree = ../../../sub\n");
    assert_eq!(outer.named_program(&OsResolver), None, "what git itself writes for a submodule");
    write("super/.git/modules/s/config", "[core]\nworktree = ../../../other\n");
    assert_eq!(outer.named_program(&OsResolver).unwrap().key, "core.worktree");
    write("super/.git/modules/s/config", "[diff]\nexternal = x\n");
    assert_eq!(outer.named_program(&OsResolver).unwrap().key, "diff.external");

    write("super/.git/config", "[alias]\nx = !y\n[user]\nname = a\n[core]\npager = less\n");
    let all: Vec<_> = outer
        .named_programs(&OsResolver)
        .into_iter()
        .map(|named| (named.key, named.value.unwrap_or_default(), named.line))
        .collect();
    let expected = [("alias.x", "!y", 2), ("core.pager", "less", 6), ("diff.external", "x", 2)];
    assert_eq!(all, expected.map(|(key, value, line)| (key.to_owned(), value.to_owned(), line)));

    write("hooked/.git/config", "");
    write("hooked/.git/hooks/post-index-change", "");
    assert!(find_repository(&OsResolver, &at("hooked")).unwrap().named_program(&OsResolver).is_some());
}
