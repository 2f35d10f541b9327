//! Runs a command under a file and network policy that the kernel enforces.

mod backend;
mod policy;
mod runner;

pub use backend::{Availability, BackendName, Enforcement, Gap};
pub use policy::{EnvironmentPolicy, Mode, Network, Policy, PolicyError};
pub use runner::{Facts, Options, Outcome, RunFailure, Sandbox};
