//! Whether a file system takes names that differ in case for one.

use std::{fs, path::Path};

/// So many names of a directory are looked at.
const LOOKED_AT: usize = 16;

/// Whether names in `directory` are compared without regard to case. Some file systems do so always (FAT, APFS and
/// NTFS as they usually are), some in single directories (ext4(5), `casefold`), so that only a look tells: a name that
/// leads to the same file when its case is turned round. Where no name has a letter, or none may be looked at, the
/// directory's own name tells of the one above it.
///
/// Two hard links whose names differ in case alone look the same; rules that restrict then compare more than they
/// need to.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("name"), "")?;
/// let other_case = folder.path().join("NAME").exists();
/// assert_eq!(portcullis_paths::ignores_case(folder.path()), other_case);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn ignores_case(directory: &Path) -> bool {
    let mut lettered = false;
    if let Ok(entries) = fs::read_dir(directory) {
        for entry in entries.take(LOOKED_AT).flatten() {
            match is_found_turned_round(&entry.path()) {
                Some(true) => return true,
                Some(false) => lettered = true,
                None => {}
            }
        }
    }
    !lettered && is_found_turned_round(directory).unwrap_or(false)
}

/// `None` where the last name has no letter that has another case.
fn is_found_turned_round(path: &Path) -> Option<bool> {
    let name = path.file_name()?.to_str()?;
    let turned = turned_round(name);
    (turned != name).then(|| is_one_file(path, &path.with_file_name(turned)))
}

fn turned_round(name: &str) -> String {
    let turn = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    name.chars().map(turn).collect()
}

#[cfg(unix)]
fn is_one_file(left: &Path, right: &Path) -> bool {
    crate::unix::is_one_file(left, right)
}

/// Elsewhere nothing says that two names lead to one file; where there is a second one, it is taken for the first.
#[cfg(not(unix))]
fn is_one_file(_left: &Path, right: &Path) -> bool {
    fs::symlink_metadata(right).is_ok()
}

#[cfg(test)]
mod tests {
    use super::turned_round;

    #[test]
    fn every_letter_is_turned_round() {
        assert_eq!(turned_round("aB-9.\u{e9}"), "Ab-9.\u{e9}");
        assert_eq!(turned_round(".9"), ".9");
    }
}
