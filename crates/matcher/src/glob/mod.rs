//! Globs: over the characters of a text ([`TextGlob`]) and over the components of a path ([`PathGlob`]).

mod component;
mod contain;
mod overlap;
mod path;
mod text;

pub(crate) use component::{Component, Symbol};
pub(crate) use contain::contains;
pub(crate) use overlap::overlap;
pub(crate) use path::{PathGlob, split};
pub(crate) use text::TextGlob;
