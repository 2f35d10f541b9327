//! Permission rules: syntax, normalisation, and rule sets compiled for matching.
#![forbid(unsafe_code)]

mod compiled;
mod conventions;
mod mode;
mod normal;
mod rule;
mod source;
mod subject;

pub use compiled::{ListId, RuleId, RuleSet};
pub use conventions::{Anchors, Conventions, SlashAnchor};
pub use mode::Mode;
pub use normal::{canonical_path_like, equivalent, normalize_rule, parse_tool_list};
pub use rule::{ListKind, RuleError, RuleObject, RuleSpec, Rules, SourcedRule};
pub use source::{RuleSource, Scope};
pub use subject::{ShellPart, Subject};
