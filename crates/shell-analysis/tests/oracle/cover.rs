//! Whether a command that ran is in the plan.

use portcullis_shell_analysis::{Analysis, Argument, EffectKind, Invocation, Value};

/// Builtins that evaluate what their words or variables hold, as arithmetic and `[[ ]]` do.
const EVALUATING: &[&str] = &[
    "[",
    "declare",
    "export",
    "getopts",
    "let",
    "local",
    "mapfile",
    "printf",
    "read",
    "readarray",
    "readonly",
    "test",
    "typeset",
    "unset",
    "wait",
];

/// Whether some invocation of the plan stands for a command with these words, or the analysis says that
/// anything may run.
pub(crate) fn covers(analysis: &Analysis, ran: &[String]) -> bool {
    analysis.opaque.is_some() || analysis.invocations.iter().any(|invocation| stands_for(invocation, ran))
}

fn stands_for(invocation: &Invocation, ran: &[String]) -> bool {
    // The shell itself may run code that is hidden in a value: the plan says so by an opaque effect.
    let shell =
        invocation.words.is_empty() || invocation.program().is_some_and(|name| EVALUATING.contains(&name));
    if shell && invocation.effects.iter().any(|effect| matches!(effect.kind, EffectKind::Opaque(_))) {
        return true;
    }
    if !invocation.words.is_empty() && words_cover(&invocation.words, ran) {
        return true;
    }
    // A launcher that the plan saw through may have no invocation of its own.
    let name = ran.first().map(|program| program.rsplit('/').next().unwrap_or_default());
    invocation.launchers.iter().any(|launcher| Some(launcher.name.as_str()) == name)
}

fn words_cover(words: &[Argument], ran: &[String]) -> bool {
    let Some((word, later)) = words.split_first() else { return ran.is_empty() };
    if word.splits {
        // Zero or more: try every length.
        let fitting = ran.iter().take_while(|text| fits(&word.value, text)).count();
        return (0..=fitting).any(|taken| words_cover(later, &ran[taken..]));
    }
    ran.split_first().is_some_and(|(text, rest)| fits(&word.value, text) && words_cover(later, rest))
}

fn fits(value: &Value, text: &str) -> bool {
    match value {
        Value::Known(known) => known == text || is_pipe(known) && is_pipe(text),
        Value::OneOf(known) => known.iter().any(|known| known == text),
        // A match begins with the literal start; so does the pattern itself, where nothing matches.
        Value::Glob(glob) => text.starts_with(&glob.prefix),
        Value::PathBelow(_) | Value::Unknown => true,
        other => panic!("a kind of value that this test does not know: {other:?}"),
    }
}

/// What `<(..)` becomes: which descriptor bash takes is its own choice.
fn is_pipe(text: &str) -> bool {
    text.strip_prefix("/dev/fd/").is_some_and(|number| number.parse::<u32>().is_ok())
}
