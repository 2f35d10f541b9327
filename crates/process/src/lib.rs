//! Spawn a program in a session of its own, with time-outs, bounded output and a kill that reaches the
//! whole tree.
//!
//! Use it to run commands that you do not trust to end, to be quiet or to clean up: a run has a clock, a
//! bound on what is kept of its output, and one place where everything that it started is ended. Do not
//! use it to *confine* a program: nothing here restricts what a program may touch (that is the sandbox
//! crate's work, which uses this one), and do not use it for long conversations with a child.
//!
//! # What a child gets
//!
//! - An environment, a directory and arguments that are values; nothing is inherited from the caller.
//! - A session of its own without a terminal (`setsid(2)`), or, when its standard input is the caller's
//!   terminal, a process group of its own that owns the terminal for the time of the run, so that Ctrl-C and
//!   Ctrl-Z reach it and not the caller.
//! - Descriptors 0, 1 and 2, and those that are asked for. Everything else is closed when it starts.
//! - Default signal dispositions and an empty signal mask.
//!
//! # How a run ends
//!
//! [`Command::run`] returns when the program has ended *and* its output is read, but a background child that
//! keeps a pipe open does not hold it: 100 ms of silence after the exit are enough. What is left of
//! the process group is killed then, unless [`Control::leftovers`] says otherwise. A time-out sends SIGTERM to
//! the program, its group and all its descendants, and SIGKILL two seconds later.
//!
//! # Limits
//!
//! Linux only today: the child is made by `clone(CLONE_VM | CLONE_VFORK | CLONE_PIDFD)`, whose cost does not
//! grow with the caller's memory (clone(2)). A descendant that called `setsid(2)` *and* lost its parent
//! before the run ended cannot be found again from outside: where that matters, run inside a PID namespace
//! or below a subreaper (both sandbox back ends do).
//!
//! # Test strategy
//!
//! `tests/` runs real programs: exact exit codes and signals, streams larger than any pipe, children that
//! ignore SIGTERM, that keep pipes open, that leave descriptors about. Job control needs a process that owns
//! a terminal: the binary's tests (`crates/cli/tests/job_control.rs`) type at a pseudo-terminal. Every test ends
//! what it starts.

mod command;
mod control;
mod error;
mod foreground;
mod forward;
mod inherited;
mod lookup;
mod spawn;
mod standard;
mod streams;
mod supervise;
mod tail;
mod tree;
mod wait;

pub use command::{Command, ExitState, Output, Stdin, Stdio};
pub use control::{Cancel, Control, Leftovers, Preparation, Stream, Terminate, Watch};
pub use error::RunError;
pub use inherited::inherited;
pub use lookup::lookup;
pub use standard::{has_input, has_output, output_columns};
pub use tree::await_end;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
