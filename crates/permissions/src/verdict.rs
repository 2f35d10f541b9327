//! What a decision says.

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
}

/// The gates of specification 3.1, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Gate {
    /// 1
    WorkspaceGuard,
    /// 2
    CrossAgentGuard,
    /// 3
    DenyRule,
    /// 4
    CliDisallow,
    /// Plan mode
    Plan,
    /// 5
    SessionAlwaysAsk,
    /// 6
    AlwaysAskRule,
    /// 7
    ToolPolicy,
    /// 7
    CriticalRemoval,
    /// 7
    SelfModification,
    /// Secrets
    Secret,
    /// Protected paths
    ProtectedPath,
    /// A deny or alwaysAsk rule that may match
    PossibleDeny,
    /// Settings that could not be read
    Degraded,
    /// 8
    Mode,
    /// 9
    CliAllow,
    /// 10
    Skill,
    /// 11
    ReadOnlyShell,
    /// 12
    MemoryDirShell,
    /// 12b
    ConfinedAuto,
    /// 13
    WorkingDirectory,
    /// 14
    SessionAllow,
    /// 15
    AllowRule,
    /// 16, or before 8
    AskRule,
    /// Nothing spoke
    Default,
    /// dontAsk mode
    DontAsk,
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
    /// A caller that cannot confine must treat the verdict as ask.
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
    /// The rule it looked at, when one matched.
    pub pattern: Option<String>,
    /// Anything worth telling.
    pub message: Option<String>,
}

/// A decision with its reasons.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The answer.
    pub decision: Decision,
    /// The gate that gave it.
    pub gate: Gate,
    /// The rule that it came from.
    pub rule: Option<MatchedRule>,
    /// One of the stable sentences of specification 3.1.
    pub reason: String,
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
