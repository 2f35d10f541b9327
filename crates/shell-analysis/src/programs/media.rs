//! Readers of images, recordings and documents.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::EffectKind;

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["exiftool"], "", Operands::Custom(exiftool)),
    Spec::new(&["pdftotext"], "", Operands::Custom(pdf_text)),
    Spec::new(&["pdfinfo", "pdffonts"], "", Operands::Custom(single_dash)),
    Spec::new(&["ffprobe", "mediainfo", "soxi"], "", Operands::Custom(media)),
];

/// exiftool writes tags with `=`, runs code with `-p`, `-if` and `-userParam`, and takes options from files; printing
/// needs only names of tags and these.
fn exiftool(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    const PLAIN: &[&str] = &[
        "-a", "-b", "-e", "-f", "-g", "-g1", "-G", "-G1", "-j", "-json", "-csv", "-l", "-n", "-q", "-r",
        "-s", "-s2", "-s3", "-S", "-t", "-T", "-u", "-U", "-v", "-ver", "-x", "-X", "-all", "-fast",
        "-fast2", "-c", "-d",
    ];
    const TAGS: &[&str] = &[
        "-Make",
        "-Model",
        "-DateTimeOriginal",
        "-CreateDate",
        "-ModifyDate",
        "-FileModifyDate",
        "-FileName",
        "-FileSize",
        "-FileType",
        "-MIMEType",
        "-ImageSize",
        "-ImageWidth",
        "-ImageHeight",
        "-Orientation",
        "-GPSLatitude",
        "-GPSLongitude",
        "-GPSPosition",
        "-gps:all",
        "-exif:all",
        "-xmp:all",
        "-iptc:all",
        "-Software",
        "-Artist",
        "-Copyright",
        "-Title",
        "-Author",
        "-Subject",
        "-Keywords",
        "-Comment",
        "-Description",
        "-Duration",
        "-Producer",
        "-Creator",
        "-PageCount",
        "-ColorSpace",
        "-LensModel",
        "-ISO",
        "-FNumber",
        "-ExposureTime",
        "-FocalLength",
        "-common",
    ];
    build.restart();
    let words = build.words;
    let mut index = 1;
    while let Some(word) = words.get(index) {
        index += 1;
        match word.value.known() {
            // Old versions open a pipe (CVE-2022-23935).
            Some(text) if text.contains('|') => {
                build.hazard(index - 1);
                build.opaque(word.span, "a name that may be a command");
            }
            Some(text) if text.starts_with('-') => {
                if matches!(text, "-c" | "-d" | "-x") {
                    index += 1;
                } else if !(PLAIN.contains(&text) || TAGS.contains(&text)) {
                    build.hazard(index - 1);
                    build.opaque(word.span, format!("`{text}` may write or run something"));
                }
            }
            Some(_) => build.read(&word.value, true, word.span),
            None => {
                build.opaque(word.span, "a word that may be an option");
                build.read(&word.value, true, word.span);
            }
        }
    }
}

/// `pdftotext IN [OUT]` writes beside its input unless the output is `-`.
fn pdf_text(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    const VALUE: &[&str] =
        &["-f", "-l", "-r", "-x", "-y", "-W", "-H", "-fixed", "-colspacing", "-enc", "-eol", "-opw", "-upw"];
    const PLAIN: &[&str] = &[
        "-layout",
        "-raw",
        "-nodiag",
        "-htmlmeta",
        "-tsv",
        "-bbox",
        "-bbox-layout",
        "-cropbox",
        "-nopgbrk",
        "-q",
        "-listenc",
        "-v",
        "-h",
        "-help",
        "--help",
    ];
    build.restart();
    let operands = dashed(build, PLAIN, VALUE);
    let words = build.words;
    let Some(input) = operands.first().and_then(|index| words.get(*index)) else { return };
    build.read(&input.value, false, input.span);
    match operands.get(1).and_then(|index| words.get(*index)) {
        Some(output) if output.value.known() == Some("-") => {}
        Some(output) => build.write(&output.value, output.span),
        None => match input.value.known().and_then(|text| text.strip_suffix(".pdf")) {
            Some(stem) => build.write(&crate::Value::Known(format!("{stem}.txt").into()), input.span),
            None => build.push(EffectKind::Write(crate::PathTarget::Unknown), input.span),
        },
    }
}

fn single_dash(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    const VALUE: &[&str] = &["-f", "-l", "-enc", "-opw", "-upw"];
    const PLAIN: &[&str] = &[
        "-box",
        "-meta",
        "-custom",
        "-js",
        "-struct",
        "-struct-text",
        "-url",
        "-isodates",
        "-rawdates",
        "-dests",
        "-subst",
        "-loc",
        "-v",
        "-h",
        "-help",
        "--help",
    ];
    build.restart();
    let operands = dashed(build, PLAIN, VALUE);
    let words = build.words;
    for word in operands.iter().filter_map(|index| words.get(*index)) {
        build.read(&word.value, false, word.span);
    }
}

/// Operands behind options of one dash; what is not listed is opaque.
fn dashed(build: &mut Build<'_>, plain: &[&str], value: &[&str]) -> Vec<usize> {
    let words = build.words;
    let mut operands = Vec::new();
    let mut index = 1;
    while let Some(word) = words.get(index) {
        let here = index;
        index += 1;
        match word.value.known() {
            Some("-") => operands.push(here),
            Some(text) if value.contains(&text) => index += 1,
            Some(text) if plain.contains(&text) => {}
            Some(text) if text.starts_with('-') => {
                build.hazard(here);
                build.opaque(word.span, format!("`{text}` is an option that is not known"));
            }
            Some(_) => operands.push(here),
            None => {
                build.opaque(word.span, "a word that may be an option");
                operands.push(here);
            }
        }
    }
    operands
}

/// A file's name may be an address or a filter graph, so that only plain names count.
fn media(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    const VALUE: &[&str] = &[
        "-v",
        "-loglevel",
        "-show_entries",
        "-select_streams",
        "-of",
        "-print_format",
        "-output_format",
        "-i",
    ];
    const PLAIN: &[&str] = &[
        "-hide_banner",
        "-show_format",
        "-show_streams",
        "-show_frames",
        "-show_packets",
        "-show_chapters",
        "-show_programs",
        "-show_error",
        "-count_frames",
        "-count_packets",
        "-pretty",
        "-unit",
        "-sexagesimal",
        "-version",
        "-ping",
        "-verbose",
        "--help",
        "--version",
        "-h",
        "-quiet",
    ];
    build.restart();
    let words = build.words;
    let input = words.iter().position(|word| word.value.known() == Some("-i")).map(|at| at + 1);
    let mut operands = dashed(build, PLAIN, VALUE);
    operands.extend(input.filter(|at| *at < words.len()));
    for word in operands.iter().filter_map(|index| words.get(*index)) {
        let plain = word.value.known().is_none_or(|text| !text.contains([':', '|', '[', '@']));
        if plain {
            build.read(&word.value, false, word.span);
        } else {
            build.opaque(word.span, "a name that may be an address or a program");
        }
    }
}
