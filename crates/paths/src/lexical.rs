//! Paths as text: joined, normalised and compared by components, without asking the file system.
//!
//! Three shapes are absolute: `/x`, `C:/x` (from `C:\x`, `C:/x`, `\\?\C:\x`, `\\.\C:\x`) and `\\server/share/x`
//! (from `\\server\share\x` and `\\?\UNC\server\share\x`). The two leading backslashes stay in the normal form
//! of the last one, because `//server/share` is `/server/share` on every Unix.

use crate::windows;

/// Removes `.`, `..`, doubled and trailing slashes from an absolute path.
///
/// `..` at a root stays there. Windows shapes are folded to `/` with an upper-case drive letter; trailing
/// dots and blanks of their components and the names of alternate streams are dropped, as Windows does.
/// A relative path stays relative: its leading `..` are kept, and an empty one is `.`.
///
/// ```
/// use portcullis_paths::normalize;
///
/// assert_eq!(normalize("/a/./b/../c//"), "/a/c");
/// assert_eq!(normalize("/../.."), "/");
/// assert_eq!(normalize(r"c:\Users\..\x.\"), "C:/x");
/// assert_eq!(normalize(r"\\?\UNC\host\share\a\..\.."), r"\\host/share");
/// ```
#[must_use]
pub fn normalize(path: &str) -> String {
    if let Some(path) = windows::normalize(path) {
        return path;
    }
    if is_normal_unix(path) {
        return path.to_owned();
    }
    let absolute = path.starts_with('/');
    let mut result = String::with_capacity(path.len());
    if absolute {
        result.push('/');
    }
    let floor = result.len();
    push_components(&mut result, floor, path.split('/'), !absolute);
    if result.is_empty() {
        return ".".to_owned();
    }
    // A relative path that now looks like an absolute one of Windows keeps a `./` in front.
    if !absolute && windows::is_windows(&result) {
        result.insert_str(0, "./");
    }
    result
}

/// Whether a path is absolute in one of the three shapes.
#[must_use]
pub fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || windows::is_windows(path)
}

/// `path` made absolute against `base` (itself absolute) and normalised.
///
/// Windows shapes of `path` are recognised when `base` has one; elsewhere `C:\x` is a file of that name.
///
/// ```
/// use portcullis_paths::join;
///
/// assert_eq!(join("/work/proj", "../x"), "/work/x");
/// assert_eq!(join("/work/proj", r"C:\x"), r"/work/proj/C:\x");
/// assert_eq!(join(r"C:\proj", r"..\x"), "C:/x");
/// assert_eq!(join(r"C:\proj", r"d:\x"), "D:/x");
/// ```
#[must_use]
pub fn join(base: &str, path: &str) -> String {
    if windows::is_windows(base) {
        return windows::join(base, path);
    }
    if path.starts_with('/') {
        // Not `normalize(path)`: only its Unix reading is meant here.
        return normalize(path);
    }
    let mut whole = String::with_capacity(base.len() + 1 + path.len());
    whole.push_str(base);
    whole.push('/');
    whole.push_str(path);
    normalize(&whole)
}

/// Expands a leading `~` or `~/`; `~user` and other words come back unchanged, and everything does
/// without a home directory.
///
/// ```
/// use portcullis_paths::expand_home;
///
/// assert_eq!(expand_home("~/x", Some("/home/u")), "/home/u/x");
/// assert_eq!(expand_home("~root/x", Some("/home/u")), "~root/x");
/// ```
#[must_use]
pub fn expand_home(path: &str, home: Option<&str>) -> String {
    let Some(home) = home else { return path.to_owned() };
    match path.strip_prefix('~') {
        Some("") => home.to_owned(),
        Some(rest) if rest.starts_with('/') || rest.starts_with('\\') && windows::is_windows(home) => {
            let mut whole = home.trim_end_matches(['/', '\\']).to_owned();
            whole.push_str(rest);
            whole
        }
        _ => path.to_owned(),
    }
}

/// Whether `path` is `root` or lies below it: by components, never by string prefix. Both are normalised.
///
/// ```
/// use portcullis_paths::is_within;
///
/// assert!(is_within("/work/proj/a", "/work/proj"));
/// assert!(!is_within("/work/proj-x", "/work/proj"));
/// ```
#[must_use]
pub fn is_within(path: &str, root: &str) -> bool {
    below(path, root).is_some()
}

/// The part of `path` behind `root`, without a leading slash: empty for `root` itself, `None` when `path`
/// does not lie in it. Both are normalised.
///
/// ```
/// use portcullis_paths::below;
///
/// assert_eq!(below("/work/proj/a/b", "/work/proj"), Some("a/b"));
/// assert_eq!(below("/work/proj", "/work/proj"), Some(""));
/// assert_eq!(below("/a", "/"), Some("a"));
/// ```
#[must_use]
pub fn below<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(root)?;
    if rest.is_empty() || root.ends_with('/') { Some(rest) } else { rest.strip_prefix('/') }
}

/// The directory that a normalised absolute path stands in; `None` for a root.
///
/// ```
/// use portcullis_paths::parent;
///
/// assert_eq!(parent("/a/b"), Some("/a"));
/// assert_eq!(parent("/a"), Some("/"));
/// assert_eq!(parent("/"), None);
/// assert_eq!(parent("C:/a"), Some("C:/"));
/// ```
#[must_use]
pub fn parent(path: &str) -> Option<&str> {
    let root = root_length(path);
    if path.len() <= root {
        return None;
    }
    let cut = path.rfind('/').unwrap_or(0);
    path.get(..cut.max(root))
}

/// The last component of a normalised path; empty for a root.
#[must_use]
pub fn file_name(path: &str) -> &str {
    if path.len() <= root_length(path) {
        return "";
    }
    path.rsplit('/').next().unwrap_or_default()
}

/// How many bytes of a normalised path are its root: `/`, `C:/` or `\\server/share`.
fn root_length(path: &str) -> usize {
    windows::root_length(path).unwrap_or_else(|| usize::from(path.starts_with('/')))
}

/// Whether a Unix path has nothing to remove.
fn is_normal_unix(path: &str) -> bool {
    let Some(rest) = path.strip_prefix('/') else { return false };
    rest.is_empty() || rest.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Appends components to `result`, whose first `floor` bytes are its root. `climb`: `..` at the root is
/// kept (relative paths), else dropped.
pub(crate) fn push_components<'a>(
    result: &mut String,
    floor: usize,
    parts: impl Iterator<Item = &'a str>,
    climb: bool,
) {
    for part in parts {
        match part {
            "" | "." => continue,
            ".." => {
                let own = result.get(floor..).unwrap_or_default();
                let last = own.rsplit('/').next().unwrap_or_default();
                if !last.is_empty() && last != ".." {
                    let cut = result.len() - last.len();
                    result.truncate(cut);
                    if result.len() > floor && result.ends_with('/') {
                        result.pop();
                    }
                    continue;
                }
                if !climb {
                    continue;
                }
            }
            _ => {}
        }
        if !result.is_empty() && !result.ends_with('/') {
            result.push('/');
        }
        result.push_str(part);
    }
}
