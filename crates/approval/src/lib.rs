//! Asks a person about one tool call, once, and says no to everything that is not an explicit yes.
#![forbid(unsafe_code)]

mod display;

pub use display::{escape_line, escape_lines, is_hidden};
