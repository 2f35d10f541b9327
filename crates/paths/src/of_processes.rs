//! Paths that mean something else for every process: its working directory, its root, its open files (proc(5)).

/// Whether an absolute path, as it is written, leads through a link that each process has for itself. What one
/// process finds there says nothing about another.
///
/// ```
/// use portcullis_paths::of_processes;
/// assert!(of_processes("/proc/self/cwd/.env") && of_processes("/dev/fd/../cwd/.env"));
/// assert!(!of_processes("/proc/cpuinfo") && !of_processes("/repo/proc/self/cwd"));
/// ```
#[must_use]
pub fn of_processes(path: &str) -> bool {
    // Nearly every path.
    if !path.contains("proc") && !path.contains("dev") {
        return false;
    }
    let mut walked: Vec<&str> = Vec::new();
    for component in path.split('/').filter(|component| !matches!(*component, "" | ".")) {
        match (walked.as_slice(), component) {
            // Where the link `/dev/fd` leads, and up from there; and anything behind an open file.
            (["dev", "fd"], "..") | (["dev", "fd", _] | ["dev", "stdin" | "stdout" | "stderr"], _) => {
                return true;
            }
            // Links themselves, to `self/task/N` and `self/net`.
            (["proc", "thread-self" | "net"], "..") => return true,
            (["proc", "self" | "thread-self"] | ["proc", "self" | "thread-self", "task", _], link)
                if leads(link) =>
            {
                return true;
            }
            (["proc", who] | ["proc", who, "task", _], link)
                if leads(link) && who.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                return true;
            }
            (_, "..") => {
                walked.pop();
            }
            (_, name) => walked.push(name),
        }
    }
    false
}

fn leads(link: &str) -> bool {
    matches!(link, "cwd" | "root" | "fd" | "map_files" | "exe")
}

#[cfg(test)]
mod tests {
    use super::of_processes;

    #[test]
    fn links_of_processes_are_told_from_other_files() {
        for path in [
            "/proc/self/cwd",
            "/proc/self/cwd/secrets/key.pem",
            "/proc/thread-self/cwd/x",
            "/proc/self/root/repo/.env",
            "//proc/./1/root/x",
            "/proc/self/task/12/cwd/q",
            "/a/../proc/self/fd/3",
            "/dev/fd/../cwd/x",
            "/proc/thread-self/../../cwd/x",
            "/proc/net/../cwd/x",
            "/dev/fd/3/x",
            "/dev/stdin/x",
        ] {
            assert!(of_processes(path), "{path}");
        }
        for path in [
            "/dev/null",
            "/dev/fd/3",
            "/dev/stdin",
            "/proc/cpuinfo",
            "/proc/self/status",
            "/proc/sys/fs/cwd",
            "/repo/proc/self/cwd/x",
            "/proc/self/../cwd",
            "/",
            "",
        ] {
            assert!(!of_processes(path), "{path}");
        }
    }
}
