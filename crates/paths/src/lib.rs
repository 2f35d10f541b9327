#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod critical;
mod git;
mod lexical;
mod os_resolver;
mod resolver;
mod sensitive;
mod spelling;
mod three;
mod windows;

pub use critical::{Critical, critical};
pub use git::{
    GitConfigError, GitRepository, GitSetting, NamedProgram, find_repository, names_program, read_git_config,
};
pub use lexical::{below, expand_home, file_name, is_absolute, is_within, join, normalize, parent};
pub use os_resolver::OsResolver;
pub use resolver::{FileKind, NoResolver, Resolver};
pub use sensitive::{BadGlob, SensitivePaths, Table};
pub use spelling::{fold_case, is_within_ignoring_case, nfc, same_ignoring_case};
pub use three::{ThreePaths, three_paths};
pub use windows::is_windows;
