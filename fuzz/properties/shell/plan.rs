//! The plan is bounded, says where its parts come from, and hides no command.

use portcullis_shell_analysis::{
    Analysis, Settings, Shell, Span, Value, analyze, analyze_argv, join_words, parse,
    tree::{Command, CommandKind},
};

use super::{
    LONGEST,
    parse::lies_in,
    tree::{Node, walk},
};

const SHELLS: [Shell; 4] = [Shell::Bash, Shell::Sh, Shell::Zsh, Shell::Unknown];
/// The most invocations of a text.
const INVOCATIONS: usize = 4096;
/// The most bytes that the words of a plan may hold together, for texts as short as these.
const MEMORY: usize = 64 << 20;

pub(crate) fn check(text: &str) {
    if text.len() > LONGEST {
        return;
    }
    let refused = parse(text).is_err();
    let roots = ["/repo".to_owned(), "/srv/data".to_owned()];
    for shell in SHELLS {
        for (cwd, home, roots, open) in [
            ("/repo", Some("/home/u"), &roots[..1], false),
            ("/repo/src", None, &roots[..], false),
            ("/", Some("/"), &[], true),
        ] {
            let settings = Settings {
                shell,
                home,
                allow_external_paths: open,
                trusted: open,
                scrubbed: open,
                ..Settings::new(cwd, roots)
            };
            let analysis = analyze(text, &settings);
            bounded(&analysis, text);
            assert_eq!(analysis.error.is_some(), refused, "an error is the parser's");
            if shell == Shell::Bash {
                hides_nothing(&analysis, text);
            }
        }
    }
    let argv: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let settings = Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) };
    bounded(&analyze_argv(&argv, &settings), &join_words(&argv));
}

fn bounded(analysis: &Analysis, text: &str) {
    assert!(analysis.invocations.len() <= INVOCATIONS, "{} invocations", analysis.invocations.len());
    let mut memory = 0;
    for invocation in &analysis.invocations {
        lies_in(invocation.span, text);
        for word in &invocation.words {
            lies_in(word.span, text);
            memory += match &word.value {
                Value::Known(text) => text.len(),
                Value::PathBelow(names) => names.directory.len(),
                Value::OneOf(texts) => texts.iter().map(portcullis_shell_analysis::Text::len).sum(),
                Value::Glob(glob) => glob.pattern.len() + glob.prefix.len(),
                _ => 0,
            };
        }
        invocation.assignments.iter().for_each(|assignment| lies_in(assignment.span, text));
        invocation.redirections.iter().for_each(|redirection| lies_in(redirection.span, text));
        invocation.effects.iter().for_each(|effect| lies_in(effect.span, text));
        memory += invocation.code.iter().map(String::len).sum::<usize>();
    }
    assert!(memory <= MEMORY, "{memory} bytes");
    for blocker in analysis.blockers.iter().chain(&analysis.opaque) {
        lies_in(blocker.span, text);
        assert!(!blocker.reason.is_empty() && !blocker.reason.ends_with('.'), "{blocker:?}");
    }
}

/// Every simple command that is written in the text, those in functions' bodies excepted (they run when they are
/// called), is in the plan, or the plan says that it cannot be known.
fn hides_nothing(analysis: &Analysis, text: &str) {
    if analysis.opaque.is_some() {
        return;
    }
    let script = match parse(text) {
        Ok(script) => script,
        Err(error) => error.complete,
    };
    // A call of a function is what its body is, perhaps nothing.
    let mut functions = false;
    walk(&script.list, &mut |node| functions |= matches!(node, Node::Function(_)));
    if functions {
        return;
    }
    walk(&script.list, &mut |node| {
        if let Node::Command(Command { kind: CommandKind::Simple(simple), span, .. }) = node
            && !simple.words.is_empty()
            && !vanishes(span.slice(text))
        {
            let touches = |other: Span| other.start < span.end && span.start < other.end;
            assert!(
                analysis.invocations.iter().any(|invocation| touches(invocation.span)),
                "{:?} of {text:?} is not in the plan",
                span.slice(text)
            );
        }
    });
}

/// Braces around nothing are words without text, which are no words: `{,}` is no command (bash manual 3.5.1).
fn vanishes(command: &str) -> bool {
    command.chars().all(|char| matches!(char, '{' | '}' | ',' | ' '))
}
