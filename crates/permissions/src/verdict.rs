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

impl Gate {
    /// Every gate in the order in which it is asked; `ask-rule` where the profile `claude` has it, and again
    /// behind the allow rules.
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
            Self::DontAsk => "dont-ask",
        }
    }

    /// The number in the specification's table, for the gates that have one.
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
    /// What it answered.
    pub decision: Option<Decision>,
    /// The rule, mode or guard that matched.
    pub pattern: Option<String>,
    /// The reason, with the path or program that it is about.
    pub message: Option<Cow<'static, str>>,
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
    pub reason: Cow<'static, str>,
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
