//! Settings files: found, read strictly, merged with provenance, and edited in place.
#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! | question | answer |
//! |---|---|
//! | which files does a profile have? | [`Layout`]: a table |
//! | what do they say? | [`load`], once; [`Loader`], again and again |
//! | who decides what a project may say? | the caller, through [`Judges`] |
//! | what of a file waits for trust? | [`loosens`] |
//! | has anything changed? | [`Loader::load`] looks; with the feature `watch` the system tells |
//! | how is a rule added or taken away? | [`save`], [`remove`]; any other value: [`edit`] |
//!
//! # Promises
//!
//! - *Never silence.* A file or a field that cannot be understood is a [`Diagnostic`] with file, line, column and
//!   what was expected, and [`Loaded::degraded`] names it: no automatic allow then. Deny rules of other files,
//!   and of the other fields of that file, still hold.
//! - *One reading.* JSON with comments, trailing commas and a byte-order mark; everything looser, and a repeated
//!   key in a section that is read, is an error, so that no other reader can understand the file differently.
//! - *A project can only tighten* until it is trusted: deny, ask, alwaysAsk and restrict rules and the `add`
//!   lists of secrets and protected paths. So does a local file that the user did not write through this crate.
//!   Folders below the project root can only tighten, trusted or not.
//! - *Managed settings stay.* No narrower value replaces them; a managed lock that cannot be read is closed.
//! - *An edit changes what it names.* A file that does not parse is never overwritten. Writers take turns, and
//!   a kill leaves the old file or the new one.
//!
//! # Rules that stand twice
//!
//! Equivalent rules of one list are merged and the first spelling stays: across scopes in deny and alwaysAsk,
//! within one scope in the others. There the scope decides what a rule beats, so a second one in a narrower
//! scope says something that the first does not.
//!
//! # Limits
//!
//! Rules are not parsed here: one that cannot be read is reported by the compiled rule set, with the place that
//! is recorded here. Locks are advisory, and taken on the folder of the file: other programs that write settings
//! are not held off, but what they wrote is never overwritten with something older. Ownership of a file that is
//! replaced becomes the writer's.
//!
//! # Test strategy
//!
//! Every row of the specification's tables; a list of texts that looser readers accept, each with its position;
//! twenty threads and twenty processes that save at once; killed writers; texts before and after an edit,
//! byte for byte; recorded answers and reported faults from `conformance/`; arbitrary edits (property test).
#![forbid(unsafe_code)]

mod cache;
mod diagnostic;
mod document;
mod edit;
mod fields;
mod files;
mod ignore;
mod judges;
mod layout;
mod load;
mod loosening;
mod merge;
mod parsed;
mod permissions;
mod read;
mod restricting;
mod rule_list;
mod save;
mod sections;
mod settings;
mod taking;
#[cfg(feature = "watch")]
mod trail;
#[cfg(unix)]
mod unix;
#[cfg(feature = "watch")]
mod watch;
mod written;

pub use cache::Loader;
pub use diagnostic::{Diagnostic, Severity};
pub use document::{Position, SyntaxError};
pub use edit::{EditError, edit};
pub use files::{FileState, Standing, Status};
pub use judges::{Judges, NothingSaved, SavedHashes, TrackedFiles, TrustDecider};
pub use layout::{Dialect, Layout, Places, SettingsFile};
pub use load::{Loaded, load, load_settings};
pub use loosening::{Loosens, loosens};
pub use portcullis_matcher::{ListKind, Mode, RuleObject, RuleSource, RuleSpec, Rules, Scope, SourcedRule};
pub use restricting::only_restricts;
pub use save::{SaveError, Saved, remove, remove_rule, save, save_rule};
pub use settings::{
    Adjustment, LimitSettings, LogSettings, SandboxSettings, Settings, Sourced, SpillSettings, Threshold,
};
#[cfg(feature = "watch")]
pub use watch::WatchError;
