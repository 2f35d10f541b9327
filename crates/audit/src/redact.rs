//! Secrets taken out of records before they are written.

use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::Value;

use crate::shapes::{self, REDACTED};

/// A path glob that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{glob}` is not a path glob: {message} (mend it, or leave it out)")]
pub struct RedactorError {
    /// As given.
    pub glob: String,
    /// What is wrong.
    pub message: String,
}

/// Takes secrets out of records: what has the shape of a token, stands under a telling name, or is the
/// content of a file that is a secret itself.
///
/// ```
/// use portcullis_audit::Redactor;
///
/// let redactor = Redactor::new([".env"], None)?;
/// let mut call = serde_json::json!({ "arguments": { "file_path": ".env", "content": "hunter2" } });
/// redactor.redact(&mut call);
/// assert_eq!(call["arguments"]["content"], "[redacted]");
/// # Ok::<(), portcullis_audit::RedactorError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Redactor {
    globs: Vec<Glob>,
    /// Compiled when the first path has to be looked at, which calls of a shell seldom need. `None`: they
    /// cannot be compiled together, and every path counts as a secret's.
    paths: OnceLock<Option<GlobSet>>,
    home: Option<String>,
}

/// Where calls keep their paths.
const PATH_KEYS: &[&str] = &[
    "file_path",
    "path",
    "notebook_path",
    "dir_path",
    "absolute_path",
    "paths",
    "cwd",
    "workdir",
    "directory",
    "dir",
    "current_dir",
    "work_dir",
    "working_dir",
    "workingDir",
    "working_directory",
    "workingDirectory",
];

/// Fields that readers filter by or join with.
const FRAME: &[&str] = &["type", "session", "writer", "call", "call_id", "id", "tool"];

/// Keys whose strings are secrets, whatever they look like; compared without case, `-` and `_`.
const SECRET_KEYS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "clientsecret",
    "token",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "credential",
    "credentials",
    "authorization",
];

impl Redactor {
    /// `globs` name files that are secrets: absolute, or relative names that count at any depth. `home`
    /// expands `~` in the paths of calls.
    ///
    /// # Errors
    /// The first glob that cannot be read: a secret that is not known would be written.
    pub fn new<'a>(
        globs: impl IntoIterator<Item = &'a str>,
        home: Option<&str>,
    ) -> Result<Self, RedactorError> {
        let mut parsed = Vec::new();
        for glob in globs {
            let anchored = match home {
                Some(home) if glob.starts_with("~/") => glob.replacen('~', home, 1),
                _ if glob.starts_with('/') => glob.to_owned(),
                _ => format!("**/{glob}"),
            };
            let one = GlobBuilder::new(&anchored).literal_separator(true).case_insensitive(true).build();
            parsed.push(one.map_err(|error| RedactorError {
                glob: glob.to_owned(),
                message: error.kind().to_string(),
            })?);
        }
        Ok(Self { globs: parsed, paths: OnceLock::new(), home: home.map(str::to_owned) })
    }

    /// Redacts a record, or any JSON value.
    pub fn redact(&self, record: &mut Value) {
        let cwd = record.get("cwd").and_then(Value::as_str).map(str::to_owned);
        let Value::Object(fields) = record else { return self.value(record, cwd.as_deref(), false) };
        for (key, value) in fields {
            if !FRAME.contains(&key.as_str()) {
                self.value(value, cwd.as_deref(), false);
            }
        }
    }

    /// `tainted`: this is part of a call on a secret file, so that only its paths may be written.
    fn value(&self, value: &mut Value, cwd: Option<&str>, tainted: bool) {
        match value {
            Value::String(_) if tainted => *value = REDACTED.into(),
            Value::String(text) => {
                if let Some(masked) = self.patch(text, cwd) {
                    *text = masked;
                }
                if let Some(masked) = shapes::mask(text) {
                    *text = masked;
                }
            }
            Value::Array(elements) => {
                for element in elements {
                    self.value(element, cwd, tainted);
                }
            }
            Value::Object(fields) => {
                let is_path = |key: &str| PATH_KEYS.contains(&key);
                let tainted = tainted
                    || fields.iter().any(|(key, value)| is_path(key) && self.names_secret(value, cwd));
                for (key, value) in fields {
                    let secret = tainted || (is_secret_key(key) && !value.is_object());
                    self.value(value, cwd, secret && !is_path(key));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn names_secret(&self, value: &Value, cwd: Option<&str>) -> bool {
        match value {
            Value::String(path) => self.is_secret(path, cwd),
            Value::Array(paths) => paths.iter().any(|path| self.names_secret(path, cwd)),
            _ => false,
        }
    }

    fn is_secret(&self, path: &str, cwd: Option<&str>) -> bool {
        let path = path.replace('\\', "/");
        let path = match (path.strip_prefix("~/"), self.home.as_deref()) {
            (Some(rest), Some(home)) => format!("{home}/{rest}"),
            _ if path.starts_with('/') => path,
            _ => format!("{}/{path}", cwd.unwrap_or_default()),
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        let compile = || {
            let mut set = GlobSetBuilder::new();
            for glob in &self.globs {
                set.add(glob.clone());
            }
            set.build().ok()
        };
        let path = format!("/{}", parts.join("/"));
        self.paths.get_or_init(compile).as_ref().is_none_or(|set| set.is_match(path))
    }

    /// A patch that touches a secret file: only its headers stay.
    fn patch(&self, text: &str, cwd: Option<&str>) -> Option<String> {
        const HEADERS: &[&str] = &["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];
        let path = |line: &str| {
            HEADERS
                .iter()
                .find_map(|header| line.trim().strip_prefix(header).map(str::trim).map(str::to_owned))
        };
        if !text.lines().filter_map(path).any(|path| self.is_secret(&path, cwd)) {
            return None;
        }
        let mut kept = Vec::new();
        for line in text.lines() {
            if line.trim().starts_with("*** ") {
                kept.push(line);
            } else if kept.last() != Some(&REDACTED) {
                kept.push(REDACTED);
            }
        }
        Some(kept.join("\n"))
    }
}

fn is_secret_key(key: &str) -> bool {
    let plain: String = key
        .chars()
        .filter(|character| !matches!(character, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect();
    SECRET_KEYS.contains(&plain.as_str())
}
