//! What runs unasked because it is shut in: nothing hidden is read by it and nothing protected is written, whoever
//! runs it; and where that cannot be had, it is asked.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use std::os::unix::net::UnixListener;

use support::{Place, there};

const GRANTS_EVERYTHING: &str =
    r#"{"permissions":{"mode":"unrestricted"},"sandbox":{"mode":"danger-full-access","network":"open"}}"#;

/// A program in Python as the one word of an argv.
fn python(program: &str) -> [&str; 5] {
    ["run", "--", "python3", "-c", program]
}

/// A project of each user's in turn: root's, when we are root, and nobody's.
fn for_each_user(body: impl Fn(&Place)) {
    body(&Place::with_git());
    if nix::unistd::geteuid().is_root() {
        let mut place = Place::with_git();
        place.give_to_nobody();
        body(&place);
    }
}

#[test]
fn an_opaque_command_is_shut_in_where_secrets_are_hidden() {
    for_each_user(|place| {
        place.write(".env", "TOKEN=hunter2");
        place.write_home(".ssh/id_rsa", "hunter2");
        place.settle();
        let program = "import os\n\
                       for path in ['.env', os.path.expanduser('~/.ssh/id_rsa')]:\n    \
                           try: print(open(path).read())\n    \
                           except OSError as error: print(type(error).__name__)\n\
                       open('made', 'w').close()";
        let ended = place.run(python(program));
        ended.expect(0, &[]);
        assert_eq!(ended.stdout, "PermissionError\nPermissionError\n", "{ended:#?}");
        assert!(there(&place.project().join("made")));
        let run = place.events().into_iter().find(|event| event["type"] == "sandbox/run").unwrap();
        assert_eq!(run["facts"]["backend"], "bwrap");
        let gaps = run["facts"]["gaps"].to_string();
        for gap in ["pathname-sockets", "hidden-paths", "protected-paths"] {
            assert!(!gaps.contains(gap), "{gaps}");
        }
    });
}

#[test]
fn settings_may_shut_opaque_commands_in_closer() {
    for_each_user(|place| {
        place.write(".letta/settings.json", r#"{"sandbox":{"mode":"read-only"}}"#);
        place.trust("project");
        place.settle();
        let program = "try: open('made', 'w')\nexcept OSError as error: print(error.strerror)";
        let ended = place.run(python(program));
        assert_eq!(ended.stdout, "Read-only file system\n", "{ended:#?}");
        assert!(!there(&place.project().join("made")));
    });
}

#[test]
fn an_opaque_command_changes_neither_settings_nor_hooks() {
    for_each_user(|place| {
        place.write(".letta/settings.json", "{}");
        place.settle();
        let program = format!(
            "import os\n\
             for path in ['.letta/settings.json', '.letta/settings.local.json', '.git/hooks/pre-commit', '.git/config']:\n    \
                 try: open(path, 'a').write('{GRANTS_EVERYTHING}'); print(path)\n    \
                 except OSError as error: pass\n\
             for old in ['.letta', '.git', '.git/hooks']:\n    \
                 try: os.rename(old, 'away'); print(old)\n    \
                 except OSError as error: pass\n"
        );
        let ended = place.run(python(&program));
        ended.expect(0, &[]);
        assert_eq!(ended.stdout, "", "{ended:#?}");
        assert_eq!(std::fs::read_to_string(place.project().join(".letta/settings.json")).unwrap(), "{}");
        place.run(["run", "--", "rm", "-rf", "src"]).expect(126, &["needs a person"]);
    });
}

#[test]
fn what_a_rule_forbids_to_write_is_not_written_by_an_opaque_command() {
    for_each_user(|place| {
        place.write(".letta/settings.json", r#"{"permissions":{"deny":["Edit(gen/**)", "Write(*.lock)"]}}"#);
        place.write("gen/a", "old\n");
        place.write("x.lock", "old\n");
        place.settle();
        let program = "for path in ['gen/a', 'gen/new', 'x.lock']:\n    \
                           try: open(path, 'w').write('changed'); print(path)\n    \
                           except OSError: pass\n";
        place.write("tool.py", program);
        let ended = place.run(["run", "--", "python3", "tool.py"]);
        ended.expect(0, &[]);
        assert_eq!(ended.stdout, "", "{ended:#?}");
        // Landlock could not keep it from that, and so is not taken for it.
        for flags in [&["--backend", "landlock"][..], &[]] {
            let mut words = vec!["run"];
            words.extend(flags);
            words.extend(["--", "python3", "tool.py"]);
            let ended = place.run(&words);
            if !flags.is_empty() {
                ended
                    .expect(126, &["it cannot be shut in here: landlock does not govern", "protected-paths"]);
            }
            assert_eq!(std::fs::read_to_string(place.project().join("gen/a")).unwrap(), "old\n");
        }
    });
}

#[test]
fn a_socket_with_a_path_is_out_of_reach_unless_settings_open_it_and_then_it_is_asked() {
    for_each_user(|place| {
        let socket = place.project().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        place.settle();
        let program = "import socket\n\
                       a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))\n\
                       try: socket.socket(socket.AF_UNIX).connect('socket'); print('in')\n\
                       except OSError: print('out')";
        let ended = place.run(python(program));
        ended.expect(0, &[]);
        assert_eq!(ended.stdout, "b'x'\nout\n", "{ended:#?}");
        place.write(".letta/settings.json", r#"{"sandbox":{"allowUnixSockets":true}}"#);
        place.trust("project");
        place.settle();
        place.run(python(program)).expect(126, &["bwrap does not govern pathname-sockets"]);
        place.write(
            ".letta/settings.json",
            r#"{"sandbox":{"allowUnixSockets":true},"permissions":{"allow":["Bash(python3 tool.py)"]}}"#,
        );
        place.write("tool.py", program);
        place.trust("project");
        place.settle();
        let ended = place.run(["run", "--", "python3", "tool.py"]);
        assert_eq!(ended.stdout, "b'x'\nin\n", "{ended:#?}");
    });
}

#[test]
fn a_server_that_is_refused_its_socket_is_told_why() {
    let place = Place::with_git();
    let ended = place.run(python("import socket\nsocket.socket(socket.AF_UNIX).bind('made')"));
    ended.expect(1, &["[sandbox: access was denied under workspace-write]"]);
}

#[test]
fn landlock_is_enough_where_there_is_nothing_to_hide_or_to_protect() {
    let mut place = Place::new();
    if nix::unistd::geteuid().is_root() {
        // What root may read of the system's passwords is to be hidden from what root runs.
        place
            .run(["run", "--backend", "landlock", "--", "python3", "-c", "1"])
            .expect(126, &["it cannot be shut in here: landlock does not govern hidden-paths"]);
        place.give_to_nobody();
    }
    let words =
        ["run", "--backend", "landlock", "--", "python3", "-c", "open('.envrc', 'w'); open('made', 'w')"];
    place.run(words).expect(0, &["`", ".envrc` is protected and was made by a confined command"]);
    assert!(there(&place.project().join("made")) && !there(&place.project().join(".envrc")));
    place.write(".env", "TOKEN=x");
    place.settle();
    place.run(words).expect(126, &["landlock does not govern hidden-paths"]);
    std::fs::remove_file(place.project().join(".env")).unwrap();
    place.write(".envrc", "");
    place.settle();
    place.run(words).expect(126, &["landlock does not govern protected-paths"]);
}
