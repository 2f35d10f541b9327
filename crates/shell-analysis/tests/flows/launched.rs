//! Words of commands that start others, some of them not known: an action, its end, an option or its value may stand
//! in any of them.

/// What `x` and `y` hold; the analysis knows one way of setting them and not the others.
const VALUES: &[(&str, &str)] = &[
    ("-exec", "';'"),
    ("';'", "-exec"),
    ("'; -exec'", "{}"),
    ("''", "-exec"),
    ("-n1", "rm"),
    ("-I", "{}"),
    ("A=b", "rm"),
    ("-u", "A"),
    ("'-exec rm'", "+"),
    ("rm", "''"),
    ("--", "-S"),
    ("'1 rm'", "-k"),
    ("'-exec rm {} ;'", "-execdir"),
];

/// Ways to set them.
const SETTERS: &[&str] =
    &["read x <<< X; read y <<< Y", "x=X y=Y", "for x in X; do :; done; IFS= read -r y <<< Y"];

/// Commands with places for words.
const COMMANDS: &[&str] = &[
    "find . -maxdepth 0 §1 §2 §3 rm {} \\;",
    "find §1 . -maxdepth 0 §2 rm §3 \\; -exec p {} \\;",
    "find . -maxdepth 0 -exec p §1 §2 rm §3 \\;",
    "find . -maxdepth 0 -exec p §1 {} §2 §3 +",
    "find §1 §2 §3 -maxdepth 0 -exec p {} +",
    "find §1 -maxdepth 0 §2 rm §3",
    "find . -maxdepth 0 §1 §2 §3",
    "p | xargs §1 §2 §3 p",
    "p | xargs §1 rm §2 §3",
    "env §1 §2 §3 p",
    "env §1 rm §2 §3",
    "timeout 5 §1 §2 §3 p",
    "timeout §1 5 §2 rm §3",
    "nice §1 §2 §3 p",
    "nohup §1 §2 rm §3",
    "command §1 §2 §3 p",
    "builtin §1 command §2 rm §3",
    "eval §1 §2 §3 p",
    "exec §1 §2 §3 p",
    "bash §1 -c §2 §3 p",
    "bash -c 'rm \"$@\"; $1 $0' §1 §2 §3",
    "time §1 §2 §3 p",
    "! §1 §2 §3 p",
    "trap §1 EXIT; §2 §3 p",
];

/// What may stand in each place.
pub(crate) const WORDS: &[&str] = &[
    "$x", "$y", "\"$x\"", "\"$y\"", "$x$y", "$1", "\"$1\"", "${z:-$x}", "-exec", "\\;", "+", "{}", "rm",
    "-n1", "-I {}", "--", "-o", "A=b", "p", "",
];

/// Every command with every value and way to set it, with an end after which nothing else runs.
pub(crate) fn frames() -> Vec<String> {
    let mut frames = Vec::new();
    for command in COMMANDS {
        for setter in SETTERS {
            for (x, y) in VALUES {
                frames.push(format!("{}; {command}", setter.replace('X', x).replace('Y', y)));
            }
        }
    }
    frames
}
