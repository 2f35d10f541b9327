//! What holds for every text, whatever stands in it. Each property is a function that panics where it does not hold;
//! the fuzz targets search for such a text, and the tests of the crate try the kept ones and mutations of them.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "each target uses its part, and a property that does not hold is a panic"
)]

pub(crate) mod judge;
pub(crate) mod parse;
pub(crate) mod plan;
pub(crate) mod text;
mod tree;

/// Texts beyond this length teach nothing that shorter ones do not, and cost the search its speed.
const LONGEST: usize = 4096;
