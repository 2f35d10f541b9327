//! Programs that print names of files one a line, and programs that hand lines on as they are.
//! Lists of what is known: another option or operand makes the output unknown.

use super::{Separator, Stored};

/// Whether a name given on the command line stays below the working directory, whatever it names.
fn stays(name: &str) -> bool {
    !name.starts_with(['/', '~', ':', '-']) && name.split('/').all(|part| part != "..")
}

/// Options with the program's operands behind them, in their order; `None` when one is not among `plain` (whole
/// words), `letters` (in clusters) and `valued` (which take the next word).
fn operands<'w>(words: &[&'w str], plain: &[&str], letters: &str, valued: &[&str]) -> Option<Vec<&'w str>> {
    let mut operands = Vec::new();
    let mut words = words.iter().copied();
    let mut options = true;
    while let Some(word) = words.next() {
        if !options || !word.starts_with('-') || word == "-" {
            operands.push(word);
        } else if word == "--" {
            options = false;
        } else if valued.contains(&word) {
            words.next()?;
        } else if !plain.contains(&word) {
            let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
            if !cluster.chars().all(|letter| letters.contains(letter)) {
                return None;
            }
        }
    }
    Some(operands)
}

/// Whether one of these is given: a letter in a cluster, or a whole word, values of other options left out.
pub(super) fn zeros(words: &[&str], valued: &[&str], letter: &str, whole: &[&str]) -> bool {
    let mut words = words.iter().take_while(|word| **word != "--");
    while let Some(word) = words.next() {
        let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        if valued.contains(word) {
            words.next();
        } else if whole.contains(word) || cluster.is_some_and(|cluster| cluster.contains(letter)) {
            return true;
        }
    }
    false
}

/// Names that git prints. They are relative and without `..`, because those in its index and its trees are
/// (git-check-ref-format and git-update-index refuse others); but they may begin with a dash, and a name in a tree or
/// in the index need not be that of a file which is there.
pub(super) struct Listing<'w> {
    pub(super) separator: Separator,
    pub(super) stored: Stored,
    /// It keeps to these.
    pub(super) paths: Vec<&'w str>,
    /// Names are written from where git runs, not from the top of the working tree, and nothing stands in front.
    pub(super) relative: bool,
}

/// Whether every name that git finds by this path begins with it, as it is written here: no pattern, not `.`, nothing in
/// front that git takes away (`./-x` is printed as `-x`), and no dash.
pub(super) fn begins(path: &str) -> bool {
    let first = path.split('/').find(|part| !matches!(*part, "" | ".")).unwrap_or_default();
    !first.is_empty() && !first.starts_with('-') && !path.contains(['*', '?', '[', '\\'])
}

pub(super) fn git<'w>(words: &[&'w str]) -> Option<Listing<'w>> {
    let (subcommand, rest) = words.split_first()?;
    let (stored, paths) = match *subcommand {
        "ls-files" => (
            Stored::Index,
            operands(
                rest,
                &["--cached", "--others", "--modified", "--deleted", "--exclude-standard"],
                "comdz",
                &[],
            )?,
        ),
        "diff" | "diff-index" | "diff-tree" => compared(subcommand, rest)?,
        "ls-tree" => {
            let all = operands(rest, &["--name-only"], "rz", &[])?;
            if !rest.contains(&"--name-only") {
                return None;
            }
            (Stored::Trees, all.get(1..).unwrap_or_default().to_vec())
        }
        "grep" => {
            let lists = ["-l", "-L", "-lz", "--files-with-matches", "--files-without-match", "--name-only"];
            let all = operands(rest, &lists, "lLziwEFP", &["-e"])?;
            let given = rest.contains(&"-e");
            if !rest.iter().any(|word| lists.contains(word)) || all.is_empty() && !given {
                return None;
            }
            // Names in a tree have the revision in front: that is an operand, too.
            (Stored::Index, all.get(usize::from(!given)..).unwrap_or_default().to_vec())
        }
        _ => return None,
    };
    let separator = if zeros(words, &["-e"], "z", &[]) { Separator::Nul } else { Separator::Line };
    let relative = matches!(*subcommand, "ls-files" | "ls-tree");
    paths.iter().all(|path| stays(path)).then_some(Listing { separator, stored, paths, relative })
}

/// What `git diff` and its kin compare by name, and the paths that they keep to: those behind `--`, because another
/// operand may be a revision.
fn compared<'w>(subcommand: &str, rest: &[&'w str]) -> Option<(Stored, Vec<&'w str>)> {
    let plain = ["--name-only", "--cached", "--staged", "--relative", "--no-renames"];
    let filters: Vec<&str> = rest.iter().filter_map(|word| word.strip_prefix("--diff-filter=")).collect();
    let rest: Vec<&str> = rest.iter().filter(|word| !word.starts_with("--diff-filter=")).copied().collect();
    let end = rest.iter().position(|word| *word == "--").unwrap_or(rest.len());
    let (before, behind) = rest.split_at_checked(end)?;
    if !before.contains(&"--name-only") {
        return None;
    }
    let revisions = operands(before, &plain, "rz", &[])?;
    // Given two paths, of which one is elsewhere, it compares those.
    if !revisions.iter().all(|revision| stays(revision)) {
        return None;
    }
    // Without deleted files all are in the index (git-diff(1), `--diff-filter`; small letters leave out).
    let kept = |filter: &&str| {
        filter.bytes().all(|byte| byte.is_ascii_uppercase() && byte != b'D') && !filter.is_empty()
    };
    let there = !filters.is_empty() && filters.iter().all(kept);
    let several = |revision: &&str| ["..", "^!", "^@", "^-", ":"].iter().any(|mark| revision.contains(mark));
    let staged = before.iter().any(|word| matches!(*word, "--cached" | "--staged"));
    let stored = match &*revisions {
        [] if subcommand == "diff" && (!staged || there) => Stored::Index,
        [revision] if subcommand != "diff-tree" && there && !several(revision) => Stored::Index,
        _ => Stored::Trees,
    };
    Some((stored, behind.get(1..).unwrap_or_default().to_vec()))
}

/// `ls` of at most one directory; with `-a` one of the names would be `..`, and with a line feed in it the operand
/// is not one line.
pub(super) fn ls(words: &[&str]) -> bool {
    operands(words, &[], "1ArtSUX", &[]).is_some_and(|paths| {
        paths.len() < 2
            && paths.iter().all(|path| stays(path) && !path.contains('\n') && !crate::look::edged(path))
    })
}

/// Options of `rg` and `fd` whose next word is a value.
pub(super) const VALUED: &[&str] = &[
    "-e",
    "--extension",
    "--regexp",
    "-t",
    "--type",
    "-T",
    "--type-not",
    "-E",
    "--exclude",
    "-d",
    "--max-depth",
    "-g",
    "--glob",
];

/// Whether `fd` is told to list regular files and nothing else.
pub(super) fn only_files(words: &[&str]) -> bool {
    let mut types = words.windows(2).filter(|pair| matches!(pair, ["-t" | "--type", _])).peekable();
    types.peek().is_some() && types.all(|pair| matches!(pair, [_, "f" | "file"]))
}

/// The operands of `rg` and `fd`, and how many of them are patterns, when all that they print are names.
pub(super) fn searched<'w>(program: &str, words: &[&'w str]) -> Option<(Vec<&'w str>, usize)> {
    if program == "fd" {
        let plain = ["--print0", "--hidden", "--no-ignore", "--glob", "--fixed-strings"];
        let valued = ["-e", "--extension", "-t", "--type", "-E", "--exclude", "-d", "--max-depth"];
        return operands(words, &plain, "0HIisgF", &valued).map(|all| (all, 1));
    }
    let plain = ["--files", "--files-with-matches", "--null", "--hidden", "--no-ignore"];
    let valued = ["-g", "--glob", "-t", "--type", "-T", "--type-not", "-e", "--regexp"];
    let all = operands(words, &plain, "l0iwFSs", &valued)?;
    let files = words.contains(&"--files");
    let lists = files
        || words.iter().any(|word| {
            *word == "--files-with-matches"
                || word.starts_with('-') && !word.starts_with("--") && word.contains('l')
        });
    let given = words.iter().any(|word| matches!(*word, "-e" | "--regexp"));
    lists.then_some((all, usize::from(!files && !given)))
}

/// Whether a program without operands prints pieces of its input as they are, some left out or in another order, and
/// what ends a piece where that matters.
pub(super) fn hands_on(program: &str, words: &[&str]) -> Option<Option<Separator>> {
    let valued: &[&str] = match program {
        "head" | "tail" | "shuf" => &["-n", "--lines"],
        "grep" | "egrep" | "fgrep" => &["-e"],
        _ => &[],
    };
    let separator = if zeros(words, valued, "z", &[]) { Separator::Nul } else { Separator::Line };
    hands_pieces_on(program, words).then_some((program != "cat").then_some(separator))
}

fn hands_pieces_on(program: &str, words: &[&str]) -> bool {
    match program {
        "cat" | "tac" => words.is_empty(),
        "sort" => operands(words, &[], "urVfnhz", &[]).is_some_and(|files| files.is_empty()),
        "uniq" => operands(words, &[], "uiz", &[]).is_some_and(|files| files.is_empty()),
        "shuf" => operands(words, &[], "z", &["-n"]).is_some_and(|files| files.is_empty()),
        "head" | "tail" => {
            // `-5`, `-n5`; a number alone is a file.
            let count = |word: &str| {
                let digits = word.strip_prefix('-').map(|rest| rest.strip_prefix('n').unwrap_or(rest));
                digits.is_some_and(|digits| {
                    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
                })
            };
            let rest: Vec<&str> = words.iter().copied().filter(|word| !count(word)).collect();
            operands(&rest, &[], "qz", &["-n", "--lines"]).is_some_and(|files| files.is_empty())
        }
        // Not `-o`, which prints parts of lines.
        "grep" | "egrep" | "fgrep" => operands(words, &[], "viwEFxz", &["-e"])
            .is_some_and(|all| all.len() == usize::from(!words.contains(&"-e"))),
        _ => false,
    }
}
