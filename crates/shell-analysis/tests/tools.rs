//! Development and cloud tools: what each may do unasked, its harmful spellings, and its effects.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "tools/cloud.rs"]
mod cloud;
#[path = "tools/clouds.rs"]
mod clouds;
#[path = "tools/languages.rs"]
mod languages;
#[path = "tools/native.rs"]
mod native;
#[path = "tools/support.rs"]
mod support;
