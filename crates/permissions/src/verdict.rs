//! What a decision says.

use std::borrow::Cow;

use portcullis_matcher::RuleSource;
use portcullis_shell_analysis::Analysis;

/// The four answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// Let it through.
    Allow,
    /// Stop it.
    Deny,
    /// Ask a person.
    Ask,
    /// Ask a person every time; nothing may be remembered.
    AlwaysAsk,
}

impl Decision {
    /// The name in output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::AlwaysAsk => "alwaysAsk",
        }
    }

    /// From what lets through to what stops.
    pub(crate) const fn strictness(self) -> u8 {
        match self {
            Self::Allow => 0,
            Self::Ask => 1,
            Self::AlwaysAsk => 2,
            Self::Deny => 3,
        }
    }
}

/// The gates, in the order in which they are asked. The first that speaks decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Gate {
    /// Denies file tools that leave the workspace.
    WorkspaceGuard,
    /// Denies file tools that reach another agent's memory.
    CrossAgentGuard,
    /// Deny rules from settings and session.
    DenyRule,
    /// `--disallowed-tools`.
    CliDisallow,
    /// Plan mode: nothing is changed while planning.
    Plan,
    /// alwaysAsk rules of the session.
    SessionAlwaysAsk,
    /// alwaysAsk rules from settings.
    AlwaysAskRule,
    /// A tool that wants a person every time.
    ToolPolicy,
    /// Removal of what nobody can replace.
    CriticalRemoval,
    /// Changing what decides.
    SelfModification,
    /// Reading secrets.
    Secret,
    /// Writing protected paths.
    ProtectedPath,
    /// A deny or alwaysAsk rule that may match.
    PossibleDeny,
    /// Settings that could not be read.
    Degraded,
    /// What the permission mode lets through.
    Mode,
    /// `--allowed-tools`.
    CliAllow,
    /// Loading a skill.
    Skill,
    /// A shell command that only reads, within the roots.
    ReadOnlyShell,
    /// A shell command that stays in the agent's own memory.
    MemoryDirShell,
    /// An opaque shell command that will run shut in.
    ConfinedAuto,
    /// A read inside the project.
    WorkingDirectory,
    /// Allow rules of the session.
    SessionAllow,
    /// Allow rules from settings.
    AllowRule,
    /// Ask rules; before [`Gate::Mode`] where the profile says so.
    AskRule,
    /// Nothing spoke: the default for the tool.
    Default,
    /// A hook, around the table.
    Hook,
    /// A mod of the permission registry, around the table.
    Mod,
    /// dontAsk mode: what would be asked is denied.
    DontAsk,
}

impl Gate {
    /// Every gate in the order in which it is asked; `ask-rule` where the profile `claude` has it, and again
    /// behind the allow rules.
    ///
    /// ```
    /// use portcullis_permissions::Gate;
    ///
    /// let names: Vec<&str> = Gate::in_order().map(Gate::as_str).collect();
    /// assert_eq!((names[0], names[3]), ("workspace-guard", "cli-disallow"));
    /// assert!(Gate::DenyRule.is_before(Gate::AllowRule));
    /// ```
    pub fn in_order() -> impl Iterator<Item = Self> {
        crate::pipeline::gates().chain([Self::DontAsk])
    }

    /// The name in traces and output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WorkspaceGuard => "workspace-guard",
            Self::CrossAgentGuard => "cross-agent-guard",
            Self::DenyRule => "deny-rule",
            Self::CliDisallow => "cli-disallow",
            Self::Plan => "plan",
            Self::SessionAlwaysAsk => "session-always-ask",
            Self::AlwaysAskRule => "always-ask-rule",
            Self::ToolPolicy => "tool-policy",
            Self::CriticalRemoval => "critical-removal",
            Self::SelfModification => "self-modification",
            Self::Secret => "secret",
            Self::ProtectedPath => "protected-path",
            Self::PossibleDeny => "possible-deny",
            Self::Degraded => "degraded",
            Self::Mode => "mode",
            Self::CliAllow => "cli-allow",
            Self::Skill => "skill",
            Self::ReadOnlyShell => "read-only-shell",
            Self::MemoryDirShell => "memory-dir-shell",
            Self::ConfinedAuto => "confined-auto",
            Self::WorkingDirectory => "working-directory",
            Self::SessionAllow => "session-allow",
            Self::AllowRule => "allow-rule",
            Self::AskRule => "ask-rule",
            Self::Default => "default",
            Self::Hook => "hook",
            Self::Mod => "mod",
            Self::DontAsk => "dont-ask",
        }
    }

    /// The number that explanations show the gate by, for those that have one.
    #[must_use]
    pub const fn number(self) -> Option<u8> {
        Some(match self {
            Self::WorkspaceGuard => 1,
            Self::CrossAgentGuard => 2,
            Self::DenyRule => 3,
            Self::CliDisallow => 4,
            Self::SessionAlwaysAsk => 5,
            Self::AlwaysAskRule => 6,
            Self::ToolPolicy | Self::CriticalRemoval | Self::SelfModification => 7,
            Self::Mode => 8,
            Self::CliAllow => 9,
            Self::Skill => 10,
            Self::ReadOnlyShell => 11,
            Self::MemoryDirShell | Self::ConfinedAuto => 12,
            Self::WorkingDirectory => 13,
            Self::SessionAllow => 14,
            Self::AllowRule => 15,
            Self::AskRule => 16,
            _ => return None,
        })
    }

    /// Whether this gate is asked before `other`; the variants stand in the order of the table.
    #[must_use]
    pub const fn is_before(self, other: Self) -> bool {
        (self as u8) < (other as u8)
    }
}

/// The rule that decided.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MatchedRule {
    /// As shown: `RULE`, `RULE (CLI)`, `RULE (session)`, `MODE mode`, `workspace sandbox`...
    pub label: String,
    /// Where it stands, when it stands anywhere.
    pub source: Option<RuleSource>,
    /// The rule's own reason.
    pub reason: Option<String>,
}

/// What a let-through call runs under; a plain value that the caller turns into a sandbox policy.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Confinement {
    /// File access.
    pub mode: ConfinementMode,
    /// Network blocked.
    pub network_blocked: bool,
    /// A caller that cannot confine must treat the verdict as ask: the command runs unasked only because it is shut in,
    /// or [`Verdict::exclude`] has to be hidden from it, or what deny rules over paths forbid has to be out of its reach.
    pub required: bool,
}

/// File access of a confined run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ConfinementMode {
    /// No writes.
    ReadOnly,
    /// Writes below the workspace roots.
    WorkspaceWrite,
    /// Writes below the agent's memory roots.
    MemoryWrite,
}

/// One gate's part in a decision.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TraceEvent {
    /// The gate.
    pub gate: Gate,
    /// It spoke.
    pub matched: bool,
    /// What it answered.
    pub decision: Option<Decision>,
    /// The rule, mode or guard that matched; of a gate that asks allow rules and did not speak, the rule that came
    /// near.
    pub pattern: Option<String>,
    /// The reason, with the path or program that it is about; of such a gate, why that rule does not cover the call
    /// (where the decision is to ask).
    pub message: Option<Cow<'static, str>>,
}

/// A decision with its reasons.
///
/// ```
/// # use std::sync::Arc;
/// # use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
/// # let anchors = Anchors {
/// #     project_root: "/repo".into(), start_directory: "/repo".into(), home: None, user_settings: None,
/// # };
/// # let rules = RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta());
/// use portcullis_permissions::{ConfinementMode, Context, Gate, GateConventions, Mode, ToolCall, decide};
///
/// let context = Context {
///     confined_auto: true,
///     ..Context::bare("/repo", Mode::Standard, GateConventions::letta())
/// };
/// let verdict = decide(&ToolCall::shell("cargo test"), &context, &rules);
/// assert_eq!((verdict.gate, verdict.reason.as_ref()), (Gate::ConfinedAuto, "Runs confined"));
/// // A caller that cannot do this has to ask after all.
/// let confinement = verdict.confinement.unwrap();
/// assert!(confinement.required && confinement.network_blocked);
/// assert_eq!(confinement.mode, ConfinementMode::WorkspaceWrite);
/// // Every gate that was asked left a word; the last of them spoke.
/// assert!(verdict.trace.last().is_some_and(|event| event.matched));
/// ```
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The answer.
    pub decision: Decision,
    /// The gate that gave it.
    pub gate: Gate,
    /// The rule that it came from.
    pub rule: Option<MatchedRule>,
    /// The gate's sentence, such as `Matched deny rule`: the same for all calls but for names in it.
    pub reason: Cow<'static, str>,
    /// The path, program or part of the command that made the gate speak, where it names one.
    pub about: Option<String>,
    /// No file system was asked (the context has no resolver): paths were judged as they are written, whatever links
    /// there may be.
    pub as_written: bool,
    /// Deny and alwaysAsk rules that may match.
    pub possible: Vec<MatchedRule>,
    /// Globs to hide from recursive content reads.
    pub exclude: Vec<String>,
    /// For shell calls.
    pub confinement: Option<Confinement>,
    /// Every gate that was asked, in order.
    pub trace: Vec<TraceEvent>,
    /// The analyses of a shell call's commands, with their texts.
    pub shell: Vec<(String, Analysis)>,
}
