//! The texts that are made: commands nested in constructs, and mutations of what there is.

use crate::{
    flows::{AROUND, CHANGES, LEAVES, USES},
    frames::{COMMANDS, FRAMES},
};

/// Pieces that change how bash reads what stands around them.
const PIECES: &[&str] = &[
    "'",
    "\"",
    "\\",
    "`",
    "$(",
    ")",
    "(",
    "{",
    "}",
    " { ",
    "; }",
    "$",
    "${",
    "$((",
    "))",
    "((",
    "<(",
    ">(",
    "<<E\n",
    "\nE\n",
    "<<-'E'\n",
    "<<<",
    ">",
    ">>",
    ">&",
    "<&",
    "&>",
    "2>&1",
    "|",
    "|&",
    "||",
    "&&",
    "&",
    ";",
    ";;",
    "\n",
    "\\\n",
    " ",
    "\t",
    "\r",
    "#",
    " #",
    "!",
    " ! ",
    "=",
    "a=",
    "a+=",
    "a[",
    "]",
    "[[ ",
    " ]]",
    "[ ",
    "*",
    "?",
    "~",
    "{a,b}",
    ",",
    "$'",
    "$\"",
    "if ",
    " then ",
    " fi",
    "for x in ",
    " do ",
    " done",
    "while ",
    "case ",
    " in ",
    " esac",
    "function f ",
    "f()",
    "time ",
    "coproc ",
    "eval ",
    "x",
    "-",
    "--",
    "1",
    "rm y",
    "$x",
    "\"$x\"",
    "${x:-y}",
    "$(z)",
    "`z`",
    "{fd}",
    "exec ",
    "\u{a0}",
    "é",
];

/// Words that may be nothing, or a few.
const NOTHINGS: &[&str] =
    &["$x ", "$(z) ", "`z` ", "\"$@\" ", "\"${a[@]}\" ", "$x $y ", "\"$x\" ", "$1 ", "${x#a} "];

/// The next place, from `at` on, where the text can be cut.
fn boundary_from(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// A small generator with a seed (xorshift), so that every run sees the same texts.
pub(crate) struct Random {
    state: u64,
    /// Of here-documents, so far.
    delimiters: usize,
}

/// Puts a command behind `before`, quoted as its surroundings want it.
fn push(before: &mut String, inner: &str, after: &str) {
    let (left, right) = (before.chars().last(), after.chars().next());
    match (left, right) {
        (Some('\''), Some('\'')) => before.push_str(&inner.replace('\'', "'\\''")),
        (Some('"'), Some('"')) => {
            for char in inner.chars() {
                if matches!(char, '"' | '\\' | '$' | '`') {
                    before.push('\\');
                }
                before.push(char);
            }
        }
        (Some('`'), Some('`')) => {
            for char in inner.chars() {
                if matches!(char, '\\' | '`') {
                    before.push('\\');
                }
                before.push(char);
            }
        }
        // A here-document ends with its line.
        _ if inner.ends_with('\n') && right != Some('\n') && right.is_some() => {
            before.push_str("{ ");
            before.push_str(inner);
            before.push('}');
        }
        _ => before.push_str(inner),
    }
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // Xorshift stands still at zero, and small seeds begin alike.
        let mut random = Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, delimiters: 0 };
        for _ in 0..8 {
            random.next(1);
        }
        random
    }

    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 11) % below.max(1) as u64) as usize
    }

    fn boundary(&mut self, text: &str) -> usize {
        let mut at = self.next(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Commands nested in constructs.
    pub(crate) fn composition(&mut self, depth: usize) -> String {
        if depth == 0 || self.next(6) == 0 {
            return COMMANDS[self.next(COMMANDS.len())].to_owned();
        }
        let frame = FRAMES[self.next(FRAMES.len())];
        self.delimiters += 1;
        let frame = frame.replace('¶', &format!("E{}", self.delimiters));
        let mut text = String::new();
        for (index, piece) in frame.split('§').enumerate() {
            if index > 0 {
                let inner = self.composition(depth - 1);
                push(&mut text, &inner, piece);
            }
            text.push_str(piece);
        }
        text
    }

    /// A text in which it depends on control flow what holds where it is used, on several lines or one.
    pub(crate) fn flow(&mut self) -> String {
        let depth = 1 + self.next(3);
        let start = ["x=m; ", "x=m\n", "set -- m; x=m\n", "readonly q=1; x=m\n", ""];
        let mut text = start[self.next(start.len())].to_owned();
        let blocks = 1 + self.next(2);
        for _ in 0..blocks {
            text.push_str(&self.block(depth));
            text.push('\n');
        }
        text.push_str(USES[self.next(USES.len())]);
        text
    }

    /// Statements behind one another, with nothing behind the last.
    fn block(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for index in 0..=1 + self.next(3) {
            if index > 0 {
                // A here-document ends with its line.
                let joints = ["; ", "; ", "; ", "\n", "\n", " && ", " || ", " & "];
                text.push_str(if text.ends_with('\n') { "" } else { joints[self.next(joints.len())] });
            }
            let statement = self.statement(depth);
            text.push_str(&statement);
        }
        text
    }

    fn statement(&mut self, depth: usize) -> String {
        let list = match self.next(if depth == 0 { 9 } else { 13 }) {
            0..=3 => CHANGES,
            4..=5 => LEAVES,
            6..=8 => USES,
            _ => {
                let frame = AROUND[self.next(AROUND.len())];
                self.delimiters += 1;
                let frame = frame.replace('¶', &format!("E{}", self.delimiters));
                let mut text = String::new();
                for (index, piece) in frame.split('§').enumerate() {
                    if index > 0 {
                        let inner = self.block(depth - 1);
                        push(&mut text, &inner, piece);
                    }
                    text.push_str(piece);
                }
                return text;
            }
        };
        list[self.next(list.len())].to_owned()
    }

    /// One of the texts with one to four changes.
    pub(crate) fn mutation(&mut self, texts: &[String]) -> String {
        let mut text = texts[self.next(texts.len())].clone();
        for _ in 0..=self.next(4) {
            let (left, right) = (self.boundary(&text), self.boundary(&text));
            let (left, right) = (left.min(right), left.max(right));
            match self.next(7) {
                0 | 1 => text.insert_str(left, PIECES[self.next(PIECES.len())]),
                2 => text.replace_range(left..right.min(boundary_from(&text, left + 3)), ""),
                3 => {
                    text.replace_range(left..boundary_from(&text, left + 1), PIECES[self.next(PIECES.len())]);
                }
                4 => {
                    let other = &texts[self.next(texts.len())];
                    let from = self.boundary(other);
                    text.truncate(left);
                    text.push_str(&other[from..]);
                }
                // A word that may be nothing, where a word begins.
                5 => {
                    let blanks: Vec<usize> = text.match_indices(' ').map(|(at, _)| at + 1).collect();
                    if !blanks.is_empty() {
                        let at = blanks[self.next(blanks.len())];
                        text.insert_str(at, NOTHINGS[self.next(NOTHINGS.len())]);
                    }
                }
                _ => {
                    let piece = text[left..right.min(boundary_from(&text, left + 12))].to_owned();
                    let at = self.boundary(&text);
                    text.insert_str(at, &piece);
                }
            }
        }
        let end = boundary_from(&text, 2000);
        text.truncate(end);
        text
    }
}
