//! Reads bash text without running it: which programs it runs, on what, and whether any of it can
//! change anything.
#![forbid(unsafe_code)]

mod analysis;
mod dialect;
mod effect;
mod error;
mod invocation;
mod judge;
mod launchers;
mod parse;
mod plan;
mod programs;
mod span;
mod text;
pub mod tree;
mod value;

pub use analysis::{Analysis, Blocker, Settings, Shell, analyze, analyze_argv};
pub use effect::{Effect, EffectKind, PathTarget};
pub use error::{ErrorKind, ParseError};
pub use invocation::{
    Argument, Assignment, Directories, HereText, Invocation, Launcher, Reach, Redirection, RedirectionTarget,
};
pub use parse::{MAX_DEPTH, MAX_LENGTH, parse};
pub use span::Span;
pub use text::{join_words, normalize, primary, split_words, unwrap};
use tree::RedirectOp;
pub use value::{GlobPattern, Value};
