//! find: an expression, not options (findutils manual 2 and 3). `-exec` is followed by the plan.

use std::cell::OnceCell;

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{Directories, EffectKind, PathTarget, Value};

pub(super) const SPECS: &[Spec] = &[Spec::new(&["find", "gfind"], "", Operands::Custom(find)).stops()];

/// Tests and actions without an argument that only look and print.
const PLAIN: &[&str] = &[
    "-a",
    "-and",
    "-o",
    "-or",
    "-not",
    "-true",
    "-false",
    "-print",
    "-print0",
    "-prune",
    "-quit",
    "-empty",
    "-executable",
    "-readable",
    "-writable",
    "-nouser",
    "-nogroup",
    "-depth",
    "-d",
    "-daystart",
    "-follow",
    "-mount",
    "-xdev",
    "-ignore_readdir_race",
    "-noignore_readdir_race",
    "-noleaf",
    "-ls",
    "-warn",
    "-nowarn",
    "-help",
    "--help",
    "-version",
    "--version",
    "-E",
    "-X",
    "-x",
    "-s",
];
/// The same with one argument.
const ONE: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-ilname",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-atime",
    "-ctime",
    "-mmin",
    "-amin",
    "-cmin",
    "-used",
    "-uid",
    "-gid",
    "-user",
    "-group",
    "-perm",
    "-links",
    "-inum",
    "-maxdepth",
    "-mindepth",
    "-fstype",
    "-regextype",
    "-printf",
    "-context",
    "-D",
];
/// The same with a path that is looked at.
const PATH: &[&str] = &["-newer", "-anewer", "-cnewer", "-samefile"];

fn find(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    // The generic reading does not apply to an expression.
    let words = build.words;
    build.restart();
    let mut index = 1;
    let mut any = false;
    while let Some(word) = words.get(index) {
        match word.value.known() {
            Some("-H" | "-L" | "-P" | "-O0" | "-O1" | "-O2" | "-O3" | "--") => {}
            Some(text) if text.starts_with(['-', '(', ')', '!', ',']) => break,
            Some(_) => {
                any = true;
                build.metadata(&word.value, word.span);
            }
            None => {
                let below = matches!(&word.value, Value::PathBelow(names) if !names.dashes);
                let safe_glob = matches!(&word.value, Value::Glob(glob) if !glob.prefix.is_empty() && !glob.prefix.starts_with(['-', '(', '!', ')', ',']));
                if !below && !safe_glob {
                    build.opaque(word.span, "a word that may be part of the expression".to_owned());
                }
                any = true;
                build.metadata(&word.value, word.span);
            }
        }
        index += 1;
    }
    // Taken by the first `-delete`: a second one says nothing new.
    let starts: Vec<&crate::Argument> = words
        .get(1..index)
        .unwrap_or_default()
        .iter()
        .filter(|word| word.value.known().is_none_or(|text| !text.starts_with('-')))
        .collect();
    let mut starts = Some(starts);
    if !any {
        build.metadata(&Value::Known(".".into()), build.span_of(0));
    }
    let mut names = Names::default();
    while let Some(word) = words.get(index) {
        index += 1;
        let Some(text) = word.value.known() else {
            build.opaque(word.span, "a word of the expression that is not known".to_owned());
            continue;
        };
        names.read(text, words.get(index).and_then(|word| word.value.known()));
        if matches!(text, "(" | ")" | "!" | ",") || PLAIN.contains(&text) {
            continue;
        }
        let newer = text.strip_prefix("-newer").is_some_and(|rest| rest.len() == 2);
        if ONE.contains(&text) {
            let splits = words.get(index).is_some_and(|word| word.splits);
            if splits {
                build.opaque(word.span, format!("the argument of `{text}` may be several words"));
            }
            index += 1;
        } else if PATH.contains(&text) || newer {
            if let Some(path) = words.get(index) {
                if path.splits {
                    build.opaque(path.span, format!("the argument of `{text}` may be several words"));
                }
                if !text.ends_with('t') || !newer {
                    build.metadata(&path.value, path.span);
                }
            }
            index += 1;
        } else {
            index = action(build, text, index, word.span, &mut starts, &mut names);
        }
    }
}

/// The most names that are told apart.
const MOST_NAMES: usize = 64;

/// The patterns one of which the name of whatever gets this far matches: an expression is read from the left, `-o`
/// begins an alternative, and only the last part of a list with commas has its value (findutils manual 2.11).
#[derive(Default)]
struct Names {
    /// The groups that are open, outermost first.
    groups: Vec<Group>,
    last: Group,
    negated: bool,
    /// What [`Names::can_be_said`] found.
    said: OnceCell<bool>,
    /// How many names have been told apart so far; from [`MOST_NAMES`] on, none any more.
    told: usize,
}

#[derive(Default)]
struct Group {
    /// Of the alternatives before this one; none when one of them lets through any name.
    before: Option<Vec<String>>,
    alternatives: bool,
    /// Of this alternative.
    names: Option<Vec<String>>,
    /// `!` stands before the group.
    negated: bool,
}

impl Group {
    /// What the whole group lets through.
    fn all(self) -> Option<Vec<String>> {
        match (self.negated, self.alternatives, self.names, self.before) {
            (false, false, names, _) => names,
            (false, true, Some(names), Some(before)) => both(before, names),
            _ => None,
        }
    }
}

impl Names {
    /// One word of the expression and the one behind it.
    fn read(&mut self, text: &str, argument: Option<&str>) {
        match text {
            "(" => {
                if self.groups.len() >= MOST_NAMES {
                    self.told = MOST_NAMES;
                }
                self.groups.push(std::mem::take(&mut self.last));
                self.last.negated = std::mem::take(&mut self.negated);
            }
            ")" => {
                let inner = std::mem::replace(&mut self.last, self.groups.pop().unwrap_or_default()).all();
                self.last.names = self.last.names.take().or(inner);
            }
            "-o" | "-or" => {
                let names = self.last.names.take();
                let before = self.last.before.take();
                self.last.before = match (self.last.alternatives, names, before) {
                    (false, names, _) => names,
                    (true, Some(names), Some(before)) => both(before, names),
                    (true, _, _) => None,
                };
                self.last.alternatives = true;
            }
            "," => self.last = Group { negated: self.last.negated, ..Group::default() },
            "!" | "-not" => self.negated = !self.negated,
            "-a" | "-and" => {}
            _ => {
                let pattern = argument.filter(|_| matches!(text, "-name" | "-iname") && !self.negated);
                let pattern = pattern.and_then(|pattern| plain(pattern, text == "-iname"));
                self.last.names = self.last.names.take().or(pattern.map(|pattern| vec![pattern]));
                self.negated = false;
            }
        }
    }

    /// Whether what lies below the starts can be said by its name. `.` itself has no name that a test could let through,
    /// another start may be a file; and only where nothing was changed into and no link is followed is what lies
    /// below it what is called so.
    fn can_be_said(&self, build: &Build<'_>, starts: &[&crate::Argument]) -> bool {
        *self.said.get_or_init(|| {
            let cwd = build.settings.cwd;
            let here = matches!(build.directories(), Directories::Known(all) if all.iter().eq([cwd]));
            let plain = !cwd.ends_with('/') && !cwd.contains(['*', '?', '[', '{', '(', '\\']);
            let dots = starts.iter().all(|start| matches!(start.value.known(), Some("." | "./")));
            let follows = build.words.iter().any(|word| matches!(word.value.known(), Some("-L" | "-follow")));
            here && plain && dots && !follows
        })
    }

    /// Those of the innermost part of the expression that has any.
    fn here(&self) -> Option<&[String]> {
        if self.told >= MOST_NAMES {
            return None;
        }
        let names = self.last.names.as_ref();
        names.or_else(|| self.groups.iter().rev().find_map(|group| group.names.as_ref())).map(Vec::as_slice)
    }
}

/// Names of two alternatives; more than a few say no more than that anything may go.
fn both(mut before: Vec<String>, mut names: Vec<String>) -> Option<Vec<String>> {
    before.append(&mut names);
    (before.len() <= MOST_NAMES).then_some(before)
}

/// A pattern that means the same everywhere and leaves most names out; in either case, if asked for.
fn plain(pattern: &str, any_case: bool) -> Option<String> {
    let known = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-' | '*' | '?');
    if !pattern.chars().all(known) || !pattern.contains(char::is_alphanumeric) {
        return None;
    }
    let both = |letter: char| match (letter.is_ascii_alphabetic(), letter.is_ascii()) {
        (true, _) => format!("[{}{}]", letter.to_ascii_lowercase(), letter.to_ascii_uppercase()),
        (_, true) => letter.to_string(),
        _ => "?".to_owned(),
    };
    Some(if any_case { pattern.chars().map(both).collect() } else { pattern.to_owned() })
}

/// Deletes what has one of these names below the working directory.
fn delete_named(build: &mut Build<'_>, names: &[String], span: crate::Span) {
    let cwd = build.settings.cwd;
    for name in names {
        let path = PathTarget::Glob(format!("{cwd}/**/{name}"), cwd.to_owned());
        build.push(EffectKind::Delete { path, recursive: false }, span);
    }
}

/// Actions that do more than print; the index behind them.
fn action(
    build: &mut Build<'_>,
    text: &str,
    mut index: usize,
    span: crate::Span,
    starts: &mut Option<Vec<&crate::Argument>>,
    names: &mut Names,
) -> usize {
    let words = build.words;
    match text {
        "-delete" => {
            build.hazard(index - 1);
            // What only some names are taken of may be taken whole later in the expression.
            if let (Some(named), Some(all)) = (names.here(), starts.as_ref())
                && names.can_be_said(build, all)
            {
                let told = named.len();
                delete_named(build, named, span);
                names.told += told;
                return index;
            }
            let starts = starts.take();
            if starts.as_ref().is_some_and(Vec::is_empty) {
                build.delete(&Value::Known(".".into()), true, span);
            }
            for start in starts.into_iter().flatten() {
                build.delete(&start.value, true, span);
            }
        }
        "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
            build.hazard(index - 1);
            build.hazard(index);
            match words.get(index) {
                Some(file) => build.write(&file.value, file.span),
                None => build.push(EffectKind::Write(PathTarget::Unknown), span),
            }
            index += if text == "-fprintf" { 2 } else { 1 };
        }
        "-exec" | "-execdir" | "-ok" | "-okdir" => {
            build.hazard(index - 1);
            if text.starts_with("-ok") {
                build.push(EffectKind::Terminal, span);
            }
            let mut ended = false;
            while let Some(word) = words.get(index) {
                let previous = index.checked_sub(1).and_then(|index| build.word(index));
                index += 1;
                match word.value.known() {
                    Some(";") => ended = true,
                    Some("+") if previous == Some("{}") => ended = true,
                    Some(_) => build.hazard(index - 1),
                    None => {
                        if word.splits {
                            build.opaque(word.span, "a word that may end the command".to_owned());
                        }
                    }
                }
                if ended {
                    break;
                }
            }
            if !ended {
                build.opaque(span, format!("`{text}` without its end"));
            }
        }
        _ => {
            build.hazard(index - 1);
            build.opaque(span, format!("`{text}` is an expression that is not known"));
        }
    }
    index
}
