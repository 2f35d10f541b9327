//! Which programs a git repository's own configuration makes git run.

mod index;
mod keys;
mod reader;
mod repository;

pub use keys::names_program;
pub use reader::{GitConfigError, GitSetting, read_git_config};
pub use repository::{GitRepository, NamedProgram, find_repository};
