//! (seam)
#![forbid(unsafe_code)]
