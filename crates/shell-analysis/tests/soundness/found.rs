//! Texts that searches, and readers of the specifications, found to do more than read.

/// Never read-only.
pub(crate) const FOUND: &[&str] = &[
    // The value goes on living in the shell.
    "read HOME",
    "read -r PATH < list.txt",
    // Flags without a dash take the next words as values, whatever these look like.
    "tar cf --exclude=1,3 - src",
    "tar tf x:y",
    // A list of names may hold options.
    "tar -tf all.tar -T list.txt",
    "bsdtar -t -W use-compress-program=bin/value -f all.tar",
    // The last mode counts.
    "xz -t -d notes.txt.xz",
    "zstd -l --decompress notes.txt.zst",
    "bzip2 -tz notes.txt",
    // Options end at the first operand.
    "git config user.name --path --get",
    "git config user.name --get",
];

/// Not read-only in a project that is not trusted, or as far as they lead out of it.
pub(crate) const FOUND_STRICTLY: &[&str] = &["npm ls", "tar -chf - ."];
