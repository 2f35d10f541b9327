//! The ordered gates that answer allow, deny, ask or alwaysAsk for one tool call.
#![forbid(unsafe_code)]

mod call;
mod context;
mod decide;
mod denial;
mod verdict;

pub use call::ToolCall;
pub use context::{Agent, AskRules, Context, GateConventions, Sessions, ToolPolicy, Workspace};
pub use decide::decide;
pub use denial::denial_text;
pub use portcullis_matcher::{Mode, RuleSource, Rules, Scope};
pub use verdict::{Confinement, ConfinementMode, Decision, Gate, MatchedRule, TraceEvent, Verdict};
