//! Canonical names of coding agents' tools, and where a call keeps its path and its command.
//!
//! Model families name the same action differently (`run_shell_command`, `exec_command`, `Bash`). This
//! crate folds those spellings onto eight canonical tools and finds, in the arguments of a call, the
//! paths and the command that rules and guards have to look at.
#![forbid(unsafe_code)]

mod arguments;
mod tool;

pub use arguments::{CommandText, Commands, Targets, commands, targets};
pub use tool::{Aliases, Family, Tool};
