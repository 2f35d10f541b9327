//! Lexical and real paths, containment, Windows shapes, and tables of sensitive paths.
#![forbid(unsafe_code)]

mod lexical;
mod resolver;
mod sensitive;
mod three;

pub use lexical::{expand_home, is_within, join, normalize};
pub use resolver::{FileKind, NoResolver, OsResolver, Resolver};
pub use sensitive::{SensitivePaths, Table};
pub use three::{ThreePaths, three_paths};
