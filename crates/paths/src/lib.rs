#![doc = include_str!("../README.md")]
//!
//! # Parts
//!
//! - Text: [`normalize`], [`join`], [`is_within`], [`below`], [`expand_home`]; [`is_windows`] for the shapes
//!   of Windows; [`nfc`] and [`fold_case`] for other spellings of one name.
//! - The file system: the trait [`Resolver`], [`OsResolver`], and [`three_paths`], the three readings that
//!   rules judge (deny if any matches, allow only if all do); [`ignores_case`] for directories whose names
//!   are compared without regard to case.
//! - Knowledge: [`SensitivePaths`] (secrets, protected paths), [`critical`] (what is never removed as
//!   routine), and what a repository's own configuration makes git run ([`find_repository`],
//!   [`read_git_config`], [`names_program`]).
//!
//! # Limits
//!
//! - Paths are `&str`. A link that leads to a name that is not UTF-8 is an error of the resolver.
//! - Links of single processes (`/proc/self/cwd`, `/dev/fd/3`) are errors too: they mean the process that
//!   opens them. `/proc/self/x` keeps its name.
//! - Where the resolver fails although something may be there, [`ThreePaths::unknown`] says so, and what restricts has
//!   to take the path for one that it may mean; [`Resolver::realpath`] says which errors those are.
//! - An answer is about one moment: a link that is changed between it and the open leads elsewhere. Other names of one
//!   file that are no symbolic links (hard links, bind mounts) are not seen at all. Only a sandbox closes both.
//! - Windows shapes are recognised as text on every platform; short names (`PROGRA~1`) only by a resolver.
//! - The git reader refuses what it is not sure of, and a refused file counts as one that names a program.
//!   The user's and the system's configuration are not looked at.
//! - Nothing here reads the environment, the home directory or the current directory: they are arguments.
//!
//! # Tests
//!
//! Text is held against a naive evaluation by components, the resolver against
//! [`std::fs::canonicalize`] over random trees with links, the git reader against git itself over random
//! files. The tables are tested row by row, and by lists of paths inside and outside.
#![forbid(unsafe_code)]

mod case;
mod critical;
#[cfg(feature = "files")]
pub mod files;
mod git;
mod lexical;
mod of_processes;
mod os_resolver;
mod resolver;
mod sensitive;
mod spelling;
mod three;
#[cfg(unix)]
mod unix;
mod windows;

pub use case::ignores_case;
pub use critical::{Critical, critical};
pub use git::{
    GitConfigError, GitRepository, GitSetting, NamedProgram, find_repository, names_program, read_git_config,
};
pub use lexical::{below, expand_home, file_name, is_absolute, is_within, join, normalize, parent};
pub use of_processes::of_processes;
pub use os_resolver::OsResolver;
pub use resolver::{Entry, EntryKind, FileKind, NoResolver, Resolver};
pub use sensitive::{BadGlob, SensitivePaths, Table};
pub use spelling::{fold_case, is_within_ignoring_case, nfc, same_ignoring_case};
pub use three::{ThreePaths, three_paths};
pub use windows::is_windows;
