//! Programs that pick values out of structured text.

use super::{
    Build,
    project_overrides::{Tool, project_code},
    spec::{Operands, Parsed, Spec},
};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["jq", "gojq"],
        "n r R s c C M S e a j 0 b . null-input raw-input slurp raw-output raw-output0 join-output compact-output color-output monochrome-output sort-keys exit-status ascii-output unbuffered stream stream-errors seq tab indent= binary arg= argjson= args jsonargs help version h V f=o from-file=o slurpfile=o rawfile=o argfile=o L=o",
        Operands::Custom(jq),
    ),
    Spec::new(
        &["yq"],
        "n r j P C M N S Y R e s!w i!w I= o= p= 0 null-input unwrapScalar? no-colors colors no-doc indent= output-format= input-format= prettyPrint exit-status front-matter= inplace!w split-exp!w split-exp-file!w tojson version V help h v verbose raw-output y yaml-output yaml-roundtrip yml-output yml-roundtrip width= w= indentless-lists slurp c compact-output f!o from-file!o in-place!w",
        Operands::Custom(yq),
    ),
    Spec::new(
        &["gron"],
        "u m c k s j v no-color monochrome colorize stream values json ungron no-sort insecure version help h",
        Operands::Custom(gron),
    ),
    Spec::new(&["mlr"], "", Operands::Custom(miller)),
    Spec::new(
        &["xsv"],
        "d= n s= f= l= h c i e u A p m= delimiter= no-headers select= fields= limit= len= index= start= end= sample= seed= numeric reverse ignore-case invert-match left right full cross nulls cardinality median mode everything jobs= j= N R pad= width= list version help crlf ascii quote= quote-always escape= out-delimiter= t= no-nulls only= condense= separator= output=w o=w",
        Operands::Custom(xsv),
    ),
];

/// jq's options take one or two words that getopt does not know of, and programs can read the environment.
fn jq(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // Whatever the two words look like: `--arg x --args` leaves the words behind it what they were.
    let double = |name: &str| matches!(name, "arg" | "argjson" | "slurpfile" | "rawfile" | "argfile");
    for flag in parsed.flags.iter().filter(|flag| double(flag.name)) {
        for index in [flag.word + 1, flag.word + 2] {
            if build.word(index).is_some_and(|text| text.starts_with('-')) {
                build.opaque(build.span_of(index), "a value that looks like an option");
            }
        }
    }
    // `--arg NAME VALUE` takes two words: the second stands among the operands.
    let mut skip: Vec<usize> = parsed
        .flags
        .iter()
        .filter(|flag| matches!(flag.name, "arg" | "argjson"))
        .map(|flag| flag.word + 2)
        .collect();
    let texts =
        parsed.flags.iter().find(|flag| matches!(flag.name, "args" | "jsonargs")).map(|flag| flag.word);
    let mut program = !parsed.has(&["f", "from-file"]);
    for index in &parsed.operands {
        if let Some(position) = skip.iter().position(|skipped| skipped == index) {
            skip.swap_remove(position);
            if let Some(word) = build.words.get(*index).filter(|word| word.splits) {
                build.opaque(word.span, "a value that may be several words");
            }
            continue;
        }
        let Some(word) = build.words.get(*index) else { continue };
        if program {
            program = false;
            match word.value.known() {
                Some(text) if names_environment(text) => {
                    build.effect(crate::EffectKind::Environment);
                }
                Some(text) if text.contains("import") || text.contains("include") => {
                    build.opaque(word.span, "a jq program that loads modules");
                }
                Some(_) => {}
                None => build.opaque(word.span, "a jq program that is not known"),
            }
            continue;
        }
        if texts.is_some_and(|at| at < *index) {
            continue;
        }
        build.read(&word.value, false, word.span);
    }
}

/// Whether a jq program names `env` or `$ENV`; `.env` is a key.
pub(super) fn names_environment(program: &str) -> bool {
    program.match_indices("env").chain(program.match_indices("ENV")).any(|(at, name)| {
        let before = program.get(..at).unwrap_or_default();
        let after = program.get(at + name.len()..).unwrap_or_default();
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let key = before.ends_with('.') && !before.ends_with("..");
        !(key || before.ends_with(inside) || after.starts_with(inside))
    })
}

/// yq expressions can load files and read the environment.
fn yq(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let mut operands = parsed.operands.as_slice();
    if let Some((first, rest)) = operands.split_first() {
        match build.word(*first) {
            Some("e" | "eval" | "ea" | "eval-all") => operands = rest,
            Some("shell-completion" | "completion") => return,
            _ => {}
        }
    }
    for (position, index) in operands.iter().enumerate() {
        let Some(word) = build.words.get(*index) else { continue };
        if position == 0 {
            match word.value.known() {
                // `eval` takes text for an expression; jq's own language loads modules.
                Some(text)
                    if ["load", "system", "eval", "import", "include"]
                        .iter()
                        .any(|name| text.contains(name)) =>
                {
                    build.hazard(*index);
                    build.opaque(word.span, "a yq expression that loads files or runs programs");
                }
                Some(text) if text.contains("env") || text.contains("ENV") => {
                    build.effect(crate::EffectKind::Environment);
                }
                Some(text) if text.ends_with(".yq") => {
                    build.opaque(word.span, "a yq expression in a file");
                }
                Some(_) => {}
                None => build.opaque(word.span, "a yq expression that is not known"),
            }
        }
        // The first is a file too when there is one of that name (mikefarah's yq looks for it), whatever follows.
        if position > 0 || operands.len() == 1 || !build.is_absent(&word.value) {
            build.read(&word.value, false, word.span);
        }
    }
}

/// An operand may be an address.
fn gron(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, |build, value, span| match value.known() {
        Some(text) if text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http")) => {
            build.push(crate::EffectKind::Network(None), span);
        }
        _ => build.read(value, false, span),
    });
}

/// What the first word may be instead of a verb or a flag, beside what prints help (Miller's auxiliary-commands).
const AUXILIARY: &[&str] = &["lecat", "regtest", "repl", "termcvt", "hex", "unhex", "netbsd-strptime"];

/// Miller chains verbs, each with its own flags: every word that may be a file is read. Verbs and functions write, run
/// something or load code (Miller's reference-verbs and reference-dsl).
fn miller(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    // Programs of their own inside it (`mlr repl`): nothing of what follows is a chain of verbs.
    if build.word(1).is_some_and(|first| AUXILIARY.contains(&first)) {
        build.hazard(1);
        build.opaque(build.span_of(1), "a command of Miller that runs what it is told");
    }
    // Without a resolver nobody can look, here as with links.
    if build.settings.resolver.is_some() && build.word(1) != Some("-n") {
        project_code(build, Tool::Miller);
    }
    let mut programs = false;
    for (index, word) in words.iter().enumerate().skip(1) {
        let Some(text) = word.value.known() else {
            build.opaque(word.span, "a word of Miller that is not known");
            build.read(&word.value, false, word.span);
            continue;
        };
        // Which of their words are values of flags is not known, and does not matter.
        // Behind a flag `then` may be its value: `put -e then -f FILE` runs what the file holds.
        let before = words.get(index - 1).and_then(|word| word.value.known());
        let ends = text == "then" && before.is_some_and(|before| !before.starts_with('-'));
        programs = !ends && (programs || matches!(text, "put" | "filter"));
        let reaches = ["tee", "split", "system", "exec", "prepipe", "load", "ENV", "from-file"]
            .iter()
            .any(|name| text.contains(name));
        let redirects = text.contains(['>', '|'])
            && ["emit", "print", "dump"].iter().any(|statement| text.contains(statement));
        let flag = matches!(text, "-I" | "--mfrom" | "--files") || text == "-s" && index == 1;
        let program = programs && matches!(text, "-f" | "-s");
        if reaches || redirects || flag || program {
            build.hazard(index);
            build.opaque(word.span, format!("`{text}` may write, run or load something"));
        } else if !text.starts_with('-') {
            build.read(&word.value, false, word.span);
        }
    }
}

/// Subcommands of xsv that only print.
const XSV: &[&str] = &[
    "cat",
    "count",
    "fixlengths",
    "flatten",
    "fmt",
    "frequency",
    "headers",
    "input",
    "join",
    "reverse",
    "sample",
    "search",
    "select",
    "slice",
    "sort",
    "stats",
    "table",
];

fn xsv(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let verb = build.operand(parsed, 0).and_then(|word| word.value.known());
    if build.words.len() > 1 && verb.is_some_and(|verb| !XSV.contains(&verb)) {
        build.opaque(build.span_of(1), "a subcommand that does more than print");
    }
    for index in parsed.operands.iter().skip(1) {
        if let Some(word) = build.words.get(*index) {
            build.read(&word.value, false, word.span);
        }
    }
}
