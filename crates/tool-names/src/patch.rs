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
/// `*** Move to: p` lines of a patch, in order, repetitions kept; where there are any, then those of its unified headings (`--- a/p` with
/// `+++ b/p` below it, `diff --git`, `rename to`), with and without the first directory. A name in quotes is named with
/// and without them.
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
    let lines = || text.split(['\n', '\r']).filter(|line| !line.is_empty());
    let own = lines().flat_map(headings_of_line).next().is_some();
    let lines = move || lines().filter(move |_| own);
    let unified = lines().zip(lines().skip(1)).flat_map(|(line, next)| pair(line, next));
    let named = lines().flat_map(headings_of_line).chain(unified).chain(lines().flat_map(extended));
    named.flat_map(|path| std::iter::once(path).chain(unquoted(path)))
}

/// A name without the quotes around it.
fn unquoted(path: &str) -> Option<&str> {
    let bare =
        ['"', '\'', '`'].into_iter().find_map(|quote| path.strip_prefix(quote)?.strip_suffix(quote))?;
    (!bare.is_empty()).then_some(bare)
}

/// The files of two lines that are a unified heading together: alone, one of them may be a line that is taken out.
fn pair<'a>(line: &'a str, next: &'a str) -> impl Iterator<Item = &'a str> {
    let both = line.strip_prefix("--- ").zip(next.strip_prefix("+++ "));
    both.into_iter().flat_map(|(old, new)| side(old).chain(side(new)))
}

/// What the headings of git name: no line of a file begins so, in whichever kind of patch.
fn extended(line: &str) -> impl Iterator<Item = &str> {
    let moved = ["rename from ", "rename to ", "copy from ", "copy to "]
        .into_iter()
        .find_map(|heading| line.strip_prefix(heading));
    let sides = line.strip_prefix("diff --git ").and_then(|sides| {
        // Names in quotes begin behind the same blank.
        let at = sides.find(" b/").or_else(|| sides.find(" \"b/")).or_else(|| sides.find(' '))?;
        Some((sides.get(..at)?, sides.get(at + 1..)?))
    });
    let sides = sides.into_iter().flat_map(|(old, new)| side(old).chain(side(new)));
    moved.into_iter().flat_map(side).chain(sides)
}

/// The file that one side of a unified heading names, with and without the `a/` or `b/` in front.
fn side(text: &str) -> impl Iterator<Item = &str> {
    let text = text.split('\t').next().unwrap_or(text).trim();
    let path = unquoted(text).unwrap_or(text);
    let bare = ["a/", "b/"].into_iter().find_map(|side| path.strip_prefix(side));
    // For the caller to see that there is an escape.
    let escaped = (path.len() < text.len() && path.contains('\\')).then_some(text);
    [Some(path), bare, escaped].into_iter().flatten().filter(|path| !path.is_empty() && *path != "/dev/null")
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
