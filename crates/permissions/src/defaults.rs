//! What a tool gets when no gate spoke.

/// Tools whose calls harm nothing, apart from those that read files.
pub(crate) const HARMLESS: [&str; 8] = [
    "TodoWrite",
    "TaskOutput",
    "update_plan",
    "UpdatePlan",
    "write_todos",
    "WriteTodos",
    "memory",
    "MessageChannel",
];

/// Subagents that only read and think.
pub(crate) const READING_SUBAGENTS: [&str; 5] =
    ["recall", "Recall", "reflection", "Reflection", "history-analyzer"];

/// Tools that plan mode lets pass to the later gates although they are not canonical: they change no file
/// and run no program.
pub(crate) const NOT_CHANGING: [&str; 16] = [
    "TodoWrite",
    "TaskOutput",
    "update_plan",
    "UpdatePlan",
    "write_todos",
    "WriteTodos",
    "MessageChannel",
    "Skill",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "WebFetch",
    "WebSearch",
    "BashOutput",
    "KillBash",
    "TaskStop",
];
