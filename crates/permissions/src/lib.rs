#![doc = include_str!("../README.md")]
//!
//! # How a decision is made
//!
//! [`decide`] reads the call's targets and commands once, then asks the gates of one table, in order; the first that
//! speaks decides, and [`Gate::in_order`] lists them. Three groups follow each other:
//!
//! 1. *What is never let through*: the guards over workspaces and other agents' memory, deny rules, plan mode.
//! 2. *What a person has to see*: alwaysAsk rules, removal of what nobody can replace, changes of what decides, secrets,
//!    protected paths, deny rules that *may* match, settings that could not be read.
//! 3. *What is let through*: by mode, because it only reads, because it can be shut in, by allow rules; then what ask
//!    rules and defaults say.
//!
//! Nothing of the third group can undo the first two: adding a deny, ask or alwaysAsk rule never loosens a decision.
//! What could not be parsed or known is never let through by the third group, except by a mode or a rule that covers
//! everything.
//!
//! # What a verdict holds
//!
//! [`Verdict`] has the answer, the gate, the rule with its file and line, the rules that may match, what the run has to
//! hide ([`Verdict::exclude`]), under what it has to run ([`Confinement`]) and a trace event for each gate that was
//! asked. [`denial_text`] makes the words for the model of it, [`Verdict::annotations`] marks the parts of a command for
//! whoever draws it, and [`suggest`] says which rule may be offered to whoever is asked.
//!
//! # Limits
//!
//! - Nothing here runs, reads files by itself, asks anybody or looks at the environment: what is known comes in through
//!   [`Context`], whose [`Resolver`](portcullis_paths::Resolver) is the only way to the file system.
//! - Whether a back end can confine is the caller's to know ([`Context::confined_auto`], [`Context::hides`]); a caller
//!   that cannot confine treats a verdict with [`Confinement::required`] as ask.
//! - Hooks and mods are traits ([`HookRunner`], [`PermissionRegistry`]) that [`decide_with_hooks`] consults around the
//!   gates; running them is their implementor's.
//! - Shell calls are judged by what they are known to do; what a program does beyond that is the sandbox's to stop.
//!
//! # How it is tested
//!
//! `tests/gates.rs` has each gate speak and abstain, `tests/gate_order.rs` puts neighbours in conflict, `tests/guards.rs`
//! leads the guards through links, patterns and patches, `tests/precision.rs` holds what is not to be asked about.
//! `tests/around.rs` has hooks and mods try what they may and may not, `tests/surroundings.rs` tries workspaces, modes of
//! sessions, engines and shadows.
//! `tests/properties.rs` holds what is true of all calls and rules: rules that restrict never loosen, stricter modes
//! never allow more, order and spelling of rules do not matter, what is offered allows the call and nothing dangerous;
//! `tests/reproducible.rs` that the situations for it reach every gate, and that decisions depend on their arguments alone.
//! `tests/conformance.rs` replays recorded answers of the guards and of the denial text; whole decisions are replayed
//! through the binary, in crate cli. Wanted differences are listed in `conformance/differences.md`.
//! `tests/attention.rs` holds how much is asked of realistic commands (`cargo xtask bench attention` prints which, and
//! why). `benches/decide.rs` measures whole decisions against 10 to 10,000 rules, with and without a look at the file
//! system; `examples/agent_loop.rs` is a host in small, and `tests/agent_loop.rs` holds it to what it says.
#![forbid(unsafe_code)]

mod annotate;
mod around;
mod call;
mod case;
mod context;
mod danger;
mod decide;
mod defaults;
mod denial;
mod exclude;
mod existing;
mod facts;
mod gates;
mod lint;
mod memory;
mod mode_cell;
mod near;
mod pipeline;
mod placed;
mod reach;
mod remembering;
mod ruling;
mod shadow;
mod suggest;
mod suggest_programs;
mod verdict;
mod workspace;

pub use annotate::{Annotation, AnnotationKind, describe_effect};
pub use around::{
    HookAnswer, HookRunner, HookedDecision, ModAnswer, Nobody, Opinion, PermissionRegistry, decide_with_hooks,
};
pub use call::ToolCall;
pub use context::{Agent, AskRules, Context, GateConventions, Sessions, ToolPolicy};
pub use decide::{decide, decide_before_hooks};
pub use denial::denial_text;
pub use lint::{
    Beaten, By, Evasion, Finding, FindingKind, Needs, Standing, evasion, lint, misses, narrow, standing,
};
pub use mode_cell::{ModeCell, mode_for_child};
pub use portcullis_matcher::{Mode, RuleSource, Rules, Scope};
pub use shadow::{Configuration, Mismatch, Side, compare};
pub use suggest::{OfferedScope, Safety, Suggestion, suggest};
pub use verdict::{Confinement, ConfinementMode, Decision, Gate, MatchedRule, TraceEvent, Verdict};
pub use workspace::{Workspace, WorkspaceError};
