//! Options beyond those of the tables that lead a program to code or files of their choice: an allow rule that does not
//! spell them out does not mean them. Sources are the manuals of each program.

use crate::{Invocation, name_set::NameSet};

/// One row: programs, and how the words begin.
type Row = (&'static [&'static str], &'static [&'static str]);

static NAMES: NameSet = NameSet::new(&[
    "docker", "podman", "nerdctl", "gradle", "kubectl", "oc", "mocha", "mvn", "mvnd", "node", "nodejs",
    "pandoc", "php", "pytest", "py.test",
]);

const TABLE: &[Row] = &[
    (&["docker", "podman", "nerdctl"], &["--cache-to", "--hooks-dir", "--rootfs", "--runtime", "--conmon"]),
    // Properties that choose the Java that runs, or what it loads first.
    (
        &["gradle"],
        &[
            "-Dorg.gradle.",
            "-Dgradle.user.home",
            "-Duser.home",
            "--system-prop=org.gradle.",
            "--system-prop=gradle.user.home",
            "--system-prop=user.home",
        ],
    ),
    (
        &["mvn", "mvnd"],
        &["-Dmaven.ext.class.path", "-Dmaven.multiModule", "--define=maven.ext.class.path", "-Dmvnd."],
    ),
    (&["kubectl", "oc"], &["--kuberc"]),
    (
        &["mocha"],
        &[
            "-r",
            "--require",
            "--config",
            "--package",
            "--loader",
            "--import",
            "--file",
            "--opts",
            "-n",
            "--node-option",
        ],
    ),
    (
        &["node", "nodejs"],
        &[
            "--experimental-loader",
            "--experimental-config-file",
            "--experimental-default-config-file",
            "--env-file",
            "--openssl-config",
            "--snapshot-blob",
            "--build-snapshot",
            "--experimental-sea-config",
            "--diagnostic-dir",
            "--report-dir",
            "--report-directory",
            "--redirect-warnings",
            "--cpu-prof-dir",
            "--heap-prof-dir",
            "--trace-event-file-pattern",
            "--run",
            "--test-reporter",
            "--test-global-setup",
        ],
    ),
    (
        &["pandoc"],
        &[
            "-L",
            "--lua-filter",
            "-F",
            "--filter",
            "--template",
            "-d",
            "--defaults",
            "--pdf-engine",
            "--data-dir",
            "--extract-media",
            "--log",
        ],
    ),
    (&["php"], &["-d", "--define", "-c", "--php-ini", "-z", "--zend-extension"]),
    (&["pytest", "py.test"], &["--html", "--report-log", "--json-report-file", "--log-file", "--basetemp"]),
];

/// The indices of such words. `-D NAME=VALUE` in two words is looked at as if it were one.
pub(super) fn find(invocation: &Invocation, hazards: &mut Vec<usize>) {
    let Some(base) = invocation.base_name().filter(|base| NAMES.contains(base)) else { return };
    let starts = TABLE.iter().filter(|(names, _)| names.contains(&base)).flat_map(|(_, starts)| *starts);
    let mut before = "";
    for (index, word) in invocation.words.iter().enumerate().skip(1) {
        let Some(text) = word.value.known() else {
            before = "";
            continue;
        };
        let begins = |start: &str| {
            text.starts_with(start)
                || matches!(before, "-D" | "--define" | "--system-prop")
                    && start.strip_prefix("-D").is_some_and(|name| text.starts_with(name))
        };
        if starts.clone().any(|start| begins(start)) {
            hazards.push(index);
        }
        before = text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_is_looked_up() {
        for name in TABLE.iter().flat_map(|(names, _)| *names) {
            assert!(NAMES.contains(name), "{name}");
        }
    }
}
