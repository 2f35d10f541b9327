//! The events. Plain values: this crate knows no other one of the workspace.

use serde::{Deserialize, Serialize};

/// What was decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// Let through.
    Allow,
    /// Stopped.
    Deny,
    /// A person is asked.
    Ask,
    /// A person is asked, and nothing may be remembered.
    AlwaysAsk,
}

/// How a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The only one that lets anything run.
    AllowedOnce,
    /// A person said no, or policy did.
    Rejected,
    /// Taken back before it was answered.
    Cancelled,
    /// Nobody answered, or not in time, or not in words of this list.
    Unavailable,
}

/// Whether anybody is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalPolicy {
    /// Questions go to the answerers.
    Ask,
    /// Every question is a no.
    Never,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It ran.
    Success,
    /// It failed, or was not let through.
    Error,
    /// It was started, and what became of it is not known.
    Unknown,
}

/// A rule and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleRef {
    /// As written.
    pub rule: String,
    /// `managed`, `user`, `project`, `local`, `cli` or `session`.
    pub scope: String,
    /// The settings file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// What is known about a confined run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFacts {
    /// The mode that it really ran under.
    pub mode: String,
    /// The back end; none: unconfined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// `open` or `blocked`.
    pub network: String,
    /// Effects that were not governed; empty: full enforcement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<String>,
    /// None: ended by a signal, or not started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The kernel refused something.
    pub denied: bool,
    /// It ran into its time limit.
    pub timed_out: bool,
    /// Milliseconds.
    pub duration_ms: u64,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum Event {
    /// An agent proposed a call, or it is about to run.
    #[serde(rename = "tool/call")]
    ToolCall {
        /// The agent's id for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call_id: Option<String>,
        /// Over tool, arguments and directory, as the caller computes it; joins the events of one call.
        call: String,
        /// As proposed.
        tool: String,
        /// As proposed, but redacted.
        arguments: serde_json::Value,
        /// The working directory.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
    },
    /// A call ended.
    #[serde(rename = "tool/result")]
    ToolResult {
        /// The call's hash.
        call: String,
        /// How.
        status: Status,
        /// The length of what the model got, in bytes.
        bytes: u64,
        /// Milliseconds.
        duration_ms: u64,
    },
    /// The gates spoke.
    #[serde(rename = "decision")]
    Decision {
        /// The call's hash.
        call: String,
        /// As proposed.
        tool: String,
        /// The answer.
        decision: Verdict,
        /// The name of the gate that decided.
        gate: String,
        /// The rule that matched.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<RuleRef>,
        /// In words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The mode in force.
        mode: String,
        /// Microseconds.
        duration_us: u64,
    },
    /// A question is about to be asked. Nothing is asked that is not recorded.
    #[serde(rename = "approval/asked")]
    ApprovalAsked {
        /// The request's id.
        id: String,
        /// The call's hash.
        call: String,
        /// As proposed.
        tool: String,
        /// Why it is asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The wider mode that is asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        widening: Option<String>,
        /// Milliseconds from when the question is shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// A question ended. Nothing runs on an answer that is not recorded.
    #[serde(rename = "approval/decided")]
    ApprovalDecided {
        /// The request's id.
        id: String,
        /// How.
        outcome: Answer,
        /// Which answerer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// What the person added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    /// Whether anybody is asked from now on.
    #[serde(rename = "approval/policy")]
    ApprovalPolicy {
        /// The new value.
        policy: ApprovalPolicy,
    },
    /// How commands are confined from now on.
    #[serde(rename = "sandbox/mode")]
    SandboxMode {
        /// The new value.
        mode: String,
    },
    /// A command ran, confined or not.
    #[serde(rename = "sandbox/run")]
    SandboxRun {
        /// The call's hash.
        call: String,
        /// What is known about it.
        facts: RunFacts,
    },
    /// A confined run made, changed or removed something that is protected.
    #[serde(rename = "sandbox/tripwire")]
    Tripwire {
        /// The call's hash; none: found at a later start.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<String>,
        /// The session whose run it was.
        run: String,
        /// The protected name.
        path: String,
        /// `new`, `changed`, `removed` or `lost`.
        change: String,
        /// Where it is now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quarantined: Option<String>,
        /// What was there before is there again.
        restored: bool,
        /// Why it could not be moved or put back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A named pair of sandbox mode and approval policy was chosen.
    #[serde(rename = "permission/preset")]
    PermissionPreset {
        /// Its name.
        name: String,
    },
    /// A hook was started.
    #[serde(rename = "hook/invoked")]
    HookInvoked {
        /// The hook event.
        event: String,
        /// The command, or the name of the prompt hook.
        hook: String,
    },
    /// A hook ended.
    #[serde(rename = "hook/result")]
    HookResult {
        /// The hook event.
        event: String,
        /// The command, or the name of the prompt hook.
        hook: String,
        /// In a word.
        outcome: String,
        /// Milliseconds.
        duration_ms: u64,
    },
    /// A rule was added or removed.
    #[serde(rename = "rule/saved")]
    RuleSaved {
        /// The rule, and where it stands.
        rule: RuleRef,
        /// `allow`, `deny`, `ask`, `alwaysAsk` or `restrict`.
        list: String,
        /// It was taken away, not added.
        #[serde(default)]
        removed: bool,
    },
    /// Somebody decided about a project.
    #[serde(rename = "trust/decided")]
    TrustDecided {
        /// The project.
        directory: String,
        /// The decision.
        trusted: bool,
        /// It counts for later sessions.
        stored: bool,
        /// `flag`, `question` or the like.
        by: String,
    },
}

impl Event {
    /// Whether the caller has to stop when this cannot be recorded, whatever the settings say.
    #[must_use]
    pub const fn is_indispensable(&self) -> bool {
        matches!(self, Self::ApprovalAsked { .. } | Self::ApprovalDecided { .. } | Self::ToolCall { .. })
    }

    /// The tool, for events that name one.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        match self {
            Self::ToolCall { tool, .. } | Self::Decision { tool, .. } | Self::ApprovalAsked { tool, .. } => {
                Some(tool)
            }
            _ => None,
        }
    }

    /// The decision, for decisions.
    #[must_use]
    pub const fn decision(&self) -> Option<Verdict> {
        match self {
            Self::Decision { decision, .. } => Some(*decision),
            _ => None,
        }
    }

    /// The rule, for decisions and saved rules.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Decision { rule: Some(rule), .. } | Self::RuleSaved { rule, .. } => Some(&rule.rule),
            _ => None,
        }
    }
}
