//! Calls that ask their host to run them without its sandbox. What is allowed only because it runs shut in, or because
//! files are hidden from it, is not allowed then.

use serde_json::Value;

use crate::surroundings::folded;

/// Arguments that switch a sandbox off when they are true, [`folded`]: Claude Code's
/// `dangerouslyDisableSandbox`, Codex's `with_escalated_permissions`.
const SWITCHES: [&str; 4] =
    ["dangerouslydisablesandbox", "withescalatedpermissions", "disablesandbox", "unsandboxed"];

/// Values of `sandbox_permissions` with which the call stays in some sandbox.
const CONFINED: [&str; 4] = ["usedefault", "readonly", "workspacewrite", "withadditionalpermissions"];

/// Whether the arguments say that the call is to run outside.
///
/// ```
/// use portcullis_tool_names::leaves_the_sandbox;
/// use serde_json::json;
///
/// assert!(leaves_the_sandbox(&json!({ "command": "make", "dangerouslyDisableSandbox": true })));
/// assert!(!leaves_the_sandbox(&json!({ "command": "make" })));
/// ```
#[must_use]
pub fn leaves_the_sandbox(arguments: &Value) -> bool {
    let Value::Object(arguments) = arguments else { return false };
    arguments.iter().any(|(key, value)| {
        let key = folded(key);
        if SWITCHES.contains(&key.as_str()) {
            !matches!(value, Value::Bool(false) | Value::Null)
        } else {
            key == "sandboxpermissions"
                && !value.is_null()
                && value.as_str().is_none_or(|text| !CONFINED.contains(&folded(text).as_str()))
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::leaves_the_sandbox;

    #[test]
    fn what_runs_outside_says_so() {
        for arguments in [
            json!({ "command": "x", "dangerouslyDisableSandbox": true }),
            json!({ "command": "x", "dangerously_disable_sandbox": "true" }),
            json!({ "command": "x", "with_escalated_permissions": true }),
            json!({ "command": "x", "sandbox_permissions": "require_escalated" }),
            json!({ "command": "x", "sandbox_permissions": "danger-full-access" }),
            json!({ "command": "x", "sandbox_permissions": ["x"] }),
        ] {
            assert!(leaves_the_sandbox(&arguments), "{arguments}");
        }
        for arguments in [
            json!({ "command": "dangerouslyDisableSandbox" }),
            json!({ "command": "x", "dangerouslyDisableSandbox": false }),
            json!({ "command": "x", "sandbox_permissions": "use_default" }),
            json!({ "command": "x", "sandbox_permissions": "workspace-write" }),
            json!("x"),
        ] {
            assert!(!leaves_the_sandbox(&arguments), "{arguments}");
        }
    }
}
