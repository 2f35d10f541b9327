//! The conversation itself, over a console that tests can script.

use super::paint::{Style, fold};
use crate::{Answer, Outcome, Question, Request, escape_line};

/// Lines of the command that are shown before "v" has to be pressed.
const HEAD: usize = 24;
/// Lines at its end that are always shown: a tail hides nothing.
const TAIL: usize = 8;

/// What the conversation needs of a terminal.
pub trait Console {
    /// Writes text; lines end in `\n`.
    ///
    /// # Errors
    /// The terminal is gone.
    fn write(&mut self, text: &str) -> std::io::Result<()>;

    /// Waits for a key; [`Key::Closed`] when nobody waits for the answer any more.
    ///
    /// # Errors
    /// The terminal is gone.
    fn key(&mut self, closed: &dyn Fn() -> bool) -> std::io::Result<Key>;

    /// Reads a line with echo, ended by Enter; none on Ctrl-C, Escape, end of input or when closed.
    ///
    /// # Errors
    /// The terminal is gone.
    fn line(&mut self, closed: &dyn Fn() -> bool) -> std::io::Result<Option<String>>;
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key {
    /// A character.
    Char(char),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the terminal hung up.
    End,
    /// Anything that is not one key: a paste, an arrow.
    Noise,
    /// The question was withdrawn or has expired.
    Closed,
}

/// Shows the question and reads until there is an answer. Ctrl-C and end of input are no answer: nothing
/// runs, nothing is remembered.
///
/// # Errors
/// The terminal is gone.
pub fn converse(console: &mut dyn Console, style: Style, question: &Question) -> std::io::Result<Answer> {
    let request = question.request();
    let closed = || question.closed();
    console.write(&picture(request, style))?;
    console.write(&keys(request, style))?;
    question.shown();
    loop {
        match console.key(&closed)? {
            Key::Char('y' | 'Y') => {
                console.write("yes, once\n")?;
                return Ok(Answer::of(Outcome::AllowedOnce));
            }
            Key::Char('n' | 'N') => {
                console.write("no\n")?;
                return Ok(Answer::of(Outcome::Rejected));
            }
            Key::Char('c' | 'C') => {
                console.write("no, because: ")?;
                let comment = console.line(&closed)?;
                console.write("\n")?;
                let Some(comment) = comment else { return gone(console) };
                let comment = Some(comment.trim().to_owned()).filter(|comment| !comment.is_empty());
                return Ok(Answer { comment, ..Answer::of(Outcome::Rejected) });
            }
            Key::Char('a' | 'A') if request.offer.is_some() => {
                match always(console, style, request, &closed)? {
                    Some(answer) => return Ok(answer),
                    None => console.write(&keys(request, style))?,
                }
            }
            Key::Char('e' | 'E') => {
                console.write(&explanation(request, style))?;
                console.write(&keys(request, style))?;
            }
            Key::Char('v' | 'V') => {
                console.write(&whole(request))?;
                console.write(&keys(request, style))?;
            }
            Key::Interrupt | Key::End | Key::Closed => return gone(console),
            Key::Char(_) | Key::Noise => {
                console.write(&help(request))?;
                console.write(&keys(request, style))?;
            }
        }
    }
}

/// What each key does. A save is named only where one is offered.
fn help(request: &Request) -> String {
    let save = if request.offer.is_some() { "          a  show a rule to save, then run it" } else { "" };
    format!(
        "
  y  run it, this once{save}
  n  do not run it              c  do not run it, and say why
  e  why this is asked          v  the whole command, if it was cut
  Ctrl-C or end of input: no answer; nothing runs, nothing is remembered
"
    )
}

fn gone(console: &mut dyn Console) -> std::io::Result<Answer> {
    console.write("no answer: nothing runs\n")?;
    Ok(Answer::of(Outcome::Cancelled))
}

/// Shows what would be saved and where; only a second y saves it.
fn always(
    console: &mut dyn Console,
    style: Style,
    request: &Request,
    closed: &dyn Fn() -> bool,
) -> std::io::Result<Option<Answer>> {
    let Some(offer) = &request.offer else { return Ok(None) };
    let mut text = String::from("always\n\n  From now on, without a question:\n");
    for rule in &offer.rules {
        text.push_str(&format!("    {}\n", style.strong(&escape_line(rule))));
    }
    text.push_str(&format!(
        "  saved to {} ({})\n\n  save it and run? [y/n] ",
        escape_line(&offer.file),
        offer.scope.as_str()
    ));
    console.write(&text)?;
    Ok(match console.key(closed)? {
        Key::Char('y' | 'Y') => {
            console.write("yes\n")?;
            Some(Answer { always: true, ..Answer::of(Outcome::AllowedOnce) })
        }
        Key::Interrupt | Key::End | Key::Closed => Some(gone(console)?),
        _ => {
            console.write("not saved\n")?;
            None
        }
    })
}

/// The question: what, where, why, with what effect.
fn picture(request: &Request, style: Style) -> String {
    let parts = request.preview.parts();
    let mut text = String::from("\n");
    let title = match parts.widening {
        Some(access) => format!("portcullis: run this once more, with {}?", access.as_str()),
        None if parts.tool == "Bash" => "portcullis: run this?".to_owned(),
        None => format!("portcullis: allow {}?", escape_line(&parts.tool)),
    };
    text.push_str(&format!("{}\n\n", style.strong(&title)));
    let lines = folded(request);
    let cut = lines.len() > HEAD + TAIL;
    for (index, line) in lines.iter().enumerate() {
        if cut && index == HEAD {
            let hidden = lines.len() - HEAD - TAIL;
            text.push_str(&format!("  | {}\n", style.warn(&format!("({hidden} more lines: press v)"))));
        }
        if !cut || index < HEAD || index >= lines.len() - TAIL {
            text.push_str(&format!("  | {}\n", style.strong(line)));
        }
    }
    text.push('\n');
    for (name, value) in request.preview.further_arguments() {
        field(&mut text, &name, &value);
    }
    for line in request.preview.diff_lines() {
        text.push_str(&format!("  | {line}\n"));
    }
    for (part, note) in &request.why.marks {
        let line = format!("{}: {}", escape_line(part), escape_line(note));
        for (index, line) in fold(&line, 10).iter().enumerate() {
            let name = if index == 0 { "look" } else { "" };
            text.push_str(&format!("  {} {}\n", style.warn(&format!("{name:<7}")), style.warn(line)));
        }
    }
    field(&mut text, "in", &escape_line(&parts.cwd));
    let why = if request.why.gate.is_empty() {
        request.why.reason.clone()
    } else {
        format!("{} ({})", request.why.reason, request.why.gate)
    };
    field(&mut text, "why", &escape_line(&why));
    if let Some((rule, place)) = &request.why.rule {
        field(&mut text, "rule", &placed(rule, place.as_deref()));
    }
    for (rule, place) in &request.why.possible {
        field(&mut text, "may hit", &placed(rule, place.as_deref()));
    }
    for effect in &request.why.effects {
        field(&mut text, "effect", &escape_line(effect));
    }
    match parts.confinement {
        Some((access, blocked)) => {
            let network = if blocked { "network blocked" } else { "network open" };
            field(&mut text, "sandbox", &format!("{}, {network}", access.as_str()));
        }
        None => field(&mut text, "sandbox", "none"),
    }
    if let Some(deadline) = request.deadline {
        field(&mut text, "until", &format!("no answer within {} s is a no", deadline.as_secs_f64()));
    }
    text.push('\n');
    text
}

fn placed(rule: &str, place: Option<&str>) -> String {
    match place {
        Some(place) => format!("{} at {}", escape_line(rule), escape_line(place)),
        None => escape_line(rule),
    }
}

fn field(text: &mut String, name: &str, value: &str) {
    for (index, line) in fold(value, 10).iter().enumerate() {
        let name = if index == 0 { name } else { "" };
        text.push_str(&format!("  {name:<7} {line}\n"));
    }
}

fn folded(request: &Request) -> Vec<String> {
    request.preview.headline().iter().flat_map(|line| fold(line, 4)).collect()
}

fn whole(request: &Request) -> String {
    let mut text = String::from("\n");
    for line in folded(request) {
        text.push_str(&format!("  | {line}\n"));
    }
    text
}

fn explanation(request: &Request, style: Style) -> String {
    let mut text = String::from("explain\n\n");
    if request.why.explanation.is_empty() {
        text.push_str("  nothing more is known\n");
    }
    for line in &request.why.explanation {
        for line in fold(&escape_line(line), 2) {
            text.push_str(&format!("  {}\n", style.faint(&line)));
        }
    }
    text
}

fn keys(request: &Request, style: Style) -> String {
    let always = if request.offer.is_some() { "a always, " } else { "" };
    format!("  {}", style.strong(&format!("y once, {always}n no, c no with a comment, e explain, ? help: ")))
}

#[cfg(test)]
#[path = "dialogue_tests.rs"]
mod tests;
