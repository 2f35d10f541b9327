#![doc = include_str!("../README.md")]
//!
//! # Parts
//!
//! - [`Tool`], [`Family`] and [`Aliases`]: the eight canonical tools and the table of their spellings.
//! - [`targets`]: the paths and name patterns of a call, patches included ([`patch_paths`]).
//! - [`commands`]: the shell text or argv of a call, and the directory, variables and shell that it names
//!   ([`Surroundings`]).
//! - [`carried`]: the calls inside a call that runs several, and the files that it names by `file:` addresses.
//! - [`leaves_the_sandbox`]: whether a call asks for a run outside of its host's sandbox.
//! - [`given_names`]: the agents or skills that a call names.
//!
//! # Limits
//!
//! Nothing here touches the file system or knows a working directory: paths come back as they were
//! written. Argument names that no known tool uses are not guessed at; a file or shell call whose path or
//! command is missing or has the wrong type comes back as `unknown`, and the caller must then assume that
//! it touches anything.
//!
//! # Tests
//!
//! `tests/upstream.rs` replays the recorded answers of `conformance/`; the differences are listed there by
//! kind. `tests/arguments.rs` holds the cases of the specification and properties over random arguments.
#![forbid(unsafe_code)]

mod address;
mod arguments;
mod carried;
mod command;
mod leaves;
mod named;
mod patch;
mod pattern;
mod reached;
mod surroundings;
mod tool;

pub use arguments::{Targets, targets};
pub use carried::{Carried, carried, known_name};
pub use command::{CommandText, Commands, commands};
pub use leaves::leaves_the_sandbox;
pub use named::{GivenNames, Naming, given_names};
pub use patch::{is_patch_tool, patch_paths};
pub use reached::Reached;
pub use surroundings::Surroundings;
pub use tool::{Aliases, Family, Tool};
