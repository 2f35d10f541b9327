//! Compilers and tools for object files (GCC manual 3; GNU Binary Utilities manual). A compiler runs no code of the
//! project, but its sources may include any file, and some flags load plugins or put another program in its place.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
    subcommands::{Does, Program, REPORTS, verb},
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
        &["nm"],
        "a debug-syms A print-file-name B C? demangle? no-demangle D dynamic f= format= g extern-only j just-symbols l line-numbers n numeric-sort o p no-sort P portability r \
         reverse-sort plugin=x S print-size s print-armap quiet size-sort special-syms synthetic t= radix= target= u undefined-only U defined-only unicode= W no-weak \
         with-symbol-versions h help V version",
        Operands::Custom(objects),
    ),
    Spec::new(
        &["objdump"],
        "a archive-headers f file-headers p private-headers P= private= h x all-headers d disassemble D disassemble-all disassemble= S!o source!o source-comment?o s full-contents g \
         debugging e G stabs W= dwarf= L process-links ctf? t syms T dynamic-syms r reloc R dynamic-reloc v version i info H help b= target= m= architecture= j= section= M= \
         disassembler-options= EB EL I=R include=R l line-numbers F file-offsets C? demangle? w wide U= unicode= z disassemble-zeroes start-address= stop-address= no-addresses \
         prefix-addresses insn-width= adjust-vma= special-syms inlines no-show-raw-insn show-raw-insn visualize-jumps? disassembler-color= dwarf-depth= dwarf-start=",
        Operands::Custom(objects),
    ),
    Spec::new(
        &["readelf"],
        "a all h file-header l program-headers segments S section-headers sections g section-groups t section-details e headers s syms symbols dyn-syms lto-syms C? demangle? U= \
         unicode= n notes r relocs u unwind d dynamic V version-info A arch-specific c archive-index D use-dynamic L lint x= hex-dump= p= string-dump= R= relocated-dump= z \
         decompress w? debug-dump? P process-links dwarf-depth= dwarf-start= ctf= I histogram W wide T H help v version",
        Operands::Custom(objects),
    ),
    Spec::new(
        &["size"],
        "A B G o d x t f common format= radix= target= totals help version V h",
        Operands::Custom(objects),
    ),
    Spec::new(
        &["addr2line"],
        "a addresses b= target= e=r exe=r i inlines j= section= p pretty-print s basenames f functions C? demangle? h H help v V version",
        Operands::Text,
    ),
    Spec::new(
        &["c++filt"],
        "_ n i p t s= format= no-verbose no-params types strip-underscore no-strip-underscore help version",
        Operands::Text,
    ),
    Spec::new(
        &["strip"],
        "I= O= F= input-target= output-target= target= p preserve-dates D U R= remove-section= s strip-all g S d strip-debug strip-dwo strip-unneeded only-keep-debug M \
         no-merge-notes N= strip-symbol= keep-section= K= keep-symbol= keep-file-symbols w wildcard x discard-all X discard-locals v verbose V version h help info o=p",
        Operands::Custom(strip),
    ),
    Spec::new(
        &["objcopy"],
        "I= input-target= O= output-target= B= F= target= p preserve-dates D U j= only-section= R= remove-section= S strip-all g strip-debug strip-unneeded only-keep-debug N= K= \
         strip-symbol= keep-symbol= w wildcard x X add-gnu-debuglink=r add-section= update-section= dump-section=w rename-section= set-section-flags= redefine-sym= redefine-syms=r \
         prefix-symbols= gap-fill= pad-to= compress-debug-sections? decompress-debug-sections v verbose V version h help",
        Operands::Custom(strip),
    ),
    Spec::new(&["ar", "ranlib"], "", Operands::Custom(archive)),
    Spec::verbs(&["ldd"], &LDD),
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

/// The loader of the program itself may be what runs (ldd's manual, "security").
static LDD: Program = Program::new(
    "v verbose u unused d data-relocs r function-relocs help",
    &[verb("", "version", Operands::None, REPORTS), verb("*", "", Operands::Read, &[Does::ExecuteFirst])],
);

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
            build.opaque(word.span, "a word that may name a file of arguments".to_owned());
        }
    }
}

fn objects(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    no_response_files(build, parsed);
    if parsed.operands.is_empty() && !parsed.has(&["help", "version", "V", "v", "H", "info"]) {
        build.read(&Value::Known("a.out".into()), false, build.span_of(0));
    }
    build.operands(Operands::Read, parsed);
}

/// In place, unless another file is named for the result.
fn strip(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    no_response_files(build, parsed);
    build.operands(Operands::Read, parsed);
    let copies = build.word(0).is_some_and(|name| name.ends_with("objcopy")) && parsed.operands.len() > 1;
    if copies {
        if let Some(target) = build.operand(parsed, 1) {
            build.write(&target.value, target.span);
        }
    } else if !parsed.has(&["o"]) {
        build.operands(Operands::Write, parsed);
    }
}

/// `ar t lib.a` lists, `p` prints; the rest writes (GNU Binary Utilities manual, 1).
fn archive(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    if build.words.len() == 2 && matches!(build.word(1), Some("--version" | "-V" | "--help" | "-h")) {
        return;
    }
    let operation = build.word(1).unwrap_or_default().trim_start_matches('-');
    let ranlib = build.word(0).is_some_and(|name| name.ends_with("ranlib"));
    let shows = !ranlib
        && operation.starts_with(['t', 'p'])
        && operation.bytes().all(|byte| b"tpvOfPV".contains(&byte));
    let known = build.words.iter().all(|word| {
        word.value.known().is_some_and(|text| !text.starts_with(['@']) && !text.starts_with("--"))
    });
    let first = if ranlib { 1 } else { 2 };
    let Some(library) = build.words.get(first) else {
        build.opaque(build.span_of(0), "what it works on is not known".to_owned());
        return;
    };
    if !known {
        build.opaque(library.span, "a word that is not known".to_owned());
    }
    build.read(&library.value, false, library.span);
    if shows {
        return;
    }
    if operation.starts_with('x') {
        build.push(EffectKind::Write(crate::PathTarget::Unknown), library.span);
        return;
    }
    build.write(&library.value, library.span);
    for index in first + 1..build.words.len() {
        if let Some(word) = build.words.get(index) {
            build.read(&word.value, false, word.span);
        }
    }
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
            build.opaque(word.span, "a word that may be an option".to_owned());
            continue;
        };
        if HARMFUL.iter().any(|flag| text.starts_with(flag)) {
            build.hazard(here);
            build.opaque(word.span, format!("`{text}` brings in programs or flags of its own"));
        } else if let Some(rest) = text.strip_prefix("-o").or_else(|| text.strip_prefix("-MF")) {
            named |= text.starts_with("-o");
            let output = if rest.is_empty() {
                index += 1;
                build.words.get(here + 1).map_or(Value::Unknown, |word| word.value.clone())
            } else {
                Value::Known(rest.into())
            };
            build.write(&output, word.span);
        } else if let Some(rest) = [
            "-I",
            "-L",
            "-isystem",
            "-iquote",
            "-include",
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
            &Value::Glob(crate::GlobPattern { pattern: "*.[ods]".to_owned(), prefix: String::new() }),
            span,
        );
    }
    build.effect(EffectKind::Opaque("sources may include any file".to_owned()));
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
    build.opaque(build.span_of(0), "its flags may load plugins and scripts".to_owned());
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
    }
    for index in &parsed.unknown {
        build.opaque(build.span_of(index.0), "an option that is not known".to_owned());
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
    build
        .opaque(build.span_of(0), "its flags and configuration may load plugins and run programs".to_owned());
    build.effect(EffectKind::Execute(Value::Unknown));
}
