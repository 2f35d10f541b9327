//! Walks a tree: every command in it, and what its words are.
#![allow(dead_code, reason = "each test file uses its part")]

#[path = "../../../../fuzz/properties/shell/tree.rs"]
mod tree;

use portcullis_shell_analysis::tree::*;
use tree::Node;

/// The program of every simple command: its text when that is plain, `?` when not, `-` without words.
pub(crate) fn programs(script: &Script) -> Vec<String> {
    let mut found = Vec::new();
    visit(&script.list, &mut |command| {
        if let CommandKind::Simple(simple) = &command.kind {
            found.push(match simple.words.first() {
                Some(word) => text(word).unwrap_or_else(|| "?".to_owned()),
                None => "-".to_owned(),
            });
        }
    });
    found
}

/// The words of a command that has only plain ones.
pub(crate) fn words(simple: &Simple) -> Vec<String> {
    simple.words.iter().map(|word| text(word).unwrap_or_else(|| "?".to_owned())).collect()
}

fn text(word: &Word) -> Option<String> {
    let mut text = String::new();
    for part in &word.parts {
        match part {
            WordPart::Literal(piece) | WordPart::Quoted(piece) => text.push_str(piece),
            WordPart::DoubleQuoted(parts) => {
                for part in parts {
                    let WordPart::Quoted(piece) = part else { return None };
                    text.push_str(piece);
                }
            }
            _ => return None,
        }
    }
    Some(text)
}

/// Calls `see` for every command at any depth, those in bodies of functions included.
pub(crate) fn visit(list: &List, see: &mut dyn FnMut(&Command)) {
    tree::walk(list, &mut |node| hand_on(&node, see));
}

fn hand_on(node: &Node<'_>, see: &mut dyn FnMut(&Command)) {
    match node {
        Node::Command(command) => see(command),
        Node::Function(body) => tree::walk_command(body, &mut |node| hand_on(&node, see)),
        Node::Span(_) => {}
    }
}
