//! Calls that another call carries: tools that run several others at once.

use serde_json::{Map, Value, json};
use unicode_normalization::UnicodeNormalization as _;

use crate::{Aliases, address::file_paths, arguments::names_a_place, surroundings::folded};

/// So many calls are taken out of one, and so deep.
const CALLS: usize = 256;
const DEPTH: usize = 16;

/// Fields that hold the name of the tool.
const NAME_KEYS: &[&str] = &["tool", "name", "function", "fn", "func", "callee"];

/// Those that hold nothing else: the arguments may stand beside the name, or there may be none.
const PLAIN_KEYS: &[&str] = &["toolname", "recipientname", "functionname", "toolid"];

/// Fields that may hold it, and words of other meanings as well: `{"action": "read"}` is no call of Read.
const DOUBTFUL_KEYS: &[&str] = &["method", "action", "type", "op", "kind", "command"];

/// Fields that hold its arguments, as an object or as the text of one.
const ARGUMENT_KEYS: &[&str] = &[
    "arguments",
    "args",
    "parameters",
    "params",
    "input",
    "toolinput",
    "actioninput",
    "kwargs",
    "toolargs",
    "toolarguments",
    "argsjson",
    "argumentsjson",
    "json",
    "payload",
    "data",
    "options",
];

/// Names of tools that are nobody's here and that models know from other agents, with the tool that each of them is.
const FOREIGN: &[(&str, &str)] = &[
    ("str_replace_based_edit_tool", "str_replace_editor"),
    ("multi_edit", "MultiEdit"),
    ("patch", "apply_patch"),
    ("run_in_terminal", "Bash"),
    ("exec", "Bash"),
    ("view", "Read"),
];

/// Tools that no canonical one stands for and that rules are written for.
const OTHERS: &[&str] = &["WebFetch", "WebSearch", "Skill", "SlashCommand", "TodoWrite"];

/// Canonical names, which rules in another case are read as.
const OWN: &[&str] = &["Bash", "Read", "Write", "Edit", "Glob", "Grep", "ListDir", "Task"];

/// The calls inside a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carried {
    /// Name (without a name space: `functions.Read` is `Read`) and arguments of each, in the order in which they stand.
    pub calls: Vec<(String, Value)>,
    /// There are more than are looked at, or there may be.
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
    let read;
    let inner: Vec<&Value> = match value {
        Value::Array(values) => {
            // `["Read", {...}]`
            if let [Value::String(name), arguments] = values.as_slice() {
                let spelt = known(name, aliases).filter(|known| known == name);
                add(spelt.zip(object(arguments)), found);
            }
            values.iter().collect()
        }
        Value::Object(fields) => {
            calls_of(fields, aliases, found);
            fields.values().collect()
        }
        Value::String(text) => {
            for path in file_paths(text) {
                add(Some(("Read".to_owned(), json!({ "file_path": path }))), found);
            }
            let structure = structured(text);
            found.incomplete |= structure.too_deep;
            read = structure.values;
            read.iter().collect()
        }
        _ => return,
    };
    if depth == 0 {
        found.incomplete |= inner.iter().any(|value| match value {
            Value::String(text) => structured(text) != Structure::default() || !file_paths(text).is_empty(),
            value => value.is_array() || value.is_object(),
        });
        return;
    }
    for value in inner {
        search(value, aliases, depth - 1, found);
    }
}

/// What a text is as JSON.
#[derive(Default, PartialEq)]
struct Structure {
    /// Its values up to the first error: several may stand in lines, and some readers stop behind the first.
    values: Vec<Value>,
    /// One of them is nested deeper than is read.
    too_deep: bool,
}

fn structured(text: &str) -> Structure {
    let mut found = Structure::default();
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if !text.starts_with(['[', '{', '"']) {
        return found;
    }
    for value in serde_json::Deserializer::from_str(text).into_iter() {
        match value {
            Ok(value) => found.values.push(value),
            Err(error) => {
                // The library tells this error from others by its text alone; a test holds it.
                found.too_deep = error.to_string().starts_with("recursion limit exceeded");
                break;
            }
        }
    }
    found
}

fn add(call: Option<(String, Value)>, found: &mut Carried) {
    let Some(call) = call.filter(|call| !found.calls.contains(call)) else { return };
    if found.calls.len() == CALLS {
        found.incomplete = true;
    } else {
        found.calls.push(call);
    }
}

/// Each name with each set of arguments: which of several a host takes is not known.
fn calls_of(fields: &Map<String, Value>, aliases: &Aliases, found: &mut Carried) {
    // `{"Read": {...}}`
    let spelt = |name: &str| known(name, aliases).filter(|known| known == name);
    for (name, arguments) in fields {
        if let Some(name) = spelt(name) {
            add(object(arguments).map(|arguments| (name, arguments)), found);
        }
    }
    let keys: Vec<(String, &Value)> = fields.iter().map(|(key, value)| (folded(key), value)).collect();
    let of = |wanted: &'static [&'static str]| {
        wanted.iter().flat_map(|wanted| keys.iter().filter(move |(key, _)| key == wanted))
    };
    let mut all_given: Vec<Value> = of(ARGUMENT_KEYS).filter_map(|(key, value)| given(key, value)).collect();
    let beside = all_given.is_empty() && names_a_place(fields);
    // Without any the arguments may stand beside the name.
    if beside {
        all_given.push(Value::Object(fields.clone()));
    }
    // There are some, and nobody understands them.
    if all_given.is_empty() && fields.values().any(|value| value.is_object() || value.is_array()) {
        all_given.push(Value::Null);
    }
    let acts = keys.iter().any(|(key, _)| key == "actioninput");
    let doubtful = of(DOUBTFUL_KEYS).filter_map(|(_, value)| value.as_str());
    let doubtful = doubtful.filter_map(|name| spelt(name).or_else(|| known(name, aliases).filter(|_| acts)));
    let named = of(NAME_KEYS).flat_map(|(_, value)| names_in(value));
    let named = named.filter_map(|name| known(name, aliases)).chain(doubtful);
    let plainly =
        of(PLAIN_KEYS).flat_map(|(_, value)| names_in(value)).filter_map(|name| known(name, aliases));
    for (name, plainly) in named.map(|name| (name, false)).chain(plainly.map(|name| (name, true))) {
        if plainly && all_given.is_empty() {
            add(Some((name.clone(), Value::Object(fields.clone()))), found);
        }
        for arguments in &all_given {
            add(Some((name.clone(), arguments.clone())), found);
        }
    }
}

/// The name that a field holds, as a text or in an object of its own (`{"tool": {"name": "Read"}}`).
fn names_in(value: &Value) -> Vec<&str> {
    match value {
        Value::String(name) => vec![name],
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| folded(key) == "name")
            .filter_map(|(_, name)| name.as_str())
            .collect(),
        _ => Vec::new(),
    }
}

/// An object, or the text of one.
fn object(value: &Value) -> Option<Value> {
    match value {
        Value::Object(_) => Some(value.clone()),
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_object),
        _ => None,
    }
}

/// Arguments as an object, or nothing that is known.
fn given(key: &str, value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => {
            let read = serde_json::from_str::<Value>(text).ok().filter(Value::is_object);
            // `input` and the like may be arguments themselves: the patch of a patch tool.
            let itself = matches!(key, "input" | "payload" | "data" | "options");
            read.or_else(|| (!itself).then_some(Value::Null))
        }
        value @ Value::Object(_) => Some(value.clone()),
        Value::Array(_) => Some(Value::Null),
        _ => None,
    }
}

/// The name under which rules know a tool: itself, without blanks around, behind a name space (`functions.Read`), or in
/// another agent's spelling (`read`, `web_fetch`). Nothing for a tool that is not known, unless its name holds letters that
/// cannot be seen or that stand for others (`my\u{200b}_tool`): then it is the name without them.
///
/// ```
/// use portcullis_tool_names::{Aliases, known_name};
///
/// let aliases = Aliases::standard();
/// assert_eq!(known_name("functions.web_fetch", &aliases).as_deref(), Some("WebFetch"));
/// assert_eq!(known_name("functions.mcp__github__get", &aliases).as_deref(), Some("mcp__github__get"));
/// assert_eq!(known_name("frobnicate", &aliases), None);
/// ```
#[must_use]
pub fn known_name(name: &str, aliases: &Aliases) -> Option<String> {
    known(name, aliases).or_else(|| {
        let plain = plain(name);
        (plain != name).then_some(plain)
    })
}

/// A name as those read it who leave out what cannot be seen, and take compatibility forms (`Ｂ`) for what they stand for.
fn plain(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return name.to_owned();
    }
    let unseen = |c: &char| {
        c.is_control()
            || matches!(
                c,
                '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                    | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                    | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
                    | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
                    | '\u{e0000}'..='\u{e0fff}'
            )
    };
    let seen: String = name.chars().filter(|c| !unseen(c)).nfkc().collect();
    seen.trim().to_owned()
}

fn known(name: &str, aliases: &Aliases) -> Option<String> {
    let name = plain(name);
    let name = name.trim();
    let bare = name.rsplit(['.', '/', ':']).next().unwrap_or_default().trim();
    let inner = bare.strip_prefix("functions__").unwrap_or(bare);
    [name, bare, inner].into_iter().find_map(|name| {
        if aliases.canonical(name).is_some() || name.starts_with("mcp__") {
            return Some(name.to_owned());
        }
        if let Some(own) = OWN.iter().find(|own| own.eq_ignore_ascii_case(name)) {
            return Some((*own).to_owned());
        }
        if let Some((_, own)) = FOREIGN.iter().find(|(foreign, _)| *foreign == name) {
            return Some((*own).to_owned());
        }
        let plain: String = name.chars().filter(|c| !matches!(c, '_' | '-')).collect();
        if let Some(other) = OTHERS.iter().find(|other| other.eq_ignore_ascii_case(&plain)) {
            return Some((*other).to_owned());
        }
        None
    })
}
