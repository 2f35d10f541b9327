//! Archivers and compressors.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Value};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["tar", "gtar", "bsdtar"],
        "c x t r u A d z j J a v k m p h O P W l o C=m f=f T=r X=r b= L= N= V= g=w K= create extract get list append update concatenate diff compare gzip bzip2 xz zstd lzma auto-compress verbose keep-old-files keep-newer-files overwrite touch preserve-permissions same-permissions no-same-owner same-owner dereference to-stdout absolute-names directory=m file=f files-from=r exclude-from=r exclude= strip-components= transform=o use-compress-program=x I=x to-command=x checkpoint? checkpoint-action=x rsh-command=x info-script=x new-volume-script=x F=x rmt-command=x remove-files!o delete!o sort= mtime= owner= group= mode= numeric-owner wildcards no-wildcards anchored totals no-recursion format= null one-file-system skip-old-files unlink-first recursive-unlink warning= version help listed-incremental=w index-file=w",
        Operands::Custom(tar),
    ),
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
    // `tar xzf a.tgz`: the first word may be flags without a dash, which only this program reads so.
    let mut letters = String::new();
    let mut operands = parsed.operands.as_slice();
    if let Some(text) = build.word(1).filter(|text| !text.starts_with('-')) {
        letters.push_str(text);
        operands = operands.get(1..).unwrap_or_default();
    }
    let mut archive = parsed.value(&["f", "file"]).map(super::flags::Slot::value);
    if letters.contains('f')
        && let Some((first, rest)) = operands.split_first()
    {
        archive = build.words.get(*first).map(|word| word.value.clone());
        operands = rest;
    }
    if !letters.bytes().all(|byte| b"cxtruzjJavfkmphO".contains(&byte)) {
        let span = build.span_of(1);
        build.opaque(span, format!("`{letters}` are flags that are not known"));
    }
    let does = |letter: char, names: &[&str]| letters.contains(letter) || parsed.has(names);
    let archive = archive.unwrap_or_else(|| Value::Known("-".to_owned()));
    let at = build.span_of(1);
    let directory = parsed
        .value(&["C", "directory"])
        .map_or_else(|| Value::Known(".".to_owned()), super::flags::Slot::value);
    if does('t', &["t", "list"]) {
        build.read(&archive, false, at);
    } else if does('x', &["x", "extract", "get"]) {
        build.read(&archive, false, at);
        if !does('O', &["O", "to-stdout"]) {
            // Members may have any name below the directory, and links may lead out of it.
            if let Some(word) = directory.known() {
                for target in super::targets(&Value::Known(word.to_owned()), build.directories()) {
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
        for index in operands {
            if let Some(word) = build.words.get(*index) {
                build.read(&word.value, true, word.span);
            }
        }
    }
}

fn compress(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let prints = parsed.has(&["c", "stdout", "to-stdout", "l", "list", "t", "test"]);
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
                build.write(&Value::Known(other), span);
            }
            None => build.push(EffectKind::Write(PathTarget::Unknown), span),
        }
        if !keeps {
            build.delete(value, false, span);
        }
    });
}

fn unzip(build: &mut Build<'_>, parsed: &Parsed<'_>) {
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
