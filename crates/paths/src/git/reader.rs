//! A reader of git's configuration files (git-config(1), "Syntax"). It refuses what it is not sure of.

/// One setting of a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitSetting {
    /// The section, in lower case.
    pub section: String,
    /// The subsection as it is written; lower case in the old form `[section.subsection]`.
    pub subsection: Option<String>,
    /// The variable, in lower case.
    pub name: String,
    /// `None` for a variable without `=`, which means true.
    pub value: Option<String>,
    /// The line that it begins in, from 1.
    pub line: usize,
}

impl GitSetting {
    /// `section.subsection.name`, as git prints it.
    #[must_use]
    pub fn key(&self) -> String {
        match &self.subsection {
            Some(subsection) => format!("{}.{subsection}.{}", self.section, self.name),
            None => format!("{}.{}", self.section, self.name),
        }
    }
}

/// A configuration that cannot be read with certainty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the git configuration cannot be read; mend it or run git by hand")]
#[non_exhaustive]
pub struct GitConfigError {
    /// The line, from 1.
    pub line: usize,
}

/// Reads a configuration file.
///
/// ```
/// use portcullis_paths::read_git_config;
///
/// let settings = read_git_config(b"[Core]\n\tfsmonitor = \"x y\" ; why not\n[a \"B\"] c\n")?;
/// assert_eq!(settings[0].key(), "core.fsmonitor");
/// assert_eq!(settings[0].value.as_deref(), Some("x y"));
/// assert_eq!((settings[1].key(), settings[1].value.clone()), ("a.B.c".to_owned(), None));
/// # Ok::<(), portcullis_paths::GitConfigError>(())
/// ```
///
/// # Errors
/// The first line that git would refuse, and those that only this reader does not follow: text that is not
/// UTF-8, a NUL, a variable before the first section.
pub fn read_git_config(text: &[u8]) -> Result<Vec<GitSetting>, GitConfigError> {
    let bad_text = |valid: usize| {
        let lines = text.iter().take(valid).filter(|byte| **byte == b'\n').count();
        GitConfigError { line: lines + 1 }
    };
    let text = std::str::from_utf8(text).map_err(|error| bad_text(error.valid_up_to()))?;
    if let Some(at) = text.find('\0') {
        return Err(bad_text(at));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Reader { rest: text, line: 1 }.settings()
}

/// What is left of the text.
struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    /// The next character; CR LF is one line end, and so is the end of the text, for ever.
    fn next(&mut self) -> char {
        let mut characters = self.rest.chars();
        let Some(first) = characters.next() else { return '\n' };
        let mut rest = characters.as_str();
        let mut found = first;
        if first == '\r'
            && let Some(behind) = rest.strip_prefix('\n')
        {
            (found, rest) = ('\n', behind);
        }
        if found == '\n' {
            self.line += 1;
        }
        self.rest = rest;
        found
    }

    fn settings(mut self) -> Result<Vec<GitSetting>, GitConfigError> {
        let mut settings = Vec::new();
        let mut header: Option<(String, Option<String>)> = None;
        while !self.rest.is_empty() {
            let line = self.line;
            let bad = GitConfigError { line };
            match self.next() {
                ' ' | '\t' | '\n' | '\r' => {}
                '#' | ';' => while self.next() != '\n' {},
                '[' => header = Some(self.header().ok_or(bad)?),
                first if first.is_ascii_alphabetic() => {
                    let (section, subsection) = header.clone().ok_or_else(|| bad.clone())?;
                    let (name, value) = self.variable(first).ok_or(bad)?;
                    settings.push(GitSetting { section, subsection, name, value, line });
                }
                _ => return Err(bad),
            }
        }
        Ok(settings)
    }

    /// Behind `[`: `name]`, `name.sub]` or `name "sub"]`.
    fn header(&mut self) -> Option<(String, Option<String>)> {
        let mut name = String::new();
        let subsection = loop {
            match self.next() {
                ']' => break None,
                ' ' | '\t' | '\r' => break Some(self.subsection()?),
                c if is_key(c) || c == '.' => name.push(c.to_ascii_lowercase()),
                _ => return None,
            }
        };
        // In the old form the first dot ends the section; with both forms at once the dot belongs to it.
        let (section, subsection) = match (name.split_once('.'), subsection) {
            (Some((section, sub)), None) => (section.to_owned(), Some(sub.to_owned())),
            (Some((section, sub)), Some(more)) => (section.to_owned(), Some(format!("{sub}.{more}"))),
            (None, subsection) => (name, subsection),
        };
        (!section.is_empty()).then_some((section, subsection))
    }

    /// Behind the first blank of a header: `"sub"]`. A backslash takes the next character as it is.
    fn subsection(&mut self) -> Option<String> {
        while self.rest.starts_with([' ', '\t']) {
            self.next();
        }
        if self.next() != '"' {
            return None;
        }
        let mut name = String::new();
        loop {
            match self.next() {
                '\n' => return None,
                '"' => break,
                '\\' => match self.next() {
                    '\n' => return None,
                    c => name.push(c),
                },
                c => name.push(c),
            }
        }
        (self.next() == ']').then_some(name)
    }

    /// Behind the first letter of a variable.
    fn variable(&mut self, first: char) -> Option<(String, Option<String>)> {
        let mut name = String::from(first.to_ascii_lowercase());
        let mut end = self.next();
        while is_key(end) {
            name.push(end.to_ascii_lowercase());
            end = self.next();
        }
        while matches!(end, ' ' | '\t') {
            end = self.next();
        }
        match end {
            '\n' => Some((name, None)),
            '=' => Some((name, Some(self.value()?))),
            _ => None,
        }
    }

    /// Behind `=`: up to the end of the line, blanks at both ends dropped, quotes removed.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        // The length without the blanks at the end that no quote covers.
        let mut kept = 0;
        let mut quoted = false;
        loop {
            match self.next() {
                '\n' if quoted => return None,
                '\n' => break,
                '#' | ';' if !quoted => {
                    while self.next() != '\n' {}
                    break;
                }
                ' ' | '\t' | '\r' if !quoted && value.is_empty() => continue,
                c @ (' ' | '\t' | '\r') if !quoted => {
                    value.push(c);
                    continue;
                }
                '"' => quoted = !quoted,
                '\\' => match self.next() {
                    // The line goes on; blanks before the backslash count.
                    '\n' => {}
                    't' => value.push('\t'),
                    'b' => value.push('\u{8}'),
                    'n' => value.push('\n'),
                    c @ ('"' | '\\') => value.push(c),
                    _ => return None,
                },
                c => value.push(c),
            }
            kept = value.len();
        }
        value.truncate(kept);
        Some(value)
    }
}

/// A character of section and variable names.
fn is_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}
