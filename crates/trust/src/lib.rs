#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! | question | answer |
//! |---|---|
//! | what does a project bring along? | [`inventory`]: the tables of `resources.rs` |
//! | may it be loaded? | [`decide`], once a session; [`Decision::covers`], for the bytes of each load |
//! | where are decisions kept? | [`Store`]; [`StoreLayout`] says where |
//! | which decision is about this directory? | [`Entries::find`] |
//! | has something changed since? | [`Fingerprint`] |
//! | is this settings file the person's own? | [`SavedFiles`], [`is_tracked`], [`Store::edited`] |
//!
//! # Promises
//!
//! - *Nothing is loaded by default.* What nobody decided is not trusted; what cannot be read whole is not either.
//! - *A store is never silently empty.* Whatever is neither true, false nor a record of this crate is an error that
//!   names the file; an explicit decision alone begins a new store, and keeps the old one.
//! - *Writers wait for one another*, for as long as it takes; the lock is the system's, so none outlives its process.
//! - *What was decided is what is used.* A decision is about content: other bytes are undecided again.
//!
//! # Limits
//!
//! - Trust says what may be loaded, and nothing about what that code does then.
//! - Text that only influences a model (`AGENTS.md`) is not looked for.
//! - Up to 20,000 files and 256 MiB of a project are hashed; more cannot be trusted, because changes would not be seen.
//! - Paths are UTF-8. A directory with another name in it cannot be compared either.
//! - Locks are advisory: other programs that write the store are not held off.
//!
//! # Test strategy
//!
//! Every row of the tables on a real disk; fifty processes that write at once; killed writers; stores of every wrong
//! shape; worktrees that git makes, and forged ones; random stores against a naive search (property test).
#![forbid(unsafe_code)]

mod below;
mod contents;
mod decide;
mod digest;
mod edits;
mod entries;
mod entry;
mod fingerprint;
mod inventory;
mod layout;
mod own;
mod project;
mod resources;
mod saved;
mod store;
mod time;

use time::stamp;

pub use below::{Below, below};
pub use decide::{Answer, Asker, Basis, DecideError, Decision, Question, Request, decide};
pub use edits::Edited;
pub use entries::{Entries, Found, Via};
pub use entry::{Entry, Seen};
pub use fingerprint::{Change, ChangeKind, Fingerprint};
pub use inventory::{Inventory, Resource, inventory};
pub use layout::StoreLayout;
pub use own::is_tracked;
pub use project::{Loosening, Project, SettingsReader, WholeFiles, key};
pub use resources::Kind;
pub use saved::SavedFiles;
pub use store::{Store, StoreError};
