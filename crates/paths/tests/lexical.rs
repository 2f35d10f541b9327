//! Paths as text: tables of both platforms' shapes, and the laws that every path obeys.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use portcullis_paths::{
    Critical, ThreePaths, below, critical, expand_home, file_name, fold_case, is_absolute, is_windows,
    is_within, is_within_ignoring_case, join, nfc, normalize, parent, same_ignoring_case,
};
use proptest::prelude::*;

#[test]
fn unix_shapes() {
    let table = [
        ("/", "/"),
        ("//", "/"),
        ("/a/", "/a"),
        ("//etc/hosts", "/etc/hosts"),
        ("/a/../../b", "/b"),
        ("/a/./b", "/a/b"),
        ("/...", "/..."),
        ("/a /b\n", "/a /b\n"),
        (r"/a\b", r"/a\b"),
        ("", "."),
        ("a/..", "."),
        ("../a/../b", "../b"),
        ("a/../../b", "../b"),
        ("x/../C:/y", "./C:/y"),
        (r"./\\a", r"./\\a"),
    ];
    for (path, right) in table {
        assert_eq!(normalize(path), right, "{path:?}");
    }
}

#[test]
fn windows_shapes() {
    let table = [
        (r"c:\", "C:/"),
        (r"c:\a\..\..\b", "C:/b"),
        ("c:/a//b/", "C:/a/b"),
        (r"\\?\c:\a", "C:/a"),
        (r"\\.\c:\a", "C:/a"),
        (r"\\?\c:", "C:/"),
        (r"\\?\UNC\host\share\a", r"\\host/share/a"),
        (r"\\?\unc\host\share\a", r"\\host/share/a"),
        (r"\\host\share\a\..\..\..\b", r"\\host/share/b"),
        (r"\\host", r"\\host"),
        (r"\\.\PhysicalDrive0", r"\\./PhysicalDrive0"),
        (r"C:\x.\y. .\z", "C:/x/y/z"),
        (r"C:\.env::$DATA", "C:/.env"),
        (r"C:\a\.env:s:$DATA", "C:/a/.env"),
        (r"C:\...\x", "C:/x"),
    ];
    for (path, right) in table {
        assert_eq!(normalize(path), right, "{path:?}");
        assert!(is_windows(path) && is_absolute(path));
    }
    let joined = [
        (r"C:\w", "a", "C:/w/a"),
        (r"C:\w", r"\a", "C:/a"),
        (r"C:\w", "/a", "C:/a"),
        (r"C:\w", "c:a", "C:/w/a"),
        (r"C:\w", "D:a", "D:/a"),
        (r"C:\w", "//host/share/x", r"\\host/share/x"),
        (r"C:\w", r"..\..\x", "C:/x"),
        (r"\\h\s\w", r"\a", r"\\h/s/a"),
        (r"\\h\s", r"..\a", r"\\h/s/a"),
        ("/w", r"\\h\s", r"/w/\\h\s"),
        ("/w", "c:/a", "/w/c:/a"),
        ("/w", "", "/w"),
        ("/w", "..", "/"),
        ("/", "a", "/a"),
    ];
    for (base, path, right) in joined {
        assert_eq!(join(base, path), right, "{base:?} and {path:?}");
    }
}

#[test]
fn home_directories() {
    let home = Some("/home/u");
    let table = [
        ("~", "/home/u"),
        ("~/", "/home/u/"),
        ("~/a", "/home/u/a"),
        ("~a", "~a"),
        ("a/~", "a/~"),
        (r"~\a", r"~\a"),
    ];
    for (path, right) in table {
        assert_eq!(expand_home(path, home), right);
        assert_eq!(expand_home(path, None), path);
    }
    assert_eq!(expand_home(r"~\a", Some(r"C:\u")), r"C:\u\a");
    assert_eq!(expand_home("~/a", Some("/")), "/a");
}

#[test]
fn parts_of_paths() {
    assert_eq!(parent(r"\\h/s/a"), Some(r"\\h/s"));
    assert_eq!(parent(r"\\h/s"), None);
    assert_eq!(parent("C:/"), None);
    assert_eq!((file_name("/a/b"), file_name("/"), file_name("C:/"), file_name(r"\\h/s")), ("b", "", "", ""));
    assert_eq!(below("C:/a", "C:/"), Some("a"));
    assert_eq!(below("/ab", "/a"), None);
    assert!(is_within("/repo/x", "/repo") && !is_within("/repo-secrets/x", "/repo") && is_within("/x", "/"));
}

#[test]
fn spellings() {
    assert!(same_ignoring_case("/A/É", "/a/e\u{301}"));
    assert!(is_within_ignoring_case("/Work/X", "/wORK"));
    assert!(!is_within_ignoring_case("/Work-x", "/work"));
    assert_eq!(fold_case("/.GIT\u{200d}"), "/.git");
    assert_eq!(nfc("/plain"), "/plain");
}

#[test]
fn critical_directories() {
    let unix = |path| critical(path, Some("/home/u"), "/srv/x/proj");
    assert_eq!(unix("/"), Some(Critical::Root));
    for path in ["/etc", "/home", "/tmp", "/srv", "/new"] {
        assert_eq!(unix(path), Some(Critical::TopLevel), "{path}");
    }
    assert_eq!(unix("/home/u"), Some(Critical::Home));
    assert_eq!(unix("/HOME/U"), Some(Critical::Home));
    assert_eq!(unix("/srv/x"), Some(Critical::Project));
    assert_eq!(unix("/srv/x/proj"), Some(Critical::Project));
    for path in ["/srv/x/proj/target", "/srv/x/pro", "/home/u/x", "/home/v", "/tmp/x"] {
        assert_eq!(unix(path), None, "{path}");
    }
    let windows = |path| critical(path, Some("C:/Users/u"), "D:/w/proj");
    assert_eq!(windows("C:/"), Some(Critical::Root));
    assert_eq!(windows(r"\\h/s"), Some(Critical::Root));
    assert_eq!(windows("C:/Windows"), Some(Critical::TopLevel));
    assert_eq!(windows("C:/users/U"), Some(Critical::Home));
    assert_eq!(windows("D:/W"), Some(Critical::TopLevel));
    assert_eq!(windows("D:/w/PROJ"), Some(Critical::Project));
    assert_eq!(windows("D:/w/proj/x"), None);
    assert_eq!(critical("/a/b", None, "/p/q"), None);
}

#[test]
fn distinct_readings() {
    let of = |lexical: &str, real: &str, physical: &str| ThreePaths {
        lexical: lexical.to_owned(),
        real: real.to_owned(),
        physical: physical.to_owned(),
        resolved: true,
        unknown: false,
        closed: false,
    };
    assert_eq!(of("/a", "/a", "/a").iter().count(), 1);
    assert_eq!(of("/a", "/b", "/b").iter().collect::<Vec<_>>(), ["/a", "/b"]);
    assert_eq!(of("/a", "/a", "/b").iter().collect::<Vec<_>>(), ["/a", "/b"]);
    assert_eq!(of("/a", "/b", "/c").iter().count(), 3);
}

/// Components of a normalised Unix path.
fn components(path: &str) -> Vec<&str> {
    path.split('/').filter(|component| !component.is_empty()).collect()
}

/// What `normalize` should do, said with a stack.
fn naive(path: &str) -> String {
    let mut stack = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                stack.pop();
            }
            name => stack.push(name),
        }
    }
    format!("/{}", stack.join("/"))
}

fn any_path() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/", "\\", "..", ".", "a", "B", "C:", "?", "UNC", " ", ":", "é", "\u{200c}", "~",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn normalizing_twice_is_normalizing_once(path in any_path()) {
        let once = normalize(&path);
        prop_assert_eq!(normalize(&once), once);
    }

    #[test]
    fn unix_paths_agree_with_a_stack(path in "/([a./]|\\.\\.|b){0,12}") {
        prop_assert_eq!(normalize(&path), naive(&path));
    }

    #[test]
    fn an_absolute_path_never_escapes_and_stays_absolute(path in any_path()) {
        for path in [format!("/{path}"), format!("C:\\{path}"), join("/w", &path), join(r"C:\w", &path)] {
            let normal = normalize(&path);
            prop_assert!(is_absolute(&normal));
            let separators: &[char] = if is_windows(&normal) { &['/', '\\'] } else { &['/'] };
            prop_assert!(!normal.split(separators).any(|component| component == ".."), "{} from {}", normal, path);
        }
    }

    #[test]
    fn containment_agrees_with_components(path in "/([ab]{1,2}/){0,4}", root in "/([ab]{1,2}/){0,3}") {
        let (path, root) = (normalize(&path), normalize(&root));
        prop_assert_eq!(is_within(&path, &root), components(&path).starts_with(&components(&root)));
        if let Some(rest) = below(&path, &root) {
            prop_assert_eq!(join(&root, rest), path);
        }
    }

    #[test]
    fn a_parent_holds_its_child(path in any_path()) {
        let path = join("/w", &path);
        if let Some(above) = parent(&path) {
            prop_assert!(is_within(&path, above));
            prop_assert_eq!(join(above, file_name(&path)), path);
        } else {
            prop_assert_eq!(path, "/");
        }
    }
}
