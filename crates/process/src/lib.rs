//! Spawn a program in a session of its own, with time-outs, bounded output and a kill that reaches the
//! whole tree.

mod run;

pub use run::{Command, ExitState, Output, RunError, Stdin, Stdio};
