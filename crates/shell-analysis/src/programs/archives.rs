//! Compressors and archivers other than tar.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Text, Value};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["gzip", "gunzip", "compress", "uncompress"],
        "# a b= c d f h k l L n N q r S= t v V z ascii stdout to-stdout decompress uncompress force keep list license no-name name quiet recursive suffix= rsyncable synchronous test verbose fast best help version",
        Operands::Custom(compress),
    ),
    Spec::new(
        &["pigz", "unpigz"],
        "# 11 b= c d f h i I= J= k K l L m M n N O p= q r R S= t T v V z Y stdout to-stdout decompress uncompress force keep list license no-name name quiet recursive suffix= rsyncable blocksize= processes= independent zlib zip test verbose fast best help version",
        Operands::Custom(compress),
    ),
    Spec::new(
        &["bzip2", "bunzip2"],
        "# c d f h k L q s t v V z stdout decompress compress force keep test small quiet verbose license fast best repetitive-best repetitive-fast help version",
        Operands::Custom(compress),
    ),
    Spec::new(
        &["xz", "unxz", "lzma", "unlzma"],
        "# c C= d e f F= h H k l M= q Q S= t T= v V z stdout to-stdout decompress uncompress compress force keep list extreme format= check= threads= memlimit= memory= memlimit-compress= memlimit-decompress= memlimit-mt-decompress= block-size= block-list= flush-timeout= no-adjust no-sparse no-warn single-stream ignore-check robot info-memory suffix= quiet test verbose fast best long-help help version lzma1? lzma2? delta? x86? arm? arm64? armthumb? powerpc? ia64? sparc? riscv? files?o files0?o",
        Operands::Custom(compress),
    ),
    Spec::new(
        &["zstd", "unzstd", "zstdmt"],
        "# c d D:r f h H k l M# o:w q r T# v V z stdout decompress uncompress compress force keep list memory= threads= single-thread ultra fast? long? adapt? format= quiet test t verbose check no-check progress no-progress sparse no-sparse rsyncable content-size no-content-size exclude-compressed row-match-finder no-row-match-finder asyncio no-asyncio block-size= B# patch-from=r stream-size= size-hint= target-compressed-block-size= dictID= no-dictID rm help version output-dir-flat=w output-dir-mirror=w filelist=o trace=w train!o",
        Operands::Custom(compress),
    ),
    Spec::new(
        &["lz4", "unlz4"],
        "# c d f h H k l m q r t v V z B# D=r stdout decompress compress force keep list multiple quiet test verbose best fast? long favor-decSpeed content-size sparse no-sparse no-frame-crc rm help version",
        Operands::Custom(compress),
    ),
    Spec::new(
        &["brotli", "unbrotli"],
        "# c d f h j k n q= o=w s t v w= C= D=r S= V Z stdout decompress force rm keep no-copy-stat output=w quality= squash test verbose lgwin= comment= dictionary=r suffix= best help version",
        Operands::Custom(compress),
    ),
    Spec::new(
        &["zcat", "bzcat", "xzcat", "lzcat", "gzcat", "lz4cat"],
        "f q v c d h k L l n N t V S= s force quiet verbose stdout to-stdout decompress uncompress keep list name no-name suffix= test license help version",
        Operands::Custom(|build, parsed| {
            build.each(parsed, |build, value, span| build.read_gzipped(value, false, span));
        }),
    ),
    // It is zstd, with all of its flags.
    Spec::new(&["zstdcat"], "f q v h V force quiet verbose stdout help version", Operands::Read),
    Spec::new(
        &["unzip"],
        "1 2 a b B c C D E f F h I= j K l L m M n N o O= p P= q s S t T!w u U v V W X Y x z Z ^ : $ / d=",
        Operands::Custom(unzip),
    ),
    Spec::new(&["zip"], "", Operands::Custom(zip)),
    Spec::new(&["zipinfo"], "1 2 s m l v h t T z M C x", Operands::Custom(unzip)),
    Spec::new(&["7z", "7za", "7zr", "7zz", "p7zip"], "", Operands::Custom(seven)),
    Spec::new(&["pax", "cpio"], "", Operands::Custom(copied)),
    Spec::new(&["unrar", "rar"], "", Operands::Custom(rar)),
];

/// The ending that a program gives its output, and whether it keeps what it has read.
fn ending(base: &str) -> (&'static str, bool) {
    match base {
        "bzip2" | "bunzip2" => (".bz2", false),
        "xz" | "unxz" => (".xz", false),
        "lzma" | "unlzma" => (".lzma", false),
        "compress" => (".Z", false),
        "zstd" | "unzstd" | "zstdmt" => (".zst", true),
        "lz4" | "unlz4" => (".lz4", true),
        "brotli" | "unbrotli" => (".br", true),
        _ => (".gz", false),
    }
}

fn compress(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let base = build.base();
    // Of several modes the last one counts in some of them (`xz -td`).
    let other_mode = parsed.has(&["d", "decompress", "uncompress", "z", "compress"]);
    // `lz4 -l` compresses, in an old format.
    let lists = parsed.has(&["list", "t", "test"]) || !base.contains("lz4") && parsed.has(&["l"]);
    let prints = parsed.has(&["c", "stdout", "to-stdout", "help", "version"]) || !other_mode && lists;
    let removes = parsed.has(&["rm", "j"]);
    let (end, keeps) = ending(base);
    let keeps = parsed.has(&["k", "keep"]) || keeps && !parsed.has(&["rm", "j"]);
    let named = parsed.has(&["o", "output", "output-dir-flat", "output-dir-mirror"]);
    let recursive = parsed.has(&["r", "recursive"]);
    let suffix = parsed.value(&["S", "suffix"]).and_then(super::flags::Slot::known);
    let gzip = matches!(end, ".gz" | ".Z")
        && (base.starts_with("un")
            || base == "gunzip"
            || lists
            || parsed.has(&["d", "decompress", "uncompress"]));
    build.each(parsed, |build, value, span| {
        if gzip {
            build.read_gzipped(value, recursive, span);
        } else {
            build.read(value, recursive, span);
        }
        if prints || value.known() == Some("-") {
            // Some versions remove the file behind `-c --rm`.
            if removes {
                build.delete(value, recursive, span);
            }
            return;
        }
        if recursive {
            for target in build.targets(value) {
                let below = match target {
                    PathTarget::Path(path) => PathTarget::Below(path),
                    _ => PathTarget::Unknown,
                };
                build.push(EffectKind::Write(below), span);
            }
        }
        match value.known() {
            _ if named => {}
            Some(text) => {
                let stem = [".gz", ".bz2", ".xz", ".zst", ".lzma", ".Z", ".lz4", ".br", ".tgz", ".z"]
                    .iter()
                    .copied()
                    .chain(suffix)
                    .find_map(|suffix| text.strip_suffix(suffix));
                let other = stem.map_or_else(|| format!("{text}{}", suffix.unwrap_or(end)), str::to_owned);
                build.write(&Value::Known(other.into()), span);
            }
            None => build.push(EffectKind::Write(PathTarget::Unknown), span),
        }
        if !keeps {
            build.delete(value, recursive, span);
        }
    });
}

/// Everything below the working directory, or below `directory`.
fn extracted(build: &mut Build<'_>, directory: Option<&Value>) {
    let span = build.span_of(0);
    if let Some(directory) = directory {
        build.change_directory(directory);
    }
    for target in build.targets(&Value::Known(".".into())) {
        let below = match target {
            PathTarget::Path(path) => PathTarget::Below(path.trim_end_matches("/.").to_owned()),
            _ => PathTarget::Unknown,
        };
        build.push(EffectKind::Write(below), span);
    }
    build.effect(EffectKind::Opaque("members of an archive may have any name".into()));
}

fn unzip(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // Behind `--` an option takes the same one back (unzip(1), `-p -- -p` extracts).
    if let Some(at) = parsed.dashes {
        let span = build.span_of(at);
        build.opaque(span, "`--` negates options here");
    }
    let Some(archive) = build.operand(parsed, 0) else { return };
    build.read_matching(&archive.value, false, archive.span);
    // The upper case only where the name has neither: `a.zip.ZIP` is nobody's.
    for ending in [".zip", ".ZIP"] {
        let other = |text: &&str| !text.ends_with(".zip") && !text.ends_with(ending);
        if let Some(text) = archive.value.known().filter(other) {
            build.read_matching(&Value::Known(format!("{text}{ending}").into()), false, archive.span);
        }
    }
    if build.base() != "zipinfo" && !parsed.has(&["l", "v", "t", "Z", "p", "c", "z", "h"]) {
        if parsed.has(&[":"]) {
            build.effect(EffectKind::Write(PathTarget::Unknown));
        }
        let directory = parsed.value(&["d"]).map(super::flags::Slot::value);
        extracted(build, directory.as_ref());
    }
}

/// Whether an option of zip moves, logs and runs nothing: letters that mean that in any order, and names.
fn keeps(text: &str) -> bool {
    const LETTERS: &str = "0123456789DFXcdefghjkloqruvyz";
    const NAMES: &[&str] = &[
        "-@",
        "-A",
        "-FF",
        "-FS",
        "-J",
        "-L",
        "-MM",
        "-O",
        "-P",
        "-R",
        "-T",
        "-U",
        "-Z",
        "-b",
        "-db",
        "-dc",
        "-dd",
        "-dg",
        "-ds",
        "-du",
        "-dv",
        "-fd",
        "-fz",
        "-h2",
        "-i",
        "-lf",
        "-ll",
        "-mm",
        "-n",
        "-nw",
        "-s",
        "-sc",
        "-sd",
        "-sf",
        "-so",
        "-sp",
        "-sv",
        "-t",
        "-tt",
        "-ws",
        "-x",
        "--exclude",
        "--include",
        "--out",
        "--output-file",
        "--logfile-path",
        "--temp-path",
        "--quiet",
        "--recurse-paths",
        "--junk-paths",
        "--symlinks",
        "--test",
        "--help",
        "--version",
        "--update",
        "--freshen",
        "--filesync",
        "--delete",
        "--no-extra",
        "--no-dir-entries",
        "--verbose",
    ];
    let letters = text.strip_prefix('-').is_some_and(|rest| rest.chars().all(|char| LETTERS.contains(char)));
    // `l` and `f` beside one another may be a log, `d` with a letter behind it dots.
    letters && !text.contains("lf") && !text.contains("df") || NAMES.contains(&text)
}

/// zip's options bundle in ways of their own: what is not an option is an archive, then files. `-x` and `-i` take
/// names up to the next option, which are read here as well.
fn zip(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    let mut archive = false;
    let mut skip = false;
    let flags = words.iter().skip(1).filter_map(|word| word.value.known());
    let mut flags = flags.filter(|text| text.starts_with('-') && text.len() > 1);
    let moves = flags.any(|text| !keeps(text));
    for (index, word) in words.iter().enumerate().skip(1) {
        if std::mem::take(&mut skip) {
            continue;
        }
        match word.value.known() {
            Some(text) if text.starts_with('-') && text.len() > 1 => {
                let next = words.get(index + 1);
                match text {
                    "-O" | "--out" | "--output-file" | "-lf" | "--logfile-path" | "-b" | "--temp-path" => {
                        if let Some(file) = next {
                            build.write(&file.value, file.span);
                        }
                        skip = true;
                    }
                    "-P" | "-n" | "-t" | "-tt" | "-s" | "-sp" | "-Z" | "-ds" => skip = true,
                    "-@" => {
                        build
                            .push(EffectKind::Read { path: PathTarget::Unknown, recursive: true }, word.span);
                    }
                    text if keeps(text) || text == "--move" => {}
                    text if !text.starts_with("--") && keeps(&text.replacen('m', "", 1)) => {}
                    // Options may be cut, glued to their values and to one another (zip(1)): it may test by a program
                    // of its own, and write a log.
                    text => {
                        build.hazard(index);
                        build.hazard(index + 1);
                        if text.contains("TT") || text.starts_with("--u") {
                            build.push(EffectKind::Execute(Value::Unknown), word.span);
                        }
                        build.push(EffectKind::Write(PathTarget::Unknown), word.span);
                        build.opaque(word.span, format!("`{text}` is an option that is not known"));
                    }
                }
            }
            _ if !archive => {
                archive = true;
                if word.value.known() != Some("-") {
                    build.write(&word.value, word.span);
                }
                if let Some(text) = word.value.known().filter(|text| !text.ends_with(".zip") && *text != "-")
                {
                    build.write(&Value::Known(format!("{text}.zip").into()), word.span);
                }
            }
            _ => {
                build.read(&word.value, true, word.span);
                if moves {
                    build.delete(&word.value, true, word.span);
                }
            }
        }
    }
    if !archive {
        build.opaque(build.span_of(0), "no archive is named");
    }
}

/// pax and cpio, as far as they give files second names: `pax -rwl FILE... DIR`, `cpio -pl DIR` with the names on
/// standard input (pax(1), cpio(1)). They are opaque whatever they do.
fn copied(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let span = build.span_of(0);
    build.opaque(span, "an archive or a copy of what it is told");
    let words = build.words;
    let mut links = false;
    let mut operands = Vec::new();
    for word in words.iter().skip(1) {
        match word.value.known() {
            Some(text) if text.starts_with("--") => {
                links |= text.len() > 2 && "--link".starts_with(text);
            }
            Some(text) if text.starts_with('-') && text.len() > 1 => links |= text.contains('l'),
            Some(_) => operands.push(word),
            None => {
                links = true;
                operands.push(word);
            }
        }
    }
    let letters = |wanted: char| {
        words.iter().skip(1).filter_map(|word| word.value.known()).any(|text| match text.strip_prefix("--") {
            Some(long) => {
                matches!((wanted, long), ('i', "extract") | ('o', "create") | ('p', "pass-through"))
            }
            None => text.starts_with('-') && text.contains(wanted),
        })
    };
    let here = Value::Known(Text::from_static("."));
    let (packs, unpacks) = if build.base() == "pax" {
        (letters('w') && (!letters('r') || operands.len() < 2), letters('r') && !letters('w'))
    } else {
        (letters('o') || letters('p'), letters('i'))
    };
    // The names come on the standard input, or are those of the members.
    if packs {
        build.read(&here, true, span);
        for word in operands.iter().copied() {
            build.read(&word.value, true, word.span);
        }
    }
    if unpacks {
        build.write_below(&here, span);
    }
    let named = build.base() == "pax" && operands.len() > 1;
    let (target, sources) = match operands.split_last() {
        Some((target, sources)) if named => (Some(target), sources),
        _ => (operands.last(), &[][..]),
    };
    for word in sources {
        build.read(&word.value, true, word.span);
        if links {
            super::copies::links(build, &word.value, true, word.span);
        }
    }
    if links && !named {
        build.effect(EffectKind::ChangeMetadata(PathTarget::Unknown));
    }
    if let Some(word) = target {
        build.write_below(&word.value, word.span);
    }
}

/// `7z VERB ARCHIVE FILE...`: options begin with `-` and are glued to their values.
fn seven(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    let verb = build.word(1).unwrap_or_default();
    let mut names = Vec::new();
    let mut directory = None;
    let recursive = words.iter().any(|word| word.value.known() == Some("-r"));
    for (index, word) in words.iter().enumerate().skip(2) {
        match word.value.known() {
            Some(text) if text.starts_with("-o") => {
                directory = text.get(2..).map(|text| Value::Known(text.into()));
            }
            Some("-slt" | "-ba" | "-y" | "-r" | "-bd" | "-aoa" | "-aos" | "-aou") => {}
            Some(text) if text.starts_with("-p") || text.starts_with("-t") || text.starts_with("-bb") => {}
            Some(text) if text.starts_with(['-', '@']) => {
                build.hazard(index);
                build.opaque(word.span, format!("`{text}` is an option that is not known"));
            }
            Some(_) => names.push(word),
            None => {
                build.opaque(word.span, "a word that may be an option");
                names.push(word);
            }
        }
    }
    match verb {
        "l" | "t" | "i" => {
            for word in names {
                build.read_matching(&word.value, recursive, word.span);
            }
        }
        "x" | "e" => {
            if let Some(word) = names.first() {
                build.read_matching(&word.value, recursive, word.span);
            }
            extracted(build, directory.as_ref());
        }
        _ => {
            let mut names = names.into_iter();
            if let Some(word) = names.next() {
                build.write(&word.value, word.span);
            }
            for word in names {
                build.read_matching(&word.value, true, word.span);
            }
            if !matches!(verb, "a" | "u") {
                build.opaque(build.span_of(1), "a command of 7z that is not known");
            }
        }
    }
}

fn rar(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    let flags =
        words.iter().skip(2).any(|word| word.value.known().is_none_or(|text| text.starts_with(['-', '@'])));
    if let Some(word) = words.get(2) {
        build.read_matching(&word.value, false, word.span);
    }
    if flags || !matches!(build.word(1), Some("l" | "lb" | "lt" | "v" | "vb" | "vt" | "t")) {
        build.opaque(build.span_of(1), "it extracts or changes an archive");
        extracted(build, None);
    }
}
