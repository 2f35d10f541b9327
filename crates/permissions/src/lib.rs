#![doc = include_str!("../README.md")]
//!
//! # Limits
//! Whether a back end can confine is the caller's to know ([`Context::confined_auto`], [`Context::hides`]).
//! Hooks and mods are consulted by callers between [`decide_before_hooks`] and [`Verdict::without_a_person`].
//!
//! # Tests
//! The guards and the denial text are held against recorded answers here; whole decisions through the binary, in
//! crate cli. Wanted differences are listed in `conformance/differences.md`.
#![forbid(unsafe_code)]

mod annotate;
mod call;
mod case;
mod context;
mod danger;
mod decide;
mod defaults;
mod denial;
mod exclude;
mod facts;
mod gates;
mod memory;
mod memory_git;
mod pipeline;
mod reach;
mod ruling;
mod suggest;
mod suggest_programs;
mod verdict;

pub use annotate::{Annotation, AnnotationKind, describe_effect};
pub use call::ToolCall;
pub use context::{Agent, AskRules, Context, GateConventions, Sessions, ToolPolicy, Workspace};
pub use decide::{decide, decide_before_hooks};
pub use denial::denial_text;
pub use portcullis_matcher::{Mode, RuleSource, Rules, Scope};
pub use suggest::{OfferedScope, Safety, Suggestion, suggest};
pub use verdict::{Confinement, ConfinementMode, Decision, Gate, MatchedRule, TraceEvent, Verdict};
