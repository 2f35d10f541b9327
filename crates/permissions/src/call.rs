//! What the agent proposes.

/// A tool call, frozen once received.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The tool's name as the agent spelled it.
    pub name: String,
    /// Its arguments.
    pub arguments: serde_json::Value,
    /// The agent's id for it.
    pub call_id: Option<String>,
}

impl ToolCall {
    /// A call without an id.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: serde_json::Value) -> Self {
        Self { name: name.into(), arguments, call_id: None }
    }

    /// A call of the shell tool with this command.
    #[must_use]
    pub fn shell(command: &str) -> Self {
        Self::new("Bash", serde_json::json!({ "command": command }))
    }
}
