//! The line in `.gitignore` that keeps a local settings file out of the repository.

use std::path::Path;

use portcullis_paths::files::{Locked, NewFile};

use crate::read::LIMIT;

/// Adds the line, once, if `root` lies in a git work tree. Says why not when it could not.
pub(crate) fn add_line(root: &Path, file: &Path) -> Option<String> {
    let relative = file.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    let in_work_tree = root.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok());
    if !in_work_tree {
        return None;
    }
    let ignore = root.join(".gitignore");
    // git does not follow this link either (since 2.32), and it may lead anywhere.
    if ignore.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
        return Some(format!("`{}` is a link, so `{relative}` was not added to it", ignore.display()));
    }
    match write(&ignore, &relative) {
        Ok(()) => None,
        Err(reason) => Some(format!("`{relative}` was not added to `{}`: {reason}", ignore.display())),
    }
}

fn write(ignore: &Path, line: &str) -> Result<(), String> {
    let locked = Locked::new(ignore).map_err(|error| error.to_string())?;
    let mut bytes = locked.read(LIMIT).map_err(|error| error.to_string())?.unwrap_or_default();
    let plain = line.as_bytes();
    let anchored = [b"/", plain].concat();
    let has_line = bytes.split(|byte| *byte == b'\n').any(|found| {
        let found = found.trim_ascii_end();
        found == plain || found == anchored
    });
    if has_line {
        return Ok(());
    }
    let ending: &[u8] = if bytes.windows(2).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" };
    if bytes.last().is_some_and(|last| *last != b'\n') {
        bytes.extend_from_slice(ending);
    }
    bytes.extend_from_slice(plain);
    bytes.extend_from_slice(ending);
    locked.replace(&bytes, NewFile::Shared).map_err(|error| error.to_string())
}
