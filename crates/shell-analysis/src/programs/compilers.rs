//! Compilers and linkers (GCC manual 3). A compiler runs no code of the
//! project, but its sources may include any file, and some flags load plugins or put another program in its place.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, Value};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["gcc", "g++", "cc", "c++", "clang", "clang++", "cpp", "gfortran", "emcc", "em++"],
        "",
        Operands::Custom(compile),
    ),
    Spec::new(
        &["ld", "lld", "ld.lld", "gold", "mold", "as", "nasm", "yasm", "nvcc"],
        "",
        Operands::Custom(link),
    ),
    Spec::new(
        &["objcopy"],
        "I= input-target= O= output-target= B= F= target= p preserve-dates D U j= only-section= R= remove-section= S strip-all g strip-debug strip-unneeded only-keep-debug N= K= \
         strip-symbol= keep-symbol= w wildcard x X add-gnu-debuglink=r add-section=r update-section=r dump-section=w rename-section= set-section-flags= redefine-sym= redefine-syms=r \
         prefix-symbols= gap-fill= pad-to= compress-debug-sections? decompress-debug-sections v verbose V version h help",
        Operands::Custom(objcopy),
    ),
    Spec::new(
        &["clang-format"],
        "i style= Werror n dry-run assume-filename= cursor= dump-config fallback-style= ferror-limit= files=r length= lines= offset= output-replacements-xml qualifier-alignment= sort-includes verbose version help",
        Operands::Custom(format),
    ),
    Spec::new(
        &["clang-tidy", "cppcheck", "cpplint", "scan-build", "bear", "ccache", "sccache", "distcc"],
        "",
        Operands::Custom(checks),
    ),
];

/// `@FILE` holds more arguments.
pub(super) fn no_response_files(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let words = build.words;
    for word in parsed.operands.iter().filter_map(|index| words.get(*index)) {
        let plain = match &word.value {
            Value::Known(text) => !text.starts_with('@'),
            Value::OneOf(texts) => texts.iter().all(|text| !text.starts_with('@')),
            Value::Glob(glob) => !glob.prefix.is_empty() && !glob.prefix.starts_with('@'),
            Value::PathBelow(_) | Value::Unknown => false,
        };
        if !plain {
            build.opaque(word.span, "a word that may name a file of arguments");
        }
    }
}

/// In place, unless another file is named for the result.
fn objcopy(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    no_response_files(build, parsed);
    let Some(source) = build.operand(parsed, 0) else { return };
    build.read(&source.value, false, source.span);
    let target = build.operand(parsed, 1).unwrap_or(source);
    build.write(&target.value, target.span);
}

/// Flags of a compiler that change what is built and nothing else, by their beginning.
const HARMLESS: &[&str] = &[
    "-W",
    "-O",
    "-g",
    "-std=",
    "-m",
    "-D",
    "-U",
    "-l",
    "-ansi",
    "-pedantic",
    "-pthread",
    "-shared",
    "-static",
    "-pipe",
    "-w",
    "-c",
    "-S",
    "-E",
    "-M",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fno-",
    "-fsanitize=",
    "-fsyntax-only",
    "-fstack",
    "-fvisibility",
    "-fopenmp",
    "-flto",
    "-fexceptions",
    "-frtti",
    "-fcolor",
    "-fdiagnostics-color",
    "-ffunction-sections",
    "-fdata-sections",
    "-fomit-frame-pointer",
    "-ffast-math",
    "-fwrapv",
    "-fshort-enums",
    "-nostdlib",
    "-nostdinc",
    "-nodefaultlibs",
    "-no-pie",
    "-pie",
    "-rdynamic",
    "-s",
    "-v",
    "-P",
    "--coverage",
    "-###",
    "-stdlib=",
    "-target",
    "--target=",
    "-arch",
];
/// Flags that run or load something else, or hold more flags.
const HARMFUL: &[&str] = &[
    "-fplugin",
    "-wrapper",
    "-B",
    "-specs",
    "--specs",
    "-Xlinker",
    "-Xclang",
    "-Xpreprocessor",
    "-Xassembler",
    "-Wl,",
    "-Wa,",
    "-Wp,",
    "-fuse-ld",
    "-load",
    "@",
    "-fprofile",
    "-save-temps",
    "--config",
    "-fdump",
    "-dump",
    "-ccc",
    "-no-canonical",
    "--sysroot",
    "-isysroot",
    "-fpass-plugin",
];

fn compile(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    const REPORTING: &[&str] = &[
        "--version",
        "--help",
        "-dumpversion",
        "-dumpmachine",
        "-dumpfullversion",
        "-v",
        "-print-search-dirs",
        "-print-libgcc-file-name",
        "-print-multiarch",
    ];
    if build.words.len() == 2 && build.word(1).is_some_and(|flag| REPORTING.contains(&flag)) {
        return;
    }
    let mut named = false;
    let mut index = 1;
    while let Some(word) = build.words.get(index) {
        let here = index;
        index += 1;
        let Some(text) = word.value.known() else {
            build.opaque(word.span, "a word that may be an option");
            // What another program appends are its own sources.
            if !build.is_appended(here) {
                build.read(&Value::Unknown, false, word.span);
            }
            continue;
        };
        if HARMFUL.iter().any(|flag| text.starts_with(flag)) {
            build.hazard(here);
            build.opaque(word.span, format!("`{text}` brings in programs or flags of its own"));
        } else if let Some(rest) = ["-o", "-MF", "-MJ"].iter().find_map(|flag| text.strip_prefix(flag)) {
            named |= text.starts_with("-o");
            let output = if rest.is_empty() {
                index += 1;
                build.words.get(here + 1).map_or(Value::Unknown, |word| word.value.clone())
            } else {
                Value::Known(rest.into())
            };
            build.write(&output, word.span);
        } else if let Some(rest) = ["-include=", "-include", "-imacros", "--include=", "--imacros="]
            .iter()
            .find_map(|flag| text.strip_prefix(flag))
        {
            let file = if rest.is_empty() {
                index += 1;
                build.words.get(here + 1).map_or(Value::Unknown, |word| word.value.clone())
            } else {
                Value::Known(rest.into())
            };
            build.read(&file, false, word.span);
        } else if let Some(rest) = [
            "-I",
            "-L",
            "-isystem",
            "-iquote",
            "-idirafter",
            "-x",
            "-MT",
            "-MQ",
            "-D",
            "-U",
            "-l",
            "-arch",
            "-target",
        ]
        .iter()
        .find_map(|flag| text.strip_prefix(flag))
        {
            if rest.is_empty() {
                index += 1;
            }
        } else if text.starts_with('-') && text.len() > 1 {
            if !HARMLESS.iter().any(|flag| text.starts_with(flag)) {
                build.opaque(word.span, format!("`{text}` is an option that is not known"));
            }
        } else {
            build.read(&word.value, false, word.span);
        }
    }
    let prints = (1..build.words.len())
        .any(|index| matches!(build.word(index), Some("-E" | "-fsyntax-only" | "-M" | "-MM" | "-###")));
    if !named && !prints {
        let span = build.span_of(0);
        build.write(&Value::Known("a.out".into()), span);
        build.write(
            &Value::Glob(
                crate::GlobPattern {
                    pattern: crate::Text::from_static("*.[ods]"),
                    prefix: crate::Text::default(),
                }
                .into(),
            ),
            span,
        );
    }
    build.effect(EffectKind::Opaque("sources may include any file".into()));
}

fn link(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    if build.words.len() == 2
        && matches!(build.word(1), Some("--version" | "-v" | "--help" | "-V" | "-version"))
    {
        return;
    }
    let target = (1..build.words.len())
        .find(|index| build.word(*index) == Some("-o"))
        .and_then(|index| build.words.get(index + 1));
    match target {
        Some(word) => build.write(&word.value, word.span),
        None => build.write(&Value::Known("a.out".into()), build.span_of(0)),
    }
    build.opaque(build.span_of(0), "its flags may load plugins and scripts");
}

/// `-i` changes the files in place; the style is read from the directories above.
fn format(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    for word in words.iter().skip(1).filter_map(|word| word.value.known()) {
        // One dash or two, and no clusters (LLVM's command line library).
        let flag = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        let known = [
            "i",
            "style",
            "Werror",
            "n",
            "dry-run",
            "assume-filename",
            "cursor",
            "dump-config",
            "fallback-style",
            "ferror-limit",
            "length",
            "lines",
            "offset",
            "output-replacements-xml",
            "sort-includes",
            "verbose",
            "version",
            "help",
        ];
        if let Some(flag) = flag.filter(|flag| !flag.is_empty())
            && !known.contains(&flag.split('=').next().unwrap_or(flag))
        {
            build.opaque(build.span_of(0), format!("`{word}` is an option that is not known"));
        }
        // `--style=file:PATH`.
        if let Some((_, file)) = word.split_once("file:") {
            build.read(&Value::Known(file.into()), false, build.span_of(0));
        }
    }
    for index in &parsed.unknown {
        build.opaque(build.span_of(index.0), "an option that is not known");
    }
    build.operands(Operands::Read, parsed);
    let dry = words.iter().any(|word| matches!(word.value.known(), Some("-n" | "--dry-run" | "-dry-run")));
    if words.iter().any(|word| matches!(word.value.known(), Some("-i" | "--i"))) && !dry {
        build.operands(Operands::Write, parsed);
    }
}

fn checks(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    if build.words.len() == 2 && matches!(build.word(1), Some("--version" | "--help" | "-h" | "-V")) {
        return;
    }
    build.opaque(build.span_of(0), "its flags and configuration may load plugins and run programs");
    build.effect(EffectKind::Execute(Value::Unknown));
}
