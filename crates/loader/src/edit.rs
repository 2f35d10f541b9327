//! Edits in place: one value of a file changes, and nothing else of its text.

use std::{
    io,
    path::{Path, PathBuf},
};

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use portcullis_paths::files::{self, Locked, NewFile, ReadError};
use serde_json::Value;

use crate::{
    document::{STRICT, SyntaxError, Text, value_of},
    read::{LIMIT, NO_FOLDER, no_folder},
};

/// Why a file was not edited. Nothing was written then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// What stands there cannot be understood, and so is not overwritten.
    #[error("`{}` does not parse, so it was not changed: {source} (mend it, then try again)", .file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Where, and what.
        source: SyntaxError,
    },
    /// What stands there cannot be read.
    #[error("`{}` {message}, so it was not changed ({remedy})", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        message: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The file system refused.
    #[error("`{}` could not be written: {source} (nothing was changed; check its folder's permissions and the free space)", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A value of another type stands where an object or an array is needed.
    #[error("`{pointer}` in `{}` is not {expected}, so it was not changed (mend it by hand)", .file.display())]
    Shape {
        /// The file.
        file: PathBuf,
        /// The place in it.
        pointer: String,
        /// What was needed, with its article.
        expected: &'static str,
    },
    /// The pointer is not one.
    #[error(
        "`{pointer}` is not a JSON pointer to a value (write `/key/key`, with `~1` for `/` and `~0` for `~`)"
    )]
    Pointer {
        /// As given.
        pointer: String,
    },
    /// The result would not have parsed.
    #[error("the edit of `{}` failed: {source} (nothing was changed; please report it with the file)", .file.display())]
    Result {
        /// The file.
        file: PathBuf,
        /// What the new text would have been refused for.
        source: SyntaxError,
    },
}

/// Sets the value at an RFC 6901 `pointer`, or removes it (`None`), in any JSON file with comments.
/// Missing objects on the way, and a missing file, are created; `-` appends to an array. Returns whether
/// anything changed.
///
/// # Errors
/// See [`EditError`]; nothing is written then.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("settings.json");
/// std::fs::write(&file, "{\n  // kept\n  \"a\": 1\n}\n")?;
/// portcullis_loader::edit(&file, "/log/required", Some(&true.into()))?;
/// assert_eq!(
///     std::fs::read_to_string(&file)?,
///     "{\n  // kept\n  \"a\": 1,\n  \"log\": {\n    \"required\": true\n  }\n}\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn edit(file: &Path, pointer: &str, value: Option<&Value>) -> Result<bool, EditError> {
    let tokens = tokens(pointer)?;
    let io = |source| EditError::Io { file: file.to_owned(), source };
    make_folder(file, NewFile::Shared)?;
    let locked = Locked::new(file).map_err(io)?;
    let edited = change(&locked, file, |root| set(root, &tokens, value))?;
    let Some(edited) = edited else { return Ok(false) };
    locked.replace(&edited.after, NewFile::Shared).map_err(io)?;
    Ok(true)
}

/// Makes the folder of a file, where it is not there.
pub(crate) fn make_folder(file: &Path, new: NewFile) -> Result<(), EditError> {
    if let Some(folder) = no_folder(file) {
        let (message, remedy) = NO_FOLDER;
        return Err(EditError::Unreadable { file: folder.to_owned(), message: message.to_owned(), remedy });
    }
    let Some(folder) = file.parent() else { return Ok(()) };
    files::create_folder(folder, new).map_err(|source| EditError::Io { file: file.to_owned(), source })
}

/// What an edit makes of a file.
pub(crate) struct Edited {
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) after: Vec<u8>,
}

/// Why an edit of the tree stopped: the place, and what was needed there.
pub(crate) struct Misshapen {
    pub(crate) pointer: String,
    pub(crate) expected: &'static str,
}

/// Applies `change` to the tree of a locked file; none when the text stays as it was. Writes nothing.
pub(crate) fn change(
    locked: &Locked,
    file: &Path,
    change: impl FnOnce(&CstObject) -> Result<(), Misshapen>,
) -> Result<Option<Edited>, EditError> {
    let before = locked.read(LIMIT).map_err(|error: ReadError| EditError::Unreadable {
        file: file.to_owned(),
        message: error.to_string(),
        remedy: error.remedy(),
    })?;
    let syntax = |source| EditError::Syntax { file: file.to_owned(), source };
    let text = Text::new(before.as_deref().unwrap_or(b"{}\n")).map_err(syntax)?;
    text.parse().map_err(syntax)?;
    let tree = CstRootNode::parse(text.text, &STRICT)
        .map_err(|error| syntax(text.error(error.range().start, error.kind().to_string())))?;
    let root = tree.object_value().ok_or_else(|| syntax(text.error(0, "expected an object")))?;
    change(&root).map_err(|Misshapen { pointer, expected }| EditError::Shape {
        file: file.to_owned(),
        pointer,
        expected,
    })?;
    let edited = tree.to_string();
    if edited == text.text {
        return Ok(None);
    }
    let result = Text::new(edited.as_bytes()).and_then(|text| text.parse().map(|_| ()));
    result.map_err(|source| EditError::Result { file: file.to_owned(), source })?;
    let mark = if text.has_bom { "\u{feff}" } else { "" };
    let after = format!("{mark}{edited}").into_bytes();
    Ok(Some(Edited { before, after }))
}

fn tokens(pointer: &str) -> Result<Vec<String>, EditError> {
    let wrong = || EditError::Pointer { pointer: pointer.to_owned() };
    let path = pointer.strip_prefix('/').ok_or_else(wrong)?;
    path.split('/')
        .map(|token| {
            let rest = token.replace("~0", "").replace("~1", "");
            if rest.contains('~') { Err(wrong()) } else { Ok(token.replace("~1", "/").replace("~0", "~")) }
        })
        .collect()
}

fn set(root: &CstObject, tokens: &[String], value: Option<&Value>) -> Result<(), Misshapen> {
    let Some((last, way)) = tokens.split_last() else { return Ok(()) };
    let mut place = Place::Object(root.clone());
    let mut pointer = String::new();
    for token in way {
        pointer = format!("{pointer}/{token}");
        match place.step(token, value.is_some()) {
            Some(Some(next)) => place = next,
            // Nothing is there that could be removed.
            Some(None) => return Ok(()),
            None => return Err(Misshapen { pointer, expected: "an object or an array" }),
        }
    }
    let pointer = format!("{pointer}/{last}");
    match place {
        Place::Object(object) => match (object.get(last), value) {
            (Some(property), Some(value)) => {
                if property.value().is_none_or(|old| value_of(&old.to_string()).as_ref() != Some(value)) {
                    property.set_value(input(value));
                }
            }
            (Some(property), None) => property.remove(),
            (None, Some(value)) => {
                object.append(last, input(value));
            }
            (None, None) => {}
        },
        Place::Array(array) => {
            let old = last.parse::<usize>().ok().and_then(|index| array.elements().into_iter().nth(index));
            match (old, value) {
                (Some(old), Some(value)) => {
                    let index = old.element_index().unwrap_or(0);
                    old.remove();
                    array.insert(index, input(value));
                }
                (Some(old), None) => old.remove(),
                (None, Some(value)) if last == "-" => {
                    array.append(input(value));
                }
                (None, Some(_)) => return Err(Misshapen { pointer, expected: "an element" }),
                (None, None) => {}
            }
        }
    }
    Ok(())
}

enum Place {
    Object(CstObject),
    Array(CstArray),
}

impl Place {
    fn of(node: &CstNode) -> Option<Self> {
        node.as_object().map(Self::Object).or_else(|| node.as_array().map(Self::Array))
    }

    /// `None`: something else stands there. `Some(None)`: nothing does.
    fn step(&self, token: &str, create: bool) -> Option<Option<Self>> {
        match self {
            Self::Object(object) => match object.get(token) {
                Some(property) => Self::of(&property.value()?).map(Some),
                None if create => Some(Some(Self::Object(object.object_value_or_set(token)))),
                None => Some(None),
            },
            Self::Array(array) => {
                let element = token.parse::<usize>().ok().and_then(|at| array.elements().into_iter().nth(at));
                match element {
                    Some(element) => Self::of(&element).map(Some),
                    None if create => None,
                    None => Some(None),
                }
            }
        }
    }
}

/// A value as the tree takes it.
pub(crate) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(boolean) => CstInputValue::Bool(*boolean),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(elements) => CstInputValue::Array(elements.iter().map(input).collect()),
        Value::Object(properties) => {
            CstInputValue::Object(properties.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
