//! A person at the controlling terminal.

mod choice;
mod dialogue;
mod paint;
#[cfg(unix)]
mod unix;

use std::{collections::BTreeMap, ffi::OsString};

pub use choice::{Choice, choose};
pub use dialogue::{Console, Key, converse};
pub use paint::Style;
#[cfg(unix)]
pub use unix::Terminal;

/// The variable that Portcullis sets in everything it runs: a Portcullis inside knows that no person sits
/// at its terminal.
pub const SENTINEL: &str = "PORTCULLIS_RUN";

/// Variables that say an agent drives this terminal: whole names, and beginnings of names.
const AGENT_NAMES: [&str; 8] = [
    SENTINEL,
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "GEMINI_CLI",
    "AGENT_ID",
    "LETTA_AGENT_ID",
    "LETTA_PARENT_AGENT_ID",
    "LETTA_CODE_AGENT_ROLE",
];
const AGENT_PREFIXES: [&str; 1] = ["CODEX_"];

/// The variable that says an agent, not a person, drives the terminal; then the terminal must not answer:
/// the agent could type the yes itself.
///
/// ```
/// use std::collections::BTreeMap;
/// use portcullis_approval::terminal::agent_drives;
/// let environment = BTreeMap::from([("CODEX_SANDBOX".into(), "seatbelt".into())]);
/// assert_eq!(agent_drives(&environment).as_deref(), Some("CODEX_SANDBOX"));
/// assert_eq!(agent_drives(&BTreeMap::new()), None);
/// ```
#[must_use]
pub fn agent_drives(environment: &BTreeMap<OsString, OsString>) -> Option<String> {
    let named = |name: &str| {
        AGENT_NAMES.contains(&name) || AGENT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    environment
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .filter_map(|(name, _)| name.to_str())
        .find(|name| named(name))
        .map(ToOwned::to_owned)
}
