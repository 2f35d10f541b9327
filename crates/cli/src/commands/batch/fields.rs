//! Typed access to a JSON object, with errors that name the field. What is not asked for is known too.

use std::cell::RefCell;

use serde_json::{Map, Value};

use crate::report::Report;

/// The fields of one object of a request. `null` counts as absent.
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    path: String,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Fields<'a> {
    /// The fields of `value`, whose name is `path` (empty for the request itself).
    ///
    /// # Errors
    /// It is no object.
    pub(crate) fn of(value: &'a Value, path: &str) -> Result<Self, Report> {
        let Some(object) = value.as_object() else {
            let what = if path.is_empty() { "the request" } else { path };
            return Err(bad(format!("{what} is not a JSON object")));
        };
        Ok(Self { object, path: path.to_owned(), asked: RefCell::default() })
    }

    /// A field as it is.
    pub(crate) fn value(&self, name: &'static str) -> Option<&'a Value> {
        self.asked.borrow_mut().push(name);
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// A string.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<&'a str>, Report> {
        self.typed(name, "a string", Value::as_str)
    }

    /// A boolean.
    pub(crate) fn flag(&self, name: &'static str) -> Result<Option<bool>, Report> {
        self.typed(name, "true or false", Value::as_bool)
    }

    /// An absolute path.
    pub(crate) fn path(&self, name: &'static str) -> Result<Option<String>, Report> {
        match self.text(name)? {
            None => Ok(None),
            Some(path) if portcullis_paths::is_absolute(path) => Ok(Some(portcullis_paths::normalize(path))),
            Some(path) => Err(bad(format!("`{}` is `{path}`, which is no absolute path", self.named(name)))),
        }
    }

    /// A list; absent is empty.
    pub(crate) fn list(&self, name: &'static str) -> Result<&'a [Value], Report> {
        Ok(self.typed(name, "a list", Value::as_array)?.map_or(&[], Vec::as_slice))
    }

    /// A list of strings; absent is empty.
    pub(crate) fn texts(&self, name: &'static str) -> Result<Vec<&'a str>, Report> {
        self.list(name)?
            .iter()
            .map(|value| {
                value
                    .as_str()
                    .ok_or_else(|| bad(format!("`{}` holds something that is no string", self.named(name))))
            })
            .collect()
    }

    /// An object inside.
    pub(crate) fn object(&self, name: &'static str) -> Result<Option<Fields<'a>>, Report> {
        self.value(name).map(|value| Fields::of(value, &self.named(name))).transpose()
    }

    /// An object whose keys are names of the caller's.
    pub(crate) fn entries(&self, name: &'static str) -> Result<Option<&'a Map<String, Value>>, Report> {
        self.typed(name, "an object", Value::as_object)
    }

    /// Fields that nobody asked for.
    pub(crate) fn unknown(&self) -> Vec<&'a str> {
        let asked = self.asked.borrow();
        self.object.keys().map(String::as_str).filter(|key| !asked.contains(key)).collect()
    }

    /// Refuses fields that nobody asked for: a misspelt list of rules must not be lost.
    pub(crate) fn no_others(&self) -> Result<(), Report> {
        match self.unknown().first() {
            None => Ok(()),
            Some(key) if self.path.is_empty() => {
                Err(bad(format!("the request has an unknown field `{key}`")))
            }
            Some(key) => Err(bad(format!("`{}` has an unknown field `{key}`", self.path))),
        }
    }

    fn typed<T>(
        &self,
        name: &'static str,
        wanted: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Report> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => match read(value) {
                Some(read) => Ok(Some(read)),
                None => Err(bad(format!("`{}` is not {wanted}", self.named(name)))),
            },
        }
    }

    fn named(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

/// A request that cannot be judged.
pub(crate) fn bad(message: impl Into<String>) -> Report {
    Report::failure("request", message)
}
