//! Everything that a decision may know besides the call and the rules. There is no default: whoever
//! embeds this chooses.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use portcullis_matcher::{Anchors, Conventions, Mode, RuleSet, Rules};
use portcullis_paths::{Resolver, SensitivePaths};
use portcullis_shell_analysis::Shell;
use portcullis_tool_names::Aliases;

use crate::Workspace;

/// The surroundings of a decision.
///
/// ```
/// use std::sync::Arc;
/// use portcullis_paths::{OsResolver, SensitivePaths};
/// use portcullis_permissions::{Context, GateConventions, Mode};
///
/// let context = Context {
///     home: Some("/home/u".into()),
///     // Which files are secrets, and which are not written without a question.
///     sensitive: Arc::new(SensitivePaths::standard(Some("/home/u"))),
///     // Links are followed; without a resolver paths are judged as they are written.
///     resolver: Some(Arc::new(OsResolver)),
///     // What runs calls can confine them, so that what is opaque need not be asked.
///     confined_auto: true,
///     hides: true,
///     ..Context::bare("/repo", Mode::Standard, GateConventions::portcullis())
/// };
/// assert_eq!(context.cwd, "/repo");
/// ```
#[derive(Clone)]
pub struct Context {
    /// Pinned when the session starts: anchors rules, roots and trust. Absolute.
    pub project_root: String,
    /// Resolves relative words, nothing else. Absolute.
    pub cwd: String,
    /// The user's home directory.
    pub home: Option<String>,
    /// The shell that runs the agent's commands.
    pub shell: Shell,
    /// The mode in force.
    pub mode: Mode,
    /// Tool spellings.
    pub aliases: Aliases,
    /// Rules given in this session and on the command line.
    pub sessions: Sessions,
    /// Tools that declare a policy of their own (mod tools).
    pub tools: BTreeMap<String, ToolPolicy>,
    /// Those of them that declare that they only read: plan mode lets them pass to the later gates.
    pub reading_tools: BTreeSet<String>,
    /// The agent that proposes.
    pub agent: Agent,
    /// The workspace guard, when it is on.
    pub workspace: Option<Workspace>,
    /// The project is trusted.
    pub trusted: bool,
    /// The runner passes no secrets in the environment.
    pub scrubbed: bool,
    /// Variables that shell calls start with for certain, beside `HOME` and `PWD`.
    pub environment: Vec<(String, String)>,
    /// `FILE:LINE` or `FILE` of settings that could not be read.
    pub degraded: Option<String>,
    /// Somebody can be asked.
    pub interactive: bool,
    /// Reads outside the roots are judged as if inside.
    pub allow_external_paths: bool,
    /// Opaque shell commands may run shut in, unasked ([`Gate::ConfinedAuto`](crate::Gate::ConfinedAuto)).
    pub confined_auto: bool,
    /// The runner hides or applies `exclude` globs.
    pub hides: bool,
    /// The network setting that a confined run would get.
    pub network_blocked: bool,
    /// Secrets and protected paths.
    pub sensitive: Arc<SensitivePaths>,
    /// What a host profile means for gates.
    pub conventions: GateConventions,
    /// The file system, if decisions may look at it.
    pub resolver: Option<Arc<dyn Resolver>>,
    /// Absolute paths that decide: settings in force, trust store, log, hook scripts, the binary.
    pub judge_paths: Vec<String>,
}

impl Context {
    /// The surroundings with nothing optional: no home, no session rules, no agent, no workspace, no resolver,
    /// not trusted, nothing automatic beyond the mode. `project_root` is also the working directory. Fill in
    /// what you know by struct update or by assigning fields.
    #[must_use]
    pub fn bare(project_root: impl Into<String>, mode: Mode, conventions: GateConventions) -> Self {
        let project_root = project_root.into();
        Self {
            cwd: project_root.clone(),
            project_root,
            home: None,
            shell: Shell::Bash,
            mode,
            aliases: Aliases::standard(),
            sessions: Sessions::none(),
            tools: BTreeMap::new(),
            reading_tools: BTreeSet::new(),
            agent: Agent::default(),
            workspace: None,
            trusted: false,
            scrubbed: false,
            environment: Vec::new(),
            degraded: None,
            interactive: true,
            allow_external_paths: false,
            confined_auto: false,
            hides: false,
            network_blocked: true,
            sensitive: Arc::new(SensitivePaths::standard(None)),
            conventions,
            resolver: None,
            judge_paths: Vec::new(),
        }
    }
}

/// Rules that stand in no settings file.
///
/// ```
/// # use std::sync::Arc;
/// # use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
/// # let anchors = Anchors {
/// #     project_root: "/repo".into(), start_directory: "/repo".into(), home: None, user_settings: None,
/// # };
/// use portcullis_matcher::{RuleSource, Scope, SourcedRule};
/// use portcullis_permissions::{Context, Decision, GateConventions, Mode, Sessions, ToolCall, decide};
///
/// let set = |rules| Arc::new(RuleSet::compile(Arc::new(rules), &anchors, &Conventions::letta()));
/// let yes = SourcedRule::text("Bash(make:*)", RuleSource::of(Scope::Session));
/// let sessions = Sessions { session: set(Rules { allow: vec![yes], ..Rules::default() }), cli: set(Rules::default()) };
/// let context = Context { sessions, ..Context::bare("/repo", Mode::Standard, GateConventions::letta()) };
///
/// let verdict = decide(&ToolCall::shell("make all"), &context, &set(Rules::default()));
/// assert_eq!(verdict.decision, Decision::Allow);
/// assert_eq!(verdict.rule.unwrap().label, "Bash(make:*) (session)");
/// ```
#[derive(Clone, Debug)]
pub struct Sessions {
    /// Session rules: allow, deny, ask and alwaysAsk.
    pub session: Arc<RuleSet>,
    /// `--allowed-tools` as allow, `--disallowed-tools` as deny.
    pub cli: Arc<RuleSet>,
}

impl Sessions {
    /// No such rules.
    #[must_use]
    pub fn none() -> Self {
        let anchors = Anchors {
            project_root: "/".to_owned(),
            start_directory: "/".to_owned(),
            home: None,
            user_settings: None,
        };
        let none = Arc::new(RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta()));
        Self { session: Arc::clone(&none), cli: none }
    }
}

/// What a tool says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolPolicy {
    /// Allowed by default.
    Auto,
    /// Asked every time.
    AlwaysAsk,
    /// Asked by default.
    Ask,
}

/// Who proposes, for memory directories and the cross-agent guard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// The current agent.
    pub id: Option<String>,
    /// Its parent.
    pub parent: Option<String>,
    /// It runs as a subagent.
    pub subagent: bool,
    /// The parent process switched the memory guard off.
    pub memory_guard_disabled: bool,
    /// Already confined as a whole process.
    pub confined: bool,
    /// Absolute trees whose children are agents' directories.
    pub trees: Vec<String>,
    /// The agent's memory directories when they are given explicitly; empty: `TREE/ID/memory` and
    /// `TREE/ID/memory-worktrees`.
    pub memory_directories: Vec<String>,
}

/// When ask rules are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskRules {
    /// Behind the allow rules.
    Last,
    /// Before anything is let through, in every mode.
    BeforeAutomatic,
}

/// What a host profile means for the gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateConventions {
    /// When ask rules are looked at.
    pub ask_rules: AskRules,
    /// Reads outside the allowed directories are allowed by default.
    pub reads_outside_allowed: bool,
    /// [`Gate::WorkingDirectory`](crate::Gate::WorkingDirectory) speaks only of calls that name one path
    /// themselves; a search without a path and lists of paths get the default, which allows them too where reads outside are allowed.
    pub only_named_paths: bool,
    /// Secrets and protected paths are asked in unrestricted mode too.
    pub secrets_in_unrestricted: bool,
}

impl GateConventions {
    /// The default profile.
    #[must_use]
    pub const fn letta() -> Self {
        Self {
            ask_rules: AskRules::Last,
            reads_outside_allowed: true,
            only_named_paths: true,
            secrets_in_unrestricted: false,
        }
    }

    /// The conventions of Claude Code.
    #[must_use]
    pub const fn claude() -> Self {
        Self {
            ask_rules: AskRules::BeforeAutomatic,
            reads_outside_allowed: false,
            only_named_paths: false,
            secrets_in_unrestricted: true,
        }
    }

    /// This tool's own.
    #[must_use]
    pub const fn portcullis() -> Self {
        Self {
            ask_rules: AskRules::BeforeAutomatic,
            reads_outside_allowed: false,
            only_named_paths: false,
            secrets_in_unrestricted: true,
        }
    }
}
