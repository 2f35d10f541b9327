//! Programs with subcommands, as tables: the words that name one, its flags, its operands, and what it does.

use super::{
    Build,
    flags::{self, Reading, Slot},
    git_repository,
    project_overrides::{Tool, project_code},
    spec::{Operands, Parsed},
    verb_index,
};
use crate::{Directories, EffectKind, PathTarget, Span, Value, as_written, lies_inside};

/// A program with subcommands, or a group of them (`docker compose`).
pub(crate) struct Program {
    /// Flags that may stand in front of the subcommand, and behind it where it has none of that name.
    pub(super) general: &'static str,
    /// The subcommands; the row whose words are the longest match counts.
    pub(super) verbs: &'static [Verb],
    /// Whose files may choose the program that really runs.
    pub(super) tool: Option<Tool>,
    /// `--help` behind a subcommand prints and does nothing else.
    pub(super) helps: bool,
    /// `-name` is a long flag.
    pub(super) one_dash: bool,
    /// Words that begin so may stand in front of the subcommand (`cargo +nightly`).
    pub(super) prefix: Option<char>,
    /// A value that may begin with a dash is an option and no value (clap's optional values).
    pub(super) loose: bool,
}

impl Program {
    pub(super) const fn new(general: &'static str, verbs: &'static [Verb]) -> Self {
        Self { general, verbs, tool: None, helps: true, one_dash: false, prefix: None, loose: false }
    }

    /// A project's files may choose which program it is.
    pub(super) const fn chosen(self, tool: Tool) -> Self {
        Self { tool: Some(tool), ..self }
    }

    /// Flags of several letters have one dash.
    pub(super) const fn one_dash(self) -> Self {
        Self { one_dash: true, ..self }
    }

    /// `--help` may do something, or is not listed.
    pub(super) const fn no_help(self) -> Self {
        Self { helps: false, ..self }
    }
}

/// One subcommand.
pub(crate) struct Verb {
    /// Words with blanks between them, alternatives with `|`; empty: without any subcommand; `*`: any other first
    /// word, which is an operand then.
    pub(super) words: &'static str,
    pub(super) flags: &'static str,
    pub(super) operands: Operands,
    /// All of this, beside what its flags and operands do. Nothing: it only reports.
    pub(super) does: &'static [Does],
    /// Options end at the first operand.
    pub(super) stops: bool,
}

impl Verb {
    /// What follows the first operand belongs to something else.
    pub(super) const fn stops(self) -> Self {
        Self { stops: true, ..self }
    }
}

/// A row.
pub(super) const fn verb(
    words: &'static str,
    flags: &'static str,
    operands: Operands,
    does: &'static [Does],
) -> Verb {
    Verb { words, flags, operands, does, stops: false }
}

/// What a subcommand does.
pub(crate) enum Does {
    /// Only reports, but the program that runs may be one that the project chooses.
    Project,
    /// Only reports, but code that lies in the project runs for it: fine in a trusted project only.
    Trusted,
    /// Only reports, unless a configuration of the project says more.
    Obeys(Tool),
    /// Reads this file of the working directory.
    Reads(&'static str),
    /// Talks to one host that no word chooses.
    Host(&'static str),
    /// Talks to others, as its words or the configuration say.
    Network,
    /// Changes something that is elsewhere: a registry, a cluster, an account.
    Remote,
    /// Runs code of the project or of what it fetches.
    Execute,
    /// Runs its first operand.
    ExecuteFirst,
    /// Writes this path or glob, relative to the working directory.
    Write(&'static str),
    /// Writes below this directory.
    Below(&'static str),
    /// Removes this directory with everything in it.
    Delete(&'static str),
    /// Changes the machine: packages, services, containers.
    System,
    /// Signals or traces other processes.
    Process,
    /// Prints what may be a secret.
    Secrets,
    /// The terminal itself.
    Terminal,
    /// Something else that is never automatic, and what.
    Opaque(&'static str),
    /// Operands, also.
    On(Operands),
    /// With one of these flags.
    If(&'static [&'static str], &'static [Does]),
    /// With none of these flags.
    Unless(&'static [&'static str], &'static [Does]),
    /// With this many operands or more.
    From(usize, &'static [Does]),
    /// With fewer operands.
    Under(usize, &'static [Does]),
    /// A group with flags and subcommands of its own.
    Group(&'static Program),
}

/// Only reports.
pub(super) const REPORTS: &[Does] = &[];
/// Only reports, where the project chooses no program.
pub(super) const PROJECT: &[Does] = &[Does::Project];
/// Only reports, where the project is trusted.
pub(super) const TRUSTED: &[Does] = &[Does::Trusted];
/// Runs the project's code.
pub(super) const EXECUTES: &[Does] = &[Does::Execute];
/// Changes the machine.
pub(super) const SYSTEM: &[Does] = &[Does::System];
/// Changes something elsewhere.
pub(super) const REMOTE: &[Does] = &[Does::Remote];
/// Prints secrets.
pub(super) const SECRETS: &[Does] = &[Does::Secrets];

/// Every subcommand of a program with all its words, those of groups included; alternatives are spelled out by
/// their first name only.
pub(super) fn rows(program: &'static Program) -> Vec<(Vec<&'static str>, &'static Program, &'static Verb)> {
    let mut all = Vec::new();
    for row in program.verbs {
        let words: Vec<&'static str> = row
            .words
            .split_ascii_whitespace()
            .map(|names| names.split('|').next().unwrap_or(names))
            .filter(|word| *word != "*")
            .collect();
        match row.does {
            [Does::Group(group)] => {
                all.extend(rows(group).into_iter().map(|(inner, program, row)| {
                    (words.iter().copied().chain(inner).collect(), program, row)
                }));
            }
            _ => all.push((words, program, row)),
        }
    }
    all
}

/// Applies a program's table to the words from `start` on.
pub(super) fn run(build: &mut Build<'_>, program: &'static Program, start: usize) {
    let mut start = start;
    if let Some(prefix) = program.prefix
        && build.word(start).is_some_and(|word| word.starts_with(prefix))
    {
        // `cargo +/x` runs `/x/bin/cargo`: rustup takes the path of a toolchain for its name.
        if build.word(start).is_some_and(|word| word.contains('/')) {
            build.opaque(build.span_of(start), "a directory with programs of its own");
        }
        start += 1;
    }
    let general = Reading {
        flags: program.general,
        general: "",
        safe: false,
        stops: true,
        one_dash: program.one_dash,
        equals: true,
    };
    let before = build.checkpoint();
    let leading = build.parse_as(start, &general);
    let first = leading.operands.first().copied();
    let Some((row, used)) = find(build, program, &leading) else {
        // `build X`: some harmful flags count wherever they stand.
        build.rewind(before);
        build.parse_as(start, &Reading { stops: false, ..general });
        let at = first.unwrap_or(start);
        let name = build.word(0).unwrap_or_default();
        let text = match first.and_then(|index| build.word(index)) {
            Some(word) => format!("`{name} {word}` is not known"),
            None => "a subcommand that is not known".to_owned(),
        };
        build.opaque(build.span_of(at), text);
        return;
    };
    if let [Does::Group(group)] = row.does {
        let next = first.map_or(build.words.len(), |index| index + used);
        run(build, group, next);
        return;
    }
    let reading = Reading { flags: row.flags, general: program.general, stops: row.stops, ..general };
    let parsed = if used == 0 {
        // What stands in front of the first operand belongs to the row too.
        build.rewind(before);
        build.parse_as(start, &reading)
    } else {
        let mut parsed = build.parse_as(first.map_or(build.words.len(), |index| index + used), &reading);
        dashed_values(build, program, &leading);
        parsed.flags.extend(leading.flags.iter().copied());
        parsed
    };
    if row.stops {
        // Whether what follows is for another program is for that program's documentation to say.
        let past = flags::parse_as(build.words, start, &Reading { stops: false, ..reading });
        past.flags.iter().filter(|flag| flag.harms()).for_each(|flag| build.hazard(flag.word));
    }
    dashed_values(build, program, &parsed);
    let bare = |flag: &super::flags::Flag<'_>| {
        matches!(flag.name, "help" | "h") && flag.kind == b' ' && flag.value.is_none()
    };
    if program.helps && parsed.flags.iter().any(bare) {
        if let Some(tool) = program.tool {
            project_code(build, tool);
        }
        if program.verbs.iter().any(|verb| needs_trust(verb.does)) {
            apply(build, program, &Does::Trusted, &parsed, build.span_of(0));
        }
        return;
    }
    build.operands(row.operands, &parsed);
    let span = build.span_of(first.unwrap_or(0));
    all(build, program, row.does, &parsed, span);
    // Whatever the row does, a program that the project chooses does something else.
    if let Some(tool) = program.tool.filter(|_| !row.does.iter().any(|one| matches!(one, Does::Project))) {
        project_code(build, tool);
    }
}

/// What only reports and yet runs code of the project runs it as soon as it starts, before it looks at its words.
fn needs_trust(does: &[Does]) -> bool {
    does.iter().any(|one| match one {
        Does::Trusted => true,
        Does::If(_, inner) | Does::Unless(_, inner) | Does::From(_, inner) | Does::Under(_, inner) => {
            needs_trust(inner)
        }
        Does::Group(group) => group.verbs.iter().any(|verb| needs_trust(verb.does)),
        _ => false,
    })
}

/// `-p --config=x`: parsers differ in whether a word with a dash is a value. As a number it is one.
fn dashed_values(build: &mut Build<'_>, program: &Program, parsed: &Parsed<'_>) {
    for flag in &parsed.flags {
        let Some(Slot::Word(word)) = flag.value else { continue };
        let option = match word.value.known() {
            Some(text) => text.len() > 1 && text.starts_with('-') && text.parse::<f64>().is_err(),
            None => program.loose,
        };
        if option {
            build.hazard(flag.word);
            build.hazard(flag.word + 1);
            build.opaque(word.span, format!("the value of `{}` may be an option", flag.name));
        }
    }
}

/// The row that matches the longest run of words, and how many words it takes.
fn find(
    build: &Build<'_>,
    program: &'static Program,
    leading: &Parsed<'_>,
) -> Option<(&'static Verb, usize)> {
    let Some(first) = leading.operands.first().copied() else {
        return program.verbs.iter().find(|verb| verb.words.is_empty()).map(|verb| (verb, 0));
    };
    let index = verb_index::of(program.verbs)?;
    let mut best: Option<(&'static Verb, usize)> = None;
    let begun = build.word(first).map(|word| index.begun_by(word)).unwrap_or_default();
    for row in begun.iter().filter_map(|at| program.verbs.get(*at)) {
        let mut count = 0;
        let matches = row.words.split_ascii_whitespace().all(|names| {
            let word = build.word(first + count);
            count += 1;
            word.is_some_and(|word| names.len() >= word.len() && names.split('|').any(|name| name == word))
        });
        if matches && count > 0 && best.is_none_or(|(_, used)| used < count) {
            best = Some((row, count));
        }
    }
    best.or_else(|| program.verbs.get(index.other()?).map(|row| (row, 0)))
}

fn all(build: &mut Build<'_>, program: &Program, does: &[Does], parsed: &Parsed<'_>, span: Span) {
    for one in does {
        apply(build, program, one, parsed, span);
    }
}

fn apply(build: &mut Build<'_>, program: &Program, does: &Does, parsed: &Parsed<'_>, span: Span) {
    let what = || build.words.get(1).and_then(|word| word.value.known()).unwrap_or_default().to_owned();
    match does {
        Does::Project => project_code(build, program.tool.unwrap_or_else(|| Tool::of(build.base()))),
        Does::Trusted if trusted(build) => {}
        Does::Obeys(tool) => project_code(build, *tool),
        Does::Trusted => {
            build.push(EffectKind::Opaque("code of the project runs for it".into()), span);
        }
        Does::Reads(path) => build.read(&Value::Known((*path).into()), false, span),
        Does::Host(host) => build.push(EffectKind::Network(Some((*host).to_owned())), span),
        Does::Network => build.push(EffectKind::Network(None), span),
        Does::Remote => {
            let reason = format!("`{}` changes something elsewhere", what());
            build.push(EffectKind::Network(None), span);
            build.push(EffectKind::Opaque(reason.into()), span);
        }
        Does::Execute => build.push(EffectKind::Execute(Value::Unknown), span),
        Does::ExecuteFirst => {
            let program = build.operand(parsed, 0).map_or(Value::Unknown, |word| word.value.clone());
            build.push(EffectKind::Execute(program), span);
        }
        Does::Write(path) => {
            let value = if path.contains('*') {
                let prefix = path.split('*').next().unwrap_or_default().to_owned();
                let pattern = crate::Text::from_static(path);
                Value::Glob(crate::GlobPattern { pattern, prefix: prefix.into() }.into())
            } else {
                Value::Known((*path).into())
            };
            build.write(&value, span);
        }
        Does::Below(path) => below(build, path, span),
        Does::Delete(path) => build.delete(&Value::Known((*path).into()), true, span),
        Does::System => build.push(EffectKind::System, span),
        Does::Process => build.push(EffectKind::Process, span),
        Does::Secrets => build.push(EffectKind::Opaque("prints what may be a secret".into()), span),
        Does::Terminal => build.push(EffectKind::Terminal, span),
        Does::Opaque(reason) => build.push(EffectKind::Opaque((*reason).into()), span),
        Does::On(operands) => build.operands(*operands, parsed),
        Does::If(names, inner) => {
            if parsed.has(names) {
                all(build, program, inner, parsed, span);
            }
        }
        Does::Unless(names, inner) => {
            if !parsed.has(names) {
                all(build, program, inner, parsed, span);
            }
        }
        Does::From(count, inner) => {
            if build.count(parsed) >= *count {
                all(build, program, inner, parsed, span);
            }
        }
        Does::Under(count, inner) => {
            if parsed.operands.len() < *count {
                all(build, program, inner, parsed, span);
            }
        }
        Does::Group(_) => build.opaque(span, "a subcommand that is not known"),
    }
}

/// The project is trusted, and it is the project of the working directory.
fn trusted(build: &Build<'_>) -> bool {
    let Directories::Known(directories) = build.directories() else { return false };
    build.settings.trusted
        && directories.iter().all(|directory| {
            let written = as_written(directory);
            lies_inside(directory, build.settings)
                && git_repository::nested(build.settings, directory).is_none()
                && !build.look.made.borrow().may_join_project(&written, build.settings.resolver)
        })
}

fn below(build: &mut Build<'_>, path: &str, span: Span) {
    for target in build.targets(&Value::Known(path.into())) {
        let target = match target {
            PathTarget::Path(path) => PathTarget::Below(path),
            other => other,
        };
        build.push(EffectKind::Write(target), span);
    }
}
