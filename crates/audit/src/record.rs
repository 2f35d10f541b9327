//! An event with who recorded it and when: one line of the log.

use serde::{Deserialize as _, Serialize as _};
use serde_json::{Map, Value};

use crate::Event;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The session.
    pub session: String,
    /// One value for each opened log: `seq` counts within it.
    pub writer: String,
    /// From 1.
    pub seq: u64,
    /// Milliseconds since 1970, UTC.
    pub time: u64,
    /// What happened.
    pub event: Event,
}

impl Record {
    /// The JSON object of a line: `type` first, then who and when, then the event's own fields.
    ///
    /// # Errors
    /// When the event cannot be written as JSON.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut line = Map::new();
        let mut fields = match self.event.serialize(serde_json::value::Serializer)? {
            Value::Object(fields) => fields,
            other => Map::from_iter([("type".to_owned(), other)]),
        };
        if let Some(kind) = fields.shift_remove("type") {
            line.insert("type".into(), kind);
        }
        line.insert("session".into(), self.session.as_str().into());
        line.insert("writer".into(), self.writer.as_str().into());
        line.insert("seq".into(), self.seq.into());
        line.insert("time".into(), self.time.into());
        line.append(&mut fields);
        Ok(Value::Object(line))
    }

    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn from_json(line: Value) -> Result<Self, String> {
        let Value::Object(mut fields) = line else { return Err("this is not a JSON object".into()) };
        let text = |fields: &mut Map<String, Value>, key: &str| match fields.shift_remove(key) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(format!("`{key}` is missing or not a string")),
        };
        let session = text(&mut fields, "session")?;
        let writer = text(&mut fields, "writer")?;
        let number = |fields: &mut Map<String, Value>, key: &str| {
            let value = fields.shift_remove(key);
            value
                .and_then(|value| value.as_u64())
                .ok_or_else(|| format!("`{key}` is missing or not a number"))
        };
        let seq = number(&mut fields, "seq")?;
        let time = number(&mut fields, "time")?;
        let event = Event::deserialize(Value::Object(fields)).map_err(|error| error.to_string())?;
        Ok(Self { session, writer, seq, time, event })
    }
}
