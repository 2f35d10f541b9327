#![doc = include_str!("../README.md")]
//!
//! # The way through
//!
//! ```text
//! text --parse--> Script        tree.rs, parse.rs: bash 5.2's grammar, bounded, never recovering
//!      --plan---> Invocations   plan.rs: words, directories, functions, launchers (launchers.rs)
//!      --look up> Effects       programs.rs: specifications as tables, one module a group of programs
//!      --judge--> Analysis      judge.rs: read-only within the roots, or every reason against it
//! ```
//!
//! # How to read an [`Analysis`]
//!
//! - `invocations` holds every simple command that can run, at any depth, and the launchers around it; deny and
//!   ask rules look at all of them. On a parse error they are those of the complete commands before it, which
//!   bash would have run.
//! - `opaque` is set when the meaning of the text cannot be known (an `alias`, `eval "$x"`, a `PATH=`, more than
//!   4,096 invocations, a construct that the shell in question reads otherwise): no allow rule covers it.
//! - `blockers` says, with spans, what keeps it from being read-only.
//!
//! # Tests
//!
//! The table above names the tests of each quality bar. Beside them: `tests/plan/` has tables of wrapped commands,
//! expansions and directories, `tests/names.rs` names that one program hands to another, `tests/links.rs` a tree with
//! links that lead out and names with line feeds, `tests/variables.rs` what prints the environment,
//! `tests/evaluation.rs` code that hides in values, `tests/repositories.rs` projects and repositories whose files name
//! programs. Most tests are tables; a case that a search finds becomes a row.
#![forbid(unsafe_code)]

mod analysis;
mod confined;
mod dialect;
mod effect;
mod error;
mod few;
mod invocation;
mod judge;
mod launchers;
mod look;
mod made;
mod name_hash;
mod name_set;
mod parse;
mod pattern;
mod plan;
mod programs;
mod read_unasked;
mod runner_variables;
mod runners;
mod shared_text;
mod short_list;
mod span;
mod text;
pub mod tree;
mod value;

pub use analysis::{Analysis, Blocker, Settings, Shell, analyze, analyze_argv};
pub use confined::{Confinement, confined_argv_to, confined_to};
pub use effect::{Effect, EffectKind, PathTarget};
pub use error::{ErrorKind, ParseError};
pub use invocation::{
    Argument, Assignment, Directories, HereText, Invocation, Launcher, Reach, Redirection, RedirectionTarget,
};
use judge::{as_written, lies_inside, windows_shaped};
pub use parse::{MAX_DEPTH, MAX_LENGTH, parse};
pub use programs::{FlagRole, FlagValue, Specification, SpecifiedFlag, specifications};
pub use shared_text::Text;
pub use span::Span;
pub use text::{join_words, normalize, primary, split_words, unwrap, unwrap_pattern};
pub use value::{Below, GlobPattern, Value};
