//! The operating system's resolver against the operating system.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use std::{
    ffi::OsStr,
    fs,
    io::{self, ErrorKind},
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::Path,
};

use portcullis_paths::{EntryKind, FileKind, OsResolver, Resolver, ignores_case, is_within, three_paths};
use proptest::prelude::*;

/// A temporary directory and its real path.
fn temporary() -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(directory.path()).unwrap().to_str().unwrap().to_owned();
    (directory, root)
}

#[test]
fn links_are_followed_as_the_kernel_follows_them() {
    let (_directory, root) = temporary();
    fs::create_dir_all(format!("{root}/proj/src")).unwrap();
    fs::create_dir_all(format!("{root}/out/deep")).unwrap();
    fs::write(format!("{root}/out/secret"), "x").unwrap();
    symlink("../out/deep", format!("{root}/proj/link")).unwrap();
    symlink("nowhere/new", format!("{root}/proj/dangling")).unwrap();
    let table = [
        ("proj/link/../secret", "out/secret"),
        ("proj/link", "out/deep"),
        ("proj/link/", "out/deep"),
        ("proj/./src//", "proj/src"),
        ("proj/missing", "proj/missing"),
        ("proj/missing/deeper", "proj/missing/deeper"),
        ("proj/missing/../link/x", "out/deep/x"),
        ("proj/missing/../../out/secret", "out/secret"),
        ("proj/dangling", "proj/nowhere/new"),
        ("proj/link/new/../..", "out"),
    ];
    for (path, right) in table {
        assert_eq!(
            OsResolver.realpath(&format!("{root}/{path}")).unwrap(),
            format!("{root}/{right}"),
            "{path}"
        );
    }

    let paths = three_paths("link/../secret", &format!("{root}/proj"), Some(&OsResolver));
    assert_eq!(paths.lexical, format!("{root}/proj/secret"));
    assert_eq!(paths.real, paths.lexical);
    assert_eq!(paths.physical, format!("{root}/out/secret"));
    assert!(paths.resolved);
}

#[test]
fn what_cannot_be_resolved_is_an_error() {
    let (_directory, root) = temporary();
    symlink("b", format!("{root}/a")).unwrap();
    symlink("a", format!("{root}/b")).unwrap();
    symlink("self/x", format!("{root}/self")).unwrap();
    symlink(OsStr::from_bytes(b"\xff"), format!("{root}/odd")).unwrap();
    fs::write(format!("{root}/file"), "x").unwrap();
    for path in ["a", "b/c", "self", "odd", "file/x", "file/..", "file/."] {
        let path = format!("{root}/{path}");
        assert!(OsResolver.realpath(&path).is_err(), "{path}");
        // `file/.` is `file` as text, and what a program would open is an error.
        assert_eq!(three_paths(&path, "/", Some(&OsResolver)).resolved, path.ends_with("/."), "{path}");
    }
    assert!(!three_paths("a", &root, Some(&OsResolver)).resolved);
    assert_eq!(OsResolver.realpath("a").unwrap_err().kind(), ErrorKind::InvalidInput);
    assert!(OsResolver.realpath("/a\0b").is_err());
    let long = format!("/{}", "x".repeat(5000));
    assert!(OsResolver.realpath(&long).is_err());
}

/// A resolver that fails in one way.
struct Failing(ErrorKind);

impl Resolver for Failing {
    fn realpath(&self, _path: &str) -> io::Result<String> {
        Err(io::Error::from(self.0))
    }

    fn kind(&self, _path: &str) -> Option<FileKind> {
        None
    }

    fn read(&self, _path: &str, _limit: usize) -> io::Result<Vec<u8>> {
        Err(io::Error::from(self.0))
    }
}

#[test]
fn what_an_error_says_of_a_path() {
    for (kind, unknown, closed) in [
        (ErrorKind::NotFound, false, false),
        (ErrorKind::NotADirectory, false, false),
        (ErrorKind::PermissionDenied, false, true),
        (ErrorKind::Unsupported, true, false),
        (ErrorKind::InvalidData, true, false),
        (ErrorKind::InvalidInput, true, false),
        (ErrorKind::Other, true, false),
        (ErrorKind::TimedOut, true, false),
        (ErrorKind::StaleNetworkFileHandle, true, false),
    ] {
        for path in ["/w/x", "y/../x"] {
            let paths = three_paths(path, "/w", Some(&Failing(kind)));
            let said = (paths.resolved, paths.unknown, paths.closed, paths.physical.as_str());
            assert_eq!(said, (false, unknown, closed, "/w/x"), "{kind:?} {path}");
        }
        let own = three_paths("/dev/fd/3", "/w", Some(&Failing(kind)));
        assert_eq!((own.resolved, own.unknown, own.closed), (false, false, false), "{kind:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_may_lead_anywhere() {
    let (_directory, root) = temporary();
    let link = |target: &str, name: &str| symlink(target, format!("{root}/{name}")).unwrap();
    fs::write(format!("{root}/file"), "x").unwrap();
    link("b", "a");
    link("a", "b");
    symlink(OsStr::from_bytes(b"\xff"), format!("{root}/odd")).unwrap();
    for at in 0..41 {
        link(&format!("c{}", at + 1), &format!("c{at}"));
    }
    fs::write(format!("{root}/c41"), "x").unwrap();
    for (name, target) in [
        ("cwd", "/proc/self/cwd"),
        ("thread", "/proc/thread-self/root"),
        ("above", "/proc/thread-self/../../cwd"),
        ("net", "/proc/net/../cwd"),
        ("nobody", "/proc/4194301/cwd"),
        ("task", "/proc/self/task/4194301/root"),
        ("fd", "/proc/self/fd/7"),
        ("device", "/dev/fd/7"),
        ("stdin", "/dev/stdin"),
    ] {
        link(target, name);
    }
    let long = "x".repeat(300);
    let unknown = |path: &str| three_paths(path, &root, Some(&OsResolver)).unknown;
    for path in [
        "a",
        "b/c",
        "odd",
        "odd/..",
        "c0",
        "cwd",
        "cwd/x",
        "cwd/../x",
        "file/../cwd/x",
        "thread/x",
        "above/x",
        "net/x",
        "nobody/x",
        "task/x",
        "fd",
        "device",
        "stdin",
        "/proc/self/fd/7",
        "/dev/stdin/x",
        "/dev/../dev/stdin",
    ] {
        assert!(unknown(path), "{path}");
    }
    for path in [
        "file",
        "file/x",
        "file/..",
        "missing/x",
        "c1",
        &long,
        "/dev/stdin",
        "/dev/fd/63",
        "/proc/self/status",
        "/etc/mtab",
        "/proc/self/../cpuinfo",
    ] {
        assert!(!unknown(path), "{path}");
    }
    // What such a link is here says nothing: no kind, no names, no content.
    for path in ["cwd", "thread", "device", "cwd/Cargo.toml"] {
        let path = format!("{root}/{path}");
        assert_eq!(OsResolver.kind(&path), None, "{path}");
        assert!(
            OsResolver.entries(&path, 1_000).is_err() && OsResolver.read(&path, 1_000_000).is_err(),
            "{path}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn links_of_single_processes_show_nobody_elses() {
    assert_eq!(OsResolver.realpath("/proc/self/status").unwrap(), "/proc/self/status");
    assert_eq!(OsResolver.realpath("/proc/self/environ").unwrap(), "/proc/self/environ");
    for path in
        ["/proc/self/cwd", "/proc/self/root/etc/shadow", "/proc/1/root", "/dev/fd/0", "/proc/thread-self/cwd"]
    {
        assert_eq!(OsResolver.realpath(path).unwrap_err().kind(), ErrorKind::Unsupported, "{path}");
    }
}

/// No file system here need ignore case; a hard link under the other name is what such a one looks like.
#[test]
fn a_directory_that_ignores_case_is_known_by_its_names() {
    let (_directory, root) = temporary();
    let look = |name: &str| ignores_case(Path::new(&format!("{root}/{name}")));
    for folder in ["empty", "-1", "exact", "folding", "numbers"] {
        fs::create_dir(format!("{root}/{folder}")).unwrap();
    }
    let exact = !Path::new(&format!("{root}/EMPTY")).exists();
    assert!(exact, "this test needs a temporary directory on a file system that tells case apart");
    fs::write(format!("{root}/exact/Name"), "").unwrap();
    fs::write(format!("{root}/exact/nAME"), "another file").unwrap();
    fs::write(format!("{root}/numbers/1"), "").unwrap();
    fs::write(format!("{root}/folding/2"), "").unwrap();
    fs::write(format!("{root}/folding/Name"), "").unwrap();
    fs::hard_link(format!("{root}/folding/Name"), format!("{root}/folding/nAME")).unwrap();
    assert!(look("folding"));
    for folder in ["empty", "-1", "exact", "numbers", "missing"] {
        assert!(!look(folder), "{folder}");
    }
    // Two links to one file are two files.
    symlink("Name", format!("{root}/exact/link")).unwrap();
    symlink("Name", format!("{root}/exact/LINK")).unwrap();
    assert!(!look("exact"));
}

#[test]
fn kinds_and_bounded_reads() {
    let (_directory, root) = temporary();
    let file = format!("{root}/file");
    fs::write(&file, "12345").unwrap();
    symlink("file", format!("{root}/link")).unwrap();
    assert_eq!(OsResolver.kind(&root), Some(FileKind::Directory));
    assert_eq!(OsResolver.kind(&format!("{root}/link")), Some(FileKind::File));
    assert_eq!(OsResolver.kind("/dev/null"), Some(FileKind::Other));
    assert_eq!(OsResolver.kind(&format!("{root}/none")), None);
    assert_eq!(OsResolver.read(&file, 5).unwrap(), b"12345");
    assert_eq!(OsResolver.read(&file, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
    assert_eq!(OsResolver.read("/dev/zero", 4).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert!(OsResolver.read(&root, 4).is_err());
}

/// One entry of a random tree: a directory, a file or a link, below the root.
#[derive(Clone, Debug)]
enum Entry {
    Directory(String),
    File(String),
    Link(String, String),
}

#[test]
fn names_in_a_directory() {
    let (_directory, root) = temporary();
    fs::create_dir(format!("{root}/sub")).unwrap();
    fs::write(format!("{root}/a\nb"), "x").unwrap();
    fs::write(Path::new(&root).join(OsStr::from_bytes(b"odd\xff")), "x").unwrap();
    symlink("sub", format!("{root}/link")).unwrap();
    symlink("nowhere", format!("{root}/dangling")).unwrap();
    let mut entries = OsResolver.entries(&root, 5).unwrap();
    entries.sort_by(|left, right| left.name.cmp(&right.name));
    let found: Vec<_> = entries.iter().map(|entry| (entry.name.as_str(), entry.kind)).collect();
    let right = [
        ("a\nb", EntryKind::Other),
        ("dangling", EntryKind::Link),
        ("link", EntryKind::Link),
        ("odd\u{fffd}", EntryKind::Other),
        ("sub", EntryKind::Directory),
    ];
    assert_eq!(found, right);
    assert_eq!(OsResolver.entries(&format!("{root}/link"), 5).unwrap(), []);
    let kind = |path: &str| OsResolver.entries(path, 5).unwrap_err().kind();
    assert_eq!(OsResolver.entries(&root, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
    assert_eq!(kind(&format!("{root}/missing")), ErrorKind::NotFound);
    assert_eq!(kind(&format!("{root}/a\nb")), ErrorKind::NotADirectory);
    assert_eq!(kind("/proc/self/fd"), ErrorKind::Unsupported);
    assert_eq!(kind("sub"), ErrorKind::Unsupported);
    // Whoever follows such a name has to know it.
    symlink("sub", Path::new(&root).join(OsStr::from_bytes(b"link\xff"))).unwrap();
    assert_eq!(OsResolver.entries(&root, 9).unwrap_err().kind(), ErrorKind::InvalidData);
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned)
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(name(), 1..4).prop_map(|names| names.join("/"))
}

/// A path with everything that makes resolving hard.
fn hard_path() -> impl Strategy<Value = String> {
    let piece = prop_oneof![5 => name(), 2 => Just("..".to_owned()), 1 => Just(".".to_owned()), 1 => Just(String::new())];
    prop::collection::vec(piece, 1..7).prop_map(|pieces| pieces.join("/"))
}

fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        3 => path().prop_map(Entry::Directory),
        1 => path().prop_map(Entry::File),
        3 => (path(), hard_path(), any::<bool>()).prop_map(|(at, to, absolute)| {
            Entry::Link(at, if absolute { format!("ROOT/{to}") } else { to })
        }),
    ]
}

/// Makes the tree; what cannot be made (a name taken) is left out.
fn plant(root: &str, entries: &[Entry]) {
    for entry in entries {
        let (Entry::Directory(at) | Entry::File(at) | Entry::Link(at, _)) = entry;
        let at = format!("{root}/{at}");
        let above = Path::new(&at).parent().unwrap();
        // Only inside: a link planted before may lead out of the temporary directory.
        let inside = fs::create_dir_all(above).is_ok()
            && fs::canonicalize(above).is_ok_and(|real| is_within(real.to_str().unwrap(), root));
        if !inside {
            continue;
        }
        let _: Result<(), _> = match entry {
            Entry::Directory(_) => fs::create_dir(&at),
            Entry::File(_) if !Path::new(&at).exists() && !Path::new(&at).is_symlink() => fs::write(&at, ""),
            Entry::File(_) => Ok(()),
            Entry::Link(_, to) => symlink(if to.is_empty() { "." } else { to }.replace("ROOT", root), &at),
        };
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_system_wherever_that_succeeds(
        entries in prop::collection::vec(entry(), 0..14),
        paths in prop::collection::vec(hard_path(), 8..24),
    ) {
        let (directory, _) = temporary();
        // Two levels down, so that `..` seldom reaches what is not ours.
        let root = fs::canonicalize(directory.path()).unwrap().join("x/y");
        fs::create_dir_all(&root).unwrap();
        let root = root.to_str().unwrap();
        plant(root, &entries);
        for path in paths {
            let path = format!("{root}/{path}");
            let ours = OsResolver.realpath(&path);
            match fs::canonicalize(&path) {
                Ok(real) => prop_assert_eq!(ours.unwrap(), real.to_str().unwrap(), "{}", path),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    // What is named does not exist, or only behind something that does not.
                    if let Ok(ours) = ours {
                        prop_assert_eq!(OsResolver.realpath(&ours).unwrap(), ours, "a real path is its own");
                    }
                }
                Err(_) => prop_assert!(ours.is_err(), "{}", path),
            }
        }
    }
}
