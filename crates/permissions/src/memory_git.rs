//! The part of git that an agent may use on its own memory without a question (specification 4.7).

use portcullis_shell_analysis::Invocation;

/// What a subcommand may be given: options by their exact spelling or by `NAME=`; whether it may have operands.
struct Subcommand {
    name: &'static str,
    /// Flags without a value, and `--name=` for flags with one that is text.
    flags: &'static [&'static str],
    /// Flags whose next word is text, not a path.
    text_flags: &'static [&'static str],
    operands: Operands,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// Revisions or paths; what looks like a path has to lie inside.
    Any,
    /// A remote by its name, then refs.
    Remote,
    /// Only with this word first.
    First(&'static [&'static str]),
    /// A configuration key that executes nothing, and its value.
    Setting,
}

const LOG_FLAGS: &[&str] = &[
    "--oneline",
    "--stat",
    "--graph",
    "--all",
    "--decorate",
    "-p",
    "--patch",
    "--name-only",
    "--name-status",
    "--no-color",
    "--color=",
    "--format=",
    "--pretty=",
    "--since=",
    "--until=",
    "--author=",
    "--grep=",
    "-n=",
    "--max-count=",
    "--reverse",
    "--follow",
    "--abbrev-commit",
    "--date=",
    "-1",
    "-2",
    "-3",
    "-5",
    "-10",
    "-20",
    "--cached",
    "--staged",
    "--shortstat",
    "--numstat",
    "--no-ext-diff",
    "--quiet",
    "-q",
    "--exit-code",
];

const TABLE: &[Subcommand] = &[
    Subcommand {
        name: "add",
        flags: &["-A", "--all", "-u", "--update", "-v", "-f", "-N", "."],
        text_flags: &[],
        operands: Operands::Any,
    },
    Subcommand {
        name: "commit",
        flags: &[
            "-a",
            "-q",
            "--quiet",
            "--allow-empty",
            "--amend",
            "--no-edit",
            "--author=",
            "--message=",
            "-am",
            "-s",
            "--signoff",
            "--date=",
        ],
        text_flags: &["-m", "-am", "--message", "--author", "--date"],
        operands: Operands::Any,
    },
    Subcommand {
        name: "config",
        flags: &["--get", "--list", "-l", "--local", "--unset"],
        text_flags: &[],
        operands: Operands::Setting,
    },
    Subcommand {
        name: "check-ignore",
        flags: &["-v", "-q", "--no-index"],
        text_flags: &[],
        operands: Operands::Any,
    },
    Subcommand {
        name: "fetch",
        flags: &["--prune", "-p", "--tags", "-q", "--quiet"],
        text_flags: &[],
        operands: Operands::Remote,
    },
    Subcommand {
        name: "push",
        flags: &["-q", "--quiet", "-u", "--set-upstream"],
        text_flags: &[],
        operands: Operands::Remote,
    },
    Subcommand {
        name: "pull",
        flags: &["-q", "--quiet", "--rebase", "--ff-only", "--no-rebase"],
        text_flags: &[],
        operands: Operands::Remote,
    },
    Subcommand {
        name: "rebase",
        flags: &["--abort", "--continue", "--skip", "-q", "--quiet"],
        text_flags: &[],
        operands: Operands::Any,
    },
    Subcommand {
        name: "reset",
        flags: &["--hard", "--soft", "--mixed", "-q", "--quiet"],
        text_flags: &[],
        operands: Operands::Any,
    },
    Subcommand { name: "restore", flags: &["--staged", "-q"], text_flags: &[], operands: Operands::Any },
    Subcommand {
        name: "status",
        flags: &["-s", "--short", "-b", "--branch", "--porcelain", "--porcelain=", "-sb"],
        text_flags: &[],
        operands: Operands::Any,
    },
    Subcommand { name: "diff", flags: LOG_FLAGS, text_flags: &[], operands: Operands::Any },
    Subcommand {
        name: "log",
        flags: LOG_FLAGS,
        text_flags: &["-n", "--author", "--grep", "--format", "--since", "--until"],
        operands: Operands::Any,
    },
    Subcommand { name: "show", flags: LOG_FLAGS, text_flags: &["--format"], operands: Operands::Any },
    Subcommand {
        name: "show-ref",
        flags: &["--heads", "--tags", "-q", "--verify"],
        text_flags: &[],
        operands: Operands::Any,
    },
    Subcommand {
        name: "branch",
        flags: &["-a", "-r", "-v", "-vv", "--list", "--show-current", "-d", "-D", "-m", "--all"],
        text_flags: &[],
        operands: Operands::Any,
    },
    Subcommand {
        name: "tag",
        flags: &["-l", "--list", "-d", "-a"],
        text_flags: &["-m"],
        operands: Operands::Any,
    },
    Subcommand {
        name: "remote",
        flags: &["-v", "--verbose"],
        text_flags: &[],
        operands: Operands::First(&["show", "get-url"]),
    },
    Subcommand {
        name: "rm",
        flags: &["-r", "-f", "-rf", "--cached", "-q"],
        text_flags: &[],
        operands: Operands::Any,
    },
    Subcommand { name: "mv", flags: &["-f", "-v", "-k"], text_flags: &[], operands: Operands::Any },
    Subcommand {
        name: "merge",
        flags: &["--no-ff", "--ff-only", "--abort", "--continue", "--no-edit", "-q", "--no-verify"],
        text_flags: &["-m", "-X", "-s"],
        operands: Operands::Any,
    },
    Subcommand {
        name: "worktree",
        flags: &["-b", "--force", "-f", "--detach", "--porcelain"],
        text_flags: &[],
        operands: Operands::First(&["add", "remove", "list"]),
    },
    Subcommand {
        name: "ls-tree",
        flags: &["-r", "-l", "--name-only", "-d", "-t"],
        text_flags: &[],
        operands: Operands::Any,
    },
];

/// Keys that only name people and looks.
const SETTINGS: [&str; 8] = [
    "user.name",
    "user.email",
    "init.defaultbranch",
    "pull.rebase",
    "push.default",
    "core.autocrlf",
    "commit.gpgsign",
    "color.ui",
];

/// Whether the words of a git invocation are in the table; `inside` says whether a path lies in the roots.
pub(crate) fn confined(invocation: &Invocation, inside: impl Fn(&str) -> bool) -> bool {
    let Some(words) =
        invocation.words.iter().skip(1).map(|word| word.value.known()).collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let mut rest = words.as_slice();
    if let ["-C", directory, after @ ..] = rest {
        // From the starting directory this is the path itself; `inside` already stands in it.
        let _ = directory;
        rest = after;
    }
    while let ["-c", setting, after @ ..] = rest {
        if !setting.starts_with("http.extraHeader=") {
            return false;
        }
        rest = after;
    }
    let [name, arguments @ ..] = rest else { return false };
    TABLE.iter().find(|known| known.name == *name).is_some_and(|known| known.accepts(arguments, &inside))
}

impl Subcommand {
    fn accepts(&self, arguments: &[&str], inside: &impl Fn(&str) -> bool) -> bool {
        let mut operands = Vec::new();
        let mut words = arguments.iter().copied();
        let mut only_paths = false;
        while let Some(word) = words.next() {
            if only_paths || !word.starts_with('-') || word == "-" {
                operands.push(word);
            } else if word == "--" {
                only_paths = true;
            } else if self.text_flags.contains(&word) {
                if words.next().is_none() {
                    return false;
                }
            } else if !self.knows(word) {
                return false;
            }
        }
        let paths_inside = || operands.iter().all(|operand| !path_like(operand) || inside(operand));
        match self.operands {
            Operands::Any => paths_inside(),
            Operands::Remote => {
                operands.first().is_none_or(|remote| is_name(remote))
                    && operands.iter().skip(1).all(|word| is_reference(word))
            }
            Operands::First(allowed) => {
                operands.first().is_none_or(|first| allowed.contains(first)) && paths_inside()
            }
            Operands::Setting => {
                operands.first().is_none_or(|key| SETTINGS.contains(&key.to_ascii_lowercase().as_str()))
            }
        }
    }

    fn knows(&self, flag: &str) -> bool {
        self.flags.iter().any(|known| {
            *known == flag || (known.ends_with('=') && flag.len() > known.len() && flag.starts_with(known))
        })
    }
}

fn path_like(operand: &str) -> bool {
    operand.contains(['/', '~', '\\']) || operand.starts_with('.') || operand.contains(':')
}

fn is_name(remote: &str) -> bool {
    !remote.is_empty()
        && remote
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.'))
        && !remote.starts_with(['.', '-'])
}

/// A ref or `from:to`, without a forcing `+`.
fn is_reference(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(['+', '-', '/', '.', '~'])
        && !word.contains("..")
        && word.chars().all(|character| {
            character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.' | '/' | ':')
        })
        && !word.contains("//")
}
