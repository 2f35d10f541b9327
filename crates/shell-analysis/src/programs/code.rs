//! Interpreters: what they run is code that this analysis does not read, but rules may look at its words.

use super::{
    Build,
    flags::Slot,
    project_overrides::{self, Tool},
    python, python_library,
    spec::{Operands, Parsed, Spec},
    subcommands,
};
use crate::{Directories, EffectKind, PathTarget, Value};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["python", "python3", "python2", "pypy", "pypy3"], "c= m= b B d E i I O q s S u v V W= X= x version help h", Operands::Custom(run)).stops(),
    Spec::new(&["perl"], "e= E= n p i? l# a F= w W t T c v M= m= I= 0# s S x? d? D? C? u U V? h f g", Operands::Custom(run)).stops(),
    Spec::new(&["ruby"], "e= n p i? l a F= w W# c v r= I= 0# s S x? d h K= T# U y C= version help verbose yjit jit", Operands::Custom(run)).stops(),
    Spec::new(&["node", "nodejs"], "e= p= eval= print= r= require= i c v h m version help check interactive import= loader= input-type= inspect? no-warnings", Operands::Custom(run)).stops(),
    Spec::new(&["php"], "r= R= B= E= f= i l m n s v w z= c= d= a h version", Operands::Custom(run)).stops(),
    Spec::new(&["lua", "luajit", "Rscript", "osascript", "tclsh", "guile", "julia"], "e= l= i v E W version help", Operands::Custom(run)).stops(),
    Spec::new(&["expect"], "c= f= b d D= i n N v", Operands::Custom(run)).stops(),
    Spec::new(&["pwsh", "powershell", "cmd"], "c= C= Command= NoProfile", Operands::Custom(run)).stops(),
];

fn run(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let base = build.base();
    // Shims of version managers obey the project: only the interpreters that have none commonly.
    let shimmed = matches!(base, "node" | "nodejs");
    if base.starts_with("python") && module(build, parsed) {
        return;
    }
    let alone = build.word(1).filter(|_| build.words.len() == 2);
    if alone.is_some_and(|option| version_options(base).contains(&option)) {
        build.restart();
        if shimmed {
            project_overrides::project_code(build, Tool::Node);
        }
        return;
    }
    for flag in &parsed.flags {
        if matches!(
            flag.name,
            "c" | "e" | "E" | "r" | "R" | "B" | "eval" | "print" | "p" | "m" | "M" | "require" | "import"
        ) {
            if let Some(code) = flag.value.and_then(Slot::known)
                && flag.name != "m"
            {
                build.code.push(code.to_owned());
            }
            if flag.value.is_some() {
                // The flag has to stand in an allow rule; the code behind it is there for a person to see.
                build.hazard(flag.word);
            }
        }
    }
    let reads_input = parsed.operands.is_empty()
        || build.operand(parsed, 0).is_some_and(|word| word.value.known() == Some("-"));
    if reads_input && let Some(text) = build.input_text() {
        build.code.push(text.to_owned());
    }
    let given = parsed.has(code_flags(base));
    // With code of its own it is given operands, which `-i` changes in place.
    if given && matches!(base, "perl" | "ruby") && parsed.has(&["i"]) {
        build.each(parsed, Build::write);
    }
    let script = build.operand(parsed, 0).filter(|_| !given && !reads_input);
    build.effect(EffectKind::Execute(script.map_or(Value::Unknown, |word| word.value.clone())));
}

/// Options with which, alone, an interpreter prints its version and does no more. Elsewhere the same letters are other
/// options, and words that are none: `python -v` is verbose, and `tclsh` runs its standard input whatever it is told.
fn version_options(base: &str) -> &'static [&'static str] {
    match base {
        "python" | "python2" | "python3" | "pypy" | "pypy3" => &["-V", "-VV", "--version"],
        "node" | "nodejs" | "ruby" | "php" | "guile" | "julia" | "expect" => &["-v", "--version"],
        "lua" | "luajit" => &["-v"],
        "Rscript" => &["--version"],
        _ => &[],
    }
}

/// Flags that give an interpreter its code, so that no operand is a script.
fn code_flags(base: &str) -> &'static [&'static str] {
    match base {
        "perl" => &["e", "E"],
        "ruby" | "lua" | "luajit" | "Rscript" | "osascript" | "julia" => &["e"],
        "node" | "nodejs" => &["e", "p", "eval", "print"],
        "php" => &["r", "R", "B", "E"],
        "expect" => &["c"],
        "python" | "python2" | "python3" | "pypy" | "pypy3" => &["c", "m"],
        _ => &[],
    }
}

/// `python -m pip list`, `python -m json.tool FILE`. The working directory comes first in the search for modules, so
/// that a file of the project may stand in for any of them, except with `-I` (Python manual, "Command line").
fn module(build: &mut Build<'_>, parsed: &Parsed<'_>) -> bool {
    const HARMLESS: &[&str] = &["m", "I", "E", "s", "S", "B", "u", "b", "O", "q", "P"];
    let Some(flag) = parsed.flags.iter().find(|flag| flag.name == "m") else { return false };
    let Some(name @ ("pip" | "json.tool")) = flag.value.and_then(Slot::known) else { return false };
    let next = if matches!(flag.value, Some(Slot::Word(_))) { flag.word + 2 } else { flag.word + 1 };
    let before = parsed.flags.iter().filter(|other| other.word <= flag.word);
    if !before.clone().all(|flag| HARMLESS.contains(&flag.name))
        || parsed.unknown.iter().any(|(index, _)| *index < next)
    {
        return false;
    }
    let isolated = before.clone().any(|flag| flag.name == "I");
    build.restart();
    if name == "pip" {
        subcommands::run(build, &python::PIP, next);
    } else {
        let own = build.parse(
            "sort-keys no-ensure-ascii json-lines indent= tab no-indent compact h help",
            next,
            false,
            false,
        );
        if let Some(input) = build.operand(&own, 0) {
            build.read(&input.value, false, input.span);
            // More than one name would make the second the result.
            if !matches!(input.value, Value::Known(_) | Value::PathBelow(_)) {
                build.push(EffectKind::Write(PathTarget::Unknown), input.span);
            }
        }
        if let Some(output) = build.operand(&own, 1) {
            build.write(&output.value, output.span);
        }
    }
    if !isolated && (!build.settings.trusted || shadowed(build)) {
        build.effect(EffectKind::Opaque("a module of the project may stand in for it".into()));
    }
    true
}

/// Whether the text makes modules where this runs, or ones of the standard library's names lie there. A trusted project
/// has none: its own python would break on them.
fn shadowed(build: &Build<'_>) -> bool {
    let Directories::Known(directories) = build.directories() else { return true };
    directories.iter().any(|directory| {
        build.look.made.borrow().may_shadow_modules(directory, build.settings.resolver)
            || build
                .look
                .names_in(directory)
                .is_none_or(|names| names.iter().any(|name| stands_in(build, directory, name)))
    })
}

/// Whether a name in a directory is imported instead of a module that python or pip has itself: a file, or a directory
/// with an `__init__` in it. Without one the library's comes first (Python reference, 5.3.2 and 5.4.4).
fn stands_in(build: &Build<'_>, directory: &str, name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    if python_library::NAMES.binary_search(&stem).is_err() {
        return false;
    }
    if name.len() > stem.len() {
        return [".py", ".pyc", ".so"].iter().any(|end| name.ends_with(end));
    }
    let initial = |end: &str| portcullis_paths::join(directory, &format!("{name}/__init__{end}"));
    let resolver = build.settings.resolver;
    resolver.is_some_and(|resolver| {
        [".py", ".pyc", ".so"].iter().any(|end| resolver.kind(&initial(end)).is_some())
    })
}
