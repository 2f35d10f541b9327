//! Where a call keeps its paths.

use serde_json::{Map, Value};

use crate::{
    CommandText, Family, Tool, commands,
    patch::{is_patch_tool, patch_paths},
    pattern::{base_of, is_absolute, is_glob, leaves_base},
    reached::{Reached, below, listed},
    surroundings::{DIRECTORY_KEYS, is_plain},
};

/// Arguments that hold one path, or an array of paths.
const PATH_KEYS: &[&str] = &["file_path", "path", "notebook_path", "dir_path", "absolute_path"];

/// Arguments that hold an array of paths, or of objects with one of [`PATH_KEYS`].
const LIST_KEYS: &[&str] = &["paths", "file_paths", "files", "edits"];

/// The argument that is a path where it stands alone, and the directory of the others where it does not.
const TWO_FACED_KEY: &str = "dir_path";

/// Arguments of patch tools that hold the patch.
const PATCH_KEYS: &[&str] = &["input", "patch", "patchText"];

/// The paths that a call names, as they stand in the arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Every path named, in the order of the specification's keys; the working directory is `"."`. For a
    /// pattern that leads out of the other paths (absolute, `~`, `..`) and for those of `read_many_files`
    /// the directory that holds all its matches.
    pub paths: Vec<String>,
    /// Name patterns of search tools (`pattern` of Glob, `include`, `glob`), apart from the paths. Each
    /// may be combined with each of `paths`.
    pub patterns: Vec<String>,
    /// What a search, or a reading of several files, reaches beside `paths`: all of it. A rule that restricts concerns
    /// the call where it concerns any of this; what an allow rule covers is told by `paths` alone.
    pub reached: Vec<Reached>,
    /// Directories that the arguments of a file or patch tool name for the relative `paths`, as they were written
    /// (`cwd`, `workdir` and the other spellings that shell tools have). A host may honour them or not: each path is
    /// meant from the working directory and from each of these. A shell call has its own in
    /// [`Surroundings`](crate::Surroundings).
    pub directories: Vec<String>,
    /// The call reaches what is below `paths` (where the patterns match), not only the paths themselves.
    pub recursive: bool,
    /// A path or directory argument was missing or had the wrong type, there are several directories, or one that not
    /// every host takes for the same: the call may touch anything.
    pub unknown: bool,
}

impl Targets {
    fn nothing_known() -> Self {
        Self { unknown: true, ..Self::default() }
    }
}

/// The paths that a call of `name` (raw spelling; `tool` is its canonical one) works on.
///
/// A file or patch tool that names no path is `unknown`, except that a search tool works on the working
/// directory. For a shell tool these are the files of a patch that is fed to a command `apply_patch`, and
/// `unknown` says that such a command is there but its patch is not. For other tools nothing need be named.
///
/// ```
/// use portcullis_tool_names::{Tool, targets};
/// use serde_json::json;
///
/// let edit = targets("MultiEdit", Some(Tool::Edit), &json!({ "file_path": "src/a.rs", "edits": [] }));
/// assert_eq!(edit.paths, ["src/a.rs"]);
/// let search = targets("Grep", Some(Tool::Grep), &json!({ "pattern": "todo", "include": "*.rs" }));
/// assert_eq!((search.paths, search.patterns), (vec![".".to_owned()], vec!["*.rs".to_owned()]));
/// assert!(targets("Read", Some(Tool::Read), &json!({ "file_path": 7 })).unknown);
/// let placed = targets("Read", Some(Tool::Read), &json!({ "cwd": "secrets", "file_path": "a.txt" }));
/// assert_eq!((placed.paths, placed.directories), (vec!["a.txt".to_owned()], vec!["secrets".to_owned()]));
/// ```
#[must_use]
pub fn targets(name: &str, tool: Option<Tool>, arguments: &Value) -> Targets {
    if tool.is_some_and(|tool| tool.family() == Family::Shell) {
        return targets_of_shell(name, arguments);
    }
    if is_patch_tool(name) {
        return targets_of_patch(arguments);
    }
    let Value::Object(arguments) = arguments else { return Targets::nothing_known() };
    let mut found = Targets { recursive: tool.is_some_and(Tool::is_recursive), ..Targets::default() };
    for key in PATH_KEYS.iter().chain(LIST_KEYS) {
        if let Some(value) = arguments.get(*key) {
            collect_paths(value, &mut found);
            // `edits` may be edits of the one file that is named beside them.
            found.unknown |= LIST_KEYS.contains(key) && *key != "edits" && is_no_list(value);
        }
    }
    if matches!(name, "read_many_files" | "ReadManyFiles") {
        read_many(arguments, &mut found);
    } else if matches!(tool, Some(Tool::Glob | Tool::Grep | Tool::ListDir)) {
        search(tool, arguments, &mut found);
    }
    directories(arguments, &mut found);
    if tool.is_some_and(|tool| tool.family() == Family::File) {
        let known = found.paths.len();
        foreign(arguments, &mut found);
        if found.recursive {
            let more = found.paths.get(known..).unwrap_or_default();
            found.reached.extend(more.iter().map(|path| Reached::all(path)));
        }
        found.unknown |= found.paths.is_empty() || found.paths.iter().any(|path| is_taken_apart(path));
    }
    found
}

/// A text where a list of paths is meant, which may be several in one, or an element that names no path.
fn is_no_list(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains([',', ';', '[', ' ', '\n']),
        Value::Array(values) => values.iter().any(|element| {
            element.as_object().is_some_and(|object| !PATH_KEYS.iter().any(|key| object.contains_key(*key)))
        }),
        _ => false,
    }
}

/// Whether some hosts read more in a path than its characters: an address, a variable, an escape, blanks around it. `$id.tsx`
/// and `100%.txt` are names of files.
fn is_taken_apart(path: &str) -> bool {
    let addressed =
        path.split_once(':').is_some_and(|(scheme, rest)| scheme.len() > 1 && rest.starts_with('/'));
    let behind = |mark: char| path.split(mark).skip(1);
    let variable = behind('$')
        .any(|rest| rest.starts_with('{') || rest.starts_with(|first: char| first.is_ascii_uppercase()));
    let escape = behind('%').any(|rest| {
        rest.get(..2).is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    });
    addressed || variable || escape || path.trim() != path || path.chars().any(char::is_control)
}

/// Arguments of a file tool that are nobody's here and that other hosts keep paths in (`filePath`, `target_file`): what is
/// named so may be what is meant.
fn foreign(arguments: &Map<String, Value>, found: &mut Targets) {
    const DIRECTORIES: &[&str] =
        &["dir", "directory", "folder", "cwd", "root", "base", "basepath", "basedir", "rootpath"];
    const PATHS: &[&str] = &[
        "path",
        "paths",
        "file",
        "files",
        "filename",
        "filenames",
        "filepath",
        "uri",
        "uris",
        "notebook",
        "destination",
    ];
    const PATCHES: &[&str] = &["diff", "diffs", "patch", "patches", "patchtext", "changes"];
    let own = |key: &str| {
        PATH_KEYS.iter().chain(LIST_KEYS).chain(PATCH_KEYS).chain(DIRECTORY_KEYS).any(|known| *known == key)
    };
    for (key, value) in arguments {
        if LIST_KEYS.contains(&key.as_str()) {
            let elements = value.as_array().into_iter().flatten();
            elements.filter_map(Value::as_object).for_each(|element| foreign(element, found));
        }
        if own(key) || is_absent(value) || value.is_boolean() || value.is_number() {
            continue;
        }
        let plain: String =
            key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let ends = |names: &[&str]| names.iter().any(|name| plain.ends_with(name));
        if ends(DIRECTORIES) {
            found.unknown = true;
        } else if ends(PATHS) {
            collect_paths(value, found);
        } else if PATCHES.contains(&plain.as_str()) {
            // A patch in another spelling, beside what is known.
            found.unknown = true;
        } else if value.is_object()
            && matches!(plain.as_str(), "arguments" | "args" | "parameters" | "params" | "input")
        {
            found.unknown = true;
        }
    }
}

/// The directories that a call names for its paths, also beside one path of a list.
fn directories(arguments: &Map<String, Value>, found: &mut Targets) {
    let named = |key: &str| arguments.get(key).is_some_and(|value| !is_absent(value));
    let beside =
        PATH_KEYS.iter().chain(LIST_KEYS).chain(PATCH_KEYS).any(|key| *key != TWO_FACED_KEY && named(key));
    for (key, value) in DIRECTORY_KEYS.iter().filter_map(|key| Some((*key, arguments.get(*key)?))) {
        if key != TWO_FACED_KEY || beside {
            directory(value, found);
        }
    }
    let elements = LIST_KEYS.iter().filter_map(|key| arguments.get(*key)?.as_array()).flatten();
    for object in elements.filter_map(Value::as_object) {
        DIRECTORY_KEYS.iter().filter_map(|key| object.get(*key)).for_each(|value| directory(value, found));
    }
    // Which of them holds, or which of them is inside which, nobody can say.
    found.unknown |= found.directories.len() > 1;
}

fn directory(value: &Value, found: &mut Targets) {
    match value {
        value if is_absent(value) => {}
        Value::String(directory) => {
            found.unknown |= !is_plain(directory);
            if !found.directories.contains(directory) {
                found.directories.push(directory.clone());
            }
        }
        _ => found.unknown = true,
    }
}

/// `null` and the empty string say nothing.
fn is_absent(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// Adds the paths of a string, of an array, or of an object with path keys. `null` counts as absent.
fn collect_paths(value: &Value, found: &mut Targets) {
    match value {
        Value::Null => {}
        Value::String(path) if path.is_empty() => {}
        Value::String(path) => found.paths.push(path.clone()),
        Value::Array(values) => {
            for value in values {
                match value {
                    Value::Object(object) => {
                        for value in PATH_KEYS.iter().filter_map(|key| object.get(*key)) {
                            collect_one(value, found);
                        }
                    }
                    value => collect_one(value, found),
                }
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => found.unknown = true,
    }
}

/// One path inside an array.
fn collect_one(value: &Value, found: &mut Targets) {
    match value {
        Value::String(path) if !path.is_empty() => found.paths.push(path.clone()),
        Value::String(_) | Value::Null => {}
        _ => found.unknown = true,
    }
}

/// `pattern` of Glob, `include` and `glob`; the working directory when no path is named. Grep's `pattern`
/// is about contents and says nothing about files. Only the pattern of Glob is one that every host honours: whatever
/// else is named may be reached beside what the others say.
fn search(tool: Option<Tool>, arguments: &Map<String, Value>, found: &mut Targets) {
    if found.paths.is_empty() {
        found.paths.push(".".to_owned());
    }
    let bases = found.paths.clone();
    let glob = tool == Some(Tool::Glob);
    let searched = arguments.get("pattern").is_some_and(|pattern| !strings_of(pattern).is_empty());
    if !(glob && searched) {
        found.reached.extend(bases.iter().map(|base| Reached::all(base)));
    }
    let keys: &[&str] = if glob { &["pattern", "include", "glob"] } else { &["include", "glob"] };
    for pattern in keys.iter().filter_map(|key| arguments.get(*key)).flat_map(strings_of) {
        let Some(pattern) = pattern else {
            found.unknown = true;
            continue;
        };
        if leaves_base(pattern) {
            match base_of(pattern) {
                Some((base, _)) if is_absolute(pattern) => found.paths.push(base.to_owned()),
                Some((inner, _)) => found.paths.extend(bases.iter().map(|base| below(base, inner))),
                None => found.unknown = true,
            }
        }
        found.unknown |= is_taken_apart(pattern);
        match Reached::by(&bases, pattern) {
            Some(reached) => found.reached.extend(reached),
            None => found.unknown = true,
        }
        found.patterns.push(pattern.to_owned());
    }
}

/// `read_many_files` names files and globs in `paths` and `include`: a glob becomes the directory that
/// holds its matches and the pattern below that.
fn read_many(arguments: &Map<String, Value>, found: &mut Targets) {
    if let Some(include) = arguments.get("include") {
        collect_paths(include, found);
    }
    for path in std::mem::take(&mut found.paths) {
        match listed(&path) {
            Some(reached) => found.reached.extend(reached),
            None => found.unknown = true,
        }
        if !is_glob(&path) {
            found.paths.push(path);
            continue;
        }
        found.recursive = true;
        match base_of(&path) {
            Some((base, rest)) => {
                found.paths.push(base.to_owned());
                found.patterns.push(rest.to_owned());
            }
            None => found.unknown = true,
        }
    }
}

/// Whether any argument is one that holds a path, a patch or a command.
pub(crate) fn names_a_place(arguments: &Map<String, Value>) -> bool {
    let keys = PATH_KEYS.iter().chain(LIST_KEYS).chain(PATCH_KEYS);
    keys.chain(&["cmd", "command", "url", "urls"]).any(|key| arguments.contains_key(*key))
}

/// The strings of a string or an array of strings; `None` stands for anything else.
fn strings_of(value: &Value) -> Vec<Option<&str>> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) => values.iter().map(Value::as_str).collect(),
        value => vec![value.as_str()],
    }
}

/// The files of a patch tool's patch; arguments that are a bare string are the patch itself. Path
/// arguments beside the patch count as well.
fn targets_of_patch(arguments: &Value) -> Targets {
    let mut found = Targets::default();
    let texts: Vec<&Value> = match arguments {
        Value::Object(object) => {
            for value in PATH_KEYS.iter().chain(LIST_KEYS).filter_map(|key| object.get(*key)) {
                collect_paths(value, &mut found);
            }
            directories(object, &mut found);
            foreign(object, &mut found);
            PATCH_KEYS.iter().filter_map(|key| object.get(*key)).collect()
        }
        text => vec![text],
    };
    for text in texts {
        match text.as_str() {
            Some(text) => {
                let before = found.paths.len();
                found.paths.extend(patch_paths(text).map(str::to_owned));
                // What an escape in quotes stands for, hosts do not agree on.
                let named = found.paths.get(before..).unwrap_or_default();
                found.unknown |=
                    named.iter().any(|path| path.starts_with(['"', '\'']) && path.contains('\\'));
            }
            None => found.unknown |= !text.is_null(),
        }
    }
    found.unknown |= found.paths.is_empty();
    found
}

/// The files of patches that a shell call feeds to a command `apply_patch`.
fn targets_of_shell(name: &str, arguments: &Value) -> Targets {
    let mut found = Targets::default();
    let given = commands(name, arguments);
    for command in given.commands {
        let texts = match command {
            CommandText::Text(text) | CommandText::ShellText { text, .. } => vec![text],
            CommandText::Argv(words) => words,
        };
        if texts.iter().any(|text| text.contains("apply_patch") || text.contains("applypatch")) {
            let before = found.paths.len();
            found.paths.extend(texts.iter().flat_map(|text| patch_paths(text)).map(str::to_owned));
            // A patch of files in a directory that could not be read is one of files that are not known.
            found.unknown |= found.paths.len() == before || given.unknown;
        }
    }
    found
}
