//! Links that mean something else for every process: where it is, its root, its open files (proc(5)). What lies behind
//! them is judged where it is, or as anywhere.

use crate::Directories;

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    /// These paths.
    Paths(Vec<String>),
    /// Any.
    Anywhere,
}

/// Where an absolute path leads for a process in one of `directories`; none when no such link is in it.
pub(crate) fn behind(path: &str, directories: &Directories) -> Option<Behind> {
    // Nearly every path.
    if path == "/dev/null" || !names_processes(path) {
        return None;
    }
    let mut walked: Vec<&str> = Vec::new();
    let mut rest = path;
    while let Some(slash) = rest.find(|char| char != '/') {
        let ahead = rest.get(slash..).unwrap_or_default();
        let (component, behind) = ahead.split_at(ahead.find('/').unwrap_or(ahead.len()));
        rest = behind;
        match component {
            "." => continue,
            // Where a link leads, and up from there.
            ".." if matches!(walked.as_slice(), ["dev", "fd"] | ["proc", "thread-self" | "net"]) => {
                return Some(Behind::Anywhere);
            }
            ".." => {
                walked.pop();
                continue;
            }
            other => walked.push(other),
        }
        let tail = rest.trim_start_matches('/');
        let (own, link) = match walked.as_slice() {
            ["dev", "stdin" | "stdout" | "stderr"] | ["dev", "fd", _] if !tail.is_empty() => {
                return Some(Behind::Anywhere);
            }
            ["proc", who, link] | ["proc", who, "task", _, link] => match *who {
                "self" | "thread-self" => (true, *link),
                who if who.bytes().all(|byte| byte.is_ascii_digit()) => (false, *link),
                _ => return None,
            },
            ["proc", who, "fd" | "map_files", _] | ["proc", who, "task", _, "fd", _]
                if !tail.is_empty() && *who != "sys" =>
            {
                return Some(Behind::Anywhere);
            }
            _ => continue,
        };
        match link {
            "root" => return Some(Behind::Paths(vec![format!("/{tail}")])),
            "cwd" => {
                let Directories::Known(all) = directories else { return Some(Behind::Anywhere) };
                if !own || all.iter().any(|directory| directory.starts_with("/proc/")) {
                    return Some(Behind::Anywhere);
                }
                let below = |directory: &String| match tail {
                    "" => directory.clone(),
                    tail => super::targets::attach(directory, tail),
                };
                return Some(Behind::Paths(all.iter().map(below).collect()));
            }
            _ => {}
        }
    }
    None
}

/// Whether a component may be `proc` or `dev`.
fn names_processes(path: &str) -> bool {
    path.as_bytes().windows(3).any(|bytes| matches!(bytes, b"/pr" | b"/de"))
}

/// Whether an absolute pattern, literal up to `prefix`, may match through such a link.
pub(super) fn may_match(pattern: &str, prefix: &str) -> bool {
    let deep = pattern.split('/').filter(|component| !component.is_empty()).count() > 2;
    let mut start = prefix;
    while let Some(rest) = start.strip_prefix('/').filter(|rest| rest.starts_with('/')) {
        start = rest;
    }
    let leads = |place: &str| place.starts_with(start) || start.starts_with(place);
    let climbs = start.contains("/../") && (start.ends_with("/../") || start.contains("/proc/"));
    deep && (leads("/proc/") || leads("/dev/fd/") || climbs || start.starts_with("/./"))
}

#[cfg(test)]
mod tests {
    use super::{Behind, behind, may_match};
    use crate::Directories;

    #[test]
    fn links_of_processes_lead_where_they_lead() {
        let here = Directories::Known(["/w".to_owned()].into());
        for (path, expected) in [
            ("/proc/self/cwd/q/n", Some("/w/q/n")),
            ("/proc/self/cwd", Some("/w")),
            ("/proc/thread-self/cwd/../x", Some("/w/../x")),
            ("//proc/./self/task/../cwd/q", Some("/w/q")),
            ("/proc/self/root/etc/x", Some("/etc/x")),
            ("/proc/1/root/etc/x", Some("/etc/x")),
            ("/proc/self/task/12/cwd/q", Some("/w/q")),
            ("/a/../proc/self/cwd/q", Some("/w/q")),
            ("/proc/12/cwd/q", Some("*")),
            ("/proc/self/fd/3/q", Some("*")),
            ("/dev/fd/3/q", Some("*")),
            ("/dev/stdin/q", Some("*")),
            ("/dev/fd/../cwd/q", Some("*")),
            ("/dev/./fd//../cwd/q", Some("*")),
            ("/proc/thread-self/../../cwd/q", Some("*")),
            ("/proc/net/../cwd/q", Some("*")),
            ("/dev/stdin", None),
            ("/dev/fd/63", None),
            ("/proc/self/status", None),
            ("/proc/cpuinfo", None),
            ("/proc/sys/fs/cwd", None),
            ("/w/proc/self/cwd/x", None),
        ] {
            let found = behind(path, &here).map(|found| match found {
                Behind::Paths(paths) => paths.join(" "),
                Behind::Anywhere => "*".to_owned(),
            });
            assert_eq!(found.as_deref(), expected, "{path}");
        }
        assert_eq!(behind("/proc/self/cwd/q", &Directories::Unknown), Some(Behind::Anywhere));
        assert!(may_match("/proc/[s]elf/cwd/q", "/proc/") && may_match("/*/self/cwd/q", "/"));
        assert!(may_match("//proc/*/cwd/q", "//proc/") && may_match("/w/../*/self/cwd/q", "/w/../"));
        assert!(!may_match("/etc/*.conf", "/etc/") && !may_match("/*/x", "/"));
        assert!(!may_match("/w/./a/*.rs", "/w/./a/") && !may_match("/w/../a/*.rs", "/w/../a/"));
    }
}
