//! An append-only log of what was proposed, decided, asked, answered and run.
#![doc = include_str!("../README.md")]
//!
//! # Format
//!
//! One JSON object a line: `type` (such as `approval/asked`), `session`, `writer` (one value for each
//! [`Log`] that was opened), `seq` (from 1, per writer), `time` (milliseconds since 1970, UTC), then the
//! fields of the [`Event`]. Readers skip what they do not know: a field silently, a line with a [`Problem`].
//!
//! # Promises
//!
//! - A line is written with one `write` under an advisory lock; several processes may append to one file.
//! - A write that fails is taken back. A torn last line (the machine stopped) costs that line only.
//! - What cannot be recorded stops the caller where the order of things depends on the record:
//!   [`Event::is_indispensable`]. Otherwise `required` decides, and one warning is given.
//! - Secrets are redacted before anything is written: see [`Redactor`].
//!
//! # Limits
//!
//! Events reach the kernel, not the disk: a power failure may lose the last of them (no `fsync` a line).
//! Redaction knows shapes and names; a secret that looks like a word stays one.
//!
//! # Test strategy
//!
//! Round trips of arbitrary events (property test), a file torn at every byte, threads and processes that
//! append at once, a full device, rotation under contention, one table of secrets that must not survive.
#![forbid(unsafe_code)]

mod event;
mod filter;
mod log;
mod policy;
mod read;
mod record;
mod redact;
mod rotate;
mod shapes;
#[cfg(unix)]
mod unix;

pub use event::{Answer, ApprovalPolicy, Event, RuleRef, RunFacts, Status, Verdict};
pub use filter::Filter;
pub use log::{AppendError, Clock, Log, LogOptions, OpenError};
pub use policy::Appended;
pub use read::{Problem, ReadError, Reader, Reading, read};
pub use record::Record;
pub use redact::{Redactor, RedactorError};
