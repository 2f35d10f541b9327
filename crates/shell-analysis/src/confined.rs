//! Whether a command stays inside directories and does only what looking after files there needs: a
//! closed list of programs, every effect inside, git by a table of its own.

mod changes;
mod git;
mod git_tables;
mod repository;

use std::borrow::Cow;

use portcullis_paths::{Resolver, find_repository, is_within, three_paths};

use crate::{
    Analysis, Assignment, Blocker, Directories, Effect, EffectKind, Invocation, PathTarget, Settings, Shell,
    Span, analysis,
    look::Look,
    pattern,
    programs::{is_null_device, standard_location},
    windows_shaped,
};
use changes::{Change, Touch, When};
use repository::{goes_to_git, makes_repository, takes_apart};

/// Where a command has to stay, and what is known of its surroundings.
#[derive(Clone, Copy)]
pub struct Confinement<'a> {
    /// Absolute directories; an agent's own memory, say.
    pub roots: &'a [String],
    /// The absolute working directory; without one, relative paths lead nowhere that is known.
    pub cwd: Option<&'a str>,
    /// The home directory, for `~` and `$HOME`.
    pub home: Option<&'a str>,
    /// Variables that the shell starts with for certain.
    pub environment: &'a [(String, String)],
    /// Who reads the text.
    pub shell: Shell,
    /// The file system, if decisions may look at it. Without one a link inside the directories is not seen,
    /// nor one among the matches of a glob.
    pub resolver: Option<&'a dyn Resolver>,
}

impl<'a> Confinement<'a> {
    /// Bash, and nothing known but the directories.
    #[must_use]
    pub const fn new(roots: &'a [String]) -> Self {
        Self { roots, cwd: None, home: None, environment: &[], shell: Shell::Bash, resolver: None }
    }

    fn settings(&self) -> Settings<'a> {
        Settings {
            shell: self.shell,
            home: self.home,
            environment: self.environment,
            // Whoever owns the directories set up the repositories in them.
            trusted: true,
            resolver: self.resolver,
            ..Settings::new(self.cwd.unwrap_or("/"), self.roots)
        }
    }

    fn start(&self) -> Directories {
        match self.cwd {
            Some(cwd) => Directories::Known([cwd.to_owned()].into()),
            None => Directories::Unknown,
        }
    }
}

/// Whether everything that `command` does lies inside the directories: its programs are `git` `rm` `mv` `mkdir` `cp`
/// `ls` `cat` `head` `tail` `find` `sort` `echo` `printf` `wc` `split` `cd` `sleep`, and every path that they touch,
/// redirections included, is inside. Assignments of known values are fine. Of git only what works on the repository
/// there and with remotes that have a name in it; nothing that names a program or another configuration.
///
/// # Errors
/// Every part that may leave the directories, with its bytes and a reason; at least one.
///
/// ```
/// use portcullis_shell_analysis::{Confinement, confined_to};
///
/// let roots = ["/home/u/notes".to_owned()];
/// let notes = Confinement { cwd: Some("/repo"), ..Confinement::new(&roots) };
/// assert!(confined_to("cd /home/u/notes && git add -A && git commit -m 'more'", &notes).is_ok());
/// let reasons = confined_to("cd /home/u/notes && git push https://elsewhere.example/x", &notes).unwrap_err();
/// assert_eq!(reasons[0].reason, "`https://elsewhere.example/x` is no remote's name");
/// ```
pub fn confined_to(command: &str, confinement: &Confinement<'_>) -> Result<(), Vec<Blocker>> {
    let settings = confinement.settings();
    judge(&analysis::analyze_from(command, &settings, confinement.start()), &settings)
}

/// [`confined_to`] for an argv that is run without a shell.
///
/// # Errors
/// As [`confined_to`]; spans count bytes in the words joined by one blank.
pub fn confined_argv_to(argv: &[String], confinement: &Confinement<'_>) -> Result<(), Vec<Blocker>> {
    let settings = confinement.settings();
    judge(&analysis::analyze_argv_from(argv, &settings, confinement.start()), &settings)
}

/// Programs beside git, and whether they work on the working directory when they are given no path.
const PROGRAMS: &[(&str, bool)] = &[
    ("rm", false),
    ("mv", false),
    ("mkdir", false),
    ("cp", false),
    ("ls", true),
    ("cat", false),
    ("head", false),
    ("tail", false),
    ("find", true),
    ("sort", false),
    ("echo", false),
    ("printf", false),
    ("wc", false),
    ("split", false),
    ("cd", false),
    ("sleep", false),
];

/// Names that these programs, the shell or what git talks through obey when they are in the environment already,
/// by how they begin; alone, any other name is only the text's own.
const OBEYED: &[&str] = &[
    "BASH",
    "CDPATH",
    "CURL_",
    "DYLD_",
    "EDITOR",
    "ENV",
    "GIT",
    "GLOB",
    "GNUPG",
    "HOME",
    "IFS",
    "LANG",
    "LC_",
    "LD_",
    "LESS",
    "OLDPWD",
    "PAGER",
    "PATH",
    "PERL",
    "POSIX",
    "PROMPT",
    "PS4",
    "PWD",
    "PYTHON",
    "SHELL",
    "SIMPLE_BACKUP_SUFFIX",
    "SSH",
    "SSL_",
    "TMPDIR",
    "VERSION_CONTROL",
    "VISUAL",
    "XDG_",
    "http",
    "HTTP",
    "https",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
];

/// Collects reasons.
struct Judge<'a> {
    settings: &'a Settings<'a>,
    look: Look<'a>,
    reasons: Vec<Blocker>,
    /// What the text changes under names, in the order of its commands.
    changes: Vec<Change<'a>>,
    /// Every name that it writes, sorted.
    made: Vec<String>,
    /// The command that is judged.
    now: When,
}

fn judge(analysis: &Analysis, settings: &Settings<'_>) -> Result<(), Vec<Blocker>> {
    let mut judge = Judge {
        settings,
        look: Look::new(settings),
        reasons: Vec::new(),
        changes: Vec::new(),
        made: Vec::new(),
        now: When::default(),
    };
    if let Some(error) = &analysis.error {
        judge.refuse(error.span, error.message.clone());
    }
    judge.reasons.extend(analysis.opaque.clone());
    let nothing = |invocation: &Invocation| {
        invocation.words.is_empty() && invocation.assignments.is_empty() && invocation.effects.is_empty()
    };
    if analysis.invocations.iter().all(nothing) && judge.reasons.is_empty() {
        judge.refuse(Span::new(0, 0), "there is no command");
    }
    judge.note_changes(analysis);
    judge.note_made(analysis);
    for (index, invocation) in analysis.invocations.iter().enumerate() {
        judge.now = When::new(index, invocation.reach);
        judge.invocation(invocation);
    }
    if judge.reasons.is_empty() { Ok(()) } else { Err(judge.reasons) }
}

impl Judge<'_> {
    fn refuse(&mut self, span: Span, reason: impl Into<Cow<'static, str>>) {
        self.reasons.push(Blocker { span, reason: reason.into() });
    }

    fn invocation(&mut self, invocation: &Invocation) {
        for launcher in &invocation.launchers {
            self.refuse(invocation.span, format!("it runs through `{}`", launcher.name));
        }
        for assignment in &invocation.assignments {
            if !ordinary(invocation, assignment) {
                let name = &assignment.name;
                self.refuse(assignment.span, format!("`{name}` may change what programs do, or where"));
            }
        }
        let Some(word) = invocation.words.first() else {
            return self.effects(&invocation.effects);
        };
        let name = invocation.base_name().filter(|_| invocation.program().is_some_and(standard_location));
        match name {
            Some("git") => self.git(invocation),
            Some(name) => match PROGRAMS.iter().find(|(known, _)| *known == name) {
                Some((_, here)) => self.program(invocation, name, *here),
                None => self.refuse(word.span, format!("`{name}` is not one of the programs for this")),
            },
            None => self.refuse(word.span, "the program is not known"),
        }
    }

    fn program(&mut self, invocation: &Invocation, name: &str, here: bool) {
        let before = self.reasons.len();
        self.effects(&invocation.effects);
        for (index, word) in invocation.words.iter().enumerate().skip(1) {
            let text = word.value.known().unwrap_or_default();
            if word.hazard {
                self.refuse(word.span, format!("`{text}` does more than this needs"));
            } else if name == "mv" && text.starts_with("--e") {
                self.refuse(word.span, format!("`{text}` swaps names"));
            } else if name == "cp" && makes_links(text) {
                self.refuse(word.span, format!("`{text}` makes links"));
            } else if name == "cp" && follows_links(text) {
                self.refuse(word.span, format!("`{text}` copies what links lead to"));
            } else if name == "ls" && follows_links(text)
                || name == "find" && matches!(text, "-L" | "-follow")
            {
                self.refuse(word.span, format!("`{text}` looks at what links lead to"));
            } else if name == "cd" && (index > 1 || text.is_empty() || text.starts_with(['-', '+'])) {
                self.refuse(word.span, "the directory is not known");
            }
        }
        if name == "cd" && invocation.words.len() < 2 {
            self.refuse(invocation.span, "it goes to the home directory");
        }
        let touches =
            invocation.effects.iter().any(|effect| !effect.redirection && path_of(&effect.kind).is_some());
        if here && !touches {
            self.starts_inside(&invocation.directories, invocation.span);
        }
        if !invocation.specified && self.reasons.len() == before {
            self.refuse(invocation.span, "it is not known in full");
        }
    }

    /// Every effect is one on a path inside.
    fn effects(&mut self, effects: &[Effect]) {
        for effect in effects {
            if let Some(reason) = self.leaves(&effect.kind) {
                self.refuse(effect.span, reason);
            }
        }
    }

    fn leaves(&self, kind: &EffectKind) -> Option<String> {
        let reason = match kind {
            EffectKind::Read { path, .. } | EffectKind::Metadata(path) if is_null_device(path) => {
                return None;
            }
            EffectKind::Read { path, recursive } => {
                let touch = if *recursive { Touch::Whole } else { Touch::Followed };
                return self.outside(path).or_else(|| self.disturbed(path, touch));
            }
            EffectKind::Metadata(path) => {
                return self.outside(path).or_else(|| self.disturbed(path, Touch::Followed));
            }
            EffectKind::Delete { path, .. } => {
                return self
                    .outside(path)
                    .or_else(|| takes_apart(path))
                    .or_else(|| self.disturbed(path, Touch::Name));
            }
            EffectKind::Write(path) | EffectKind::ChangeMetadata(path) => {
                return self
                    .outside(path)
                    .or_else(|| self.repository_file(path))
                    .or_else(|| self.disturbed(path, Touch::Followed));
            }
            EffectKind::Opaque(reason) => &**reason,
            EffectKind::Execute(_) => "it runs another program",
            EffectKind::Network(_) => "it talks to the network",
            EffectKind::Environment => "it prints the environment",
            EffectKind::Process => "it signals other processes",
            EffectKind::System => "it changes the machine",
            EffectKind::Terminal => "it needs the terminal",
        };
        Some(reason.to_owned())
    }

    fn outside(&self, target: &PathTarget) -> Option<String> {
        let (path, shown) = match target {
            PathTarget::Path(path) | PathTarget::Below(path) => (path, path.clone()),
            // Without the backslashes of quoted characters.
            PathTarget::Glob(glob, directory) => (directory, pattern::literal(glob)),
            PathTarget::Unknown => return Some("it touches a path that is not known".to_owned()),
        };
        let inside = self.inside(path) && !windows_shaped(&shown);
        (!inside).then(|| format!("`{shown}` is outside"))
    }

    /// Whether every reading of an absolute path is below a root, or below what a root really is.
    fn inside(&self, path: &str) -> bool {
        let settings = self.settings;
        let three = three_paths(path, settings.cwd, settings.resolver);
        let below = |path: &str, root: &String| {
            is_within(path, root)
                || settings.resolver.is_some_and(|resolver| {
                    resolver.realpath(root).is_ok_and(|real| real != *root && is_within(path, &real))
                })
        };
        (three.resolved || settings.resolver.is_none())
            && three.iter().all(|path| settings.roots.iter().any(|root| below(path, root)))
    }

    /// Whether what is written there is, or becomes, a part of a repository; by way of a link too.
    fn repository_file(&self, target: &PathTarget) -> Option<String> {
        let Some(resolver) = self.settings.resolver else { return makes_repository(target) };
        let (reason, path) = match target {
            PathTarget::Path(path) => (makes_repository(target), path),
            // The directory's names tell whether one of them is `HEAD`; the text makes none.
            PathTarget::Glob(pattern, directory)
                if self.look.named_head(pattern, directory) == Some(false) =>
            {
                (goes_to_git(target), directory)
            }
            PathTarget::Below(path) | PathTarget::Glob(_, path) => (makes_repository(target), path),
            PathTarget::Unknown => return None,
        };
        reason.or_else(|| {
            let real = resolver.realpath(path).ok()?;
            // A directory that looks like a repository may be used as one through a `.git` file.
            let bare = find_repository(resolver, &real).filter(|repository| repository.bare);
            let bare = bare.map(|repository| format!("`{}` is a bare repository", repository.root));
            bare.or_else(|| makes_repository(&PathTarget::Path(real)))
        })
    }

    fn starts_inside(&mut self, directories: &Directories, span: Span) {
        match directories {
            Directories::Known(all) => {
                if let Some(outside) = all.iter().find(|directory| !self.inside(directory)) {
                    self.refuse(span, format!("it may start in `{outside}`, which is outside"));
                }
            }
            Directories::Unknown => self.refuse(span, "the directory that it starts in is not known"),
        }
    }
}

/// The path that an effect is about.
fn path_of(kind: &EffectKind) -> Option<&PathTarget> {
    match kind {
        EffectKind::Read { path, .. }
        | EffectKind::Metadata(path)
        | EffectKind::ChangeMetadata(path)
        | EffectKind::Write(path)
        | EffectKind::Delete { path, .. } => Some(path),
        _ => None,
    }
}

/// Standing alone an assignment of a known value is just that; before a program it must change no meaning.
fn ordinary(invocation: &Invocation, assignment: &Assignment) -> bool {
    let alone = invocation.words.is_empty() && assignment.value.candidates().is_some();
    assignment.harmless || alone && !OBEYED.iter().any(|start| assignment.name.starts_with(start))
}

/// `cp -L` and `-H`, in clusters and abbreviated.
fn follows_links(flag: &str) -> bool {
    match flag.strip_prefix("--") {
        Some(long) => long.starts_with("de"),
        None => flag.starts_with('-') && flag.contains(['L', 'H']),
    }
}

/// `cp -s`, in clusters and abbreviated.
fn makes_links(flag: &str) -> bool {
    match flag.strip_prefix("--") {
        Some(long) => long.starts_with("sy"),
        None => flag.starts_with('-') && flag.contains('s'),
    }
}
