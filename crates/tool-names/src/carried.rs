//! Calls that another call carries: tools that run several others at once.

use serde_json::{Map, Value};

use crate::{Aliases, arguments::names_a_place};

/// So many calls are taken out of one, and so deep.
const CALLS: usize = 256;
const DEPTH: usize = 16;

/// Fields that hold the name of the tool.
const NAME_KEYS: &[&str] =
    &["tool", "tool_name", "toolName", "name", "recipient_name", "function", "function_name"];

/// Fields that hold its arguments, as an object or as the text of one.
const ARGUMENT_KEYS: &[&str] =
    &["arguments", "args", "parameters", "params", "input", "tool_input", "toolInput", "kwargs"];

/// The calls inside a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carried {
    /// Name (without a name space: `functions.Read` is `Read`) and arguments of each, in the order in which they stand.
    pub calls: Vec<(String, Value)>,
    /// There are more than are looked at.
    pub incomplete: bool,
}

/// The calls of known tools that the arguments of a call carry, at any depth: `{"tool": "Read", "arguments": {...}}` and
/// its kin, for a tool that no canonical one stands for (`Batch`, `multi_tool_use.parallel`). Whether the tool runs
/// them is not known.
///
/// ```
/// use portcullis_tool_names::{Aliases, carried};
/// use serde_json::json;
///
/// let batch = json!({ "tool_uses": [{ "recipient_name": "functions.Read", "parameters": { "path": ".env" } }] });
/// assert_eq!(carried(&batch, &Aliases::standard()).calls, [("Read".to_owned(), json!({ "path": ".env" }))]);
/// ```
#[must_use]
pub fn carried(arguments: &Value, aliases: &Aliases) -> Carried {
    let mut found = Carried::default();
    search(arguments, aliases, DEPTH, &mut found);
    found
}

fn search(value: &Value, aliases: &Aliases, depth: usize, found: &mut Carried) {
    let inner: Vec<&Value> = match value {
        Value::Array(values) => values.iter().collect(),
        Value::Object(fields) => {
            if let Some(call) = call_of(fields, aliases) {
                if found.calls.len() == CALLS {
                    found.incomplete = true;
                    return;
                }
                found.calls.push(call);
            }
            fields.values().collect()
        }
        _ => return,
    };
    if depth == 0 {
        found.incomplete |= inner.iter().any(|value| value.is_array() || value.is_object());
        return;
    }
    for value in inner {
        search(value, aliases, depth - 1, found);
    }
}

fn call_of(fields: &Map<String, Value>, aliases: &Aliases) -> Option<(String, Value)> {
    let names = NAME_KEYS.iter().filter_map(|key| fields.get(*key)?.as_str());
    let name = names.filter_map(|name| known(name, aliases)).next()?;
    let given = ARGUMENT_KEYS.iter().find_map(|key| match fields.get(*key)? {
        Value::String(text) => {
            let read = serde_json::from_str::<Value>(text).ok().filter(Value::is_object);
            // `input` may be an argument itself: the patch of a patch tool.
            read.or_else(|| (*key != "input").then_some(Value::Null))
        }
        value @ Value::Object(_) => Some(value.clone()),
        _ => None,
    });
    // Without any the arguments may stand beside the name.
    let given = given.or_else(|| names_a_place(fields).then(|| Value::Object(fields.clone())))?;
    Some((name, given))
}

/// The name of a tool that is known, by itself or behind a name space.
fn known(name: &str, aliases: &Aliases) -> Option<String> {
    let is_known =
        |name: &&str| aliases.canonical(name).is_some() || *name == "WebFetch" || name.starts_with("mcp__");
    let bare = name.rsplit(['.', '/', ':']).next();
    [Some(name), bare].into_iter().flatten().find(is_known).map(str::to_owned)
}
