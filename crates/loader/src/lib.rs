//! Settings files: found, read strictly, merged with provenance, and edited in place.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod diagnostic;
mod document;
mod edit;
mod fields;
mod files;
mod ignore;
mod judges;
mod layout;
mod load;
mod merge;
mod parsed;
mod permissions;
mod read;
mod rule_list;
mod save;
mod sections;
mod settings;
mod store;
#[cfg(unix)]
mod unix;

pub use diagnostic::{Diagnostic, Severity};
pub use document::{Position, SyntaxError};
pub use edit::{EditError, edit};
pub use files::{FileState, Standing, Status};
pub use judges::{Judges, NothingSaved, SavedHashes, TrackedFiles, TrustDecider};
pub use layout::{Dialect, Layout, Places, SettingsFile};
pub use load::{Loaded, load};
pub use portcullis_matcher::{ListKind, Mode, RuleObject, RuleSource, RuleSpec, Rules, Scope, SourcedRule};
pub use save::{SaveError, Saved, remove, save};
pub use settings::{Adjustment, LogSettings, SandboxSettings, Settings, Sourced, SpillSettings, Threshold};
