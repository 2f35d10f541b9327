#![doc = include_str!("../README.md")]
//!
//! # Modules by noun
//!
//! [`Request`] (with its [`Preview`], [`Why`] and [`Offer`]) is put at a [`Desk`]; [`Answerer`]s answer; the
//! [`Decided`] question holds an [`Outcome`] and, for a yes alone, a [`Grant`] that one run uses up.
//! [`escalation_step`] and [`denial_lines`] are the one wider retry behind a kernel denial.
//!
//! # Limits
//!
//! A person who is tricked into a yes has said yes: the preview is complete and nothing in it is
//! interpreted, but it cannot know what an unknown program does. Whoever owns the terminal can type into it;
//! [`terminal::agent_drives`] tells when that is an agent.
//!
//! # Test strategy
//!
//! The order in which a question is put is tested step by step with answerers that panic, fail, come late or
//! speak nonsense; the terminal dialogue against a scripted console; single use of a grant by examples
//! that must not compile.
#![forbid(unsafe_code)]

mod access;
mod answerer;
mod cancel;
mod desk;
mod display;
mod escalation;
mod grant;
mod outcome;
mod preview;
mod record;
mod request;
mod store;
pub mod terminal;

pub use access::Access;
pub use answerer::{Answer, Answerer, AnswererError, Never, Question, Reply, Scripted};
pub use cancel::Cancel;
pub use desk::{AskError, Desk};
pub use display::{escape_line, escape_lines, is_hidden};
pub use escalation::{EscalationError, Step, denial_lines, escalation_refusal, escalation_step};
pub use grant::{Grant, GrantMismatch, Permit};
pub use outcome::{Decided, Outcome, Policy};
pub use preview::{Preview, PreviewParts, call_hash};
pub use record::{RecordError, Recorder};
pub use request::{Offer, Request, Why};
pub use store::{RuleStore, StoreError};
