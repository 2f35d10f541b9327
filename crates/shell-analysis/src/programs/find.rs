//! find: an expression, not options (findutils manual 2 and 3). `-exec` is followed by the plan.

mod names;

use names::Names;

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Value};

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
                    build.opaque(word.span, "a word that may be part of the expression");
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
            build.opaque(word.span, "a word of the expression that is not known");
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

/// Deletes what has one of these names below the working directory.
fn delete_named(build: &mut Build<'_>, names: &[String], span: crate::Span) {
    let cwd = build.settings.cwd;
    for name in names {
        let path = PathTarget::Glob([cwd, "/**/", name].concat(), cwd.to_owned());
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
                            build.opaque(word.span, "a word that may end the command");
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
