//! What running an invocation can do to the world.

use std::borrow::Cow;

use crate::{Span, Value};

/// One effect and the bytes it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What happens.
    pub kind: EffectKind,
    /// Caused by a redirection, not by the program.
    pub redirection: bool,
    /// The word or redirection that causes it.
    pub span: Span,
}

/// Kinds of effects.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EffectKind {
    /// Reads a file's content; `recursive`: everything below it.
    Read {
        /// Which.
        path: PathTarget,
        /// Everything below it too.
        recursive: bool,
    },
    /// Looks at names and attributes (`ls`, `stat`).
    Metadata(PathTarget),
    /// Changes mode, owner or times, or gives the file a second name through which it may be written (a hard link).
    ChangeMetadata(PathTarget),
    /// Creates or changes a file.
    Write(PathTarget),
    /// Removes a file; `recursive`: everything below it.
    Delete {
        /// Which.
        path: PathTarget,
        /// Everything below it too.
        recursive: bool,
    },
    /// Runs a program or code that this analysis does not follow.
    Execute(Value),
    /// Talks to the network; the endpoint when it is known.
    Network(Option<String>),
    /// Prints variables of the environment, which may hold secrets.
    Environment,
    /// Signals or priorities of other processes.
    Process,
    /// The machine: mounts, services, packages, time.
    System,
    /// The terminal itself.
    Terminal,
    /// Not accounted for, and why.
    Opaque(Cow<'static, str>),
}

/// A path that an effect is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PathTarget {
    /// As the program is given it, made absolute with the working directory but not normalised, so that
    /// `link/..` can be resolved as the kernel does; `~` expanded. See `portcullis_paths::three_paths`.
    Path(String),
    /// Every match of an absolute glob; the second is the directory that holds all matches.
    Glob(String, String),
    /// Something below an absolute directory.
    Below(String),
    /// Anywhere.
    Unknown,
}
