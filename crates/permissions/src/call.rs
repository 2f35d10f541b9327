//! What the agent proposes.

/// A tool call, frozen once received.
///
/// ```
/// use portcullis_permissions::ToolCall;
/// use serde_json::json;
///
/// let edit = ToolCall::new("Edit", json!({ "file_path": "src/lib.rs", "old_string": "a", "new_string": "b" }));
/// let command = ToolCall { call_id: Some("call-7".into()), ..ToolCall::shell("cargo test") };
/// assert_eq!((edit.name.as_str(), command.arguments["command"].as_str()), ("Edit", Some("cargo test")));
/// ```
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
