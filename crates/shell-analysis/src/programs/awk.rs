//! awk: a program is read-only when nothing in its text can write, run or read elsewhere (gawk manual 5.6, 4.10).

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};

pub(super) const SPECS: &[Spec] = &[Spec::new(
    &["awk", "gawk", "mawk", "nawk"],
    "F= v= field-separator= assign= P posix S sandbox c traditional re-interval r version V help h b characters-as-bytes N use-lc-numeric n non-decimal-data e=e source=e f=o file=o E=o exec=o i=o include=o l=o load=o o?w pretty-print?w d?w dump-variables?w p?w profile?w D!o debug!o W=o",
    Operands::Custom(awk),
)
.stops()];

/// Words of the language that reach outside.
const REACHES: &[&str] = &[
    "system", "getline", "printf>", "print>", ">", "|", "@", "close", "fflush", "ENVIRON", "ARGV", "SYMTAB",
    "FUNCTAB", "PROCINFO", "/inet",
];

fn awk(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // Not every awk knows `--help` or `-h`: those that do not go on with the program.
    let mut operands = parsed.operands.as_slice();
    let mut programs: Vec<(Option<String>, usize)> = Vec::new();
    for flag in &parsed.flags {
        if matches!(flag.name, "e" | "source") {
            programs.push((flag.value.and_then(super::flags::Slot::known).map(str::to_owned), flag.word));
        }
        if matches!(flag.name, "v" | "assign") && flag.value.and_then(super::flags::Slot::known).is_none() {
            // A value cannot hold code, but the word may be any assignment.
            let span = build.span_of(flag.word);
            build.opaque(span, "an assignment that is not known");
        }
    }
    if !parsed.has(&["f", "file", "E", "exec"])
        && let Some((first, rest)) = operands.split_first()
    {
        // An empty `--source` counts for nothing, and not every awk knows `-e`: then this is the program after all.
        let only = programs.is_empty();
        programs.push((build.word(*first).map(str::to_owned), *first));
        operands = if only { rest } else { operands };
    }
    for (program, index) in programs {
        let span = build.span_of(index);
        match program {
            Some(text) => {
                if !harmless(&text) {
                    build.push(
                        crate::EffectKind::Opaque(
                            "an awk program that may write, run or read elsewhere".into(),
                        ),
                        span,
                    );
                    if text.contains("getline") && puts_together(&text, '<') {
                        build.read(&crate::Value::Unknown, false, span);
                    }
                    if text.contains("print") && puts_together(&text, '>') {
                        build.write(&crate::Value::Unknown, span);
                    }
                }
                build.code.push(text);
            }
            None => build.opaque(span, "an awk program that is not known"),
        }
    }
    for index in operands {
        let Some(word) = build.words.get(*index) else { continue };
        // `name=value` operands are assignments.
        let assignment = word.value.known().is_some_and(|text| {
            text.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty()
                    && !name.starts_with(|c: char| c.is_ascii_digit())
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            })
        });
        if !assignment {
            build.read(&word.value, false, word.span);
        }
    }
}

/// Nothing that reaches outside stands anywhere in the text, strings and patterns included: comparisons with
/// `>` are told apart by what stands around them.
fn harmless(text: &str) -> bool {
    if text.contains('@') || text.contains("||") && text.replace("||", "").contains('|') {
        return false;
    }
    let without = text.replace("||", "  ");
    for word in REACHES {
        match *word {
            ">" => {
                if without.contains('>') && !comparison(&without) {
                    return false;
                }
            }
            "printf>" | "print>" => {}
            word => {
                if without.contains(word) {
                    return false;
                }
            }
        }
    }
    true
}

/// Whether the name of a file behind `sign` may be more than one string: what is read or written is not known then.
fn puts_together(text: &str, sign: char) -> bool {
    text.match_indices(sign).any(|(at, _)| {
        let behind = text.get(at + 1..).unwrap_or_default().trim_start_matches(sign).trim_start();
        // A comparison, and a sign inside a string, count as well.
        let string = behind.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        !string.is_some_and(|(inside, rest)| {
            !inside.contains('\\')
                && (rest.trim_start().is_empty() || rest.trim_start().starts_with([')', ';', '}', '\n']))
        })
    })
}

/// `>` only outside of any `print` statement: no `print` stands before it in the text.
fn comparison(text: &str) -> bool {
    text.rfind('>').is_some_and(|last| !text.get(..last).unwrap_or_default().contains("print"))
}

#[cfg(test)]
mod tests {
    use super::{harmless, puts_together};

    #[test]
    fn tells_names_that_are_put_together() {
        for text in [
            "{ getline l < $1 }",
            "BEGIN { getline < (\".e\" \"nv\") }",
            "{ getline < \"a\" $1 }",
            "{ getline < \"\\056env\" }",
        ] {
            assert!(puts_together(text, '<'), "{text}");
        }
        for text in
            ["{ getline l < \"a\" }", "BEGIN { while ((getline l < \"a\") > 0) print l }", "{ print }"]
        {
            assert!(!puts_together(text, '<'), "{text}");
        }
        assert!(puts_together("{ print > $1 \".txt\" }", '>') && !puts_together("{ print >> \"log\" }", '>'));
    }

    #[test]
    fn tells_printing_from_reaching_out() {
        for text in [
            "{print $1}",
            "$1 > 5",
            "$1 > 5 {print}",
            "BEGIN{x=1} a || b {print x}",
            "{ s += $1 } END { print s }",
        ] {
            assert!(harmless(text), "{text}");
        }
        for text in [
            "BEGIN{system(\"x\")}",
            "{print > \"f\"}",
            "{print | \"sh\"}",
            "BEGIN{\"x\"|getline}",
            "{print $1 >> f}",
            "@include \"x\"",
            "{ getline < \"/etc/passwd\" }",
            "BEGIN { print ENVIRON[\"X\"] }",
            "a || b { print | c }",
        ] {
            assert!(!harmless(text), "{text}");
        }
    }
}
