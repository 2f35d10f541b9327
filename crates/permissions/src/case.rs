//! One call under judgement: what gates ask, each answer computed at most once.

mod covering;

use std::{borrow::Cow, cell::OnceCell};

use portcullis_matcher::{ListKind, Looked, Mode, Prepared, RuleId, RuleSet, ShellPart, Subject};
use portcullis_paths::{Table, ThreePaths, is_within, three_paths};
use portcullis_shell_analysis::{Analysis, EffectKind, Invocation, PathTarget, Span};
use portcullis_tool_names::{Family, Tool};

use crate::{
    Context, ToolCall,
    facts::Facts,
    ruling::{Cited, RuleSetName},
};

/// The call with everything that gates look at.
pub(crate) struct Case<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) context: &'a Context,
    pub(crate) rules: &'a RuleSet,
    pub(crate) facts: &'a Facts,
    parts: &'a [ShellPart<'a>],
    looked: &'a Looked,
    prepared: OnceCell<Prepared<'a>>,
    touches: OnceCell<Vec<Touch<'a>>>,
    ask: OnceCell<Option<Cited>>,
    possible: OnceCell<Vec<(RuleSetName, RuleId)>>,
    unseen: OnceCell<Vec<(RuleSetName, RuleId)>>,
    exclude: OnceCell<crate::exclude::Exclusion>,
    memory: OnceCell<Vec<String>>,
}

/// What a call does to one place.
#[derive(Clone, Debug)]
pub(crate) struct Touch<'a> {
    pub(crate) access: Access,
    /// Everything below the place too.
    pub(crate) recursive: bool,
    pub(crate) place: Place<'a>,
    /// For shell calls: the text that causes it.
    pub(crate) cause: Option<Cause<'a>>,
}

/// Where in a command a touch comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cause<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
    pub(crate) redirection: bool,
}

/// Kinds of touching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Content.
    Read,
    /// Names and attributes.
    Look,
    /// Creates or changes content.
    Write,
    /// Removes.
    Delete,
    /// Mode, owner, times.
    Change,
}

impl Access {
    /// Anything but reading and looking.
    pub(crate) const fn alters(self) -> bool {
        !matches!(self, Self::Read | Self::Look)
    }
}

/// The place that is touched.
#[derive(Clone, Debug)]
pub(crate) enum Place<'a> {
    /// One path, in all three readings.
    Path(Cow<'a, ThreePaths>),
    /// Matches of an absolute glob, all below the second.
    Glob(&'a str, &'a str),
    /// Something below a directory.
    Below(&'a str),
    /// Anywhere.
    Unknown,
}

impl<'a> Case<'a> {
    pub(crate) fn new(
        call: &'a ToolCall,
        context: &'a Context,
        rules: &'a RuleSet,
        facts: &'a Facts,
        parts: &'a [ShellPart<'a>],
        looked: &'a Looked,
    ) -> Self {
        Self {
            call,
            context,
            rules,
            facts,
            parts,
            looked,
            prepared: OnceCell::new(),
            touches: OnceCell::new(),
            ask: OnceCell::new(),
            possible: OnceCell::new(),
            unseen: OnceCell::new(),
            exclude: OnceCell::new(),
            memory: OnceCell::new(),
        }
    }

    /// What rules are matched against, resolved once.
    fn prepared(&self) -> &Prepared<'a> {
        self.prepared.get_or_init(|| Prepared::new(self.subject(), self.looked))
    }

    /// What rules are matched against.
    pub(crate) fn subject(&self) -> Subject<'a> {
        let shell = self.is_shell();
        Subject {
            name: &self.call.name,
            tool: self.facts.tool,
            paths: if shell { &[] } else { &self.facts.targets },
            reached: if shell { &[] } else { &self.facts.reached },
            unknown_target: !shell && self.facts.unknown_target,
            shell: self.parts,
            unknown_command: self.facts.unknown_command,
            arguments: &self.call.arguments,
            resolver: self.context.resolver.as_deref(),
        }
    }

    /// The call as other rules see it too: under the name that was proposed (`Monitor`), and, when a command
    /// feeds a patch to `apply_patch`, as the edit that it is.
    fn other_subjects(&self) -> impl Iterator<Item = Subject<'a>> {
        let shell = self.facts.tool == Some(Tool::Bash);
        let original = (shell && self.call.name == "Monitor").then(|| Subject {
            tool: None,
            shell: &[],
            paths: &[],
            reached: &[],
            ..self.subject()
        });
        // The memory tools edit files; rules over files govern that.
        let memory = is_memory_tool(&self.call.name).then(|| Subject {
            tool: Some(Tool::Edit),
            unknown_target: false,
            ..self.subject()
        });
        original.into_iter().chain(self.patch_subject()).chain(memory)
    }

    fn patch_subject(&self) -> Option<Subject<'a>> {
        let patches = self.is_shell() && (!self.facts.targets.is_empty() || self.facts.unknown_target);
        patches.then(|| Subject {
            name: "apply_patch",
            tool: Some(Tool::Edit),
            shell: &[],
            paths: &self.facts.targets,
            unknown_target: self.facts.unknown_target,
            unknown_command: false,
            ..self.subject()
        })
    }

    /// The rule set behind a name.
    pub(crate) fn rule_set(&self, name: RuleSetName) -> &'a RuleSet {
        match name {
            RuleSetName::Settings => self.rules,
            RuleSetName::Session => &self.context.sessions.session,
            RuleSetName::Cli => &self.context.sessions.cli,
        }
    }

    /// The first certain match of a deny, alwaysAsk or ask list, by the canonical or the original name.
    pub(crate) fn first_match(&self, set: RuleSetName, list: ListKind) -> Option<Cited> {
        let rules = self.rule_set(set);
        let found = rules
            .first_match_of(list, self.prepared())
            .or_else(|| self.other_subjects().find_map(|subject| rules.first_match(list, &subject)));
        found.map(|id| Cited::Rule(set, id))
    }

    /// Rules whose match cannot be ruled out, in the sets that the list is looked for in.
    fn possible_in(&self, list: ListKind) -> Vec<(RuleSetName, RuleId)> {
        let mut found = Vec::new();
        let mut add = |prepared: &Prepared<'_>| {
            for set in RuleSetName::ALL {
                let ids = self.rule_set(set).possible_matches_of(list, prepared);
                found.extend(ids.into_iter().map(|id| (set, id)));
            }
        };
        add(self.prepared());
        self.other_subjects().for_each(|subject| add(&Prepared::new(subject, &Looked::default())));
        found
    }

    /// Deny and alwaysAsk rules that may match; those of [`Case::unseen`] where the run does not hide what they mean.
    pub(crate) fn possible(&self) -> &[(RuleSetName, RuleId)] {
        self.possible.get_or_init(|| {
            let mut found = self.possible_in(ListKind::Deny);
            if !self.context.hides {
                found.extend_from_slice(self.unseen());
            }
            found.extend(self.possible_in(ListKind::AlwaysAsk));
            found
        })
    }

    /// Deny rules over paths that no word of the code which a command runs can tell of.
    pub(crate) fn unseen(&self) -> &[(RuleSetName, RuleId)] {
        self.unseen.get_or_init(|| {
            let sets = RuleSetName::ALL.into_iter().filter(|_| self.is_shell());
            sets.flat_map(|set| {
                let ids = self.rule_set(set).unseen_denials_of(self.prepared());
                ids.into_iter().map(move |id| (set, id))
            })
            .collect()
        })
    }

    /// The first deny rule for files that no glob says; `reading`: one that forbids reading.
    pub(crate) fn unlisted(&self, reading: bool) -> Option<(RuleSetName, RuleId)> {
        RuleSetName::ALL.into_iter().find_map(|set| {
            let all = self.rule_set(set).unlisted_denials().iter();
            all.filter(|(_, reads)| *reads || !reading).map(|(id, _)| (set, *id)).next()
        })
    }

    /// For each invocation of a shell call, in order: whether an exact allow rule of the user's lifts what is only
    /// possible about it.
    pub(crate) fn lifted(&self) -> Vec<bool> {
        self.rules.lifts_of(self.prepared())
    }

    /// The ask rule that matches, or may match.
    pub(crate) fn ask_rule(&self) -> Option<&Cited> {
        self.ask
            .get_or_init(|| {
                self.first_match(RuleSetName::Settings, ListKind::Ask)
                    .or_else(|| self.first_match(RuleSetName::Session, ListKind::Ask))
                    .or_else(|| {
                        let first = self.possible_in(ListKind::Ask).into_iter().next();
                        first.map(|(set, id)| Cited::PossibleRule(set, id))
                    })
            })
            .as_ref()
    }

    /// The automatic gates (a skill, what only reads, what stays in a memory or is shut in) may allow: not in
    /// strict mode, and no ask rule wants a person to see this. Looking for one is the dearest of their conditions, so
    /// it comes last.
    pub(crate) fn may_be_automatic(&self) -> bool {
        self.context.mode != Mode::Strict && self.ask_rule().is_none()
    }

    /// Whether secrets and protected paths are asked in this mode.
    pub(crate) fn sensitive_asked(&self) -> bool {
        self.context.mode != Mode::Unrestricted || self.context.conventions.secrets_in_unrestricted
    }

    /// The call runs a command.
    pub(crate) fn is_shell(&self) -> bool {
        self.facts.tool.is_some_and(|tool| tool.family() == Family::Shell)
    }

    /// A tool that changes its targets, the agent's memory tools included.
    pub(crate) fn is_writing_tool(&self) -> bool {
        self.facts.tool.is_some_and(Tool::is_writing) || is_memory_tool(&self.call.name)
    }

    /// Every command of the call with its analysis.
    pub(crate) fn shell(&self) -> &'a [(String, Analysis)] {
        &self.facts.shell
    }

    /// Every invocation of a shell call, with the text that it stands in.
    pub(crate) fn invocations(&self) -> impl Iterator<Item = (&'a str, &'a Invocation)> {
        self.shell()
            .iter()
            .flat_map(|(text, analysis)| analysis.invocations.iter().map(move |item| (text.as_str(), item)))
    }

    /// Everything that the call is known to touch: targets of file tools, path effects of commands.
    pub(crate) fn touches(&self) -> &[Touch<'a>] {
        self.touches.get_or_init(|| {
            let mut touches = self.target_touches();
            touches.extend(self.invocations().flat_map(|(text, item)| self.invocation_touches(text, item)));
            touches
        })
    }

    fn target_touches(&self) -> Vec<Touch<'a>> {
        let Some((access, recursive)) = self.tool_access() else { return Vec::new() };
        self.facts
            .targets
            .iter()
            .map(|target| Touch { access, recursive, place: Place::Path(Cow::Borrowed(target)), cause: None })
            .collect()
    }

    fn tool_access(&self) -> Option<(Access, bool)> {
        match self.facts.tool {
            Some(Tool::Read | Tool::Grep) => Some((Access::Read, self.facts.recursive)),
            Some(Tool::Glob | Tool::ListDir) => Some((Access::Look, true)),
            // The only targets of a shell call are those of a patch.
            Some(Tool::Bash) => Some((Access::Write, false)),
            _ if self.is_writing_tool() => Some((Access::Write, false)),
            _ => None,
        }
    }

    /// What one invocation touches.
    pub(crate) fn invocation_touches(
        &self,
        text: &'a str,
        invocation: &'a Invocation,
    ) -> impl Iterator<Item = Touch<'a>> {
        invocation.effects.iter().filter_map(move |effect| {
            let (access, target, recursive) = match &effect.kind {
                EffectKind::Read { path, recursive } => (Access::Read, path, *recursive),
                EffectKind::Metadata(path) => (Access::Look, path, false),
                EffectKind::ChangeMetadata(path) => (Access::Change, path, false),
                EffectKind::Write(path) => (Access::Write, path, false),
                EffectKind::Delete { path, recursive } => (Access::Delete, path, *recursive),
                _ => return None,
            };
            let cause = Some(Cause { text, span: effect.span, redirection: effect.redirection });
            Some(Touch { access, recursive, place: self.place(target), cause })
        })
    }

    fn place(&self, target: &'a PathTarget) -> Place<'a> {
        match target {
            PathTarget::Path(path) => Place::Path(Cow::Owned(three_paths(
                path,
                &self.context.cwd,
                self.context.resolver.as_deref(),
            ))),
            PathTarget::Glob(pattern, directory) => Place::Glob(pattern, directory),
            PathTarget::Below(directory) => Place::Below(directory),
            _ => Place::Unknown,
        }
    }

    /// Whether every reading of a path lies in the project root or an additional directory.
    pub(crate) fn inside_roots(&self, path: &ThreePaths) -> bool {
        self.inside(path, &self.facts.roots)
    }

    /// Whether every reading of a path lies in one of `roots`. A path that a resolver could not follow does not.
    pub(crate) fn inside(&self, path: &ThreePaths, roots: &[String]) -> bool {
        let followed = path.resolved || self.context.resolver.is_none();
        followed && path.iter().all(|reading| roots.iter().any(|root| self.within_root(reading, root)))
    }

    /// A root is also what it really is: a project below a linked directory is inside itself.
    fn within_root(&self, path: &str, root: &str) -> bool {
        is_within(path, root)
            || self.context.resolver.as_deref().is_some_and(|resolver| {
                resolver.realpath(root).is_ok_and(|real| real != root && is_within(path, &real))
            })
    }

    /// Whether everything that `place` can be lies in one of `roots`.
    pub(crate) fn place_inside(&self, place: &Place<'_>, roots: &[String]) -> bool {
        match place {
            Place::Path(path) => self.inside(path, roots),
            Place::Glob(_, directory) | Place::Below(directory) => {
                let resolver = self.context.resolver.as_deref();
                self.inside(&three_paths(directory, &self.context.cwd, resolver), roots)
            }
            Place::Unknown => false,
        }
    }

    /// A reading of `path` that is in a table of sensitive paths and that no allow rule names literally; the path itself
    /// where it may lead anywhere.
    pub(crate) fn sensitive(&self, table: Table, path: &ThreePaths) -> Option<String> {
        let write = table == Table::Protected;
        let found = path.iter().find(|reading| {
            self.context.sensitive.contains(table, reading)
                && !(write && self.in_own_memory(reading))
                && !self.named_literally(reading, write)
        });
        found.map(str::to_owned).or_else(|| path.unknown.then(|| lost(path)))
    }

    /// The agent's memory lies among protected settings, and is its own to change; what would be protected
    /// anywhere (`.git/hooks`) is so in there too.
    fn in_own_memory(&self, path: &str) -> bool {
        self.memory_roots().iter().filter_map(|root| portcullis_paths::below(path, root)).any(|rest| {
            let apart = format!("/{}", rest.trim_start_matches('/'));
            !self.context.sensitive.contains(Table::Protected, &apart)
        })
    }

    /// The directories of the agent's own memory.
    pub(crate) fn memory_roots(&self) -> &[String] {
        self.memory.get_or_init(|| crate::memory::roots(&self.context.agent))
    }

    /// Whether an allow rule from anywhere names this path without a glob.
    pub(crate) fn named_literally(&self, path: &str, write: bool) -> bool {
        RuleSetName::ALL.into_iter().any(|set| self.rule_set(set).names_literally(path, write))
    }

    /// What an allowed run has to hide from recursive reads.
    pub(crate) fn exclusion(&self) -> &crate::exclude::Exclusion {
        self.exclude.get_or_init(|| crate::exclude::exclusion(self))
    }
}

/// What a person is told of a path that may lead anywhere.
pub(crate) fn lost(path: &ThreePaths) -> String {
    format!("{}: where it leads is not known", path.lexical)
}

/// Tools that change the agent's own memory.
pub(crate) fn is_memory_tool(name: &str) -> bool {
    matches!(name, "memory" | "memory_apply_patch")
}
