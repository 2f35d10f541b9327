//! sed: the script decides (sed manual 3). Only commands that print, delete, substitute and branch are known.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Span};

pub(super) const SPECS: &[Spec] = &[Spec::new(
    &["sed", "gsed"],
    "n e= E r l= s u z quiet silent expression= regexp-extended line-length= separate unbuffered null-data zero-terminated debug posix sandbox follow-symlinks help version b binary f=r file=r i?i in-place?i",
    Operands::Custom(sed),
)];

fn sed(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // `--help` ends sed where it stands: scripts in front of it are compiled, and what they write is opened.
    let mut given = false;
    let mut scripts: Vec<(Option<&str>, usize, Span)> = Vec::new();
    let mut in_place = false;
    let mut backup = None;
    for flag in &parsed.flags {
        match flag.name {
            "e" | "expression" => {
                given = true;
                let span = flag.value.map_or_else(|| build.span_of(flag.word), super::flags::Slot::span);
                scripts.push((flag.value.and_then(super::flags::Slot::known), flag.word, span));
            }
            "f" | "file" => {
                given = true;
                build.hazard(flag.word);
                let span = build.span_of(flag.word);
                build.opaque(span, "a script in a file");
            }
            // BSD's `-l` takes no value: the next word is the script.
            "l" if flag
                .value
                .and_then(super::flags::Slot::known)
                .is_none_or(|text| text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit())) =>
            {
                let span = build.span_of(flag.word);
                build.opaque(span, "`-l` without a number");
            }
            "i" | "in-place" => {
                in_place = true;
                build.hazard(flag.word);
                // The suffix names the backup; `*` and `/` in it lead elsewhere.
                let suffix = flag.value.and_then(super::flags::Slot::known).unwrap_or_default();
                if suffix.contains(['*', '/']) {
                    let span = build.span_of(flag.word);
                    build.push(EffectKind::Write(PathTarget::Unknown), span);
                } else if !suffix.is_empty() {
                    backup = Some(suffix);
                }
            }
            _ => {}
        }
    }
    let mut operands = parsed.operands.as_slice();
    if !given && let Some((first, rest)) = operands.split_first() {
        operands = rest;
        scripts.push((build.word(*first), *first, build.span_of(*first)));
    }
    judge(build, &scripts);
    for index in operands {
        let Some(word) = build.words.get(*index) else { continue };
        build.read(&word.value, false, word.span);
        if in_place {
            let from = build.checkpoint().0;
            build.write(&word.value, word.span);
            if let Some(suffix) = backup {
                build.write_backups(from, suffix);
            }
        }
    }
}

/// Each of several scripts is told by its own words; together they are one, joined by newlines, so that text at the end
/// of one goes on in the next (sed manual 2.2, `-e`).
fn judge(build: &mut Build<'_>, scripts: &[(Option<&str>, usize, Span)]) {
    let mut told = Vec::new();
    for (text, index, span) in scripts {
        script(build, *text, &[*index], *span, &mut told);
    }
    if let [_, .., (_, _, span)] = scripts {
        let texts: Vec<&str> = scripts.iter().filter_map(|(text, ..)| *text).collect();
        let indices: Vec<usize> = scripts.iter().map(|(_, index, _)| *index).collect();
        script(build, Some(&texts.join("\n")), &indices, *span, &mut told);
    }
}

fn script(build: &mut Build<'_>, text: Option<&str>, indices: &[usize], span: Span, told: &mut Vec<Finding>) {
    let Some(text) = text else { return build.opaque(span, "a sed script that is not known") };
    for finding in Reader::new(text).script() {
        indices.iter().for_each(|index| build.hazard(*index));
        if told.contains(&finding) {
            continue;
        }
        told.push(finding);
        match finding {
            Finding::Writes => build.push(EffectKind::Write(PathTarget::Unknown), span),
            Finding::Executes => build.push(EffectKind::Execute(crate::Value::Unknown), span),
            Finding::Reads => {
                build.push(EffectKind::Read { path: PathTarget::Unknown, recursive: false }, span);
            }
            Finding::Unclear => build.opaque(span, "a sed script that is not followed"),
        }
    }
}

/// Something in a script that is not harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finding {
    Writes,
    Executes,
    Reads,
    Unclear,
}

struct Reader<'t> {
    chars: std::iter::Peekable<std::str::Chars<'t>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self { chars: text.chars().peekable() }
    }

    /// What is in it, up to what is not clear.
    fn script(&mut self) -> Vec<Finding> {
        let mut findings = Vec::new();
        loop {
            self.skip(|char| char.is_whitespace() || char == ';' || char == '}' || char == '{');
            let Some(char) = self.chars.peek() else { return findings };
            if *char == '#' {
                self.skip(|char| char != '\n');
                continue;
            }
            if let Err(finding) = self.addresses().and_then(|()| self.command()) {
                if !findings.contains(&finding) {
                    findings.push(finding);
                }
                if finding == Finding::Unclear {
                    return findings;
                }
                // The name of a file, or a command, takes the rest of the line.
                self.skip(|char| char != '\n');
            }
        }
    }

    fn skip(&mut self, mut while_true: impl FnMut(char) -> bool) {
        while self.chars.peek().is_some_and(|char| while_true(*char)) {
            self.chars.next();
        }
    }

    fn addresses(&mut self) -> Result<(), Finding> {
        loop {
            self.skip(|char| char == ' ' || char == '\t');
            match self.chars.peek().copied() {
                Some('0'..='9' | '$' | '~' | '+' | ',' | '!') => {
                    self.chars.next();
                }
                Some('/') => {
                    self.chars.next();
                    self.until('/')?;
                    self.skip(|char| matches!(char, 'I' | 'M'));
                }
                Some('\\') => {
                    self.chars.next();
                    let delimiter = self.chars.next().ok_or(Finding::Unclear)?;
                    self.until(delimiter)?;
                    self.skip(|char| matches!(char, 'I' | 'M'));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Up to an unescaped delimiter. A delimiter in a bracket expression is literal for some and not for others:
    /// then it is unclear.
    fn until(&mut self, delimiter: char) -> Result<(), Finding> {
        if matches!(delimiter, '\\' | '\n' | '[' | ']') {
            return Err(Finding::Unclear);
        }
        while let Some(char) = self.chars.next() {
            match char {
                '\\' => {
                    self.chars.next().ok_or(Finding::Unclear)?;
                }
                // Not ended on its line: GNU sed refuses it.
                '\n' => return Err(Finding::Unclear),
                _ if char == delimiter => return Ok(()),
                '[' => self.bracket(delimiter)?,
                _ => {}
            }
        }
        Err(Finding::Unclear)
    }

    /// The rest of a bracket expression: `]` is literal at the beginning, and classes such as `[:alpha:]` hold one
    /// (POSIX XBD 9.3.5).
    fn bracket(&mut self, delimiter: char) -> Result<(), Finding> {
        if self.chars.peek() == Some(&'^') {
            self.chars.next();
        }
        if self.chars.peek() == Some(&']') {
            self.chars.next();
        }
        while let Some(char) = self.chars.next() {
            match char {
                ']' => return Ok(()),
                '\n' => return Err(Finding::Unclear),
                _ if char == delimiter => return Err(Finding::Unclear),
                // For some the backslash is a character like others: `[\]` is complete then.
                '\\' => match self.chars.next() {
                    None | Some(']') => return Err(Finding::Unclear),
                    Some(_) => {}
                },
                '[' => {
                    if let Some(kind @ (':' | '.' | '=')) = self.chars.peek().copied() {
                        self.chars.next();
                        self.class(kind, delimiter)?;
                    }
                }
                _ => {}
            }
        }
        Err(Finding::Unclear)
    }

    /// The rest of `[:name:]`.
    fn class(&mut self, kind: char, delimiter: char) -> Result<(), Finding> {
        while let Some(char) = self.chars.next() {
            if char == kind && self.chars.peek() == Some(&']') {
                self.chars.next();
                return Ok(());
            }
            if char == delimiter || !(char.is_ascii_alphanumeric() || matches!(char, '-' | '_')) {
                return Err(Finding::Unclear);
            }
        }
        Err(Finding::Unclear)
    }

    /// Up to an unescaped delimiter in a replacement, where brackets mean nothing.
    fn until_plain(&mut self, delimiter: char) -> Result<(), Finding> {
        while let Some(char) = self.chars.next() {
            if char == '\\' {
                self.chars.next().ok_or(Finding::Unclear)?;
            } else if char == delimiter {
                return Ok(());
            } else if char == '\n' {
                return Err(Finding::Unclear);
            }
        }
        Err(Finding::Unclear)
    }

    fn command(&mut self) -> Result<(), Finding> {
        let Some(command) = self.chars.next() else { return Ok(()) };
        match command {
            '{' | '}' => Ok(()),
            'p' | 'P' | 'd' | 'D' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'z' | 'F' => self.end(),
            'q' | 'Q' | 'l' | 'L' => {
                self.skip(|char| char == ' ');
                self.skip(|char| char.is_ascii_digit());
                self.end()
            }
            'b' | 't' | 'T' | ':' => {
                // A label ends at a blank; GNU sed takes what follows for the next command (`tx w file`).
                self.skip(|char| char == ' ');
                self.skip(|char| char.is_ascii_alphanumeric() || char == '_');
                self.end()
            }
            'a' | 'i' | 'c' => {
                // One line of text; a backslash may carry it on.
                self.skip(|char| char != '\n' && char != '\\');
                match self.chars.peek() {
                    None | Some('\n') => Ok(()),
                    Some(_) => {
                        // `a\text` and `a\` newline text: text to the end, unless lines follow it. Blanks may stand
                        // before the newline.
                        self.chars.next();
                        self.skip(|char| char == ' ' || char == '\t');
                        if self.chars.peek() == Some(&'\n') {
                            self.chars.next();
                        }
                        self.skip(|char| char != '\n' && char != '\\');
                        if self.chars.peek() == Some(&'\\') { Err(Finding::Unclear) } else { Ok(()) }
                    }
                }
            }
            'y' => {
                let delimiter = self.chars.next().ok_or(Finding::Unclear)?;
                self.until_plain(delimiter)?;
                self.until_plain(delimiter)?;
                self.end()
            }
            's' => self.substitute(),
            'w' | 'W' => Err(Finding::Writes),
            'e' => Err(Finding::Executes),
            'r' | 'R' => Err(Finding::Reads),
            _ => Err(Finding::Unclear),
        }
    }

    /// The end of a command.
    fn end(&mut self) -> Result<(), Finding> {
        self.skip(|char| char == ' ' || char == '\t');
        match self.chars.peek() {
            None | Some(';' | '\n' | '}' | '#') => Ok(()),
            Some(_) => Err(Finding::Unclear),
        }
    }

    fn substitute(&mut self) -> Result<(), Finding> {
        let delimiter = self.chars.next().ok_or(Finding::Unclear)?;
        if delimiter.is_whitespace() || delimiter == '\\' {
            return Err(Finding::Unclear);
        }
        self.until(delimiter)?;
        self.until_plain(delimiter)?;
        loop {
            match self.chars.peek().copied() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                    self.chars.next();
                }
                Some('w') => return Err(Finding::Writes),
                Some('e') => return Err(Finding::Executes),
                _ => return self.end(),
            }
        }
    }
}
