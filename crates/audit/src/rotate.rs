//! Old parts of a log: `NAME.1` is the oldest, the highest number the youngest.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

fn numbered(path: &Path, number: u64) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{number}"));
    path.with_file_name(name)
}

/// The numbers of the parts that exist, ascending.
fn parts(path: &Path) -> io::Result<Vec<u64>> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Ok(Vec::new());
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?.file_name();
        let number = entry.to_str().and_then(|entry| entry.strip_prefix(name)?.strip_prefix('.'));
        // Only as we write them: `+1` and `01` are somebody else's.
        if let Some(text) = number
            && let Ok(number) = text.parse::<u64>()
            && number.to_string() == text
        {
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Every file of a log, oldest first; the one in use last.
pub(crate) fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = parts(path)?.into_iter().map(|number| numbered(path, number)).collect();
    if path.exists() || files.is_empty() {
        files.push(path.to_owned());
    }
    Ok(files)
}

/// Moves the file in use aside, and removes the oldest parts beyond `keep`. To be called under the lock.
pub(crate) fn rotate(path: &Path, keep: Option<usize>) -> io::Result<()> {
    let mut numbers = parts(path)?;
    let next = numbers.last().map_or(1, |last| last.saturating_add(1));
    std::fs::rename(path, numbered(path, next))?;
    numbers.push(next);
    if let Some(keep) = keep {
        let surplus = numbers.len().saturating_sub(keep);
        for number in numbers.iter().take(surplus) {
            std::fs::remove_file(numbered(path, *number))?;
        }
    }
    Ok(())
}
