//! Archivers and compressors.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Value};

/// tar's flags. A list of names (`-T`) may hold options (GNU tar manual 6.3); `-W` is another one in bsdtar, with
/// any long option behind it.
const TAR: &str = "c x t r u A d z j J a v k m p h O P l o C=m f=f T=o X=r b= L= N= V= g=w K= create extract get list append update concatenate diff compare gzip bzip2 xz zstd lzma auto-compress verbose keep-old-files keep-newer-files overwrite touch preserve-permissions same-permissions no-same-owner same-owner dereference to-stdout absolute-names directory=m file=f files-from=o exclude-from=r exclude= strip-components= transform=o use-compress-program=x I=x to-command=x checkpoint? checkpoint-action=x rsh-command=x info-script=x new-volume-script=x F=x rmt-command=x remove-files!o delete!o sort= mtime= owner= group= mode= numeric-owner wildcards no-wildcards anchored totals no-recursion format= null one-file-system skip-old-files unlink-first recursive-unlink warning= version help listed-incremental=w index-file=w";

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["tar", "gtar", "bsdtar"], TAR, Operands::Custom(tar)),
    Spec::new(
        &[
            "gzip",
            "gunzip",
            "bzip2",
            "bunzip2",
            "xz",
            "unxz",
            "zstd",
            "unzstd",
            "lzma",
            "compress",
            "uncompress",
            "pigz",
        ],
        "# c d f k l n N q r S= t v z stdout to-stdout decompress uncompress force keep list no-name name quiet recursive suffix= test verbose fast best help version V",
        Operands::Custom(compress),
    ),
    Spec::new(&["zcat", "bzcat", "xzcat", "zstdcat", "gzcat", "lzcat"], "f q v help version", Operands::Read),
    Spec::new(&["unzip"], "l v t Z p o n q j a b C L M X d=w u x=", Operands::Custom(unzip)),
    Spec::new(
        &["zip"],
        "# r q v j m!w u f d!w x= i= y e P= T TT=x unzip-command=x k l o 0 9 s= R b=",
        Operands::Custom(zip),
    ),
    Spec::new(&["zipinfo"], "1 2 s m l v h t T z M C", Operands::Read),
];

fn tar(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // `tar xzf a.tgz`: the first word may be flags without a dash, which only this program reads so. Their
    // values are the words that follow, whatever these begin with (GNU tar manual 3.3.3).
    let letters = build.word(1).filter(|text| !text.starts_with('-')).unwrap_or_default();
    let old_style = !letters.is_empty();
    let archived = letters.matches('f').count();
    let own;
    let parsed = if old_style {
        build.restart();
        own = build.parse(TAR, 2 + archived, false, false);
        &own
    } else {
        parsed
    };
    let operands = parsed.operands.as_slice();
    let mut archive = parsed.value(&["f", "file"]).map(super::flags::Slot::value);
    if archived > 0 {
        archive = build.words.get(1 + archived).map(|word| word.value.clone());
    }
    if !letters.bytes().all(|byte| b"cxtruzjJavfkmphO".contains(&byte)) {
        let span = build.span_of(1);
        build.opaque(span, format!("`{letters}` are flags that are not known"));
    }
    let does = |letter: char, names: &[&str]| letters.contains(letter) || parsed.has(names);
    let archive = archive.unwrap_or_else(|| Value::Known("-".into()));
    let at = build.span_of(1);
    // `host:file` is opened through a remote shell (GNU tar manual 9.2).
    if archive.known().is_none_or(|text| text.split('/').next().is_some_and(|first| first.contains(':'))) {
        build.push(EffectKind::Network(None), at);
    }
    let directory =
        parsed.value(&["C", "directory"]).map_or_else(|| Value::Known(".".into()), super::flags::Slot::value);
    if does('t', &["t", "list"]) {
        build.read(&archive, false, at);
    } else if does('x', &["x", "extract", "get"]) {
        build.read(&archive, false, at);
        if !does('O', &["O", "to-stdout"]) {
            // Members may have any name below the directory, and links may lead out of it.
            if let Some(word) = directory.known() {
                for target in super::targets(&Value::Known(word.into()), build.directories()) {
                    if let PathTarget::Path(path) = target {
                        build.push(EffectKind::Write(PathTarget::Below(path)), at);
                    }
                }
            }
            build.push(EffectKind::Opaque("members of an archive may have any name".to_owned()), at);
        }
    } else {
        if archive.known() != Some("-") {
            build.write(&archive, at);
        }
        if does('h', &["h", "dereference"]) {
            build.follows();
        }
        for index in operands {
            if let Some(word) = build.words.get(*index) {
                build.read(&word.value, true, word.span);
            }
        }
    }
}

fn compress(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // Of several modes the last one counts in some of them (`xz -td`).
    let other_mode = parsed.has(&["d", "decompress", "uncompress", "z"]);
    let prints =
        parsed.has(&["c", "stdout", "to-stdout"]) || !other_mode && parsed.has(&["l", "list", "t", "test"]);
    let keeps = parsed.has(&["k", "keep"]);
    build.each(parsed, |build, value, span| {
        build.read(value, false, span);
        if prints {
            return;
        }
        match value.known() {
            Some(text) => {
                let stem = [".gz", ".bz2", ".xz", ".zst", ".lzma", ".Z"]
                    .iter()
                    .find_map(|suffix| text.strip_suffix(suffix));
                let other = stem.map_or_else(|| format!("{text}.gz"), str::to_owned);
                build.write(&Value::Known(other.into()), span);
            }
            None => build.push(EffectKind::Write(PathTarget::Unknown), span),
        }
        if !keeps {
            build.delete(value, false, span);
        }
    });
}

fn unzip(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // Behind `--` an option takes the same one back (unzip(1), `-p -- -p` extracts).
    if let Some(at) = parsed.dashes {
        let span = build.span_of(at);
        build.opaque(span, "`--` negates options here".to_owned());
    }
    if let Some(archive) = build.operand(parsed, 0) {
        build.read(&archive.value, false, archive.span);
    }
    if !parsed.has(&["l", "v", "t", "Z", "p"]) {
        build.effect(EffectKind::Opaque("members of an archive may have any name".to_owned()));
    }
}

fn zip(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for (position, index) in parsed.operands.iter().enumerate() {
        let Some(word) = build.words.get(*index) else { continue };
        if position == 0 {
            build.write(&word.value, word.span);
        } else {
            build.read(&word.value, true, word.span);
        }
    }
}
