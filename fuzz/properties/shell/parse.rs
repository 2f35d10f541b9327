//! Parsing ends, stays within its bounds, and says where things stand.

use portcullis_shell_analysis::{
    ErrorKind, ParseError, Span, parse,
    tree::{List, Script},
};

use super::{
    LONGEST,
    tree::{Node, walk, walk_command},
};

pub(crate) fn check(text: &str) {
    if text.len() > LONGEST {
        return;
    }
    match parse(text) {
        Ok(script) => {
            spans(&script.list, text);
            assert_eq!(parse(text).unwrap(), script, "the same text is the same tree");
        }
        Err(error) => refused(&error, text),
    }
}

fn refused(error: &ParseError, text: &str) {
    lies_in(error.span, text);
    let message = &error.message;
    assert!(!message.is_empty() && !message.ends_with('.'), "{message:?}");
    spans(&error.complete.list, text);
    complete_before(&error.complete, error.span, text);
}

/// The commands before the error are those that bash reads from the text up to some line end before it.
fn complete_before(complete: &Script, error: Span, text: &str) {
    let Some(last) = complete.list.items.last() else { return };
    let end = last.rest.last().map_or(last.first.span, |(_, pipeline)| pipeline.span).end as usize;
    assert!(end <= error.end as usize, "the complete commands end at {end}, behind {error:?}");
    let line_ends = text.bytes().enumerate().skip(end).filter(|(_, byte)| *byte == b'\n');
    // A few lines of comments and blanks may stand between, and bodies of here-documents.
    // How much may be read again grows with the text: a beginning may be refused for that, and says nothing then.
    let found = line_ends.take(64).any(|(at, _)| match parse(&text[..=at]) {
        Ok(before) => before.list == complete.list,
        Err(error) => error.kind == ErrorKind::TooDeep,
    });
    let more = text.bytes().skip(end).filter(|byte| *byte == b'\n').count() > 64;
    assert!(found || more, "no beginning of the text is {complete:?}");
}

/// Every span lies in the text, at characters' borders.
pub(super) fn spans(list: &List, text: &str) {
    let mut bodies = Vec::new();
    walk(list, &mut |node| match node {
        Node::Span(span) => lies_in(span, text),
        Node::Function(body) => bodies.push(body),
        Node::Command(_) => {}
    });
    while let Some(body) = bodies.pop() {
        walk_command(body, &mut |node| match node {
            Node::Span(span) => lies_in(span, text),
            Node::Function(body) => bodies.push(body),
            Node::Command(_) => {}
        });
    }
    for pair in list.items.windows(2) {
        assert!(
            pair[0].first.span.end <= pair[1].first.span.start,
            "commands stand one behind the other: {pair:?}"
        );
    }
}

pub(super) fn lies_in(span: Span, text: &str) {
    let (start, end) = (span.start as usize, span.end as usize);
    assert!(start <= end, "{span:?}");
    assert!(text.get(start..end).is_some(), "{span:?} does not lie in {text:?}");
}
