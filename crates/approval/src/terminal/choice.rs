//! A question that is about no call, answered by one key.

use std::io;

use super::{
    Console, Key,
    paint::{Style, fold},
};
use crate::escape_line;

/// Such a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The question itself, in bold.
    pub title: &'a str,
    /// What it is about, a line each; folded where they are long.
    pub lines: &'a [String],
    /// The answers, each a key and what it means: `('y', "yes")`.
    pub keys: &'a [(char, &'a str)],
}

/// Shows the question and waits for one of its keys. None is no answer: Ctrl-C, the end of input, or `closed`.
///
/// # Errors
/// The terminal is gone.
pub fn choose(
    console: &mut dyn Console,
    style: Style,
    choice: &Choice<'_>,
    closed: &dyn Fn() -> bool,
) -> io::Result<Option<char>> {
    let mut text = format!("\n{}\n\n", style.strong(&escape_line(choice.title)));
    for line in choice.lines {
        let escaped = escape_line(line);
        let body = escaped.trim_start();
        let indent = 2 + escaped.len() - body.len();
        for (index, part) in fold(body, indent + 2).iter().enumerate() {
            let more = if index == 0 { 0 } else { 2 };
            text.push_str(format!("{}{part}", " ".repeat(indent + more)).trim_end());
            text.push('\n');
        }
    }
    let keys: Vec<String> = choice.keys.iter().map(|(key, meaning)| format!("{key} {meaning}")).collect();
    let prompt = format!("  {}", style.strong(&format!("{}: ", keys.join(", "))));
    console.write(&format!("{text}\n{prompt}"))?;
    loop {
        match console.key(closed)? {
            Key::Char(pressed) => {
                let pressed = pressed.to_ascii_lowercase();
                if let Some((key, meaning)) = choice.keys.iter().find(|(key, _)| *key == pressed) {
                    console.write(&format!("{meaning}\n"))?;
                    return Ok(Some(*key));
                }
                console.write(&format!("\n{prompt}"))?;
            }
            Key::Noise => console.write(&format!("\n{prompt}"))?,
            Key::Interrupt | Key::End | Key::Closed => {
                console.write("no answer\n")?;
                return Ok(None);
            }
        }
    }
}
