//! Payloads of shell rules, and how they compare with the invocations of a command.

mod allow;
mod code;
mod flags;
mod git;
mod pattern;
mod restrict;
mod view;

pub(crate) use allow::{Place, WordShortfall, identity};
pub(crate) use code::{CodeWords, words_of};
pub(crate) use git::without_global_options;
pub(crate) use pattern::{BORDER, CommandPattern, Form, Payload, base_name};
pub(crate) use view::CommandView;
