//! Runs a command under a file and network policy that the kernel enforces.
//!
//! Use it to run what an agent, a build or a stranger wrote, where it can do no harm that the policy does
//! not allow. Do not use it to decide *whether* to run something (that is the permissions crate), nor
//! against an attacker who has exploits for the kernel: namespaces, Landlock and seccomp are as strong as the
//! kernel that implements them.
//!
//! # A run
//!
//! A [`Policy`] says what may be touched; it is complete in itself and travels with every call.
//! [`Sandbox::run`] resolves it ([`Policy::canonical`]), finds the program, and tries the back ends in order:
//! bubblewrap, then Landlock. A back end that cannot start is followed by the next; a command is never run
//! less confined than its policy says, and when nothing works the error names each reason. The
//! [`Outcome`] carries [`Facts`]: which back end, what it governs ([`Enforcement`]), whether it said no.
//!
//! # Back ends
//!
//! - *bubblewrap* gives the command a file system view of its own, in user, PID, IPC, UTS, cgroup and (network
//!   blocked) network namespaces, without capabilities. Nothing that it starts survives it.
//! - *Landlock* needs no program but the [`launcher`]: a rule set for files, TCP, signals and abstract
//!   sockets, a seccomp filter for everything that rule sets do not govern, and a supervising parent that
//!   kills what the command leaves. It only grants, so that it cannot hide or protect something below a path
//!   that it allows: [`Gap::HiddenPaths`], [`Gap::ProtectedPaths`].
//!
//! In every confined mode: no capabilities, no new privileges, no text pushed into the terminal (TIOCSTI), no
//! foreign system call numbers, no kernel keyrings, no user namespaces inside, a private temporary directory, a limit on processes, and daemons that would
//! act for the command (containers, service managers, message buses, agents with keys) out of reach.
//!
//! # As root
//!
//! Confined root has no capabilities, and so can write only what root owns. When the workspace belongs to
//! somebody else, the run becomes that user first.
//!
//! # Limits
//!
//! [`Enforcement::Partial`] names every effect that is *not* governed; it is meant to be read. A hard link
//! into the workspace that was there before writes through to the outside under every back end. Protected
//! names that do not exist yet can be created ([`Gap::ProtectedNew`]); a [`tripwire`] finds them afterwards
//! ([`Gap::ProtectedNewDetected`]). Under bubblewrap an exit by signal N
//! arrives as exit code 128+N, and Ctrl-C ends the whole run instead of interrupting the command. Landlock gives
//! no private `/dev/shm`, so that named semaphores (Python's `multiprocessing.Lock`) cannot be made there, and
//! leaves System V shared memory and the priorities of the same user's processes alone.
//!
//! # Test strategy
//!
//! `tests/` tries effects on a real kernel under each back end and mode, as root and as an unprivileged
//! user, and compares what happened with what [`Enforcement`] claims. The judgement of finished runs is the
//! table of the specification, as a test. A missing bubblewrap fails the tests: they are never skipped.

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

mod attempt;
mod backend;
mod backends;
mod blame;
mod canonical;
mod classify;
mod control_group;
mod daemons;
mod environment;
pub mod launcher;
mod owner;
mod policy;
mod protected;
mod run;
mod runner;
mod scanner;
mod seccomp;
mod session;
mod stale;
pub mod tripwire;

pub use backend::{Availability, BackendName, Enforcement, Gap, UnknownBackend};
pub use backends::Evidence;
pub use canonical::CanonicalPolicy;
pub use classify::{Finished, Judgement, classify};
pub use environment::{agent_environment, looks_like_credential};
pub use policy::{EnvironmentPolicy, Mode, Network, Policy, PolicyError, UnixSockets};
pub use protected::{ProtectedNames, protected_paths};
pub use run::{Facts, Options, Outcome, RunFailure, Steering};
pub use runner::Sandbox;
