//! Tools for object files (GNU Binary Utilities manual).

use super::{
    Build,
    compilers::no_response_files,
    spec::{Operands, Parsed, Spec},
    subcommands::{Does, Program, REPORTS, verb},
};
use crate::{EffectKind, Value};

pub(super) const SPECS: &[Spec] = &[
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
        Operands::Custom(no_response_files),
    ),
    Spec::new(
        &["c++filt"],
        "_ n i p t s= format= no-verbose no-params types strip-underscore no-strip-underscore help version",
        Operands::Custom(no_response_files),
    ),
    Spec::new(
        &["strip"],
        "I= O= F= input-target= output-target= target= p preserve-dates D U R= remove-section= s strip-all g S d strip-debug strip-dwo strip-unneeded only-keep-debug M \
         no-merge-notes N= strip-symbol= keep-section= K= keep-symbol= keep-file-symbols w wildcard x discard-all X discard-locals v verbose V version h help info o=p",
        Operands::Custom(strip),
    ),
    Spec::new(&["ar", "ranlib"], "", Operands::Custom(archive)),
    Spec::verbs(&["ldd"], &LDD),
];

/// The loader of the program itself may be what runs (ldd's manual, "security").
static LDD: Program = Program::new(
    "v verbose u unused d data-relocs r function-relocs help",
    &[verb("", "version", Operands::None, REPORTS), verb("*", "", Operands::Read, &[Does::ExecuteFirst])],
);

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
    if !parsed.has(&["o"]) {
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
    // Options may stand behind the operation, and be operations of their own (`ar t -s`).
    let known = build.words.iter().enumerate().all(|(index, word)| {
        word.value.known().is_some_and(|text| {
            !text.starts_with('@') && (index < 2 || !text.starts_with('-')) && !text.starts_with("--")
        })
    });
    let first = if ranlib { 1 } else { 2 };
    let Some(library) = build.words.get(first) else {
        build.opaque(build.span_of(0), "what it works on is not known");
        return;
    };
    if !known {
        build.opaque(library.span, "a word that is not known");
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
