//! Working directories, and where redirections lead.

use portcullis_shell_analysis::{Directories, EffectKind, PathTarget};

use crate::plan;

fn last_directories(text: &str) -> Directories {
    plan(text).invocations.last().unwrap().directories.clone()
}

#[test]
fn follows_directories() {
    let known = |all: &[&str]| Directories::Known(all.iter().map(|text| (*text).to_owned()).collect());
    let cases: &[(&str, Directories)] = &[
        ("cd a && ls", known(&["/repo/a"])),
        ("cd a || exit; ls", known(&["/repo/a"])),
        ("cd a || exit 1\nls", known(&["/repo/a"])),
        ("cd a || sh -c 'exit'; ls", known(&["/repo/a", "/repo"])),
        ("cd a; ls", known(&["/repo/a", "/repo"])),
        ("(cd a); ls", known(&["/repo"])),
        ("cd a & ls", known(&["/repo"])),
        ("cd a | cat; ls", known(&["/repo"])),
        ("cd ..; cd a && ls", known(&["/a", "/repo/a"])),
        ("cd /x/../y && ls", known(&["/y"])),
        ("cd $x && ls", Directories::Unknown),
        ("cd - && ls", Directories::Unknown),
        ("cd && ls", known(&["/home/u"])),
        ("cd a || { echo no; exit 1; }; ls", known(&["/repo/a"])),
        ("cd a || break; ls", known(&["/repo/a", "/repo"])),
        ("for d in a b; do cd $d; done; ls", Directories::Unknown),
        ("! cd a || ls", known(&["/repo/a"])),
        ("env -C d ls", known(&["/repo/d"])),
    ];
    for (text, expected) in cases {
        assert_eq!(&last_directories(text), expected, "{text}");
    }
}

#[test]
fn redirections_are_effects() {
    let effects = |text: &str| -> Vec<EffectKind> {
        plan(text)
            .invocations
            .into_iter()
            .flat_map(|invocation| invocation.effects)
            .filter(|effect| effect.redirection)
            .map(|effect| effect.kind)
            .collect()
    };
    let path = |text: &str| PathTarget::Path(text.to_owned());
    for text in [
        "echo a > f",
        "echo a >> f",
        "echo a >| f",
        "echo a &> f",
        "echo a >& f",
        "{ echo a; } > f",
        "> f",
        "(ls) 2> f",
        "echo >f a",
    ] {
        assert_eq!(effects(text), vec![EffectKind::Write(path("/repo/f"))], "{text}");
    }
    assert_eq!(effects("ls 2>&1 >/dev/null 2>&- <&0"), vec![]);
    assert_eq!(effects("cat < .env"), vec![EffectKind::Read { path: path("/repo/.env"), recursive: false }]);
    assert_eq!(effects("cat </dev/tcp/h/80"), vec![EffectKind::Network(Some("h/80".to_owned()))]);
}
