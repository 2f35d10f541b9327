//! A call taken apart for matching: its paths as components, its invocations, and what those touch.

use std::cell::OnceCell;

use portcullis_paths::{FileKind, Resolver, ThreePaths, three_paths};
use portcullis_shell_analysis::{EffectKind, Invocation, PathTarget};
use portcullis_tool_names::{Family, GivenNames, Naming, Tool, given_names};

use crate::command::{CodeWords, CommandView};
use crate::glob::{Component, PathGlob};
use crate::paths::PathParts;
use crate::word_paths::{Heard, WordGlob, Words, may_run};
use crate::{ReachedPaths, ShellPart, Subject};

/// How a path is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Its content is read.
    Read,
    /// It is written, removed, or its metadata changed.
    Change,
    /// Only names and attributes are seen, or nothing of concern happens.
    Look,
    /// Something that no file rule can speak of.
    Other,
}

/// What an effect touches, with the file system asked once.
struct Touched {
    access: Access,
    redirection: bool,
    place: TouchedPlace,
    within: Option<PathGlob>,
}

enum TouchedPlace {
    Path { paths: ThreePaths, below: Option<PathGlob>, file: bool, lost: bool },
    Many { directory: ThreePaths, glob: PathGlob, dots: bool, lost: bool },
    Unknown,
    None,
}

/// The parts of the facts that are computed, and that the others borrow from.
#[derive(Default)]
pub(crate) struct Resolved {
    /// For each invocation of each part, in order.
    touched: Vec<Vec<Touched>>,
    /// Words of invocations without a specification, as the paths that they could be.
    words: Vec<Words>,
}

/// What a subject touches, looked up at the first question that wants to know.
#[derive(Default)]
pub struct Looked(OnceCell<Resolved>);

/// Nothing is looked up.
static NOTHING: Resolved = Resolved { touched: Vec::new(), words: Vec::new() };

/// A subject about which several questions are asked: it is taken apart once, and what it touches is resolved at the
/// first question that wants to know.
pub struct Prepared<'a> {
    subject: Subject<'a>,
    looked: &'a Looked,
    whole: OnceCell<Facts<'a>>,
    without_files: OnceCell<Facts<'a>>,
}

impl<'a> Prepared<'a> {
    /// Nothing is computed yet; `looked` is empty, and for this subject alone.
    #[must_use]
    pub fn new(subject: Subject<'a>, looked: &'a Looked) -> Self {
        Self { subject, looked, whole: OnceCell::new(), without_files: OnceCell::new() }
    }

    /// The facts; `files`: with what effects touch.
    pub(crate) fn facts(&self, files: bool) -> &Facts<'a> {
        if let (false, Some(whole)) = (files, self.whole.get()) {
            return whole;
        }
        if !files {
            return self.without_files.get_or_init(|| Facts::new(self.subject, &NOTHING));
        }
        self.whole.get_or_init(|| {
            Facts::new(self.subject, self.looked.0.get_or_init(|| Resolved::new(&self.subject)))
        })
    }
}

/// Everything that rules look at, in one call.
pub(crate) struct Facts<'a> {
    pub(crate) subject: Subject<'a>,
    /// The readings of each target.
    pub(crate) targets: Vec<Vec<PathParts<'a>>>,
    /// What it reaches beside them, in lower case: many tools search in any case of letters.
    pub(crate) reached: Vec<PathGlob>,
    pub(crate) parts: Vec<PartFacts<'a>>,
    /// The agents or skills that it names, once asked for.
    names: OnceCell<GivenNames>,
}

/// One command.
pub(crate) struct PartFacts<'a> {
    pub(crate) part: &'a ShellPart<'a>,
    pub(crate) invocations: Vec<InvocationFacts<'a>>,
}

/// One invocation.
pub(crate) struct InvocationFacts<'a> {
    pub(crate) view: CommandView<'a>,
    pub(crate) effects: Vec<EffectFacts<'a>>,
    /// Paths that its words could be, when nobody specified it.
    pub(crate) words: Vec<PathParts<'a>>,
    /// One of them may lead anywhere.
    pub(crate) lost_words: bool,
    /// What its words match that are patterns or names from elsewhere, when nobody specified it.
    pub(crate) patterns: &'a [WordGlob],
    pub(crate) code: Option<CodeWords>,
}

impl InvocationFacts<'_> {
    /// It runs what nobody specified, so that it may change what its words name; a subcommand that is known not to
    /// be read-only (`git add`) does not.
    pub(crate) fn may_change_words(&self) -> bool {
        let invocation = self.view.invocation;
        may_run(invocation)
    }
}

/// One effect.
pub(crate) struct EffectFacts<'a> {
    pub(crate) access: Access,
    pub(crate) redirection: bool,
    pub(crate) place: Place<'a>,
    /// A read of everything in there: what that is.
    pub(crate) within: Option<&'a PathGlob>,
}

/// Where an effect happens.
pub(crate) enum Place<'a> {
    /// One path, in each reading; `below`: everything in it too; `file`: nothing is in it now; `lost`: it may lead
    /// anywhere else too.
    Path { readings: Vec<PathParts<'a>>, below: Option<&'a PathGlob>, file: bool, lost: bool },
    /// Paths in a directory that match a glob; `dots`: its wildcards match a leading dot; `lost`: the directory may be
    /// any.
    Many { directory: Vec<PathParts<'a>>, glob: &'a PathGlob, dots: bool, lost: bool },
    /// Anywhere.
    Unknown,
    /// No path is concerned.
    None,
}

impl Resolved {
    /// Resolves the paths of shell effects.
    fn new(subject: &Subject<'_>) -> Self {
        let mut resolved = Self::default();
        for part in subject.shell {
            let mut heard = Heard::new(part.text);
            for invocation in &part.analysis.invocations {
                resolved.touched.push(touched(invocation, subject));
                resolved.words.push(Words::of(invocation, subject.resolver, &mut heard));
            }
        }
        resolved
    }
}

impl<'a> Facts<'a> {
    fn new(subject: Subject<'a>, resolved: &'a Resolved) -> Self {
        let mut touched = resolved.touched.iter();
        let mut words = resolved.words.iter();
        let parts = subject.shell.iter().map(|part| PartFacts {
            part,
            invocations: part
                .analysis
                .invocations
                .iter()
                .map(|invocation| (invocation, words.next()))
                .map(|(invocation, words)| InvocationFacts {
                    view: CommandView::new(invocation),
                    effects: touched.next().into_iter().flatten().map(EffectFacts::new).collect(),
                    words: words
                        .into_iter()
                        .flat_map(|words| &words.paths)
                        .map(|path| PathParts::new(path))
                        .collect(),
                    lost_words: words.is_some_and(|words| words.lost),
                    patterns: words.map_or(&[], |words| &words.globs),
                    code: (!(invocation.code.is_empty() && invocation.texts.is_empty()))
                        .then(|| CodeWords::new(invocation.code.iter().chain(&invocation.texts))),
                })
                .collect(),
        });
        let parts = parts.collect();
        let targets = subject.paths.iter().map(readings).collect();
        let reached = subject.reached.iter().filter_map(|reached| reached_by(reached, subject.resolver));
        Self { subject, targets, reached: reached.collect(), parts, names: OnceCell::new() }
    }

    /// A call of a tool that is neither a shell's nor about files: what its arguments mean is its own, paths among them.
    pub(crate) fn has_other_arguments(&self) -> bool {
        !matches!(self.subject.tool.map(Tool::family), Some(Family::Shell | Family::File))
    }

    /// The agents (of Task) or the skills that the arguments name.
    pub(crate) fn given_names(&self) -> &GivenNames {
        self.names.get_or_init(|| {
            let task = self.subject.tool == Some(Tool::Task);
            let naming = if task { Naming::Agent } else { Naming::Skill };
            given_names(naming, self.subject.arguments)
        })
    }

    /// A shell call.
    pub(crate) fn is_shell(&self) -> bool {
        self.subject.tool.map(Tool::family) == Some(Family::Shell)
    }

    /// What the analysis could not make out may be anything.
    pub(crate) fn obscure(&self) -> bool {
        self.is_shell()
            && (self.subject.unknown_command
                || self
                    .subject
                    .shell
                    .iter()
                    .any(|part| part.analysis.opaque.is_some() || part.analysis.error.is_some()))
    }
}

impl<'a> EffectFacts<'a> {
    fn new(touched: &'a Touched) -> Self {
        let place = match &touched.place {
            TouchedPlace::Path { paths, below, file, lost } => {
                Place::Path { readings: readings(paths), below: below.as_ref(), file: *file, lost: *lost }
            }
            TouchedPlace::Many { directory, glob, dots, lost } => {
                Place::Many { directory: readings(directory), glob, dots: *dots, lost: *lost }
            }
            TouchedPlace::Unknown => Place::Unknown,
            TouchedPlace::None => Place::None,
        };
        Self {
            access: touched.access,
            redirection: touched.redirection,
            place,
            within: touched.within.as_ref(),
        }
    }
}

fn readings(paths: &ThreePaths) -> Vec<PathParts<'_>> {
    paths.iter().map(PathParts::new).collect()
}

fn touched(invocation: &Invocation, subject: &Subject<'_>) -> Vec<Touched> {
    let three = |path: &str| three_paths(path, "/", subject.resolver);
    let lost = |paths: &ThreePaths| is_lost(invocation, paths);
    let below = |paths: &ThreePaths| {
        PathGlob::parse(&paths.physical, "**", false)
            .unwrap_or_else(|_| PathGlob { alternatives: Vec::new() })
    };
    let place = |target: &PathTarget, recursive: bool| match target {
        PathTarget::Path(path) => {
            let paths = three(path);
            let below = recursive.then(|| below(&paths));
            let file = recursive && is_file(&paths, subject.resolver);
            TouchedPlace::Path { lost: lost(&paths), paths, below, file }
        }
        PathTarget::Glob(glob, directory) => {
            let directory = three(directory);
            let lost = lost(&directory);
            // What reaches any depth is a program's own search, and those take hidden names too.
            let dots = glob.contains("**");
            match PathGlob::parse("", glob, true) {
                Ok(mut glob) if recursive => {
                    for alternative in &mut glob.alternatives {
                        alternative.push(Component::Deep);
                    }
                    TouchedPlace::Many { directory, glob, dots, lost }
                }
                Ok(glob) => TouchedPlace::Many { directory, glob, dots, lost },
                Err(_) => TouchedPlace::Many { glob: below(&directory), directory, dots: true, lost },
            }
        }
        PathTarget::Below(directory) => {
            let directory = three(directory);
            TouchedPlace::Many { glob: below(&directory), lost: lost(&directory), directory, dots: true }
        }
        _ => TouchedPlace::Unknown,
    };
    let effects = invocation.effects.iter().map(|effect| {
        let within = match &effect.kind {
            EffectKind::Read { path, recursive: true } => within(path, subject.resolver),
            _ => None,
        };
        let (access, place) = match &effect.kind {
            EffectKind::Read { path, .. } => (Access::Read, place(path, false)),
            EffectKind::Write(path) | EffectKind::ChangeMetadata(path) => {
                (Access::Change, place(path, false))
            }
            EffectKind::Delete { path, recursive } => (Access::Change, place(path, *recursive)),
            EffectKind::Metadata(_) | EffectKind::Terminal => (Access::Look, TouchedPlace::None),
            _ => (Access::Other, TouchedPlace::None),
        };
        Touched { access, redirection: effect.redirection, place, within }
    });
    effects.collect()
}

/// What lies in a place that is read with everything in it. Nothing lies in a file.
fn within(target: &PathTarget, resolver: Option<&dyn Resolver>) -> Option<PathGlob> {
    match target {
        PathTarget::Path(path) => {
            let paths = three_paths(path, "/", resolver);
            (!is_file(&paths, resolver)).then(|| reached(&paths, "**"))
        }
        PathTarget::Glob(glob, _) => {
            let mut glob = PathGlob::parse("", glob, true).unwrap_or_else(|_| anything());
            glob.alternatives.iter_mut().for_each(|alternative| alternative.push(Component::Deep));
            Some(glob)
        }
        // The place itself says so already.
        _ => None,
    }
}

/// The same for a tool that reaches it.
fn reached_by(found: &ReachedPaths, resolver: Option<&dyn Resolver>) -> Option<PathGlob> {
    if found.base.unknown {
        return Some(anything());
    }
    let nothing = found.pattern == "**" && is_file(&found.base, resolver);
    (!nothing).then(|| reached(&found.base, &found.pattern).folded())
}

fn is_file(paths: &ThreePaths, resolver: Option<&dyn Resolver>) -> bool {
    resolver.and_then(|resolver| resolver.kind(&paths.physical)) == Some(FileKind::File)
}

/// What a pattern matches below every reading of a path. One that cannot be read may match anything.
fn reached(paths: &ThreePaths, pattern: &str) -> PathGlob {
    let globs: Result<Vec<PathGlob>, _> =
        paths.iter().map(|reading| PathGlob::parse(reading, pattern, true)).collect();
    let Ok(globs) = globs else { return anything() };
    PathGlob { alternatives: globs.into_iter().flat_map(|glob| glob.alternatives).collect() }
}

fn anything() -> PathGlob {
    PathGlob { alternatives: vec![vec![Component::Deep]] }
}

/// Whether a path may lead anywhere. What is closed to this user is open to the one that a launcher runs a program as.
pub(crate) fn is_lost(invocation: &Invocation, paths: &ThreePaths) -> bool {
    paths.unknown || paths.closed && invocation.launchers.iter().any(|launcher| !launcher.transparent)
}
