//! JSON in which no object has a key twice.
//!
//! RFC 8259, section 4, leaves open what such an object means. Readers differ (the first wins, the last wins), so
//! what is judged here would not be what somebody else runs.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads one value.
///
/// # Errors
/// The text is no JSON, or an object in it has a key twice; the message names the key.
pub(crate) fn parse(text: &str) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Unique.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Builds a [`Value`].
struct Unique;

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(element) = elements.next_element_seed(Self)? {
            all.push(element);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` stands twice in one object")));
            }
            let value = fields.next_value_seed(Self)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn values_are_those_of_the_common_reader() {
        for text in [
            "null",
            "[true,-1,18446744073709551615,2.5,1e300,\"\\u0041\\n\",[],{}]",
            "{\"a\":{\"b\":[{\"a\":1},{\"a\":2}]},\"b\":null}",
            " 7 ",
        ] {
            let common: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(parse(text).unwrap(), common, "{text}");
        }
        let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
        for text in ["", "{", "{\"a\":1} {\"b\":2}", "nul", "{\"a\" 1}", "[1,]", "\"\\ud800\"", deep.as_str()]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_named() {
        for text in [
            "{\"k\":1,\"k\":1}",
            "{\"a\":[{\"k\":1,\"b\":2,\"k\":3}]}",
            "{\"k\":1,\"\\u006b\":2}",
            "{\"a\":{\"b\":{\"k\":null,\"k\":null}}}",
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("the key `k` stands twice"), "{text}: {error}");
        }
    }
}
