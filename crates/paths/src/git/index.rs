//! What an index lists: names of files, and repositories inside a repository. git looks into those that its index lists, by their own configuration, whenever
//! it compares the working tree (`git status`, `git diff`): a directory with a `.git` of its own is enough, without
//! any `.gitmodules` (gitsubmodules(7), gitformat-index(5)).

use crate::{Resolver, join};

/// The largest index that is read, in bytes.
const MAX_INDEX: usize = 64 << 20;

/// The names of objects have 20 bytes, or 32 (`extensions.objectFormat`).
const OBJECT_NAMES: [usize; 2] = [20, 32];

/// The mode of a gitlink.
const GITLINK: u32 = 0o160_000;

/// The directories below `root` whose own repositories git looks into; nothing when the index cannot be read or is
/// not understood.
pub(super) fn embedded(resolver: &dyn Resolver, root: &str, index: &str) -> Option<Vec<String>> {
    if resolver.kind(index).is_none() {
        return Some(Vec::new());
    }
    let bytes = resolver.read(index, MAX_INDEX).ok()?;
    let links = OBJECT_NAMES.iter().find_map(|size| gitlinks(&bytes, *size))?;
    let directories = links.into_iter().map(|link| join(root, &link));
    Some(directories.filter(|directory| resolver.kind(&join(directory, ".git")).is_some()).collect())
}

/// Shows every name in the index to `visit`, beginning with `T::default()`; an index that is not there has none.
/// Nothing when it cannot be read or is not understood.
pub(super) fn names<T: Default>(
    resolver: &dyn Resolver,
    index: &str,
    visit: impl Fn(&mut T, &[u8]),
) -> Option<T> {
    if resolver.kind(index).is_none() {
        return Some(T::default());
    }
    let bytes = resolver.read(index, MAX_INDEX).ok()?;
    OBJECT_NAMES.iter().find_map(|size| {
        let mut seen = T::default();
        entries(&bytes, *size, |_, name| {
            visit(&mut seen, name);
            Some(())
        })?;
        Some(seen)
    })
}

/// Takes bytes from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    /// Up to a NUL, which is taken too.
    fn text(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.take(end)?;
        self.take(1)?;
        Some(text)
    }

    /// A number of version 4: seven bits a byte, the higher ones first, and one more for every byte.
    fn offset(&mut self) -> Option<usize> {
        let mut byte = *self.take(1)?.first()?;
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = *self.take(1)?.first()?;
            value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        }
        Some(value)
    }
}

/// The paths of gitlinks; nothing when the index is not understood, or part of it is elsewhere.
fn gitlinks(index: &[u8], object_name: usize) -> Option<Vec<String>> {
    let mut found = Vec::new();
    entries(index, object_name, |mode, name| {
        if mode == GITLINK {
            found.push(String::from_utf8(name.to_vec()).ok()?);
        }
        Some(())
    })?;
    Some(found)
}

/// Shows the mode and the name of every entry to `visit`, which may stop; nothing when the index is not understood, or
/// part of it is elsewhere.
fn entries(index: &[u8], object_name: usize, mut visit: impl FnMut(u32, &[u8]) -> Option<()>) -> Option<()> {
    let mut bytes = Bytes(index);
    if bytes.take(4)? != b"DIRC" {
        return None;
    }
    let version = bytes.number()?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let count = bytes.number()?;
    let mut last: Vec<u8> = Vec::new();
    for _ in 0..count {
        let before = bytes.0.len();
        bytes.take(24)?;
        let mode = bytes.number()?;
        bytes.take(12 + object_name)?;
        if bytes.short()? & 0x4000 != 0 {
            bytes.take(2)?;
        }
        if version == 4 {
            let kept = last.len().checked_sub(bytes.offset()?)?;
            last.truncate(kept);
            last.extend_from_slice(bytes.text()?);
        } else {
            last.clear();
            last.extend_from_slice(bytes.text()?);
            // Entries are filled up with NULs to a multiple of eight bytes.
            let length = before - bytes.0.len();
            bytes.take(length.next_multiple_of(8) - length)?;
        }
        visit(mode, &last)?;
    }
    // Extensions, and a checksum at the end.
    while bytes.0.len() > object_name {
        let name = bytes.take(4)?;
        let length = usize::try_from(bytes.number()?).ok()?;
        bytes.take(length)?;
        if name == b"link" {
            return None;
        }
    }
    (bytes.0.len() == object_name).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(version: u32, entries: &[(u32, &str)], extension: &[u8], object_name: usize) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(entries.len()).unwrap().to_be_bytes());
        for (mode, path) in entries {
            let start = bytes.len();
            bytes.extend([1; 24]);
            bytes.extend(mode.to_be_bytes());
            bytes.extend(vec![2; 12 + object_name]);
            bytes.extend(u16::try_from(path.len()).unwrap().to_be_bytes());
            if version == 4 {
                // Nothing of the name before is kept; its length is that of `a`, or 0.
                bytes.push(if start == 12 { 0 } else { 1 });
            }
            bytes.extend(path.bytes());
            bytes.push(0);
            while version != 4 && !(bytes.len() - start).is_multiple_of(8) {
                bytes.push(0);
            }
        }
        bytes.extend(extension);
        bytes.extend(vec![3; object_name]);
        bytes
    }

    #[test]
    fn finds_gitlinks_in_every_version() {
        for version in [2, 3, 4] {
            for size in [20, 32] {
                let bytes =
                    index(version, &[(0o100_644, "a"), (GITLINK, "sub/module")], b"TREE\0\0\0\x02xx", size);
                assert_eq!(gitlinks(&bytes, size).unwrap(), ["sub/module"], "{version} {size}");
            }
        }
        assert_eq!(gitlinks(&index(2, &[], b"", 20), 20).unwrap(), [] as [&str; 0]);
    }

    #[test]
    fn shows_every_name() {
        for size in OBJECT_NAMES {
            for version in [2, 3, 4] {
                let bytes =
                    index(version, &[(0o100_644, "a"), (GITLINK, "-oX"), (0o120_000, "b/ c")], b"", size);
                let mut seen = Vec::new();
                entries(&bytes, size, |mode, name| {
                    seen.push((mode, String::from_utf8(name.to_vec()).unwrap()));
                    Some(())
                })
                .unwrap();
                if version == 4 {
                    // The fixture drops one byte of the name before, however long that is.
                    assert_eq!(seen.first().map(|(_, name)| &**name), Some("a"), "{size}");
                    assert_eq!(seen.last().map(|(_, name)| &**name), Some("-ob/ c"), "{size}");
                } else {
                    let names: Vec<&str> = seen.iter().map(|(_, name)| &**name).collect();
                    assert_eq!(names, ["a", "-oX", "b/ c"], "{version} {size}");
                }
            }
        }
    }

    #[test]
    fn takes_nothing_for_granted() {
        let whole = index(2, &[(GITLINK, "a")], b"", 20);
        for end in 0..whole.len() {
            assert_eq!(gitlinks(&whole[..end], 20), None, "{end}");
        }
        assert_eq!(gitlinks(&index(5, &[], b"", 20), 20), None);
        assert_eq!(gitlinks(&index(2, &[(GITLINK, "a")], b"link\0\0\0\0", 20), 20), None, "a split index");
        assert_eq!(gitlinks(&whole, 32), None);
    }
}
