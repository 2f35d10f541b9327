//! One module a gate. A gate is a pure function from the case to a ruling, or nothing.

pub(crate) mod allow_rule;
pub(crate) mod always_ask_rule;
pub(crate) mod ask_rule;
pub(crate) mod cli_allow;
pub(crate) mod cli_disallow;
pub(crate) mod confined_auto;
pub(crate) mod critical_removal;
pub(crate) mod cross_agent_guard;
pub(crate) mod default;
pub(crate) mod degraded;
pub(crate) mod deny_rule;
pub(crate) mod dont_ask;
pub(crate) mod memory_dir_shell;
pub(crate) mod mode;
pub(crate) mod plan;
pub(crate) mod possible_deny;
pub(crate) mod protected_path;
pub(crate) mod read_only_shell;
pub(crate) mod secret;
pub(crate) mod self_modification;
pub(crate) mod session_allow;
pub(crate) mod session_always_ask;
pub(crate) mod skill;
pub(crate) mod tool_policy;
pub(crate) mod working_directory;
pub(crate) mod workspace_guard;
