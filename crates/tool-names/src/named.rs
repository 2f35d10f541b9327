//! The agents and skills that a call names: beside one another, in lists, and in what is nested.

use serde_json::{Map, Value};

/// Values are looked at so deep.
const DEPTH: usize = 16;

/// What a call names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Naming {
    /// Subagents (Task).
    Agent,
    /// Skills.
    Skill,
}

/// The names in the arguments of a call. Which of several a host takes is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenNames {
    /// What stands where names do; several in one text (`a,b`) also each by itself.
    pub names: Vec<String>,
    /// What stands where other things may as well: `name` of a nested object, what a text holds in JSON.
    pub perhaps: Vec<String>,
    /// A name is no text, or stands deeper than is looked.
    pub unknown: bool,
}

impl Naming {
    /// Fields that hold a name, or a list of them, in any spelling and number.
    fn is_key(self, plain: &str) -> bool {
        let plain = plain.strip_suffix('s').unwrap_or(plain);
        match self {
            Self::Agent => matches!(
                plain,
                "subagenttype"
                    | "agenttype"
                    | "subagent"
                    | "agent"
                    | "subagentname"
                    | "agentname"
                    | "subagentid"
                    | "agentid"
            ),
            Self::Skill => matches!(plain, "skill" | "skillname" | "skillid" | "name" | "command"),
        }
    }

    /// Fields that name what their object is about, where it is one of several.
    fn is_key_of_element(plain: &str) -> bool {
        matches!(plain, "name" | "type" | "kind" | "id")
    }

    fn bare(self, text: &str) -> &str {
        let text = text.trim();
        match self {
            Self::Agent => text,
            // `/deploy` is how one starts `deploy`.
            Self::Skill => text.trim_start_matches('/'),
        }
    }
}

/// The names that a call gives to agents or skills, at any depth.
///
/// ```
/// use portcullis_tool_names::{Naming, given_names};
/// use serde_json::json;
///
/// let load = json!({ "command": "load", "skills": ["deploy"] });
/// assert!(given_names(Naming::Skill, &load).names.contains(&"deploy".to_owned()));
/// let several = json!({ "subagent_type": "a", "tasks": [{ "subagent_type": "b", "prompt": "x" }] });
/// assert_eq!(given_names(Naming::Agent, &several).names, ["a", "b"]);
/// ```
#[must_use]
pub fn given_names(naming: Naming, arguments: &Value) -> GivenNames {
    let mut search = Search { naming, found: GivenNames::default() };
    match arguments {
        Value::Object(fields) => search.fields(fields, Place::Top, DEPTH),
        Value::Null => {}
        other => {
            search.found.unknown = true;
            search.below(other, false, DEPTH);
        }
    }
    search.found
}

/// Where an object stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// It is the arguments.
    Top,
    /// Where names do.
    Named,
    /// Somewhere in the arguments.
    Nested,
}

struct Search {
    naming: Naming,
    found: GivenNames,
}

impl Search {
    fn fields(&mut self, fields: &Map<String, Value>, place: Place, depth: usize) {
        for (key, value) in fields {
            let plain: String =
                key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
            // `name` and `command` say more than skills, anywhere but in the arguments themselves.
            let loose = Naming::is_key_of_element(&plain) || plain == "command";
            let named = match place {
                Place::Top => self.naming.is_key(&plain),
                Place::Named => self.naming.is_key(&plain) || Naming::is_key_of_element(&plain),
                Place::Nested => self.naming.is_key(&plain) && !loose,
            };
            if named {
                self.value(value, depth);
            } else if place == Place::Nested && loose && value.is_string() {
                self.perhaps(value.as_str().unwrap_or_default());
            } else {
                self.below(value, place == Place::Named, depth);
            }
        }
    }

    /// What stands where names do.
    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Null => {}
            Value::String(text) => match json_in(text) {
                Some(inner) if depth > 0 => self.value(&inner, depth - 1),
                Some(_) => self.found.unknown = true,
                None => self.name(text),
            },
            Value::Bool(_) | Value::Number(_) => self.found.unknown = true,
            Value::Array(_) | Value::Object(_) if depth == 0 => self.found.unknown = true,
            Value::Array(values) => values.iter().for_each(|value| self.value(value, depth - 1)),
            Value::Object(fields) => self.fields(fields, Place::Named, depth - 1),
        }
    }

    /// What stands anywhere else.
    fn below(&mut self, value: &Value, named: bool, depth: usize) {
        match value {
            Value::Array(_) | Value::Object(_) if depth == 0 => self.found.unknown = true,
            Value::Array(values) => values.iter().for_each(|value| self.below(value, named, depth - 1)),
            Value::Object(fields) => {
                self.fields(fields, if named { Place::Named } else { Place::Nested }, depth - 1);
            }
            Value::String(text) => {
                let Some(inner) = json_in(text) else { return };
                let mut search = Self { naming: self.naming, found: GivenNames::default() };
                if depth == 0 {
                    search.found.unknown = true;
                } else {
                    search.below(&inner, named, depth - 1);
                }
                self.found.unknown |= search.found.unknown;
                let names = search.found.names.iter().chain(&search.found.perhaps);
                names.for_each(|name| self.perhaps(name));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn name(&mut self, text: &str) {
        let mut add = |text: &str| {
            let name = self.naming.bare(text);
            if !name.is_empty() && !self.found.names.iter().any(|known| known == name) {
                self.found.names.push(name.to_owned());
            }
        };
        add(text);
        if text.contains([',', ';', '\n']) {
            text.split([',', ';', '\n']).for_each(add);
        }
    }

    fn perhaps(&mut self, text: &str) {
        let name = self.naming.bare(text);
        if !name.is_empty() {
            self.found.perhaps.push(name.to_owned());
        }
    }
}

/// The object or list that a text is in JSON.
fn json_in(text: &str) -> Option<Value> {
    let text = text.trim();
    text.starts_with(['{', '[']).then(|| serde_json::from_str(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Naming, given_names};

    #[test]
    fn every_name_is_found() {
        let (agent, skill) = (Naming::Agent, Naming::Skill);
        for (naming, arguments, names, perhaps, unknown) in [
            (agent, json!({ "subagent_type": "a", "prompt": "b", "name": "c" }), vec!["a"], vec![], false),
            (agent, json!({ "subagent_type": "a", "agent": "b" }), vec!["a", "b"], vec![], false),
            (agent, json!({ "SubagentType": "a", "subagentTypes": ["b"] }), vec!["a", "b"], vec![], false),
            (agent, json!({ "tasks": [{ "subagent_type": "b" }] }), vec!["b"], vec![], false),
            (agent, json!({ "tasks": [{ "name": "b" }] }), vec![], vec!["b"], false),
            (agent, json!({ "agents": [{ "name": "b", "prompt": "x" }] }), vec!["b"], vec![], false),
            (agent, json!({ "agents": "[\"a\",\"b\"]" }), vec!["a", "b"], vec![], false),
            (agent, json!({ "tasks": "[{\"agent\":\"b\"}]" }), vec![], vec!["b"], false),
            (agent, json!({ "agent": 7 }), vec![], vec![], true),
            (agent, json!([{ "agent": "a" }]), vec!["a"], vec![], true),
            (agent, json!({}), vec![], vec![], false),
            (
                skill,
                json!({ "command": "load", "skills": ["a", "/b"] }),
                vec!["a", "b", "load"],
                vec![],
                false,
            ),
            (skill, json!({ "skill": "a, b" }), vec!["a", "a, b", "b"], vec![], false),
            (skill, json!({ "skill": "a b", "args": "c" }), vec!["a b"], vec![], false),
            (skill, json!({ "skill": { "name": "a" } }), vec!["a"], vec![], false),
            (skill, json!({ "skill": "a", "args": { "name": "b" } }), vec!["a"], vec!["b"], false),
            (skill, json!({ "calls": [{ "skill": "a" }] }), vec!["a"], vec![], false),
        ] {
            let found = given_names(naming, &arguments);
            // Which field comes first is not said.
            let mut found_names: Vec<&str> = found.names.iter().map(String::as_str).collect();
            found_names.sort_unstable();
            let perhaps: Vec<String> = perhaps.into_iter().map(str::to_owned).collect();
            assert_eq!((found_names, found.perhaps, found.unknown), (names, perhaps, unknown), "{arguments}");
        }
        let deep = (0..20).fold(json!({ "agent": "a" }), |value, _| json!({ "x": value }));
        assert!(given_names(agent, &deep).unknown);
    }
}
