//! The files that a patch names.

/// Names of tools whose `input` or `patch` argument is a patch.
const PATCH_TOOLS: &[&str] = &["apply_patch", "ApplyPatch", "memory_apply_patch"];

/// The last word of what follows `***` on a line that names a file: `Add File`, `Update File`, `Delete File`, `Move to`, and
/// whatever else somebody's tool may know (`Create File`, `Copy to`), in either case.
const HEADINGS: &[&str] = &["file", "to", "from"];

/// Whether calls of `name` (raw spelling) carry a patch.
#[must_use]
pub fn is_patch_tool(name: &str) -> bool {
    PATCH_TOOLS.contains(&name)
}

/// The files named by the `*** Add File: p`, `*** Update File: p`, `*** Delete File: p` and
/// `*** Move to: p` lines of a patch, in order, repetitions kept.
///
/// Use it on an argument of a patch tool and on text that a shell command `apply_patch` is fed (its
/// argument or here-document). A heading counts wherever it stands in its line, also behind the `+` of an
/// added line: naming a file too many costs a question, naming one too few would hide a write.
///
/// ```
/// use portcullis_tool_names::patch_paths;
///
/// let patch = "*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n@@\n-x\n+y\n*** End Patch";
/// assert_eq!(patch_paths(patch).collect::<Vec<_>>(), ["a.rs", "b.rs"]);
/// ```
pub fn patch_paths(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).flat_map(headings_of_line)
}

/// The files that one line names. After each `***` the line is read anew, so that a heading behind
/// another one is seen as well (the first then names the whole rest, the second its part).
fn headings_of_line(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("***").filter_map(move |(at, stars)| path_behind(line.get(at + stars.len()..)?))
}

/// The path of `Add File: p`, white space around every part ignored.
fn path_behind(text: &str) -> Option<&str> {
    let (heading, path) = text.split_once(':')?;
    let mut words = heading.split_whitespace();
    let (verb, last) = (words.next()?, words.next_back()?);
    let plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let known = HEADINGS.iter().any(|heading| heading.eq_ignore_ascii_case(last));
    let path = path.trim();
    (known && plain(verb) && words.all(plain) && !path.is_empty()).then_some(path)
}
