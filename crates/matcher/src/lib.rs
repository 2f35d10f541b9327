//! Permission rules: syntax, normalisation, and rule sets compiled for matching.
#![forbid(unsafe_code)]

mod allow;
mod command;
mod compiled;
mod conventions;
mod facts;
mod glob;
mod index;
mod mode;
mod normal;
mod parsed;
mod paths;
#[cfg(test)]
mod reference;
mod restrict;
mod rule;
mod source;
mod subject;
mod verdict;
mod web;

pub use compiled::{ListId, RuleId, RuleSet};
pub use conventions::{Anchors, Conventions, SlashAnchor};
pub use mode::Mode;
pub use normal::{canonical_path_like, equivalence_key, equivalent, normalize_rule, parse_tool_list};
pub use rule::{ListKind, RuleError, RuleNote, RuleObject, RuleSpec, Rules, SourcedRule};
pub use source::{RuleSource, Scope};
pub use subject::{ShellPart, Subject};

use verdict::Match;
